/* The application as /proc shows it: processes that use NCCL or hold an RDMA device open; and the NICs' PCIe links. */
#include "remote/linux/linux.h"

#include <stdio.h>

#include "remote/platform/tool_output.h"

#define ENV_TEXT	400	/* of app.env; more is left out */
#define NEGATIVE	"NCCL_IB_TC is negative: the meaning depends on NCCL's version"	/* its default, or 255 */
#define NO_TC		"NCCL_IB_TC is not a number from 0 to 255"
#define NOT_SEEN	"not root: processes of other users cannot be read"
#define NO_TOOLS	"find -lname and grep -z are missing (BusyBox): processes were not searched"

struct variable {
	struct span text;	/* of the first process that has it */
	uint64_t n;
	bool is_set, differs;
};

/* What the processes say together. */
struct processes {
	size_t n, n_with_nccl, n_unset;		/* n_unset: with NCCL_ variables, and no traffic class among them */
	size_t n_any_hca;			/* the same of NCCL_IB_HCA */
	bool has_nccl, has_tc, has_hca;		/* of the one being read */
	struct variable tc, fifo_tc, gid_index, net;
	bool conf_tc, conf_hca, hca_is_cut;
	struct span hca_line;			/* the first that names devices */
	struct buf hcas;			/* each value of it once, a blank between */
	struct span negative_tc;		/* the line that says so */
	struct span unread;			/* the first line that was not understood: it may begin another process */
	uint64_t memlock;
	bool has_memlock, memlock_unread;
	struct span memlock_line;
	struct buf env;
};

/* NCCL reads numbers as C does: 106, 0x6a. Negative ones mean its default. */
static bool as_number(struct span s, uint64_t *n)
{
	if (span_starts(s, "0x") || span_starts(s, "0X"))
		return span_hex((struct span){ s.p + 2, s.n - 2 }, n);
	return span_u64(s, n);
}

static void set_variable(struct variable *v, struct span value, uint64_t n)
{
	v->differs |= v->is_set && v->n != n;
	if (!v->is_set)
		v->text = value;
	v->is_set = true;
	v->n = n;
}

static void note_env(struct processes *p, struct span line)
{
	if (p->env.n + line.n + 1 > ENV_TEXT || (p->env.n && memmem(p->env.text, p->env.n, line.p, line.n)))
		return;
	buf_str(&p->env, p->env.n ? " " : "");
	buf_add(&p->env, line.p, line.n);
}

#define LINE_CUT	200	/* the collector cuts lines there, */
#define PROCESSES_MOST	64	/* and tells of no more processes */
#define HCAS_MAX	400	/* bytes of app.hca.asked: what is longer is not told in part */

/* An empty list, also one of nothing to leave out, means every device: NCCL takes it as if it were not set. */
static void note_hcas(struct processes *p, struct span line, struct span value, bool is_conf)
{
	struct span names = value;

	while (span_skip(&names, "^") || span_skip(&names, "="))
		;
	if (names.n == 0)
		return;
	p->has_hca |= !is_conf;
	p->conf_hca |= is_conf;
	p->hca_line = p->hca_line.p ? p->hca_line : line;
	p->hca_is_cut |= line.n >= LINE_CUT;
	if (!p->hcas.n || !span_is_among(value, p->hcas.text))
		buf_printf(&p->hcas, "%s%.*s", p->hcas.n ? " " : "", (int)value.n, value.p);
}

/* What a line "NCCL_NAME=value" decides. */
static void variable_line(struct processes *p, struct span line, struct span name, struct span value, bool is_conf)
{
	uint64_t n;

	note_env(p, line);
	if (span_is(name, "NCCL_IB_TC") && as_number(value, &n) && n < 256) {
		set_variable(&p->tc, line, n);
		p->has_tc = true;
		p->conf_tc |= is_conf;
	} else if (span_is(name, "NCCL_IB_TC")) {	/* negative, or what only NCCL's own version knows how to read */
		p->negative_tc = line;
		p->has_tc = true;
	} else if (span_is(name, "NCCL_IB_FIFO_TC") && as_number(value, &n) && n < 256) {
		set_variable(&p->fifo_tc, line, n);
	} else if (span_is(name, "NCCL_IB_GID_INDEX") && as_number(value, &n) && n < 256) {
		set_variable(&p->gid_index, line, n);
	} else if (span_is(name, "NCCL_IB_HCA")) {
		note_hcas(p, line, value, is_conf);
	} else if ((span_is(name, "NCCL_NET") && span_is_nocase(value, "Socket")) ||
		   (span_is(name, "NCCL_IB_DISABLE") && as_number(value, &n) && n == 1)) {
		set_variable(&p->net, line, APP_NET_SOCKET);
	}
}

