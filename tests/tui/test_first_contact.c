/*
 * First contact, by keys, against a real sshd: what is typed in the form is connected once and goes on when it is kept, hosts
 * named on the command line go straight to the console, and a program of the inventory is run after a yes alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/sshd.h"
#include "tests/lib/tty.h"

#define PATIENCE	60	/* seconds; then a fact has not come */

struct scene {
	struct sshd sshd;
	struct tty *tty;
	char id[128];
};

/* Its home is the server's directory: known_hosts and the kept inventory are new. */
static bool scene_begin(struct scene *s)
{
	*s = (struct scene){ 0 };
	if (!sshd_start(&s->sshd, "")) {
		puts("skip: no sshd on this machine");
		return false;
	}
	setenv("HOME", s->sshd.dir, 1);
	setenv("XDG_CONFIG_HOME", sshd_path(&s->sshd, "config"), 1);
	setenv("XDG_STATE_HOME", sshd_path(&s->sshd, "state"), 1);
	setenv("FABCON_SITE", "/nonexistent", 1);
	snprintf(s->id, sizeof(s->id), "%s", sshd_path(&s->sshd, "id"));
	return true;
}

static void scene_end(struct scene *s)
{
	if (s->tty)
		tty_close(s->tty);
	sshd_stop(&s->sshd);
}

static void sees(struct scene *s, const char *text)
{
	const char *screen;

	if (!tty_shows(s->tty, text, PATIENCE))
		fail_msg("\"%s\" never came:\n%s", text, tty_screen(s->tty));
	screen = tty_screen(s->tty);
	if (strstr(screen, "(null)"))
		fail_msg("(null) on the screen:\n%s", screen);
	if (getenv("SHOW_SCREENS"))
		printf("%s\n", screen);
}

static void types(struct scene *s, const char *format, ...)
{
	char keys[512];
	va_list args;

	va_start(args, format);
	vsnprintf(keys, sizeof(keys), format, args);
	va_end(args);
	tty_type(s->tty, keys);
}

static void quits(struct scene *s)
{
	types(s, ":quit\r");
	assert_int_equal(tty_end(s->tty, PATIENCE), 0);
	tty_close(s->tty);
	s->tty = NULL;
}

static char *kept(const struct scene *s)
{
	size_t n;

	return file_text(sshd_path(&s->sshd, "config/fabcon/inventory.yml"), &n);
}

/* What was known before it was kept is in the recording too. */
static void assert_recorded(const struct scene *s)
{
	struct run r = RUN("fabcon", "replay", sshd_path(&s->sshd, "db"), "status");

	if (!strstr(r.out.text ? r.out.text : "", "2 of 3 devices up"))
		fail_msg("the recording says:\n%s%s", r.out.text ? r.out.text : "", r.err.text ? r.err.text : "");
	run_done(&r);
}

/* Wrong words, then two hosts that answer and one that does not; yes to their host keys; Enter. */
static void what_was_tried_is_kept_without_another_login(void **state)
{
	static const int sizes[][2] = { { 24, 80 }, { 36, 120 } };
	struct scene s;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char *file;

		if (!scene_begin(&s))
			return;
		s.tty = TTY(sizes[i][0], sizes[i][1], "fabcon", "--no-agent", "--identity", s.id, "--record", sshd_path(&s.sshd, "db"));
		sees(&s, "Hosts, range or file:");
		types(&s, "node[1-\r");
		sees(&s, "unclosed or empty bracket");
		types(&s, "\x15" "127.0.0.1:%u localhost:%u unreachable@127.0.0.1:1\r", s.sshd.port, s.sshd.port);
		sees(&s, "Trust");
		types(&s, "y");
		sees(&s, "localhost answers: linux");
		sees(&s, "127.0.0.1 answers: linux");
		sees(&s, "not reached, trying again");
		sees(&s, "No link is known: ");
		assert_int_equal(sshd_logins(&s.sshd), 2);
		types(&s, "\r");
		sees(&s, "Saved, still connected");
		types(&s, "9R");
		sees(&s, "Asking");
		assert_true(tty_settle(s.tty, PATIENCE));
		assert_int_equal(sshd_logins(&s.sshd), 2);
		file = kept(&s);
		assert_non_null(file);
		assert_non_null(strstr(file, "localhost"));
		free(file);
		quits(&s);
		assert_recorded(&s);
		scene_end(&s);
	}
}

/* A row that reaches the right edge of a terminal goes on behind it. */
static void assert_fits(struct scene *s)
{
	const char *screen = tty_screen(s->tty);
	struct span rest = span_of(screen), line;

	while (span_line(&rest, &line))
		if (line.n && line.p[line.n - 1] != ' ' && line.p[line.n - 1] != '-')
			fail_msg("this row has no end: \"%.*s\" in\n%s", (int)line.n, line.p, screen);
}

