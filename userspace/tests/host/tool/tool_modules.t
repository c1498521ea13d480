#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The tool with modules that do what ours never do here: say nothing for long, or come from a later
# version. A shim answers in their place.
#
# promise administrator by mistake: save does not write a file that would lose a part of a rule
# shown by: save --file: nothing is written

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"

# Answers what is sent to generic netlink: the families are there, with a rule for packets, and each
# other request is done. UNKNOWN is the type of an attribute of that rule more; ACTION and REFUSE are numbers in it.
# CLASS and the number after it are those of two counts of the rule; with EVENT, monitor hears of a packet of that
# class. TAKES is the type of an attribute that is taken to make rules. BUILD is that of the service, of VERSION;
# "none" where it does not say one. With FS, the name check is there, too. TRIAL is the seconds that both have rules on
# trial, TRIAL_FS that of the name check alone, and STRANGE the type of an attribute of their status more. So many times as MOVES says, the rules are others when
# their status is asked; and RESTARTS_FS and RESTARTS_NF are how many commits are too late; with
# SAME_FS or SAME_NF, a commit changes nothing. SAYS_FS and SAYS_NF are what the
# order to confirm comes to, or to revert. With DENIES, nobody is told the status of a check; with NO_NETLINK, there is
# no netlink. The rule of the name check is the default one, or for the directory SUBTREE, and has audited five names then; with OTHERS,
# the rule for packets is another one each time that rules are listed. Commands are written to the file LOG, changes with
# the octets of the request; the octets of each datagram to the file DATAGRAMS; and what the audit log is told,
# with the flags of that, to the file RECORDS.
cat >"$tap/shim.c" <<'END'
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/utf8guard.h>
#include <linux/utf8guard_fs.h>
#include <linux/utf8guard_nf.h>

#define FS 101
#define NF 102

static char answer[4096] __attribute__((aligned(4)));
static size_t length;

static struct nlmsghdr *begin(int type, int command)
{
	struct nlmsghdr *header = (struct nlmsghdr *)(answer + length);
	struct genlmsghdr genl = { .cmd = command };

	*header = (struct nlmsghdr){ .nlmsg_type = type, .nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN) };
	memcpy(NLMSG_DATA(header), &genl, sizeof(genl));
	length += header->nlmsg_len;
	return header;
}

static void put(struct nlmsghdr *header, int type, const void *value, size_t size)
{
	struct nlattr *attr = (struct nlattr *)(answer + length);

	*attr = (struct nlattr){ .nla_type = type, .nla_len = NLA_HDRLEN + size };
	memcpy(attr + 1, value, size);
	length += NLA_ALIGN(attr->nla_len);
	header->nlmsg_len = answer + length - (char *)header;
}

static void put_u16(struct nlmsghdr *header, int type, unsigned short value)
{
	put(header, type, &value, sizeof(value));
}

static void put_u32(struct nlmsghdr *header, int type, unsigned int value)
{
	put(header, type, &value, sizeof(value));
}

static void put_group(struct nlmsghdr *header, const char *name)
{
	struct nlattr *groups = (struct nlattr *)(answer + length), *group = groups + 1;

	groups->nla_type = CTRL_ATTR_MCAST_GROUPS;
	group->nla_type = 1;
	length += 2 * NLA_HDRLEN;
	put(header, CTRL_ATTR_MCAST_GRP_NAME, name, strlen(name) + 1);
	put_u32(header, CTRL_ATTR_MCAST_GRP_ID, 20);
	groups->nla_len = answer + length - (char *)groups;
	group->nla_len = answer + length - (char *)group;
}

static void put_family(const char *name, int id, const char *group)
{
	struct nlmsghdr *header = begin(GENL_ID_CTRL, CTRL_CMD_NEWFAMILY);

	put_u16(header, CTRL_ATTR_FAMILY_ID, id);
	put(header, CTRL_ATTR_FAMILY_NAME, name, strlen(name) + 1);
	put_group(header, group);
}

static struct nlattr *begin_nest(int type)
{
	struct nlattr *nest = (struct nlattr *)(answer + length);

	nest->nla_type = type | NLA_F_NESTED;
	length += NLA_HDRLEN;
	return nest;
}

static void end_nest(struct nlattr *nest, struct nlmsghdr *header)
{
	nest->nla_len = answer + length - (char *)nest;
	header->nlmsg_len = answer + length - (char *)header;
}

