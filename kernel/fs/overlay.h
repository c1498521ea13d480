/* SPDX-License-Identifier: GPL-2.0 */
/* Names that an overlay makes in its layers. */
#ifndef _UTF8GUARD_FS_OVERLAY_H
#define _UTF8GUARD_FS_OVERLAY_H

#include <linux/types.h>

struct inode;
struct ugfs_attempt;

/**
 * enum ugfs_layer_kind - does an overlay make the name, and is it new?
 * @UGFS_LAYER_NONE: no overlay makes it
 * @UGFS_LAYER_NEW: an overlay makes it, and it is new in the upper layer
 * @UGFS_LAYER_COPY: an overlay makes it for a name of a lower layer
 * @UGFS_LAYER_USERNS: an overlay makes it that was mounted in a user namespace other than the
 *	initial one; the name is judged as if no overlay made it
 */
enum ugfs_layer_kind {
	UGFS_LAYER_NONE,
	UGFS_LAYER_NEW,
	UGFS_LAYER_COPY,
	UGFS_LAYER_USERNS,
};

enum ugfs_layer_kind ugfs_overlay_layer(const struct ugfs_attempt *attempt);
const struct inode *ugfs_overlay_top(const struct ugfs_attempt *attempt);
bool ugfs_overlay_is_told(const struct inode *top);
void ugfs_overlay_set_told(const struct inode *top);

#endif /* _UTF8GUARD_FS_OVERLAY_H */
