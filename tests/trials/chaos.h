/*
 * Applies that go wrong: one lab each, a fault to be mended, and a mishap at a point that a seed chose. Afterwards, every
 * device must be as before or as planned, and whatever the console reported must be true.
 */
#ifndef TESTS_TRIALS_CHAOS_H
#define TESTS_TRIALS_CHAOS_H

#include "core/base/mem.h"

/*
 * What a trial must keep; each is false, with words, when it did not. In dir is kept what was learnt of a fault that was
 * mended without a mishap: by the first trial that needs it.
 */
bool chaos_mishap(const char *dir, unsigned nth, struct buf *words);	/* kill, cut, stall, reset, garbage, reboot, refusal, lie */
bool chaos_cut(const char *dir, unsigned nth, struct buf *words);	/* our own change cuts our own path */
bool chaos_stale(const char *dir, unsigned nth, struct buf *words);	/* changed since: refused; unchanged: not */
bool chaos_race(const char *dir, unsigned nth, struct buf *words);	/* two consoles at once */
bool chaos_liar(const char *dir, unsigned nth, struct buf *words);	/* accepts, and does something else or nothing */
/* Whether the fault can be mended without a mishap: not in each skin, and words gets why not. */
bool chaos_is_possible(const char *dir, unsigned nth, struct buf *words);

#endif
