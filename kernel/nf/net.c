// SPDX-License-Identifier: GPL-2.0
/* Finds the payload check of a network namespace. */
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "net.h"

unsigned int ugnf_net_id __read_mostly;

/* Any context; there is one from the init of the namespace to its exit. */
struct ugnf_net *ugnf_net_of(struct net *net)
{
	return net_generic(net, ugnf_net_id);
}
