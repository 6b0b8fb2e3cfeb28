/*
 * R15: a disk that is full, or answers with an I/O error, at write n of a session, for each n: once, and until somebody makes
 * room. The recorder and the audit are run in a process of their own, whose writes fail; whoever reads the files afterwards finds
 * them whole, with everything in them that was acknowledged. DISK_EACH=1: every write (else every 31st).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/audit/audit.h"
#include "db/record/recorder.h"
#include "db/tape/tape.h"
#include "remote/ssh/clock.h"
#include "tests/lib/say.h"

#define START_US	(INT64_C(1790000000) * SECOND)
#define SAMPLES		24
#define ENTRIES		12
#define PATIENCE_US	(8 * SECOND)
#define ROOM_AFTER_US	(SECOND / 2)	/* when somebody makes room, told or not */

/* What a session has seen; shared with whoever began it. */
struct report {
	unsigned taken;			/* samples, or entries that were said to be on disk */
	unsigned writes;
	bool reached;			/* there was a write n */
	bool is_closing;		/* all is acknowledged: nobody listens any more, and nothing may be lost */
	bool reached_open;		/* it was before that */
	bool told;			/* in words, while it failed */
	bool recovered;			/* and went on without a restart */
	char words[256];
};

typedef void session(struct report *r);

static char folder[64], path[96];
static struct report *report;

/* -- the disk -- */

static unsigned fail_at;
static int fail_errno;
static bool fails_on;
static atomic_uint writes;
static atomic_bool has_room;

static bool fails(void)
{
	unsigned n = atomic_fetch_add(&writes, 1) + 1;

	if (!fail_at || n < fail_at || atomic_load(&has_room) || (n > fail_at && !fails_on))
		return false;
	report->reached = true;
	report->reached_open |= !report->is_closing;
	errno = fail_errno;
	return true;
}

/* In the place of the library's. What is synced is not waited for: nothing here loses its power. */
ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at)
{
	return fails() ? -1 : syscall(SYS_pwrite64, fd, bytes, n, at);
}

int fdatasync(int fd)
{
	(void)fd;
	return fails() ? -1 : 0;
}

int fsync(int fd)
{
	(void)fd;
	return fails() ? -1 : 0;
}

int ftruncate64(int fd, off64_t n)
{
	return fails() ? -1 : (int)syscall(SYS_ftruncate, fd, n);
}

static void make_room(void)
{
	atomic_store(&has_room, true);
}

/* -- sessions -- */

static void hear(struct report *r, const char *words)
{
	if (!words || !*words)
		return;
	r->told = true;
	snprintf(r->words, sizeof(r->words), "%s", words);
}

static void take(struct recorder *r, unsigned n)
{
	struct obs o;

	obs_init(&o, "n1", "counters");
	o.at_us = START_US + (int64_t)n * 1000;
	o.period_us = SECOND;
	for (unsigned p = 0; p < 4; p++) {
		char name[16];

		snprintf(name, sizeof(name), "eth%u", p);
		obs_number(&o, obs_port(&o, span_of(name)), FIELD_RX_TOTAL, 0, UINT64_C(1000000) * n * (p + 1));
	}
	recorder_take(r, &o);
	obs_done(&o);
}

/* Opened again by the same process when there is room, where it was refused before. */
static struct recorder *open_recorder(struct report *r)
{
	struct recorder_options options = { .key_us = SECOND / 50, .commit_us = 2000 };
	struct err err = { "" };
	struct recorder *recorder = recorder_open(path, &options, &err);

	if (recorder)
		return recorder;
	hear(r, err.text);
	make_room();
	recorder = recorder_open(path, &options, &err);
	if (!recorder)
		printf("not opened again: %s\n", err.text);
	return recorder;
}

static bool is_written(struct recorder *recorder, unsigned n)
{
	return n == 0 || recorder_acknowledged(recorder) >= START_US + (int64_t)(n - 1) * 1000;
}

static void recorder_session(struct report *r)
{
	struct recorder *recorder = open_recorder(r);
	int64_t began_us = clock_us();

	if (!recorder)
		return;
	while (r->taken < SAMPLES || (!is_written(recorder, r->taken) && clock_us() < began_us + PATIENCE_US)) {
		hear(r, recorder_trouble(recorder));
		if (r->told || clock_us() > began_us + ROOM_AFTER_US)
			make_room();
		if (r->taken < SAMPLES && (is_written(recorder, r->taken) || r->taken % 4))
			take(recorder, r->taken++);
		else
			usleep(500);
	}
	r->recovered = is_written(recorder, r->taken);
	hear(r, recorder_trouble(recorder));
	r->is_closing = true;
	recorder_close(recorder);
}

