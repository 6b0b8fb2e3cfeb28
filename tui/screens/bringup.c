/* Bring-up: each NIC of each host, the first stage that it does not pass, and what to do there. It never changes a device. */
#include "tui/screens/bringup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bringup/rack.h"
#include "tui/bringup/bringup_now.h"
#include "tui/bringup/record.h"
#include "tui/screens/bringup_matrix.h"
#include "tui/screens/screen.h"
#include "tui/text/human.h"
#include "tui/text/progress.h"
#include "tui/widgets/bind.h"

#define ALL_STAGES	((1u << BRINGUP_STAGES) - 1)
#define CELL_WIDTH	3
#define BESIDE_COLS	110	/* from here on the NIC's words stand beside the grid */

/* A NIC with its tests. */
struct shown {
	enum bringup_state state;	/* by its stages, then by its tests */
	struct bringup_tested_says says;	/* state NULL: it was in no test */
};

struct bringup_view {
	struct bringup_rack rack;
	struct shown *shown;	/* one a unit */
	size_t count[BRINGUP_STATES];	/* of them */
	bool has_traffic;
	size_t failed_across;
	bool is_testing;	/* what has passed so far may still fail */
	bool is_made;
	uint64_t serial;
	char host[64], nic[64];	/* under the cursor; empty: nobody has moved it */
	int page;		/* hosts, as last drawn */
};

static struct bringup_view *mine(struct views *v)
{
	return views_own(v, SCREEN_BRINGUP, sizeof(struct bringup_view));
}

static void read_tests(struct bringup_view *b, const struct bringup_record *record)
{
	const struct bringup_rack *r = &b->rack;

	b->shown = xrealloc(b->shown, (r->n + 1) * sizeof(*b->shown));
	memset(b->count, 0, sizeof(b->count));
	b->has_traffic = record && record->has_traffic;
	b->failed_across = record ? bringup_tests_across(&record->tests).failed : 0;
	for (size_t i = 0; i < r->n; i++) {
		struct shown *s = &b->shown[i];

		s->says = (struct bringup_tested_says){ 0 };
		if (record)
			bringup_tests_say(&record->tests, r->units[i].host, r->units[i].nic, &s->says);
		s->state = bringup_record_state(record, &r->units[i], s->says.state);
		b->count[s->state]++;
	}
}

static struct bringup_view *update(const struct view_of *of, struct views *v)
{
	const struct bringup_fabric f = { of->model, of->links, of->inventory, of->findings };
	struct bringup_view *b = mine(v);

	if (b->is_made && b->serial == of->serial)
		return b;
	bringup_rack_read(&b->rack, &f, NULL, NULL, ALL_STAGES);
	if (of->bringup)
		bringup_record_apply_skips(of->bringup->record, &b->rack);
	read_tests(b, of->bringup ? of->bringup->record : NULL);
	b->is_testing = of->bringup && of->bringup->doing;
	b->serial = of->serial;
	b->is_made = true;
	return b;
}

/* -- the cursor -- */

static bool is_of(const struct bringup_unit *u, const char *host, const char *nic)
{
	return !strcmp(u->host, host) && !strcmp(u->nic ? u->nic : "", nic);
}

/* The next unit after one, around the end, that is in a state; rack.n: none is. */
static size_t next_in(const struct bringup_view *b, size_t after, enum bringup_state state)
{
	size_t n = b->rack.n;

	for (size_t i = 1; i <= n; i++)
		if (b->shown[(after + i) % n].state == state)
			return (after + i) % n;
	return n;
}

static enum bringup_state worst_state(const struct bringup_view *b)
{
	return b->count[BRINGUP_FAIL] ? BRINGUP_FAIL : BRINGUP_UNKNOWN;
}

/* The first that fails, else the first that is not known: where nobody has moved the cursor. */
static size_t worst(const struct bringup_view *b)
{
	size_t at = b->rack.n ? next_in(b, b->rack.n - 1, worst_state(b)) : 0;

	return at < b->rack.n ? at : 0;
}

/* Which unit the cursor is on; of an empty rack 0. A NIC that is gone: the first of its host. */
static size_t cursor(const struct bringup_view *b)
{
	const struct bringup_rack *r = &b->rack;
	size_t of_host = r->n;

	if (!*b->host || !r->n)
		return worst(b);
	for (size_t i = 0; i < r->n; i++) {
		if (is_of(&r->units[i], b->host, b->nic))
			return i;
		if (of_host == r->n && !strcmp(r->units[i].host, b->host))
			of_host = i;
	}
	return of_host < r->n ? of_host : worst(b);
}

