/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_FS_H
#define _UTF8GUARD_COMPAT_FS_H

#include_next <linux/fs.h>

#ifndef KERNEL_HAS_INODE_STATE_READ
static inline unsigned long inode_state_read_once(struct inode *inode)
{
	return READ_ONCE(inode->i_state);
}
#endif

/* Until 6.6 a macro, which takes the file and not the pointer to it. */
#ifdef get_file_rcu
static inline struct file *utf8guard_get_file_rcu(struct file __rcu **pointer)
{
	struct file *file = rcu_dereference(*pointer);

	return file && get_file_rcu(file) ? file : NULL;
}
#undef get_file_rcu
#define get_file_rcu utf8guard_get_file_rcu
#endif

#endif /* _UTF8GUARD_COMPAT_FS_H */
