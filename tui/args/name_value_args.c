#include "tui/args/name_value_args.h"

#include <math.h>
#include <stdlib.h>

static const struct {
	const char *suffix;
	double scale;
} suffixes[] = {
	{ "", 1 },     { "k", 1e3 },  { "K", 1e3 },  { "M", 1e6 },     { "G", 1e9 },   { "T", 1e12 },  { "Ki", 1024 },
	{ "Mi", 1048576 }, { "B", 1 }, { "KB", 1e3 }, { "kB", 1e3 },  { "MB", 1e6 },   { "KiB", 1024 }, { "MiB", 1048576 },
	{ "Mbps", 1e6 }, { "Gbps", 1e9 }, { "m", 1 }, { "%", 0.01 }, { "ns", 1 },    { "us", 1e3 },  { "ms", 1e6 },
};

/* A quantity: "100G", "150KB", "16KiB", "20%" (0.2), "40m", "55us" (in ns). False, and why, when it is none. */
static bool quantity_read(const char *text, double *out, struct err *err)
{
	char *end;
	double n = strtod(text, &end);

	while (*end == ' ')
		end++;
	for (size_t i = 0; end != text && isfinite(n) && n >= 0 && i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		if (!strcmp(end, suffixes[i].suffix)) {
			*out = n * suffixes[i].scale;
			return true;
		}
	}
	return err_set(err, "\"%.40s\" is not a quantity; examples: 100G, 150KB, 16KiB, 20%%, 40m, 55us", text);
}

static struct name_value *find(struct name_value *rows, struct span name)
{
	for (; rows->name; rows++)
		if (span_is(name, rows->name))
			return rows;
	return NULL;
}

static void names(const struct name_value *rows, struct buf *out)
{
	for (; rows->name; rows++)
		buf_printf(out, "%s%s=", out->n ? " " : "", rows->name);
}

bool name_value_read(struct name_value *rows, char **words, int n, struct err *err)
{
	for (struct name_value *g = rows; g->name; g++)
		g->text = g->usual;
	for (int i = 0; i < n; i++) {
		struct span name, value;
		struct name_value *g = NULL;
		struct buf all = { 0 };

		if (span_cut(span_of(words[i]), '=', &name, &value))
			g = find(rows, name);
		if (g) {
			g->text = value.p;
			continue;
		}
		names(rows, &all);
		err_set(err, "\"%.60s\" is not one of %s", words[i], all.text);
		buf_done(&all);
		return false;
	}
	return true;
}

const char *name_value_text(const struct name_value *rows, const char *name)
{
	for (; rows->name; rows++)
		if (!strcmp(rows->name, name))
			return rows->text;
	return NULL;
}

bool name_value_number(const struct name_value *rows, const char *name, double *out, struct err *err)
{
	const char *text = name_value_text(rows, name);
	struct err why;

	if (!text)
		return err_set(err, "%s= is needed", name);
	return quantity_read(text, out, &why) || err_set(err, "%s=: %s", name, why.text);
}

void name_value_help(const struct name_value *rows, struct buf *out)
{
	for (; rows->name; rows++)
		buf_printf(out, "  %s=%-10s %s\n", rows->name, rows->usual ? rows->usual : "", rows->help);
}
