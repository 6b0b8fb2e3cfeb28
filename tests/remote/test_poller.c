#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/route/routes.h"
#include "remote/poll/poller.h"
#include "remote/ssh/dial.h"
#include "tests/lib/say.h"
#include "tests/lib/sshd.h"

#define PATIENCE_MS	40000	/* then a fact has not come; a loaded machine is slow, not wrong */

/* A poller at work, and everything it has said. */
struct scene {
	struct sshd sshd;
	struct inventory inv;
	struct poller_options options;
	uv_loop_t loop;
	struct poller *poller;
	struct buf said;		/* facts, a line each */
	struct buf asked;		/* questions, a line each */
	const char *answer;		/* to the next question; NULL: none is given */
	unsigned question;		/* the last one */
	bool may_ask, is_late;
	uint64_t turn_began_ns, longest_ns;
	uv_prepare_t turn_ends;
	uv_check_t turn_begins;
};

static void observed(void *ctx, struct obs *o)
{
	struct scene *s = ctx;

	if (s->said.n > 8u << 20)
		buf_clear(&s->said);
	obs_print(o, &s->said);
}

static void ask(void *ctx, unsigned id, const struct question *q)
{
	struct scene *s = ctx;

	s->question = id;
	for (size_t i = 0; i < q->n_lines; i++)
		buf_printf(&s->asked, "%s\n", q->lines[i]);
	buf_printf(&s->asked, "%s: %s%s\n", q->host, q->text, q->is_secret ? " (secret)" : "");
}

static bool scene_begin(struct scene *s, const char *sshd_extra)
{
	*s = (struct scene){ 0 };
	if (!sshd_start(&s->sshd, sshd_extra)) {
		puts("skip: no sshd on this machine");
		return false;
	}
	inventory_init(&s->inv);
	uv_loop_init(&s->loop);
	char *key = sshd_public_key(&s->sshd, "host");
	struct buf line = { 0 };
	buf_printf(&line, "[127.0.0.1]:%u %s\n", s->sshd.port, key);
	sshd_write(&s->sshd, "known_hosts", line.text);
	buf_done(&line);
	free(key);
	s->options = (struct poller_options){ .seed = 7, .hostkey = HOSTKEY_STRICT, .timeout_us = 10000000 };
	s->options.known_hosts = xstrdup(sshd_path(&s->sshd, "known_hosts"));
	s->options.identity = xstrdup(sshd_path(&s->sshd, "id"));
	return true;
}

static struct host *add_host(struct scene *s, const char *name)
{
	struct host *h = GROW(s->inv.hosts, s->inv.n_hosts, s->inv.cap_hosts);

	s->inv.n_hosts++;
	*h = (struct host){ .name = name, .address = "127.0.0.1", .port = s->sshd.port };
	return h;
}

static void turn_begins(uv_check_t *check)
{
	struct scene *s = check->data;

	s->turn_began_ns = uv_hrtime();
}

static void turn_ends(uv_prepare_t *prepare)
{
	struct scene *s = prepare->data;
	uint64_t took_ns = s->turn_began_ns ? uv_hrtime() - s->turn_began_ns : 0;

	if (took_ns > s->longest_ns)
		s->longest_ns = took_ns;
}

static void scene_start(struct scene *s)
{
	struct poller_hooks hooks = { .ctx = s, .observed = observed, .ask = s->may_ask ? ask : NULL };

	s->poller = poller_new(&s->loop, &s->inv, &s->options, &hooks);
	s->turn_begins.data = s->turn_ends.data = s;
	uv_check_init(&s->loop, &s->turn_begins);
	uv_prepare_init(&s->loop, &s->turn_ends);
	uv_check_start(&s->turn_begins, turn_begins);
	uv_prepare_start(&s->turn_ends, turn_ends);
	poller_start(s->poller);
}

static void on_late(uv_timer_t *timer)
{
	((struct scene *)timer->data)->is_late = true;
}

