#include "core/model/series.h"

#include <math.h>
#include <stdlib.h>

static const int64_t stretch_us[COARSE_RINGS] = { 10 * SECOND, 60 * SECOND };

static void add_coarse(struct coarse_rings *c, enum coarse ring, int64_t at_us, float value)
{
	int64_t number = at_us / stretch_us[ring];
	float *most = c->most[ring];

	if (number < c->last[ring])
		return;		/* the clock went back: that stretch is told already */
	if (number - c->last[ring] >= COARSE_LEN) {
		for (size_t i = 0; i < COARSE_LEN; i++)
			most[i] = NAN;
		c->last[ring] = number;
	}
	while (c->last[ring] < number)
		most[++c->last[ring] % COARSE_LEN] = NAN;
	if (!(most[number % COARSE_LEN] >= value))
		most[number % COARSE_LEN] = value;
}

static void keep_long(struct series *s, int64_t at_us, float value)
{
	if (!s->coarse)
		s->coarse = xcalloc(1, sizeof(*s->coarse));
	for (unsigned ring = 0; ring < COARSE_RINGS; ring++)
		add_coarse(s->coarse, (enum coarse)ring, at_us, value);
}

void series_coarse(const struct series *s, enum coarse ring, int64_t until_us, float values[COARSE_LEN])
{
	int64_t end = until_us / stretch_us[ring];

	for (int64_t i = 0; i < COARSE_LEN; i++) {
		int64_t number = end - COARSE_LEN + 1 + i;
		bool is_kept = s && s->coarse && number > 0 && number <= s->coarse->last[ring] &&
			       number > s->coarse->last[ring] - COARSE_LEN;

		values[i] = is_kept ? s->coarse->most[ring][number % COARSE_LEN] : NAN;
	}
}

static void add_sample(struct series *s, int64_t at_us, double value)
{
	if (!s->history) {
		if (value == 0)
			return;
		s->history = xcalloc(HISTORY_LEN, sizeof(*s->history));
	}
	if (s->began_us == 0 || at_us < s->began_us)
		s->began_us = at_us;
	s->history[s->next] = (struct sample){ (uint32_t)((at_us - s->began_us) / (SECOND / 10)), (float)value };
	s->next = (uint8_t)((s->next + 1) % HISTORY_LEN);
	if (s->n < HISTORY_LEN)
		s->n++;
	keep_long(s, at_us, (float)value);
}

#define WRAP_NEAR	(UINT64_C(3) << 30)	/* a 32-bit counter past three quarters may wrap; before, it was reset */

/* How far a counter moved; *note says how that was found out. */
static bool counter_step(uint64_t last, uint64_t now, unsigned bits, uint64_t *delta, uint8_t *note)
{
	if (bits == 32 && last == UINT32_MAX && now == UINT32_MAX) {
		*note = RATE_STUCK;
		return false;
	}
	if (now >= last) {
		*delta = now - last;
		*note = RATE_OK;
		return true;
	}
	if (bits == 32 && last >= WRAP_NEAR && last <= UINT32_MAX) {
		*delta = now + (UINT64_C(1) << 32) - last;
		*note = RATE_WRAPPED;
		return true;
	}
	*note = RATE_RESET;
	return false;
}

#define FRAME_MIN_BITS	672	/* of the shortest Ethernet frame with preamble and gap */
#define LINE_SLACK	2	/* a counter that lies is out by far more than a sample that comes late or early */
#define LINE_NEAR	1.02	/* that by so much, over some seconds */
#define LINE_WAIT_US	(5 * SECOND)

/* The part of the line, or of the time, that so much in that time takes; 0 where the speed or the unit does not tell. */
static double part_of_line(uint64_t speed_bps, enum unit unit, uint64_t delta, int64_t us)
{
	if (unit == UNIT_US && us > 0)
		return (double)delta / (double)us;

	double bits = unit == UNIT_BYTES ? 8 : unit == UNIT_FRAMES || unit == UNIT_PACKETS ? FRAME_MIN_BITS : 0;

	return speed_bps && us > 0 ? (double)delta * bits * SECOND / ((double)speed_bps * (double)us) : 0;
}

/* -- counters that the device refreshes by a clock of its own: they stand still, and then move by all of it -- */

#define REFRESH_LATE_US	(2 * SECOND)
#define REFRESH_SHORT_US	(2 * SECOND)

static bool is_moving(const struct series *s)
{
	return (s->note == RATE_OK || s->note == RATE_WRAPPED) && s->per_s > 0;
}

