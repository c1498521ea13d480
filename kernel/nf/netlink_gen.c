// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	include/netlink/utf8guard_nf.yaml */
/* YNL-GEN kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink_gen.h"

#include <uapi/linux/utf8guard_nf.h>

/* Common nested types */
const struct nla_policy utf8guard_nf_network_nl_policy[UTF8GUARD_NF_A_NETWORK_PREFIX + 1] = {
	[UTF8GUARD_NF_A_NETWORK_ADDRESS] = { .type = NLA_BINARY, },
	[UTF8GUARD_NF_A_NETWORK_PREFIX] = { .type = NLA_U8, },
};

const struct nla_policy utf8guard_nf_port_range_nl_policy[UTF8GUARD_NF_A_PORT_RANGE_TO + 1] = {
	[UTF8GUARD_NF_A_PORT_RANGE_FROM] = { .type = NLA_U16, },
	[UTF8GUARD_NF_A_PORT_RANGE_TO] = { .type = NLA_U16, },
};

/* UTF8GUARD_NF_CMD_STATUS_GET - do */
const struct nla_policy utf8guard_nf_status_get_nl_policy[UTF8GUARD_NF_A_STATUS_PAD + 1] = {
};

/* UTF8GUARD_NF_CMD_STATUS_RESET - do */
const struct nla_policy utf8guard_nf_status_reset_nl_policy[UTF8GUARD_NF_A_STATUS_PAD + 1] = {
};

/* UTF8GUARD_NF_CMD_RULE_GET - do */
const struct nla_policy utf8guard_nf_rule_get_nl_policy[UTF8GUARD_NF_A_RULE_WITHIN + 1] = {
	[UTF8GUARD_NF_A_RULE_HANDLE] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_WITHIN] = { .type = NLA_U32, },
};

/* UTF8GUARD_NF_CMD_RULE_ADD - do */
const struct nla_policy utf8guard_nf_rule_add_nl_policy[UTF8GUARD_NF_A_RULE_DADDR_NETWORK + 1] = {
	[UTF8GUARD_NF_A_RULE_HOOK] = NLA_POLICY_MAX(NLA_U32, 2),
	[UTF8GUARD_NF_A_RULE_ACTION] = NLA_POLICY_MAX(NLA_U32, 5),
	[UTF8GUARD_NF_A_RULE_FAMILY] = { .type = NLA_U8, },
	[UTF8GUARD_NF_A_RULE_PROTOCOL] = { .type = NLA_U8, },
	[UTF8GUARD_NF_A_RULE_SPORT_MIN] = { .type = NLA_U16, },
	[UTF8GUARD_NF_A_RULE_SPORT_MAX] = { .type = NLA_U16, },
	[UTF8GUARD_NF_A_RULE_DPORT_MIN] = { .type = NLA_U16, },
	[UTF8GUARD_NF_A_RULE_DPORT_MAX] = { .type = NLA_U16, },
	[UTF8GUARD_NF_A_RULE_SPORT_RANGE] = NLA_POLICY_NESTED(utf8guard_nf_port_range_nl_policy),
	[UTF8GUARD_NF_A_RULE_DPORT_RANGE] = NLA_POLICY_NESTED(utf8guard_nf_port_range_nl_policy),
	[UTF8GUARD_NF_A_RULE_ANY_PORT] = { .type = NLA_FLAG, },
	[UTF8GUARD_NF_A_RULE_SADDR] = { .type = NLA_BINARY, },
	[UTF8GUARD_NF_A_RULE_SADDR_PREFIX] = { .type = NLA_U8, },
	[UTF8GUARD_NF_A_RULE_DADDR] = { .type = NLA_BINARY, },
	[UTF8GUARD_NF_A_RULE_DADDR_PREFIX] = { .type = NLA_U8, },
	[UTF8GUARD_NF_A_RULE_SADDR_NETWORK] = NLA_POLICY_NESTED(utf8guard_nf_network_nl_policy),
	[UTF8GUARD_NF_A_RULE_DADDR_NETWORK] = NLA_POLICY_NESTED(utf8guard_nf_network_nl_policy),
	[UTF8GUARD_NF_A_RULE_IIF] = { .type = NLA_NUL_STRING, .len = 16, },
	[UTF8GUARD_NF_A_RULE_OIF] = { .type = NLA_NUL_STRING, .len = 16, },
	[UTF8GUARD_NF_A_RULE_MARK] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_MARK_MASK] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_DIRECTION] = NLA_POLICY_MAX(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_REFUSE] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_ALLOW] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_SCOPE] = NLA_POLICY_MAX(NLA_U32, 6),
	[UTF8GUARD_NF_A_RULE_OFFSET] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_LENGTH] = NLA_POLICY_MIN(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_DECODE] = NLA_POLICY_MAX(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_UNGATED] = { .type = NLA_FLAG, },
	[UTF8GUARD_NF_A_RULE_GATED] = { .type = NLA_FLAG, },
	[UTF8GUARD_NF_A_RULE_FAIL] = NLA_POLICY_MAX(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_SET_MARK] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_SET_MASK] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_STREAM] = NLA_POLICY_MAX(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_COMMENT] = { .type = NLA_NUL_STRING, .len = 255, },
	[UTF8GUARD_NF_A_RULE_EXIST] = { .type = NLA_FLAG, },
	[UTF8GUARD_NF_A_RULE_BEFORE] = { .type = NLA_U32, },
};

