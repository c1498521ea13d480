// SPDX-License-Identifier: GPL-2.0
/*
 * While some servers of FUSE do not answer, nothing can end a process that waits for them, and units
 * of timers run the tool each minute. So whoever opens a path on a server holds a lock meanwhile: the
 * processes that come later wait for that lock, which a signal ends. Of all runs of the tool, one
 * process for each server is left, as long as that is silent.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mounts.h"
#include "turn.h"

/* No file of users: whoever may lock it could keep paths from being opened. */
#define DIRECTORY "/run/utf8guard"
#define FILE_OF_LOCKS DIRECTORY "/opener.lock"

/* -1 before the first turn, and where there is no such file: users have none, and take no turns. */
static int locks = -1;

/* Octets of paths come after those of devices. */
#define PATHS (1ULL << 61)

/*
 * The octet of the file that is locked: that of the device, where a server is known. By the mount
 * point, what is mounted there next would wait for a server that was unmounted, and that may never
 * answer. No two paths of a host are likely to share one (FNV-1a).
 */
static off_t octet_of(const char *path)
{
	unsigned int major, minor;
	uint64_t hash = 0xcbf29ce484222325;

	if (mounts_served_device(path, &major, &minor))
		return (off_t)major << 32 | minor;
	while (*path)
		hash = (hash ^ (unsigned char)*path++) * 0x100000001b3;
	return (off_t)(PATHS | hash >> 3);
}

static void set(short type, off_t start, off_t length)
{
	struct flock lock = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length,
	};

	fcntl(locks, F_OFD_SETLKW, &lock);
}

/**
 * turn_begin() - wait until no other process opens a path on the same server
 * @path: the path, from the root. Where no server is known, a link in it may lead to one, so that
 *	the path itself has its turns
 *
 * For a process that is killed once this takes too long.
 */
void turn_begin(const char *path)
{
	static bool tried;

	if (!tried) {
		mkdir(DIRECTORY, 0755);
		locks = open(FILE_OF_LOCKS, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	}
	tried = true;
	if (locks >= 0)
		set(F_WRLCK, octet_of(path), 1);
}

/* Lets the next one go on; so does the end of the process. */
void turn_end(void)
{
	if (locks >= 0)
		set(F_UNLCK, 0, 0);
}
