/* A good recording with some of its bytes changed or its end cut off: opened and replayed. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/model/model.h"
#include "db/record/recorder.h"
#include "db/replay/replay.h"

#define AT_US	(INT64_C(1790000000) * SECOND)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *whole;
static size_t whole_n;
static char dir[] = "/dev/shm/fabcon-fuzz.XXXXXX", path[64];
static int file = -1;

static void record(struct recorder *r, struct model *m, unsigned second)
{
	static const char facts[] = "n eth0 up = yes\nn eth0 pfc.on[3] = yes\nn eth0 alias = \"to leaf1\"\n"
				    "n eth1 mtu = unknown \"not root\"\nn version = \"1\"\n";
	struct obs o;
	struct err err;

	obs_init(&o, "node1", "test");
	o.at_us = AT_US + second * SECOND;
	o.period_us = SECOND;
	o.raw = SPAN("some reply\n");
	if (!obs_read(&o, SPAN(facts), &err))
		abort();
	obs_number(&o, obs_port(&o, SPAN("eth0")), FIELD_PFC_RX, 3, 1000 + 7 * second);
	model_apply(m, &o);
	recorder_take(r, &o);
	obs_done(&o);
}

static void end(void)
{
	unlink(path);
	rmdir(dir);
}

/* The original, made once; its file then holds the changed copies. */
static void begin(void)
{
	struct model *m = model_new();
	struct recorder_options options = { .fabric = "fuzz", .key_us = 5 * SECOND, .model = m };
	struct recorder *r;
	struct err err;
	FILE *in;

	if (!mkdtemp(dir) && !mkdtemp(strcpy(dir, "/tmp/fabcon-fuzz.XXXXXX")))
		abort();
	snprintf(path, sizeof(path), "%s/r.db", dir);
	atexit(end);
	r = recorder_open(path, &options, &err);
	for (unsigned second = 0; r && second < 20; second++)
		record(r, m, second);
	recorder_note(r, AT_US, "note", "hello");
	recorder_close(r);
	model_free(m);
	in = fopen(path, "r");
	whole = malloc(1 << 20);
	whole_n = in ? fread(whole, 1, 1 << 20, in) : 0;
	fclose(in);
	file = open(path, O_RDWR | O_CLOEXEC);
}

/* Four bytes a change: where (three), what; the first byte of all says how many 256ths of the file are kept. */
static void change(char *copy, size_t *n, const uint8_t *data, size_t size)
{
	*n = size && data[0] ? whole_n * data[0] / 256 : whole_n;
	for (size_t i = 1; i + 4 <= size; i += 4) {
		size_t at = (size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2];

		copy[at % whole_n] = (char)data[i + 3];
	}
}

static void each_event(void *ctx, const struct replay_event *e)
{
	(void)ctx, (void)e;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct replay *r;
	struct model *m;
	struct obs o;
	struct err err;
	char *copy;
	size_t n;

	if (!whole)
		begin();
	copy = malloc(whole_n);
	memcpy(copy, whole, whole_n);
	change(copy, &n, data, size);
	if (ftruncate(file, 0) != 0 || pwrite(file, copy, n, 0) != (ssize_t)n)
		abort();
	free(copy);
	r = replay_open(path, &err);
	if (!r && size == 0)
		abort();	/* the unchanged one opens */
	if (!r)
		return 0;
	m = model_new();
	obs_init(&o, NULL, NULL);
	if (replay_seek(r, AT_US + 12 * SECOND, 0, &err))
		while (replay_next(r, INT64_MAX, &o))
			model_apply(m, &o);
	replay_events(r, 0, INT64_MAX, each_event, NULL);
	obs_done(&o);
	model_free(m);
	replay_close(r);
	return 0;
}
