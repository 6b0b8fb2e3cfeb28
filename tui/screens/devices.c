/* Devices: how reaching each goes, by which key, how long it takes, what failed last and what to do. */
#include <stdio.h>

#include "tui/screens/device_page.h"
#include "tui/session/causes.h"
#include "tui/text/human.h"
#include "tui/widgets/bind.h"

enum { COLUMN_SIGN, COLUMN_DEVICE, COLUMN_STATE, COLUMN_WAY, COLUMN_PLATFORM, COLUMN_VERSION, COLUMN_HEARD,
	COLUMN_LATENCY, COLUMN_PROBES, COLUMN_AUTH,
	COLUMN_ERROR, COLUMN_HOSTKEY, COLUMNS };

static const struct column columns[COLUMNS] = {
	[COLUMN_SIGN]	  = { .name = "severity", .title = "S", .width = 1, .big_first = true },
	[COLUMN_DEVICE]	  = { .name = "device", .title = "DEVICE", .width = 14, .grow = 1 },
	[COLUMN_STATE]	  = { .name = "state", .title = "STATE", .width = 10 },
	[COLUMN_PLATFORM] = { .name = "platform", .title = "PLATFORM", .width = 10, .priority = 1 },
	[COLUMN_WAY]	  = { .name = "way", .title = "REACHED AT", .width = 16, .grow = 1, .priority = 4 },
	[COLUMN_VERSION]  = { .name = "version", .title = "VERSION", .width = 10, .grow = 1, .priority = 6 },
	[COLUMN_HEARD]	  = { .name = "heard", .title = "HEARD", .width = 6, .right = true, .big_first = true },
	[COLUMN_LATENCY]  = { .name = "latency", .title = "ANSWERS IN", .width = 10, .right = true, .big_first = true, .priority = 2 },
	[COLUMN_PROBES]	  = { .name = "late", .title = "LATE", .under = "of probes", .width = 9, .right = true, .big_first = true,
			      .priority = 3 },
	[COLUMN_AUTH]	  = { .name = "auth", .title = "LOGIN", .width = 10, .priority = 4 },
	[COLUMN_ERROR]	  = { .name = "error", .title = "LAST ERROR AND WHAT TO DO", .width = 16, .grow = 4, .priority = 1 },
	[COLUMN_HOSTKEY]  = { .name = "hostkey", .title = "HOST KEY", .width = 20, .grow = 1, .priority = 5 },
};

static bool is_console(const struct reply *r)
{
	return !strcmp(r->probe, "ssh");
}

static size_t late_replies(const struct model *m, const struct device *d, size_t *all)
{
	size_t late = 0;

	*all = 0;
	for (size_t i = 0; i < d->n_replies; i++) {
		if (is_console(d->replies[i]) || !d->replies[i]->period_us)
			continue;
		(*all)++;
		late += reply_is_late(m, d->replies[i]);
	}
	return late;
}

static enum verdict device_verdict(const struct model *m, const struct device *d)
{
	const struct cell *said = device_cell(d, FIELD_STATE, 0);
	uint64_t state;
	size_t all, late = late_replies(m, d, &all);

	if (device_number(m, d, FIELD_STATE, 0, &state) && state == STATE_REFUSED)
		return VERDICT_FAIL;
	if (device_number(m, d, FIELD_STATE, 0, &state) && state == STATE_RETRYING)
		return VERDICT_WARN;
	return !d->heard_us || late || !all || !said || said->value.is != VALUE_KNOWN ? VERDICT_UNKNOWN : VERDICT_OK;
}

static void text_cell(struct cell_view *out, const struct device *d, enum field f)
{
	const char *text = device_text(d, f);

	snprintf(out->text, sizeof(out->text), "%s", text ? text : "?");
	out->role = text ? ROLE_IS_TEXT : ROLE_IS_UNKNOWN;
}

static void state_cell(struct cell_view *out, const struct model *m, const struct device *d)
{
	const struct cell *c = device_cell(d, FIELD_STATE, 0);
	char text[HUMAN_MAX];

	out->role = verdict_role(device_verdict(m, d));
	snprintf(out->text, sizeof(out->text), "%s", c && c->value.is == VALUE_KNOWN ? human_value(text, FIELD_STATE, c->value.n) :
		 c ? "?" : d->heard_us ? "-" : "not asked");
}

