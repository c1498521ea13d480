/* SPDX-License-Identifier: GPL-2.0 */
/* Paths within a file system. */
#ifndef _UTF8GUARD_FS_PATH_H
#define _UTF8GUARD_FS_PATH_H

int ugfs_path_append(char *to, size_t len, size_t size, const char *path);

#endif /* _UTF8GUARD_FS_PATH_H */