static void put_cursor(struct bringup_view *b, size_t unit)
{
	const struct bringup_unit *u = &b->rack.units[unit];

	snprintf(b->host, sizeof(b->host), "%s", u->host);
	snprintf(b->nic, sizeof(b->nic), "%s", u->nic ? u->nic : "");
}

/* Once all have answered, the failure that a person sees stays under the cursor while it is mended. */
static void stay(const struct view_of *of, struct bringup_view *b)
{
	if (!*b->host && b->rack.n && of->answered >= of->asked)
		put_cursor(b, cursor(b));
}

/* The units of a host stand together: where they begin, and the number of them. */
static size_t host_begin(const struct bringup_rack *r, size_t unit)
{
	while (unit && !strcmp(r->units[unit - 1].host, r->units[unit].host))
		unit--;
	return unit;
}

static size_t host_units(const struct bringup_rack *r, size_t begin)
{
	size_t n = 0;

	while (begin + n < r->n && !strcmp(r->units[begin + n].host, r->units[begin].host))
		n++;
	return n;
}

/* To the same NIC of a host so many further on, or back. */
static size_t move_hosts(const struct bringup_rack *r, size_t unit, long by)
{
	size_t begin = host_begin(r, unit), column = unit - begin, n;

	for (; by < 0 && begin; by++)
		begin = host_begin(r, begin - 1);
	for (; by > 0 && begin + host_units(r, begin) < r->n; by--)
		begin += host_units(r, begin);
	n = host_units(r, begin);
	return begin + (column < n ? column : n - 1);
}

static bool move_cursor(struct bringup_view *b, enum command command)
{
	const struct bringup_rack *r = &b->rack;
	size_t at = cursor(b), begin = host_begin(r, at);

	switch (command) {
	case DO_UP:		at = move_hosts(r, at, -1); break;
	case DO_DOWN:		at = move_hosts(r, at, 1); break;
	case DO_PAGE_UP:	at = move_hosts(r, at, -(long)b->page); break;
	case DO_PAGE_DOWN:	at = move_hosts(r, at, b->page); break;
	case DO_TOP:		at = 0; break;
	case DO_BOTTOM:		at = r->n - 1; break;
	case DO_LEFT:		at -= at > begin; break;
	case DO_RIGHT:		at += at + 1 < begin + host_units(r, begin); break;
	default:		return false;
	}
	put_cursor(b, at);
	return true;
}

/* -- the grid -- */

static const char *sign_of(enum bringup_state state)
{
	static const char *const signs[BRINGUP_STATES] = {
		[BRINGUP_PASS] = ".", [BRINGUP_UNKNOWN] = "?", [BRINGUP_FAIL] = "!", [BRINGUP_WAITS] = " ", [BRINGUP_SKIPPED] = "-",
	};

	return signs[state];
}

/* Green is a NIC that passed everything: one stage that passed says nothing of the others. */
static enum role role_of(enum bringup_state state)
{
	static const enum role roles[BRINGUP_STATES] = {
		[BRINGUP_PASS] = ROLE_IS_TEXT, [BRINGUP_UNKNOWN] = ROLE_IS_UNKNOWN, [BRINGUP_FAIL] = ROLE_IS_CRIT,
		[BRINGUP_WAITS] = ROLE_IS_MUTED, [BRINGUP_SKIPPED] = ROLE_IS_MUTED,
	};

	return roles[state];
}

/* In the strip of a narrow screen, where all of them are to stand in one line. */
static const char *const brief[BRINGUP_STAGES] = {
	[BRINGUP_REACH] = "reach", [BRINGUP_IDENTITY] = "ident", [BRINGUP_PATHS] = "paths", [BRINGUP_CABLING] = "cable",
	[BRINGUP_WIRE] = "wire", [BRINGUP_MTU] = "mtu", [BRINGUP_QOS] = "qos", [BRINGUP_PERSISTENCE] = "saved", [BRINGUP_RDMA] = "rdma",
};

/* What is shown of a stage over all NICs: the worst that was asked. n: how many there are of it. */
static enum bringup_state stage_state(const struct bringup_rack *r, enum bringup_stage s, size_t *n)
{
	static const enum bringup_state order[] = { BRINGUP_FAIL, BRINGUP_UNKNOWN, BRINGUP_PASS, BRINGUP_WAITS };

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		*n = r->stages[s][order[i]];
		if (*n)
			return order[i];
	}
	return BRINGUP_SKIPPED;
}

