// SPDX-License-Identifier: GPL-2.0
/* A name for a file that has to be called something else for a moment. */
#include <errno.h>
#include <stdio.h>
#include <sys/random.h>

#include "aside.h"

/* One that nobody else knows. Return: 0 or errno. */
int aside_name(char name[ASIDE_SIZE])
{
	unsigned long long random;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		return errno;
	snprintf(name, ASIDE_SIZE, ".utf8guard-%016llx", random);
	return 0;
}
