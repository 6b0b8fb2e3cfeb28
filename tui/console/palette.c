#include "tui/console/palette.h"

#include <stdio.h>
#include <stdlib.h>

#include "tui/console/verbs.h"
#include "tui/text/fuzzy.h"
#include "tui/widgets/bind.h"

#define ROWS_MOST 12
#define HELP_COLUMN 40
#define HERE	10000	/* what does something on this screen, before all that does not */
/* Of fuzzy_fit(), from where on a row is taken without being chosen: what was typed begins a word of it, or the row itself. */
#define BEGINS_WORD	300
#define BEGINS		400
#define WHOLE		500
#define EXACT	100000	/* and before both what was typed in full */

void palette_done(struct palette *p)
{
	free(p->offers);
	memset(p, 0, sizeof(*p));
}

/* The best few are kept in their order: a fabric has thousands of ports. */
static void keep(struct palette *p, const struct offer *o)
{
	size_t at = p->n;

	p->n_all++;
	while (at && p->offers[at - 1].fit < o->fit)
		at--;
	if (at == OFFERS_MAX)
		return;
	if (!p->offers)
		p->offers = xcalloc(OFFERS_MAX, sizeof(*p->offers));
	if (p->n < OFFERS_MAX)
		p->n++;
	memmove(p->offers + at + 1, p->offers + at, (p->n - 1 - at) * sizeof(*p->offers));
	p->offers[at] = *o;
}

/* -- commands -- */

/* How well letters fit a command's name; a screen has three. */
static unsigned fit_of_name(const struct key *k, struct span letters)
{
	unsigned fit = fuzzy_fit(letters, k->name), title, brief;

	if (k->group != KEYS_GO)
		return fit;
	title = fuzzy_fit(letters, screen_names[k->to].title);
	brief = fuzzy_fit(letters, screen_names[k->to].brief);
	fit = title > fit ? title : fit;
	return brief > fit ? brief : fit;
}

/* Every word typed must be in the name or the help; in the name counts for more. */
static unsigned fit_of(const struct key *k, struct span typed)
{
	struct span word, rest = typed;
	unsigned fit = fit_of_name(k, typed) * 2;

	if (k == key_named(typed))
		return EXACT;
	if (fit || !typed.n)
		return fit + 1;
	while (span_word(&rest, &word)) {
		unsigned in_name = fit_of_name(k, word), in_help = fuzzy_fit(word, k->help);

		/* Scattered letters are found in any sentence. */
		if (!in_name && in_help < 200)
			return 0;
		fit += in_name ? in_name : in_help / 4;
	}
	return fit;
}

static void offer_commands(struct palette *p, const struct stage *s, struct span typed)
{
	enum screen_id here = s->has_page ? SCREEN_PAGE : s->screen;

	for (size_t i = 0; i < key_count; i++) {
		const struct key *k = &key_table[i];
		const struct verb *verb = verb_of(k->command);
		struct offer o = { .help = k->help, .is_here = k->screens >> here & 1 || verb,
				   .is_meant = typed.n && fit_of_name(k, typed) >= BEGINS_WORD };

		o.fit = fit_of(k, typed);
		if (!o.fit || (k->command == DO_PROMPT && !typed.n))
			continue;
		o.fit += o.is_here ? HERE : 0;
		snprintf(o.line, sizeof(o.line), "%s", k->name);
		snprintf(o.key, sizeof(o.key), "%s", key_show(k));
		o.takes = verb ? verb->takes : NULL;
		keep(p, &o);
	}
}

/* -- words behind a command -- */

struct offering {
	struct palette *p;
	const char *command;
	struct span typed;
};

static void offer_word(void *ctx, const char *word, const char *help)
{
	struct offering *f = ctx;
	struct offer o = { .is_here = true };

	o.fit = fuzzy_fit(f->typed, word);
	o.is_meant = o.fit >= BEGINS;
	if (!o.fit)
		return;
	snprintf(o.line, sizeof(o.line), "%s %s", f->command, word);
	snprintf(o.text, sizeof(o.text), "%s", help);
	keep(f->p, &o);
}

/* Free words are taken as they stand: they come first, and what is offered only completes the last of them. */
static void offer_words(struct palette *p, const struct stage *s, const struct view_of *of, const struct key *k,
			const struct verb *verb, struct span typed)
{
	struct offer as_typed = { .fit = 1000, .is_here = true, .is_meant = true, .help = k->help };
	char *before = xstrdup(k->name);
	struct span head, tail = typed;

	if (verb->is_free && typed.n) {
		snprintf(as_typed.line, sizeof(as_typed.line), "%s %.*s", k->name, (int)typed.n, typed.p);
		keep(p, &as_typed);
	}
	if (verb->is_free && span_cut_last(typed, ' ', &head, &tail)) {
		free(before);
		before = xasprintf("%s %.*s", k->name, (int)head.n, head.p);
	}
	if (verb->each)
		verb->each(s, of, offer_word, &(struct offering){ p, before, tail });
	free(before);
}

