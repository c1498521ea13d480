// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers that a reader of JSON with doubles would spoil are strings of digits: they
 * are what the kernel has sent, and the tool reads them back.
 */
#include <string.h>

#include <uapi/linux/utf8guard_fs.h>
#include <uapi/linux/utf8guard_nf.h>

#include "../../../tool/netlink/attributes.h"
#include "../../../tool/output/output.h"
#include "../../tap.h"

/* The attribute as the kernel sends it, in JSON. */
static json_t *decoded(const struct attributes *set, u16 type, u64 value)
{
	static char buffer[256] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);

	mnl_attr_put_u64(header, type, value);
	return attributes_decode(set, mnl_nlmsg_get_payload(header),
				 mnl_nlmsg_get_payload_len(header));
}

static void check(const struct attributes *set, u16 type, u64 value, const char *digits)
{
	const char *name = attributes_name(set, type);
	json_t *object = decoded(set, type, value);

	tap_ok(!strcmp(member_text(object, name), digits), "%s: %s", name, digits);
	tap_ok(member_number(object, name) == value, "%s %s: read back", name, digits);
	json_decref(object);
}

int main(void)
{
	json_t *object;

	check(&attributes_event, UTF8GUARD_A_EVENT_TIME, 1790000000123456789ULL, "1790000000123456789");
	check(&attributes_event, UTF8GUARD_A_EVENT_INODE, ~0ULL, "18446744073709551615");
	check(&attributes_event, UTF8GUARD_A_EVENT_INODE, 2, "2");
	check(&attributes_fs_rule, UTF8GUARD_FS_A_RULE_INODE, (1ULL << 53) + 1, "9007199254740993");
	check(&attributes_nf_rule, UTF8GUARD_NF_A_RULE_OCTETS, 0, "0");
	object = decoded(&attributes_nf_rule, UTF8GUARD_NF_A_RULE_PACKETS, 7);
	tap_ok(json_is_integer(json_object_get(object, "packets")), "what is counted one by one is a number");
	json_decref(object);
	object = json_pack("{s:i}", "octets", 7);
	tap_ok(!attributes_stranger(&attributes_nf_rule, object), "a number is known, too");
	json_decref(object);
	return tap_done();
}
