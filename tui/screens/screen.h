/*
 * A screen: a row of tui/widgets/screen_list.h and a file that fills in this struct. It reads the fabric through const and
 * keeps its own view; a key becomes an intent.
 */
#ifndef TUI_SCREENS_SCREEN_H
#define TUI_SCREENS_SCREEN_H

#include "tui/screens/intent.h"
#include "tui/screens/views.h"
#include "tui/widgets/page.h"

struct screen {
	/* The list that the moving, sorting, filtering and marking keys are about; NULL: it has none. */
	void (*source)(const struct view_of *of, struct views *v, struct table_source *s);
	void (*draw)(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v);
	/* What the list's own keys do not do. page: to be filled for INTENT_PAGE. */
	struct intent (*key)(const struct view_of *of, struct views *v, enum command command, struct page *page);
	/* Where there are panes beside the list: a key of the one that has them; false: it is the list's. NULL: no panes. */
	bool (*pane_key)(const struct view_of *of, struct views *v, enum command command, struct page *page, struct intent *i);
	/* The next pane by 1 or -1; false after the last. NULL: no panes. */
	bool (*next_pane)(const struct view_of *of, struct views *v, int by);
	/* What a row of the list is about; AT_CURSOR: the row at the cursor, in the pane that has the keys. NULL: nothing ever. */
	struct subject (*subject)(const struct view_of *of, struct views *v, size_t row);
	/* What y takes as text where a row alone says too little, and what that is; NULL: the row will do. */
	const char *(*copy)(const struct view_of *of, struct views *v, bool ascii, struct buf *out);
	/* Where something lies over its list: leaves it, false when nothing does; and what of the list itself is kept. NULL: never. */
	bool (*back)(struct views *v);
	void (*save)(const struct view_of *of, struct views *v, struct buf *out);
	/* Its own state: before the model goes away, and at the end. NULL: nothing is to be let go. */
	void (*forget)(void *own);
	void (*done)(void *own);
	bool is_in_time;	/* its moving keys move in time; live it looks back as a replay does */
	bool writes_plan;	/* w writes the plan, not the recording */
	bool writes_sheet;	/* r writes the sheet of the rack, not a report */
};
#define SCREEN_OBJECT(id, object, ...) extern const struct screen screen_##object;
SCREEN_LIST(SCREEN_OBJECT)

/* The rows marked in a screen's list, compared; without two of them, the link under the cursor with the policy. */
struct intent compare_marked(enum screen_id id, const struct table *t, const struct table_source *list, const struct view_of *of,
			     struct views *v, struct page *page);
/* A plan to mend a subject, or words why there is nothing to be planned. */
struct intent plan_subject(const struct subject *s);

#endif
