// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink families, and who listens to their groups. Netlink asks for the capability that a group
 * takes when a process joins it, and only if the family is there. Before that, anybody can join
 * the number of the group, and remains a member. So what each member may hear is asked again for
 * each message; where the kernel cannot do that, a new family throws its members out.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/net.h>
#include <linux/rcupdate.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "family.h"

/* Whoever is quick can join again while the family is away. */
#define ATTEMPTS 8

/* Our families have one group each. Netlink counts the members in all network namespaces. */
static bool has_members(const struct genl_family *family)
{
	return genl_has_listeners(family, &init_net, 0);
}

/*
 * Who was not asked because the family was not there, and is on his way into the table of members,
 * gets there while this waits: until each task has slept or has been in user space.
 */
static bool has_members_soon(const struct genl_family *family)
{
	synchronize_rcu_tasks();
	return has_members(family);
}

/**
 * utf8guard_family_register() - register a family, whose groups have no member yet
 * @family: with one group
 *
 * Context: process context; may sleep; module init only.
 * Return: 0 or an error of genl_register_family().
 */
int utf8guard_family_register(struct genl_family *family)
{
	int err = genl_register_family(family);
	int attempts;

	if (UTF8GUARD_CHOOSES_LISTENERS)
		return err;
	for (attempts = ATTEMPTS; !err && attempts && has_members_soon(family); attempts--) {
		/* Without its family, a group has no members. */
		genl_unregister_family(family);
		err = genl_register_family(family);
	}
	if (!err && has_members(family))
		pr_warn("somebody joined the group %s of %s before it was there, and may hear what is sent to it\n",
			family->mcgrps[0].name, family->name);
	return err;
}

/*
 * Does @cred have CAP_NET_ADMIN over @ns? The rule is that of cap_capable(): the capability is
 * effective in @ns or in a namespace above it, or the user owns one of these and is in its parent.
 * Security modules are not asked: netlink does that when a process joins. Here they would take
 * whoever is reported for the one who wants to listen, and make a record of him, or kill him.
 * Context: any.
 */
static bool has_net_admin(const struct cred *cred, const struct user_namespace *ns)
{
	for (; ns->level > cred->user_ns->level; ns = ns->parent)
		if (ns->parent == cred->user_ns && uid_eq(ns->owner, cred->euid))
			return true;
	return ns == cred->user_ns && cap_raised(cred->cap_effective, CAP_NET_ADMIN);
}

/*
 * Returns whether netlink shall leave out @member: whether he who opened the socket had no
 * CAP_NET_ADMIN over @data, the network namespace. A socket that is closed leaves the table of
 * members first, which waits until this message is sent; only then does it lose its file. A socket
 * of the kernel has none, and no business here.
 */
static int may_not_listen(struct sock *member, struct sk_buff *message, void *data)
{
	const struct file *file = member->sk_socket->file;
	const struct net *net = data;

	return !file || !has_net_admin(file->f_cred, net->user_ns);
}

/**
 * utf8guard_family_tell() - send a message to the members of a group who may listen
 * @family: registered
 * @net: the network namespace that the message is about
 * @message: freed
 * @group: of the family
 * @gfp: how to allocate memory
 *
 * Netlink itself tells a listener that is too slow, by ENOBUFS.
 *
 * Context: any but hard interrupts; sleeps only if @gfp lets it.
 */
void utf8guard_family_tell(const struct genl_family *family, struct net *net,
			   struct sk_buff *message, unsigned int group, gfp_t gfp)
{
	genlmsg_multicast_netns_filtered(family, net, message, 0, group, gfp, may_not_listen, net);
}
