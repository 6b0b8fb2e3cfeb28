/*
 * The screens of one written fabric, compared with text files to the last character: tests/screens/. Of the tabs, only
 * the one that is shown: test_screens knows the others, and a new screen has no picture to renew. A change of a
 * picture is renewed on purpose, and then read in the diff:  UPDATE_SCREENS=1 .build/release/tests/tui/test_pictures
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/plans.h"
#include "tests/lib/screen.h"
#include "tests/lib/world.h"

static const struct picture {
	const char *name;
	enum screen_id screen;
	const char *keys;	/* pressed before it is drawn */
	enum plans_at plan;	/* of Fix */
} pictures[] = {
	{ "overview",	SCREEN_OVERVIEW,	"" },
	{ "why",	SCREEN_OVERVIEW,	"x" },
	{ "ports",	SCREEN_PORTS,		"" },
	{ "detail",	SCREEN_DETAIL,		"" },
	{ "findings",	SCREEN_FINDINGS,	"" },
	{ "devices",	SCREEN_DEVICES,		"" },
	{ "fabric",	SCREEN_FABRIC,		"" },
	{ "bringup",	SCREEN_BRINGUP,		"" },
	{ "fix",	SCREEN_FIX,		"",	PLANS_MADE },
	{ "fix-running", SCREEN_FIX,		"j",	PLANS_WAITING },
	{ "fix-failed",	SCREEN_FIX,		"j",	PLANS_FAILED },
	{ "fix-asked",	SCREEN_FIX,		"\n",	PLANS_ARMED },
};

static const struct {
	int rows, cols;
} sizes[] = { { 36, 120 }, { 24, 80 } };

/* Two links: one end trusts the wrong marking, a counter is refused at both, a switch is late. */
static void write_fabric(struct world *w)
{
	world_init(w);
	world_set(w, "node1 eth2 trust = pcp");
	world_set(w, "node1 lldpad = yes");
	world_set(w, "node1 eth2 phy.err = unknown \"not root\"");
	world_set(w, "node1 eth3 phy.err = unknown \"not root\"");
	world_set(w, "leaf2 state = retrying");
	world_set(w, "leaf2 error = \"connect: refused; is sshd running?\"");
	world_run(w, 20);
}

static struct view_of view(const struct world *w, const struct plans *plans)
{
	static uint64_t serial;

	return (struct view_of){ .model = w->model, .links = &w->links, .findings = w->findings, .policy = w->policy,
				 .inventory = &w->inventory, .fabric = "gpu-a", .serial = ++serial,
				 .fix = &plans->view };
}

static void draw(struct stage *s, struct screen_test *t, const struct world *w, const struct plans *plans)
{
	struct view_of of = view(w, plans);

	stage_draw(s, screen_draw(t), &of);
}

static void read_file(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "r");
	char bytes[4096];
	size_t n;

	if (!f)
		fail_msg("%s is not there; UPDATE_SCREENS=1 writes it", path);
	while ((n = fread(bytes, 1, sizeof(bytes), f)) > 0)
		buf_add(out, bytes, n);
	fclose(f);
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void compare(const char *path, const char *text)
{
	struct span now = span_of(text), before, line, was;
	struct buf file = { 0 };
	unsigned number = 1;

	if (getenv("UPDATE_SCREENS")) {
		write_file(path, text);
		return;
	}
	read_file(path, &file);
	before = buf_span(&file);
	for (; span_line(&now, &line); number++) {
		if (!span_line(&before, &was))
			was = SPAN("");
		if (line.n != was.n || memcmp(line.p, was.p, line.n) != 0)
			fail_msg("%s line %u was\n%.*s\nis\n%.*s\n", path, number, (int)was.n, was.p, (int)line.n, line.p);
	}
	assert_int_equal(before.n, 0);
	buf_done(&file);
}

/* The second line's tab in brackets, with its key, in the place of the whole line. */
static void leave_out_other_tabs(const char *text, struct buf *out)
{
	struct span rest = span_of(text), header, tabs, before, tab;

	assert_true(span_line(&rest, &header) && span_line(&rest, &tabs));
	assert_true(span_cut(tabs, '[', &before, &tab));
	while (span_word(&before, &tabs))
		;
	buf_printf(out, "%.*s\n%.*s[%.*s]\n%.*s", (int)header.n, header.p, (int)tabs.n, tabs.p,
		   (int)strcspn(tab.p, "]"), tab.p, (int)rest.n, rest.p);
}

static void every_picture_is_as_it_was(void **state)
{
	struct world w;

	(void)state;
	write_fabric(&w);
	for (size_t i = 0; i < 2 * sizeof(pictures) / sizeof(*pictures); i++) {
		const struct picture *p = &pictures[i / 2];
		struct screen_test *t = screen_open(sizes[i % 2].rows, sizes[i % 2].cols, true, NULL);
		struct stage s = { .screen = p->screen };
		struct buf text = { NULL };
		struct plans plans;
		char path[128];

		plans_init(&plans, p->plan);
		draw(&s, t, &w, &plans);
		for (const char *c = p->keys; *c; c++) {
			struct view_of of = view(&w, &plans);

			stage_key(&s, &of, *c);
		}
		draw(&s, t, &w, &plans);
		snprintf(path, sizeof(path), "tests/screens/%s-%dx%d.txt", p->name, sizes[i % 2].cols, sizes[i % 2].rows);
		leave_out_other_tabs(screen_text(t), &text);
		compare(path, text.text);
		buf_done(&text);
		stage_done(&s);
		plans_done(&plans);
		screen_close(t);
	}
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_picture_is_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
