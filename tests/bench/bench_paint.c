/*
 * What a person waits for, and what goes to the terminal meanwhile: the first picture of a recording, keys while hosts
 * hang, frames against whole redraws, and a console that shows a fabric where nothing happens.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/bench/bench.h"
#include "tests/bench/canned.h"
#include "tests/bench/far.h"
#include "tests/bench/written.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"

#define ROWS		60
#define COLS		200
#define PATIENCE_S	60
#define ROUNDS		BENCH_SIZE(5, 1)
#define KEYS		BENCH_SIZE(100, 12)
#define HANGING		BENCH_SIZE(64, 8)
#define WINDOW_S	BENCH_SIZE(5, 1)
#define REST_S		BENCH_SIZE(4, 1)	/* until what was begun is done: histories read, first rounds over */
#define LARGE		BENCH_SIZE(128, 8)	/* hosts */
#define LARGE_SHOWN	BENCH_SIZE("1024 links", "64 links")
#define LENGTHY_S	BENCH_SIZE(8 * 3600, 1800)

static char dir[64];

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* -- first pictures -- */

static struct tty *open_recording(const char *path, const char *screen)
{
	return TTY(ROWS, COLS, "fabcon", "--fresh", "replay", path, "tui", screen);
}

/* The wall time and CPU of the middle one of some openings, until the screen shows what it is about. */
static bool first_picture(const char *path, const char *screen, const char *shown, const char *what)
{
	double wall_ms[ROUNDS], cpu_ms[ROUNDS];
	char row[96];

	for (unsigned i = 0; i < ROUNDS; i++) {
		double began_s = bench_wall_s();
		struct tty *t = open_recording(path, screen);
		bool is_shown = tty_shows(t, shown, PATIENCE_S);

		wall_ms[i] = (bench_wall_s() - began_s) * 1e3;
		cpu_ms[i] = process_cpu_s(tty_pid(t)) * 1e3;
		if (!is_shown)
			fprintf(stderr, "bench_paint: \"%s\" does not come:\n%s\n", shown, tty_screen(t));
		tty_close(t);
		if (!is_shown)
			return false;
	}
	qsort(wall_ms, ROUNDS, sizeof(*wall_ms), compare);
	qsort(cpu_ms, ROUNDS, sizeof(*cpu_ms), compare);
	snprintf(row, sizeof(row), "%s: CPU", what);
	bench_row(row, cpu_ms[ROUNDS / 2], "ms", JUST_SAID, 0);
	bench_row(what, wall_ms[ROUNDS / 2], "ms", AT_MOST, 200);
	return true;
}

static bool of_recordings(const char *large, const char *lengthy)
{
	return written_make(large, &(struct written_plan){ .hosts = LARGE, .ports = 8, .lasts_s = 100, .every_s = 1 }) &&
	       written_make(lengthy, &(struct written_plan){ .hosts = 4, .ports = 4, .lasts_s = LENGTHY_S, .every_s = 5 }) &&
	       first_picture(large, "ports", LARGE_SHOWN, "recording of 1024 links: first picture") &&
	       first_picture(large, "overview", LARGE_SHOWN, "recording of 1024 links: first picture of the overview") &&
	       first_picture(lengthy, "history", "16 links", "recording of 8 hours: first picture of history");
}

/* What the terminal got in a while in which nobody typed. */
static double bytes_in(struct tty *t, double s)
{
	double began_s = bench_wall_s();
	size_t before;

	tty_runs(t);
	before = tty_bytes(t)->n;
	while (bench_wall_s() < began_s + s && tty_runs(t))
		usleep(5000);
	return (double)(tty_bytes(t)->n - before);
}

/* -- keys -- */

