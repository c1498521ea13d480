// SPDX-License-Identifier: GPL-2.0
/* Why a module does not answer: not loaded, not built, not signed. */
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "absence.h"

/* The name check's family exists in the initial network namespace only. */
static bool is_loaded(const char *module)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/module/%s", module);
	return !access(path, F_OK);
}

#define RELEASE_SIZE 128

/* A release that a module is installed for, below updates; "" for none. @release may be "*". */
static void installed_for(const char *release, const char *module, char found[RELEASE_SIZE])
{
	char pattern[256];
	glob_t paths;

	snprintf(pattern, sizeof(pattern), "/lib/modules/%s/updates/*/%s.ko*", release, module);
	*found = '\0';
	if (glob(pattern, 0, NULL, &paths))
		return;
	/* glob() sorts by name, so the last one is the newest, mostly. */
	sscanf(paths.gl_pathv[paths.gl_pathc - 1], "/lib/modules/%127[^/]", found);
	globfree(&paths);
}

/* Is this in the first line of the file? */
static bool says(const char *path, const char *word)
{
	char line[128] = "";
	FILE *file = fopen(path, "re");

	if (file) {
		if (!fgets(line, sizeof(line), file))
			line[0] = '\0';
		fclose(file);
	}
	return strstr(line, word);
}

/* Secure Boot locks the kernel down, which then takes no module without a signature. */
static bool wants_signature(void)
{
	return says("/sys/module/module/parameters/sig_enforce", "Y") ||
	       says("/sys/kernel/security/lockdown", "[integrity]") ||
	       says("/sys/kernel/security/lockdown", "[confidentiality]");
}

/**
 * absence_state() - why a module does not answer here
 * @module: also the name of its netlink family
 *
 * Return: words that follow "is".
 */
const char *absence_state(const char *module)
{
	return is_loaded(module) ? "loaded, but does not serve this network namespace" : "not loaded";
}

/**
 * absence() - why a module does not answer here, and what to do
 * @module: also the name of its netlink family
 *
 * Return: words that follow "is"; until the next call.
 */
const char *absence(const char *module)
{
	static char text[512];
	char here[RELEASE_SIZE], elsewhere[RELEASE_SIZE];
	struct utsname host;

	if (is_loaded(module))
		return absence_state(module);
	uname(&host);
	installed_for(host.release, module, here);
	installed_for("*", module, elsewhere);
	if (*elsewhere && !*here)
		snprintf(text, sizeof(text),
			 "not installed for Linux %s, only for %s: build it for this kernel, by make install or dkms autoinstall",
			 host.release, elsewhere);
	else
		snprintf(text, sizeof(text), "not loaded; load it with: modprobe %s%s", module,
			 wants_signature() ? "; this kernel takes no module without a signature that it knows: SECURE BOOT in utf8guard(8)" : "");
	return text;
}
