// SPDX-License-Identifier: GPL-2.0
/*
 * utf8guard scan: finds existing names that would be refused, and better names for them. First
 * everything is looked at, and all planned renames are written to a log on disk. Then the log
 * is carried out. No names are kept in memory, however many there are, but a hash of some.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "command.h"
#include "output/output.h"
#include "output/progress.h"
#include "scan/interrupt.h"
#include "scan/plan.h"
#include "scan/repair.h"
#include "scan/roots.h"

/**
 * struct scan_options - the options of the command line
 * @scan: what they ask for
 * @from: a character set, or NULL
 * @log: where to write the log, or NULL
 * @undo: the log to be undone, or NULL
 * @judges: --form or --refuse was said
 * @quiet: no progress
 * @summary: at the end
 */
struct scan_options {
	struct scan scan;
	const char *from, *log, *undo;
	bool judges, quiet, summary;
};

static struct scan_options asked = { .scan.judge.form = -1 };

static bool take_form(struct words *value)
{
	asked.judges = true;
	return judge_take_form(&asked.scan.judge, value);
}

static bool take_refuse(struct words *value)
{
	asked.judges = true;
	return judge_take_classes(&asked.scan.judge, value);
}

static bool take_from(struct words *value)
{
	asked.from = words_take(value, "a character set, as in latin1");
	return asked.from;
}

static bool take_log(struct words *value)
{
	asked.log = words_take(value, "a file that is not there yet");
	return asked.log;
}

static bool take_undo(struct words *value)
{
	asked.undo = words_take(value, "a log of --fix");
	return asked.undo;
}

static const struct option_row rows[] = {
	{ .name = "form", .take = take_form },
	{ .name = "refuse", .take = take_refuse },
	{ .name = "mounts", .flag = &asked.scan.mounts },
	{ .name = "quiet", .flag = &asked.quiet },
	{ .name = "fix", .flag = &asked.scan.fix },
	{ .name = "from", .take = take_from },
	{ .name = "replace", .flag = &asked.scan.new_name.replace },
	{ .name = "log", .take = take_log },
	{ .name = "dry-run", .flag = &asked.scan.dry },
	{ .name = "undo", .take = take_undo },
	{ .letter = 's', .name = "summary", .flag = &asked.summary },
	OPTION_NULL,
	OPTION_JSON,
	OPTION_PRETTY,
	{ 0 },
};

/* Return: NULL, or what does not go together. */
static const char *contradiction(const struct scan_options *given, const struct words *words)
{
	const struct scan *scan = &given->scan;
	const bool mends = given->from || scan->new_name.replace;

	if (options.null && options.json)
		return "-0 and -j cannot be combined";
	if (given->undo)
		return scan->fix || mends || given->log || given->judges || words_left(words) ?
		       "--undo takes a log, and no option but --dry-run and --mounts" : NULL;
	if (!scan->fix)
		return mends || given->log || scan->dry ?
		       "--from, --replace, --log and --dry-run mean nothing without --fix" : NULL;
	if (!mends && scan->judge.form < 0)
		return "--fix needs --from, --replace or --form";
	if (!given->log == !scan->dry)
		return scan->dry ? "--dry-run writes no log" :
		       "--fix takes a --log, to undo it by; or --dry-run, to begin with";
	return NULL;
}

/*
 * Whoever names a directory that is not there may have meant something else by the
 * other words, too: then nothing is renamed in any of them. Each is tried before the
 * first is read, which may take long.
 */
static bool are_there(struct scan *scan, const struct words *words)
{
	bool good = true;
	char **path;

	for (path = words->next; *path; path++)
		good &= plan_can(scan, *path);
	if (!good)
		complain("scan: nothing was renamed");
	return good;
}

/* At most so many names are there, by the inodes in use; 0 if a file system does not count them. */
static unsigned long long names_below(char *const *directories)
{
	unsigned long long sum = 0;
	struct statvfs now, before = { 0 };

	for (; *directories; directories++) {
		if (statvfs(*directories, &now) || !now.f_files)
			return 0;
		/* Each file system once: its directories are mostly named one after the other. */
		if (now.f_fsid != before.f_fsid || now.f_files != before.f_files)
			sum += now.f_files - now.f_ffree;
		before = now;
	}
	return sum;
}

/* Return: whether all of the directories could be begun with. */
static bool look(struct scan *scan, struct words *words)
{
	bool good = true;

	/* With --mounts, names on other file systems count, too, and nobody knows which. */
	if (progress_is_on() && !scan->mounts)
		scan->expected = names_below(words->next);
	while (words_left(words) && !interrupted())
		good &= plan_take(scan, words_take(words, NULL));
	progress_clear();
	return good;
}

/* Carries out, or undoes, and says how to go on if a signal or a failed write has ended that. */
static void carry_out(struct scan *scan)
{
	repair(scan);
	progress_clear();
	if (!interrupted() && !ferror(stdout))
		return;
	scan_worsen(scan, STATUS_NO);
	complain("interrupted: %llu renamed%s; %s", scan->renamed,
		 scan->journal.back ? " back" : "", scan->journal.back ?
		 "the rest by the same command" : "--undo renames them back");
}

