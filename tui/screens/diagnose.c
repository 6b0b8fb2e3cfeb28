/* Diagnose: the way through the decision tree, why each question is answered as it is, and the causes so far. */
#include <stdio.h>
#include <stdlib.h>

#include "core/diagnose/verify.h"
#include "tui/screens/diagnosis_view.h"
#include "tui/screens/screen.h"
#include "tui/text/human.h"
#include "tui/views/diagnosis_document.h"
#include "tui/views/explain.h"

enum { COLUMN_SIGN, COLUMN_ID, COLUMN_QUESTION, COLUMN_ANSWER, COLUMN_BY, COLUMN_WHAT, COLUMNS };

static const struct column columns[COLUMNS] = {
	[COLUMN_SIGN]	  = { .name = "sign", .title = "", .width = 1 },
	[COLUMN_ID]	  = { .name = "id", .title = "ID", .width = 8, .priority = 1 },
	[COLUMN_QUESTION] = { .name = "question", .title = "QUESTION", .width = 24, .grow = 6 },
	[COLUMN_ANSWER]	  = { .name = "answer", .title = "ANSWER", .width = 10 },
	[COLUMN_BY]	  = { .name = "by", .title = "BY", .width = 8, .priority = 2 },
	[COLUMN_WHAT]	  = { .name = "what", .title = "WHAT", .width = 20, .grow = 3, .priority = 3 },
};

static bool ends_here(const struct diagnosis *d, size_t step)
{
	return step + 1 == d->n_steps && d->leaf && d->leaf->causes;
}

static enum role role_of(const struct diagnosis *d, size_t row)
{
	const struct step *s = &d->steps[row];

	if (answer_is_open(s->answer))
		return s->answer == ANSWER_UNREPORTED ? ROLE_IS_MUTED : ROLE_IS_UNKNOWN;
	return ends_here(d, row) ? ROLE_IS_CRIT : s->is_passed ? ROLE_IS_WARN : ROLE_IS_TEXT;
}

static const char *sign_of(const struct diagnosis *d, size_t row)
{
	const struct step *s = &d->steps[row];

	if (answer_is_open(s->answer))
		return s->answer == ANSWER_UNREPORTED ? "_" : "?";
	return ends_here(d, row) ? "!" : s->is_passed ? "~" : ".";
}

static void cell(const void *ctx, size_t row, size_t column, struct cell_view *out)
{
	const struct diagnosis *d = ctx;
	const struct step *s = &d->steps[row];
	const struct asking *a = &s->asked;
	bool is_open = answer_is_open(s->answer);

	out->role = role_of(d, row);
	switch (column) {
	case COLUMN_SIGN:
		snprintf(out->text, sizeof(out->text), "%s", sign_of(d, row));
		break;
	case COLUMN_ID:
		snprintf(out->text, sizeof(out->text), "%s", a->question->id);
		break;
	case COLUMN_QUESTION:
		snprintf(out->text, sizeof(out->text), "%s", a->question->text);
		break;
	case COLUMN_ANSWER:
		snprintf(out->text, sizeof(out->text), "%s", step_word(s));
		break;
	case COLUMN_BY:
		snprintf(out->text, sizeof(out->text), "%s", is_open ? "" : s->by);
		break;
	default:
		snprintf(out->text, sizeof(out->text), "%s", is_open ? a->missing : s->reason && *s->reason ? s->reason : a->what);
	}
}

static uint64_t key_of_row(const void *ctx, size_t row)
{
	return table_key(((const struct diagnosis *)ctx)->steps[row].asked.question->id);
}

/* The cursor is on the question where the way ends, for that is why; until somebody moves it. */
static void follow_end(struct table *t, struct diagnose_view *about, const struct diagnosis *d)
{
	uint64_t last = d->n_steps ? key_of_row(d, d->n_steps - 1) : 0;

	if (t->cursor_key == about->last && t->cursor_key != last) {
		t->cursor_key = last;
		t->is_ordered = false;
	}
	about->last = last;
}

static void source(const struct view_of *of, struct views *v, struct table_source *s)
{
	const struct diagnosis *d = diagnose_now(of, v);

	follow_end(&v->tables[SCREEN_DIAGNOSE], diagnosis_of(v), d);
	*s = (struct table_source){ .columns = columns, .n_columns = COLUMNS, .n_rows = d->n_steps, .ctx = d, .key = key_of_row,
				    .cell = cell, .serial = of->serial + diagnosis_of(v)->n_given, .empty = "The tree has no questions." };
}

