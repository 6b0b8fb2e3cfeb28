#include "tui/screens/device_page.h"

#include <stdio.h>

#include "tui/session/causes.h"
#include "tui/text/human.h"
#include "tui/views/explain.h"
#include "tui/widgets/bind.h"

enum { COLUMN_SIGN, COLUMN_PROBE, COLUMN_ABOUT, COLUMN_EVERY, COLUMN_AGE, COLUMN_SIZE, COLUMN_FACTS, COLUMN_MISSED, COLUMN_TROUBLE,
	COLUMN_COMMAND, COLUMNS };

static const struct column columns[COLUMNS] = {
	[COLUMN_SIGN]	 = { .name = "severity", .title = "S", .width = 1, .big_first = true },
	[COLUMN_PROBE]	 = { .name = "probe", .title = "PROBE", .width = 16, .grow = 1 },
	[COLUMN_ABOUT]	 = { .name = "about", .title = "ABOUT", .width = 10, .grow = 1, .priority = 2 },
	[COLUMN_EVERY]	 = { .name = "every", .title = "EVERY", .width = 5, .right = true, .big_first = true, .priority = 1 },
	[COLUMN_AGE]	 = { .name = "age", .title = "ANSWERED", .width = 8, .right = true, .big_first = true },
	[COLUMN_SIZE]	 = { .name = "size", .title = "SIZE", .width = 6, .right = true, .big_first = true, .priority = 3 },
	[COLUMN_FACTS]	 = { .name = "facts", .title = "FACTS", .width = 5, .right = true, .big_first = true, .priority = 3 },
	[COLUMN_MISSED]	 = { .name = "missed", .title = "MISSED", .under = "lines", .width = 6, .right = true, .big_first = true,
			     .priority = 4 },
	[COLUMN_TROUBLE] = { .name = "trouble", .title = "WHAT IS WRONG", .width = 20, .grow = 2 },
	[COLUMN_COMMAND] = { .name = "command", .title = "COMMAND", .width = 20, .grow = 3, .priority = 5 },
};

struct probes {
	const struct view_of *of;
	const struct device *device;
};
static struct probes shown;

struct device_view *device_view(struct views *v)
{
	return views_own(v, SCREEN_DEVICES, sizeof(struct device_view));
}

const struct device *device_open(const struct view_of *of, struct views *v)
{
	const char *name = device_view(v)->name;
	const struct device *d = *name ? model_find_device(of->model, name) : NULL;

	if (*name && !d)
		device_leave(v);
	return d;
}

void device_enter(struct views *v, const struct device *d)
{
	struct device_view *own = device_view(v);

	snprintf(own->name, sizeof(own->name), "%s", d->name);
	own->list = v->tables[SCREEN_DEVICES];
	v->tables[SCREEN_DEVICES] = (struct table){ 0 };
}

bool device_leave(struct views *v)
{
	struct device_view *own = device_view(v);
	struct table *t = &v->tables[SCREEN_DEVICES];

	if (!*own->name)
		return false;
	own->name[0] = '\0';
	table_done(t);
	*t = own->list;
	t->is_ordered = false;
	own->list = (struct table){ 0 };
	return true;
}

/* -- rows -- */

static bool is_unknown_of(const struct cell *c, const struct reply *r)
{
	return c->reply == r && c->generation == r->generation && c->value.is == VALUE_UNKNOWN;
}

static const char *reason_in(struct cell *const cells[FIELD_COUNT], const struct reply *r)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		for (unsigned i = 0; cells[f] && i < field_table[f].width; i++)
			if (is_unknown_of(&cells[f][i], r))
				return cells[f][i].value.text;
	return NULL;
}

/* Why it could not tell some fact, in its own words; NULL when it could. */
static const char *reason_of(const struct reply *r)
{
	const char *reason = reason_in(r->device->cells, r);

	for (size_t i = 0; !reason && i < r->device->n_ports; i++)
		reason = reason_in(r->device->ports[i]->cells, r);
	return reason;
}

