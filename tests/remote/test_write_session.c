/* Write sessions over a real sshd: what is said is answered in order, with its own status, and what nobody knows is not known. */
#include "core/route/routes.h"
#include "tests/lib/say.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "remote/poll/write_session.h"
#include "tests/lib/sshd.h"

#define PATIENCE_MS	40000
#define SECOND_US	INT64_C(1000000)

struct scene {
	struct sshd sshd;
	struct inventory inv;
	struct poller_options options;
	uv_loop_t loop;
	struct write_permit *permit;
	struct write_session *session;
	bool is_late, is_ready, has_ended, frees_at_answer, frees_at_ready;
	char platform[32], hostkey[128], login[160];
	unsigned answers;
	int status;
	struct buf output;
	char why[1000];
};

/* before_sh: a script that a command shell runs first, in the server's directory, while a login shell prompts at once; or NULL. */
static bool scene_begin_with(struct scene *s, const char *before_sh)
{
	struct buf line = { 0 }, server = { 0 };
	struct err err;

	*s = (struct scene){ 0 };
	if (!sshd_prepare(&s->sshd)) {
		puts("skip: no sshd on this machine");
		return false;
	}
	if (before_sh)
		buf_printf(&server, "ForceCommand cd %s; [ \"$SSH_ORIGINAL_COMMAND\" ] || { printf 'root@node1:~# '; exec cat; }; %s; "
			   "exec /bin/sh -c \"$SSH_ORIGINAL_COMMAND\"\n", s->sshd.dir, before_sh);
	assert_true(sshd_launch(&s->sshd, before_sh ? server.text : "", false));
	buf_done(&server);
	inventory_init(&s->inv);
	uv_loop_init(&s->loop);
	char *key = sshd_public_key(&s->sshd, "host");
	buf_printf(&line, "[127.0.0.1]:%u %s\n", s->sshd.port, key);
	sshd_write(&s->sshd, "known_hosts", line.text);
	buf_done(&line);
	free(key);
	s->options = (struct poller_options){ .seed = 7, .hostkey = HOSTKEY_STRICT };
	s->options.known_hosts = xstrdup(sshd_path(&s->sshd, "known_hosts"));
	s->options.identity = xstrdup(sshd_path(&s->sshd, "id"));
	struct host *h = GROW(s->inv.hosts, s->inv.n_hosts, s->inv.cap_hosts);
	s->inv.n_hosts++;
	*h = (struct host){ .name = "node1", .address = "127.0.0.1", .port = s->sshd.port };
	s->permit = write_permit_new("a test", 0, &err);
	assert_non_null(s->permit);
	return true;
}

static bool scene_begin(struct scene *s)
{
	return scene_begin_with(s, NULL);
}

static void on_ready(void *ctx, const struct platform *p, const char *hostkey, const char *login)
{
	struct scene *s = ctx;

	s->is_ready = true;
	snprintf(s->platform, sizeof(s->platform), "%s", p->id);
	snprintf(s->hostkey, sizeof(s->hostkey), "%s", hostkey);
	snprintf(s->login, sizeof(s->login), "%s", login);
	if (s->frees_at_ready)
		write_session_free(s->session);
}

static void on_answered(void *ctx, int status, struct span output)
{
	struct scene *s = ctx;

	assert_true(s->is_ready && !s->has_ended);
	s->answers++;
	s->status = status;
	buf_clear(&s->output);
	buf_add(&s->output, output.p, output.n);
	if (s->frees_at_answer)
		write_session_free(s->session);
}

static void on_ended(void *ctx, const char *why)
{
	struct scene *s = ctx;

	assert_false(s->has_ended);
	s->has_ended = true;
	snprintf(s->why, sizeof(s->why), "%s", why ? why : "");
}

static void go(struct scene *s)
{
	s->session = write_session_new(
		&s->loop, &s->inv, &s->options, s->permit, "node1",
		&(struct write_session_hooks){.ctx = s, .ready = on_ready, .answered = on_answered, .ended = on_ended});
}

static void on_late(uv_timer_t *timer)
{
	((struct scene *)timer->data)->is_late = true;
}

static void wait_until(struct scene *s, const bool *is_so, unsigned answers)
{
	uv_timer_t guard;

	uv_timer_init(&s->loop, &guard);
	guard.data = s;
	s->is_late = false;
	uv_timer_start(&guard, on_late, PATIENCE_MS, 0);
	while (!s->is_late && !(is_so && *is_so) && !(answers && s->answers >= answers))
		uv_run(&s->loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&guard, NULL);
	uv_run(&s->loop, UV_RUN_NOWAIT);
	if (s->is_late)
		fail_msg("it never came; ended: %d %s; output: %s", s->has_ended, s->why, s->output.n ? s->output.text : "");
}

static void say(struct scene *s, const char *text)
{
	unsigned answers = s->answers;

	if (!s->is_ready)
		wait_until(s, &s->is_ready, 0);
	write_session_say(s->session, WRITE_SHELL, text, 30 * SECOND_US);
	wait_until(s, NULL, answers + 1);
}