static const struct step *cursor_step(const struct diagnosis *d, const struct table *t)
{
	size_t row;

	return table_cursor(t, &row) && row < d->n_steps ? &d->steps[row] : NULL;
}

/* Where the answer was read, when that is one place. */
static void find_place(const struct asking *a, struct subject *s)
{
	for (size_t i = 0; i < a->n_evidence; i++) {
		const struct evidence *e = &a->evidence[i];
		const struct device *d = e->port ? e->port->device : e->device;

		if (!d)
			continue;
		if (s->device && s->device != d) {
			s->device = NULL;
			s->port = NULL;
			return;
		}
		s->port = !s->device || s->port == e->port ? e->port : NULL;
		s->device = d;
	}
}

/* What a question's answer stands on: its finding, else the device or port that was read for it, else what is diagnosed. */
static struct subject subject(const struct view_of *of, struct views *v, size_t row)
{
	const struct diagnosis *d = diagnose_now(of, v);
	const struct asking *a;
	struct subject s = { .places = 1, .is_part = true };

	if (!views_row(&v->tables[SCREEN_DIAGNOSE], d->n_steps, &row))
		return subject_none("There is no question under the cursor.");
	a = &d->steps[row].asked;
	s.finding = a->finding;
	s.device = a->finding ? a->finding->device : NULL;
	s.port = a->finding ? a->finding->port : NULL;
	if (!s.device)
		find_place(a, &s);
	if (!s.device) {	/* then what is diagnosed, where that is not all */
		s.device = d->of.device;
		s.port = d->of.port;
	}
	s.link = s.port ? links_of_port(of->links, s.port) : NULL;
	if (!s.finding && !s.device)
		s.none = "This answer is not based on a single device or link: select a question that is.";
	snprintf(s.name, sizeof(s.name), "%s", a->question->id);
	return s;
}

/* -- why -- */

static const struct cell *cell_of(const struct evidence *e)
{
	return fact_cell(e->device, e->port, e->field, e->index);
}

static void add_evidence(struct page *p, const struct model *m, const struct asking *a, int width)
{
	for (size_t i = 0; i < a->n_evidence; i++) {
		const struct evidence *e = &a->evidence[i];
		const struct device *d = e->port ? e->port->device : e->device;
		bool of_port = field_table[e->field].scope == SCOPE_PORT && e->port;

		if (d)
			explain_cell(p, m, d->name, of_port ? e->port->name : NULL, e->field, e->index, cell_of(e), e->note, width);
	}
}

static void add_why(struct page *p, const struct model *m, const struct step *s, int width)
{
	const struct asking *a = &s->asked;
	char answer[200];

	page_wrap(p, ROLE_IS_TITLE, "", a->question->text, width);
	snprintf(answer, sizeof(answer), "%s, by %s%s%s", step_word(s), s->by, s->reason && *s->reason ? ": " : "", s->reason ? s->reason : "");
	page_wrap(p, answer_is_open(s->answer) ? ROLE_IS_UNKNOWN : ROLE_IS_TEXT, "  answer   ", answer, width);
	if (strcmp(s->by, "evidence") != 0)
		page_wrap(p, ROLE_IS_LOOK, "  evidence has ", answer_word(a->answer), width);
	if (*a->what)
		page_wrap(p, ROLE_IS_TEXT, "  because  ", a->what, width);
	if (*a->missing)
		page_wrap(p, ROLE_IS_UNKNOWN, "  missing  ", a->missing, width);
	if (answer_is_open(s->answer))
		page_wrap(p, ROLE_IS_UNKNOWN, "  settle   ", a->question->settle, width);
	if (a->finding)
		page_add(p, ROLE_IS_TEXT, "  check    %s; %u more finding%s give%s the same answer", a->finding->check->id, a->others,
			 plural_s(a->others), a->others == 1 ? "s" : "");
	add_evidence(p, m, a, width);
	page_wrap(p, ROLE_IS_MUTED, "  needs    ", a->question->needs, width);
	page_wrap(p, ROLE_IS_MUTED, "  wrong if ", a->question->wrong_if, width);
	page_wrap(p, ROLE_IS_MUTED, "  from     ", a->question->source, width);
}

/* -- verdict -- */

static size_t count_notes(const struct suspect *s, enum note_is is)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_notes; i++)
		n += s->notes[i].is == is;
	return n;
}