static enum verdict probe_verdict(const struct model *m, const struct reply *r)
{
	if (reply_is_stale(m, r))
		return VERDICT_UNKNOWN;
	return r->whole_us < r->at_us || (!r->has_spoken && r->raw_n) ? VERDICT_WARN : VERDICT_OK;
}

/* The kernel's own words for it: such a reply is taken for one that lacks something, and nothing of it was cut. */
static bool is_busy(const struct reply *r)
{
	struct span text = { r->raw, r->raw ? r->raw_n : 0 };

	return span_find(text, "Device or resource busy") || span_find(text, "Resource temporarily unavailable");
}

static void trouble_cell(struct cell_view *out, const struct model *m, const struct reply *r)
{
	char since[HUMAN_MAX];
	const char *reason, *trouble = is_busy(r) ? "the device was busy" : "cut short";

	out->role = verdict_role(probe_verdict(m, r));
	if (reply_is_stale(m, r) && r->period_us && !reply_is_late(m, r))
		snprintf(out->text, sizeof(out->text), "not polled since %s: down", human_time(since, r->at_us));
	else if (reply_is_late(m, r))
		snprintf(out->text, sizeof(out->text), "no answer since %s", human_time(since, r->at_us));
	else if (r->whole_us < r->at_us && r->whole_us)
		snprintf(out->text, sizeof(out->text), "%s since %s", trouble, human_time(since, r->whole_us));
	else if (r->whole_us < r->at_us)
		snprintf(out->text, sizeof(out->text), "%s, never whole", trouble);
	else if (!r->has_spoken && r->raw_n)
		snprintf(out->text, sizeof(out->text), "could not be parsed (o shows it)");
	else if ((reason = reason_of(r)) != NULL)
		snprintf(out->text, sizeof(out->text), "%s", reason);
}

static void number_cell(struct cell_view *out, bool known, double number, const char *text)
{
	out->is_number = known;
	out->number = number;
	out->role = known ? ROLE_IS_TEXT : ROLE_IS_UNKNOWN;
	snprintf(out->text, sizeof(out->text), "%s", known ? text : "?");
}

static void count_cell(struct cell_view *out, bool known, size_t n)
{
	char text[HUMAN_MAX];

	number_cell(out, known, (double)n, human_count(text, (double)n));
}

static void cell(const void *ctx_, size_t row, size_t column, struct cell_view *out)
{
	const struct probes *ctx = ctx_;
	const struct model *m = ctx->of->model;
	const struct reply *r = ctx->device->replies[row];
	char text[HUMAN_MAX];

	switch (column) {
	case COLUMN_SIGN:
		number_cell(out, true, probe_verdict(m, r), verdict_sign(probe_verdict(m, r)));
		out->role = verdict_role(probe_verdict(m, r));
		break;
	case COLUMN_PROBE:	snprintf(out->text, sizeof(out->text), "%s", r->probe); break;
	case COLUMN_ABOUT:	snprintf(out->text, sizeof(out->text), "%s", r->subject ? r->subject : ""); break;
	case COLUMN_EVERY:
		number_cell(out, true, (double)r->period_us, r->period_us ? human_age(text, r->period_us) : "once");
		break;
	case COLUMN_AGE:
		number_cell(out, true, (double)(model_now(m) - r->at_us) / SECOND, human_age(text, model_now(m) - r->at_us));
		break;
	case COLUMN_SIZE:	count_cell(out, r->raw != NULL, r->raw_n); break;
	case COLUMN_FACTS:	count_cell(out, true, r->n_facts); break;
	case COLUMN_MISSED:	count_cell(out, !ctx->of->is_replay, r->missed); break;
	case COLUMN_TROUBLE:	trouble_cell(out, m, r); break;
	case COLUMN_COMMAND:	snprintf(out->text, sizeof(out->text), "%s", r->command ? r->command : ""); break;
	}
}