void palette_update(struct palette *p, const struct stage *s, const struct view_of *of, const char *typed)
{
	struct span all = span_of(typed), rest = all, name;
	const struct key *k = NULL;

	if (p->is_made && !strcmp(p->typed, typed))
		return;
	p->n = p->n_all = p->at = 0;
	p->is_made = true;
	snprintf(p->typed, sizeof(p->typed), "%s", typed);
	if (span_word(&rest, &name) && rest.n)
		k = key_named(name);
	if (k && verb_of(k->command))
		offer_words(p, s, of, k, verb_of(k->command), span_trim(rest));
	else
		offer_commands(p, s, span_trim(all));
	p->is_chosen = p->n && p->offers[0].is_meant;
	/* Of several words that begin so, none is meant; one that stands there in full is. */
	if (k && p->n > 1 && p->offers[0].fit == BEGINS && p->offers[1].fit == BEGINS)
		p->is_chosen = false;
}

void palette_move(struct palette *p, int by)
{
	if (p->n && (p->is_chosen || by < 0))
		p->at = (p->at + p->n + (size_t)by) % p->n;
	p->is_chosen = true;
}

const char *palette_line(const struct palette *p)
{
	return p->is_chosen && p->at < p->n ? p->offers[p->at].line : NULL;
}

const char *palette_completion(struct palette *p, const char *typed)
{
	struct offer *o;

	if (p->at >= p->n)
		return typed;
	if (!strcmp(p->offers[p->at].line, typed))
		palette_move(p, 1);
	o = &p->offers[p->at];
	if (o->takes && !strchr(o->line, ' '))
		strcat(o->line, " ");
	return o->line;
}

const char *palette_nearest(struct span word)
{
	char typed[64];
	struct fuzzy_nearest nearest = { .typed = typed };

	snprintf(typed, sizeof(typed), "%.*s", (int)(word.n < sizeof(typed) ? word.n : sizeof(typed) - 1), word.p);
	for (size_t i = 0; i < key_count; i++)
		fuzzy_try(&nearest, key_table[i].name);
	return nearest.word;
}

/* -- drawing -- */

static void draw_offer(const struct draw *d, int y, const struct offer *o, bool is_chosen)
{
	enum role role = o->is_here ? ROLE_IS_TEXT : ROLE_IS_MUTED;
	int key = d->cols >= 60 ? 12 : 0, help = d->cols >= 60 ? HELP_COLUMN : 24;
	char line[OFFER_MAX + 64];

	draw_blank(d, y, 0, d->cols);
	snprintf(line, sizeof(line), "%s%s%s", o->line, o->takes ? " " : "", o->takes ? o->takes : "");
	draw_text(d, y, 0, 1, ROLE_IS_TEXT, is_chosen ? ">" : " ");
	if (key)
		draw_text(d, y, 2, key - 1, ROLE_IS_KEY, o->key);
	draw_text(d, y, 2 + key, help - key - 3, role, line);
	if (!o->is_here)
		draw_printf(d, y, help, d->cols - help, role, "not on this screen: %s", o->help);
	else
		draw_text(d, y, help, d->cols - help, role, o->help ? o->help : o->text);
	if (is_chosen)
		draw_restyle(d, y, 0, d->cols, ROLE_IS_CURSOR);
}

void palette_draw(const struct palette *p, const struct draw *d)
{
	int most = d->rows / 2 < ROWS_MOST ? d->rows / 2 : ROWS_MOST, rows = p->n < (size_t)most ? (int)p->n : most;
	size_t top = p->at >= (size_t)rows ? p->at - (size_t)rows + 1 : 0;
	int y = d->rows - 1 - rows;
	char title[80];

	if (d->rows < 8)
		return;
	snprintf(title, sizeof(title), !p->n ? "Nothing fits" : p->is_chosen ? "%zu: Tab completes, Up Down choose, Enter takes" :
		 "%zu: Tab completes, Up Down choose", p->n_all);
	draw_rule(d, y - 1, 0, d->cols, title);
	for (int i = 0; i < rows; i++)
		draw_offer(d, y + i, &p->offers[top + (size_t)i], p->is_chosen && top + (size_t)i == p->at);
}
