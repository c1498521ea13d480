/* SPDX-License-Identifier: GPL-2.0 */
/* Why a request makes no rule. */
#ifndef _UTF8GUARD_NF_REFUSE_H
#define _UTF8GUARD_NF_REFUSE_H

struct genl_info;

int ugnf_refuse(struct genl_info *info, int attr, const char *message);

#endif /* _UTF8GUARD_NF_REFUSE_H */
