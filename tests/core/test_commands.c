/*
 * Commands that fabcon prints, held against what the tools and the switches accept (tests/fixtures/commands). With COMMANDS=list
 * it prints them instead, a system and a command a line, for `make commands`.
 */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/manifest/manifest.h"
#include "core/remedy/remedy.h"
#include "tests/lib/command_grammar.h"

#define FOLDER "tests/fixtures/commands/"

/* -- templates -- */

/* What a slot may be filled with, by system. */
static const struct {
	const char *slot, *linux_value, *os10, *sonic;
} slots[] = {
	{ "{port}", "eth2", "ethernet1/1/1", "Ethernet0" },
	{ "{ethernet}", NULL, "ethernet 1/1/1", NULL },
	{ "{rdma}", "mlx5_2", NULL, NULL },
	{ "{gid}", "3", NULL, NULL },
	{ "{tos}", "106", NULL, NULL },
	{ "{prio}", "3", "3", "3" },
};

static const char *value_of(const char *at, const char *system, size_t *n)
{
	for (size_t i = 0; i < sizeof(slots) / sizeof(*slots); i++) {
		*n = strlen(slots[i].slot);
		if (!strncmp(at, slots[i].slot, *n))
			return !strcmp(system, "os10") ? slots[i].os10 : !strcmp(system, "sonic") ? slots[i].sonic : slots[i].linux_value;
	}
	return NULL;
}

static bool fill(const char *template, const char *system, struct buf *out)
{
	buf_clear(out);
	while (*template) {
		const char *value;
		size_t n = strcspn(template, "{");

		buf_add(out, template, n);
		template += n;
		if (!*template)
			break;
		value = value_of(template, system, &n);
		if (!value)
			return false;
		buf_str(out, value);
		template += n;
	}
	return true;
}

/* Calls each for every command of the tables, with plausible values in its slots. */
static void each_command(void (*each)(const char *system, const char *command, void *of), void *of)
{
	struct buf command = { NULL };

	for (size_t i = 0; i < remedy_count; i++) {
		if (!fill(remedy_table[i].command, remedy_table[i].system, &command))
			fail_msg("%s on %s: no value for a slot", remedy_table[i].command, remedy_table[i].system);
		each(remedy_table[i].system, command.text, of);
	}
	buf_done(&command);
}

struct tally {
	unsigned n, bad;
};

static void assert_fits(const char *system, const char *command, void *of)
{
	struct tally *t = of;
	struct err err;

	t->n++;
	if (command_fits(system, command, &err))
		return;
	t->bad++;
	print_error("%s: %s\n\t%s\n", system, command, err.text);
}

static void each_command_of_the_tables_can_be_typed(void **state)
{
	struct tally t = { 0, 0 };

	(void)state;
	each_command(assert_fits, &t);
	print_message("%u commands of the tables\n", t.n);
	assert_true(t.n >= 70);
	assert_int_equal(t.bad, 0);
}

/* -- rows of two columns -- */

static void sample_fits(char *const *row, void *of)
{
	assert_fits(row[0], row[1], of);
}

static void each_command_of_the_texts_and_each_form_of_the_setters_can_be_typed(void **state)
{
	struct tally t = { 0, 0 };

	(void)state;
	command_table(FOLDER "samples.txt", 2, sample_fits, &t);
	assert_true(t.n >= 50);
	assert_int_equal(t.bad, 0);
}

static void wrong_is_refused(char *const *row, void *of)
{
	struct tally *t = of;
	struct err err;

	t->n++;
	if (!command_fits(row[0], row[1], &err))
		return;
	t->bad++;
	print_error("%s: %s\n\tis wrong, and fits\n", row[0], row[1]);
}

static void no_wrong_command_fits(void **state)
{
	struct tally t = { 0, 0 };

	(void)state;
	command_table(FOLDER "wrong.txt", 2, wrong_is_refused, &t);
	assert_true(t.n >= 100);
	assert_int_equal(t.bad, 0);
}

