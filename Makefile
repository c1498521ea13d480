# SPDX-License-Identifier: GPL-2.0
# utf8guard: make help

# make takes a space for the end of a name.
ifneq ($(words $(CURDIR)),1)
$(error $(CURDIR): cannot build in a directory whose path has a space)
endif

KDIR ?= /lib/modules/$(shell uname -r)/build
KERNEL ?= 6.12
KERNELS := 6.1 6.12
# What tests run on besides; scripts/vm/kernel.sh knows whence they come. Which of all of these
# run what, and why, is in scripts/test/kernels.txt.
FURTHER := 6.12-bookworm 6.12-trixie 7.2 7.3 6.12-cloud 6.12-rt
# Of arm64, emulated; for 6.1 modules are built and not run. arm64 is the 6.12 of Debian 13.
ARM64 := arm64 7.3-arm64
STOCK := $(KERNELS) $(FURTHER)
# Kernels that are built from source: what finds faults, emulated, and User-Mode Linux.
BUILT := debug kcsan uml
BUILD := build
# As many jobs as processors for the builds; the groups of tests go one by one.
JOBS = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))

.DEFAULT_GOAL := all
.PHONY: all
all: modules tools ## modules for KDIR, and the tool

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Kernels are built beside each other: each gets a copy of the sources, for
# kbuild writes its objects next to them.
define build-modules
	mkdir -p $(BUILD)/kbuild/$(1) $(BUILD)/modules/$(1)
	scripts/copy.sh $(abspath $(BUILD)/kbuild/$(1)) Kbuild kernel include
	+scripts/kbuild.sh $(2) $(JOBS) M=$(abspath $(BUILD)/kbuild/$(1)) W=1 modules
	cp -u $(BUILD)/kbuild/$(1)/*.ko $(BUILD)/modules/$(1)
endef

# As the modules will be called for, which is not what Debian's kernelrelease says.
RELEASE = $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' $(KDIR)/include/generated/utsrelease.h 2>/dev/null)

.PHONY: modules
modules: ## the modules against KDIR (the running kernel's headers)
	@test -e $(KDIR)/Makefile || { echo "$(KDIR): no kernel headers there; apt-get install linux-headers-$$(uname -r), or give KDIR=" >&2; exit 1; }
	$(call build-modules,$(RELEASE),$(KDIR))

# What only the suites on stock kernels load: build/modules/RELEASE/test.
TEST_KBUILD = $(BUILD)/kbuild/$(RELEASE)-test
.PHONY: test-modules
test-modules: modules
	mkdir -p $(TEST_KBUILD) $(BUILD)/modules/$(RELEASE)/test
	cp -au userspace/tests/vm/module/. $(TEST_KBUILD)
	userspace/tests/example.sh userspace/man/utf8guard.9 module >$(TEST_KBUILD)/utf8guard_example.c
	+scripts/kbuild.sh $(KDIR) M=$(abspath $(TEST_KBUILD)) W=1 modules \
		KBUILD_EXTRA_SYMBOLS=$(abspath $(BUILD)/kbuild/$(RELEASE)/Module.symvers)
	cp -u $(TEST_KBUILD)/*.ko $(BUILD)/modules/$(RELEASE)/test

# One target a stock kernel: modules-6.1, modules-7.3...; its headers are fetched.
BUILT_FOR := $(STOCK) $(ARM64) 6.1-arm64 $(BUILT)
.PHONY: $(BUILT_FOR:%=modules-%)
$(BUILT_FOR:%=modules-%): modules-%:
	set -e; set -- $$(scripts/vm/kernel.sh $*); \
	$(MAKE) modules test-modules KDIR=$$2/usr/src/linux-headers-$$1

.PHONY: modules-all
modules-all: $(KERNELS:%=modules-%) ## the modules against the kernels of the benchmarks

.PHONY: tools
tools: ## the tool, build/utf8guard, and the extension of iptables
	+$(MAKE) $(JOBS) -C userspace tools

# The same for the guests of that architecture: build/arm64.
.PHONY: tools-arm64
tools-arm64:
	+scripts/tools.sh arm64 $(JOBS) tools
tools-for = $(if $(filter %arm64,$(1)),tools-arm64,tools)

.PHONY: demo
demo: ## see it work, on a stock kernel in QEMU (KERNEL=6.12, 6.1, arm64)
	@scripts/deps.sh demo $(if $(filter %arm64,$(KERNEL)),arm64)
	+@scripts/demo/start.sh $(KERNEL)

.PHONY: vm
vm: ## a shell on a stock kernel in QEMU, the modules at hand (KERNEL=)
	@scripts/deps.sh vm $(if $(filter %arm64,$(KERNEL)),arm64)
	+@$(MAKE) modules-$(KERNEL) $(call tools-for,$(KERNEL))
	@scripts/vm/run.sh -k $(KERNEL) -i

FOR ?= build demo test
.PHONY: deps
deps: ## install what is missing for FOR="build vm demo test bench lint"
	@scripts/deps.sh $(FOR)

# Below DESTDIR where it is given, for packages; then depmod is theirs to run.
PREFIX ?= /usr/local
COMPLETIONS = $(PREFIX)/share/bash-completion/completions
# Those of other shells ask that of bash.
ZSH = $(PREFIX)/share/zsh/site-functions/_utf8guard
FISH = $(PREFIX)/share/fish/vendor_completions.d/utf8guard.fish
MAN = $(PREFIX)/share/man
DOC = $(PREFIX)/share/doc/utf8guard
SYSTEMD = $(PREFIX)/lib/systemd
UNITS = $(SYSTEMD)/system
SERVICES = utf8guard.service utf8guard-follow.service utf8guard-check.service utf8guard-metrics.service
# Units that name no program of ours.
UNITS_AS_THEY_ARE = utf8guard-required.target utf8guard-required.service utf8guard-check.timer utf8guard-metrics.timer
# What runs on or comes again. To stop the target would stop what requires it, too.
UNITS_TO_STOP = utf8guard-check.timer utf8guard-metrics.timer utf8guard-follow.service utf8guard-metrics.service
# What these last found out: it would be shown on, as if it were so.
FOUND_OUT = /var/lib/prometheus/node-exporter/utf8guard.prom /run/utf8guard/check
PRESET = $(SYSTEMD)/system-preset/50-utf8guard.preset
LIB = $(PREFIX)/lib/utf8guard
# The schema of JSON, and what other hosts need of these: alerts, a dashboard, a role, a DaemonSet.
SHARE = $(PREFIX)/share/utf8guard
FLEET = utf8guard.rules.yml utf8guard.dashboard.json daemonset.yml
ROLE = $(shell cd userspace/fleet && find ansible -type f)
MODULES_LOAD = $(PREFIX)/lib/modules-load.d
PAGES = utf8guard.8 xt_utf8.8 nf_conntrack_utf8.8
# All that install puts below PREFIX.
INSTALLED = $(PREFIX)/sbin/utf8guard $(COMPLETIONS)/utf8guard $(ZSH) $(FISH) $(SERVICES:%=$(UNITS)/%) \
	$(UNITS_AS_THEY_ARE:%=$(UNITS)/%) $(PRESET) \
	$(MODULES_LOAD)/utf8guard.conf $(MAN)/man5/utf8guard.conf.5 $(PAGES:%=$(MAN)/man8/%) \
	$(MAN)/man9/utf8guard.9
MODULES_DIR = updates/utf8guard
TREES = $(DESTDIR)/lib/modules
# Where iptables looks for extensions is not for us to choose.
XTABLES = $(shell pkg-config --variable=xtlibdir xtables 2>/dev/null)

.PHONY: install
install: install-modules install-tools ## install modules and tool (DESTDIR=, PREFIX=/usr/local)
	$(if $(DESTDIR),,umask 022 && depmod $(RELEASE))
	@echo "At boot from now on: the modules utf8guard_fs, which audits names and refuses none, and utf8guard_nf,"
	@echo "which does nothing without rules ($(MODULES_LOAD)/utf8guard.conf). No service was enabled:"
	@echo "  systemctl enable utf8guard          loads /etc/utf8guard.conf before the network"
	@echo "  systemctl enable utf8guard-follow   puts rules on file systems that are mounted anew"
	@echo "  systemctl enable utf8guard-check.timer       looks now and then whether that policy is in force"
	@echo "  systemctl enable utf8guard-required.target   no network unless it is"
	@echo "  systemctl enable utf8guard-metrics.timer     metrics for the node exporter of Prometheus"

# In the directory of the headers, a relative DESTDIR would be another one.
.PHONY: install-modules
install-modules: modules
	+umask 022 && $(MAKE) -C $(KDIR) M=$(abspath $(BUILD)/kbuild/$(RELEASE)) \
		INSTALL_MOD_PATH=$(if $(DESTDIR),$(abspath $(DESTDIR))) INSTALL_MOD_DIR=$(MODULES_DIR) DEPMOD=true modules_install
	@# They have the modes of those in the build, which were made by anybody's umask.
	chmod -R go=rX $(DESTDIR)/lib/modules/$(RELEASE)/$(MODULES_DIR)

# A file that names places, by its MODE, SOURCE and place. It is filled in where it was put: what lies in
# the build would be shared by two who install at once, each with a PREFIX of its own.
FILL_IN = 's,@SBIN@,$(PREFIX)/sbin,; s,@LIB@,$(LIB),; s,@COMPLETION@,$(COMPLETIONS)/utf8guard,'
define install-filled-in
	install -D -m $(1) $(2) $(DESTDIR)$(3)
	sed -i $(FILL_IN) $(DESTDIR)$(3)

endef

# The initramfs mounts / and /usr. systemd looks for units, and for modules to load, before it mounts more.
define warn-of-mount
	@for early in $(UNITS) $(MODULES_LOAD); do \
		mount=$$(stat -c %m $(DESTDIR)$$early); \
		[ "$$mount" = "$$(stat -c %m $(DESTDIR)/)" ] || [ "$$mount" = "$$(stat -c %m $(DESTDIR)/usr 2>/dev/null)" ] || { \
			echo "warning: $$early is on a mount of its own, which systemd mounts after it has looked there. So that"; \
			echo "it finds what is there at boot: make install SYSTEMD=/etc/systemd MODULES_LOAD=/etc/modules-load.d"; \
		} >&2; \
	done
endef

# What packages take, whose modules dkms builds.
.PHONY: install-tools
install-tools: tools
	install -D -m 755 $(BUILD)/utf8guard $(DESTDIR)$(PREFIX)/sbin/utf8guard
	$(if $(XTABLES),install -D -m 644 $(BUILD)/libxt_utf8.so $(DESTDIR)$(XTABLES)/libxt_utf8.so)
	install -D -m 644 -t $(DESTDIR)$(MAN)/man5 userspace/man/utf8guard.conf.5
	install -D -m 644 -t $(DESTDIR)$(MAN)/man8 $(PAGES:%=userspace/man/%)
	install -D -m 644 -t $(DESTDIR)$(MAN)/man9 userspace/man/utf8guard.9
	install -D -m 644 -t $(DESTDIR)$(SHARE) userspace/man/utf8guard.schema.json
	install -D -m 644 -t $(DESTDIR)$(COMPLETIONS) userspace/completion/utf8guard
	$(call install-filled-in,644,userspace/completion/utf8guard.zsh.in,$(ZSH))
	$(call install-filled-in,644,userspace/completion/utf8guard.fish.in,$(FISH))
	install -D -m 644 -t $(DESTDIR)$(DOC)/examples userspace/units/utf8guard.conf
	install -D -m 644 -t $(DESTDIR)$(DOC) userspace/man/CHANGES.md
	install -D -m 644 userspace/units/modules-load.conf $(DESTDIR)$(MODULES_LOAD)/utf8guard.conf
	install -D -m 644 -t $(DESTDIR)$(UNITS) $(UNITS_AS_THEY_ARE:%=userspace/units/%)
	install -D -m 644 userspace/units/utf8guard.preset $(DESTDIR)$(PRESET)
	$(foreach service,$(SERVICES),$(call install-filled-in,644,userspace/units/$(service).in,$(UNITS)/$(service)))
	$(call install-filled-in,755,userspace/fleet/textfile.in,$(LIB)/textfile)
	install -D -m 644 -t $(DESTDIR)$(SHARE) $(FLEET:%=userspace/fleet/%)
	$(foreach file,$(ROLE),install -D -m 644 userspace/fleet/$(file) $(DESTDIR)$(SHARE)/$(file) &&) :
	$(warn-of-mount)

# Units are there, too, if install was told SYSTEMD=/etc/systemd MODULES_LOAD=/etc/modules-load.d, or was not and
# uninstall is. Without their program they would win against those of a package. What somebody has changed is his.
define remove-elsewhere
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' LIB='$(LIB)' SERVICES='$(SERVICES)' FILL_IN=$(FILL_IN) \
		UNITS_AS_THEY_ARE='$(UNITS_AS_THEY_ARE)' scripts/packaging/remove-units.sh $(1) $(2)

endef

# Where packages have their units. What uninstall takes away may be there, too, by PREFIX=/usr.
PACKAGED = /usr/lib/systemd/system /lib/systemd/system
PACKAGED_UNIT = $(firstword $(filter-out $(realpath $(UNITS)/utf8guard.service), \
	$(realpath $(PACKAGED:%=%/utf8guard.service))))
define leave-units
	@echo "The units stay enabled as they are, for those of the package remain: $(PACKAGED_UNIT)"
endef
define disable-units
	@# A timer would go on, find no policy in force, and do what its service has as FailureAction=.
	systemctl disable --now $(UNITS_TO_STOP) 2>/dev/null || :
	@# What waits for a unit that is not there does not start, and that may be the network.
	systemctl disable $(SERVICES) $(UNITS_AS_THEY_ARE) 2>/dev/null || :
	rm -f $(FOUND_OUT)
endef

# Rules with "-m utf8", as packages look for them: in files that are loaded at boot, and in force.
FIREWALLS = /etc/iptables/rules.* /etc/ufw/*.rules /etc/sysconfig/ip*tables
XT_USES = /sys/module/xt_utf8/refcnt
EXTENSION = $(DESTDIR)$(XTABLES)/libxt_utf8.so
define remove-extension
	@# A package has it in the same directory.
	@if [ -z "$(DESTDIR)" ] && { dpkg-query -S $(EXTENSION) || rpm -qf $(EXTENSION); } >/dev/null 2>&1; then \
		echo "The extension of iptables stays, for it is that of a package: $(EXTENSION)"; \
		exit; \
	fi; \
	if [ -z "$(DESTDIR)" ] && [ -e $(EXTENSION) ]; then \
		grep -lsE '^([^#].*)?(-m|--match) +utf8' $(FIREWALLS) | while read -r file; do \
			echo "warning: without the extension of iptables, nothing of $$file is loaded, unless its rules for UTF-8 go, too"; \
		done; \
		[ "$$(cat $(XT_USES) 2>/dev/null || echo 0)" = 0 ] || { \
			echo "warning: rules with \"-m utf8\" are in force; without the extension, iptables-save fails, and writes"; \
			echo "nothing of what comes after the first of them: delete these rules, or save none"; \
		}; \
	fi >&2; \
	rm -f $(EXTENSION)
endef

.PHONY: uninstall
uninstall: ## take away what install put there; unload the modules first
	$(if $(DESTDIR),,$(if $(PACKAGED_UNIT),$(leave-units),$(disable-units)))
	@# Of all kernels, also those whose headers are gone.
	for modules in $(TREES)/*/$(MODULES_DIR); do \
		[ -e "$$modules" ] || continue; \
		rm -rf "$$modules"; \
		kernel=$${modules#$(TREES)/}; \
		[ "$(DESTDIR)" ] || (umask 022 && depmod "$${kernel%/$(MODULES_DIR)}"); \
	done
	$(if $(XTABLES),$(remove-extension))
	rm -rf $(DESTDIR)$(DOC) $(DESTDIR)$(LIB) $(DESTDIR)$(SHARE)
	rm -f $(addprefix $(DESTDIR),$(INSTALLED))
	$(call remove-elsewhere,/etc/systemd,/etc/modules-load.d)
	$(call remove-elsewhere,$(PREFIX)/lib/systemd,$(PREFIX)/lib/modules-load.d)
	$(if $(DESTDIR),,systemctl daemon-reload 2>/dev/null || :)

# Packages, of what is committed.
DEBIANS ?= bookworm trixie
.PHONY: dist deb rpm
dist: ## the archive of the source, of HEAD: build/utf8guard-VERSION.tar.xz
	@scripts/packaging/dist.sh $(BUILD)

deb: ## packages of Debian in build/deb, for 12 and 13 (DEBIANS="bookworm trixie")
	@scripts/deps.sh package
	@scripts/packaging/deb.sh $(DEBIANS)

rpm: ## packages for systems with RPM, in build/rpm
	@scripts/deps.sh rpm
	@scripts/packaging/rpm.sh

# Tests: programs that speak TAP. scripts/test/run.pl runs them in groups, each of
# which stands alone, and sums up. SUITES="names packets" are the only ones to run; with RESUME=1, what
# was green in a run that was broken off is not run again.
RUN := scripts/test/run.pl
# The modules for the kernels of a column of scripts/test/kernels.txt. While one kernel is fetched, or
# its modules are linked, those of another are compiled.
define build-matrix
	scripts/deps.sh test
	+set -e; kernels=$$($(RUN) --kernels $(1)); $(MAKE) $(JOBS) test-programs $$(printf 'modules-%s\n' $$kernels)
endef

.PHONY: test
test: ## installs what it needs, then host, KUnit and VM tests: every suite on Debian's stable kernel, some on others
	$(call build-matrix,test)
	$(RUN) host kunit matrix:test

.PHONY: test-quick
test-quick: ## host, KUnit, and the payload suites in User-Mode Linux with KASAN; for whoever changes a line
	$(call build-matrix,quick)
	$(RUN) host:quick kunit matrix:quick

.PHONY: test-all
test-all: ## all that scripts/test/kernels.txt has for ten kernels, and the packages; hours
	$(call build-matrix,all)
	+$(MAKE) modules-6.1-arm64 tools-arm64 tests-arm64
	$(package-programs)
	$(UPSTREAM)
	$(RUN) host arm64 kunit matrix:all packages:all upstream

# The packages in booted Debians; dkms builds between the boots, at the speed of this machine.
define package-programs
	scripts/deps.sh package rpm
	+$(MAKE) modules-6.12
	+$(MAKE) -C userspace test-packages
endef
.PHONY: test-packages
test-packages: ## packages on a Debian 12 and 13 that boot: upgrades, another kernel, Secure Boot, removal
	$(package-programs)
	$(RUN) packages

# Fetched into the cache, and linked from the build.
UPSTREAM = scripts/test/upstream.sh $(BUILD)/upstream selftests git rsync tar
.PHONY: test-upstream
test-upstream: modules-uml modules-6.12 tools ## tests of other projects beside ours: of netfilter, git, rsync, tar
	scripts/deps.sh test
	$(UPSTREAM)
	$(RUN) upstream

# All that the tests of this machine and of the guests have to find built.
.PHONY: test-programs
test-programs: tools $(BUILD)/ynl
	+$(MAKE) $(JOBS) -C userspace tests
	+$(MAKE) -s $(JOBS) -C userspace/tests/fuzz

.PHONY: test-host
test-host: test-programs ## codec and tool on this machine
	$(RUN) host

.PHONY: test-arm64-host tests-arm64
test-arm64-host: tests-arm64 ## tests of codec and streams, compiled for arm64 and emulated
	$(RUN) arm64
tests-arm64:
	scripts/deps.sh test arm64
	+scripts/tools.sh arm64 $(JOBS) emulated-tests

.PHONY: test-kunit
test-kunit: ## the KUnit suites in User-Mode Linux
	$(RUN) kunit

.PHONY: test-vm
test-vm: ## the modules on stock kernels in QEMU, as make test has them
	$(call build-matrix,test)
	$(RUN) matrix:test

.PHONY: $(STOCK:%=test-vm-%) $(BUILT:%=test-vm-%)
$(STOCK:%=test-vm-%) $(BUILT:%=test-vm-%): test-vm-%: modules-% tools $(BUILD)/ynl
	$(RUN) vm:$*

# Emulated twice as slowly: of the suites those that scripts/test/kernels.txt has.
.PHONY: $(ARM64:%=test-vm-%)
$(ARM64:%=test-vm-%): test-vm-%: modules-% tools-arm64 $(BUILD)/ynl
	$(RUN) vm:$*

.PHONY: test-debug
test-debug: modules-debug modules-uml tools $(BUILD)/ynl ## every suite on a kernel that finds faults (KASAN, lockdep...); builds two, once; hours
	$(RUN) debug

.PHONY: test-kcsan
test-kcsan: test-vm-kcsan ## what scripts/test/kernels.txt has for a kernel that finds data races (KCSAN); builds it, once

# The kernel's own client of netlink specs; empty where its source is not there.
KERNEL_SOURCE = /usr/src/linux-source-6.12.tar.xz
$(BUILD)/ynl: $(wildcard $(KERNEL_SOURCE))
	rm -rf $@ && mkdir -p $@
	$(if $^,tar -C $@ --strip-components=1 -I 'xz -T0' -xf $< linux-source-6.12/tools/net/ynl \
		linux-source-6.12/Documentation/netlink)
	touch $@

# Targets are the programs of userspace/tests/fuzz.
FUZZ := userspace/tests/fuzz/fuzz.sh
SECONDS := 60
.PHONY: fuzz fuzz-coverage
fuzz: ## fuzz TARGET="engines scopes", or all, for SECONDS=60 each; KIND=unwatched without sanitizers
	scripts/deps.sh fuzz
	+$(MAKE) -s $(JOBS) -C userspace/tests/fuzz KIND=$(or $(KIND),libfuzzer)
	$(FUZZ) run $(SECONDS) $(TARGET)

fuzz-coverage: ## what of the code the inputs run that are kept for fuzz targets
	scripts/deps.sh fuzz
	+$(MAKE) -s $(JOBS) -C userspace/tests/fuzz KIND=coverage
	$(FUZZ) coverage $(TARGET)

# FILES are sources; all hand-written ones with a judge (scripts/test/mutants.txt), where none are given. Judges in
# guests are asked with VM=1 alone, and of the sources that have some.
MUTANTS := 30
.PHONY: mutants
mutants: test-programs ## break one thing at a time, MUTANTS=30 of thousands: does a test notice? VM=1: guests are asked, too
	scripts/test/mutants.py $(if $(VM),--vm) -n $(MUTANTS) -s $(or $(SEED),1) $(FILES)

# STEPS="host uml compare" are the only ones to run.
.PHONY: coverage
coverage: ## which functions no test enters here and in User-Mode Linux (gcov), beside the list of those that may be
	scripts/deps.sh test
	scripts/test/coverage/coverage.sh $(STEPS)

.PHONY: lint lint-all
lint: ## W=1, sparse, checkpatch, coccinelle, cppcheck, clang-tidy, -fanalyzer, shellcheck, the stack: of what has changed
	scripts/deps.sh lint
	scripts/lint/lint.sh $(STEPS)

lint-all: ## the same, of all
	scripts/deps.sh lint
	scripts/lint/lint.sh --all $(STEPS)

.PHONY: promises
promises: ## userspace/tests/PROMISES.md, of what tests promise and what their last run said
	scripts/lint/promises.py --figures

.PHONY: netlink
netlink: ## regenerate the netlink headers from include/netlink/*.yaml
	scripts/netlink.sh

# What bench runs, of PARTS (userspace/bench/run.py -h has them; all, if empty).
BENCH := userspace/bench/run.py $(KERNELS:%=--kernel %)
BENCH_PROGRAMS := $(addprefix $(abspath $(BUILD))/bench/,validate normalize names packets inject)
.PHONY: bench-programs
bench-programs:
	scripts/deps.sh bench
	userspace/bench/peers.sh $(BUILD)/bench
	+$(MAKE) $(JOBS) -C userspace $(BENCH_PROGRAMS) BUILD=$(abspath $(BUILD))

.PHONY: bench
bench: bench-programs modules-all tools ## all benchmarks, or PARTS="names packets"; the report is build/bench/report.md
	scripts/deps.sh vm test
	$(BENCH) $(PARTS)

.PHONY: bench-quick
bench-quick: bench-programs ## validation and normalization beside their peers, on this machine
	$(BENCH) --quick

.PHONY: bench-compare
bench-compare: bench-programs ## the codec of this tree beside that of the commit BASE=
	userspace/bench/compare.py $(BASE)

.PHONY: bench-dispatch
bench-dispatch: ## the kernel's choice of an engine, with thunks and saved registers, beside the engines
	+$(MAKE) -C userspace $(abspath $(BUILD))/bench/dispatch BUILD=$(abspath $(BUILD))
	$(BUILD)/bench/dispatch | column -t -s '	'

.PHONY: bench-reordering
bench-reordering: modules-all tools ## streams where the network reorders and loses, beside packets judged alone
	set -e; for k in $(KERNELS); do scripts/vm/run.sh -t 900 -k $$k -- userspace/bench/reordering.sh; done

UCD_FILES := UnicodeData.txt DerivedNormalizationProps.txt PropList.txt DerivedCoreProperties.txt
.PHONY: ucd tables tables-classes tables-normalization
ucd:
	@for file in $(UCD_FILES); do test -e "$(UCD)/$$file" || { \
		echo "$$file is not in UCD=$(UCD)" >&2; \
		echo "UCD=DIR has to be a directory with $(UCD_FILES), from https://www.unicode.org/Public/" >&2; exit 1; }; done

tables: tables-classes tables-normalization ## regenerate the Unicode tables from the UCD in UCD=DIR

tables-classes: ucd
	@mkdir -p $(BUILD)
	/usr/bin/python3 scripts/tables/classes.py $(UCD) > $(BUILD)/classes_table.c
	mv $(BUILD)/classes_table.c kernel/codec/classes_table.c

tables-normalization: ucd
	scripts/tables/normalization.py $(UCD) kernel/codec/normalization

.PHONY: clean
clean: ## delete all that was built; downloads and kernels stay in the cache
	rm -rf $(BUILD)
