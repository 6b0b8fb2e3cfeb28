#include "tui/screens/proof_pane.h"

#include "tui/views/proof_words.h"

/* NULL: no link is chosen. Made anew for each change: what it lends may be gone by then. */
static const struct proof *proof_of(const struct view_of *of, const struct views *v, struct proof_pane *pane)
{
	const struct link *link = views_link(of, v);

	if (!link)
		return NULL;
	if (pane->of == link->a && pane->model == of->model && pane->serial == of->serial)
		return &pane->proof;
	proof_done(&pane->proof);
	proof_make(&pane->proof, &(struct proof_of){ of->model, of->links, of->policy, of->inventory }, link);
	pane->of = link->a;
	pane->model = of->model;
	pane->serial = of->serial;
	return &pane->proof;
}

/* The steps, the first false one in its colour, and those that only would be behind it. */
static void draw_steps(const struct draw *d, int y, int x, const char *line, enum role role)
{
	size_t before = strcspn(line, "["), false_step = line[before] ? strcspn(line + before, "]") + 1 : 0;

	x += draw_printf(d, y, x, d->cols - x, role, "%.*s", (int)before, line);
	if (!false_step)
		return;
	x += draw_printf(d, y, x, d->cols - x, ROLE_IS_CRIT, "%.*s", (int)false_step, line + before);
	draw_text(d, y, x, d->cols - x, ROLE_IS_MUTED, line + before + false_step);
}

static void draw_path(const struct draw *d, int y, const struct proof *p, enum proof_path_is is, bool has_keys)
{
	const struct proof_path *path = &p->paths[is];
	enum verdict verdict = path->verdict;
	struct buf line = { 0 };
	int x = 1;

	proof_line(p, path, &line);
	x += draw_printf(d, y, x, d->cols - x, verdict == VERDICT_OK ? ROLE_IS_OK : verdict_role(verdict), "%s%s ",
			 verdict == VERDICT_OK ? "ok" : verdict_sign(verdict), verdict == VERDICT_OK ? "" : " ");
	x += draw_printf(d, y, x, d->cols - x, has_keys ? ROLE_IS_TITLE : ROLE_IS_MUTED, "%s %s ", path->title,
			 is == PROOF_DATA_OUT || is == PROOF_CNP_OUT ? ">" : "<");
	draw_steps(d, y, x, line.text ? line.text : "", verdict == VERDICT_UNKNOWN ? ROLE_IS_UNKNOWN : ROLE_IS_TEXT);
	buf_done(&line);
}

/* Where there is no room for all: both ways of the data, then what of the CNPs is worse. */
static bool is_left_out(const struct proof *p, enum proof_path_is is, int rows)
{
	bool in_is_worse = p->paths[PROOF_CNP_IN].verdict > p->paths[PROOF_CNP_OUT].verdict;

	if (!p->paths[is].n)
		return true;
	return rows < PROOF_PATHS && is >= PROOF_CNP_OUT && is != (in_is_worse ? PROOF_CNP_IN : PROOF_CNP_OUT);
}

int proofpane_draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v, struct proof_pane *pane)
{
	const struct proof *p = proof_of(of, v, pane);
	int used = 0;

	pane->is_shown = p && rows > 0 && !p->why;
	if (!pane->is_shown)
		pane->has_keys = false;
	if (p && rows > 0 && p->why) {
		draw_printf(d, y, 1, d->cols - 1, ROLE_IS_MUTED, "No proof: %s.", p->why);
		return 1;
	}
	for (unsigned is = 0; pane->is_shown && is < PROOF_PATHS && used < rows; is++)
		if (!is_left_out(p, (enum proof_path_is)is, rows))
			draw_path(d, y + used++, p, (enum proof_path_is)is, pane->has_keys);
	return used;
}

bool proofpane_next(struct proof_pane *pane, int by)
{
	bool had_keys = pane->has_keys;

	pane->has_keys = !had_keys && by > 0 && pane->is_shown;
	return pane->has_keys || (had_keys && by < 0);
}

static struct intent first_false_reply(const struct proof *p, struct page *page)
{
	for (size_t i = 0; i < PROOF_PATHS; i++) {
		const struct proof_step *s = p->paths[i].first_false == NO_STEP ? NULL : &p->steps[p->paths[i].first_false];

		for (size_t k = 0; s && k < s->n_evidence; k++) {
			const struct cell *c = proof_cell(&s->evidence[k]);

			if (!c || !c->reply->raw)
				continue;
			page_reply(page, c->reply, c->cite);
			return (struct intent){ .is = INTENT_PAGE };
		}
	}
	return (struct intent){ .is = INTENT_SAY, .text = "No mismatch with a kept raw reply; {open} shows every step." };
}

bool proofpane_key(const struct view_of *of, struct views *v, struct proof_pane *pane, enum command command, struct page *page,
		   struct intent *i)
{
	const struct proof *p = pane->has_keys ? proof_of(of, v, pane) : NULL;

	if (!p)
		return false;
	if (command == DO_RAW) {
		*i = first_false_reply(p, page);
		return true;
	}
	if (command == DO_OPEN || command == DO_EXPLAIN) {
		proof_page(page, of->model, p, views_width(v));
		*i = (struct intent){ .is = INTENT_PAGE };
		return true;
	}
	pane->has_keys &= !command_is(command, KEYS_MOVE);
	return false;
}
