/*
 * The runner over a real sshd: two nodes that are this machine twice. Clients begin when servers listen, results come by test, what
 * does not work says why, and nothing is left when the console goes away.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/route/routes.h"
#include "remote/runner/runner.h"
#include "tests/lib/say.h"
#include "tests/lib/sshd.h"

#define PATIENCE_MS	60000
#define TICK_MS		50
#define TESTS_MAX	8
#define PATHS_MAX	8

static struct scene {
	struct sshd sshd;
	struct inventory inv;
	struct poller_options options;
	uv_loop_t loop;
	struct write_permit *permit;
	struct runner *runner;
	char paths[PATHS_MAX][128];
	unsigned n_paths;
	unsigned ended;
	bool is_done, is_late;
	int client_status[TESTS_MAX], server_status[TESTS_MAX];
	char client[TESTS_MAX][256], server[TESTS_MAX][256], why[TESTS_MAX][256];
} s;

/* A path in the server's directory, good for the whole test. */
static const char *path_of(const char *name)
{
	char *path = s.paths[s.n_paths++ % PATHS_MAX];

	snprintf(path, sizeof(s.paths[0]), "%s", sshd_path(&s.sshd, name));
	return path;
}

static const char *program(const char *name, const char *text)
{
	const char *path = path_of(name);

	sshd_write(&s.sshd, name, text);
	assert_int_equal(chmod(path, 0755), 0);
	return path;
}

/* Listens at the port behind -p, and ends when a client has come; prints and takes what perftest would. */
#define SERVER "#!/usr/bin/env python3\nimport socket, sys\nport = int(sys.argv[sys.argv.index('-p') + 1])\n" \
	"s = socket.socket()\ntry:\n s.bind(('127.0.0.1', port))\nexcept OSError:\n print(\"Couldn't listen to port\")\n sys.exit(1)\n" \
	"s.listen()\nc, a = s.accept()\nc.sendall(b'served')\nprint('served')\n"
#define CLIENT "#!/usr/bin/env python3\nimport socket, sys\nport = int(sys.argv[sys.argv.index('-p') + 1])\n" \
	"s = socket.create_connection(('127.0.0.1', port))\nprint('measured', s.recv(9).decode(), sys.argv[1])\n"
#define HANG "#!/usr/bin/env python3\nimport os, socket, sys, time\nport = int(sys.argv[sys.argv.index('-p') + 1])\n" \
	"open(sys.argv[1], 'w').write(str(os.getpid()))\ns = socket.socket()\ns.bind(('127.0.0.1', port))\ns.listen()\ntime.sleep(600)\n"

#define T(on, from, serve, ask, tcp, seconds) \
	{ .server = on, .client = from, .server_words = serve, .client_words = ask, .port = tcp, .limit_s = seconds }

static struct host *add_host(const char *name, unsigned port)
{
	struct host *h = GROW(s.inv.hosts, s.inv.n_hosts, s.inv.cap_hosts);

	s.inv.n_hosts++;
	*h = (struct host){ .name = name, .address = "127.0.0.1", .port = port };
	return h;
}

/* configuration: more of the server's; the name of a directory of programs in it, by "%s". */
static bool begin_with(const char *configuration)
{
	struct buf line = { 0 };
	struct err err;

	s = (struct scene){ 0 };
	if (!sshd_prepare(&s.sshd)) {
		puts("skip: no sshd on this machine");
		return false;
	}
	buf_printf(&line, configuration, s.sshd.dir);
	assert_true(sshd_launch(&s.sshd, line.text ? line.text : "", false));
	buf_clear(&line);
	inventory_init(&s.inv);
	uv_loop_init(&s.loop);
	char *key = sshd_public_key(&s.sshd, "host");
	buf_printf(&line, "[127.0.0.1]:%u %s\n", s.sshd.port, key);
	sshd_write(&s.sshd, "known_hosts", line.text);
	buf_done(&line);
	free(key);
	s.options = (struct poller_options){ .seed = 7, .hostkey = HOSTKEY_STRICT };
	s.options.known_hosts = xstrdup(sshd_path(&s.sshd, "known_hosts"));
	s.options.identity = xstrdup(sshd_path(&s.sshd, "id"));
	add_host("node1", s.sshd.port);
	add_host("node2", s.sshd.port);
	add_host("gone", 1);
	s.permit = write_permit_new("a test", 0, &err);
	assert_non_null(s.permit);
	return true;
}

