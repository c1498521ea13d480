# SPDX-License-Identifier: GPL-2.0
# Defines KERNEL_HAS_NAME for what the headers of a kernel have and the preprocessor cannot see.

# NAME, header, extended regular expression without commas and parentheses
kernel-has = $(if $(shell grep -sE '$(3)' $(srctree)/include/$(2)),-DKERNEL_HAS_$(1))

# Since 6.13: namespaces of symbols are strings.
compat-flags := $(call kernel-has,NAMESPACE_STRINGS,linux/module.h,MODULE_INFO.import_ns. ns.$$)
# Since 6.19: the state of an inode is read by functions.
compat-flags += $(call kernel-has,INODE_STATE_READ,linux/fs.h,\<inode_state_read_once\>)
# Until 7.2: a helper has ports.
compat-flags += $(call kernel-has,HELPER_PORTS,net/netfilter/nf_conntrack_helper.h,u16 default_port)
# Since 7.2: the kernel registers copies of the helpers.
compat-flags += $(call kernel-has,HELPER_COPIES,net/netfilter/nf_conntrack_helper.h,helpers_unregister.struct nf_conntrack_helper \*\*)
# Since 6.2: functions read the registers at the entry of a traced function.
compat-flags += $(call kernel-has,FTRACE_ARGUMENTS,linux/ftrace.h,\<ftrace_regs_has_args\>)
# Since 6.17: the queue of no processor has another name; the old one warns since 7.3.
compat-flags += $(call kernel-has,WQ_DFL,linux/workqueue.h,\<system_dfl_wq\>)
# Since 6.11: a time of delivery is by one of two clocks.
compat-flags += $(call kernel-has,TSTAMP_TYPE,linux/skbuff.h,tstamp_type:2)
# Since 6.19: on arm64, the caller gives the memory for registers that are saved for its sake.
compat-flags += $(call kernel-has,NEON_STATE,../arch/arm64/include/asm/neon.h,kernel_neon_begin.struct user_fpsimd_state)
# Until 6.12: a number stands for the label of a process. Of 7.x: any of several security modules has one.
compat-flags += $(call kernel-has,SECID,linux/security.h,\<security_current_getsecid_subj\>)
compat-flags += $(call kernel-has,LSM_PROPERTIES,linux/security.h,^[[:space:]]+int lsmid.;)
# Since 6.2: an operation is split into what it does for one and for all.
compat-flags += $(call kernel-has,SPLIT_OPS,net/genetlink.h,^struct genl_split_ops )
# Since 6.8: who sends a message chooses among the members of its group.
compat-flags += $(call kernel-has,MULTICAST_FILTER,net/genetlink.h,\<genlmsg_multicast_netns_filtered\>)
