// SPDX-License-Identifier: GPL-2.0
/*
 * User namespaces, as users name them. The kernel is told of one by a process
 * that is in it.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "userns.h"

static bool digits(const char *word, unsigned long *number)
{
	*number = 0;
	if (!*word || strlen(word) > 10 || strspn(word, "0123456789") != strlen(word))
		return false;
	*number = strtoul(word, NULL, 10);
	return *number <= UINT32_MAX;
}

/* The number of the namespace whose file is at a path: that of its inode. */
static bool number_at(const char *path, unsigned long *number)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	*number = st.st_ino;
	return true;
}

static bool is_in(const char *pid, unsigned long number)
{
	char path[64];
	unsigned long own;

	snprintf(path, sizeof(path), "/proc/%.20s/ns/user", pid);
	return number_at(path, &own) && own == number;
}

static bool find_process(unsigned long number, u32 *pid)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	unsigned long found = 0;

	while (proc && !found && (entry = readdir(proc)))
		if (!digits(entry->d_name, &found) || !is_in(entry->d_name, number))
			found = 0;
	if (proc)
		closedir(proc);
	*pid = (u32)found;
	return found;
}

/**
 * userns_process() - a process in a user namespace
 * @word: "self", the number of the namespace, or a file as /proc/PID/ns/user
 * @pid: set to the process
 * @number: set to the number of the namespace, or 0 for "self". The process may enter another
 *	namespace, or end, and its ID go to another one: the kernel compares the number
 *
 * Return: false where there is no such namespace, or nobody in it.
 */
bool userns_process(const char *word, u32 *pid, u32 *number)
{
	unsigned long wanted;

	*pid = (u32)getpid();
	*number = 0;
	if (!strcmp(word, "self"))
		return true;
	if (!digits(word, &wanted) && !number_at(word, &wanted))
		return false;
	*number = (u32)wanted;
	return find_process(wanted, pid);
}
