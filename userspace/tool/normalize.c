// SPDX-License-Identifier: GPL-2.0
/* utf8guard normalize: a text in a normalization form, or whether it is. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/utf8guard_normalize.h>

#include "command.h"
#include "netlink/attributes.h"
#include "netlink/enumerations.h"
#include "netlink/netlink.h"
#include "output/output.h"
#include "output/text.h"
#include "text/input.h"

/**
 * struct normalization - what was asked for
 * @form: enum utf8guard_form, or -1
 * @check: only tell whether the text is in the form
 * @kernel: to be done by the kernel's codec, through @nl
 * @path: of the file
 */
struct normalization {
	int form;
	bool check, kernel;
	struct netlink nl;
	const char *path;
};

/* What there is to say of a text, and the status that it makes. */
static int tell(const struct normalization *n, const u8 *text,
		const struct utf8guard_error *error)
{
	char *name;

	if (error->class == UTF8GUARD_CLASS_NONE)
		return STATUS_DONE;
	if (error->class != UTF8GUARD_CLASS_NOT_NORMALIZED) {
		input_complain(n->path, text, error);
		return STATUS_NO;
	}
	name = text_escape(n->path, strlen(n->path));
	printf("%s:%zu: %s\n", name, error->offset, utf8guard_class_name(error->class));
	free(name);
	return STATUS_NO;
}

static int check(const struct normalization *n, const u8 *text, size_t length)
{
	struct utf8guard_error error = { .class = UTF8GUARD_CLASS_NONE };
	size_t offset;

	if (!utf8guard_is_normalized(n->form, text, length, &offset, &error)) {
		error.class = UTF8GUARD_CLASS_NOT_NORMALIZED;
		error.offset = offset;
	}
	return tell(n, text, &error);
}

static int write_form(const struct normalization *n, const u8 *text, size_t length)
{
	struct utf8guard_error error = { .class = UTF8GUARD_CLASS_NONE };
	size_t size = length + 64;
	u8 *form;
	int ret;

	for (;;) {
		form = no_null(malloc(size));
		ret = utf8guard_normalize(n->form, text, length, form, size, &size, &error);
		if (ret != -EMSGSIZE)
			break;
		free(form);
	}
	if (!ret)
		fwrite(form, 1, size, stdout);
	free(form);
	return tell(n, text, &error);
}

static int write_reply(const json_t *reply)
{
	const json_t *form = json_object_get(reply, "data");

	if (!form) {
		complain("the form has %llu octets; the kernel sends at most %d at once",
			 member_number(reply, "size"), UTF8GUARD_MAX_FORM);
		return STATUS_REFUSED;
	}
	fwrite(json_string_value(form), 1, json_string_length(form), stdout);
	return STATUS_DONE;
}

static int ask_kernel(struct normalization *n, const u8 *text, size_t length)
{
	static struct request request;
	struct utf8guard_error error;
	json_t *reply;
	int status;

	if (length > UTF8GUARD_MAX_TEXT) {
		complain_word(n->path, "the kernel takes at most %d octets at once",
			      UTF8GUARD_MAX_TEXT);
		return STATUS_USAGE;
	}
	request_init(&request, UTF8GUARD_CMD_NORMALIZE);
	request_data(&request, UTF8GUARD_A_TEXT_DATA, text, length, NULL);
	request_u32(&request, UTF8GUARD_A_TEXT_FORM, n->form, NULL);
	if (n->check)
		request_flag(&request, UTF8GUARD_A_TEXT_CHECK, NULL);
	status = netlink_do(&n->nl, &request, &attributes_text, &reply);
	if (status)
		return status;
	error = attributes_error(reply);
	status = tell(n, text, &error);
	if (status == STATUS_DONE && !n->check)
		status = write_reply(reply);
	json_decref(reply);
	return status;
}

static int normalize(struct normalization *n, const u8 *text, size_t length)
{
	if (n->kernel)
		return ask_kernel(n, text, length);
	return n->check ? check(n, text, length) : write_form(n, text, length);
}

static struct normalization asked = { .form = -1 };

static bool take_form(struct words *value)
{
	asked.form = words_choose_any_case(value, words_form);
	return asked.form >= 0;
}

static int run(struct words *words)
{
	struct normalization n = asked;
	int status = STATUS_DONE;
	size_t length;
	u8 *text;

	if (n.form < 0) {
		complain("--form nfc|nfd|nfkc|nfkd|nfkc-casefold is missing");
		return STATUS_USAGE;
	}
	/* All of it: without the Stream-Safe Text Format, there is no limit to combining marks. */
	text = input_take(words, &n.path, &length);
	if (!text)
		return STATUS_USAGE;
	if (n.kernel)
		status = netlink_open_or_complain(&n.nl, NETLINK_SERVICE);
	if (!status)
		status = normalize(&n, text, length);
	netlink_close(&n.nl);
	free(text);
	return status;
}

const struct command command_normalize = {
	.name = "normalize",
	.options = OPTIONS({ .name = "form", .take = take_form },
			   { .name = "check", .flag = &asked.check },
			   { .name = "kernel", .flag = &asked.kernel }),
	.summary = "a text in a Unicode normalization form",
	.help =
"utf8guard normalize --form FORM [--check] [--kernel] [FILE|-]\n"
"\n"
"Writes the text in a form of UAX #15 to standard output. Without a FILE, or\n"
"where it is -, reads standard input. Works without the modules.\n"
"\n"
"  --form   nfc, nfd, nfkc, nfkd or nfkc-casefold\n"
"  --check  write nothing: is the text in the form? If not, prints\n"
"           FILE:OFFSET: not-normalized\n"
"  --kernel ask the kernel's codec (files of up to 32768 bytes, forms of up to\n"
"           65531)\n"
"  --       what follows is a file\n"
"\n"
"Exit status: 0 done, 1 not in the form or not UTF-8, 2 the file cannot be read.\n",
	.run = run,
};
