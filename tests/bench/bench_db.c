/*
 * The recording under PERFORMANCE's load: 512 hosts, 8 ports of 40 counters, each second; 8 counters of a port move all
 * the time with 20 % noise, 12 slowly, 20 never. Calm: the slow ones move once in about 1000 s.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/model/fabric_history.h"
#include "db/record/recorder.h"
#include "db/replay/replay.h"
#include "db/tape/tape.h"
#include "tests/bench/bench.h"

#define HOSTS		BENCH_SIZE(512, 16)
#define PORTS		8
#define COUNTERS	40
#define SECONDS		BENCH_SIZE(40, 8)
#define SLOW_IN		15	/* s: makes 0.8 changes a port and second, as in the measurement the bars come from */
#define START_US	(INT64_C(1790000000) * SECOND)
#define CALM_IN		1000
#define PLAIN_S		BENCH_SIZE(5, 2)	/* of a row per value */
#define HOUR_HOSTS	BENCH_SIZE(16, 4)
#define HOUR_S		BENCH_SIZE(3600, 60)
#define DAY_S		86400

static const struct { enum field field; unsigned index; uint64_t step; } hot[] = {
	{ FIELD_RX_TOTAL, 0, 5000000000 }, { FIELD_TX_TOTAL, 0, 5000000000 }, { FIELD_RX_BYTES, 3, 4900000000 },
	{ FIELD_TX_BYTES, 3, 4900000000 }, { FIELD_PFC_RX, 3, 90000 },	      { FIELD_PFC_TX, 3, 90000 },
	{ FIELD_CNP_SENT, 0, 200000 },	   { FIELD_CNP_HANDLED, 0, 200000 },
};
static const enum field slow[] = { FIELD_OOS, FIELD_SEQ_ERR, FIELD_ACK_TIMEOUT, FIELD_RNR, FIELD_RETRANS, FIELD_ICRC_ERR,
				   FIELD_PHY_ERR, FIELD_FEC_LOST, FIELD_LINK_DOWNS, FIELD_STORM_WARN, FIELD_RX_DISCARD,
				   FIELD_TX_DISCARD };
static const enum field still[] = { FIELD_PFC_RX_XON, FIELD_RX_DROP, FIELD_TX_DROP };

static uint64_t counters[HOSTS][PORTS][COUNTERS];
static uint64_t seed = 88172645463325252u;

static uint64_t any(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 20) % n;
}

static void move(uint64_t *c, unsigned slow_in)
{
	for (unsigned i = 0; i < 8; i++)
		c[i] += hot[i].step * 9 / 10 + any(hot[i].step / 5);
	for (unsigned i = 0; i < 12; i++)
		c[8 + i] += any(slow_in) == 0 ? 1 + any(20) : 0;
}

static void add_port(struct obs *o, unsigned p, const uint64_t *c)
{
	char name[16];
	uint16_t port;

	snprintf(name, sizeof(name), "eth%u", p);
	port = obs_port(o, span_of(name));
	for (unsigned i = 0; i < 8; i++)
		obs_number(o, port, hot[i].field, hot[i].index, c[i]);
	for (unsigned i = 0; i < 12; i++)
		obs_number(o, port, slow[i], 0, c[8 + i]);
	for (unsigned i = 0; i < 20; i++)
		obs_number(o, port, still[i / 8], i % 8, c[20 + i]);
}

static void observe(struct obs *o, unsigned host, unsigned second, char *name, unsigned slow_in)
{
	snprintf(name, 16, "node%03u", host);
	o->device = name;
	o->probe = "counters";
	obs_clear(o);
	o->at_us = START_US + second * SECOND + host * 1900 + (int64_t)any(300);
	o->device_us = o->at_us - START_US + 1000 * SECOND + (int64_t)any(500);
	o->period_us = SECOND;
	for (unsigned p = 0; p < PORTS; p++) {
		move(counters[host][p], slow_in);
		add_port(o, p, counters[host][p]);
	}
}

