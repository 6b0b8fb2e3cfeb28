#include "tests/bench/far.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remote/lab/systems.h"
#include "tests/bench/bench.h"
#include "tests/bench/canned.h"
#include "tests/lib/say.h"

/* -- the process -- */

static void on_signal(uv_signal_t *handle, int number)
{
	(void)number;
	server_stop(handle->data);
	uv_close((uv_handle_t *)handle, NULL);
}

static struct fabric *make_fabric(const char *name, unsigned hosts)
{
	struct fabric *f = fabric_new(1, 1);

	for (unsigned i = 0; i < hosts; i++) {
		char text[64], rack[16];

		snprintf(text, sizeof(text), "%s%u", name, i + 1);
		snprintf(rack, sizeof(rack), "rack%u", i / 16 + 1);
		fabric_add_device(f, span_of(text), lab_system_named(SPAN("linux")), span_of(rack))->speaker = &speaker_canned;
	}
	return f;
}

static void serve(const char *dir, const char *name, unsigned hosts, int ready)
{
	struct rlimit limit;
	uv_loop_t loop;
	uv_signal_t term;
	struct err err;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	signal(SIGPIPE, SIG_IGN);
	uv_loop_init(&loop);
	struct fabric *f = make_fabric(name, hosts);
	struct server *s = server_new(&loop, f, dir);
	uv_signal_init(&loop, &term);
	term.data = s;
	uv_signal_start(&term, on_signal, SIGTERM);
	if (!server_start(s, &err)) {
		fprintf(stderr, "%s\n", err.text);
		_exit(1);
	}
	if (write(ready, "!", 1) != 1)
		_exit(1);
	uv_run(&loop, UV_RUN_DEFAULT);
	_exit(0);
}

/* -- for the bench -- */

static bool read_hosts(struct far *f)
{
	size_t n;
	char *text = file_text(f->inventory, &n);
	struct err err = { 0 };
	bool is_read = text && inventory_read(&f->hosts, (struct span){ text, n }, f->inventory, &err);

	if (!is_read)
		fprintf(stderr, "%s\n", err.text);
	free(text);
	return is_read;
}

bool far_start(struct far *f, const char *name, unsigned hosts)
{
	double began_s = bench_wall_s();
	pid_t parent = getpid();
	int ready[2];
	char byte;

	*f = (struct far){ .dir = "/tmp/fabcon-far.XXXXXX" };
	inventory_init(&f->hosts);
	if (!mkdtemp(f->dir) || pipe(ready) < 0)
		return false;
	snprintf(f->key, sizeof(f->key), "%s/client_key", f->dir);
	snprintf(f->inventory, sizeof(f->inventory), "%s/inventory.yml", f->dir);
	snprintf(f->known_hosts, sizeof(f->known_hosts), "%s/known_hosts", f->dir);
	fflush(NULL);
	f->pid = fork();
	if (f->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(ready[0]);
		if (getppid() == parent)
			serve(f->dir, name, hosts, ready[1]);
		_exit(1);
	}
	close(ready[1]);
	bool is_up = read(ready[0], &byte, 1) == 1;
	close(ready[0]);
	f->took_s = bench_wall_s() - began_s;
	return is_up && read_hosts(f);
}

void far_stop(struct far *f)
{
	char command[128];

	if (f->pid > 0) {
		kill(f->pid, SIGCONT);
		kill(f->pid, SIGTERM);
		waitpid(f->pid, NULL, 0);
	}
	inventory_done(&f->hosts);
	snprintf(command, sizeof(command), "rm -rf %s", f->dir);
	if (system(command) != 0)
		fprintf(stderr, "%s: left behind\n", f->dir);
}

/* -- processes -- */

double process_cpu_s(pid_t pid)
{
	char path[64];
	unsigned long user, system;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	char *text = file_text(path, &n);
	const char *after = text ? strrchr(text, ')') : NULL;
	bool is_read = after && sscanf(after, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) == 2;
	free(text);
	return is_read ? (double)(user + system) / (double)sysconf(_SC_CLK_TCK) : -1;
}

static double status_mb(pid_t pid, const char *line)
{
	char path[64];
	double kb = -1;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	char *text = file_text(path, &n);
	const char *at = text ? strstr(text, line) : NULL;
	if (at)
		sscanf(at + strlen(line), "%lf", &kb);
	free(text);
	return kb < 0 ? -1 : kb / 1024;
}

double process_rss_mb(pid_t pid)
{
	return status_mb(pid, "\nVmRSS:");
}

double process_peak_mb(pid_t pid)
{
	return status_mb(pid, "\nVmHWM:");
}
