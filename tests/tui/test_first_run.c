/* The first run: no inventory, a form with one field, what it found, and a file that is kept once and never replaced. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/lab.h"
#include "tests/lib/screen.h"
#include "tests/lib/tty.h"
#include "tests/lib/world.h"
#include "tui/args/cli.h"
#include "tui/text/files.h"

static void view(const struct world *w, struct view_of *of)
{
	*of = (struct view_of){ .model = w->model, .links = &w->links, .findings = w->findings, .policy = w->policy,
				.inventory = &w->inventory, .fabric = "gpu-a", .answered = 1, .asked = 3, .serial = 1 };
}

static struct intent type(struct stage *s, const struct world *w, const char *keys)
{
	struct intent i = { .is = INTENT_NONE };
	struct view_of of;

	view(w, &of);
	for (; *keys; keys++)
		i = stage_key(s, &of, (unsigned char)*keys);
	return i;
}

static const char *shown(struct screen_test *t, struct stage *s, const struct world *w)
{
	struct view_of of;

	view(w, &of);
	stage_draw(s, screen_draw(t), &of);
	return screen_text(t);
}

static void assert_shows(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("\"%s\" is not on the screen:\n%s", what, text);
}

/* node1 alone was asked; by LLDP it faces leaf1, and something whose name is an attack. */
static void world_of_one(struct world *w)
{
	world_init(w);
	for (size_t i = 0; i < w->n_facts; i++)
		w->facts[i].is_gone = strncmp(w->facts[i].what, "node1", 5) != 0;
	world_set(w, "node1 eth2 peer.name = \"leaf1\"");
	world_set(w, "node1 eth3 peer.name = \"../../etc/passwd\"");
	world_run(w, 3);
}

