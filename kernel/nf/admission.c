// SPDX-License-Identifier: GPL-2.0
/*
 * Which requests for rules are carried out, where users make them.
 *
 * genetlink handles all requests of a datagram with a lock that every family needs (cb_lock, for
 * reading). Whoever registers a family waits for it, and then everybody waits for him. Anybody can
 * cause that, by asking for a family that a module has. In a network namespace of his own, any user
 * may send requests that take as long as there are rules: up to a quarter of a second. So outside
 * of the first network namespace
 *
 * - a datagram has one of these, the first. What is for a transaction takes no longer, and neither
 *   does the status. After a second no more of them are begun, for memory may be long in coming to
 *   a user, and others wait for the same lock;
 * - a user has a few at the same time, which may wait for one another's lock, and all users
 *   together have some more. A namespace of the host counts as a user, but apart from those;
 * - of the answers that are longer than a message, one is gone on with at a time: nothing is asked
 *   for that, and a request waits for the same lock.
 *
 * Tests: userspace/tests/vm/policy/transactions.py, datagrams() and crowd().
 */
#include <linux/hash.h>
#include <linux/jhash.h>
#include <linux/ktime.h>
#include <linux/netlink.h>
#include <linux/once.h>
#include <linux/random.h>
#include <linux/skbuff.h>
#include <linux/user_namespace.h>
#include <net/net_namespace.h>

#include "../service/limit.h"
#include "admission.h"

#define MOST_OF_USER 8
#define MOST 64

/* How long the requests of one datagram may take before the last of them is begun, in ms. */
#define DATAGRAM_MS 1000

/* Two users may share a slot; the seed keeps one from choosing whose. */
#define SLOT_BITS 8

/* Of namespaces that users made, and of those that the host made: neither keeps the other out. */
enum { OF_HOST, OF_USERS };
static atomic_t slots[2][1 << SLOT_BITS], all[2];

/* For the first namespace, which has no limit. */
static atomic_t of_first;

/**
 * ugnf_request_is_later() - have others come before a request in the same datagram, of a user?
 * @skb: the datagram
 * @nlh: the request in it
 * @net: the network namespace
 *
 * Context: process context.
 * Return: whether it has to be for a transaction; false for all requests in the first namespace.
 */
bool ugnf_request_is_later(const struct sk_buff *skb, const struct nlmsghdr *nlh,
			   const struct net *net)
{
	return (const u8 *)nlh != skb->head && !net_eq(net, &init_net);
}

/**
 * ugnf_datagram_is_over() - have the requests of a datagram taken too long for one more?
 * @skb: the datagram; the time of its first request is noted in it
 * @net: the network namespace
 *
 * Context: process context.
 * Return: whether the sender has to send the rest again; false for all in the first namespace.
 */
bool ugnf_datagram_is_over(struct sk_buff *skb, const struct net *net)
{
	if (net_eq(net, &init_net))
		return false;
	if (!skb->tstamp)
		skb->tstamp = ktime_get();
	return ktime_ms_delta(ktime_get(), skb->tstamp) > DATAGRAM_MS;
}

static atomic_t *slot_of(const struct net *net)
{
	static u32 seed __read_mostly;
	bool is_users = net->user_ns != &init_user_ns;
	u32 id = is_users ? utf8guard_owner_of(net->user_ns) : net->ns.inum;

	if (net_eq(net, &init_net))
		return &of_first;
	get_random_once(&seed, sizeof(seed));
	return &slots[is_users][hash_32(jhash_1word(id, seed), SLOT_BITS)];
}

static atomic_t *all_of(const atomic_t *slot)
{
	return slot >= slots[OF_USERS] ? &all[OF_USERS] : &all[OF_HOST];
}

/**
 * ugnf_request_begin() - may a request be carried out now?
 * @net: the network namespace
 *
 * Context: process context; does not sleep.
 * Return: what ugnf_request_end() takes; NULL where too many are being carried out.
 */
atomic_t *ugnf_request_begin(const struct net *net)
{
	atomic_t *slot = slot_of(net);

	if (slot == &of_first)
		return slot;
	if (atomic_inc_return(slot) > MOST_OF_USER)
		goto too_many_of_user;
	if (atomic_inc_return(all_of(slot)) > MOST)
		goto too_many;
	return slot;

too_many:
	atomic_dec(all_of(slot));
too_many_of_user:
	atomic_dec(slot);
	return NULL;
}

/* A request was carried out. Any context. */
void ugnf_request_end(atomic_t *slot)
{
	if (slot == &of_first)
		return;
	atomic_dec(slot);
	atomic_dec(all_of(slot));
}