static void latency_cell(struct cell_view *out, const struct model *m, const struct device *d)
{
	uint64_t us;

	out->is_number = device_number(m, d, FIELD_LATENCY, 0, &us);
	if (out->is_number)
		snprintf(out->text, sizeof(out->text), us < 10000 ? "%.1f ms" : "%.0f ms", (double)us / 1000);
	else
		snprintf(out->text, sizeof(out->text), "?");
	out->number = out->is_number ? (double)us / 1000 : 0;
	out->role = out->is_number ? ROLE_IS_TEXT : ROLE_IS_UNKNOWN;
}

static void heard_cell(struct cell_view *out, const struct model *m, const struct device *d)
{
	char age[HUMAN_MAX];

	out->is_number = d->heard_us != 0;
	out->number = (double)(model_now(m) - d->heard_us) / SECOND;
	out->role = out->is_number ? ROLE_IS_TEXT : ROLE_IS_UNKNOWN;
	snprintf(out->text, sizeof(out->text), "%s", d->heard_us ? human_age(age, model_now(m) - d->heard_us) : "never");
}

static void probes_cell(struct cell_view *out, const struct model *m, const struct device *d)
{
	size_t all, late = late_replies(m, d, &all);

	out->is_number = all > 0;
	out->number = (double)late;
	out->role = late ? ROLE_IS_WARN : ROLE_IS_MUTED;
	snprintf(out->text, sizeof(out->text), "%zu of %zu", late, all);
}

static void error_cell(struct cell_view *out, const struct device *d)
{
	const char *error = device_text(d, FIELD_ERROR);

	if (error && *error)
		snprintf(out->text, sizeof(out->text), "%s: %s", cause_without_name(d->name, error), cause_of(d->name, error)->to_do);
	out->role = ROLE_IS_WARN;
}

static void way_cell(struct cell_view *out, const struct view_of *of, const struct device *d)
{
	struct buf way = { 0 };

	device_way(of, d, &way);
	snprintf(out->text, sizeof(out->text), "%s", way.text);
	buf_done(&way);
}

static void cell(const void *ctx, size_t row, size_t column, struct cell_view *out)
{
	const struct view_of *of = ctx;
	const struct model *m = of->model;
	const struct device *d = model_device(m, row);

	switch (column) {
	case COLUMN_SIGN:
		out->is_number = true;
		out->number = device_verdict(m, d);
		out->role = verdict_role(device_verdict(m, d));
		snprintf(out->text, sizeof(out->text), "%s", verdict_sign(device_verdict(m, d)));
		break;
	case COLUMN_DEVICE:
		snprintf(out->text, sizeof(out->text), "%s", d->name);
		break;
	case COLUMN_STATE:	state_cell(out, m, d); break;
	case COLUMN_WAY:	way_cell(out, of, d); break;
	case COLUMN_VERSION:	text_cell(out, d, FIELD_VERSION); break;
	case COLUMN_PLATFORM:	text_cell(out, d, FIELD_PLATFORM); break;
	case COLUMN_HEARD:	heard_cell(out, m, d); break;
	case COLUMN_LATENCY:	latency_cell(out, m, d); break;
	case COLUMN_PROBES:	probes_cell(out, m, d); break;
	case COLUMN_AUTH:	text_cell(out, d, FIELD_AUTH); break;
	case COLUMN_ERROR:	error_cell(out, d); break;
	case COLUMN_HOSTKEY:	text_cell(out, d, FIELD_HOSTKEY); break;
	}
}

static uint64_t key_of_row(const void *ctx, size_t row)
{
	return table_key(model_device(((const struct view_of *)ctx)->model, row)->name);
}

static void source(const struct view_of *of, struct views *v, struct table_source *s)
{
	static struct view_of shown;
	const struct device *d = device_open(of, v);

	if (d) {
		device_source(of, v, d, s);
		return;
	}
	shown = *of;
	*s = (struct table_source){ .columns = columns, .n_columns = COLUMNS, .n_rows = model_devices(of->model), .ctx = &shown,
				    .key = key_of_row, .cell = cell, .serial = of->serial,
				    .empty = "No devices. Give an inventory: fabcon -i INVENTORY (Ansible file, or "
					     "node[01-16],leaf1)" };
}

/* A device; of one that is open, whichever probe the cursor is on. */
static struct subject subject(const struct view_of *of, struct views *v, size_t row)
{
	const struct table *t = &v->tables[SCREEN_DEVICES];
	const struct device *open = device_open(of, v);
	struct subject s;

	if (!open && !views_row(t, model_devices(of->model), &row))
		return subject_none("There is no device under the cursor.");
	s = subject_of_device(open ? open : model_device(of->model, row));
	s.is_part = open != NULL;
	if (open && views_row(t, open->n_replies, &row))
		snprintf(s.name, sizeof(s.name), "%s %s", open->name, open->replies[row]->probe);
	return s;
}

