/*
 * Screens: each is a row. A screen reads the fabric through const and keeps its own view; a key becomes an intent, and
 * tui/console/app.c alone acts on it. A new screen is one file, one row in screens.c and its digit in keys.c.
 */
#ifndef TUI_SCREENS_H
#define SPEED_MAX 100
#define TUI_SCREENS_H

#include "core/judge/ack.h"
#include "core/diagnose/proof.h"
#include "tui/views/fabric_tree_rows.h"
#include "tui/views/subject.h"
#include "tui/session/changes.h"
#include "tui/screens/diagnosis_view.h"
#include "tui/session/baseline.h"
#include "tui/session/events.h"
#include "tui/screens/fix_confirm.h"
#include "core/judge/fold.h"
#include "tui/views/heat_map.h"
#include "tui/views/worst_links.h"
#include "tui/widgets/page.h"
#include "tui/screens/pause_pane.h"
#include "tui/views/port_row.h"
#include "tui/widgets/hit_areas.h"
#include "tui/views/fabric_rates.h"
#include "tui/widgets/table.h"
#include "tui/widgets/sparkline_window.h"
#include "tui/views/timeline.h"

/* All that a screen may read. */
struct view_of {
	const struct model *model;
	const struct links *links;
	const struct findings *findings;
	const struct policy *policy;
	const struct inventory *inventory;
	const char *fabric;
	unsigned speed;				/* of playing; 0: 1 */
	bool is_replay, is_playing, is_paused, is_recording;
	const char *trouble;			/* of the recording, or of a command; NULL: none */
	int64_t held_us;			/* paused: how long ago the picture was true */
	const struct acks *acks;		/* NULL: none */
	const struct baseline *baseline;	/* NULL, or none taken: at_us 0 */
	int64_t first_us, last_us;		/* of the recording that is replayed; live, of what is remembered */
	int64_t cursor_us;			/* of History; live, the other screens show now all the same */
	const struct events *events;		/* of the same */
	const struct fabric_history *lanes;
	size_t answered, asked;			/* devices: read once or given up, of all; live */
	int64_t began_us;			/* when asking began */
	const struct fix_view *fix;		/* NULL: nothing of fixes is there */
	uint64_t serial;			/* moves when anything shown may have */
};

/* The rows of the Ports screen, begun once a change; each is made whole when it is looked at. */
struct portrows {
	struct portrow *list;
	size_t n, cap;
	uint64_t serial;
	struct port_seen *seen;		/* owned; by the id of the port at a: what moved, since when */
	size_t n_seen;
	const struct model *model;	/* that numbered them; never looked into */
};

/* A heading of Detail, and what stands below it. */
struct detail_part {
	const char *title, *help;
};

struct detail_row {
	enum field field;
	unsigned index;
	const struct detail_part *heading;	/* of the rows below; NULL: a field */
};

/* The panes of the Overview, in the order of Tab. */
enum overview_pane { PANE_FINDINGS, PANE_MAP, PANE_LOSSES, PANE_COUNT };

struct overview {
	struct heat heat;
	struct worst_links losses;
	struct fabric_rates rates;
	enum overview_pane pane;	/* that has the keys */
	unsigned panes;			/* those on the screen, as bits */
	char row_name[40];		/* under the map's cursor; empty: nobody has moved it */
	size_t column;			/* sign + 1; 0: the whole row */
	size_t fold;			/* nodes in one sign, as last drawn */
	size_t loss;
	bool is_made;
	uint64_t serial;
};

struct fabric_view {
	struct fabric_rows branches;
	uint64_t *turned;		/* keys of rows that are not as at first: folded, or unfolded */
	size_t n_turned, cap_turned;
	size_t *shown;			/* rows of the tree */
	size_t n_shown, cap_shown;
	bool is_flat, is_filtered;
	bool is_made;
	uint64_t serial;
};

/* How reaching the devices goes, for the header; counted once a change. */
struct header_counts {
	size_t up, all, down, late;
	size_t coming;		/* asked, and neither heard nor failed so far */
	int64_t oldest_us;	/* of what each device is asked most often */
	bool any;
	size_t crit, warn, acked;	/* findings that follow from no other */
	bool is_made;
	uint64_t serial;
};

/* The stretch of time that History shows. */
struct history_view {
	int64_t from_us, zoom_us;	/* zoom 0: as much as there is */
	int64_t column_us;		/* as last drawn */
	int64_t cursor_us;		/* live; 0: follows the time */
	int64_t a_us, b_us;		/* marks; 0: not set */
	struct changes changes;		/* between the marks, as of so many events and lanes */
	uint64_t changes_of;
	int64_t listed_us;		/* the time that the list's cursor was moved to */
	uint64_t listed;		/* and of how many events */
};