/* From the key's write until its picture is in the terminal: the help comes and goes. */
static double key_to_paint_ms(struct tty *t, const char *what)
{
	double ms[KEYS];

	for (unsigned i = 0; i < KEYS; i++) {
		double began_s = bench_wall_s();

		tty_type(t, i % 2 ? "q" : "?");
		if (i % 2 ? !tty_hides(t, "-- Help", PATIENCE_S) : !tty_shows(t, "-- Help", PATIENCE_S))
			return -1;
		ms[i] = (bench_wall_s() - began_s) * 1e3;
		usleep(50000 + i * 1000 % 17000);	/* not in step with the seconds of the hosts */
	}
	qsort(ms, KEYS, sizeof(*ms), compare);
	char row[96];
	snprintf(row, sizeof(row), "key to paint, %s: p50", what);
	bench_row(row, ms[KEYS / 2], "ms", JUST_SAID, 0);
	return ms[KEYS * 99 / 100 - 1];
}

static bool idle_keys(const char *large, double *p99_ms)
{
	struct tty *t = open_recording(large, "ports");
	bool is_shown = tty_shows(t, LARGE_SHOWN, PATIENCE_S);
	double cpu_s = process_cpu_s(tty_pid(t));

	bytes_in(t, REST_S);
	bench_row("recording of 1024 links: CPU of its histories, after the first picture",
		  (process_cpu_s(tty_pid(t)) - cpu_s) * 1e3, "ms", JUST_SAID, 0);
	*p99_ms = is_shown ? key_to_paint_ms(t, "a replay that stands") : -1;
	tty_close(t);
	return *p99_ms >= 0;
}

/* A frame each half second against the same screen drawn whole, by ^L. */
static void frames_against_redraws(struct tty *t, const char *what)
{
	char row[96];
	double frame = bytes_in(t, WINDOW_S) / (2 * WINDOW_S), whole;
	size_t before;

	tty_settle(t, PATIENCE_S);
	before = tty_bytes(t)->n;
	tty_type(t, "\f");
	bytes_in(t, 0.3);
	whole = (double)(tty_bytes(t)->n - before);
	snprintf(row, sizeof(row), "%s: bytes of a frame", what);
	bench_row(row, frame, "B", JUST_SAID, 0);
	snprintf(row, sizeof(row), "%s: a whole redraw over a frame", what);
	bench_row(row, whole / (frame > 0 ? frame : 1), "x", AT_LEAST, 4);
}

/* -- hosts that hang -- */

static char *file_in_dir(const char *name, FILE **f)
{
	char *path = xasprintf("%s/%s", dir, name);

	*f = fopen(path, "w");
	if (!*f)
		abort();
	return path;
}

static void write_hosts(FILE *f, const struct far *of)
{
	for (size_t i = 0; i < of->hosts.n_hosts; i++)
		fprintf(f, "    %s: {ansible_port: %u, ansible_ssh_private_key_file: %s}\n", of->hosts.hosts[i].name,
			of->hosts.hosts[i].port, of->key);
}

/* The hosts of both sides as one fabric; its inventory. */
static char *join(const struct far *a, const struct far *b)
{
	FILE *f;
	char *path = file_in_dir("inventory.yml", &f);
	char *command = xasprintf("cat %s %s > %s/known_hosts", a->known_hosts, b->known_hosts, dir);

	fputs("all:\n  vars: {ansible_host: 127.0.0.1, ansible_user: root, fabcon_known_hosts: known_hosts, fabcon_platform: linux}\n"
	      "  hosts:\n", f);
	write_hosts(f, a);
	write_hosts(f, b);
	fclose(f);
	if (system(command) != 0)
		abort();
	free(command);
	return path;
}

static bool keys_while(struct tty *t, struct far *hanging, double idle_ms)
{
	double well_ms, hung_ms;

	bytes_in(t, REST_S);		/* the first rounds, of settings too, are over */
	well_ms = key_to_paint_ms(t, "128 hosts, all well");
	frames_against_redraws(t, "128 hosts");
	kill(hanging->pid, SIGSTOP);
	if (!tty_shows(t, "stale", PATIENCE_S))
		return false;
	hung_ms = key_to_paint_ms(t, "64 of 128 hosts hang");
	kill(hanging->pid, SIGCONT);
	bench_row("key to paint, a replay that stands: p99", idle_ms, "ms", JUST_SAID, 0);
	bench_row("key to paint, 128 hosts, all well: p99", well_ms, "ms", AT_MOST, 50);
	bench_row("key to paint, 64 of 128 hosts hang: p99", hung_ms, "ms", AT_MOST, 50);
	return well_ms >= 0 && hung_ms >= 0;
}

