/* The collector's talk with a shell: the real one of this machine, and what a hostile or broken one may print. */
#include "tests/lib/say.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "remote/collector.h"
#include "remote/linux.h"
#include "remote/talk.h"

#define NONCE "0123456789abcdef"
#define PATIENCE_MS 20000

struct seen {
	const struct platform *platform;
	unsigned identified, rounds, failed;
	enum cadence last_round;
	char reason[256];
	struct buf answers;		/* "probe port status partial bytes\n" each */
	struct buf last;		/* text of the last answer */
	struct buf facts;		/* of all of them, written */
	int64_t device_us;
};

static void on_identified(void *ctx, const struct platform *p, struct span text)
{
	struct seen *s = ctx;

	(void)text;
	s->platform = p;
	s->identified++;
}

static void on_answered(void *ctx, const struct probe *probe, const struct answer *a, int64_t device_us)
{
	struct seen *s = ctx;
	struct obs o;

	buf_printf(&s->answers, "%s %s %d %d %zu\n", probe->id, a->port ? a->port : "-", a->status, a->is_partial,
		   a->text.n);
	buf_clear(&s->last);
	buf_add(&s->last, a->text.p, a->text.n);
	s->device_us = device_us;
	obs_init(&o, "here", probe->id);
	platform_parse(&linux_platform, probe, a, &o);
	obs_print(&o, &s->facts);
	obs_done(&o);
}

static void on_round_ended(void *ctx, enum cadence cadence)
{
	struct seen *s = ctx;

	s->rounds++;
	s->last_round = cadence;
}

static void on_failed(void *ctx, const char *reason)
{
	struct seen *s = ctx;

	s->failed++;
	snprintf(s->reason, sizeof(s->reason), "%s", reason);
}

static void seen_done(struct seen *s)
{
	buf_done(&s->answers);
	buf_done(&s->last);
	buf_done(&s->facts);
}

static struct talk *talk_with(struct seen *s)
{
	return talk_sh_new(NONCE, &(struct talk_hooks){ .ctx = s, .identified = on_identified, .answered = on_answered,
							.round_ended = on_round_ended, .failed = on_failed });
}

static bool has(const struct buf *b, const char *what)
{
	return b->n > 0 && strstr(b->text, what);
}

/* A real shell at the ends of two pipes. */
struct shell {
	pid_t pid;
	int in, out;
};

static struct shell shell_open(const char *path)
{
	int in[2], out[2];
	struct shell sh;

	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	sh = (struct shell){ .pid = fork(), .in = in[1], .out = out[0] };
	if (sh.pid == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		dup2(out[1], 2);
		execl(path, "sh", "-s", (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	return sh;
}

/* Moves bytes both ways until so many rounds have ended; false when the shell ended or nothing came for long. */
static bool run_until(struct talk *t, struct shell *sh, const struct seen *s, unsigned identified, unsigned rounds)
{
	static char bytes[65536];

	while (s->identified < identified || s->rounds < rounds) {
		struct pollfd fd = { .fd = sh->out, .events = POLLIN };
		struct span send = talk_to_send(t);
		ssize_t n;

		if (send.n > 0) {
			n = write(sh->in, send.p, send.n);
			if (n <= 0)
				return false;
			talk_sent(t, (size_t)n);
			continue;
		}
		if (poll(&fd, 1, PATIENCE_MS) <= 0 || (n = read(sh->out, bytes, sizeof(bytes))) <= 0)
			return false;
		talk_feed(t, (struct span){ bytes, (size_t)n });
	}
	return true;
}

static void a_real_shell_is_identified_and_answers_its_rounds(void **state)
{
	struct seen s = { 0 };
	struct talk *t = talk_with(&s);
	struct shell sh = shell_open("/bin/sh");
	int status;

	(void)state;
	assert_false(talk_ask(t, CADENCE_ONCE));	/* not before it is identified */
	assert_true(run_until(t, &sh, &s, 1, 0));
	assert_ptr_equal(s.platform, platform_find("linux"));
	assert_true(talk_ask(t, CADENCE_ONCE));		/* and before it said hello: kept */
	assert_false(talk_ask(t, CADENCE_LIVE));
	assert_true(run_until(t, &sh, &s, 1, 1));
	assert_true(has(&s.facts, "here boot = \""));
	assert_true(has(&s.facts, "here platform = \"linux\""));
	assert_true(talk_ask(t, CADENCE_CONFIG));
	assert_true(run_until(t, &sh, &s, 1, 2));
	assert_true(has(&s.facts, "here memlock = "));
	assert_true(talk_ask(t, CADENCE_LIVE));
	assert_true(run_until(t, &sh, &s, 1, 3));
	assert_true(has(&s.answers, "net - 0 0"));
	assert_true(s.device_us > 0);
	if (getenv("FABCON_SHOW"))
		printf("%s\n%s\n", s.answers.text, s.facts.text);

	close(sh.in);					/* the end of its input ends it */
	assert_int_equal(waitpid(sh.pid, &status, 0), sh.pid);
	assert_true(WIFEXITED(status));
	close(sh.out);
	talk_free(t);
	seen_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_real_shell_is_identified_and_answers_its_rounds),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
