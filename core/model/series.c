#include "core/model/series.h"

#include <math.h>
#include <stdlib.h>

#include "core/model/refreshed.h"

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

static bool may_wrap(uint64_t last, uint64_t now, unsigned bits)
{
	return bits == 32 && now < last && last >= WRAP_NEAR && last <= UINT32_MAX;
}

/* How far a counter moved; *note says how that was found out. can_wrap: nothing says that the device began again. */
static bool counter_step(uint64_t last, uint64_t now, unsigned bits, bool can_wrap, uint64_t *delta, uint8_t *note)
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
	if (can_wrap && may_wrap(last, now, bits)) {
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

/* The least time that so much takes, by the line or, of a time, by the clock; 0: nothing tells. */
static int64_t least_us(uint64_t speed_bps, enum unit unit, uint64_t delta)
{
	return (int64_t)ceil(part_of_line(speed_bps, unit, delta, SECOND) * SECOND);
}

static int64_t take_step(struct series *s, const struct sampling *x, int64_t at_us, uint64_t delta, uint8_t note)
{
	double part = part_of_line(x->speed_bps, field_table[x->field].unit, delta, at_us - s->last_us);
	int64_t us = at_us - s->last_us;

	if (part > LINE_NEAR && part <= LINE_SLACK && us < LINE_WAIT_US)
		return 0;
	s->note = part > LINE_NEAR ? RATE_JUMPED : note;
	if (part <= LINE_NEAR)
		take_rate(s, x, (double)delta * SECOND / (double)us);
	s->last = x->value.n;
	s->last_us = at_us;
	s->stood_us = delta ? at_us : s->stood_us;
	return s->note == RATE_JUMPED ? 0 : us;
}

static int64_t take_refreshed(struct series *s, const struct sampling *x, int64_t at_us, uint64_t delta, uint8_t note)
{
	struct measured m = refreshed_take(s, x, at_us, delta);
	int64_t line_us = least_us(x->speed_bps, field_table[x->field].unit, m.delta);

	s->last = x->value.n;
	s->last_us = at_us;
	if (!m.us)
		return 0;
	if (m.us < line_us && line_us <= (int64_t)(LINE_NEAR * (double)(m.us + m.doubt_us)))
		m.us = line_us;
	if (m.us < line_us) {
		s->note = RATE_JUMPED;
		refreshed_forget(s, at_us);
		return 0;
	}
	s->note = note;
	take_rate(s, x, (double)m.delta * SECOND / (double)m.us);
	return at_us - m.since_us;
}

static void begin_count(struct series *s, const struct sampling *x, int64_t at_us, uint8_t note)
{
	s->note = note;
	if (note == RATE_RESET)
		s->zero = 0;
	s->last = x->value.n;
	s->last_us = at_us;
	s->is_held = false;
	s->by_device_clock = x->device_us != 0;
	refreshed_forget(s, at_us);
}

/* Whether it wrapped or the device began again, a counter that does not wrap tells, which may be read after it. */
static bool is_to_wait(struct series *s, const struct sampling *x, unsigned bits)
{
	s->is_held = x->has_wide && !s->is_held && may_wrap(s->last, x->value.n, bits);
	return s->is_held;
}

static int64_t take_count(struct series *s, const struct sampling *x)
{
	unsigned bits = x->value.bits ? x->value.bits : field_table[x->field].bits;
	int64_t at_us = x->device_us ? x->device_us : x->at_us;
	bool can_wrap = x->began_us < x->at_us - (at_us - s->last_us);
	uint64_t delta;
	uint8_t note;

	if (s->last_us == 0 || s->by_device_clock != (x->device_us != 0) || at_us < s->last_us)
		begin_count(s, x, at_us, s->last_us == 0 ? RATE_NONE : RATE_RESET);
	else if (at_us == s->last_us)
		return 0;		/* the same sample again */
	else if (can_wrap && is_to_wait(s, x, bits))
		return 0;
	else if (!counter_step(s->last, x->value.n, bits, can_wrap, &delta, &note))
		begin_count(s, x, at_us, note);
	else if (x->refresh_us)
		return take_refreshed(s, x, at_us, delta, note);
	else
		return take_step(s, x, at_us, delta, note);
	return 0;
}

int64_t series_take(struct series *s, const struct sampling *x)
{
	if (x->value.is != VALUE_KNOWN)
		return 0;
	if (field_table[x->field].kind != KIND_GAUGE)
		return take_count(s, x);
	take_gauge(s, x);
	return 0;
}

void series_forget(struct series *s)
{
	s->note = s->last_us ? RATE_RESET : RATE_NONE;
	s->last_us = 0;
	s->zero = 0;
	refreshed_forget(s, 0);
}

void series_restore(struct series *s, const struct obs_was *was)
{
	s->last = was->last;
	s->last_us = was->last_us;
	s->began_us = was->began_us;
	s->per_s = was->per_s;
	s->note = was->note;
	s->by_device_clock = was->by_device_clock;
	refreshed_restore(s, was);
	if (was->has_history && !s->history)
		s->history = xcalloc(HISTORY_LEN, sizeof(*s->history));
}

void series_free(struct series *s, unsigned n)
{
	for (unsigned i = 0; s && i < n; i++) {
		free(s[i].history);
		free(s[i].coarse);
		free(s[i].moves);
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
