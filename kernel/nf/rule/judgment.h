/* SPDX-License-Identifier: GPL-2.0 */
/* What came of judging a payload. */
#ifndef _UTF8GUARD_NF_FINDING_H
#define _UTF8GUARD_NF_FINDING_H

#include "outcome.h"

/* What came of judging a payload; of several in a packet, the last of these counts. */
enum nf_verdict {
	NF_EMPTY,	/* there is nothing to judge */
	NF_WELL_FORMED,
	NF_CUT,		/* well-formed but for characters cut by the edges */
	NF_BINARY,	/* no text, by its beginning */
	NF_UNREADABLE,	/* fewer octets could be read than there should be */
	NF_UNFOLLOWED,	/* what is to be judged could not be found */
	NF_LOST,	/* of a stream, and not to get through, without being wrong */
	NF_ILL_FORMED,	/* or of a class that is refused */
};

/**
 * struct nf_finding - what came of judging a segment of a stream
 * @verdict: that
 * @why: what its rule is to count
 */
struct nf_finding {
	enum nf_verdict verdict;
	struct nf_because why;
};

#endif /* _UTF8GUARD_NF_FINDING_H */