/* UTF8GUARD_NF_CMD_RULE_REPLACE - do */
const struct nla_policy utf8guard_nf_rule_replace_nl_policy[UTF8GUARD_NF_A_RULE_DADDR_NETWORK + 1] = {
	[UTF8GUARD_NF_A_RULE_HANDLE] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_HOOK] = NLA_POLICY_MAX(NLA_U32, 2),
	[UTF8GUARD_NF_A_RULE_ACTION] = NLA_POLICY_MAX(NLA_U32, 5),
	[UTF8GUARD_NF_A_RULE_FAMILY] = { .type = NLA_U8, },
	[UTF8GUARD_NF_A_RULE_PROTOCOL] = { .type = NLA_U8, },
	[UTF8GUARD_NF_A_RULE_SPORT_MIN] = { .type = NLA_U16, },
	[UTF8GUARD_NF_A_RULE_SPORT_MAX] = { .type = NLA_U16, },
	[UTF8GUARD_NF_A_RULE_DPORT_MIN] = { .type = NLA_U16, },
	[UTF8GUARD_NF_A_RULE_DPORT_MAX] = { .type = NLA_U16, },
	[UTF8GUARD_NF_A_RULE_SPORT_RANGE] = NLA_POLICY_NESTED(utf8guard_nf_port_range_nl_policy),
	[UTF8GUARD_NF_A_RULE_DPORT_RANGE] = NLA_POLICY_NESTED(utf8guard_nf_port_range_nl_policy),
	[UTF8GUARD_NF_A_RULE_ANY_PORT] = { .type = NLA_FLAG, },
	[UTF8GUARD_NF_A_RULE_SADDR] = { .type = NLA_BINARY, },
	[UTF8GUARD_NF_A_RULE_SADDR_PREFIX] = { .type = NLA_U8, },
	[UTF8GUARD_NF_A_RULE_DADDR] = { .type = NLA_BINARY, },
	[UTF8GUARD_NF_A_RULE_DADDR_PREFIX] = { .type = NLA_U8, },
	[UTF8GUARD_NF_A_RULE_SADDR_NETWORK] = NLA_POLICY_NESTED(utf8guard_nf_network_nl_policy),
	[UTF8GUARD_NF_A_RULE_DADDR_NETWORK] = NLA_POLICY_NESTED(utf8guard_nf_network_nl_policy),
	[UTF8GUARD_NF_A_RULE_IIF] = { .type = NLA_NUL_STRING, .len = 16, },
	[UTF8GUARD_NF_A_RULE_OIF] = { .type = NLA_NUL_STRING, .len = 16, },
	[UTF8GUARD_NF_A_RULE_MARK] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_MARK_MASK] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_DIRECTION] = NLA_POLICY_MAX(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_REFUSE] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_ALLOW] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_SCOPE] = NLA_POLICY_MAX(NLA_U32, 6),
	[UTF8GUARD_NF_A_RULE_OFFSET] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_LENGTH] = NLA_POLICY_MIN(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_DECODE] = NLA_POLICY_MAX(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_UNGATED] = { .type = NLA_FLAG, },
	[UTF8GUARD_NF_A_RULE_GATED] = { .type = NLA_FLAG, },
	[UTF8GUARD_NF_A_RULE_FAIL] = NLA_POLICY_MAX(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_SET_MARK] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_SET_MASK] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_STREAM] = NLA_POLICY_MAX(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_COMMENT] = { .type = NLA_NUL_STRING, .len = 255, },
};

