// SPDX-License-Identifier: GPL-2.0
/* Networks, as a rule for packets names them: "192.0.2.0/24,198.51.100.7". */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "networks.h"
#include "number.h"
#include "output/output.h"
#include "words.h"

static bool parse_network(const char *word, struct network *network)
{
	char address[INET6_ADDRSTRLEN];
	size_t length = strcspn(word, "/");
	unsigned long prefix;

	memset(network, 0, sizeof(*network));
	if (length >= sizeof(address))
		return false;
	memcpy(address, word, length);
	address[length] = '\0';
	if (inet_pton(AF_INET, address, network->octets) == 1)
		network->length = 4;
	else if (inet_pton(AF_INET6, address, network->octets) == 1)
		network->length = 16;
	else
		return false;
	network->prefix = 8U * network->length;
	word += length;
	if (!*word++)
		return true;
	if (!number_read(&word, network->prefix, &prefix) || *word)
		return false;
	network->prefix = (unsigned int)prefix;
	return true;
}

/* @network with all bits after its prefix cleared. */
static struct network begin_of(struct network network)
{
	unsigned int i;

	for (i = 0; i < network.length; i++) {
		unsigned int bits = network.prefix > 8 * i ? network.prefix - 8 * i : 0;

		if (bits < 8)
			network.octets[i] &= (u8)(0xff00 >> bits);
	}
	return network;
}

/* Bits that are set after the prefix are a typing error. The kernel refuses them, too. */
static bool has_host_bits(const char *word, const struct network *network)
{
	const struct network good = begin_of(*network);
	char address[INET6_ADDRSTRLEN] = "";

	if (!memcmp(good.octets, network->octets, sizeof(good.octets)))
		return false;
	inet_ntop(good.length == 4 ? AF_INET : AF_INET6, good.octets, address, sizeof(address));
	complain_word(word, "the address has bits set after its prefix; expected %s/%u", address,
		      good.prefix);
	return true;
}

/* Reads @item, one element of the list @word; its family must be that of @first, the first one. */
static bool take_network(const char *word, const char *item, const struct network *first,
			 struct network *network)
{
	if (!parse_network(item, network))
		complain_word(word, "expected an address as 192.0.2.0/24 or 2001:db8::/32, or several "
				    "with commas between");
	else if (has_host_bits(word, network))
		return false;
	else if (network->length != first->length)
		complain_word(word, "addresses of both families; write two rules");
	else
		return true;
	return false;
}

/* A network before those that are parts of it. */
static int by_network(const void *a, const void *b)
{
	const struct network *one = a, *other = b;
	int order = memcmp(one->octets, other->octets, sizeof(one->octets));

	return order ? order : (int)one->prefix - (int)other->prefix;
}

/* Is all of @inner in @outer? */
bool network_covers(const struct network *outer, struct network inner)
{
	if (inner.length != outer->length || inner.prefix < outer->prefix)
		return false;
	inner.prefix = outer->prefix;
	inner = begin_of(inner);
	return !memcmp(inner.octets, outer->octets, sizeof(inner.octets));
}

/* Two networks whose prefixes differ only in their last bit become the one that holds both. */
static bool join(struct network *one, const struct network *other)
{
	struct network both = *one;

	if (one->prefix != other->prefix || !one->prefix)
		return false;
	both.prefix--;
	both = begin_of(both);
	if (memcmp(both.octets, one->octets, sizeof(both.octets)) ||
	    !network_covers(&both, *other))
		return false;
	*one = both;
	return true;
}

/* Sorts networks, drops what is in another, joins halves. Return: how many are left. */
static size_t join_all(struct network *networks, size_t count)
{
	size_t i, made = 0;

	qsort(networks, count, sizeof(*networks), by_network);
	for (i = 0; i < count; i++) {
		if (made && network_covers(&networks[made - 1], networks[i]))
			continue;
		networks[made++] = networks[i];
		while (made > 1 && join(&networks[made - 2], &networks[made - 1]))
			made--;
	}
	return made;
}

/**
 * words_networks() - "192.0.2.0/24,198.51.100.7"
 * @words: the next one is taken
 * @set: filled in; without networks that are in another, and with two halves as one
 *
 * Return: false after a complaint.
 */
bool words_networks(struct words *words, struct network_set *set)
{
	const char *word = words_take(words, "an address as 192.0.2.0/24 or 2001:db8::/32");
	char *copy, *rest, *item;
	struct network *networks;
	size_t count = 0;
	bool good = true;

	if (!word)
		return false;
	networks = no_null(malloc((strlen(word) + 1) * sizeof(*networks)));
	copy = rest = no_null(strdup(word));
	for (; good && (item = strsep(&rest, ",")); count++)
		good = take_network(word, item, &networks[0], &networks[count]);
	count = good ? join_all(networks, count) : 0;
	if (count > NETWORKS) {
		complain_word(word, "more than %u networks; write two rules", NETWORKS);
		count = 0;
	}
	memcpy(set->networks, networks, count * sizeof(*networks));
	set->count = (unsigned int)count;
	free(copy);
	free(networks);
	return count;
}
