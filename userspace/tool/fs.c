// SPDX-License-Identifier: GPL-2.0
/* utf8guard fs: the rules of the name check. */
#include "command.h"
#include "output/output.h"
#include "policy/fs_explain.h"
#include "policy/rules.h"

/* The directory that --explain asks about, or NULL. */
static const char *explained;

static bool take_explain(struct words *value)
{
	explained = words_take(value, "a directory");
	return explained;
}

static int run(struct words *words)
{
	if (!explained)
		return rules_run(&rules_fs, words);
	words_skip(words, "show");
	return fs_explain(explained, words);
}

const struct command command_fs = {
	.name = "fs",
	.options = OPTIONS(OPTION_JSON, OPTION_PRETTY, OPTION_STATS, OPTION_HUMAN, OPTION_COLOR,
			   { .name = "explain", .take = take_explain }),
	.summary = "the rules of the name check",
	.help =
"utf8guard fs [show] [-j] [-s] [-H] [--color WHEN]\n"
"utf8guard fs show --explain PATH [uid UID] [pid PID] [cgroup PATH] [name NAME] [-j] [-s]\n"
"utf8guard fs add|ensure|del SCOPE [WHO ...] off|audit|enforce [WHAT ...] [comment TEXT]\n"
"utf8guard fs set HANDLE|default off|audit|enforce\n"
"utf8guard fs replace HANDLE SCOPE [WHO ...] off|audit|enforce [WHAT ...] [comment TEXT]\n"
"utf8guard fs replace default off|audit|enforce [WHAT ...] [comment TEXT]\n"
"utf8guard fs del HANDLE\n"
"utf8guard fs flush\n"
"\n"
"A rule says what is done about a new name that it refuses: nothing (off), report\n"
"it (audit), or report it and fail the system call (enforce).\n"
"\n"
"SCOPE is where, and the rules are asked in this order:\n"
"  subtree PATH ...     a directory and all below it on the same file system; the\n"
"                       nearest to the name first\n"
"  superblock PATH ...  the whole file system that PATH is on; either takes up to 16\n"
"                       paths, which from the second on begin with a slash\n"
"  fstype TYPE          file systems of a type: ext4, fuse.sshfs before fuse\n"
"  default              everywhere\n"
"WHO narrows a rule to some callers; with more than one, to those that fit all:\n"
"  uid UID[-UID]        user IDs, in numbers of the initial user namespace; or a name\n"
"  userns NS            a user namespace and its descendants: self, its number, or a\n"
"                       file as /proc/PID/ns/user\n"
"  userns owner UID     the user namespaces that a user made, and their descendants\n"
"  cgroup PATH          a cgroup of version 2 and its descendants\n"
"Of the rules of one location, the one with more kinds of WHO is asked first, then\n"
"the one with the narrower range of user IDs, then the older one. The first rule\n"
"that is for the caller decides.\n"
"WHAT is refused beside names that are not UTF-8, and what is spared:\n"
"  profile NAME         utf8 (nothing more), safe (control, newline, bidi, edge-space,\n"
"                       noncharacter), portable-nfc (safe, unassigned, form nfc)\n"
"  refuse CLASSES       as in control,bidi; profiles, too\n"
"  form FORM            names that are not in it: nfc, nfd, nfkc, nfkd, nfkc-casefold\n"
"  admin exempt         only report those of callers with CAP_MAC_ADMIN; or judge\n"
"  onto judge           judge a rename onto a name that exists; or allow\n"
"  move allow           let a rename to another directory through where the name\n"
"                       stays the same; or judge\n"
"\n"
"ensure adds a rule unless an equal one exists, and prints the handle in either case.\n"
"del takes a handle, or the words of the rule. Two rules are equal if they are for the\n"
"same location and callers and do the same. The comment is not compared, except by del\n"
"where one is given. set changes the mode and nothing else; replace makes another rule\n"
"with the same handle, whose counters begin at zero. flush deletes all rules but the\n"
"one that is there after loading: fs set default audit.\n"
"\n"
"A rule is for a path on a file system, whatever directory is there. It waits while\n"
"that file system is not mounted, or its cgroup does not exist; it is deleted when its\n"
"namespace ends. Where something keeps a rule from having an effect, a warning says\n"
"so: names there are exempt, the file system type is unknown, or another file system\n"
"is mounted over the path.\n"
"\n"
"--explain shows the rules that are asked for a name in a directory, in order, and\n"
"which of them decides: for you, the process PID, or another user or cgroup. It\n"
"judges NAME there, and exits with 1 if that would be refused.\n"
"\n"
"TEXT is up to 255 octets of UTF-8 in one word, kept with the rule and shown with\n"
"it; \"comment --\" where it begins with a minus.\n"
"\n"
"  -s            show the counters of each class too\n"
"  -H            counters of three digits: 12.3k, 4.56M\n"
"  --color WHEN  auto (on a terminal, if NO_COLOR is not set), always or never\n"
"  -j            JSON; with add, ensure, set and replace, the rule with its handle\n",
	.run = run,
};
