/* The report: what a ticket needs in forty lines, with evidence, and never silent about what is not known. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/world.h"
#include "tui/console/clipboard_export.h"
#include "tui/text/files.h"
#include "tui/text/sheet.h"
#include "tui/views/diagnosis_document.h"
#include "tui/views/report.h"
#include "tui/widgets/clip.h"

static void view(const struct world *w, struct view_of *of)
{
	*of = (struct view_of){ .model = w->model, .links = &w->links, .findings = w->findings, .policy = w->policy,
				.inventory = &w->inventory, .fabric = "gpu-a", .serial = 1 };
}

static char *markdown(const struct world *w, bool ascii)
{
	struct buf text = { 0 };
	struct view_of of;
	json_t *report;

	view(w, &of);
	report = report_json(&of);
	report_markdown(report, ascii, &text);
	json_decref(report);
	return text.text;
}

static size_t lines_of(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void assert_tells(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("\"%s\" is not in:\n%s", what, text);
}

static void a_fault_is_told_with_its_place_its_evidence_and_what_to_do(void **state)
{
	struct world w;
	char *text;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 trust = pcp");
	world_run(&w, 5);
	text = markdown(&w, false);
	assert_tells(text, "# gpu-a at 1970-01-01T");
	assert_tells(text, "1. **critical** trust-as-wanted at node1:eth2");
	assert_tells(text, "`node1 eth2 trust = pcp` read ");
	assert_tells(text, "to do: ");
	assert_true(lines_of(text) <= REPORT_LINES);
	free(text);
	world_done(&w);
}

static void however_much_is_wrong_it_is_forty_lines_and_the_rest_is_counted(void **state)
{
	static const char *const faults[] = {
		"node1 eth2 trust = pcp", "node1 eth3 trust = pcp", "node1 eth2 mtu = 1500", "node1 eth3 mtu = 1500",
		"node1 eth2 pause.rx = yes", "node1 eth3 pause.rx = yes", "node1 eth2 cnp.dscp = 0", "node1 eth3 cnp.dscp = 0",
		"leaf2 Ethernet4 ecn.on[3] = no", "node1 eth2 dcbx.willing = yes", "node1 eth3 dcbx.willing = yes",
		"node1 eth2 tos.cma = 0", "node1 eth3 tos.cma = 0", "leaf2 Ethernet4 mtu = 1500",
	};
	struct world w;
	struct buf all = { 0 };
	struct view_of of;
	json_t *report;
	char *text;

	(void)state;
	world_init(&w);
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		world_set(&w, faults[i]);
	world_drop(&w, "node1 eth2 ecn.np[3]");
	world_drop(&w, "node1 eth3 ecn.rp[3]");
	world_run(&w, 5);
	text = markdown(&w, false);
	assert_true(lines_of(text) <= REPORT_LINES);
	assert_tells(text, " more: fabcon findings\n");
	assert_tells(text, "## Not known: ");
	view(&w, &of);
	report = report_json(&of);
	assert_true(json_array_size(json_object_get(report, "findings")) > 10);
	json_add(report, 0, &all);
	assert_tells(all.text, "\"fabcon.report/1\"");
	json_decref(report);
	buf_done(&all);
	free(text);
	world_done(&w);
}

static void what_was_not_read_is_said_first_and_nothing_is_called_right(void **state)
{
	struct world w;
	char *text;

	(void)state;
	world_init(&w);
	for (size_t i = 0; i < w.n_facts; i++)
		w.facts[i].is_gone = !strncmp(w.facts[i].what, "leaf", 4);
	world_set(&w, "node1 state = retrying");
	world_set(&w, "node1 error = \"no route to host\"");
	world_run(&w, 5);
	text = markdown(&w, false);
	assert_tells(text, "- not read: `node1` (retrying) no route to host");
	assert_tells(text, "## Not known: ");
	assert_null(strstr(text, "Not known: nothing"));
	free(text);
	world_done(&w);
}

/* Rates need a second sample: no finding says so each time, and the report said that nothing is unknown. */
static void before_the_second_sample_not_everything_that_is_checked_is_known(void **state)
{
	struct world w;
	char *text;

	(void)state;
	world_init(&w);
	world_run(&w, 1);
	text = markdown(&w, false);
	assert_null(strstr(text, "nothing that is checked"));
	assert_tells(text, "verdicts that wait for samples or follow a finding above");
	free(text);
	world_run(&w, 4);
	text = markdown(&w, false);
	assert_tells(text, "## Not known: nothing that is checked");
	free(text);
	world_done(&w);
}