/* Runs until buf holds text. */
static void wait_in(struct scene *s, struct buf *b, const char *text)
{
	uv_timer_t guard;

	uv_timer_init(&s->loop, &guard);
	guard.data = s;
	s->is_late = false;
	uv_timer_start(&guard, on_late, PATIENCE_MS, 0);
	while (!s->is_late && !(b->n && strstr(b->text, text)))
		uv_run(&s->loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&guard, NULL);
	uv_run(&s->loop, UV_RUN_NOWAIT);
	if (s->is_late)
		fail_msg("never came: %s\nsaid last: %s\nasked: %s", text,
			 s->said.n > 1500 ? s->said.text + s->said.n - 1500 : s->said.n ? s->said.text : "nothing",
			 s->asked.n ? s->asked.text : "nothing");
}

static void wait_for(struct scene *s, const char *fact)
{
	wait_in(s, &s->said, fact);
}

static void answer(struct scene *s, const char *question, const char *text)
{
	wait_in(s, &s->asked, question);
	buf_clear(&s->asked);
	poller_answer(s->poller, s->question, text);
}

static void assert_said(const struct scene *s, const char *text)
{
	if (!s->said.n || !strstr(s->said.text, text))
		fail_msg("not said: %s\nbut: %s", text, s->said.n ? s->said.text : "nothing");
}

static void close_poller(struct scene *s)
{
	poller_free(s->poller);
	s->poller = NULL;
	uv_close((uv_handle_t *)&s->turn_begins, NULL);
	uv_close((uv_handle_t *)&s->turn_ends, NULL);
	uv_run(&s->loop, UV_RUN_DEFAULT);
}

static void scene_end(struct scene *s)
{
	if (s->poller)
		close_poller(s);
	assert_int_equal(uv_loop_close(&s->loop), 0);
	inventory_done(&s->inv);
	buf_done(&s->said);
	buf_done(&s->asked);
	free((char *)s->options.known_hosts);
	free((char *)s->options.identity);
	sshd_stop(&s->sshd);
}

static void a_host_is_logged_in_identified_and_asked(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	add_host(&s, "node1");
	scene_start(&s);
	wait_for(&s, "node1 state = connecting");
	wait_for(&s, "node1 state = up");
	wait_for(&s, "node1 latency = ");
	assert_said(&s, "node1 auth = \"publickey id\"");
	assert_said(&s, "node1 hostkey = \"ssh-ed25519 SHA256:");
	assert_said(&s, "node1 platform = \"linux\"");
	assert_said(&s, "node1 hostname = ");
	assert_int_equal(poller_count(s.poller).up, 1);
	poller_stop(s.poller);
	assert_said(&s, "node1 state = stopped");
	scene_end(&s);
}

static void a_refused_key_is_told_with_what_the_server_accepts_and_is_not_tried_again(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	sshd_keygen(&s.sshd, "stranger", "-t ed25519 -N ''");
	add_host(&s, "node1")->identity = sshd_path(&s.sshd, "stranger");
	free((char *)s.options.identity);
	s.options.identity = NULL;
	scene_start(&s);
	wait_for(&s, "node1 state = refused");
	assert_said(&s, "node1 error = \"node1: authentication: the server accepts publickey and refused stranger");
	assert_said(&s, "check authorized_keys");
	assert_int_equal(poller_count(s.poller).refused, 1);
	assert_int_equal(poller_count(s.poller).first_round, 1);
	scene_end(&s);
}

static void a_refused_host_is_tried_again_when_asked_to(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	add_host(&s, "node1");
	char *key = sshd_public_key(&s.sshd, "id");
	sshd_write(&s.sshd, "authorized_keys", "");
	scene_start(&s);
	wait_for(&s, "node1 state = refused");
	sshd_write(&s.sshd, "authorized_keys", key);
	free(key);
	buf_clear(&s.said);
	poller_refresh(s.poller, "node1");
	wait_for(&s, "node1 state = up");
	assert_null(strstr(s.said.text + s.said.n - 60, "error"));
	scene_end(&s);
}

