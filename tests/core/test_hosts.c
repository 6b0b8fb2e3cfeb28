/*
 * Hosts as sites write them down, against Ansible itself: every input of tests/hosts/inputs is reached as Ansible would
 * reach it, or stopped with a message. expect.sh asks ansible-inventory, live where it is installed; the .expect files hold
 * what it answered.
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/fabric/cable_plan.h"
#include "core/inventory/draft.h"
#include "tests/lib/home.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tui/session/hosts.h"
#include "tui/text/files.h"

#define COLUMNS 7	/* name address port user key args not-ssh */

enum outcome { SAME, STOPPED, DIFFERENT };

static const char *const outcomes[] = { "same", "stopped", "DIFFERENT" };

static bool has_ansible(void)
{
	static int is = -1;

	if (is < 0)
		is = system("command -v ansible-inventory >/dev/null 2>&1 && command -v python3 >/dev/null 2>&1") == 0;
	return is;
}

/* What Ansible says of an input: asked now, or as it was kept. */
static void expected_of(const char *oracle, const char *path, struct buf *out)
{
	if (!strcmp(oracle, "ansible") && has_ansible()) {
		struct run r = RUN("/bin/sh", "tests/hosts/expect.sh", path);

		buf_add(out, r.out.text ? r.out.text : "", r.out.n);
		run_done(&r);
	} else {
		char *kept = xasprintf("tests/hosts/in/%s.expect", path);

		assert_true(file_read(kept, out, NULL));
		free(kept);
	}
}

static size_t cut(char *line, char *fields[COLUMNS])
{
	size_t n = 0;

	for (char *at = line; at && n < COLUMNS; n++) {
		fields[n] = at;
		at = strchr(at, '\t');
		if (at)
			*at++ = '\0';
	}
	return n;
}

static bool is_same(const char *wanted, const char *ours)
{
	return !strcmp(wanted, ours ? ours : "-");
}

/* A stop helps: it names the command, or the line and what may stand there. */
static bool helps(const char *why)
{
	return why && (strstr(why, "ansible -i ") || strstr(why, "ansible-inventory") || strstr(why, "fabcon_transport") ||
		       strstr(why, "are allowed") || strstr(why, "not a TCP port"));
}

static enum outcome compare_host(const struct inventory *inv, char *const f[COLUMNS], size_t n, struct buf *why)
{
	char shown[64] = "", port[16] = "-";
	const struct host *h;

	strncat(shown, f[0], sizeof(shown) - 1);
	if (is_ipv6(span_of(f[0])))
		ipv6_name(span_of(f[0]), shown);
	h = inventory_find(inv, shown);
	if (!h) {
		buf_printf(why, "%s is missing; ", f[0]);
		return DIFFERENT;
	}
	if (h->trouble && helps(h->trouble)) {
		buf_printf(why, "%s: %s; ", f[0], h->trouble);
		return STOPPED;
	}
	if (h->port)
		snprintf(port, sizeof(port), "%u", h->port);
	char *args = h->ssh_first && h->ssh_args ? xasprintf("%s %s", h->ssh_first, h->ssh_args) :
		     h->ssh_first || h->ssh_args ? xstrdup(h->ssh_first ? h->ssh_first : h->ssh_args) : NULL;
	bool is_all_same = n < COLUMNS && is_same(f[1], h->address ? h->address : h->name) && is_same(f[2], port) &&
			   is_same(f[3], h->user) && is_same(f[4], h->identity) && is_same(f[5], args);

	if (!is_all_same)
		buf_printf(why, "%s: %s %s %s %s %s, not", f[0], h->address ? h->address : h->name, port, h->user ? h->user : "-",
			   h->identity ? h->identity : "-", args ? args : "-");
	free(args);
	if (is_all_same)
		return SAME;
	for (size_t i = 1; i < n; i++)
		buf_printf(why, " %s", f[i]);
	buf_str(why, "; ");
	return DIFFERENT;
}

