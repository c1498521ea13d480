/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The validators that Debian packages, to race against and to compare with.
 * They are looked up at run time: what is not installed does not take part.
 */
#ifndef _UTF8GUARD_PEERS_H
#define _UTF8GUARD_PEERS_H

#include <dlfcn.h>
#include <stdio.h>
#include <sys/types.h>
#include <linux/utf8guard.h>

typedef bool valid_fn(const u8 *text, size_t len);

static const u8 *(*unistring_check)(const u8 *, size_t);
static int (*glib_validate)(const char *, ssize_t, const char **);
static bool (*simdjson_validate)(const char *, size_t);
static ssize_t (*utf8proc_iterate)(const u8 *, ssize_t, int32_t *);
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

/* ICU has no validator; this converts, to a buffer of no room, and so counts. */
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
 * @library: where it is
 * @symbol: its name there
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
	{ "simdjson", "libsimdjson.so.14", "_ZN8simdjson13validate_utf8EPKcm",
	  &simdjson_validate, by_simdjson },
	{ "simdutf8", "libpeers.so", "by_simdutf8", NULL, NULL },
	{ "simdutf8 compat", "libpeers.so", "by_simdutf8_compat", NULL, NULL },
	{ "Rust core", "libpeers.so", "by_rust", NULL, NULL },
	{ "ICU", "libicuuc.so.72", "u_strFromUTF8_72", &icu_convert, by_icu },
	{ "glib", "libglib-2.0.so.0", "g_utf8_validate", &glib_validate, by_glib },
	{ "libunistring", "libunistring.so.2", "u8_check", &unistring_check, by_unistring },
	{ "utf8proc", "libutf8proc.so.2", "utf8proc_iterate", &utf8proc_iterate, by_utf8proc },
};

static bool peer_is_there(struct peer *peer)
{
	void *library = dlopen(peer->library, RTLD_NOW);
	void *symbol = library ? dlsym(library, peer->symbol) : NULL;

	if (!symbol) {
		printf("# %s: no %s in %s\n", peer->name, peer->symbol, peer->library);
		return false;
	}
	if (peer->at)
		*(void **)peer->at = symbol;
	else
		peer->valid = (valid_fn *)symbol;
	return true;
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
