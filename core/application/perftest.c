#include "core/application/perftest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define COLUMNS_MAX	16
#define LARGE_VERBS	65536u		/* the default of the bandwidth tests of perftest; smaller ones measure messages a second */
/* A published all-reduce, within one host, reaches 67 % of its best with 32 MiB and 94 % with 256 MiB; links are no quicker. */
#define LARGE_NCCL	(256u << 20)
#define MEBI		1048576.0

struct reader {
	struct perf_result *list;
	size_t n;
	double unit_bps;	/* of a verbs table's bandwidth column; 0: no table has begun */
	bool is_verbs, is_open;	/* a test has begun, and takes what comes */
};

static struct perf_result *begin(struct reader *r, enum perf_kind kind, struct span title)
{
	if (r->n == PERF_RESULTS_MAX) {
		r->is_open = false;
		return NULL;
	}
	r->list[r->n] = (struct perf_result){ .kind = kind, .title = title };
	r->is_open = true;
	r->is_verbs = kind == PERF_VERBS;
	r->unit_bps = 0;
	return &r->list[r->n++];
}

static struct perf_result *current(struct reader *r, enum perf_kind kind)
{
	return r->is_open && r->is_verbs == (kind == PERF_VERBS) ? &r->list[r->n - 1] : NULL;
}

/* "12345.67", as both print; false for anything else, and for what is no amount. */
static bool real(struct span s, double *out)
{
	char text[32], *end;

	if (s.n == 0 || s.n >= sizeof(text) || s.p[0] < '0' || s.p[0] > '9')
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	*out = strtod(text, &end);
	return *end == '\0' && *out >= 0 && *out < 1e12;
}

static struct span value_of(struct span line, const char *name)
{
	const char *at = span_find(line, name);
	struct span rest, value = { NULL, 0 };

	if (!at)
		return value;
	rest = (struct span){ at, line.n - (size_t)(at - line.p) };
	if (span_cut(rest, ':', &value, &rest) && span_word(&rest, &value))
		return value;
	return (struct span){ NULL, 0 };
}

/* Whether the links limit messages of that size, and not the work that each message makes. */
static bool is_large(enum perf_kind kind, uint64_t bytes)
{
	return bytes >= (kind == PERF_VERBS ? LARGE_VERBS : LARGE_NCCL);
}

/* Of a test over several sizes the large ones count, where there are any. */
static void keep_best(struct perf_result *p, uint64_t bytes, double bps, struct span line)
{
	bool large = is_large(p->kind, bytes), had_large = p->n_rows && is_large(p->kind, p->bytes);

	p->n_rows++;
	if (large == had_large ? bps <= p->bps : had_large)
		return;
	p->bps = bps;
	p->bytes = bytes;
	p->line = line;
}

/* -- perftest -- */

static void verbs_setting(struct perf_result *p, struct span line)
{
	struct span device = value_of(line, "Device  "), mtu = value_of(line, "Mtu  "), gid = value_of(line, "GID index"),
		    type = value_of(line, "Link type"), status = { NULL, 0 };
	uint64_t n;

	if (device.n)
		p->device = device;
	if (type.n)
		p->link_type = type;
	if (mtu.n && span_take_u64(&mtu, &n) && n <= 4096)
		p->mtu = n;
	if (gid.n && span_u64(gid, &n)) {
		p->gid_index = n;
		p->has_gid = true;
	}
	if (span_skip(&line, "Failed status ") && span_cut(line, ':', &status, &line) && span_u64(status, &n))
		p->failed = n;
}

