// SPDX-License-Identifier: GPL-2.0
/* Names that no policy is asked about, for refusing them would break things. */
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/sched.h>

#include "fs.h"

/* Not in <linux/magic.h>; from fs/configfs/mount.c and fs/fuse/control.c. */
#define CONFIGFS_MAGIC 0x62656570
#define FUSE_CTL_SUPER_MAGIC 0x65735543

/* File systems whose names the kernel makes, or which store no files. */
static bool exempt_file_system(const struct super_block *sb)
{
	switch (sb->s_magic) {
	case BINFMTFS_MAGIC:
	case BPF_FS_MAGIC:
	case CGROUP2_SUPER_MAGIC:
	case CGROUP_SUPER_MAGIC:
	case CONFIGFS_MAGIC:
	case DEBUGFS_MAGIC:
	case DEVPTS_SUPER_MAGIC:
	case EFIVARFS_MAGIC:
	case FUSE_CTL_SUPER_MAGIC:
	case PROC_SUPER_MAGIC:
	case PSTOREFS_MAGIC:
	case SECURITYFS_MAGIC:
	case SELINUX_MAGIC:
	case SYSFS_MAGIC:
	case TRACEFS_MAGIC:
		return true;
	default:
		return false;
	}
}

/* It makes the nodes of drivers; a refusal would hide a device. */
static bool is_kdevtmpfs(void)
{
	return current->flags & PF_KTHREAD && !strcmp(current->comm, "kdevtmpfs");
}

/**
 * fs_exempt() - are the names in a directory none of the policy's business?
 * @dir: the directory
 *
 * Context: any; takes no lock.
 */
bool fs_exempt(const struct inode *dir)
{
	return IS_PRIVATE(dir) || exempt_file_system(dir->i_sb) || is_kdevtmpfs();
}
