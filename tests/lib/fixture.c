#include "tests/lib/fixture.h"

#include "remote/platforms.h"
#include "tests/lib/say.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>


static const char *port_of(struct span facts, char port[64])
{
	struct span line;

	while (span_line(&facts, &line)) {
		if (!span_skip(&line, "# port: "))
			continue;
		snprintf(port, 64, "%.*s", (int)line.n, line.p);
		return port;
	}
	return NULL;
}

/* The facts a fixture file holds, read and printed again: so blanks and comments do not count. */
static void read_facts(const char *path, struct span facts, struct buf *out)
{
	struct obs o;
	struct err err;

	obs_init(&o, "device", NULL);
	if (!obs_read(&o, facts, &err))
		fail_msg("%s: %s", path, err.text);
	obs_print(&o, out);
	obs_done(&o);
}

static void compare(const char *path, struct span want, struct span seen)
{
	struct span w = { 0 }, s = { 0 };

	for (unsigned line = 1;; line++) {
		bool more_want = span_line(&want, &w), more_seen = span_line(&seen, &s);

		if (!more_want && !more_seen)
			return;
		if (!more_want)
			fail_msg("%s: fact %u is not expected: %.*s", path, line, (int)s.n, s.p);
		if (!more_seen)
			fail_msg("%s: fact %u is not said: %.*s", path, line, (int)w.n, w.p);
		if (w.n != s.n || memcmp(w.p, s.p, w.n) != 0)
			fail_msg("%s: fact %u: expected %.*s, said %.*s", path, line, (int)w.n, w.p, (int)s.n, s.p);
	}
}

static void check_one(const struct platform *p, const struct probe *probe, const char *raw_path)
{
	char facts_path[512], port[64];
	size_t raw_n, facts_n;
	char *raw = file_text(raw_path, &raw_n), *facts;
	struct buf want = { 0 }, seen = { 0 };
	struct answer a = { .status = -1 };
	struct obs o;

	snprintf(facts_path, sizeof(facts_path), "%.*s.facts", (int)(strlen(raw_path) - 4), raw_path);
	facts = file_text(facts_path, &facts_n);
	if (!facts)
		fail_msg("%s: no facts are written beside it", raw_path);
	a.text = (struct span){ raw, raw_n };
	a.port = port_of((struct span){ facts, facts_n }, port);
	obs_init(&o, "device", NULL);
	platform_parse(p, probe, &a, &o);
	obs_print(&o, &seen);
	read_facts(facts_path, (struct span){ facts, facts_n }, &want);
	if (getenv("FIXTURE_PRINT"))
		printf("== %s\n%s", raw_path, seen.text ? seen.text : "");
	compare(facts_path, buf_span(&want), buf_span(&seen));
	obs_done(&o);
	buf_done(&want);
	buf_done(&seen);
	free(raw);
	free(facts);
}

void fixture_check(const char *platform)
{
	const struct platform *p = platform_find(platform);
	size_t checked = 0;

	assert_non_null(p);
	for (size_t i = 0; i < p->n_probes; i++) {
		char pattern[256];
		glob_t found;

		snprintf(pattern, sizeof(pattern), "tests/fixtures/%s/%s/*.raw", p->id, p->probes[i].id);
		if (glob(pattern, 0, NULL, &found) == 0) {
			for (size_t f = 0; f < found.gl_pathc; f++, checked++)
				check_one(p, &p->probes[i], found.gl_pathv[f]);
			globfree(&found);
		}
	}
	assert_true(checked > 0);
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