static void end_process(struct processes *p)
{
	p->n_with_nccl += p->has_nccl;
	p->n_unset += p->has_nccl && !p->has_tc;
	p->n_any_hca += p->has_nccl && !p->has_hca;
	p->has_nccl = p->has_tc = p->has_hca = false;
}

static void memlock_line(struct processes *p, struct span line, struct span value)
{
	uint64_t bytes = UINT64_MAX;

	if (!span_is(value, "unlimited") && !span_u64(value, &bytes)) {
		p->memlock_unread = true;
		return;
	}
	if (p->has_memlock && bytes >= p->memlock)
		return;
	p->memlock = bytes;
	p->has_memlock = true;
	p->memlock_line = line;
}

static void say_variable(struct obs *o, enum field f, const struct variable *v)
{
	if (!v->is_set)
		return;
	obs_cite(o, v->text);
	if (v->differs)
		obs_unknown(o, OBS_DEVICE, f, 0, "its processes differ");
	else
		obs_number(o, OBS_DEVICE, f, 0, v->n);
}

static void say_tc(struct obs *o, const struct processes *p)
{
	bool is_set = p->tc.is_set || p->negative_tc.p;

	obs_cite(o, p->negative_tc);
	if (p->negative_tc.p)
		obs_unknown(o, OBS_DEVICE, FIELD_APP_TC, 0, span_find(p->negative_tc, "=-") ? NEGATIVE : NO_TC);
	else
		say_variable(o, FIELD_APP_TC, &p->tc);
	o->cite = CITE_NONE;
	if (is_set && p->n_unset && !p->conf_tc)
		obs_unknown(o, OBS_DEVICE, FIELD_APP_TC_SET, 0, "its processes differ");
	else if (is_set || p->n_unset)
		obs_bool(o, OBS_DEVICE, FIELD_APP_TC_SET, 0, is_set);
}

/* Which devices the job may use is known where each of its processes was read. */
static void say_hcas(struct obs *o, const struct processes *p, const char *blind)
{
	bool is_set = p->hcas.n > 0;
	const char *why = blind;

	o->cite = CITE_NONE;
	if (!p->n_with_nccl && !is_set)
		return;
	if (!why && p->n >= PROCESSES_MOST)
		why = "not all processes were read";
	else if (!why && (p->hca_is_cut || p->hcas.n > HCAS_MAX))
		why = "NCCL_IB_HCA was not read completely";
	else if (!why && is_set && p->n_any_hca && !p->conf_hca)
		why = "its processes differ";
	if (is_set)
		obs_cite(o, p->hca_line);
	if (why)
		return obs_unknown(o, OBS_DEVICE, FIELD_APP_HCA_SET, 0, why);
	obs_bool(o, OBS_DEVICE, FIELD_APP_HCA_SET, 0, is_set);
	if (is_set)
		obs_text(o, OBS_DEVICE, FIELD_APP_HCA_ASKED, buf_span(&p->hcas));
}

static void say_processes(struct obs *o, struct processes *p, const char *blind)
{
	o->cite = CITE_NONE;
	obs_number(o, OBS_DEVICE, FIELD_APP_PROCS, 0, p->n);
	if (p->n == 0)
		return;
	say_tc(o, p);
	say_hcas(o, p, blind);
	say_variable(o, FIELD_APP_FIFO_TC, &p->fifo_tc);
	say_variable(o, FIELD_APP_GID_INDEX, &p->gid_index);
	say_variable(o, FIELD_APP_NET, &p->net);
	if (p->memlock_unread) {
		obs_unknown(o, OBS_DEVICE, FIELD_APP_MEMLOCK, 0, "the limit of a process could not be parsed");
	} else if (p->has_memlock) {
		obs_cite(o, p->memlock_line);
		obs_number(o, OBS_DEVICE, FIELD_APP_MEMLOCK, 0, p->memlock);
	}
	o->cite = CITE_NONE;
	if (p->env.n)
		obs_text(o, OBS_DEVICE, FIELD_APP_ENV, buf_span(&p->env));
}

/* Whose it is nobody knows, nor what the others of it were: nothing is told of any. */
static void say_unread(struct obs *o, struct span line)
{
	char reason[REASON_MAX];

	snprintf(reason, sizeof(reason), "a line could not be parsed: %.*s", line.n < 60 ? (int)line.n : 60, line.p);
	obs_cite(o, line);
	obs_unknown(o, OBS_DEVICE, FIELD_APP_PROCS, 0, reason);
}

