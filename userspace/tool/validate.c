// SPDX-License-Identifier: GPL-2.0
/* utf8guard validate: is this UTF-8, and where is it not? */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "netlink/netlink.h"
#include "output/output.h"
#include "output/text.h"
#include "scan/dir_cursor.h"
#include "text/lines.h"

/**
 * struct validation - what was asked for, and what came out
 * @all: every finding, not only the first
 * @by_lines: report by lines
 * @kernel: to be judged by the kernel's codec, through @nl
 * @recurse: into directories
 * @summary: of all, at the end
 * @forbid: a byte order mark at the beginning
 * @lines: what is asked beside that it is UTF-8
 * @nl: open with @kernel
 * @name: of the file, safe to show
 * @is_cut: @name lacks the beginning of the path
 * @printed: the last line of it that something was printed of, or 0
 * @files, @refused, @unread: how many
 * @tally: of findings
 * @status: the worst so far
 */
struct validation {
	bool all, by_lines, kernel, recurse, summary, forbid, is_cut;
	struct lines lines;
	struct netlink nl;
	char *name;
	u64 printed;
	unsigned long long files, refused, unread;
	struct tally tally;
	int status;
};

/* The note of a finding; a byte order mark that should be there is "missing". */
static const char *note_of(const struct finding *f)
{
	if (f->error.class == UTF8GUARD_CLASS_BOM && !f->error.span)
		return "missing";
	return utf8guard_note_text(f->error.note);
}

static void print_json(const struct validation *v, const struct finding *f,
		       const char *hex)
{
	output_json(json_pack("{s:s s:o* s:I s:I s:i s:s s:s s:s?}",
			      "file", v->name,
			      "file-cut", v->is_cut ? json_true() : NULL,
			      "line", (json_int_t)f->line,
			      "offset", (json_int_t)(v->by_lines ? f->column : f->offset),
			      "length", f->error.length,
			      "class", utf8guard_class_name(f->error.class),
			      "bytes", hex,
			      "note", note_of(f)));
}

static void print_text(const struct validation *v, const struct finding *f,
		       const char *hex)
{
	printf("%s:", v->name);
	if (v->by_lines)
		printf("%" PRIu64 ":", f->line);
	printf("%" PRIu64 ": %s", v->by_lines ? f->column : f->offset,
	       utf8guard_class_name(f->error.class));
	if (f->error.span)
		printf(": %s", hex);
	else if (f->error.class == UTF8GUARD_CLASS_BOM)
		printf(": missing");
	putchar('\n');
}

static void print(struct validation *v, const struct finding *finding)
{
	char *hex = text_hex(finding->bytes, finding->error.span);

	v->printed = finding->line;
	if (options.json)
		print_json(v, finding, hex);
	else
		print_text(v, finding, hex);
	free(hex);
}

/* Is it to be printed? All findings are, or the first of a file, or the first of each line. */
static bool is_wanted(const struct validation *v, const struct finding *finding)
{
	return v->all || !v->printed || (v->by_lines && v->printed != finding->line);
}

static enum walk_on found(void *context, const struct finding *finding)
{
	struct validation *v = context;

