/*
 * What the screens showed live is what the recording replays: a lab is looked at and recorded, every screen is drawn into
 * memory at twenty times, and a replay that may not open a socket draws each of them again.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/lab.h"
#include "tests/lib/screen.h"
#include "tests/lib/say.h"
#include "tui/session/read_fabric.h"
#include "tui/session/session.h"
#include "tui/console/timeline_control.h"

#define TIMES	(getenv("SCREENS_TIMES") ? (unsigned)atoi(getenv("SCREENS_TIMES")) : 20)
#define ROWS	36
#define COLS	120

/* All screens at one time. */
struct dump {
	int64_t at_us;
	char *screens[SCREEN_COUNT];
};

static struct lab lab;
static struct dump dumps[1000];
static size_t n_dumps;
static char recording[128];

static void draw_all(struct session *session, struct screen_test *t, char *screens[SCREEN_COUNT])
{
	struct stage stage = { 0 };
	struct timeline_control travel;
	struct view_of of;

	timeline_control_begin(&travel, session, &stage);
	for (enum screen_id id = 0; id < SCREEN_COUNT; id++) {
		stage.screen = id;
		travel.serial++;
		timeline_control_view(&travel, &of);
		stage_draw(&stage, screen_draw(t), &of);
		screens[id] = xstrdup(screen_text(t));
	}
	stage_done(&stage);
}

/* -- live -- */

struct live {
	struct session *session;
	struct screen_test *terminal;
	uv_loop_t loop;
	uv_timer_t timer;
	unsigned waited;
};

static void look(uv_timer_t *timer)
{
	struct live *l = timer->data;
	struct poller_count count;

	session_tick(l->session);
	if (!read_fabric_is_read(l->session, &count)) {
		if (++l->waited > 120)
			uv_stop(&l->loop);
		return;
	}
	session_judge(l->session);
	draw_all(l->session, l->terminal, dumps[n_dumps].screens);
	dumps[n_dumps].at_us = model_now(session_model(l->session));
	if (++n_dumps >= TIMES)
		uv_stop(&l->loop);
}

static void close_handle(uv_handle_t *handle, void *ctx)
{
	(void)ctx;
	if (!uv_is_closing(handle))
		uv_close(handle, NULL);
}

static void look_live(void)
{
	struct session_options options = { .inventory = lab.inventory, .record = recording, .poller = { .hostkey = HOSTKEY_STRICT } };
	struct live l = { .terminal = screen_open(ROWS, COLS, true, NULL) };
	struct err err;

	screen_dress(l.terminal, 0);
	uv_loop_init(&l.loop);
	l.session = session_live(&l.loop, &options, NULL, &err);
	if (!l.session)
		fail_msg("%s", err.text);
	uv_timer_init(&l.loop, &l.timer);
	l.timer.data = &l;
	uv_timer_start(&l.timer, look, 500, 700);
	uv_run(&l.loop, UV_RUN_DEFAULT);
	session_free(l.session);
	uv_walk(&l.loop, close_handle, NULL);
	uv_run(&l.loop, UV_RUN_DEFAULT);
	uv_loop_close(&l.loop);
	screen_close(l.terminal);
}

/* -- replay -- */

