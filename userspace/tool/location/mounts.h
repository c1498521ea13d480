/* SPDX-License-Identifier: GPL-2.0 */
/* Mounts: what is where, and where the names on disk are not those that are judged. */
#ifndef UTF8GUARD_TOOL_MOUNTS_H
#define UTF8GUARD_TOOL_MOUNTS_H

#include <stdbool.h>

void mounts_warn(char *const *words);
char *mounts_nearest(const char *path);
char *mounts_path(unsigned int major, unsigned int minor, const char *inside);
const char *mounts_type(const char *path);
char *mounts_inside(const char *path, unsigned int *major, unsigned int *minor);
void mounts_forget(void);
char *mounts_served(const char *path);
bool mounts_served_device(const char *path, unsigned int *major, unsigned int *minor);
const char *mounts_covering(const char *path, unsigned int major, unsigned int minor);
bool mounts_is_automount(const char *path);
bool mounts_is_users(unsigned long long id);
bool mounts_have(unsigned int major, unsigned int minor);
const char *mounts_to_come(const char *path);

#endif /* UTF8GUARD_TOOL_MOUNTS_H */
