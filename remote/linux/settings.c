#include "remote/linux/settings.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/template.h"
#include "remote/platform/whole.h"

static const enum field settings[] = {
	FIELD_TCP_ECN, FIELD_MODULES,
	FIELD_MTU, FIELD_TRUST, FIELD_DSCP_PRIO, FIELD_PRIO_TC, FIELD_PRIO_PG, FIELD_PFC_ON, FIELD_PAUSE_RX, FIELD_PAUSE_TX,
	FIELD_ETS_ALGO, FIELD_ETS_SHARE, FIELD_BUFFER_SIZE, FIELD_CABLE, FIELD_ECN_NP, FIELD_ECN_RP, FIELD_CNP_DSCP, FIELD_CNP_PRIO,
	FIELD_CC_CNP_GAP, FIELD_CC_CLAMP, FIELD_CC_CLAMP_TIME, FIELD_CC_TIME_RESET, FIELD_CC_BYTE_RESET, FIELD_CC_THRESHOLD,
	FIELD_CC_MAX_RATE, FIELD_CC_AI_RATE, FIELD_CC_HAI_RATE, FIELD_CC_GD, FIELD_CC_MIN_DEC, FIELD_CC_MIN_RATE,
	FIELD_CC_FIRST_CNP, FIELD_CC_G, FIELD_CC_RTT, FIELD_CC_REDUCE, FIELD_CC_ALPHA,
	FIELD_TOS_CMA, FIELD_TOS_FORCE, FIELD_DCBX,
};
static const enum field contexts[] = {
	FIELD_DRIVER_READY, FIELD_UP, FIELD_DRIVER, FIELD_ROLE, FIELD_BOND, FIELD_RDMA,
};
#define COUNT(list)	(sizeof(list) / sizeof(*(list)))

static bool holds(const enum field *list, size_t n, enum field f)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == f)
			return true;
	return false;
}

bool linux_is_setting(enum field f)
{
	return holds(settings, COUNT(settings), f);
}

static bool linux_is_context(enum field f)
{
	return holds(contexts, COUNT(contexts), f);
}

bool linux_is_interface(const char *name)
{
	return template_is_port(name) && !strpbrk(name, "/:,") && !strstr(name, "..");
}

/* -- the table -- */

/* Tools have no field: they stand after all fields of their port. */
#define TOOL	FIELD_COUNT

static int order(const struct linux_line *l, const char *port, enum field f, unsigned index)
{
	int by_port = l->port && port ? strcmp(l->port, port) : !!l->port - !!port;

	if (by_port)
		return by_port;
	return l->field != f ? (l->field < f ? -1 : 1) : (int)l->index - (int)index;
}

static int by_order(const void *a, const void *b)
{
	const struct linux_line *y = b;

	return order(a, y->port, y->field, y->index);
}

/* Where it stands, or would. */
static size_t place(const struct linux_setup *s, const char *port, enum field f, unsigned index, bool *is_there)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (order(&s->lines[middle], port, f, index) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*is_there = low < s->n && order(&s->lines[low], port, f, index) == 0;
	return low;
}

static const struct linux_line *find(const struct linux_setup *s, const char *port, enum field f, unsigned index)
{
	bool is_there;
	size_t at = place(s, port, f, index, &is_there);

	return is_there ? &s->lines[at] : NULL;
}

const struct value *linux_value(const struct linux_setup *s, const char *port, enum field f, unsigned index)
{
	const struct linux_line *l = find(s, port, f, index);

	return l ? &l->value : NULL;
}

const char *linux_text(const struct linux_setup *s, const char *port, enum field f)
{
	const struct value *v = linux_value(s, port, f, 0);

	return v ? v->text : NULL;
}

bool linux_by(const struct linux_setup *s, const char *port, enum linux_tool tool)
{
	return find(s, port, TOOL, tool) != NULL;
}

bool linux_is_member(const struct linux_setup *s, const char *port, const char *bond)
{
	const char *its = linux_text(s, port, FIELD_BOND);

	return its && strcmp(its, bond) == 0;
}

static void insert(struct linux_setup *s, const struct linux_line *l)
{
	bool is_there;
	size_t at = place(s, l->port, l->field, l->index, &is_there);

	if (!is_there) {
		(void)GROW(s->lines, s->n, s->cap);
		memmove(&s->lines[at + 1], &s->lines[at], (s->n - at) * sizeof(*s->lines));
		s->n++;
	}
	s->lines[at] = *l;
}

