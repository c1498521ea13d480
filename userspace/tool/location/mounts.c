// SPDX-License-Identifier: GPL-2.0
/*
 * Mounts on which a rule does less than it says; whoever adds it is warned of them. Some file
 * systems change names after the check, and so store other names than were judged. Other mounts
 * cover the directory that the rule is for.
 *
 * No path is looked up, for that would take for ever on a dead FUSE or NFS mount. So symbolic
 * links are not followed: the warning is then about the mount on which the link is.
 */
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mounts.h"
#include "output/output.h"
#include "output/text.h"

/**
 * struct mount - a line of /proc/self/mountinfo
 * @id: of the mount
 * @major, @minor: the device of the file system
 * @root: the directory within the file system that is mounted
 * @point: where it is mounted
 * @type: of file system
 * @options: of the super block, with commas between them
 */
struct mount {
	unsigned int id, major, minor;
	char *root, *point, *type, *options;
};

/* "\040" and the like, as mountinfo has them; in place. */
static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (text[0] == '\\' && text[1] && text[2] && text[3]) {
			*to++ = (char)((text[1] & 7) << 6 | (text[2] & 7) << 3 | (text[3] & 7));
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

/* "36 35 98:0 /root /point options shared:1 - type source options", see proc(5). */
static bool parse(char *line, struct mount *mount)
{
	char *rest = strstr(line, " - "), *state;
	int field;

	if (!rest)
		return false;
	*rest = '\0';
	if (sscanf(line, "%u %*u %u:%u", &mount->id, &mount->major, &mount->minor) != 3)
		return false;
	mount->point = strtok_r(line, " ", &state);
	for (field = 1; mount->point && field < 5; field++) {
		mount->root = mount->point;
		mount->point = strtok_r(NULL, " ", &state);
	}
	rest += strlen(" - ");
	mount->type = strsep(&rest, " ");
	/* The source, which may be empty. */
	strsep(&rest, " ");
	mount->options = strsep(&rest, "\n ");
	if (!mount->point || !mount->type || !mount->options)
		return false;
	unescape(mount->root);
	unescape(mount->point);
	return true;
}

/* The value of an option; "" where it has none, NULL where it is not given. */
static const char *option(const char *given, const char *name, char *value, size_t size)
{
	size_t len = strlen(name), end;

	for (;; given += end + 1) {
		end = strcspn(given, ",");
		if (end >= len && !strncmp(given, name, len) &&
		    (end == len || given[len] == '=')) {
			snprintf(value, size, "%.*s", (int)(end - len - (end > len)),
				 given + len + (end > len));
			return value;
		}
		if (!given[end])
			return NULL;
	}
}

/* How this mount changes names after the check; NULL where it does not. */
static const char *change_of(const struct mount *mount, char *text, size_t size)
{
	static const char *const charsets[] = { "iocharset", "nls", NULL };
	const char *const *charset;
	char value[64];

	if (!strcmp(mount->type, "msdos"))
		return "cuts names to eight octets and three, in upper case, after they are judged";
	if (!strcmp(mount->type, "hfs"))
		return "cuts names at 31 octets after they are judged";
	if (option(mount->options, "uni_xlate", value, sizeof(value)))
		return "takes \":\" and four digits for a character, by uni_xlate, after names are judged";
	if (option(mount->options, "utf8", value, sizeof(value)))
		return NULL;
	for (charset = charsets; *charset; charset++) {
		if (!option(mount->options, *charset, value, sizeof(value)) ||
		    !strcmp(value, "utf8") || !strcmp(value, "utf-8"))
			continue;
		snprintf(text, size, "takes names for %s, by %s, and stores others than are judged",
			 value, *charset);
		return text;
	}
	return NULL;
}

static void warn(const struct mount *mount)
{
	char text[160];
	const char *change = change_of(mount, text, sizeof(text));

	char *point;

	if (!change)
		return;
	/* Whoever mounts chooses the path: it may hold an escape sequence of terminals. */
	point = text_escape(mount->point, strlen(mount->point));
	fprintf(stderr, "utf8guard: warning: %s: %s %s\n", point, mount->type, change);
	free(point);
}

static bool is_within(const char *path, const char *point)
{
	size_t len = strlen(point);

	return !strcmp(point, "/") ||
	       (!strncmp(path, point, len) && (!path[len] || path[len] == '/'));
}

static void mount_free(struct mount *mount)
{
	free(mount->root);
	free(mount->point);
	free(mount->type);
	free(mount->options);
}

static void mount_copy(struct mount *to, const struct mount *from)
{
	mount_free(to);
	*to = *from;
	to->root = strdup(from->root);
	to->point = strdup(from->point);
	to->type = strdup(from->type);
	to->options = strdup(from->options);
}

/* The mount with the longest path that holds @path; of several there, the last, which is on top. */
static bool find_nearest(FILE *mounts, const char *path, struct mount *nearest)
{
	struct mount mount;
	char *line = NULL;
	size_t size = 0;

	*nearest = (struct mount){ 0 };
	while (getline(&line, &size, mounts) > 0) {
		if (parse(line, &mount) && is_within(path, mount.point) &&
		    (!nearest->point || strlen(mount.point) >= strlen(nearest->point)))
			mount_copy(nearest, &mount);
	}
	free(line);
	if (nearest->point && nearest->type && nearest->options)
		return true;
	mount_free(nearest);
	return false;
}

static void warn_of_path(FILE *mounts, const char *path)
{
	struct mount nearest;

	if (!find_nearest(mounts, path, &nearest))
		return;
	warn(&nearest);
	mount_free(&nearest);
}

static void warn_of_type(FILE *mounts, const char *type)
{
	struct mount mount;
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, mounts) > 0) {
		if (parse(line, &mount) && !strcmp(mount.type, type))
			warn(&mount);
	}
	free(line);
}