/* UTF8GUARD_NF_CMD_RULE_DEL - do */
const struct nla_policy utf8guard_nf_rule_del_nl_policy[UTF8GUARD_NF_A_RULE_DADDR_NETWORK + 1] = {
	[UTF8GUARD_NF_A_RULE_HANDLE] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_HOOK] = NLA_POLICY_MAX(NLA_U32, 2),
	[UTF8GUARD_NF_A_RULE_ACTION] = NLA_POLICY_MAX(NLA_U32, 5),
	[UTF8GUARD_NF_A_RULE_FAMILY] = { .type = NLA_U8, },
	[UTF8GUARD_NF_A_RULE_PROTOCOL] = { .type = NLA_U8, },
	[UTF8GUARD_NF_A_RULE_SPORT_MIN] = { .type = NLA_U16, },
	[UTF8GUARD_NF_A_RULE_SPORT_MAX] = { .type = NLA_U16, },
	[UTF8GUARD_NF_A_RULE_DPORT_MIN] = { .type = NLA_U16, },
	[UTF8GUARD_NF_A_RULE_DPORT_MAX] = { .type = NLA_U16, },
	[UTF8GUARD_NF_A_RULE_SPORT_RANGE] = NLA_POLICY_NESTED(utf8guard_nf_port_range_nl_policy),
	[UTF8GUARD_NF_A_RULE_DPORT_RANGE] = NLA_POLICY_NESTED(utf8guard_nf_port_range_nl_policy),
	[UTF8GUARD_NF_A_RULE_ANY_PORT] = { .type = NLA_FLAG, },
	[UTF8GUARD_NF_A_RULE_SADDR] = { .type = NLA_BINARY, },
	[UTF8GUARD_NF_A_RULE_SADDR_PREFIX] = { .type = NLA_U8, },
	[UTF8GUARD_NF_A_RULE_DADDR] = { .type = NLA_BINARY, },
	[UTF8GUARD_NF_A_RULE_DADDR_PREFIX] = { .type = NLA_U8, },
	[UTF8GUARD_NF_A_RULE_SADDR_NETWORK] = NLA_POLICY_NESTED(utf8guard_nf_network_nl_policy),
	[UTF8GUARD_NF_A_RULE_DADDR_NETWORK] = NLA_POLICY_NESTED(utf8guard_nf_network_nl_policy),
	[UTF8GUARD_NF_A_RULE_IIF] = { .type = NLA_NUL_STRING, .len = 16, },
	[UTF8GUARD_NF_A_RULE_OIF] = { .type = NLA_NUL_STRING, .len = 16, },
	[UTF8GUARD_NF_A_RULE_MARK] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_MARK_MASK] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_DIRECTION] = NLA_POLICY_MAX(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_REFUSE] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_ALLOW] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_SCOPE] = NLA_POLICY_MAX(NLA_U32, 6),
	[UTF8GUARD_NF_A_RULE_OFFSET] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_LENGTH] = NLA_POLICY_MIN(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_DECODE] = NLA_POLICY_MAX(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_UNGATED] = { .type = NLA_FLAG, },
	[UTF8GUARD_NF_A_RULE_GATED] = { .type = NLA_FLAG, },
	[UTF8GUARD_NF_A_RULE_FAIL] = NLA_POLICY_MAX(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_SET_MARK] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_SET_MASK] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_RULE_STREAM] = NLA_POLICY_MAX(NLA_U32, 1),
	[UTF8GUARD_NF_A_RULE_COMMENT] = { .type = NLA_NUL_STRING, .len = 255, },
};

/* UTF8GUARD_NF_CMD_FLUSH - do */
const struct nla_policy utf8guard_nf_flush_nl_policy[UTF8GUARD_NF_A_STATUS_PAD + 1] = {
};

/* UTF8GUARD_NF_CMD_BEGIN - do */
const struct nla_policy utf8guard_nf_begin_nl_policy[UTF8GUARD_NF_A_STATUS_GENERATION + 1] = {
	[UTF8GUARD_NF_A_STATUS_GENERATION] = { .type = NLA_U32, },
};

/* UTF8GUARD_NF_CMD_COMMIT - do */
const struct nla_policy utf8guard_nf_commit_nl_policy[UTF8GUARD_NF_A_STATUS_CONFIRM + 1] = {
	[UTF8GUARD_NF_A_STATUS_GENERATION] = { .type = NLA_U32, },
	[UTF8GUARD_NF_A_STATUS_CONFIRM] = { .type = NLA_U32, },
};

/* UTF8GUARD_NF_CMD_ABORT - do */
const struct nla_policy utf8guard_nf_abort_nl_policy[UTF8GUARD_NF_A_STATUS_PAD + 1] = {
};

