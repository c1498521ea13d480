// SPDX-License-Identifier: GPL-2.0
/*
 * The log of scan --fix: a walk through the trees, past everything that is going to be renamed,
 * each directory after its contents. The log is complete and on disk before the first rename,
 * and is never changed after that. So each record holds whatever happens, and only the file
 * system shows which of them were carried out. Read from its end, it is the way back.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "journal.h"
#include "output/output.h"

/* Octets that are read at once, where a log is read backwards. */
#define BLOCK 65536

static const char header[] = "{\"utf8guard\":\"scan --fix\",\"version\":1}\n";

static bool complain_error(const struct journal *journal, int error)
{
	complain_word(journal->path, "%s", strerror(error));
	return false;
}

/**
 * journal_create() - begin a log
 * @journal: give it to journal_commit() or journal_discard()
 * @path: where nothing may be yet
 * @mounts: what is mounted in the trees is going to be looked at, too
 *
 * Return: false with a complaint.
 */
bool journal_create(struct journal *journal, const char *path, bool mounts)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	*journal = (struct journal){ .path = path, .mounts = mounts };
	if (fd < 0)
		return complain_error(journal, errno);
	journal->file = no_null(fdopen(fd, "w+"));
	fputs(header, journal->file);
	return true;
}

/* Notes an error; of several, the first one is reported. */
static void fail(struct journal *journal)
{
	if (!journal->error)
		journal->error = errno;
}

static void write_record(struct journal *journal, const struct record *record)
{
	char *line = record_format(record);

	if (fprintf(journal->file, "%s\n", line) < 0)
		fail(journal);
	free(line);
}

static void write_place(struct journal *journal, const struct dir_cursor *cursor,
			enum record_kind kind, size_t depth)
{
	char *name = depth > 1 ? dir_cursor_name(cursor, depth) : NULL;
	const struct record record = {
		.kind = kind,
		.name = name ? name : journal->root,
		.identity = dir_cursor_identity(cursor, depth),
	};

	write_record(journal, &record);
	free(name);
}

/*
 * Only the directories in which something is renamed are in the log. The path of the tree is an
 * absolute one, for the log may be undone from another working directory.
 */
static void write_way(struct journal *journal, const struct dir_cursor *cursor)
{
	if (!journal->depth) {
		free(journal->root);
		journal->root = dir_cursor_root(cursor);
		if (!journal->root)
			fail(journal);
	}
	while (journal->root && journal->depth < cursor->depth)
		write_place(journal, cursor, RECORD_IN, ++journal->depth);
}

/**
 * journal_rename() - note what is going to be renamed
 * @journal: the log
 * @cursor: at the directory
 * @name: in it
 * @to: its new name
 * @through: its name in between, or NULL
 * @identity: of what is called so
 */
void journal_rename(struct journal *journal, struct dir_cursor *cursor, const char *name,
		    const char *to, const char *through, const struct identity *identity)
{
	struct record record = {
		.kind = RECORD_RENAME,
		.name = (char *)name,
		.to = (char *)to,
		.through = (char *)through,
		.identity = *identity,
	};

	write_way(journal, cursor);
	write_record(journal, &record);
	journal->renames++;
}

/* To be called before the cursor leaves the directory at hand, or ends. */
void journal_leave(struct journal *journal, const struct dir_cursor *cursor)
{
	if (journal->depth != cursor->depth)
		return;
	write_place(journal, cursor, RECORD_OUT, cursor->depth);
	journal->depth--;
}

/* Has all of it been written, so far? */
bool journal_works(const struct journal *journal)
{
	return !journal->error;
}

/* A new file is only there after a crash if its directory was written, too. */
static bool sync_directory(const char *path)
{
	char *copy = no_null(strdup(path));
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool done = fd >= 0 && (!fsync(fd) || errno == EINVAL);

	if (fd >= 0)
		close(fd);
	free(copy);
	return done;
}

/**
 * journal_commit() - complete a log and have it on disk
 * @journal: the log; to be read from its beginning after that
 *
 * Return: false with a complaint; then it is gone.
 */
