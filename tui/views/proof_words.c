#include "tui/views/proof_words.h"

#include <stdio.h>

#include "tui/views/explain.h"

const char *proof_words(const struct proof_step *s, char out[PROOF_WORDS_MAX])
{
	const char *word = s->verdict == VERDICT_NA ? "-" : s->verdict == VERDICT_UNKNOWN ? "?" : s->verdict == VERDICT_OK ? "yes" :
			   s->is_first_false ? "first mismatch" : "no";

	snprintf(out, PROOF_WORDS_MAX, "%s%s", word, s->given == PROOF_WOULD_BE && s->verdict != VERDICT_NA ? ", if fixed" : "");
	return out;
}

const struct cell *proof_cell(const struct evidence *e)
{
	if (e->port)
		return port_cell(e->port, e->field, e->index);
	return e->device ? device_cell(e->device, e->field, e->index) : NULL;
}

static enum role proof_role(const struct proof_step *s)
{
	if (s->verdict == VERDICT_NA || s->given == PROOF_WOULD_BE)
		return ROLE_IS_MUTED;
	return s->verdict == VERDICT_OK ? ROLE_IS_OK : s->verdict == VERDICT_UNKNOWN ? ROLE_IS_UNKNOWN : ROLE_IS_CRIT;
}

static const struct proof_step *first_unknown(const struct proof *p, const struct proof_path *path)
{
	for (size_t i = path->first; i < path->first + path->n; i++)
		if (p->steps[i].verdict == VERDICT_UNKNOWN)
			return &p->steps[i];
	return NULL;
}

void proof_end_words(const struct proof *p, const struct proof_path *path, struct buf *out)
{
	const struct proof_step *s = path->first_false == NO_STEP ? first_unknown(p, path) : &p->steps[path->first_false];

	if (path->verdict == VERDICT_OK)
		buf_str(out, "configured as required");
	else if (!s)
		buf_str(out, "nothing to prove");
	else if (path->verdict == VERDICT_FAIL)
		buf_printf(out, "first mismatch at \"%s\", %s %s: %s", s->name, s->at ? s->at->device->name : "?", s->at ? s->at->name : "?",
			   s->what);
	else
		buf_printf(out, "not known: %s (%s)%s", s->name, s->missing, path->n_unknown > 1 ? " and more" : "");
}

/* What was read of it; of a step that is not known, also what would tell. */
static void add_facts(struct page *page, const struct model *m, const struct proof_step *s, int width)
{
	bool is_told = false;

	for (size_t i = 0; i < s->n_evidence; i++) {
		const struct evidence *e = &s->evidence[i];

		const struct device *d = e->port ? e->port->device : e->device;

		is_told |= e->field == s->field && e->index == s->index;
		explain_cell(page, m, d->name, e->port ? e->port->name : NULL, e->field, e->index, proof_cell(e), e->note, width);
	}
	if (s->verdict != VERDICT_UNKNOWN)
		return;
	if (s->settle)
		page_wrap(page, ROLE_IS_UNKNOWN, "      verify with  ", s->settle, width);
	else if (!is_told && s->at && !port_cell(s->at, s->field, s->index))
		explain_cell(page, m, s->at->device->name, s->at->name, s->field, s->index, NULL, NULL, width);
}

static void add_step(struct page *page, const struct model *m, const struct proof_step *s, int width)
{
	char words[PROOF_WORDS_MAX], at[96];

	snprintf(at, sizeof(at), "%.40s %.40s", s->at ? s->at->device->name : "far end", s->at ? s->at->name : "?");
	page_add(page, proof_role(s), "%-15s %-15s %-26s %s%s%s", proof_words(s, words), s->name, at, s->in,
		 s->in[0] && s->out[0] ? " -> " : "", s->out);
	if (s->what[0])
		page_wrap(page, s->verdict == VERDICT_FAIL ? ROLE_IS_CRIT : ROLE_IS_TEXT, "  found   ", s->what, width);
	if (s->missing[0])
		page_wrap(page, ROLE_IS_UNKNOWN, "  missing ", s->missing, width);
	page_wrap(page, ROLE_IS_MUTED, "  rule    ", s->rule, width);
	add_facts(page, m, s, width);
}

static void add_path(struct page *page, const struct model *m, const struct proof *p, const struct proof_path *path, int width)
{
	struct buf ends = { 0 }, words = { 0 };

	proof_ends(path, &ends);
	proof_end_words(p, path, &words);
	page_add(page, ROLE_IS_TITLE, "%s, %s", path->title, ends.text);
	page_wrap(page, path->verdict == VERDICT_NA ? ROLE_IS_MUTED : verdict_role(path->verdict), "", words.text, width);
	for (size_t i = path->first; i < path->first + path->n; i++)
		add_step(page, m, &p->steps[i], width);
	page_add(page, ROLE_IS_TEXT, " ");
	buf_done(&ends);
	buf_done(&words);
}

void proof_page(struct page *page, const struct model *m, const struct proof *p, int width)
{
	page_begin(page, "Proof of %s", p->link->name);
	if (p->why)
		page_add(page, ROLE_IS_UNKNOWN, "Nothing verified: %s.", p->why);
	for (size_t i = 0; i < PROOF_PATHS && !p->why; i++)
		if (p->paths[i].n)
			add_path(page, m, p, &p->paths[i], width);
	page_add(page, ROLE_IS_MUTED, "fabcon prove %s:%s prints this; steps after the first mismatch show what would follow if it "
				      "were fixed.",
		 p->link->a->device->name, p->link->a->name);
}