/* The proof that Detail shows, as of a moment. */
struct proof_pane {
	struct proof proof;
	const struct port *of;
	const struct model *model;	/* never looked into */
	uint64_t serial;
	bool is_shown, has_keys;
};

/* The panes of Fix, in the order of Tab. */
enum fix_pane { FIX_PANE_STEPS, FIX_PANE_DIFF, FIX_PANE_COMMANDS, FIX_PANE_GUARDS, FIX_PANE_LOG, FIX_PANES };

struct fix_panes {
	enum fix_pane pane;		/* that has the keys */
	size_t top[FIX_PANES];		/* lines gone up */
};

/* What the screens remember; nobody else's business but for the table and the page's owner. */
struct views {
	struct table tables[SCREEN_COUNT];
	struct portrows ports;
	struct overview overview;
	struct pause_view pauses;
	struct fabric_view fabric;
	struct header_counts header;
	struct detail_row *detail;
	size_t n_detail, cap_detail, n_quiet;
	struct history_view history;
	struct diagnose_view diagnose;
	struct proof_pane proof;
	struct fix_panes fix;
	struct folds findings;			/* of the list that was asked for last */
	struct acking {
		char check[64], where[160];
		bool together;			/* with all that say the same */
	} acking;				/* what a reason is being typed for */
	bool without_pane[SCREEN_COUNT];
	enum window window;			/* of Detail's sparklines */
	const struct port *subject;		/* the link that Detail shows, by one end */
	char device[128];			/* open on Devices; empty: its list is shown, */
	struct table devices;			/* which waits here meanwhile */
	int cols;				/* of the last frame */
	struct hit_areas spots;			/* of the same */
};

enum intent_is {
	INTENT_NONE,		/* the key means nothing here */
	INTENT_DONE,		/* the view has changed: draw */
	INTENT_GO,		/* to a screen */
	INTENT_PAGE,		/* page was filled: show it */
	INTENT_ZERO, INTENT_UNZERO,	/* port */
	INTENT_FILL,		/* the neighbor tables, by a ping */
	INTENT_REFRESH,		/* device; NULL: all */
	INTENT_SAY,		/* text, on the last row */
	INTENT_QUIT, INTENT_SUSPEND, INTENT_REDRAW,
	INTENT_PAUSE, INTENT_LIVE, INTENT_PLAY,
	INTENT_STEP,		/* by samples */
	INTENT_TIME,		/* text: where to */
	INTENT_SEEK,		/* at_us */
	INTENT_EVENT,		/* by events */
	INTENT_SETTINGS,	/* open them: how it looks is the application's to say */
	INTENT_LOOK,		/* as the settings have it now; text: and to be written */
	INTENT_MOUSE,
	INTENT_THEME,		/* text: its name; NULL: the next */
	INTENT_ANSWER,		/* question; text NULL: cancelled */
	INTENT_NOTE,		/* text, on the cursor's time */
	INTENT_SPEED,		/* by times; 0: say it */
	INTENT_ACK,		/* acking; text: until when and why, NULL: to be typed */
	INTENT_UNACK,
	INTENT_GIVE,		/* an answer on Diagnose; text: as typed, NULL: to be typed */
	INTENT_UNGIVE,		/* the last of them is taken back */
	INTENT_WARM,		/* replay: histories are to reach back at_us */
	INTENT_BASELINE,	/* by 1: take it now; 0: forget it */
	INTENT_COPY,		/* by 1: as JSON */
	INTENT_EXPORT, INTENT_REPORT, INTENT_SNAPSHOT,	/* text: the file; by 1: it may be replaced */
	INTENT_TRY,		/* text: an inventory to be read and reached, and not yet kept */
	INTENT_KEEP,		/* it, or the hosts that the session began with, as the usual one */
	INTENT_PLAN,		/* a fix: of finding, of both ends of port's link, or of device */
	INTENT_PLAN_FILE,	/* text: where the plan is to be kept; by 1: it may be replaced */
	INTENT_CONFIRM,		/* by: enum confirm_kind; to be asked before one of the next three */
	INTENT_FIX_APPLY, INTENT_FIX_KEEP, INTENT_FIX_UNDO,	/* text: hash of the plan that was asked about; NULL: of the one in hand */
	INTENT_FIX_LOOK,	/* reads, and says what it would do */
	INTENT_FIX_DROP,	/* by: step */
	INTENT_FIX_RESUME,	/* text: id of a plan */
	INTENT_LEAVE,		/* while a fix is made; by 1: it is taken back first */
	INTENT_ARM, INTENT_DISARM,	/* text: the reason */
};

