// SPDX-License-Identifier: GPL-2.0
/*
 * Carries out a policy file in drafts of the kernel, so that load, diff and check know the
 * result before it is in force. Only the kernel decides which rules that gives.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/linux/utf8guard_fs.h>

#include "drafts.h"
#include "fs_rule.h"
#include "netlink/pipeline.h"
#include "output/exit_status.h"
#include "text/input.h"
#include "words/options.h"

/* A line that the kernel refused; @handle is of the default rule, if it was asked for. */
struct rejection {
	struct transaction *check;
	const struct entry *entry;
	struct refusal refusal;
	u32 handle;
};

/*
 * The lines of one check, and where in the file each of them is. If the kernel had no time for one,
 * those after it may have been carried out: then all of them come again. So they do, with others in
 * their place, if what some were for was taken away: @lost.
 */
struct part {
	struct drafts *drafts;
	struct transaction *check;
	struct nlmsghdr **messages;
	struct entry **entries;
	size_t count;
	u32 handle;
	int status;
	bool comes_again, lost;
};

/* Which attribute of a rule the kernel complained of, or of what is in it; 0 where it is none. */
static u16 culprit(const struct nlmsghdr *message, u32 offset)
{
	const char *at = (const char *)message + offset;
	const struct nlattr *attr;

	mnl_attr_for_each(attr, message, sizeof(struct genlmsghdr))
		if (at >= (const char *)attr && at < (const char *)mnl_attr_next(attr))
			return mnl_attr_get_type(attr);
	return 0;
}

/* Is a path, which is an attribute of a message, not further down than a rule may be? */
static bool is_near(const struct nlmsghdr *message, u32 offset)
{
	const char *path = mnl_attr_get_str((const void *)((const char *)message + offset));
	unsigned int names = 0;

	for (; *path; path++)
		names += *path == '/';
	return names < 64;
}

/*
 * May the kernel have refused the line for what others did since that was parsed? They can remove the
 * directory that is mounted where a path leads, move it too far down, and end a process. Then the
 * others of the policy are loaded all the same.
 */
static bool is_lost(const struct entry *entry, const struct refusal *refusal)
{
	u16 type = culprit(entry->message, refusal->offset);
	bool is_path = type == UTF8GUARD_FS_A_RULE_PATH || type == UTF8GUARD_FS_A_RULE_LOCATION;

	if (!fs_rule_may_wait || entry->of != &rules_fs || entry->attempts == POLICY_ATTEMPTS)
		return false;
	switch (refusal->error) {
	case ESRCH:
		return type == UTF8GUARD_FS_A_RULE_USERNS_PID;
	case ENOENT:
		return is_path;
	case ENAMETOOLONG:
		return is_path && is_near(entry->message, refusal->offset);
	default:
		return false;
	}
}

/* Reported later, in the order of the file: here, one check is asked after the other. */
static void on_refused(size_t at, struct refusal *refusal, void *context)
{
	struct part *part = context;
	struct drafts *drafts = part->drafts;

	if (refusal->error == EAGAIN) {
		part->comes_again = true;
		return;
	}
	if (is_lost(part->entries[at], refusal)) {
		part->entries[at]->lost = refusal->error;
		part->lost = true;
		return;
	}
	drafts->rejections = no_null(realloc(drafts->rejections,
					     (drafts->rejected + 1) * sizeof(*drafts->rejections)));
	drafts->rejections[drafts->rejected++] = (struct rejection){
		part->check, part->entries[at], *refusal, part->handle };
	part->status = STATUS_REFUSED;
}

static int by_line(const void *a, const void *b)
{
	const struct rejection *first = a, *second = b;

	return first->entry < second->entry ? -1 : first->entry > second->entry;
}

/* Parses the line again, to find the word that made the attribute that the kernel refused. */
static void tell_rejection(struct rejection *rejection)
{
	static struct change change;
	const struct entry *entry = rejection->entry;

	complain_place = &entry->place;
	if (policy_parse(entry, &change)) {
		if (entry->of_default)
			change_default(&change, rejection->handle);
		rejection->refusal.word = request_word(&change.request,
						       rejection->refusal.offset);
		netlink_complain(&rejection->check->nl, entry->of->rule, &rejection->refusal);
	}
	complain_place = NULL;
}

/* Complains of all lines that the kernel refused, in the order of the file. */
void drafts_tell_rejections(struct drafts *drafts)
{
	size_t i;

	if (drafts->rejected)
		qsort(drafts->rejections, drafts->rejected, sizeof(*drafts->rejections), by_line);
	for (i = 0; i < drafts->rejected; i++)
		tell_rejection(&drafts->rejections[i]);
}

/* The handle is asked for only if a line needs it, because that lists all rules. */
static int add_default(struct part *part, struct entry *entry)
{
	if (!part->handle)
		part->status = rules_default(&part->check->nl, &part->handle);
	/* It has a handle where this is not the first draft. */
	entry->message->nlmsg_len = entry->length;
	mnl_attr_put_u32(entry->message, UTF8GUARD_FS_A_RULE_HANDLE, part->handle);
	return part->status;
}

