/* dcb of iproute2 6.1 on an mlx5 port: the same state as mlnx_qos shows and sets, by the kernel's own names. */
#include <stddef.h>
#include <stdio.h>

#include "remote/lab/linux/breed.h"
#include "remote/lab/linux/mlx5.h"
#include "remote/lab/linux/tools.h"

/* -j, -N, or neither: code points have names. */
enum form { FORM_NAMES, FORM_NUMBERS, FORM_JSON };

static void eight(struct buf *out, const char *name, const uint32_t *n, bool as_bool)
{
	buf_printf(out, "\"%s\":[", name);
	for (unsigned i = 0; i < 8; i++) {
		buf_str(out, i ? "," : "");
		if (as_bool)
			buf_str(out, n[i] ? "true" : "false");
		else
			buf_printf(out, "%u", n[i]);
	}
	buf_str(out, "]");
}

static void pairs(struct buf *out, const char *name, const char *form, const uint32_t *n)
{
	buf_printf(out, "%s ", name);
	for (unsigned i = 0; i < 8; i++)
		buf_printf(out, form, i, n[i]);
	buf_str(out, "\n");
}

static void pfc(struct buf *out, const struct host_port *nic, enum form form)
{
	if (form == FORM_JSON) {
		buf_str(out, "{\"pfc_cap\":8,\"macsec_bypass\":false,\"delay\":0,");
		eight(out, "prio_pfc", nic->pfc, true);
		buf_str(out, "}\n");
		return;
	}
	buf_str(out, "pfc-cap 8 macsec-bypass off delay 0 \nprio-pfc ");
	for (unsigned i = 0; i < 8; i++)
		buf_printf(out, "%u:%s ", i, nic->pfc[i] ? "on" : "off");
	buf_str(out, "\n");
}

static void ets(struct buf *out, const struct host_port *nic, enum form form)
{
	static const char *const words[] = { "strict", "ets", "vendor" };
	static const uint32_t none[8];

	if (form != FORM_JSON) {
		buf_str(out, "willing off ets-cap 8 cbs off \n");
		pairs(out, "tc-bw", "%u:%u ", nic->share_pct);
		pairs(out, "pg-bw", "%u:%u ", none);
		buf_str(out, "tc-tsa ");
		for (unsigned i = 0; i < 8; i++)
			buf_printf(out, "%u:%s ", i, words[nic->tsa[i] % 3]);
		buf_str(out, "\n");
		pairs(out, "prio-tc", "%u:%u ", nic->prio_tc);
		return;
	}
	buf_str(out, "{\"willing\":false,\"ets_cap\":8,\"cbs\":false,");
	eight(out, "tc_bw", nic->share_pct, false);
	buf_str(out, ",");
	eight(out, "pg_bw", none, false);
	buf_str(out, ",\"tc_tsa\":[");
	for (unsigned i = 0; i < 8; i++)
		buf_printf(out, "%s\"%s\"", i ? "," : "", words[nic->tsa[i] % 3]);
	buf_str(out, "],");
	eight(out, "prio_tc", nic->prio_tc, false);
	buf_str(out, "}\n");
}

/* As iproute2 writes a size: whole Mb or Kb where it is nearly one. */
static void print_size(struct buf *out, const char *before, uint32_t n)
{
	uint32_t mb = (n + 524288) / 1048576 * 1048576, kb = (n + 512) / 1024 * 1024;

	if (n >= 1048576 && (mb > n ? mb - n : n - mb) < 1024)
		buf_printf(out, "%s%uMb ", before, mb / 1048576);
	else if (n >= 1024 && (kb > n ? kb - n : n - kb) < 16)
		buf_printf(out, "%s%uKb ", before, kb / 1024);
	else
		buf_printf(out, "%s%ub ", before, n);
}

static void buffer(struct buf *out, const struct host_port *nic, enum form form)
{
	if (form != FORM_JSON) {
		pairs(out, "prio-buffer", "%u:%u ", nic->prio_buffer);
		buf_str(out, "buffer-size ");
		for (unsigned i = 0; i < 8; i++) {
			buf_printf(out, "%u:", i);
			print_size(out, "", nic->buffer_bytes[i]);
		}
		print_size(out, "\ntotal-size ", MLX5_BUFFER_BYTES);
		buf_str(out, "\n");
		return;
	}
	buf_str(out, "{");
	eight(out, "prio_buffer", nic->prio_buffer, false);
	buf_str(out, ",");
	eight(out, "buffer_size", nic->buffer_bytes, false);
	buf_printf(out, ",\"total_size\":%u}\n", MLX5_BUFFER_BYTES);
}

