#include "tui/text/human.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "core/fabric/stopped.h"

static const char *scaled(char out[HUMAN_MAX], double n, double base, const char *suffixes)
{
	const char *suffix = suffixes;

	while (fabs(n) >= base * 0.9995 && suffix[1]) {
		n /= base;
		suffix++;
	}
	if (*suffix == ' ')
		snprintf(out, HUMAN_MAX, fabs(n) >= 10 || n == floor(n) ? "%.0f" : "%.1f", n);
	else
		snprintf(out, HUMAN_MAX, n == floor(n) || fabs(n) >= 99.95 ? "%.0f%c" : "%.1f%c", n, *suffix);
	return out;
}

const char *human_count(char out[HUMAN_MAX], double n)
{
	return scaled(out, n, 1000, " kMGTPE");
}

const char *human_bits(char out[HUMAN_MAX], double bps)
{
	return scaled(out, bps, 1000, " kMGTPE");
}

const char *human_share(char out[HUMAN_MAX], double share)
{
	char pct[SHARE_TEXT];

	snprintf(out, HUMAN_MAX, "%s%%", share_text(pct, share));
	return out;
}

const char *human_age(char out[HUMAN_MAX], int64_t us)
{
	long s = (long)((us < 0 ? 0 : us) / 1000000);

	if (s < 100)
		snprintf(out, HUMAN_MAX, "%lds", s);
	else if (s < 3600)
		snprintf(out, HUMAN_MAX, "%ldm%02lds", s / 60, s % 60);
	else if (s < 86400)
		snprintf(out, HUMAN_MAX, "%ldh%02ldm", s / 3600, s / 60 % 60);
	else
		snprintf(out, HUMAN_MAX, "%ldd%02ldh", s / 86400, s / 3600 % 24);
	return out;
}

static bool is_local;

void human_use_local(bool local)
{
	is_local = local;
}

static bool broken_down(int64_t at_us, struct tm *tm)
{
	time_t s = (time_t)(at_us / 1000000);

	return is_local ? localtime_r(&s, tm) : gmtime_r(&s, tm);
}

int64_t human_ahead_us(int64_t at_us)
{
	struct tm tm;

	return broken_down(at_us, &tm) ? tm.tm_gmtoff * INT64_C(1000000) : 0;
}

/* Z for UTC alone. */
static const char *written(char out[HUMAN_MAX], const char *format, int64_t at_us)
{
	struct tm tm;
	size_t n;

	if (!broken_down(at_us, &tm) || !(n = strftime(out, HUMAN_MAX, format, &tm))) {
		snprintf(out, HUMAN_MAX, "?");
		return out;
	}
	if (!is_local)
		snprintf(out + n, HUMAN_MAX - n, "Z");
	return out;
}

const char *human_time(char out[HUMAN_MAX], int64_t at_us)
{
	return written(out, "%H:%M:%S", at_us);
}

const char *human_near(char out[HUMAN_MAX], int64_t at_us, int64_t now_us)
{
	const int64_t day_us = INT64_C(86400) * 1000000;
	int64_t day = (at_us + human_ahead_us(at_us)) / day_us, today = (now_us + human_ahead_us(now_us)) / day_us;

	return written(out, day == today ? "%H:%M" : "%m-%d %H:%M", at_us);
}

const char *human_date(char out[HUMAN_MAX], int64_t at_us)
{
	return written(out, "%Y-%m-%d %H:%M:%S", at_us);
}

/* Sizes are written by the kilo that they are whole in: vendors use both. */
static const char *human_bytes(char out[HUMAN_MAX], uint64_t n)
{
	char number[HUMAN_MAX];

	if (n < 100000)
		snprintf(out, HUMAN_MAX, "%u", (unsigned)n);
	else if (n % 1024 == 0 && n % 1000 != 0)
		snprintf(out, HUMAN_MAX, "%.12siB", scaled(number, (double)n, 1024, " KMGTPE"));
	else
		snprintf(out, HUMAN_MAX, "%.12sB", scaled(number, (double)n, 1000, " KMGTPE"));
	return out;
}

const char *human_value(char out[HUMAN_MAX], enum field f, uint64_t n)
{
	const struct field_info *info = &field_table[f];

	if (info->kind == KIND_BOOL) {
		snprintf(out, HUMAN_MAX, "%s", n ? "yes" : "no");
	} else if (info->kind == KIND_ENUM) {
		struct span word = field_word(f, n);

		if (word.n)
			snprintf(out, HUMAN_MAX, "%.*s", (int)(word.n < HUMAN_MAX ? word.n : HUMAN_MAX - 1), word.p);
		else
			snprintf(out, HUMAN_MAX, "%llu", (unsigned long long)n);
	} else if (info->unit == UNIT_BPS) {
		human_bits(out, (double)n);
	} else if ((f == FIELD_MEMLOCK || f == FIELD_APP_MEMLOCK) && n == UINT64_MAX) {
		snprintf(out, HUMAN_MAX, "unlimited");
	} else if (info->unit == UNIT_BYTES) {
		human_bytes(out, n);
	} else if (info->kind == KIND_COUNTER) {
		human_count(out, (double)n);
	} else {
		snprintf(out, HUMAN_MAX, info->unit == UNIT_PCT ? "%llu%%" : info->unit == UNIT_M ? "%llu m" :
			 info->unit == UNIT_US ? "%llu us" : "%llu", (unsigned long long)n);
	}
	return out;
}

const char *human_rate(char out[HUMAN_MAX], enum field f, double per_s)
{
	char number[HUMAN_MAX];

	switch (field_table[f].unit) {
	case UNIT_BYTES:
		snprintf(out, HUMAN_MAX, "%.12sbit/s", human_bits(number, per_s * 8));
		return out;
	case UNIT_US:
		return human_share(out, per_s / 1e6);
	default:
		snprintf(out, HUMAN_MAX, "%.12s/s", human_count(number, per_s));
		return out;
	}
}
