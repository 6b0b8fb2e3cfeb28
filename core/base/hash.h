/* uthash, whose own way out when there is no memory is to end the program without a word. */
#ifndef CORE_BASE_HASH_H
#define CORE_BASE_HASH_H

#include "core/base/mem.h"

#define uthash_malloc(size)	xmalloc(size)
#define uthash_fatal(what)	mem_is_out()

#include <uthash.h>

#endif
