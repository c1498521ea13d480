// SPDX-License-Identifier: GPL-2.0
/* utf8guard normalize: a text in a normalization form, or whether it is. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/utf8guard_normalize.h>

#include "command.h"
#include "output.h"
#include "text.h"

static const char *const forms[] = {
	"nfc", "nfd", "nfkc", "nfkd", "nfkc-casefold", NULL,
};

/**
 * struct normalization - what was asked for
 * @form: enum utf8guard_form, or -1
 * @check: only tell whether the text is in the form
 * @path: of the file
 */
struct normalization {
	int form;
	bool check;
	const char *path;
};

/* All of a file: the form of a text is not limited as that of a stream is. */
static u8 *read_all(int fd, size_t *length)
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
		if (*length == size)
			text = no_null(realloc(text, size *= 2));
	}
	return text;
}

static int ill_formed(const struct normalization *n, const u8 *text,
		      const struct utf8guard_error *error)
{
	char *hex = text_hex(text + error->offset, error->span);
	char *name = text_escape(n->path, strlen(n->path));

	complain("%s:%zu: %s: %s", name, error->offset,
		 utf8guard_class_name(error->class), hex);
	free(name);
	free(hex);
	return STATUS_NO;
}

static int check(const struct normalization *n, const u8 *text, size_t length)
{
	struct utf8guard_error error;
	size_t offset;
	char *name;
	int ret;

	ret = utf8guard_is_normalized(n->form, text, length, &offset, &error);
	if (ret < 0)
		return ill_formed(n, text, &error);
	if (ret)
		return STATUS_DONE;
	name = text_escape(n->path, strlen(n->path));
	printf("%s:%zu: %s\n", name, offset,
	       utf8guard_class_name(UTF8GUARD_CLASS_NOT_NORMALIZED));
	free(name);
	return STATUS_NO;
}

static int write_form(const struct normalization *n, const u8 *text, size_t length)
{
	struct utf8guard_error error;
	size_t size = length + 64;
	int ret, status = STATUS_DONE;
	u8 *form;

	for (;;) {
		form = no_null(malloc(size));
		ret = utf8guard_normalize(n->form, text, length, form, size, &size, &error);
		if (ret != -EMSGSIZE)
			break;
		free(form);
	}
	if (ret)
		status = ill_formed(n, text, &error);
	else
		fwrite(form, 1, size, stdout);
	free(form);
	return status;
}

static int normalize_file(const struct normalization *n)
{
	bool standard = !strcmp(n->path, "-");
	int fd = standard ? STDIN_FILENO : open(n->path, O_RDONLY | O_CLOEXEC);
	int status = STATUS_USAGE;
	size_t length;
	u8 *text;

	text = fd < 0 ? NULL : read_all(fd, &length);
	if (!text)
		complain("%s: %s", n->path, strerror(errno));
	else
		status = n->check ? check(n, text, length) : write_form(n, text, length);
	free(text);
	if (fd >= 0 && !standard)
		close(fd);
	return status;
}

static int run(struct words *words)
{
	struct normalization n = { .form = -1, .path = "-" };
	static const char *const known[] = { "--form", "--check", NULL };

	for (;;) {
		if (words_skip(words, "--form")) {
			n.form = words_choose(words, forms);
			if (n.form < 0)
				return STATUS_USAGE;
		} else if (words_skip(words, "--check")) {
			n.check = true;
		} else {
			break;
		}
	}
	if (!words_skip(words, "--") && words_left(words) &&
	    !strncmp(*words->next, "--", 2)) {
		words_unknown(*words->next, known);
		return STATUS_USAGE;
	}
	if (n.form < 0) {
		complain("--form nfc|nfd|nfkc|nfkd|nfkc-casefold is missing");
		return STATUS_USAGE;
	}
	if (words_left(words))
		n.path = words_take(words, NULL);
	if (!words_end(words))
		return STATUS_USAGE;
	return normalize_file(&n);
}

const struct command command_normalize = {
	.name = "normalize",
	.flags = "",
	.summary = "a text in a Unicode normalization form",
	.help =
"utf8guard normalize --form FORM [--check] [FILE|-]\n"
"\n"
"Writes the text in a form of UAX #15 to standard output. Without a FILE, or\n"
"where it is -, reads standard input. Works without the modules.\n"
"\n"
"  --form   nfc, nfd, nfkc, nfkd or nfkc-casefold\n"
"  --check  write nothing: is the text in the form? If not, prints\n"
"           FILE:OFFSET: not-normalized\n"
"  --       what follows is a file\n"
"\n"
"Exit status: 0 done, 1 not in the form or not UTF-8, 2 the file cannot be read.\n",
	.run = run,
};
