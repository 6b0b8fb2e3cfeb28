/*
 * Replies beside what they say: tests/fixtures/PLATFORM/PROBE/CASE.raw is a reply, CASE.facts the facts it holds, in written form.
 * The first line of the facts says where the reply comes from; "# port: NAME" and "# status: N" say what was asked about and
 * how the command ended. The folders are walked: a new platform's are read by themselves.
 */
#include "tests/lib/cited.h"
#include "tests/lib/text.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/platforms.h"

#define ROOT "tests/fixtures/"

struct fixture {
	const char *path;
	const struct platform *platform;
	const struct probe *probe;
	char *raw, *facts;
	size_t raw_n;
	char device[64], port[64];
	int status;
};

/* As the facts call it. */
static void read_device(struct fixture *r)
{
	struct span rest = span_of(r->facts), line, word;

	snprintf(r->device, sizeof(r->device), "device");
	while (span_line(&rest, &line))
		if (line.n && *line.p != '#' && span_word(&line, &word)) {
			snprintf(r->device, sizeof(r->device), "%.*s", (int)word.n, word.p);
			return;
		}
}

static void read_fixture(const char *path, struct fixture *r)
{
	char platform[64], probe[64], facts[512], status[16];

	if (sscanf(path, ROOT "%63[^/]/%63[^/]/", platform, probe) != 2)
		fail_msg("%s: not PLATFORM/PROBE/CASE.raw", path);
	*r = (struct fixture){ .path = path, .platform = platform_find(platform), .status = -1 };
	if (!r->platform)
		fail_msg("%s: no platform is called %s", path, platform);
	r->probe = platform_probe(r->platform, probe);
	if (!r->probe)
		fail_msg("%s: no probe of %s is called %s", path, platform, probe);
	snprintf(facts, sizeof(facts), "%.*s.facts", (int)(strlen(path) - 4), path);
	r->raw = file_text(path, &r->raw_n);
	r->facts = file_text(facts, NULL);
	if (!r->raw || !r->facts || *r->facts != '#')
		fail_msg("%s: the facts beside it must begin with a line that says where it comes from", path);
	read_device(r);
	fixture_word(r->facts, "port", r->port, sizeof(r->port));
	if (fixture_word(r->facts, "status", status, sizeof(status)))
		r->status = atoi(status);
}

static void parse(const struct fixture *r, struct span text, const char *port, int status, struct obs *o)
{
	const struct answer a = { .text = text, .port = port, .status = status };

	obs_init(o, r->device, r->probe->id);
	platform_parse(r->platform, r->probe, &a, o);
}

/* Returns how many there are. */
static unsigned each_fixture(void (*check)(const struct fixture *r))
{
	unsigned n = 0;
	glob_t found;

	assert_int_equal(glob(ROOT "*/*/*.raw", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++, n++) {
		struct fixture r;

		read_fixture(found.gl_pathv[i], &r);
		check(&r);
		free(r.raw);
		free(r.facts);
	}
	globfree(&found);
	return n;
}

static void compare(const char *path, struct span wanted, struct span seen)
{
	struct span w = { 0 }, s = { 0 };

	for (unsigned fact = 1;; fact++) {
		bool more_wanted = span_line(&wanted, &w), more_seen = span_line(&seen, &s);

		if (!more_wanted && !more_seen)
			return;
		if (!more_wanted)
			fail_msg("%s: fact %u is not expected: %.*s", path, fact, (int)s.n, s.p);
		if (!more_seen)
			fail_msg("%s: fact %u is not said: %.*s", path, fact, (int)w.n, w.p);
		if (!span_same(w, s))
			fail_msg("%s: fact %u: expected %.*s, said %.*s", path, fact, (int)w.n, w.p, (int)s.n, s.p);
	}
}

/* The facts are read and printed again, so that blanks and comments do not count. */
static void check_facts(const struct fixture *r)
{
	struct buf wanted = { 0 }, seen = { 0 };
	struct obs said, written;
	struct err err;

	parse(r, (struct span){ r->raw, r->raw_n }, *r->port ? r->port : NULL, r->status, &said);
	obs_print(&said, &seen);
	cited_check(r->path, &said);
	obs_init(&written, r->device, NULL);
	if (!obs_read(&written, span_of(r->facts), &err))
		fail_msg("%s: its facts: %s", r->path, err.text);
	obs_print(&written, &wanted);
	if (getenv("FIXTURE_PRINT"))
		printf("== %s\n%s", r->path, seen.text ? seen.text : "");
	compare(r->path, buf_span(&wanted), buf_span(&seen));
	obs_done(&said);
	obs_done(&written);
	buf_done(&wanted);
	buf_done(&seen);
}

static void each_reply_holds_the_facts_written_beside_it(void **state)
{
	(void)state;
	printf("%u replies\n", each_fixture(check_facts));
}

/* A copy of its own, so that a read past the end is seen. */
static void parse_copy(const struct fixture *r, size_t n, bool is_garbled)
{
	char *copy = malloc(n + !n);
	struct obs o;

	memcpy(copy, r->raw, n);
	if (is_garbled)
		copy[n / 2] = (char)(copy[n / 2] ^ 0x9d);
	parse(r, (struct span){ copy, n }, is_garbled ? NULL : "eth2", is_garbled ? 1 : -1, &o);
	obs_done(&o);
	free(copy);
}

static void break_fixture(const struct fixture *r)
{
	for (size_t cut = 0; cut < r->raw_n; cut += 1 + r->raw_n / 97) {
		parse_copy(r, cut, false);
		if (cut)
			parse_copy(r, cut, true);
	}
}

static void a_reply_cut_or_garbled_anywhere_does_no_harm(void **state)
{
	(void)state;
	each_fixture(break_fixture);
}

static void each_probe_has_a_reply(void **state)
{
	(void)state;
	for (size_t p = 0; p < platform_count; p++)
		for (size_t i = 0; i < platform_table[p]->n_probes; i++) {
			char pattern[256];
			glob_t found;

			snprintf(pattern, sizeof(pattern), ROOT "%s/%s/*.raw", platform_table[p]->id, platform_table[p]->probes[i].id);
			if (glob(pattern, 0, NULL, &found) != 0)
				fail_msg("%s: none is there", pattern);
			globfree(&found);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_reply_holds_the_facts_written_beside_it),
		cmocka_unit_test(a_reply_cut_or_garbled_anywhere_does_no_harm),
		cmocka_unit_test(each_probe_has_a_reply),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
