#include "tui/screens/bringup_matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MOST 20

/* All pairs of two hosts, one way. */
struct pair {
	double least;		/* share of the ceiling; NAN: no rate was measured */
	bool is_tested, has_failed;
};

struct matrix {
	const char **hosts;	/* each once */
	size_t n;
	struct pair *pairs;	/* n * n; the sender's row */
};

static size_t host_at(const struct matrix *m, const char *host)
{
	size_t i = 0;

	while (i < m->n && strcmp(m->hosts[i], host) != 0)
		i++;
	return i;
}

static void add_hosts(struct matrix *m, const struct bringup_rack *r)
{
	m->hosts = xcalloc(r->n + 1, sizeof(*m->hosts));
	for (size_t i = 0; i < r->n; i++)
		if (host_at(m, r->units[i].host) == m->n)
			m->hosts[m->n++] = r->units[i].host;
	m->pairs = xcalloc(m->n * m->n + 1, sizeof(*m->pairs));
	for (size_t i = 0; i < m->n * m->n; i++)
		m->pairs[i].least = NAN;
}

static void add_test(struct matrix *m, const struct bringup_test *test)
{
	const struct bringup_evidence *e = &test->evidence;
	size_t from = host_at(m, e->from.host), to = host_at(m, e->to.host);
	struct pair *pair;

	if (from == m->n || to == m->n || from == to || test->is_repeated || !bringup_kind_tells_of_ends(e->kind))
		return;
	pair = &m->pairs[from * m->n + to];
	pair->is_tested = true;
	pair->has_failed |= test->result.verdict == BRINGUP_FAILED;
	if (test->result.opinion.ceiling_bps > 0 && test->result.measured.bps > 0)
		pair->least = fmin(pair->least, test->result.opinion.share);	/* of NAN and a number the number */
}

static void cell_of(const struct pair *pair, bool is_own, char out[8])
{
	if (is_own)
		snprintf(out, 8, "  - ");
	else if (!pair->is_tested)
		snprintf(out, 8, "  . ");
	else if (isnan(pair->least))
		snprintf(out, 8, "%s", pair->has_failed ? "   !" : "  ? ");
	else
		snprintf(out, 8, "%3.0f%c", 100 * fmin(pair->least, 1), pair->has_failed ? '!' : ' ');
}

static void add_row(struct page *p, const struct matrix *m, size_t from, int width)
{
	enum role role = ROLE_IS_TEXT;
	struct buf line = { 0 };
	char cell[8];

	buf_printf(&line, "%3zu %-*.*s", from + 1, width, width, m->hosts[from]);
	for (size_t to = 0; to < m->n; to++) {
		const struct pair *pair = &m->pairs[from * m->n + to];

		cell_of(pair, from == to, cell);
		buf_printf(&line, " %s", cell);
		if (pair->has_failed)
			role = ROLE_IS_CRIT;
		else if (pair->is_tested && isnan(pair->least) && role == ROLE_IS_TEXT)
			role = ROLE_IS_UNKNOWN;
	}
	page_add(p, role, "%s", line.text);
	buf_done(&line);
}

static int width_of(const struct matrix *m)
{
	size_t most = 4;

	for (size_t i = 0; i < m->n; i++)
		most = strlen(m->hosts[i]) > most ? strlen(m->hosts[i]) : most;
	return most < NAME_MOST ? (int)most : NAME_MOST;
}

static void add_table(struct page *p, const struct matrix *m)
{
	int width = width_of(m);
	struct buf line = { 0 };

	buf_printf(&line, "    %-*s", width, "FROM");
	for (size_t to = 0; to < m->n; to++)
		buf_printf(&line, " %3zu ", to + 1);
	page_add(p, ROLE_IS_TITLE, "%s", line.text);
	buf_done(&line);
	for (size_t from = 0; from < m->n; from++)
		add_row(p, m, from, width);
}

/* What passed in several rounds is told once, as it was last. */
static bool passes_again(const struct bringup_tests *t, size_t at)
{
	const struct bringup_test *test = &t->list[at];

	for (size_t i = at + 1; i < t->n && test->result.verdict == BRINGUP_PASSED; i++)
		if (!t->list[i].is_repeated && t->list[i].evidence.kind == BRINGUP_UPLINK && t->list[i].from == test->from &&
		    t->list[i].to == test->to && t->list[i].result.verdict == BRINGUP_PASSED)
			return true;
	return false;
}

static void add_links(struct page *p, const struct bringup_tests *t)
{
	bool is_begun = false;

	for (size_t i = 0; i < t->n; i++) {
		const struct bringup_test *test = &t->list[i];
		const struct bringup_evidence *e = &test->evidence;

		if (test->is_repeated || e->kind != BRINGUP_UPLINK || passes_again(t, i))
			continue;
		if (!is_begun) {
			page_add(p, ROLE_IS_TEXT, " ");
			page_add(p, ROLE_IS_TITLE, "Links between switches, during the pairs across leaves");
		}
		is_begun = true;
		page_add(p, test->result.verdict == BRINGUP_FAILED ? ROLE_IS_CRIT : test->result.verdict == BRINGUP_PASSED ? ROLE_IS_TEXT :
			 ROLE_IS_UNKNOWN, "%s:%s to %s:%s: %s", e->from.host, e->from.nic, e->to.host, e->to.nic, test->result.words);
	}
}

void bringup_matrix_page(struct page *p, const struct bringup_rack *r, const struct bringup_tests *t)
{
	struct matrix m = { NULL, 0, NULL };

	add_hosts(&m, r);
	for (size_t i = 0; i < t->n; i++)
		add_test(&m, &t->list[i]);
	page_begin(p, "Pairs of hosts");
	add_table(p, &m);
	page_add(p, ROLE_IS_TEXT, " ");
	page_add(p, ROLE_IS_MUTED, "From row to column: the least rate of their NICs, in %% of the ceiling.");
	page_add(p, ROLE_IS_MUTED, "! a test failed   ? no rate was measured   . no such pair was tested");
	add_links(p, t);
	free(m.hosts);
	free(m.pairs);
}