static uint64_t key_of_row(const void *ctx, size_t row)
{
	const struct reply *r = ((const struct probes *)ctx)->device->replies[row];

	return table_key(r->probe) * 31 + (r->subject ? table_key(r->subject) : 0);
}

void device_source(const struct view_of *of, struct views *v, const struct device *d, struct table_source *s)
{
	(void)v;
	shown = (struct probes){ of, d };
	*s = (struct table_source){ .columns = columns, .n_columns = COLUMNS, .n_rows = d->n_replies, .ctx = &shown, .key = key_of_row,
				    .cell = cell, .serial = of->serial,
				    .empty = "No output yet. {refresh} polls again; the line above shows the state of the connection." };
}

const struct reply *device_probe(struct views *v, const struct device *d)
{
	size_t row;

	return table_cursor(&v->tables[SCREEN_DEVICES], &row) && row < d->n_replies ? d->replies[row] : NULL;
}

/* -- words -- */

void device_way(const struct view_of *of, const struct device *d, struct buf *out)
{
	const struct route *r = of->inventory ? routes_find(&of->inventory->routes, d->name) : NULL;

	if (!r) {
		buf_str(out, "?");
		return;
	}
	buf_printf(out, "%s%s%s", r->user ? r->user : "", r->user ? "@" : "", r->address);
	if (r->port != 22)
		buf_printf(out, ":%u", r->port);
	if (r->jump) {
		struct buf jumps = { 0 };

		route_jumps(r, &jumps);
		buf_printf(out, " via %s", jumps.text);
		buf_done(&jumps);
	}
}

static void add_text(struct page *p, const struct device *d, enum field f, const char *label)
{
	const char *text = device_text(d, f);

	page_add(p, text ? ROLE_IS_TEXT : ROLE_IS_UNKNOWN, "  %-10s %s", label, text ? text : "?");
}

static void add_state(struct page *p, const struct model *m, const struct device *d)
{
	const struct cell *c = device_cell(d, FIELD_STATE, 0);
	char state[HUMAN_MAX], since[HUMAN_MAX], heard[HUMAN_MAX];

	if (!c || c->value.is != VALUE_KNOWN)
		page_add(p, ROLE_IS_UNKNOWN, "  %-10s %s", "state", d->heard_us ? "not reported; it has answered" : "not polled yet");
	else
		page_add(p, ROLE_IS_TEXT, "  %-10s %s since %s; heard %s%s", "state", human_value(state, FIELD_STATE, c->value.n),
			 human_date(since, c->since_us), d->heard_us ? human_age(heard, model_now(m) - d->heard_us) : "never",
			 d->heard_us ? " ago" : "");
}

/* Why it is not dialed, where its error does not say so; and that not all of the configuration for it is followed. */
static void add_way_notes(struct page *p, const struct view_of *of, const struct device *d, int width)
{
	const struct route *r = of->inventory ? routes_find(&of->inventory->routes, d->name) : NULL;
	const char *error = device_text(d, FIELD_ERROR);
	struct buf text = { 0 };

	if (r && r->trouble && !(error && strstr(error, r->trouble)))
		page_wrap(p, ROLE_IS_WARN, "  not dialed ", r->trouble, width);
	if (r && r->notes.n) {
		key_text(&text, r->notes.n == 1 ? "1 ssh setting is not followed ({explain} lists it)" :
			 "ssh settings are not followed ({explain} lists them)");
		page_add(p, ROLE_IS_WARN, "  %-10s %s", "ignored", text.text);
	}
	buf_done(&text);
}

static void explain_way(struct page *p, const struct view_of *of, const struct device *d, int width)
{
	const struct route *r = of->inventory ? routes_find(&of->inventory->routes, d->name) : NULL;

	if (!r || !r->notes.n)
		return;
	page_add(p, ROLE_IS_TEXT, " ");
	page_add(p, ROLE_IS_TITLE, "Connection settings that are read but not followed");
	for (size_t i = 0; i < r->notes.n; i++)
		page_wrap(p, ROLE_IS_WARN, "  ", r->notes.list[i], width);
}

