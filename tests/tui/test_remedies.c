/*
 * What a person is told to type, on fabrics of each switch system: every command fits the tables of what the tools and the switches
 * accept, which nothing of fabcon was used for; no slot is left open; and the commands are those of the plan.
 */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "tests/lib/command_grammar.h"
#include "tests/lib/lab.h"

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

/* A name in capitals stands for a value in explain; of a place that is known, none is left. */
static bool has_slot(const char *command)
{
	static const char *const names[] = { "PORT", "DEVICE", "GID_INDEX", "TOS", "PRIORITY", "HOST" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *at = strstr(command, names[i]);

		if (at && (at == command || at[-1] == ' ') && (!at[strlen(names[i])] || at[strlen(names[i])] == ' '))
			return true;
	}
	return strchr(command, '<') || strstr(command, "{port}") || strstr(command, "...");
}

/* "echo '[{…}]' >patch.json" writes a patch of JSON beside the person. False: it is another command. */
static bool is_patch(const char *command)
{
	const char *begin = strchr(command, '\''), *end = strrchr(command, '\'');
	json_t *patch;
	bool is_so;

	if (strncmp(command, "echo '[", 7) != 0 || !end || strcmp(end, "' >patch.json") != 0)
		return false;
	patch = json_loadb(begin + 1, (size_t)(end - begin - 1), 0, NULL);
	is_so = json_array_size(patch) > 0;
	json_decref(patch);
	return is_so;
}

static unsigned check_step(const char *finding, json_t *step, const char *os, const char *host)
{
	const char *device = text_of(step, "device"), *system = strncmp(device, "leaf", 4) ? host : os;
	json_t *line;
	struct buf all = { NULL };
	struct err err;
	size_t i;

	assert_true(*text_of(step, "who"));
	json_array_foreach(json_object_get(step, "commands"), i, line) {
		const char *command = json_string_value(line);

		printf("%-6s %-24s %s\n", system, finding, command);
		if (has_slot(command))
			fail_msg("%s at %s: an open slot in %s", finding, device, command);
		if (strcmp(system, "os10") != 0 && !is_patch(command) && !command_fits(system, command, &err))
			fail_msg("%s at %s: %s: %s", finding, device, command, err.text);
		buf_printf(&all, "%s%s", i ? "\n" : "", command);
	}
	if (!strcmp(system, "os10") && !command_fits(system, all.text, &err))
		fail_msg("%s at %s:\n%s\n%s", finding, device, all.text, err.text);
	buf_done(&all);
	return (unsigned)i;
}

/* Each line that the plan would send to a host is typed as root, and no other. */
static void check_plan(const struct lab *lab, const char *plan, json_t *steps)
{
	struct run r = LAB_FABCON(lab, "-o", "json", "plan", plan + strlen("fabcon plan "));
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

/* skin: of the hosts, or NULL; host: their system and driver, as the tables call it. */
static void on(const char *os, const char *skin, const char *host, unsigned least)
{
	const char *args[2 * (sizeof(faults) / sizeof(*faults)) + 11] = { "--nodes", "2", "--leaves", "1", "--rails", "1", "--switch-os", os };
	unsigned n = 8, n_commands = 0, n_planned = 0;
	struct lab lab;
	json_t *doc, *finding;
	struct run r;
	size_t i;

	for (size_t k = 0; k < sizeof(faults) / sizeof(*faults); k++) {
		args[n++] = "--fault";
		args[n++] = faults[k];
	}
	if (skin) {
		args[n++] = "--skin";
		args[n++] = skin;
	}
	assert_true(lab_start(&lab, args));
	r = LAB_FABCON(&lab, "-o", "json", "report");
	doc = document(&r);
	json_array_foreach(json_object_get(doc, "findings"), i, finding) {
		json_t *steps = json_object_get(finding, "by_hand"), *step;
		size_t k;

		json_array_foreach(steps, k, step)
			n_commands += check_step(text_of(finding, "check"), step, os, host);
		if (*text_of(finding, "plan") && json_array_size(steps) && n_planned++ < 3)
			check_plan(&lab, text_of(finding, "plan"), steps);
		if (!json_array_size(steps) && !*text_of(finding, "by_hand_why_not") && *text_of(finding, "plan"))
			fail_msg("%s at %s: neither commands nor a reason", text_of(finding, "check"), text_of(finding, "where"));
	}
	json_decref(doc);
	lab_stop(&lab);
	printf("%s%s%s: %u commands, 0 open slots\n", os, skin ? ", " : "", skin ? skin : "", n_commands);
	assert_true(n_commands >= least && n_planned >= 3);
}

static void what_os10_and_its_hosts_are_told_can_be_typed(void **state)
{
	(void)state;
	on("os10", NULL, "linux/mlx5_core", 10);
}

static void what_sonic_and_its_hosts_are_told_can_be_typed(void **state)
{
	(void)state;
	on("sonic", NULL, "linux/mlx5_core", 10);
}

/* The drivers of the kernel alone: no command of another vendor's tools. */
static void hosts_of_other_drivers_are_told_their_own_commands(void **state)
{
	(void)state;
	on("sonic", "breed-bnxt", "linux", 6);
	on("os10", "breed-ice", "linux", 6);
	on("os10", "breed-inbox", "linux/mlx5_core", 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_os10_and_its_hosts_are_told_can_be_typed),
		cmocka_unit_test(what_sonic_and_its_hosts_are_told_can_be_typed),
		cmocka_unit_test(hosts_of_other_drivers_are_told_their_own_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