/* The worst of its hosts. */
static enum outcome compare(const char *path, struct buf *expected, struct buf *why)
{
	struct inventory inv;
	struct buf text = { 0 };
	struct err err = { "" };
	enum outcome worst = SAME, one;
	size_t hosts = 0;
	bool ok;

	inventory_init(&inv);
	ok = hosts_load(&inv, path, &text, &err);
	buf_str(expected, "");
	if (!ok) {
		buf_printf(why, "%s", err.text);
		worst = !strncmp(expected->text, "FAILED", 6) || !expected->n ? SAME : helps(err.text) ? STOPPED : DIFFERENT;
	} else if (!strncmp(expected->text, "FAILED", 6)) {
		worst = inv.n_hosts && inv.hosts[0].trouble ? STOPPED : DIFFERENT;
		buf_str(why, inv.n_hosts && inv.hosts[0].trouble ? inv.hosts[0].trouble : "Ansible refuses it");
	} else {
		for (char *line = strtok(expected->text, "\n"); line; line = strtok(NULL, "\n"), hosts++) {
			char *fields[COLUMNS] = { 0 };
			size_t n = cut(line, fields);

			one = compare_host(&inv, fields, n, why);
			worst = one > worst ? one : worst;
		}
		if (hosts != inv.n_hosts) {
			buf_printf(why, "%zu hosts, not %zu; ", inv.n_hosts, hosts);
			worst = DIFFERENT;
		}
	}
	inventory_done(&inv);
	buf_done(&text);
	return worst;
}

static bool next_input(FILE *f, char oracle[16], char path[128], char source[128])
{
	char line[512];

	while (fgets(line, sizeof(line), f)) {
		*source = '\0';
		if (*line != '#' && sscanf(line, "%15s %127s %127[^\n]", oracle, path, source) >= 2)
			return true;
	}
	return false;
}

static void every_inventory_is_reached_as_ansible_would_or_stopped(void **state)
{
	FILE *f = fopen("tests/hosts/inputs", "r");
	char oracle[16], path[128], source[128];
	unsigned counts[3] = { 0 }, n = 0, sourced = 0;

	(void)state;
	assert_non_null(f);
	if (!has_ansible())
		puts("skip: live comparison (ansible-inventory is not installed); the kept answers are compared");
	for (; next_input(f, oracle, path, source); n++) {
		char *input = xasprintf("tests/hosts/in/%s", path);
		struct buf expected = { 0 }, why = { 0 };
		enum outcome is;

		expected_of(oracle, path, &expected);
		is = compare(input, &expected, &why);
		counts[is]++;
		sourced += *source != '\0';
		printf("%-28s %-8s %-9s %s\n", path, oracle, outcomes[is], why.n ? why.text : "");
		buf_done(&expected);
		buf_done(&why);
		free(input);
	}
	fclose(f);
	printf("%u inputs (%u after public repositories): %u same, %u stopped, %u silently different\n", n, sourced, counts[SAME],
	       counts[STOPPED], counts[DIFFERENT]);
	assert_true(n >= 40);
	assert_true(2 * sourced >= n);
	assert_int_equal(counts[DIFFERENT], 0);
}

static void no_output_over_the_inputs_holds_a_null(void **state)
{
	FILE *f = fopen("tests/hosts/inputs", "r");
	char oracle[16], path[128], source[128];

	(void)state;
	assert_non_null(f);
	while (next_input(f, oracle, path, source)) {
		char *input = xasprintf("tests/hosts/in/%s", path);

		for (int json = 0; json < 2; json++) {
			struct run r = RUN("fabcon", "--no-input", "-i", input, "-o", json ? "json" : "table", "inventory", "list");

			assert_true(r.code == 0 || r.code == 2);
			assert_null(strstr(r.out.text ? r.out.text : "", "(null)"));
			assert_null(strstr(r.err.text ? r.err.text : "", "(null)"));
			assert_true(r.code == 0 || strstr(r.err.text, "fabcon: "));
			run_done(&r);
		}
		free(input);
	}
	fclose(f);
}

/* -- cable plans -- */