static void a_small_terminal_holds_the_form_and_what_it_found(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s))
		return;
	s.tty = TTY(16, 60, "fabcon", "--no-agent", "--host-key", "accept-new", "--identity", s.id);
	sees(&s, "Hosts, range or file:");
	sees(&s, "Esc: quit");
	assert_fits(&s);
	types(&s, "no/such/folder/with/a/name/that/is/longer/than/the/terminal/hosts.yml\r");
	sees(&s, "No such file or directory");
	types(&s, "\x15" "127.0.0.[1-2]:%u\r", s.sshd.port);
	sees(&s, "127.0.0.1 answers: linux");
	sees(&s, "127.0.0.2 not reached");
	sees(&s, "No link is known: ");
	sees(&s, "Enter save");
	assert_fits(&s);
	types(&s, "P");
	sees(&s, "Each host pings once");
	types(&s, "\033");
	sees(&s, "Hosts, range or file:");
	types(&s, "\033");
	types(&s, "\033");
	assert_int_equal(tty_end(s.tty, PATIENCE), 0);
	assert_null(kept(&s));
	scene_end(&s);
}

/* -- neighbors that LLDP names -- */

static unsigned lines_of(const char *path, const char *with)
{
	size_t n_bytes;
	char *text = file_text(path, &n_bytes);
	unsigned n = 0;

	for (char *at = text; at && (at = strstr(at, with)); at++)
		n++;
	free(text);
	return n;
}

/* An inventory of one node of the lab. */
static void write_one(const struct lab *lab, const char *path)
{
	size_t n;
	char *text = file_text(lab->inventory, &n), *port = strstr(strstr(text, "node1:"), "ansible_port: ");
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fprintf(f, "all:\n  vars:\n    fabcon_known_hosts: %s/known_hosts\n  hosts:\n    node1: {ansible_host: 127.0.0.1, %.*s, "
		"ansible_user: root, ansible_ssh_private_key_file: %s/client_key, "
		"ansible_ssh_common_args: '-i /no/such/key'}\n", lab->dir, (int)strcspn(port, "\n"), port,
		lab->dir);
	fclose(f);
	free(text);
}

static void a_neighbor_is_added_beside_the_connections_that_are_there(void **state)
{
	char *log = xstrdup("/tmp/fabcon-told.XXXXXX"), *path;
	struct scene s = { .tty = NULL };
	struct lab lab;
	unsigned told;

	(void)state;
	assert_true(mkstemp(log) >= 0);
	assert_true(LAB(&lab, "--nodes", "1", "--rails", "1", "--leaves", "1", "--log", log));
	path = xasprintf("%s/one.yml", lab.dir);
	write_one(&lab, path);
	setenv("HOME", lab.dir, 1);
	setenv("XDG_CONFIG_HOME", lab.dir, 1);
	setenv("XDG_STATE_HOME", lab.dir, 1);
	setenv("FABCON_SITE", "/nonexistent", 1);
	s.tty = TTY(24, 80, "fabcon", "--no-agent");
	sees(&s, "Hosts, range or file:");
	types(&s, "%s\r", path);
	sees(&s, "node1 answers: linux");
	sees(&s, "[x] leaf1 connected to node1:eth2");
	sees(&s, "1 of 1 device answers.");
	sees(&s, "Not followed: the inventory's ssh arguments: -i /no/such/key");
	told = lines_of(log, "node1 exec");
	assert_true(told > 0);
	types(&s, "\r");
	sees(&s, "Saved, still connected");
	types(&s, "9");
	sees(&s, "resolve");		/* nobody here is called leaf1 */
	sees(&s, "1 ssh setting is not followed (x lists it)");
	types(&s, "x");
	sees(&s, "-i /no/such/key: it does not exist");
	types(&s, "\033");
	assert_int_equal(lines_of(log, "node1 exec"), told);
	quits(&s);
	lab_stop(&lab);
	unlink(log);
	free(log);
	free(path);
}

/* -- words on the command line -- */

static void hosts_of_the_command_line_go_to_the_console_and_are_kept_by_a_command(void **state)
{
	struct scene s;
	char word[64], *file;
	struct run r;

	(void)state;
	if (!scene_begin(&s))
		return;
	snprintf(word, sizeof(word), "localhost:%u", s.sshd.port);
	s.tty = TTY(24, 80, "fabcon", "--no-agent", "--host-key", "accept-new", "--identity", s.id, word);
	sees(&s, "LIVE");
	sees(&s, "Not saved: :keep-hosts writes these hosts as your default inventory.");
	types(&s, ":keep-hosts\r");
	sees(&s, "Saved; fabcon without arguments now opens them: ");
	file = kept(&s);
	assert_non_null(file);
	assert_non_null(strstr(file, "localhost"));
	types(&s, ":keep-hosts\r");
	sees(&s, "exists already");
	assert_int_equal(sshd_logins(&s.sshd), 1);
	quits(&s);
	r = RUN("fabcon", "inventory", "list");
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out.text, "localhost"));
	run_done(&r);
	s.tty = TTY(24, 80, "fabcon", "--no-agent", "--identity", s.id, word);
	sees(&s, "dev 1/1");
	assert_true(tty_settle(s.tty, PATIENCE));
	assert_null(strstr(tty_screen(s.tty), "Not kept"));	/* there is one */
	quits(&s);
	free(file);
	scene_end(&s);
}

