/*
 * What became of one counter or gauge: the rate by the clock in use, a short history, the software zero. A counter that
 * wraps, restarts, sticks or leaps says so in its note, and has no rate that would be a lie.
 */
#ifndef CORE_MODEL_SERIES_H
#define CORE_MODEL_SERIES_H

#include "core/model/obs.h"

#define SECOND		INT64_C(1000000)	/* µs */
#define HISTORY_LEN	64			/* samples kept of a FIELD_SPARK */

struct moves;

enum rate_note {
	RATE_NONE,	/* fewer than two samples; or of a counter that the device refreshes, fewer than two moves */
	RATE_OK,
	RATE_WRAPPED,	/* passed 2^32; the rate is right */
	RATE_RESET,	/* the counter restarted: no rate until the next sample */
	RATE_STUCK,	/* a 32-bit counter at its maximum */
	RATE_JUMPED,	/* further than the line can carry, or longer than the time that passed: not believed, no rate until the next sample */
};

struct sample {
	uint32_t at_ds;		/* tenths of a second since the series began */
	float value;		/* per second; of a gauge, the value */
};

/* Long histories: the highest sample of each ten seconds and of each minute. Half a kilobyte, for what moves. */
enum coarse { COARSE_10S, COARSE_60S, COARSE_RINGS };
#define COARSE_LEN 60
struct coarse_rings {
	int64_t last[COARSE_RINGS];		/* number of the newest stretch: its time / its length */
	float most[COARSE_RINGS][COARSE_LEN];	/* by number modulo; NAN: no sample */
};

struct series {
	uint64_t last;		/* its value */
	uint64_t zero;		/* software zero */
	int64_t last_us;	/* newest sample that was taken, by the clock in use */
	int64_t began_us;
	double per_s;
	uint8_t note;		/* enum rate_note */
	uint8_t n, next;	/* of the history ring */
	bool by_device_clock;
	bool is_held;		/* its end is near and it went back: the next sample tells */
	int64_t stood_us;	/* the reading since which it is what it is */
	struct moves *moves;	/* owned; likewise; NULL until it first moves */
	struct sample *history;	/* owned, HISTORY_LEN; NULL until it first moves */
	struct coarse_rings *coarse;	/* owned; likewise */
};

/* One value of a field, as a reply said it. */
struct sampling {
	enum field field;
	struct value value;
	int64_t at_us, device_us;	/* by our clock and by the device's; 0: it told none */
	uint64_t speed_bps;		/* of the port's line; 0: not known */
	int64_t refresh_us;		/* the device tells what it read up to so long ago; 0: what is so now */
	int64_t *often_us;		/* lent: the same as its counters were seen to do, where that is far less; 0: not; NULL: nobody keeps it */
	int64_t began_us;		/* by our clock: a wide counter of the device went back then; 0: none did */
	bool has_wide;			/* the device has counters that do not wrap */
};

/*
 * Takes the sample in; what is not known is no sample. Nor is, as long as it may come of when it was read, what is a little
 * more than the line carries, or what a refreshed counter has not moved since: the next one tells of both. Returns for how
 * long, up to this sample, the rate is new; 0: there is none, or it is what it was.
 */
int64_t series_take(struct series *s, const struct sampling *x);
/* The device began again: what was counted before says nothing about now. */
void series_forget(struct series *s);
/* As a recording's keyframe has it. */
void series_restore(struct series *s, const struct obs_was *was);
/* An array of n, with their histories. */
void series_free(struct series *s, unsigned n);
/* The history, oldest first, as times (µs) and values; returns how many. Ends where nothing is known any more. */
size_t series_history(const struct series *s, int64_t *at_us, float *value);
/* COARSE_LEN stretches, the oldest first, ending with the one that until_us is in. NAN: no sample is known of it. */
void series_coarse(const struct series *s, enum coarse ring, int64_t until_us, float values[COARSE_LEN]);

#endif
