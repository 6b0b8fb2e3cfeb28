/* Devices: how reaching each goes, by which key, how long it takes, what failed last and what to do. */
#include <stdio.h>

#include "tui/human.h"
#include "tui/screens.h"

enum { COLUMN_SIGN, COLUMN_DEVICE, COLUMN_STATE, COLUMN_PLATFORM, COLUMN_HEARD, COLUMN_LATENCY, COLUMN_PROBES, COLUMN_AUTH,
	COLUMN_ERROR, COLUMN_HOSTKEY, COLUMNS };

static const struct column columns[COLUMNS] = {
	[COLUMN_SIGN]	  = { .name = "severity", .title = "S", .width = 1, .big_first = true },
	[COLUMN_DEVICE]	  = { .name = "device", .title = "DEVICE", .width = 14, .grow = 1 },
	[COLUMN_STATE]	  = { .name = "state", .title = "STATE", .width = 10 },
	[COLUMN_PLATFORM] = { .name = "platform", .title = "PLATFORM", .width = 10, .priority = 1 },
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
		late += reply_is_stale(m, d->replies[i]);
	}
	return late;
}

static enum verdict device_verdict(const struct model *m, const struct device *d)
{
	uint64_t state;
	size_t all, late = late_replies(m, d, &all);

	if (device_number(m, d, FIELD_STATE, 0, &state) && state == STATE_REFUSED)
		return VERDICT_FAIL;
	if (device_number(m, d, FIELD_STATE, 0, &state) && state == STATE_RETRYING)
		return VERDICT_WARN;
	return !d->heard_us || late || !all ? VERDICT_UNKNOWN : VERDICT_OK;
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
		 d->heard_us ? "-" : "not asked");
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
	const char *text = device_text(d, FIELD_ERROR);

	snprintf(out->text, sizeof(out->text), "%s", text ? text : "");
	out->role = ROLE_IS_WARN;
}

static void cell(const void *ctx, size_t row, size_t column, struct cell_view *out)
{
	const struct model *m = ctx;
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
	return table_key(model_device(ctx, row)->name);
}

static void source(const struct view_of *of, struct views *v, struct table_source *s)
{
	(void)v;
	*s = (struct table_source){ .columns = columns, .n_columns = COLUMNS, .n_rows = model_devices(of->model), .ctx = of->model,
				    .key = key_of_row, .cell = cell, .serial = of->serial,
				    .empty = "No device is named. Give an inventory: fabcon -i INVENTORY (Ansible file, or "
					     "node[01-16],leaf1)" };
}

static const struct device *cursor_device(const struct view_of *of, struct views *v)
{
	size_t row;

	return table_cursor(&v->tables[SCREEN_DEVICES], &row) && row < model_devices(of->model) ?
		model_device(of->model, row) : NULL;
}

static void add_replies(struct page *p, const struct model *m, const struct device *d)
{
	char age[HUMAN_MAX], period[HUMAN_MAX];

	page_add(p, ROLE_IS_TITLE, "  %-22s %-16s %7s %6s %6s  %s", "PROBE", "ABOUT", "AGE", "EVERY", "FACTS", "COMMAND");
	for (size_t i = 0; i < d->n_replies; i++) {
		const struct reply *r = d->replies[i];
		bool late = reply_is_stale(m, r);

		page_add(p, late ? ROLE_IS_UNKNOWN : ROLE_IS_TEXT, "%s %-22s %-16s %7s %6s %6zu  %s", late ? "?" : " ", r->probe,
			 r->subject ? r->subject : "", human_age(age, model_now(m) - r->at_us),
			 r->period_us ? human_age(period, r->period_us) : "once", r->n_facts, r->command ? r->command : "");
	}
	if (!d->n_replies)
		page_add(p, ROLE_IS_UNKNOWN, "  It has not answered anything yet.");
}

static void add_device(struct page *p, const struct model *m, const struct device *d, int width)
{
	static const enum field fields[] = { FIELD_PLATFORM, FIELD_MODEL, FIELD_VERSION, FIELD_AUTH, FIELD_HOSTKEY };
	const char *error = device_text(d, FIELD_ERROR);

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		const char *text = device_text(d, fields[i]);

		page_add(p, text ? ROLE_IS_TEXT : ROLE_IS_UNKNOWN, "  %-10s %s", field_table[fields[i]].name, text ? text : "?");
	}
	if (error && *error)
		page_wrap(p, ROLE_IS_WARN, "  error      ", error, width);
	add_replies(p, m, d);
}

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	int pane = v->without_pane[SCREEN_DEVICES] || rows < 18 ? 0 : rows / 2;
	struct table_source s;
	const struct device *device;
	struct page p = { .title = "" };

	source(of, v, &s);
	table_draw(&v->tables[SCREEN_DEVICES], &s, d, y, rows - pane);
	device = cursor_device(of, v);
	if (!pane || !device)
		return;
	page_begin(&p, "%s", device->name);
	add_device(&p, of->model, device, d->cols - 4);
	page_draw(&p, d, y + rows - pane, pane);
	page_done(&p);
}

static struct intent raw_of(const struct device *d, struct page *page)
{
	for (size_t i = 0; i < d->n_replies; i++) {
		if (d->replies[i]->raw) {
			page_reply(page, d->replies[i], CITE_NONE);
			return (struct intent){ .is = INTENT_PAGE };
		}
	}
	return (struct intent){ .is = INTENT_SAY, .text = "No reply of this device was kept." };
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	const struct device *d = cursor_device(of, v);

	switch (command) {
	case DO_PANE:
		v->without_pane[SCREEN_DEVICES] = !v->without_pane[SCREEN_DEVICES];
		return (struct intent){ .is = INTENT_DONE };
	case DO_OPEN:
	case DO_EXPLAIN:
		if (!d)
			break;
		page_begin(page, "%s", d->name);
		add_device(page, of->model, d, views_width(v));
		return (struct intent){ .is = INTENT_PAGE };
	case DO_RAW:
		if (!d)
			break;
		return raw_of(d, page);
	case DO_REFRESH:
		return (struct intent){ .is = INTENT_REFRESH, .device = d ? d->name : NULL };
	default:
		return (struct intent){ .is = INTENT_NONE };
	}
	return (struct intent){ .is = INTENT_SAY, .text = "There is no device under the cursor." };
}

const struct screen screen_devices = { .title = "Devices", .source = source, .draw = draw, .key = key };
