/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A run is a sequence of octets that mean nothing to the framing of a protocol. Its end is
 * found eight octets at a time. In a piece shorter than UGNF_RUN_MIN that does not pay, so a
 * parser goes octet by octet there.
 */
#ifndef _UTF8GUARD_NF_RUN_H
#define _UTF8GUARD_NF_RUN_H

#include <linux/utf8guard.h>

/* The shortest piece of a packet in which a run is looked for. */
#define UGNF_RUN_MIN 8

u32 ugnf_run_target(const u8 *data, u32 len, u8 end);
u32 ugnf_run_value(const u8 *data, u32 len);
u32 ugnf_run_line(const u8 *data, u32 len);

#endif /* _UTF8GUARD_NF_RUN_H */
