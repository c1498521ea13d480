/* SPDX-License-Identifier: GPL-2.0 */
/* The netlink family of the service; netlink.c defines it. */
#ifndef _UTF8GUARD_SERVICE_FAMILY_H
#define _UTF8GUARD_SERVICE_FAMILY_H

extern struct genl_family utf8guard_nl_family;

#endif /* _UTF8GUARD_SERVICE_FAMILY_H */
