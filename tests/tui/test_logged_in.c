/* Who was logged in when a setting changed and no step of ours explains it. */
#include "tests/lib/lab.h"
#include "tests/lib/say.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/model/login.h"
#include "tui/session/logged_in.h"

#define AT	(INT64_C(1795716900) * SECOND)	/* 2026-11-26T18:15:00Z */

struct scene {
	struct model *model;
	struct logged_in w;
	struct buf told;
	bool has_records;
	unsigned n_asked;
};

static void tell(void *ctx, const char *kind, const char *device, int64_t at_us, const char *text)
{
	assert_string_equal(kind, EVENT_LOGINS);
	buf_printf(&((struct scene *)ctx)->told, "%+lld %s: %s\n", (long long)((at_us - AT) / SECOND), device, text);
}

static bool ask(void *ctx, const char *device)
{
	(void)device;
	((struct scene *)ctx)->n_asked++;
	return ((struct scene *)ctx)->has_records;
}

static void changed(void *ctx, const struct change *c)
{
	logged_in_changed(&((struct scene *)ctx)->w, c);
}

static void hear(struct scene *s, const char *probe, int64_t at_s, const char *facts)
{
	struct obs o;
	struct err err;

	obs_init(&o, "node1", probe);
	o.at_us = AT + at_s * SECOND;
	o.period_us = 30 * SECOND;
	assert_true(obs_read(&o, span_of(facts), &err));
	model_apply(s->model, &o);
	obs_done(&o);
}

static struct scene begin(const char *platform)
{
	struct scene s = { .model = model_new(), .has_records = true };
	char *facts = xasprintf("node1 platform = \"%s\"", platform);

	hear(&s, "host", -60, facts);
	free(facts);
	hear(&s, "mlnx_qos", -30, "node1 eth2 pfc.on[3] = yes");
	return s;
}

static void end(struct scene *s)
{
	logged_in_done(&s->w);
	model_free(s->model);
	buf_done(&s->told);
}

/* PFC is off at AT; who was logged in is read two seconds later, by a device's clock that is so much ahead. */
static void told(struct scene *s, int64_t ahead_s, const char *logins, const char *expected)
{
	char *facts;
	struct buf at = { 0 };

	model_on_change(s->model, changed, s);
	hear(s, "mlnx_qos", 0, "node1 eth2 pfc.on[3] = no\nnode1 eth2 trust = pcp");
	logged_in_ask(&s->w, s->model, ask, tell, s);
	login_time_print(AT / SECOND + 2 + ahead_s, &at);
	facts = *logins == 'u' ? xasprintf("node1 logins = %s", logins) :
		xasprintf("node1 logins = \"at %s%s%s\"", at.text, logins, strstr(logins, "ended") ? "" : "; SSH log read");
	hear(s, "logins", 2, facts);
	logged_in_heard(&s->w, model_find_device(s->model, "node1"), AT + 2 * SECOND, tell, s);
	assert_string_equal(s->told.text ? s->told.text : "", expected);
	assert_int_equal(s->w.n, 0);
	free(facts);
	buf_done(&at);
	end(s);
}

#define WINDOW "18:14:30Z and 18:15:00Z"

static void a_login_counts_that_overlaps_the_change(void **state)
{
	static const struct {
		const char *logins, *text;
	} cases[] = {
		{ "; admin from 10.0.0.5 on pts/0 2026-11-26T18:02:11Z",
		  "logged in then: admin from 10.0.0.5 (since 18:02:11Z); between " WINDOW },
		{ "; admin from 10.0.0.5 on pts/0 2026-11-25T18:02:11Z; root on tty1 2026-11-26T18:14:40Z to 2026-11-26T18:14:50Z",
		  "logged in then: admin from 10.0.0.5 (since 11-25 18:02Z), root on tty1 (since 18:14:40Z, until 18:14:50Z); between " WINDOW },
		/* gone before, come after */
		{ "; a from b on c 2026-11-26T18:00:00Z to 2026-11-26T18:14:20Z; d from e on f 2026-11-26T18:15:04Z",
		  "no login on record between " WINDOW },
		{ "", "no login on record between " WINDOW },
		/* of an end that nobody recorded only the begin tells */
		{ "; a from b on c 2026-11-26T18:00:00Z to unknown; d from e on f 2026-11-26T18:14:00Z+59s to unknown",
		  "logged in then: d from e (since 18:14:00Z, end not on record); between " WINDOW "; 1 earlier login without an end on record" },
		{ "; 2 not parsed; ended logins not on record; not read before 2026-11-26T18:14:40Z",
		  "no terminal login on record between " WINDOW "; SSH logins without a terminal are not known; "
		  "the device does not record logins that have ended; "
		  "2 records could not be parsed; records before 18:14:40Z were not read" },
		/* sshd's log was not read (ended logins not on record): the caveat comes before what a list may cut */
		{ "; mallory from 10.9.9.9 on pts/0 2026-11-26T18:02:11Z; ended logins not on record",
		  "on a terminal then: mallory from 10.9.9.9 (since 18:02:11Z); between " WINDOW "; SSH logins without a terminal are not known; "
		  "the device does not record logins that have ended" },
		{ "; not read before 2026-11-26T10:00:00Z", "no login on record between " WINDOW },
		{ "unknown \"the device keeps no login records\"",
		  "logins then not known: the device keeps no login records; between " WINDOW },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct scene s = begin("linux");
		char *expected = xasprintf("+0 node1: %s\n", cases[i].text);

		told(&s, 0, cases[i].logins, expected);
		free(expected);
	}
}

