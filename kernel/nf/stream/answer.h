/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Has an HTTP server agreed to another protocol? Once a client has asked for one, this looks for
 * the status line of such an answer in all that the server sends. Pure C; the caller serialises.
 */
#ifndef _UTF8GUARD_NF_ANSWER_H
#define _UTF8GUARD_NF_ANSWER_H

#include <linux/utf8guard.h>

/**
 * struct ugnf_answer - the state of the search; all zero at first
 * @from: sequence number of the first octet of the last segment
 * @next: sequence number after the last octet of that segment
 * @right_edge: the highest sequence number after a segment so far
 * @before: how many octets of the status line had matched before that segment
 * @at: how many have matched after it
 * @is_begun: a segment was seen
 * @is_found: the status line was found, or may have been there
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
