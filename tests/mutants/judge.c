#include "tests/mutants/judge.h"

#include <stdlib.h>

const struct excuse excuse_table[] = {
	{ NULL,           NULL,                   FIELD_CONFIG_SAVED,
	  "two texts are compared, and the mutant has changed one of them" },
	{ NULL,           "other-language",       FIELD_FEC,          "a text as it is printed" },
	{ "dmesg",        NULL,                   FIELD_COUNT,
	  "a log has neither end nor order: a line less or more is another log; no device is asked for it" },
	{ "lsmod",        "drop-line",            FIELD_MODULES,      "a module without a line is not loaded" },
	{ "lsmod",        "cut-unmarked",         FIELD_MODULES,
	  "the list has no end mark; one that a device gives is marked where it was cut" },
	{ "persist",      NULL,                   FIELD_PERSIST_WHERE, "a list of paths as it is printed" },
	{ "persist",      "foreign-line",         FIELD_PERSIST_QOS,  "a line that nobody knows may be what could not be read" },
	{ "persist",      "drop-line",            FIELD_PERSIST_QOS,  "what could not be read is told by a line" },
	{ "fdb",          "drop-line",            FIELD_FDB,          "a MAC without a line was not learned" },
	{ "fdb",          "cut-unmarked",         FIELD_FDB,
	  "the list has no end mark; one that a device gives is marked where it was cut" },
	{ "neighbors",    "drop-line",            FIELD_NEIGHBORS,    "a MAC without a line was not heard" },
	{ "processes",    "drop-line",            FIELD_COUNT,        "a process without a line is none, nor is a variable" },
	{ "processes",    "duplicate-line",       FIELD_APP_PROCS,    "two processes may be alike" },
	{ "rdma-counters", "widen-pushing",       FIELD_RDMA_RX,      "irdma's is a sum: of one number that is longer, the sum is" },
	{ "rdma-counters", "widen-pushing",       FIELD_RDMA_TX,      "the same" },
	{ "mlnx_qos",     "drop-line",            FIELD_PRIO_TC,
	  "a class may have several priorities: those of the next, where its heading is gone" },
	{ "lldp",         "drop-line",            FIELD_PEER_PORT,
	  "a port of a local number is named by it where it has no description" },
	{ "lldp",         "json-",                FIELD_PEER_PORT,    "the same" },
	{ "lldp",         "unknown-word",         FIELD_PEER_PORT,    "the same, where the description is called otherwise" },
	{ "lldp",         "other-",               FIELD_PEER_PORT,    "the same" },
	{ "lldp",         "long-word",            FIELD_PEER_PORT,    "the same" },
	{ "lldp",         "cut-unmarked",         FIELD_PEER_PORT,    "the same" },
	{ "dcb",          "json-member-dropped",  FIELD_DCBX,         "mlx5 names no manager of DCBX where its firmware is it" },
	{ "ethtool",      "drop-line",            FIELD_COUNT,        "a text that names no port is of the one that was asked about" },
	{ "show_gids",    "other-word",           FIELD_GID_V2,       "a row of another interface is that one's" },
	{ "display-xml",  "number-tail",          FIELD_MTU,          "it is printed twice, and the other is whole" },
	{ "dcb",          "json-member-dropped",  FIELD_TRUST,        "an mlx5 whose APP table has no DSCP trusts PCP" },
	{ "rdma",         "cut-unmarked",         FIELD_COUNT,
	  "of three lines that say whose an RDMA device is, the next best is believed where one is gone" },
	{ "rdma",         "drop-line",            FIELD_COUNT,        "the same" },
	{ "processes",    "unknown-word",         FIELD_COUNT,        "a variable of another name is another" },
	{ "processes",    "other-",               FIELD_COUNT,        "the same" },
	{ "processes",    "long-word",            FIELD_COUNT,        "the same" },
	{ "ip-link",      "drop-line",            FIELD_VF,           "the last virtual function: nothing counts them" },
	{ "ip-link",      "cut-unmarked",         FIELD_COUNT,        "the list has no end mark; no device is asked for it" },
	{ "ip-link",      "drop-line",            FIELD_MAC,
	  "the heading of an interface that prints no link line of its own" },
	{ "ibv_devinfo",  "drop-line",            FIELD_GID_V2,       "nothing counts the GIDs" },
	{ "rdma-statistic","json-lists-reversed",  FIELD_COUNT,
	  "the port that was asked about stands for the first device that is named" },
	{ "rdma-counters","reorder",              FIELD_COUNT,        "the same" },
	{ "ibv_devinfo",  "reorder",              FIELD_COUNT,        "the same" },
	{ "ibv_devinfo",  "cut-unmarked",         FIELD_GID_V2,
	  "the list of GIDs has no end mark; one that a device gives is marked where it was cut" },
	{ "tos",          NULL,                   FIELD_RDMA,
	  "the map that stands in each answer about RDMA is true; here it is not told, being known" },
	{ "tos",          NULL,                   FIELD_RDMA_SOFT,    "the same" },
	{ "logins",       NULL,                   FIELD_LOGINS,
	  "one text tells of all records, and of how many could not be parsed (remote/test_logins)" },
	{ "running-config","cut-unmarked",         FIELD_COUNT,
	  "a configuration has no end mark; one that a device gives is marked where it was cut" },
};

