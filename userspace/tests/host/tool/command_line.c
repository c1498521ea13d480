// SPDX-License-Identifier: GPL-2.0
/*
 * The command line of a process that lets nobody read it: FIFOs stand for the lock of its memory,
 * for whoever opens one waits until somebody else writes to it.
 *
 * promise local user: a process whose command line cannot be read stops monitor for less than half
 *   a second in ten
 * shown by: no answer
 * shown by: slow answers
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../../tool/process/command_line.h"
#include "../../tap.h"

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* As in /proc: a directory for the process, with the file or the FIFO in it. */
static void make(int pid, const char *words, size_t length)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%d", pid);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%d/cmdline", pid);
	if (!words) {
		mkfifo(path, 0600);
		return;
	}
	file = fopen(path, "w");
	fwrite(words, 1, length, file);
	fclose(file);
}

static void is(u64 pid, const char *wanted, const char *name)
{
	char *got = command_line(pid);

	tap_ok(got ? wanted && !strcmp(got, wanted) : !wanted, "%s: %s", name, got ? got : "none");
	free(got);
}

static void is_fast(double begin, double most, const char *name)
{
	double took = seconds() - begin;

	tap_ok(took < most, "%s: %.3f s", name, took);
}

/* Answers each reader of the FIFO after so long. */
static pid_t answer_slowly(const char *path, useconds_t after)
{
	pid_t pid = fork();

	while (!pid) {
		int fd = open(path, O_WRONLY);

		usleep(after);
		if (write(fd, "slow", 4) < 0)
			_exit(1);
		close(fd);
	}
	return pid;
}

static void slow_answers(void)
{
	pid_t server = answer_slowly("3/cmdline", 150000);
	double begin = seconds();
	unsigned int i, got = 0;

	for (i = 0; i < 100; i++) {
		char *text = command_line(3);

		got += text ? 1 : 0;
		free(text);
	}
	tap_ok(got > 2 && got < 10, "some slow answers are waited for: %u", got);
	is_fast(begin, 2, "slow answers: to all of 100");
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
}

/* The time that is not waited must be over. */
static void next_period(void)
{
	sleep(11);
}

int main(void)
{
	char path[] = "/tmp/command_line.XXXXXX", remove[64];
	char many[1000];
	double begin;

	memset(many, 'x', sizeof(many));
	if (!mkdtemp(path) || chdir(path))
		return 1;
	snprintf(remove, sizeof(remove), "rm -rf %s", path);
	command_line_proc = path;
	make(1, "tool\0-j\0a b\0", 12);
	make(2, NULL, 0);
	make(3, NULL, 0);
	make(4, "", 0);
	make(5, many, sizeof(many));
	make(6, "a\xff\0\0", 4);

	is(1, "tool -j a b", "the words, and spaces between them");
	is(4, NULL, "a kernel thread has none");
	is(7, NULL, "nor has a process that is gone");
	is(6, "a\\xFF", "octets are escaped");
	many[255] = '\0';
	is(5, many, "it may be long");
	is(1, "tool -j a b", "and the next one is as it was");

	begin = seconds();
	is(2, NULL, "a process that does not answer");
	is_fast(begin, 0.45, "no answer");
	begin = seconds();
	is(2, NULL, "it is not asked again");
	is(1, NULL, "nor is any other");
	is_fast(begin, 0.05, "which takes no time");
	next_period();
	is(1, "tool -j a b", "ten seconds later");
	next_period();
	slow_answers();
	if (system(remove))
		return 1;
	return tap_done();
}