static void settings_are_read_again_when_a_symptom_asks_for_them(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	add_host(&s, "node1");
	s.options.config_us = INT64_C(3600000000);
	scene_start(&s);
	wait_for(&s, "node1 tcp_ecn = ");
	buf_clear(&s.said);
	poller_hasten(s.poller, "node1");
	wait_for(&s, "node1 tcp_ecn = ");
	scene_end(&s);
}

static void nothing_is_trusted_when_known_hosts_cannot_be_read(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	add_host(&s, "node1");
	free((char *)s.options.known_hosts);
	s.options.known_hosts = xstrdup(s.sshd.dir);
	s.options.hostkey = HOSTKEY_ACCEPT_NEW;
	scene_start(&s);
	wait_for(&s, "node1 state = refused");
	assert_said(&s, "nothing can be trusted without it");
	scene_end(&s);
}

static void nothing_listening_is_retried_and_told(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	add_host(&s, "node1");
	add_host(&s, "node2")->address = "no-such-host.invalid";
	s.inv.hosts[0].port = 1;
	scene_start(&s);
	wait_for(&s, "node1 state = retrying");
	assert_said(&s, "node1: connect: 127.0.0.1 port 1: Connection refused");
	wait_for(&s, "node2 state = retrying");
	assert_said(&s, "node2 error = \"node2: resolve: ");
	assert_int_equal(poller_count(s.poller).retrying, 2);
	scene_end(&s);
}

