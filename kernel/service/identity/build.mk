# SPDX-License-Identifier: GPL-2.0
# UTF8GUARD_SOURCES, for service/identity/build.h and the tool: a checksum of all sources, in those objects
# alone, so that a change compiles no others. $(src) is where kernel and include are.

utf8guard-sources := $(shell cd $(src) && find kernel include -name '*.[ch]' | LC_ALL=C sort | xargs cat | sha256sum | cut -c 1-12)
$(foreach object,service/identity/build service/netlink fs/main nf/main nf/frontend/nf_conntrack_utf8 nf/frontend/xt_utf8,$(eval \
	CFLAGS_kernel/$(object).o := -DUTF8GUARD_SOURCES='"$(utf8guard-sources)"'))
