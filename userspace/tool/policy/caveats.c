// SPDX-License-Identifier: GPL-2.0
/*
 * Finds what keeps a rule for names from doing what its words say; shadows.c does that for
 * packets. This is shown when a rule is added and whenever it is listed. The kernel says what
 * it knows. The rest is found out here, because it depends on the mount namespace of the tool;
 * it decides nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caveats.h"
#include "location/fstypes.h"
#include "location/mounts.h"
#include "output/output.h"
#include "output/text.h"
#include "rule_line.h"

static void add_type(json_t *rule)
{
	char *type = text_unescape(member_text(rule, "fstype"));

	switch (type ? fstypes_state(type) : FSTYPE_KNOWN) {
	case FSTYPE_LOADABLE:
		json_object_set_new(rule, "fstype-waiting", json_true());
		break;
	case FSTYPE_UNKNOWN:
		json_object_set_new(rule, "fstype-unknown", json_true());
		break;
	default:
		break;
	}
	free(type);
}

/* By the tool's own mount namespace. The rule is for a file system, wherever that is mounted. */
static void add_cover(json_t *rule, const json_t *location)
{
	char *path = text_unescape(member_text(location, "path")), *shown;
	const char *point =
		path ? mounts_covering(path, (unsigned int)member_number(location, "major"),
				       (unsigned int)member_number(location, "minor")) : NULL;

	if (point) {
		shown = text_escape(point, strlen(point));
		json_object_set_new(rule, "covered-by", json_string(shown));
		free(shown);
	}
	free(path);
}

/*
 * Is the file system of the location on no mount of the tool's mount namespace? The kernel does
 * not look whether one without a UUID is still there. It may be in use without a mount here: in
 * another mount namespace, or by an open file after umount -l.
 */
static bool is_unmounted(const json_t *location)
{
	return member_present(location, "minor") && !member_present(location, "uuid") &&
	       !mounts_have((unsigned int)member_number(location, "major"),
			    (unsigned int)member_number(location, "minor"));
}

/* Adds the caveats as members of the rule, or of the location that one is about. */
void caveats_add(json_t *rule)
{
	json_t *location;
	size_t i;

	if (member_present(rule, "fstype"))
		add_type(rule);
	rule_for_each_location(rule, i, location) {
		if (is_unmounted(location))
			json_object_set_new(location, "unmounted", json_true());
		else if (member_present(location, "path") && member_present(location, "minor"))
			add_cover(rule, location);
	}
}

/* How many of the locations of a rule have this member; @count: how many there are. */
static size_t count_having(const json_t *rule, const char *name, size_t *count)
{
	const json_t *location;
	size_t having = 0;

	rule_for_each_location(rule, *count, location)
		having += member_present(location, name);
	return having;
}

/* "waiting for its file system", or for those of some of its paths; "" where it does not wait. */
static void say_waiting(const json_t *rule, char *text, size_t size)
{
	size_t count, waiting = count_having(rule, "waiting", &count);

	if (!waiting)
		*text = '\0';
	else if (count == 1)
		snprintf(text, size, "waiting for its file system");
	else
		snprintf(text, size, "waiting for the file systems of %zu of its %zu paths", waiting,
			 count);
}

/* The same for what is_unmounted() found. */
static void say_unmounted(const json_t *rule, char *text, size_t size)
{
	size_t count, unmounted = count_having(rule, "unmounted", &count);

	if (!unmounted)
		*text = '\0';
	else if (count == 1)
		snprintf(text, size, ", not mounted here");
	else
		snprintf(text, size, ", %zu of its %zu paths not mounted here", unmounted, count);
}

void caveats_add_all(json_t *list)
{
	json_t *rule;
	size_t i;

	json_array_foreach(list, i, rule) {
		caveats_add(rule);
	}
}

