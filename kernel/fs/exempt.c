// SPDX-License-Identifier: GPL-2.0
/* File systems and callers that no rule judges, because a refusal would break the system. */
#include <linux/fs.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "exempt.h"

/**
 * ugfs_exempt_type() - are the names on file systems of a type exempt?
 * @fstype: the type, without a subtype
 *
 * Exempt are file systems whose names the kernel makes, or which store no files. In an autofs,
 * only the daemon can make a name: a directory on which to mount what exists elsewhere.
 *
 * Context: any; pure.
 * Return: whether they are.
 */
bool ugfs_exempt_type(const char *fstype)
{
	static const char *const exempt[] = {
		"autofs", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs",
		"devpts", "efivarfs", "fusectl", "proc", "pstore", "securityfs", "selinuxfs",
		"sysfs", "tracefs",
	};

	return match_string(exempt, ARRAY_SIZE(exempt), fstype) >= 0;
}

/* The kernel thread kdevtmpfs makes the device nodes of drivers; a refusal would hide a device. */
static bool is_kdevtmpfs(void)
{
	return current->flags & PF_KTHREAD && !strcmp(current->comm, "kdevtmpfs");
}

/**
 * ugfs_exempt() - are the names in a directory, made by the caller, exempt from all rules?
 * @dir: the directory
 *
 * Context: process context; takes no lock, does not sleep.
 * Return: whether they are.
 */
bool ugfs_exempt(const struct inode *dir)
{
	return IS_PRIVATE(dir) || ugfs_exempt_type(dir->i_sb->s_type->name) || is_kdevtmpfs();
}