void device_words(struct page *p, const struct view_of *of, const struct device *d, int width)
{
	const char *error = device_text(d, FIELD_ERROR), *platform = device_text(d, FIELD_PLATFORM);
	const char *version = device_text(d, FIELD_VERSION), *model = device_text(d, FIELD_MODEL);
	const char *channels = device_text(d, FIELD_CONVERSATIONS);
	struct buf way = { 0 };

	device_way(of, d, &way);
	page_add(p, ROLE_IS_TEXT, "  %-10s %s", "reached at", way.text);
	buf_done(&way);
	add_way_notes(p, of, d, width);
	add_state(p, of->model, d);
	add_text(p, d, FIELD_AUTH, "login");
	add_text(p, d, FIELD_HOSTKEY, "host key");
	if (channels && *channels)
		page_wrap(p, ROLE_IS_TEXT, "  channels   ", channels, width);
	if (platform)
		page_add(p, ROLE_IS_TEXT, "  %-10s %s %s %s", "runs", platform, version ? version : "?", model ? model : "");
	else
		page_add(p, ROLE_IS_UNKNOWN, "  %-10s not known yet", "runs");
	if (error && *error)
		page_wrap(p, ROLE_IS_WARN, "  error      ", cause_without_name(d->name, error), width);
	if (error && *error)
		page_wrap(p, ROLE_IS_TEXT, "  to do      ", cause_of(d->name, error)->to_do, width);
}

static bool is_at(const struct finding *f, const struct device *d)
{
	return f->device == d || (f->port && f->port->device == d) || (f->far && f->far->device == d);
}

void device_why(struct page *p, const struct view_of *of, const struct device *d, int width)
{
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list), told = 0;

	page_begin(p, "Why: %s", d->name);
	for (size_t i = 0; i < n; i++) {
		if (list[i]->cause || !is_at(list[i], d))
			continue;
		if (told++)
			page_add(p, ROLE_IS_TEXT, " ");
		explain_finding(p, of, list[i], true, width);
	}
	if (!told)
		page_add(p, ROLE_IS_TEXT, "No finding at this device. See its links for theirs.");
}

void device_explain(struct page *p, const struct view_of *of, const struct device *d, int width)
{
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list);

	page_begin(p, "Why: %s", d->name);
	device_words(p, of, d, width);
	explain_way(p, of, d, width);
	for (size_t i = 0; i < n; i++) {
		if (list[i]->device != d || list[i]->port)
			continue;
		page_add(p, ROLE_IS_TEXT, " ");
		explain_finding(p, of, list[i], true, width);
	}
	page_add(p, ROLE_IS_TEXT, " ");
	page_add(p, ROLE_IS_TITLE, "What is known of it, and the sources");
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		if (field_table[f].scope == SCOPE_DEVICE)
			explain_cell(p, of->model, d->name, NULL, (enum field)f, 0, device_cell(d, (enum field)f, 0), NULL, width);
}

/* The answer that told what it is, with its line marked; else any that was kept. */
struct intent device_raw(const struct device *d, struct page *page)
{
	static const enum field telling[] = { FIELD_PLATFORM, FIELD_VERSION, FIELD_HOSTNAME, FIELD_MODEL, FIELD_BOOT };

	for (size_t i = 0; i < sizeof(telling) / sizeof(*telling); i++) {
		const struct cell *c = device_cell(d, telling[i], 0);

		if (c && c->reply->raw) {
			page_reply(page, c->reply, c->cite);
			return (struct intent){ .is = INTENT_PAGE };
		}
	}
	for (size_t i = 0; i < d->n_replies; i++) {
		if (d->replies[i]->raw) {
			page_reply(page, d->replies[i], CITE_NONE);
			return (struct intent){ .is = INTENT_PAGE };
		}
	}
	return (struct intent){ .is = INTENT_SAY, .text = "No raw reply of this device was kept; {open} lists its probes." };
}
