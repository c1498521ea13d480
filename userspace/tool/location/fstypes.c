// SPDX-License-Identifier: GPL-2.0
/* Types of file systems: those that there are, and those that could be. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "fstypes.h"
#include "output/output.h"

/**
 * struct list - names of types
 * @name: the names
 * @count: of them
 * @is_read: the file that has them could be opened
 */
struct list {
	char **name;
	size_t count;
	bool is_read;
};

static void add(struct list *list, const char *name)
{
	list->name = no_null(realloc(list->name, (list->count + 1) * sizeof(*list->name)));
	list->name[list->count++] = no_null(strdup(name));
}

/* The name in a line, or NULL where there is none. */
typedef char *name_in(char *line);

/* "nodev\tproc", "\text4" */
static char *registered_in(char *line)
{
	char *name = strchr(line, '\t');

	return name ? strtok(name + 1, "\n") : NULL;
}

/* "alias fs-ext4 ext4" */
static char *loadable_in(char *line)
{
	static const char before[] = "alias fs-";

	if (strncmp(line, before, sizeof(before) - 1))
		return NULL;
	return strtok(line + sizeof(before) - 1, " \n");
}

static void read_list(struct list *list, const char *path, name_in *find)
{
	FILE *file = fopen(path, "re");
	char *line = NULL, *name;
	size_t size = 0;

	if (!file)
		return;
	list->is_read = true;
	while (getline(&line, &size, file) > 0) {
		name = find(line);
		if (name)
			add(list, name);
	}
	free(line);
	fclose(file);
}

static bool has(const struct list *list, const char *name)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (!strcmp(list->name[i], name))
			return true;
	return false;
}

/* Read once, when the first type is asked for. */
static const struct list *registered(void)
{
	static struct list list;

	if (!list.is_read)
		read_list(&list, "/proc/filesystems", registered_in);
	return &list;
}

static const struct list *loadable(void)
{
	static struct list list;
	struct utsname host;
	char path[512];

	if (list.is_read || uname(&host))
		return &list;
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.alias", host.release);
	read_list(&list, path, loadable_in);
	return &list;
}

/**
 * fstypes_state() - does the kernel know a type of file system?
 * @type: the type; what follows a dot is a subtype, which a FUSE server chooses
 */
enum fstype_state fstypes_state(const char *type)
{
	char *name = no_null(strndup(type, strcspn(type, ".")));
	enum fstype_state state = FSTYPE_UNKNOWN;

	if (!registered()->is_read || has(registered(), name))
		state = FSTYPE_KNOWN;
	else if (has(loadable(), name))
		state = FSTYPE_LOADABLE;
	else if (!loadable()->is_read)
		state = FSTYPE_KNOWN;
	free(name);
	return state;
}
