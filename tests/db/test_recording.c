/* A recording as a person meets it: by the sqlite3 shell, with the words of the README. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "db/record/recorder.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"

#define START_US	(INT64_C(1790000000) * SECOND)	/* 2026-09-21 14:13:20 UTC */
#define EACH_US		(4 * SECOND)
#define SAMPLES		300
#define NARROW		150	/* the sample at which somebody sets the MTU to 1500 */
#define WIDE		250	/* and back */

static char folder[64], path[96];

static void observe(struct obs *o, unsigned n)
{
	uint16_t port;

	obs_init(o, "leaf1", "show interface");
	o->command = "show interface ethernet1/1/1";
	o->at_us = START_US + n * EACH_US;
	o->period_us = EACH_US;
	port = obs_port(o, SPAN("ethernet1/1/1"));
	obs_bool(o, port, FIELD_PFC_ON, 3, true);
	obs_number(o, port, FIELD_MTU, 0, n >= NARROW && n < WIDE ? 1500 : 9216);
	obs_number(o, port, FIELD_RX_TOTAL, 0, UINT64_C(1000000) * n);
	obs_number(o, port, FIELD_PFC_RX, 3, n);
	obs_number(o, port, FIELD_RX_DISCARD, 0, n / 10);
}

static int record_an_incident(void **state)
{
	struct recorder *r;
	struct model *m = model_new();
	struct check check = { .id = "mtu-fits" };
	struct finding finding = { .check = &check, .is_open = true, .verdict = VERDICT_FAIL, .first_us = START_US + EACH_US,
				   .where = "leaf1:ethernet1/1/1", .what = "MTU 1500" };
	struct obs o;

	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/fabcon-recording-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/incident.db", folder);
	r = recorder_open(path, &(struct recorder_options){ .fabric = "demo", .model = m }, NULL);
	assert_non_null(r);
	for (unsigned n = 0; n < SAMPLES; n++) {
		observe(&o, n);
		model_apply(m, &o);
		recorder_take(r, &o);
		obs_done(&o);
	}
	recorder_finding(r, &finding);
	recorder_close(r);
	model_free(m);
	return 0;
}

static int forget_it(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

/* What the shell prints, in the folder of the recording. */
static struct run in_shell(const char *command)
{
	char *line = xasprintf("cd '%s' && %s", folder, command);
	const char *argv[] = { "/bin/sh", "-c", line, NULL };
	struct run run = run_program(argv, NULL);

	free(line);
	if (run.code != 0 || run.err.n > 1)
		fail_msg("%s: exit %d, %s", command, run.code, run.err.text);
	return run;
}

static void says(const char *command, const char *text)
{
	struct run run = in_shell(command);

	if (!strstr(run.out.text, text))
		fail_msg("%s prints:\n%s", command, run.out.text);
	run_done(&run);
}

static void each_query_of_the_readme_prints_rows(void **state)
{
	FILE *readme = fopen("README.md", "r");
	char line[512];
	unsigned n = 0;

	(void)state;
	assert_non_null(readme);
	while (fgets(line, sizeof(line), readme)) {
		if (strncmp(line, "sqlite3 incident.db ", 20) != 0)
			continue;
		says(line, "leaf1");
		n++;
	}
	fclose(readme);
	assert_int_equal(n, 4);
}

static void every_view_shows_something(void **state)
{
	struct run views = in_shell("sqlite3 incident.db \"SELECT name FROM sqlite_schema WHERE type = 'view'\"");
	struct span rest = buf_span(&views.out), name;
	unsigned n = 0;

	(void)state;
	while (span_line(&rest, &name)) {
		char *command = xasprintf("sqlite3 incident.db 'SELECT * FROM %.*s LIMIT 3'", (int)name.n, name.p);
		struct run rows = in_shell(command);

		if (rows.out.n < 2)
			fail_msg("%.*s is empty", (int)name.n, name.p);
		run_done(&rows);
		free(command);
		n++;
	}
	run_done(&views);
	assert_true(n >= 11);
}

static void facts_at_a_time_are_asked_by_the_cursor(void **state)
{
	(void)state;
	says("sqlite3 incident.db \"SELECT value FROM ports WHERE field = 'mtu'\"", "9216");
	says("sqlite3 incident.db \"UPDATE cursor SET at_us = unixepoch('2026-09-21 14:26:02') * 1000000;"
	     " SELECT value FROM facts_at WHERE field = 'mtu'\"", "1500");
	says("sqlite3 incident.db \"UPDATE cursor SET at_us = unixepoch('2026-09-21 14:14:00') * 1000000;"
	     " SELECT value FROM facts_at WHERE field = 'mtu'\"", "9216");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_query_of_the_readme_prints_rows),
		cmocka_unit_test(every_view_shows_something),
		cmocka_unit_test(facts_at_a_time_are_asked_by_the_cursor),
	};

	return cmocka_run_group_tests(tests, record_an_incident, forget_it);
}
