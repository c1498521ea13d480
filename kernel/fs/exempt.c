// SPDX-License-Identifier: GPL-2.0
/* Names that no policy is asked about, for refusing them would break things. */
#include <linux/cred.h>
#include <linux/dcache.h>
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

/* Is @dentry below the upper or work directory of a mounted overlay? */
static bool below_overlay_layer(const struct dentry *dentry)
{
	const struct dentry *d = dentry;
	bool found = false;

	rcu_read_lock();
	while (!found && !IS_ROOT(d)) {
		const struct inode *inode;

		d = READ_ONCE(d->d_parent);
		inode = READ_ONCE(d->d_inode);
		found = inode && READ_ONCE(inode->i_state) & I_OVL_INUSE;
	}
	rcu_read_unlock();
	return found;
}

/*
 * An overlay copies up, whites out and renames in its own layers for names that
 * it was asked about itself, or that exist below: refusing there would make
 * chmod, unlink and rename of an existing bad name fail. It does so with the
 * credentials of its mounter.
 */
static bool is_overlay_internal(const struct dentry *dentry)
{
	return current_cred() != rcu_access_pointer(current->real_cred) &&
	       below_overlay_layer(dentry);
}

/**
 * fs_exempt() - is the name none of the policy's business?
 * @dir: the directory
 * @dentry: the name in it
 *
 * Context: any; takes no lock.
 */
bool fs_exempt(const struct inode *dir, const struct dentry *dentry)
{
	return IS_PRIVATE(dir) || exempt_file_system(dir->i_sb) || is_kdevtmpfs() ||
	       is_overlay_internal(dentry);
}