/* UTF8GUARD_NF_CMD_CONFIRM - do */
const struct nla_policy utf8guard_nf_confirm_nl_policy[UTF8GUARD_NF_A_STATUS_PAD + 1] = {
};

/* UTF8GUARD_NF_CMD_REVERT - do */
const struct nla_policy utf8guard_nf_revert_nl_policy[UTF8GUARD_NF_A_STATUS_PAD + 1] = {
};

/* UTF8GUARD_NF_CMD_LOCK - do */
const struct nla_policy utf8guard_nf_lock_nl_policy[UTF8GUARD_NF_A_STATUS_PAD + 1] = {
};

/* Ops table for utf8guard_nf */
const struct genl_ops utf8guard_nf_nl_ops[13] = {
	{
		.cmd		= UTF8GUARD_NF_CMD_STATUS_GET,
		.doit		= utf8guard_nf_nl_status_get_doit,
		.policy		= utf8guard_nf_status_get_nl_policy,
		.maxattr	= UTF8GUARD_NF_A_STATUS_PAD,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_NF_CMD_STATUS_RESET,
		.doit		= utf8guard_nf_nl_status_reset_doit,
		.policy		= utf8guard_nf_status_reset_nl_policy,
		.maxattr	= UTF8GUARD_NF_A_STATUS_PAD,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_NF_CMD_RULE_GET,
		.doit		= utf8guard_nf_nl_rule_get_doit,
		.dumpit		= utf8guard_nf_nl_rule_get_dumpit,
		.policy		= utf8guard_nf_rule_get_nl_policy,
		.maxattr	= UTF8GUARD_NF_A_RULE_WITHIN,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_NF_CMD_RULE_ADD,
		.doit		= utf8guard_nf_nl_rule_add_doit,
		.policy		= utf8guard_nf_rule_add_nl_policy,
		.maxattr	= UTF8GUARD_NF_A_RULE_DADDR_NETWORK,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_NF_CMD_RULE_REPLACE,
		.doit		= utf8guard_nf_nl_rule_replace_doit,
		.policy		= utf8guard_nf_rule_replace_nl_policy,
		.maxattr	= UTF8GUARD_NF_A_RULE_DADDR_NETWORK,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_NF_CMD_RULE_DEL,
		.doit		= utf8guard_nf_nl_rule_del_doit,
		.policy		= utf8guard_nf_rule_del_nl_policy,
		.maxattr	= UTF8GUARD_NF_A_RULE_DADDR_NETWORK,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_NF_CMD_FLUSH,
		.doit		= utf8guard_nf_nl_flush_doit,
		.policy		= utf8guard_nf_flush_nl_policy,
		.maxattr	= UTF8GUARD_NF_A_STATUS_PAD,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_NF_CMD_BEGIN,
		.doit		= utf8guard_nf_nl_begin_doit,
		.policy		= utf8guard_nf_begin_nl_policy,
		.maxattr	= UTF8GUARD_NF_A_STATUS_GENERATION,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_NF_CMD_COMMIT,
		.doit		= utf8guard_nf_nl_commit_doit,
		.policy		= utf8guard_nf_commit_nl_policy,
		.maxattr	= UTF8GUARD_NF_A_STATUS_CONFIRM,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_NF_CMD_ABORT,
		.doit		= utf8guard_nf_nl_abort_doit,
		.policy		= utf8guard_nf_abort_nl_policy,
		.maxattr	= UTF8GUARD_NF_A_STATUS_PAD,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_NF_CMD_CONFIRM,
		.doit		= utf8guard_nf_nl_confirm_doit,
		.policy		= utf8guard_nf_confirm_nl_policy,
		.maxattr	= UTF8GUARD_NF_A_STATUS_PAD,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_NF_CMD_REVERT,
		.doit		= utf8guard_nf_nl_revert_doit,
		.policy		= utf8guard_nf_revert_nl_policy,
		.maxattr	= UTF8GUARD_NF_A_STATUS_PAD,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_NF_CMD_LOCK,
		.doit		= utf8guard_nf_nl_lock_doit,
		.policy		= utf8guard_nf_lock_nl_policy,
		.maxattr	= UTF8GUARD_NF_A_STATUS_PAD,
		.flags		= GENL_ADMIN_PERM,
	},
};

static const struct genl_multicast_group utf8guard_nf_nl_mcgrps[] = {
	[UTF8GUARD_NF_NLGRP_CONFIG] = { "config", },
};