/* ".1 reach  .2 identity  !4 cabling 2  .5 wire 30/32": what has passed at fewer than all says at how many. */
static void draw_stages(const struct draw *d, int y, const struct bringup_view *b)
{
	const struct bringup_rack *r = &b->rack;
	bool is_wide = d->cols >= BESIDE_COLS;
	int x = 1;

	for (enum bringup_stage s = 0; s < BRINGUP_STAGES && x < d->cols - 4; s++) {
		size_t n;
		enum bringup_state state = stage_state(r, s, &n);
		bool is_part = state == BRINGUP_PASS && n < r->n;
		char count[48] = "";

		if (is_wide && is_part)
			snprintf(count, sizeof(count), " %zu/%zu", n, r->n);
		else if (is_wide && state != BRINGUP_PASS && state <= BRINGUP_FAIL)
			snprintf(count, sizeof(count), " %zu", n);
		x += draw_printf(d, y, x, d->cols - x, is_part ? ROLE_IS_MUTED : role_of(state), "%s%u %s%s", sign_of(state), s + 1,
				 is_wide ? bringup_stage_table[s].id : brief[s], count);
		x += is_wide ? 2 : 1;
	}
	if (b->has_traffic && is_wide)
		draw_printf(d, y, x, d->cols - x, b->count[BRINGUP_PASS] < r->n ? ROLE_IS_MUTED : ROLE_IS_TEXT, ".t traffic %zu/%zu",
			    b->count[BRINGUP_PASS], r->n);
	else if (b->has_traffic)
		draw_printf(d, y, x, d->cols - x, b->count[BRINGUP_PASS] < r->n ? ROLE_IS_MUTED : ROLE_IS_TEXT, ".t");
}

static int name_width(const struct bringup_rack *r)
{
	size_t most = 4;

	for (size_t i = 0; i < r->n; i++)
		most = strlen(r->units[i].host) > most ? strlen(r->units[i].host) : most;
	return most < 20 ? (int)most : 20;
}

static size_t most_nics(const struct bringup_rack *r)
{
	size_t most = 1;

	for (size_t begin = 0, n; begin < r->n; begin += n) {
		n = host_units(r, begin);
		most = n > most ? n : most;
	}
	return most;
}

/* ".", "!4", "?2"; "t" is for its tests. Green when no test of it is to come. */
static void draw_nic(const struct draw *d, int y, int x, const struct bringup_unit *u, const struct shown *s, bool is_testing)
{
	bool is_passed = s->state == BRINGUP_PASS;
	char text[8];

	if (is_passed)
		snprintf(text, sizeof(text), "%s", sign_of(s->state));
	else if (u->course.at < BRINGUP_STAGES)
		snprintf(text, sizeof(text), "%s%u", sign_of(s->state), (unsigned)u->course.at + 1);
	else
		snprintf(text, sizeof(text), "%st", sign_of(s->state));
	draw_cell(d, y, x, CELL_WIDTH - 1, false, is_passed && !is_testing ? ROLE_IS_OK : role_of(s->state), text);
}

static void draw_host(const struct draw *d, int y, int width, int name, const struct bringup_view *b, size_t begin, size_t cursor)
{
	const struct bringup_rack *r = &b->rack;
	size_t n = host_units(r, begin);
	bool is_cursor = cursor >= begin && cursor < begin + n;
	int x = name + 3;

	draw_text(d, y, 0, 1, ROLE_IS_TEXT, is_cursor ? ">" : " ");
	draw_cell(d, y, 2, name, false, ROLE_IS_TEXT, r->units[begin].host);
	for (size_t i = begin; i < begin + n && x + CELL_WIDTH <= width; i++, x += CELL_WIDTH) {
		draw_nic(d, y, x, &r->units[i], &b->shown[i], b->is_testing);
		if (i == cursor)
			draw_restyle(d, y, x, CELL_WIDTH - 1, ROLE_IS_CURSOR);
	}
}

