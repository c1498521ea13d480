// SPDX-License-Identifier: GPL-2.0
/* Why a request makes no rule. */
#include <net/genetlink.h>

#include "refuse.h"

/* Tell why not, and of which attribute; always -EINVAL. */
int ugnf_refuse(struct genl_info *info, int attr, const char *message)
{
	/* NL_SET_ERR_MSG() takes literals only. */
	if (info->extack)
		info->extack->_msg = message;
	if (info->attrs[attr])
		NL_SET_BAD_ATTR(info->extack, info->attrs[attr]);
	return -EINVAL;
}
