// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	include/netlink/utf8guard_fs.yaml */
/* YNL-GEN kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink_gen.h"

#include <uapi/linux/utf8guard_fs.h>

/* Common nested types */
const struct nla_policy utf8guard_fs_location_nl_policy[UTF8GUARD_FS_A_LOCATION_MINOR + 1] = {
	[UTF8GUARD_FS_A_LOCATION_PATH] = { .type = NLA_NUL_STRING, .len = 4095, },
	[UTF8GUARD_FS_A_LOCATION_FD] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_LOCATION_UUID] = NLA_POLICY_EXACT_LEN(16),
	[UTF8GUARD_FS_A_LOCATION_VOLUME_TYPE] = { .type = NLA_NUL_STRING, .len = 31, },
	[UTF8GUARD_FS_A_LOCATION_INSIDE] = { .type = NLA_NUL_STRING, .len = 4095, },
	[UTF8GUARD_FS_A_LOCATION_DEVICE] = { .type = NLA_NUL_STRING, },
	[UTF8GUARD_FS_A_LOCATION_WAITING] = { .type = NLA_FLAG, },
	[UTF8GUARD_FS_A_LOCATION_MAJOR] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_LOCATION_MINOR] = { .type = NLA_U32, },
};

/* UTF8GUARD_FS_CMD_STATUS_GET - do */
const struct nla_policy utf8guard_fs_status_get_nl_policy[UTF8GUARD_FS_A_STATUS_PAD + 1] = {
};

/* UTF8GUARD_FS_CMD_STATUS_RESET - do */
const struct nla_policy utf8guard_fs_status_reset_nl_policy[UTF8GUARD_FS_A_STATUS_PAD + 1] = {
};

/* UTF8GUARD_FS_CMD_RULE_GET - do */
const struct nla_policy utf8guard_fs_rule_get_nl_policy[UTF8GUARD_FS_A_RULE_WITHIN + 1] = {
	[UTF8GUARD_FS_A_RULE_HANDLE] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_WITHIN] = { .type = NLA_U32, },
};

/* UTF8GUARD_FS_CMD_RULE_ADD - do */
const struct nla_policy utf8guard_fs_rule_add_nl_policy[UTF8GUARD_FS_A_RULE_LOCATION + 1] = {
	[UTF8GUARD_FS_A_RULE_SCOPE] = NLA_POLICY_MAX(NLA_U32, 3),
	[UTF8GUARD_FS_A_RULE_MODE] = NLA_POLICY_MAX(NLA_U32, 2),
	[UTF8GUARD_FS_A_RULE_PATH] = { .type = NLA_NUL_STRING, .len = 4095, },
	[UTF8GUARD_FS_A_RULE_FD] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_INSIDE] = { .type = NLA_NUL_STRING, .len = 4095, },
	[UTF8GUARD_FS_A_RULE_UUID] = NLA_POLICY_EXACT_LEN(16),
	[UTF8GUARD_FS_A_RULE_VOLUME_TYPE] = { .type = NLA_NUL_STRING, .len = 31, },
	[UTF8GUARD_FS_A_RULE_LOCATION] = NLA_POLICY_NESTED(utf8guard_fs_location_nl_policy),
	[UTF8GUARD_FS_A_RULE_COMMENT] = { .type = NLA_NUL_STRING, .len = 255, },
	[UTF8GUARD_FS_A_RULE_FSTYPE] = { .type = NLA_NUL_STRING, .len = 63, },
	[UTF8GUARD_FS_A_RULE_UID_MIN] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_UID_MAX] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_USERNS_PID] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_USERNS] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_USERNS_OWNER] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_CGROUP] = { .type = NLA_NUL_STRING, .len = 2047, },
	[UTF8GUARD_FS_A_RULE_MAY_WAIT] = { .type = NLA_FLAG, },
	[UTF8GUARD_FS_A_RULE_REFUSE] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_FORM] = NLA_POLICY_MAX(NLA_U32, 4),
	[UTF8GUARD_FS_A_RULE_ADMIN_EXEMPT] = { .type = NLA_FLAG, },
	[UTF8GUARD_FS_A_RULE_JUDGE_ONTO] = { .type = NLA_FLAG, },
	[UTF8GUARD_FS_A_RULE_ALLOW_MOVE] = { .type = NLA_FLAG, },
	[UTF8GUARD_FS_A_RULE_EXIST] = { .type = NLA_FLAG, },
};

