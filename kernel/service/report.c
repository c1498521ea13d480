// SPDX-License-Identifier: GPL-2.0
/*
 * Reports of refusals: always by the tracepoint; by the audit log and the netlink group of
 * events as often as the rate limits allow.
 *
 * Refusals are reported from hooks, with preemption off or in a softirq: nothing sleeps, and
 * every allocation is atomic and may fail. utf8guard_report_config() alone may sleep.
 */
#include <linux/audit.h>
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/limits.h>
#include <linux/mm_types.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/tty.h>
#include <linux/user_namespace.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>

#include "family.h"
#include "limit.h"
#include "netlink_gen.h"
#include "refusal.h"
#include "report.h"
#include "words.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/*
 * Reports per second. Names, packets from elsewhere, and packets that this host sends have a
 * limit each, so that a flood of one hides none of the others. Packets in network namespaces
 * that users made have a fourth one, because users make rules there and could otherwise hide
 * packets of the host; changes of rules there have a fifth. All limits together stay within the
 * 64 records that audit queues by default: records that audit loses are not counted here, and
 * audit may be set up to panic rather than lose one. At the border of two seconds, twice as many
 * may come close together, and audit loses some if it is slow then. Rules for names that begin
 * or cease to act come besides, a few in a second: see NEWS_MOST.
 */
#define REPORT_BURST 20
#define REPORT_BURST_SOURCE 10
#define REPORT_BURST_USERS 2
static_assert(3 * REPORT_BURST + 2 * REPORT_BURST_USERS <= 64);

#define LIMIT_INIT(name, of_all, of_source) {				\
	.lock = __RAW_SPIN_LOCK_UNLOCKED(name.lock),			\
	.rate = &(of_all),						\
	.source_rate = &(of_source),					\
}

static u32 names_per_second = REPORT_BURST;
module_param(names_per_second, uint, 0644);
MODULE_PARM_DESC(names_per_second, "names reported per second (default 20)");

static u32 names_per_user = REPORT_BURST_SOURCE;
module_param(names_per_user, uint, 0644);
MODULE_PARM_DESC(names_per_user, "names reported per second for each user (default 10)");

static struct utf8guard_limit names_limit =
	LIMIT_INIT(names_limit, names_per_second, names_per_user);

static u32 packets_per_second = REPORT_BURST;
module_param(packets_per_second, uint, 0644);
MODULE_PARM_DESC(packets_per_second,
		 "packets reported per second, from elsewhere and of this host each (default 20)");

static u32 packets_per_source = REPORT_BURST_SOURCE;
module_param(packets_per_source, uint, 0644);
MODULE_PARM_DESC(packets_per_source, "packets reported per second for each source address (default 10)");

static struct utf8guard_limit packets_limit =
	LIMIT_INIT(packets_limit, packets_per_second, packets_per_source);
/* A user of this host has as many addresses as he likes, of 127.0.0.0/8: he hides no others. */
static struct utf8guard_limit local_packets_limit =
	LIMIT_INIT(local_packets_limit, packets_per_second, packets_per_source);

/* For packets in network namespaces of users, and for changes of the rules there. */
static u32 users_rate = REPORT_BURST_USERS, user_rate = 1;

static struct utf8guard_limit users_packets_limit =
	LIMIT_INIT(users_packets_limit, users_rate, user_rate);
static struct utf8guard_limit users_config_limit =
	LIMIT_INIT(users_config_limit, users_rate, user_rate);

static atomic64_t total_events, total_suppressed, total_lost;

/* The word for enum utf8guard_reason, as the tool and the log show it. */
const char *utf8guard_reason_name(u8 reason)
{
	return utf8guard_reason_words[reason];
}

/* The word for enum utf8guard_cause, likewise. */
const char *utf8guard_cause_name(u8 cause)
{
	return utf8guard_cause_words[cause];
}

/* Counts an event. May it be reported? If so, sets @suppressed: see utf8guard_limit_admit(). */
static bool admit(struct utf8guard_limit *limit, u32 source, u32 *suppressed)
{
	atomic64_inc(&total_events);
	if (utf8guard_limit_admit(limit, source, suppressed))
		return true;
	atomic64_inc(&total_suppressed);
	return false;
}

