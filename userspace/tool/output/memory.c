// SPDX-License-Identifier: GPL-2.0
/* Without memory the tool ends. */
#include <stdio.h>
#include <stdlib.h>

#include "exit_status.h"
#include "memory.h"

int status_wrong = STATUS_USAGE;

/* Not by complain(), which allocates memory, too. */
void *no_null(void *pointer)
{
	if (!pointer) {
		fputs("utf8guard: out of memory\n", stderr);
		exit(status_wrong);
	}
	return pointer;
}
