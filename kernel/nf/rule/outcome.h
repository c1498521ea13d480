/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What becomes of a packet at a hook, and why. No packet goes on or is held back without a
 * reason that is counted.
 *
 * Only ugnf_pass(), ugnf_drop() and the functions that call them can make an outcome. The
 * compiler ensures that: other code cannot name the member of struct ugnf_outcome, cannot set it
 * by its position, and cannot return an outcome that was never made. The same is true for
 * reasons: only those below exist, and a number is none. userspace/tests/host/payload/outcome.t
 * shows it.
 */
#ifndef _UTF8GUARD_NF_OUTCOME_H
#define _UTF8GUARD_NF_OUTCOME_H

#include <linux/netfilter.h>
#include <linux/utf8guard.h>

#ifndef __designated_init
#define __designated_init __attribute__((designated_init))
#endif

/*
 * The reasons, each with the attribute of a rule that counts it. outcome.t compares them with the
 * spec and the manual. Every packet with a payload is also counted as JUDGED.
 */
#define UGNF_PACKET_REASONS(X)	\
	X(JUDGED, PACKETS)	\
	X(SPLIT, SPLIT)		\
	X(UNREADABLE, UNREADABLE) \
	X(BINARY, BINARY)	\
	X(UNFOLLOWED, UNFOLLOWED) \
	X(ILL_FORMED, COUNT)

/* More reasons, of rules for streams. */
#define UGNF_STREAM_REASONS(X)	\
	X(DIFFERS, DIFFERS)	\
	X(FULL, FULL)		\
	X(WINDOW, WINDOW)	\
	X(URGENT, URGENT)	\
	X(RESYNC, RESYNC)	\
	X(UNTRACKED, UNTRACKED)	\
	X(AHEAD, AHEAD)		\
	X(PICKED_UP, PICKED_UP)	\
	X(EARLY, EARLY)

/* The reasons for packets that no rule judges, each with the attribute of the status. */
#define UGNF_UNRULED_REASONS(X)	\
	X(UNMATCHED, UNMATCHED)	\
	X(EMPTY, EMPTY)		\
	X(UNPARSED, UNPARSED)	\
	X(FRAGMENT, FRAGMENTS)

#define UGNF_REASON_NAME(name, attribute) UGNF_REASON_##name,
#define UGNF_UNRULED_NAME(name, attribute) UGNF_UNRULED_##name,

enum ugnf_reason {
	UGNF_PACKET_REASONS(UGNF_REASON_NAME)
	UGNF_PACKET_REASON_COUNT,
	UGNF_REASON_BEFORE_STREAMS = UGNF_PACKET_REASON_COUNT - 1,
	UGNF_STREAM_REASONS(UGNF_REASON_NAME)
	UGNF_REASON_COUNT,
};

enum ugnf_unruled_reason {
	UGNF_UNRULED_REASONS(UGNF_UNRULED_NAME)
	UGNF_UNRULED_COUNT,
};

#undef UGNF_REASON_NAME
#undef UGNF_UNRULED_NAME

struct ugnf_counters;

/**
 * utf8guard_nf_count() - count a packet
 * @counters: the counters of the rule, or of the module that decided
 * @octets: the length of the payload
 * @reasons: a bit for each reason
 *
 * Context: process context or softirq.
 */
void utf8guard_nf_count(struct ugnf_counters *counters, u32 octets, u32 reasons);

/**
 * struct ugnf_outcome - what becomes of a packet: what a hook returns
 */
struct ugnf_outcome {
	unsigned int ugnf_hidden_verdict;
} __designated_init;

/**
 * struct ugnf_because - one or more of enum ugnf_reason
 */
struct ugnf_because {
	u32 ugnf_hidden_reasons;
} __designated_init;

/**
 * struct ugnf_unruled - one of enum ugnf_unruled_reason
 */
struct ugnf_unruled {
	u32 ugnf_hidden_reasons;
} __designated_init;

#define UGNF_BECAUSE(name) \
	((struct ugnf_because){ .ugnf_hidden_reasons = 1U << UGNF_REASON_##name })
#define UGNF_UNRULED(name) \
	((struct ugnf_unruled){ .ugnf_hidden_reasons = 1U << UGNF_UNRULED_##name })

/* Both reasons; each is counted once. */
static inline struct ugnf_because ugnf_also(struct ugnf_because one, struct ugnf_because other)
{
	one.ugnf_hidden_reasons |= other.ugnf_hidden_reasons;
	return one;
}

/**
 * ugnf_pass() - let a packet go on
 * @counters: the counters of the rule, or of the module that decided
 * @octets: the length of the payload that was looked at
 * @why: the reasons, which are counted
 *
 * Context: a netfilter hook.
 * Return: the outcome. Without any reason, the packet does not go on.
 */
static inline struct ugnf_outcome ugnf_pass(struct ugnf_counters *counters, u32 octets,
					    struct ugnf_because why)
{
	utf8guard_nf_count(counters, octets, why.ugnf_hidden_reasons);
	return (struct ugnf_outcome) {
		.ugnf_hidden_verdict = why.ugnf_hidden_reasons ? NF_ACCEPT : NF_DROP,
	};
}

/* Drops a packet; like ugnf_pass() in all else. */
static inline struct ugnf_outcome ugnf_drop(struct ugnf_counters *counters, u32 octets,
					    struct ugnf_because why)
{
	utf8guard_nf_count(counters, octets, why.ugnf_hidden_reasons);
	return (struct ugnf_outcome) { .ugnf_hidden_verdict = NF_DROP };
}

/**
 * ugnf_pass_unruled() - let a packet go on that no rule judges
 * @counters: the counters of the network namespace
 * @why: the reason, which is counted
 *
 * Context: a netfilter hook.
 * Return: the outcome. Without a reason, the packet does not go on.
 */
static inline struct ugnf_outcome ugnf_pass_unruled(struct ugnf_counters *counters,
						    struct ugnf_unruled why)
{
	utf8guard_nf_count(counters, 0, why.ugnf_hidden_reasons);
	return (struct ugnf_outcome) {
		.ugnf_hidden_verdict = why.ugnf_hidden_reasons ? NF_ACCEPT : NF_DROP,
	};
}

/**
 * ugnf_hold_unruled() - do not let a packet go on that no rule judges
 * @counters: the counters of the network namespace
 * @is_kept: the kernel keeps the packet, which is a fragment; without this, it is dropped
 * @why: the reason, which is counted
 *
 * Context: a netfilter hook.
 * Return: the outcome.
 */
static inline struct ugnf_outcome ugnf_hold_unruled(struct ugnf_counters *counters, bool is_kept,
						    struct ugnf_unruled why)
{
	utf8guard_nf_count(counters, 0, why.ugnf_hidden_reasons);
	return (struct ugnf_outcome) { .ugnf_hidden_verdict = is_kept ? NF_STOLEN : NF_DROP };
}

/* The verdict for netfilter. */
static inline unsigned int ugnf_outcome_verdict(struct ugnf_outcome outcome)
{
	return outcome.ugnf_hidden_verdict;
}

/* The verdict of a hook that only prepares a packet: those that ask the rules come later. */
static inline unsigned int ugnf_outcome_to_come(void)
{
	return NF_ACCEPT;
}

#pragma GCC poison ugnf_hidden_verdict ugnf_hidden_reasons
#pragma GCC diagnostic error "-Wreturn-type"
#pragma GCC diagnostic error "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic error "-Wdesignated-init"
#endif

#endif /* _UTF8GUARD_NF_OUTCOME_H */