static int gather(struct part *part, struct policy *policy)
{
	size_t i;

	part->messages = no_null(malloc(policy->count * sizeof(*part->messages)));
	part->entries = no_null(malloc(policy->count * sizeof(*part->entries)));
	for (i = 0; i < policy->count; i++) {
		struct entry *entry = &policy->entries[i];

		if (entry->of != part->check->of)
			continue;
		if (entry->of_default && add_default(part, entry))
			return part->status;
		part->entries[part->count] = entry;
		part->messages[part->count++] = entry->message;
	}
	return STATUS_DONE;
}

static int send_part(struct part *part)
{
	const struct pipeline pipeline = {
		.messages = part->messages, .count = part->count,
		.refused = on_refused, .context = part,
	};
	int error = pipeline_run(&part->check->nl, &pipeline);

	if (!error)
		return part->status;
	complain("netlink: %s", strerror(error));
	return STATUS_REFUSED;
}

static int clear(struct transaction *check)
{
	static struct request request;

	request_init(&request, check->of->flush);
	return netlink_do(&check->nl, &request, check->of->rule, NULL);
}

static int fill(struct part *part, json_t **before, bool alone)
{
	struct transaction *check = part->check;
	int status = transaction_begin(check);

	if (!status && before)
		status = rules_list(check->of, &check->nl, before);
	if (!status && alone)
		status = clear(check);
	if (!status)
		status = gather(part, &part->drafts->policy);
	if (!status)
		status = send_part(part);
	free(part->messages);
	free(part->entries);
	return status;
}

/* Forgets the draft. Return: 0 or errno, positive, after a complaint. */
static int renew(struct drafts *drafts, unsigned int i)
{
	struct transaction *check = &drafts->checks[i];

	json_decref(drafts->before[i]);
	drafts->before[i] = NULL;
	transaction_close(check);
	return transaction_open(check, check->of);
}

static bool find_lost(struct policy *policy)
{
	bool good = true;
	size_t i;

	for (i = 0; i < policy->count; i++)
		if (policy->entries[i].lost)
			good &= policy_find_again(&policy->entries[i]);
	return good;
}

/**
 * drafts_fill() - carry out all lines for one check, in a draft
 * @drafts: opened
 * @i: which of the checks
 * @wants_before: list the rules in force, too
 * @alone: begin without rules, as if the file flushed
 *
 * Return: STATUS_REFUSED also for lines that the kernel refused, of which
 * drafts_tell_rejections() complains; other complaints were made.
 */
int drafts_fill(struct drafts *drafts, unsigned int i, bool wants_before, bool alone)
{
	const size_t rejected = drafts->rejected;
	unsigned int attempt = 0;

	for (;;) {
		struct part part = { .drafts = drafts, .check = &drafts->checks[i] };
		int status = fill(&part, wants_before ? &drafts->before[i] : NULL, alone);

		if (!part.comes_again && !part.lost)
			return status;
		drafts->rejected = rejected;
		if (part.lost && !find_lost(&drafts->policy))
			return STATUS_REFUSED;
		if (part.comes_again && !netlink_wait(attempt++)) {
			complain("%s: the kernel has no time for so many requests; nothing was done, try again",
				 part.check->of->title);
			return STATUS_REFUSED;
		}
		if (renew(drafts, i))
			return STATUS_ABSENT;
	}
}

/* Has the file a line for this check? */
bool drafts_are_about(const struct drafts *drafts, const struct rules *of)
{
	const struct policy *policy = &drafts->policy;
	size_t i;

	for (i = 0; i < policy->count; i++)
		if (policy->entries[i].of == of)
			return true;
	return false;
}

/* Opens the socket for one check alone. Return: as drafts_open(). */
int drafts_open_check(struct drafts *drafts, const struct rules *of)
{
	int error = transaction_open(&drafts->checks[drafts->count], of);

	if (!error) {
		drafts->count++;
		return STATUS_DONE;
	}
	if (error != ENOENT || !drafts->only_loaded)
		return STATUS_ABSENT;
	complain_word(drafts->policy.path, "the lines for the %s are left out", of->title);
	drafts->left_out = true;
	return STATUS_DONE;
}

/* Opens all sockets, before the first draft is begun. Return: enum status, after a complaint. */
int drafts_open(struct drafts *drafts)
{
	const struct rules *const *of;
	int status = STATUS_DONE;

	for (of = rules_all; *of && !status; of++)
		if (drafts_are_about(drafts, *of))
			status = drafts_open_check(drafts, *of);
	return drafts->left_out && !drafts->count ? STATUS_ABSENT : status;
}

/* Forgets the drafts, so that the file can be carried out anew. Return: as drafts_open(). */
int drafts_renew(struct drafts *drafts)
{
	unsigned int i;

	for (i = 0; i < drafts->count; i++)
		if (renew(drafts, i))
			return STATUS_ABSENT;
	return STATUS_DONE;
}

/* Reads the file, as text or, with -j, as JSON. False after a complaint. */
bool drafts_read(struct drafts *drafts)
{
	size_t length;
	char *text = policy_read(&drafts->policy, drafts->policy.path, &length);
	bool good;

	if (!text)
		return false;
	good = options.json ? policy_read_json(&drafts->policy, text, length) :
			      policy_read_text(&drafts->policy, text, length);
	free(text);
	return good;
}

/* A draft that was not committed ends with its socket. */
void drafts_close(struct drafts *drafts)
{
	unsigned int i;

	for (i = 0; i < drafts->count; i++) {
		transaction_close(&drafts->checks[i]);
		json_decref(drafts->before[i]);
	}
	free(drafts->rejections);
	policy_free(&drafts->policy);
}
