/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The validators that Debian packages, to race against and to compare with.
 * They are looked up at run time: what is not installed does not take part.
 */
#ifndef _UTF8GUARD_PEERS_H
#define _UTF8GUARD_PEERS_H

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <linux/utf8guard.h>

typedef bool valid_fn(const u8 *text, size_t len);

static const u8 *(*unistring_check)(const u8 *, size_t);
static int (*glib_validate)(const char *, ssize_t, const char **);
static bool (*simdjson_validate)(const char *, size_t);
static ssize_t (*utf8proc_iterate)(const u8 *, ssize_t, int32_t *);
static struct { int error; size_t count; } (*simdutf_validate)(const char *, size_t);
static void *(*icu_convert)(u16 *, int32_t, int32_t *, const char *, int32_t, int *);

static bool by_unistring(const u8 *text, size_t len)
{
	return !unistring_check(text, len);
}

static bool by_glib(const u8 *text, size_t len)
{
	return glib_validate((const char *)text, len, NULL);
}

static bool by_simdjson(const u8 *text, size_t len)
{
	return simdjson_validate((const char *)text, len);
}

/* Like our validator, this finds the offset of the error, too. */
static bool by_simdutf(const u8 *text, size_t len)
{
	return !simdutf_validate((const char *)text, len).error;
}

/* ICU has no validator. A conversion into a buffer without room validates, and counts. */
static bool by_icu(const u8 *text, size_t len)
{
	const int overflow = 15; /* U_BUFFER_OVERFLOW_ERROR */
	int32_t out_len;
	int error = 0;

	icu_convert(NULL, 0, &out_len, (const char *)text, len, &error);
	return error <= 0 || error == overflow;
}

static bool by_utf8proc(const u8 *text, size_t len)
{
	size_t i = 0;

	while (i < len) {
		int32_t code_point;
		ssize_t n = utf8proc_iterate(text + i, len - i, &code_point);

		if (n < 0)
			return false;
		i += n;
	}
	return true;
}

/**
 * struct peer - somebody else's validator
 * @name: for people
 * @library: where it is, of whatever version
 * @symbol: its name there; %s is that version
 * @at: set to its address, for @valid; or NULL
 * @valid: judges a text; or NULL where the function of the library does so
 */
static struct peer {
	const char *name;
	const char *library;
	const char *symbol;
	void *at;
	valid_fn *valid;
} peers[] = {
	{ "simdutf", "libsimdutf.so", "_ZN7simdutf25validate_utf8_with_errorsEPKcm",
	  &simdutf_validate, by_simdutf },
	{ "simdjson", "libsimdjson.so", "_ZN8simdjson13validate_utf8EPKcm",
	  &simdjson_validate, by_simdjson },
	{ "simdutf8", "libpeers.so", "by_simdutf8", NULL, NULL },
	{ "simdutf8 compat", "libpeers.so", "by_simdutf8_compat", NULL, NULL },
	{ "Rust core", "libpeers.so", "by_rust", NULL, NULL },
	{ "ICU", "libicuuc.so", "u_strFromUTF8_%s", &icu_convert, by_icu },
	{ "glib", "libglib-2.0.so", "g_utf8_validate", &glib_validate, by_glib },
	{ "libunistring", "libunistring.so", "u8_check", &unistring_check, by_unistring },
	{ "utf8proc", "libutf8proc.so", "utf8proc_iterate", &utf8proc_iterate, by_utf8proc },
};

/* Where Debian puts libraries, and where bench/peers.sh puts those of a later Debian. */
static const char *const peer_folders[] = { PEERS_DIR, "/usr/lib/*" };

/* The path of a library, with its version after the name; for free(), or NULL. */
static char *peer_library(const char *name)
{
	char pattern[4096], *path = NULL;
	unsigned int i;
	glob_t found;

	for (i = 0; !path && i < sizeof(peer_folders) / sizeof(*peer_folders); i++) {
		snprintf(pattern, sizeof(pattern), "%s/%s{,.[0-9]*}", peer_folders[i], name);
		if (!glob(pattern, GLOB_BRACE, NULL, &found)) {
			path = strdup(found.gl_pathv[found.gl_pathc - 1]);
			globfree(&found);
		}
	}
	return path;
}

/* The first number after ".so.", as symbols of ICU have it. */
static const char *peer_version(char *path)
{
	char *version = strstr(path, ".so.");

	return version ? strtok(version + 4, ".") : "";
}

static bool peer_is_there(struct peer *peer)
{
	char *path = peer_library(peer->library);
	void *library = path ? dlopen(path, RTLD_NOW) : NULL, *at = NULL;
	char symbol[100];

	if (library) {
		snprintf(symbol, sizeof(symbol), peer->symbol, peer_version(path));
		at = dlsym(library, symbol);
	}
	if (at)
		printf("# peer %s: %s\n", peer->name, strrchr(path, '/') + 1);
	else
		printf("# peer %s: not there: %s\n", peer->name, path ? dlerror() : peer->library);
	free(path);
	if (at && peer->at)
		*(void **)peer->at = at;
	else if (at)
		peer->valid = (valid_fn *)at;
	return at;
}

/* Those that are there, moved to the front of peers[]; return: how many. */
static unsigned int peers_find(void)
{
	unsigned int i, count = 0;

	for (i = 0; i < sizeof(peers) / sizeof(*peers); i++)
		if (peer_is_there(&peers[i]))
			peers[count++] = peers[i];
	return count;
}

#endif /* _UTF8GUARD_PEERS_H */
