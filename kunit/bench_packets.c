// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of the rules at netfilter's forward hook, in cycles a packet. Each contestant is a
 * network namespace with rules of its own, which userspace/bench/packets.sh makes; each packet
 * passes in all of them in turn. This is no test: make bench loads it, in User-Mode
 * Linux, and its lines in the log are the result, TSV after "bench:".
 *
 * The first contestant has no rules; what it costs is the hook itself, and is subtracted from
 * the others. A stream is a connection with an ACK from the other side for each two segments.
 * Connection tracking looks it up once, before the measurement, so the sums do not have that.
 */
#include <linux/ip.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/netfilter.h>
#include <linux/sched.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/ip.h>
#include <net/net_namespace.h>

#include "bench.h"
#include "words.h"

#define ROUNDS		31
#define PACKETS		8	/* different ones */
#define ROUND_PACKETS	192	/* of each contestant in a round */
#define MAX_SPACES	16
#define MAX_LEN		1400
#define PORT		9000
#define FIRST_PAGE	601	/* octets that the first of two pages has, odd on purpose */

static char *names[MAX_SPACES];
static int name_count;
module_param_array(names, charp, &name_count, 0444);
MODULE_PARM_DESC(names, "of the contestants; the first has no rules");

static int fds[MAX_SPACES];
static int fd_count;
module_param_array(fds, int, &fd_count, 0444);
MODULE_PARM_DESC(fds, "of their network namespaces, open in the loading process");

static char *engine = "";
module_param(engine, charp, 0444);
MODULE_PARM_DESC(engine, "what to call the engine in the table");

static const unsigned int sizes[] = { 64, 512, MAX_LEN };
static const char *const texts[] = { "ASCII", "Russian", "Japanese", "mixed" };

/* A namespace, and the packets that pass there: those of a stream are tracked there. */
struct space {
	struct net *net;
	struct sk_buff *data[PACKETS], *ack;
	u32 seq;
	u64 ticks[ROUNDS];
};

static struct space spaces[MAX_SPACES];

/* What all packets of one measurement have in common. */
struct shape {
	u8 protocol;
	u16 port;	/* of the client, so that each has a connection of its own */
	bool is_paged;
	unsigned int len;
	const char *text;
};

static int add_pages(struct sk_buff *skb, const u8 *octets, unsigned int len)
{
	unsigned int first = min_t(unsigned int, len / 2 + 1, FIRST_PAGE), at = 0, i;

	for (i = 0; i < 2; i++) {
		unsigned int n = i ? len - first : first;
		struct page *page = alloc_page(GFP_KERNEL);

		if (!page)
			return -ENOMEM;
		memcpy(page_address(page), octets + at, n);
		skb_add_rx_frag(skb, i, page, 0, n, PAGE_SIZE);
		at += n;
	}
	return 0;
}

static void put_ip(struct sk_buff *skb, u8 protocol, unsigned int total, bool is_reply)
{
	struct iphdr *ip = skb_put_zero(skb, sizeof(*ip));
	__be32 client = htonl(0x0a000101), server = htonl(0x0a000201);

	*ip = (struct iphdr) {
		.version = 4, .ihl = 5, .ttl = 64, .protocol = protocol,
		.tot_len = htons(total), .frag_off = htons(IP_DF),
		.saddr = is_reply ? server : client, .daddr = is_reply ? client : server,
	};
	ip_send_check(ip);
	skb_reset_network_header(skb);
	skb_set_transport_header(skb, sizeof(*ip));
}

static void put_udp(struct sk_buff *skb, const struct shape *shape, unsigned int len)
{
	struct udphdr *udp = skb_put_zero(skb, sizeof(*udp));

	udp->source = htons(shape->port);
	udp->dest = htons(PORT);
	udp->len = htons(sizeof(*udp) + len);
}

static void put_tcp(struct sk_buff *skb, const struct shape *shape, bool is_reply)
{
	struct tcphdr *tcp = skb_put_zero(skb, sizeof(*tcp));

	tcp->source = htons(is_reply ? PORT : shape->port);
	tcp->dest = htons(is_reply ? shape->port : PORT);
	tcp->doff = sizeof(*tcp) / 4;
	tcp->ack = 1;
	tcp->window = htons(0xffff);
}

