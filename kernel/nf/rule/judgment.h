/* SPDX-License-Identifier: GPL-2.0 */
/* Findings: what a judge says of a payload. */
#ifndef _UTF8GUARD_NF_JUDGMENT_H
#define _UTF8GUARD_NF_JUDGMENT_H

#include "outcome.h"

/* What a judge says of a payload. Of several payloads in a packet, the last in this list counts. */
enum ugnf_finding {
	UGNF_EMPTY,	/* there is nothing to judge */
	UGNF_WELL_FORMED,
	UGNF_SPLIT,	/* well-formed, but the edges of the packet divide a character */
	UGNF_BINARY,	/* not text, by its first octets */
	UGNF_UNREADABLE,	/* fewer octets could be read than the headers say */
	UGNF_UNFOLLOWED,	/* the framing of the protocol could not be followed */
	UGNF_WITHHELD,	/* a segment of a stream must not go on, but is not ill-formed */
	UGNF_ILL_FORMED,	/* ill-formed, or of a class that is refused */
};

/**
 * struct ugnf_judgment - what a judge says of a segment of a stream
 * @verdict: the finding
 * @why: the reasons, for the rule to count
 */
struct ugnf_judgment {
	enum ugnf_finding verdict;
	struct ugnf_because why;
};

#endif /* _UTF8GUARD_NF_JUDGMENT_H */
