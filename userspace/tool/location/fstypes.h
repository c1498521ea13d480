/* SPDX-License-Identifier: GPL-2.0 */
/* Types of file systems: those that there are, and those that could be. */
#ifndef UTF8GUARD_TOOL_FSTYPES_H
#define UTF8GUARD_TOOL_FSTYPES_H

/**
 * enum fstype_state - what the kernel has of a type
 * @FSTYPE_KNOWN: it knows it, or nobody can tell
 * @FSTYPE_LOADABLE: a module for it can be loaded
 * @FSTYPE_UNKNOWN: neither
 */
enum fstype_state {
	FSTYPE_KNOWN,
	FSTYPE_LOADABLE,
	FSTYPE_UNKNOWN,
};

enum fstype_state fstypes_state(const char *type);

#endif /* UTF8GUARD_TOOL_FSTYPES_H */