/* UTF8GUARD_FS_CMD_RULE_SET - do */
const struct nla_policy utf8guard_fs_rule_set_nl_policy[UTF8GUARD_FS_A_RULE_MODE + 1] = {
	[UTF8GUARD_FS_A_RULE_HANDLE] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_MODE] = NLA_POLICY_MAX(NLA_U32, 2),
};

/* UTF8GUARD_FS_CMD_RULE_REPLACE - do */
const struct nla_policy utf8guard_fs_rule_replace_nl_policy[UTF8GUARD_FS_A_RULE_LOCATION + 1] = {
	[UTF8GUARD_FS_A_RULE_HANDLE] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_SCOPE] = NLA_POLICY_MAX(NLA_U32, 3),
	[UTF8GUARD_FS_A_RULE_MODE] = NLA_POLICY_MAX(NLA_U32, 2),
	[UTF8GUARD_FS_A_RULE_PATH] = { .type = NLA_NUL_STRING, .len = 4095, },
	[UTF8GUARD_FS_A_RULE_FD] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_INSIDE] = { .type = NLA_NUL_STRING, .len = 4095, },
	[UTF8GUARD_FS_A_RULE_UUID] = NLA_POLICY_EXACT_LEN(16),
	[UTF8GUARD_FS_A_RULE_VOLUME_TYPE] = { .type = NLA_NUL_STRING, .len = 31, },
	[UTF8GUARD_FS_A_RULE_LOCATION] = NLA_POLICY_NESTED(utf8guard_fs_location_nl_policy),
	[UTF8GUARD_FS_A_RULE_COMMENT] = { .type = NLA_NUL_STRING, .len = 255, },
	[UTF8GUARD_FS_A_RULE_FSTYPE] = { .type = NLA_NUL_STRING, .len = 63, },
	[UTF8GUARD_FS_A_RULE_UID_MIN] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_UID_MAX] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_USERNS_PID] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_USERNS] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_USERNS_OWNER] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_CGROUP] = { .type = NLA_NUL_STRING, .len = 2047, },
	[UTF8GUARD_FS_A_RULE_MAY_WAIT] = { .type = NLA_FLAG, },
	[UTF8GUARD_FS_A_RULE_REFUSE] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_FORM] = NLA_POLICY_MAX(NLA_U32, 4),
	[UTF8GUARD_FS_A_RULE_ADMIN_EXEMPT] = { .type = NLA_FLAG, },
	[UTF8GUARD_FS_A_RULE_JUDGE_ONTO] = { .type = NLA_FLAG, },
	[UTF8GUARD_FS_A_RULE_ALLOW_MOVE] = { .type = NLA_FLAG, },
};