static void cables_of(const char *path, struct buf *out)
{
	struct buf text = { 0 };
	struct inventory inv;
	struct err err = { "" };

	inventory_init(&inv);
	assert_true(file_read(path, &text, &err));
	if (cable_plan_read(&inv, buf_span(&text), path, &err))
		for (size_t i = 0; i < inv.n_cables; i++)
			buf_printf(out, "%s %s %s %s\n", inv.cables[i].device, inv.cables[i].port, inv.cables[i].peer, inv.cables[i].peer_port);
	else
		buf_printf(out, "! %s\n", err.text);
	buf_done(&text);
	inventory_done(&inv);
}

static bool is_as_wanted(const char *got, const char *wanted)
{
	char *words = xstrndup(wanted + 2, strcspn(wanted + 2, "\n"));
	bool is = *wanted == '!' ? *got == '!' && strstr(got, words) : !strcmp(got, wanted);

	free(words);
	return is;
}

static void every_cable_plan_gives_its_cables_or_says_why_not(void **state)
{
	FILE *f = fopen("tests/hosts/plans/LIST", "r");
	char line[256], name[128], source[128];
	unsigned n = 0;

	(void)state;
	assert_non_null(f);
	for (; fgets(line, sizeof(line), f) && sscanf(line, "%127s %127[^\n]", name, source) >= 1; n++) {
		char *path = xasprintf("tests/hosts/plans/%s", name), *kept = xasprintf("%s.cables", path);
		struct buf got = { 0 }, wanted = { 0 };

		cables_of(path, &got);
		assert_true(file_read(kept, &wanted, NULL));
		printf("%-20s %s", name, got.text);
		if (!is_as_wanted(got.text, wanted.text))
			fail_msg("%s: wanted %s", path, wanted.text);
		buf_done(&got);
		buf_done(&wanted);
		free(path);
		free(kept);
	}
	fclose(f);
	assert_true(n >= 10);
}

/* -- typed lines -- */

static const struct typed {
	const char *line, *hosts;	/* "name address port user", ; between; NULL: refused */
	const char *says;
} typed[] = {
	{ "spark1", "spark1 spark1 0 -" },
	{ "spark1 spark2", "spark1 spark1 0 -;spark2 spark2 0 -" },
	{ "root@10.0.0.2:2222", "10.0.0.2 10.0.0.2 2222 root" },
	{ "10.0.0.2 10.0.0.2:2222", "10.0.0.2 10.0.0.2 0 -;10.0.0.2-2222 10.0.0.2 2222 -" },
	{ "10.0.0.2:2222 10.0.0.2:2222", "10.0.0.2 10.0.0.2 2222 -" },
	{ "[fe80::1]", "fe80--1 fe80::1 0 -" },
	{ "fe80::1%eth0", "fe80--1-eth0 fe80::1%eth0 0 -" },
	{ "u@[::1]:22", "0--1 ::1 22 u" },
	{ "ssh://u@h:2200/", "h h 2200 u" },
	{ "root@node[01-02]:2222,leaf1", "node01 node01 2222 root;node02 node02 2222 root;leaf1 leaf1 0 -" },
	{ "rack[1-2]node[1,3]", "rack1node1 rack1node1 0 -;rack1node3 rack1node3 0 -;rack2node1 rack2node1 0 -;rack2node3 rack2node3 0 -" },
	{ "n[0-4/2] x[a:c]", "n0 n0 0 -;n2 n2 0 -;n4 n4 0 -;xa xa 0 -;xb xb 0 -;xc xc 0 -" },
	{ "localhost", "localhost localhost 0 -" },
	{ "-oProxyCommand=x", NULL, "not a host name" },
	{ "root@-x", NULL, "not a host name" },
	{ "-l@h", NULL, "not a login name" },
	{ "a;reboot", NULL, "not a host name" },
	{ "$(reboot)", NULL, "not a host name" },
	{ "h:99999", NULL, "not a TCP port" },
	{ "h:", NULL, "not a TCP port" },
	{ "[fe80::1]x", NULL, "after [ADDRESS]" },
	{ "a@h b@h", NULL, "two users" },
	{ "h:2222 h", NULL, "with and without a port" },
	{ "ssh://h/path", NULL, "must end after the host" },
	{ "node[1-", NULL, "bracket" },
	{ "./no/such/file.yml", NULL, "No such file" },
};