void linux_put(struct linux_setup *s, const char *port, enum field f, unsigned index, const struct value *v)
{
	struct linux_line l = { .field = f, .index = index };
	bool is_there;
	size_t at = place(s, port, f, index, &is_there);

	if (!v) {
		if (is_there)
			memmove(&s->lines[at], &s->lines[at + 1], (--s->n - at) * sizeof(*s->lines));
		return;
	}
	l.port = port ? arena_text(&s->arena, port, strlen(port)) : NULL;
	l.value = *v;
	l.value.text = v->text ? arena_text(&s->arena, v->text, strlen(v->text)) : NULL;
	insert(s, &l);
}

const char *linux_next_port(const struct linux_setup *s, const char *port)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->lines[i].port && (!port || strcmp(s->lines[i].port, port) > 0))
			return s->lines[i].port;
	return NULL;
}

void linux_setup_done(struct linux_setup *s)
{
	free(s->lines);
	arena_done(&s->arena);
	*s = (struct linux_setup){ 0 };
}

/* -- the text -- */

static const struct {
	enum linux_tool tool;
	const char *word;
} tools[] = { { LINUX_BY_DCB, "dcb" }, { LINUX_BY_CC_PARAMS, "cc_params" } };

static void print_line(const struct linux_setup *s, const struct linux_line *l, struct buf *out)
{
	struct fact fact = { s->device, l->port, l->field, l->index, l->value };

	buf_str(out, l->is_context ? "# " : "");
	if (l->field != TOOL)
		fact_print(&fact, out);
	for (size_t i = 0; l->field == TOOL && i < COUNT(tools); i++)
		if (tools[i].tool == (enum linux_tool)l->index)
			buf_printf(out, "%s %s by %s", s->device, l->port, tools[i].word);
	buf_str(out, "\n");
}

void linux_setup_print(const struct linux_setup *s, struct buf *out)
{
	for (size_t i = 0; i < s->n; i++)
		print_line(s, &s->lines[i], out);
}

static bool read_tool(struct linux_setup *s, struct span line, struct linux_line *l)
{
	struct span device, port, by, tool;

	if (!span_word(&line, &device) || !span_word(&line, &port) || !span_word(&line, &by) || !span_is(by, "by") ||
	    !span_word(&line, &tool))
		return false;
	for (size_t i = 0; i < COUNT(tools); i++)
		if (span_is(tool, tools[i].word)) {
			*l = (struct linux_line){ arena_text(&s->arena, port.p, port.n), TOOL, tools[i].tool, { 0 }, true };
			s->device = s->device ? s->device : arena_text(&s->arena, device.p, device.n);
			return true;
		}
	return false;
}

static bool read_line(struct linux_setup *s, struct span line, struct err *err)
{
	bool is_context = span_skip(&line, "# ");
	struct linux_line l;
	struct fact fact;

	if (is_context && read_tool(s, line, &l)) {
		insert(s, &l);
		return true;
	}
	if (!fact_parse(line, &s->arena, &fact, err))
		return false;
	if (fact.value.is != VALUE_KNOWN || !(is_context ? linux_is_context(fact.field) : linux_is_setting(fact.field)))
		return err_set(err, "not a host setting: %s", field_table[fact.field].name);
	if (fact.port && !linux_is_interface(fact.port))
		return err_set(err, "interface name not safe in a command");
	s->device = s->device ? s->device : fact.device;
	if (strcmp(s->device, fact.device))
		return err_set(err, "settings of two devices in one text");
	l = (struct linux_line){ fact.port, fact.field, fact.index, fact.value, is_context };
	insert(s, &l);
	return true;
}

bool linux_setup_read(struct linux_setup *s, struct span text, struct err *err)
{
	struct span line;

	while (span_line(&text, &line))
		if (line.n && !read_line(s, line, err))
			return false;
	return true;
}

