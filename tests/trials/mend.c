#include "tests/trials/mend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "remote/lab/world/faults.h"

#define PLAN_TRIES	4

/* A fault that is not here is mended as it comes, on any system. */
static const struct mendable rows[] = {
	{ "trust-pcp",			.at_host = true },
	{ "pfc-off-host",		.at_host = true },
	{ "pfc-wrong-host",		.at_host = true },
	{ "pfc-extra-prio",		.at_host = true },
	{ "np-off",			.at_host = true },
	{ "rp-off",			.at_host = true },
	{ "dscp-map-lossy",		.at_host = true },
	{ "cnp-map-lossy",		.at_host = true },
	{ "best-effort-lossless",	.at_host = true },
	{ "iscsi-in-roce",		.at_host = true },
	{ "cnp-dscp-wrong",		.at_host = true },
	{ "ets-starved-cnp",		.at_host = true },
	{ "ets-starved-roce",		.at_host = true },
	{ "prio-tc-wrong",		.at_host = true },
	{ "buffer-shared",		.at_host = true, .traffic = "off" },
	{ "dcqcn-aggressive",		.at_host = true },
	{ "dcbx-firmware",		.at_host = true },
	{ "tos-104",			.at_host = true },
	{ "tos-0",			.at_host = true },
	{ "mtu-small-host",		.at_host = true },
	{ "global-pause",		.at_host = true },
	{ "module-missing",		.at_host = true },
	{ "bond-member-unset",		.at_host = true, .needs_bond = true },
	{ "bond-mtu-small",		.at_host = true, .needs_bond = true },
	{ "pfc-off-switch" },
	{ "pfc-wrong-switch" },
	{ "ecn-off-switch" },
	{ "ecn-weak" },
	{ "ecn-early" },
	{ "kmin-over-xoff" },
	{ "mtu-small-switch" },
	{ "trust-off-switch" },
	{ "queue-map-wrong" },
	{ "pfc-extra-prio@leaf1" },
	{ "dscp-map-lossy@leaf1" },
	{ "config-unsaved",		.is_saving = true },
	{ "link-pause-switch",		.os = "os10" },
	{ "pfc-queue-wrong",		.os = "sonic" },
	{ "watchdog-off",		.os = "sonic" },
};

static bool has_row(const struct fault *fault)
{
	size_t n = strlen(fault->name);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strncmp(rows[i].fault, fault->name, n) && (!rows[i].fault[n] || rows[i].fault[n] == '@'))
			return true;
	return false;
}

const struct mendable *mendables(size_t *n)
{
	static struct mendable *list;
	static size_t count, cap;

	if (!list) {
		for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++, count++)
			*GROW(list, count, cap) = rows[i];
		for (size_t i = 0; i < fault_count; i++)
			if (!fault_table[i].left_to && !has_row(&fault_table[i])) {
				*GROW(list, count, cap) = (struct mendable){ .fault = fault_table[i].name };
				count++;
			}
	}
	*n = count;
	return list;
}

static const char *const devices[] = { "node1", "node2", "leaf1", "leaf2", "spine1" };
#define FIRST_SWITCH 2

static json_t *open_findings(const struct site *s)
{
	struct run r = SITE(s, "-q", "-o", "json", "findings");
	json_t *doc = json_loads(r.out.text ? r.out.text : "", 0, NULL);

	run_done(&r);
	return doc;
}

static json_t *rows_of(json_t *doc)
{
	return json_object_get(doc, "rows");
}

static const char *text_of(json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));

	return text ? text : "";
}

static bool is_problem(json_t *row)
{
	const char *severity = text_of(row, "severity");

	return (!strcmp(severity, "fail") || !strcmp(severity, "warn") || !strcmp(severity, "look")) &&
	       !json_is_string(json_object_get(row, "because_of"));
}

/* What a device answers now and then, and not a moment later. */
static bool is_passing(const struct run *r)
{
	return r->err.text && (strstr(r->err.text, "is incomplete") || strstr(r->err.text, "resource busy"));
}

/* A plan is made from one reading: where what it needs did not come whole, a person asks again. */
static struct run plan(const struct site *s, const char *file, const char *finding)
{
	for (unsigned i = 1;; i++) {
		struct run r = SITE(s, "-q", "--timeout", "2m", "plan", "--verify-for", "1s", "-O", file, finding);

		if (i == PLAN_TRIES || !is_passing(&r))
			return r;
		run_done(&r);
	}
}

