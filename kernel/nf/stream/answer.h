/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Has a server of HTTP agreed to another protocol? Looked for in what it sends, wherever
 * that may be its answer, once a client has asked for one. Pure C; the caller serialises.
 */
#ifndef _UTF8GUARD_NF_ANSWER_H
#define _UTF8GUARD_NF_ANSWER_H

#include <linux/utf8guard.h>

/**
 * struct ugnf_answer - how far it was looked for; all zero at first
 * @from: sequence number of the first octet of the last segment
 * @next: of the one after its last
 * @right_edge: of the one after the last of all
 * @before: octets of what is looked for that there were before that segment
 * @at: and after it
 * @is_begun: there was a segment
 * @is_found: it was found, or may have been
 */
struct ugnf_answer {
	u32 from, next, right_edge;
	u8 before, at;
	bool is_begun, is_found;
};

void ugnf_answer_begin(struct ugnf_answer *answer, u32 seq, u32 len);
void ugnf_answer_end(struct ugnf_answer *answer);
bool ugnf_answer_feed(struct ugnf_answer *answer, const void *data, u32 len);

#endif /* _UTF8GUARD_NF_ANSWER_H */
