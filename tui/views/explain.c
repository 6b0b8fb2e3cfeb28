#include "tui/views/explain.h"

#include <stdio.h>

#include "core/fix/fix.h"
#include "tui/session/causes.h"
#include "tui/text/call.h"
#include "tui/text/human.h"
#include "tui/views/glossary.h"
#include "tui/views/remedy.h"
#include "tui/widgets/bind.h"

static const struct cell *cell_of(const struct evidence *e)
{
	return fact_cell(e->device, e->port, e->field, e->index);
}

static void add_fact(struct page *p, const char *device, const char *port, enum field f, unsigned index,
		     const struct cell *c, const char *note)
{
	struct value absent = { .is = VALUE_ABSENT };
	struct fact fact = { .device = device, .port = port, .field = f, .index = index, .value = c ? c->value : absent };
	struct buf text = { 0 };

	if (c)
		fact_print(&fact, &text);
	else
		buf_printf(&text, "%s %s%s%s[%u]: not reported", device, port ? port : "", port ? " " : "",
			   field_table[f].name, index);
	page_add(p, c && c->value.is == VALUE_KNOWN ? ROLE_IS_TEXT : ROLE_IS_UNKNOWN, "  %s%s%s", text.text,
		 note && *note ? "   " : "", note ? note : "");
	buf_done(&text);
}

/* Two commands of one reply stand on lines of their own. */
static void add_command(struct page *p, const char *command, int width)
{
	struct span rest = span_of(command), one;
	const char *label = "      command   ";

	for (; span_line(&rest, &one); label = "                ") {
		char text[1024];

		snprintf(text, sizeof(text), "%.*s", (int)one.n, one.p);
		page_wrap(p, ROLE_IS_MUTED, label, text, width);
	}
}

static void add_source(struct page *p, const struct model *m, const struct cell *c, int width)
{
	char age[HUMAN_MAX], said[HUMAN_MAX], since[HUMAN_MAX];
	const struct reply *r = c->reply;
	unsigned number = 0;
	struct span line = cell_line(c, &number);

	page_add(p, cell_is_stale(m, c) ? ROLE_IS_UNKNOWN : ROLE_IS_MUTED, "      %s old%s, reported %s by %s; unchanged since %s",
		 human_age(age, cell_age_us(m, c)), cell_is_stale(m, c) ? " (stale: counts as unknown)" : "",
		 human_time(said, r->at_us), r->probe, human_date(since, c->since_us));
	if (r->command)
		add_command(p, r->command, width);
	if (line.n)
		page_add(p, ROLE_IS_MUTED, "      line %-4u %.*s", number, (int)(line.n < 400 ? line.n : 400), line.p);
	if (c->value.is_unproven)
		page_add(p, ROLE_IS_UNKNOWN, "      parsed from a layout that no published output confirms");
	if (c->other)
		page_add(p, ROLE_IS_WARN, "      %s reports otherwise", c->other->reply->probe);
}

static const struct reply *said_at(const struct device *d, enum field f)
{
	for (size_t i = 0; i < d->n_ports; i++)
		for (unsigned k = 0; d->ports[i]->cells[f] && k < field_table[f].width; k++)
			if (port_cell(d->ports[i], f, k))
				return port_cell(d->ports[i], f, k)->reply;
	return device_cell(d, f, 0) ? device_cell(d, f, 0)->reply : NULL;
}

static bool is_alike(const struct device *a, const struct device *b)
{
	const char *of_a = device_text(a, FIELD_PLATFORM), *of_b = device_text(b, FIELD_PLATFORM);

	return of_a && of_b && !strcmp(of_a, of_b);
}

/* A reply that says this field of another port of the device, or of another device of its platform. */
static const struct reply *who_says(const struct model *m, const struct device *d, enum field f)
{
	const struct reply *r = said_at(d, f);

	for (size_t i = 0; !r && i < model_devices(m); i++)
		if (model_device(m, i) != d && is_alike(model_device(m, i), d))
			r = said_at(model_device(m, i), f);
	return r;
}