/* Those that are not reached, by cause: "12 timeout: node[01-12]; 1 host key changed: node31". The rows used. */
static int draw_failures(const struct draw *d, int y, const struct model *m)
{
	struct cause_group groups[CAUSES_MAX];
	size_t n = causes_of(m, false, groups), all = 0;
	struct buf words = { 0 };

	for (size_t i = 0; i < n; i++)
		all += groups[i].n;
	buf_printf(&words, "%zu of %zu unreachable: ", all, model_devices(m));
	causes_text(groups, n, &words);
	key_text(&words, "   ({open}: its probes, {refresh}: try again)");
	if (n)
		draw_text(d, y, 2, d->cols - 2, ROLE_IS_WARN, words.text);
	buf_done(&words);
	return n > 0;
}

static void draw_words(const struct draw *d, int y, int rows, const struct view_of *of, const struct device *device)
{
	struct page p = { .title = "" };

	page_begin(&p, "%s", device->name);
	device_words(&p, of, device, d->cols - 4);
	page_draw(&p, d, y, rows);
	page_done(&p);
}

#define WORDS_ROWS 9

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	const struct device *device = device_open(of, v);
	int pane = v->without_pane[SCREEN_DEVICES] || rows < 18 ? 0 : WORDS_ROWS;
	struct table_source s;

	source(of, v, &s);
	if (device) {
		draw_words(d, y, pane ? pane : rows > 4, of, device);
		table_draw(&v->tables[SCREEN_DEVICES], &s, d, y + (pane ? pane : rows > 4), rows - (pane ? pane : rows > 4));
		return;
	}
	if (rows > 8) {
		int used = draw_failures(d, y, of->model);

		y += used;
		rows -= used;
	}
	table_draw(&v->tables[SCREEN_DEVICES], &s, d, y, rows - pane);
	device = subject(of, v, AT_CURSOR).device;
	if (pane && device)
		draw_words(d, y + rows - pane, pane, of, device);
}

static struct intent probe_key(const struct device *d, const struct reply *r, enum command command, struct page *page)
{
	if (command == DO_REFRESH)
		return (struct intent){ .is = INTENT_REFRESH, .device = d->name };
	if (command != DO_OPEN && command != DO_EXPLAIN && command != DO_RAW)
		return (struct intent){ .is = INTENT_NONE };
	if (!r)
		return (struct intent){ .is = INTENT_SAY, .text = "There is no probe under the cursor." };
	page_reply(page, r, CITE_NONE);
	return (struct intent){ .is = INTENT_PAGE };
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	const struct device *d = device_open(of, v);

	if (command == DO_PANE) {
		v->without_pane[SCREEN_DEVICES] = !v->without_pane[SCREEN_DEVICES];
		return (struct intent){ .is = INTENT_DONE };
	}
	if (d)
		return probe_key(d, device_probe(v, d), command, page);
	d = subject(of, v, AT_CURSOR).device;
	if (command == DO_REFRESH)
		return (struct intent){ .is = INTENT_REFRESH, .device = d ? d->name : NULL };
	if (command != DO_OPEN && command != DO_EXPLAIN && command != DO_RAW)
		return (struct intent){ .is = INTENT_NONE };
	if (!d)
		return (struct intent){ .is = INTENT_SAY, .text = "There is no device under the cursor." };
	if (command == DO_RAW)
		return device_raw(d, page);
	if (command == DO_OPEN) {
		device_enter(v, d);
		return (struct intent){ .is = INTENT_DONE };
	}
	device_explain(page, of, d, views_width(v));
	return (struct intent){ .is = INTENT_PAGE };
}

/* The list as a person made it, while a device is open too. */
static void save(const struct view_of *of, struct views *v, struct buf *out)
{
	struct device_view *own = device_view(v);
	struct table opened = v->tables[SCREEN_DEVICES];
	char first = own->name[0];
	struct table_source s;

	if (first)
		v->tables[SCREEN_DEVICES] = own->list;
	own->name[0] = '\0';
	source(of, v, &s);
	table_save(&v->tables[SCREEN_DEVICES], &s, out);
	own->name[0] = first;
	if (!first)
		return;
	own->list = v->tables[SCREEN_DEVICES];
	v->tables[SCREEN_DEVICES] = opened;
}

static void done(void *own)
{
	table_done(&((struct device_view *)own)->list);
}

const struct screen screen_devices = {
	.source = source, .draw = draw, .key = key,
	.subject = subject,
	.back = device_leave, .save = save, .done = done };
