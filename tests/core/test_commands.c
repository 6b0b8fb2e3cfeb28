/*
 * Commands that fabcon prints, held against what the tools and the switches accept (tests/fixtures/commands). With COMMANDS=list
 * it prints them instead, a system and a command a line, for `make commands`.
 */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/diagnose/diagnosis.h"
#include "core/fix/fix.h"
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
	{ "{node}", "node1", "leaf1", "leaf1" },
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
/* Each line is a command of its own; those of OS10 lead from mode to mode and are one. */
static void each_line(const char *system, const char *commands, void (*each)(const char *system, const char *command, void *of), void *of)
{
	struct span rest = span_of(commands), line;

	if (!strcmp(system, "os10")) {
		each(system, commands, of);
		return;
	}
	while (span_line(&rest, &line)) {
		char *text = xstrndup(line.p, line.n);

		each(system, text, of);
		free(text);
	}
}

static void each_command(void (*each)(const char *system, const char *command, void *of), void *of)
{
	struct buf command = { NULL };

	for (size_t i = 0; i < remedy_count; i++) {
		if (!fill(remedy_table[i].command, remedy_table[i].system, &command))
			fail_msg("%s on %s: no value for a slot", remedy_table[i].command, remedy_table[i].system);
		each(remedy_table[i].system, command.text, of);
	}
	for (size_t i = 0; i < change_count; i++) {
		const struct remedy_change *c = &change_table[i];

		if (!fill(c->command, c->system, &command))
			fail_msg("%s on %s: no value for a slot", c->command, c->system);
		each_line(c->system, command.text, each, of);
	}
	buf_done(&command);
}