/* UTF8GUARD_FS_CMD_RULE_DEL - do */
const struct nla_policy utf8guard_fs_rule_del_nl_policy[UTF8GUARD_FS_A_RULE_LOCATION + 1] = {
	[UTF8GUARD_FS_A_RULE_HANDLE] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_SCOPE] = NLA_POLICY_MAX(NLA_U32, 3),
	[UTF8GUARD_FS_A_RULE_MODE] = NLA_POLICY_MAX(NLA_U32, 2),
	[UTF8GUARD_FS_A_RULE_PATH] = { .type = NLA_NUL_STRING, .len = 4095, },
	[UTF8GUARD_FS_A_RULE_FD] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_INSIDE] = { .type = NLA_NUL_STRING, .len = 4095, },
	[UTF8GUARD_FS_A_RULE_UUID] = NLA_POLICY_EXACT_LEN(16),
	[UTF8GUARD_FS_A_RULE_VOLUME_TYPE] = { .type = NLA_NUL_STRING, .len = 31, },
	[UTF8GUARD_FS_A_RULE_LOCATION] = NLA_POLICY_NESTED(utf8guard_fs_location_nl_policy),
	[UTF8GUARD_FS_A_RULE_COMMENT] = { .type = NLA_NUL_STRING, .len = 255, },
	[UTF8GUARD_FS_A_RULE_FSTYPE] = { .type = NLA_NUL_STRING, .len = 63, },
	[UTF8GUARD_FS_A_RULE_UID_MIN] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_UID_MAX] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_USERNS_PID] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_USERNS] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_USERNS_OWNER] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_CGROUP] = { .type = NLA_NUL_STRING, .len = 2047, },
	[UTF8GUARD_FS_A_RULE_MAY_WAIT] = { .type = NLA_FLAG, },
	[UTF8GUARD_FS_A_RULE_REFUSE] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_FORM] = NLA_POLICY_MAX(NLA_U32, 4),
	[UTF8GUARD_FS_A_RULE_ADMIN_EXEMPT] = { .type = NLA_FLAG, },
	[UTF8GUARD_FS_A_RULE_JUDGE_ONTO] = { .type = NLA_FLAG, },
	[UTF8GUARD_FS_A_RULE_ALLOW_MOVE] = { .type = NLA_FLAG, },
};

/* UTF8GUARD_FS_CMD_FLUSH - do */
const struct nla_policy utf8guard_fs_flush_nl_policy[UTF8GUARD_FS_A_STATUS_PAD + 1] = {
};

/* UTF8GUARD_FS_CMD_BEGIN - do */
const struct nla_policy utf8guard_fs_begin_nl_policy[UTF8GUARD_FS_A_STATUS_GENERATION + 1] = {
	[UTF8GUARD_FS_A_STATUS_GENERATION] = { .type = NLA_U32, },
};

/* UTF8GUARD_FS_CMD_COMMIT - do */
const struct nla_policy utf8guard_fs_commit_nl_policy[UTF8GUARD_FS_A_STATUS_CONFIRM + 1] = {
	[UTF8GUARD_FS_A_STATUS_GENERATION] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_STATUS_CONFIRM] = { .type = NLA_U32, },
};

/* UTF8GUARD_FS_CMD_ABORT - do */
const struct nla_policy utf8guard_fs_abort_nl_policy[UTF8GUARD_FS_A_STATUS_PAD + 1] = {
};

/* UTF8GUARD_FS_CMD_CONFIRM - do */
const struct nla_policy utf8guard_fs_confirm_nl_policy[UTF8GUARD_FS_A_STATUS_PAD + 1] = {
};

/* UTF8GUARD_FS_CMD_REVERT - do */
const struct nla_policy utf8guard_fs_revert_nl_policy[UTF8GUARD_FS_A_STATUS_PAD + 1] = {
};

/* UTF8GUARD_FS_CMD_LOCK - do */
const struct nla_policy utf8guard_fs_lock_nl_policy[UTF8GUARD_FS_A_STATUS_PAD + 1] = {
};

/* UTF8GUARD_FS_CMD_RULE_EXPLAIN - do */
const struct nla_policy utf8guard_fs_rule_explain_nl_policy[UTF8GUARD_FS_A_RULE_NAME + 1] = {
	[UTF8GUARD_FS_A_RULE_FD] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_UID] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_PID] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_CGROUP] = { .type = NLA_NUL_STRING, .len = 2047, },
	[UTF8GUARD_FS_A_RULE_NAME] = { .type = NLA_NUL_STRING, .len = 255, },
};

