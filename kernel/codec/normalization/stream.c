// SPDX-License-Identifier: GPL-2.0
/*
 * Normalise a text that comes in pieces, in bounded memory. A starter and its
 * marks are held back until the next starter shows that they are complete.
 */
#include "normalization.h"

/* A piece of text, and where the result goes. */
struct flow {
	const u8 *at;
	const u8 *end;
	u8 *out;
	size_t room;
	struct utf8guard_error *err;
};

static const struct utf8guard_rules *rules_of(const struct utf8guard_stream *s)
{
	return &utf8guard_rules[s->form];
}

static bool put(struct flow *flow, u32 code_point)
{
	unsigned int length = utf8guard_encoded_length(code_point);

	if (flow->room < length)
		return false;
	flow->out += utf8guard_encode(code_point, flow->out);
	flow->room -= length;
	return true;
}

/* Writes the run, if it is complete. Return: false where there is no room for all of it. */
static bool drain(struct utf8guard_stream *s, struct flow *flow)
{
	if (!s->draining)
		return true;
	if (s->starter != UTF8GUARD_NO_STARTER && !put(flow, s->starter))
		return false;
	s->starter = UTF8GUARD_NO_STARTER;
	for (; s->next < s->count; s->next++)
		if (!put(flow, s->mark[s->next] & UTF8GUARD_MARK_CODE_POINT))
			return false;
	s->next = 0;
	s->count = 0;
	s->starter = s->next_starter;
	s->draining = false;
	return true;
}

static struct utf8guard_run run_of(struct utf8guard_stream *s)
{
	return (struct utf8guard_run){
		.starter = s->starter,
		.count = s->count,
		.room = UTF8GUARD_STREAM_MARKS,
		.mark = s->mark,
	};
}

/* The run is complete: compose it. @next begins another. */
static void complete(struct utf8guard_stream *s, u32 next)
{
	struct utf8guard_run run = run_of(s);

	if (rules_of(s)->composes)
		utf8guard_run_compose(&run);
	s->starter = run.starter;
	s->count = run.count;
	s->next_starter = next;
	s->draining = true;
}

/* Take in a code point of a decomposition; return: 0 or -E2BIG. */
static int take(struct utf8guard_stream *s, u32 code_point, u16 bits)
{
	struct utf8guard_run run = run_of(s);
	bool joined;

	if (bits & UTF8GUARD_RANK) {
		if (!utf8guard_run_add(&run, code_point, bits & UTF8GUARD_RANK))
			return -E2BIG;
		s->count = run.count;
		return 0;
	}
	if (rules_of(s)->composes && bits & UTF8GUARD_QC_MAYBE) {
		joined = utf8guard_run_join(&run, code_point);
		s->starter = run.starter;
		s->count = run.count;
		if (joined)
			return 0;
	}
	complete(s, code_point);
	return 0;
}

/* The next code point of the decomposition that is being taken in. */
static int take_part(struct utf8guard_stream *s)
{
	const u8 *p = s->parts + s->parts_at;
	struct utf8guard_char c = utf8guard_char_at(p, s->parts_len - s->parts_at);

	s->parts_at += c.length;
	return take(s, utf8guard_decode(p, c.length), c.bits);
}

static int take_character(struct utf8guard_stream *s, const u8 *p,
			  struct utf8guard_char c)
{
	const struct utf8guard_rules *rules = rules_of(s);
	struct utf8guard_parts parts;

	s->offset += c.length;
	if (!(c.bits & rules->decomposes) ||
	    (rules->composes && utf8guard_is_hangul(p, c)))
		return take(s, utf8guard_decode(p, c.length), c.bits);
	utf8guard_decompose(rules, p, c, &parts);
	memcpy(s->parts, parts.octets, parts.length);
	s->parts_at = 0;
	s->parts_len = parts.length;
	return 0;
}

/*
 * No whole character is at @p. Return: 0 where the end of the piece may have cut one; its
 * octets are kept in @s. -EILSEQ where the text is ill-formed.
 */
static int take_partial(struct utf8guard_stream *s, const u8 *p, size_t len,
			struct utf8guard_error *err)
{
	struct utf8guard_error why;

	utf8guard_explain(p, len, 0, &why);
	if (why.class != UTF8GUARD_CLASS_TRUNCATED) {
		why.offset = s->offset;
		if (err)
			*err = why;
		return -EILSEQ;
	}
	memmove(s->partial, p, len);
	s->partial_len = len;
	return 0;
}

/* One more octet of a character that the last piece cut. */
static int take_octet(struct utf8guard_stream *s, struct flow *flow)
{
	struct utf8guard_char c;

	s->partial[s->partial_len++] = *flow->at++;
	c = utf8guard_char_at(s->partial, s->partial_len);
	if (c.bits & UTF8GUARD_QC_ILL_FORMED)
		return take_partial(s, s->partial, s->partial_len, flow->err);
	s->partial_len = 0;
	return take_character(s, s->partial, c);
}

/*
 * Copies the inert text up to @end, without its last character, which is the next starter.
 * Return: false where not all of that fits; as many whole characters as fit are copied.
 */
static bool copy_inert(struct utf8guard_stream *s, struct flow *flow,
		       const u8 *end)
{
	size_t len = utf8guard_previous(end) - flow->at;
	bool fits = len <= flow->room;

	if (!fits) {
		len = flow->room;
		while (len && utf8guard_is_tail(flow->at[len]))
			len--;
	}
	memcpy(flow->out, flow->at, len);
	flow->out += len;
	flow->room -= len;
	flow->at += len;
	s->offset += len;
	return fits;
}

