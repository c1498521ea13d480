// SPDX-License-Identifier: GPL-2.0
/*
 * utf8guard scan: which of the names that exist would be refused. One directory
 * a level is open, and nothing is kept of the names: memory is bounded whatever
 * there is to read.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <linux/utf8guard_normalize.h>

#include "attributes.h"
#include "command.h"
#include "output.h"
#include "text.h"

/* Levels: each keeps a directory open, with some 32 KiB of its entries. */
#define DEPTH 1000

/**
 * struct scan - what was asked for, and how far it has come
 * @form: enum utf8guard_form, or -1 for any
 * @refuse: mask of classes
 * @path: of the entry at hand, @length octets in @size
 * @depth: of directories open
 * @progress: is shown, on standard error
 * @names: looked at
 * @found: of them
 * @shown: when the progress was shown last
 * @status: the worst so far
 */
struct scan {
	int form;
	u32 refuse;
	char *path;
	size_t length, size;
	unsigned int depth;
	bool progress;
	unsigned long long names, found;
	struct timespec shown;
	int status;
};

static void clear_progress(const struct scan *scan)
{
	if (scan->progress)
		fputs("\r\033[K", stderr);
}

/* Five times a second, at most. */
static void show_progress(struct scan *scan)
{
	struct timespec now;

	if (!scan->progress || scan->names % 256)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if ((now.tv_sec - scan->shown.tv_sec) * 1000 +
	    (now.tv_nsec - scan->shown.tv_nsec) / 1000000 < 200)
		return;
	scan->shown = now;
	fprintf(stderr, "\r\033[K%llu names, %llu found", scan->names, scan->found);
	fflush(stderr);
}

static void complain_path(struct scan *scan, const char *reason)
{
	clear_progress(scan);
	complain_word(scan->path, "%s", reason);
	scan->status = STATUS_USAGE;
}

/* Append to the path; return its length before. */
static size_t enter(struct scan *scan, const char *name)
{
	size_t before = scan->length, more = strlen(name);
	bool slash = before && scan->path[before - 1] != '/';

	if (before + more + 2 > scan->size) {
		scan->size = 2 * (before + more + 2);
		scan->path = no_null(realloc(scan->path, scan->size));
	}
	if (slash)
		scan->path[scan->length++] = '/';
	memcpy(scan->path + scan->length, name, more + 1);
	scan->length += more;
	return before;
}

static void leave(struct scan *scan, size_t before)
{
	scan->length = before;
	scan->path[before] = '\0';
}

/* Is a name as it should be? */
static bool judge(const struct scan *scan, const char *name, size_t length,
		  struct utf8guard_error *error)
{
	size_t offset;

	*error = (struct utf8guard_error){ .class = UTF8GUARD_CLASS_NONE };
	if (utf8guard_classify(name, length, scan->refuse, error))
		return false;
	if (scan->form < 0 ||
	    utf8guard_is_normalized(scan->form, name, length, &offset, NULL))
		return true;
	error->class = UTF8GUARD_CLASS_NOT_NORMALIZED;
	error->offset = offset;
	return false;
}

/* A name in the form, to be shown. A name is short, and so is its form. */
static char *form_of(const struct scan *scan, const char *name, size_t length)
{
	u8 form[NAME_MAX * UTF8GUARD_MAX_EXPANSION];
	size_t size;

	if (utf8guard_normalize(scan->form, name, length, form, sizeof(form), &size, NULL))
		return NULL;
	return text_escape(form, size);
}

static void print_json(const struct scan *scan, const char *path, const char *hex,
		       const char *name, const struct utf8guard_error *error)
{
	char *form = NULL;

	if (error->class == UTF8GUARD_CLASS_NOT_NORMALIZED)
		form = form_of(scan, name, strlen(name));
	output_json(json_pack("{s:s s:I s:i s:s s:s s:s? s:s?}",
			      "path", path,
			      "offset", (json_int_t)error->offset,
			      "length", error->length,
			      "class", utf8guard_class_name(error->class),
			      "bytes", hex,
			      "note", utf8guard_note_text(error->note),
			      "form", form));
	free(form);
}

static void report(struct scan *scan, const char *name, const struct utf8guard_error *error)
{
	const char *class = utf8guard_class_name(error->class);
	char *path, *hex;

	scan->found++;
	if (scan->status == STATUS_DONE)
		scan->status = STATUS_NO;
	clear_progress(scan);
	if (options.null) {
		fwrite(scan->path, 1, scan->length + 1, stdout);
		return;
	}
	path = text_escape(scan->path, scan->length);
	hex = text_hex(name + error->offset, error->span);
	if (options.json)
		print_json(scan, path, hex, name, error);
	else if (error->span)
		printf("%s:%zu: %s: %s\n", path, error->offset, class, hex);
	else
		printf("%s:%zu: %s\n", path, error->offset, class);
	free(hex);
	free(path);
}

static void read_directory(struct scan *scan, int fd);

