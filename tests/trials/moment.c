#include "tests/trials/moment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAME		1e-9
#define ARGS_MAX	40

struct run moment_run(const struct moment *m, const char *const *args, const char *input)
{
	const char *argv[ARGS_MAX + 1] = { "fabcon", "replay", m->file, "-q", "--no-input" };
	size_t n = 5;

	if (m->at) {
		argv[n++] = "--at";
		argv[n++] = m->at;
	}
	while (*args && n < ARGS_MAX)
		argv[n++] = *args++;
	return run_program(argv, input);
}

const char *text_of(json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));

	return text ? text : "";
}

json_t *rows_of(json_t *sheet)
{
	return json_object_get(sheet, "rows");
}

void differ(struct moment *m, const char *what, const char *where, const char *one, const char *other)
{
	m->count->wrong++;
	buf_printf(m->words, "DIFFER at %s: %s of %s: %s; %s\n", m->at ? m->at : "the end", what, where, one, other);
}

void same_number(struct moment *m, const char *what, const char *where, const char *a, double x, const char *b, double y)
{
	char one[64], other[64];

	m->count->statements++;
	if ((isnan(x) && isnan(y)) || fabs(x - y) <= SAME)
		return;
	snprintf(one, sizeof(one), "%g in %s", x, a);
	snprintf(other, sizeof(other), "%g in %s", y, b);
	differ(m, what, where, one, other);
}

void same_word(struct moment *m, const char *what, const char *where, const char *a, const char *x, const char *b, const char *y)
{
	char one[240], other[240];

	m->count->statements++;
	if (strcmp(x, y) == 0)
		return;
	snprintf(one, sizeof(one), "\"%s\" in %s", x, a);
	snprintf(other, sizeof(other), "\"%s\" in %s", y, b);
	differ(m, what, where, one, other);
}

double number_of(json_t *row, const char *key)
{
	json_t *number = json_object_get(row, key);

	return json_is_number(number) ? json_number_value(number) : NAN;
}

double time_of(const char *text)
{
	int year, month, day, hour, minute;
	double second;

	if (sscanf(text, "%d-%d-%dT%d:%d:%lf", &year, &month, &day, &hour, &minute, &second) != 6)
		return NAN;
	return (month * 31 + day) * 86400.0 + hour * 3600.0 + minute * 60.0 + second;
}