bool mend_plan_of(const struct site *s, const char *finding, struct mending *m, struct buf *words)
{
	char *file = m->files[m->n];
	struct run r;
	bool done;

	snprintf(file, sizeof(m->files[0]), "%s/plan-%zu.json", s->home, m->n + 1);
	unlink(file);
	r = plan(s, file, finding);
	done = r.code == 0 && access(file, R_OK) == 0 && site_read_plan(file, &m->plans[m->n]);
	if (!done && (r.code != 9 || !finding))	/* of one finding a refusal is an answer */
		buf_printf(words, "  plan %s: exit %d: %.600s\n", finding ? finding : "all", r.code, r.err.text ? r.err.text : "");
	run_done(&r);
	m->n += done;
	return done;
}

/* Two of a check may be open; the place tells. */
static bool plan_row(const struct site *s, json_t *row, struct mending *m, struct buf *words)
{
	char *finding = xasprintf("%s@%s", text_of(row, "check"), text_of(row, "where"));
	bool done = mend_plan_of(s, finding, m, words);

	free(finding);
	if (!done || m->n > 1)
		return done;
	snprintf(m->check, sizeof(m->check), "%s", text_of(row, "check"));
	snprintf(m->where, sizeof(m->where), "%s", text_of(row, "where"));
	return true;
}

bool mend_plan(const struct site *s, struct mending *m, struct buf *words)
{
	json_t *doc = open_findings(s), *row;
	bool done = false;
	size_t i;

	json_array_foreach(rows_of(doc), i, row) {
		if (done || !is_problem(row))
			continue;
		buf_printf(words, "  %s %s at %s\n", text_of(row, "severity"), text_of(row, "check"), text_of(row, "where"));
		done = m->n < PLANS_MAX && plan_row(s, row, m, words);
	}
	json_decref(doc);
	return done;
}

bool mend_is_found(const struct site *s, const char *check, const char *where)
{
	json_t *doc = open_findings(s), *row;
	bool found = !doc;
	size_t i;

	json_array_foreach(rows_of(doc), i, row)
		found |= is_problem(row) && !strcmp(text_of(row, "check"), check) && !strcmp(text_of(row, "where"), where);
	json_decref(doc);
	return found;
}

static bool said(struct run *r, int wanted, const char *what, struct buf *words)
{
	bool done = r->code == wanted;

	if (!done)
		buf_printf(words, "  %s: exit %d: %.1500s%.1500s\n", what, r->code, r->out.text ? r->out.text : "",
			   r->err.text ? r->err.text : "");
	run_done(r);
	return done;
}

bool mend_apply(const struct site *s, const struct mending *m, size_t nth, struct buf *words)
{
	struct run r = SITE(s, "apply", m->files[nth], "--rw", "--reason", "test", "--approve", m->plans[nth].hash);

	return said(&r, 0, "apply", words);
}

bool mend_undo(const struct site *s, const struct mending *m, size_t nth, struct buf *words)
{
	struct run r = SITE(s, "undo", m->files[nth], "--rw", "--reason", "test", "--approve", m->plans[nth].hash);

	return said(&r, 0, "undo", words);
}

char *mend_setup(const struct site *s, const char *device)
{
	char *text = site_setup(s, device), *setup = xasprintf("== %s\n%s\n", device, text ? text : "(not told)");

	free(text);
	return setup;
}

char *mend_setups(const struct site *s)
{
	struct buf all = { NULL };

	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++) {
		char *one = mend_setup(s, devices[i]);

		buf_str(&all, one);
		free(one);
	}
	return all.text;
}

static unsigned long all_writes(const struct site *s)
{
	unsigned long n = 0;

	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++)
		n += site_writes(s, devices[i]);
	return n;
}

/* Says which lines differ. */
static bool same(const char *a, const char *b, const char *what, struct buf *words)
{
	struct span left = span_of(a), right = span_of(b), x = { NULL, 0 }, y = { NULL, 0 };

	if (!strcmp(a, b))
		return true;
	buf_printf(words, "  %s:\n", what);
	for (int shown = 0; shown < 6;) {
		bool more_x = span_line(&left, &x), more_y = span_line(&right, &y);

		if (!more_x && !more_y)
			break;
		if (more_x && more_y && span_same(x, y))
			continue;
		buf_printf(words, "    was %.*s, is %.*s\n", more_x ? (int)x.n : 0, x.p, more_y ? (int)y.n : 0, y.p);
		shown++;
	}
	return false;
}

