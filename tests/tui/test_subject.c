/*
 * What the cursor is on. Each key that is about an object is pressed on each pane of each screen, and must name the one that
 * the picture shows the cursor on: d and f in what they ask for, x, o and = on their page, y, Y and e in what they write.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/plans.h"
#include "tests/lib/screen.h"
#include "tests/lib/worlds.h"
#include "tui/console/export.h"
#include "tui/screens/diagnosis_view.h"

#define NONE "-"	/* no object: the key says why, or names nothing */

struct row {
	enum screen_id screen;
	const char *pane;	/* keys that lead to it */
	const char *at;		/* on the picture's line that has the cursor; NULL: where the pane begins */
	const char *then;	/* keys from there on */
	const char *d;		/* what Diagnose is asked about: "all", "device", "device:port"; NULL: no such key there */
	const char *f;		/* what a plan is asked for: "finding CHECK", "port D:P", "device D"; NONE; NULL: no such key */
	const char *named;	/* on pages, in copies, as "cursor" in documents */
	const char *raw;	/* whose reply o shows; NONE: none was kept of it */
	const char *compared;	/* what = names, where that is not the row's own name */
};

static const struct row rows[] = {
	{ SCREEN_OVERVIEW, "", "trust-as-wanted", "", "node3:eth3", "finding trust-as-wanted", "node3:eth3", "node3" },
	{ SCREEN_OVERVIEW, "\t", ">spine1", "", "spine1", "device spine1", "spine1", "spine1" },
	{ SCREEN_OVERVIEW, "\t", ">leaf1", "", "leaf1", "device leaf1", "leaf1", "leaf1" },
	{ SCREEN_OVERVIEW, "\t", ">leaf2", "ll", "node3:eth3", "port node3:eth3", "node3:eth3", "node3" },
	{ SCREEN_OVERVIEW, "\t", ">leaf1", "lll", "node4:eth2", "port node4:eth2", "node4:eth2", "node4" },
	{ SCREEN_OVERVIEW, "\t\t", ">node1:eth2", "", "node1:eth2", "port node1:eth2", "node1:eth2", "node1" },
	{ SCREEN_PORTS, "", "node4:eth2", "", "node4:eth2", "port node4:eth2", "node4:eth2", "node4" },
	{ SCREEN_PORTS, "", "node3:eth3", "", "node3:eth3", "port node3:eth3", "node3:eth3", "node3" },
	{ SCREEN_DETAIL, "", "trust", "", "node3:eth3", "port node3:eth3", "node3", "node3" },
	{ SCREEN_DETAIL, "\t", NULL, "", "node3:eth3", "port node3:eth3", "node3", "node3" },
	{ SCREEN_DIAGNOSE, "", "Q1 ", "", "node1", "device node1", "Q1", NULL },
	{ SCREEN_DIAGNOSE, "", "Q6 ", "", "node3:eth3", "finding trust-as-wanted", "Q6", "node3", "node3:eth3" },
	{ SCREEN_DIAGNOSE, "", "FELLBACK", "", NONE, NONE, "FELLBACK", NULL, "not based on a single device" },
	{ SCREEN_FIX, "", "leaf1", "", "leaf1", "device leaf1", "leaf1", NULL },
	{ SCREEN_FIX, "", "node1", "", "node1", "device node1", "node1", NULL },
	{ SCREEN_FIX, "j\t", NULL, "", "node1", "device node1", "node1", NULL },
	{ SCREEN_FIX, "j\t\t", NULL, "", "node1", "device node1", "node1", NULL },
	{ SCREEN_FIX, "j\t\t\t", NULL, "", "node1", "device node1", "node1", NULL },
	{ SCREEN_FIX, "j\t\t\t\t", NULL, "", "node1", "device node1", "node1", NULL },
	{ SCREEN_HISTORY, "", "node4:eth2", "", "node4:eth2", "port node4:eth2", "node4:eth2", NULL },
	{ SCREEN_FINDINGS, "", "trust-as-wanted", "", "node3:eth3", "finding trust-as-wanted", "node3:eth3", "node3" },
	{ SCREEN_FINDINGS, "i", "trust-as-wanted", "", "node3:eth3", "finding trust-as-wanted", "node3:eth3", "node3" },
	{ SCREEN_DEVICES, "", "node4", "", "node4", "device node4", "node4", "node4" },
	{ SCREEN_DEVICES, "", "node4", "\n", "node4", "device node4", "node4", "node4" },
	{ SCREEN_FABRIC, "", " node4", "", "node4", "device node4", "node4", "node4" },
	{ SCREEN_FABRIC, "", "- spine1", "", "spine1", "device spine1", "spine1", "spine1" },
	{ SCREEN_FABRIC, "", "leaf2 Ethernet8", "", "node3:eth3", "port node3:eth3", "node3:eth3", "node3" },
	{ SCREEN_FABRIC, "g", NULL, "", NONE, NONE, "", NULL },
	{ SCREEN_BRINGUP, "", " node4", "", NULL, NULL, "node4:eth2", NULL },
	{ SCREEN_BRINGUP, "", " node3", "l", NULL, NULL, "node3:eth3", NULL },
};

