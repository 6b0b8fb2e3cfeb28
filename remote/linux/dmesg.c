/* The kernel's log: lines about NICs, PCIe and memory that say something is wrong. */
#include "remote/linux/linux.h"

#include <stdlib.h>

#include <uthash.h>

#include "core/roce/completion.h"
#include "remote/platform/tool_output.h"

/* A line that is known, a row each, the gravest first. Wordings are those of mlx5_core, mlx5_ib and the kernel's AER. */
static const struct trouble {
	const char *needle, *also;	/* what the line holds; also: and this, or NULL */
	const char *cause;		/* its id, or NULL */
	const char *what;
} troubles[] = {
	{ "device's health compromised", NULL,		"driver-not-ready", "the NIC's firmware does not answer any more" },
	{ "Health issue observed", NULL,		"driver-not-ready", "the NIC's firmware reports an error of its own" },
	{ "mlx5_core", "Fatal error",			"driver-not-ready", "the NIC failed" },
	{ "health recovery flow aborted", NULL,		"driver-not-ready", "the NIC could not be brought back" },
	{ "PCIe Bus Error: severity=Uncorrect", NULL,	"pcie-degraded", "PCIe reported an error that could not be corrected" },
	{ "Detected insufficient power", NULL,		"pcie-degraded", "the PCIe slot gives too little power: the NIC may slow down" },
	{ "available PCIe bandwidth, limited by", "mlx5_core", "pcie-degraded", "the NIC's PCIe link is slower than it can be" },
	{ "Port module event[error]", "High Temperature", "degraded-link", "a transceiver is too hot" },
	{ "Port module event[error]", NULL,		"degraded-link", "a transceiver or cable reports an error" },
	{ "NETDEV WATCHDOG", "mlx5_core",		NULL, "a transmit queue of the NIC timed out" },
	{ "cannot allocate", "locked memory",		"memlock-low", "memory could not be locked" },
	{ "No done completion", "mlx5_core",		"driver-not-ready", "a command to the NIC's firmware was never done" },
	{ "ACCESS_REG(", "failed",			NULL, "the NIC's firmware refused a register access" },
	{ "PCIe Bus Error: severity=Corrected", NULL,	"pcie-degraded", "PCIe corrects errors" },
	{ "mlx5_core", ": Link down",			"link-down", "a link went down" },
};
#define TROUBLES (sizeof(troubles) / sizeof(*troubles))

static bool holds(struct span line, const struct trouble *t)
{
	return span_find(line, t->needle) && (!t->also || span_find(line, t->also));
}

/* "infiniband mlx5_0: mlx5_handle_error_cqe:332:(pid 0): WC error: 4, Message: local protection error" */
static const struct completion *failed_completion(struct span line)
{
	const char *at = span_find(line, "WC error: ");
	struct span rest;
	uint64_t status;

	if (!at)
		return NULL;
	rest = (struct span){ at + 10, line.n - (size_t)(at + 10 - line.p) };
	return span_take_u64(&rest, &status) ? completion_find(status) : NULL;
}

struct worst {
	size_t row;			/* of troubles; TROUBLES: none */
	struct span line;
	const struct completion *completion;
	struct span completion_line;
	uint64_t n, n_mlx;		/* lines that say something is wrong; lines of the log at all */
};

static void take_line(struct worst *w, struct span line)
{
	const struct completion *c = failed_completion(line);

	w->n_mlx += span_find(line, "mlx5_") || span_find(line, "pcieport") || span_find(line, "infiniband ");
	if (c) {
		w->n++;
		if (!w->completion || w->completion->is_consequence) {
			w->completion = c;
			w->completion_line = line;
		}
		return;
	}
	for (size_t i = 0; i < TROUBLES; i++) {
		if (!holds(line, &troubles[i]))
			continue;
		w->n++;
		if (i < w->row) {
			w->row = i;
			w->line = line;
		}
		return;
	}
}

/* An interface whose link went down, until the log says that it is up again. */
struct down {
	UT_hash_handle hh;
	struct span name;		/* "mlx5_core 0000:1a:00.0 eth2" */
	struct span line;		/* the first that says so */
	uint64_t n;
};

