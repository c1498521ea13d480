/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When a text is judged by vectors: where it is so long that saving registers pays. A body to be
 * included by one file for each architecture, which defines:
 *
 *	is_fpu_saved()		Will fpu_begin() have no registers to save? It is asked before that
 *				is called; if the answer changes in between, that costs some time,
 *				and nothing else.
 *	fpu_usable()		May the FPU be used here?
 *	fpu_begin(), fpu_end()	A section of FPU use, in which preemption is off.
 *	costs_of_processor()	From how many octets on such a section pays.
 */
#ifndef _UTF8GUARD_ENGINE_FPU_H
#define _UTF8GUARD_ENGINE_FPU_H

/* Of ASCII, less than this is not worth a section even where no registers have to be saved. */
#define ASCII_SHORT 256

DEFINE_STATIC_CALL(utf8guard_vectors, utf8guard_prefix_general);

/* Of this processor; no text is long enough where no vector engine is chosen. */
static struct utf8guard_fpu_costs costs __ro_after_init = { SIZE_MAX, SIZE_MAX, SIZE_MAX };

/* How many octets of a long text one section judges: whole characters only. */
static size_t section(const u8 *text, size_t len)
{
	return len <= FPU_SECTION ? len : utf8guard_resync(text, FPU_SECTION);
}

/* Is a text too short for vectors? */
static __always_inline bool is_short(size_t len)
{
	return len < FPU_MIN_SAVED || (len < costs.min && !is_fpu_saved());
}

/* Does a text begin with ASCII, and is it too short to use vectors for that? */
static __always_inline bool is_skipped_first(const u8 *text, size_t len)
{
	return !(utf8guard_load64(text) & UTF8GUARD_TOP_BITS) &&
	       len < (is_fpu_saved() ? costs.ascii_saved : costs.ascii);
}

/*
 * Is a text likely to be ASCII, and so short that general registers have judged it before a section
 * of FPU use has begun? Where it is not ASCII after all, they take up to 160 cycles more.
 */
static __always_inline bool is_short_ascii(const u8 *text, size_t len)
{
	return len < ASCII_SHORT &&
	       !((utf8guard_load64(text) | utf8guard_load64(text + len - 8)) & UTF8GUARD_TOP_BITS);
}

/* A text that one section judges. */
static noinline size_t prefix_section(const u8 *text, size_t len)
{
	size_t good;

	if (unlikely(!fpu_usable()))
		return utf8guard_prefix_nofpu(text, len);
	fpu_begin();
	good = static_call(utf8guard_vectors)(text, len);
	fpu_end();
	return good;
}

/* A text that may begin with ASCII, or take several sections: FPU_MIN_SAVED octets or more. */
static noinline size_t prefix_long(const u8 *text, size_t len)
{
	size_t i = 0;

	for (;;) {
		size_t part, good;

		if (is_skipped_first(text + i, len - i))
			i += utf8guard_skip_ascii(text + i, len - i);
		if (is_short(len - i))
			return i + utf8guard_prefix_nofpu(text + i, len - i);
		part = section(text + i, len - i);
		good = prefix_section(text + i, part);
		i += good;
		if (good < part || i == len)
			return i;
		if (len - i < FPU_MIN_SAVED)
			return i + utf8guard_prefix_nofpu(text + i, len - i);
	}
}

/*
 * Most texts are short: all ways on are tail calls, so that no register is saved and, where
 * the kernel has static calls, none is jumped through. scripts/lint/dispatch.sh proves it.
 */
static size_t prefix_by_size(const u8 *text, size_t len)
{
	if (likely(is_short(len)) || is_short_ascii(text, len))
		return utf8guard_prefix_nofpu(text, len);
	if (len <= FPU_SECTION && !is_skipped_first(text, len))
		return prefix_section(text, len);
	return prefix_long(text, len);
}

/**
 * utf8guard_expect() - a text will be judged in pieces
 * @first: the first piece
 * @len: its length
 * @total: of all pieces
 *
 * Each piece decides by its own length whether saving the registers pays. Where it pays for all
 * pieces together, they are saved here, once.
 *
 * Context: any; the pieces should follow before the task sleeps.
 */
void utf8guard_expect(const void *first, size_t len, size_t total)
{
	size_t ascii;

	if (len < FPU_MIN_SAVED || total < costs.min || is_fpu_saved())
		return;
	ascii = utf8guard_skip_ascii(first, len);
	if (len - ascii < FPU_MIN_SAVED || total - ascii < costs.min || !fpu_usable())
		return;
	fpu_begin();
	fpu_end();
}
EXPORT_SYMBOL_NS_GPL(utf8guard_expect, "UTF8GUARD");

/* The function that judges text where a vector engine is chosen. Called once, at module init. */
utf8guard_prefix_fn *__init utf8guard_fpu_init(const struct utf8guard_engine *engine)
{
	costs = costs_of_processor();
	static_call_update(utf8guard_vectors, engine->prefix);
	return prefix_by_size;
}

#endif /* _UTF8GUARD_ENGINE_FPU_H */