/* A packet of the host counts for its source address; one in a user's namespace, for that user. */
static bool admit_packet(const struct utf8guard_flow *flow, u32 *suppressed)
{
	struct utf8guard_limit *limit = flow->is_local ? &local_packets_limit : &packets_limit;
	struct user_namespace *owner = flow->net->user_ns;

	if (owner == &init_user_ns)
		return admit(limit, utf8guard_sender_of(flow->saddr, flow->addr_len), suppressed);
	return admit(&users_packets_limit, utf8guard_owner_of(owner), suppressed);
}

/* In chunks: %*phN prints 64 octets at most, and audit_log_n_hex() is not exported. */
static void audit_hex(struct audit_buffer *ab, const u8 *octets, size_t len)
{
	size_t n;

	for (; len; octets += n, len -= n) {
		n = min_t(size_t, len, 64);
		audit_log_format(ab, "%*phN", (int)n, octets);
	}
}

/* What is wrong with the text, and where; or the reason, if it was not judged. */
static void audit_cause(struct audit_buffer *ab, const struct utf8guard_refusal *refusal)
{
	audit_log_format(ab, " class=%s", utf8guard_class_name(refusal->error.class));
	if (refusal->reason != UTF8GUARD_REASON_NONE) {
		audit_log_format(ab, " reason=%s", utf8guard_reason_name(refusal->reason));
		if (refusal->cause != UTF8GUARD_CAUSE_NONE)
			audit_log_format(ab, " cause=%s offset=%zu",
					 utf8guard_cause_name(refusal->cause),
					 refusal->error.offset);
		return;
	}
	audit_log_format(ab, " offset=%zu bytes=", refusal->error.offset);
	audit_hex(ab, refusal->bytes, refusal->error.span);
}

/*
 * The record has no context, so it is an event by itself. With the context of a system call, audit
 * would write more of them at the end of the call (SYSCALL, CWD, PATH, PROCTITLE, EOE), which
 * REPORT_BURST does not count, and the process would sleep there if the queue is full.
 *
 * ausearch -i knows fields by their names, whatever the record: "action", "family", "saddr", "dir"
 * and "device" are others there, and would be shown as what they are not. Of ours, it should know
 * name, path, proto, res, and what audit_task() adds.
 */
static struct audit_buffer *audit_begin(const char *op, const struct utf8guard_refusal *refusal)
{
	struct audit_buffer *ab;

	ab = audit_log_start(NULL, GFP_ATOMIC, AUDIT_KERNEL_OTHER);
	if (!ab)
		return NULL;
	audit_log_format(ab, "op=%s act=%s outcome=%s rule=%u", op, refusal->op,
			 refusal->outcome == UTF8GUARD_OUTCOME_REFUSED ? "refused" : "audited",
			 refusal->rule);
	audit_cause(ab, refusal);
	return ab;
}

/*
 * Octets of comments and paths in a record: without auditd, the kernel's log takes 1024 in all.
 * A path that is cut has CUT_MARK before them.
 */
#define COMMENT_OCTETS 64
#define PATH_OCTETS 128
#define CUT_MARK "..."

static void audit_end(struct audit_buffer *ab, const struct utf8guard_refusal *refusal,
		      u32 suppressed)
{
	if (refusal->family)
		audit_log_format(ab, " ruleset=%s", refusal->family);
	if (refusal->comment) {
		audit_log_format(ab, " comment=");
		audit_hex(ab, refusal->comment, strnlen(refusal->comment, COMMENT_OCTETS));
	}
	if (suppressed)
		audit_log_format(ab, " suppressed=%u", suppressed);
	audit_log_format(ab, " res=%d", refusal->outcome != UTF8GUARD_OUTCOME_REFUSED);
	audit_log_end(ab);
}

/* Of an executable's path: room for CUT_MARK, and for four names that each follow a slash. */
#define EXE_OCTETS (sizeof(CUT_MARK) + 4 * (NAME_MAX + 1))

/* Of the label that a security module gives to the process. */
#define LABEL_OCTETS 4096

/*
 * auditd drops a record that is longer: MAX_AUDIT_MESSAGE_LENGTH of libaudit. What users choose is
 * written as two digits an octet at most; labels are written as they are. FIXED_OCTETS is all the
 * rest: numbers, words, names of devices and terminals.
 */
