// SPDX-License-Identifier: GPL-2.0
/* utf8guard net: the rules of the payload check. */
#include "command.h"
#include "netlink/netns.h"
#include "output/output.h"
#include "policy/rules.h"

static int run(struct words *words)
{
	return rules_run(&rules_net, words);
}

const struct command command_net = {
	.name = "net",
	.options = OPTIONS(OPTION_JSON, OPTION_PRETTY, OPTION_STATS, OPTION_HUMAN, OPTION_COLOR,
			   OPTION_NETNS),
	.summary = "the rules of the payload check",
	.help =
"utf8guard net [show] [-j] [-s] [-H] [--color WHEN] [-N NETNS]\n"
"utf8guard net add|ensure|del RULE\n"
"utf8guard net insert [HANDLE] RULE\n"
"utf8guard net replace HANDLE RULE\n"
"utf8guard net del HANDLE\n"
"utf8guard net flush\n"
"\n"
"A RULE is: HOOK [ip|ip6] PROTOCOL MATCH... ACTION [WHAT...] [comment TEXT]\n"
"HOOK is input, forward or output, PROTOCOL tcp, udp, sctp or udplite. A MATCH is\n"
"one of\n"
"\n"
"  sport PORTS          the source port: a number, a range as 8000-8099, or the name\n"
"                       of a service; or up to 16 of these, as in 80,443,8000-8099\n"
"  dport PORTS          the destination port\n"
"  any-port             every port: a rule applies to all only if it says so\n"
"  saddr ADDR[/LEN]     the source address, or the first LEN bits of it; or up to 64 of\n"
"                       these, as in 192.0.2.0/24,198.51.100.7\n"
"  daddr ADDR[/LEN]     the destination address\n"
"  iif NAME             the interface that it came in by; eth* is for eth0, eth1...\n"
"  oif NAME             the interface that it goes out by\n"
"  marked MARK[/MASK]   the packet's mark, in the bits of MASK\n"
"  direction DIR        original or reply, in its connection\n"
"\n"
"An ACTION is what is done about a payload that is refused:\n"
"  count                count it and let it through\n"
"  audit                report it, too, and let it through\n"
"  drop                 report and drop it\n"
"  reject               tell the sender, too: a TCP reset, or ICMP port unreachable\n"
"  mark MARK[/MASK]     report it, set the bits of MASK in its mark, let it through\n"
"  ctmark MARK[/MASK]   the same with the mark of its connection\n"
"\n"
"WHAT is judged and refused:\n"
"  refuse CLASSES       beside what is not UTF-8: control,bidi and so on\n"
"  allow CLASSES        of percent encoding, which are refused where it is decoded\n"
"  scope first N        the first N octets of each datagram or stream\n"
"  scope OFFSET:LENGTH  so many octets of it from OFFSET on\n"
"  scope dns-labels     the labels of DNS messages; scope payload is all there is\n"
"  scope http-target    of HTTP requests, http-headers their fields, smtp-line the\n"
"                       lines to a mail server, smtp-headers of these commands and\n"
"                       the headers of messages; these take a stream\n"
"  decode percent       decode %C3%A9 and the like, once, before judging; or raw;\n"
"                       of TCP, that takes a stream\n"
"  gate off             judge what begins like TLS, gzip, zlib, HTTP/2 or with a\n"
"                       NUL in it, too; with gate on it is no text, and only counted;\n"
"                       of streams and with another scope it is off, else on\n"
"  fail closed          do the same to what cannot be read or followed; or open\n"
"  stream [strict]      TCP: judge the stream as its receiver will see it, whatever\n"
"                       the boundaries and order of the segments; it fails closed\n"
"  stream lenient       let through what is sent again and cannot be compared\n"
"\n"
"Rules are tried in order. add puts one after the others, insert before the one\n"
"with that handle or of all; replace puts it in another's place, with the same\n"
"handle and new counters. ensure is content with a rule that equals it, wherever it\n"
"is, and says its handle; del takes what a rule says instead of its handle. To\n"
"equal another, a rule is for the same packets and does the same; its comment only\n"
"matters to del, and if it is given. What one rule before it is for as a whole, a rule\n"
"is never asked about: that is told when it is added, and shown.\n"
"Without stream, each packet is judged alone, and a character that its edge divides\n"
"is let through. A packet of this host for itself is judged at output and at input.\n"
"\n"
"TEXT is up to 255 octets of UTF-8 in one word, kept with the rule and shown with\n"
"it; \"comment --\" where it begins with a minus.\n"
"\n"
"  -s  show the counters of each class too\n"
"  -H            counters of three digits: 12.3k, 4.56M\n"
"  --color WHEN  auto (on a terminal, if NO_COLOR is not set), always or never\n"
"  -N  the rules of another network namespace: its name, as ip netns gives it, or\n"
"      a file as /proc/PID/ns/net; with each of these\n"
"  -j  JSON; with add, ensure, insert and replace, the rule with its handle\n",
	.run = run,
};
