// SPDX-License-Identifier: GPL-2.0
/*
 * Looks for the status line of an answer 101 (RFC 9110 section 15.2.2), in segments of any length.
 *
 * To know where an answer begins, one would have to follow all answers, with their requests. So
 * these octets count wherever they are. A page that contains them counts, too; the connection is
 * then not followed any more, and nothing worse.
 *
 * No answer is overlooked. Each octet that the client receives has gone by here in some segment.
 * The status line may also be divided between two segments: if the second does not go by
 * straight after the first, that counts as found.
 */
#include "../../codec/codec.h"
#include "answer.h"

/* The digit of the version stands for any digit. */
static const char line[] = "HTTP/1.0 101";

#define LENGTH (sizeof(line) - 1)
#define MINOR 7

static bool is_next(u8 at, u8 octet)
{
	return at == MINOR ? octet >= '0' && octet <= '9' : octet == (u8)line[at];
}

/**
 * ugnf_answer_begin() - a segment with octets of the server goes by
 * @answer: the state of the search
 * @seq: sequence number of the first octet
 * @len: the number of octets
 *
 * If it is the last segment again, as at a second hook, the search begins again before it.
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
 * ugnf_answer_end() - all octets of the segment have been fed
 * @answer: the state of the search
 *
 * The octets after this segment may have gone by before it.
 */
void ugnf_answer_end(struct ugnf_answer *answer)
{
	if (answer->at && answer->next != answer->right_edge)
		answer->is_found = true;
}

/**
 * ugnf_answer_feed() - search the next octets of the segment
 * @answer: the state of the search
 * @data: the octets
 * @len: their number
 *
 * Context: any; pure.
 * Return: false where the status line was found, and no more octets are needed.
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
