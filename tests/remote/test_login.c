/* Servers that OpenSSH will not play for us: ones that ask questions, and ones that talk nonsense. */
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libssh/server.h>

#include "remote/poll/poller.h"
#include "tests/lib/say.h"

#define PATIENCE_MS	40000

struct scene {
	pid_t server;
	unsigned port;
	struct inventory inv;
	struct host hosts[5];
	uv_loop_t loop;
	struct poller *poller;
	struct buf said, asked;
	unsigned question;
	bool is_late;
};

/* -- the far end, in a process of its own -- */

static void answer_questions(ssh_session session, ssh_message m)
{
	const char *prompts[] = { "Token:\x1b[2J", "PIN: " };
	char echo[] = { 1, 0 };

	if (!ssh_message_auth_kbdint_is_response(m)) {
		ssh_message_auth_interactive_request(m, "name", "instruction", 2, prompts, echo);
		return;
	}
	const char *token = ssh_userauth_kbdint_getanswer(session, 0), *pin = ssh_userauth_kbdint_getanswer(session, 1);
	if (token && pin && !strcmp(token, "123456") && !strcmp(pin, "0000"))
		ssh_message_auth_reply_success(m, 0);
	else
		ssh_message_reply_default(m);
}

/* The callbacks that replace this function cannot ask questions, and one server does both. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void answer_password(ssh_message m)
{
	if (!strcmp(ssh_message_auth_password(m), "hunter2"))
		ssh_message_auth_reply_success(m, 0);
	else
		ssh_message_reply_default(m);
}

static void serve_session(ssh_session session, int method)
{
	ssh_message m;

	ssh_set_auth_methods(session, method);
	if (ssh_handle_key_exchange(session) != SSH_OK)
		return;
	while ((m = ssh_message_get(session))) {
		bool is_auth = ssh_message_type(m) == SSH_REQUEST_AUTH;
		if (is_auth && ssh_message_subtype(m) == method && method == SSH_AUTH_METHOD_INTERACTIVE) {
			answer_questions(session, m);
		} else if (is_auth && ssh_message_subtype(m) == method) {
			answer_password(m);
		} else {
			ssh_message_auth_set_methods(m, method);
			ssh_message_reply_default(m);
		}
		ssh_message_free(m);
	}
}

/* A process for each, as sshd has it. is_impatient: the first is hung up on after a second. */
static void serve_logins(int listener, int method, bool is_impatient)
{
	ssh_bind bind = ssh_bind_new();
	ssh_key key;

	signal(SIGCHLD, SIG_IGN);
	ssh_pki_generate(SSH_KEYTYPE_ED25519, 0, &key);
	ssh_bind_options_set(bind, SSH_BIND_OPTIONS_PROCESS_CONFIG, &(bool){ false });
	ssh_bind_options_set(bind, SSH_BIND_OPTIONS_IMPORT_KEY, key);
	for (bool is_first = true;; is_first = false) {
		int fd = accept(listener, NULL, NULL);
		pid_t parent = getpid();
		if (fork()) {
			close(fd);
			continue;
		}
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(0);
		if (is_impatient && is_first)
			alarm(1);
		ssh_session session = ssh_new();
		if (ssh_bind_accept_fd(bind, session, fd) == SSH_OK)
			serve_session(session, method);
		ssh_disconnect(session);
		_exit(0);
	}
}

static void serve_text(int listener, const char *text, size_t n, bool forever)
{
	for (;;) {
		int fd = accept(listener, NULL, NULL);
		for (bool goes_on = true; goes_on && send(fd, text, n, MSG_NOSIGNAL) > 0; goes_on = forever)
			;
		shutdown(fd, SHUT_WR);
		while (recv(fd, &(char[4096]){ 0 }, 4096, 0) > 0)
			;
		close(fd);
	}
}

enum far_end { QUESTIONS, PASSWORD, IMPATIENT, NOISE, ENDLESS_LINE, HTTP, SILENCE, BAD_PACKET };