/* The numbers of the NICs, and a row a host; the cursor's is among them. Returns the rows used. */
static int draw_grid(const struct draw *d, int y, int width, int rows, struct bringup_view *b)
{
	const struct bringup_rack *r = &b->rack;
	size_t at = cursor(b), begin = 0, before = 0, most = most_nics(r);
	int name = name_width(r), used = 1;

	draw_text(d, y, 2, name, ROLE_IS_TITLE, "HOST");
	for (size_t i = 0; i < most && name + 3 + (int)(i + 1) * CELL_WIDTH <= width; i++)
		draw_printf(d, y, name + 3 + (int)i * CELL_WIDTH, CELL_WIDTH, ROLE_IS_TITLE, "%2zu", i + 1);
	b->page = rows - 1 > 1 ? rows - 1 : 1;
	for (size_t i = host_begin(r, at); i; before++)
		i = host_begin(r, i - 1);
	for (; before >= (size_t)b->page; before--)
		begin += host_units(r, begin);
	for (; begin < r->n && used < rows; begin += host_units(r, begin))
		draw_host(d, y + used++, width, name, b, begin, at);
	return used;
}

/* -- one NIC in words -- */

static void stage_lines(struct page *p, const struct view_of *of, const struct bringup_unit *u, int width)
{
	for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++) {
		const struct bringup_answer *a = &u->course.stages[s];
		enum bringup_state state = a->state;
		char label[32], why[BRINGUP_WHY_MAX];
		const char *words = bringup_unit_why(of->findings, u, s, why);
		struct buf text = { 0 };

		snprintf(label, sizeof(label), "%s%u %-12s", sign_of(state), s + 1, bringup_stage_table[s].id);
		if (!span_starts(span_of(words), bringup_state_word(state)))	/* "skipped by ann: no card yet" */
			buf_printf(&text, "%s%s", bringup_state_word(state), state == BRINGUP_PASS ? "" : ": ");
		buf_str(&text, words);
		if (a->unreported && state <= BRINGUP_FAIL)
			buf_printf(&text, "; %s could not be judged at %s", a->unreported->id, a->silent->name);
		page_wrap(p, role_of(state), label, text.text, width);
		buf_done(&text);
	}
}

/* Where the plan and what is seen differ: the two beside each other. */
static void cabling_lines(struct page *p, const struct view_of *of, const struct bringup_unit *u, int width)
{
	const struct link *l = u->port ? links_of_port(of->links, u->port) : NULL;

	if (!l || !l->planned_peer)
		return;
	page_wrap(p, ROLE_IS_TEXT, "Planned  ", l->planned_peer, width);
	page_wrap(p, ROLE_IS_TEXT, "Seen     ", l->seen_peer ? l->seen_peer : l->b ? l->name : "not known", width);
	if (l->swapped)
		page_wrap(p, ROLE_IS_WARN, "Swapped  ", l->swapped->name, width);
}

static const char *big_word(enum bringup_state state)
{
	static const char *const words[BRINGUP_STATES] = {
		[BRINGUP_PASS] = "P A S S", [BRINGUP_UNKNOWN] = "N O T   K N O W N", [BRINGUP_FAIL] = "F A I L",
		[BRINGUP_WAITS] = "N O T   K N O W N", [BRINGUP_SKIPPED] = "S K I P P E D",
	};

	return words[state];
}

/* What its stages let pass, and its tests do not. */
static void test_lines(struct page *p, const struct view_of *of, const struct bringup_unit *u, const struct shown *s, int width)
{
	const struct bringup_record *record = of->bringup ? of->bringup->record : NULL;
	const struct bringup_set_aside *aside = record ? bringup_record_set_aside(record, u->host, u->nic) : NULL;
	const struct bringup_test *worst = s->says.worst;

	page_add(p, role_of(s->state), "  %s   at traffic", big_word(s->state));
	page_add(p, ROLE_IS_TEXT, " ");
	if (aside)
		page_wrap(p, ROLE_IS_TEXT, "Skipped  ", aside->reason ? aside->reason : "no reason", width);
	page_wrap(p, ROLE_IS_TEXT, "What     ", s->says.words ? s->says.words : "it was in no test", width);
	if (worst) {
		char *pair = xasprintf("%s:%s to %s:%s", worst->evidence.from.host, worst->evidence.from.nic, worst->evidence.to.host,
				       worst->evidence.to.nic);

		page_wrap(p, ROLE_IS_TEXT, "Test     ", pair, width);
		free(pair);
	}
	if (s->says.state && !strcmp(s->says.state, "suspect"))
		page_wrap(p, ROLE_IS_TEXT, "Which    ", "this end or the other: it failed with one partner", width);
	if (s->says.remedy)
		page_wrap(p, ROLE_IS_TITLE, "Do       ", s->says.remedy, width);
	else if (!s->says.state)
		page_wrap(p, ROLE_IS_TITLE, "Do       ", "Send test traffic over its link.", width);
}

