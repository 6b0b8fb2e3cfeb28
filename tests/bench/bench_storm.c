/*
 * A login storm: 200 hosts behind one sshd as it comes, which drops at random from the tenth login in the making. Each is
 * named as a system that is not spoken, so that a login is all that happens to it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/poll/poller.h"
#include "tests/bench/bench.h"
#include "tests/lib/say.h"
#include "tests/lib/sshd.h"

#define HOSTS		BENCH_SIZE(200, 24)
#define PATIENCE_S	60

struct storm {
	struct sshd sshd;
	struct inventory inv;
	uv_loop_t loop;
	struct poller *poller;
	uv_timer_t watch;
	double began_s, took_s;
	unsigned logged_in, retried;
};

static void observed(void *ctx, struct obs *o)
{
	struct storm *s = ctx;
	struct buf text = { 0 };

	obs_print(o, &text);
	s->logged_in += strstr(text.text, "names a system that is not spoken") != NULL;
	s->retried += strstr(text.text, "state = retrying") != NULL;
	buf_done(&text);
}

static void look(uv_timer_t *watch)
{
	struct storm *s = watch->data;

	s->took_s = bench_wall_s() - s->began_s;
	if (s->logged_in == HOSTS || s->took_s > PATIENCE_S)
		uv_stop(&s->loop);
}

static void run(struct storm *s)
{
	struct poller_options options = { .hostkey = HOSTKEY_ACCEPT_NEW, .known_hosts = sshd_path(&s->sshd, "known_hosts"),
					  .identity = sshd_path(&s->sshd, "id") };
	struct poller_hooks hooks = { .ctx = s, .observed = observed };

	uv_loop_init(&s->loop);
	uv_timer_init(&s->loop, &s->watch);
	s->watch.data = s;
	s->poller = poller_new(&s->loop, &s->inv, &options, &hooks);
	s->began_s = bench_wall_s();
	poller_start(s->poller);
	uv_timer_start(&s->watch, look, 10, 10);
	uv_run(&s->loop, UV_RUN_DEFAULT);
	poller_free(s->poller);
	uv_close((uv_handle_t *)&s->watch, NULL);
	uv_run(&s->loop, UV_RUN_DEFAULT);
	uv_loop_close(&s->loop);
}

/* The most logins in the making at once, as sshd's log tells them; one that only asked whether it listens was closed. */
static int most_at_once(const struct sshd *d)
{
	char *log = file_text(sshd_path(d, "log"), NULL);
	struct span rest = span_of(log ? log : ""), line;
	int now = 0, most = 0;

	while (span_line(&rest, &line)) {
		now += span_starts(line, "Connection from ");
		now -= span_starts(line, "Accepted ") || span_starts(line, "Connection closed by ");
		most = now > most ? now : most;
	}
	free(log);
	return most;
}

int main(void)
{
	static char names[HOSTS][8];
	struct storm s = { 0 };

	if (!sshd_start(&s.sshd, "MaxStartups 10:30:100\n")) {
		bench_cannot("there is no sshd on this machine");
		return bench_end();
	}
	inventory_init(&s.inv);
	for (int i = 0; i < HOSTS; i++) {
		struct host *h = GROW(s.inv.hosts, s.inv.n_hosts, s.inv.cap_hosts);

		s.inv.n_hosts++;
		snprintf(names[i], sizeof(names[i]), "n%d", i);
		*h = (struct host){ .name = names[i], .address = "127.0.0.1", .port = s.sshd.port, .platform = "os9" };
	}
	run(&s);
	bench_row("login storm: of 200 hosts behind one sshd, logged in", s.logged_in, "hosts", AT_LEAST, HOSTS);
	bench_row("login storm: until all are", s.took_s, "s", AT_MOST, PATIENCE_S);
	bench_row("login storm: most in authentication at once", most_at_once(&s.sshd), "", AT_MOST, 8);
	bench_row("login storm: tried again", s.retried, "", JUST_SAID, 0);
	inventory_done(&s.inv);
	sshd_stop(&s.sshd);
	return bench_end();
}