/* MB/sec is the older word for MiB/sec: both are counted in 2^20 bytes. */
static double unit_of(struct span heading)
{
	static const struct {
		const char *text;
		double bps;
	} units[] = { { "[Gb/sec]", 1e9 }, { "[MiB/sec]", MEBI * 8 }, { "[MB/sec]", MEBI * 8 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (span_find(heading, units[i].text))
			return units[i].bps;
	return 0;
}

/* "65536 1059332 0.00 92.57 0.176557": the peak is 0 where a duration was given, so the average is taken. */
static void verbs_row(struct reader *r, struct perf_result *p, struct span line)
{
	struct span rest = line, bytes, iterations, peak, average;
	uint64_t size, none;
	double bw;

	if (r->unit_bps > 0 && span_word(&rest, &bytes) && span_word(&rest, &iterations) && span_word(&rest, &peak) &&
	    span_word(&rest, &average) && span_u64(bytes, &size) && span_u64(iterations, &none) && real(average, &bw))
		keep_best(p, size, bw * r->unit_bps, line);
}

static bool verbs_line(struct reader *r, struct span line)
{
	struct span trimmed = span_trim(line);
	struct perf_result *p;

	/* Client and server of a loopback print the same title one after the other: one test. */
	if (span_find(trimmed, " BW Test") && trimmed.n < 64) {
		p = current(r, PERF_VERBS);
		if (!p || p->n_rows || !span_same(p->title, trimmed))
			p = begin(r, PERF_VERBS, trimmed);
		if (p)
			p->is_both_ways = span_find(trimmed, "Bidirectional") != NULL;
		return true;
	}
	if (span_starts(trimmed, "Failed status ") && !current(r, PERF_VERBS))
		begin(r, PERF_VERBS, SPAN("perftest"));
	p = current(r, PERF_VERBS);
	if (!p)
		return false;
	if (span_starts(trimmed, "#bytes"))
		r->unit_bps = unit_of(trimmed);
	else if (trimmed.n && trimmed.p[0] >= '0' && trimmed.p[0] <= '9')
		verbs_row(r, p, trimmed);
	else
		verbs_setting(p, trimmed);
	return true;
}

/* -- nccl-tests -- */

/* "#  Rank  0 Group  0 Pid 1942267 on h100-ord01-03-14 device  0 [0x0f] NVIDIA H100" */
static void nccl_rank(struct perf_result *p, struct span line)
{
	const char *on = span_find(line, " on ");
	struct span rest, host;

	if (!on)
		return;
	rest = (struct span){ on + 4, line.n - (size_t)(on + 4 - line.p) };
	if (!span_word(&rest, &host))
		return;
	p->ranks++;
	for (size_t i = 0; i < p->n_hosts; i++)
		if (span_same(p->hosts[i], host))
			return;
	if (p->n_hosts < PERF_HOSTS_MAX)
		p->hosts[p->n_hosts++] = host;
}

/*
 * "size count type redop [root] time algbw busbw wrong time algbw busbw wrong": the bandwidths are in GB/s, counted from
 * the end, since older versions have no root.
 */
static void nccl_row(struct perf_result *p, struct span line)
{
	struct span words[COLUMNS_MAX], rest = line;
	uint64_t size, wrong = 0;
	size_t n = 0;
	double out, in;

	while (n < COLUMNS_MAX && span_word(&rest, &words[n]))
		n++;
	if (n < 12 || !span_u64(words[0], &size) || !real(words[n - 6], &out) || !real(words[n - 2], &in))
		return;
	keep_best(p, size, (out > in ? out : in) * 8e9, line);
	if ((span_u64(words[n - 5], &wrong) && wrong) || (span_u64(words[n - 1], &wrong) && wrong))
		p->n_wrong++;
}

static void nccl_line(struct reader *r, struct span line)
{
	struct span trimmed = span_trim(line), mean;
	struct perf_result *p = current(r, PERF_NCCL);

	if (span_starts(trimmed, "# nThread ") || span_starts(trimmed, "# Using devices")) {
		if (!p || p->n_rows)
			begin(r, PERF_NCCL, SPAN("nccl-tests"));
		return;
	}
	if (!p)
		return;
	mean = value_of(trimmed, "Avg bus bandwidth");
	if (mean.n && real(mean, &p->mean_bps))
		p->mean_bps *= 8e9;
	else if (trimmed.n && *trimmed.p == '#' && span_find(trimmed, "Rank ") && span_find(trimmed, " device "))
		nccl_rank(p, trimmed);
	else if (trimmed.n && trimmed.p[0] >= '0' && trimmed.p[0] <= '9')
		nccl_row(p, trimmed);
}

size_t perf_read(struct span text, struct perf_result *out)
{
	struct reader r = { .list = out };
	struct span rest = text, line;

	while (span_line(&rest, &line))
		if (!verbs_line(&r, line) || span_starts(span_trim(line), "# "))
			nccl_line(&r, line);
	return r.n;
}

const char *perf_unjudged(const struct perf_result *p, char reason[PERF_REASON_MAX])
{
	if (!p->n_rows)
		return "no result of it was understood";
	if (p->kind == PERF_NCCL && p->n_hosts < 2)
		return p->n_hosts ? "all ranks are on one host: no byte crosses a link" : "the hosts of its ranks are not printed";
	if (is_large(p->kind, p->bytes))
		return NULL;
	snprintf(reason, PERF_REASON_MAX, "message size %" PRIu64 " is too small to judge bandwidth", p->bytes);
	return reason;
}
