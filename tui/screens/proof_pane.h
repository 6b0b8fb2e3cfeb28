/* The proof of Detail's link, a line a direction, over its facts. Tab gives it the keys; Enter then shows every step. */
#ifndef TUI_SCREENS_PROOF_PANE_H
#define TUI_SCREENS_PROOF_PANE_H

#include "core/diagnose/proof.h"
#include "tui/screens/screen.h"

/* The proof that Detail shows, as of a moment. */
struct proof_pane {
	struct proof proof;
	const struct port *of;
	const struct model *model;	/* never looked into */
	uint64_t serial;
	bool is_shown, has_keys;
};

/* The rows used, at most rows. */
int proofpane_draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v, struct proof_pane *pane);
bool proofpane_next(struct proof_pane *pane, int by);
bool proofpane_key(const struct view_of *of, struct views *v, struct proof_pane *pane, enum command command, struct page *page,
		   struct intent *i);

#endif