#define RECORD_OCTETS 8970
#define FIXED_OCTETS 1024
static_assert(FIXED_OCTETS + LABEL_OCTETS +
	      2 * (NAME_MAX + sizeof(CUT_MARK) + PATH_OCTETS + COMMENT_OCTETS + TASK_COMM_LEN +
		   EXE_OCTETS) < RECORD_OCTETS);

/* Like audit_log_untrustedstring(), which is not exported. */
static void audit_untrusted(struct audit_buffer *ab, const char *string)
{
	const char *c;

	for (c = string; *c > ' ' && *c < 0x7f && *c != '"'; c++)
		;
	if (*c)
		audit_hex(ab, string, strlen(string));
	else
		audit_log_format(ab, "\"%s\"", string);
}

/*
 * The path of @exe, in @buf of EXE_OCTETS. Of one that is longer, the last four names are written
 * after CUT_MARK, which no path begins with.
 */
static const char *exe_path(struct file *exe, char *buf)
{
	const char *path = d_path(&exe->f_path, buf, EXE_OCTETS);

	if (!IS_ERR(path))
		return path;
	snprintf(buf, EXE_OCTETS, CUT_MARK "/%pD4", exe);
	return buf;
}

static void audit_exe(struct audit_buffer *ab)
{
	struct file *exe = NULL;
	char *buf;

	if (current->mm) {
		rcu_read_lock();
		exe = get_file_rcu(&current->mm->exe_file);
		rcu_read_unlock();
	}
	audit_log_format(ab, " exe=");
	if (!exe) {
		audit_log_format(ab, "(null)");
		return;
	}
	buf = kmalloc(EXE_OCTETS, GFP_ATOMIC | __GFP_NOWARN);
	audit_untrusted(ab, buf ? exe_path(exe, buf) : "<no_memory>");
	kfree(buf);
	fput(exe);
}

/*
 * What audit_log_task_info() writes, in the same order. That one writes the whole path of the
 * executable, up to 8,192 digits, and the whole label, to which AppArmor lets users add: auditd
 * would drop the record, so that a user could hide what he was refused.
 */
static void audit_task(struct audit_buffer *ab)
{
	const struct cred *cred = current_cred();
	struct tty_struct *tty = get_current_tty();
	char comm[TASK_COMM_LEN];

	audit_log_format(ab, " ppid=%d pid=%d auid=%u uid=%u gid=%u euid=%u suid=%u fsuid=%u",
			 task_ppid_nr(current), task_tgid_nr(current),
			 from_kuid(&init_user_ns, audit_get_loginuid(current)),
			 from_kuid(&init_user_ns, cred->uid), from_kgid(&init_user_ns, cred->gid),
			 from_kuid(&init_user_ns, cred->euid), from_kuid(&init_user_ns, cred->suid),
			 from_kuid(&init_user_ns, cred->fsuid));
	audit_log_format(ab, " egid=%u sgid=%u fsgid=%u tty=%s ses=%u",
			 from_kgid(&init_user_ns, cred->egid), from_kgid(&init_user_ns, cred->sgid),
			 from_kgid(&init_user_ns, cred->fsgid), tty ? tty_name(tty) : "(none)",
			 audit_get_sessionid(current));
	tty_kref_put(tty);
	get_task_comm(comm, current);
	audit_log_format(ab, " comm=");
	audit_untrusted(ab, comm);
	audit_exe(ab);
	if (utf8guard_label_len() <= LABEL_OCTETS)
		audit_log_task_context(ab);
	else
		audit_log_format(ab, " subj=<too_long>");
}

/*
 * Of a longer path, writes the last PATH_OCTETS octets, which may begin inside a name. If they
 * begin with a slash, they look like a whole path, so CUT_MARK comes before them: users choose
 * where their paths are cut.
 */
static void audit_path(struct audit_buffer *ab, const char *path)
{
	size_t len = strlen(path);

	audit_log_format(ab, " path=");
	if (len > PATH_OCTETS) {
		audit_hex(ab, CUT_MARK, strlen(CUT_MARK));
		path += len - PATH_OCTETS;
		len = PATH_OCTETS;
	}
	audit_hex(ab, path, len);
}

