/* mlnx_qos 1.2 of MLNX_OFED, its options and its forms. Messages go to standard output, as the real one's do. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/linux/breed.h"
#include "remote/lab/linux/mlx5.h"
#include "remote/lab/linux/tools.h"

#define USAGE	"Usage: mlnx_qos -i <interface> [options]\n\n"

#define NO_TRUST	"Priority trust state is not supported on your system\n"
#define NO_BUFFERS	"Buffers commands are not supported on your system\n"
#define BAD_TRUST	"Invalid trust state command. Refer to the help.\n"

struct request {
	const char *interface, *pfc, *specific_pfc, *get_pfc, *prio_tc, *tsa, *tcbw, *ratelimit, *dcbx, *trust, *dscp2prio;
	const char *cable_len, *prio2buffer, *buffer_size;
	bool show_all;
};

#define AT(member) offsetof(struct request, member)

static const struct {
	char letter;		/* 0: only the long form */
	const char *name;
	size_t at;
} options[] = {
	{ 'i', "interface",	AT(interface) },
	{ 'f', "pfc",		AT(pfc) },
	{ 'F', "specific_pfc",	AT(specific_pfc) },
	{ 'P', "get_pfc",	AT(get_pfc) },
	{ 'p', "prio_tc",	AT(prio_tc) },
	{ 's', "tsa",		AT(tsa) },
	{ 't', "tcbw",		AT(tcbw) },
	{ 'r', "ratelimit",	AT(ratelimit) },
	{ 'd', "dcbx",		AT(dcbx) },
	{ 0,   "trust",		AT(trust) },
	{ 0,   "dscp2prio",	AT(dscp2prio) },
	{ 0,   "cable_len",	AT(cable_len) },
	{ 0,   "prio2buffer",	AT(prio2buffer) },
	{ 0,   "buffer_size",	AT(buffer_size) },
};
#define N_OPTIONS (sizeof(options) / sizeof(*options))

/* Long options may be shortened, as optparse allows; -1: none, -2: several. */
static int find_long(const char *name, size_t n)
{
	int found = -1;

	for (size_t i = 0; i < N_OPTIONS; i++) {
		if (strncmp(options[i].name, name, n))
			continue;
		if (strlen(options[i].name) == n)
			return i;
		found = found == -1 ? (int)i : -2;
	}
	return found;
}

static int find_short(char letter)
{
	for (size_t i = 0; i < N_OPTIONS; i++)
		if (options[i].letter == letter)
			return i;
	return -1;
}

static int usage_error(struct tool_call *t, const char *form, const char *what)
{
	buf_str(t->errors, USAGE "mlnx_qos: error: ");
	buf_printf(t->errors, form, what);
	buf_str(t->errors, "\n");
	return 2;
}

static int parse(struct tool_call *t, struct request *r)
{
	for (int i = 1; i < t->argc; i++) {
		const char *arg = t->argv[i], *value = NULL;
		bool is_long = !strncmp(arg, "--", 2);
		int which;

		if (is_word(arg, "-a")) {
			r->show_all = true;
			continue;
		}
		if (*arg != '-' || !arg[1])
			continue;
		if (is_long) {
			size_t n = strcspn(arg + 2, "=");

			which = find_long(arg + 2, n);
			value = arg[2 + n] ? arg + 3 + n : NULL;
		} else {
			which = find_short(arg[1]);
			value = arg[2] ? arg + 2 : NULL;
		}
		if (which == -2)
			return usage_error(t, "ambiguous option: %s", arg);
		if (which < 0)
			return usage_error(t, "no such option: %s", arg);
		if (!value && i + 1 < t->argc)
			value = t->argv[++i];
		if (!value)
			return usage_error(t, "%s option requires 1 argument", arg);
		*(const char **)((char *)r + options[which].at) = value;
	}
	return 0;
}

/* -- setting -- */

