// SPDX-License-Identifier: GPL-2.0
/* Memory, or the end. */
#include <stdio.h>
#include <stdlib.h>

#include "exit_status.h"
#include "memory.h"

/* Without memory, no complaint could be made as others are. */
void *no_null(void *pointer)
{
	if (!pointer) {
		fputs("utf8guard: out of memory\n", stderr);
		exit(STATUS_USAGE);
	}
	return pointer;
}
