/* SPDX-License-Identifier: GPL-2.0 */
/* A process that does what may take for ever. */
#ifndef UTF8GUARD_TOOL_CHILD_H
#define UTF8GUARD_TOOL_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct child - a process that answers questions
 * @channel: a socket of packets to it; -1 where none is asked
 * @pid: the last one, as long as it may be there; 0 is none
 */
struct child {
	int channel;
	pid_t pid;
};

int child_start(struct child *child, void (*serve)(int from));
bool child_has_ended(struct child *child);
bool child_answers(const struct child *child, int milliseconds);
void child_give_up(struct child *child);

#endif /* UTF8GUARD_TOOL_CHILD_H */