static void the_devices_clock_may_be_wrong(void **state)
{
	struct scene s = begin("linux");

	(void)state;
	told(&s, 3600, "; a from b on c 2026-11-26T19:14:40Z to 2026-11-26T19:14:50Z; d from e on f 2026-11-26T18:14:40Z to 2026-11-26T18:14:50Z",
	     "+0 node1: logged in then: a from b (since 18:14:40Z, until 18:14:50Z); between " WINDOW "\n");
}

/* A plan that turned PFC 3 off, and nothing else. */
static void explains(const char *device, struct setting_change *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(device, "node1") && list[i].now.field == FIELD_PFC_ON && list[i].now.index == 3 && !list[i].now.value.n)
			buf_str(&list[i].by, "P-1 by alice (apply: INC-42)");
}

static void what_we_did_ourselves_is_not_asked_about(void **state)
{
	struct scene s = begin("linux");

	(void)state;
	logged_in_explained_by(explains);
	logged_in_ours(&s.w, model_find_device(s.model, "node1"), AT - 10 * SECOND);
	told(&s, 0, "; a from b on c 2026-11-26T18:00:00Z", "");
	/* a command of ours that did not set this: somebody else */
	logged_in_explained_by(NULL);
	s = begin("linux");
	logged_in_ours(&s.w, model_find_device(s.model, "node1"), AT - 10 * SECOND);
	told(&s, 0, "; a from b on c 2026-11-26T18:00:00Z", "+0 node1: logged in then: a from b (since 18:00:00Z); between " WINDOW "\n");
}

static void tell_fix(void *ctx, const char *kind, const char *device, int64_t at_us, const char *text)
{
	(void)at_us;
	buf_printf(&((struct scene *)ctx)->told, "%s %s: %s\n", kind, device, text);
}

/* Another console's plan, which the audit knows. */
static void what_a_plan_explains_is_no_question(void **state)
{
	struct scene s = begin("linux");

	(void)state;
	logged_in_explained_by(explains);
	model_on_change(s.model, changed, &s);
	hear(&s, "mlnx_qos", 0, "node1 eth2 pfc.on[3] = no");
	logged_in_ask(&s.w, s.model, ask, tell_fix, &s);
	assert_string_equal(s.told.text, "fix node1: P-1 by alice (apply: INC-42)\n");
	assert_int_equal(s.n_asked, 0);
	assert_int_equal(s.w.n, 0);
	/* bob's change beside it, and his of the same setting: they are asked about, in the time of theirs */
	hear(&s, "mlnx_qos", 30, "node1 eth2 pfc.on[3] = yes\nnode1 eth2 pfc.on[4] = no");
	logged_in_ask(&s.w, s.model, ask, tell_fix, &s);
	hear(&s, "mlnx_qos", 60, "node1 eth2 pfc.on[3] = no\nnode1 eth2 pfc.on[4] = yes");
	logged_in_ask(&s.w, s.model, ask, tell_fix, &s);
	assert_string_equal(s.told.text, "fix node1: P-1 by alice (apply: INC-42)\nfix node1: P-1 by alice (apply: INC-42)\n");
	assert_int_equal(s.n_asked, 1);
	assert_int_equal(s.w.n, 1);
	assert_int_equal(s.w.list[0].n, 2);
	assert_int_equal(s.w.list[0].from_us, AT);
	assert_int_equal(s.w.list[0].to_us, AT + 60 * SECOND);
	logged_in_explained_by(NULL);
	end(&s);
}

