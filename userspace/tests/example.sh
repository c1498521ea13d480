#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The examples of a manual page, to be carried out: example.sh PAGE NAME prints
# the literal text after each line '.\" example: NAME'.

sed -n '/^\.\\" example: '"$2"'$/,/^\.Ed$/p' "$1" | sed '/^\./d; s/\\e/\\/g'