	if (v->status == STATUS_DONE)
		v->status = STATUS_NO;
	v->refused += !v->printed;
	v->tally.counts[finding->error.class]++;
	if (is_wanted(v, finding))
		print(v, finding);
	if (v->all || v->summary || ferror(stdout))
		return ferror(stdout) ? WALK_STOP : WALK_SEQUENCE;
	return v->by_lines ? WALK_LINE : WALK_STOP;
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

static void note_unread(struct validation *v)
{
	v->unread++;
	v->status = STATUS_USAGE;
}

static void complain_input(struct validation *v, int error)
{
	if (error == EFBIG && v->kernel)
		complain("%s: the kernel takes at most %d octets at once", v->name,
			 UTF8GUARD_MAX_TEXT);
	else if (error == EFBIG)
		complain("%s: a line has more than %d octets", v->name, LINES_MOST);
	else if (error == EISDIR)
		complain("%s: %s; %s", v->name, strerror(error),
			 v->recurse ? "-r takes its name" : "-r validates what is in it");
	else
		complain("%s: %s", v->name, strerror(error));
	note_unread(v);
}

/* Is there more to ask than that it is UTF-8? */
static bool asks_more(const struct lines *lines)
{
	return lines->judge.refuse || lines->judge.form >= 0 || lines->strip || lines->require;
}

static int walk_input(struct validation *v, int fd)
{
	const struct walk how = {
		.judge = v->kernel ? judge_in_kernel : judge,
		.whole = v->kernel ? UTF8GUARD_MAX_TEXT : 0,
		.found = found,
		.context = v,
	};

	if (!asks_more(&v->lines))
		return walk(&how, fd);
	v->lines.found = found;
	v->lines.context = v;
	return lines_walk(&v->lines, fd);
}

static void validate_input(struct validation *v, int fd)
{
	int state = walk_input(v, fd);

	if (state < 0)
		complain_input(v, -state);
	else if (state)
		v->status = state;
}

static void name_file(struct validation *v, const char *path)
{
	free(v->name);
	/* Only a complaint shows the empty one: no file is called so. */
	v->name = *path ? text_path(path, strlen(path)) : no_null(strdup("\"\""));
	v->is_cut = text_path_cut(path, strlen(path));
	v->printed = 0;
}

/* Takes over @fd, which may be a negative errno. */
static void validate_fd(struct validation *v, const char *path, int fd)
{
	name_file(v, path);
	v->files++;
	if (fd < 0)
		complain_input(v, -fd);
	else
		validate_input(v, fd);
	if (fd > STDIN_FILENO)
		close(fd);
}

static void complain_cursor(struct validation *v, const struct dir_cursor *cursor, int error)
{
	if (!error)
		return;
	name_file(v, cursor->path);
	complain("%s: %s", v->name, dir_cursor_reason(error));
	note_unread(v);
}

/*
 * Enters a directory, and reads a regular file; a pipe or a device might never end. Return:
 * whether to go on.
 */
static bool validate_entry(struct validation *v, struct dir_cursor *cursor,
			   const struct dirent *entry)
{
	struct stat status;
	int error;

	dir_cursor_point(cursor, entry->d_name);
	if (fstatat(dir_cursor_fd(cursor), entry->d_name, &status, AT_SYMLINK_NOFOLLOW)) {
		complain_cursor(v, cursor, errno == ENOENT ? 0 : -errno);
	} else if (S_ISDIR(status.st_mode)) {
		error = dir_cursor_enter(cursor, entry->d_name);
		complain_cursor(v, cursor, error == -ENOENT ? 0 : error);
	} else if (S_ISREG(status.st_mode)) {
		validate_fd(v, cursor->path, dir_cursor_open(cursor, entry->d_name));
	}
	return !ferror(stdout);
}

static void validate_tree(struct validation *v, const char *path)
{
	struct dir_cursor cursor = { .mounts = true };
	const struct dirent *entry;
	int error = dir_cursor_begin(&cursor, path);
	bool more = !error;

	if (error) {
		name_file(v, path);
		complain_input(v, -error);
	}
	while (more) {
		dir_cursor_point(&cursor, NULL);
		entry = dir_cursor_read(&cursor, &error);
		complain_cursor(v, &cursor, error);
		if (entry)
			more = validate_entry(v, &cursor, entry);
		else if (cursor.depth > 1)
			complain_cursor(v, &cursor, dir_cursor_leave(&cursor));
		else
			more = false;
	}
	dir_cursor_end(&cursor);
}

static bool is_directory(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

static int open_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static void validate_path(struct validation *v, const char *path)
{
	if (!strcmp(path, "-"))
		validate_fd(v, path, STDIN_FILENO);
	else if (v->recurse && is_directory(path))
		validate_tree(v, path);
	else
		validate_fd(v, path, open_path(path));
}

/* On standard error, because the findings are on standard output; after these. */
static void print_summary(const struct validation *v)
{
	fflush(stdout);
	fprintf(stderr, "files %llu, refused %llu, unread %llu", v->files, v->refused, v->unread);
	tally_print(&v->tally);
}

static struct validation asked = { .status = STATUS_DONE, .lines.judge.form = -1 };

static bool take_refuse(struct words *value)
{
	return judge_take_classes(&asked.lines.judge, value);
}

static bool take_profile(struct words *value)
{
	return judge_take_profile(&asked.lines.judge, value);
}

static bool take_form(struct words *value)
{
	return judge_take_form(&asked.lines.judge, value);
}

static bool take_bom(struct words *value)
{
	static const char *const policies[] = { "keep", "strip", "require", "forbid", NULL };
	int policy = words_choose(value, policies);

	asked.lines.strip = policy == 1;
	asked.lines.require = policy == 2;
	asked.forbid = policy == 3;
	return policy >= 0;
}

/* Return: NULL, or what does not go together. */
static const char *contradiction(const struct words *words)
{
	if (asked.kernel && asks_more(&asked.lines))
		return "--kernel can only ask whether the text is UTF-8";
	if (asked.recurse && !words_left(words))
		return "-r takes a directory";
	return NULL;
}

static int run(struct words *words)
{
	static struct validation v;
	const char *wrong;

	if (asked.forbid)
		asked.lines.judge.refuse |= UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_BOM);
	wrong = contradiction(words);
	if (wrong) {
		complain("validate: %s", wrong);
		return STATUS_USAGE;
	}
	v = asked;
	v.all |= options.json;
	if (v.kernel && netlink_open_or_complain(&v.nl, NETLINK_SERVICE))
		return STATUS_ABSENT;
	if (!words_left(words))
		validate_path(&v, "-");
	while (words_left(words))
		validate_path(&v, words_take(words, NULL));
	if (v.summary)
		print_summary(&v);
	netlink_close(&v.nl);
	free(v.name);
	return v.status;
}

const struct command command_validate = {
	.name = "validate",
	.options = OPTIONS({ .name = "all", .flag = &asked.all },
			   { .name = "lines", .flag = &asked.by_lines },
			   { .name = "kernel", .flag = &asked.kernel },
			   { .name = "refuse", .take = take_refuse },
			   { .name = "profile", .take = take_profile },
			   { .name = "form", .take = take_form },
			   { .name = "bom", .take = take_bom },
			   { .letter = 'r', .name = "recurse", .flag = &asked.recurse },
			   { .letter = 's', .name = "summary", .flag = &asked.summary },
			   OPTION_JSON, OPTION_PRETTY),
	.summary = "is a text UTF-8, and where is it not?",
	.help =
"utf8guard validate [-j] [-r] [-s] [--all] [--lines] [--kernel] [--refuse CLASSES]\n"
"                   [--profile PROFILE] [--form FORM] [--bom WHAT] [FILE...|-]\n"
"\n"
"Prints FILE:OFFSET: CLASS: HEX... for the first ill-formed sequence of each\n"
"file, and nothing for valid text. Offsets count bytes from 0. Without a FILE,\n"
"or where it is -, reads standard input. Works without the modules.\n"
"\n"
"  --all      every ill-formed sequence, not only the first\n"
"  --lines    by lines: FILE:LINE:OFFSET: CLASS: HEX..., the first of each line;\n"
"             offsets count from the beginning of the line\n"
"  --kernel   ask the kernel's codec (files of up to 32768 bytes)\n"
"  --refuse   characters of these classes too, separated by commas, as scan takes\n"
"             them. Each line is judged by itself: the line feed that ends it is no\n"
"             part of it\n"
"  --profile  what a profile refuses: utf8, safe or portable-nfc\n"
"  --form     lines that are not in this form, once each: nfc, nfd, nfkc, nfkd or\n"
"             nfkc-casefold\n"
"  --bom      a byte order mark at the beginning: forbid it, require it, strip it\n"
"             (judge the rest only), or keep it; without this word keep\n"
"  -r         the regular files below a FILE that is a directory; symbolic links\n"
"             are not followed\n"
"  -s         at the end, on standard error: how many files, how many of them are\n"
"             refused, and all that was found in them, by class\n"
"  -j         an object a line for all that is found\n"
"  --         what follows are files\n"
"\n"
"Exit status: 0 valid, 1 ill-formed or refused, 2 a file cannot be read.\n",
	.run = run,
};