struct intent {
	enum intent_is is;
	enum screen_id screen;
	const struct port *port;
	const struct finding *finding;
	const char *device;
	const struct acking *acking;
	const char *text;
	int by;
	int64_t at_us;
	unsigned question;
};

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
	/* What a row of the list is about; AT_CURSOR: what the cursor is on, in the pane that has the keys. NULL: nothing ever. */
	struct subject (*subject)(const struct view_of *of, struct views *v, size_t row);
	/* What y takes as text where a row alone says too little, and what that is; NULL: the row will do. */
	const char *(*copy)(const struct view_of *of, struct views *v, bool ascii, struct buf *out);
};
#define AT_CURSOR SIZE_MAX
extern const struct screen *const screen_table[SCREEN_COUNT];
#define SCREEN_OBJECT(id, object, ...) extern const struct screen screen_##object;
SCREEN_LIST(SCREEN_OBJECT)

void views_done(struct views *v);
/* A key on a screen: the list's keys, then the screen's own. */
struct intent screens_key(enum screen_id id, const struct view_of *of, struct views *v, enum command command,
			  struct page *page);
/* Tab goes to the screen's next pane, and to the next screen where this is false. */
bool screens_next_pane(enum screen_id id, const struct view_of *of, struct views *v, int by);
/* What the cursor of a screen is on: d, f, =, x, o, y and e are all about it. */
struct subject screens_subject(enum screen_id id, const struct view_of *of, struct views *v);
/* A screen's list; false when it has none. */
bool screens_source(enum screen_id id, const struct view_of *of, struct views *v, struct table_source *s);
/* Of a screen's list; NULL names when it has none. free() the names. */
const char **screens_filter_names(enum screen_id id, const struct view_of *of, struct views *v);
/* What a person made of a screen's list, as a line of text and back; nothing when it has none. */
void screens_save(enum screen_id id, const struct view_of *of, struct views *v, struct buf *out);
void screens_restore(enum screen_id id, const struct view_of *of, struct views *v, struct span text);

/* A whole frame: header, tabs, the screen or the page over it, and the last row (bar: message or prompt, or NULL). */
void screens_draw(const struct draw *d, enum screen_id id, const struct view_of *of, struct views *v, struct page *page,
		  const char *bar);

/* History: a time that is a column by away from the cursor; the marks; the zoom. */
int64_t history_beside(const struct view_of *of, const struct views *v, int by);

/* The rows marked in a screen's list, compared; one link alone, marked or under the cursor, with the policy. */
struct intent compare_marked(const struct screen *screen, const struct table *t, const struct table_source *list,
			     const struct view_of *of, struct views *v, struct page *page);
/* A plan to mend a subject, or words why there is nothing to be planned. */
struct intent plan_subject(const struct subject *s);

/* For screens. */
void portrows_forget(struct portrows *rows);
void portrows_done(struct portrows *rows);
const struct portrows *views_ports(const struct view_of *of, struct views *v);
/* What a key does to a link, wherever the cursor found it. */
struct intent ports_key(const struct view_of *of, struct views *v, const struct link *link, enum command command,
			struct page *page);
const struct header_counts *views_counts(const struct view_of *of, struct views *v);
/* One of them, whole. */
const struct portrow *views_port(const struct view_of *of, struct views *v, size_t row);
const struct link *views_link(const struct view_of *of, const struct views *v);
/* For a sparkline, oldest first; of a counter that never moved, as many zeros as it was watched. */
size_t views_samples(const struct series *s, float values[HISTORY_LEN]);
/* Those that follow from another are left out, and those that say the same are one row, when it is in short. */
void views_findings(const struct view_of *of, struct views *v, bool in_short);
/* What lies over a screen's list is left; false: nothing does. */
bool views_back(struct views *v, enum screen_id id);
/* Adds those that closed today. */
void views_closed(const struct view_of *of, struct views *v);
/* Of texts: the frame without its margins; 100 before there was one. */
int views_width(const struct views *v);
/* The row of a list: one that is given, or the one under its cursor. False when there is none of n. */
bool views_row(const struct table *t, size_t n, size_t *row);
void findings_source(const struct view_of *of, struct views *v, bool in_short, struct table_source *s);
const struct fold *findings_cursor(const struct views *v, const struct table *t);
struct subject findings_subject(const struct view_of *of, const struct views *v, const struct table *t, size_t row);
/* The finding under the cursor with its evidence, as text. */
const char *findings_evidence(const struct view_of *of, struct views *v, struct table *t, bool ascii, struct buf *out);
/* The whole text of one, as much as fits: what was found, why it matters, what to do, what follows from it. */
void findings_pane(const struct draw *d, int y, int rows, const struct view_of *of, const struct fold *row);
struct intent findings_key(const struct view_of *of, struct views *v, struct table *t, enum command command,
			   struct page *page);

#endif
