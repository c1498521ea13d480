// SPDX-License-Identifier: GPL-2.0
/*
 * inject DEVICE...: hand the packets of standard input to the kernel, each as if it came from the
 * network by that of the TUN devices, and print what this took in ticks of the time stamp counter.
 * Where a tick is an instruction (run.sh -c), that is a count and no measurement. The kernel has
 * judged and forwarded a packet when write() returns.
 *
 * A packet is its length and the number of its device, both as 32 bits in the processor's order,
 * and its octets from the IP header on.
 */
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <x86intrin.h>

enum { MAX_DEVICES = 4, MAX_LEN = 65535 };

static void must(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

static int open_tun(const char *name)
{
	struct ifreq request = { .ifr_flags = IFF_TUN | IFF_NO_PI };
	int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK);

	must(fd >= 0, "/dev/net/tun");
	strncpy(request.ifr_name, name, IFNAMSIZ - 1);
	must(!ioctl(fd, TUNSETIFF, &request), name);
	return fd;
}

/* What was forwarded waits in the devices: make room for more. */
static void read_all(const int *devices, int count)
{
	static char sink[MAX_LEN];

	for (int i = 0; i < count; i++) {
		while (read(devices[i], sink, sizeof(sink)) > 0)
			;
	}
}

int main(int argc, char **argv)
{
	static uint8_t packet[MAX_LEN];
	int devices[MAX_DEVICES], count = argc - 1;
	uint32_t head[2];

	if (count < 1 || count > MAX_DEVICES) {
		fputs("usage: inject DEVICE... < PACKETS\n", stderr);
		return 2;
	}
	for (int i = 0; i < count; i++)
		devices[i] = open_tun(argv[i + 1]);
	while (fread(head, sizeof(head), 1, stdin)) {
		uint64_t start;

		must(head[0] <= MAX_LEN && head[1] < (uint32_t)count &&
		     fread(packet, head[0], 1, stdin), "a packet");
		start = __rdtsc();
		must(write(devices[head[1]], packet, head[0]) == (ssize_t)head[0], "write");
		printf("%llu\n", (unsigned long long)(__rdtsc() - start));
		read_all(devices, count);
	}
	return 0;
}