/* The paths of a rule, each with a volume or without. */
static void warn_of_paths(FILE *mounts, char *const *words)
{
	while (*words && **words == '/') {
		rewind(mounts);
		warn_of_path(mounts, *words++);
		if (*words && !strcmp(*words, "volume"))
			words += words[1] ? 2 : 1;
	}
}

/**
 * mounts_warn() - warn of mounts that a rule is for, and that change names after the check
 * @words: of the rule, from its scope on
 */
void mounts_warn(char *const *words)
{
	FILE *mounts;

	if (!words[0] || !words[1])
		return;
	mounts = fopen("/proc/self/mountinfo", "re");
	if (!mounts)
		return;
	if (!strcmp(words[0], "fstype"))
		warn_of_type(mounts, words[1]);
	else
		warn_of_paths(mounts, words + 1);
	fclose(mounts);
}

/* Is there a server that may fail to answer? A disk that dies says so. */
static bool is_served(const struct mount *mount)
{
	static const char *const types[] = {
		"9p", "afs", "autofs", "beegfs", "ceph", "cifs", "coda", "gpfs", "lustre", "nfs",
		"nfs4", "orangefs", "smb3", "virtiofs", NULL };
	const char *const *type = types;

	while (*type && strcmp(*type, mount->type))
		type++;
	return *type || !strncmp(mount->type, "fuse", strlen("fuse"));
}

/**
 * mounts_nearest() - the mount that a path is on, as far as names tell
 * @path: the path, from the root
 *
 * Return: its mount point, to be freed; NULL where it is not known.
 */
char *mounts_nearest(const char *path)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	struct mount nearest;
	char *point = NULL;

	if (!mounts)
		return NULL;
	if (find_nearest(mounts, path, &nearest)) {
		point = strdup(nearest.point);
		mount_free(&nearest);
	}
	fclose(mounts);
	return point;
}

/* All mounts, read once: rules that ask for them may be many. */
static struct {
	struct mount *list;
	size_t count;
	bool is_read;
} cache;

static const struct mount *all(size_t *count)
{
	FILE *mounts = cache.is_read ? NULL : fopen("/proc/self/mountinfo", "re");
	struct mount mount;
	char *line = NULL;
	size_t size = 0;

	cache.is_read = true;
	while (mounts && getline(&line, &size, mounts) > 0) {
		if (!parse(line, &mount))
			continue;
		cache.list = no_null(realloc(cache.list, (cache.count + 1) * sizeof(*cache.list)));
		cache.list[cache.count] = (struct mount){ 0 };
		mount_copy(&cache.list[cache.count++], &mount);
	}
	if (mounts)
		fclose(mounts);
	free(line);
	*count = cache.count;
	return cache.list;
}

/* For those who run for long: what is asked next is asked of the mounts as they are then. */
void mounts_forget(void)
{
	while (cache.count)
		mount_free(&cache.list[--cache.count]);
	free(cache.list);
	cache.list = NULL;
	cache.is_read = false;
}

