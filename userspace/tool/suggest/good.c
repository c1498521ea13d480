// SPDX-License-Identifier: GPL-2.0
/* What --good marks as good: directories, users and senders. */
#include <arpa/inet.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "good.h"
#include "location/mounts.h"
#include "output/output.h"
#include "words/number.h"

struct good goods[GOOD_MOST];
size_t good_count;
static size_t user_count;

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

/* As the kernel writes it: events have that spelling. */
static bool take_sender(const char *text, struct good *good)
{
	const int family = strchr(text, ':') ? AF_INET6 : AF_INET;
	char spelled[INET6_ADDRSTRLEN];
	struct in6_addr address;

	if (inet_pton(family, text, &address) != 1 ||
	    !inet_ntop(family, &address, spelled, sizeof(spelled)))
		return false;
	good->kind = GOOD_SENDER;
	good->text = no_null(strdup(spelled));
	return true;
}

/* Leaves out what names no other directory, but for links: empty names, "." and ".." */
static char *simplify(const char *path)
{
	char *simple = no_null(malloc(strlen(path) + 2)), *end = simple;
	size_t length;

	for (; *path; path += length) {
		path += strspn(path, "/");
		length = strcspn(path, "/");
		if (length == 2 && !strncmp(path, "..", 2)) {
			while (end > simple && *--end != '/')
				;
		} else if (length && !(length == 1 && *path == '.')) {
			end += sprintf(end, "/%.*s", (int)length, path);
		}
	}
	strcpy(end, end == simple ? "/" : "");
	return simple;
}

/* By the path to which links lead, where it is here: events have that one. */
static bool take_directory(const char *path, struct good *good)
{
	char *real;

	if (*path != '/')
		return false;
	real = realpath(path, NULL);
	good->kind = GOOD_DIRECTORY;
	good->text = real ? real : simplify(path);
	return true;
}

static bool is_known(const struct good *good)
{
	const struct good *other;

	for (other = goods; other < good; other++)
		if (other->kind == good->kind &&
		    (good->kind == GOOD_USER ? other->uid == good->uid :
					       !strcmp(other->text, good->text)))
			return true;
	return false;
}

bool good_take(struct words *value)
{
	static const char expected[] = "/DIRECTORY, user=NAME or from=ADDRESS";
	const char *word = words_take(value, expected);
	struct good *good = &goods[good_count];
	bool right;

	if (!word)
		return false;
	if (good_count == GOOD_MOST) {
		complain_word(word, "too many");
		return false;
	}
	*good = (struct good){ .word = word };
	if (!strncmp(word, "user=", 5))
		right = take_user(word + 5, good);
	else if (!strncmp(word, "from=", 5))
		right = take_sender(word + 5, good);
	else
		right = take_directory(word, good);
	if (!right) {
		complain_word(word, "expected %s", expected);
		return false;
	}
	if (is_known(good))
		return true;
	if (good->kind == GOOD_USER && user_count++ == GOOD_USERS) {
		complain_word(word, "too many users: one location may have %d rules for some, and one for all others",
			      GOOD_USERS);
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
