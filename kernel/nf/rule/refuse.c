// SPDX-License-Identifier: GPL-2.0
/* Tells the user why a request makes no rule. */
#include <net/genetlink.h>

#include "refuse.h"

/* Tells what is wrong, and with which attribute, or NULL. Always returns -EINVAL. */
int ugnf_refuse_at(struct genl_info *info, const struct nlattr *attr, const char *message)
{
	/* NL_SET_ERR_MSG() takes literals only. */
	if (info->extack)
		info->extack->_msg = message;
	if (attr)
		NL_SET_BAD_ATTR(info->extack, attr);
	return -EINVAL;
}

/* The same, for an attribute by its type; it may be missing from the request. */
int ugnf_refuse(struct genl_info *info, int attr, const char *message)
{
	return ugnf_refuse_at(info, info->attrs[attr], message);
}