static void assert_output(const struct scene *s, int status, const char *output)
{
	if (s->status != status || !span_is(buf_span(&s->output), output))
		fail_msg("status %d, output \"%s\"; wanted %d \"%s\"", s->status, s->output.n ? s->output.text : "", status, output);
}

static void scene_end(struct scene *s)
{
	if (!s->frees_at_answer && !s->frees_at_ready)
		write_session_free(s->session);
	uv_run(&s->loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&s->loop), 0);
	inventory_done(&s->inv);
	write_permit_free(s->permit);
	buf_done(&s->output);
	free((char *)s->options.known_hosts);
	free((char *)s->options.identity);
	sshd_stop(&s->sshd);
}

static void each_script_has_its_own_status_and_output(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s))
		return;
	go(&s);
	say(&s, "echo one; echo two >&2; exit 3");
	assert_output(&s, 3, "one\ntwo\n");
	assert_string_equal(s.platform, "linux");
	assert_true(span_starts(span_of(s.hostkey), "ssh-ed25519 SHA256:"));
	assert_true(span_starts(span_of(s.login), "publickey"));
	say(&s, "true");
	assert_output(&s, 0, "");
	say(&s, "printf 'no newline'; false");
	assert_output(&s, 1, "no newline");
	write_session_end(s.session);
	wait_until(&s, &s.has_ended, 0);
	assert_string_equal(s.why, "");
	scene_end(&s);
}

/* A script can neither eat those after it, nor end their shell, nor change it. */
static void a_script_that_is_wrong_harms_no_other(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s))
		return;
	go(&s);
	say(&s, "cat; read -r x || echo nothing to read");
	assert_output(&s, 0, "nothing to read\n");
	say(&s, "if then ' \"");
	assert_int_not_equal(s.status, 0);
	assert_true(s.status > 0);
	say(&s, "set -e; X=1; cd /; f() { :; }; exec true; exit 9");
	assert_output(&s, 0, "");
	say(&s, "exit 7");
	assert_output(&s, 7, "");
	say(&s, "echo \"[$X]\"; command -v f || echo still here");
	assert_output(&s, 0, "[]\nstill here\n");
	scene_end(&s);
}

static void nothing_of_a_script_is_interpreted_twice(void **state)
{
	static const char *const words[] = {
		"$(touch canary)", "`id`", "a'b", "'; touch canary; '", "\\n\\", "$HOME", "%s%n", "!!", "a\nb\n'c'\n", "}", ") ", "\033[2J",
	};
	struct scene s;

	(void)state;
	if (!scene_begin(&s))
		return;
	go(&s);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		struct buf script = { 0 };

		buf_printf(&script, "printf %%s - <<'END_OF_WORDS'; cat <<'END_OF_WORDS'\nEND_OF_WORDS\n%s\nEND_OF_WORDS\n", words[i]);
		say(&s, script.text);
		buf_clear(&script);
		buf_printf(&script, "-%s\n", words[i]);
		assert_output(&s, 0, script.text);
		buf_done(&script);
	}
	scene_end(&s);
}

static void an_answer_without_its_end_is_not_known(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s))
		return;
	go(&s);
	say(&s, "echo begun; kill -9 $PPID");	/* sshd's child or the login shell: the session is gone */
	wait_until(&s, &s.has_ended, 0);
	assert_int_equal(s.status, -1);
	assert_int_equal(s.answers, 1);
	assert_true(strlen(s.why) > 0);
	scene_end(&s);
}

static void a_script_that_takes_too_long_is_not_waited_for(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s))
		return;
	go(&s);
	wait_until(&s, &s.is_ready, 0);
	write_session_say(s.session, WRITE_SHELL, "echo begun; sleep 30", SECOND_US / 2);
	wait_until(&s, &s.has_ended, 0);
	assert_int_equal(s.answers, 1);
	assert_output(&s, -1, "begun\n");
	assert_non_null(strstr(s.why, "not known"));
	scene_end(&s);
}

static void endless_output_is_cut_and_its_status_still_known(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s))
		return;
	go(&s);
	say(&s, "head -c 3000000 /dev/zero; exit 5");
	assert_int_equal(s.status, 5);
	assert_int_equal(s.output.n, 64 << 10);
	scene_end(&s);
}

static void a_host_that_cannot_be_reached_is_tried_once(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s))
		return;
	s.inv.hosts[0].port = 1;
	go(&s);
	wait_until(&s, &s.has_ended, 0);
	assert_false(s.is_ready);
	assert_int_equal(s.answers, 0);
	assert_non_null(strstr(s.why, "refused"));
	scene_end(&s);
}

static void a_host_key_that_is_not_known_ends_it(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s))
		return;
	sshd_write(&s.sshd, "known_hosts", "");
	go(&s);
	wait_until(&s, &s.has_ended, 0);
	assert_false(s.is_ready);
	assert_non_null(strstr(s.why, "key"));
	scene_end(&s);
}

