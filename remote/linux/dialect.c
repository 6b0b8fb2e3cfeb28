/* How Linux hosts are changed: remote/linux/settings.h is the normal form, remote/linux/setters.h the commands. */
#include "remote/platform/dialect.h"

#include <stdio.h>
#include <string.h>

#include "core/fix/owner.h"
#include "remote/linux/setters.h"

static bool can_set(enum field f, bool of_port)
{
	return linux_is_setting(f) && of_port == (field_table[f].scope == SCOPE_PORT);
}

/* -- the part that concerns some edits -- */

static bool same_port(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Written together: each index. By itself: the one that is edited. */
static bool concerns(const struct edit *e, const struct linux_line *l)
{
	const struct linux_setter *s = linux_setter_of(e->field);

	if (!same_port(e->port, l->port))
		return false;
	if (s && s->is_together)
		return linux_set_together(e->field, l->field);
	return e->field == l->field && (e->index == l->index || e->field == FIELD_PRIO_PG || e->field == FIELD_BUFFER_SIZE);
}

/* A link goes down and comes back, and a driver gets ready: what commands need to know once is not compared later. */
static bool is_lasting(const struct linux_line *l)
{
	return l->field != FIELD_UP && l->field != FIELD_DRIVER_READY;
}

static bool is_part(const struct linux_line *l, const struct edit *edits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (l->is_context ? l->port && is_lasting(l) && same_port(edits[i].port, l->port) : concerns(&edits[i], l))
			return true;
	return false;
}

/* Of the modules only those that come or go: others come along and go by themselves. */
static void part_of_modules(struct linux_setup *s, const struct edit *e)
{
	const char *loaded = linux_text(s, NULL, FIELD_MODULES), *want = e->want.text ? e->want.text : "";
	const char *was = e->was.text ? e->was.text : "";
	struct value v = { .is = VALUE_KNOWN };
	struct span rest = span_of(loaded), word;
	struct buf list = { 0 };

	if (!loaded)
		return;
	while (span_word(&rest, &word))
		if (span_is_among(word, want) != span_is_among(word, was))
			buf_printf(&list, "%s%.*s", list.n ? " " : "", (int)word.n, word.p);
	v.text = list.text ? list.text : "";
	linux_put(s, NULL, FIELD_MODULES, 0, &v);
	buf_done(&list);
}

static void part(struct span setup, const struct edit *edits, size_t n, struct buf *out)
{
	struct linux_setup s = { 0 };
	size_t kept = 0;

	if (linux_setup_read(&s, setup, NULL)) {
		for (size_t i = 0; i < s.n; i++)
			if (is_part(&s.lines[i], edits, n))
				s.lines[kept++] = s.lines[i];
		s.n = kept;
		for (size_t i = 0; i < n; i++)
			if (edits[i].field == FIELD_MODULES)
				part_of_modules(&s, &edits[i]);
		linux_setup_print(&s, out);
	}
	linux_setup_done(&s);
}

/* -- edits -- */

static const struct {
	enum field field;
	uint64_t min, max;
} ranges[] = {
	{ FIELD_TCP_ECN, 0, 2 },	{ FIELD_MTU, 68, 65535 },	{ FIELD_TRUST, TRUST_PCP, TRUST_DSCP },
	{ FIELD_DSCP_PRIO, 0, 7 },	{ FIELD_PRIO_TC, 0, 7 },	{ FIELD_PRIO_PG, 0, 7 },
	{ FIELD_ETS_SHARE, 0, 100 },	{ FIELD_CABLE, 1, 999 },	{ FIELD_CNP_DSCP, 0, 63 },
	{ FIELD_CNP_PRIO, 0, 7 },	{ FIELD_TOS_CMA, 0, 255 },	{ FIELD_TOS_FORCE, 0, 255 },
	{ FIELD_DCBX, DCBX_OS, DCBX_FW },
};

static bool in_range(const struct edit *e, struct err *err)
{
	uint64_t min = 0, max = UINT32_MAX;

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		if (ranges[i].field == e->field) {
			min = ranges[i].min;
			max = ranges[i].max;
		}
	if (field_table[e->field].kind == KIND_TEXT || (e->want.n >= min && e->want.n <= max))
		return true;
	return err_set(err, "%s of a host cannot have that value", field_table[e->field].name);
}

static bool number_is(const struct linux_setup *s, const char *port, enum field f, uint64_t n)
{
	const struct value *v = linux_value(s, port, f, 0);

	return v && v->n == n;
}

static bool is_mellanox(const struct linux_setup *s, const char *port)
{
	const char *driver = linux_text(s, port, FIELD_DRIVER);

	return !driver || strncmp(driver, "mlx", 3) == 0;
}

/* What kind of port it is, and which tool there is for it. */
static bool port_takes(const struct linux_setup *s, const struct edit *e, struct err *err)
{
	const struct linux_setter *setter = linux_setter_of(e->field);
	const char *name = field_table[e->field].name;

	if (!linux_is_interface(e->port))
		return err_set(err, "an interface of %s has a name that is not safe in a command", e->device);
	if (number_is(s, e->port, FIELD_ROLE, ROLE_VF))
		return err_set(err, "%s is a virtual function: set its physical function instead", e->port);
	if (number_is(s, e->port, FIELD_ROLE, ROLE_BOND) && !setter->of_rdma && !(field_table[e->field].flags & FIELD_OF_BOND))
		return err_set(err, "%s is a bond: set %s on each of its members", e->port, name);
	if (setter->needs_link && number_is(s, e->port, FIELD_UP, 0))
		return err_set(err, "%s is down: %s is set only on ports that are up, where it can be verified", e->port, name);
	if (setter->of_rdma && !linux_text(s, e->port, FIELD_RDMA))
		return err_set(err, "the RDMA device of %s is not known", e->port);
	if ((e->field == FIELD_CABLE || e->field == FIELD_DCBX) && linux_by(s, e->port, LINUX_BY_DCB))
		return err_set(err, is_mellanox(s, e->port) ? "dcb cannot set %s of %s, and mlnx_qos is not installed" : "dcb cannot set %s of %s",
			       name, e->port);
	return true;
}

/* What nobody could read is not written over. Nothing forced is known as nothing; a folder that nobody made can be made. */
static bool is_known(const struct linux_setup *s, const struct edit *e, struct err *err)
{
	bool is_unmade = e->field == FIELD_TOS_CMA && e->was.is == VALUE_ABSENT;

	if (linux_value(s, e->port, e->field, e->index) || e->field == FIELD_TOS_FORCE || is_unmade)
		return true;
	return err_set(err, "%s%s%s of %s is not known and is not overwritten", e->port ? e->port : "", e->port ? " " : "",
		       field_table[e->field].name, e->device);
}

/* Loading only: what else uses a module is not ours to say. */
static bool edit_modules(struct linux_setup *s, const struct edit *e, struct err *err)
{
	struct span loaded = span_of(linux_text(s, NULL, FIELD_MODULES)), want = span_of(e->want.text), word, rest = loaded;
	struct value v = { .is = VALUE_KNOWN };
	struct buf all = { 0 };
	bool keeps = true;

	while (span_word(&rest, &word))
		keeps &= span_is_among(word, e->want.text);
	if (!keeps)
		return err_set(err, "modules are loaded, never unloaded");
	buf_add(&all, loaded.p, loaded.n);
	for (rest = want; span_word(&rest, &word);)
		if (!span_is_among(word, all.text))
			buf_printf(&all, "%s%.*s", all.n ? " " : "", (int)word.n, word.p);
	v.text = linux_sorted(&s->arena, all.text ? all.text : "");
	linux_put(s, NULL, FIELD_MODULES, 0, &v);
	buf_done(&all);
	return true;
}

/* A port that begins to trust DSCPs has them eight by eight in its priorities; one that stops shows no map any more. */
static bool edit_trust(struct linux_setup *s, const struct edit *e, struct err *err)
{
	bool was_dscp = number_is(s, e->port, FIELD_TRUST, TRUST_DSCP);

	if (was_dscp == (e->want.n == TRUST_DSCP))
		return true;
	for (unsigned i = 0; i < 64; i++) {
		struct value v = { .is = VALUE_KNOWN, .n = i >> 3 };

		if (was_dscp && !linux_value(s, e->port, FIELD_DSCP_PRIO, i))
			return err_set(err, "the priority of DSCP %u at %s is not known, and would be lost", i, e->port);
		linux_put(s, e->port, FIELD_DSCP_PRIO, i, was_dscp ? NULL : &v);
	}
	return true;
}

/* What the kernel does when a bond is set: its members follow. */
static void hand_down(struct linux_setup *s, const struct edit *e)
{
	for (const char *port = linux_next_port(s, NULL); port; port = linux_next_port(s, port))
		if (linux_is_member(s, port, e->port) && linux_value(s, port, e->field, e->index))
			linux_put(s, port, e->field, e->index, &e->want);
}

static bool edit_one(struct linux_setup *s, const struct edit *e, struct err *err)
{
	if (!can_set(e->field, e->port != NULL))
		return err_set(err, "%s is not set on hosts", field_table[e->field].name);
	if (strcmp(e->device, s->device))
		return err_set(err, "this change is for %s, but the others are for %s", e->device, s->device);
	if (e->port && !port_takes(s, e, err))
		return false;
	if (!is_known(s, e, err) || !in_range(e, err))
		return false;
	if (e->field == FIELD_MODULES)
		return edit_modules(s, e, err);
	if (e->want.is != VALUE_KNOWN && !(e->want.is == VALUE_ABSENT && e->field == FIELD_TOS_FORCE))
		return err_set(err, "the required value of %s is not known", field_table[e->field].name);
	if (e->field == FIELD_TRUST && !edit_trust(s, e, err))
		return false;
	if (field_table[e->field].flags & FIELD_OF_BOND)
		hand_down(s, e);
	linux_put(s, e->port, e->field, e->index, e->want.is == VALUE_KNOWN ? &e->want : NULL);
	return true;
}

/* A member that is set alone to another value than its bond's changes nothing: the bond's is what its packets have. */
static bool is_as_bond(const struct linux_setup *s, const struct edit *e, struct err *err)
{
	const char *bond = e->port ? linux_text(s, e->port, FIELD_BOND) : NULL;
	const struct value *its = bond ? linux_value(s, bond, e->field, e->index) : NULL;

	return !(field_table[e->field].flags & FIELD_OF_BOND) || !its || its->n == e->want.n ||
	       err_set(err, "%s is a member of %s and takes its %s from there: set it on the bond", e->port, bond, field_table[e->field].name);
}

/* Of all ETS classes; 100 where there is none. */
static uint64_t shares_of(const struct linux_setup *s, const char *port)
{
	uint64_t sum = 0;
	bool has_ets = false;

	for (unsigned i = 0; i < 8; i++) {
		const struct value *algo = linux_value(s, port, FIELD_ETS_ALGO, i), *share = linux_value(s, port, FIELD_ETS_SHARE, i);

		if (!algo || algo->n != ETS_ETS)
			continue;
		has_ets = true;
		sum += share ? share->n : 0;
	}
	return has_ets ? sum : 100;
}

/* Drivers take nothing else, so there would be no way back to it either. */
static bool shares_fit(const struct linux_setup *s, const char *port, const char *what, struct err *err)
{
	unsigned long long sum = shares_of(s, port);

	return sum == 100 || err_set(err, "the shares of the ETS classes of %s %s %llu %%, not 100", port, what, sum);
}

static bool pauses_fit(const struct linux_setup *s, const char *port, struct err *err)
{
	bool is_pfc = false;

	for (unsigned i = 0; i < 8; i++) {
		const struct value *v = linux_value(s, port, FIELD_PFC_ON, i);

		is_pfc |= v && v->n;
	}
	return !is_pfc || (!number_is(s, port, FIELD_PAUSE_RX, 1) && !number_is(s, port, FIELD_PAUSE_TX, 1)) ||
	       err_set(err, "PFC and 802.3x pause of %s exclude each other", port);
}

/* A share belongs to an ETS class alone, and a class that becomes one needs a share in the same plan. */
static void drop_shares(struct linux_setup *s, const char *port)
{
	for (unsigned i = 0; i < 8; i++) {
		const struct value *algo = linux_value(s, port, FIELD_ETS_ALGO, i);

		if (algo && algo->n != ETS_ETS)
			linux_put(s, port, FIELD_ETS_SHARE, i, NULL);
	}
}

/* Whoever is in a buffer of 0 bytes loses every packet. */
static bool buffers_fit(const struct linux_setup *s, const char *port, struct err *err)
{
	for (unsigned i = 0; i < 8; i++) {
		const struct value *pg = linux_value(s, port, FIELD_PRIO_PG, i);
		const struct value *size = pg ? linux_value(s, port, FIELD_BUFFER_SIZE, (unsigned)pg->n) : NULL;

		if (size && !size->n)
			return err_set(err, "priority %u of %s would be in buffer %u, which has 0 bytes", i, port,
				       (unsigned)pg->n);
	}
	return true;
}

static bool fits(struct linux_setup *s, const struct edit *e, struct err *err)
{
	if (!is_as_bond(s, e, err))
		return false;
	if (e->field == FIELD_PRIO_PG || e->field == FIELD_BUFFER_SIZE)
		return buffers_fit(s, e->port, err);
	if (linux_set_together(FIELD_ETS_SHARE, e->field)) {
		drop_shares(s, e->port);
		return shares_fit(s, e->port, "would add up to", err);
	}
	return !linux_set_together(FIELD_PAUSE_RX, e->field) || pauses_fit(s, e->port, err);
}

static bool can_come_back(const struct linux_setup *s, const struct edit *e, struct err *err)
{
	return !linux_set_together(FIELD_ETS_SHARE, e->field) ||
	       shares_fit(s, e->port, "could not be rolled back to: they add up to", err);
}

static bool edit_all(struct linux_setup *s, const struct edit *edits, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (!can_come_back(s, &edits[i], err))
			return false;
	for (size_t i = 0; i < n; i++)	/* first: a map is known once DSCPs are trusted */
		if (edits[i].field == FIELD_TRUST && !edit_one(s, &edits[i], err))
			return false;
	for (size_t i = 0; i < n; i++)
		if (edits[i].field != FIELD_TRUST && !edit_one(s, &edits[i], err))
			return false;
	for (size_t i = 0; i < n; i++)
		if (!fits(s, &edits[i], err))
			return false;
	return true;
}

static bool edit(struct span setup, const struct edit *edits, size_t n, struct buf *after, struct err *err)
{
	struct linux_setup s = { 0 };
	bool is_done = linux_setup_read(&s, setup, err);

	if (is_done && n && !s.device)
		is_done = err_set(err, "no settings of %s have been read", edits->device);
	if (is_done)
		is_done = edit_all(&s, edits, n, err);
	if (is_done)
		linux_setup_print(&s, after);
	linux_setup_done(&s);
	return is_done;
}

/* -- and back -- */

/* The words of list without those of less, and those of more. */
static void put_modules(struct linux_setup *s, const char *less, const char *more)
{
	struct span rest = span_of(linux_text(s, NULL, FIELD_MODULES)), word;
	struct value v = { .is = VALUE_KNOWN };
	struct buf list = { 0 };

	while (span_word(&rest, &word))
		if (!span_is_among(word, less) || span_is_among(word, more))
			buf_printf(&list, "%s%.*s", list.n ? " " : "", (int)word.n, word.p);
	for (rest = span_of(more); span_word(&rest, &word);)
		if (!span_is_among(word, list.text))
			buf_printf(&list, "%s%.*s", list.n ? " " : "", (int)word.n, word.p);
	v.text = linux_sorted(&s->arena, list.text ? list.text : "");
	linux_put(s, NULL, FIELD_MODULES, 0, &v);
	buf_done(&list);
}

static void put_back(struct linux_setup *s, const struct linux_setup *after, const struct linux_setup *base)
{
	for (size_t i = 0; i < after->n; i++) {
		const struct linux_line *l = &after->lines[i];

		if (!l->is_context && !linux_value(base, l->port, l->field, l->index))
			linux_put(s, l->port, l->field, l->index, NULL);
	}
	for (size_t i = 0; i < base->n; i++) {
		const struct linux_line *l = &base->lines[i];

		if (!l->is_context && l->field == FIELD_MODULES)
			put_modules(s, linux_text(after, NULL, FIELD_MODULES), l->value.text);
		else if (!l->is_context)
			linux_put(s, l->port, l->field, l->index, &l->value);
	}
}

static bool restore(struct span setup, struct span base, struct span after, struct buf *back, struct err *err)
{
	struct linux_setup s = { 0 }, a = { 0 }, b = { 0 };
	bool is_done = linux_setup_read(&s, setup, err) && linux_setup_read(&a, after, err) && linux_setup_read(&b, base, err);

	if (is_done) {
		put_back(&s, &a, &b);
		linux_setup_print(&s, back);
	}
	linux_setup_done(&s);
	linux_setup_done(&a);
	linux_setup_done(&b);
	return is_done;
}

/* -- commands -- */

/* Words once each, with "; " between. */
static void add_once(struct buf *list, const char *text)
{
	if (list->n && strstr(list->text, text))
		return;
	buf_printf(list, "%s%s", list->n ? "; " : "", text);
}

struct notes {
	struct buf disturbs, keepers, ports;
};

static void note(struct notes *n, const struct linux_setter *s, const char *device, const char *port)
{
	char text[256];

	if (s->disturbs && port) {
		snprintf(text, sizeof(text), s->disturbs, port);
		add_once(&n->disturbs, text);
	}
	snprintf(text, sizeof(text), s->keeper, device);
	add_once(&n->keepers, text);
	if (port && !span_is_among(span_of(port), n->ports.text))
		buf_printf(&n->ports, "%s%s", n->ports.n ? " " : "", port);
}

/* notes: NULL for the way back. */
static bool add_commands(struct setting_job *j, struct notes *notes)
{
	for (size_t i = 0; i < linux_setter_count; i++) {
		const struct linux_setter *s = &linux_setters[i];
		bool of_port = field_table[s->fields[0]].scope == SCOPE_PORT;

		j->port = of_port ? linux_next_port(j->to, NULL) : NULL;
		for (bool is_more = !of_port || j->port; is_more; is_more = of_port && (j->port = linux_next_port(j->to, j->port))) {
			size_t before = j->lines->n;

			if (!s->commands(j))
				return false;
			if (notes && j->lines->n > before)
				note(notes, s, j->to->device, j->port);
		}
	}
	return true;
}

/* A containerised driver that is not ready yet has nothing to be set. */
#define WAIT	"timeout 60 sh -c \"until [ -e /run/mellanox/drivers/.driver-ready ]; do sleep 1; done\""

static void add_wait(const struct linux_setup *s, struct arena *arena, struct fix_lines *lines)
{
	if (!lines->n || !number_is(s, NULL, FIELD_DRIVER_READY, 0))
		return;
	(void)GROW(lines->list, lines->n, lines->cap);
	memmove(&lines->list[1], &lines->list[0], lines->n++ * sizeof(*lines->list));
	lines->list[0] = arena_text(arena, WAIT, strlen(WAIT));
}

static const char *kept(struct arena *arena, struct buf *text, const char *before)
{
	struct buf whole = { 0 };
	const char *out;

	if (!text->n)
		return NULL;
	buf_printf(&whole, "%s%s", before, text->text);
	out = arena_text(arena, whole.text, whole.n);
	buf_done(&whole);
	return out;
}

static bool both_ways(const struct linux_setup *from, const struct linux_setup *to, struct arena *arena, struct fix_step *step,
		      struct err *err)
{
	struct setting_job there = { from, to, NULL, arena, &step->lines, err };
	struct setting_job back = { to, from, NULL, arena, &step->undo, err };
	struct notes notes = { { 0 } };
	bool is_done = add_commands(&there, &notes) && add_commands(&back, NULL);

	if (is_done) {
		add_wait(to, arena, &step->lines);
		step->disturbs = kept(arena, &notes.disturbs, "");
		step->save_note = kept(arena, &notes.keepers, OWNER_FORGETS "; to persist it: ");
		step->ports = step->ports ? step->ports : kept(arena, &notes.ports, "");
	}
	buf_done(&notes.disturbs);
	buf_done(&notes.keepers);
	buf_done(&notes.ports);
	return is_done;
}

static bool commands(struct span from, struct span to, const struct dialect_place *place, struct arena *arena, struct fix_step *step,
		     struct err *err)
{
	struct linux_setup a = { 0 }, b = { 0 };
	bool is_done = linux_setup_read(&a, from, err) && linux_setup_read(&b, to, err);

	(void)place;
	if (is_done && (!a.device || !b.device || strcmp(a.device, b.device)))
		is_done = err_set(err, "two texts of one host are needed");
	if (is_done)
		is_done = both_ways(&a, &b, arena, step, err);
	linux_setup_done(&a);
	linux_setup_done(&b);
	return is_done;
}

/*
 * dcb of iproute2 (6.1, as Debian 12 has it) asks for an acknowledgment of its GET and does not read it; the SET that follows in
 * another second has another sequence number, by time(), and takes that acknowledgment for a wrong answer, while the kernel sets what
 * was asked. Seen by strace on a real kernel, in 6 of 2400 calls.
 */
#define DCB_MISREAD "Protocol error"

const struct dialect linux_dialect = {
	.can_set = can_set,
	.setup = linux_setup_write,
	.is_whole = linux_setup_is_whole,
	.part = part,
	.edit = edit,
	.restore = restore,
	.commands = commands,
	.waits = WAIT,
	.misreading = "dcb ",
	.misread = DCB_MISREAD,
};
