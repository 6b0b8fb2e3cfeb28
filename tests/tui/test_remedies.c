/*
 * What a person is told to type for real findings, on fabrics of each switch system: every command fits the tables of what the tools
 * and the switches accept; no slot is left open; and the commands are those of the plan. By check and driver: test_remedy_table.
 */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "tests/lib/lab.h"
#include "tests/lib/typed.h"

static const char *const faults[] = {
	"trust-pcp@node1", "pfc-off-switch", "ecn-off-switch", "mtu-small-switch", "tos-104@node2", "cnp-dscp-wrong@node2", "np-off@node1",
	"global-pause@node2",
};

static const char *text_of(json_t *of, const char *key)
{
	const char *text = json_string_value(json_object_get(of, key));

	return text ? text : "";
}

static json_t *document(struct run *r)
{
	json_t *doc = json_loads(r->out.text ? r->out.text : "", 0, NULL);

	if (!doc)
		fail_msg("exit %d: %s%s", r->code, r->out.text ? r->out.text : "", r->err.text ? r->err.text : "");
	run_done(r);
	return doc;
}

static unsigned check_step(const char *finding, json_t *step, const char *os)
{
	const char *device = text_of(step, "device"), *system = strncmp(device, "leaf", 4) ? "linux/mlx5_core" : os;
	struct buf all = { NULL };
	json_t *line;
	unsigned n;
	size_t i;

	assert_true(*text_of(step, "who"));
	json_array_foreach(json_object_get(step, "commands"), i, line)
		buf_printf(&all, "%s\n", json_string_value(line));
	n = typed_fits(finding, system, all.n ? all.text : "");
	buf_done(&all);
	return n;
}

/* Each line that the plan would send to a host is typed as root, and no other. */
static void check_plan(const struct lab *lab, const char *plan, json_t *steps)
{
	struct run r = LAB_FABCON(lab, "-o", "json", "plan", strstr(plan, " plan ") + strlen(" plan "));
	json_t *doc = document(&r), *step, *mine;
	size_t i, k;

	json_array_foreach(json_object_get(doc, "steps"), i, step) {
		json_t *line;
		size_t n;

		if (strcmp(text_of(step, "platform"), "linux") != 0)
			continue;
		json_array_foreach(json_object_get(step, "lines"), n, line) {
			char *typed = xasprintf("sudo %s", json_string_value(line));
			bool is_there = false;

			json_array_foreach(steps, k, mine) {
				json_t *list = json_object_get(mine, "commands"), *of;
				size_t at;

				json_array_foreach(list, at, of)
					is_there |= !strcmp(json_string_value(of), typed) || strstr(json_string_value(of), "sudo sh -c");
			}
			if (!is_there)
				fail_msg("%s sends \"%s\", which the finding does not show", plan, typed);
			free(typed);
		}
	}
	json_decref(doc);
}

static void on(const char *os)
{
	const char *args[2 * (sizeof(faults) / sizeof(*faults)) + 9] = { "--nodes", "2", "--leaves", "1", "--rails", "1", "--switch-os", os };
	unsigned n = 8, n_commands = 0, n_planned = 0;
	struct lab lab;
	json_t *doc, *finding;
	struct run r;
	size_t i;

	for (size_t k = 0; k < sizeof(faults) / sizeof(*faults); k++) {
		args[n++] = "--fault";
		args[n++] = faults[k];
	}
	assert_true(lab_start(&lab, args));
	r = LAB_FABCON(&lab, "-o", "json", "report");
	doc = document(&r);
	json_array_foreach(json_object_get(doc, "findings"), i, finding) {
		json_t *steps = json_object_get(finding, "by_hand"), *step;
		size_t k;

		json_array_foreach(steps, k, step)
			n_commands += check_step(text_of(finding, "check"), step, os);
		if (*text_of(finding, "plan") && json_array_size(steps) && n_planned++ < 3)
			check_plan(&lab, text_of(finding, "plan"), steps);
		if (!json_array_size(steps) && !*text_of(finding, "by_hand_why_not") && *text_of(finding, "plan"))
			fail_msg("%s at %s: neither commands nor a reason", text_of(finding, "check"), text_of(finding, "where"));
	}
	json_decref(doc);
	lab_stop(&lab);
	printf("%s: %u commands, 0 open slots\n", os, n_commands);
	assert_true(n_commands >= 10 && n_planned >= 3);
}

static void what_os10_and_its_hosts_are_told_can_be_typed(void **state)
{
	(void)state;
	on("os10");
}

static void what_sonic_and_its_hosts_are_told_can_be_typed(void **state)
{
	(void)state;
	on("sonic");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_os10_and_its_hosts_are_told_can_be_typed),
		cmocka_unit_test(what_sonic_and_its_hosts_are_told_can_be_typed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