static void audit_session(struct report *r)
{
	struct err err = { "" };
	struct audit *a = audit_open(path, &err);
	unsigned tried = 0;

	if (!a) {
		hear(r, err.text);
		make_room();
		a = audit_open(path, &err);
	}
	for (; a && tried < 3 * ENTRIES && r->taken < ENTRIES; tried++) {
		struct audit_entry e = { .at_us = START_US + tried, .who = "alice", .from = "console1", .plan = "P-1", .step = 0,
					 .device = "node1", .kind = "command", .text = "mlnx_qos -i eth2 --trust dscp" };

		err.text[0] = '\0';
		if (audit_add(a, &e, &err)) {
			r->taken++;
			continue;
		}
		hear(r, err.text);
		make_room();
	}
	r->recovered = r->taken == ENTRIES;
	r->is_closing = true;
	audit_close(a);
}

/* -- afterwards -- */

static bool recording_is_whole(const struct report *r)
{
	struct err err = { "" };
	struct tape t;
	bool done = tape_open_read(&t, path, &err);

	if (!done) {
		printf("%s\n", err.text);
		return false;
	}
	done = tape_number(&t, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'", -1) == 1 &&
	       tape_number(&t, "SELECT count(*) FROM sample", -1) == (int64_t)r->taken;
	tape_close(&t);
	return done;
}

static bool audit_is_whole(const struct report *r)
{
	struct err err = { "" };
	struct audit *a = audit_read(path, &err);
	struct audit_check check = { 0 };
	bool done = a && audit_verify(a, NULL, &check, &err) && check.entries >= (int64_t)r->taken;

	if (!done)
		printf("%lld entries of %u: %s\n", (long long)check.entries, r->taken, err.text);
	audit_close(a);
	return done;
}

/* -- the trials -- */

static struct {
	unsigned failed, crashes, damaged, untold, stuck;
} sums;

static int run_session(session *s, unsigned nth, int error, bool stays)
{
	int status;
	pid_t child;

	memset(report, 0, sizeof(*report));
	fflush(NULL);
	child = fork();
	if (child == 0) {
		fail_at = nth;
		fail_errno = error;
		fails_on = stays;
		s(report);
		report->writes = atomic_load(&writes);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

/* One write fails, and what came of it is read; false when the session has no write n. */
static bool try_one(session *s, bool (*is_whole)(const struct report *r), unsigned nth, int error, bool stays)
{
	char *command = xasprintf("rm -rf '%s' && mkdir -m 700 '%s'", folder, folder);
	const char *wrong = NULL;
	int status;

	assert_int_equal(system(command), 0);
	free(command);
	status = run_session(s, nth, error, stays);
	if (status != 0 && ++sums.crashes)
		wrong = "a crash";
	else if (!report->reached)
		return false;
	else if (!report->recovered && ++sums.stuck)
		wrong = "it does not go on";
	else if (!is_whole(report) && ++sums.damaged)
		wrong = "what was acknowledged is not there, or the file is damaged";
	else if (stays && report->reached_open && !report->told && ++sums.untold)
		wrong = "not told";
	sums.failed++;
	if (wrong)
		printf("write %u of a session: %s%s: %s: %s\n", nth, strerror(error), stays ? " until there is room" : "", wrong, report->words);
	return true;
}

static void try_all(session *s, bool (*is_whole)(const struct report *r))
{
	const char *text = getenv("DISK_EACH");
	unsigned step = text ? (unsigned)strtoul(text, NULL, 10) : 31;

	for (unsigned i = 0; i < 4; i++)
		for (unsigned nth = 1; try_one(s, is_whole, nth, i % 2 ? EIO : ENOSPC, i / 2); nth += step)
			;
}

static void a_write_that_fails_breaks_nothing_and_is_told(void **state)
{
	(void)state;
	snprintf(path, sizeof(path), "%s/r.fabcon", folder);
	try_all(recorder_session, recording_is_whole);
	snprintf(path, sizeof(path), "%s/audit.db", folder);
	try_all(audit_session, audit_is_whole);
	printf("%u writes failed once or until there was room: %u crashes, %u databases damaged, %u not told, %u did not go on\n", sums.failed,
	       sums.crashes, sums.damaged, sums.untold, sums.stuck);
	assert_int_equal(sums.crashes + sums.damaged + sums.untold + sums.stuck, 0);
	assert_true(sums.failed > 10);
}

static int begin(void **state)
{
	(void)state;
	report = mmap(NULL, sizeof(*report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	snprintf(folder, sizeof(folder), "/tmp/fabcon-disk-XXXXXX");
	return report != MAP_FAILED && mkdtemp(folder) ? 0 : -1;
}

static int end(void **state)
{
	char *command = xasprintf("rm -rf '%s'", folder);
	int status = system(command);

	(void)state;
	free(command);
	return status;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_write_that_fails_breaks_nothing_and_is_told),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
