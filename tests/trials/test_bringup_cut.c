/*
 * A bring-up with test traffic whose console is killed, at moments drawn from a whole run of the same rack: once or twice. Nothing that it
 * started is left on a node, no test that was recorded is lost or made again, and --resume ends at the sheet that the run without a kill
 * has: figures and times aside. CUTS: how many kills at least, five to a rack where there are more; CUT_NODES: of two NICs, in a rack;
 * CUT_JOBS: how many racks at once; with CREW_FROM=N from rack N on.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>
#include <sqlite3.h>

#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/trials/crew.h"
#include "tui/args/cli.h"

#define CUTS		1
#define NODES		2
#define CUTS_EACH	5	/* of a rack: as many as are wanted, where these are fewer */
#define EARLY_MS	500	/* the first of each rack: while the recording is made */
#define LEFT_MS		20000	/* until what a killed console had started is gone from the nodes; as long as a whole run, where that is more */
#define TOLD_MAX	400

static char dir[64];
static unsigned cuts, killed, resumed_tests;

static unsigned cuts_each(void)
{
	return cuts < CUTS_EACH ? cuts : CUTS_EACH;
}

struct rack {
	struct lab lab;
	unsigned nth;
	uint64_t random;
	char *sheet;		/* of the run without a kill */
	int code;
	unsigned ms;		/* how long it took */
	struct buf *words;
};

/* -- a recording -- */

/* What a certificate says, without what was measured and when: a line a link and a test, sorted by the certificate itself. */
static char *sheet_of(const char *file)
{
	struct run r = RUN("fabcon", "bringup", "judge", file, "-o", "json");
	json_t *doc = json_loads(r.out.text ? r.out.text : "", 0, NULL);
	struct buf sheet = { NULL };
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(doc, "links"), i, row)
		buf_printf(&sheet, "%s:%s at %s:%s %s, stage %s, do %s\n", json_string_value(json_object_get(row, "host")),
			   json_string_value(json_object_get(row, "nic")), json_string_value(json_object_get(row, "peer")),
			   json_string_value(json_object_get(row, "peer_port")), json_string_value(json_object_get(row, "state")),
			   json_string_value(json_object_get(row, "stage")), json_string_value(json_object_get(row, "do")));
	json_array_foreach(json_object_get(doc, "tests"), i, row) {
		const json_t *from = json_object_get(row, "from"), *to = json_object_get(row, "to");

		buf_printf(&sheet, "%s %s:%s to %s:%s %s\n", json_string_value(json_object_get(row, "kind")),
			   json_string_value(json_object_get(from, "host")), json_string_value(json_object_get(from, "nic")),
			   json_string_value(json_object_get(to, "host")), json_string_value(json_object_get(to, "nic")),
			   json_string_value(json_object_get(row, "state")));
	}
	if (!doc)
		buf_printf(&sheet, "exit %d: %s%s\n", r.code, r.out.text ? r.out.text : "", r.err.text ? r.err.text : "");
	json_decref(doc);
	run_done(&r);
	return sheet.text;
}

/* The bodies of what was tested, in the order of the recording. */
static json_t *tests_in(const char *file)
{
	json_t *list = json_array();
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db;

	if (sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, "SELECT body FROM bringup WHERE kind = 'test' ORDER BY id", -1, &stmt, NULL) == SQLITE_OK)
		while (sqlite3_step(stmt) == SQLITE_ROW)
			json_array_append_new(list, json_string((const char *)sqlite3_column_text(stmt, 0)));
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return list;
}

/* -- a node -- */

/* The names of processes on this lab's devices; empty: none. */
static char *left_on_nodes(const struct lab *lab)
{
	char *mark = xasprintf("LAB_SOCKET=%s/", lab->dir);
	struct buf names = { NULL };
	DIR *d = opendir("/proc");
	const struct dirent *e;

	while (d && (e = readdir(d))) {
		char path[300], text[16384] = "", name[64] = "";
		FILE *f;
		size_t n = 0;

		if (e->d_name[0] < '1' || e->d_name[0] > '9')
			continue;
		snprintf(path, sizeof(path), "/proc/%s/environ", e->d_name);
		if ((f = fopen(path, "r"))) {
			n = fread(text, 1, sizeof(text) - 1, f);
			fclose(f);
		}
		if (!n || !memmem(text, n, mark, strlen(mark)))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/comm", e->d_name);
		if ((f = fopen(path, "r"))) {
			n = fread(name, 1, sizeof(name) - 1, f);
			name[n ? n - 1 : 0] = 0;
			fclose(f);
		}
		buf_printf(&names, "%s%s", names.n ? " " : "", name);
	}
	if (d)
		closedir(d);
	free(mark);
	return names.text;
}

static bool is_left_alone(struct rack *k)
{
	int64_t until = crew_now_ms() + (k->ms > LEFT_MS ? k->ms : LEFT_MS);
	char *left;

	while ((left = left_on_nodes(&k->lab)) && crew_now_ms() < until) {
		free(left);
		usleep(100000);
	}
	if (left)
		buf_printf(k->words, "  left on the nodes: %.*s\n", TOLD_MAX, left);
	free(left);
	return !left;
}

/* -- a run -- */