/* One question, one answer, one big word. */
static void unit_lines(struct page *p, const struct view_of *of, const struct bringup_unit *u, const struct shown *s, int width)
{
	bool is_testing = of->bringup && of->bringup->doing;
	enum bringup_stage at = u->course.at;
	const struct finding *f = at < BRINGUP_STAGES ? bringup_unit_finding(of->findings, u, at) : NULL;
	const char *remedy = bringup_unit_remedy(of->findings, u);
	char why[BRINGUP_WHY_MAX];

	if (u->peer)
		page_add(p, ROLE_IS_TEXT, "%s%s%s - %s:%s", u->host, u->nic ? ":" : "", u->nic ? u->nic : "", u->peer,
			 u->peer_port ? u->peer_port : "?");
	else
		page_add(p, ROLE_IS_TEXT, "%s%s%s", u->host, u->nic ? ":" : "", u->nic ? u->nic : "");
	page_add(p, ROLE_IS_TEXT, " ");
	if (s->state == BRINGUP_PASS) {
		page_add(p, is_testing ? ROLE_IS_TEXT : ROLE_IS_OK, "  %s   every stage %s", big_word(s->state),
			 is_testing ? "so far; tests are running" : s->says.state ? "and its tests" : "before traffic");
		if (s->says.words)
			page_wrap(p, ROLE_IS_TEXT, "Tests    ", s->says.words, width);
		return;
	}
	if (at == BRINGUP_STAGES)
		return test_lines(p, of, u, s, width);
	page_add(p, role_of(s->state), "  %s   at %u %s", big_word(s->state), at + 1, bringup_stage_table[at].title);
	page_add(p, ROLE_IS_TEXT, " ");
	page_wrap(p, ROLE_IS_TEXT, "What     ", bringup_unit_why(of->findings, u, at, why), width);
	cabling_lines(p, of, u, width);
	if (f && f->cause)
		page_wrap(p, ROLE_IS_TEXT, "Because  ", f->cause->where, width);
	if (f && f->verdict >= VERDICT_LOOK)
		page_wrap(p, ROLE_IS_TEXT, "Why      ", f->check->why, width);
	if (remedy)
		page_wrap(p, ROLE_IS_TITLE, "Do       ", remedy, width);
}

static void draw_unit(const struct draw *d, int y, int x, int rows, const struct view_of *of, const struct bringup_view *b)
{
	const struct bringup_unit *u = &b->rack.units[cursor(b)];
	struct page p = { .title = "" };

	page_begin(&p, "%s", u->host);
	unit_lines(&p, of, u, &b->shown[cursor(b)], d->cols - x - 2);
	if (of->bringup && of->bringup->plan && !b->is_testing) {
		page_add(&p, ROLE_IS_TEXT, " ");
		page_wrap(&p, ROLE_IS_TEXT, "X sends  ", of->bringup->plan, d->cols - x - 2);
	}
	if ((int)p.n + 2 + BRINGUP_STAGES <= rows) {
		page_add(&p, ROLE_IS_TEXT, " ");
		stage_lines(&p, of, u, d->cols - x - 2);
	}
	for (int i = 0; (size_t)i < p.n && i < rows; i++)
		draw_text(d, y + i, x + 1, d->cols - x - 1, p.lines[i].role, p.lines[i].text);
	if ((int)p.n + 1 < rows)
		draw_text(d, y + rows - 1, x + 1, d->cols - x - 2, ROLE_IS_MUTED,
			  "In the grid: . passed  ! failed  ? not known  - skipped; 1-9 stage, t traffic");
	page_done(&p);
}

/* -- the screen -- */

