/* The kernel's log: lines about NICs, PCIe and memory that say something is wrong. */
#include "remote/linux/linux.h"

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

/* "mlx5_core 0000:1a:00.0 eth2: Link down", and later of the same interface "Link up": it is not down any more. */
static bool is_up_again(struct span line, struct span later)
{
	const char *at = span_find(line, "mlx5_core"), *end = span_find(line, ": Link down");
	struct buf up = { 0 };
	bool is_up;

	if (!at || !end || end < at)
		return false;
	buf_printf(&up, "%.*s: Link up", (int)(end - at), at);
	is_up = span_find(later, up.text);
	buf_done(&up);
	return is_up;
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
	char reason[REASON_MAX];

	if (a->status > 0 && refusal(a, "dmesg", reason)) {
		obs_unknown(o, OBS_DEVICE, FIELD_KERNEL_LINES, 0, reason);
		return o->n;
	}
	while (span_line(&rest, &line))
		if (!is_up_again(line, rest))
			take_line(&w, line);
	if (w.n == 0 && w.n_mlx == 0)
		return 0;
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