static void serve(int listener, enum far_end what)
{
	static char block[1 << 16];

	switch (what) {
	case QUESTIONS:
		serve_logins(listener, SSH_AUTH_METHOD_INTERACTIVE, false);
		return;
	case PASSWORD:
		serve_logins(listener, SSH_AUTH_METHOD_PASSWORD, false);
		return;
	case IMPATIENT:
		serve_logins(listener, SSH_AUTH_METHOD_PASSWORD, true);
		return;
	case NOISE:
		for (size_t i = 0; i < sizeof(block); i++)
			block[i] = (char)(i * 2654435761u >> 13);
		serve_text(listener, block, sizeof(block), true);
		return;
	case ENDLESS_LINE:
		memset(block, 'x', sizeof(block));
		serve_text(listener, block, sizeof(block), true);
		return;
	case HTTP:
		serve_text(listener, "HTTP/1.1 400 Bad Request\r\n\r\n", 28, false);
		return;
	case BAD_PACKET:
		memcpy(block, "SSH-2.0-x\r\n\xff\xff\xff\xff", 15);
		serve_text(listener, block, sizeof(block), false);
		return;
	case SILENCE:
		for (;;)
			pause();
	}
}

static void start_server(struct scene *s, enum far_end what)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(listener, (struct sockaddr *)&a, n), 0);
	assert_int_equal(listen(listener, 16), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&a, &n), 0);
	s->port = ntohs(a.sin_port);
	pid_t parent = getpid();
	s->server = fork();
	if (!s->server) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			serve(listener, what);
		_exit(0);
	}
	close(listener);
}

/* -- our end -- */

static void observed(void *ctx, struct obs *o)
{
	obs_print(o, &((struct scene *)ctx)->said);
}

static void ask(void *ctx, unsigned id, const struct question *q)
{
	struct scene *s = ctx;

	s->question = id;
	buf_printf(&s->asked, "%s%s\n", q->text, q->is_secret ? "(secret)" : "");
}

static void scene_begin_with(struct scene *s, enum far_end what, size_t n)
{
	static const char *const names[] = { "node1", "node2", "node3", "node4", "node5" };
	struct poller_options options = {
		.hostkey = HOSTKEY_ACCEPT_NEW, .known_hosts = "/dev/null", .identity = "/dev/null", .timeout_us = 1000000,
		.seed = 7,
	};
	struct poller_hooks hooks = { .ctx = s, .observed = observed, .ask = ask };

	*s = (struct scene){ 0 };
	start_server(s, what);
	inventory_init(&s->inv);
	for (size_t i = 0; i < n; i++)
		s->hosts[i] = (struct host){ .name = names[i], .address = "127.0.0.1", .port = s->port, .user = "op" };
	s->inv.hosts = s->hosts;
	s->inv.n_hosts = n;
	uv_loop_init(&s->loop);
	s->poller = poller_new(&s->loop, &s->inv, &options, &hooks);
	poller_start(s->poller);
}

static void scene_begin(struct scene *s, enum far_end what)
{
	scene_begin_with(s, what, 1);
}

static void on_late(uv_timer_t *timer)
{
	((struct scene *)timer->data)->is_late = true;
}

static void wait_in(struct scene *s, struct buf *b, const char *text)
{
	uv_timer_t guard;

	uv_timer_init(&s->loop, &guard);
	guard.data = s;
	uv_timer_start(&guard, on_late, PATIENCE_MS, 0);
	while (!s->is_late && !(b->n && strstr(b->text, text)))
		uv_run(&s->loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&guard, NULL);
	uv_run(&s->loop, UV_RUN_NOWAIT);
	if (s->is_late)
		fail_msg("never came: %s\nsaid: %s\nasked: %s", text, s->said.n ? s->said.text : "", s->asked.n ? s->asked.text : "");
}

static void answer(struct scene *s, const char *question, const char *text)
{
	wait_in(s, &s->asked, question);
	buf_clear(&s->asked);
	poller_answer(s->poller, s->question, text);
}

static void scene_end(struct scene *s)
{
	poller_free(s->poller);
	uv_run(&s->loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&s->loop), 0);
	kill(s->server, SIGKILL);
	waitpid(s->server, NULL, 0);
	buf_done(&s->said);
	buf_done(&s->asked);
}

/* The servers open no channel: getting as far as asking for one is being logged in. */
#define LOGGED_IN	"node1: channel: "

static void the_servers_questions_are_put_one_by_one(void **state)
{
	struct scene s;

	(void)state;
	scene_begin(&s, QUESTIONS);
	answer(&s, "op@node1: Token: [2J\n", "123456");
	answer(&s, "op@node1: PIN: (secret)\n", "0000");
	wait_in(&s, &s.said, LOGGED_IN);
	assert_null(strstr(s.said.text, "123456"));
	scene_end(&s);
}