static bool begin(void)
{
	return begin_with("%.0s");
}

static void end(void)
{
	runner_free(s.runner);
	uv_run(&s.loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&s.loop), 0);
	inventory_done(&s.inv);
	write_permit_free(s.permit);
	free((char *)s.options.known_hosts);
	free((char *)s.options.identity);
	sshd_stop(&s.sshd);
}

static void on_ended(void *ctx, size_t test, const struct runner_outcome *o)
{
	(void)ctx;
	s.ended++;
	s.client_status[test] = o->client.status;
	s.server_status[test] = o->server.status;
	snprintf(s.client[test], sizeof(s.client[test]), "%.*s", (int)o->client.text.n, o->client.text.p ? o->client.text.p : "");
	snprintf(s.server[test], sizeof(s.server[test]), "%.*s", (int)o->server.text.n, o->server.text.p ? o->server.text.p : "");
	snprintf(s.why[test], sizeof(s.why[test]), "%s", o->why ? o->why : "");
}

static void on_done(void *ctx)
{
	(void)ctx;
	s.is_done = true;
}

static void start(const struct runner_test *tests, size_t n)
{
	s.runner = runner_new(&s.loop, &s.inv, &s.options, s.permit, tests, n, &(struct runner_hooks){ .ended = on_ended, .done = on_done });
}

static unsigned ticks;

static void on_tick(uv_timer_t *timer)
{
	(void)timer;
	s.is_late = ++ticks * TICK_MS > PATIENCE_MS;
}

static void run_until(bool (*is_so)(const void *ctx), const void *ctx)
{
	uv_timer_t guard;

	uv_timer_init(&s.loop, &guard);
	ticks = 0;
	uv_timer_start(&guard, on_tick, TICK_MS, TICK_MS);
	while (!s.is_late && !is_so(ctx))
		uv_run(&s.loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&guard, NULL);
	uv_run(&s.loop, UV_RUN_NOWAIT);
	if (s.is_late)
		fail_msg("it never came: %u ended; \"%s\" \"%s\"", s.ended, s.why[0], s.client[0]);
}

static bool is_done(const void *ctx)
{
	(void)ctx;
	return s.is_done;
}

static void clients_begin_when_their_servers_listen(void **state)
{
	(void)state;
	if (!begin())
		return;
	const char *server = program("server", SERVER), *client = program("client", CLIENT);
	const char *const serve[] = { server, NULL }, *const one[] = { client, "one", NULL }, *const two[] = { client, "two", NULL },
		*const three[] = { client, "three", NULL };
	/* both servers of node1 want one port: the second gets the next; and node2 tests itself */
	const struct runner_test tests[] = {
		T("node1", "node2", serve, one, 18515, 20), T("node1", "node2", serve, two, 18515, 20), T("node2", "node2", serve, three, 18555, 20),
	};

	start(tests, 3);
	run_until(is_done, NULL);
	assert_int_equal(s.ended, 3);
	for (size_t i = 0; i < 3; i++) {
		if (*s.why[i] || s.client_status[i] || s.server_status[i])
			fail_msg("%zu: %s %d %d %s", i, s.why[i], s.client_status[i], s.server_status[i], s.client[i]);
		assert_string_equal(s.server[i], "served\n");
	}
	assert_string_equal(s.client[0], "measured served one\n");
	assert_string_equal(s.client[1], "measured served two\n");
	assert_string_equal(s.client[2], "measured served three\n");
	end();
}