/* As find_nearest(), of those that were read. */
static const struct mount *nearest_of_all(const char *path)
{
	const struct mount *nearest = NULL, *mount;
	size_t count, i;

	mount = all(&count);
	for (i = 0; i < count; i++, mount++)
		if (is_within(path, mount->point) &&
		    (!nearest || strlen(mount->point) >= strlen(nearest->point)))
			nearest = mount;
	return nearest;
}

/* The path that is to @to what @path is to @from; malloc'd. NULL where it is not within that. */
static char *moved(const char *path, const char *from, const char *to)
{
	const char *rest = path + (strcmp(from, "/") ? strlen(from) : 0);
	char *there;

	if (!is_within(path, from))
		return NULL;
	to = strcmp(to, "/") ? to : "";
	/* Neither ends in a slash but the root itself. */
	if (asprintf(&there, "%s%s", to, strcmp(rest, "/") || !*to ? rest : "") < 0)
		no_null(NULL);
	if (!*there) {
		free(there);
		there = no_null(strdup("/"));
	}
	return there;
}

/* The nearest mount, where a server may fail to answer; NULL where there is none. */
static const struct mount *served(const char *path)
{
	const struct mount *nearest = nearest_of_all(path);

	return nearest && is_served(nearest) ? nearest : NULL;
}

/**
 * mounts_served() - the mount that a path is on, where a server may fail to answer for all of it
 * @path: the path, from the root
 *
 * Return: its mount point, to be freed; NULL where there is no server, or that is not known.
 */
char *mounts_served(const char *path)
{
	const struct mount *mount = served(path);

	return mount ? strdup(mount->point) : NULL;
}

/**
 * mounts_served_device() - as mounts_served(), with the device of the file system
 * @path: the path, from the root
 * @major: set to the device
 * @minor: the same
 *
 * Return: false where there is no server, or that is not known.
 */
bool mounts_served_device(const char *path, unsigned int *major, unsigned int *minor)
{
	const struct mount *mount = served(path);

	if (!mount)
		return false;
	*major = mount->major;
	*minor = mount->minor;
	return true;
}

/**
 * mounts_path() - where a path within a file system is, among all that is mounted
 * @major: device of the file system
 * @minor: the same
 * @inside: the path, from the root of the file system
 *
 * Return: the path, to be freed; NULL where no mount shows it, or another one covers it there.
 */
char *mounts_path(unsigned int major, unsigned int minor, const char *inside)
{
	const struct mount *mount;
	size_t count, i;

	mount = all(&count);
	for (i = 0; i < count; i++, mount++) {
		char *path = mount->major == major && mount->minor == minor ?
			     moved(inside, mount->root, mount->point) : NULL;

		if (path && nearest_of_all(path) == mount)
			return path;
		free(path);
	}
	return NULL;
}

/**
 * mounts_inside() - where a path is within its file system
 * @path: the path, from the root
 * @major: set to the device of the file system
 * @minor: the same
 *
 * Return: the path from the root of the file system, to be freed; NULL where it is not known.
 */
char *mounts_inside(const char *path, unsigned int *major, unsigned int *minor)
{
	const struct mount *nearest = nearest_of_all(path);

	if (!nearest)
		return NULL;
	*major = nearest->major;
	*minor = nearest->minor;
	return moved(path, nearest->point, nearest->root);
}

/**
 * mounts_type() - the type of the file system that a path is on
 * @path: the path, from the root
 *
 * Return: the type, until mounts_forget(); NULL where it is not known.
 */
const char *mounts_type(const char *path)
{
	const struct mount *nearest = nearest_of_all(path);

	return nearest ? nearest->type : NULL;
}

/**
 * mounts_is_automount() - would a look at a path mount a file system there?
 * @path: the path, from the root
 *
 * Return: true where autofs(5) is there, and nothing is mounted on it yet.
 */
bool mounts_is_automount(const char *path)
{
	const struct mount *nearest = nearest_of_all(path);

	return nearest && !strcmp(nearest->type, "autofs");
}

/**
 * mounts_covering() - is another file system mounted where a path leads to?
 * @path: the path, from the root
 * @major: device that the path was on
 * @minor: the same
 *
 * Return: the mount point; NULL where it is the same file system, the root of all, or an autofs,
 * which mounts one when it is asked.
 */
const char *mounts_covering(const char *path, unsigned int major, unsigned int minor)
{
	const struct mount *nearest = nearest_of_all(path);

	if (!nearest || !strcmp(nearest->point, "/") || !strcmp(nearest->type, "autofs") ||
	    (nearest->major == major && nearest->minor == minor))
		return NULL;
	return nearest->point;
}

