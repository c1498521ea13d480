// SPDX-License-Identifier: GPL-2.0
/*
 * Every engine that this processor can run gives the reference's answers.
 *
 * promise whoever wrote the text: each engine that this processor has judges as a simple
 *   reference does, with mistakes at each place of a text
 * shown by: borders of the grammar at each place of
 * shown by: mistakes planted at each place of a window
 */
#include "../../engine_checks.h"

int main(void)
{
	const struct utf8guard_engine *engine;
	unsigned int i;

	for (i = 0; (engine = utf8guard_engine_at(i)); i++) {
		if (!utf8guard_engine_usable(engine)) {
			tap_skip(engine->name, "this processor has not got it");
			continue;
		}
		check_engine(engine->name, engine->prefix);
	}
	return tap_done();
}
