// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a target without libFuzzer: on the files that are given, and on some that are made of
 * them at random, the same in every run.
 *
 *	replay [-n MADE] [-s SEED] [-d DICTIONARY] FILE|DIRECTORY...
 *
 * An input that fails, or that takes a minute, is left in the file that $FUZZ_FOUND names.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../kunit/sample.h"
#include "fuzz.h"

#define LONGEST 4096
#define MOST 4096
#define MOST_SECONDS 60

struct text {
	u8 *octets;
	size_t length;
};

static struct text seeds[MOST], words[MOST];
static unsigned int seed_count, word_count;
static const struct text *running;

__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

/* Called in the middle of a failure, so it must not allocate. */
static void leave(void)
{
	const char *path = getenv("FUZZ_FOUND");
	int fd = path && running ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;

	if (fd < 0)
		return;
	if (write(fd, running->octets, running->length) == (ssize_t)running->length)
		dprintf(2, "the input: %s\n", path);
	close(fd);
}

static void on_signal(int number)
{
	leave();
	signal(number, SIG_DFL);
	raise(number);
}

/* No code under test may end the program, with whatever status. */
static void on_exit_meanwhile(void)
{
	if (!running)
		return;
	dprintf(2, "exit() was called\n");
	leave();
	_exit(1);
}

/* A function of the sanitizers; NULL without them. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

/* Runs a copy of exactly its length, so that sanitizers see what is read past the end. */
static void run(const struct text *text)
{
	u8 *copy = malloc(text->length);

	if (text->length)
		memcpy(copy, text->octets, text->length);
	running = text;
	alarm(MOST_SECONDS);
	LLVMFuzzerTestOneInput(copy, text->length);
	alarm(0);
	running = NULL;
	free(copy);
}

static void add_file(const char *path)
{
	struct text *text = &seeds[seed_count];
	struct stat status;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fstat(fd, &status) || seed_count == MOST) {
		perror(path);
		exit(2);
	}
	text->length = (size_t)status.st_size;
	text->octets = malloc(text->length);
	if (read(fd, text->octets, text->length) != status.st_size) {
		perror(path);
		exit(2);
	}
	close(fd);
	seed_count++;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Files are in the order of their names, so that the run is the same on every machine. */
static void add(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, by_name), i;
	char name[4096];

	if (count < 0) {
		add_file(path);
		return;
	}
	for (i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.')
			add_file(name);
		free(entries[i]);
	}
	free(entries);
}

static unsigned int digit(char c)
{
	return c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
}

/* Lines of NAME="WORD", with \xHH, as libFuzzer has them. */
static void add_words(const char *path)
{
	char line[1024], *c;
	FILE *file = fopen(path, "r");

	while (file && word_count < MOST && fgets(line, sizeof(line), file)) {
		struct text *word = &words[word_count];

		c = strchr(line, '"');
		if (*line == '#' || !c)
			continue;
		word->octets = malloc(strlen(c));
		for (c++; *c && *c != '"'; c++) {
			u8 octet = *c;

			if (*c == '\\' && c[1] == 'x') {
				octet = digit(c[2]) << 4 | digit(c[3]);
				c += 3;
			} else if (*c == '\\') {
				octet = *++c;
			}
			word->octets[word->length++] = octet;
		}
		word_count++;
	}
	if (file)
		fclose(file);
}

static void insert(struct text *text, size_t at, const u8 *octets, size_t length)
{
	if (length > LONGEST - text->length)
		length = LONGEST - text->length;
	memmove(text->octets + at + length, text->octets + at, text->length - at);
	memcpy(text->octets + at, octets, length);
	text->length += length;
}

static void erase(struct text *text, size_t at, size_t length)
{
	if (length > text->length - at)
		length = text->length - at;
	memmove(text->octets + at, text->octets + at + length, text->length - at - length);
	text->length -= length;
}

static void change(struct text *text, u64 *odds)
{
	static const u8 borders[] = { 0, 1, 9, 10, 13, 32, '%', '.', '/', 0x7f, 0x80, 0x8f, 0x90,
				      0x9f, 0xa0, 0xaf, 0xbf, 0xc0, 0xc1, 0xc2, 0xe0, 0xed, 0xef,
				      0xf0, 0xf4, 0xf5, 0xff };
	const struct text *other = &seeds[sample_random(odds) % seed_count];
	size_t at = sample_random(odds) % (text->length + 1);
	u8 octet = sample_random(odds) % 2 ? borders[sample_random(odds) % sizeof(borders)] :
					     sample_random(odds);
	size_t from;

	switch (sample_random(odds) % 7) {
	case 0:
		if (at < text->length)
			text->octets[at] ^= 1U << sample_random(odds) % 8;
		break;
	case 1:
		if (at < text->length)
			text->octets[at] = octet;
		break;
	case 2:
		insert(text, at, &octet, 1);
		break;
	case 3:
		erase(text, at, 1 + sample_random(odds) % 8);
		break;
	case 4:
		if (word_count) {
			const struct text *word = &words[sample_random(odds) % word_count];

			insert(text, at, word->octets, word->length);
		}
		break;
	case 5:
		from = sample_random(odds) % (other->length + 1);
		insert(text, at, other->octets + from,
		       sample_random(odds) % (other->length - from + 1));
		break;
	default:
		text->length = at;
	}
}

static void make(u64 count, u64 odds)
{
	static u8 octets[LONGEST];
	struct text text = { .octets = octets };
	u32 changes;

	while (count--) {
		const struct text *seed = &seeds[sample_random(&odds) % seed_count];

		text.length = seed->length < LONGEST ? seed->length : LONGEST;
		memcpy(octets, seed->octets, text.length);
		for (changes = 1 + sample_random(&odds) % 6; changes; changes--)
			change(&text, &odds);
		run(&text);
	}
}

int main(int argc, char **argv)
{
	u64 made = 0, odds = 1;
	unsigned int i;
	int option;

	while ((option = getopt(argc, argv, "n:s:d:")) != -1) {
		if (option == 'n')
			made = strtoull(optarg, NULL, 0);
		else if (option == 's')
			odds = strtoull(optarg, NULL, 0) | 1;
		else if (option == 'd')
			add_words(optarg);
		else
			return 2;
	}
	for (; optind < argc; optind++)
		add(argv[optind]);
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(leave);
	atexit(on_exit_meanwhile);
	signal(SIGABRT, on_signal);
	signal(SIGSEGV, on_signal);
	signal(SIGALRM, on_signal);
	LLVMFuzzerInitialize(&argc, &argv);
	for (i = 0; i < seed_count; i++)
		run(&seeds[i]);
	if (seed_count)
		make(made, odds);
	dprintf(1, "%u inputs, %llu made of them\n", seed_count, (unsigned long long)made);
	return seed_count ? 0 : 2;
}
