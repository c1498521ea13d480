/* SPDX-License-Identifier: GPL-2.0 */
/* What the tool's exit status says; the manual has the list, too. */
#ifndef UTF8GUARD_TOOL_EXIT_STATUS_H
#define UTF8GUARD_TOOL_EXIT_STATUS_H

enum status {
	STATUS_DONE = 0,
	STATUS_NO = 1,		/* a negative answer */
	STATUS_USAGE = 2,	/* wrong words, unreadable input, output that failed */
	STATUS_REFUSED = 3,	/* the kernel said no */
	STATUS_ABSENT = 4,	/* no module, or no netlink */
};

/* STATUS_USAGE; or what a command has in its place, as a plugin of monitoring does. */
extern int status_wrong;

#endif /* UTF8GUARD_TOOL_EXIT_STATUS_H */
