/* SPDX-License-Identifier: GPL-2.0 */
/* Names that an overlay makes in its layers. */
#ifndef _UTF8GUARD_FS_OVERLAY_H
#define _UTF8GUARD_FS_OVERLAY_H

#include <linux/types.h>

struct inode;
struct ugfs_attempt;

/**
 * enum ugfs_layer_kind - whose name it is
 * @UGFS_LAYER_NONE: of whoever asks
 * @UGFS_LAYER_NEW: of an overlay, that makes a name which is new in its upper layer
 * @UGFS_LAYER_COPY: of an overlay, that has it from a layer below
 * @UGFS_LAYER_USERNS: of either kind, of an overlay that was mounted in a user
 *	namespace other than the initial one: it is judged as whoever asks
 */
enum ugfs_layer_kind {
	UGFS_LAYER_NONE,
	UGFS_LAYER_NEW,
	UGFS_LAYER_COPY,
	UGFS_LAYER_USERNS,
};

/**
 * struct ugfs_layer - the layer of an overlay that a name is made in
 * @kind: whose name it is
 * @top: the upper or work directory; valid under rcu_read_lock(); where @kind is
 *	UGFS_LAYER_NONE, of no meaning
 */
struct ugfs_layer {
	enum ugfs_layer_kind kind;
	const struct inode *top;
};

struct ugfs_layer ugfs_overlay_layer(const struct ugfs_attempt *attempt);
bool ugfs_overlay_is_told(const struct inode *top);
void ugfs_overlay_set_told(const struct inode *top);

#endif /* _UTF8GUARD_FS_OVERLAY_H */