/*
 * Octets of the name in a report. With O_CREAT, the kernel asks about a name of up to 4095 octets
 * before the file system says that it is too long: all of them would leave no room for the rest
 * of the record, and none for the path in an event.
 */
static u32 reported_len(const struct qstr *name)
{
	return min_t(u32, name->len, NAME_MAX);
}

/* @path: of the directory, or NULL. */
static void audit_name(const struct utf8guard_refusal *refusal,
		       const struct utf8guard_name *name, const char *path, u32 suppressed)
{
	const struct super_block *sb = name->dir->i_sb;
	struct audit_buffer *ab;

	ab = audit_begin("utf8guard-name", refusal);
	if (!ab)
		return;
	audit_log_format(ab, " scope=%s fstype=%s dev=%s inode=%llu name=",
			 name->scope, sb->s_type->name, sb->s_id, (u64)name->dir->i_ino);
	audit_hex(ab, name->name->name, reported_len(name->name));
	audit_log_format(ab, " devno=%u:%u", MAJOR(sb->s_dev), MINOR(sb->s_dev));
	if (path)
		audit_path(ab, path);
	if (name->pending)
		audit_log_format(ab, " pending=1");
	if (name->exempt)
		audit_log_format(ab, " exempt=%s", name->exempt);
	audit_task(ab);
	audit_end(ab, refusal, suppressed);
}

static void audit_packet(const struct utf8guard_refusal *refusal,
			 const struct utf8guard_flow *flow, u32 suppressed)
{
	const char *format = flow->addr_len == 4 ? " src=%pI4 dst=%pI4" :
						   " src=%pI6c dst=%pI6c";
	struct audit_buffer *ab;

	ab = audit_begin("utf8guard-payload", refusal);
	if (!ab)
		return;
	audit_log_format(ab, format, flow->saddr, flow->daddr);
	audit_log_format(ab, " proto=%u sport=%u dport=%u len=%u netns=%u",
			 flow->protocol, flow->sport, flow->dport, flow->length,
			 flow->net->ns.inum);
	audit_end(ab, refusal, suppressed);
}

static int put_refusal(struct sk_buff *skb, const struct utf8guard_refusal *refusal,
		       u32 suppressed)
{
	const struct utf8guard_error *error = &refusal->error;

	if (nla_put_u64_64bit(skb, UTF8GUARD_A_EVENT_TIME, ktime_get_real_ns(),
			      UTF8GUARD_A_EVENT_PAD) ||
	    nla_put_string(skb, UTF8GUARD_A_EVENT_OP, refusal->op) ||
	    nla_put_u32(skb, UTF8GUARD_A_EVENT_OUTCOME, refusal->outcome) ||
	    nla_put_u32(skb, UTF8GUARD_A_EVENT_RULE, refusal->rule) ||
	    nla_put_u32(skb, UTF8GUARD_A_EVENT_CLASS, error->class) ||
	    nla_put_u32(skb, UTF8GUARD_A_EVENT_NOTE, error->note) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_A_EVENT_OFFSET, error->offset,
			      UTF8GUARD_A_EVENT_PAD) ||
	    nla_put(skb, UTF8GUARD_A_EVENT_BYTES, error->span, refusal->bytes) ||
	    nla_put_u32(skb, UTF8GUARD_A_EVENT_SUPPRESSED, suppressed) ||
	    (refusal->family &&
	     nla_put_string(skb, UTF8GUARD_A_EVENT_FAMILY, refusal->family)) ||
	    (refusal->comment &&
	     nla_put_string(skb, UTF8GUARD_A_EVENT_COMMENT, refusal->comment)))
		return -EMSGSIZE;
	/* A reader that knows no reasons finds that the class is none. */
	if (refusal->cause != UTF8GUARD_CAUSE_NONE &&
	    nla_put_u32(skb, UTF8GUARD_A_EVENT_CAUSE, refusal->cause))
		return -EMSGSIZE;
	if (refusal->reason != UTF8GUARD_REASON_NONE)
		return nla_put_u32(skb, UTF8GUARD_A_EVENT_REASON, refusal->reason);
	if (error->code_point != UTF8GUARD_NO_CODE_POINT)
		return nla_put_u32(skb, UTF8GUARD_A_EVENT_CODE_POINT, error->code_point);
	return 0;
}

