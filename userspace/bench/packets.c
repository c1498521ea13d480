// SPDX-License-Identifier: GPL-2.0
/*
 * packets CLIENT SERVER ADDRESS udp|tcp [SIZE...]: what it takes to send a
 * datagram or a segment from one network namespace, have it forwarded, and
 * receive it in another, of several texts and sizes; in ticks of the time stamp
 * counter, or nanoseconds where there is no such counter. Where a tick is an
 * instruction (run.sh -c), that is a count and no measurement: the smallest of
 * many rounds has no interrupt in it. A segment that was read is acknowledged,
 * which is in the count.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __x86_64__
#include <x86intrin.h>
#else
#include <time.h>
#endif

#include "../../kunit/words.h"

enum { ROUNDS = 16, WARM = 4, TIMES = 12, PORT = 9000, MAX_LEN = 1400 };

static const char *const texts[] = { "ASCII", "Russian", "Japanese", "mixed" };
static const int sizes[] = { 64, 512, MAX_LEN };

static void must(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

static uint64_t ticks(void)
{
#ifdef __x86_64__
	return __rdtsc();
#else
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
#endif
}

static int open_socket(const char *space, int type)
{
	char path[256];
	int fd, s;

	snprintf(path, sizeof(path), "/run/netns/%s", space);
	fd = open(path, O_RDONLY);
	must(fd >= 0 && !setns(fd, CLONE_NEWNET), path);
	close(fd);
	s = socket(AF_INET, type, 0);
	must(s >= 0, "socket");
	return s;
}

/* Two ends: what is sent by the first is received by the second. */
static void open_pair(char **argv, int type, int ends[2])
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(PORT) };
	struct timeval patience = { .tv_sec = 10 };
	int one = 1, server;

	must(inet_pton(AF_INET, argv[3], &to.sin_addr) == 1, argv[3]);
	server = open_socket(argv[2], type);
	must(!setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) &&
	     !bind(server, (struct sockaddr *)&to, sizeof(to)), "bind");
	must(type == SOCK_DGRAM || !listen(server, 1), "listen");
	ends[0] = open_socket(argv[1], type);
	must(!connect(ends[0], (struct sockaddr *)&to, sizeof(to)), "connect");
	ends[1] = type == SOCK_DGRAM ? server : accept(server, NULL, NULL);
	must(ends[1] >= 0, "accept");
	must(type == SOCK_DGRAM ||
	     !setsockopt(ends[0], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)), "TCP_NODELAY");
	/* A packet that is lost shall end the run. */
	must(!setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)),
	     "SO_RCVTIMEO");
}

static uint64_t one_round(const int ends[2], const u8 *text, int len)
{
	u8 buffer[MAX_LEN];
	uint64_t start = ticks();

	for (int i = 0; i < TIMES; i++) {
		must(send(ends[0], text, len, 0) == len, "send");
		must(recv(ends[1], buffer, len, MSG_WAITALL) == len, "recv");
	}
	return ticks() - start;
}

static void count(const int ends[2], const char *name, int len)
{
	uint64_t least = UINT64_MAX, seed = 0x5eed;
	u8 text[MAX_LEN];

	words_fill(name, text, len, &seed);
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t ticks = one_round(ends, text, len);

		if (i >= WARM && ticks < least)
			least = ticks;
	}
	printf("%s\t%d\t%.0f\n", name, len, (double)least / TIMES);
}

int main(int argc, char **argv)
{
	int ends[2], size;

	if (argc < 5) {
		fputs("usage: packets CLIENT SERVER ADDRESS udp|tcp [SIZE...]\n", stderr);
		return 2;
	}
	open_pair(argv, strcmp(argv[4], "tcp") ? SOCK_DGRAM : SOCK_STREAM, ends);
	for (size_t t = 0; t < sizeof(texts) / sizeof(*texts); t++) {
		for (size_t i = 0; argc == 5 && i < sizeof(sizes) / sizeof(*sizes); i++)
			count(ends, texts[t], sizes[i]);
		for (int i = 5; i < argc; i++) {
			size = atoi(argv[i]);
			must(size > 0 && size <= MAX_LEN, argv[i]);
			count(ends, texts[t], size);
		}
	}
	return 0;
}