static void what_is_typed_is_tried_and_what_is_refused_comes_back_with_the_reason(void **state)
{
	struct screen_test *t = screen_open(24, 80, true, NULL);
	struct stage s = { 0 };
	struct intent i;
	struct world w;

	(void)state;
	world_of_one(&w);
	firstrun_begin(&s.first);
	assert_shows(shown(t, &s, &w), "Hosts, range or file:");
	i = type(&s, &w, "  node[1- \n");
	assert_int_equal(i.is, INTENT_TRY);
	assert_string_equal(i.text, "node[1-");
	firstrun_refuse(&s.first, "unclosed or empty bracket, or empty: node[1-");
	assert_shows(shown(t, &s, &w), "unclosed or empty bracket");
	assert_shows(shown(t, &s, &w), "node[1-");
	firstrun_found(&s.first);
	assert_null(strstr(shown(t, &s, &w), "unclosed or empty bracket"));
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void devices_faced_are_offered_and_a_name_that_is_none_is_not(void **state)
{
	struct screen_test *t = screen_open(24, 80, true, NULL);
	struct stage s = { 0 };
	struct world w;
	const char *text;

	(void)state;
	world_of_one(&w);
	firstrun_begin(&s.first);
	type(&s, &w, "node1\n");
	firstrun_found(&s.first);
	text = shown(t, &s, &w);
	assert_shows(text, "Reaching node1");
	assert_shows(text, "1 of 3 devices done");
	assert_shows(text, "[x] leaf1 connected to node1:eth2");
	assert_shows(text, "1 port has a neighbor with a name that an inventory cannot hold");
	assert_null(strstr(text, "passwd"));
	type(&s, &w, " ");
	assert_shows(shown(t, &s, &w), "[ ] leaf1");
	assert_int_equal(type(&s, &w, "\n").is, INTENT_KEEP);
	type(&s, &w, "\033");
	assert_int_equal(s.first.is, FIRSTRUN_FIELD);
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

/* A row each: who answers, who does not and why, who waits for the person. */
static void each_device_says_how_it_goes(void **state)
{
	struct screen_test *t = screen_open(24, 80, true, NULL);
	struct stage s = { 0 };
	struct world w;
	const char *text;

	(void)state;
	world_of_one(&w);
	world_set(&w, "node3 state = refused");
	world_set(&w, "node3 error = \"node3: connect: its door is shut\"");
	world_set(&w, "node4 state = waiting");
	world_set(&w, "node4 error = \"node4: host key: ssh-ed25519 is not known\"");
	world_set(&w, "node5 state = connecting");
	world_set(&w, "node5 error = \"node5: host key: ssh-ed25519 is not known\"");
	world_run(&w, 3);
	firstrun_begin(&s.first);
	type(&s, &w, "node1\n");
	firstrun_found(&s.first);
	text = shown(t, &s, &w);
	assert_shows(text, "node1 answers: linux");
	assert_shows(text, "node3 not connected: connect: its door is shut");
	assert_shows(text, "node4 waiting for your answer: host key");
	assert_shows(text, "node5 is connecting");
	assert_null(strstr(text, "node5 is connecting:"));	/* what was before the answer is over */
	assert_int_equal(type(&s, &w, "P").is, INTENT_FILL);
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void many_devices_are_told_by_cause(void **state)
{
	struct screen_test *t = screen_open(24, 80, true, NULL);
	struct stage s = { 0 };
	struct world w;
	const char *text;
	char fact[96];

	(void)state;
	world_of_one(&w);
	for (unsigned i = 20; i < 60; i++) {
		snprintf(fact, sizeof(fact), "node%u state = retrying", i);
		world_set(&w, fact);
		snprintf(fact, sizeof(fact), "node%u error = \"node%u: connect: Connection refused\"", i, i);
		world_set(&w, fact);
	}
	world_run(&w, 3);
	firstrun_begin(&s.first);
	type(&s, &w, "node[1-60]\n");
	firstrun_found(&s.first);
	text = shown(t, &s, &w);
	assert_shows(text, "answers: node1");
	assert_shows(text, "40 connection refused: node[20-59]");
	assert_shows(text, "[x] leaf1 connected to node1:eth2");
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void what_is_not_followed_is_listed_and_folded(void **state)
{
	struct screen_test *t = screen_open(24, 80, true, NULL);
	struct stage s = { 0 };
	struct world w;
	const char *text;

	(void)state;
	world_of_one(&w);
	for (unsigned i = 1; i < 8; i++)
		inventory_note(&w.inventory, "hosts.yml:%u: setting%u", i, i);
	firstrun_begin(&s.first);
	type(&s, &w, "node1\n");
	firstrun_found(&s.first);
	text = shown(t, &s, &w);
	assert_shows(text, "Not followed: hosts.yml:1: setting1");
	assert_shows(text, "Not followed: hosts.yml:4: setting4");
	assert_null(strstr(text, "setting5"));
	assert_shows(text, "... 3 more: fabcon -i HOSTS inventory list");
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void the_form_draws_at_every_size_and_is_left_with_escape(void **state)
{
	static const int sizes[][2] = { { 36, 120 }, { 24, 80 }, { 16, 60 }, { 10, 40 }, { 3, 12 }, { 1, 1 } };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct screen_test *t = screen_open(sizes[i][0], sizes[i][1], i % 2, NULL);
		struct stage s = { 0 };
		struct world w;

		world_of_one(&w);
		firstrun_begin(&s.first);
		shown(t, &s, &w);
		firstrun_found(&s.first);
		shown(t, &s, &w);
		assert_int_equal(type(&s, &w, "\033").is, INTENT_DONE);
		assert_int_equal(type(&s, &w, "\033").is, INTENT_QUIT);
		stage_done(&s);
		world_done(&w);
		screen_close(t);
	}
}

static void enter_on_nothing_goes_on_to_the_screens(void **state)
{
	struct screen_test *t = screen_open(24, 80, true, NULL);
	struct stage s = { 0 };
	struct world w;

	(void)state;
	world_of_one(&w);
	firstrun_begin(&s.first);
	type(&s, &w, "\n");
	assert_int_equal(s.first.is, FIRSTRUN_NONE);
	assert_shows(shown(t, &s, &w), "LIVE");
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

/* -- keeping -- */

static char *new_folder(void)
{
	char folder[] = "/tmp/fabcon-first.XXXXXX";

	assert_non_null(mkdtemp(folder));
	return xstrdup(folder);
}

static void what_is_kept_is_for_its_owner_alone_and_is_never_replaced(void **state)
{
	char *folder = new_folder(), *path = xasprintf("%s/fabcon/inventory.yml", folder);
	struct firstrun f = { .tried = "node[1-2]" };
	struct buf text = { 0 }, again = { 0 };
	struct inventory inv;
	struct stat st;
	struct err err;

	(void)state;
	*GROW(f.offers, f.n_offers, f.cap_offers) = (struct offer_row){ .name = "leaf1", .n_faces = 1 };
	f.n_offers++;
	*GROW(f.offers, f.n_offers, f.cap_offers) = (struct offer_row){ .name = "leaf2", .n_faces = 1, .is_left_out = true };
	f.n_offers++;
	assert_true(firstrun_keep(&f, path, &err));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_true(file_read(path, &text, &err));
	inventory_init(&inv);
	if (!inventory_read(&inv, buf_span(&text), path, &err))
		fail_msg("%s in:\n%s", err.text, text.text);
	assert_int_equal(inv.n_hosts, 3);
	assert_non_null(inventory_find(&inv, "leaf1"));
	assert_null(inventory_find(&inv, "leaf2"));
	inventory_done(&inv);
	snprintf(f.tried, sizeof(f.tried), "other");
	assert_false(firstrun_keep(&f, path, &err));
	assert_non_null(strstr(err.text, "exists already"));
	assert_true(file_read(path, &again, &err));
	assert_string_equal(again.text, text.text);
	assert_int_equal(unlink(path), 0);
	buf_done(&text);
	buf_done(&again);
	firstrun_done(&f);
	free(path);
	path = xasprintf("%s/fabcon", folder);
	rmdir(path);
	rmdir(folder);
	free(path);
	free(folder);
}

/* The form and the command line take the same words; user, port and address are kept with the names. */
static void words_typed_into_the_form_are_kept_as_an_inventory(void **state)
{
	char *folder = new_folder(), *path = xasprintf("%s/inventory.yml", folder);
	struct firstrun f = { .tried = "spark1 root@10.0.0.2:2222 [fe80::1%eth0] node[1-2]" };
	struct buf text = { 0 };
	struct inventory inv;
	struct err err = { "" };

	(void)state;
	if (!firstrun_keep(&f, path, &err))
		fail_msg("%s", err.text);
	assert_true(file_read(path, &text, &err));
	inventory_init(&inv);
	if (!inventory_read(&inv, buf_span(&text), path, &err))
		fail_msg("%s in:\n%s", err.text, text.text);
	assert_int_equal(inv.n_hosts, 5);
	assert_null(inventory_find(&inv, "spark1")->user);
	assert_string_equal(inventory_find(&inv, "10.0.0.2")->user, "root");
	assert_int_equal(inventory_find(&inv, "10.0.0.2")->port, 2222);
	assert_string_equal(inventory_find(&inv, "fe80--1-eth0")->address, "fe80::1%eth0");
	inventory_done(&inv);
	buf_done(&text);
	unlink(path);
	rmdir(folder);
	free(path);
	free(folder);
}

static void a_host_that_cannot_be_followed_is_not_kept_as_if_it_could(void **state)
{
	char *folder = new_folder(), *path = xasprintf("%s/inventory.yml", folder);
	struct firstrun f = { .tried = "tests/hosts/in/vault.yml" };
	struct err err = { "" };

	(void)state;
	assert_false(firstrun_keep(&f, path, &err));
	assert_non_null(strstr(err.text, "ansible -i tests/hosts/in/vault.yml a -m debug -a var=ansible_user"));
	assert_int_not_equal(access(path, F_OK), 0);
	rmdir(folder);
	free(path);
	free(folder);
}

static const char written[] =
	"all:\n"
	"  vars: {fabcon_fabric: gpu, ansible_user: ops}\n"
	"  hosts:\n"
	"    bare:\n"
	"    node1: {ansible_host: 10.0.0.1, ansible_port: 2222, fabcon_rack: r1, fabcon_jump: 'ops@bastion:22',\n"
	"            ansible_ssh_private_key_file: '/k/a \"b\\c',\n"
	"            fabcon_cables: [{port: eth2, peer: leaf1, peer_port: 'ethernet1/1/1'}]}\n"
	"    leaf1: {ansible_network_os: dellemc.os10.os10, fabcon_kind: switch}\n"
	"  children:\n"
	"    nodes: {hosts: {node1: }}\n"
	"    rail1: {hosts: {node1: , leaf1: }}\n";

static void assert_same_text(const char *a, const char *b)
{
	assert_string_equal(a ? a : "(none)", b ? b : "(none)");
}

static void an_inventory_that_is_written_reads_back_the_same(void **state)
{
	struct inventory before, after;
	struct buf text = { 0 };
	struct err err = { "" };

	(void)state;
	inventory_init(&before);
	inventory_init(&after);
	assert_true(inventory_read(&before, SPAN(written), "a.yml", &err));
	inventory_yaml(&before, &text);
	if (!inventory_read(&after, buf_span(&text), "b.yml", &err))
		fail_msg("%s in:\n%s", err.text, text.text);
	assert_same_text(after.fabric, "gpu");
	assert_int_equal(after.n_hosts, before.n_hosts);
	assert_int_equal(after.n_cables, before.n_cables);
	for (size_t i = 0; i < before.n_hosts; i++) {
		const struct host *a = &before.hosts[i], *b = inventory_find(&after, a->name);

		assert_non_null(b);
		assert_same_text(a->address, b->address);
		assert_same_text(a->user, b->user);
		assert_same_text(a->identity, b->identity);
		assert_same_text(a->jump, b->jump);
		assert_same_text(a->platform, b->platform);
		assert_same_text(a->kind, b->kind);
		assert_same_text(a->rack, b->rack);
		assert_same_text(a->rail, b->rail);
		assert_int_equal(a->port, b->port);
		assert_int_equal(a->n_groups, b->n_groups);
		for (size_t g = 0; g < a->n_groups; g++)
			assert_same_text(a->groups[g], b->groups[g]);
	}
	buf_done(&text);
	inventory_done(&before);
	inventory_done(&after);
}

/* The whole way, on a terminal, with devices that answer */

static void without_a_terminal_it_is_said_how_to_name_devices(void **state)
{
	struct run r;

	(void)state;
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	r = RUN("fabcon", "--plain", "tui");
	assert_int_equal(r.code, EXIT_USAGE);
	assert_non_null(strstr(r.err.text, "no inventory: give hosts (fabcon spark1 spark2"));
	assert_int_equal(r.out.n, 0);
	run_done(&r);
}

static void a_person_without_an_inventory_comes_to_the_console_with_one_line(void **state)
{
	char *folder = new_folder(), *path = xasprintf("%s/fabcon/inventory.yml", folder), *typed;
	struct lab lab;
	struct tty *t;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "1", "--rails", "1", "--leaves", "1"));
	setenv("XDG_CONFIG_HOME", folder, 1);
	setenv("XDG_STATE_HOME", folder, 1);
	setenv("FABCON_SITE", "/nonexistent", 1);
	t = TTY(24, 100, "fabcon", "--no-agent");
	assert_true(tty_shows(t, "Hosts, range or file:", 10));
	tty_type(t, "/no/such/file.yml\r");
	assert_true(tty_shows(t, "No such file", 10));
	typed = xasprintf("\x15%s\r", lab.inventory);
	tty_type(t, typed);
	assert_true(tty_shows(t, "node1 answers: linux", 30));
	tty_type(t, "\r");
	assert_true(tty_shows(t, "LIVE", 10));
	assert_int_equal(access(path, R_OK), 0);
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, 10), 0);
	tty_close(t);
	lab_stop(&lab);
	free(typed);
	typed = xasprintf("rm -rf %s", folder);
	assert_int_equal(system(typed), 0);
	free(typed);
	free(path);
	free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_typed_is_tried_and_what_is_refused_comes_back_with_the_reason),
		cmocka_unit_test(devices_faced_are_offered_and_a_name_that_is_none_is_not),
		cmocka_unit_test(each_device_says_how_it_goes),
		cmocka_unit_test(many_devices_are_told_by_cause),
		cmocka_unit_test(what_is_not_followed_is_listed_and_folded),
		cmocka_unit_test(the_form_draws_at_every_size_and_is_left_with_escape),
		cmocka_unit_test(enter_on_nothing_goes_on_to_the_screens),
		cmocka_unit_test(what_is_kept_is_for_its_owner_alone_and_is_never_replaced),
		cmocka_unit_test(words_typed_into_the_form_are_kept_as_an_inventory),
		cmocka_unit_test(a_host_that_cannot_be_followed_is_not_kept_as_if_it_could),
		cmocka_unit_test(an_inventory_that_is_written_reads_back_the_same),
		cmocka_unit_test(without_a_terminal_it_is_said_how_to_name_devices),
		cmocka_unit_test(a_person_without_an_inventory_comes_to_the_console_with_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