/* NULL for want of memory. */
static struct sk_buff *make_packet(struct net *net, const struct shape *shape,
				   const u8 *octets, unsigned int len, bool is_reply)
{
	bool is_tcp = shape->protocol == IPPROTO_TCP;
	unsigned int header = is_tcp ? sizeof(struct tcphdr) : sizeof(struct udphdr);
	struct sk_buff *skb = alloc_skb(MAX_LEN + 128, GFP_KERNEL);

	if (!skb)
		return NULL;
	skb->dev = net->loopback_dev;
	skb->protocol = htons(ETH_P_IP);
	/* No checksum was made, and none is to be verified. */
	skb->ip_summed = CHECKSUM_UNNECESSARY;
	put_ip(skb, shape->protocol, sizeof(struct iphdr) + header + len, is_reply);
	if (is_tcp)
		put_tcp(skb, shape, is_reply);
	else
		put_udp(skb, shape, len);
	if (len && !shape->is_paged)
		skb_put_data(skb, octets, len);
	if (!len || !shape->is_paged || !add_pages(skb, octets, len))
		return skb;
	kfree_skb(skb);
	return NULL;
}

static int forwarded(struct net *net, struct sock *sk, struct sk_buff *skb)
{
	return 0;
}

/* Passes a packet through a hook. Returns whether it may go on; if not, it was freed. */
static bool pass(struct space *space, unsigned int hook, struct sk_buff **skb)
{
	struct net_device *dev = space->net->loopback_dev;

	if (nf_hook(NFPROTO_IPV4, hook, space->net, NULL, *skb, dev, dev, forwarded) == 1)
		return true;
	*skb = NULL;
	return false;
}

static bool forward(struct space *space, struct sk_buff **skb)
{
	return pass(space, NF_INET_FORWARD, skb);
}

/* Passes a packet through all hooks: connection tracking finds its connection, and confirms it. */
static bool route(struct space *space, struct sk_buff **skb)
{
	return pass(space, NF_INET_PRE_ROUTING, skb) && forward(space, skb) &&
	       pass(space, NF_INET_POST_ROUTING, skb);
}

/* One of the three packets that a connection begins with; both sides begin at 0. */
static bool shake_hand(struct space *space, const struct shape *shape, unsigned int i)
{
	struct sk_buff *skb = make_packet(space->net, shape, NULL, 0, i == 1);
	bool passed;

	if (!skb)
		return false;
	tcp_hdr(skb)->syn = i < 2;
	tcp_hdr(skb)->ack = i > 0;
	tcp_hdr(skb)->seq = htonl(i == 2);
	tcp_hdr(skb)->ack_seq = htonl(i > 0);
	passed = route(space, &skb);
	kfree_skb(skb);
	return passed;
}

/* The acknowledgment, and segments that each have been on their way once. */
static bool connect_packets(struct space *space, const struct shape *shape)
{
	unsigned int i;

	space->ack = make_packet(space->net, shape, NULL, 0, true);
	for (i = 0; i < 3; i++)
		if (!space->ack || !shake_hand(space, shape, i))
			return false;
	space->seq = 1;
	tcp_hdr(space->ack)->seq = htonl(1);
	for (i = 0; i < PACKETS; i++) {
		tcp_hdr(space->data[i])->seq = htonl(space->seq);
		tcp_hdr(space->data[i])->ack_seq = htonl(1);
		space->seq += shape->len;
		if (!route(space, &space->data[i]))
			return false;
	}
	tcp_hdr(space->ack)->ack_seq = htonl(space->seq);
	return route(space, &space->ack);
}

static void drop_packets(struct space *space)
{
	unsigned int i;

	for (i = 0; i < PACKETS; i++) {
		kfree_skb(space->data[i]);
		space->data[i] = NULL;
	}
	kfree_skb(space->ack);
	space->ack = NULL;
}

static bool make_packets(struct space *space, const struct shape *shape)
{
	static u8 octets[MAX_LEN];
	u64 seed = 0x5eed;
	unsigned int i;

	for (i = 0; i < PACKETS; i++) {
		words_fill(shape->text, octets, shape->len, &seed);
		space->data[i] = make_packet(space->net, shape, octets, shape->len, false);
		if (!space->data[i])
			return false;
	}
	return shape->protocol != IPPROTO_TCP || connect_packets(space, shape);
}

