// SPDX-License-Identifier: GPL-2.0
/*
 * User namespaces, as users name them. The kernel is told of one by a process
 * that is in it.
 */
#include <dirent.h>
#include <errno.h>
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

/* The number of the namespace whose file is at a path: that of its inode. Where false, see errno. */
static bool number_at(const char *path, unsigned long *number)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	*number = st.st_ino;
	return true;
}

/* Of a file that could not be looked at, after number_at(). */
static int why_not(void)
{
	return errno == EACCES ? EACCES : ENOENT;
}

/* Return: 0; EACCES where this may not be found out; ENOENT where the process is in another one. */
static int look_at_process(const char *pid, unsigned long number)
{
	char path[64];
	unsigned long own;

	snprintf(path, sizeof(path), "/proc/%.20s/ns/user", pid);
	if (!number_at(path, &own))
		return why_not();
	return own == number ? 0 : ENOENT;
}

/* Return: 0; ENOENT where nobody is in it; EACCES where not all may be looked at, and none of the others is. */
static int find_process(unsigned long number, u32 *pid)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	unsigned long process;
	int one, all = ENOENT;

	while (proc && all && (entry = readdir(proc))) {
		if (!digits(entry->d_name, &process))
			continue;
		one = look_at_process(entry->d_name, number);
		if (one != ENOENT)
			all = one;
		*pid = (u32)process;
	}
	if (proc)
		closedir(proc);
	return all;
}

/**
 * userns_process() - a process in a user namespace
 * @word: "self", the number of the namespace, or a file as /proc/PID/ns/user
 * @pid: set to the process
 * @number: set to the number of the namespace, or 0 for "self". The process may enter another
 *	namespace, or end, and its ID go to another one: the kernel compares the number
 *
 * Return: 0; ENOENT where there is no such namespace, or nobody in it; EACCES where this process may
 * not look at that of @word, or at all others. Those of other users take CAP_SYS_PTRACE.
 */
int userns_process(const char *word, u32 *pid, u32 *number)
{
	unsigned long wanted;

	*pid = (u32)getpid();
	*number = 0;
	if (!strcmp(word, "self"))
		return 0;
	if (!digits(word, &wanted) && !number_at(word, &wanted))
		return why_not();
	*number = (u32)wanted;
	return find_process(wanted, pid);
}
