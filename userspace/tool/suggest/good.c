// SPDX-License-Identifier: GPL-2.0
/* What --good marks as good: directories, users and senders. */
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "good.h"
#include "location/mounts.h"
#include "output/output.h"
#include "status/event_line.h"
#include "words/number.h"

struct good goods[GOOD_MOST];
size_t good_count;

static bool take_user(const char *name, struct good *good)
{
	const struct passwd *user = getpwnam(name);
	unsigned long uid = 0;

	if (!user && (!number_read(&name, UINT32_MAX - 1, &uid) || *name))
		return false;
	good->kind = GOOD_USER;
	good->uid = user ? user->pw_uid : uid;
	return true;
}

bool good_take(struct words *value)
{
	static const char expected[] = "/DIRECTORY, user=NAME or from=ADDRESS";
	const char *word = words_take(value, expected);
	struct good *good = &goods[good_count];
	bool right = true;

	if (!word)
		return false;
	if (good_count == GOOD_MOST) {
		complain_word(word, "too many");
		return false;
	}
	*good = (struct good){ .kind = GOOD_DIRECTORY, .text = word };
	if (!strncmp(word, "user=", 5)) {
		right = take_user(word + 5, good);
	} else if (!strncmp(word, "from=", 5)) {
		good->kind = GOOD_SENDER;
		good->text = word + 5;
		right = event_is_address(good->text);
	} else {
		right = *word == '/';
	}
	if (!right) {
		complain_word(word, "expected %s", expected);
		return false;
	}
	good_count++;
	return true;
}

bool path_is_below(const char *path, const char *directory)
{
	size_t length = strlen(directory);

	while (length && directory[length - 1] == '/')
		length--;
	return !strncmp(path, directory, length) && (!path[length] || path[length] == '/');
}

/*
 * Is a path below a directory? It is, too, where another mount of its file system shows it there:
 * rules for names are for a file system, wherever it is mounted.
 */
bool path_is_in(const char *path, const char *directory)
{
	unsigned int major = 0, minor = 0, its_major = 0, its_minor = 0;
	char *inside, *its_inside;
	bool is_in;

	if (path_is_below(path, directory))
		return true;
	inside = mounts_inside(path, &major, &minor);
	its_inside = mounts_inside(directory, &its_major, &its_minor);
	is_in = inside && its_inside && major == its_major && minor == its_minor &&
		path_is_below(inside, its_inside);
	free(inside);
	free(its_inside);
	return is_in;
}