static void put_rule(int id, int command)
{
	struct nlmsghdr *header = begin(id, command);
	static int lists;
	int i, port = getenv("OTHERS") ? 9 + lists++ : 9;
	struct nlattr *nest;

	put_u32(header, UTF8GUARD_NF_A_RULE_HANDLE, 7);
	put_u32(header, UTF8GUARD_NF_A_RULE_HOOK, UTF8GUARD_NF_HOOK_INPUT);
	put_u32(header, UTF8GUARD_NF_A_RULE_ACTION,
		getenv("ACTION") ? atoi(getenv("ACTION")) : UTF8GUARD_NF_ACTION_DROP);
	put(header, UTF8GUARD_NF_A_RULE_PROTOCOL, "\x11", 1);
	put_u16(header, UTF8GUARD_NF_A_RULE_DPORT_MIN, port);
	put_u16(header, UTF8GUARD_NF_A_RULE_DPORT_MAX, port);
	if (getenv("REFUSE"))
		put_u32(header, UTF8GUARD_NF_A_RULE_REFUSE, atoi(getenv("REFUSE")));
	if (getenv("UNKNOWN"))
		put_u32(header, atoi(getenv("UNKNOWN")), 1);
	for (i = 0; getenv("CLASS") && i < 2; i++) {
		nest = begin_nest(UTF8GUARD_NF_A_RULE_COUNT);
		put_u32(header, UTF8GUARD_NF_A_COUNT_CLASS, atoi(getenv("CLASS")) + i);
		put_u32(header, UTF8GUARD_NF_A_COUNT_REFUSED, 5 + i);
		put_u32(header, 300, 1);
		end_nest(nest, header);
	}
}

static void put_name_rule(int command)
{
	struct nlmsghdr *header = begin(FS, command);
	const char *path = getenv("SUBTREE");
	struct nlattr *nest;

	put_u32(header, UTF8GUARD_FS_A_RULE_HANDLE, 1);
	put_u32(header, UTF8GUARD_FS_A_RULE_SCOPE, path ? UTF8GUARD_FS_SCOPE_SUBTREE : UTF8GUARD_FS_SCOPE_DEFAULT);
	put_u32(header, UTF8GUARD_FS_A_RULE_MODE, UTF8GUARD_FS_MODE_AUDIT);
	if (!path)
		return;
	put(header, UTF8GUARD_FS_A_RULE_PATH, path, strlen(path) + 1);
	nest = begin_nest(UTF8GUARD_FS_A_RULE_COUNT);
	put_u32(header, UTF8GUARD_FS_A_COUNT_CLASS, 0);
	put_u32(header, UTF8GUARD_FS_A_COUNT_AUDITED, 5);
	end_nest(nest, header);
}

static void put_event(void)
{
	struct nlmsghdr *header = begin(100, UTF8GUARD_CMD_REFUSAL);

	put(header, UTF8GUARD_A_EVENT_OP, "input", 6);
	put_u32(header, UTF8GUARD_A_EVENT_OUTCOME, 77);
	put(header, UTF8GUARD_A_EVENT_PROTOCOL, "\x11", 1);
	put_u32(header, UTF8GUARD_A_EVENT_CLASS, atoi(getenv("CLASS")));
}

static void put_info(const char *build)
{
	struct nlmsghdr *header = begin(100, UTF8GUARD_CMD_INFO_GET);

	put(header, UTF8GUARD_A_INFO_VERSION, getenv("VERSION"), strlen(getenv("VERSION")) + 1);
	if (strcmp(build, "none"))
		put(header, UTF8GUARD_A_INFO_BUILD, build, strlen(build) + 1);
}

/* The command adds rules by policy 1, in which TAKES is an attribute. */
static void put_policy(void)
{
	struct nlmsghdr *header = begin(GENL_ID_CTRL, CTRL_CMD_GETPOLICY);
	struct nlattr *outer = begin_nest(CTRL_ATTR_OP_POLICY);
	struct nlattr *inner = begin_nest(UTF8GUARD_NF_CMD_RULE_ADD);

	put_u32(header, CTRL_ATTR_POLICY_DO, 1);
	end_nest(inner, header);
	end_nest(outer, header);
	header = begin(GENL_ID_CTRL, CTRL_CMD_GETPOLICY);
	outer = begin_nest(CTRL_ATTR_POLICY);
	inner = begin_nest(1);
	put_u32(header, atoi(getenv("TAKES")), 0);
	end_nest(inner, header);
	end_nest(outer, header);
}

