#include "tui/console/verbs.h"

#include <stdio.h>
#include <stdlib.h>

#include "tui/text/fuzzy.h"
#include "tui/views/glossary.h"

static const struct intent done = { .is = INTENT_DONE };

/* theme */

static void each_theme(const struct stage *s, const struct view_of *of, verb_offer offer, void *ctx)
{
	struct theme_names names = { 0 };

	(void)s;
	(void)of;
	themes_list(&names);
	for (size_t i = 0; i < names.n; i++)
		offer(ctx, names.list[i], "a theme");
	themes_list_done(&names);
}

static struct intent run_theme(struct stage *s, const struct view_of *of, const char *words)
{
	(void)s;
	(void)of;
	return (struct intent){ .is = INTENT_THEME, .text = words };
}

/* time */

static struct intent run_time(struct stage *s, const struct view_of *of, const char *words)
{
	if (of->is_replay || screen_table[s->screen]->is_in_time)
		return (struct intent){ .is = INTENT_TIME, .text = words };
	stage_say(s, "This is live: 7 History looks back.");
	return done;
}

/* speed, note */

static void each_speed(const struct stage *s, const struct view_of *of, verb_offer offer, void *ctx)
{
	(void)s;
	(void)of;
	offer(ctx, "1", "as it was");
	offer(ctx, "2", "double speed");
	offer(ctx, "10", "ten times the speed");
}

static struct intent run_speed(struct stage *s, const struct view_of *of, const char *words)
{
	uint64_t n;

	(void)of;
	if (*words == 'x')
		words++;
	if (span_u64(span_of(words), &n) && n >= 1 && n <= SPEED_MAX)
		return (struct intent){ .is = INTENT_SPEED, .by = (int)n };
	stage_say(s, "The speed is 1 to %d.", SPEED_MAX);
	return done;
}

static struct intent run_note(struct stage *s, const struct view_of *of, const char *words)
{
	(void)s;
	(void)of;
	return (struct intent){ .is = INTENT_NOTE, .text = words };
}

/* open */

static void each_place(const struct stage *s, const struct view_of *of, verb_offer offer, void *ctx)
{
	(void)s;
	for (unsigned i = 0; i < SCREEN_COUNT; i++)
		offer(ctx, screen_names[i].title, "a screen");
	for (size_t i = 0; i < model_devices(of->model); i++)
		offer(ctx, model_device(of->model, i)->name, "a device");
	for (size_t i = 0; i < of->links->n; i++) {
		const struct link *link = &of->links->list[i];

		for (unsigned end = 0; end < 2; end++) {
			const struct port *p = end ? link->b : link->a;
			char name[256];

			if (!p)
				continue;
			snprintf(name, sizeof(name), "%s:%s", p->device->name, p->name);
			offer(ctx, name, link->name);
		}
	}
}

/* The cursor onto the row of a list that has the text in a column. */
static bool put_cursor(struct stage *s, const struct view_of *of, enum screen_id id, const char *column, struct span text)
{
	struct table *t = &s->views.tables[id];
	struct cell_view v = { .text = "" };
	struct table_source source;
	size_t c;

	screen_table[id]->source(of, &s->views, &source);
	c = columns_find(source.columns, source.n_columns, span_of(column));
	for (size_t row = 0; c < source.n_columns && row < source.n_rows; row++) {
		source.cell(source.ctx, row, c, &v);
		if (!span_is(text, v.text))
			continue;
		table_filter(t, NULL);
		t->cursor_key = source.key(source.ctx, row);
		return true;
	}
	return false;
}

static struct intent run_open(struct stage *s, const struct view_of *of, const char *words)
{
	struct span all = span_of(words), device, port;
	enum screen_id screen;
	char name[256];

	if (screen_named(all, &screen)) {
		stage_go(s, screen);
		return done;
	}
	if (put_cursor(s, of, SCREEN_DEVICES, "device", all)) {
		stage_go(s, SCREEN_DEVICES);
		return done;
	}
	if (span_cut(all, ':', &device, &port)) {
		snprintf(name, sizeof(name), "%.*s", (int)device.n, device.p);
		s->views.subject = model_find_port(of->model, name, port.p);
		if (s->views.subject) {
			stage_go(s, SCREEN_DETAIL);
			return done;
		}
	}
	stage_say(s, "No screen, device or device:port is named \"%.80s\".", words);
	return done;
}

/* filter, sort */

static void each_column(const struct stage *s, const struct view_of *of, verb_offer offer, void *ctx, const char *after)
{
	struct table_source source;

	if (!screen_table[s->screen]->source)
		return;
	screen_table[s->screen]->source(of, (struct views *)&s->views, &source);
	for (size_t i = 0; i < source.n_columns; i++) {
		const struct column *c = &source.columns[i];
		char name[64];

		if (c->is_spark)
			continue;
		snprintf(name, sizeof(name), "%s%s", c->name, after);
		offer(ctx, name, c->help ? c->help : c->title);
	}
}

