// SPDX-License-Identifier: GPL-2.0
/*
 * The log of scan --fix, read from its end; single lines of it; and refusals from the audit
 * log and from monitor. No record leads out of its directory, but for the path of a tree, and a
 * record that is written is read back as it was.
 *
 * promise whoever wrote the text: no rename in a log of scan --fix leads out of its directory
 * shown by: journal
 */
#include <sys/mman.h>
#include <unistd.h>

#include "../../tool/scan/journal.h"
#include "../../tool/status/audit_record.h"
#include "../../tool/status/event_line.h"
#include "fuzz.h"

static bool is_name(const char *name)
{
	return name && *name && !strchr(name, '/') && strcmp(name, ".") && strcmp(name, "..");
}

/* Whether it is a directory is said by the kind of the record. */
static bool same_identity(const struct identity *a, const struct identity *b)
{
	return a->inode == b->inode && a->born == b->born && a->changed == b->changed &&
	       a->size == b->size;
}

static bool same_name(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void check_names(const struct record *record)
{
	switch (record->kind) {
	case RECORD_END:
		break;
	case RECORD_RENAME:
		fuzz_check(is_name(record->name) && is_name(record->to));
		fuzz_check(!record->through || is_name(record->through));
		break;
	default:
		fuzz_check(is_name(record->name) || (record->name && *record->name == '/'));
	}
}

/* Without a name there is nothing whose identity could be written. */
static void check_record(const struct record *record)
{
	struct record again;
	char *line;

	check_names(record);
	line = record_format(record);
	fuzz_check(record_parse(&again, line, strlen(line)));
	fuzz_check(again.kind == record->kind && again.mounts == record->mounts);
	fuzz_check(same_name(again.name, record->name) && same_name(again.to, record->to));
	fuzz_check(same_name(again.through, record->through));
	fuzz_check(!record->name || same_identity(&again.identity, &record->identity));
	record_drop(&again);
	free(line);
}

static void read_journal(const u8 *data, size_t size)
{
	int fd = memfd_create("journal", 0);
	struct journal journal;
	struct record record;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fuzz_check(write(fd, data, size) == (ssize_t)size);
	if (journal_open(&journal, path)) {
		while (journal_read(&journal, &record) && record.kind != RECORD_END) {
			check_record(&record);
			record_drop(&record);
		}
		record_drop(&record);
	}
	journal_close(&journal);
	close(fd);
}

FUZZ_BEGINS_SILENTLY

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input input = { data, size };
	struct record record;
	bool understood;
	char *text;
	size_t len;

	if (size && *data == '{') {
		read_journal(data, size);
		return 0;
	}
	fuzz_octet(&input);
	text = (char *)fuzz_take(&input, size, &len);
	if (record_parse(&record, text, len))
		check_record(&record);
	record_drop(&record);
	free(text);
	text = strndup((const char *)input.at - len, len);
	json_decref(audit_record_read(text));
	json_decref(event_line_read(text, &understood));
	free(text);
	return 0;
}