struct tally {
	unsigned n, bad;
	const char *wrong;		/* known.txt: a row that is looked for */
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

static void look_for(char *const *row, void *of)
{
	struct tally *t = of;

	t->n += !strcmp(row[1], t->wrong);
}

static bool is_known_wrong(const char *command)
{
	struct tally t = { .wrong = command };

	command_table(FOLDER "known.txt", 2, look_for, &t);
	return t.n > 0;
}

static void assert_can_be_typed(const char *system, const char *command, void *of)
{
	struct tally *t = of;
	struct err err = { "it fits: its row in known.txt goes" };
	bool is_known = is_known_wrong(command);

	t->n++;
	if (command_can_be_typed(system, command, &err) == !is_known)
		return;
	t->bad++;
	print_error("%s: %s\n\t%s\n", system, command, err.text);
}

static void each_command_of_the_tables_can_be_typed(void **state)
{
	struct tally t = { 0, 0 };

	(void)state;
	each_command(assert_can_be_typed, &t);
	print_message("%u commands of the tables\n", t.n);
	assert_true(t.n >= 70);
	assert_int_equal(t.bad, 0);
}

static void find_in_tables(const char *system, const char *command, void *of)
{
	struct tally *t = of;

	(void)system;
	t->n += !strcmp(command, t->wrong);
}

static void known_is_printed(char *const *row, void *of)
{
	struct tally t = { .wrong = row[1] };

	(void)of;
	each_command(find_in_tables, &t);
	if (!t.n)
		fail_msg("%s: not printed any more: its row in known.txt goes", row[1]);
}

static void each_row_of_known_wrong_commands_is_still_printed(void **state)
{
	(void)state;
	command_table(FOLDER "known.txt", 2, known_is_printed, NULL);
}

static void what_wants_root_says_sudo(void **state)
{
	static const char *const rows[][2] = {
		{ "linux/mlx5_core", "mlnx_qos -i eth2 --trust dscp" }, { "linux/mlx5_core", "mlnx_qos -i eth2 --pfc=0,0,0,1,0,0,0,0" },
		{ "linux/mlx5_core", "cma_roce_tos -d mlx5_0" }, { "linux", "ethtool -A eth2 rx off tx off" }, { "linux", "dmesg -T" },
		{ "linux", "ip link set dev eth2 up" }, { "linux", "modprobe ib_uverbs" }, { "linux", "dcb pfc set dev eth2 prio-pfc 3:on" },
		{ "sonic", "config save -y" }, { "sonic", "pfcwd start --action drop Ethernet0 200" }, { "sonic", "sonic-cfggen -j FILE -w" },
	};
	struct buf sudo = { NULL };
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_true(command_fits(rows[i][0], rows[i][1], &err));
		if (command_can_be_typed(rows[i][0], rows[i][1], &err))
			fail_msg("%s can be typed without sudo", rows[i][1]);
		buf_clear(&sudo);
		buf_printf(&sudo, "sudo %s", rows[i][1]);
		assert_true(command_can_be_typed(rows[i][0], sudo.text, &err));
	}
	assert_true(command_can_be_typed("linux/mlx5_core", "mlnx_qos -i eth2", &err));
	assert_true(command_can_be_typed("linux", "dcb pfc show dev eth2", &err));
	assert_true(command_can_be_typed("sonic", "ecnconfig -l", &err));
	buf_done(&sudo);
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

/* -- commands in texts -- */

/* "… (sudo modprobe ib_uverbs), and …": to what ends it in a sentence. */
static void commands_in(const char *where, const char *text, struct tally *t)
{
	for (const char *at = text ? strstr(text, "sudo ") : NULL; at; at = strstr(at + 1, "sudo ")) {
		size_t n = strcspn(at, "),;:");
		const char *stop = strstr(at, ". ");
		char command[160];

		if (stop && (size_t)(stop - at) < n)
			n = (size_t)(stop - at);
		n -= at[n - 1] == '.';
		snprintf(command, sizeof(command), "%.*s", (int)n, at);
		if (!command_can_be_typed("linux", command, NULL))
			print_error("in a text of %s:\n", where);
		assert_can_be_typed("linux", command, t);
	}
}

static void each_command_in_the_texts_of_checks_causes_and_fixes_can_be_typed(void **state)
{
	struct tally t = { 0, 0 };

	(void)state;
	for (size_t i = 0; i < check_count; i++) {
		commands_in(check_table[i].id, check_table[i].why, &t);
		commands_in(check_table[i].id, check_table[i].change, &t);
	}
	for (size_t i = 0; i < known_cause_count; i++) {
		commands_in(known_causes[i].id, known_causes[i].why, &t);
		commands_in(known_causes[i].id, known_causes[i].change, &t);
	}
	for (size_t i = 0; i < fix_count; i++)
		commands_in(fix_table[i].check, fix_table[i].instead, &t);
	print_message("%u commands in texts\n", t.n);
	assert_true(t.n >= 5);
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

/* The script of the systemd unit, run on a host made of files, with tools that take anything: it prints what it runs. */
#define HOST \
	"set -e; d=$(mktemp -d); trap 'rm -rf \"$d\"' EXIT; n=$d/sys/class/net/eth2\n" \
	"mkdir -p $d/bin $n/device/infiniband/mlx5_2 $d/drivers/mlx5_core $d/sys/class/infiniband/mlx5_2/tc/1\n" \
	"mkdir -p $d/proc/1; printf 'rdma_cm 1 0\\nrdma_ucm 1 0\\nib_uverbs 1 0\\n' >$d/proc/modules; echo 1 >$n/type\n" \
	"mkdir -p $n/ecn/roce_np/enable $n/ecn/roce_rp/enable $d/sys/kernel/config/rdma_cm/mlx5_2/ports/1\n" \
	"ln -s $d/drivers/mlx5_core $n/device/driver; echo up >$n/operstate\n" \
	"for i in 0 1 2 3 4 5 6 7; do echo 2 >$n/ecn/roce_np/enable/$i; echo 2 >$n/ecn/roce_rp/enable/$i; done\n" \
	"echo 1 >$n/ecn/roce_np/cnp_dscp; echo 1 >$n/ecn/roce_np/cnp_802p_prio\n" \
	"echo 'Global tclass=1' >$d/sys/class/infiniband/mlx5_2/tc/1/traffic_class\n" \
	"echo 1 >$d/sys/kernel/config/rdma_cm/mlx5_2/ports/1/default_roce_tos\n" \
	"tool() { { echo '#!/bin/sh'; cat; } >$d/bin/$1; chmod +x $d/bin/$1; }\n" \
	"printf 'RX:\\ton\\nTX:\\ton\\n' >$d/pause; echo \"[ \\$1 != -a ] || cat $d/pause\" | tool ethtool\n"
#define BY_MLNX_QOS \
	"{ echo 'DCBX mode: Firmware controlled'; echo 'Priority trust state: pcp'; echo 'PFC configuration:'\n" \
	"printf '\\tpriority    0   1   2   3   4   5   6   7\\n\\tenabled     0   0   0   0   0   0   0   0\\n'\n" \
	"for i in 0 1 2 3 4 5 6 7; do printf 'tc: %d ratelimit: unlimited, tsa: vendor\\n\\t priority:  %d\\n' $i $i; done; } >$d/qos\n" \
	"echo \"[ \\$3 != -a ] || cat $d/qos\" | tool mlnx_qos; echo echo 1 | tool cma_roce_tos\n"
#define BY_DCB \
	"echo \"[ \\$1 != dcbx ] || echo 'lld-managed ieee'\" | tool dcb\n" \
	"mkdir $d/few; for t in awk sed grep tr readlink ls mkdir sh cat; do ln -s $(command -v $t) $d/few/$t; done\n"

/* Its lines "roce: COMMAND" and "roce: VALUE to FILE". */
static void said_by_script(const char *tools, const char *path, struct tally *t)
{
	char *command = xasprintf(HOST "%s sed \"s|/sys/|$d/sys/|g; s|/proc/|$d/proc/|g; s|/run/mellanox|$d/run|g\" \"$SCRIPT\" >$d/roce.sh\n"
				  "PATH=%s /bin/sh $d/roce.sh 2>&1 | sed \"s|$d/sys/|/sys/|g\"\n", tools, path);
	FILE *f = popen(command, "r");
	char line[512];

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		char *said = line + strlen("roce: "), *to = strstr(line, " to /");

		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "roce: ", strlen("roce: ")) != 0)
			fail_msg("%s", line);
		if (to) {
			char *written;

			*to = '\0';
			written = xasprintf("echo %s > %s", said, to + strlen(" to "));
			assert_fits("linux/mlx5_core", written, t);
			free(written);
		} else {
			assert_fits("linux/mlx5_core", said, t);
		}
	}
	assert_int_equal(pclose(f), 0);
	free(command);
}

