# SPDX-License-Identifier: GPL-2.0
# utf8guard: make help

KDIR ?= /lib/modules/$(shell uname -r)/build
KERNEL ?= 6.12
KERNELS := 6.1 6.12
BUILD := build

.DEFAULT_GOAL := all
.PHONY: all
all: modules tools ## modules for KDIR, and the tool

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Kernels are built beside each other: each gets a copy of the sources, for
# kbuild writes its objects next to them.
define build-modules
	mkdir -p $(BUILD)/kbuild/$(1) $(BUILD)/modules/$(1)
	cp -au Kbuild kernel include $(BUILD)/kbuild/$(1)
	+$(MAKE) -C $(2) M=$(abspath $(BUILD)/kbuild/$(1)) W=1 modules
	cp -u $(BUILD)/kbuild/$(1)/*.ko $(BUILD)/modules/$(1)
endef

.PHONY: modules
modules: ## the modules against KDIR (the running kernel's headers)
	@test -e $(KDIR)/Makefile || { echo "$(KDIR): no kernel headers there; apt-get install linux-headers-$$(uname -r), or give KDIR=" >&2; exit 1; }
	$(call build-modules,$(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' $(KDIR)/include/generated/utsrelease.h),$(KDIR))

# One target a stock kernel: modules-6.1, modules-6.12; its headers are fetched.
.PHONY: $(KERNELS:%=modules-%)
$(KERNELS:%=modules-%): modules-%:
	set -e; set -- $$(scripts/vm/kernel.sh $*); \
	$(MAKE) modules KDIR=$$2/usr/src/linux-headers-$$1

.PHONY: modules-all
modules-all: $(KERNELS:%=modules-%) ## the modules against both stock Debian kernels

.PHONY: tools
tools: ## the tool, build/utf8guard
	+$(MAKE) -C userspace tools

.PHONY: demo
demo: ## see it work, on a stock kernel in QEMU (KERNEL=6.12 or 6.1)
	@scripts/deps.sh demo
	+@scripts/demo/start.sh $(KERNEL)

.PHONY: vm
vm: ## a shell on a stock kernel in QEMU, the modules at hand (KERNEL=)
	@scripts/deps.sh vm
	+@$(MAKE) modules-$(KERNEL) tools
	@scripts/vm/run.sh -k $(KERNEL) -i

FOR ?= build demo test
.PHONY: deps
deps: ## install what is missing for FOR="build vm demo test lint"
	@scripts/deps.sh $(FOR)

.PHONY: netlink
netlink: ## regenerate the netlink headers from include/netlink/*.yaml
	scripts/netlink.sh

.PHONY: clean
clean: ## delete all that was built; downloads and kernels stay in the cache
	rm -rf $(BUILD)