/* Whatever is no directory, or has gone since, has no entries. */
static void descend(struct scan *scan, int parent, const char *name)
{
	int fd = openat(parent, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		read_directory(scan, fd);
	else if (errno != ENOTDIR && errno != ELOOP && errno != ENOENT)
		complain_path(scan, strerror(errno));
}

static void look_at(struct scan *scan, int parent, const struct dirent *entry)
{
	struct utf8guard_error error;
	size_t before;

	if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
		return;
	before = enter(scan, entry->d_name);
	scan->names++;
	if (!judge(scan, entry->d_name, strlen(entry->d_name), &error))
		report(scan, entry->d_name, &error);
	show_progress(scan);
	if (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN)
		descend(scan, parent, entry->d_name);
	leave(scan, before);
}

/* Takes over @fd. */
static void read_directory(struct scan *scan, int fd)
{
	const struct dirent *entry;
	DIR *directory = NULL;

	if (scan->depth == DEPTH)
		errno = ENAMETOOLONG;
	else
		directory = fdopendir(fd);
	if (!directory) {
		complain_path(scan, scan->depth == DEPTH ? "too deep to be looked into" :
							   strerror(errno));
		close(fd);
		return;
	}
	scan->depth++;
	while (!ferror(stdout)) {
		errno = 0;
		entry = readdir(directory);
		if (!entry)
			break;
		look_at(scan, fd, entry);
	}
	if (errno && !ferror(stdout))
		complain_path(scan, strerror(errno));
	scan->depth--;
	closedir(directory);
}

static void scan_tree(struct scan *scan, const char *path)
{
	int fd;

	enter(scan, path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		complain_path(scan, strerror(errno));
	else
		read_directory(scan, fd);
	leave(scan, 0);
}

/* One class of a list, the first @length octets of @word. */
static bool take_class(struct scan *scan, const char *word, size_t length)
{
	const char *known[UTF8GUARD_CLASS_MAX + 1] = { NULL };
	unsigned int class, n = 0;
	char *copy;

	for (class = UTF8GUARD_CLASS_NUL; class <= UTF8GUARD_CLASS_EDGE_SPACE; class++) {
		known[n++] = utf8guard_class_name(class);
		if (strlen(known[n - 1]) != length || strncmp(known[n - 1], word, length))
			continue;
		scan->refuse |= UTF8GUARD_CLASS_BIT(class);
		return true;
	}
	copy = no_null(strndup(word, length));
	words_unknown(copy, known);
	free(copy);
	return false;
}

static bool take_classes(struct scan *scan, const char *list)
{
	size_t length;

	for (;; list += length + 1) {
		length = strcspn(list, ",");
		if (!take_class(scan, list, length))
			return false;
		if (!list[length])
			return true;
	}
}

static bool take_options(struct scan *scan, struct words *words)
{
	static const char *const known[] = { "--form", "--refuse", NULL };
	const char *list;

	while (words_left(words) && !words_skip(words, "--")) {
		if (words_skip(words, "--form")) {
			scan->form = words_choose(words, words_form);
			if (scan->form < 0)
				return false;
		} else if (words_skip(words, "--refuse")) {
			list = words_take(words, "classes, as in control,bidi");
			if (!list || !take_classes(scan, list))
				return false;
		} else if (!strncmp(*words->next, "--", 2)) {
			words_unknown(*words->next, known);
			return false;
		} else {
			break;
		}
	}
	return true;
}

static void allow_depth(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= DEPTH + 32)
		return;
	limit.rlim_cur = limit.rlim_max < DEPTH + 32 ? limit.rlim_max : DEPTH + 32;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int run(struct words *words)
{
	struct scan scan = { .form = -1, .status = STATUS_DONE };

	if (!take_options(&scan, words))
		return STATUS_USAGE;
	if (options.null && options.json) {
		complain("scan: -0 and -j exclude each other");
		return STATUS_USAGE;
	}
	if (!words_left(words)) {
		words_take(words, "a directory");
		return STATUS_USAGE;
	}
	allow_depth();
	scan.progress = isatty(STDERR_FILENO);
	while (words_left(words))
		scan_tree(&scan, words_take(words, NULL));
	clear_progress(&scan);
	free(scan.path);
	return scan.status;
}

const struct command command_scan = {
	.name = "scan",
	.flags = "jp0",
	.summary = "which names that exist would be refused?",
	.help =
"utf8guard scan [-0] [-j] [--form FORM] [--refuse CLASSES] DIR...\n"
"\n"
"Looks at every name below each DIR, on all file systems that are mounted there,\n"
"and follows no symbolic link. Prints PATH:OFFSET: CLASS: HEX... for each name\n"
"that is not UTF-8; offsets count bytes from 0 in the last part of the path.\n"
"Changes nothing, and works without the modules.\n"
"\n"
"  --form    names that are not in this form too: nfc, nfd, nfkc, nfkd or\n"
"            nfkc-casefold\n"
"  --refuse  names with characters of these classes too, separated by commas:\n"
"            nul, control, newline, bom, bidi, noncharacter, private-use,\n"
"            unassigned, default-ignorable, edge-space\n"
"  -0        the paths alone, each ended by NUL, as xargs -0 takes them\n"
"  -j        an object a line for every name\n"
"  --        what follows are directories\n"
"\n"
"Exit status: 0 none found, 1 some, 2 a directory cannot be read.\n",
	.run = run,
};
