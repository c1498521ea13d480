// SPDX-License-Identifier: GPL-2.0
/* utf8guard validate: is this UTF-8, and where is it not? */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "netlink.h"
#include "output.h"
#include "text.h"
#include "walk.h"

/**
 * struct validation - what was asked for, and what came out
 * @all: every ill-formed sequence, not only the first
 * @lines: by lines
 * @kernel: to be judged by the kernel's codec, through @nl
 * @name: of the file, safe to show
 * @status: the worst so far
 */
struct validation {
	bool all, lines, kernel;
	struct netlink nl;
	char *name;
	int status;
};

static void print_json(const struct validation *v, const struct finding *f,
		       const char *hex)
{
	output_json(json_pack("{s:s s:I s:I s:i s:s s:s s:s?}",
			      "file", v->name,
			      "line", (json_int_t)f->line,
			      "offset", (json_int_t)(v->lines ? f->column : f->offset),
			      "length", f->error.length,
			      "class", utf8guard_class_name(f->error.class),
			      "bytes", hex,
			      "note", utf8guard_note_text(f->error.note)));
}

static void print_text(const struct validation *v, const struct finding *f,
		       const char *hex)
{
	const char *class = utf8guard_class_name(f->error.class);

	if (v->lines)
		printf("%s:%" PRIu64 ":%" PRIu64 ": %s: %s\n", v->name, f->line,
		       f->column, class, hex);
	else
		printf("%s:%" PRIu64 ": %s: %s\n", v->name, f->offset, class, hex);
}

static enum walk_on found(void *context, const struct finding *finding)
{
	struct validation *v = context;
	char *hex = text_hex(finding->bytes, finding->error.span);

	if (v->status == STATUS_DONE)
		v->status = STATUS_NO;
	if (options.json)
		print_json(v, finding, hex);
	else
		print_text(v, finding, hex);
	free(hex);
	if (v->all || ferror(stdout))
		return ferror(stdout) ? WALK_STOP : WALK_SEQUENCE;
	return v->lines ? WALK_LINE : WALK_STOP;
}

static int judge(void *context, const u8 *text, size_t length,
		 struct utf8guard_error *error)
{
	(void)context;
	return utf8guard_validate(text, length, error);
}

/* The kernel's verdict; enum status where there is none. */
static int judge_in_kernel(void *context, const u8 *text, size_t length,
			   struct utf8guard_error *error)
{
	static struct request request;
	struct validation *v = context;
	json_t *reply;
	int status;

	request_init(&request, UTF8GUARD_CMD_VALIDATE);
	request_data(&request, UTF8GUARD_A_TEXT_DATA, text, length, NULL);
	status = netlink_do(&v->nl, &request, &attributes_text, &reply);
	if (status)
		return status;
	*error = attributes_error(reply);
	json_decref(reply);
	return error->class == UTF8GUARD_CLASS_NONE ? 0 : -EILSEQ;
}

static void complain_input(struct validation *v, int error)
{
	if (error == EFBIG && v->kernel)
		complain("%s: the kernel takes at most %d octets at once", v->name,
			 UTF8GUARD_MAX_TEXT);
	else
		complain("%s: %s", v->name, strerror(error));
	v->status = STATUS_USAGE;
}

static void validate_input(struct validation *v, int fd)
{
	const struct walk how = {
		.judge = v->kernel ? judge_in_kernel : judge,
		.whole = v->kernel ? UTF8GUARD_MAX_TEXT : 0,
		.found = found,
		.context = v,
	};
	int state = walk(&how, fd);

	if (state < 0)
		complain_input(v, -state);
	else if (state)
		v->status = state;
}

static void validate_file(struct validation *v, const char *path)
{
	bool standard = !strcmp(path, "-");
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	v->name = text_escape(path, strlen(path));
	if (fd < 0)
		complain_input(v, errno);
	else
		validate_input(v, fd);
	if (fd >= 0 && !standard)
		close(fd);
	free(v->name);
}

static struct validation asked = { .status = STATUS_DONE };

static int run(struct words *words)
{
	struct validation v = asked;

	if (options.json)
		v.all = true;
	if (v.kernel && netlink_open_or_complain(&v.nl, NETLINK_SERVICE))
		return STATUS_ABSENT;
	if (!words_left(words))
		validate_file(&v, "-");
	while (words_left(words))
		validate_file(&v, words_take(words, NULL));
	netlink_close(&v.nl);
	return v.status;
}

const struct command command_validate = {
	.name = "validate",
	.options = OPTIONS({ .name = "all", .flag = &asked.all },
			   { .name = "lines", .flag = &asked.lines },
			   { .name = "kernel", .flag = &asked.kernel },
			   OPTION_JSON, OPTION_PRETTY),
	.summary = "is a text UTF-8, and where is it not?",
	.help =
"utf8guard validate [-j] [--all] [--lines] [--kernel] [FILE...|-]\n"
"\n"
"Prints FILE:OFFSET: CLASS: HEX... for the first ill-formed sequence of each\n"
"file, and nothing for valid text. Offsets count bytes from 0. Without a FILE,\n"
"or where it is -, reads standard input. Works without the modules.\n"
"\n"
"  --all     every ill-formed sequence, not only the first\n"
"  --lines   by lines: FILE:LINE:OFFSET: CLASS: HEX..., the first of each line;\n"
"            offsets count from the beginning of the line\n"
"  --kernel  ask the kernel's codec (files of up to 32768 bytes)\n"
"  -j        an object a line for every ill-formed sequence\n"
"  --        what follows are files\n"
"\n"
"Exit status: 0 valid, 1 ill-formed, 2 a file cannot be read.\n",
	.run = run,
};