/* A command of one system is none of another's: the tables would be worth nothing if everything fitted. */
static void a_command_of_one_system_is_refused_by_another(void **state)
{
	static const char *const systems[] = { "linux", "os10", "sonic" };
	struct buf command = { NULL };
	struct err err;
	unsigned n = 0;

	(void)state;
	for (size_t i = 0; i < remedy_count; i++)
		for (size_t k = 0; k < sizeof(systems) / sizeof(*systems); k++) {
			const struct remedy *r = &remedy_table[i];

			if (!strncmp(r->system, systems[k], strlen(systems[k])) || !fill(r->command, r->system, &command))
				continue;
			n++;
			/* a port of one system may be a name of another's */
			if (command_fits(systems[k], command.text, &err))
				fail_msg("%s of %s fits %s", command.text, r->system, systems[k]);
		}
	assert_true(n > 100);
	buf_done(&command);
}

static void what_does_not_fit_is_named(void **state)
{
	static const struct {
		const char *system, *command, *words;
	} rows[] = {
		{ "linux/mlx5_core", "mlnx_qos --trust dscp", "mlnx_qos: without --interface" },
		{ "linux/mlx5_core", "mlnx_qos -i eth2 --ecn", "mlnx_qos: no option --ecn" },
		{ "linux", "dcb pfc set dev eth2 prio-pfc 8:on", "\"8:on\" is not expected" },
		{ "linux", "ip link set dev eth2 mtu", "words are missing behind \"mtu\"" },
		{ "linux", "ethtool -S eth2 | grep prio3_pfc", "no \"prio3_pfc\" is printed by ethtool" },
		{ "linux", "sudo echo 1 > /sys/class/net/eth2/mtu", "sudo: /sys/class/net/eth2/mtu is opened by the shell" },
		{ "os10", "show queuing wred", "\"wred\" is not expected" },
		{ "os10", "reboot", "\"reboot\" is no command there" },
		{ "sonic", "pfcwd start", "an argument is missing" },
		{ "junos", "show version", "junos: no table" },
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_false(command_fits(rows[i].system, rows[i].command, &err));
		if (!strstr(err.text, rows[i].words))
			fail_msg("%s: %s", rows[i].command, err.text);
	}
}

static void a_line_of_a_switch_is_typed_in_its_mode(void **state)
{
	struct err err;

	(void)state;
	assert_true(command_fits("os10", "configure terminal\ninterface ethernet 1/1/1\n mtu 9216\n flowcontrol receive off\nend\nwrite memory",
				 &err));
	assert_true(command_fits("os10", "wred W\n random-detect ecn\n exit\npolicy-map type queuing P\n class Q\n  random-detect W\n", &err));
	assert_false(command_fits("os10", "interface ethernet 1/1/1\n random-detect ecn\n", &err));
	assert_false(command_fits("os10", "interface ethernet 1/1/1\n write memory\n", &err));
	assert_true(command_fits("os10", "interface ethernet 1/1/1\n do write memory\n", &err));
	assert_false(command_fits("os10", "policy-map type network-qos P\n class C\n  bandwidth percent 10\n", &err));
	assert_false(command_fits("os10", "configure terminal\nexit\nexit", &err));
}

/* -- emitted files -- */

static void each_line_of_the_emitted_os10_file_is_typed_in_its_mode(void **state)
{
	unsigned n = 0;

	(void)state;
	for (size_t i = 0; policy_builtin_name(i); i++) {
		struct policy *policy = policy_builtin(policy_builtin_name(i));
		struct buf text = { NULL };
		struct err err;

		if (manifest_find("os10")->write(&(struct manifest_scene){ .policy = policy }, &text, &err)) {
			n++;
			if (!command_fits("os10", text.text, &err))
				fail_msg("%s: %s", policy_builtin_name(i), err.text);
		}
		buf_done(&text);
		policy_free(policy);
	}
	assert_true(n > 0);
}

/* -- for make commands -- */

static void print_command(const char *system, const char *command, void *of)
{
	(void)of;
	printf("%s\t%s\n", system, command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_command_of_the_tables_can_be_typed),
		cmocka_unit_test(each_command_of_the_texts_and_each_form_of_the_setters_can_be_typed),
		cmocka_unit_test(no_wrong_command_fits),
		cmocka_unit_test(a_command_of_one_system_is_refused_by_another),
		cmocka_unit_test(what_does_not_fit_is_named),
		cmocka_unit_test(a_line_of_a_switch_is_typed_in_its_mode),
		cmocka_unit_test(each_line_of_the_emitted_os10_file_is_typed_in_its_mode),
	};
	const char *mode = getenv("COMMANDS");

	if (mode && !strcmp(mode, "list")) {
		each_command(print_command, NULL);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
