#include "tui/views/timeline.h"

#include <stdio.h>
#include <time.h>

#define MINUTE	(60 * SECOND)
#define HOUR	(60 * MINUTE)
#define COLUMNS_MAX 512
#define TICK_COLUMNS 12		/* of a tick and what is between it and the next */

static const int64_t zooms[] = {
	2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR,
};
static const int64_t ticks[] = {
	10 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR,
	12 * HOUR,
};

#define ZOOMS (sizeof(zooms) / sizeof(*zooms))
#define TICKS (sizeof(ticks) / sizeof(*ticks))

int64_t timeline_zoom(size_t i)
{
	return i < ZOOMS ? zooms[i] : 0;
}

int64_t timeline_zoom_for(int64_t span_us)
{
	size_t i = 0;

	while (i + 1 < ZOOMS && zooms[i] < span_us)
		i++;
	return zooms[i];
}

int64_t timeline_zoom_by(int64_t zoom_us, int by)
{
	long i = 0;

	while (i + 1 < (long)ZOOMS && zooms[i] < zoom_us)
		i++;
	i += by;
	return zooms[i < 0 ? 0 : i < (long)ZOOMS ? i : (long)ZOOMS - 1];
}

int timeline_column(const struct timeline *t, int64_t at_us)
{
	int64_t column;

	if (at_us < t->from_us || t->column_us <= 0)
		return -1;
	column = (at_us - t->from_us) / t->column_us;
	return column < t->width ? (int)column : -1;
}

static int64_t column_begin(const struct timeline *t, int column)
{
	return t->from_us + column * t->column_us;
}

/* Whether any part of a column lies within what was recorded. */
static bool is_recorded(const struct timeline *t, int column)
{
	return column_begin(t, column) <= t->last_us && column_begin(t, column + 1) > t->first_us;
}

static void clock_text(char out[16], int64_t at_us, bool with_seconds)
{
	time_t s = (time_t)(at_us / SECOND);
	struct tm tm;

	gmtime_r(&s, &tm);
	strftime(out, 16, with_seconds ? "%H:%M:%S" : "%H:%M", &tm);
}

void timeline_axis(const struct draw *d, int y, const struct timeline *t, const int64_t *times, const char *signs,
		   size_t n)
{
	int64_t step_us = ticks[TICKS - 1], at_us;
	char text[16];
	int column;

	for (size_t i = TICKS; i-- > 0 && ticks[i] >= TICK_COLUMNS * t->column_us;)
		step_us = ticks[i];
	draw_rule(d, y, t->x, t->width, "");
	at_us = (t->from_us + step_us - 1) / step_us * step_us;
	for (; (column = timeline_column(t, at_us)) >= 0; at_us += step_us) {
		clock_text(text, at_us, step_us < MINUTE);
		if (column + (int)strlen(text) <= t->width)
			draw_text(d, y, t->x + column, t->width - column, ROLE_IS_TEXT, text);
	}
	for (size_t i = 0; i < n; i++) {
		char sign[2] = { signs[i], '\0' };

		if (times[i] && (column = timeline_column(t, times[i])) >= 0)
			draw_text(d, y, t->x + column, 1, ROLE_IS_REPLAY, sign);
	}
}

void timeline_lane(const struct draw *d, int y, const struct timeline *t, const struct fabric_history *lanes,
		   enum lane lane)
{
	float values[COLUMNS_MAX];
	int n = t->width < COLUMNS_MAX ? t->width : COLUMNS_MAX;

	for (int i = 0; i < n; i++)
		values[i] = (float)fabric_history_highest(lanes, lane, column_begin(t, i), column_begin(t, i + 1));
	draw_spark(d, y, t->x, n, ROLE_IS_SPARK, values, (size_t)n, t->column_us);
}

void timeline_config(const struct draw *d, int y, const struct timeline *t, const struct events *e)
{
	for (int i = 0; i < t->width; i++)
		if (is_recorded(t, i))
			draw_text(d, y, t->x + i, 1, ROLE_IS_MUTED, ".");
	for (size_t i = events_until(e, t->from_us - 1); i < e->n; i++) {
		int column = timeline_column(t, e->list[i].at_us);

		if (column < 0)
			break;
		if (event_is(&e->list[i], "config"))
			draw_text(d, y, t->x + column, 1, ROLE_IS_CHANGED, "#");
	}
}

void timeline_findings(const struct draw *d, int y, const struct timeline *t, const struct events *e)
{
	for (int i = 0; i < t->width; i++) {
		enum verdict worst = events_worst(e, column_begin(t, i), column_begin(t, i + 1) - 1);

		if (is_recorded(t, i) && worst != VERDICT_UNKNOWN)
			draw_text(d, y, t->x + i, 1, worst == VERDICT_OK ? ROLE_IS_MUTED : verdict_role(worst), verdict_sign(worst));
	}
}