/* The next segment of the stream, and an acknowledgment each other time. */
static bool send_segment(struct space *space, unsigned int i, unsigned int len)
{
	tcp_hdr(space->data[i % PACKETS])->seq = htonl(space->seq);
	space->seq += len;
	if (!forward(space, &space->data[i % PACKETS]))
		return false;
	if (i % 2 == 0)
		return true;
	tcp_hdr(space->ack)->ack_seq = htonl(space->seq);
	return forward(space, &space->ack);
}

/* Ticks, or 0 if a packet was dropped. */
static u64 send_all(struct space *space, const struct shape *shape, unsigned int count)
{
	u64 begin = __builtin_ia32_rdtsc();
	unsigned int i;

	for (i = 0; i < count; i++)
		if (!(shape->protocol == IPPROTO_TCP ?
			      send_segment(space, i, shape->len) :
			      forward(space, &space->data[i % PACKETS])))
			return 0;
	return __builtin_ia32_rdtsc() - begin;
}

static bool run_rounds(const struct shape *shape)
{
	unsigned int round, i;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < name_count; i++) {
			/* This turn does not count: the caches are full of what others used. */
			if (!send_all(&spaces[i], shape, PACKETS))
				return false;
			spaces[i].ticks[round] = send_all(&spaces[i], shape, ROUND_PACKETS);
			if (!spaces[i].ticks[round])
				return false;
		}
		cond_resched();
	}
	return true;
}

static void print_all(const struct shape *shape, u64 speed)
{
	u64 none = 0;
	unsigned int i;

	for (i = 0; i < name_count; i++) {
		u64 *ticks = spaces[i].ticks, cycles;

		bench_sort(ticks, ROUNDS);
		cycles = div64_u64(ticks[ROUNDS / 2] * 1000, speed * ROUND_PACKETS);
		if (!i)
			none = cycles;
		pr_info("bench:\t%s\t%s\t%s\t%s\t%u\t%s\t%llu\t%lld\n", engine,
			shape->protocol == IPPROTO_TCP ? "tcp" : "udp",
			shape->is_paged ? "paged" : "linear", shape->text, shape->len,
			names[i], cycles, (s64)(cycles - none));
	}
}

static int measure(const struct shape *shape, u64 speed)
{
	bool is_fine = true;
	unsigned int i;

	for (i = 0; i < name_count && is_fine; i++)
		is_fine = make_packets(&spaces[i], shape);
	is_fine = is_fine && run_rounds(shape);
	if (is_fine)
		print_all(shape, speed);
	for (i = 0; i < name_count; i++)
		drop_packets(&spaces[i]);
	return is_fine ? 0 : -EIO;
}

static int measure_sizes(struct shape *shape, u64 speed)
{
	unsigned int text, size;
	int err = 0;

	for (text = 0; text < ARRAY_SIZE(texts); text++) {
		shape->text = texts[text];
		for (size = 0; size < ARRAY_SIZE(sizes) && !err; size++) {
			shape->len = sizes[size];
			shape->port++;
			err = measure(shape, speed);
		}
	}
	return err;
}

static int measure_all(u64 speed)
{
	static const u8 protocols[] = { IPPROTO_UDP, IPPROTO_TCP };
	struct shape shape = { .port = 7000 };
	unsigned int i;
	int err = 0;

	for (i = 0; i < 2 * ARRAY_SIZE(protocols) && !err; i++) {
		shape.protocol = protocols[i / 2];
		shape.is_paged = i % 2;
		err = measure_sizes(&shape, speed);
	}
	return err;
}

static int __init bench_init(void)
{
	unsigned int i;
	int err = name_count == fd_count ? 0 : -EINVAL;

	for (i = 0; i < name_count && !err; i++) {
		spaces[i].net = get_net_ns_by_fd(fds[i]);
		err = PTR_ERR_OR_ZERO(spaces[i].net);
		if (err)
			spaces[i].net = NULL;
	}
	if (!err)
		err = measure_all(bench_ticks_per_kilocycle());
	for (i = 0; i < name_count; i++)
		if (spaces[i].net)
			put_net(spaces[i].net);
	return err;
}
module_init(bench_init);

static void __exit bench_exit(void)
{
}
module_exit(bench_exit);

MODULE_DESCRIPTION("Benchmark of utf8guard_nf and of other ways to look into packets");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("UTF8GUARD");