/* One test that cannot be run says why; the others are run. */
static void what_cannot_be_run_stops_nothing_else(void **state)
{
	(void)state;
	if (!begin())
		return;
	const char *server = program("server", SERVER), *client = program("client", CLIENT);
	const char *const serve[] = { server, NULL }, *const ask[] = { client, "one", NULL }, *const none[] = { "/no/such/ib_write_bw", NULL },
		*const bad[] = { client, "a;b", NULL };
	const struct runner_test tests[] = {
		T("node1", "node2", serve, ask, 18615, 120), T("node1", "node2", none, ask, 18625, 20), T("gone", "node2", serve, ask, 18635, 20),
		T("node1", "node1", serve, bad, 18645, 5),
	};

	start(tests, 4);
	run_until(is_done, NULL);
	assert_string_equal(s.why[0], "");
	assert_string_equal(s.client[0], "measured served one\n");
	assert_string_equal(s.why[1], "node1: the server ended before it listened");
	assert_true(s.server_status[1] == 127 && strstr(s.server[1], "No such file"));
	if (strncmp(s.why[2], "gone: connect: 127.0.0.1 port 1: ", 33) != 0)
		fail_msg("%s", s.why[2]);
	if (!strstr(s.why[3], "is not allowed"))
		fail_msg("%s", s.why[3]);
	end();
}

static long pid_in(const char *path)
{
	FILE *file = fopen(path, "r");
	long pid = 0;

	if (file && fscanf(file, "%ld", &pid) != 1)
		pid = 0;
	if (file)
		fclose(file);
	return pid;
}

/* It lives, and is no zombie that waits for its new parent. */
static bool runs(const void *path)
{
	char stat[64], state = 'Z';
	long pid = pid_in(path);
	FILE *file;

	snprintf(stat, sizeof(stat), "/proc/%ld/stat", pid);
	file = pid ? fopen(stat, "r") : NULL;
	if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 'Z';
	if (file)
		fclose(file);
	return state != 'Z';
}

static bool is_gone(const void *path)
{
	return !runs(path);
}

/* The processes of sshd that hold our connections; not what they have started: that is to end by itself. */
static void cut_connections(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;

	while ((e = readdir(proc))) {
		char path[300], name[32] = "";
		int parent = 0;
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%s/stat", e->d_name);
		file = atoi(e->d_name) > 1 ? fopen(path, "r") : NULL;
		if (file && fscanf(file, "%*d (%31[^)]) %*c %d", name, &parent) == 2 && parent == s.sshd.pid && !strncmp(name, "sshd", 4))
			kill(atoi(e->d_name), SIGKILL);
		if (file)
			fclose(file);
	}
	closedir(proc);
}

/* The server hangs, its client with it: what the runner began is gone when it is stopped, and when its connection is cut. */
static void nothing_runs_on_when_we_are_gone(void **state)
{
	(void)state;
	for (int way = 0; way < 2; way++) {
		if (!begin())
			return;
		const char *pid = path_of("pid"), *client_pid = path_of("client_pid");
		const char *hang = program("hang", HANG),
			   *wait = program("wait", "#!/bin/sh\ntrap '' TERM HUP\necho $$ >$1\nwhile :; do sleep 1; done\n");
		const char *const serve[] = { hang, pid, NULL }, *const ask[] = { wait, client_pid, NULL };
		const struct runner_test tests[] = { T("node1", "node2", serve, ask, 18715, 600) };

		start(tests, 1);
		run_until(runs, client_pid);
		assert_true(runs(pid));
		if (way == 0)
			runner_stop(s.runner, "interrupted");
		else
			cut_connections();	/* as when the machine of the console has died */
		run_until(is_gone, client_pid);
		run_until(is_gone, pid);
		run_until(is_done, NULL);
		assert_true(*s.why[0]);
		if (way == 0)
			assert_string_equal(s.why[0], "node2: interrupted");
		end();
	}
}

static void a_command_runs_without_a_server(void **state)
{
	(void)state;
	if (!begin())
		return;
	const char *const words[] = { "echo", "link", "mlx5_0/1", NULL }, *const none[] = { "/no/such/rdma", "resource", NULL };
	const struct runner_test tests[] = { { .client = "node1", .client_words = words, .limit_s = 20 },
					     { .client = "node2", .client_words = none, .limit_s = 20 } };

	start(tests, 2);
	run_until(is_done, NULL);
	assert_string_equal(s.client[0], "link mlx5_0/1\n");
	assert_int_equal(s.client_status[0], 0);
	assert_int_equal(s.client_status[1], 127);
	assert_string_equal(s.why[1], "");
	end();
}