/* -- from the model -- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *linux_sorted(struct arena *arena, const char *text)
{
	struct span rest = span_of(text), word;
	const char *words[64];
	struct buf out = { 0 };
	size_t n = 0;

	while (n < 64 && span_word(&rest, &word))
		words[n++] = arena_text(arena, word.p, word.n);
	qsort(words, n, sizeof(*words), by_text);
	for (size_t i = 0; i < n; i++)
		if (template_is_name(words[i]))
			buf_printf(&out, "%s%s", out.n ? " " : "", words[i]);
	text = arena_text(arena, out.text ? out.text : "", out.n);
	buf_done(&out);
	return text;
}

static void take(struct linux_setup *s, const struct model *m, const char *port, enum field f, unsigned index,
		 const struct cell *c)
{
	struct linux_line l = { port, f, index, { 0 }, linux_is_context(f) };

	if (!c || c->value.is != VALUE_KNOWN || cell_is_stale_setting(m, c))
		return;
	l.value = (struct value){ .is = VALUE_KNOWN, .n = c->value.n, .text = c->value.text };
	if (f == FIELD_MODULES)
		l.value.text = linux_sorted(&s->arena, c->value.text);
	else if (field_table[f].kind == KIND_TEXT && f != FIELD_BOND && !template_is_name(c->value.text))
		return;
	insert(s, &l);
}

/* Settings of traffic classes come from mlnx_qos, or from dcb; DCQCN's from the vendor's files, or the kernel's. */
static void take_tools(struct linux_setup *s, const struct port *p)
{
	static const enum field told_by[] = { FIELD_TRUST, FIELD_PFC_ON, FIELD_PRIO_TC };
	const struct cell *np = port_cell(p, FIELD_ECN_NP, 0), *cnp = port_cell(p, FIELD_CNP_DSCP, 0);
	struct linux_line l = { .port = p->name, .field = TOOL, .is_context = true };

	for (size_t i = 0; i < COUNT(told_by); i++) {
		const struct cell *c = port_cell(p, told_by[i], 0);

		if (!c || c->value.is != VALUE_KNOWN)
			continue;
		l.index = LINUX_BY_DCB;
		if (!strcmp(c->reply->probe, "dcb"))
			insert(s, &l);
		break;
	}
	l.index = LINUX_BY_CC_PARAMS;
	if (np && np->value.is == VALUE_UNKNOWN && cnp && cnp->value.is == VALUE_KNOWN)
		insert(s, &l);
}

static void take_port(struct linux_setup *s, const struct model *m, const struct port *p)
{
	if (!linux_is_interface(p->name))
		return;
	for (int f = 0; f < FIELD_COUNT; f++) {
		if (field_table[f].scope != SCOPE_PORT || !(linux_is_setting(f) || linux_is_context(f)))
			continue;
		for (unsigned i = 0; i < field_table[f].width; i++)
			take(s, m, p->name, f, i, port_cell(p, f, i));
	}
	take_tools(s, p);
}

/* What the collector asks of each port of the fabric. */
static bool port_is_whole(const struct device *d, const struct port *p, int64_t since_us, struct err *err)
{
	static const char *const probes[] = { "mlnx_qos", "dcb", "ecn", "ethtool-a", "ethtool-i" };
	const struct cell *role = port_cell(p, FIELD_ROLE, 0), *rdma = port_cell(p, FIELD_RDMA, 0);
	bool is_member = role && role->value.is == VALUE_KNOWN && role->value.n == ROLE_MEMBER;

	if (!role || role->value.is != VALUE_KNOWN || !linux_is_interface(p->name))
		return true;
	if (!is_member && (role->value.n != ROLE_PF || !rdma || rdma->value.is != VALUE_KNOWN))
		return true;
	for (size_t i = 0; i < COUNT(probes); i++)
		if (!whole_answer(d, probes[i], p->name, since_us, err))
			return false;
	return true;
}

/* Only where the collector runs, answered whole or not: facts that came by other ways are as whole as they are. */
bool linux_setup_is_whole(const struct device *d, int64_t since_us, struct err *err)
{
	static const char *const probes[] = { "link", "settings", "lsmod", "rdma", "tos" };

	if (!has_answered(d, "host"))
		return true;
	for (size_t i = 0; i < COUNT(probes); i++)
		if (!whole_answer(d, probes[i], NULL, since_us, err))
			return false;
	for (size_t i = 0; i < d->n_ports; i++)
		if (!port_is_whole(d, d->ports[i], since_us, err))
			return false;
	return true;
}

bool linux_setup_write(const struct model *m, const struct device *d, struct buf *out, struct err *err)
{
	struct linux_setup s = { .device = d->name };

	if (!d->heard_us)
		return err_set(err, "nothing was read from %s", d->name);
	if (strpbrk(d->name, " \t\r\n"))
		return err_set(err, "a name with blanks cannot be written into a plan");
	if (!linux_setup_is_whole(d, 0, err))
		return false;
	for (int f = 0; f < FIELD_COUNT; f++)
		if (field_table[f].scope == SCOPE_DEVICE && (linux_is_setting(f) || linux_is_context(f)))
			take(&s, m, NULL, f, 0, device_cell(d, f, 0));
	for (size_t i = 0; i < d->n_ports; i++)
		take_port(&s, m, d->ports[i]);
	if (s.n)
		qsort(s.lines, s.n, sizeof(*s.lines), by_order);
	linux_setup_print(&s, out);
	linux_setup_done(&s);
	return true;
}
