// SPDX-License-Identifier: GPL-2.0
/*
 * The status line of an answer 101, RFC 9110 section 15.2.2, in whatever segments.
 *
 * Where answers begin could only be told by following all of them, with the requests
 * that they are to. So each place where these octets are counts: that of the answer is
 * among them, and a page that has them, too, which costs its connection no more than not
 * being followed. None is overlooked: each octet that the client receives has come by
 * here in some segment, and what two segments may have between them counts as found,
 * unless one goes by straight after the other.
 */
#include "../../codec/codec.h"
#include "answer.h"

/* A digit stands for any. */
static const char line[] = "HTTP/1.0 101";

#define LENGTH (sizeof(line) - 1)
#define MINOR 7

static bool is_next(u8 at, u8 octet)
{
	return at == MINOR ? octet >= '0' && octet <= '9' : octet == (u8)line[at];
}

/**
 * ugnf_answer_begin() - a segment with octets of the server goes by
 * @answer: what is known
 * @seq: sequence number of the first of them
 * @len: how many
 *
 * One that was the last already, as at two hooks, is looked through again.
 */
void ugnf_answer_begin(struct ugnf_answer *answer, u32 seq, u32 len)
{
	if (seq == answer->from && seq + len == answer->next)
		answer->at = answer->before;
	else if (seq != answer->next && answer->at)
		answer->is_found = true;
	answer->from = seq;
	answer->next = seq + len;
	answer->before = answer->at;
	if (!answer->is_begun || (int)(answer->next - answer->right_edge) > 0)
		answer->right_edge = answer->next;
	answer->is_begun = true;
}

/**
 * ugnf_answer_end() - all of the segment was fed
 * @answer: begun
 *
 * What comes after it may have gone by before it.
 */
void ugnf_answer_end(struct ugnf_answer *answer)
{
	if (answer->at && answer->next != answer->right_edge)
		answer->is_found = true;
}

/**
 * ugnf_answer_feed() - the next octets of the segment
 * @answer: begun
 * @data: the octets
 * @len: how many
 *
 * Context: any; pure.
 * Return: whether more can change the answer.
 */
bool ugnf_answer_feed(struct ugnf_answer *answer, const void *data, u32 len)
{
	const u8 *p = data, *end = p + len;

	while (p < end && !answer->is_found) {
		if (!answer->at) {
			p = memchr(p, line[0], end - p);
			if (!p)
				break;
		}
		if (is_next(answer->at, *p))
			answer->at++;
		else
			answer->at = *p == (u8)line[0];
		answer->is_found = answer->at == LENGTH;
		p++;
	}
	return !answer->is_found;
}