static void end(void)
{
	struct nlmsghdr *header = (struct nlmsghdr *)(answer + length);

	*header = (struct nlmsghdr){ .nlmsg_type = NLMSG_DONE, .nlmsg_len = NLMSG_LENGTH(4) };
	memset(NLMSG_DATA(header), 0, 4);
	length += header->nlmsg_len;
}

static int number(const char *name)
{
	return getenv(name) ? atoi(getenv(name)) : 0;
}

static unsigned int generations[2];

/* The attributes of both have the same numbers, but for that of trials. */
static void put_status(int id, int command)
{
	struct nlmsghdr *header = begin(id, command);

	put_u32(header, UTF8GUARD_NF_A_STATUS_GENERATION, generations[id - FS]);
	if (getenv("TRIAL"))
		put_u32(header, id == FS ? UTF8GUARD_FS_A_STATUS_CONFIRM : UTF8GUARD_NF_A_STATUS_CONFIRM,
			number("TRIAL"));
	if (id == FS && getenv("TRIAL_FS"))
		put_u32(header, UTF8GUARD_FS_A_STATUS_CONFIRM, number("TRIAL_FS"));
	if (getenv("STRANGE"))
		put_u32(header, number("STRANGE"), 1);
}

static void put_ack(const struct nlmsghdr *request, int error)
{
	struct nlmsghdr *header = (struct nlmsghdr *)(answer + length);
	struct nlmsgerr *ack = NLMSG_DATA(header);

	*header = (struct nlmsghdr){ .nlmsg_type = NLMSG_ERROR, .nlmsg_len = NLMSG_LENGTH(sizeof(*ack)),
		.nlmsg_seq = request->nlmsg_seq, .nlmsg_flags = NLM_F_CAPPED };
	*ack = (struct nlmsgerr){ .error = -error, .msg = *request };
	length += header->nlmsg_len;
}

static size_t octets;

static void log_command(const char *word, int id)
{
	FILE *log = getenv("LOG") ? fopen(getenv("LOG"), "a") : NULL;

	if (log) {
		fprintf(log, "%s %s", word, id == FS ? "fs" : "net");
		fprintf(log, strcmp(word, "change") ? "\n" : " %zu\n", octets);
		fclose(log);
	}
}

/* Of requests that came together. */
static void log_datagram(size_t size)
{
	FILE *log = getenv("DATAGRAMS") ? fopen(getenv("DATAGRAMS"), "a") : NULL;

	if (log) {
		fprintf(log, "%zu\n", size);
		fclose(log);
	}
}

static void log_record(const struct nlmsghdr *header)
{
	FILE *log = getenv("RECORDS") ? fopen(getenv("RECORDS"), "a") : NULL;

	if (log) {
		fprintf(log, "%s%s%s\n", header->nlmsg_flags & NLM_F_REQUEST ? "request " : "",
			header->nlmsg_flags & NLM_F_ACK ? "ack " : "", (const char *)NLMSG_DATA(header));
		fclose(log);
	}
}

/* What is asked of the rules as a whole. */
static int carry_out(int id, int command)
{
	static int moves, restarts[2];
	unsigned int *generation = &generations[id - FS];

	if (command == (id == FS ? UTF8GUARD_FS_CMD_COMMIT : UTF8GUARD_NF_CMD_COMMIT)) {
		log_command("commit", id);
		if (restarts[id - FS]++ < number(id == FS ? "RESTARTS_FS" : "RESTARTS_NF"))
			return ERESTART;
		*generation += !getenv(id == FS ? "SAME_FS" : "SAME_NF");
		put_status(id, command);
	} else if (command == (id == FS ? UTF8GUARD_FS_CMD_BEGIN : UTF8GUARD_NF_CMD_BEGIN)) {
		log_command("begin", id);
		put_status(id, command);
	} else if (command == UTF8GUARD_NF_CMD_STATUS_GET) {
		if (getenv("DENIES"))
			return EPERM;
		*generation += moves++ < number("MOVES");
		put_status(id, command);
	} else if (command == (id == FS ? UTF8GUARD_FS_CMD_CONFIRM : UTF8GUARD_NF_CMD_CONFIRM)) {
		log_command("confirm", id);
		return number(id == FS ? "SAYS_FS" : "SAYS_NF");
	} else if (command == (id == FS ? UTF8GUARD_FS_CMD_REVERT : UTF8GUARD_NF_CMD_REVERT)) {
		log_command("revert", id);
		return number(id == FS ? "SAYS_FS" : "SAYS_NF");
	} else {
		log_command("change", id);
	}
	return 0;
}