static struct world world;
static struct plans plans;
static struct screen_test *terminal;
static struct event happened[] = {
	{ 990 * SECOND, "fail", "node3:eth3", "trust-as-wanted: pcp" }, { 995 * SECOND, "fail", "node4:eth2", "up: no" },
};
static struct events events = { .list = happened, .n = 2, .serial = 1 };
static unsigned pressed;

static struct view_of view(void)
{
	struct view_of of = world_view(&world);

	of.is_replay = true;
	of.events = &events;
	of.first_us = 5 * SECOND;
	of.last_us = of.cursor_us = world.now_us;
	of.fix = &plans.view;
	return of;
}

static struct intent press(struct stage *s, const char *keys)
{
	struct intent i = { .is = INTENT_NONE };

	for (; *keys; keys++) {
		struct view_of of = view();

		i = stage_key(s, &of, *keys);
	}
	return i;
}

static const char *shown(struct stage *s)
{
	struct view_of of = view();

	stage_draw(s, screen_draw(terminal), &of);
	return screen_text(terminal);
}

/* The picture's line with the cursor has the text. */
static bool is_at(struct stage *s, const char *text)
{
	struct span rest = span_of(shown(s)), line;

	while (span_line(&rest, &line))
		if (line.n && *line.p == '>' && memmem(line.p, line.n, text, strlen(text)))
			return true;
	return false;
}

static void go(struct stage *s, const struct row *r)
{
	*s = (struct stage){ .screen = r->screen };
	s->views.subject = model_find_port(world.model, "node3", "eth3");
	shown(s);
	press(s, r->pane);
	shown(s);
	press(s, r->at ? "g" : "");
	for (unsigned i = 0; r->at && !is_at(s, r->at); i++) {
		if (i > 80)
			fail_msg("no line of screen %d has \"%s\":\n%s", (int)r->screen + 1, r->at, shown(s));
		press(s, "j");
	}
	press(s, r->then);
	shown(s);
}

static void wrong(const struct row *r, char key, const char *is, const char *wanted)
{
	fail_msg("%c on screen %d, pane \"%s\", at \"%s\": \"%s\", wanted \"%s\"", key, (int)r->screen + 1, r->pane, r->at ? r->at : "",
		 is, wanted);
}

static void assert_names(const struct row *r, char key, const char *text, const char *wanted)
{
	if (!strstr(text, wanted))
		wrong(r, key, text, wanted);
}

static void place_name(const struct port *p, const struct device *d, struct buf *out)
{
	buf_printf(out, "%s%s%s", d ? d->name : "all", p ? ":" : "", p ? p->name : "");
}

static void try_diagnose(struct stage *s, const struct row *r)
{
	const struct diagnosis *d;
	struct view_of of = view();
	struct buf asked = { 0 };

	press(s, "d");
	if (!strcmp(r->d, NONE)) {
		if (s->screen != r->screen || !*s->message)
			wrong(r, 'd', s->message, "words why not");
		return;
	}
	assert_int_equal(s->screen, SCREEN_DIAGNOSE);
	d = diagnose_now(&of, &s->views);
	place_name(d->of.port, d->of.device, &asked);
	if (strcmp(asked.text, r->d) != 0)
		wrong(r, 'd', asked.text, r->d);
	buf_done(&asked);
}

