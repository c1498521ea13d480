// SPDX-License-Identifier: GPL-2.0
/* What a file system keeps, and what it does not. */
#include <sys/vfs.h>
#include <linux/magic.h>

#include "fs_traits.h"

/* Not all of the headers that this is built with have them. */
#ifndef EXFAT_SUPER_MAGIC
#define EXFAT_SUPER_MAGIC 0x2011bab0
#endif
#ifndef CIFS_SUPER_MAGIC
#define CIFS_SUPER_MAGIC 0xff534d42
#define SMB2_SUPER_MAGIC 0xfe534d42
#endif

/* What the file system keeps that @fd is on. */
struct fs_traits fs_traits(int fd)
{
	struct fs_traits traits = {
		.inode = true,
		.birth = true,
		.dir_birth = true,
		.names = true,
	};
	struct statfs status;

	if (fstatfs(fd, &status))
		return traits;
	switch ((unsigned int)status.f_type) {
	/* A new number each time an inode is read into memory. */
	case MSDOS_SUPER_MAGIC:
	case FUSE_SUPER_MAGIC:
		traits.inode = false;
		break;
	/*
	 * So it is with noserverino. And Linux looks whether there is such a name, and
	 * then tells the server to replace it.
	 */
	case CIFS_SUPER_MAGIC:
	case SMB2_SUPER_MAGIC:
		traits.inode = false;
		traits.names = false;
		break;
	/* A rename sets the birth of the directory, too. */
	case EXFAT_SUPER_MAGIC:
		traits.inode = false;
		traits.dir_birth = false;
		break;
	/*
	 * A rename may copy the file from a lower layer: then it was born now, and if it had
	 * several links or the layers are on several file systems, its number is another, too.
	 */
	case OVERLAYFS_SUPER_MAGIC:
		traits.inode = false;
		traits.birth = false;
		traits.dir_birth = false;
	}
	return traits;
}
