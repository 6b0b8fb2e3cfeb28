#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void model_say_by(struct model *m, const char *probe, unsigned rank, const char *facts, int64_t at_us)
{
	struct span rest = span_of(facts), name;
	struct obs o;
	struct err err;
	char device[64];

	span_word(&rest, &name);
	snprintf(device, sizeof(device), "%.*s", (int)name.n, name.p);
	obs_init(&o, device, probe);
	o.at_us = at_us;
	o.period_us = SECOND;
	o.rank = rank;
	if (!obs_read(&o, span_of(facts), &err))
		fail_msg("%s", err.text);
	assert_int_equal(o.missed, 0);
	model_apply(m, &o);
	obs_done(&o);
}

void model_say(struct model *m, const char *facts, int64_t at_us)
{
	model_say_by(m, "test", 10, facts, at_us);
}

struct model *model_saying(const char *facts, int64_t at_us)
{
	struct model *m = model_new();

	model_say(m, facts, at_us);
	return m;
}

static bool rate_of(const struct model *m, const char *what, double *per_s)
{
	char line[256];
	struct fact_text t;
	struct err err;
	uint64_t set = 0;
	char device[64], port[64];
	struct port *p;

	snprintf(line, sizeof(line), "%s = 0", what);
	if (!fact_split(span_of(line), &t, &err) || !fact_indices(t.field, t.indices, &set, &err))
		fail_msg("%s", err.text);
	snprintf(device, sizeof(device), "%.*s", (int)t.device.n, t.device.p);
	snprintf(port, sizeof(port), "%.*s", (int)t.port.n, t.port.p);
	p = model_find_port(m, device, port);
	if (!p)
		fail_msg("no port %s %s", device, port);
	return port_rate(m, p, t.field, (unsigned)__builtin_ctzll(set), per_s);
}

void assert_rate(const struct model *m, const char *what, double per_s)
{
	double seen;

	if (!rate_of(m, what, &seen))
		fail_msg("%s: no rate", what);
	if (seen < per_s * 0.999 || seen > per_s * 1.001)
		fail_msg("%s: %g per second, not %g", what, seen, per_s);
}

void assert_no_rate(const struct model *m, const char *what)
{
	double seen;

	if (rate_of(m, what, &seen))
		fail_msg("%s: a rate of %g where none can be known", what, seen);
}

const char *captures_dir(void)
{
	static const char dir[] = "../shared/captures";

	return access(dir, R_OK) == 0 ? dir : NULL;
}

char *file_text(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	struct buf text = { 0 };
	char chunk[65536];
	size_t got;

	if (!f)
		return NULL;
	while ((got = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_add(&text, chunk, got);
	fclose(f);
	buf_add(&text, "", 0);
	if (n)
		*n = text.n;
	return text.text;
}

bool obs_says(const struct obs *o, const char *fact)
{
	struct buf text = { 0 }, line = { 0 };
	bool found;

	buf_str(&text, "\n");
	obs_print(o, &text);
	buf_printf(&line, "\n%s\n", fact);
	found = strstr(text.text, line.text) != NULL;
	buf_done(&text);
	buf_done(&line);
	return found;
}