/* A state that changes by itself, a first value, a value that cannot be read: nobody has set anything. */
static void only_settings_are_followed(void **state)
{
	struct scene s = begin("linux");

	(void)state;
	model_on_change(s.model, changed, &s);
	hear(&s, "net", -20, "node1 eth2 up = yes");
	hear(&s, "net", 0, "node1 eth2 up = no");
	hear(&s, "mlnx_qos", 0, "node1 eth2 pfc.on[3] = unknown \"busy\"\nnode1 eth2 trust = dscp");
	logged_in_ask(&s.w, s.model, ask, tell, &s);
	assert_int_equal(s.n_asked, 0);
	/* known again, and another: it changed in between, after the last reading that held the old one */
	hear(&s, "mlnx_qos", 30, "node1 eth2 pfc.on[3] = no\nnode1 eth2 trust = dscp");
	assert_int_equal(s.w.n, 1);
	assert_int_equal(s.w.list[0].from_us, AT - 30 * SECOND);
	assert_int_equal(s.w.list[0].to_us, AT + 30 * SECOND);
	end(&s);
}

static void no_records_and_no_answer_are_not_known(void **state)
{
	struct scene s = begin("os10");

	(void)state;
	s.has_records = false;
	model_on_change(s.model, changed, &s);
	hear(&s, "mlnx_qos", 0, "node1 eth2 pfc.on[3] = no");
	logged_in_ask(&s.w, s.model, ask, tell, &s);
	assert_string_equal(s.told.text, "+0 node1: logins then not known: fabcon reads no login records of Dell SmartFabric OS10; "
					 "between " WINDOW "\n");
	end(&s);
	s = begin("linux");
	model_on_change(s.model, changed, &s);
	hear(&s, "mlnx_qos", 0, "node1 eth2 pfc.on[3] = no");
	logged_in_ask(&s.w, s.model, ask, tell, &s);
	logged_in_expire(&s.w, AT + LOGGED_IN_WAIT_US - 1, tell, &s);
	assert_null(s.told.text);
	logged_in_expire(&s.w, AT + LOGGED_IN_WAIT_US, tell, &s);
	assert_string_equal(s.told.text, "+0 node1: logins then not known: the device did not answer in time; between " WINDOW "\n");
	end(&s);
}

/* -- a lab: mallory turns PFC off behind our back; the recording names her, live and replayed -- */

static char *events_of(const char *recording)
{
	struct run r = RUN("fabcon", "replay", recording, "events", "-o", "json");
	char *text = xstrdup(r.out.text ? r.out.text : "");

	run_done(&r);
	return text;
}

static bool has_settings(const char *recording)
{
	struct run r = RUN("fabcon", "replay", recording, "show", "node1:eth2", "-o", "json");
	bool has = r.out.text && strstr(r.out.text, "pfc.on[3]");

	run_done(&r);
	return has;
}

static pid_t record(const struct lab *lab, const char *recording)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	execl(program_path("fabcon"), "fabcon", "-i", lab->inventory, "--no-input", "record", "--for", "600", recording, (char *)NULL);
	_exit(127);
}

static void ctl(const struct lab *lab, const char *verb, const char *a, const char *b, const char *c)
{
	struct run r = LAB_CTL(lab, verb, a, b, c);

	assert_int_equal(r.code, 0);
	run_done(&r);
}

static void somebody_else_is_named(void **state)
{
	struct lab lab;
	char *path, *events = NULL;
	pid_t pid;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2"));
	path = xasprintf("%s/recording.db", lab.dir);
	pid = record(&lab, path);
	for (unsigned i = 0; i < 600 && !has_settings(path); i++)
		usleep(200000);
	ctl(&lab, "login", "node1", "mallory", "10.0.0.5");
	ctl(&lab, "fault", "add", "pfc-off-host@node1:eth2", NULL);
	ctl(&lab, "logout", "node1", "mallory", NULL);
	for (unsigned i = 0; i < 900; i++) {
		free(events);
		events = events_of(path);
		if (strstr(events, "\"logins\""))
			break;
		usleep(200000);
	}
	assert_non_null(strstr(events, "node1 eth2 pfc.on[3] = no (was yes)"));
	assert_non_null(strstr(events, ": mallory from 10.0.0.5 (since "));
	free(events);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	free(path);
	lab_stop(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_login_counts_that_overlaps_the_change),
		cmocka_unit_test(the_devices_clock_may_be_wrong),
		cmocka_unit_test(what_we_did_ourselves_is_not_asked_about),
		cmocka_unit_test(what_a_plan_explains_is_no_question),
		cmocka_unit_test(only_settings_are_followed),
		cmocka_unit_test(no_records_and_no_answer_are_not_known),
		cmocka_unit_test(somebody_else_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