static void each_sort(const struct stage *s, const struct view_of *of, verb_offer offer, void *ctx)
{
	each_column(s, of, offer, ctx, "");
}

static void each_filter(const struct stage *s, const struct view_of *of, verb_offer offer, void *ctx)
{
	each_column(s, of, offer, ctx, ":");
}

static struct intent run_filter(struct stage *s, const struct view_of *of, const char *words)
{
	const char **names = screens_filter_names(s->screen, of, &s->views);
	struct err err;
	struct filter *f = names ? filter_new(words, names, &err) : NULL;

	if (f)
		table_filter(&s->views.tables[s->screen], f);
	else
		stage_say(s, "%s", names ? err.text : "This screen has no list to filter.");
	free(names);
	return done;
}

static struct intent run_sort(struct stage *s, const struct view_of *of, const char *words)
{
	struct table_source source = { .n_columns = 0 };
	size_t c;

	if (screen_table[s->screen]->source)
		screen_table[s->screen]->source(of, &s->views, &source);
	c = columns_find(source.columns, source.n_columns, span_of(words));
	if (c < source.n_columns)
		table_sort_by(&s->views.tables[s->screen], c);
	else
		stage_say(s, "No column \"%.60s\" here; press Tab after :sort for the list.", words);
	return done;
}

/* explain */

struct offered {
	verb_offer offer;
	void *ctx;
};

static void offer_entry(void *ctx, const char *id, const char *kind, const char *help)
{
	const struct offered *o = ctx;

	(void)kind;
	o->offer(o->ctx, id, help);
}

static void each_entry(const struct stage *s, const struct view_of *of, verb_offer offer, void *ctx)
{
	struct offered o = { offer, ctx };

	(void)s;
	(void)of;
	glossary_each(offer_entry, &o);
}

static struct intent run_explain(struct stage *s, const struct view_of *of, const char *words)
{
	struct buf text = { 0 };
	struct span rest, line;

	(void)of;
	if (!glossary_tell(words, &text)) {
		stage_say(s, "No check, field or limit is named \"%.80s\".", words);
		return done;
	}
	page_begin(&s->page, "What %.100s means", words);
	s->has_page = true;
	rest = buf_span(&text);
	while (span_line(&rest, &line)) {
		char *copy = xstrndup(line.p, line.n);

		page_wrap(&s->page, ROLE_IS_TEXT, line.n && *line.p == ' ' ? "  " : "", copy, views_width(&s->views));
		free(copy);
	}
	buf_done(&text);
	return done;
}

static void each_baseline(const struct stage *s, const struct view_of *of, verb_offer offer, void *ctx)
{
	(void)s;
	(void)of;
	offer(ctx, "off", "forgets the baseline");
}

static struct intent run_baseline(struct stage *s, const struct view_of *of, const char *words)
{
	(void)of;
	if (!strcmp(words, "off"))
		return (struct intent){ .is = INTENT_BASELINE, .by = 0 };
	stage_say(s, ":baseline saves the present rates and settings; :baseline off removes it.");
	return done;
}

static struct intent run_arm(struct stage *s, const struct view_of *of, const char *words)
{
	(void)s;
	(void)of;
	return (struct intent){ .is = INTENT_ARM, .text = words };
}

static struct intent run_test(struct stage *s, const struct view_of *of, const char *words)
{
	(void)s;
	(void)of;
	return (struct intent){ .is = INTENT_TEST_ALLOW, .text = words };
}

static const struct verb verbs[] = {
	{ DO_THEME,   "NAME",			false, each_theme,  run_theme },
	{ DO_OPEN,    "SCREEN, DEVICE or DEVICE:PORT", false, each_place, run_open },
	{ DO_FILTER,  "WORDS",			true,  each_filter, run_filter },
	{ DO_SORT,    "COLUMN",			false, each_sort,   run_sort },
	{ DO_EXPLAIN, "CHECK or FIELD",		false, each_entry,  run_explain },
	{ DO_TIME,    "TIME",			true,  NULL,	    run_time },
	{ DO_BASELINE, "off",			false, each_baseline, run_baseline },
	{ DO_SPEED,   "TIMES",			true,  each_speed,  run_speed },
	{ DO_NOTE,    "WORDS",			true,  NULL,	    run_note },
	{ DO_ARM,     "REASON",			true,  NULL,	    run_arm },
	{ DO_TEST,    "REASON",			true,  NULL,	    run_test },
};

const struct verb *verb_of(enum command command)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (verbs[i].command == command)
			return &verbs[i];
	return NULL;
}