/* What is lacking, and which command would settle it. */
static void add_lacking(struct page *p, const struct model *m, const struct device *d, enum field f, int width)
{
	const struct reply *r = who_says(m, d, f);
	struct buf text = { 0 };

	if (r) {
		buf_printf(&text, "%s   (%s: as %s%s%s reports it)", r->command ? r->command : r->probe, r->probe,
			   r->device->name, r->subject ? " " : "", r->subject ? r->subject : "");
	} else {
		buf_printf(&text, "no output that was read reports it for any %s; ",
			   device_text(d, FIELD_PLATFORM) ? device_text(d, FIELD_PLATFORM) : "device");
		key_text(&text, "{devices} lists the probes, {refresh} polls again");
	}
	page_wrap(p, ROLE_IS_UNKNOWN, r ? "      verify with  " : "      ", text.text, width);
	buf_done(&text);
}

void explain_cell(struct page *p, const struct model *m, const char *device, const char *port, enum field f, unsigned index,
		  const struct cell *c, const char *note, int width)
{
	const struct device *d = model_find_device(m, device);

	add_fact(p, device, port, f, index, c, note);
	if (c)
		add_source(p, m, c, width);
	if (d && (!c || c->value.is != VALUE_KNOWN || cell_is_stale(m, c)))
		add_lacking(p, m, d, f, width);
}

/* What the verdict's numbers stand on: most are this house's own, and say so. */
static void add_limits(struct page *p, const char *names, int width)
{
	struct buf text = { 0 };

	glossary_limits(names, &text);
	page_wrap(p, ROLE_IS_MUTED, "  limits   ", text.text, width);
	buf_done(&text);
}

/* What is to be done where a device is not reached hangs on why it is not. */
static void add_to_do(struct page *p, const struct finding *f, int width)
{
	const char *error = f->device ? device_text(f->device, FIELD_ERROR) : NULL;
	struct buf text = { 0 };

	if (!error || !*error || f->verdict < VERDICT_LOOK || strcmp(f->check->id, "device-reached") != 0)
		return page_wrap(p, ROLE_IS_TEXT, "  to do    ", f->check->change, width);
	buf_str(&text, cause_of(f->device->name, error)->to_do);
	key_text(&text, strncmp(f->what, "retrying", 8) ? "; then {refresh} tries again" :
			"; retried automatically, at once with {refresh}");
	page_wrap(p, ROLE_IS_TEXT, "  to do    ", text.text, width);
	buf_done(&text);
}

void explain_words(struct page *p, const struct finding *f, int width)
{
	if (f->what[0])
		page_wrap(p, verdict_role(f->verdict), "  found    ", f->what, width);
	if (f->missing[0])
		page_wrap(p, ROLE_IS_UNKNOWN, "  lacks    ", f->missing, width);
	page_wrap(p, ROLE_IS_TEXT, "  meaning  ", f->check->why, width);
	add_to_do(p, f, width);
	if (f->check->limits)
		add_limits(p, f->check->limits, width);
}

/* The plan that fixes it; else who does. */
static void add_fix(struct page *p, const struct finding *f, int width)
{
	const struct fix *fix = f->verdict >= VERDICT_LOOK ? fix_find(f->check->id) : NULL;
	struct buf text = { 0 };

	if (fix && fix->fields) {
		key_text(&text, "{fix-this} makes the plan; or ");
		buf_printf(&text, "%s plan ", call_words());
		remedy_target(f, &text);
	} else if (fix && fix->instead) {
		buf_printf(&text, "manual; %s", fix->instead);
	}
	if (text.n)
		page_wrap(p, fix->fields ? ROLE_IS_LOOK : ROLE_IS_TEXT, "  fix      ", text.text, width);
	buf_done(&text);
}

void explain_finding(struct page *p, const struct view_of *of, const struct finding *f, bool with_commands, int width)
{
	const struct model *m = of->model;
	char since[HUMAN_MAX], age[HUMAN_MAX], last[HUMAN_MAX];

	page_add(p, verdict_role(f->verdict), "%s %s  %s: %s", verdict_sign(f->verdict), verdict_word(f->verdict), f->check->id,
		 f->check->title);
	page_add(p, ROLE_IS_TEXT, "  where    %s", f->where);
	explain_words(p, f, width);
	add_fix(p, f, width);
	if (with_commands)
		remedy_page(p, of, f, width);
	page_add(p, ROLE_IS_TEXT, "  since    %s, %s ago; seen %u time%s, last %s ago%s", human_date(since, f->first_us),
		 human_age(age, model_now(m) - f->first_us), f->seen, plural_s(f->seen), human_age(last, model_now(m) - f->last_us),
		 f->is_open ? "" : "; cleared");
	if (f->cause)
		page_add(p, ROLE_IS_LOOK, "  follows  from %s at %s", f->cause->check->id, f->cause->where);
	page_add(p, ROLE_IS_TEXT, " ");
	page_add(p, ROLE_IS_TITLE, "Evidence%s", f->n_evidence ? "" : ": none was kept");
	for (size_t i = 0; i < f->n_evidence; i++) {
		const struct evidence *e = &f->evidence[i];
		const struct device *device = e->port ? e->port->device : e->device;
		bool of_port = field_table[e->field].scope == SCOPE_PORT;

		if (device)
			explain_cell(p, m, device->name, of_port && e->port ? e->port->name : NULL, e->field, e->index,
				     cell_of(e), e->note, width);
	}
	page_add(p, ROLE_IS_MUTED, "Learn: fabcon explain %s", f->check->id);
}

