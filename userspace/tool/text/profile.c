// SPDX-License-Identifier: GPL-2.0
/* Profiles: names for sets of what a policy refuses. */
#include <string.h>

#include "profile.h"

#define BIT_OF(class) UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_##class)
/* What misleads people who read a name, or breaks programs that parse a list of names. */
#define SAFE (BIT_OF(CONTROL) | BIT_OF(NEWLINE) | BIT_OF(BIDI) |		\
	      BIT_OF(EDGE_SPACE) | BIT_OF(NONCHARACTER))

const struct profile profiles[] = {
	{ "utf8", 0, -1 },
	{ "safe", SAFE, -1 },
	/* Forms are stable for assigned code points only: UAX #15 section 3. */
	{ "portable-nfc", SAFE | BIT_OF(UNASSIGNED), UTF8GUARD_FORM_NFC },
	{ NULL, 0, -1 },
};

/* The profile that the first @length octets of @word name, or NULL. */
const struct profile *profile_find(const char *word, size_t length)
{
	const struct profile *profile;

	for (profile = profiles; profile->name; profile++)
		if (strlen(profile->name) == length &&
		    !memcmp(profile->name, word, length))
			return profile;
	return NULL;
}