static bool with_hosts(double idle_ms)
{
	struct far well, hanging;
	bool is_done = false;

	if (!canned_make(6) || !far_start(&well, "node", HANGING) || !far_start(&hanging, "hangs", HANGING))
		return false;
	char *inventory = join(&well, &hanging);
	struct tty *t = TTY(ROWS, COLS, "fabcon", "-i", inventory, "--host-key", "strict", "--no-input", "tui", "devices");
	char all[32];

	snprintf(all, sizeof(all), "dev %d/%d", 2 * HANGING, 2 * HANGING);
	if (tty_shows(t, all, PATIENCE_S))
		is_done = keys_while(t, &hanging, idle_ms);
	if (!is_done)
		fprintf(stderr, "bench_paint: it does not show what it should:\n%s\n", tty_screen(t));
	tty_close(t);
	far_stop(&well);
	far_stop(&hanging);
	canned_done();
	free(inventory);
	return is_done;
}

/* -- nothing happens -- */

static double switches_of(pid_t pid)
{
	char path[64];
	size_t n;
	double count = -1;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	char *text = file_text(path, &n), *at = text ? strstr(text, "\nvoluntary_ctxt_switches:") : NULL;
	if (at)
		sscanf(at, "\nvoluntary_ctxt_switches: %lf", &count);
	free(text);
	return count;
}

static void measure_calm(struct tty *t, const char *what, double bytes_a_minute)
{
	double cpu_s = process_cpu_s(tty_pid(t)), switches = switches_of(tty_pid(t)), began_s = bench_wall_s();
	double bytes = bytes_in(t, 2 * WINDOW_S), wall_s = bench_wall_s() - began_s;
	char row[96];

	snprintf(row, sizeof(row), "%s: bytes to the terminal a minute", what);
	bench_row(row, bytes * 60 / wall_s, "B", AT_MOST, bytes_a_minute);
	snprintf(row, sizeof(row), "%s: wake-ups a second", what);
	bench_row(row, (switches_of(tty_pid(t)) - switches) / wall_s, "", JUST_SAID, 0);
	snprintf(row, sizeof(row), "%s: a core", what);
	bench_row(row, 100 * (process_cpu_s(tty_pid(t)) - cpu_s) / wall_s, "%", AT_MOST, 2);
}

static bool calm(const char *large)
{
	struct tty *t = open_recording(large, "ports");
	struct lab lab;
	bool is_shown = tty_shows(t, LARGE_SHOWN, PATIENCE_S);

	bytes_in(t, REST_S);		/* its histories are read */
	measure_calm(t, "a replay that stands", 0);
	tty_close(t);
	if (!is_shown || !LAB(&lab, "--nodes", "8", "--rails", "4", "--leaves", "4", "--traffic", "off"))
		return false;
	t = TTY(36, 120, "fabcon", "-i", lab.inventory, "--host-key", "strict", "--no-input", "tui", "overview");
	is_shown = tty_shows(t, "dev 12/12", PATIENCE_S) && tty_settle(t, PATIENCE_S);
	bytes_in(t, REST_S);
	measure_calm(t, "12 devices, nothing happens", 60000);
	tty_close(t);
	lab_stop(&lab);
	return is_shown;
}

int main(void)
{
	bool is_done;
	double idle_ms;

	snprintf(dir, sizeof(dir), "/tmp/fabcon-paint.XXXXXX");
	if (!mkdtemp(dir))
		return bench_cannot("%s cannot be made", dir), 1;
	char *large = xasprintf("%s/large.fabcon", dir), *lengthy = xasprintf("%s/lengthy.fabcon", dir);
	is_done = of_recordings(large, lengthy);
	is_done = is_done && idle_keys(large, &idle_ms) && with_hosts(idle_ms);
	is_done = calm(large) && is_done;
	char *command = xasprintf("rm -rf %s", dir);
	is_done = system(command) == 0 && is_done;
	free(command);
	free(large);
	free(lengthy);
	return bench_end() || !is_done;
}