/* What is shown after the handle of a rule, as in ", gone, exempt"; malloc'd. */
char *caveats_text(const json_t *rule)
{
	const char *point = member_text(rule, "covered-by");
	char shadow[64] = "", waiting[80], unmounted[80], *text;

	say_waiting(rule, waiting, sizeof(waiting));
	say_unmounted(rule, unmounted, sizeof(unmounted));
	if (member_present(rule, "shadowed-by"))
		snprintf(shadow, sizeof(shadow), ", never asked: handle %llu is before it",
			 member_number(rule, "shadowed-by"));
	if (asprintf(&text, "%s%s%s%s%s%s%s%s%s%s%s", shadow,
		     member_present(rule, "gone") ? ", gone" : "", *waiting ? ", " : "", waiting,
		     unmounted,
		     member_present(rule, "cgroup-waiting") ? ", waiting for its cgroup" : "",
		     member_present(rule, "exempt") ? ", exempt" : "",
		     member_present(rule, "fstype-waiting") ?
		     ", waiting for the module of its file system" : "",
		     member_present(rule, "fstype-unknown") ?
		     ", of an unknown type of file system" : "",
		     *point ? ", covered by the mount on " : "", point) < 0)
		text = NULL;
	return no_null(text);
}

static void warn(const char *about, const char *text)
{
	if (about)
		complain("warning: %s: %s", text, about);
	else
		complain("warning: %s", text);
}

/* The words of the rule follow a warning, unless they are known. */
static void warn_of_mount(const char *point, const char *text, const char *about)
{
	complain_word(point, "warning: %s%s%s", text, about ? ": " : "", about ? about : "");
}

static void warn_of_cover(const json_t *rule, const char *about)
{
	char *point = text_unescape(member_text(rule, "covered-by"));

	if (point)
		warn_of_mount(point, "mounted over the directory of the rule, which is for what is under that mount",
			      about);
	free(point);
}

/**
 * caveats_warn() - complain of what keeps a rule from acting
 * @rule: after caveats_add()
 * @about: the words of the rule; NULL where these are known
 *
 * Return: whether something that it is for is not there.
 */
bool caveats_warn(const json_t *rule, const char *about)
{
	size_t count, waiting = count_having(rule, "waiting", &count);
	bool volume = waiting, type = false;
	char several[80];

	snprintf(several, sizeof(several), "waits for the file systems of %zu of its %zu paths",
		 waiting, count);
	if (volume || member_present(rule, "cgroup-waiting"))
		warn(about, !volume ? "waits for its cgroup" :
			    count > 1 ? several : "waits for its file system");
	if (member_present(rule, "exempt"))
		warn(about, "names there are exempt, and the rule decides nothing");
	if (member_present(rule, "shadowed-by")) {
		char text[96];

		snprintf(text, sizeof(text),
			 "never asked: handle %llu before it is for all its packets",
			 member_number(rule, "shadowed-by"));
		warn(about, text);
	}
	if (member_present(rule, "fstype-unknown")) {
		warn(about, "neither the kernel nor its modules know this type of file system");
		type = true;
	}
	if (member_present(rule, "covered-by"))
		warn_of_cover(rule, about);
	return volume || type || member_present(rule, "cgroup-waiting");
}

/**
 * caveats_warn_of_fstab() - complain of mounts to come, which will cover the location of a rule
 * @rule: after caveats_add()
 * @about: the words of the rule; NULL where these are known
 */
void caveats_warn_of_fstab(const json_t *rule, const char *about)
{
	const json_t *location;
	size_t i;

	rule_for_each_location(rule, i, location) {
		char *path = text_unescape(member_text(location, "path"));
		const char *point = NULL;

		if (path && *path && !member_present(location, "waiting"))
			point = mounts_to_come(path);
		if (point)
			warn_of_mount(point, "in /etc/fstab, but not mounted: the rule is for what that mount will cover",
				      about);
		free(path);
	}
}

/* @rule: the reply of the kernel that has just added it. */
void caveats_warn_of_new(json_t *rule)
{
	caveats_add(rule);
	caveats_warn(rule, NULL);
	caveats_warn_of_fstab(rule, NULL);
}