/* What a table of a row per value takes for one: the plain way, for comparison. */
static double bytes_a_row(const char *path)
{
	double bytes = 0, rows = (double)HOSTS * PORTS * COUNTERS * PLAIN_S;
	sqlite3_stmt *row = NULL;
	sqlite3 *db = NULL;
	struct stat is;

	if (sqlite3_open(path, &db) == SQLITE_OK && sqlite3_exec(db, "CREATE TABLE sample(t, series, v); BEGIN", 0, 0, 0) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, "INSERT INTO sample VALUES(?, ?, ?)", -1, &row, NULL) == SQLITE_OK)
		for (unsigned i = 0; i < HOSTS * PORTS * COUNTERS * PLAIN_S; i++) {
			unsigned series = i % (HOSTS * PORTS * COUNTERS), counter = i % COUNTERS;

			if (counter == 0)
				move(counters[series / COUNTERS / PORTS][series / COUNTERS % PORTS], SLOW_IN);
			sqlite3_bind_int64(row, 1, START_US + i / (HOSTS * PORTS * COUNTERS) * SECOND);
			sqlite3_bind_int64(row, 2, series);
			sqlite3_bind_int64(row, 3, (int64_t)counters[series / COUNTERS / PORTS][series / COUNTERS % PORTS][counter]);
			sqlite3_step(row);
			sqlite3_reset(row);
		}
	sqlite3_finalize(row);
	if (sqlite3_exec(db, "COMMIT", 0, 0, 0) == SQLITE_OK && stat(path, &is) == 0)
		bytes = (double)is.st_size / rows;
	sqlite3_close(db);
	unlink(path);
	return bytes;
}

/* CPU of making and applying the observations is measured alone first, and taken off. */
static double run(const char *path, unsigned hosts, unsigned seconds, unsigned slow_in, bool records)
{
	struct model *m = model_new();
	struct recorder_options options = { .model = m };
	struct recorder *r = records ? recorder_open(path, &options, NULL) : NULL;
	double before;
	struct obs o;
	char name[16];

	obs_init(&o, "", "");
	memset(counters, 0, sizeof(counters));
	before = bench_cpu_s();
	for (unsigned second = 0; second < seconds; second++)
		for (unsigned h = 0; h < hosts; h++) {
			observe(&o, h, second, name, slow_in);
			model_apply(m, &o);
			if (r)
				recorder_take(r, &o);
		}
	recorder_close(r);
	before = bench_cpu_s() - before;
	obs_done(&o);
	model_free(m);
	return before;
}

static double pages_of(const char *path, const char *what)
{
	struct tape t;
	char *sql = xasprintf("SELECT sum(pgsize) FROM dbstat WHERE name IN (%s)", what);
	double n = -1;

	if (tape_open_read(&t, path, NULL)) {
		n = (double)tape_number(&t, sql, -1);
		tape_close(&t);
	}
	free(sql);
	return n;
}

static double bytes_a_value(const char *path)
{
	double samples = pages_of(path, "'hot', 'chg', 'sample', 'tick', 'tick_at'") / ((double)HOSTS * PORTS * COUNTERS * SECONDS);
	struct tape t;
	double key = 0;

	/* each host began with a keyframe and has had another: one of them in 30 s is what a long recording holds */
	if (tape_open_read(&t, path, NULL)) {
		key = (double)tape_number(&t, "SELECT avg(length(body)) * 1.05 FROM key WHERE sample > 1024", 0);
		tape_close(&t);
	}
	bench_row("  of which keyframes", key / 30 / (PORTS * COUNTERS), "B/value", JUST_SAID, 0);
	return samples + key / 30 / (PORTS * COUNTERS);
}

static void seek(const char *path)
{
	struct replay *r = replay_open(path, NULL);
	struct model *m = model_new();
	double before;
	struct obs o;

	if (!r)
		return;
	obs_init(&o, "", "");
	before = bench_wall_s();
	replay_seek(r, START_US + 35 * SECOND, 1, NULL);
	bench_row("seek: keyframes of 512 hosts found and read", (bench_wall_s() - before) * 1e3, "ms", JUST_SAID, 0);
	while (replay_next(r, START_US + 35 * SECOND, &o))
		model_apply(m, &o);
	bench_row("seek: a whole model, every value and rate", (bench_wall_s() - before) * 1e3, "ms", AT_MOST, 50);
	obs_done(&o);
	model_free(m);
	replay_close(r);
}