static void fix(struct scan *scan, struct words *words, const char *log)
{
	bool there;

	interrupt_catch();
	if (!journal_create(&scan->journal, log, scan->mounts)) {
		scan_worsen(scan, STATUS_USAGE);
		return;
	}
	roots_put_lower_first(words->next);
	there = look(scan, words);
	if (interrupted() || ferror(stdout)) {
		complain("interrupted: nothing was renamed");
		scan_worsen(scan, STATUS_NO);
		journal_discard(&scan->journal);
	} else if (!there) {
		complain("scan: nothing was renamed");
		journal_discard(&scan->journal);
	} else if (!journal_commit(&scan->journal)) {
		complain("without a log nothing was renamed");
		scan_worsen(scan, STATUS_USAGE);
	} else {
		carry_out(scan);
		journal_close(&scan->journal);
	}
}

static void undo(struct scan *scan, const char *log)
{
	if (!journal_open(&scan->journal, log)) {
		scan_worsen(scan, STATUS_USAGE);
	} else if (!scan->journal.complete) {
		complain_word(log, "has no end: if it was never finished, nothing was renamed");
		scan_worsen(scan, STATUS_NO);
	} else {
		interrupt_catch();
		scan->mounts |= scan->journal.mounts;
		carry_out(scan);
	}
	journal_close(&scan->journal);
}

/* On standard error, because the findings are on standard output; after these. */
static void print_summary(const struct scan *scan)
{
	fflush(stdout);
	fprintf(stderr, "names %llu, refused %llu, renamed %llu", scan->names, scan->found,
		scan->renamed);
	tally_print(&scan->tally);
}

static int run(struct words *words)
{
	struct scan_options given = asked;
	struct scan *scan = &given.scan;
	const char *wrong = contradiction(&given, words);

	if (wrong) {
		complain("scan: %s", wrong);
		return STATUS_USAGE;
	}
	if (!given.undo && !words_left(words)) {
		words_take(words, "a directory");
		return STATUS_USAGE;
	}
	if (scan->fix && !are_there(scan, words))
		return scan->status;
	if (!new_name_begin(&scan->new_name, given.from))
		return STATUS_USAGE;
	roots_leave_out(words->next, scan->mounts);
	progress_begin(!given.quiet);
	if (given.undo)
		undo(scan, given.undo);
	else if (given.log)
		fix(scan, words, given.log);
	else
		look(scan, words);
	new_name_end(&scan->new_name);
	progress_clear();
	if (given.summary || progress_is_on())
		print_summary(scan);
	return scan->status;
}

const struct command command_scan = {
	.name = "scan",
	.options = rows,
	.summary = "which names that exist would be refused? rename them",
	.help =
"utf8guard scan [-0] [-j] [-s] [--form FORM] [--refuse CLASSES] [--mounts] [--quiet]\n"
"               DIR...\n"
"utf8guard scan --fix --log FILE|--dry-run [--from CHARSET] [--replace] ... DIR...\n"
"utf8guard scan --undo FILE [--dry-run] [--mounts]\n"
"\n"
"Looks at every name below each DIR and follows no symbolic link. Prints\n"
"PATH:OFFSET: CLASS: HEX... for each name that is not UTF-8, a directory after\n"
"what is in it; offsets count bytes from 0 in the last part of the path. Works\n"
"without the modules, and without --fix changes nothing.\n"
"\n"
"  --form    names that are not in this form too: nfc, nfd, nfkc, nfkd or\n"
"            nfkc-casefold\n"
"  --refuse  names with characters of these classes too, separated by commas:\n"
"            nul, control, newline, bom, bidi, noncharacter, private-use,\n"
"            unassigned, default-ignorable, edge-space; or a profile:\n"
"            utf8          none of them\n"
"            safe          control, newline, bidi, noncharacter, edge-space\n"
"            portable-nfc  these, unassigned, and --form nfc\n"
"  --mounts  what is mounted below DIR, too; --undo needs it only for what was\n"
"            mounted since\n"
"  --quiet   no progress and no summary on a terminal\n"
"  -s        at the end, on standard error: how many names, how many of them are\n"
"            refused and renamed, and what they are refused for, by class; on a\n"
"            terminal always, but for --quiet\n"
"  -0        the paths alone, each ended by NUL, as xargs -0 takes them\n"
"  -j        an object a line for every name\n"
"  --        what follows are directories\n"
"\n"
"  --fix     rename them, if the new name is as it should be and there is none\n"
"            like it. What cannot be mended is printed with the reason, and left.\n"
"            If a DIR is not there or cannot be read, nothing is renamed\n"
"  --from    names that are not UTF-8 are in this character set; iconv -l lists\n"
"            them. What is UTF-8 already is never converted\n"
"  --replace put U+FFFD for what is ill-formed or refused\n"
"  --form    is what names are brought into, too\n"
"  --log     what --undo needs. Is complete and on disk before the first name is\n"
"            touched; must not exist\n"
"  --dry-run say what would be renamed, and do nothing: do this first\n"
"  --undo    rename back, in the opposite order, and never over another name\n"
"\n"
"Exit status: 0 none found or all renamed, 1 some found or left, 2 a directory\n"
"cannot be read or the log not be written.\n",
	.run = run,
};
