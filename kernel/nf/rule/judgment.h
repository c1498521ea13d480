/* SPDX-License-Identifier: GPL-2.0 */
/* What came of judging a payload. */
#ifndef _UTF8GUARD_NF_JUDGMENT_H
#define _UTF8GUARD_NF_JUDGMENT_H

#include "outcome.h"

/* What came of judging a payload; of several in a packet, the last of these counts. */
enum ugnf_finding {
	UGNF_EMPTY,	/* there is nothing to judge */
	UGNF_WELL_FORMED,
	UGNF_SPLIT,	/* well-formed but for characters that the edges divide */
	UGNF_BINARY,	/* no text, by its beginning */
	UGNF_UNREADABLE,	/* fewer octets could be read than there should be */
	UGNF_UNFOLLOWED,	/* what is to be judged could not be found */
	UGNF_LOST,	/* of a stream, and not to get through, without being wrong */
	UGNF_ILL_FORMED,	/* or of a class that is refused */
};

/**
 * struct ugnf_judgment - what came of judging a segment of a stream
 * @verdict: that
 * @why: what its rule is to count
 */
struct ugnf_judgment {
	enum ugnf_finding verdict;
	struct ugnf_because why;
};

#endif /* _UTF8GUARD_NF_JUDGMENT_H */
