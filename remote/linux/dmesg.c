/* The kernel's log: lines about NICs, PCIe and memory that say something is wrong. */
#include "core/base/hash.h"
#include "remote/linux/linux.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/roce/completion.h"
#include "remote/platform/tool_output.h"

enum trouble_of {
	OF_DRIVER,		/* the words are of a NIC's driver, or of no device */
	OF_BUS,			/* the words are of any PCIe device: they count where it is a NIC */
	OF_LINK,		/* the state of an interface's link, and its newest line tells it */
};

/*
 * A line that is known, a row each, the gravest first. A row that names a cause says that very thing: a NIC that is hot or failed
 * is no missing module, and an error on the bus says nothing of its width.
 *
 * source	drivers/net/ethernet/mellanox/mlx5/core: health.c, events.c, cmd.c, en_main.c; drivers/pci: pcie/aer.c, of both its
 *		wordings ("Corrected", "Correctable"), pci.c
 */
static const struct trouble {
	const char *needle, *also;	/* what the line holds; also: and this, or NULL */
	const char *until;		/* a line of the same device or module that ends it, or NULL */
	const char *cause;		/* its id, or NULL */
	const char *what;
	enum trouble_of of;
} troubles[] = {
	{ "device's health compromised", NULL, "health recovery succeeded", NULL, "the NIC's firmware stopped responding" },
	{ "mlx5_core", "Fatal error", "health recovery succeeded", NULL, "the NIC failed" },
	{ "health recovery flow aborted", NULL, "health recovery succeeded", NULL, "the NIC could not be recovered" },
	{ "health recovery failed", NULL, "health recovery succeeded", NULL, "the NIC could not be recovered" },
	{ "Health issue observed", "High temp", NULL, NULL, "the NIC's firmware reported a high temperature" },
	{ "Health issue observed", NULL, "health recovery succeeded", NULL, "the NIC's firmware reported an internal error" },
	{ "PCIe Bus Error: severity=Uncorrect", NULL, NULL, NULL, "PCIe reported an uncorrectable error of the NIC", OF_BUS },
	{ "Detected insufficient power", NULL, "advertised sufficient power", NULL, "the PCIe slot supplies too little power to the NIC" },
	{ "available PCIe bandwidth, limited by", NULL, NULL, "pcie-degraded", "the NIC's PCIe link is below its capability", OF_BUS },
	{ "Port module event[error]", "High Temperature", "Cable plugged", NULL, "a transceiver reported a high temperature" },
	{ "Port module event[error]", NULL, "Cable plugged", NULL, "a transceiver or cable reported an error" },
	{ "NETDEV WATCHDOG", "mlx5_core", NULL, NULL, "a transmit queue of the NIC timed out" },
	{ "cannot allocate", "locked memory", NULL, "memlock-low", "memory could not be locked" },
	{ "No done completion", "mlx5_core", "health recovery succeeded", NULL, "a command to the NIC's firmware timed out" },
	{ "ACCESS_REG(", "failed", NULL, NULL, "the NIC's firmware refused a register access" },
	{ "PCIe Bus Error: severity=Correct", NULL, NULL, NULL, "PCIe corrected errors of the NIC", OF_BUS },
	{ "mlx5_core", ": Link down", ": Link up", "link-down", "a link went down", OF_LINK },
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

/* -- whose line it is -- */

#define KEY_MAX	48

/* A device, or one module of it, and what the log says of it and has not ended. */
struct part {
	UT_hash_handle hh;
	char key[KEY_MAX];		/* "0000:1a:00.0", "0000:1a:00.0 module 1"; "": the line names none */
	bool is_nic;			/* a NIC's driver says so in some line */
	struct span name;		/* of its interface, by the newest line; else nothing */
	uint64_t n[TROUBLES];
	struct span first[TROUBLES];
};

struct log {
	struct part *parts;
	const struct completion *completion;
	struct span completion_line;
	uint64_t n_completions, n_mlx;	/* lines of a failed completion; lines of the log at all */
	bool is_cut;
};

/* "0000:1a:00.0:" */
static bool is_address(struct span word)
{
	struct span domain, bus, rest, device, function;
	uint64_t unused;

	return span_cut(word, ':', &domain, &rest) && span_cut(rest, ':', &bus, &rest) && span_cut(rest, '.', &device, &function) &&
	       domain.n >= 4 && span_hex(domain, &unused) && span_hex(bus, &unused) && span_hex(device, &unused) && function.n > 0 &&
	       function.p[0] >= '0' && function.p[0] <= '7';
}

/* "mlx5_core 0000:1a:00.0 eth2: Link down": the address, and whether it stands behind a NIC's driver; else nothing. */
static struct span device_of(struct span line, bool *is_nic)
{
	static const char drivers[] = "mlx5_core mlx4_core mlx4_en bnxt_en ice i40e ionic qede qed hns3 cxgb4 be2net";
	struct span word, last = { NULL, 0 };

	*is_nic = false;
	while (span_word(&line, &word)) {
		bool is_behind = last.n && span_is_among(last, drivers);

		last = word;
		if (!is_address(word) && !(is_behind && span_find(word, ".sf.")))
			continue;
		*is_nic = is_behind;
		return word.p[word.n - 1] == ':' ? (struct span){ word.p, word.n - 1 } : word;
	}
	return (struct span){ "", 0 };
}

/* "Port module event: module 1, Cable plugged" is of that module. */
static struct part *part_of(struct log *log, struct span line)
{
	const char *event = span_find(line, "Port module event"), *module = event ? span_find(line, ": module ") : NULL;
	char key[KEY_MAX];
	struct span device, number = { "", 0 };
	struct part *p;
	bool is_nic;

	device = device_of(line, &is_nic);
	if (module) {
		struct span rest = { module + 2, line.n - (size_t)(module + 2 - line.p) };

		span_cut(rest, ',', &number, &rest);
	}
	snprintf(key, sizeof(key), "%.*s%s%.*s", (int)(device.n < 24 ? device.n : 24), device.p, number.n ? " " : "",
		 (int)(number.n < 16 ? number.n : 16), number.p);
	HASH_FIND_STR(log->parts, key, p);
	if (!p) {
		p = xcalloc(1, sizeof(*p));
		memcpy(p->key, key, sizeof(key));
		HASH_ADD_STR(log->parts, key, p);
	}
	p->is_nic |= is_nic;
	return p;
}

/* -- line by line -- */

static void take_completion(struct log *log, const struct completion *c, struct span line)
{
	log->n_completions++;
	if (log->completion && !log->completion->is_consequence)
		return;
	log->completion = c;
	log->completion_line = line;
}

/* "mlx5_core 0000:1a:00.0 eth2: Link down": the interface; "... eth2: renamed from eth9": the one that is called so now. */
static void take_name(struct part *p, struct span line)
{
	const char *link = span_find(line, ": Link "), *renamed = span_find(line, ": renamed from ");
	struct span head = { line.p, (size_t)((link ? link : renamed ? renamed : line.p) - line.p) }, word, name = { NULL, 0 };

	while (span_word(&head, &word))
		name = word;
	if (!name.n || !p->is_nic)
		return;
	if (!link && p->name.n) {	/* a representor's name on the same device is another interface's */
		struct span old = { renamed + 15, line.n - (size_t)(renamed + 15 - line.p) };

		if (!span_word(&old, &word) || !span_same(word, p->name))
			return;
	}
	p->name = name;
}

static void take_line(struct log *log, struct span line)
{
	const struct completion *c = failed_completion(line);
	struct part *p;

	log->is_cut |= span_starts(line, DMESG_CUT);
	log->n_mlx += span_find(line, "mlx5_") || span_find(line, "pcieport") || span_find(line, "infiniband ");
	if (c)
		return take_completion(log, c, line);
	p = part_of(log, line);
	take_name(p, line);
	for (size_t i = 0; i < TROUBLES; i++)
		if (troubles[i].until && span_find(line, troubles[i].until))
			p->n[i] = 0;
	for (size_t i = 0; i < TROUBLES; i++) {
		if (!holds(line, &troubles[i]))
			continue;
		if (!p->n[i]++)
			p->first[i] = line;
		return;
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

/* -- what it comes to -- */

/* What a row says of the whole host: of its first line, by how many devices. */
struct said {
	const struct part *first;
	uint64_t n_lines, n_parts;
};

static struct said said_of(const struct log *log, size_t row)
{
	struct said said = { NULL };

	for (const struct part *p = log->parts; p; p = p->hh.next) {
		if (!p->n[row] || (troubles[row].of == OF_BUS && !p->is_nic))
			continue;
		said.n_lines += p->n[row];
		said.n_parts++;
		if (!said.first || p->first[row].p < said.first->first[row].p)
			said.first = p;
	}
	return said;
}

static void add_words(struct buf *text, const char *what, struct span line)
{
	buf_printf(text, "%s%s (%.*s)", text->n ? "; " : "", what, (int)(line.n < 120 ? line.n : 120), line.p);
}

#define NAMES_MOST	16

/* "eth2, eth3: ": the interfaces that a row is about, as they are called now, where its first line does not tell it. */
static void add_names(struct buf *text, const struct log *log, size_t row, const struct said *said)
{
	struct span name = said->first->name, line = said->first->first[row];
	size_t n = 0;

	if (said->n_parts == 1 && (!name.n || memmem(line.p, line.n, name.p, name.n)))
		return;
	for (const struct part *p = log->parts; p && n < NAMES_MOST; p = p->hh.next)
		if (p->n[row] && p->name.n && (troubles[row].of != OF_BUS || p->is_nic))
			buf_printf(text, "%s%.*s", n++ ? ", " : "", (int)(p->name.n < 32 ? p->name.n : 32), p->name.p);
	buf_str(text, n ? ": " : "");
}

static void add_row(struct buf *text, const struct log *log, size_t row)
{
	struct said said = said_of(log, row);
	struct buf what = { 0 };

	add_names(&what, log, row, &said);
	buf_str(&what, troubles[row].what);
	add_words(text, what.text, said.first->first[row]);
	buf_done(&what);
}

/* The gravest line, and behind it the gravest that names a cause, where that is another one. */
static void say_worst(const struct log *log, struct obs *o)
{
	size_t worst = TROUBLES, named = TROUBLES;
	const struct completion *c = log->completion;
	const char *cause = NULL;
	struct buf text = { 0 };

	for (size_t i = TROUBLES; i-- > 0;)
		if (said_of(log, i).first) {
			worst = i;
			named = troubles[i].cause ? i : named;
		}
	if (worst < TROUBLES)
		add_row(&text, log, worst);
	if (named < TROUBLES) {
		cause = troubles[named].cause;
		if (named != worst)
			add_row(&text, log, named);
	} else if (c && (worst == TROUBLES || c->id)) {
		cause = c->id;
		add_words(&text, c->what, log->completion_line);
	}
	if (worst < TROUBLES)
		obs_cite(o, said_of(log, worst).first->first[worst]);
	else if (c)
		obs_cite(o, log->completion_line);
	if (text.n)
		obs_text(o, OBS_DEVICE, FIELD_KERNEL_TROUBLE, buf_span(&text));
	if (cause) {
		obs_cite(o, named < TROUBLES ? said_of(log, named).first->first[named] : log->completion_line);
		obs_text(o, OBS_DEVICE, FIELD_KERNEL_CAUSE, span_of(cause));
	}
	buf_done(&text);
}

static void log_done(struct log *log)
{
	struct part *p, *next;

	HASH_ITER(hh, log->parts, p, next) {
		HASH_DEL(log->parts, p);
		free(p);
	}
}

/*
 * dmesg, or journalctl -k, in any of their layouts.
 *
 * o	gets kernel.lines, and of the gravest line kernel.trouble and, where one names it, kernel.cause; 0 facts when no
 *	line is of a driver or bus that is known here
 */
size_t linux_dmesg(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line;
	struct log log = { NULL };
	char reason[REASON_MAX];
	uint64_t n;

	if ((a->status > 0 || span_starts(a->text, "dmesg: ")) && refusal(a, "dmesg", reason)) {
		obs_unknown(o, OBS_DEVICE, FIELD_KERNEL_LINES, 0, reason);
		return o->n;
	}
	while (span_line(&rest, &line))
		take_line(&log, line);
	n = log.n_completions;
	for (size_t i = 0; i < TROUBLES; i++)
		n += said_of(&log, i).n_lines;
	if (n > 0 || log.n_mlx > 0) {
		if (log.is_cut)
			obs_unknown(o, OBS_DEVICE, FIELD_KERNEL_LINES, 0,
				    "the kernel log has more NIC and PCIe lines than were read");
		else
			obs_number(o, OBS_DEVICE, FIELD_KERNEL_LINES, 0, n);
		say_worst(&log, o);
	}
	log_done(&log);
	o->cite = CITE_NONE;
	return o->n;
}