const size_t excuse_count = sizeof(excuse_table) / sizeof(*excuse_table);

static bool is_excused(const struct operator* op, const struct mutant *m, const struct told_fact *f, struct verdict *v)
{
	for (size_t i = 0; i < excuse_count; i++) {
		const struct excuse *e = &excuse_table[i];

		if ((e->probe && strcmp(e->probe, m->of->probe->id) != 0) ||
		    (e->operator && strncmp(e->operator, op->name, strlen(e->operator)) != 0) ||
		    (e->field != FIELD_COUNT && e->field != f->fact->field))
			continue;
		v->excused = i + 1;
		return true;
	}
	return false;
}

/* Probes that tell settings by what is not there: a line that is gone is another setting there. */
static bool tells_defaults(const struct mutant *m)
{
	static const char *const probes[] = { "running-config", "config-db", "pfcwd-config", "pfc-priority" };

	for (size_t i = 0; i < sizeof(probes) / sizeof(*probes); i++)
		if (strcmp(m->of->probe->id, probes[i]) == 0)
			return true;
	return false;
}

static enum kind kind_of(const struct told_fact *f)
{
	return field_table[f->fact->field].kind;
}

static bool is_quantity(const struct told_fact *f)
{
	return kind_of(f) == KIND_INT || kind_of(f) == KIND_COUNTER || kind_of(f) == KIND_GAUGE;
}

/* What a fact of the number would be, where it follows it by a factor: told by the rival. */
static bool follows(const struct mutant *m, bool is_no_number, const struct told_fact *before,
		    const struct told_fact *rival, __int128 *becomes)
{
	__int128 step = (__int128)m->rival_number - (__int128)m->old_number, by, rest;

	if (!told_is_known(before) || !told_is_known(rival) || !is_quantity(before) || told_is_same(before, rival))
		return false;
	if (is_no_number &&
	    before->fact->index ==
		    m->rival_number) /* the number is an index, and the rival has put another's value there */
		return false;
	by = ((__int128)rival->fact->value.n - (__int128)before->fact->value.n) / step;
	rest = (__int128)before->fact->value.n - by * (__int128)m->old_number;
	*becomes = by * (__int128)m->new_number + rest;
	return by >= 1 && rest >= 0 && rest < 64;
}

static bool number_is_right(const struct operator* op, const struct mutant *m, const struct told_fact *before,
			    const struct told_fact *after, const struct told_fact *rival)
{
	__int128 becomes;
	bool is_own = !told_is_same(before, rival);

	if (!told_is_known(after) || strstr(after->port, m->new))
		return true;
	if (!before && kind_of(after) == KIND_TEXT && strstr(after->fact->value.text, m->new))
		return true;
	if (is_own && !told_is_known(before))
		return told_is_known(rival);
	if (!is_own)
		return told_is_same(before, after);
	if (kind_of(after) == KIND_TEXT)
		return true;
	if (op->rule == RULE_NO_NUMBER)
		return told_is_same(before, after) && !follows(m, true, before, rival, &becomes);
	if (follows(m, false, before, rival, &becomes))
		return becomes == (__int128)after->fact->value.n;
	return told_is_same(before, after);
}

/* Texts of several lines' words. */
static bool is_list(const struct told_fact *f)
{
	return f->fact->field == FIELD_MODULES || f->fact->field == FIELD_FDB || f->fact->field == FIELD_NEIGHBORS ||
	       f->fact->field == FIELD_APP_ENV;
}

