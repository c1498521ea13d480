#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Take drivers away that an emulated machine has no use for:  slim.sh ROOT
#
# depmod reads all modules of a kernel whenever dkms installs or removes one. In the emulator,
# all of them would take it minutes.

set -euo pipefail
for dir in "$1"/lib/modules/*/; do
	find "$dir"kernel/{drivers,sound} -name '*.ko*' ! -path '*/drivers/virtio/*' ! -path '*/drivers/block/*' \
		! -path '*/drivers/net/dummy.ko*' ! -path '*/drivers/cdrom/*' -delete
	depmod -b "$1" "$(basename "$dir")"
done