/* UTF8GUARD_FS_CMD_RULE_FIND - do */
const struct nla_policy utf8guard_fs_rule_find_nl_policy[UTF8GUARD_FS_A_RULE_INSIDE + 1] = {
	[UTF8GUARD_FS_A_RULE_HANDLE] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_FD] = { .type = NLA_U32, },
	[UTF8GUARD_FS_A_RULE_PATH] = { .type = NLA_NUL_STRING, .len = 4095, },
	[UTF8GUARD_FS_A_RULE_INSIDE] = { .type = NLA_NUL_STRING, .len = 4095, },
};

/* Ops table for utf8guard_fs */
const struct genl_ops utf8guard_fs_nl_ops[16] = {
	{
		.cmd		= UTF8GUARD_FS_CMD_STATUS_GET,
		.doit		= utf8guard_fs_nl_status_get_doit,
		.policy		= utf8guard_fs_status_get_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_STATUS_PAD,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_STATUS_RESET,
		.doit		= utf8guard_fs_nl_status_reset_doit,
		.policy		= utf8guard_fs_status_reset_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_STATUS_PAD,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_RULE_GET,
		.doit		= utf8guard_fs_nl_rule_get_doit,
		.dumpit		= utf8guard_fs_nl_rule_get_dumpit,
		.policy		= utf8guard_fs_rule_get_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_RULE_WITHIN,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_RULE_ADD,
		.doit		= utf8guard_fs_nl_rule_add_doit,
		.policy		= utf8guard_fs_rule_add_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_RULE_LOCATION,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_RULE_SET,
		.doit		= utf8guard_fs_nl_rule_set_doit,
		.policy		= utf8guard_fs_rule_set_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_RULE_MODE,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_RULE_REPLACE,
		.doit		= utf8guard_fs_nl_rule_replace_doit,
		.policy		= utf8guard_fs_rule_replace_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_RULE_LOCATION,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_RULE_DEL,
		.doit		= utf8guard_fs_nl_rule_del_doit,
		.policy		= utf8guard_fs_rule_del_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_RULE_LOCATION,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_FLUSH,
		.doit		= utf8guard_fs_nl_flush_doit,
		.policy		= utf8guard_fs_flush_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_STATUS_PAD,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_BEGIN,
		.doit		= utf8guard_fs_nl_begin_doit,
		.policy		= utf8guard_fs_begin_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_STATUS_GENERATION,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_COMMIT,
		.doit		= utf8guard_fs_nl_commit_doit,
		.policy		= utf8guard_fs_commit_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_STATUS_CONFIRM,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_ABORT,
		.doit		= utf8guard_fs_nl_abort_doit,
		.policy		= utf8guard_fs_abort_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_STATUS_PAD,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_CONFIRM,
		.doit		= utf8guard_fs_nl_confirm_doit,
		.policy		= utf8guard_fs_confirm_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_STATUS_PAD,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_REVERT,
		.doit		= utf8guard_fs_nl_revert_doit,
		.policy		= utf8guard_fs_revert_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_STATUS_PAD,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_LOCK,
		.doit		= utf8guard_fs_nl_lock_doit,
		.policy		= utf8guard_fs_lock_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_STATUS_PAD,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_RULE_EXPLAIN,
		.doit		= utf8guard_fs_nl_rule_explain_doit,
		.policy		= utf8guard_fs_rule_explain_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_RULE_NAME,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= UTF8GUARD_FS_CMD_RULE_FIND,
		.doit		= utf8guard_fs_nl_rule_find_doit,
		.policy		= utf8guard_fs_rule_find_nl_policy,
		.maxattr	= UTF8GUARD_FS_A_RULE_INSIDE,
		.flags		= GENL_ADMIN_PERM,
	},
};

static const struct genl_multicast_group utf8guard_fs_nl_mcgrps[] = {
	[UTF8GUARD_FS_NLGRP_CONFIG] = { "config", },
};