/* busybox's timeout becomes the command, so that its status is that of the signal; who ends it before its limit is somebody else. */
static void the_time_limit_is_told_whatever_timeout_is_there(void **state)
{
	(void)state;
	if (!begin_with("SetEnv PATH=%s:/usr/sbin:/usr/bin:/sbin:/bin\n"))
		return;
	program("timeout", "#!/bin/sh\nlimit=$1 self=$$\nshift\n(sleep $limit; kill -TERM $self) &\nexec \"$@\"\n");
	const char *const wait[] = { "sleep", "600", NULL },
		   *const ends[] = { program("ends", "#!/bin/sh\nkill -TERM $$\n"), NULL };
	const struct runner_test tests[] = { { .client = "node1", .client_words = wait, .limit_s = 2 },
					     { .client = "node2", .client_words = ends, .limit_s = 60 } };

	start(tests, 2);
	run_until(is_done, NULL);
	assert_int_equal(s.client_status[0], 124);
	assert_int_equal(s.client_status[1], 143);
	end();
}

/* It listens by RDMA CM alone: at no TCP port, but in the list that "rdma resource show cm_id" prints. */
static void a_server_that_listens_by_rdma_cm_has_its_client(void **state)
{
	(void)state;
	if (!begin_with("SetEnv PATH=%s:/usr/sbin:/usr/bin:/sbin:/bin\n"))
		return;
	const char *list = path_of("list");

	program("rdma", "#!/bin/sh\ncat \"${0%/*}/list\" 2>/dev/null\n");
	const char *const serve[] = { program("server", "#!/bin/sh\nsleep 1\necho \"link rxe0/- cm-idn 0 state LISTEN ps TCP pid $$ comm "
							"rping src-addr 0.0.0.0:$3 \" >$1\nsleep 2\necho served\n"), list, NULL };
	const char *const ask[] = { program("client", "#!/bin/sh\ncat \"$1\"\n"), list, NULL };
	const struct runner_test tests[] = { T("node1", "node2", serve, ask, 19015, 60) };

	start(tests, 1);
	run_until(is_done, NULL);
	assert_string_equal(s.why[0], "");
	assert_non_null(strstr(s.client[0], "0.0.0.0:19015"));
	assert_string_equal(s.server[0], "served\n");
	end();
}

/* Where the RDMA device does not tell its address, no client is sent anywhere. */
static void without_an_address_no_client_begins(void **state)
{
	(void)state;
	if (!begin())
		return;
	const char *const serve[] = { program("server", SERVER), NULL }, *const ask[] = { program("client", CLIENT), "one", NULL };
	const struct runner_test tests[] = { { .server = "node1", .client = "node2", .server_words = serve, .client_words = ask, .port = 18915,
					       .limit_s = 120, .device = "no-such-rdma", .gid_index = 3 } };

	start(tests, 1);
	run_until(is_done, NULL);
	assert_string_equal(s.why[0], "node1: the GID has no address");
	assert_string_equal(s.client[0], "");
	end();
}

/* A server that stays when its client has gone is ended, and what was measured counts. */
static void a_server_that_stays_is_ended(void **state)
{
	(void)state;
	if (!begin())
		return;
	const char *pid = path_of("pid");
	const char *const serve[] = { program("hang", HANG), pid, NULL }, *const ask[] = { "echo", "measured", NULL };
	const struct runner_test tests[] = { T("node1", "node2", serve, ask, 18815, 600) };

	start(tests, 1);
	run_until(is_done, NULL);
	assert_string_equal(s.why[0], "");
	assert_int_equal(s.client_status[0], 0);
	assert_int_equal(s.server_status[0], -1);
	run_until(is_gone, pid);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clients_begin_when_their_servers_listen),
		cmocka_unit_test(what_cannot_be_run_stops_nothing_else),
		cmocka_unit_test(nothing_runs_on_when_we_are_gone),
		cmocka_unit_test(a_command_runs_without_a_server),
		cmocka_unit_test(the_time_limit_is_told_whatever_timeout_is_there),
		cmocka_unit_test(a_server_that_listens_by_rdma_cm_has_its_client),
		cmocka_unit_test(without_an_address_no_client_begins),
		cmocka_unit_test(a_server_that_stays_is_ended),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
