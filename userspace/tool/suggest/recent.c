// SPDX-License-Identifier: GPL-2.0
/*
 * The last refusals and audits of each rule, from the logs of this host: the kernel's log if
 * there is no auditd, and auditd's log. Only of this boot, because handles start again with
 * each boot.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "output/output.h"
#include "output/text.h"
#include "recent.h"
#include "status/audit_record.h"
#include "status/event.h"
#include "top/exception.h"

static char *key_of(const char *check, unsigned long long handle)
{
	char *key;

	if (asprintf(&key, "%s %llu", check, handle) < 0)
		no_null(NULL);
	return key;
}

/* Handles of packets are those of a network namespace; the logs have those of all. */
static bool is_of_here(const json_t *event)
{
	struct stat here;

	return !member_present(event, "netns") || (!stat("/proc/thread-self/ns/net", &here) &&
						   member_number(event, "netns") == here.st_ino);
}

/* The newest come last, and push the oldest out. */
static void add_line(json_t *recent, const char *text)
{
	json_t *event = audit_record_read(text), *list;
	char *key;

	if (!event || !is_of_here(event)) {
		json_decref(event);
		return;
	}
	key = key_of(member_present(event, "protocol") ? "net" : "fs",
		     member_number(event, "rule"));
	list = json_object_get(recent, key);
	if (!list) {
		list = no_null(json_array());
		json_object_set_new(recent, key, list);
	}
	if (json_array_size(list) == RECENT_MOST)
		json_array_remove(list, 0);
	json_array_append_new(list, event);
	free(key);
}

/* Each read is one record; EPIPE tells that some were overwritten meanwhile. */
static void read_kernel_log(json_t *recent)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char text[8192];
	ssize_t got;

	if (fd < 0)
		return;
	while ((got = read(fd, text, sizeof(text) - 1)) > 0 || (got < 0 && errno == EPIPE)) {
		if (got < 0)
			continue;
		text[got] = '\0';
		add_line(recent, text);
	}
	close(fd);
}

/* In seconds since 1970. */
static long long boot_time(void)
{
	struct timespec now, up;

	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &up);
	return (long long)now.tv_sec - up.tv_sec;
}

static void read_audit_log(json_t *recent)
{
	FILE *file = fopen("/var/log/audit/audit.log", "re");
	const long long boot = boot_time();
	char *text = NULL;
	size_t size = 0;

	while (file && getline(&text, &size, file) > 0) {
		const char *when = strstr(text, "audit(");

		if (when && atoll(when + strlen("audit(")) >= boot)
			add_line(recent, text);
	}
	if (file)
		fclose(file);
	free(text);
}

/* For recent_print(), and then json_decref(). A log that may not be read is left out. */
json_t *recent_read(void)
{
	json_t *recent = no_null(json_object());

	read_audit_log(recent);
	read_kernel_log(recent);
	return recent;
}

/* The directory of a name, safe to show; malloc'd. */
static char *shown_directory(const json_t *event)
{
	char *place = exception_directory(event), *shown;

	if (place)
		shown = no_null(text_escape(place, strlen(place)));
	else if (strncmp(member_text(event, "path"), "...", 3))
		shown = no_null(strdup("?"));
	else if (asprintf(&shown, "%s (the beginning of the path is not in the log)",
			  member_text(event, "path")) < 0)
		no_null(NULL);
	free(place);
	return shown;
}

static void print_one(const json_t *event)
{
	char *name = text_quote(member_text(event, "name")), *shown, *user;

	printf("#   %s: %s", member_word(event, "class"), member_text(event, "bytes"));
	if (member_present(event, "protocol")) {
		printf(" from %s to port %llu\n", member_text(event, "saddr"),
		       member_number(event, "dport"));
		free(name);
		return;
	}
	shown = shown_directory(event);
	user = event_user_text(event_user(event));
	printf(", %s %s in %s by %s\n", member_text(event, "op"), name, shown, user);
	free(user);
	free(shown);
	free(name);
}

/* Prints the last events of a rule, as comments. */
void recent_print(const json_t *recent, const char *check, unsigned long long handle)
{
	char *key = key_of(check, handle);
	const json_t *event;
	size_t i;

	json_array_foreach(json_object_get(recent, key), i, event) {
		print_one(event);
	}
	free(key);
}