static void words_are_hosts_as_ssh_would_take_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(typed) / sizeof(*typed); i++) {
		struct inventory inv;
		struct buf text = { 0 }, got = { 0 };
		struct err err = { "" };

		inventory_init(&inv);
		bool ok = hosts_load(&inv, typed[i].line, &text, &err);
		for (size_t k = 0; k < inv.n_hosts; k++) {
			const struct host *h = &inv.hosts[k];

			buf_printf(&got, "%s%s %s %u %s", k ? ";" : "", h->name, h->address ? h->address : h->name, h->port, h->user ? h->user : "-");
		}
		if (ok != !!typed[i].hosts || (ok && strcmp(typed[i].hosts, got.text) != 0) || (!ok && !strstr(err.text, typed[i].says)))
			fail_msg("\"%s\": %s%s", typed[i].line, ok ? got.text : "", err.text);
		printf("%-32s %s\n", typed[i].line, ok ? got.text : err.text);
		buf_done(&got);
		buf_done(&text);
		inventory_done(&inv);
	}
}

static void words_come_before_a_command_and_a_slip_is_told(void **state)
{
	struct run r = RUN("fabcon", "spark1", "root@10.0.0.2:2222", "inventory", "list", "-o", "csv");

	(void)state;
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out.text, "\"spark1\",\"spark1\",\"22\""));
	assert_non_null(strstr(r.out.text, "\"10.0.0.2\",\"10.0.0.2\",\"2222\",\"root\""));
	run_done(&r);
	r = RUN("fabcon", "-i", "tests/hosts/in/dellos_host_vars/inventory", "root@leaf1:2222", "inventory", "list", "-o", "csv");
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out.text, "\"leaf1\",\"192.0.2.32\",\"2222\",\"root\""));	/* what is typed wins */
	run_done(&r);
	r = RUN("fabcon", "stauts");
	assert_int_equal(r.code, 2);
	assert_non_null(strstr(r.err.text, "did you mean \"status\"? To reach a host of that name: fabcon -i stauts"));
	run_done(&r);
	r = RUN("fabcon", "-i", "stauts", "-i", "a,b", "inventory", "list", "-o", "csv");
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out.text, "\"stauts\",\"stauts\""));
	assert_non_null(strstr(r.out.text, "\"b\",\"b\""));
	run_done(&r);
	r = run_program((const char *const[]){ "fabcon", "-i", "-", "inventory", "list", "-o", "csv", NULL }, "u@x:22\ny\n");
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out.text, "\"x\",\"x\",\"22\",\"u\""));
	assert_non_null(strstr(r.out.text, "\"y\",\"y\",\"22\""));
	run_done(&r);
}

/* -- consent -- */

static void a_script_is_run_only_after_yes_and_then_its_hosts_are_there(void **state)
{
	struct run r = RUN("fabcon", "--no-input", "-i", "tests/hosts/in/script", "inventory", "list");

	(void)state;
	assert_int_equal(r.code, 2);
	assert_non_null(strstr(r.err.text, "fabcon --allow ansible-inventory -i tests/hosts/in/script"));
	run_done(&r);
	if (!has_ansible()) {
		puts("skip: running ansible-inventory (it is not installed)");
		return;
	}
	r = RUN("fabcon", "--no-input", "--allow", "ansible-inventory", "-i", "tests/hosts/in/script", "inventory", "list", "-o", "csv");
	if (r.code != 0)
		fail_msg("%s", r.err.text);
	assert_non_null(strstr(r.out.text, "\"a\",\"a\",\"77\",\"scripted\""));
	run_done(&r);
	r = RUN("fabcon", "--no-input", "--allow", "ansible-inventory", "-i", "tests/hosts/in/vaulted_vars/hosts", "inventory", "list");
	assert_int_equal(r.code, 2);
	assert_non_null(strstr(r.err.text, "vault"));	/* what ansible-inventory said */
	run_done(&r);
}

