/*
 * One device: how it is reached, and its probes as rows, with what each answered last and what goes wrong. The Devices screen
 * shows it in the place of its list when one is opened.
 */
#ifndef TUI_SCREENS_DEVICE_PAGE_H
#define TUI_SCREENS_DEVICE_PAGE_H

#include "tui/screens/screen.h"

struct device_view {
	char name[128];			/* open on Devices; empty: its list is shown, */
	struct table list;		/* which waits here meanwhile */
};
struct device_view *device_view(struct views *v);

/* The one that is open, by name; NULL: the list of devices is shown. */
const struct device *device_open(const struct view_of *of, struct views *v);
void device_enter(struct views *v, const struct device *d);
/* Back to the list; false: it is shown. */
bool device_leave(struct views *v);

/* Its probes; and the reply of a row. */
void device_source(const struct view_of *of, struct views *v, const struct device *d, struct table_source *s);
const struct reply *device_probe(struct views *v, const struct device *d);

/* How it is reached, what it runs, what went wrong: a few lines. And all of it, with who said so. */
void device_words(struct page *p, const struct view_of *of, const struct device *d, int width);
void device_explain(struct page *p, const struct view_of *of, const struct device *d, int width);
/* What is found wrong at it and at its links, with the evidence. */
void device_why(struct page *p, const struct view_of *of, const struct device *d, int width);
/* The reply that told what it is, as a page; else words. */
struct intent device_raw(const struct device *d, struct page *page);
/* "admin@10.0.0.1:22 via gate1" */
void device_way(const struct view_of *of, const struct device *d, struct buf *out);

#endif
