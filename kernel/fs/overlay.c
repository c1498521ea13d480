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
 * as he likes, and with any directory as the upper one, also above or below a layer of the host's:
 * he need not be allowed to write to it. So marks say nothing about who makes a name. He lets
 * io_uring or a server act with his credentials, and makes directories as deep as he likes.
 *
 * Claim. A name is exempt as a copy only if an overlay makes it that was mounted in the initial
 * user namespace, while it copies a file up, whites one out, or makes a name again that it had
 * whited out. A new name of such an overlay is judged by the rules for a path alone: rules for a
 * type and the default have judged it where the overlay is mounted. Every other name is judged as
 * if no overlay made it.
 *
 * 1. A task that acts with its own credentials is not inside an overlay.
 * 2. Servers and io_uring act with the credentials of others, too. So a function of overlayfs
 *    must be among the nearest CALLERS return addresses (kind_by_callers()). Where these may be
 *    left over from calls that have ended (UNWINDER_GUESS), no overlay is found.
 * 3. An overlay that was mounted in another user namespace acts with credentials of that
 *    namespace: UGFS_LAYER_USERNS, judged as if no overlay made it. A task outside cannot make
 *    such a mount by a context that it was handed (fsopen()): overlayfs refuses that (6.12, 7.3),
 *    or the private copy of a layer's mount does, for want of privilege (6.1).
 * 4. Which function makes the name says why it is made (takes_over()). Each name that is copied
 *    up is renamed or linked below ovl_copy_up*(), where nothing else is; and each whiteout renamed
 *    below ovl_do_remove(). A name that a user chose is made by ovl_rename*() or, unless there was
 *    a whiteout, in place or by a link below ovl_create*(): neither is called by the former, for
 *    an overlay takes no other overlay as its upper layer (one whose dentries have d_real()).
 *    There is one exception. Where the overlay has whited out a name of a lower layer and a user
 *    makes that name again, it is renamed below ovl_create*(). So it is exempt; the lower layer has
 *    the same name. And where the layers fold case, which overlays take since Linux 6.18, a copy
 *    gets the spelling by which somebody looked for it first: it may be one that no lower layer
 *    has. Such a spelling is well-formed.
 * 5. If a compiler gives such a function another name, or inlines it into one that is not meant
 *    here, the name is judged as new.
 *
 * Tests: below userspace/tests/vm/names. names.t, overlay(): copies and new names of 4, and
 * io_uring in 2 ("ring-personality"). names_overlays.t: 3 for each kind of rule (in_private()),
 * copies of 4 ("host: "), overlays of users above and below ("above: ", "inside"), which come and
 * go meanwhile ("a race: "), new names by path alone ("overlays off"). No test has a server in a
 * layer (2), or folds case in one (4).
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
#include "rule/location.h"

/* Return addresses looked at: first those of this module, of the hook and of the VFS. */
#define CALLERS 32

/* Does this function of overlays rename or link names only that a lower layer has? See 4 above. */
static bool takes_over(const char *function, bool renames)
{
	if (str_has_prefix(function, "ovl_copy_up"))
		return true;
	return renames && (str_has_prefix(function, "ovl_do_remove") ||
			   str_has_prefix(function, "ovl_create"));
}

/*
 * Is an overlay among the callers, and what does it do? See 2 and 4 above. This takes some
 * microseconds, but few names get here: those that a rule might mind, with the credentials of
 * somebody else.
 */
static enum ugfs_layer_kind kind_by_callers(const struct ugfs_attempt *attempt)
{
	unsigned long callers[CALLERS];
	unsigned int n = stack_trace_save(callers, CALLERS, 0), i;
	enum ugfs_layer_kind kind = UGFS_LAYER_NONE;
	char name[KSYM_SYMBOL_LEN];

	for (i = 0; i < n; i++) {
		sprint_symbol_no_offset(name, callers[i]);
		if (!str_has_prefix(name, "ovl_"))
			continue;
		if (attempt->from && takes_over(name, attempt->is_rename))
			return UGFS_LAYER_COPY;
		kind = UGFS_LAYER_NEW;
	}
	return kind;
}

/**
 * ugfs_overlay_layer() - does an overlay make the name, and is the name new?
 * @attempt: the name
 *
 * Where the caller acts with his own credentials, this takes no time. Otherwise it takes a stack
 * trace of up to 32 return addresses, whose symbols are looked up by name.
 *
 * Context: process context; rcu_read_lock() held, preemption off; takes no lock.
 * Return: enum ugfs_layer_kind; UGFS_LAYER_NONE also where nothing shows that an overlay makes
 * the name.
 */
enum ugfs_layer_kind ugfs_overlay_layer(const struct ugfs_attempt *attempt)
{
	enum ugfs_layer_kind kind;

	if (current_cred() == rcu_access_pointer(current->real_cred) ||
	    IS_ENABLED(CONFIG_UNWINDER_GUESS))
		return UGFS_LAYER_NONE;
	kind = kind_by_callers(attempt);
	if (kind != UGFS_LAYER_NONE && current_user_ns() != &init_user_ns)
		return UGFS_LAYER_USERNS;
	return kind;
}

/**
 * ugfs_overlay_top() - in which layer is the name that an overlay makes?
 * @attempt: the name
 *
 * For reports alone: users can make marks, and take away that of an upper directory on which they
 * have mounted an overlay first. The nearest mark is taken, because whoever makes one there can
 * have more reports made, but not hide those of other overlays.
 *
 * Context: rcu_read_lock() held; takes no lock, but up to UGFS_MAX_DEPTH steps.
 * Return: the upper or work directory; where none is marked, the topmost directory.
 */
const struct inode *ugfs_overlay_top(const struct ugfs_attempt *attempt)
{
	const struct dentry *d = attempt->parent, *below = NULL;
	const struct inode *top = attempt->dir;
	unsigned int depth;

	for (depth = 0; depth < UGFS_MAX_DEPTH && d != below; depth++) {
		struct inode *inode = READ_ONCE(d->d_inode);

		if (inode)
			top = inode;
		if (inode && inode_state_read_once(inode) & I_OVL_INUSE)
			break;
		below = d;
		d = READ_ONCE(d->d_parent);
	}
	return top;
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