static void a_password_of_the_inventory_is_told_and_kept_nowhere(void **state)
{
	char *tape = xasprintf("%s/tape.db", home);
	struct run r = RUN("fabcon", "-i", "tests/hosts/in/sonic_lab.yml", "inventory", "list");
	struct inventory inv;
	struct buf text = { 0 };
	struct err err;

	(void)state;
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.err.text, "ansible_ssh_pass is not used and not kept"));
	run_done(&r);
	inventory_init(&inv);
	assert_true(hosts_load(&inv, "tests/hosts/in/sonic_lab.yml", &text, &err));
	assert_null(strstr(text.text, "example"));
	inventory_done(&inv);
	buf_done(&text);
	free(tape);
}

/* -- random group trees -- */

static unsigned seed;

static unsigned below(unsigned n)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 16) % n;
}

static void random_vars(struct buf *out, const char *indent, const char *equals, const char *end)
{
	static const char *const names[] = { "ansible_user", "ansible_ssh_user", "ansible_port", "ansible_host",
					     "ansible_ssh_common_args", "ansible_ssh_private_key_file" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!below(3))
			buf_printf(out, "%s%s%s%s%u%s", indent, names[i], equals, i == 2 ? "" : "v", 1 + below(900), end);
	if (!below(4))
		buf_printf(out, "%sansible_group_priority%s%u%s", indent, equals, below(5), end);
}

/* Edges go from a smaller number to a larger: no circles. */
static void random_ini(struct buf *out)
{
	unsigned groups = 2 + below(5);

	for (unsigned g = 0; g < groups; g++) {
		buf_printf(out, "[g%u]\n", g);
		for (unsigned h = 0; h < 4; h++)
			if (below(2))
				buf_printf(out, "h%u%s%s\n", h, below(5) ? "" : ":2022", below(4) ? "" : " ansible_user=own");
	}
	for (unsigned g = 0; g + 1 < groups; g++) {
		buf_printf(out, "[g%u:children]\n", g);
		for (unsigned child = g + 1; child < groups; child++)
			if (!below(3))
				buf_printf(out, "g%u\n", child);
	}
	buf_str(out, "[all:vars]\n");
	random_vars(out, "", "=", "\n");
	for (unsigned g = 0; g < groups; g++) {
		buf_printf(out, "[g%u:vars]\n", g);
		random_vars(out, "", "=", "\n");
	}
	buf_str(out, "[g0]\nlast\n");
}

static void random_yaml(struct buf *out)
{
	unsigned groups = 2 + below(5);

	for (unsigned g = 0; g < groups; g++) {
		buf_printf(out, "g%u:\n  vars:\n    x: 1\n", g);
		random_vars(out, "    ", ": ", "\n");
		buf_str(out, "  hosts:\n    last:\n");
		for (unsigned h = 0; h < 4; h++)
			if (below(2))
				buf_printf(out, "    h%u: %s\n", h, below(4) ? "" : "{ansible_user: own, ansible_host: 192.0.2.1}");
		buf_str(out, "  children:\n");
		for (unsigned child = g + 1; child < groups; child++)
			if (!below(3))
				buf_printf(out, "    g%u:\n", child);
	}
	buf_str(out, "all:\n  vars:\n    y: 1\n");
	random_vars(out, "    ", ": ", "\n");
}

static void random_trees_of_groups_give_what_ansible_gives(void **state)
{
	const char *given = getenv("FABCON_SEED");
	const char *many = getenv("FABCON_TREES");	/* half a second each */
	unsigned first = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL), n = 0;
	unsigned trees = many ? (unsigned)strtoul(many, NULL, 10) : 8;

	(void)state;
	if (!has_ansible()) {
		puts("skip: random trees (ansible-inventory is not installed)");
		return;
	}
	printf("FABCON_SEED=%u\n", first);
	for (seed = first; n < trees; n++) {
		char *path = xasprintf("%s/tree%u%s", home, n, n % 2 ? ".yml" : ".ini");
		struct buf text = { 0 }, why = { 0 }, expected = { 0 };
		struct err err;

		(n % 2 ? random_yaml : random_ini)(&text);
		if (!file_create(path, buf_span(&text), &err))
			fail_msg("%s", err.text);
		expected_of("ansible", path, &expected);
		if (compare(path, &expected, &why) != SAME)
			fail_msg("tree %u of seed %u: %s\n%s", n, first, why.text, text.text);
		unlink(path);
		buf_done(&text);
		buf_done(&why);
		buf_done(&expected);
		free(path);
	}
	printf("%u random trees: as ansible-inventory has them\n", n);
}

