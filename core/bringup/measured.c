#include "core/bringup/measured.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/application/perftest.h"

#define STATUS_NO_COMMAND	127
#define STATUS_TIME_LIMIT	124	/* of timeout(1) */
#define STATUS_KILLED		137

static const char *const fault_words[MEASURED_FAULTS] = {
	[MEASURED_WELL] = "measured", [MEASURED_CUT] = "it ended before it had a result",
	[MEASURED_NO_TOOL] = "the tool is not installed", [MEASURED_NO_DEVICE] = "the RDMA device cannot be opened",
	[MEASURED_NO_GID] = "the GID index has no address", [MEASURED_PORT_TAKEN] = "the port of the test is in use",
	[MEASURED_NO_PARTNER] = "the other end does not answer over TCP",
	[MEASURED_NO_PATH] = "TCP reaches the other end, and RDMA does not",
	[MEASURED_RETRIES] = "packets were lost until the retries were used up",
	[MEASURED_RECEIVER] = "the receiver was not ready or refused", [MEASURED_TIME] = "its time limit ended it",
	[MEASURED_REFUSED] = "it does not know an option of the command",
	[MEASURED_NO_CM] = "the kernel's RDMA connection manager cannot be opened (module rdma_ucm)",
	[MEASURED_CLOCK] = "it could not calibrate its clock", [MEASURED_NOTHING] = "nothing was completed while it measured",
};

const char *measured_fault_words(enum measured_fault fault)
{
	return fault_words[fault];
}

/*
 * The texts by which a fault is known, the root cause before what follows from it. From the strings of Debian 12's programs; 12 and 13
 * are the verbs' completion status.
 */
static const struct {
	const char *text;
	enum measured_fault fault;
} signs[] = {
	{ "create RDMA CM event channel", MEASURED_NO_CM },	/* the reason behind it: "No such file or directory" */
	{ "No RDMA devices were detected", MEASURED_NO_DEVICE },
	{ "command not found", MEASURED_NO_TOOL },
	{ "No such file or directory", MEASURED_NO_TOOL },
	{ ": not found", MEASURED_NO_TOOL },
	{ "unrecognized option", MEASURED_REFUSED },
	{ "invalid option", MEASURED_REFUSED },
	{ "Unable to find the Infiniband/RoCE device", MEASURED_NO_DEVICE },
	{ "No IB devices found", MEASURED_NO_DEVICE },
	{ "IB device ", MEASURED_NO_DEVICE },			/* "IB device mlx5_9 not found" */
	{ "Couldn't get context for", MEASURED_NO_DEVICE },
	{ "Couldn't listen to port", MEASURED_PORT_TAKEN },
	{ "rdma_bind_addr", MEASURED_PORT_TAKEN },
	{ "rdma_listen", MEASURED_PORT_TAKEN },
	{ "Address already in use", MEASURED_PORT_TAKEN },
	{ "no TCP port is free", MEASURED_PORT_TAKEN },		/* the runner's own (remote/runner/node.sh) */
	{ "can't read sgid of index", MEASURED_NO_GID },
	{ "Couldn't connect to", MEASURED_NO_PARTNER },
	{ "Connection refused", MEASURED_NO_PARTNER },
	{ "Failed status 12", MEASURED_RETRIES },
	{ "Failed status transport retry counter exceeded", MEASURED_RETRIES },
	{ "cq completion failed status 12", MEASURED_RETRIES },
	{ "Failed status 13", MEASURED_RECEIVER },
	{ "Failed status RNR retry counter exceeded", MEASURED_RECEIVER },
	{ "cq completion failed status 13", MEASURED_RECEIVER },
	{ "Failed status", MEASURED_RECEIVER },
	{ "RDMA_CM_EVENT_ADDR_ERROR", MEASURED_NO_PATH },
	{ "RDMA_CM_EVENT_ROUTE_ERROR", MEASURED_NO_PATH },
	{ "RDMA_CM_EVENT_UNREACHABLE", MEASURED_NO_PATH },
	{ "RDMA_CM_EVENT_REJECTED", MEASURED_NO_PARTNER },
	{ "waiting for addr/route resolution state", MEASURED_NO_PATH },
	{ "Failed to modify QP to RTR", MEASURED_NO_PATH },
	{ "Unable to Connect the HCA's through the link", MEASURED_NO_PATH },
	{ "Unable to init the socket connection", MEASURED_NO_PARTNER },
	{ "Correlation coefficient r^2", MEASURED_CLOCK },	/* of the cycle counter and the clock */
};

static void keep_words(struct span line, char *out, size_t size)
{
	size_t n = 0;

	for (line = span_trim(line); n < line.n && n < size - 1; n++)
		out[n] = line.p[n] >= ' ' && line.p[n] < 0x7f ? line.p[n] : '?';
	out[n] = '\0';
}

/* Its last table has a row, and the rate there is 0. */
static bool has_rate_of_0(struct span text)
{
	static struct perf_result results[PERF_RESULTS_MAX];
	size_t n = perf_read(text, results);

	return n && results[n - 1].kind == PERF_VERBS && results[n - 1].n_rows && results[n - 1].bps <= 0;
}

