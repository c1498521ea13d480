/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unicode normalization (UAX #15) of UTF-8, for any kernel module and for user
 * space. No function allocates, sleeps, recurses or takes more than linear
 * time; all may be called from any context. Texts are validated as they are
 * read. Lengths and offsets are in octets.
 */
#ifndef _LINUX_UTF8GUARD_NORMALIZE_H
#define _LINUX_UTF8GUARD_NORMALIZE_H

#include <linux/utf8guard.h>

/* Marks after one character that a stream can put in order; one more gives -E2BIG. */
#define UTF8GUARD_STREAM_MARKS 128

/* Octets of the longest form of one character: the 3 octets of U+FDFA become 33 in NFKD. */
#define UTF8GUARD_MAX_EXPANSION 33

/* Number of forms; enum utf8guard_form is in the netlink spec of the family utf8guard. */
#define UTF8GUARD_FORMS (UTF8GUARD_FORM_MAX + 1)

/**
 * struct utf8guard_stream - the normalization of a long text, in pieces
 *
 * The caller allocates it, some 600 octets. Only utf8guard_stream_begin(),
 * utf8guard_stream_feed() and utf8guard_stream_end() touch its members.
 */
struct utf8guard_stream {
	/* private: */
	u64 offset;		/* in the text, of the next character */
	int error;		/* final: nothing is taken in after it */
	u8 form;
	u8 partial_len;		/* octets in @partial: a character that a piece cut */
	u8 parts_at;		/* octets of @parts that were taken in */
	u8 parts_len;
	u8 partial[4];
	u8 parts[36];
	bool draining;		/* a run is complete and is being written */
	u16 next;		/* the next mark of the run to write */
	u16 count;		/* marks of the run */
	u32 starter;		/* of the run */
	u32 next_starter;	/* the starter that completed the run */
	u32 mark[UTF8GUARD_STREAM_MARKS];
};

const char *utf8guard_unicode_version(void);
const char *utf8guard_form_name(unsigned int form);

int utf8guard_normalize(enum utf8guard_form form, const void *src, size_t len,
			void *dst, size_t cap, size_t *out_len,
			struct utf8guard_error *err);
int utf8guard_quick_check(enum utf8guard_form form, const void *text,
			  size_t len, size_t *offset,
			  struct utf8guard_error *err);
int utf8guard_is_normalized(enum utf8guard_form form, const void *text,
			    size_t len, size_t *offset,
			    struct utf8guard_error *err);
size_t utf8guard_skip_common(const void *text, size_t len, bool every_form);
int utf8guard_compare(enum utf8guard_form form, const void *a, size_t a_len,
		      const void *b, size_t b_len, int *order,
		      struct utf8guard_error *err);

void utf8guard_stream_begin(struct utf8guard_stream *s, enum utf8guard_form form);
int utf8guard_stream_feed(struct utf8guard_stream *s, const void *src,
			  size_t len, size_t *used, void *dst, size_t cap,
			  size_t *out_len, struct utf8guard_error *err);
int utf8guard_stream_end(struct utf8guard_stream *s, void *dst, size_t cap,
			 size_t *out_len, struct utf8guard_error *err);

#endif /* _LINUX_UTF8GUARD_NORMALIZE_H */