/* Eight numbers up to max, "x" leaves one as it is (skip[]); false after a message. */
static bool read_eight(struct tool_call *t, const char *text, const char *what, uint32_t max, uint32_t *out, bool *skip)
{
	struct span rest = span_of(text), word;
	unsigned n = 0;

	for (; n < 9; n++) {
		struct span tail;
		uint64_t number = 0;

		if (!span_cut(rest, ',', &word, &tail)) {
			word = rest;
			tail.n = 0;
		}
		if (n < 8 && skip && span_is(word, "x"))
			skip[n] = true;
		else if (n < 8 && (!span_u64(word, &number) || number > max)) {
			buf_printf(t->out, "Bad %s value: %.*s\n", what, (int)word.n, word.p);
			return false;
		}
		if (n < 8)
			out[n] = number;
		if (!tail.n) {
			n++;
			break;
		}
		rest = tail;
	}
	if (n == 8)
		return true;
	buf_printf(t->out, "%s list must have 8 items\n", what);
	return false;
}

static bool set_eight(struct tool_call *t, const char *text, const char *what, uint32_t max, uint32_t *at)
{
	uint32_t fresh[8];

	if (!text)
		return true;
	if (!read_eight(t, text, what, max, fresh, NULL))
		return false;
	memcpy(at, fresh, sizeof(fresh));
	t->is_changed = true;
	return true;
}

static bool set_pfc(struct tool_call *t, const char *text, struct lab_port *p)
{
	uint32_t fresh[8];

	if (!text)
		return true;
	if (!read_eight(t, text, "pfc", 1, fresh, NULL))
		return false;
	mlx5_set_pfc(t->fabric, p, fresh);
	t->is_changed = true;
	return true;
}

/* Both in one request to the driver, which takes all of it or nothing. */
static bool set_buffers(struct tool_call *t, const struct request *r, struct lab_port *p)
{
	struct host_port fresh = p->nic;
	struct tool_call asked = *t;

	if (!r->prio2buffer && !r->buffer_size)
		return true;
	if (!set_eight(&asked, r->prio2buffer, "prio2buffer", 7, fresh.prio_buffer) ||
	    !set_eight(&asked, r->buffer_size, "buffer_size", MLX5_BUFFER_BYTES, fresh.buffer_bytes))
		return false;
	if (!mlx5_takes_buffers(t->fabric, p, &fresh)) {
		buf_str(t->out, "Buffers commands error\n");
		return false;
	}
	p->nic = fresh;
	t->is_changed = true;
	return true;
}

static bool set_tsa(struct tool_call *t, const char *text, struct host_port *nic)
{
	struct span rest = span_of(text), word;
	uint32_t fresh[8];
	unsigned n = 0;

	if (!text)
		return true;
	while (rest.n && n < 8) {
		struct span tail;
		uint64_t value;

		if (!span_cut(rest, ',', &word, &tail)) {
			word = rest;
			tail = (struct span){ NULL, 0 };
		}
		if (!field_word_value(FIELD_ETS_ALGO, word, &value)) {
			buf_printf(t->out, "Bad tsa value: %.*s\n", (int)word.n, word.p);
			return false;
		}
		fresh[n++] = value;
		rest = tail;
	}
	if (n != 8 || rest.n) {
		buf_str(t->out, "tsa list must have 8 items\n");
		return false;
	}
	memcpy(nic->tsa, fresh, sizeof(fresh));
	t->is_changed = true;
	return true;
}

static bool set_shares(struct tool_call *t, const char *text, struct host_port *nic)
{
	uint32_t fresh[8], sum = 0;

	if (!text)
		return true;
	if (!read_eight(t, text, "tcbw", 100, fresh, NULL))
		return false;
	for (unsigned i = 0; i < 8; i++) {
		if (fresh[i] && nic->tsa[i] != ETS_ETS) {
			buf_printf(t->out, "TC %u is not ETS: its bandwidth must be 0\n", i);
			return false;
		}
		sum += fresh[i];
	}
	if (sum != 100) {
		buf_str(t->out, "Sum of ETS TCs' bandwidth must be 100\n");
		return false;
	}
	memcpy(nic->share_pct, fresh, sizeof(fresh));
	t->is_changed = true;
	return true;
}

static void flush_dscp(struct host_port *nic)
{
	for (unsigned i = 0; i < 64; i++)
		nic->dscp_prio[i] = i >> 3;
	nic->trust = TRUST_PCP;
}

