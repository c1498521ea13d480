/* SPDX-License-Identifier: GPL-2.0 */
/* The engine that the service uses. */
#ifndef _UTF8GUARD_SERVICE_ENGINE_H
#define _UTF8GUARD_SERVICE_ENGINE_H

#include "../codec/engine.h"

struct utf8guard_engine;

int utf8guard_engine_init(void);

#if defined(__x86_64__) || defined(__aarch64__)
void utf8guard_expect(const void *first, size_t len, size_t total);
utf8guard_prefix_fn *utf8guard_fpu_init(const struct utf8guard_engine *engine);
#else
static inline utf8guard_prefix_fn *utf8guard_fpu_init(const struct utf8guard_engine *engine)
{
	return engine->prefix;
}

static inline void utf8guard_expect(const void *first, size_t len, size_t total)
{
}
#endif

#endif /* _UTF8GUARD_SERVICE_ENGINE_H */
