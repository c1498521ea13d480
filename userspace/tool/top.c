// SPDX-License-Identifier: GPL-2.0
/* utf8guard top: what is being refused, by rule, class, process and location. */
#include <errno.h>
#include <linux/genetlink.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <uapi/linux/utf8guard_fs.h>
#include <uapi/linux/utf8guard_nf.h>

#include "command.h"
#include "location/mounts.h"
#include "netlink/netns.h"
#include "netlink/watch.h"
#include "output/output.h"
#include "output/style.h"
#include "policy/fs_rule.h"
#include "policy/rules.h"
#include "status/event.h"
#include "status/event_line.h"
#include "text/input.h"
#include "top/activity.h"
#include "top/exception.h"
#include "top/screen.h"

/*
 * Milliseconds between two pictures. Each dump asks for the rules that have counted something in
 * that time and a little more, so that none is missed in between.
 */
#define PERIOD 1000
#define OVERLAP 500
/* Rows of each board, and events, that a batch prints. */
#define BATCH_ROWS 5

/**
 * struct top - what is watched, and how it is shown
 * @activity: what is known
 * @view: on a terminal
 * @batch: plain lines instead
 * @count: of pictures; 0 is no end
 * @drawn: so far
 * @file: events to be read, or NULL for those of the kernel
 * @families: netlink itself: whether the family of the events comes or goes
 * @events: of the kernel
 * @checks: the families of rules, as far as they are there
 * @before: when the last picture was drawn
 */
struct top {
	struct activity activity;
	struct view view;
	bool batch;
	u32 count, drawn;
	FILE *file;
	struct watch families, events;
	struct check {
		const struct rules *of;
		struct netlink nl;
		int within;
		bool known;
	} checks[2];
	u64 before;
};

/* Reads rules that have counted something since the last time; the first time, all that have. */
static int read_check(struct top *top, struct check *check, u64 elapsed)
{
	static struct request request;
	const u32 within = check->known ? (u32)(elapsed + OVERLAP) : UINT32_MAX;
	json_t *list = NULL, *rule;
	struct refusal refusal;
	size_t i;

	if (!check->nl.socket && netlink_open(&check->nl, check->of->family))
		return STATUS_DONE;
	request_init(&request, check->of->get);
	request_u32(&request, (u16)check->within, within, NULL);
	if (netlink_dump(&check->nl, &request, check->of->rule, &list, &refusal)) {
		json_decref(list);
		netlink_close(&check->nl);
		/* The module was unloaded: it may come again. */
		if (refusal.error == ENOENT || refusal.error == EOPNOTSUPP)
			return STATUS_DONE;
		complain("%s: %s%s%s", check->of->family, strerror(refusal.error),
			 *refusal.text ? ": " : "", refusal.text);
		return STATUS_REFUSED;
	}
	json_array_foreach(list, i, rule) {
		char *line = rule_text(check->of, rule);

		activity_rule(&top->activity, check->of->command, rule, line, !check->known);
		free(line);
	}
	check->known = true;
	json_decref(list);
	return STATUS_DONE;
}

static int read_checks(struct top *top, u64 elapsed)
{
	int status = STATUS_DONE;
	size_t i;

	for (i = 0; i < 2 && !status; i++)
		status = read_check(top, &top->checks[i], elapsed);
	return status;
}

static void on_event(struct top *top, const struct nlmsghdr *header)
{
	json_t *event = attributes_decode(&attributes_event,
					  mnl_nlmsg_get_payload_offset(header, GENL_HDRLEN),
					  mnl_nlmsg_get_payload_len(header) - GENL_HDRLEN);

	event_add_command(event);
	activity_event(&top->activity, event, true);
	json_decref(event);
}

static void on_family(struct top *top, const struct nlmsghdr *header)
{
	watch_follow(&top->events, header);
}