void explain_consequences(struct page *p, const struct findings *all, const struct finding *f, int width)
{
	const struct finding *const *list;
	size_t n = findings_open(all, &list), told = 0;

	for (size_t i = 0; i < n; i++)
		told += finding_follows(list[i], f);
	if (!told)
		return;
	page_add(p, ROLE_IS_LOOK, "  explains %zu other%s, which close with it:", told, told == 1 ? "" : "s");
	for (size_t i = 0; i < n; i++) {
		char text[512];

		if (!finding_follows(list[i], f))
			continue;
		snprintf(text, sizeof(text), "%s at %s: %s", list[i]->check->id, list[i]->where, list[i]->what);
		page_wrap(p, ROLE_IS_TEXT, "           ", text, width);
	}
}

bool explain_raw(struct page *p, const struct finding *f)
{
	for (size_t i = 0; i < f->n_evidence; i++) {
		const struct cell *c = cell_of(&f->evidence[i]);

		if (c && c->reply->raw) {
			page_reply(p, c->reply, c->cite);
			return true;
		}
	}
	return false;
}

static void explain_end(struct page *p, const struct explained *of, const struct port *end, enum field f, unsigned first,
			unsigned last)
{
	page_add(p, ROLE_IS_TEXT, " ");
	if (!end) {
		page_add(p, ROLE_IS_UNKNOWN, "The far end of this link is not known: LLDP, MAC tables or a cable plan would identify it.");
		return;
	}
	for (unsigned i = first; i <= last; i++)
		if (i == first || port_cell(end, f, i))
			explain_cell(p, of->model, end->device->name, end->name, f, i, port_cell(end, f, i), NULL, of->width);
}

static bool is_about(const struct check *check, enum field f)
{
	size_t n = strlen(field_table[f].name);

	return !strncmp(check->fields, field_table[f].name, n) && (check->fields[n] == '\0' || check->fields[n] == '.');
}

static const struct finding *open_here(const struct explained *of, const struct check *check)
{
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list);

	for (size_t i = 0; i < n; i++)
		if (list[i]->check == check && list[i]->port &&
		    (list[i]->port == of->a || list[i]->port == of->b || (list[i]->far && list[i]->far == of->a)))
			return list[i];
	return NULL;
}

static void explain_checks(struct page *p, const struct explained *of, enum field f)
{
	struct buf quiet = { 0 };

	for (size_t i = 0; i < check_count; i++) {
		const struct finding *found = is_about(&check_table[i], f) ? open_here(of, &check_table[i]) : NULL;

		if (found) {
			page_add(p, ROLE_IS_TEXT, " ");
			page_add(p, verdict_role(found->verdict), "%s %s  %s: %s", verdict_sign(found->verdict),
				 verdict_word(found->verdict), found->check->id, found->check->title);
			explain_words(p, found, of->width);
		} else if (is_about(&check_table[i], f)) {
			buf_printf(&quiet, "%s%s", quiet.n ? ", " : "", check_table[i].id);
		}
	}
	page_add(p, ROLE_IS_TEXT, " ");
	if (quiet.n)
		page_wrap(p, ROLE_IS_MUTED, "also judged by, without a finding here: ", quiet.text, of->width);
	page_add(p, ROLE_IS_MUTED, quiet.n ? "fabcon explain ID describes each." : "No other check judges it.");
	buf_done(&quiet);
}

void explain_field(struct page *p, const struct explained *of, enum field f, unsigned first, unsigned last)
{
	page_wrap(p, ROLE_IS_TITLE, "", field_table[f].help, of->width);
	explain_end(p, of, of->a, f, first, last);
	explain_end(p, of, of->b, f, first, last);
	explain_checks(p, of, f);
}
