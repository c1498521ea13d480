/* SPDX-License-Identifier: GPL-2.0 */
/* The engine that the service uses. */
#ifndef _UTF8GUARD_SERVICE_ENGINE_H
#define _UTF8GUARD_SERVICE_ENGINE_H

#include "../codec/engine.h"

struct utf8guard_engine;

int utf8guard_engine_init(void);
utf8guard_prefix_fn *utf8guard_fpu_init(const struct utf8guard_engine *engine);

#endif /* _UTF8GUARD_SERVICE_ENGINE_H */