/* In the words of fabcon diagnose and of the report. */
static void add_acquittal(struct page *p, const struct acquittal *a, int width)
{
	static const enum role roles[] = {
		[ACQUITTAL_NOT_KNOWN] = ROLE_IS_UNKNOWN, [ACQUITTAL_CAUSE] = ROLE_IS_CRIT, [ACQUITTAL_NETWORK] = ROLE_IS_OK,
	};
	struct buf says = { 0 };

	acquittal_words(a, &says);
	page_wrap(p, roles[a->is], " ", says.text, width);
	buf_done(&says);
}

static void add_lacks(struct page *p, const struct acquittal *a)
{
	for (size_t i = 0; a->is == ACQUITTAL_NOT_KNOWN && i < a->n_lacks; i++) {
		const struct lacking *l = &a->lacks[i];

		page_add(p, ROLE_IS_UNKNOWN, " open: %s at %s%s: %s; read by: %s", l->key, l->where, l->places > 1 ? " and others" : "", l->what,
			 l->settle);
	}
}

/* The one measurement between the first two causes, where there are commands for it. */
static void add_split(struct page *p, const struct diagnosis *d)
{
	struct buf command = { NULL };

	if (d->split.question)
		verify_question(d, d->split.asked, &command);
	if (command.n)
		page_add(p, ROLE_IS_UNKNOWN, " To tell the first two apart: %s", command.text);
	buf_done(&command);
}

static void add_verdict(struct page *p, const struct diagnose_view *about, int width)
{
	const struct diagnosis *d = &about->diagnosis;

	add_acquittal(p, &about->acquittal, width);
	if (d->leaf)
		page_add(p, d->leaf->causes ? ROLE_IS_CRIT : ROLE_IS_TEXT, " = %s: %s", d->leaf->id, d->leaf->text);
	for (size_t i = 0; i < d->n_suspects; i++) {
		const struct suspect *s = &d->suspects[i];

		page_add(p, i || !s->is_named ? ROLE_IS_TEXT : ROLE_IS_CRIT, " %zu %s%s at %s: %s; score %d, %zu for, %zu against", i + 1,
			 s->is_named ? "" : "not excluded: ", s->cause->id, s->where,
			 s->cause->title, s->score, count_notes(s, NOTE_FOR), count_notes(s, NOTE_AGAINST));
		page_add(p, ROLE_IS_MUTED, "   do: %s", s->cause->change);
	}
	add_lacks(p, &about->acquittal);
	add_split(p, d);
}

/* -- drawing -- */

/* A page's first lines, anywhere. */
static void draw_lines(const struct draw *d, int y, int x, int width, int rows, const char *title, const struct page *p)
{
	draw_rule(d, y, x, width, title);
	for (int i = 0; i < rows - 1 && (size_t)i < p->n; i++)
		draw_text(d, y + 1 + i, x, width, p->lines[i].role, p->lines[i].text);
}

static void draw_why(const struct draw *d, int y, int x, int width, int rows, const struct view_of *of, const struct step *s)
{
	struct page p = { .title = "" };
	char title[40];

	if (!s || rows < 2)
		return;
	page_begin(&p, "Why");
	add_why(&p, of->model, s, width);
	snprintf(title, sizeof(title), "Why: %s", s->asked.question->id);
	draw_lines(d, y, x, width, rows, title, &p);
	page_done(&p);
}

static void draw_verdict(const struct draw *d, int y, int rows, const struct diagnose_view *about)
{
	struct page p = { .title = "" };

	page_begin(&p, "Verdict");
	add_verdict(&p, about, d->cols);
	draw_lines(d, y, 0, d->cols, rows, "Verdict so far", &p);
	page_done(&p);
}

static void draw_scope(const struct draw *d, int y, const struct diagnose_view *about)
{
	const struct diagnosis *diagnosis = &about->diagnosis;
	size_t open = 0, unreported = 0;

	for (size_t i = 0; i < diagnosis->n_steps; i++) {
		open += diagnosis->steps[i].answer == ANSWER_UNKNOWN;
		unreported += diagnosis->steps[i].answer == ANSWER_UNREPORTED;
	}
	draw_printf(d, y, 1, d->cols - 1, ROLE_IS_MUTED, "tree %s   about %s%s%s   %zu questions, %zu open, %zu unreported%s",
		    diagnosis->of.tree->name, *about->device ? about->device : "all", *about->port ? ":" : "", about->port,
		    diagnosis->n_steps, open, unreported, about->n_given ? ", some answered by you" : "");
}

