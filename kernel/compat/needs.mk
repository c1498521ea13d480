# SPDX-License-Identifier: GPL-2.0
# What a kernel must have. The build for a kernel that lacks some of it says what is missing.

# NAME, header, extended regular expression without commas and parentheses, since which Linux
kernel-must = $(if $(shell grep -sE '$(3)' $(srctree)/include/$(2)),,$(1) (Linux $(4)),)

kernel-lacks := $(call kernel-must,SKBFL_SHARED_FRAG,linux/skbuff.h,\<SKBFL_SHARED_FRAG\>,5.12)
kernel-lacks += $(call kernel-must,nf_defrag_ipv4_disable(),net/netfilter/ipv4/nf_defrag_ipv4.h,\<nf_defrag_ipv4_disable\>,5.13)
kernel-lacks += $(call kernel-must,struct ftrace_regs,linux/ftrace.h,\<struct ftrace_regs \*fregs,5.11)
ifneq ($(strip $(kernel-lacks)),)
$(error utf8guard is for Linux 6.1 and later; this one lacks: $(kernel-lacks) and perhaps more)
endif

# MODULES, CONFIG_...: where one of these is not set, the modules are not built, and one warning says so.
unset = $(strip $(foreach config,$(1),$(if $($(config)),,$(config))))
module-needs = $(if $(and $(need-modorder),$(call unset,$(2))),$(warning not built for this kernel: $(1), for want of $(call unset,$(2))))