/* As /etc/iproute2/rt_dsfield of Debian 12 names it, or its number. */
static void print_dscp(struct buf *out, unsigned dscp)
{
	if (!dscp)
		buf_str(out, "default");
	else if (dscp % 8 == 0)
		buf_printf(out, "CS%u", dscp / 8);
	else if (dscp >= 10 && dscp <= 38 && dscp % 2 == 0)
		buf_printf(out, "AF%u%u", dscp / 8, dscp % 8 / 2);
	else if (dscp == 46)
		buf_str(out, "EF");
	else
		buf_printf(out, "%u", dscp);
}

/* Trust in DSCP is the presence of DSCP entries. */
static void app(struct buf *out, const struct host_port *nic, enum form form)
{
	bool is_json = form == FORM_JSON, is_dscp = nic->trust == TRUST_DSCP;

	buf_str(out, is_json ? is_dscp ? "{\"dscp_prio\":[" : "{" : is_dscp ? "dscp-prio " : "");
	for (unsigned i = 0; is_dscp && i < 64; i++) {
		buf_str(out, is_json ? i ? ",[" : "[" : "");
		if (form == FORM_NAMES)
			print_dscp(out, i);
		else
			buf_printf(out, "%u", i);
		buf_printf(out, is_json ? ",%u]" : ":%u ", nic->dscp_prio[i]);
	}
	buf_str(out, is_json ? is_dscp ? "]}\n" : "}\n" : is_dscp ? "\n" : "");
}

static void dcbx(struct buf *out, const struct host_port *nic, enum form form)
{
	bool is_host = nic->dcbx != DCBX_FW;

	if (form == FORM_JSON)
		buf_printf(out, "{%s\"ieee\":true}\n", is_host ? "\"host\":true," : "\"lld_managed\":true,");
	else
		buf_printf(out, "%s ieee \n", is_host ? "host" : "lld-managed");
}

/* -- setting -- */

struct map_row {
	const char *object, *name;
	size_t at;		/* in struct nic */
	unsigned n, max;	/* keys, values */
	const char *words;	/* of values, by number; NULL: numbers */
};

#define AT(member) offsetof(struct host_port, member)

static const struct map_row map_rows[] = {
	{ "pfc",	"prio-pfc",	AT(pfc),		8, 1,		"off on" },
	{ "ets",	"prio-tc",	AT(prio_tc),		8, 7,		NULL },
	{ "ets",	"tc-tsa",	AT(tsa),		8, 2,		"strict ets vendor" },
	{ "ets",	"tc-bw",	AT(share_pct),		8, 100,		NULL },
	{ "buffer",	"prio-buffer",	AT(prio_buffer),	8, 7,		NULL },
	{ "buffer",	"buffer-size",	AT(buffer_bytes),	8, MLX5_BUFFER_BYTES, NULL },
	{ "app",	"dscp-prio",	AT(dscp_prio),		64, 7,		NULL },
};

static bool read_value(const struct map_row *row, struct span text, uint64_t *n)
{
	struct span rest = span_of(row->words), word;

	if (!row->words)
		return span_u64(text, n) && *n <= row->max;
	for (*n = 0; span_word(&rest, &word); ++*n)
		if (span_same(word, text))
			return true;
	return false;
}

/* "3:on", "all:off" */
static bool set_pair(const struct map_row *row, const char *text, struct host_port *nic)
{
	uint32_t *at = (uint32_t *)((char *)nic + row->at);
	struct span key, value;
	uint64_t k = 0, n;

	if (!span_cut(span_of(text), ':', &key, &value) || !read_value(row, value, &n))
		return false;
	if (!span_is(key, "all") && (!span_u64(key, &k) || k >= row->n))
		return false;
	for (unsigned i = 0; i < row->n; i++)
		if (span_is(key, "all") || i == k)
			at[i] = n;
	return true;
}

static bool shares_are_whole(const struct host_port *nic)
{
	unsigned sum = 0;
	bool has_ets = false;

	for (unsigned i = 0; i < 8; i++)
		if (nic->tsa[i] == ETS_ETS) {
			has_ets = true;
			sum += nic->share_pct[i];
		}
	return !has_ets || sum == 100;
}

/* A whole request takes effect, or nothing of it. DSCP entries are the trust in them. */
static int set(struct tool_call *t, const char *object, const char *verb, struct lab_port *p, int i)
{
	const struct map_row *row = NULL;
	struct host_port fresh = p->nic;
	uint32_t pfc[8];

	for (; i < t->argc; i++) {
		bool is_map = strchr(t->argv[i], ':') != NULL;

		for (size_t r = 0; !is_map && r < sizeof(map_rows) / sizeof(*map_rows); r++)
			if (is_word(object, map_rows[r].object) && is_word(t->argv[i], map_rows[r].name))
				row = &map_rows[r];
		if (is_map ? !row || !set_pair(row, t->argv[i], &fresh) : !row || !is_word(t->argv[i], row->name)) {
			buf_printf(t->errors, "What is \"%s\"?\n", t->argv[i]);
			return 1;
		}
	}
	if (is_word(object, "app"))
		fresh.trust = is_word(verb, "flush") ? TRUST_PCP : TRUST_DSCP;
	if (!shares_are_whole(&fresh)) {
		buf_str(t->errors, "Attribute write: Invalid argument\n");
		return 1;
	}
	if (is_word(object, "buffer") && !mlx5_takes_buffers(t->fabric, p, &fresh)) {
		buf_str(t->errors, "Attribute write: Cannot allocate memory\n");
		return 1;
	}
	memcpy(pfc, fresh.pfc, sizeof(pfc));
	memcpy(fresh.pfc, p->nic.pfc, sizeof(pfc));
	p->nic = fresh;
	mlx5_set_pfc(t->fabric, p, pfc);
	t->is_changed = true;
	return 0;
}

