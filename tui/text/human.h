/* Numbers as people read them: few digits, the unit beside them. Each writes at most HUMAN_MAX bytes and returns out. */
#ifndef TUI_TEXT_HUMAN_H
#define TUI_TEXT_HUMAN_H

#include "core/model/fact.h"

#define HUMAN_MAX 24

const char *human_count(char out[HUMAN_MAX], double n);		/* 0, 118, 9.7k, 41.2k, 1.30M */
const char *human_share(char out[HUMAN_MAX], double share);	/* 0 %, <0.1%, 0.4%, 97% */
const char *human_age(char out[HUMAN_MAX], int64_t us);		/* 2s, 94s, 6m05s, 5h18m, 2d03h */
const char *human_bits(char out[HUMAN_MAX], double bps);	/* 400G, 25G, 41.2M */
/* Times are UTC, "14:32:07Z", unless this place's are asked for, "16:32:07". */
void human_use_local(bool local);
/* What this place is ahead of UTC at that time; 0 where times are UTC. */
int64_t human_ahead_us(int64_t at_us);
const char *human_time(char out[HUMAN_MAX], int64_t at_us);	/* 14:32:07Z */
const char *human_date(char out[HUMAN_MAX], int64_t at_us);	/* 2026-09-12 14:32:07Z */
/* A time not far from now: "22:32Z", or on another day "09-13 22:32Z". */
const char *human_near(char out[HUMAN_MAX], int64_t at_us, int64_t now_us);

/* A known number of a field in its unit: "150 KB", "400G", "20%", "yes", "dscp". */
const char *human_value(char out[HUMAN_MAX], enum field f, uint64_t n);
/* A rate of a field: "41.2k" for counts; bytes become bit/s, "12.5G"; µs become a share, "0.4%". */
const char *human_rate(char out[HUMAN_MAX], enum field f, double per_s);

#endif