static void each_command_of_the_emitted_script_is_one(void **state)
{
	struct policy *policy = policy_builtin(policy_builtin_name(0));
	struct model *m = model_saying("node1 eth2 role = pf\nnode1 eth2 rdma = \"mlx5_2\"\nnode1 eth2 up = yes", 1000000);
	struct manifest_scene scene = { .policy = policy, .model = m, .device = model_find_device(m, "node1") };
	struct buf text = { NULL };
	struct tally t = { 0, 0 };
	struct err err;
	char file[] = "/tmp/test_commands.XXXXXX";
	const char *begin, *end;
	FILE *f;
	int fd = mkstemp(file);

	(void)state;
	if (!manifest_find("systemd")->write(&scene, &text, &err))
		fail_msg("%s", err.text);
	begin = strstr(text.text, "<<'END_OF_FILE'\n#!/bin/sh\n");
	assert_non_null(begin);
	begin += strlen("<<'END_OF_FILE'\n");
	end = strstr(begin, "\nEND_OF_FILE\n");
	assert_non_null(end);
	f = fdopen(fd, "w");
	assert_non_null(f);
	fprintf(f, "%.*s\n", (int)(end - begin), begin);
	fclose(f);
	setenv("SCRIPT", file, 1);
	said_by_script(BY_MLNX_QOS, "$d/bin:$PATH", &t);
	print_message("%u by mlnx_qos\n", t.n);
	assert_true(t.n >= 10);
	said_by_script(BY_DCB, "$d/bin:$d/few", &t);
	print_message("%u by either tool\n", t.n);
	assert_true(t.n >= 20);
	assert_int_equal(t.bad, 0);
	unlink(file);
	buf_done(&text);
	model_free(m);
	policy_free(policy);
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
		cmocka_unit_test(each_row_of_known_wrong_commands_is_still_printed),
		cmocka_unit_test(what_wants_root_says_sudo),
		cmocka_unit_test(each_command_of_the_texts_and_each_form_of_the_setters_can_be_typed),
		cmocka_unit_test(no_wrong_command_fits),
		cmocka_unit_test(each_command_in_the_texts_of_checks_causes_and_fixes_can_be_typed),
		cmocka_unit_test(a_command_of_one_system_is_refused_by_another),
		cmocka_unit_test(what_does_not_fit_is_named),
		cmocka_unit_test(a_line_of_a_switch_is_typed_in_its_mode),
		cmocka_unit_test(each_line_of_the_emitted_os10_file_is_typed_in_its_mode),
		cmocka_unit_test(each_command_of_the_emitted_script_is_one),
	};
	const char *mode = getenv("COMMANDS");

	if (mode && !strcmp(mode, "list")) {
		each_command(print_command, NULL);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