static int put_name(struct sk_buff *skb, const struct utf8guard_name *name, const char *path)
{
	const struct super_block *sb = name->dir->i_sb;
	const struct qstr *qstr = name->name;

	if (nla_put(skb, UTF8GUARD_A_EVENT_NAME, reported_len(qstr), qstr->name) ||
	    nla_put_string(skb, UTF8GUARD_A_EVENT_DEVICE, sb->s_id) ||
	    nla_put_string(skb, UTF8GUARD_A_EVENT_FSTYPE, sb->s_type->name) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_A_EVENT_INODE, name->dir->i_ino,
			      UTF8GUARD_A_EVENT_PAD) ||
	    nla_put_u32(skb, UTF8GUARD_A_EVENT_PID, task_tgid_nr(current)) ||
	    nla_put_u32(skb, UTF8GUARD_A_EVENT_UID,
			from_kuid(&init_user_ns, current_uid())) ||
	    nla_put_u32(skb, UTF8GUARD_A_EVENT_FSUID,
			from_kuid(&init_user_ns, current_fsuid())) ||
	    nla_put(skb, UTF8GUARD_A_EVENT_COMM,
		    strnlen(current->comm, TASK_COMM_LEN), current->comm))
		return -EMSGSIZE;
	if (nla_put_u32(skb, UTF8GUARD_A_EVENT_MAJOR, MAJOR(sb->s_dev)) ||
	    nla_put_u32(skb, UTF8GUARD_A_EVENT_MINOR, MINOR(sb->s_dev)) ||
	    (path && nla_put(skb, UTF8GUARD_A_EVENT_PATH, strlen(path), path)) ||
	    (name->pending && nla_put_flag(skb, UTF8GUARD_A_EVENT_PENDING)) ||
	    (name->exempt && nla_put_string(skb, UTF8GUARD_A_EVENT_EXEMPT, name->exempt)))
		return -EMSGSIZE;
	return 0;
}

static int put_flow(struct sk_buff *skb, const struct utf8guard_flow *flow)
{
	if (nla_put_u8(skb, UTF8GUARD_A_EVENT_PROTOCOL, flow->protocol) ||
	    nla_put(skb, UTF8GUARD_A_EVENT_SADDR, flow->addr_len, flow->saddr) ||
	    nla_put(skb, UTF8GUARD_A_EVENT_DADDR, flow->addr_len, flow->daddr) ||
	    nla_put_u16(skb, UTF8GUARD_A_EVENT_SPORT, flow->sport) ||
	    nla_put_u16(skb, UTF8GUARD_A_EVENT_DPORT, flow->dport) ||
	    nla_put_u32(skb, UTF8GUARD_A_EVENT_LENGTH, flow->length))
		return -EMSGSIZE;
	return 0;
}

/* Octets of an event with a path. GENLMSG_DEFAULT_SIZE is too little where a page has 4096. */
#define EVENT_SIZE (PATH_MAX + 1024)

/* Sends an event about @name, with the @path of its directory or NULL, or about @flow. */
static void send_event(struct net *net, const struct utf8guard_refusal *refusal,
		       u32 suppressed, const struct utf8guard_name *name, const char *path,
		       const struct utf8guard_flow *flow)
{
	struct sk_buff *skb;
	void *header;

	if (!genl_has_listeners(&utf8guard_nl_family, net, UTF8GUARD_NLGRP_EVENTS))
		return;
	skb = genlmsg_new(path ? EVENT_SIZE : GENLMSG_DEFAULT_SIZE, GFP_ATOMIC);
	if (!skb)
		goto lost;
	header = genlmsg_put(skb, 0, 0, &utf8guard_nl_family, 0, UTF8GUARD_CMD_REFUSAL);
	if (!header || put_refusal(skb, refusal, suppressed) ||
	    (name && put_name(skb, name, path)) || (flow && put_flow(skb, flow))) {
		nlmsg_free(skb);
		goto lost;
	}
	genlmsg_end(skb, header);
	utf8guard_family_tell(&utf8guard_nl_family, net, skb, UTF8GUARD_NLGRP_EVENTS, GFP_ATOMIC);
	return;
lost:
	atomic64_inc(&total_lost);
}

