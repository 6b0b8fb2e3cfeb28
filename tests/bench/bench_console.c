/*
 * The console itself, as a person has it: fabcon in tmux, 200x60, on 512 hosts of 36 KB each second, recording. CPU and
 * memory while ten keys a second are typed, each of which is a picture; how soon a key is seen; and what stays on hosts
 * when it is killed.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/bench/bench.h"
#include "tests/bench/canned.h"
#include "tests/bench/far.h"
#include "tests/lib/run.h"
#include "tests/lib/sshd.h"
#include "tests/lib/tty.h"

#define HOSTS		BENCH_SIZE(512, 24)
#define PORTS		6
#define WINDOW_S	BENCH_SIZE(20, 2)
#define KEYS		BENCH_SIZE(100, 20)
#define PATIENCE_S	60

/* The first line that a command about our tmux prints; yours to free. */
static char *read_command(const char *format, const char *socket)
{
	char command[200], line[200] = "";

	snprintf(command, sizeof(command), format, socket);
	FILE *f = popen(command, "r");
	if (!f || !fgets(line, sizeof(line), f))
		line[0] = '\0';
	if (f)
		pclose(f);
	return xstrdup(line);
}

/* The console in a tmux of its own, whose client has our terminal; it ends by itself should we be killed. */
static struct tty *open_console(const struct far *f, const char *socket)
{
	char *command = xasprintf("exec timeout --foreground 300 %s -i %s --host-key strict --no-input --record %s/r.fabcon tui ports",
				  program_path("fabcon"), f->inventory, f->dir);
	struct tty *t = TTY(60, 200, "/usr/bin/tmux", "-L", socket, "-f", "/dev/null", "new-session", "-x", "200", "-y", "60",
			    command);

	free(command);
	return t;
}

/* Keys at ten a second for a while: down and up again. */
static void type_for(struct tty *t, double s)
{
	double began_s = bench_wall_s();

	for (unsigned i = 0; bench_wall_s() < began_s + s; i++) {
		tty_type(t, i % 2 ? "k" : "j");
		while (bench_wall_s() < began_s + (i + 1) * 0.1) {
			tty_runs(t);
			usleep(5000);
		}
	}
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* From the key's write until its picture is in the terminal: the help comes and goes. */
static bool key_to_paint(struct tty *t)
{
	double ms[KEYS];

	for (unsigned i = 0; i < KEYS; i++) {
		double began_s = bench_wall_s();

		tty_type(t, i % 2 ? "q" : "?");
		if (i % 2 ? !tty_hides(t, "-- Help", PATIENCE_S) : !tty_shows(t, "-- Help", PATIENCE_S))
			return false;
		ms[i] = (bench_wall_s() - began_s) * 1e3;
		usleep(60000 + i * 1000 % 17000);	/* not in step with the seconds of the hosts */
	}
	qsort(ms, KEYS, sizeof(*ms), compare);
	bench_row("key to paint in tmux, 512 hosts and recording: p50", ms[KEYS / 2], "ms", JUST_SAID, 0);
	bench_row("key to paint in tmux, 512 hosts and recording: p99", ms[KEYS * 99 / 100 - 1], "ms", AT_MOST, 16);
	return true;
}

static bool measure(struct tty *t, const char *socket)
{
	char *text = read_command("pgrep -P $(tmux -L %s display -p '#{pane_pid}')", socket);
	pid_t pid = atoi(text);

	free(text);
	if (pid <= 0 || process_cpu_s(pid) < 0)
		return false;
	type_for(t, 10);	/* all are reached, and have said everything once */
	double cpu_s = process_cpu_s(pid), wall_s = bench_wall_s();
	type_for(t, WINDOW_S);
	bench_row("whole console, 512 hosts at 1 Hz, recording, 10 fps: a core",
		  100 * (process_cpu_s(pid) - cpu_s) / (bench_wall_s() - wall_s), "%", AT_MOST, 8);
	bench_row("whole console: memory at most", process_peak_mb(pid), "MB", AT_MOST, 160);
	return key_to_paint(t);
}

static bool in_tmux(void)
{
	char socket[64];
	struct far f;
	bool is_done = false;

	if (access("/usr/bin/tmux", X_OK) < 0)
		return bench_cannot("tmux is not installed");
	snprintf(socket, sizeof(socket), "fabcon-bench-%d", getpid());
	if (!canned_make(PORTS) || !far_start(&f, "node", HOSTS))
		return false;
	setenv("TMUX_TMPDIR", f.dir, 1);	/* its socket goes with the directory */
	struct tty *t = open_console(&f, socket);
	if (tty_shows(t, "LIVE", PATIENCE_S))
		is_done = measure(t, socket);
	if (!is_done)
		fprintf(stderr, "bench_console: it does not show what it should:\n%s\n", tty_screen(t));
	free(read_command("tmux -L %s kill-server", socket));
	tty_close(t);
	far_stop(&f);
	canned_done();
	return is_done;
}

/* -- what stays behind -- */

static void write_inventory(const struct sshd *d)
{
	struct buf text = { 0 };
	char *key = sshd_public_key(d, "host");

	buf_printf(&text, "[127.0.0.1]:%u %s\n", d->port, key);
	sshd_write(d, "known_hosts", text.text);
	buf_clear(&text);
	buf_printf(&text, "all:\n  vars:\n    ansible_host: 127.0.0.1\n    ansible_port: %u\n"
			  "    ansible_ssh_private_key_file: %s/id\n    fabcon_known_hosts: known_hosts\n  hosts:\n", d->port, d->dir);
	for (int i = 1; i <= 8; i++)
		buf_printf(&text, "    node%d:\n", i);
	sshd_write(d, "inventory.yml", text.text);
	buf_done(&text);
	free(key);
}

static bool killed(void)
{
	struct sshd d;
	unsigned there = 0, left = 0;

	if (!sshd_start(&d, "MaxStartups 100\n"))
		return bench_cannot("there is no sshd on this machine");
	write_inventory(&d);
	struct tty *t = TTY(24, 80, "fabcon", "-i", sshd_path(&d, "inventory.yml"), "--no-input", "tui", "devices");
	bool is_up = tty_shows(t, "dev 8/8", PATIENCE_S);
	if (is_up) {
		double began_s = bench_wall_s();

		there = sshd_signal_children(&d, 0);
		kill(tty_pid(t), SIGKILL);
		while ((left = sshd_signal_children(&d, 0)) && bench_wall_s() < began_s + 2)
			usleep(50000);
		bench_row("console killed -9: processes of ours on the hosts before", there, "", AT_LEAST, 8);
		bench_row("console killed -9: left after two periods", left, "", AT_MOST, 0);
	} else {
		fprintf(stderr, "bench_console: it does not come up:\n%s\n", tty_screen(t));
	}
	tty_close(t);
	sshd_stop(&d);
	return is_up;
}

int main(void)
{
	bool is_done = in_tmux();

	is_done = killed() && is_done;
	return bench_end() || !is_done;
}
