#include "tests/trials/plain_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- lines -- */

struct screen_lines lines_of(char *all[], size_t n, const char *title)
{
	static const char *const titles[] = { "Overview.", "Ports.", "Findings.", "Fabric." };
	struct screen_lines s = { NULL, 0 };
	size_t i = 0;

	while (i < n && strcmp(all[i], title))
		i++;
	for (s.list = all + i; i < n; i++, s.n++)
		for (size_t k = 0; s.n && k < 4; k++)
			if (!strcmp(all[i], titles[k]))
				return s;
	return s;
}

const char *line_with(const struct screen_lines *s, const char *begin)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strncmp(s->list[i], begin, strlen(begin)))
			return s->list[i];
	return NULL;
}

const char *line_row(const char *line)
{
	size_t digits = strspn(line, "0123456789");

	return digits && !strncmp(line + digits, ". ", 2) ? line + digits + 2 : NULL;
}

const char *nth_row(const struct screen_lines *s, size_t nth)
{
	char begin[24];
	const char *line;

	snprintf(begin, sizeof(begin), "%zu. ", nth);
	line = line_with(s, begin);
	return line ? line_row(line) : NULL;
}

const char *part_of(const char *row, const char *label, char out[256])
{
	char find[64];
	const char *at, *end;

	snprintf(find, sizeof(find), ". %s: ", label);
	at = strstr(row, find);
	out[0] = '\0';
	if (at) {
		at += strlen(find);
		end = strstr(at, ". ");
		snprintf(out, 256, "%.*s", end ? (int)(end - at) : (int)strcspn(at, "\n"), at);
		if (!end && *out && out[strlen(out) - 1] == '.')
			out[strlen(out) - 1] = '\0';
	}
	return out;
}

/* -- figures -- */

static double scale_of(char letter)
{
	static const char letters[] = "kMGTPE";
	const char *at = letter ? strchr(letters, letter) : NULL;

	return at ? pow(1000, (double)(at - letters + 1)) : 1;
}

double figure_of(const char *text)
{
	char *end;
	double n = strtod(text, &end);

	return end == text ? NAN : n * scale_of(*end);
}

/* What is written is the number, as it rounds; "not known" and "?" are NAN. */
bool is_written(const char *text, double number)
{
	char *end;
	double told = strtod(text, &end), unit;
	const char *dot = memchr(text, '.', (size_t)(end - text));

	if (isnan(number))
		return !strncmp(text, "not known", 9) || !strncmp(text, "none", 4) || !strncmp(text, "? ", 2);
	if (end == text)
		return *text == '<' && number > 0 && number < strtod(text + 1, NULL);
	unit = pow(10, dot ? -(double)(end - dot - 1) : 0) * scale_of(*end);
	return fabs(told * scale_of(*end) - number) <= unit * 0.5001 + 1e-9;
}

void same_figure(struct moment *m, const char *what, const char *where, const char *text, const char *sheet, double number)
{
	char other[96];

	m->count->statements++;
	if (is_written(text, number))
		return;
	snprintf(other, sizeof(other), "%g in %s", number, sheet);
	differ(m, what, where, text, other);
}

double before(const char *text, const char *word)
{
	const char *at = text ? strstr(text, word) : NULL;

	while (at && at > text && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return at ? atof(at) : NAN;
}

double seconds_of(const char *text, double *unit)
{
	static const struct {
		const char *word;
		double s;
	} units[] = { { "day", 86400 }, { "hour", 3600 }, { "minute", 60 }, { "second", 1 } };
	double sum = 0;
	char *end;

	*unit = 1;
	for (double n = strtod(text, &end); end != text; n = strtod(text = end, &end)) {
		end += *end == ' ';
		for (size_t i = 0; i < 4; i++)
			if (!strncmp(end, units[i].word, strlen(units[i].word))) {
				sum += n * units[i].s;
				*unit = units[i].s >= 3600 ? 60 : 1;
			}
		end += strcspn(end, " ");
	}
	return sum;
}