static void title_of(const struct view_of *of, const struct bringup_view *b, struct buf *out)
{
	char left[HUMAN_MAX];

	buf_str(out, "Bring-up: ");
	if (b->is_testing)
		buf_printf(out, "testing, %.*s; ", (int)strcspn(of->bringup->doing, ":;"), of->bringup->doing);
	if (of->answered < of->asked)
		buf_printf(out, "%zu of %zu devices answered; ", of->answered, of->asked);
	buf_printf(out, "%zu NIC%s: %zu failed, %zu not known, %zu passed", b->rack.n, plural_s(b->rack.n), b->count[BRINGUP_FAIL],
		   b->count[BRINGUP_UNKNOWN], b->count[BRINGUP_PASS]);
	if (b->count[BRINGUP_SKIPPED])
		buf_printf(out, ", %zu skipped", b->count[BRINGUP_SKIPPED]);
	if (b->failed_across)
		buf_printf(out, "; across leaves %zu failed", b->failed_across);
	if (of->bringup && !b->is_testing && of->bringup->permitted_us > 0)
		buf_printf(out, "; :test %s", human_age(left, of->bringup->permitted_us));
	else if (!b->has_traffic && !b->is_testing)
		buf_str(out, "; no traffic was sent");
}

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	struct bringup_view *b = update(of, v);
	const struct bringup_rack *r = &b->rack;
	int width = name_width(r) + 4 + (int)most_nics(r) * CELL_WIDTH, used, most;
	struct buf title = { 0 };

	stay(of, b);
	title_of(of, b, &title);
	draw_rule(d, y, 0, d->cols, title.text);
	buf_done(&title);
	if (!r->n) {
		draw_key_text(d, y + 1, 1, d->cols - 2, ROLE_IS_TEXT, "No host is known. Give an inventory: fabcon -i INVENTORY; {devices}: devices");
		return;
	}
	draw_stages(d, y + 1, b);
	if (d->cols >= BESIDE_COLS) {
		width = width < 40 ? 40 : width > d->cols - 56 ? d->cols - 56 : width;
		draw_rule(d, y + 2, 0, width, "Hosts and NICs");
		draw_rule(d, y + 2, width + 1, d->cols - width - 1, "At the cursor");
		draw_grid(d, y + 3, width, rows - 3, b);
		draw_unit(d, y + 3, width + 1, rows - 3, of, b);
		return;
	}
	most = rows / 3 > 3 ? rows / 3 : 3;
	used = 2 + draw_grid(d, y + 2, d->cols, most, b);
	draw_rule(d, y + used++, 0, d->cols, "At the cursor");
	draw_unit(d, y + used, 0, rows - used, of, b);
}

/* The next that fails; where none does, the next that is not known. */
static struct intent next_failure(struct bringup_view *b)
{
	size_t at = next_in(b, cursor(b), worst_state(b));

	if (at == b->rack.n && b->count[BRINGUP_SKIPPED])
		return (struct intent){ .is = INTENT_SAY, .text = "Every NIC passed or is skipped." };
	if (at == b->rack.n)
		return (struct intent){ .is = INTENT_SAY, .text = b->failed_across ? "Every NIC passed; tests across leaves failed: the sheet "
				       "names them." : b->has_traffic ? "Every NIC passed every stage and its tests." :
				       "Every NIC passed every stage before traffic." };
	put_cursor(b, at);
	return (struct intent){ .is = INTENT_DONE };
}

/* The cursor stays on it, whatever becomes of it. */
static struct intent about_cursor(const struct view_of *of, struct bringup_view *b, enum command command)
{
	const struct bringup_unit *u = &b->rack.units[cursor(b)];
	bool is_aside = of->bringup && bringup_record_set_aside(of->bringup->record, u->host, u->nic);

	put_cursor(b, cursor(b));
	if (command == DO_SKIP && !is_aside && b->shown[cursor(b)].state == BRINGUP_PASS)
		return (struct intent){ .is = INTENT_SAY, .text = "It passed: there is nothing to set aside." };
	return (struct intent){ .is = command == DO_SKIP ? INTENT_SKIP : INTENT_TEST_AGAIN, .unit = u, .by = command == DO_SKIP && is_aside };
}

struct intent bringup_skip(const struct view_of *of, struct views *v, const char *reason)
{
	struct bringup_view *b = update(of, v);

	if (!b->rack.n)
		return (struct intent){ .is = INTENT_DONE };
	return (struct intent){ .is = INTENT_SKIP, .unit = &b->rack.units[cursor(b)], .text = reason };
}

/* -- labels -- */

#define LABELS	5

/* What may stand on a label of it. */
static void labels_of(const struct bringup_unit *u, char out[LABELS][200])
{
	const char *nic = u->nic ? u->nic : "", *peer = u->peer ? u->peer : "", *port = u->peer_port ? u->peer_port : "";

	snprintf(out[0], 200, "%s", u->host);
	snprintf(out[1], 200, "%s:%s", u->host, nic);
	snprintf(out[2], 200, "%s %s", u->host, nic);
	snprintf(out[3], 200, "%s:%s", peer, port);
	snprintf(out[4], 200, "%s %s", peer, port);
}

