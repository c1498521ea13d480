#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Take away the units, the preset and the list of modules that make install has put into other
# directories than those that uninstall knows of:  remove-units.sh SYSTEMD MODULES_LOAD
#
# DESTDIR, PREFIX, LIB, SERVICES, UNITS_AS_THEY_ARE and FILL_IN, for sed, are those of the Makefile.
# What is not as install writes it now stays, with a warning. Where a service has the program of
# another PREFIX, what names no program belongs to that.

set -uo pipefail
systemd=$DESTDIR$1
modules_load=$DESTDIR$2
units=userspace/units

remove() { # WRITTEN FILE
	if sed "$FILL_IN" "$1" | cmp -s - "$2"; then
		rm "$2"
	elif [ -e "$2" ]; then
		echo "warning: $2 stays, for it is not as install writes it now" >&2
	fi
}

is_another=false
for service in $SERVICES; do
	file=$systemd/system/$service
	[ -e "$file" ] || continue
	if grep -qF -e "$PREFIX/sbin/utf8guard" -e "$LIB/" "$file"; then
		remove "$units/$service.in" "$file"
	else
		is_another=true
	fi
done
"$is_another" && exit
for unit in $UNITS_AS_THEY_ARE; do
	remove "$units/$unit" "$systemd/system/$unit"
done
remove "$units/utf8guard.preset" "$systemd/system-preset/50-utf8guard.preset"
remove "$units/modules-load.conf" "$modules_load/utf8guard.conf"