/* Several requests may come at once. */
static void answer_checks(const struct nlmsghdr *header, size_t size)
{
	for (; NLMSG_OK(header, size); header = NLMSG_NEXT(header, size)) {
		const struct genlmsghdr *genl = NLMSG_DATA(header);

		octets = header->nlmsg_len;
		if ((header->nlmsg_flags & NLM_F_DUMP) != NLM_F_DUMP) {
			put_ack(header, carry_out(header->nlmsg_type, genl->cmd));
			continue;
		}
		log_command("list", header->nlmsg_type);
		if (header->nlmsg_type == NF)
			put_rule(NF, genl->cmd);
		else
			put_name_rule(genl->cmd);
		end();
	}
}

ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to,
	       socklen_t to_size)
{
	const struct nlmsghdr *header = data;
	const struct genlmsghdr *genl = NLMSG_DATA(header);

	length = 0;
	/* The record of a load, for the audit log. */
	if (header->nlmsg_type > 1000) {
		log_record(header);
		return -1;
	}
	if (header->nlmsg_type == FS || header->nlmsg_type == NF) {
		answer_checks(header, size);
		log_datagram(size);
		return size;
	}
	if (header->nlmsg_type == GENL_ID_CTRL && genl->cmd == CTRL_CMD_GETPOLICY) {
		if (getenv("TAKES"))
			put_policy();
	} else if (header->nlmsg_type == GENL_ID_CTRL) {
		put_family("nlctrl", GENL_ID_CTRL, "notify");
		put_family("utf8guard", 100, "events");
		if (getenv("FS"))
			put_family("utf8guard_fs", FS, "config");
		put_family("utf8guard_nf", NF, "config");
	} else if (header->nlmsg_type == 100 && genl->cmd == UTF8GUARD_CMD_INFO_GET && getenv("BUILD")) {
		put_info(getenv("BUILD"));
	}
	end();
	return size;
}

/* As in a sandbox. */
int socket(int domain, int type, int protocol)
{
	if (domain == AF_NETLINK && getenv("NO_NETLINK")) {
		errno = EAFNOSUPPORT;
		return -1;
	}
	return syscall(SYS_socket, domain, type, protocol);
}

/* Of the sockets of monitor, the second hears of refusals. */
int poll(struct pollfd *polls, nfds_t count, int timeout)
{
	static int given;

	if (!getenv("EVENT") || given++)
		return syscall(SYS_poll, polls, count, timeout);
	put_event();
	while (count--)
		polls[count].revents = count == 1 ? POLLIN : 0;
	return 1;
}

/* Without an answer, it waits for an event, which never comes. */
ssize_t recvfrom(int fd, void *buffer, size_t size, int flags, struct sockaddr *from,
		 socklen_t *from_size)
{
	const size_t got = length;

	memset(from, 0, *from_size);
	memcpy(buffer, answer, got);
	length = 0;
	if (!got)
		pause();
	return got;
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t size)
{
	return 0;
}
END
cc -shared -fPIC -D_GNU_SOURCE -I"$top/include/uapi" -o "$tap/shim.so" "$tap/shim.c" ||
	bail_out "no shim"
modules() { LD_PRELOAD=$tap/shim.so run timeout 60 "$@"; }

modules "$tool" save
is "save" "$status $err" "0 utf8guard: warning: utf8guard_fs is not loaded, so none of its rules are saved"
is "a rule" "$(grep '^net add' "$tap/out")" "net add input udp dport 9 drop"

