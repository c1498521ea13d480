// SPDX-License-Identifier: GPL-2.0
/*
 * The names that an overlay makes in its own layers: for whom, and which of them are new.
 *
 * Definitions. A layer is the upper or the work directory of a mounted overlay, which the
 * kernel marks (I_OVL_INUSE). The name that a user gives is judged where the overlay is
 * mounted. After that the overlay makes names in its layers, with the credentials of whoever
 * mounted it. A copy is one that it has from a lower layer: it copies up and whites out.
 *
 *	what the user does		what the overlay does in its layers
 *	chmod /merged/\xe9		makes work/#1, renames it to upper/\xe9	a copy
 *	unlink /merged/\xe9		makes work/#2, renames it to upper/\xe9	a copy
 *	create /merged/\xff		makes upper/\xff			new
 *	rename /merged/a /merged/\xff	renames upper/a to upper/\xff		new
 *
 * Refusing copies would make chmod, unlink and rename of a bad name in a lower layer fail.
 *
 * The adversary may mount overlays in a user namespace of his own, over lower layers that he
 * fills as he likes; gives his credentials to io_uring or a server; and makes directories as
 * deep as he likes.
 *
 * Claim. A name is exempt as a copy only if an overlay makes it that was mounted in the initial
 * user namespace, and takes it from another layer. If such an overlay makes a new one, rules
 * for the path decide, and no others: the rule of the type and the default have had their say
 * where the overlay is mounted. Every other name is judged as that of anybody.
 *
 * 1. Whoever acts with its own credentials is no overlay.
 * 2. Servers and io_uring act with the credentials of others, too. So a function of overlayfs
 *    must be among the nearest CALLERS callers (is_called_by_overlay()).
 * 3. An overlay that was mounted in another user namespace acts with credentials of that
 *    namespace: UGFS_LAYER_USERNS, judged as anybody's.
 * 4. A copy comes out of the work directory into the upper one. What a user renames is in the
 *    upper layer already, and what he makes has no source: both are new (is_from_elsewhere()).
 *    The exception is a name made where one from a lower layer was deleted: the overlay makes it
 *    in the work directory, so it is exempt. It is the name that the lower layer has.
 * 5. Where the layer cannot be found, for the directory is deeper than MAX_DEPTH, the name is
 *    judged: as anybody's if that is where it goes to, as new if it is where it comes from.
 *
 * Tests: below userspace/tests/vm/names. names.t, overlay(): copies and new names of 4, and
 * io_uring in 2 ("ring-personality"). names_overlays.t: 3 for each kind of rule (in_private()),
 * copies of 4 ("host: "), new names by path alone ("overlays off"), 5 for the source ("deeper
 * than the walk upwards"). No test has a server in a layer (2), a target that is deeper (5), or
 * the exception of 4 where a rule for the path of the layer would refuse it.
 */
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/kallsyms.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/user_namespace.h>

#include "attempt.h"
#include "overlay.h"

/* Callers looked at: ours, the hook's, that of the VFS; then the overlay's. */
#define CALLERS 32

/* Levels looked at for a layer: users make directories as deep as they like. */
#define MAX_DEPTH 4096

/* The nearest upper or work directory of a mounted overlay: @dir, or one above it. */
static const struct inode *layer_of(const struct dentry *dir)
{
	const struct dentry *d = dir, *below = NULL;
	const struct inode *found = NULL;
	unsigned int depth;

	rcu_read_lock();
	for (depth = 0; depth < MAX_DEPTH && !found && d != below; depth++) {
		struct inode *inode = READ_ONCE(d->d_inode);

		if (inode && inode_state_read_once(inode) & I_OVL_INUSE)
			found = inode;
		below = d;
		d = READ_ONCE(d->d_parent);
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

/* A new name does not come out of the work directory; where in doubt, it is new. */
static bool is_from_elsewhere(const struct dentry *from, const struct inode *layer)
{
	const struct inode *source = from ? layer_of(from->d_parent) : NULL;

	return source && source != layer;
}

/**
 * ugfs_overlay_layer() - does an overlay make the name, whose is it, and is it new?
 * @attempt: the name
 *
 * Context: process context, any; rcu_read_lock() held; takes no lock. Costs the
 * depth of the directory, 4096 levels at most, where the caller has taken on
 * others' credentials; else nothing.
 */
struct ugfs_layer ugfs_overlay_layer(const struct ugfs_attempt *attempt)
{
	struct ugfs_layer layer = { .kind = UGFS_LAYER_NONE };

	if (current_cred() == rcu_access_pointer(current->real_cred))
		return layer;
	layer.top = layer_of(attempt->parent);
	if (!layer.top || !is_called_by_overlay())
		return layer;
	if (current_user_ns() != &init_user_ns)
		layer.kind = UGFS_LAYER_USERNS;
	else if (is_from_elsewhere(attempt->from, layer.top))
		layer.kind = UGFS_LAYER_COPY;
	else
		layer.kind = UGFS_LAYER_NEW;
	return layer;
}

/*
 * Upper directories whose overlay was told of, for nobody tells us of its end. They
 * are known by number: the inode may be another's by now.
 */
#define TOLD_BITS 8
#define TELL_INTERVAL (3600 * HZ)

struct told {
	dev_t dev;
	u32 generation;
	u64 ino;
	unsigned long since;
};

static struct told told[1 << TOLD_BITS];
static DEFINE_RAW_SPINLOCK(told_lock);

static struct told *told_of(const struct inode *top)
{
	return &told[hash_64(top->i_ino ^ (u64)top->i_sb->s_dev << 32, TOLD_BITS)];
}

/**
 * ugfs_overlay_is_told() - was the overlay with this upper directory told of lately?
 * @top: the directory
 *
 * A report for each name of an unpacked image would be a flood; none at all, silence.
 * Two directories that share a slot of the table are told of more often.
 *
 * Context: any but interrupts; does not sleep.
 */
bool ugfs_overlay_is_told(const struct inode *top)
{
	const struct told *one = told_of(top);
	bool known;

	raw_spin_lock(&told_lock);
	known = one->since && one->dev == top->i_sb->s_dev && one->ino == top->i_ino &&
		one->generation == top->i_generation &&
		time_before(jiffies, one->since + TELL_INTERVAL);
	raw_spin_unlock(&told_lock);
	return known;
}

/**
 * ugfs_overlay_set_told() - the overlay with this upper directory was told of
 * @top: the directory
 *
 * Context: any but interrupts; does not sleep.
 */
void ugfs_overlay_set_told(const struct inode *top)
{
	struct told *one = told_of(top);

	raw_spin_lock(&told_lock);
	*one = (struct told) {
		.dev = top->i_sb->s_dev,
		.generation = top->i_generation,
		.ino = top->i_ino,
		.since = jiffies ?: 1,
	};
	raw_spin_unlock(&told_lock);
}
