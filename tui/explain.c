#include "tui/explain.h"

#include <stdio.h>

#include "tui/human.h"

static const struct cell *cell_of(const struct evidence *e)
{
	if (field_table[e->field].scope == SCOPE_DEVICE)
		return e->device ? device_cell(e->device, e->field, e->index) : NULL;
	return e->port ? port_cell(e->port, e->field, e->index) : NULL;
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
		buf_printf(&text, "%s %s%s%s[%u]: nobody says it", device, port ? port : "", port ? " " : "",
			   field_table[f].name, index);
	page_add(p, c && c->value.is == VALUE_KNOWN ? ROLE_IS_TEXT : ROLE_IS_UNKNOWN, "  %s%s%s", text.text,
		 note && *note ? "   " : "", note ? note : "");
	buf_done(&text);
}

static void add_source(struct page *p, const struct model *m, const struct cell *c, int width)
{
	char age[HUMAN_MAX], said[HUMAN_MAX], since[HUMAN_MAX];
	const struct reply *r = c->reply;
	unsigned number = 0;
	struct span line = cell_line(c, &number);

	page_add(p, cell_is_stale(m, c) ? ROLE_IS_UNKNOWN : ROLE_IS_MUTED, "      %s old%s, said %s by %s; so since %s",
		 human_age(age, cell_age_us(m, c)), cell_is_stale(m, c) ? " (too old: not known now)" : "",
		 human_time(said, r->at_us), r->probe, human_date(since, c->since_us));
	if (r->command)
		page_wrap(p, ROLE_IS_MUTED, "      command   ", r->command, width);
	if (line.n)
		page_add(p, ROLE_IS_MUTED, "      line %-4u %.*s", number, (int)(line.n < 400 ? line.n : 400), line.p);
	if (c->value.is_unproven)
		page_add(p, ROLE_IS_UNKNOWN, "      read from a layout that no published output confirms");
	if (c->other)
		page_add(p, ROLE_IS_WARN, "      %s says otherwise", c->other->reply->probe);
}

void explain_cell(struct page *p, const struct model *m, const char *device, const char *port, enum field f, unsigned index,
		  const struct cell *c, const char *note, int width)
{
	add_fact(p, device, port, f, index, c, note);
	if (c)
		add_source(p, m, c, width);
}

void explain_words(struct page *p, const struct finding *f, int width)
{
	if (f->what[0])
		page_wrap(p, verdict_role(f->verdict), "  found    ", f->what, width);
	if (f->missing[0])
		page_wrap(p, ROLE_IS_UNKNOWN, "  lacks    ", f->missing, width);
	page_wrap(p, ROLE_IS_TEXT, "  why      ", f->check->why, width);
	page_wrap(p, ROLE_IS_TEXT, "  to do    ", f->check->change, width);
}

void explain_finding(struct page *p, const struct model *m, const struct finding *f, int width)
{
	char since[HUMAN_MAX], age[HUMAN_MAX], last[HUMAN_MAX];

	page_add(p, verdict_role(f->verdict), "%s %s  %s", verdict_sign(f->verdict), verdict_word(f->verdict), f->check->id);
	page_add(p, ROLE_IS_TEXT, "  where    %s", f->where);
	page_wrap(p, ROLE_IS_TEXT, "  rule     ", f->check->title, width);
	explain_words(p, f, width);
	page_add(p, ROLE_IS_TEXT, "  since    %s, %s ago; seen %u times, last %s ago%s", human_date(since, f->first_us),
		 human_age(age, model_now(m) - f->first_us), f->seen, human_age(last, model_now(m) - f->last_us),
		 f->is_open ? "" : "; right again");
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
}

void explain_consequences(struct page *p, const struct findings *all, const struct finding *f, int width)
{
	const struct finding *const *list;
	size_t n = findings_open(all, &list), told = 0;

	for (size_t i = 0; i < n; i++)
		told += list[i]->cause == f;
	if (!told)
		return;
	page_add(p, ROLE_IS_LOOK, "  explains %zu other%s, gone when it is gone:", told, told == 1 ? "" : "s");
	for (size_t i = 0; i < n; i++) {
		char text[512];

		if (list[i]->cause != f)
			continue;
		snprintf(text, sizeof(text), "%s at %s: %s", list[i]->check->id, list[i]->where,
			 list[i]->verdict == VERDICT_UNKNOWN ? list[i]->missing : list[i]->what);
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