/* Reads one datagram; poll() tells if more of them wait. */
static void read_watch(struct top *top, struct watch *watch,
		       void (*on_message)(struct top *top, const struct nlmsghdr *header))
{
	static char buffer[65536] __attribute__((aligned(NLMSG_ALIGNTO)));
	const struct nlmsghdr *header = (const struct nlmsghdr *)buffer;
	ssize_t got = netlink_receive_one(&watch->nl, buffer, sizeof(buffer));
	int length = (int)got;

	for (; got > 0 && mnl_nlmsg_ok(header, length); header = mnl_nlmsg_next(header, &length))
		if (header->nlmsg_type == watch->nl.id &&
		    header->nlmsg_len >= NLMSG_LENGTH(GENL_HDRLEN))
			on_message(top, header);
}

/* Also how many found the buffer full. */
static void read_events(struct top *top)
{
	read_watch(top, &top->events, on_event);
	top->activity.suppressed += watch_dropped(&top->events);
}

/* A line of "monitor -j"; what is no refusal is passed over. Return: is it one? */
static bool take_line(struct top *top, const char *text)
{
	bool understood;
	json_t *event = event_line_read(text, &understood);

	if (event)
		activity_event(&top->activity, event, false);
	json_decref(event);
	return understood;
}

static void print_board(struct top *top, enum board_kind kind)
{
	const struct board *board = &top->activity.boards[kind];
	size_t i;

	activity_sort(&top->activity, kind, true);
	if (board->count)
		printf("%9s %9s %9s  %s\n", "A SECOND", "REFUSED", "AUDITED", board_titles[kind]);
	for (i = 0; i < board->count && i < BATCH_ROWS; i++) {
		const struct row *row = &board->rows[i];
		const char *line = "";

		if (kind == BOARD_RULE)
			line = member_text(top->activity.lines, row->name);
		printf("%9s %9s %9s  %s%s%s\n", count_text(row->rate), count_text(row->refused),
		       count_text(row->audited), row->name, *line ? ": " : "", line);
	}
}

static void print_batch(struct top *top)
{
	const struct activity *a = &top->activity;
	size_t kind, i;

	printf("refused %s/s, audited %s/s, events not sent %s\n", count_text(a->refused_rate),
	       count_text(a->audited_rate), count_text(a->suppressed));
	for (kind = 0; kind < BOARDS; kind++)
		print_board(top, kind);
	if (a->event_count)
		puts("THE LAST REFUSALS");
	for (i = 0; i < a->event_count && i < BATCH_ROWS; i++)
		event_print_refusal(a->events[i]);
	putchar('\n');
	fflush(stdout);
}

static void draw(struct top *top)
{
	top->drawn++;
	if (top->batch) {
		print_batch(top);
	} else if (!top->view.paused) {
		activity_sort(&top->activity, top->view.kind, top->view.by_rate);
		screen_draw(&top->activity, &top->view);
	}
}

static void wait_for_enter(void)
{
	char answer[8];

	printf("Enter goes back: ");
	fflush(stdout);
	if (!fgets(answer, sizeof(answer), stdin))
		clearerr(stdin);
}

static void explain(const struct top *top, const json_t *event)
{
	struct line line = { 0 };
	struct words words;

	event_print_refusal(event);
	if (*activity_line(&top->activity, event))
		printf("by rule %llu: %s\n", member_number(event, "rule"),
		       activity_line(&top->activity, event));
	if (*member_text(event, "bytes") && !member_present(event, "reason")) {
		line_add(&line, member_text(event, "bytes"));
		words = (struct words){ .command = "explain", .next = line.words };
		command_explain.run(&words);
	}
	line_free(&line);
}

/*
 * The path is what the kernel said when it refused. Whoever was refused may have put a link
 * there since, so that the rule would be for another location than the one that is shown.
 */
static bool add_rule(const struct line *line)
{
	struct words words = { .command = line->words[0], .next = line->words + 1 };
	bool added;

	fs_rule_no_links = true;
	added = !rules_run(strcmp(line->words[0], "fs") ? &rules_net : &rules_fs, &words);
	fs_rule_no_links = false;
	return added;
}

