// SPDX-License-Identifier: GPL-2.0
/* Decimal numbers in words. */
#include <errno.h>
#include <stdlib.h>

#include "number.h"

/* Reads decimal digits up to @limit, and moves @text past them: no sign, no space, no 0x. */
bool number_read(const char **text, unsigned long limit, unsigned long *value)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*value = strtoul(*text, &end, 10);
	*text = end;
	return !errno && *value <= limit;
}

/* One number, or two with a dash between them, and nothing else. */
bool number_read_range(const char *word, unsigned long limit, unsigned long *min,
		       unsigned long *max)
{
	if (!number_read(&word, limit, min))
		return false;
	*max = *min;
	if (*word == '-') {
		word++;
		if (!number_read(&word, limit, max))
			return false;
	}
	return !*word;
}
