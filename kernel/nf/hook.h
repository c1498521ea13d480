/* SPDX-License-Identifier: GPL-2.0 */
/* The netfilter hooks that rules are asked at. */
#ifndef _UTF8GUARD_NF_HOOK_H
#define _UTF8GUARD_NF_HOOK_H

#include "../service/ruleset_types.h"

struct net;

unsigned long ugnf_hooks_of_streams(const struct utf8guard_policy *policy);
int ugnf_hooks_add(struct net *net, const struct utf8guard_policy *policy);
void ugnf_hooks_undo(struct net *net, unsigned long had, bool tracked);
void ugnf_hooks_trim(struct net *net, const struct utf8guard_policy *policy);
void ugnf_hooks_remove(struct net *net);

#endif /* _UTF8GUARD_NF_HOOK_H */
