/*
 * A good audit with some of its bytes changed or its end cut off: opened, read and verified. What is said to be whole, up to
 * the head that was kept, says what was written.
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/audit/audit.h"
#include "db/audit/chain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *whole;
static size_t whole_n;
static char dir[] = "/dev/shm/fabcon-fuzz.XXXXXX", path[64], head[FIX_HASH_SIZE];
static struct buf written;
static int file = -1;

static bool collect(void *ctx, const struct audit_entry *e)
{
	audit_canonical(e, ctx);
	return true;
}

static bool never(const char *word)
{
	(void)word;
	return false;
}

static void write_story(struct audit *a)
{
	static const char *const kinds[] = { "state", "command", "answer", "arm" };
	struct audit_entry e = { .at_us = INT64_C(1790000000000000), .who = "alice", .from = "console1 pid 4711", .plan = "P-1",
				 .hash = "c0ffee", .step = -1, .device = "node1", .kind = "plan", .text = "{}" };
	struct err err;

	if (!audit_keep_plan(a, &e, &err))
		abort();
	for (unsigned i = 0; i < 24; i++) {
		e.step = i % 3;
		e.kind = kinds[i % 4];
		e.text = i % 4 ? "mlnx_qos -i eth2 --trust dscp" : "armed: takes itself back in 600 s";
		e.status = i % 4 == 2 ? 1 : 0;
		e.output = i % 4 == 2 ? "no such device" : NULL;
		if (!audit_add(a, &e, &err))
			abort();
	}
}

static void end(void)
{
	unlink(path);
	rmdir(dir);
}

/* The original, made once; its file then holds the changed copies. */
static void begin(void)
{
	struct audit_check check;
	struct audit *a;
	struct err err;

	if (!mkdtemp(dir) && !mkdtemp(strcpy(dir, "/tmp/fabcon-fuzz.XXXXXX")))
		abort();
	snprintf(path, sizeof(path), "%s/audit.db", dir);
	atexit(end);
	a = audit_open(path, &err);
	if (!a)
		abort();
	write_story(a);
	if (!audit_verify(a, NULL, &check, &err) || !audit_each(a, 0, NULL, collect, &written, &err))
		abort();
	memcpy(head, check.head, sizeof(head));
	audit_close(a);
	file = open(path, O_RDWR | O_CLOEXEC);
	whole = malloc(1 << 20);
	whole_n = (size_t)pread(file, whole, 1 << 20, 0);
}

/* Four bytes a change: where (three), what; the first byte of all says how many 256ths of the file are kept. */
static void put_changed(const uint8_t *data, size_t size)
{
	size_t n = size && data[0] ? whole_n * data[0] / 256 : whole_n;
	char *copy = malloc(whole_n);

	memcpy(copy, whole, whole_n);
	for (size_t i = 1; i + 4 <= size; i += 4) {
		size_t at = (size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2];

		copy[at % whole_n] = (char)data[i + 3];
	}
	if (ftruncate(file, 0) != 0 || pwrite(file, copy, n, 0) != (ssize_t)n)
		abort();
	free(copy);
}

static void read_all(struct audit *a)
{
	struct buf said = { NULL }, open_plans = { NULL };
	struct audit_check check;
	struct err err;
	char word[32];
	bool is_read = audit_each(a, 0, NULL, collect, &said, &err);

	if (audit_verify(a, head, &check, &err) && is_read)
		assert(said.n >= written.n && !memcmp(said.text, written.text, written.n));
	audit_open_plans(a, never, &open_plans);
	audit_state(a, "P-1", 0, word);
	free(audit_plan(a, "P-1"));
	buf_done(&said);
	buf_done(&open_plans);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct audit *a;
	struct err err;

	if (!whole)
		begin();
	put_changed(data, size);
	a = audit_read(path, &err);
	assert(a || size);
	if (!a)
		return 0;
	read_all(a);
	audit_close(a);
	return 0;
}
