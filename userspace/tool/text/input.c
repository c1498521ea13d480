// SPDX-License-Identifier: GPL-2.0
/* A whole file as a text, and what is wrong with it; or a file line by line. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input.h"
#include "output/output.h"
#include "output/text.h"
#include "words/words.h"

/* Return: the text, or NULL and errno; EFBIG where there are more than @most octets. */
static u8 *read_all(int fd, size_t *length, size_t most)
{
	size_t size = 1 << 16;
	u8 *text = no_null(malloc(size));
	ssize_t n;

	*length = 0;
	while ((n = read(fd, text + *length, size - *length))) {
		if (n < 0 && errno != EINTR) {
			free(text);
			return NULL;
		}
		*length += n > 0 ? n : 0;
		if (*length > most) {
			free(text);
			errno = EFBIG;
			return NULL;
		}
		if (*length == size)
			text = no_null(realloc(text, size *= 2));
	}
	return text;
}

/* As input_read(), with a complaint if there are more than @most octets, which are not read. */
u8 *input_read_most(const char *path, size_t *length, size_t most)
{
	bool standard = !strcmp(path, "-");
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	u8 *text = fd < 0 ? NULL : read_all(fd, length, most);

	if (!text && fd >= 0 && errno == EFBIG)
		complain_word(path, "too large: it goes on after %zu octets", most);
	else if (!text)
		complain_word(path, "%s", strerror(errno));
	if (fd >= 0 && !standard)
		close(fd);
	return text;
}

/* All of a file, to be freed; "-" is standard input. NULL after a complaint. */
u8 *input_read(const char *path, size_t *length)
{
	return input_read_most(path, length, SIZE_MAX);
}

/*
 * All of the file that the last word names, or of standard input without one. NULL
 * after a complaint, also about a further word.
 */
u8 *input_take(struct words *words, const char **path, size_t *length)
{
	*path = words_left(words) ? words_take(words, NULL) : "-";
	return words_end(words) ? input_read(*path, length) : NULL;
}

/* Room for twice as many octets, but for no more than @most, and the NUL after them. */
static void make_room(char **text, size_t *room, size_t most)
{
	*room = 2 * *room + 128;
	if (*room > most + 1)
		*room = most + 1;
	*text = no_null(realloc(*text, *room));
}

/**
 * input_line() - the next line of a file
 * @text: as for getline(3); to be freed at the end
 * @room: the same
 * @most: octets of a line, with the line feed, for which memory is taken
 * @in: the file
 *
 * getline(3) has no limit, and returns the same at the end of a file and on an error.
 *
 * Return: its length, with the line feed; 0 at the end of the file; or the negative errno, -EFBIG for
 * a line of more than @most octets, as of no text.
 */
ssize_t input_line(char **text, size_t *room, size_t most, FILE *in)
{
	size_t got = 0;
	int c;

	errno = 0;
	while ((c = getc_unlocked(in)) != EOF) {
		if (got == most)
			return -EFBIG;
		if (got + 1 >= *room)
			make_room(text, room, most);
		(*text)[got++] = (char)c;
		if (c == '\n')
			break;
	}
	if (c == EOF && ferror(in))
		return errno ? -errno : -EIO;
	if (got)
		(*text)[got] = '\0';
	return (ssize_t)got;
}

/* That input_line() has failed for INPUT_LINE_MOST octets. */
void input_complain_line(const char *path, unsigned long long line, int error)
{
	if (error == EFBIG)
		complain_word(path, "line %llu has more than %d octets", line, INPUT_LINE_MOST);
	else
		complain_word(path, "%s", strerror(error));
}

/* FILE:OFFSET: CLASS: HEX... */
void input_complain(const char *path, const u8 *text,
		    const struct utf8guard_error *error)
{
	char *hex = text_hex(text + error->offset, error->span);
	char *name = text_escape(path, strlen(path));

	complain("%s:%zu: %s: %s", name, error->offset,
		 utf8guard_class_name(error->class), hex);
	free(name);
	free(hex);
}