bool bringup_go(const struct view_of *of, struct views *v, struct span label)
{
	struct bringup_view *b = update(of, v);
	const struct bringup_rack *r = &b->rack;
	char *wanted = xstrndup(span_trim(label).p, span_trim(label).n);
	size_t whole = r->n, part = r->n, n_parts = 0;

	for (size_t i = r->n; i-- > 0;) {	/* of a host's NICs the first */
		char labels[LABELS][200];
		bool is_part = false;

		labels_of(&r->units[i], labels);
		for (size_t k = 0; k < LABELS; k++) {
			if (!strcasecmp(labels[k], wanted))
				whole = i;
			is_part |= strcasestr(labels[k], wanted) != NULL;
		}
		if (is_part)
			part = i;
		n_parts += is_part;
	}
	free(wanted);
	if (whole == r->n && n_parts != 1)
		return false;
	put_cursor(b, whole < r->n ? whole : part);
	return true;
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	struct bringup_view *b = update(of, v);
	const struct bringup_unit *u;

	if (!b->rack.n)
		return (struct intent){ .is = command == DO_RETEST ? INTENT_REFRESH : INTENT_NONE };
	u = &b->rack.units[cursor(b)];
	if (command == DO_NEXT_FAILURE)
		return next_failure(b);
	if (command == DO_RETEST || command == DO_SKIP)
		return about_cursor(of, b, command);
	if (command == DO_BLINK)
		return (struct intent){ .is = INTENT_BLINK, .unit = u };
	if (command == DO_LABEL)
		return (struct intent){ .is = INTENT_LABEL };
	if (command == DO_TEST_RACK || command == DO_TEST)
		return (struct intent){ .is = command == DO_TEST ? INTENT_TEST_ALLOW : INTENT_TEST_RACK };
	if (command == DO_MATRIX && !b->has_traffic)
		return (struct intent){ .is = INTENT_SAY, .text = "No traffic was sent: there are no pairs to show." };
	if (command == DO_MATRIX) {
		bringup_matrix_page(page, &b->rack, &of->bringup->record->tests);
		return (struct intent){ .is = INTENT_PAGE };
	}
	if (command == DO_EXPLAIN) {
		page_begin(page, "Bring-up of %s%s%s", u->host, u->nic ? ":" : "", u->nic ? u->nic : "");
		unit_lines(page, of, u, &b->shown[cursor(b)], views_width(v));
		page_add(page, ROLE_IS_TEXT, " ");
		stage_lines(page, of, u, views_width(v));
		return (struct intent){ .is = INTENT_PAGE };
	}
	return (struct intent){ .is = move_cursor(b, command) ? INTENT_DONE : INTENT_NONE };
}

static struct subject subject(const struct view_of *of, struct views *v, size_t row)
{
	const struct bringup_view *b = update(of, v);
	const struct bringup_unit *u = b->rack.n ? &b->rack.units[row < b->rack.n ? row : cursor(b)] : NULL;
	const struct link *l = u && u->port ? links_of_port(of->links, u->port) : NULL;

	if (l)
		return subject_of_link(l);
	return u && u->device ? subject_of_device(u->device) : subject_none("Nothing was read of this host.");
}

static const char *copy(const struct view_of *of, struct views *v, bool ascii, struct buf *out)
{
	const struct bringup_view *b = update(of, v);
	struct page p = { .title = "" };

	if (!b->rack.n)
		return NULL;
	page_begin(&p, "Bring-up of %s", b->rack.units[cursor(b)].host);
	unit_lines(&p, of, &b->rack.units[cursor(b)], &b->shown[cursor(b)], 100);
	stage_lines(&p, of, &b->rack.units[cursor(b)], 100);
	page_print(&p, ascii, out);
	page_done(&p);
	return "the stages of the NIC";
}

static void forget(void *own)
{
	((struct bringup_view *)own)->is_made = false;
}

static void done(void *own)
{
	bringup_rack_done(&((struct bringup_view *)own)->rack);
	free(((struct bringup_view *)own)->shown);
}

const struct screen screen_bringup = {
	.draw = draw, .key = key, .subject = subject, .copy = copy, .forget = forget, .done = done,
	.writes_sheet = true };