# A module that is newer than the tool has an attribute of a rule more.
absent="utf8guard: warning: utf8guard_fs is not loaded, so none of its rules are saved"
export UNKNOWN=300
modules "$tool" save
is "a warning of what is not saved" "$status $(grep '^net add' "$tap/out") $err" "0 net add input udp dport 9 drop \
utf8guard: warning: the modules are newer than this tool; rules have parts that it does not know, and they are not saved
$absent"
echo kept >"$tap/policy"
modules "$tool" save --file "$tap/policy"
is "save --file: nothing is written" "$status $(cat "$tap/policy") $err" "2 kept utf8guard: $tap/policy: nothing is written, \
because the modules are newer than this tool, and rules have parts that it does not know"
TAKES=300 modules "$tool" save --file "$tap/policy"
is "... nor if the module takes that to make a rule" "$status $(cat "$tap/policy")" "2 kept"
TAKES=299 modules "$tool" save --file "$tap/policy"
is "if it does not, it is a counter, and the rule is written" "$status $(grep '^net add' "$tap/policy") $err" "0 net add input udp dport 9 drop $absent"
echo kept >"$tap/policy"
modules "$tool" net
is "a rule is shown, with a warning" "$status $out $err" "0 net add input udp dport 9 drop # handle 7 \
utf8guard: warning: the module is newer than this tool; rules have parts that it does not know, and they are not shown"
TAKES=299 modules "$tool" net
is "if it is a counter, without" "$status $out $err" "0 net add input udp dport 9 drop # handle 7 "
unset UNKNOWN
CLASS=77 modules "$tool" save --file "$tap/policy"
is "what was counted by a class that it does not know" "$status $(grep '^net add' "$tap/policy") $err" "0 net add input udp dport 9 drop $absent"
# Classes without a word are told apart: of two series of one name, who collects metrics takes none.
export CLASS=77
modules "$tool" net -s
is "the counters of such classes" "$(grep -o '[0-9]*: refused.*' "$tap/out")" "77: refused 5, audited 0
78: refused 6, audited 0"
modules "$tool" stats --prometheus --rules
is "for Prometheus" "$(grep -o 'class="[0-9]*"} [5-9]$' "$tap/out")" 'class="77"} 5
class="78"} 6'
is "no series is there twice" "$(grep -v '^#' "$tap/out" | sed 's/ [^ ]*$//' | sort | uniq -d)" ""
EVENT=1 modules "$tool" monitor -n --count 1
like "an event, and what was done" "$status $out" '^0 0\.000000 net 77 input udp .* 0: 77: '
unset CLASS
echo kept >"$tap/policy"
for value in ACTION=77 REFUSE=$((1 << 30)); do
	export "${value?}"
	modules "$tool" save --file "$tap/policy"
	is "a value that it does not know, $value: nothing is written" "$status $(cat "$tap/policy")" "2 kept"
	unset "${value%=*}"
done
export REFUSE=$((1 << 9))
modules "$tool" save --file "$tap/policy"
is "one that it knows is written" "$status $(grep '^net add' "$tap/policy")" "0 net add input udp dport 9 drop refuse control"
unset REFUSE
modules "$tool" save --file "$tap/policy"
is "without that it is written" "$status $(grep '^net add' "$tap/policy") $err" "0 net add input udp dport 9 drop $absent"

# Modules of another build than the tool, whose version may be the same, as after an upgrade.
echo "fs set default audit" >"$tap/policy"
absent="UTF8GUARD CRITICAL - $tap/policy: name check: utf8guard_fs is not loaded"
VERSION=$("$tool" version | cut -d ' ' -f 2)
export VERSION BUILD=0123456789ab
modules "$tool" show
own=$(sed -n 's/.*this tool is of build [^ ]* (\([^)]*\)).*/\1/p' "$tap/out")
like "the build of this tool" "$own" '^[0-9a-f]{12}$'
other="this tool is of build $VERSION ($own), the modules that are loaded are of $VERSION (0123456789ab): \
after an upgrade, see AT BOOT in utf8guard(8)"
is "show says the build, and that it is another" "$(grep -e ^service -e ^warning "$tap/out")" \
	"service        version $VERSION (0123456789ab)