/* "mlx5_core 0000:1a:00.0 eth2: Link down": what stands before the colon; else nothing. */
static struct span before(struct span line, const char *event)
{
	const char *at = span_find(line, "mlx5_core"), *end = span_find(line, event);

	return at && end && end > at ? (struct span){ at, (size_t)(end - at) } : (struct span){ 0 };
}

/* Whether the line is about a link's state, which counts once the log has ended. */
static bool take_link(struct down **downs, struct span line)
{
	struct span name = before(line, ": Link down");
	bool is_up = !name.n;
	struct down *d;

	if (is_up)
		name = before(line, ": Link up");
	if (!name.n)
		return false;
	HASH_FIND(hh, *downs, name.p, name.n, d);
	if (d && is_up) {
		HASH_DEL(*downs, d);
		free(d);
	} else if (d) {
		d->n++;
	} else if (!is_up) {
		d = xcalloc(1, sizeof(*d));
		*d = (struct down){ .name = name, .line = line, .n = 1 };
		HASH_ADD_KEYPTR(hh, *downs, d->name.p, d->name.n, d);
	}
	return true;
}

static void take_downs(struct worst *w, struct down *downs)
{
	struct down *d, *next;

	HASH_ITER(hh, downs, d, next) {
		take_line(w, d->line);
		w->n += d->n - 1;
		HASH_DEL(downs, d);
		free(d);
	}
}

bool linux_dmesg_line(struct span line)
{
	static const char *const words[] = {
		"mlx5_", "infiniband ", "pcieport", "PCIe", "NETDEV WATCHDOG", "locked memory",
	};

	if (span_find(line, "ommand line: "))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (span_find(line, words[i]))
			return true;
	return span_starts(line, "dmesg: ") || span_starts(line, DMESG_CUT);
}

static void say_trouble(struct obs *o, const char *what, struct span line)
{
	struct buf text = { 0 };

	obs_cite(o, line);
	buf_printf(&text, "%s (%.*s)", what, (int)(line.n < 120 ? line.n : 120), line.p);
	obs_text(o, OBS_DEVICE, FIELD_KERNEL_TROUBLE, buf_span(&text));
	buf_done(&text);
}

/*
 * dmesg, or journalctl -k, in any of their layouts.
 *
 * o	gets kernel.lines, and of the gravest line kernel.trouble and, where it names one, kernel.cause; 0 facts when no
 *	line is of a driver or bus that is known here
 */
size_t linux_dmesg(const struct answer *a, struct obs *o)
{
	struct worst w = { .row = TROUBLES };
	struct span rest = a->text, line;
	struct down *downs = NULL;
	char reason[REASON_MAX];
	bool is_cut = false;

	if ((a->status > 0 || span_starts(a->text, "dmesg: ")) && refusal(a, "dmesg", reason)) {
		obs_unknown(o, OBS_DEVICE, FIELD_KERNEL_LINES, 0, reason);
		return o->n;
	}
	while (span_line(&rest, &line)) {
		is_cut |= span_starts(line, DMESG_CUT);
		if (take_link(&downs, line))
			w.n_mlx++;
		else
			take_line(&w, line);
	}
	take_downs(&w, downs);
	if (w.n == 0 && w.n_mlx == 0)
		return 0;
	if (is_cut)
		obs_unknown(o, OBS_DEVICE, FIELD_KERNEL_LINES, 0, "the kernel's log holds more lines of NICs and PCIe than are read");
	else
		obs_number(o, OBS_DEVICE, FIELD_KERNEL_LINES, 0, w.n);
	if (w.row < TROUBLES) {
		say_trouble(o, troubles[w.row].what, w.line);
		if (troubles[w.row].cause)
			obs_text(o, OBS_DEVICE, FIELD_KERNEL_CAUSE, span_of(troubles[w.row].cause));
	} else if (w.completion) {
		say_trouble(o, w.completion->what, w.completion_line);
		if (w.completion->id)
			obs_text(o, OBS_DEVICE, FIELD_KERNEL_CAUSE, span_of(w.completion->id));
	}
	o->cite = CITE_NONE;
	return o->n;
}