static bool word_is_right(const struct mutant *m, const struct told_fact *before, const struct told_fact *after)
{
	if (!told_is_known(after) || told_is_same(before, after))
		return true;
	if (*after->port && (strcasestr(after->port, m->new) || strcasestr(m->new, after->port)))
		return true;
	return kind_of(after) == KIND_TEXT && (is_list(after) || strcasestr(after->fact->value.text, m->new) ||
					       strstr(m->new, after->fact->value.text));
}

/* An RDMA device stands in for the port that no line names as its own any more. */
static bool is_stand_in(const struct told_fact *before, const struct told_fact *after)
{
	static const char *const names[] = { "mlx", "rxe", "siw", "irdma", "bnxt_re", "ionic_", "roce", "ib" };

	for (size_t i = 0; !before && i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(after->port, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static bool is_right(const struct operator* op, const struct mutant *m, const struct told_fact *before,
		     const struct told_fact *after, const struct told_fact *rival)
{
	if (after && is_stand_in(before, after))
		return true;
	if (op->rule == RULE_NUMBER || op->rule == RULE_NO_NUMBER)
		return number_is_right(op, m, before, after, rival);
	if (op->rule == RULE_WORD)
		return word_is_right(m, before, after);
	if (op->rule == RULE_EITHER)
		return !told_is_known(after) || told_is_same(before, after) || told_is_same(rival, after);
	if (op->rule == RULE_GONE_LINE && tells_defaults(m))
		return true;
	return !told_is_known(after) || told_is_same(before, after);
}

static void say_wrong(const struct told_fact *before, const struct told_fact *after, struct verdict *v)
{
	if (v->wrong++ >= 6)
		return;
	buf_str(&v->text, "    before: ");
	told_print(before, &v->text);
	buf_str(&v->text, "\n    after:  ");
	told_print(after, &v->text);
	buf_str(&v->text, "\n");
}

static void judge_fact(const struct operator* op, const struct mutant *m, const struct told *rival,
		       const struct told_fact *before, const struct told_fact *after, struct verdict *v)
{
	const struct told_fact *f = after ? after : before;

	v->lost += told_is_known(before) && !told_is_known(after);
	if (is_right(op, m, before, after, rival ? told_find(rival, f) : NULL) || is_excused(op, m, f, v))
		return;
	say_wrong(before, after, v);
}

/* RULE_EITHER: of a port, what is told is all of the one or all of the other. */
static void judge_mixture(const struct told *a, const struct told *b, const struct told *after, struct verdict *v)
{
	const struct told_fact *of_a = NULL, *of_b = NULL;

	for (size_t i = 0; i < after->n; i++) {
		const struct told_fact *f = &after->list[i];
		bool is_a = told_is_same(told_find(a, f), f), is_b = told_is_same(told_find(b, f), f);

		if (of_a && strcmp(of_a->port, f->port) != 0)
			of_a = NULL;
		if (of_b && strcmp(of_b->port, f->port) != 0)
			of_b = NULL;
		if (!told_is_known(f) || is_a == is_b)
			continue;
		if (is_a)
			of_a = f;
		else
			of_b = f;
		if (of_a && of_b)
			say_wrong(of_a, of_b, v);
	}
}

void judge(const struct operator* op, const struct mutant *m, const struct told *original, struct verdict *v)
{
	bool has_rival = m->rival.n > 0;
	struct told after, rival;
	size_t i = 0, k = 0;

	told_parse(&after, m->of, buf_span(&m->text), m->status, m->is_partial);
	if (has_rival)
		told_parse(&rival, m->of, buf_span(&m->rival), m->of->status, false);
	while (i < original->n || k < after.n) {
		int order = i == original->n ? 1 : k == after.n ? -1 : told_order(&original->list[i], &after.list[k]);
		const struct told_fact *before = order <= 0 ? &original->list[i++] : NULL;
		const struct told_fact *now = order >= 0 ? &after.list[k++] : NULL;

		judge_fact(op, m, has_rival ? &rival : NULL, before, now, v);
	}
	if (op->rule == RULE_EITHER)
		judge_mixture(original, &rival, &after, v);
	told_done(&after);
	if (has_rival)
		told_done(&rival);
}