bool journal_commit(struct journal *journal)
{
	const struct record end = { .kind = RECORD_END, .mounts = journal->mounts };

	write_record(journal, &end);
	if (fflush(journal->file) || fsync(fileno(journal->file)) ||
	    !sync_directory(journal->path))
		fail(journal);
	if (journal->error) {
		complain_error(journal, journal->error);
		journal_discard(journal);
		return false;
	}
	rewind(journal->file);
	journal->complete = true;
	return fgets((char[sizeof(header)]){ "" }, sizeof(header), journal->file);
}

void journal_discard(struct journal *journal)
{
	unlink(journal->path);
	journal_close(journal);
}

void journal_close(struct journal *journal)
{
	if (journal->file)
		fclose(journal->file);
	free(journal->block);
	free(journal->root);
	*journal = (struct journal){ .path = journal->path };
}

/* Complains of a line that is no record, or of a record that cannot come at this point. */
void journal_complain(const struct journal *journal)
{
	complain_word(journal->path, "damaged, or not a log of scan --fix");
}

/* Reads the block of the file that ends at @end, the end of what was not read yet. */
static bool fill(struct journal *journal)
{
	size_t length = journal->end < BLOCK ? (size_t)journal->end : BLOCK;
	ssize_t got;

	journal->start = journal->end - (off_t)length;
	got = pread(fileno(journal->file), journal->block, length, journal->start);
	if (got < 0)
		fail(journal);
	return got == (ssize_t)length;
}

/* The last line of what is left, without its line feed; NULL if it has none. */
static const char *line_before(struct journal *journal, size_t *length)
{
	size_t left = (size_t)(journal->end - journal->start);
	const char *feed;

	if (!left || journal->block[left - 1] != '\n')
		return NULL;
	feed = memrchr(journal->block, '\n', left - 1);
	if (!feed && journal->start)
		return NULL;
	feed = feed ? feed + 1 : journal->block;
	*length = (size_t)(journal->block + left - 1 - feed);
	return feed;
}

static bool read_back(struct journal *journal, struct record *record)
{
	size_t length;
	const char *line = line_before(journal, &length);

	if (!line && fill(journal))
		line = line_before(journal, &length);
	if (!line || !record_parse(record, line, length))
		return false;
	journal->end -= (off_t)length + 1;
	return true;
}

static bool read_on(struct journal *journal, struct record *record)
{
	char line[RECORD_MAX];

	return fgets(line, sizeof(line), journal->file) &&
	       record_parse(record, line, strlen(line));
}

/**
 * journal_open() - open a log, to be read from its end
 * @journal: give it to journal_close()
 * @path: of it
 *
 * Return: false with a complaint.
 */
bool journal_open(struct journal *journal, const char *path)
{
	char first[sizeof(header)] = "";
	struct record record = { .kind = RECORD_END };
	struct stat status;

	*journal = (struct journal){ .path = path, .back = true };
	journal->file = fopen(path, "re");
	if (!journal->file || fstat(fileno(journal->file), &status))
		return complain_error(journal, errno);
	if (!fgets(first, sizeof(first), journal->file) && ferror(journal->file))
		return complain_error(journal, errno);
	if (strncmp(first, header, strlen(first))) {
		journal_complain(journal);
		return false;
	}
	journal->block = no_null(malloc(BLOCK));
	journal->start = journal->end = status.st_size;
	journal->complete = read_back(journal, &record) && record.kind == RECORD_END;
	journal->mounts = record.mounts;
	record_drop(&record);
	return !journal->error || complain_error(journal, journal->error);
}

/**
 * journal_read() - the next record
 * @journal: from journal_commit() or journal_open()
 * @record: give it to record_drop(); RECORD_END where there is no more
 *
 * Return: false with a complaint if the log is damaged, or cannot be read.
 */
bool journal_read(struct journal *journal, struct record *record)
{
	*record = (struct record){ .kind = RECORD_END };
	if (journal->back && journal->end == (off_t)strlen(header))
		return true;
	if (journal->back ? read_back(journal, record) : read_on(journal, record))
		return true;
	record_drop(record);
	*record = (struct record){ .kind = RECORD_END };
	if (journal->error)
		return complain_error(journal, journal->error);
	journal_complain(journal);
	return false;
}