warning        $other"
modules "$tool" show -j
is "for programs" "$(grep -o '"warnings":.*' "$tap/out") $(grep -o '"build":"[^"]*"' "$tap/out")" "\"warnings\":[\"$other\"]} \"build\":\"0123456789ab\""
modules "$tool" check "$tap/policy"
is "check says so, too" "$status $out" "2 $absent; $other"
modules "$tool" stats --prometheus
like "metrics have it" "$out" 'utf8guard_info\{version="[^"]*",build="0123456789ab",'
BUILD=none modules "$tool" show
is "modules that do not say it are of another" "$(grep -e ^service -e ^warning "$tap/out")" \
	"service        version $VERSION
warning        ${other/0123456789ab/older}"
export BUILD=$own
modules "$tool" show -j
is "the same build: no warning" "$(grep -o '"warnings":.*' "$tap/out")" '"warnings":[]}'
modules "$tool" check "$tap/policy"
is "nor by check" "$status $out" "2 $absent"

# Prometheus takes a zero for a counter that began anew. Those of a module that is not loaded are zero;
# those of one that did not answer are not known.
samples() { grep -v '^#' "$tap/out"; }
VERSION=1 BUILD=$own DENIES=1 modules "$tool" stats --prometheus --rules
is "metrics, where a module did not answer" "$status $(samples | grep -e _up -e _loaded | xargs)" \
	"3 utf8guard_up 0 utf8guard_loaded{module=utf8guard} 1 utf8guard_loaded{module=utf8guard_fs} 0 utf8guard_loaded{module=utf8guard_nf} 1"
is "have none of its counters" "$(samples | grep utf8guard_net_)" ""
is "but those of one that is not loaded" "$(samples | grep -cx -e 'utf8guard_fs_checked_total 0' -e 'utf8guard_fs_refused_total{class="overlong"} 0')" 2
is "and of one that answered" "$(samples | grep -x 'utf8guard_lost_total 0')" "utf8guard_lost_total 0"
unset BUILD VERSION

# Where there is no netlink, as in a sandbox, nothing is known of modules.
export NO_NETLINK=1
why="utf8guard: netlink: Address family not supported by protocol"
modules "$tool" stats --prometheus --rules
is "no netlink: metrics" "$status $(samples) $err" "3 utf8guard_up 0 $why"
modules "$tool" check "$tap/policy"
is "no netlink: check" "$status $out $err" \
	"3 UTF8GUARD UNKNOWN - $tap/policy: name check: not known: netlink could not be asked $why"
modules "$tool" show
is "no netlink: show" "$status $out $err" "4 service        not known: netlink could not be asked
name check     not known: netlink could not be asked
payload check  not known: netlink could not be asked $why"
modules "$tool" show -j
is "no netlink: show -j" "$status $(grep -o '"loaded":[a-z]*' "$tap/out" | xargs)" "4 loaded:null loaded:null loaded:null"
for command in "monitor" "top -b --count 1" "follow" "stats" "fs"; do
	# shellcheck disable=SC2086 # words
	modules "$tool" $command
	is "no netlink: $command" "$status $out $err" "4  $why"
done
unset NO_NETLINK

# Rules on trial, and those that somebody changes while they are listed.
export FS=1 LOG=$tap/log
commands() { sed ':a;N;$!ba;s/\n/, /g' "$LOG"; : >"$LOG"; }
: >"$LOG"
modules "$tool" save
is "save" "$status $err" "0 "
is "lists each once" "$(commands)" "list fs, list net"
whole=$(cat "$tap/out")
MOVES=3 modules "$tool" save
is "somebody changes the rules meanwhile: save" "$status $out $err" "0 $whole "
is "lists all of them again" "$(commands)" "list fs, list net, list fs, list net"
echo kept >"$tap/policy"
MOVES=99 modules "$tool" save --file "$tap/policy"
is "each time: nothing is written" "$status $(cat "$tap/policy") $out$err" \
	"3 kept utf8guard: nothing is written: the rules were listed 5 times, and somebody has changed them each time"
export TRIAL=30
modules "$tool" save
is "on trial: save warns" "$status $out $err" "0 $whole \
utf8guard: warning: name check: these rules are on trial; unless they are confirmed, the previous ones come back
utf8guard: warning: payload check: these rules are on trial; unless they are confirmed, the previous ones come back"
modules "$tool" save --file "$tap/policy"
is "save --file: nothing is written" "$status $(cat "$tap/policy") $out" "2 kept "
like "and why" "$err" "^utf8guard: $tap/policy: nothing is written, because rules are on trial: name check; keep them with utf8guard confirm, or"
unset TRIAL
STRANGE=300 modules "$tool" save --file "$tap/policy"
is "a status with more than the tool knows is no reason" "$status $err $(cat "$tap/policy")" "0  $whole"

# Whoever is told to confirm is told in which network namespace.
if unshare --user --map-root-user --net true 2>/dev/null; then
	inside() { LD_PRELOAD=$tap/shim.so run timeout 60 unshare --user --map-root-user --net "$tool" "$@"; }
	ln -s /proc/self/ns/net "$tap/a b'c"
	printf 'fs flush\nnet flush\n' >"$tap/policy"
	for ns in /proc/self/ns/net "$tap/a b'c"; do
		word=$ns
		[ "$ns" = /proc/self/ns/net ] || word="\$'$tap/a b\\'c'"
		inside load -N "$ns" --confirm 60 "$tap/policy"
		is "load -N: confirm is to be run there" "$status $out$err" \
			"0 the previous rules come back in 60 seconds, unless you run: utf8guard confirm -N $word"
		SAYS_FS=1 inside load -N "$ns" "$tap/policy"
		is "load -N, where it could not confirm" "$status ${err##*: }" "3 utf8guard confirm -N $word"
		export TRIAL=60
		inside show -N "$ns"
		is "show -N" "$(sed -n 's/.*unless you run: //p' "$tap/out" | paste -sd,)" \
			"utf8guard confirm -N $word fs,utf8guard confirm -N $word net"
		inside check -N "$ns" "$tap/policy"
		like "check -N" "$status ${out##*unless: }" "^1 utf8guard confirm -N $(printf %s "$word" | sed 's/[$\\]/\\&/g') net;"
		inside lock -N "$ns"
		is "lock -N" "$status ${err##*: }" \
			"3 keep them with utf8guard confirm -N $word net, or take them back with utf8guard confirm -N $word --revert net"
		unset TRIAL
	done
else
	skip 10 "no namespaces of one's own"
fi

# A trial of one check hides nothing of the other one.
printf 'fs set default audit\nnet flush\nnet add input udp dport 9 drop\n' >"$tap/policy"
VERSION=1 BUILD=$own OTHERS=1 TRIAL_FS=60 modules "$tool" check "$tap/policy"
is "check: one on trial, the policy of the other is gone" "$status $out" \
	"2 UTF8GUARD CRITICAL - $tap/policy: name check: rules are on trial, back in 60 seconds, unless: utf8guard confirm fs; \
payload check: 1 rule of the file not in force; payload check: 1 rule in force that the file does not have there"
VERSION=1 BUILD=$own TRIAL_FS=60 modules "$tool" check "$tap/policy"
is "... and is in force" "$status $out" \
	"1 UTF8GUARD WARNING - $tap/policy: name check: rules are on trial, back in 60 seconds, unless: utf8guard confirm fs"
: >"$LOG"

# Nobody is told to confirm what somebody else has on trial.
tells() { # NAME WORDS LINE...: the hint, after "confirm"
	printf '%s\n' "${@:3}" >"$tap/policy"
	modules "$tool" load --confirm 60 "$tap/policy"
	is "load --confirm: $1" "$status $out$err" \
		"0 the previous rules come back in 60 seconds, unless you run: utf8guard confirm$2"
}
tells "both checks" "" "fs flush" "net flush"
tells "names alone" " fs" "fs flush"
tells "packets alone" " net" "net flush"
SAME_FS=1 tells "names are as they were" " net" "fs flush" "net flush"
SAME_NF=1 tells "packets are as they were" " fs" "fs flush" "net flush"
: >"$LOG"

# What confirm has done, for which check.
says() { # NAME FS NF STATUS TEXT WORD...: errno of each
	SAYS_FS=$2 SAYS_NF=$3 modules "$tool" confirm "${@:6}"
	is "$1" "$status $out$err" "$4 $5"
}
says "confirm: both" 0 0 0 "kept: name check, payload check"
says "one, and nothing of the other" 114 0 0 "kept: payload check"
says "one, and too late for the other" 2 0 0 "kept: payload check\
utf8guard: warning: only the payload check: the name check has its previous rules, because its last trial was not confirmed"
says "too late for both" 2 2 1 "utf8guard: too late: the previous rules are back: name check, payload check"
says "too late for one, and nothing of the other" 2 114 1 \
	"nothing is waiting to be confirmed, and the rules in force stay: payload check\
utf8guard: too late: the previous rules are back: name check"
says "nothing of either" 114 114 0 "nothing is waiting to be confirmed: the rules in force stay"
says "one that refuses, and one that is kept" 16 0 3 "kept: payload check\
utf8guard: refused by the kernel: Device or resource busy
utf8guard: name check: nothing was done"
says "revert" 0 2 0 "the previous rules are back: name check" --revert
says "revert, and none waits" 2 2 1 "utf8guard: no rules are waiting to be confirmed" --revert
commands >/dev/null
says "confirm of one check alone" 2 0 0 "kept: payload check" net
is "asks that one alone" "$(commands)" "confirm net"
says "the other one" 2 0 1 "utf8guard: too late: the previous rules are back: name check" fs
says "revert of one check alone" 0 0 0 "the previous rules are back: name check" fs --revert
is "asks that one alone, too" "$(commands)" "confirm fs, revert fs"
unset FS
says "one that is not loaded" 0 0 4 "utf8guard: utf8guard_fs is not loaded; load it with: modprobe utf8guard_fs" fs
export FS=1

# Somebody else is faster: load carries out the file anew, and not for ever.
times() { grep -c "$1" "$LOG"; }
printf 'fs flush\nfs add default uid 7 off\n' >"$tap/policy"
for late in 0 1 4; do
	: >"$LOG"
	RESTARTS_FS=$late modules "$tool" load "$tap/policy"
	is "load: somebody else is faster $late times" "$status $out$err $(times begin) $(times change)" "0  $((late + 1)) $((2 * late + 2))"
done
: >"$LOG"
RESTARTS_FS=9 modules "$tool" load "$tap/policy"
is "each time: nothing is done" "$status $out$err $(times commit)" \
	"3 utf8guard: name check: somebody else has changed the rules meanwhile; nothing was done, try again 5"
echo "fs set default off" >"$tap/policy"
: >"$LOG"
RESTARTS_FS=3 modules "$tool" load "$tap/policy"
is "a line for the default rule is the same each time" "$status $(times change) $(grep change "$LOG" | uniq | wc -l)" "0 4 1"
# Linux takes only requests for records, and acknowledges one only if asked.
RECORDS=$tap/records modules "$tool" load "$tap/policy"
like "the audit log is told of a load" "$(<"$tap/records")" \
	'^request ack op=utf8guard-policy ruleset=fs checksum=[0-9a-f]+ rules=1 res=success$'
printf 'fs flush\nnet flush\n' >"$tap/policy"
: >"$LOG"
RESTARTS_NF=1 modules "$tool" load "$tap/policy"
is "with both checks: the first is taken back, then both are in force" "$status $out$err $(grep -v -e list -e change "$LOG" | xargs)" \
	"0  begin fs begin net commit fs commit net revert fs begin fs begin net commit fs commit net confirm fs confirm net"
RESTARTS_NF=9 modules "$tool" load "$tap/policy"
is "and each time" "$status $out$err" "3 utf8guard: payload check: somebody else has changed the rules meanwhile; nothing was done, try again
utf8guard: name check: the previous rules are back"
: >"$LOG"
RESTARTS_NF=9 SAYS_FS=2 modules "$tool" load "$tap/policy"
like "not anew, where the first cannot be taken back" "$status $err $(times commit)" "^3 utf8guard: payload check: somebody else.*
utf8guard: name check: the new rules are in force 2\$"
# So many requests go in one datagram that the answers fit into the socket.
export DATAGRAMS=$tap/datagrams
long=$(printf '/%0250d' {1..15})
for n in {1..20}; do echo "fs add subtree /nonesuch$n$long audit"; done >"$tap/policy"
: >"$LOG"
modules "$tool" load "$tap/policy"
is "rules with long paths" "$status $(times change)" "0 20"
ok "no more of them than 16 KiB go at once" [ "$(sort -n "$DATAGRAMS" | tail -n 1)" -le 16384 ]
for n in {1..20}; do echo "fs add subtree /nonesuch$n audit"; done >"$tap/policy"
: >"$DATAGRAMS"
modules "$tool" load "$tap/policy"
is "of short ones, sixteen" "$status $(sort -n "$DATAGRAMS" | tail -n 1)" "0 $(($(sed -n 's/^change fs //p' "$LOG" | tail -n 1) * 16))"
unset FS LOG DATAGRAMS

# Whoever makes a directory or a file makes no line of a policy, nor moves the cursor, by its name.
line=$'\nfs set default off\e[2J'
FS=1 SUBTREE=$tap/$line/x modules "$tool" suggest --good "$tap/$line"
is "suggest: a directory that is marked as good" "$status $(tail -n 1 "$tap/out")" \
	"1 # It stays as it is: $tap/\\x0Afs set default off\\x1B[2J is marked as good."
echo "net flush" >"$tap/$line"
OTHERS=1 modules "$tool" diff "$tap/$line"
is "diff: the name of the file" "$status $(head -n 2 "$tap/out" | tail -n 1)" \
	"1 +++ payload check, $tap/\\x0Afs set default off\\x1B[2J"

# Whoever reads monitor's lines has gone, and no event comes by which monitor would notice that.
# shellcheck disable=SC2016 # for the shell in there
modules bash -c '"$0" monitor | true; echo "${PIPESTATUS[0]}"' "$tool"
is "monitor ends when nobody reads any more" "$status $out $err" "0 0 utf8guard: listening"
done_testing