static bool set_dscp(struct tool_call *t, const char *text, struct host_port *nic)
{
	unsigned dscp, prio;
	char tail;

	if (!text)
		return true;
	if (is_word(text, "flush"))
		flush_dscp(nic);
	else if (sscanf(text, "set,%u,%u%c", &dscp, &prio, &tail) == 2 && dscp < 64 && prio < 8) {
		nic->dscp_prio[dscp] = prio;
		nic->trust = TRUST_DSCP;
	} else if (sscanf(text, "del,%u,%u%c", &dscp, &prio, &tail) == 2 && dscp < 64 && prio < 8)
		nic->dscp_prio[dscp] = 0;
	else {
		buf_str(t->out, "Invalid dscp2prio command. Refer to the help.\n");
		return false;
	}
	t->is_changed = true;
	return true;
}

/* Trust is the presence of DSCP entries: what is no longer trusted is forgotten, and what begins to be is the default. */
static bool set_trust(struct tool_call *t, const char *text, struct host_port *nic)
{
	bool wants_dscp = is_word(text, "dscp");

	if (!text)
		return true;
	if (!wants_dscp && !is_word(text, "pcp")) {
		buf_str(t->out, BAD_TRUST);
		return false;
	}
	if (wants_dscp != (nic->trust == TRUST_DSCP))
		flush_dscp(nic);
	nic->trust = wants_dscp ? TRUST_DSCP : TRUST_PCP;
	t->is_changed = true;
	return true;
}

static bool set_word(struct tool_call *t, const char *text, const char *const *words, uint32_t *at, const char *what)
{
	if (!text)
		return true;
	for (unsigned i = 0; words[i]; i += 2)
		if (is_word(text, words[i])) {
			*at = atoi(words[i + 1]);
			t->is_changed = true;
			return true;
		}
	buf_printf(t->out, "Invalid %s command. Refer to the help.\n", what);
	return false;
}

static bool set_all(struct tool_call *t, const struct request *r, struct lab_port *p)
{
	struct host_port *nic = &p->nic;
	static const char *const modes[] = { "os", "1", "fw", "2", "get", "1", NULL };
	uint64_t cable_m;

	if (r->trust && r->dscp2prio) {
		buf_str(t->out, "trust and dscp2prio commands cannot be used together\n");
		return false;
	}
	if (r->cable_len) {
		if (!span_u64(span_of(r->cable_len), &cable_m) || cable_m > 1000) {
			buf_str(t->out, "Bad cable length\n");
			return false;
		}
		nic->cable_m = cable_m;
		t->is_changed = true;
	}
	return set_pfc(t, r->pfc, p) && set_eight(t, r->prio_tc, "prio_tc", 7, nic->prio_tc) &&
	       set_tsa(t, r->tsa, nic) && set_shares(t, r->tcbw, nic) &&
	       (is_word(r->dcbx, "get") || set_word(t, r->dcbx, modes, &nic->dcbx, "dcbx mode")) &&
	       set_trust(t, r->trust, nic) && set_dscp(t, r->dscp2prio, nic) && set_buffers(t, r, p);
}

static int set_specific(struct tool_call *t, const char *text, struct lab_port *p)
{
	uint32_t fresh[8];
	bool skip[8] = { false };

	if (!read_eight(t, text, "pfc", 1, fresh, skip))
		return 1;
	for (unsigned i = 0; i < 8; i++)
		if (skip[i])
			fresh[i] = p->nic.pfc[i];
	mlx5_set_pfc(t->fabric, p, fresh);
	t->is_changed = true;
	return 0;
}

/* -- printing -- */

static void print_eight(struct buf *out, const char *head, const uint32_t *n)
{
	buf_str(out, head);
	for (unsigned i = 0; i < 8; i++)
		buf_printf(out, "%u   ", n[i]);
	buf_str(out, "\n");
}

static void print_dscp(struct buf *out, const struct host_port *nic)
{
	buf_str(out, "dscp2prio mapping:\n");
	for (unsigned prio = 0; prio < 8; prio++) {
		unsigned on_line = 0;

		for (int dscp = 63; dscp >= 0; dscp--) {
			if (nic->dscp_prio[dscp] != prio)
				continue;
			if (on_line == 8) {
				buf_str(out, "\n");
				on_line = 0;
			}
			if (!on_line++)
				buf_printf(out, "\tprio:%u dscp:", prio);
			buf_printf(out, "%02d,", dscp);
		}
		if (on_line)
			buf_str(out, "\n");
	}
}

