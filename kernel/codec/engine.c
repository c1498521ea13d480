// SPDX-License-Identifier: GPL-2.0
/* The table of engines, the best first. */
#include "engine.h"

static const struct utf8guard_engine engines[] = {
#ifdef __x86_64__
	{
		.name = "avx512vbmi",
		.prefix = utf8guard_prefix_avx512vbmi,
		.needs = UTF8GUARD_CPU_AVX512VBMI,
		.fpu = true,
	},
	{
		.name = "avx512",
		.prefix = utf8guard_prefix_avx512,
		.needs = UTF8GUARD_CPU_AVX512,
		.fpu = true,
	},
	{
		.name = "avx2",
		.prefix = utf8guard_prefix_avx2,
		.needs = UTF8GUARD_CPU_AVX2,
		.fpu = true,
	},
	{
		.name = "bmi2",
		.prefix = utf8guard_prefix_bmi2,
		.needs = UTF8GUARD_CPU_BMI2,
	},
#endif
#ifdef __aarch64__
	{
		.name = "neon",
		.prefix = utf8guard_prefix_neon,
		.needs = UTF8GUARD_CPU_NEON,
		.fpu = true,
	},
#endif
	{
		.name = "general",
		.prefix = utf8guard_prefix_general,
		.needs = UTF8GUARD_CPU_BASELINE,
	},
};

/**
 * utf8guard_engine_at() - one of the engines
 * @index: from 0, the best engine first
 *
 * Some of them may need more than this processor has: ask
 * utf8guard_engine_usable() before calling one.
 *
 * Context: any; pure.
 * Return: the engine, or NULL after the last.
 */
const struct utf8guard_engine *utf8guard_engine_at(unsigned int index)
{
	return index < ARRAY_SIZE(engines) ? &engines[index] : NULL;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_engine_at, "UTF8GUARD");

/**
 * utf8guard_engine_usable() - can this machine run an engine?
 * @engine: from utf8guard_engine_at()
 *
 * Context: any; pure.
 * Return: whether the processor has the instructions and the system saves the
 * registers that @engine uses.
 */
bool utf8guard_engine_usable(const struct utf8guard_engine *engine)
{
	return utf8guard_cpu_has(engine->needs);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_engine_usable, "UTF8GUARD");

/**
 * utf8guard_engine_find() - the engine of that name, or the best
 * @name: as in struct utf8guard_engine; NULL or "" for the best one
 * @fpu: whether an engine that uses the FPU will do
 *
 * Context: any; pure.
 * Return: an engine that this machine can run, or NULL if there is none of that name, or
 * only one that uses the FPU where @fpu is false.
 */
const struct utf8guard_engine *utf8guard_engine_find(const char *name, bool fpu)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(engines); i++) {
		const struct utf8guard_engine *engine = &engines[i];

		if (engine->fpu && !fpu)
			continue;
		if (name && *name && strcmp(engine->name, name))
			continue;
		if (utf8guard_engine_usable(engine))
			return engine;
	}
	return NULL;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_engine_find, "UTF8GUARD");