static void find_fault(struct span text, int status, struct measured *m)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		struct span rest = text, line;

		/* Without such an end it has begun, and what is not there is something else. */
		if (signs[i].fault == MEASURED_NO_TOOL && status != STATUS_NO_COMMAND)
			continue;
		while (span_line(&rest, &line))
			if (span_find(line, signs[i].text)) {
				m->fault = signs[i].fault;
				keep_words(line, m->words, sizeof(m->words));
				return;
			}
	}
	if (status == STATUS_TIME_LIMIT || status == STATUS_KILLED)
		m->fault = MEASURED_TIME;
	else if (status == STATUS_NO_COMMAND)
		m->fault = MEASURED_NO_TOOL;
	else
		m->fault = !status && has_rate_of_0(text) ? MEASURED_NOTHING : MEASURED_CUT;
}

/* -- results -- */

static bool take_number(struct span *line, double *n)
{
	char text[32];
	struct span word;
	char *end;

	if (!span_word(line, &word) || word.n >= sizeof(text))
		return false;
	memcpy(text, word.p, word.n);
	text[word.n] = '\0';
	*n = strtod(text, &end);
	return !*end && *n >= 0;
}

static void read_bandwidth(struct span text, struct measured *m)
{
	static struct perf_result results[PERF_RESULTS_MAX];
	size_t n = perf_read(text, results);

	for (size_t i = 0; i < n; i++) {
		m->mtu = results[i].mtu;
		m->bps = results[i].is_both_ways || results[i].failed ? 0 : results[i].bps;
	}
}

/*
 * "8  1000  1.02  4.55  1.08  1.10  0.12  1.35  4.55" below "#bytes #iterations t_min[usec] ...": typical is the third time, the 99th
 * percentile the sixth. With -D there are only the mean and the rate, below "#bytes #iterations t_avg[usec] tps average".
 */
static void read_latency(struct span text, struct measured *m)
{
	unsigned columns = 0;
	struct span line, word;

	while (span_line(&text, &line)) {
		double values[9];
		unsigned n = 0;

		line = span_trim(line);
		if (span_starts(line, "Mtu")) {
			uint64_t mtu;

			while (span_word(&line, &word))
				if (span_take_u64(&word, &mtu))
					m->mtu = (unsigned long)mtu;
		} else if (span_starts(line, "#bytes")) {
			columns = span_find(line, "t_typical") ? 9 : span_find(line, "t_avg") ? 4 : 0;
		} else if (columns) {
			while (n < columns && take_number(&line, &values[n]))
				n++;
			if (n < columns)
				continue;
			m->typical_us = values[columns == 9 ? 4 : 2];
			m->p99_us = columns == 9 ? values[7] : 0;
		}
	}
}

/* "ping data: rdma-ping-0: ABC..." of each answer that arrived. */
static void read_rping(struct span text, struct measured *m)
{
	struct span line;

	while (span_line(&text, &line))
		m->received += span_starts(line, "ping data: rdma-ping-");
	m->sent = m->received;
}

/* "8192000 bytes in 0.01 seconds = 8634.16 Mbit/sec" and "1000 iters in 0.01 seconds = 7.59 usec/iter". */
static void read_pingpong(struct span text, struct measured *m)
{
	struct span line, word;
	double n;

	while (span_line(&text, &line)) {
		if (!span_find(line, " iters in ") || !take_number(&line, &n))
			continue;
		m->sent = m->received = (unsigned long)n;
		while (span_word(&line, &word) && !span_is(word, "="))
			;
		if (take_number(&line, &n))
			m->typical_us = n / 2;	/* an iteration is there and back */
	}
}

/*
 * The JSON of iperf3 -u -J, behind what its standard error has. The sums at its end: what was sent, and what the receiver missed of it.
 * Of an error it has only "error", and its status is 0 all the same.
 */
static void read_stream(struct span text, struct measured *m)
{
	size_t at = 0;
	json_t *json, *sum;
	const char *error;

	while (at < text.n && text.p[at] != '{')
		at++;
	json = json_loadb(text.p + at, text.n - at, JSON_DISABLE_EOF_CHECK, NULL);
	sum = json_object_get(json_object_get(json, "end"), "sum");
	error = json_string_value(json_object_get(json, "error"));
	if (error) {
		keep_words(span_of(error), m->words, sizeof(m->words));
	} else if (sum) {
		json_int_t sent = json_integer_value(json_object_get(sum, "packets"));
		json_int_t lost = json_integer_value(json_object_get(sum, "lost_packets"));
		double bps = json_number_value(json_object_get(sum, "bits_per_second"));

		m->sent = sent > 0 ? (unsigned long)sent : 0;
		m->received = sent > 0 && lost >= 0 && lost <= sent ? (unsigned long)(sent - lost) : 0;
		m->bps = sent > 0 && bps > 0 ? bps : 0;
	}
	json_decref(json);
}

void measured_read(enum bringup_tool tool, struct span text, int status, struct measured *m)
{
	static void (*const read[BRINGUP_TOOLS])(struct span text, struct measured *m) = {
		[BRINGUP_WRITE_BW] = read_bandwidth, [BRINGUP_READ_BW] = read_bandwidth, [BRINGUP_WRITE_LAT] = read_latency,
		[BRINGUP_RPING] = read_rping, [BRINGUP_PINGPONG] = read_pingpong, [BRINGUP_STREAM] = read_stream,
	};

	struct span whole = text;

	while (whole.n && whole.p[whole.n - 1] != '\n')	/* half a line may hold half a number */
		whole.n--;
	*m = (struct measured){ .fault = MEASURED_WELL };
	if (tool == BRINGUP_COUNTERS)	/* which print nothing */
		return;
	read[tool](whole, m);
	if (status || (m->bps <= 0 && m->typical_us <= 0 && !m->received))
		find_fault(text, status, m);
}