/**
 * mounts_have() - is a file system on one of the mounts?
 * @major: its device
 * @minor: the same
 *
 * Return: false only if the mounts could be read.
 */
bool mounts_have(unsigned int major, unsigned int minor)
{
	const struct mount *mount;
	size_t count, i;

	mount = all(&count);
	for (i = 0; i < count; i++)
		if (mount[i].major == major && mount[i].minor == minor)
			return true;
	return !count;
}

static bool is_users_server(const struct mount *mount)
{
	char user[16];

	return option(mount->options, "user_id", user, sizeof(user)) && strcmp(user, "0");
}

/* Does fstab let anybody mount it? By these words, libmount notes nobody. */
static bool is_anybodys(const char *point)
{
	FILE *table = setmntent("/etc/fstab", "re");
	struct mntent *entry;
	bool found = false;

	while (table && !found && (entry = getmntent(table)))
		found = !strcmp(entry->mnt_dir, point) &&
			(hasmntopt(entry, "users") || hasmntopt(entry, "owner") ||
			 hasmntopt(entry, "group"));
	if (table)
		endmntent(table);
	return found;
}

/* "SRC=/dev/sdb1 TARGET=/media/ann/STICK ROOT=/ OPTS=uhelper=udisks2", a line of libmount's. */
static bool is_noted_in(char *line, const char *point)
{
	char *field, *target = NULL, *given = NULL, value[64];

	while ((field = strsep(&line, " \n"))) {
		if (!strncmp(field, "TARGET=", strlen("TARGET=")))
			target = field + strlen("TARGET=");
		else if (!strncmp(field, "OPTS=", strlen("OPTS=")))
			given = field + strlen("OPTS=");
	}
	if (!target || !given)
		return false;
	unescape(target);
	/* "user" without a name: root mounted what fstab lets users mount. */
	return !strcmp(target, point) &&
	       ((option(given, "user", value, sizeof(value)) && *value) ||
		option(given, "uhelper", value, sizeof(value)));
}

/*
 * Has libmount noted that a user had this mounted: by mount(8), where fstab says "user", or by a
 * helper as udisks? He may have made the file system, and what is root's in there is his.
 */
static bool is_noted_as_users(const char *point)
{
	FILE *notes = fopen("/run/mount/utab", "re");
	bool noted = false;
	char *line = NULL;
	size_t size = 0;

	while (notes && !noted && getline(&line, &size, notes) > 0)
		noted = is_noted_in(line, point);
	if (notes)
		fclose(notes);
	free(line);
	return noted;
}

/**
 * mounts_is_users() - did a user who is not root mount a server of his own, by FUSE, or a disk?
 * @id: of the mount
 *
 * Return: also true where that cannot be found out, as after an unmount.
 */
bool mounts_is_users(unsigned long long id)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	bool users = true;
	struct mount mount;
	char *line = NULL;
	size_t size = 0;

	while (mounts && getline(&line, &size, mounts) > 0)
		if (parse(line, &mount) && mount.id == id)
			users = is_users_server(&mount) || is_noted_as_users(mount.point) ||
				is_anybodys(mount.point);
	if (mounts)
		fclose(mounts);
	free(line);
	return users;
}

/* The mount points of fstab(5), read once; NULL after the last one. */
static char *const *all_in_table(void)
{
	static char **list;
	size_t known = 0;
	struct mntent *entry;
	FILE *table;

	if (list)
		return list;
	table = setmntent("/etc/fstab", "re");
	list = no_null(calloc(1, sizeof(*list)));
	while (table && (entry = getmntent(table))) {
		if (entry->mnt_dir[0] != '/')
			continue;
		list = no_null(realloc(list, (known + 2) * sizeof(*list)));
		list[known++] = no_null(strdup(entry->mnt_dir));
		list[known] = NULL;
	}
	if (table)
		endmntent(table);
	return list;
}

/**
 * mounts_to_come() - will a path be on another file system when all are mounted?
 * @path: the path, from the root
 *
 * Return: the mount point as fstab(5) has it; NULL where there is none.
 */
const char *mounts_to_come(const char *path)
{
	const struct mount *nearest = nearest_of_all(path);
	size_t length = nearest ? strlen(nearest->point) : 0;
	const char *point = NULL;
	char *const *next;

	for (next = all_in_table(); *next; next++) {
		if (strlen(*next) <= length || !is_within(path, *next))
			continue;
		length = strlen(*next);
		point = *next;
	}
	return point;
}