/* From the piece: a run of inert text, or a character. */
static int take_text(struct utf8guard_stream *s, struct flow *flow)
{
	size_t left = flow->end - flow->at;
	struct utf8guard_char c;
	const u8 *p, *end;

	/* Look at no more than fits into the output: what does not would be looked at again. */
	end = left > flow->room && left - flow->room > 8 ? flow->at + flow->room + 8 : flow->end;
	p = utf8guard_skip_inert(rules_of(s), flow->at, end, &c);
	if (p != flow->at) {
		/* Inert text completes what is held, which goes out first. */
		if (s->starter != UTF8GUARD_NO_STARTER || s->count) {
			complete(s, UTF8GUARD_NO_STARTER);
			return 0;
		}
		if (!copy_inert(s, flow, p))
			return -EMSGSIZE;
		c = utf8guard_char_at(flow->at, flow->end - flow->at);
	} else if (c.bits & UTF8GUARD_QC_ILL_FORMED) {
		p = flow->at;
		flow->at = flow->end;
		return take_partial(s, p, flow->end - p, flow->err);
	}
	p = flow->at;
	flow->at += c.length;
	return take_character(s, p, c);
}

/* Goes on until the piece is used up (0), the output is full (-EMSGSIZE), or an error. */
static int go_on(struct utf8guard_stream *s, struct flow *flow)
{
	int ret = 0;

	while (!ret) {
		if (!drain(s, flow))
			return -EMSGSIZE;
		if (s->parts_at < s->parts_len)
			ret = take_part(s);
		else if (flow->at == flow->end)
			return 0;
		else if (s->partial_len)
			ret = take_octet(s, flow);
		else
			ret = take_text(s, flow);
	}
	return ret;
}

/**
 * utf8guard_stream_begin() - begin to normalise a text in pieces
 * @s: the stream; whatever it held is forgotten
 * @form: one of enum utf8guard_form; not checked
 *
 * Context: any; pure.
 */
void utf8guard_stream_begin(struct utf8guard_stream *s, enum utf8guard_form form)
{
	*s = (struct utf8guard_stream){
		.form = form,
		.starter = UTF8GUARD_NO_STARTER,
	};
}
EXPORT_SYMBOL_NS_GPL(utf8guard_stream_begin, "UTF8GUARD");

/**
 * utf8guard_stream_feed() - normalise the next piece of a text
 * @s: the stream
 * @src: the piece, cut from the text anywhere; may be NULL if @len is 0
 * @len: its length
 * @used: set to how much of it has been taken in
 * @dst: for what is ready of the result
 * @cap: its size, at least 4
 * @out_len: set to how much has been written
 * @err: on -EILSEQ, what is wrong with the text, its offset counting from the
 *	beginning of the stream; or NULL. Octets of another piece are not looked at: if
 *	the ill-formed sequence goes on there, span is less, and there is no code point;
 *	and UTF8GUARD_NOTE_CESU_8 can be missing.
 *
 * The result of all pieces is that of utf8guard_normalize() on the whole text. What may
 * still compose is held back until the next starter, or utf8guard_stream_end(). More than
 * UTF8GUARD_STREAM_MARKS marks in a row are refused, for memory is bounded: use
 * utf8guard_normalize() for such text. Stream-safe text (UAX #15 section 13) has 30 at most.
 *
 * Context: any; no two calls for one stream at a time.
 * Return: 0 where all of the piece has been used; -EMSGSIZE where @dst is
 * full: call again with the rest of the piece; -E2BIG where too many marks
 * follow each other; -EILSEQ. The last two are final.
 */
int utf8guard_stream_feed(struct utf8guard_stream *s, const void *src,
			  size_t len, size_t *used, void *dst, size_t cap,
			  size_t *out_len, struct utf8guard_error *err)
{
	const u8 *text = src;
	struct flow flow = {
		.at = text, .end = text + len, .out = dst, .room = cap, .err = err,
	};
	int ret = s->error;

	if (!ret)
		ret = go_on(s, &flow);
	if (ret != -EMSGSIZE)
		s->error = ret;
	*used = flow.at - text;
	*out_len = cap - flow.room;
	return ret;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_stream_feed, "UTF8GUARD");

/**
 * utf8guard_stream_end() - write what a stream still holds back
 * @s: the stream
 * @dst: for the rest of the result
 * @cap: its size, at least 4
 * @out_len: set to how much has been written
 * @err: on -EILSEQ, what is wrong with the text; or NULL
 *
 * Context: as utf8guard_stream_feed().
 * Return: 0 where that was all; -EMSGSIZE where @dst is full: call again;
 * -EILSEQ where the text ends inside a character; or the error of the stream.
 */
int utf8guard_stream_end(struct utf8guard_stream *s, void *dst, size_t cap,
			 size_t *out_len, struct utf8guard_error *err)
{
	struct flow flow = { .out = dst, .room = cap, .err = err };

	*out_len = 0;
	if (!s->error && s->partial_len) {
		s->error = -EILSEQ;
		if (err) {
			utf8guard_explain(s->partial, s->partial_len, 0, err);
			err->offset = s->offset;
		}
	}
	while (!s->error) {
		s->error = go_on(s, &flow);
		if (s->error || (s->starter == UTF8GUARD_NO_STARTER && !s->count))
			break;
		complete(s, UTF8GUARD_NO_STARTER);
	}
	*out_len = cap - flow.room;
	if (s->error != -EMSGSIZE)
		return s->error;
	s->error = 0;
	return -EMSGSIZE;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_stream_end, "UTF8GUARD");
