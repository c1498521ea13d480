// SPDX-License-Identifier: GPL-2.0
/* What scan prints about names: as text, as JSON, or their paths alone. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <linux/utf8guard_normalize.h>

#include "output/output.h"
#include "output/progress.h"
#include "output/text.h"
#include "report.h"

static char *escape(const char *text)
{
	return text ? text_escape(text, strlen(text)) : NULL;
}

/* A name in the form, to be shown. A name is short, and so is its form. */
static char *form_of(int wanted, const char *name)
{
	u8 form[NAME_MAX * UTF8GUARD_MAX_EXPANSION];
	size_t size;

	if (utf8guard_normalize(wanted, name, strlen(name), form, sizeof(form), &size, NULL))
		return NULL;
	return text_escape(form, size);
}

/* The member is there only if the path was cut. */
static json_t *cut_member(const struct dir_cursor *cursor)
{
	return text_path_cut(cursor->path, cursor->length) ? json_true() : NULL;
}

/* For programs: not escaped. */
static void print_null(const struct dir_cursor *cursor)
{
	size_t cut = text_path_cut(cursor->path, cursor->length);

	if (cut)
		fputs("...", stdout);
	fwrite(cursor->path + cut, 1, cursor->length + 1 - cut, stdout);
}

static void print_json(const struct dir_cursor *cursor, const char *path, const char *hex,
		       const char *form, const struct utf8guard_error *error,
		       const struct fate *fate)
{
	char *to = escape(fate->to);

	output_json(json_pack("{s:s s:o* s:I s:i s:s s:s s:s? s:s? s:s* s:s*}",
			      "path", path,
			      "path-cut", cut_member(cursor),
			      "offset", (json_int_t)error->offset,
			      "length", error->length,
			      "class", utf8guard_class_name(error->class),
			      "bytes", hex,
			      "note", utf8guard_note_text(error->note),
			      "form", form,
			      "to", to,
			      "left", fate->left));
	free(to);
}

static void print_fate(const struct fate *fate)
{
	char *to = escape(fate->to);

	if (fate->left)
		printf(": left: %s", fate->left);
	else if (to)
		printf(" -> %s", to);
	putchar('\n');
	free(to);
}

static void print_text(const char *path, const char *hex,
		       const struct utf8guard_error *error, const struct fate *fate)
{
	printf("%s:%zu: %s", path, error->offset, utf8guard_class_name(error->class));
	if (error->span)
		printf(": %s", hex);
	print_fate(fate);
}

/**
 * report_finding() - a name that is not as it should be
 * @cursor: pointing at it
 * @judge: what was asked of it
 * @name: the name
 * @error: what is wrong
 * @fate: what becomes of it
 */
void report_finding(const struct dir_cursor *cursor, const struct judge *judge,
		    const char *name, const struct utf8guard_error *error,
		    const struct fate *fate)
{
	char *path, *hex, *form = NULL;

	progress_clear();
	if (options.null) {
		print_null(cursor);
		return;
	}
	path = text_path(cursor->path, cursor->length);
	hex = text_hex(name + error->offset, error->span);
	if (error->class == UTF8GUARD_CLASS_NOT_NORMALIZED)
		form = form_of(judge->form, name);
	if (options.json)
		print_json(cursor, path, hex, form, error, fate);
	else
		print_text(path, hex, error, fate);
	free(form);
	free(hex);
	free(path);
}

/* What became of the name that the cursor points at. */
void report_fate(const struct dir_cursor *cursor, const struct fate *fate)
{
	char *path, *to;

	progress_clear();
	if (options.null) {
		if (fate->left)
			print_null(cursor);
		return;
	}
	path = text_path(cursor->path, cursor->length);
	to = escape(fate->to);
	if (options.json) {
		output_json(json_pack("{s:s s:o* s:s s:s*}", "path", path,
				      "path-cut", cut_member(cursor), "to", to,
				      "left", fate->left));
	} else {
		fputs(path, stdout);
		print_fate(fate);
	}
	free(to);
	free(path);
}
