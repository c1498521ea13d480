/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Blocks of 64 octets as eight planes, each of which has one bit of every octet, and the grammar of
 * UTF-8 as operations on planes. In which order a plane has its octets is for who includes this to
 * say, with earlier(): as of words (planes_words.h) or of the text. The last is at the top.
 */
#ifndef _UTF8GUARD_PLANES_H
#define _UTF8GUARD_PLANES_H

/* Of the planes of the block before, the bits of its last octet; see judge_block(). */
struct carry {
	u64 due3, due2, due, high, low;
};

/*
 * Judges a block by its planes. Return: 0 if it is well-formed after what @carry tells of the block
 * before; @carry is set to tell of this one.
 */
static __always_inline u64 judge_planes(const u64 w[8], struct carry *carry)
{
	u64 leads, leads3, leads4, due3, due2, due, after4, high, low, second, wrong;
	u64 some01, some23;

	leads = w[7] & w[6];
	leads3 = leads & w[5];
	leads4 = leads3 & w[4];
	some01 = w[0] | w[1];
	some23 = w[2] | w[3];
	/* F5 and above; C0 and C1 */
	wrong = (leads4 & (w[3] | (w[2] & some01))) |
		(leads & ~(w[5] | w[4] | some23 | w[1]));
	/* After an octet in due3 three tails are due; in due2, two or more; in due, one or more. */
	due3 = leads4;
	after4 = earlier(due3, carry->due3);
	due2 = leads3 | after4;
	due = leads | earlier(due2, carry->due2);
	wrong |= w[7] ^ leads ^ earlier(due, carry->due);
	/*
	 * The octet after E0 or F0 has to be high, the one after ED or F4 low. High is from A0 on;
	 * after a lead of four octets, from 90 on.
	 */
	high = leads3 & ~(some01 | some23);
	low = (leads3 & w[3] & w[2] & w[0] & ~w[1]) | (leads4 & w[2]);
	second = w[5] | (w[4] & after4);
	wrong |= earlier(high, carry->high) & ~second;
	wrong |= earlier(low, carry->low) & second;
	*carry = (struct carry){ due3 >> 63, due2 >> 63, due >> 63, high >> 63, low >> 63 };
	return wrong;
}

#endif /* _UTF8GUARD_PLANES_H */