static pid_t begin_run(const struct rack *k, const char *file, bool resumes)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
		_exit(126);
	execl(program_path("fabcon"), "fabcon", "-i", k->lab.inventory, "--no-input", "--timeout", "120s", "bringup", "--traffic", "--reason",
	      "INC-7", "--record", file, resumes ? "--resume" : NULL, NULL);
	_exit(127);
}

static bool kill_at(struct rack *k, const char *file, bool resumes, bool is_early)
{
	unsigned ms = crew_draw(&k->random, is_early ? EARLY_MS : k->ms + 1);
	pid_t pid = begin_run(k, file, resumes);
	int status = 0;

	usleep(ms * 1000);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	buf_printf(k->words, "  killed after %u of %u ms%s\n", ms, k->ms, WIFSIGNALED(status) ? "" : ": it had ended");
	killed += WIFSIGNALED(status) != 0;
	return WIFSIGNALED(status);
}

static bool cut(struct rack *k, unsigned nth)
{
	char *file = xasprintf("%s/%u.%u.db", dir, k->nth, nth), *sheet;
	bool is_cut = kill_at(k, file, false, nth == 0 && cuts_each() > 1), done = is_left_alone(k);
	json_t *before, *after;
	struct run r;
	size_t i;
	const json_t *body;

	if (is_cut && nth % 3 == 2) {
		kill_at(k, file, true, false);
		done = is_left_alone(k) && done;
	}
	before = tests_in(file);
	r = LAB_FABCON(&k->lab, "--timeout", "120s", "bringup", "--traffic", "--reason", "INC-7", "--record", file, "--resume");
	if (r.code != k->code && !(r.code == EXIT_USAGE && strstr(r.err.text ? r.err.text : "", "has ended"))) {
		buf_printf(k->words, "  exit %d, and %d without a kill\n%s%s\n", r.code, k->code, r.out.text ? r.out.text : "",
			   r.err.text ? r.err.text : "");
		done = false;
	}
	run_done(&r);
	after = tests_in(file);
	json_array_foreach(before, i, body)
		if (!json_equal(body, json_array_get(after, i))) {
			buf_printf(k->words, "  test %zu is lost: %s\n", i, json_string_value(body));
			done = false;
		}
	resumed_tests += (unsigned)(json_array_size(after) - json_array_size(before));
	sheet = sheet_of(file);
	if (strcmp(sheet, k->sheet) != 0) {
		buf_printf(k->words, "  another sheet:\n%s  without a kill:\n%s", sheet, k->sheet);
		done = false;
	}
	if (done)
		unlink(file);
	json_decref(before);
	json_decref(after);
	free(sheet);
	free(file);
	return done;
}

static bool go_whole(struct rack *k)
{
	char *file = xasprintf("%s/%u.whole.db", dir, k->nth);
	int64_t began = crew_now_ms();
	pid_t pid = begin_run(k, file, false);
	int status = 0;

	waitpid(pid, &status, 0);
	k->ms = (unsigned)(crew_now_ms() - began);
	k->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	k->sheet = sheet_of(file);
	if (k->code != EXIT_DONE && k->code != EXIT_FINDINGS && k->code != EXIT_PARTIAL)
		buf_printf(k->words, "  without a kill: exit %d: %s\n", k->code, k->sheet);
	free(file);
	return k->code == EXIT_DONE || k->code == EXIT_FINDINGS || k->code == EXIT_PARTIAL;
}

static bool one(void *ctx, unsigned nth, struct buf *words)
{
	static const char *const systems[] = { "os10", "sonic" };
	static const char *const faults[] = { "slow-receiver@node2:eth2", "trust-pcp@node1:eth3", NULL, "mtu-small-host@node1:eth3" };
	struct rack k = { .nth = nth, .random = nth, .words = words };
	const char *fault = faults[nth / 2 % 4];
	char nodes[16];
	bool done = true;

	(void)ctx;
	killed = resumed_tests = 0;
	snprintf(nodes, sizeof(nodes), "%u", crew_number("CUT_NODES", NODES));
	if (!LAB(&k.lab, "--nodes", nodes, "--rails", "2", "--leaves", "1", "--traffic", "off", "--switch-os", systems[nth % 2],
		 fault ? "--fault" : NULL, fault)) {
		buf_printf(words, "no lab\n");
		return false;
	}
	if (!go_whole(&k))
		done = false;
	for (unsigned i = 0; done && i < cuts_each(); i++)
		done = cut(&k, i);
	lab_stop(&k.lab);
	buf_printf(words, "  %u kills, %u tests after them\n", killed, resumed_tests);
	free(k.sheet);
	return done;
}

static void killed_at_any_moment_it_is_resumed_to_the_same_sheet(void **state)
{
	unsigned racks, failed;

	(void)state;
	cuts = crew_number("CUTS", CUTS);
	racks = (cuts + cuts_each() - 1) / cuts_each();
	failed = crew_run("rack", racks, crew_number("CUT_JOBS", 3), one, NULL);
	print_message("%u racks of %u kills each: %u not as they are to be\n", racks, cuts_each(), failed);
	assert_int_equal(failed, 0);
}

static int begin(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/fabcon-cut.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int end(void **state)
{
	char *command = xasprintf("rm -rf %s", dir);
	int status = getenv("CUT_KEEP") ? 0 : system(command);

	(void)state;
	free(command);
	return status;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(killed_at_any_moment_it_is_resumed_to_the_same_sheet) };

	return cmocka_run_group_tests(tests, begin, end);
}