static void try_fix(struct stage *s, const struct row *r)
{
	struct intent i = press(s, "f");
	struct buf asked = { 0 };

	if (i.is != INTENT_PLAN)
		buf_str(&asked, *s->message ? NONE : "is not known");
	else if (i.finding)
		buf_printf(&asked, "finding %s", i.finding->check->id);
	else
		buf_printf(&asked, i.port ? "port %s:%s" : "device %s", i.port ? i.port->device->name : i.device, i.port ? i.port->name : "");
	if (strcmp(asked.text, r->f) != 0)
		wrong(r, 'f', asked.text, r->f);
	buf_done(&asked);
}

static void try_page(struct stage *s, const struct row *r, char key, const char *wanted)
{
	const char keys[] = { key, '\0' };
	struct buf text = { 0 };

	press(s, keys);
	if (s->has_page)
		page_print(&s->page, true, &text);
	else
		buf_str(&text, *s->message ? s->message : "is not known");
	assert_names(r, key, text.text, !strcmp(wanted, NONE) ? "" : wanted);
	if (strcmp(wanted, NONE) != 0 && *wanted && !s->has_page)
		wrong(r, key, text.text, "a page");
	buf_done(&text);
}

/* keys: that mark rows, then =. */
static void try_comparing(const struct row *r, const char *keys, const char *wanted)
{
	struct stage s;
	struct buf text = { 0 };

	go(&s, r);
	press(&s, keys);
	if (s.has_page)
		page_print(&s.page, true, &text);
	else
		buf_str(&text, *s.message ? s.message : "is not known");
	assert_names(r, '=', text.text, wanted);
	buf_done(&text);
	stage_done(&s);
}

/* Alone, and marked with all others: it is among what is compared, or the words say why not. */
static void try_compare(const struct row *r)
{
	const char *wanted = r->compared ? r->compared : r->named;

	try_comparing(r, "=", wanted);
	if (key_of(DO_MARK_ALL, r->screen))
		try_comparing(r, "*=", r->screen == SCREEN_FABRIC ? "Links and devices are both marked" : wanted);
}

static void assert_cursor(const struct row *r, char key, const char *json)
{
	const char *cursor = strstr(json, "\"cursor\": ");
	char line[200] = "no cursor is named";

	if (cursor)
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(cursor, "\n"), cursor);
	if (!strstr(line, r->named))
		wrong(r, key, line, r->named);
}

static void try_writing(struct stage *s, const struct row *r, char key, bool is_picked, enum rows_as as)
{
	const char keys[] = { key, '\0' };
	struct view_of of = view();
	struct buf text = { 0 };
	struct err err = { "" };
	char what[64];

	if (press(s, keys).is != INTENT_COPY && s->typing.kind != TYPING_EXPORT)
		wrong(r, key, "nothing", "a copy or a file");
	if (!export_view(s, &of, is_picked, as, true, &text, what, &err))
		wrong(r, key, err.text, r->named);
	if (as == ROWS_JSON)
		assert_cursor(r, key, text.text);
	else
		assert_names(r, key, text.text, r->named);
	buf_done(&text);
}

static void try_key(const struct row *r, char key)
{
	struct stage s;

	go(&s, r);
	if (key_command(key, r->screen) != DO_NOTHING) {
		pressed++;
		switch (key) {
		case 'd':	if (r->d) try_diagnose(&s, r); break;
		case 'f':	if (r->f) try_fix(&s, r); break;
		case '=':	try_compare(r); break;
		case 'x':	try_page(&s, r, 'x', r->named); break;
		case 'o':	try_page(&s, r, 'o', r->raw ? r->raw : NONE); break;
		case 'y':	try_writing(&s, r, 'y', true, ROWS_TEXT); break;
		case 'Y':	try_writing(&s, r, 'Y', true, ROWS_JSON); break;
		default:	try_writing(&s, r, 'e', false, ROWS_JSON);
		}
	}
	stage_done(&s);
}

