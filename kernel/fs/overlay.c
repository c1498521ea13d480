// SPDX-License-Identifier: GPL-2.0
/*
 * What an overlay does in its own upper layer. The name that its user gave was
 * judged where the overlay is mounted; a rule for the place of the upper layer
 * judges it again, if it is new there. But an overlay also copies up, whites out
 * and renames for names that exist below: refusing those would make chmod, unlink
 * and rename of a bad name in a lower layer fail. They come out of its work
 * directory, which is no part of the upper one; and new names do not. The
 * exception is a name put back where one from below was deleted.
 */
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "fs.h"

/* Callers looked at: ours, the hook's, that of the VFS; then the overlay's. */
#define CALLERS 32

/* The nearest upper or work directory of a mounted overlay that @dentry is below. */
static const struct inode *layer_of(const struct dentry *dentry)
{
	const struct dentry *d = dentry;
	const struct inode *found = NULL;

	rcu_read_lock();
	while (!found && !IS_ROOT(d)) {
		const struct inode *inode;

		d = READ_ONCE(d->d_parent);
		inode = READ_ONCE(d->d_inode);
		if (inode && READ_ONCE(inode->i_state) & I_OVL_INUSE)
			found = inode;
	}
	rcu_read_unlock();
	return found;
}

/*
 * Is a function of overlayfs among the callers? A server and io_uring work with
 * others' credentials as well, and anybody may give those to io_uring, and mount an
 * overlay in a user namespace. Takes some microseconds; of all names, those that a
 * rule might mind, in a layer, are few.
 */
static bool is_called_by_overlay(void)
{
	unsigned long callers[CALLERS];
	unsigned int n = stack_trace_save(callers, CALLERS, 0), i;
	char name[KSYM_SYMBOL_LEN];

	for (i = 0; i < n; i++) {
		sprint_symbol_no_offset(name, callers[i]);
		if (str_has_prefix(name, "ovl_"))
			return true;
	}
	return false;
}

/**
 * fs_overlay_layer() - does an overlay make the name, and is it new?
 * @attempt: the name
 *
 * An overlay works with the credentials of its mounter.
 *
 * Context: process context, any; takes no lock.
 */
enum fs_layer fs_overlay_layer(const struct fs_attempt *attempt)
{
	const struct inode *layer;

	if (current_cred() == rcu_access_pointer(current->real_cred))
		return FS_LAYER_NONE;
	layer = layer_of(attempt->dentry);
	if (!layer || !is_called_by_overlay())
		return FS_LAYER_NONE;
	if (!attempt->from || layer_of(attempt->from) == layer)
		return FS_LAYER_NEW;
	return FS_LAYER_COPY;
}