/* The first n bytes once more at the end. */
static void double_up(struct buf *text, size_t n)
{
	char *copy = xstrndup(text->text, n);

	buf_add(text, copy, strlen(copy));
	free(copy);
}

/* Bytes of a file changed, taken away or doubled: refused or read, and nothing breaks. */
static void mutate(struct buf *text)
{
	static const char signs[] = "[]{}:,=#\"'\\-@%<&*!|> \t\n\r/$0";

	for (unsigned i = 1 + below(6); i > 0 && text->n; i--) {
		size_t at = below((unsigned)text->n);

		if (below(3))
			text->text[at] = signs[below(sizeof(signs) - 1)];
		else if (below(2))
			text->n = at;
		else
			double_up(text, at < 2000 ? at : 2000);
	}
}

static void mutations_of(const char *path, bool is_plan)
{
	struct buf text = { 0 };
	struct err err;

	if (!file_read(path, &text, &err))
		return;
	for (unsigned i = 0; i < 60; i++) {
		struct buf one = { 0 };
		struct inventory inv;

		buf_add(&one, text.text, text.n);
		mutate(&one);
		inventory_init(&inv);
		if (is_plan)
			cable_plan_read(&inv, buf_span(&one), path, &err);
		else
			inventory_read(&inv, buf_span(&one), path, &err);
		inventory_done(&inv);
		buf_done(&one);
	}
	buf_done(&text);
}

static void damaged_inputs_break_nothing(void **state)
{
	static const char *const lists[] = { "tests/hosts/inputs", "tests/hosts/plans/LIST" };

	(void)state;
	seed = 11;
	for (int is_plan = 0; is_plan < 2; is_plan++) {
		FILE *f = fopen(lists[is_plan], "r");
		char line[256], word[128], name[128];

		assert_non_null(f);
		while (fgets(line, sizeof(line), f)) {
			char *path;

			if (*line == '#' || sscanf(line, "%127s %127s", word, name) < 1)
				continue;
			path = xasprintf("tests/hosts/%s/%s", is_plan ? "plans" : "in", is_plan ? word : name);
			mutations_of(path, is_plan);
			free(path);
		}
		fclose(f);
	}
}

static int set_up(void **state)
{
	static const char *const unset[] = { "ANSIBLE_CONFIG", "ANSIBLE_REMOTE_USER", "ANSIBLE_REMOTE_PORT", "ANSIBLE_PRIVATE_KEY_FILE",
					     "ANSIBLE_SSH_ARGS" };

	for (size_t i = 0; i < sizeof(unset) / sizeof(*unset); i++)
		unsetenv(unset[i]);
	if (home_open(state))
		return -1;
	return setenv("HOME", home, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cable_plan_gives_its_cables_or_says_why_not),
		cmocka_unit_test(words_are_hosts_as_ssh_would_take_them),
		cmocka_unit_test(words_come_before_a_command_and_a_slip_is_told),
		cmocka_unit_test(every_inventory_is_reached_as_ansible_would_or_stopped),
		cmocka_unit_test(no_output_over_the_inputs_holds_a_null),
		cmocka_unit_test(a_script_is_run_only_after_yes_and_then_its_hosts_are_there),
		cmocka_unit_test(a_password_of_the_inventory_is_told_and_kept_nowhere),
		cmocka_unit_test(damaged_inputs_break_nothing),
		cmocka_unit_test(random_trees_of_groups_give_what_ansible_gives),
	};

	return cmocka_run_group_tests(tests, set_up, home_close);
}