static void add_exception(const json_t *event)
{
	struct line line = { 0 };
	char answer[8] = "", *text;
	const char *why;

	mounts_forget();
	why = exception_line(event, &line);
	if (why) {
		printf("No rule can let this pass: %s.\n", why);
		return;
	}
	text = line_text(&line);
	printf("This would let it pass, and go on telling of it:\n    utf8guard %s\n", text);
	printf("Type \"yes\" to add that rule: ");
	fflush(stdout);
	free(text);
	if (!fgets(answer, sizeof(answer), stdin) || strcmp(answer, "yes\n"))
		puts("nothing was added");
	else if (add_rule(&line))
		puts("added");
	line_free(&line);
}

/* Return: whether to go on. */
static bool take_key(struct top *top)
{
	const enum screen_ask ask = screen_key(&top->view, &top->activity);
	json_t *event = NULL;

	if (ask == SCREEN_ASK_QUIT)
		return false;
	if (ask != SCREEN_ASK_NONE && top->view.chosen < top->activity.event_count) {
		/* Events that come meanwhile push it down the list, and out of it. */
		event = json_incref(top->activity.events[top->view.chosen]);
		screen_leave();
		if (ask == SCREEN_ASK_EXPLAIN)
			explain(top, event);
		else
			add_exception(event);
		wait_for_enter();
		screen_return();
		json_decref(event);
	}
	activity_sort(&top->activity, top->view.kind, top->view.by_rate);
	screen_draw(&top->activity, &top->view);
	return true;
}

static int take_picture(struct top *top)
{
	const u64 now = watch_milliseconds(), elapsed = now - top->before;
	int status = top->file ? STATUS_DONE : read_checks(top, elapsed);

	activity_tick(&top->activity, elapsed);
	top->before = now;
	draw(top);
	return status;
}

static bool enough(const struct top *top)
{
	return (top->count && top->drawn >= top->count) || ferror(stdout);
}

static int watch_all(struct top *top)
{
	struct pollfd polls[] = {
		{ .events = POLLIN },
		{ .fd = top->batch ? -1 : STDIN_FILENO, .events = POLLIN },
		{ .fd = watch_fd(&top->families), .events = POLLIN },
	};
	int status = STATUS_DONE;

	while (!status && !enough(top)) {
		const u64 due = top->before + PERIOD, now = watch_milliseconds();

		if (now >= due) {
			status = take_picture(top);
			continue;
		}
		polls[0].fd = watch_fd(&top->events);
		if (poll(polls, 3, (int)(due - now)) < 0 && errno != EINTR)
			return STATUS_ABSENT;
		/* What was reported before the family went comes first. */
		if (polls[0].revents)
			read_events(top);
		else if (polls[2].revents)
			read_watch(top, &top->families, on_family);
		/* Once a terminal has hung up, poll() returns at once, for ever. */
		if (polls[1].revents & (POLLHUP | POLLERR))
			break;
		if (polls[1].revents && !take_key(top))
			break;
	}
	return status;
}

/* The families first: none must go unseen. */
static int begin_live(struct top *top)
{
	int status;

	top->families = (struct watch)WATCH_FAMILIES;
	status = watch_open_or_complain(&top->families, true);
	if (status)
		return status;
	top->events = (struct watch){ .family = NETLINK_SERVICE, .group = UTF8GUARD_MCGRP_EVENTS };
	status = watch_open_or_complain(&top->events, true);
	return status ? status : read_checks(top, 0);
}

static struct {
	bool batch;
	u32 count;
	const char *file;
} asked;

static bool take_count(struct words *value)
{
	return words_positive(value, "a number of pictures from 1 on", &asked.count);
}

static bool take_file(struct words *value)
{
	asked.file = words_take(value, "a file of monitor -j");
	return asked.file;
}

