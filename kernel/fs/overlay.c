// SPDX-License-Identifier: GPL-2.0
/*
 * The names that an overlay makes in its own layers: which are new, and on whose behalf.
 *
 * Definitions. A layer is the upper or the work directory of a mounted overlay, which the
 * kernel marks (I_OVL_INUSE). The name that a user gives is judged where the overlay is
 * mounted. After that the overlay makes names in its layers, with the credentials of whoever
 * mounted it. A copy is such a name that a lower layer has already: the overlay copies the file
 * up, or whites it out.
 *
 *	what the user does		what the overlay does in its layers
 *	chmod /merged/\xe9		makes work/#1, renames it to upper/\xe9	a copy
 *	unlink /merged/\xe9		makes work/#2, renames it to upper/\xe9	a copy
 *	create /merged/\xff		makes upper/\xff			new
 *	rename /merged/a /merged/\xff	renames upper/a to upper/\xff		new
 *
 * Refusing copies would make chmod, unlink and rename of a bad name in a lower layer fail.
 *
 * The adversary mounts overlays in a user namespace of his own, over lower layers that he fills
 * as he likes; lets io_uring or a server act with his credentials; and makes directories as
 * deep as he likes.
 *
 * Claim. A name is exempt as a copy only if the overlay that makes it was mounted in the
 * initial user namespace, and moves it out of another layer. A new name of such an overlay is
 * judged by the rules for a path alone: rules for a type and the default have judged it where
 * the overlay is mounted. Every other name is judged as if no overlay made it.
 *
 * 1. A task that acts with its own credentials is not inside an overlay.
 * 2. Servers and io_uring act with the credentials of others, too. So a function of overlayfs
 *    must be among the nearest CALLERS return addresses (is_called_by()).
 * 3. An overlay that was mounted in another user namespace acts with credentials of that
 *    namespace: UGFS_LAYER_USERNS, judged as if no overlay made it.
 * 4. A copy is renamed from the work directory into the upper one, or linked while a file is
 *    copied up: from no name, or from the index of files that have several. What a user renames
 *    is in the upper directory already, and what he creates is renamed from nowhere: both are new
 *    (is_from_elsewhere()). What he links may be in the index, but is not copied up any more
 *    (is_copy()). There is one exception. Where the overlay has whited out a name of
 *    a lower layer and a user makes that name again, the overlay makes it in the work directory.
 *    So it is exempt; the lower layer has the same name. And where the layers fold case, which
 *    overlays take since Linux 6.18, a copy gets the spelling by which somebody looked for it
 *    first: it may be one that no lower layer has. Such a spelling is well-formed.
 * 5. A directory deeper than MAX_DEPTH hides its layer. If the target is that deep, the name is
 *    judged as if no overlay made it; if the source is, it is judged as new.
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

/* Return addresses looked at: first those of this module, of the hook and of the VFS. */
#define CALLERS 32

/* Levels looked at for a layer: users make directories as deep as they like. */
#define MAX_DEPTH 4096

/*
 * The topmost upper or work directory of a mounted overlay: @dir, or one above it. Not the
 * nearest: inside an upper directory, every user can mark directories of his own, by an overlay
 * in his user namespace, and a name that he moves out of one would pass for a copy.
 */
static const struct inode *layer_of(const struct dentry *dir)
{
	const struct dentry *d = dir, *below = NULL;
	const struct inode *found = NULL;
	unsigned int depth;

	rcu_read_lock();
	for (depth = 0; depth < MAX_DEPTH && d != below; depth++) {
		struct inode *inode = READ_ONCE(d->d_inode);

		if (inode && inode_state_read_once(inode) & I_OVL_INUSE)
			found = inode;
		below = d;
		d = READ_ONCE(d->d_parent);
	}
	rcu_read_unlock();
	return d == below ? found : NULL;
}

/*
 * Is a function whose name begins like that among the callers? See 2 above. This takes some
 * microseconds, but few names get here: those in a layer that a rule might mind.
 */
static bool is_called_by(const char *prefix)
{
	unsigned long callers[CALLERS];
	unsigned int n = stack_trace_save(callers, CALLERS, 0), i;
	char name[KSYM_SYMBOL_LEN];

	for (i = 0; i < n; i++) {
		sprint_symbol_no_offset(name, callers[i]);
		if (str_has_prefix(name, prefix))
			return true;
	}
	return false;
}

/* Is the name renamed or linked out of another layer? Where that is not found, it is not. */
static bool is_from_elsewhere(const struct dentry *from, const struct inode *layer)
{
	const struct inode *source = from ? layer_of(from->d_parent) : NULL;

	return source && source != layer;
}

/* See 4 above. */
static bool is_copy(const struct ugfs_attempt *attempt, const struct inode *layer)
{
	return is_from_elsewhere(attempt->from, layer) &&
	       (attempt->is_rename || is_called_by("ovl_copy_up"));
}

/**
 * ugfs_overlay_layer() - does an overlay make the name, which one, and is the name new?
 * @attempt: the name
 *
 * Where the caller acts with his own credentials, this takes no time. Otherwise it takes up to
 * two walks up from directories, of up to 4096 levels each, and up to two stack traces, of up to
 * 32 return addresses each, whose symbols are looked up by name.
 *
 * Context: process context; rcu_read_lock() held, preemption off; takes no lock.
 * Return: the layer; UGFS_LAYER_NONE also where nothing shows that an overlay makes the name.
 */
struct ugfs_layer ugfs_overlay_layer(const struct ugfs_attempt *attempt)
{
	struct ugfs_layer layer = { .kind = UGFS_LAYER_NONE };

	if (current_cred() == rcu_access_pointer(current->real_cred))
		return layer;
	layer.top = layer_of(attempt->parent);
	if (!layer.top || !is_called_by("ovl_"))
		return layer;
	if (current_user_ns() != &init_user_ns)
		layer.kind = UGFS_LAYER_USERNS;
	else if (is_copy(attempt, layer.top))
		layer.kind = UGFS_LAYER_COPY;
	else
		layer.kind = UGFS_LAYER_NEW;
	return layer;
}

/*
 * The upper directories of overlays of which a name was reported. They are known by number
 * and not by address: nothing tells us when an overlay ends, and its inode may be reused.
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
 * ugfs_overlay_is_told() - was a copy in the overlay with this upper directory reported lately?
 * @top: the directory
 *
 * A report for each bad name of an image would be a flood, and no report would hide them.
 * Two directories that share a slot of the table are reported more often.
 *
 * Context: any but interrupts; does not sleep.
 * Return: whether it was, within the last hour.
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
 * ugfs_overlay_set_told() - note that a copy in this overlay was reported
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
