/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What becomes of a packet at a hook, and why: nothing goes on or is held back without a
 * reason that was counted.
 *
 * An outcome is made by nf_pass(), nf_drop() and what calls them, and by nothing else: its
 * member cannot be named outside of here, nor set by its place, and an outcome that was
 * never made is an error of the compiler. The same of reasons: there are those below, and a
 * number is none of them. userspace/tests/host/outcome.t shows it.
 */
#ifndef _UTF8GUARD_NF_OUTCOME_H
#define _UTF8GUARD_NF_OUTCOME_H

#include <linux/netfilter.h>
#include <linux/utf8guard.h>

#ifndef __designated_init
#define __designated_init __attribute__((designated_init))
#endif

/*
 * Reasons, each with the attribute of a rule that counts it; outcome.t compares them with
 * the spec and the manual. All that has payload counts as JUDGED, too.
 */
#define NF_PACKET_REASONS(X)	\
	X(JUDGED, PACKETS)	\
	X(CUT, CUT)		\
	X(UNREADABLE, UNREADABLE) \
	X(BINARY, BINARY)	\
	X(UNFOLLOWED, UNFOLLOWED) \
	X(ILL_FORMED, COUNT)

/* And those of rules for streams. */
#define NF_STREAM_REASONS(X)	\
	X(DIFFERS, DIFFERS)	\
	X(FULL, FULL)		\
	X(WINDOW, WINDOW)	\
	X(URGENT, URGENT)	\
	X(RESYNC, RESYNC)	\
	X(UNTRACKED, UNTRACKED)	\
	X(AHEAD, AHEAD)		\
	X(PICKED_UP, PICKED_UP)	\
	X(EARLY, EARLY)

/* Of packets that no rule has judged, each with the attribute of the status. */
#define NF_UNRULED_REASONS(X)	\
	X(UNMATCHED, UNMATCHED)	\
	X(EMPTY, EMPTY)		\
	X(UNPARSED, UNPARSED)	\
	X(FRAGMENT, FRAGMENTS)

#define NF_REASON_NAME(name, attribute) NF_REASON_##name,
#define NF_UNRULED_NAME(name, attribute) NF_UNRULED_##name,

enum nf_reason {
	NF_PACKET_REASONS(NF_REASON_NAME)
	NF_PACKET_REASON_COUNT,
	NF_REASON_BEFORE_STREAMS = NF_PACKET_REASON_COUNT - 1,
	NF_STREAM_REASONS(NF_REASON_NAME)
	NF_REASON_COUNT,
};

enum nf_unruled_reason {
	NF_UNRULED_REASONS(NF_UNRULED_NAME)
	NF_UNRULED_COUNT,
};

#undef NF_REASON_NAME
#undef NF_UNRULED_NAME

struct nf_counters;

/**
 * utf8guard_nf_count() - count a packet
 * @counters: of whoever decided
 * @octets: of payload
 * @reasons: a bit each
 *
 * Context: process context or softirq.
 */
void utf8guard_nf_count(struct nf_counters *counters, u32 octets, u32 reasons);

/**
 * struct nf_outcome - what becomes of a packet: what a hook returns
 */
struct nf_outcome {
	unsigned int nf_hidden_verdict;
} __designated_init;

/**
 * struct nf_because - one or more of enum nf_reason
 */
struct nf_because {
	u32 nf_hidden_reasons;
} __designated_init;

/**
 * struct nf_unruled - one of enum nf_unruled_reason
 */
struct nf_unruled {
	u32 nf_hidden_reasons;
} __designated_init;

#define NF_BECAUSE(name) ((struct nf_because) { .nf_hidden_reasons = 1U << NF_REASON_##name })
#define NF_UNRULED(name) ((struct nf_unruled) { .nf_hidden_reasons = 1U << NF_UNRULED_##name })

/* For both: each is counted once. */
static inline struct nf_because nf_also(struct nf_because one, struct nf_because other)
{
	one.nf_hidden_reasons |= other.nf_hidden_reasons;
	return one;
}

/**
 * nf_pass() - let a packet go on
 * @counters: of the rule that decided, or of who decides without one
 * @octets: of payload that were looked at
 * @why: what is counted
 *
 * Context: a netfilter hook.
 * Return: the outcome. For no reason at all, nothing goes on.
 */
static inline struct nf_outcome nf_pass(struct nf_counters *counters, u32 octets,
					struct nf_because why)
{
	utf8guard_nf_count(counters, octets, why.nf_hidden_reasons);
	return (struct nf_outcome) {
		.nf_hidden_verdict = why.nf_hidden_reasons ? NF_ACCEPT : NF_DROP,
	};
}

/* The same, and it does not go on. */
static inline struct nf_outcome nf_drop(struct nf_counters *counters, u32 octets,
					struct nf_because why)
{
	utf8guard_nf_count(counters, octets, why.nf_hidden_reasons);
	return (struct nf_outcome) { .nf_hidden_verdict = NF_DROP };
}

/**
 * nf_pass_unruled() - let a packet go on that no rule judges
 * @counters: of the network namespace
 * @why: what is counted
 */
static inline struct nf_outcome nf_pass_unruled(struct nf_counters *counters,
						struct nf_unruled why)
{
	utf8guard_nf_count(counters, 0, why.nf_hidden_reasons);
	return (struct nf_outcome) {
		.nf_hidden_verdict = why.nf_hidden_reasons ? NF_ACCEPT : NF_DROP,
	};
}

/**
 * nf_hold_unruled() - do not let it go on
 * @counters: of the network namespace
 * @is_kept: it was taken, and will come again as part of another; else it is dropped
 * @why: what is counted
 */
static inline struct nf_outcome nf_hold_unruled(struct nf_counters *counters, bool is_kept,
						struct nf_unruled why)
{
	utf8guard_nf_count(counters, 0, why.nf_hidden_reasons);
	return (struct nf_outcome) { .nf_hidden_verdict = is_kept ? NF_STOLEN : NF_DROP };
}

/* As netfilter takes it. */
static inline unsigned int nf_outcome_verdict(struct nf_outcome outcome)
{
	return outcome.nf_hidden_verdict;
}

#pragma GCC poison nf_hidden_verdict nf_hidden_reasons
#pragma GCC diagnostic error "-Wreturn-type"
#pragma GCC diagnostic error "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic error "-Wdesignated-init"
#endif

#endif /* _UTF8GUARD_NF_OUTCOME_H */
