// SPDX-License-Identifier: GPL-2.0
/*
 * A walk over the ill-formed sequences of an input of any size. A window of the input is in
 * memory. What is judged always begins between two characters. A character that the end of the
 * window divides is judged again when more has been read.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/output.h"
#include "walk.h"

/*
 * What the explanation of a sequence may look at: the longest sequence that pretends to be a
 * character, or two surrogates. An error nearer to the end of the window waits for more text.
 */
#define LOOK_AHEAD UTF8GUARD_MAX_SPAN

/**
 * struct window - the part of the input in memory
 * @text: WALK_WINDOW octets
 * @start: of what is not judged yet
 * @end: of what was read
 * @ended: there is no more to read
 * @skipping: to the end of the line
 * @halved: the first half of a surrogate pair of CESU-8 ends at @start
 * @offset: of @start in the input
 * @line: that @start is in, from 1
 * @line_offset: where that line begins
 */
struct window {
	u8 *text;
	size_t start, end;
	bool ended, skipping, halved;
	u64 offset, line, line_offset;
};

static ssize_t read_some(int fd, void *to, size_t size)
{
	ssize_t got;

	do {
		got = read(fd, to, size);
	} while (got < 0 && errno == EINTR);
	return got;
}

static bool is_all_nul(const struct window *window)
{
	return window->end && !window->text[0] &&
	       !memcmp(window->text, window->text + 1, window->end - 1);
}

/*
 * Where data begins, from @at on: what is before that reads as NUL. If there is none, that is the
 * size, which is asked for first: nothing that is appended meanwhile is skipped.
 */
static off_t find_data(int fd, off_t at)
{
	struct stat status;
	off_t data;

	if (at < 0 || fstat(fd, &status))
		return -1;
	data = lseek(fd, at, SEEK_DATA);
	return data < 0 && errno == ENXIO ? status.st_size : data;
}

/*
 * Passes over the rest of a hole. A file without a block on disk may have more of it than anybody can
 * read; NUL is valid, and ends no line. What cannot seek, or does not know, is read on.
 */
static void skip_hole(struct window *window, int fd)
{
	const off_t at = lseek(fd, 0, SEEK_CUR), data = find_data(fd, at);
	/* Whatever a server of FUSE answers becomes the position. */
	const off_t next = data > at ? data : at;

	if (at >= 0 && lseek(fd, next, SEEK_SET) == next)
		window->offset += (u64)(next - at);
}

/*
 * Moves what is left to the front, and reads once. Only after a window of nothing but NUL, and all of
 * it judged, is it asked whether that is a hole: the answer may have to come from a server.
 */
static int refill(struct window *window, int fd)
{
	ssize_t got;

	if (window->start == window->end && is_all_nul(window))
		skip_hole(window, fd);
	window->end -= window->start;
	memmove(window->text, window->text + window->start, window->end);
	window->start = 0;
	got = read_some(fd, window->text + window->end, WALK_WINDOW - window->end);
	if (got < 0)
		return -errno;
	window->ended = got == 0;
	window->end += (size_t)got;
	return 0;
}

/* Reads the whole input, for a judge that must see all at once; -EFBIG above @limit octets. */
static int fill(struct window *window, int fd, size_t limit)
{
	while (!window->ended && window->end <= limit) {
		int error = refill(window, fd);

		if (error)
			return error;
	}
	return window->end <= limit ? 0 : -EFBIG;
}

static void advance(struct window *window, size_t length)
{
	const u8 *from = window->text + window->start;
	const u8 *to = from + length;
	const u8 *feed;

	window->start += length;
	window->offset += length;
	while ((feed = memchr(from, '\n', (size_t)(to - from)))) {
		from = feed + 1;
		window->line++;
		window->line_offset = window->offset - (size_t)(to - from);
	}
}

/* Goes to the octet after the next line feed, or, without one, past all of the window. */
static void skip_line(struct window *window)
{
	const u8 *from = window->text + window->start;
	const u8 *feed = memchr(from, '\n', window->end - window->start);

	window->skipping = !feed;
	window->halved = false;
	advance(window, feed ? (size_t)(feed - from) + 1 : window->end - window->start);
}

static enum walk_on report(const struct walk *how, const struct window *window,
			   const struct utf8guard_error *error)
{
	struct finding finding = {
		.offset = window->offset,
		.line = window->line,
		.column = window->offset - window->line_offset,
		.bytes = window->text + window->start,
		.error = *error,
	};

	return how->found(how->context, &finding);
}

/* The judge is not shown the first half of a pair again, so it cannot know that this is the other. */
static void note_pair(struct window *window, struct utf8guard_error *error)
{
	if (window->halved)
		error->note = UTF8GUARD_NOTE_CESU_8;
	window->halved = !window->halved && error->note == UTF8GUARD_NOTE_CESU_8;
}

/*
 * Walks past the next finding, or to the end of the window. Return: 0, 1 where more text is
 * needed, 2 where the walk shall end, or an error of the judge.
 */
static int step(const struct walk *how, struct window *window)
{
	size_t left = window->end - window->start;
	struct utf8guard_error error;
	enum walk_on on;
	int verdict;

	verdict = how->judge(how->context, window->text + window->start, left, &error);
	if (verdict != -EILSEQ) {
		advance(window, left);
		return verdict;
	}
	advance(window, error.offset);
	if (!window->ended && left - error.offset < LOOK_AHEAD)
		return 1;
	note_pair(window, &error);
	on = report(how, window, &error);
	advance(window, error.span);
	window->skipping = on == WALK_LINE;
	return on == WALK_STOP ? 2 : 0;
}

static int walk_window(const struct walk *how, struct window *window)
{
	int verdict = 0;

	while (!verdict && window->start < window->end) {
		if (window->skipping)
			skip_line(window);
		else
			verdict = step(how, window);
	}
	return verdict;
}

static int walk_all(const struct walk *how, struct window *window, int fd)
{
	int state = how->whole ? fill(window, fd, how->whole) : 0;

	if (state || how->whole)
		return state ? state : walk_window(how, window);
	do {
		state = refill(window, fd);
		if (!state)
			state = walk_window(how, window);
	} while ((state == 0 || state == 1) && !window->ended);
	return state;
}

/**
 * walk() - find all ill-formed sequences of an input
 * @how: what to do on the way
 * @fd: the input
 *
 * Return: 0, -EFBIG, the negative errno of a read, or what the judge said.
 */
int walk(const struct walk *how, int fd)
{
	struct window window = { .line = 1 };
	int state;

	window.text = no_null(malloc(WALK_WINDOW));
	state = walk_all(how, &window, fd);
	free(window.text);
	return state < 0 || state > 2 ? state : 0;
}