static int set_dcbx(struct tool_call *t, struct host_port *nic, int i)
{
	for (; i < t->argc; i++)
		if (is_word(t->argv[i], "host"))
			nic->dcbx = DCBX_OS;
		else if (is_word(t->argv[i], "lld-managed"))
			nic->dcbx = DCBX_FW;
	t->is_changed = true;
	return 0;
}

/* "dcb OBJECT set dev X …"; -1 when it asks for something else. */
static int change(struct tool_call *t)
{
	const char *object = t->argv[1], *verb = t->argc > 4 && is_word(t->argv[3], "dev") ? t->argv[2] : NULL;
	bool is_app = is_word(object, "app"), is_set = is_word(verb, "set") && !is_app;
	struct lab_port *p;

	if (!is_set && !(is_app && (is_word(verb, "add") || is_word(verb, "replace") || is_word(verb, "flush"))))
		return -1;
	p = tool_port(t, t->argv[4]);
	if (!p) {
		buf_str(t->errors, "Attribute write: No such device\n");
		return 1;
	}
	if (is_word(object, "buffer") && !breed_of(t->device)->is_mlx5) {
		buf_str(t->errors, "Attribute write: Operation not supported\n");
		return 1;
	}
	return is_word(object, "dcbx") ? set_dcbx(t, &p->nic, 5) : set(t, object, verb, p, 5);
}

/* Where the port's name is: after "dev". */
static int port_at(const struct tool_call *t)
{
	for (int i = 1; i + 1 < t->argc; i++)
		if (is_word(t->argv[i], "dev"))
			return i + 1;
	return t->argc - 1;
}

/* The lines of text that are asked for by name, in that order: "prio-tc tc-bw"; all of it where none is. */
static void print_asked(const struct tool_call *t, int from, struct span text)
{
	struct span rest = text, line, name, value;

	if (from >= t->argc)
		buf_add(t->out, text.p, text.n);
	for (int i = from; i < t->argc; i++)
		for (rest = text; span_line(&rest, &line);)
			if (span_cut(line, ' ', &name, &value) && span_is(name, t->argv[i]))
				buf_printf(t->out, "%.*s\n", (int)line.n, line.p);
}

/* What was asked of no object of ours, or of no port. */
static int refuse(struct tool_call *t, enum form form, const char *format, const char *text)
{
	buf_str(t->out, form == FORM_JSON ? "\n" : "");
	buf_printf(t->errors, format, text);
	return 1;
}

/* Options: "-j", "-N", "-jN". */
static const char *read_object(const struct tool_call *t, enum form *form)
{
	*form = FORM_NAMES;
	for (int i = 1; i < t->argc; i++) {
		if (*t->argv[i] != '-')
			return t->argv[i];
		if (strchr(t->argv[i], 'j'))
			*form = FORM_JSON;
		else if (strchr(t->argv[i], 'N') && *form != FORM_JSON)
			*form = FORM_NUMBERS;
	}
	return NULL;
}

int tool_dcb(struct tool_call *t)
{
	static const struct {
		const char *object;
		void (*show)(struct buf *out, const struct host_port *nic, enum form form);
	} objects[] = { { "pfc", pfc }, { "ets", ets }, { "buffer", buffer }, { "app", app }, { "dcbx", dcbx } };
	enum form form;
	const char *object = read_object(t, &form);
	const struct lab_port *p;
	int status = change(t);

	if (status >= 0)
		return status;
	p = tool_port(t, t->argv[port_at(t)]);
	for (size_t i = 0; object && i < sizeof(objects) / sizeof(*objects); i++) {
		struct buf shown = { 0 };

		if (strcmp(object, objects[i].object))
			continue;
		if (!p)
			return refuse(t, form, "Attribute read: %s\n", "No such device");
		if (is_word(object, "buffer") && !breed_of(t->device)->is_mlx5)
			return refuse(t, form, "Attribute read: %s\n", "Operation not supported");
		objects[i].show(&shown, &p->nic, form);
		print_asked(t, form == FORM_JSON ? t->argc : port_at(t) + 1, buf_span(&shown));
		buf_done(&shown);
		return 0;
	}
	return refuse(t, form, "Object \"%s\" is unknown\n", object ? object : "");
}
