// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	include/netlink/utf8guard.yaml */
/* YNL-GEN kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink_gen.h"

#include <uapi/linux/utf8guard.h>

/* UTF8GUARD_CMD_INFO_GET - do */
const struct nla_policy utf8guard_info_get_nl_policy[UTF8GUARD_A_INFO_PAD + 1] = {
};

/* UTF8GUARD_CMD_VALIDATE - do */
const struct nla_policy utf8guard_validate_nl_policy[UTF8GUARD_A_TEXT_DATA + 1] = {
	[UTF8GUARD_A_TEXT_DATA] = { .type = NLA_BINARY, },
};

/* UTF8GUARD_CMD_NORMALIZE - do */
const struct nla_policy utf8guard_normalize_nl_policy[UTF8GUARD_A_TEXT_CHECK + 1] = {
	[UTF8GUARD_A_TEXT_DATA] = { .type = NLA_BINARY, },
	[UTF8GUARD_A_TEXT_FORM] = NLA_POLICY_MAX(NLA_U32, 4),
	[UTF8GUARD_A_TEXT_CHECK] = { .type = NLA_FLAG, },
};

/* Ops table for utf8guard */
const struct genl_ops utf8guard_nl_ops[3] = {
	{
		.cmd		= UTF8GUARD_CMD_INFO_GET,
		.doit		= utf8guard_nl_info_get_doit,
		.policy		= utf8guard_info_get_nl_policy,
		.maxattr	= UTF8GUARD_A_INFO_PAD,
	},
	{
		.cmd		= UTF8GUARD_CMD_VALIDATE,
		.doit		= utf8guard_nl_validate_doit,
		.policy		= utf8guard_validate_nl_policy,
		.maxattr	= UTF8GUARD_A_TEXT_DATA,
	},
	{
		.cmd		= UTF8GUARD_CMD_NORMALIZE,
		.doit		= utf8guard_nl_normalize_doit,
		.policy		= utf8guard_normalize_nl_policy,
		.maxattr	= UTF8GUARD_A_TEXT_CHECK,
	},
};

static const struct genl_multicast_group utf8guard_nl_mcgrps[] = {
	[UTF8GUARD_NLGRP_EVENTS] = { "events", },
};