/* Adds as the command line does, and sends all of it to the port of our sshd. */
static void add_range(struct scene *s, const char *range)
{
	struct err err = { "" };

	if (!inventory_add_range(&s->inv, range, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < s->inv.n_hosts; i++)
		s->inv.hosts[i].port = s->sshd.port;
}

/* No ansible_host anywhere: our sshd listens at 127.0.0.1 alone, and a name that is lost would be looked up as that. */
static void a_bare_range_and_a_bare_name_are_dialed_by_their_names(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	add_range(&s, "127.0.0.[1-2]");
	add_range(&s, "node[01-02].invalid");
	add_range(&s, "spark1.invalid");
	scene_start(&s);
	wait_for(&s, "127.0.0.1 state = up");
	wait_for(&s, "127.0.0.2: connect: 127.0.0.2 port ");
	wait_for(&s, "node01.invalid error = \"node01.invalid: resolve: ");
	wait_for(&s, "node02.invalid error = \"node02.invalid: resolve: ");
	wait_for(&s, "spark1.invalid error = \"spark1.invalid: resolve: ");
	assert_int_equal(poller_count(s.poller).up, 1);
	scene_end(&s);
}

static void a_bare_name_behind_a_jump_host_is_what_the_jump_host_is_asked_for(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	add_host(&s, "bastion");
	add_range(&s, "127.0.0.1,spark1.invalid");
	s.inv.hosts[1].jump = s.inv.hosts[2].jump = "bastion";
	scene_start(&s);
	wait_for(&s, "127.0.0.1 state = up");
	wait_for(&s, "spark1.invalid error = \"spark1.invalid: connect: the jump host refuses to connect: ");
	scene_end(&s);
}

/* Names of one machine: each is a host of its own to known_hosts. */
static void the_host_keys_of_many_are_one_question(void **state)
{
	static const char *const answers[] = { "yes", "1, 3-4", "no" };
	static const size_t trusted[] = { 5, 3, 0 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct scene s;
		if (!scene_begin(&s, ""))
			return;
		sshd_write(&s.sshd, "known_hosts", "");
		add_range(&s, "127.0.0.1,127.0.0.01,127.0.00.1,127.00.0.1,127.0.0.001");
		s.options.hostkey = HOSTKEY_ASK;
		s.may_ask = true;
		scene_start(&s);
		wait_in(&s, &s.asked, "5 hosts: they present unknown host keys. Trust all 5?\n");
		assert_non_null(strstr(s.asked.text, "127.0.0.1    ssh-ed25519 SHA256:"));
		assert_non_null(strstr(s.asked.text, "127.0.0.001  ssh-ed25519 SHA256:"));
		assert_true(poller_is_asking(s.poller));
		buf_clear(&s.asked);
		poller_answer(s.poller, s.question, answers[i]);
		while (poller_count(s.poller).up < trusted[i] || poller_count(s.poller).refused < 5 - trusted[i])
			uv_run(&s.loop, UV_RUN_ONCE);
		assert_int_equal(s.asked.n, 0);
		assert_false(poller_is_asking(s.poller));
		scene_end(&s);
	}
}

static void on_dialed(void *ctx, int fd, const char *why)
{
	assert_int_equal(fd, -1);
	buf_str(ctx, why);
}

static void nothing_is_dialed_without_an_address(void **state)
{
	struct buf said = { 0 };
	uv_loop_t loop;

	(void)state;
	uv_loop_init(&loop);
	dial_new(&loop, NULL, 22, on_dialed, &said);
	dial_new(&loop, "", 22, on_dialed, &said);
	uv_run(&loop, UV_RUN_DEFAULT);
	assert_string_equal(said.text, "no address givenno address given");
	assert_int_equal(uv_loop_close(&loop), 0);
	buf_done(&said);
}

enum key { HOST, OTHER, NO_KEY };

/* known_hosts lines "prefix key", the rule, the answer when asked (NULL: nobody can be), and what must follow. */
static const struct {
	const char *prefix;
	enum key key;
	const char *prefix2;
	enum key key2;
	enum hostkey_rule rule;
	const char *answer, *ends, *says;
} hostkey_table[] = {
	{ "%s", HOST, NULL, 0, HOSTKEY_STRICT, NULL, "state = up", NULL },
	{ "*", HOST, NULL, 0, HOSTKEY_STRICT, NULL, "state = up", NULL },
	{ "elsewhere", HOST, NULL, 0, HOSTKEY_STRICT, NULL, "state = refused", "is not known" },
	{ "elsewhere", HOST, NULL, 0, HOSTKEY_ASK, NULL, "state = refused", "is not known" },
	{ "elsewhere", HOST, NULL, 0, HOSTKEY_ASK, "no", "state = refused", "not accepted" },
	{ "elsewhere", HOST, NULL, 0, HOSTKEY_ASK, "yes", "state = up", NULL },
	{ "elsewhere", HOST, NULL, 0, HOSTKEY_ACCEPT_NEW, NULL, "state = up", NULL },
	{ "127.0.0.1", HOST, NULL, 0, HOSTKEY_STRICT, NULL, "state = up", NULL },	/* without its port: as ssh has it */
	{ "127.0.0.1", OTHER, NULL, 0, HOSTKEY_STRICT, NULL, "state = refused", "is not known" },
	{ "%s", OTHER, NULL, 0, HOSTKEY_ACCEPT_NEW, NULL, "state = refused", "possibly a downgrade" },
	{ "%s", NO_KEY, NULL, 0, HOSTKEY_ASK, "yes", "state = refused", "CHANGED" },
	{ "%s", NO_KEY, NULL, 0, HOSTKEY_ACCEPT_NEW, NULL, "state = refused", "CHANGED" },
	{ "%s", HOST, "@revoked *", HOST, HOSTKEY_ACCEPT_NEW, NULL, "state = refused", "REVOKED" },
	{ "@revoked %s", HOST, NULL, 0, HOSTKEY_ASK, "yes", "state = refused", "REVOKED" },
	{ "@cert-authority *", OTHER, NULL, 0, HOSTKEY_ACCEPT_NEW, NULL, "state = refused", "certificate authority" },
	{ "@cert-authority *", OTHER, NULL, 0, HOSTKEY_ASK, "yes", "state = up", NULL },
};

static void add_known(struct scene *s, struct buf *text, const char *prefix, enum key key)
{
	static const char *const files[] = { [HOST] = "host", [OTHER] = "other", [NO_KEY] = "changed" };
	char *line = sshd_public_key(&s->sshd, files[key]);
	char name[64];

	snprintf(name, sizeof(name), "[127.0.0.1]:%u", s->sshd.port);
	const char *slot = strstr(prefix, "%s");
	buf_printf(text, "%.*s%s %s\n", slot ? (int)(slot - prefix) : (int)strlen(prefix), prefix, slot ? name : "", line);
	free(line);
}

static void a_host_key_is_trusted_only_by_the_stated_decision(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	sshd_keygen(&s.sshd, "other", "-t ecdsa -N ''");
	sshd_keygen(&s.sshd, "changed", "-t ed25519 -N ''");
	add_host(&s, "node1");
	for (size_t i = 0; i < sizeof(hostkey_table) / sizeof(*hostkey_table); i++) {
		struct buf text = { 0 };
		add_known(&s, &text, hostkey_table[i].prefix, hostkey_table[i].key);
		if (hostkey_table[i].prefix2)
			add_known(&s, &text, hostkey_table[i].prefix2, hostkey_table[i].key2);
		sshd_write(&s.sshd, "known_hosts", text.text);
		buf_done(&text);
		s.options.hostkey = hostkey_table[i].rule;
		s.may_ask = hostkey_table[i].answer;
		scene_start(&s);
		bool is_changed = hostkey_table[i].says && strchr("CRm", hostkey_table[i].says[0]);
		if (s.may_ask && !is_changed)
			answer(&s, "Trust it?", hostkey_table[i].answer);
		wait_for(&s, hostkey_table[i].ends);
		if (hostkey_table[i].says)
			assert_said(&s, hostkey_table[i].says);
		if (!strcmp(hostkey_table[i].ends, "state = refused"))
			assert_null(strstr(s.said.text, "state = up"));
		assert_int_equal(s.asked.n, 0);
		close_poller(&s);
		buf_clear(&s.said);
	}
	print_message("%zu host key set-ups, each connected or refused as stated\n", sizeof(hostkey_table) / sizeof(*hostkey_table));
	scene_end(&s);
}

static void an_accepted_host_key_is_known_the_next_time(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	add_host(&s, "node1");
	unlink(s.options.known_hosts);
	s.options.hostkey = HOSTKEY_ACCEPT_NEW;
	scene_start(&s);
	wait_for(&s, "node1 state = up");
	close_poller(&s);
	buf_clear(&s.said);
	s.options.hostkey = HOSTKEY_STRICT;
	scene_start(&s);
	wait_for(&s, "node1 state = up");
	scene_end(&s);
}

static void a_passphrase_is_asked_for_once_for_all_hosts(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	char command[256];
	snprintf(command, sizeof(command), "ssh-keygen -q -p -P '' -N 'open sesame' -f %s", s.options.identity);
	assert_int_equal(system(command), 0);
	add_host(&s, "node1");
	add_host(&s, "node2");
	s.may_ask = true;
	scene_start(&s);
	answer(&s, "Passphrase for ", "wrong");
	answer(&s, "Wrong passphrase or password. Passphrase for ", "open sesame");
	wait_for(&s, "node1 state = up");
	wait_for(&s, "node2 state = up");
	assert_int_equal(s.asked.n, 0);
	assert_null(strstr(s.said.text, "sesame"));
	scene_end(&s);
}

static void a_locked_key_without_anybody_to_ask_is_told(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	char command[256];
	snprintf(command, sizeof(command), "ssh-keygen -q -p -P '' -N secret -f %s", s.options.identity);
	assert_int_equal(system(command), 0);
	add_host(&s, "node1");
	scene_start(&s);
	wait_for(&s, "node1 state = refused");
	assert_said(&s, "not tried: id (needs its passphrase)");
	scene_end(&s);
}

static void the_agents_keys_are_used_when_allowed(void **state)
{
	struct scene s;
	char command[400];

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	snprintf(command, sizeof(command), "ssh-agent -a %s > %s && SSH_AUTH_SOCK=%s ssh-add -q %s && rm %s",
		 sshd_path(&s.sshd, "agent"), sshd_path(&s.sshd, "agent.out"), sshd_path(&s.sshd, "agent"),
		 s.options.identity, s.options.identity);
	assert_int_equal(system(command), 0);
	setenv("SSH_AUTH_SOCK", sshd_path(&s.sshd, "agent"), 1);
	for (int i = 0; i < 6; i++)
		add_host(&s, (const char *[]){ "n1", "n2", "n3", "n4", "n5", "n6" }[i]);
	s.options.use_agent = true;
	scene_start(&s);
	for (int i = 0; i < 6; i++) {
		snprintf(command, sizeof(command), "n%d state = up", i + 1);
		wait_for(&s, command);
	}
	assert_said(&s, "n1 auth = \"publickey by agent\"");
	close_poller(&s);
	buf_clear(&s.said);
	s.options.use_agent = false;
	scene_start(&s);
	wait_for(&s, "n1 state = refused");
	snprintf(command, sizeof(command), ". %s > /dev/null; kill $SSH_AGENT_PID", sshd_path(&s.sshd, "agent.out"));
	assert_int_equal(system(command), 0);
	scene_end(&s);
}

static void hosts_behind_a_jump_host_share_one_session_to_it(void **state)
{
	struct scene s;
	char jump[64];

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	snprintf(jump, sizeof(jump), "127.0.0.1:%u", s.sshd.port);
	add_host(&s, "node1")->jump = jump;
	add_host(&s, "node2")->jump = jump;
	scene_start(&s);
	wait_for(&s, "node1 state = up");
	wait_for(&s, "node2 state = up");
	wait_for(&s, "node1 latency = ");
	assert_int_equal(sshd_logins(&s.sshd), 3);
	scene_end(&s);
}

/* Another inventory, as a file of its own: nothing of the first is shared with it but the words. */
static void a_host_added_later_is_reached_and_what_is_connected_stays(void **state)
{
	struct inventory first;
	struct scene s;
	char jump[64];

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	snprintf(jump, sizeof(jump), "127.0.0.1:%u", s.sshd.port);
	add_host(&s, "node1")->jump = jump;
	s.options.room = 2;
	scene_start(&s);
	wait_for(&s, "node1 latency = ");
	assert_int_equal(sshd_logins(&s.sshd), 2);
	first = s.inv;
	inventory_init(&s.inv);
	add_host(&s, "node1")->jump = jump;
	add_host(&s, "node2")->jump = jump;
	routes_plain(&s.inv.routes, &s.inv);
	assert_true(poller_add(s.poller, &s.inv));
	wait_for(&s, "node2 latency = ");
	assert_int_equal(sshd_logins(&s.sshd), 3);
	assert_int_equal(poller_count(s.poller).hosts, 2);
	assert_true(poller_add(s.poller, &s.inv));
	add_host(&s, "node3");
	assert_false(poller_add(s.poller, &s.inv));	/* nobody settled how it is reached */
	s.inv.n_hosts--;
	scene_end(&s);
	inventory_done(&first);
}

static void a_jump_host_that_is_down_is_the_reason_told_for_each_host_behind_it(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	add_host(&s, "node1")->jump = "127.0.0.1:1";
	struct host *a = add_host(&s, "node2");
	a->jump = "node2";
	add_host(&s, "node3")->jump = "host:0";
	scene_start(&s);
	wait_for(&s, "node1: jump host 127.0.0.1:1: connect: 127.0.0.1 port 1: Connection refused");
	wait_for(&s, "node2 state = refused");
	wait_for(&s, "node3 state = refused");
	scene_end(&s);
}

/* Every socket of ours to the server. */
static void assert_sockets_never_block(const struct scene *s)
{
	struct sockaddr_storage peer;
	unsigned found = 0;

	for (int fd = 3; fd < 200; fd++) {
		socklen_t n = sizeof(peer);
		if (getpeername(fd, (struct sockaddr *)&peer, &n) || peer.ss_family != AF_INET)
			continue;
		if (ntohs(((struct sockaddr_in *)&peer)->sin_port) != s->sshd.port)
			continue;
		assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
		assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
		found++;
	}
	assert_true(found > 0);
}

static void a_stopped_host_holds_nobody_and_is_noticed(void **state)
{
	struct scene s;
	struct sshd sound = { 0 };

	(void)state;
	if (!scene_begin(&s, "") || !sshd_start(&sound, ""))
		return;
	add_host(&s, "hangs");
	struct host *h = add_host(&s, "sound");
	h->port = sound.port;
	char *key = sshd_public_key(&s.sshd, "id");
	sshd_write(&sound, "authorized_keys", key);
	free(key);
	s.options.hostkey = HOSTKEY_ACCEPT_NEW;
	s.options.live_us = 200000;
	s.options.timeout_us = 2000000;	/* a hung peer is noticed in one and a half of it */
	scene_start(&s);
	wait_for(&s, "hangs latency = ");
	wait_for(&s, "sound latency = ");
	assert_sockets_never_block(&s);
	assert_true(sshd_signal_children(&s.sshd, SIGSTOP) > 0);
	buf_clear(&s.said);
	s.longest_ns = s.turn_began_ns = 0;
	uint64_t began_ns = uv_hrtime();
	wait_for(&s, "hangs state = retrying");
	uint64_t noticed_ns = uv_hrtime() - began_ns;
	assert_said(&s, "hangs error = \"hangs: ");
	assert_said(&s, "\nsound ");
	if (s.longest_ns > noticed_ns / 4)
		fail_msg("a turn of the loop took %.0f ms of %.0f ms", s.longest_ns / 1e6, noticed_ns / 1e6);
	scene_end(&s);
	sshd_stop(&sound);
}

static void a_silent_host_is_noticed_between_two_polls(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	add_host(&s, "node1");
	s.options.live_us = 3600000000;
	s.options.config_us = 4000000;	/* longer than the silence that is an end */
	s.options.timeout_us = 1000000;
	scene_start(&s);
	wait_for(&s, "node1 latency = ");
	buf_clear(&s.said);
	wait_for(&s, "node1 latency = ");
	assert_null(strstr(s.said.text, "retrying"));	/* it answered when asked for a sign of life */
	sshd_signal_children(&s.sshd, SIGSTOP);
	wait_for(&s, "node1 error = \"node1: session: no sign of life for");
	scene_end(&s);
}

/* It listens; nobody accepts. */
static int listen_mutely(unsigned *port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	socklen_t size = sizeof(at);

	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(fd, 16), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
	*port = ntohs(at.sin_port);
	return fd;
}

/* A host under load answers late; one that hangs does not answer the second time either. */
static void who_does_not_end_the_first_handshake_is_asked_again_before_that_is_told(void **state)
{
	unsigned port, dialed = 0;
	struct scene s;
	int fd;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	fd = listen_mutely(&port);
	add_host(&s, "mute")->port = port;
	s.options.timeout_us = 300000;
	scene_start(&s);
	wait_for(&s, "mute state = retrying");
	assert_said(&s, "mute error = \"mute: key exchange: no answer in 0.3 s");
	for (int peer; (peer = accept(fd, NULL, NULL)) >= 0; dialed++)
		close(peer);
	assert_int_equal(dialed, 2);
	close(fd);
	scene_end(&s);
}

static void no_more_than_the_limit_log_in_at_once(void **state)
{
	struct scene s;
	char fact[64];
	static char names[24][16];

	(void)state;
	if (!scene_begin(&s, "MaxStartups 8:100:8\n"))
		return;
	for (int i = 0; i < 24; i++) {
		snprintf(names[i], sizeof(names[i]), "n%02d", i);
		add_host(&s, names[i]);
	}
	s.options.in_authentication = 3;	/* fewer than sshd allows: it notices later that one is logged in, much later under load */
	scene_start(&s);
	for (int i = 0; i < 24; i++) {
		snprintf(fact, sizeof(fact), "n%02d state = up", i);
		wait_for(&s, fact);
	}
	assert_null(strstr(s.said.text, "retrying"));
	assert_null(strstr(s.said.text, "refused"));
	scene_end(&s);
}

static void nothing_of_ours_stays_on_the_host(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	add_host(&s, "node1");
	add_host(&s, "node2");
	scene_start(&s);
	wait_for(&s, "node1 latency = ");
	wait_for(&s, "node2 latency = ");
	assert_true(sshd_signal_children(&s.sshd, 0) > 0);
	close_poller(&s);
	for (int i = 0; i < 1000 && sshd_signal_children(&s.sshd, 0); i++)
		usleep(20000);
	assert_int_equal(sshd_signal_children(&s.sshd, 0), 0);
	scene_end(&s);
}

static void time_that_we_were_away_is_not_held_against_a_host(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	add_host(&s, "node1");
	s.options.timeout_us = 1500000;
	scene_start(&s);
	wait_for(&s, "node1 state = connecting");
	usleep(3000000);	/* as a prompt does that somebody thinks about */
	wait_for(&s, "node1 latency = ");
	assert_null(strstr(s.said.text, "retrying"));
	scene_end(&s);
}

static void a_broken_session_is_begun_again(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	add_host(&s, "node1");
	scene_start(&s);
	wait_for(&s, "node1 latency = ");
	buf_clear(&s.said);
	sshd_signal_children(&s.sshd, SIGKILL);
	wait_for(&s, "node1 state = retrying");
	assert_said(&s, "node1 error = \"node1: ");
	assert_said(&s, "node1 platform = \"linux\"");		/* what it is does not change as it is lost */
	wait_for(&s, "node1 state = up");
	scene_end(&s);
}

static void a_poller_ends_at_any_moment(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s, ""))
		return;
	add_host(&s, "node1");
	add_host(&s, "node2")->address = "localhost";
	add_host(&s, "node3")->jump = "node1";
	s.options.hostkey = HOSTKEY_ACCEPT_NEW;
	for (int turns = 0; turns < 60; turns += 2) {
		scene_start(&s);
		for (int i = 0; i < turns; i++)
			uv_run(&s.loop, UV_RUN_NOWAIT), usleep(300);
		if (turns % 4)
			poller_stop(s.poller);
		close_poller(&s);
	}
	scene_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_is_logged_in_identified_and_asked),
		cmocka_unit_test(a_refused_key_is_told_with_what_the_server_accepts_and_is_not_tried_again),
		cmocka_unit_test(a_refused_host_is_tried_again_when_asked_to),
		cmocka_unit_test(settings_are_read_again_when_a_symptom_asks_for_them),
		cmocka_unit_test(nothing_is_trusted_when_known_hosts_cannot_be_read),
		cmocka_unit_test(nothing_listening_is_retried_and_told),
		cmocka_unit_test(a_bare_range_and_a_bare_name_are_dialed_by_their_names),
		cmocka_unit_test(a_bare_name_behind_a_jump_host_is_what_the_jump_host_is_asked_for),
		cmocka_unit_test(the_host_keys_of_many_are_one_question),
		cmocka_unit_test(nothing_is_dialed_without_an_address),
		cmocka_unit_test(a_host_key_is_trusted_only_by_the_stated_decision),
		cmocka_unit_test(an_accepted_host_key_is_known_the_next_time),
		cmocka_unit_test(a_passphrase_is_asked_for_once_for_all_hosts),
		cmocka_unit_test(a_locked_key_without_anybody_to_ask_is_told),
		cmocka_unit_test(the_agents_keys_are_used_when_allowed),
		cmocka_unit_test(hosts_behind_a_jump_host_share_one_session_to_it),
		cmocka_unit_test(a_host_added_later_is_reached_and_what_is_connected_stays),
		cmocka_unit_test(a_jump_host_that_is_down_is_the_reason_told_for_each_host_behind_it),
		cmocka_unit_test(a_stopped_host_holds_nobody_and_is_noticed),
		cmocka_unit_test(a_silent_host_is_noticed_between_two_polls),
		cmocka_unit_test(who_does_not_end_the_first_handshake_is_asked_again_before_that_is_told),
		cmocka_unit_test(no_more_than_the_limit_log_in_at_once),
		cmocka_unit_test(nothing_of_ours_stays_on_the_host),
		cmocka_unit_test(time_that_we_were_away_is_not_held_against_a_host),
		cmocka_unit_test(a_broken_session_is_begun_again),
		cmocka_unit_test(a_poller_ends_at_any_moment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