#define SIDE_COLS	110	/* from here on the why stands beside the way */

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	struct table *t = &v->tables[SCREEN_DIAGNOSE];
	const struct diagnosis *diagnosis = diagnose_now(of, v);
	int verdict = rows >= 26 ? 9 : rows >= 16 ? 6 : rows >= 10 ? 4 : 0, body = rows - verdict - 1;
	bool is_beside = d->cols >= SIDE_COLS && !d->lines;
	int why = is_beside ? 0 : body >= 14 ? body / 3 : 0;
	struct draw left = *d;
	struct table_source s;

	source(of, v, &s);
	draw_scope(d, y, diagnosis_of(v));
	if (is_beside)
		left.cols = d->cols * 60 / 100;
	table_draw(t, &s, &left, y + 1, body - why);
	if (is_beside)
		draw_why(d, y + 1, left.cols + 1, d->cols - left.cols - 1, body, of, cursor_step(diagnosis, t));
	else if (why)
		draw_why(d, y + 1 + body - why, 0, d->cols, why, of, cursor_step(diagnosis, t));
	if (verdict)
		draw_verdict(d, y + rows - verdict, verdict, diagnosis_of(v));
}

/* -- keys -- */

static struct intent say(const char *text)
{
	return (struct intent){ .is = INTENT_SAY, .text = text };
}

static struct intent explain_step(const struct view_of *of, struct views *v, const struct step *s,
				  struct page *page)
{
	page_begin(page, "Why: %s", s->asked.question->id);
	add_why(page, of->model, s, views_width(v));
	page_add(page, ROLE_IS_TEXT, " ");
	page_add(page, ROLE_IS_TITLE, "Verdict so far");
	add_verdict(page, diagnosis_of(v), views_width(v));
	return (struct intent){ .is = INTENT_PAGE };
}

static struct intent raw_of_step(const struct step *s, struct page *page)
{
	for (size_t i = 0; i < s->asked.n_evidence; i++) {
		const struct cell *c = cell_of(&s->asked.evidence[i]);

		if (!c || !c->reply->raw)
			continue;
		page_begin(page, "%s", c->reply->command ? c->reply->command : c->reply->probe);
		page_reply(page, c->reply, c->cite);
		return (struct intent){ .is = INTENT_PAGE };
	}
	return say("No raw reply behind this answer was kept.");
}

/* To where the answer's evidence is: its link, else its device. */
static struct intent open_step(const struct view_of *of, struct views *v, const struct step *s, struct page *page)
{
	for (size_t i = 0; i < s->asked.n_evidence; i++) {
		const struct port *p = s->asked.evidence[i].port;

		if (!p || !links_of_port(of->links, p))
			continue;
		v->subject = p;
		return (struct intent){ .is = INTENT_GO, .screen = SCREEN_DETAIL };
	}
	return explain_step(of, v, s, page);
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	const struct diagnosis *d = diagnose_now(of, v);
	struct diagnose_view *about = diagnosis_of(v);
	const struct step *s = cursor_step(d, &v->tables[SCREEN_DIAGNOSE]);

	switch (command) {
	case DO_REFRESH:
		return (struct intent){ .is = INTENT_REFRESH, .device = *about->device ? about->device : NULL };
	case DO_UNDO:
		return (struct intent){ .is = INTENT_UNGIVE };
	case DO_ABOUT_ALL:
		if (*about->device)
			about->device[0] = about->port[0] = '\0';
		else
			about->is_seed = !about->is_seed;
		about->is_made = false;
		v->tables[SCREEN_DIAGNOSE].cursor_key = about->last;
		v->tables[SCREEN_DIAGNOSE].is_ordered = false;
		return (struct intent){ .is = INTENT_DONE };
	default:
		break;
	}
	if (!s)
		return (struct intent){ .is = INTENT_NONE };
	switch (command) {
	case DO_OPEN:
		return open_step(of, v, s, page);
	case DO_EXPLAIN:
		return explain_step(of, v, s, page);
	case DO_RAW:
		return raw_of_step(s, page);
	case DO_ACK:
		snprintf(about->answering, sizeof(about->answering), "%s", s->asked.question->id);
		return (struct intent){ .is = INTENT_GIVE };
	default:
		return (struct intent){ .is = INTENT_NONE };
	}
}

static void forget(void *own)
{
	diagnose_forget(own);
}

const struct screen screen_diagnose = {
	.source = source, .draw = draw, .key = key,
	.subject = subject, .forget = forget, .done = forget };