/*
 * Lines of the collector: "process PID NAME", and below it "memlock BYTES|unlimited" and the process's NCCL_ variables;
 * "conf NCCL_…" of /etc/nccl.conf ahead of them; "end", "end not root" or "end without …" its tools. Other variables are never
 * asked for.
 */
size_t linux_processes(const struct answer *a, struct obs *o)
{
	struct processes p = { .n = 0 };
	struct span rest = a->text, line, name, value;
	bool is_whole = false;
	const char *blind = NULL;

	while (span_line(&rest, &line)) {
		struct span text = span_trim(line);
		bool is_conf = span_skip(&text, "conf ");

		if (span_skip(&text, "process ")) {
			end_process(&p);
			p.n++;
		} else if (span_skip(&text, "memlock ")) {
			memlock_line(&p, line, span_trim(text));
		} else if (span_starts(text, "NCCL_") && span_cut(text, '=', &name, &value)) {
			p.has_nccl |= !is_conf;
			variable_line(&p, text, name, span_trim(value), is_conf);
		} else if (span_is(text, "end") || span_is(text, "end not root") || span_starts(text, "end without ")) {
			is_whole = true;
			blind = text.n == 3 ? NULL : span_is(text, "end not root") ? NOT_SEEN : NO_TOOLS;
		} else if (text.n > 0) {
			p.unread = p.unread.n ? p.unread : line;
			obs_missed(o, line);
		}
	}
	end_process(&p);
	if (is_whole && p.unread.n)
		say_unread(o, p.unread);
	else if (is_whole && blind && p.n == 0)
		obs_unknown(o, OBS_DEVICE, FIELD_APP_PROCS, 0, blind);
	else if (is_whole)
		say_processes(o, &p, blind);
	buf_done(&p.env);
	buf_done(&p.hcas);
	o->cite = CITE_NONE;
	return o->n;
}

/* "8.0 GT/s PCIe", older "8 GT/s", "Unknown": what a lane carries in a second, before its coding. */
static void pcie_speed(struct obs *o, uint16_t port, enum field f, struct span value)
{
	uint64_t whole, tenth = 0;
	struct span rest = value;

	if (!span_take_u64(&rest, &whole) || whole > 1000)
		return obs_unknown(o, port, f, 0, "the kernel does not know");
	if (span_skip(&rest, "."))
		span_take_u64(&rest, &tenth);
	if (tenth > 9 || !span_starts(span_trim(rest), "GT/s"))
		return obs_unknown(o, port, f, 0, "the kernel does not know");
	obs_number(o, port, f, 0, whole * 1000000000 + tenth * 100000000);
}

static void pcie_width(struct obs *o, uint16_t port, enum field f, struct span value)
{
	uint64_t lanes;

	/* 63 or 255: what the bus reads as where there is no link */
	if (span_u64(value, &lanes) && lanes > 0 && lanes <= 32)
		obs_number(o, port, f, 0, lanes);
	else
		obs_unknown(o, port, f, 0, "the kernel does not know");
}

static const struct {
	const char *file;
	enum field field;
	void (*add)(struct obs *o, uint16_t port, enum field f, struct span value);
} pcie_files[] = {
	{ "current_link_speed", FIELD_PCIE_SPEED,	pcie_speed },
	{ "max_link_speed",	FIELD_PCIE_SPEED_MAX,	pcie_speed },
	{ "current_link_width", FIELD_PCIE_WIDTH,	pcie_width },
	{ "max_link_width",	FIELD_PCIE_WIDTH_MAX,	pcie_width },
};

/* "/sys/class/net/eth2/device/current_link_speed:8.0 GT/s PCIe", as "grep -H ." prints them. */
size_t linux_pcie(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, path, value, file, port;

	while (span_line(&rest, &line)) {
		struct span text = line;
		size_t i = 0;

		obs_cite(o, line);
		if (!span_skip(&text, "/sys/class/net/") || !span_cut(text, ':', &path, &value) ||
		    !span_cut(path, '/', &port, &path) || !span_skip(&path, "device/")) {
			obs_missed(o, line);
			continue;
		}
		file = path;
		while (i < sizeof(pcie_files) / sizeof(*pcie_files) && !span_is(file, pcie_files[i].file))
			i++;
		if (i < sizeof(pcie_files) / sizeof(*pcie_files) && obs_port(o, port) != OBS_DEVICE)
			pcie_files[i].add(o, obs_port(o, port), pcie_files[i].field, span_trim(value));
		else
			obs_missed(o, line);
	}
	o->cite = CITE_NONE;
	return o->n;
}