/* The verdict is one: of the report, of fabcon diagnose in text and JSON. */
static void the_verdict_is_that_of_diagnose(void **state)
{
	static const char *const faults[] = { NULL, "node1 app.memlock = 65536", "node1 eth2 trust = pcp", "leaf2 Ethernet4 tx.drop[3] = 50" };

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		struct diagnosis d = { 0 };
		struct buf text = { 0 };
		const char *says;
		struct world w;
		json_t *doc;
		char *report;

		world_init(&w);
		if (faults[i])
			world_set(&w, faults[i]);
		world_run(&w, 15);
		diagnosis_make(&d, &(struct diagnosis_of){ .model = w.model, .links = &w.links, .findings = w.findings, .policy = w.policy,
							   .inventory = &w.inventory });
		doc = diagnosis_json(&d);
		json_object_set_new(doc, "fabric", json_string("gpu-a"));
		says = json_string_value(json_object_get(doc, "says"));
		report = markdown(&w, false);
		diagnosis_text(doc, true, false, &text);
		assert_tells(report, "**Verdict**: ");
		assert_tells(strstr(report, "**Verdict**: "), says);
		assert_tells(text.text, says);
		assert_tells(report, "- read: 2 links, ");
		buf_done(&text);
		free(report);
		json_decref(doc);
		diagnosis_done(&d);
		world_done(&w);
	}
}

static void device_text_stays_in_its_place(void **state)
{
	struct world w;
	char *text;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 state = retrying");
	world_set(&w, "node1 error = \"\033[2J`<script>`|*x*\"");
	world_run(&w, 5);
	text = markdown(&w, true);
	assert_tells(text, "\\\\x1b\\[2J\\`\\<script\\>\\`\\|\\*x\\*");
	for (const char *c = text; *c; c++)
		assert_true(*c == '\n' || (*c >= ' ' && *c < 0x7f));
	free(text);
	world_done(&w);
}

static void r_writes_it_to_a_file_and_asks_before_it_replaces_one(void **state)
{
	char path[] = "/tmp/fabcon-report.XXXXXX.md";
	struct stage s = { .screen = SCREEN_OVERVIEW };
	struct buf text = { 0 };
	struct view_of of;
	struct world w;
	struct intent i;
	struct err err;
	int fd = mkstemps(path, 3);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	world_init(&w);
	world_run(&w, 5);
	view(&w, &of);
	stage_key(&s, &of, 'r');
	assert_tells(s.typing.text, "fabcon-report-1970");
	stage_key(&s, &of, 21);
	for (const char *c = path; *c; c++)
		stage_key(&s, &of, (unsigned char)*c);
	i = stage_key(&s, &of, '\r');
	assert_int_equal(i.is, INTENT_REPORT);
	take(&s, &of, &i, -1, false);
	assert_int_equal(s.typing.kind, TYPING_REPLACE);
	for (const char *c = "yes"; *c; c++)
		stage_key(&s, &of, *c);
	i = stage_key(&s, &of, '\r');
	take(&s, &of, &i, -1, false);
	assert_tells(s.message, "written to /tmp/fabcon-report.");
	assert_true(file_read(path, &text, &err));
	assert_tells(text.text, "# gpu-a at ");
	buf_done(&text);
	unlink(path);
	stage_done(&s);
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fault_is_told_with_its_place_its_evidence_and_what_to_do),
		cmocka_unit_test(however_much_is_wrong_it_is_forty_lines_and_the_rest_is_counted),
		cmocka_unit_test(what_was_not_read_is_said_first_and_nothing_is_called_right),
		cmocka_unit_test(before_the_second_sample_not_everything_that_is_checked_is_known),
		cmocka_unit_test(the_verdict_is_that_of_diagnose),
		cmocka_unit_test(device_text_stays_in_its_place),
		cmocka_unit_test(r_writes_it_to_a_file_and_asks_before_it_replaces_one),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
