// SPDX-License-Identifier: GPL-2.0
/* Guesses which word was meant by an unknown one. */
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "suggest.h"

/* No word of the tool is longer. */
#define LONGEST 24

static int lower(char c)
{
	return tolower((unsigned char)c);
}

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/*
 * How many letters were left out, put in, changed, or swapped with the next one
 * (optimal string alignment). Either word has up to LONGEST letters.
 */
static unsigned int distance(const char *a, size_t m, const char *b, size_t n)
{
	unsigned int d[LONGEST + 1][LONGEST + 1];
	size_t i, j;

	for (i = 0; i <= m; i++)
		d[i][0] = (unsigned int)i;
	for (j = 0; j <= n; j++)
		d[0][j] = (unsigned int)j;
	for (i = 1; i <= m; i++) {
		for (j = 1; j <= n; j++) {
			const bool same = lower(a[i - 1]) == lower(b[j - 1]);

			d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
					d[i - 1][j - 1] + !same);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
			    lower(a[i - 2]) == lower(b[j - 1]))
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[m][n];
}

/* How far apart the words are, without dashes and what is after "="; UINT_MAX if too far. */
static unsigned int rate(const char *word, const char *known)
{
	size_t m, n;
	unsigned int apart;

	word += strspn(word, "-");
	known += strspn(known, "-");
	m = strcspn(word, "=");
	n = strlen(known);
	if (!m || m > LONGEST || n > LONGEST)
		return UINT_MAX;
	/* One begins with the other: "val" for validate, "delete" for del. */
	if ((m > 1 && m < n && !strncasecmp(word, known, m)) ||
	    (n > 2 && n < m && !strncasecmp(word, known, n)))
		return 1;
	apart = distance(word, m, known, n);
	return apart <= (m + 1) / 4 ? apart : UINT_MAX;
}

/* Words of other tools, and ours. Of several rows for a word, the first counts that may be said. */
static const struct {
	const char *word, *ours;
} others[] = {
	{ "list", "show" }, { "ls", "show" }, { "status", "show" }, { "info", "show" },
	{ "rules", "show" }, { "dump", "save" }, { "export", "save" }, { "backup", "save" },
	{ "restore", "load" }, { "apply", "load" }, { "import", "load" },
	{ "append", "add" }, { "create", "add" }, { "remove", "del" }, { "rm", "del" },
	{ "clear", "flush" }, { "watch", "monitor" }, { "log", "monitor" }, { "log", "audit" },
	{ "counters", "stats" }, { "zero", "reset" }, { "check", "validate" },
	{ "fix", "sanitize" }, { "iconv", "convert" }, { "what", "explain" },
	{ "deny", "drop" }, { "block", "drop" }, { "accept", "count" }, { "allow", "count" },
	{ "deny", "enforce" }, { "block", "enforce" }, { "on", "enforce" }, { "warn", "audit" },
	{ "permissive", "audit" }, { "none", "off" }, { "allow", "off" }, { "disable", "off" },
	{ "directory", "subtree" }, { "dir", "subtree" }, { "path", "subtree" },
	{ "tree", "subtree" }, { "mount", "superblock" }, { "filesystem", "superblock" },
	{ "port", "dport" }, { "src", "saddr" }, { "source", "saddr" }, { "from", "saddr" },
	{ "dst", "daddr" }, { "destination", "daddr" }, { "in", "input" }, { "out", "output" },
	{ "ipv4", "ip" }, { "ipv6", "ip6" }, { "inet", "ip" }, { "inet6", "ip6" },
	{ "user", "uid" }, { "utf16", "utf-16le" }, { "utf32", "utf-32le" },
	{ "utf-16", "utf-16le" }, { "utf-32", "utf-32le" },
};

static const char *word_of_ours(const char *word, const char *const *list)
{
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		const char *const *known;

		if (strcasecmp(word, others[i].word))
			continue;
		for (known = list; *known; known++)
			if (!strcmp(*known, others[i].ours))
				return *known;
	}
	return NULL;
}

/**
 * suggest() - the word that was meant
 * @word: what was said
 * @list: what may be said; ends with NULL
 *
 * Return: our word for a word of other tools; else the nearest one, the first of several;
 * NULL if none is near.
 */
const char *suggest(const char *word, const char *const *list)
{
	const char *found = word_of_ours(word, list);
	unsigned int best = found ? 0 : UINT_MAX;

	for (; *list; list++) {
		unsigned int apart = rate(word, *list);

		if (apart < best) {
			best = apart;
			found = *list;
		}
	}
	return found;
}