static void each_key_is_about_what_the_cursor_of_the_pane_is_on(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (const char *key = "df=xoyYe"; *key; key++)
			try_key(&rows[i], *key);
	printf("%zu places, %u keys pressed\n", sizeof(rows) / sizeof(*rows), pressed);
}

/* A screen that is added has its rows above. */
static void each_screen_has_its_rows(void **state)
{
	unsigned seen = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		seen |= 1u << rows[i].screen;
	assert_int_equal(seen, (1u << SCREEN_COUNT) - 1);
}

/* A row that stands for many places is diagnosed as all, and never as the first of them alone. */
static void what_stands_for_many_is_not_taken_for_the_first(void **state)
{
	struct subject many = { .places = 3, .device = model_find_device(world.model, "node3") };
	struct diagnose_view d = { .is_seed = false };

	(void)state;
	many.finding = world_finding(&world, "trust-as-wanted", "node3:eth3");
	assert_non_null(many.finding);
	diagnose_about(&d, &many);
	assert_string_equal(d.device, "");
	many.places = 1;
	diagnose_about(&d, &many);
	assert_string_equal(d.device, "node3");
}

/* A reply whose text was kept, for o. */
static void keep_reply(const char *facts)
{
	struct span rest = span_of(facts), name;
	char device[64];
	struct err err;
	struct obs o;

	span_word(&rest, &name);
	snprintf(device, sizeof(device), "%.*s", (int)name.n, name.p);
	obs_init(&o, device, "kept");
	o.at_us = world.now_us;
	o.period_us = SECOND;
	o.rank = 5;
	o.raw = span_of(facts);
	if (!obs_read(&o, span_of(facts), &err))
		fail_msg("%s", err.text);
	model_apply(world.model, &o);
	obs_done(&o);
}

static void keep_replies(void)
{
	keep_reply("node1 platform = \"linux\"\nnode1 eth2 trust = dscp\nnode1 eth2 peer.port = \"ethernet1/1/1\"\n");
	keep_reply("node3 platform = \"linux\"\nnode3 eth3 trust = pcp\nnode3 eth3 peer.port = \"Ethernet8\"\n");
	keep_reply("node4 platform = \"linux\"\nnode4 eth2 trust = dscp\nnode4 eth2 peer.port = \"ethernet1/1/4\"\n");
	keep_reply("leaf1 platform = \"os10\"\n");
	keep_reply("spine1 platform = \"os10\"\n");
	findings_judge(world.findings, world.model, &world.links, world.policy, &world.inventory);
}

static int begin(void **state)
{
	(void)state;
	terminal = screen_open(50, 100, true, NULL);
	world_init(&world);
	world_link(&world, "node3", 3, "leaf2", "Ethernet8");
	world_link(&world, "node4", 2, "leaf1", "ethernet1/1/4");
	world_set(&world, "spine1 platform = \"os10\"");
	world_set(&world, "spine1 state = up");
	world_set(&world, "spine1 e1 up = yes");
	world_set(&world, "spine1 e1 peer.name = \"leaf1\"");
	world_set(&world, "spine1 e1 peer.port = \"ethernet1/1/31\"");
	world_set(&world, "leaf1 ethernet1/1/31 peer.name = \"spine1\"");
	world_set(&world, "leaf1 ethernet1/1/31 peer.port = \"e1\"");
	world_set(&world, "node3 eth3 trust = pcp");
	world_set(&world, "node1 eth2 pfc.rx_us[3] = 40000");
	world_run(&world, 12);
	keep_replies();
	plans_init(&plans, PLANS_MADE);
	return 0;
}

static int end(void **state)
{
	(void)state;
	world_done(&world);
	plans_done(&plans);
	screen_close(terminal);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_key_is_about_what_the_cursor_of_the_pane_is_on),
		cmocka_unit_test(each_screen_has_its_rows),
		cmocka_unit_test(what_stands_for_many_is_not_taken_for_the_first),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
