/* Durations and times as people write them. */
#ifndef TUI_TEXT_TIMES_H
#define TUI_TEXT_TIMES_H

#include <stdint.h>

#include "core/base/err.h"

/* "90", "30s", "10m", "2h" as µs. */
bool parse_duration(const char *text, int64_t *out, struct err *err);
/* "2026-09-12T14:26:03Z", "2026-09-12 14:26", "14:26" (of the day of last_us), "-10m" (before last_us), as µs; all UTC. */
bool parse_time(const char *text, int64_t last_us, int64_t *out, struct err *err);

#endif
