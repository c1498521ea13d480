// SPDX-License-Identifier: GPL-2.0
/* Counters for people: three digits, and never more than were counted. */
#include <string.h>

#include "../../../tool/output/output.h"
#include "../../../tool/output/style.h"
#include "../../tap.h"

static void check(unsigned long long count, const char *text)
{
	const char *got = count_text(count);

	tap_ok(!strcmp(got, text), "%llu: %s, wanted %s", count, got, text);
}

int main(void)
{
	check(1234567, "1234567");
	options.human = true;
	check(0, "0");
	check(999, "999");
	check(1000, "1.00k");
	check(1099, "1.09k");
	check(9999, "9.99k");
	check(12345, "12.3k");
	check(999999, "999k");
	check(1000000, "1.00M");
	check(123456789, "123M");
	check(18446744073709551615ULL, "18.4E");
	return tap_done();
}
