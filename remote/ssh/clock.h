/* The time by which answers are dated and rates are counted. */
#ifndef REMOTE_SSH_CLOCK_H
#define REMOTE_SSH_CLOCK_H

#include <stdint.h>

/*
 * µs since 1970 as the system's clock told it when this was first called, and what has passed since. A clock that is set
 * meanwhile, forward or back, is not followed: the times of one session are in order and as far apart as they were.
 */
int64_t clock_us(void);

#endif