static void print_class(struct buf *out, const struct host_port *nic, unsigned tc, bool show_all)
{
	bool is_used = show_all;

	for (unsigned prio = 0; prio < 8; prio++)
		is_used = is_used || nic->prio_tc[prio] == tc;
	if (!is_used)
		return;
	buf_printf(out, "tc: %u ratelimit: unlimited, tsa: ", tc);
	if (nic->tsa[tc] == ETS_ETS)
		buf_printf(out, "ets, bw: %u%%\n", nic->share_pct[tc]);
	else
		buf_printf(out, "%s\n", nic->tsa[tc] == ETS_STRICT ? "strict" : "vendor");
	for (unsigned prio = 0; prio < 8; prio++)
		if (nic->prio_tc[prio] == tc)
			buf_printf(out, "\t priority:  %u\n", prio);
}

static void print_trust(struct buf *out, const struct host_port *nic)
{
	static const char *const trusts[] = { "none", "pcp", "dscp", "both" };

	buf_printf(out, "Priority trust state: %s\n", trusts[nic->trust & 3]);
	if (nic->trust == TRUST_DSCP)
		print_dscp(out, nic);
	buf_str(out, "default priority:\nReceive buffer size (bytes): ");
	for (unsigned i = 0; i < 8; i++)
		buf_printf(out, "%u,", nic->buffer_bytes[i]);
	buf_printf(out, "max_buffer_size=%u\nCable len: %u\n", MLX5_BUFFER_BYTES, nic->cable_m);
}

/* What the driver has no answer for is said first, and has no line of its own: of mlx4 unproven, read in the tool's source. */
static void print_state(struct buf *out, const struct host_port *nic, const struct breed *breed, bool show_all)
{
	if (!breed->is_mlx5)
		buf_str(out, NO_TRUST NO_BUFFERS);
	buf_printf(out, "DCBX mode: %s controlled\n", nic->dcbx == DCBX_FW ? "Firmware" : "OS");
	if (breed->is_mlx5)
		print_trust(out, nic);
	buf_str(out, "PFC configuration:\n\tpriority    0   1   2   3   4   5   6   7\n");
	print_eight(out, "\tenabled     ", nic->pfc);
	if (breed->is_mlx5)
		print_eight(out, "\tbuffer      ", nic->prio_buffer);
	for (unsigned tc = 0; tc < 8; tc++)
		print_class(out, nic, tc, show_all);
}

int tool_mlnx_qos(struct tool_call *t)
{
	const struct breed *breed = breed_of(t->device);
	struct request r = { NULL };
	struct lab_port *p;
	int status = parse(t, &r);

	if (status)
		return status;
	if (!r.interface) {
		buf_str(t->out, "Interface name is required\n" USAGE);
		return 1;
	}
	p = tool_port(t, r.interface);
	if (!p && r.trust && !is_word(r.trust, "dscp") && !is_word(r.trust, "pcp")) {
		buf_str(t->out, BAD_TRUST);
		return 1;
	}
	if (!p) {
		buf_str(t->out, NO_TRUST NO_BUFFERS "Rate limit is not supported on your system!\n"
				"ETS features are not supported on your system\n");
		return 1;
	}
	if (r.get_pfc) {
		buf_printf(t->out, "%u\n", p->nic.pfc[atoi(r.get_pfc) & 7]);
		return 0;
	}
	if (!breed->is_mlx5 && (r.trust || r.dscp2prio || r.prio2buffer || r.buffer_size)) {
		buf_str(t->out, r.trust || r.dscp2prio ? NO_TRUST : NO_BUFFERS);
		return 1;
	}
	if (r.specific_pfc)
		return set_specific(t, r.specific_pfc, p);
	if (!set_all(t, &r, p))
		return 1;
	print_state(t->out, &p->nic, breed, r.show_all);
	return 0;
}
