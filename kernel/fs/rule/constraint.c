// SPDX-License-Identifier: GPL-2.0
/* What a rule demands of a name: parsed from a request, and checked. */
#include <linux/bitops.h>
#include <linux/string.h>
#include <linux/utf8guard_normalize.h>
#include <net/netlink.h>
#include <uapi/linux/utf8guard_fs.h>

#include "constraint.h"

/**
 * ugfs_constraint_parse() - read from a request what a rule refuses
 * @constraint: filled in
 * @attrs: of the request
 * @extack: set to why the request fails
 *
 * Context: any.
 * Return: 0; -EINVAL where the mask has a bit that is no text class.
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
	NL_SET_ERR_MSG_ATTR(extack, refuse, "the mask has a bit that is no text class");
	return -EINVAL;
}

/* For each of eight octets: its top bit is set if the octet is not 20..7E. */
static __always_inline u64 strange(const u8 *octets)
{
	u64 word;

	memcpy(&word, octets, sizeof(word));
	return (word | (word - 0x2020202020202020ULL) | (word + 0x0101010101010101ULL)) &
	       0x8080808080808080ULL;
}

/*
 * Is the name of 21..7E, with spaces inside only? No such character is of a text class, and
 * such a name is in all forms but NFKC_Casefold, which folds case.
 */
static __always_inline bool is_plain(const u8 *name, size_t len)
{
	bool found = false;
	size_t i;

	if (!len || name[0] <= ' ' || name[0] > '~' || name[len - 1] == ' ')
		return false;
	if (len < sizeof(u64)) {
		for (i = 0; i < len; i++)
			found |= name[i] < ' ' || name[i] > '~';
		return !found;
	}
	for (i = 0; i + sizeof(u64) < len; i += sizeof(u64))
		if (strange(name + i))
			return false;
	return !strange(name + len - sizeof(u64));
}

static int check_form(unsigned int form, const u8 *name, size_t len,
		      struct utf8guard_error *error)
{
	size_t offset, end;
	u8 length;

	/* The name is known to be well-formed, so -EILSEQ is not returned. */
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

/*
 * May the name be of common characters, by its first octet? With @every_form, these are ideographs
 * only, else also kana and Cyrillic. No name that begins with ASCII is, for is_plain() looks at
 * those.
 */
static __always_inline bool may_be_common(u8 first, bool every_form)
{
	return (first >= (every_form ? 0xe4 : 0xe3) && first <= 0xe9) ||
	       (!every_form && (first & 0xfe) == 0xd0);
}

static bool is_in_forms(unsigned long forms, const u8 *name, size_t len)
{
	unsigned int form;

	for_each_set_bit(form, &forms, UTF8GUARD_FORMS)
		if (utf8guard_is_normalized(form, name, len, NULL, NULL) != 1)
			return false;
	return true;
}

/* Not inlined, so that check_others() saves few registers for the names it lets through. */
static noinline int check_all(const struct ugfs_constraint *constraint, const u8 *name, size_t len,
			      struct utf8guard_error *error)
{
	unsigned long forms = constraint->forms;
	unsigned int form;
	int err;

	/* What is in a form is well-formed: then one pass tells both. */
	if (forms && !constraint->refuse && is_in_forms(forms, name, len))
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

/* Not inlined, so that ugfs_constraint_check() saves no registers for plain ASCII. */
static noinline int check_others(const struct ugfs_constraint *constraint, const u8 *name,
				 size_t len, struct utf8guard_error *error)
{
	const unsigned long composed = BIT(UTF8GUARD_FORM_NFC) | BIT(UTF8GUARD_FORM_NFKC);
	bool every_form = constraint->forms & ~composed;

	/* Common characters are of no text class, and in these forms. */
	if (len && may_be_common(name[0], every_form) &&
	    utf8guard_skip_common(name, len, every_form) == len)
		return 0;
	return check_all(constraint, name, len, error);
}

/**
 * ugfs_constraint_check() - does a name meet the constraint of a rule?
 * @constraint: what the rule demands
 * @name: the name
 * @len: its length in octets
 * @error: on -EILSEQ, what is wrong and where; or NULL. It is the first ill-formed sequence or
 *	refused character; a form only where there is neither
 *
 * Costs a few instructions for each eight octets where the name is plain ASCII or Cyrillic,
 * or ideographs, and few more where it is kana.
 *
 * Context: any, with preemption off too; pure.
 * Return: 0; -EILSEQ where the name is ill-formed (RFC 3629), has a character of a refused
 * class, or is not in a form (UAX #15).
 */
int ugfs_constraint_check(const struct ugfs_constraint *constraint, const u8 *name, size_t len,
			  struct utf8guard_error *error)
{
	if (likely(is_plain(name, len)) &&
	    !(constraint->forms & BIT(UTF8GUARD_FORM_NFKC_CASEFOLD)))
		return 0;
	return check_others(constraint, name, len, error);
}
