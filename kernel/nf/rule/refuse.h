/* SPDX-License-Identifier: GPL-2.0 */
/* Why a request makes no rule. */
#ifndef _UTF8GUARD_NF_REFUSE_H
#define _UTF8GUARD_NF_REFUSE_H

struct genl_info;
struct nlattr;

int ugnf_refuse_at(struct genl_info *info, const struct nlattr *attr, const char *message);
int ugnf_refuse(struct genl_info *info, int attr, const char *message);

#endif /* _UTF8GUARD_NF_REFUSE_H */