/* From here on, the first socket that this process opens ends it. */
static void forbid_sockets(void)
{
	struct sock_filter rows[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { .len = sizeof(rows) / sizeof(*rows), .filter = rows };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		printf("skip: this system cannot forbid a process its sockets\n");
}

/* Adds a row without its numbers before a word: how often a session judged is its own. */
static void add_without_count(struct buf *out, struct span row, const char *word)
{
	const char *at = span_find(row, word);
	size_t n = at ? (size_t)(at - row.p) : row.n;

	if (!at || !n || row.p[n - 1] < '0' || row.p[n - 1] > '9') {
		buf_add(out, row.p, row.n);
		return;
	}
	while (n && ((row.p[n - 1] >= '0' && row.p[n - 1] <= '9') || row.p[n - 1] == ' '))
		n--;
	buf_add(out, row.p, n);
	at += strlen(word) + span_starts((struct span){ at + strlen(word), (size_t)(row.p + row.n - at) - strlen(word) }, "s");
	buf_add(out, at, (size_t)(row.p + row.n - at));
}

/* The name of the screen that is open. */
static void add_tab(struct buf *out, struct span row)
{
	const char *from = span_find(row, "["), *to = span_find(row, "]");

	if (from && to)
		buf_add(out, from, (size_t)(to - from));
}

/*
 * A screen without what is about the session that shows it: LIVE, REPLAY, the way through time and REC in the header, the
 * keys of time beside the tabs, how often a finding was seen, and since when something is not known: a recording keeps when
 * faults opened, not when a session first missed a fact. All else must be the same.
 */
static void add_normal(struct buf *out, const char *screen)
{
	struct span rest = span_of(screen), row;

	for (unsigned y = 0; span_line(&rest, &row); y++) {
		const char *counts = y ? NULL : span_find(row, "CRIT"), *end = y ? NULL : span_find(row, "| RO");

		if (row.n > 80 && span_starts((struct span){ row.p + 2, row.n - 2 }, "??"))
			row.n = 80;
		if (y == 0 && counts && end)
			buf_add(out, counts - 3, (size_t)(end - counts) + 3);
		else if (y == 1)
			add_tab(out, row);
		else
			add_without_count(out, row, span_find(row, "seen ") && span_find(row, " time") ? " time" :
					  span_find(row, "x open") ? "x open" : "x after");
		buf_str(out, "\n");
	}
}

static unsigned compare_rows(const struct dump *d, enum screen_id id, struct span live, struct span again)
{
	unsigned differ = 0;
	struct span a, b;

	for (unsigned y = 0; span_line(&live, &a) && span_line(&again, &b); y++) {
		if (span_same(a, b))
			continue;
		differ = 1;
		fprintf(stderr, "%s at %lld, row %u was live\n%.*s\nand is in replay\n%.*s\n", screen_names[id].title,
			(long long)d->at_us, y, (int)a.n, a.p, (int)b.n, b.p);
	}
	return differ;
}

/* History shows all of a recording, so also what came later: what it showed live must be among it. */
static unsigned compare_history(const struct dump *d, const char *again)
{
	struct span rest = span_of(d->screens[SCREEN_HISTORY]), row;
	unsigned differ = 0;

	while (span_line(&rest, &row)) {
		struct buf event = { 0 };

		if (row.n < 12 || row.p[4] != ':' || row.p[7] != ':' || row.p[10] != 'Z')
			continue;
		buf_add(&event, row.p + 2, row.n - 2);
		if (!strstr(again, event.text)) {
			fprintf(stderr, "History at %lld had live\n%s\nand has in replay\n%s", (long long)d->at_us, event.text, again);
			differ = 1;
		}
		buf_done(&event);
	}
	return differ;
}

static unsigned compare(const struct dump *d, char *again[SCREEN_COUNT])
{
	unsigned differ = 0;

	for (enum screen_id id = 0; id < SCREEN_COUNT; id++) {
		struct buf live = { 0 }, replayed = { 0 };

		add_normal(&live, d->screens[id]);
		add_normal(&replayed, again[id]);
		differ += id == SCREEN_HISTORY ? compare_history(d, again[id]) :
			  compare_rows(d, id, buf_span(&live), buf_span(&replayed));
		buf_done(&live);
		buf_done(&replayed);
		free(again[id]);
	}
	return differ;
}

/* Ends with the number of screens that differ. */
static void replay_all(void)
{
	struct screen_test *t = screen_open(ROWS, COLS, true, NULL);
	unsigned differ = 0;
	struct err err;
	struct session *s;

	screen_dress(t, 0);
	forbid_sockets();
	s = session_replay(recording, NULL, &err);
	for (size_t i = 0; s && i < n_dumps; i++) {
		char *again[SCREEN_COUNT];

		if (!session_seek(s, dumps[i].at_us, &err))
			_exit(254);
		draw_all(s, t, again);
		differ += compare(&dumps[i], again);
	}
	_exit(!s ? 255 : differ < 200 ? (int)differ : 200);
}

static void screens_of_a_replay_are_those_of_the_live_run(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	look_live();
	assert_int_equal(n_dumps, TIMES);
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		replay_all();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFEXITED(status))
		fail_msg("the replay was ended by signal %d: did it open a socket?", WTERMSIG(status));
	printf("%zu times, %d screens differ\n", n_dumps, WEXITSTATUS(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* What the other test relies on. */
static void the_first_socket_ends_who_may_open_none(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		forbid_sockets();
		_exit(socket(AF_INET, SOCK_STREAM, 0) >= 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
}

static int begin(void **state)
{
	(void)state;
	if (!LAB(&lab, "--nodes", "2", "--leaves", "2", "--fault", "trust-pcp"))
		return -1;
	snprintf(recording, sizeof(recording), "%s/screens.fabcon", lab.dir);
	return 0;
}

static int end(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_dumps; i++)
		for (size_t k = 0; k < SCREEN_COUNT; k++)
			free(dumps[i].screens[k]);
	lab_stop(&lab);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_socket_ends_who_may_open_none),
		cmocka_unit_test(screens_of_a_replay_are_those_of_the_live_run),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
