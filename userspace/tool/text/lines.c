// SPDX-License-Identifier: GPL-2.0
/*
 * An input line by line: each line is judged for text classes and for a normal form as a name
 * is. A line is held in memory, for its form can only be judged as a whole.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/utf8guard_normalize.h>

#include "input.h"
#include "lines.h"
#include "output/output.h"
#include "output/text.h"

static const char mark[] = "\xef\xbb\xbf";
#define MARK_LENGTH (sizeof(mark) - 1)

/**
 * struct current - the line at hand
 * @text: of it
 * @size: with the line feed that ends it
 * @length: without
 * @begin: octets of a byte order mark that is passed over
 * @done: octets that have been judged
 * @sound: the line is well-formed from @done to there
 * @ill: the error at @sound, if the line does not end there
 * @ill_formed: an ill-formed sequence was found in the line
 * @number: from 1
 * @offset: of the line in the input
 */
struct current {
	u8 *text;
	size_t size, length, begin, done, sound;
	struct utf8guard_error ill;
	bool ill_formed;
	u64 number, offset;
};

/*
 * With the line feed: a sequence that it ends is then classified as in the whole input. With what
 * comes before, which may be the other half of a surrogate pair.
 */
static void look_ahead(struct current *line)
{
	line->sound = utf8guard_next_error(line->text, line->size, line->done);
	if (line->sound < line->size)
		utf8guard_explain(line->text, line->size, line->sound, &line->ill);
	else
		line->sound = line->length;
}

static u32 classes_of(const struct current *line, size_t at, size_t end, u32 code_point)
{
	u32 classes = utf8guard_code_point_classes(code_point);

	if (at != line->begin && end != line->length)
		classes &= ~UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_EDGE_SPACE);
	if (!line->offset && !at && code_point == 0xfeff)
		classes |= UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_BOM);
	return classes;
}

/* Moves @done to what is refused next. Return: false at the end of the line. */
static bool next(const struct lines *lines, struct current *line,
		 struct utf8guard_error *error)
{
	size_t length;

	for (; line->done < line->sound; line->done += length) {
		u32 code_point = text_decode(line->text + line->done, &length);
		u32 found = lines->judge.refuse &
			    classes_of(line, line->done, line->done + length, code_point);

		if (!found)
			continue;
		*error = (struct utf8guard_error){
			.code_point = code_point, .class = (u8)__builtin_ctz(found),
			.length = (u8)length, .span = (u8)length };
		return true;
	}
	*error = line->ill;
	line->ill_formed |= line->done < line->length;
	return line->done < line->length;
}

static enum walk_on report(const struct lines *lines, const struct current *line, size_t at,
			   const struct utf8guard_error *error)
{
	const struct finding finding = {
		.offset = line->offset + at,
		.line = line->number,
		.column = at,
		.bytes = line->text + at,
		.error = *error,
	};

	return lines->found(lines->context, &finding);
}

/* At most one finding a line, and only if it is well-formed: only then it has forms. */
static enum walk_on judge_form(const struct lines *lines, const struct current *line)
{
	const struct utf8guard_error error = { .class = UTF8GUARD_CLASS_NOT_NORMALIZED };
	size_t offset;

	if (lines->judge.form < 0 || line->ill_formed ||
	    utf8guard_is_normalized((enum utf8guard_form)lines->judge.form,
				    line->text + line->begin, line->length - line->begin,
				    &offset, NULL))
		return WALK_SEQUENCE;
	return report(lines, line, line->begin + offset, &error);
}

static enum walk_on judge_line(const struct lines *lines, struct current *line)
{
	struct utf8guard_error error;
	enum walk_on on;

	look_ahead(line);
	while (next(lines, line, &error)) {
		on = report(lines, line, line->done, &error);
		if (on != WALK_SEQUENCE)
			return on;
		line->done += error.span;
		if (line->done > line->sound)
			look_ahead(line);
	}
	return judge_form(lines, line);
}

/* Of the first line only: the byte order mark. */
static enum walk_on judge_mark(const struct lines *lines, struct current *line)
{
	const struct utf8guard_error error = { .class = UTF8GUARD_CLASS_BOM };
	const bool is_there = line->length >= MARK_LENGTH &&
			      !memcmp(line->text, mark, MARK_LENGTH);

	if (is_there && (lines->strip || lines->require))
		line->begin = line->done = MARK_LENGTH;
	return is_there || !lines->require ? WALK_SEQUENCE : report(lines, line, 0, &error);
}

/* Return: WALK_STOP at the end of what is to be judged. */
static enum walk_on take_line(const struct lines *lines, struct current *line, size_t size)
{
	enum walk_on on = WALK_SEQUENCE;

	line->size = size;
	line->length = size - (size && line->text[size - 1] == '\n');
	line->begin = line->done = 0;
	line->ill_formed = false;
	if (line->number++ == 0)
		on = judge_mark(lines, line);
	if (on == WALK_SEQUENCE)
		on = judge_line(lines, line);
	line->offset += size;
	return on;
}

/* An empty input has one line, which is empty: it may lack a byte order mark. */
static int walk_lines(const struct lines *lines, FILE *in, struct current *line)
{
	size_t room = 0;

	for (;;) {
		ssize_t got = input_line((char **)&line->text, &room, LINES_MOST, in);

		if (got < 0)
			return (int)got;
		if (!got && line->number)
			return 0;
		if (take_line(lines, line, (size_t)got) == WALK_STOP)
			return 0;
	}
}

/**
 * lines_walk() - find all that is refused in an input
 * @lines: what is asked of it
 * @fd: the input
 *
 * Return: 0, or the negative errno of a read, -EFBIG for a line of more than LINES_MOST octets.
 */
int lines_walk(const struct lines *lines, int fd)
{
	struct current line = { 0 };
	int own = dup(fd), error;
	FILE *in = own < 0 ? NULL : fdopen(own, "r");

	if (!in) {
		error = -errno;
		if (own >= 0)
			close(own);
		return error;
	}
	error = walk_lines(lines, in, &line);
	fclose(in);
	free(line.text);
	return error;
}