static void rates_by_sql(const char *path)
{
	struct tape t;
	double before;
	char sql[160];

	if (!tape_open_read(&t, path, NULL))
		return;
	snprintf(sql, sizeof(sql), "SELECT count(rx_total) FROM fabric WHERE at_us BETWEEN %lld AND %lld",
		 (long long)(START_US + 19 * SECOND), (long long)(START_US + 20 * SECOND));
	tape_number(&t, sql, 0);
	before = bench_wall_s();
	tape_number(&t, sql, 0);
	bench_row("rates of 4096 ports at a time, in SQL", (bench_wall_s() - before) * 1e3, "ms", AT_MOST, 10);
	tape_close(&t);
}

/* In the table that a shell of sqlite3 sees, and nothing of ours in between. */
static void hour_by_sql(const char *path)
{
	sqlite3 *db = NULL;
	double before = 0;
	char sql[200];

	run(path, HOUR_HOSTS, HOUR_S, SLOW_IN, true);
	snprintf(sql, sizeof(sql), "SELECT count(rx_total) FROM rate WHERE device = 'node003' AND port = 'eth2' "
		 "AND at_us BETWEEN %lld AND %lld", (long long)START_US, (long long)(START_US + HOUR_S * SECOND));
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK && sqlite3_exec(db, sql, 0, 0, 0) == SQLITE_OK) {
		before = bench_wall_s();
		sqlite3_exec(db, sql, 0, 0, 0);
		bench_row("one counter of one port over 1 h, through the view", (bench_wall_s() - before) * 1e3, "ms", AT_MOST, 20);
	} else {
		bench_cannot("the view of rates cannot be read: %s", sqlite3_errmsg(db));
	}
	sqlite3_close(db);
}

static double load(const char *path, const char *name, unsigned slow_in, double bar)
{
	double alone = run(path, HOSTS, SECONDS, slow_in, false), both = run(path, HOSTS, SECONDS, slow_in, true), bytes;
	char what[96];

	snprintf(what, sizeof(what), "recording, %s: bytes a counter value, 30 s keyframes", name);
	bytes = bytes_a_value(path);
	bench_row(what, bytes, "B/value", AT_MOST, bar);
	snprintf(what, sizeof(what), "recording, %s: 24 h of 512 hosts at that", name);
	bench_row(what, bytes * 512 * PORTS * COUNTERS * DAY_S / 1e9, "GB", AT_MOST, 25);
	snprintf(what, sizeof(what), "recording, %s: CPU of real time", name);
	bench_row(what, 100 * (both - alone) / SECONDS, "%", AT_MOST, 1);
	return bytes;
}

/* The fabric's five-second sums, from what moves on each port. */
static void sums(void)
{
	static const enum field summed[] = { FIELD_PFC_RX, FIELD_CNP_SENT, FIELD_OOS, FIELD_RETRANS, FIELD_PHY_ERR, FIELD_ICRC_ERR,
					     FIELD_RX_DISCARD, FIELD_TX_DISCARD };
	struct fabric_history l = { 0 };
	double before = bench_cpu_s();

	for (unsigned second = 1; second <= SECONDS; second++)
		for (unsigned port = 0; port < HOSTS * PORTS; port++)
			for (size_t i = 0; i < sizeof(summed) / sizeof(*summed); i++)
				fabric_history_count(&l, summed[i], 1000, START_US + (second - 1) * SECOND + port,
						     START_US + second * SECOND + port);
	bench_row("five-second sums of 8 counters of 4096 ports: CPU of real time", 100 * (bench_cpu_s() - before) / SECONDS, "%",
		  AT_MOST, 1);
	fabric_history_done(&l);
}

int main(void)
{
	char dir[] = "/tmp/fabcon-bench-XXXXXX", path[64];
	double plain, ours;

	if (!mkdtemp(dir))
		return bench_cannot("%s cannot be made", dir), 1;
	snprintf(path, sizeof(path), "%s/r.fabcon", dir);
	sums();
	plain = bytes_a_row(path);
	ours = load(path, "benchmark load", SLOW_IN, 1.8);
	bench_row("a row per value in a table: bytes a value over ours", plain / ours, "x", AT_LEAST, 8);
	rates_by_sql(path);
	seek(path);
	unlink(path);
	load(path, "calm", CALM_IN, 1.5);
	unlink(path);
	hour_by_sql(path);
	unlink(path);
	rmdir(dir);
	return bench_end();
}
