// SPDX-License-Identifier: GPL-2.0
/* What names must not have. */
#include <linux/bitops.h>
#include <linux/string.h>
#include <linux/utf8guard_normalize.h>
#include <net/netlink.h>
#include <uapi/linux/utf8guard_fs.h>

#include "constraint.h"

/**
 * ugfs_constraint_parse() - what a rule refuses, of a request
 * @constraint: filled in
 * @attrs: of the request
 * @extack: told why not
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int ugfs_constraint_parse(struct ugfs_constraint *constraint, struct nlattr **attrs,
			  struct netlink_ext_ack *extack)
{
	const struct nlattr *refuse = attrs[UTF8GUARD_FS_A_RULE_REFUSE];
	const struct nlattr *form = attrs[UTF8GUARD_FS_A_RULE_FORM];

	*constraint = (struct ugfs_constraint) {
		    .refuse = refuse ? nla_get_u32(refuse) : 0,
		    .forms = form ? BIT(nla_get_u32(form)) : 0,
	};
	if (!(constraint->refuse & ~UTF8GUARD_TEXT_CLASSES))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, refuse, "a bit of the mask is no text class");
	return -EINVAL;
}

/* Octets with the top bit set where one of @word is not 20..7E. */
static u64 strange(u64 word)
{
	return (word | (word - 0x2020202020202020ULL) | (word + 0x0101010101010101ULL)) &
	       0x8080808080808080ULL;
}

/*
 * Nothing but 21..7E, and spaces inside: no text class has any of that, and it
 * is the same in all forms, but for the one that folds case.
 */
static bool is_plain(const u8 *name, size_t len)
{
	u64 found = 0, word;
	size_t i;

	if (!len || name[0] == ' ' || name[len - 1] == ' ')
		return false;
	for (i = 0; i + sizeof(word) <= len; i += sizeof(word)) {
		memcpy(&word, name + i, sizeof(word));
		found |= strange(word);
	}
	for (; i < len; i++)
		found |= name[i] < ' ' || name[i] > '~';
	return !found;
}

static int check_form(unsigned int form, const u8 *name, size_t len,
		      struct utf8guard_error *error)
{
	size_t offset, end;
	u8 length;

	/* Well-formed it is: -EILSEQ cannot be. */
	if (utf8guard_is_normalized(form, name, len, &offset, NULL))
		return 0;
	for (end = offset + 1; end < len && (name[end] & 0xc0) == 0x80; end++)
		;
	length = end - offset;
	if (error)
		*error = (struct utf8guard_error) {
			.offset = offset,
			.code_point = UTF8GUARD_NO_CODE_POINT,
			.class = UTF8GUARD_CLASS_NOT_NORMALIZED,
			.length = length,
			.span = length,
		};
	return -EILSEQ;
}

/**
 * ugfs_constraint_check() - is a name as it is demanded?
 * @constraint: what of it
 * @name: the name
 * @len: its length
 * @error: on error, what is wrong and where, first of all ill-formed text and
 *	text classes, by offset; or NULL
 *
 * Costs a few instructions for each eight octets where the name is plain ASCII.
 *
 * Context: any, with preemption off too; pure.
 * Return: 0 or -EILSEQ.
 */
int ugfs_constraint_check(const struct ugfs_constraint *constraint, const u8 *name, size_t len,
			  struct utf8guard_error *error)
{
	unsigned long forms = constraint->forms;
	unsigned int form;
	int err;

	if (likely(is_plain(name, len)) && !(forms & BIT(UTF8GUARD_FORM_NFKC_CASEFOLD)))
		return 0;
	err = utf8guard_classify(name, len, constraint->refuse, error);
	if (err)
		return err;
	for_each_set_bit(form, &forms, UTF8GUARD_FORMS) {
		err = check_form(form, name, len, error);
		if (err)
			return err;
	}
	return 0;
}