/* -- programs of the inventory -- */

static const char inventory_program[] = "#!/bin/sh\necho never run by hand\n";

/* In the place of ansible-inventory: leaves a mark, and lists one host. */
static void write_programs(struct scene *s)
{
	struct buf text = { 0 };
	char *path;

	sshd_write(&s->sshd, "hosts.sh", inventory_program);
	mkdir(sshd_path(&s->sshd, "bin"), 0700);
	buf_printf(&text, "#!/bin/sh\necho ran >>%s\necho '{\"_meta\": {\"hostvars\": {\"spark1\": {\"ansible_host\": \"127.0.0.1\", "
		   "\"ansible_port\": %u}}}, \"all\": {\"hosts\": [\"spark1\"]}}'\n", sshd_path(&s->sshd, "ran"), s->sshd.port);
	sshd_write(&s->sshd, "bin/ansible-inventory", text.text);
	chmod(sshd_path(&s->sshd, "hosts.sh"), 0700);
	chmod(sshd_path(&s->sshd, "bin/ansible-inventory"), 0700);
	path = xasprintf("%s:%s", sshd_path(&s->sshd, "bin"), getenv("PATH"));
	setenv("PATH", path, 1);
	free(path);
	buf_done(&text);
}

static bool has_run(const struct scene *s)
{
	return access(sshd_path(&s->sshd, "ran"), F_OK) == 0;
}

static void a_program_of_the_inventory_is_run_after_a_yes_in_the_form_alone(void **state)
{
	char *before = xstrdup(getenv("PATH"));
	struct scene s;

	(void)state;
	if (!scene_begin(&s))
		return;
	write_programs(&s);
	s.tty = TTY(24, 80, "fabcon", "--no-agent", "--host-key", "accept-new", "--identity", s.id);
	sees(&s, "Hosts, range or file:");
	types(&s, "%s\r", sshd_path(&s.sshd, "hosts.sh"));
	sees(&s, "This runs a program on this machine.");
	sees(&s, "command: ansible-inventory --list");
	assert_false(has_run(&s));
	types(&s, "n");
	assert_true(tty_hides(s.tty, "This runs a program", PATIENCE));
	sees(&s, "fabcon --allow ansible-inventory -i");
	assert_false(has_run(&s));
	assert_int_equal(sshd_logins(&s.sshd), 0);
	types(&s, "\r");
	sees(&s, "This runs a program on this machine.");
	types(&s, "y");
	sees(&s, "spark1 answers: linux");
	assert_true(has_run(&s));
	types(&s, "\r");
	sees(&s, "Saved, still connected");
	assert_int_equal(sshd_logins(&s.sshd), 1);
	quits(&s);
	scene_end(&s);
	setenv("PATH", before, 1);
	free(before);
}

static void a_match_exec_that_was_refused_names_the_host_and_the_command_that_allows_it(void **state)
{
	struct buf text = { 0 };
	struct scene s;

	(void)state;
	if (!scene_begin(&s))
		return;
	buf_printf(&text, "Match exec \"touch %s\"\n  Port %u\n", sshd_path(&s.sshd, "ran"), s.sshd.port);
	sshd_write(&s.sshd, "ssh_config", text.text);
	buf_clear(&text);
	buf_printf(&text, "all: {hosts: {one: {ansible_host: 127.0.0.1, ansible_ssh_common_args: '-F %s'}}}\n",
		   sshd_path(&s.sshd, "ssh_config"));
	sshd_write(&s.sshd, "hosts.yml", text.text);
	s.tty = TTY(24, 80, "fabcon", "--no-agent", "--host-key", "accept-new", "--identity", s.id);
	sees(&s, "Hosts, range or file:");
	types(&s, "%s\r", sshd_path(&s.sshd, "hosts.yml"));
	sees(&s, "/ssh_config:1: Match exec \"touch");
	types(&s, "n");
	sees(&s, "one not connected: configuration: ");
	sees(&s, "fabcon --allow match-exec");
	assert_false(has_run(&s));
	types(&s, "\033");
	sees(&s, "Hosts, range or file:");
	types(&s, "\r");
	sees(&s, "/ssh_config:1: Match exec \"touch");
	types(&s, "y");
	sees(&s, "one answers: linux");
	assert_true(has_run(&s));
	scene_end(&s);
	buf_done(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_tried_is_kept_without_another_login),
		cmocka_unit_test(a_small_terminal_holds_the_form_and_what_it_found),
		cmocka_unit_test(a_neighbor_is_added_beside_the_connections_that_are_there),
		cmocka_unit_test(hosts_of_the_command_line_go_to_the_console_and_are_kept_by_a_command),
		cmocka_unit_test(a_match_exec_that_was_refused_names_the_host_and_the_command_that_allows_it),
		cmocka_unit_test(a_program_of_the_inventory_is_run_after_a_yes_in_the_form_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