static bool open_file(struct top *top)
{
	if (!asked.file)
		return true;
	top->file = strcmp(asked.file, "-") ? fopen(asked.file, "re") : stdin;
	if (!top->file)
		complain_word(asked.file, "%s", strerror(errno));
	return top->file;
}

/* To its end at once: nobody waits for what has happened already. */
static int read_file(struct top *top)
{
	unsigned long long lines = 0, strange = 0;
	char *text = NULL;
	size_t size = 0;
	ssize_t got;

	for (; (got = input_line(&text, &size, INPUT_LINE_MOST, top->file)) > 0; lines++)
		strange += !take_line(top, text);
	if (got < 0)
		input_complain_line(asked.file, lines + 1, (int)-got);
	if (strange)
		complain_word(asked.file, "%llu lines were not understood", strange);
	free(text);
	activity_tick(&top->activity, PERIOD);
	return got || (strange && strange == lines) ? STATUS_USAGE : STATUS_DONE;
}

static int replay(struct top *top)
{
	draw(top);
	return top->batch ? STATUS_DONE : watch_all(top);
}

static int show(struct top *top)
{
	int status = top->file ? read_file(top) : begin_live(top);

	if (status)
		return status;
	if (!top->batch && !screen_begin()) {
		complain("top: cannot draw on this terminal; -b prints lines");
		return STATUS_USAGE;
	}
	top->before = watch_milliseconds();
	if (!top->batch)
		draw(top);
	status = top->file ? replay(top) : watch_all(top);
	if (!top->batch)
		screen_end();
	return status;
}

static int run(struct words *words)
{
	static struct top top;
	int status;

	if (!words_end(words))
		return STATUS_USAGE;
	top = (struct top){
		.batch = asked.batch || !screen_can() || !style_terminal() || !isatty(STDIN_FILENO),
		.count = asked.count,
		.view.by_rate = true,
		.checks = { { .of = &rules_fs, .within = UTF8GUARD_FS_A_RULE_WITHIN },
			    { .of = &rules_net, .within = UTF8GUARD_NF_A_RULE_WITHIN } },
	};
	if (!open_file(&top))
		return STATUS_USAGE;
	activity_begin(&top.activity);
	status = show(&top);
	activity_end(&top.activity);
	watch_close(&top.families);
	watch_close(&top.events);
	netlink_close(&top.checks[0].nl);
	netlink_close(&top.checks[1].nl);
	return status;
}

const struct command command_top = {
	.name = "top",
	.options = OPTIONS({ .letter = 'b', .name = "batch", .flag = &asked.batch },
			   { .name = "count", .take = take_count },
			   { .name = "file", .take = take_file },
			   OPTION_NUMERIC, OPTION_HUMAN, OPTION_COLOR, OPTION_NETNS),
	.summary = "what is refused now, by rule, class, process and location",
	.help =
"utf8guard top [-b] [-n] [-H] [--color WHEN] [-N NETNS] [--count N] [--file FILE|-]\n"
"\n"
"Each second, how much is refused and audited by each rule, for each class, by\n"
"whom and where, and the last refusals with path and bytes. Rules and classes are\n"
"counted by the kernel; processes, senders and locations by the events, of which\n"
"it sends so many a second and says how many it did not.\n"
"\n"
"Keys: r rules, c classes, p processes or senders, l locations; s sorts by rate or\n"
"by all so far; SPACE pauses; j, k and the arrows choose a refusal; e explains it;\n"
"x shows the rule that would let it pass, and adds it if you say \"yes\"; q quits.\n"
"\n"
"  -b           plain lines, as without a terminal, or built without ncurses\n"
"  --count N    end after N pictures\n"
"  --file FILE  what monitor -j has written, instead of what happens now\n"
"  -n           seconds since 1970 and numbers of users, not dates and names\n"
"  -H           counters of three digits: 12.3k, 4.56M\n"
"  --color WHEN auto (on a terminal, if NO_COLOR is not set), always or never\n",
	.run = run,
};