static void an_errand_goes_by_the_sites_own_ssh_too(void **state)
{
	struct scene s;
	char port[16];

	(void)state;
	if (!scene_begin(&s))
		return;
	snprintf(port, sizeof(port), "%u", s.sshd.port);
	routes_plain(&s.inv.routes, &s.inv);
	struct route *r = s.inv.routes.list[0];
	const char *args[] = { "-F", "none", "-p", port };
	r->transport = TRANSPORT_OPENSSH;
	r->destination = "127.0.0.1";
	for (size_t i = 0; i < 4; i++, r->ssh_args.n++)
		*GROW(r->ssh_args.list, r->ssh_args.n, r->ssh_args.cap) = args[i];
	go(&s);
	wait_until(&s, &s.is_ready, 0);
	assert_string_equal(s.login, "publickey by the site's ssh");
	assert_non_null(strstr(s.hostkey, "ssh-ed25519 SHA256:"));
	say(&s, "echo one; exit 3");
	wait_until(&s, NULL, 1);
	assert_int_equal(s.status, 3);
	assert_string_equal(s.output.text, "one\n");
	scene_end(&s);
}

static void an_errand_may_be_freed_in_its_hooks(void **state)
{
	struct scene s;

	(void)state;
	if (!scene_begin(&s))
		return;
	s.frees_at_answer = true;
	go(&s);
	say(&s, "echo bye");
	assert_output(&s, 0, "bye\n");
	scene_end(&s);
	if (!scene_begin(&s))
		return;
	s.frees_at_ready = true;
	go(&s);
	wait_until(&s, &s.is_ready, 0);
	scene_end(&s);
}

/*
 * A host under load: its command shell says nothing for longer than a step may take, its login shell prints a prompt. It is asked
 * once more, and a Linux host is never told to start a switch's command line.
 */
static void a_host_too_busy_for_its_shell_is_called_busy(void **state)
{
	static const char *const shells[] = { "[ -e begun ] || { : >begun; exec sleep 60; }", "exec sleep 60" };
	struct scene s;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		bool is_late = false;	/* this machine: the login shell did not print its prompt within a step's time either */

		for (int limit_s = 2; limit_s <= 32; limit_s *= 2) {
			if (!scene_begin_with(&s, shells[i]))
				return;
			s.options.timeout_us = (uint64_t)limit_s * SECOND_US;
			go(&s);
			if (i == 0) {
				say(&s, "echo one");
				assert_output(&s, 0, "one\n");
				write_session_end(s.session);
			}
			wait_until(&s, &s.has_ended, 0);
			is_late = i == 1 && strstr(s.why, "no prompt; last output: nothing");
			if (i == 1 && !is_late && (!strstr(s.why, "its login shell is a Linux shell: the host may be busy") || strstr(s.why, "CLI")))
				fail_msg("%s", s.why);
			scene_end(&s);
			if (!is_late)
				break;
		}
		assert_false(is_late);
	}
}

static void a_permit_wants_a_reason_runs_out_and_is_not_to_be_had_where_only_reading_is(void **state)
{
	struct err err = { 0 };
	struct write_permit *p;

	(void)state;
	assert_null(write_permit_new("  ", 0, &err));
	assert_non_null(strstr(err.text, "reason"));
	p = write_permit_new(" INC-42 ", 0, &err);
	assert_string_equal(write_permit_reason(p), "INC-42");
	assert_true(write_permit_left_us(p) > PERMIT_US - 10 * SECOND_US && write_permit_left_us(p) <= PERMIT_US);
	write_permit_free(p);
	p = write_permit_new("short", 1, &err);
	while (write_permit_left_us(p))
		usleep(10);
	write_permit_free(p);
	setenv("FABCON_RO", "1", 1);
	assert_null(write_permit_new("INC-42", 0, &err));
	assert_non_null(strstr(err.text, "FABCON_RO"));
	setenv("FABCON_RO", "0", 1);
	p = write_permit_new("INC-42", 0, &err);
	assert_non_null(p);
	write_permit_free(p);
	unsetenv("FABCON_RO");
	assert_int_equal(write_permit_left_us(NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_script_has_its_own_status_and_output),
		cmocka_unit_test(a_script_that_is_wrong_harms_no_other),
		cmocka_unit_test(nothing_of_a_script_is_interpreted_twice),
		cmocka_unit_test(an_answer_without_its_end_is_not_known),
		cmocka_unit_test(a_script_that_takes_too_long_is_not_waited_for),
		cmocka_unit_test(endless_output_is_cut_and_its_status_still_known),
		cmocka_unit_test(a_host_that_cannot_be_reached_is_tried_once),
		cmocka_unit_test(a_host_key_that_is_not_known_ends_it),
		cmocka_unit_test(an_errand_goes_by_the_sites_own_ssh_too),
		cmocka_unit_test(an_errand_may_be_freed_in_its_hooks),
		cmocka_unit_test(a_host_too_busy_for_its_shell_is_called_busy),
		cmocka_unit_test(a_permit_wants_a_reason_runs_out_and_is_not_to_be_had_where_only_reading_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