/*
 * The path of a directory from the root of its file system, in @buf; NULL where it is longer than
 * PATH_MAX. The walk upwards ends when @buf is full.
 */
static const char *path_of(const struct dentry *dir, char *buf)
{
	const char *path = dentry_path_raw(dir, buf, PATH_MAX);

	return IS_ERR(path) ? NULL : path;
}

/**
 * utf8guard_report_name() - report a file name that was refused or audited
 * @refusal: what was done, and why
 * @name: the name; the current process is reported as the one that makes it
 *
 * Context: process context, preemption may be off; does not sleep.
 * Return: whether the audit log and the group of events were told; the tracepoint always is.
 */
bool utf8guard_report_name(const struct utf8guard_refusal *refusal,
			   const struct utf8guard_name *name)
{
	u32 suppressed;
	const char *path;
	char *buf;

	trace_utf8guard_refusal(refusal);
	if (!admit(&names_limit, utf8guard_reporting_user(), &suppressed))
		return false;
	buf = kmalloc(PATH_MAX, GFP_ATOMIC | __GFP_NOWARN);
	path = buf ? path_of(name->parent, buf) : NULL;
	audit_name(refusal, name, path, suppressed);
	send_event(&init_net, refusal, suppressed, name, path, NULL);
	kfree(buf);
	return true;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_report_name, "UTF8GUARD");

/**
 * utf8guard_report_packet() - report a packet that was dropped or audited
 * @refusal: what was done, and why
 * @flow: addresses and ports of the packet
 *
 * Context: any but hard interrupts; does not sleep.
 */
void utf8guard_report_packet(const struct utf8guard_refusal *refusal,
			     const struct utf8guard_flow *flow)
{
	u32 suppressed;

	trace_utf8guard_refusal(refusal);
	if (!admit_packet(flow, &suppressed))
		return;
	audit_packet(refusal, flow, suppressed);
	send_event(flow->net, refusal, suppressed, NULL, NULL, flow);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_report_packet, "UTF8GUARD");

/**
 * utf8guard_report_config() - write a change of policy to the audit log
 * @config: the change
 *
 * Changes in network namespaces that users made with a user namespace of their own are limited
 * in rate, and get no record while the log is full. Changes of the host are all recorded; but one
 * that a worker makes, as where a trial has ended, does not wait for a log that is full: audit then
 * says that it has lost a record.
 *
 * Context: process context; may sleep for long, while the log is full: hold no lock. Genetlink
 * holds one all the same, for which a module waits that registers a family.
 */
void utf8guard_report_config(const struct utf8guard_config *config)
{
	bool is_users = config->userns != &init_user_ns;
	/* The end of a network namespace waits for its worker, and all that end after it. */
	bool may_wait = !is_users && !(current->flags & PF_WQ_WORKER);
	struct audit_buffer *ab;
	u32 suppressed = 0;

	if (is_users &&
	    !utf8guard_limit_admit(&users_config_limit, utf8guard_owner_of(config->userns),
				   &suppressed))
		return;
	/* See audit_begin(); but with a context, ausearch finds changes of the host by user. */
	ab = audit_log_start(is_users ? NULL : audit_context(),
			     may_wait ? GFP_KERNEL : GFP_ATOMIC, AUDIT_KERNEL_OTHER);
	if (!ab)
		return;
	audit_log_format(ab, "op=utf8guard-config act=%s-%s rule=%u generation=%u",
			 config->family, config->action, config->handle, config->generation);
	if (!config->handle)
		audit_log_format(ab, " rules=%u", config->rules);
	if (config->confirm)
		audit_log_format(ab, " confirm=%u", config->confirm);
	audit_task(ab);
	if (suppressed)
		audit_log_format(ab, " suppressed=%u", suppressed);
	audit_log_format(ab, " res=1");
	audit_log_end(ab);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_report_config, "UTF8GUARD");

/* The counters of the service since the module was loaded. Any context. */
struct utf8guard_report_totals utf8guard_report_totals(void)
{
	return (struct utf8guard_report_totals) {
		.events = atomic64_read(&total_events),
		.suppressed = atomic64_read(&total_suppressed),
		.lost = atomic64_read(&total_lost),
	};
}
