// SPDX-License-Identifier: GPL-2.0
/* utf8guard.ko: init and its reverse, nothing else. */
#include <linux/module.h>
#include <linux/utf8guard.h>

MODULE_DESCRIPTION("Strict UTF-8 validation and normalization");
MODULE_LICENSE("GPL");
MODULE_VERSION(UTF8GUARD_VERSION);