static void wrong_answers_are_asked_for_again_twice(void **state)
{
	struct scene s;

	(void)state;
	scene_begin(&s, QUESTIONS);
	answer(&s, "op@node1: Token", "123456");
	answer(&s, "op@node1: PIN", "9999");
	answer(&s, "Token", "123456");
	answer(&s, "Refused. op@node1: PIN", "8888");
	answer(&s, "Token", "123456");
	answer(&s, "Refused. op@node1: PIN", "7777");
	wait_in(&s, &s.said, "node1 state = refused");
	assert_non_null(strstr(s.said.text, "accepts keyboard-interactive and refused the answers"));
	assert_int_equal(s.asked.n, 0);
	assert_false(poller_is_asking(s.poller));
	scene_end(&s);
}

/* Their names are not in the prompt, and the first has to take the answer before the others get it. */
static void one_password_does_for_all_that_ask_the_same(void **state)
{
	struct scene s;

	(void)state;
	scene_begin_with(&s, PASSWORD, 5);
	wait_in(&s, &s.asked, "password(secret)\n");
	assert_true(poller_is_asking(s.poller));
	const char *first = strstr(s.asked.text, "op@node");
	assert_non_null(first);
	poller_answer(s.poller, s.question, "wrong");
	buf_clear(&s.asked);
	answer(&s, "Refused. ", "hunter2");
	for (int i = 1; i <= 5; i++) {
		char fact[40];
		snprintf(fact, sizeof(fact), "node%d: channel: ", i);
		wait_in(&s, &s.said, fact);
	}
	assert_int_equal(s.asked.n, 0);
	assert_false(poller_is_asking(s.poller));
	assert_null(strstr(s.said.text, "refused"));
	scene_end(&s);
}

static void a_server_that_did_not_wait_is_answered_by_another_connection(void **state)
{
	struct scene s;

	(void)state;
	scene_begin(&s, IMPATIENT);
	wait_in(&s, &s.asked, "password(secret)\n");
	usleep(1500000);	/* the server has hung up long before that */
	answer(&s, "password", "hunter2");
	wait_in(&s, &s.said, LOGGED_IN);
	assert_int_equal(s.asked.n, 0);
	assert_null(strstr(s.said.text, "authentication: "));
	scene_end(&s);
}

static void a_password_is_asked_for_and_never_told(void **state)
{
	struct scene s;

	(void)state;
	scene_begin(&s, PASSWORD);
	answer(&s, "op@node1: password(secret)\n", "hunter2");
	wait_in(&s, &s.said, LOGGED_IN);
	assert_null(strstr(s.said.text, "hunter2"));
	scene_end(&s);
}

static void a_question_left_unanswered_refuses_the_host(void **state)
{
	struct scene s;

	(void)state;
	scene_begin(&s, PASSWORD);
	answer(&s, "password", NULL);
	wait_in(&s, &s.said, "node1 state = refused");
	assert_non_null(strstr(s.said.text, "the prompt was not answered"));
	buf_clear(&s.said);
	poller_refresh(s.poller, NULL);
	answer(&s, "password", "hunter2");
	wait_in(&s, &s.said, LOGGED_IN);
	scene_end(&s);
}

static void a_server_that_is_none_is_told_and_tried_later(void **state)
{
	static const enum far_end kinds[] = { NOISE, ENDLESS_LINE, HTTP, BAD_PACKET, SILENCE };

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct scene s;
		scene_begin(&s, kinds[i]);
		wait_in(&s, &s.said, "node1 state = retrying");
		assert_non_null(strstr(s.said.text, "node1 error = \"node1: key exchange: "));
		scene_end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_servers_questions_are_put_one_by_one),
		cmocka_unit_test(wrong_answers_are_asked_for_again_twice),
		cmocka_unit_test(one_password_does_for_all_that_ask_the_same),
		cmocka_unit_test(a_server_that_did_not_wait_is_answered_by_another_connection),
		cmocka_unit_test(a_password_is_asked_for_and_never_told),
		cmocka_unit_test(a_question_left_unanswered_refuses_the_host),
		cmocka_unit_test(a_server_that_is_none_is_told_and_tried_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