static bool mend(const struct site *s, struct mending *m, struct buf *words)
{
	unsigned long writes;

	while (mend_plan(s, m, words))
		if (!mend_apply(s, m, m->n - 1, words))
			return false;
	if (!m->n) {
		buf_str(words, "  nothing that was found could be planned\n");
		return false;
	}
	if (mend_is_found(s, m->check, m->where)) {
		buf_printf(words, "  %s at %s is still found\n", m->check, m->where);
		return false;
	}
	writes = all_writes(s);
	if (!mend_apply(s, m, m->n - 1, words))
		return false;
	if (all_writes(s) != writes)
		buf_printf(words, "  the second apply sent %lu writes\n", all_writes(s) - writes);
	return all_writes(s) == writes;
}

/* What the next boot of a switch would read. */
static char *all_saved(const struct site *s)
{
	struct buf all = { NULL };

	for (size_t i = FIRST_SWITCH; i < sizeof(devices) / sizeof(*devices); i++) {
		char *one = site_saved(s, devices[i]);

		buf_printf(&all, "== %s\n%s\n", devices[i], one ? one : "(not told)");
		free(one);
	}
	return all.text;
}

/* Of what was mended nothing goes with a reboot. */
static bool is_all_saved(const struct site *s, struct buf *words)
{
	bool done = true;

	for (size_t i = FIRST_SWITCH; i < sizeof(devices) / sizeof(*devices); i++) {
		char *running = site_setup(s, devices[i]), *saved = site_saved(s, devices[i]);

		done = running && saved && same(running, saved, "saved, once mended", words) && done;
		free(running);
		free(saved);
	}
	return done;
}

static bool cannot_take_back(const struct site *s, const struct mending *m, struct buf *words)
{
	char *mended = all_saved(s), *after;
	struct run r = SITE(s, "undo", m->files[0], "--rw", "--reason", "test", "--approve", m->plans[0].hash);
	bool done = r.code == 9 && r.out.text && strstr(r.out.text, "a save cannot be undone");

	if (!done)
		buf_printf(words, "  undo: exit %d: %.600s\n", r.code, r.out.text ? r.out.text : "");
	run_done(&r);
	after = all_saved(s);
	done = same(mended, after, "after undo was refused", words) && done;
	free(mended);
	free(after);
	return done;
}

static bool take_back(const struct site *s, const struct mending *m, const char *before, const char *unsaved, struct buf *words)
{
	char *after, *saved;
	bool done = true;

	for (size_t i = m->n; i-- > 0 && done;)
		done = mend_undo(s, m, i, words);
	after = mend_setups(s);
	saved = all_saved(s);
	done = same(before, after, "after undo", words) && done;
	done = same(unsaved, saved, "saved, after undo", words) && done;
	free(after);
	free(saved);
	return done;
}

/* Broken already: mended, and taken back. */
static bool tell(const struct site *s, const struct mendable *m, struct buf *words)
{
	struct mending mending = { .n = 0 };
	char *broken = mend_setups(s), *unsaved = all_saved(s), *mended, *saved;
	bool done = mend(s, &mending, words) && is_all_saved(s, words);

	mended = mend_setups(s);
	saved = all_saved(s);
	if (done && !strcmp(broken, mended) && !strcmp(unsaved, saved)) {
		buf_str(words, "  nothing was changed\n");
		done = false;
	}
	if (m->is_saving)
		done = done && cannot_take_back(s, &mending, words);
	else
		done = take_back(s, &mending, broken, unsaved, words) && done;
	free(broken);
	free(unsaved);
	free(mended);
	free(saved);
	return done;
}

bool mend_story(const struct mendable *m, const char *os, struct buf *words)
{
	struct site s;
	bool done;

	if (!site_open(&s, os, m->traffic ? m->traffic : "ring", m->needs_bond) || !SITE_CTL(&s, "fault", "add", m->fault)) {
		buf_str(words, "  the lab did not take it\n");
		site_close(&s);
		return false;
	}
	done = tell(&s, m, words);
	site_close(&s);
	return done;
}