/* Whether a sample so long after the last one that was taken tells nothing yet. */
static bool is_between(const struct series *s, uint64_t value, int64_t us, int64_t refresh_us)
{
	if (!refresh_us || !is_moving(s))
		return false;
	if (value == s->last)
		return us < refresh_us + REFRESH_LATE_US;
	/* The shorter the period, the more of it is the doubt about when the counter was refreshed. */
	return value > s->last && us < (refresh_us <= REFRESH_SHORT_US ? 2 * refresh_us : refresh_us * 7 / 8);
}

/* How long the step from the last sample took: what stood still before moves by a whole refresh at least. */
static int64_t step_us(const struct series *s, int64_t us, int64_t refresh_us)
{
	return is_moving(s) || us > refresh_us ? us : refresh_us;
}

static void take_gauge(struct series *s, const struct sampling *x)
{
	s->last = x->value.n;
	s->note = RATE_NONE;
	if (field_table[x->field].flags & FIELD_SPARK)
		add_sample(s, x->at_us, (double)x->value.n);
}

static void take_rate(struct series *s, const struct sampling *x, double per_s)
{
	s->per_s = per_s;
	if (field_table[x->field].flags & FIELD_SPARK)
		add_sample(s, x->at_us, per_s);
}

static void take_count(struct series *s, const struct sampling *x)
{
	const struct field_info *info = &field_table[x->field];
	unsigned bits = x->value.bits ? x->value.bits : info->bits;
	bool by_device = x->device_us != 0;
	int64_t at_us = by_device ? x->device_us : x->at_us;
	uint64_t delta;
	uint8_t note;

	if (s->last_us == 0 || s->by_device_clock != by_device || at_us < s->last_us) {
		s->note = s->last_us == 0 ? RATE_NONE : RATE_RESET;
	} else if (at_us == s->last_us || is_between(s, x->value.n, at_us - s->last_us, x->refresh_us)) {
		return;		/* the same sample again, or none */
	} else if (counter_step(s->last, x->value.n, bits, &delta, &note)) {
		int64_t us = step_us(s, at_us - s->last_us, x->refresh_us);
		double part = part_of_line(x->speed_bps, info->unit, delta, us);

		if (part > LINE_NEAR && us < x->refresh_us) {	/* it had not been refreshed for long when it was read last */
			us = x->refresh_us;
			part = part_of_line(x->speed_bps, info->unit, delta, us);
		}
		if (part > LINE_NEAR && part <= LINE_SLACK && at_us - s->last_us < LINE_WAIT_US)
			return;
		s->note = part > LINE_NEAR ? RATE_JUMPED : note;
		if (part <= LINE_NEAR)
			take_rate(s, x, (double)delta * SECOND / (double)us);
	} else {
		s->note = note;
	}
	if (s->note == RATE_RESET)
		s->zero = 0;
	s->last = x->value.n;
	s->last_us = at_us;
	s->by_device_clock = by_device;
}

void series_take(struct series *s, const struct sampling *x)
{
	if (x->value.is != VALUE_KNOWN)
		return;
	if (field_table[x->field].kind == KIND_GAUGE)
		take_gauge(s, x);
	else
		take_count(s, x);
}

void series_forget(struct series *s)
{
	s->note = s->last_us ? RATE_RESET : RATE_NONE;
	s->last_us = 0;
	s->zero = 0;
}

void series_restore(struct series *s, const struct obs_was *was)
{
	s->last = was->last;
	s->last_us = was->last_us;
	s->began_us = was->began_us;
	s->per_s = was->per_s;
	s->note = was->note;
	s->by_device_clock = was->by_device_clock;
	if (was->has_history && !s->history)
		s->history = xcalloc(HISTORY_LEN, sizeof(*s->history));
}

void series_free(struct series *s, unsigned n)
{
	for (unsigned i = 0; s && i < n; i++) {
		free(s[i].history);
		free(s[i].coarse);
	}
	free(s);
}

size_t series_history(const struct series *s, int64_t *at_us, float *value)
{
	if (!s || !s->history)
		return 0;
	for (unsigned i = 0; i < s->n; i++) {
		const struct sample *sample = &s->history[(s->next + HISTORY_LEN - s->n + i) % HISTORY_LEN];

		at_us[i] = s->began_us + (int64_t)sample->at_ds * (SECOND / 10);
		value[i] = sample->value;
	}
	return s->n;
}
