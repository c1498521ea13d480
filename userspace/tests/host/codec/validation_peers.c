// SPDX-License-Identifier: GPL-2.0
/*
 * Validation compared with validators that Debian packages, and with Python, on
 * texts of all kinds with no octet, one or a few changed. With Python, also the
 * offset and the length of the first ill-formed sequence.
 *
 * promise whoever wrote the text: a text is valid here where it is for validators of others, and
 *   for Python, which tells the same first mistake
 * shown by: of them ill-formed: %u judged differently
 * shown by: Python: %u texts, offset and length of the first mistake
 */
#include <stdlib.h>
#include <string.h>
#include "../../../bench/peers.h"
#include "../../../../kunit/sample.h"
#include "../../tap.h"

#define TEXTS 200000
#define PYTHON_TEXTS 40000
#define LONGEST 700

static u8 text[LONGEST];

/* No NUL: glib takes it for the end of what is valid. */
static size_t random_text(unsigned int n, u64 *seed)
{
	size_t len = sample_random(seed) % (n % 8 ? 90 : LONGEST), i;
	unsigned int changes = sample_random(seed) % 4;

	if (n % 16 == 3) {
		for (i = 0; i < len; i++)
			text[i] = sample_border[1 + sample_random(seed) % (SAMPLE_BORDERS - 1)];
		return len;
	}
	sample_text(text, len, sample_mixes[n % SAMPLE_MIXES], seed);
	while (changes-- && len)
		text[sample_random(seed) % len] = sample_random(seed);
	for (i = 0; i < len; i++)
		text[i] += !text[i];
	return len;
}

static void against(const struct peer *peer)
{
	unsigned int n, i, wrong = 0, refused = 0;
	u64 seed = 77;

	for (n = 0; n < TEXTS; n++) {
		size_t len = random_text(n, &seed);
		bool valid = !utf8guard_validate(text, len, NULL);

		if (peer->valid(text, len) != valid && !wrong++)
			for (i = 0; i < len; i++)
				printf("%s%02x%s", i ? " " : "# ", text[i],
				       i + 1 == len ? "\n" : "");
		refused += !valid;
	}
	tap_ok(!wrong && refused > TEXTS / 4 && refused < TEXTS * 3 / 4,
	       "%s: %u texts, %u of them ill-formed: %u judged differently", peer->name,
	       n, refused, wrong);
}

static const char python[] =
	"import sys\n"
	"wrong = seen = 0\n"
	"for line in sys.stdin:\n"
	"    text, start, length = line.split(',')\n"
	"    seen += 1\n"
	"    try:\n"
	"        bytes.fromhex(text).decode()\n"
	"        found = -1, 0\n"
	"    except UnicodeDecodeError as error:\n"
	"        found = error.start, error.end - error.start\n"
	"    wrong += found != (int(start), int(length))\n"
	"sys.exit(1 if wrong or seen < 1000 else 0)\n";

static void against_python(void)
{
	char command[1024];
	u64 seed = 78;
	unsigned int n;
	FILE *pipe;

	if (system("python3 -c 'pass' 2>/dev/null")) {
		tap_skip("Python", "python3 is not there");
		return;
	}
	snprintf(command, sizeof(command), "python3 -c \"%s\"", python);
	fflush(stdout);
	pipe = popen(command, "w");
	for (n = 0; pipe && n < PYTHON_TEXTS; n++) {
		size_t len = random_text(n, &seed), i;
		struct utf8guard_error err = { 0 };
		bool valid = !utf8guard_validate(text, len, &err);

		for (i = 0; i < len; i++)
			fprintf(pipe, "%02x", text[i]);
		fprintf(pipe, ",%ld,%u\n", valid ? -1L : (long)err.offset, err.length);
	}
	tap_ok(pipe && !pclose(pipe), "Python: %u texts, offset and length of the first mistake",
	       n);
}

int main(void)
{
	unsigned int count = peers_find(), i;

	for (i = 0; i < count; i++)
		against(&peers[i]);
	if (!count)
		tap_skip("packaged validators", "none is installed");
	against_python();
	return tap_done();
}
