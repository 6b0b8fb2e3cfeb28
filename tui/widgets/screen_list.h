/*
 * The screens, in the order of their tabs. The tab bar, the keys, the help, ":", `fabcon tui NAME`, the man page and the
 * completions are made from these rows; nothing else lists screens. A new screen is a row here and a file in tui/screens/
 * that defines "const struct screen screen_OBJECT".
 *
 * id	   SCREEN_ID, and DO_GO_ID for the key that goes there
 * name	   after ":" and on the command line; what the key is bound by
 * brief   on its tab, where there is little room
 * key	   as curses tells it, and as it is shown
 * takes   which keys of a list work on it without being named in keys.c
 */
#ifndef TUI_WIDGETS_SCREEN_LIST_H
#define TUI_WIDGETS_SCREEN_LIST_H

enum screen_takes {
	TAKES_OWN,		/* only those that keys.c names for it */
	TAKES_LIST,		/* a cursor: move, open, explain, raw, diagnose */
	TAKES_TABLE,		/* and sort, filter, choose columns, mark */
};

#define SCREEN_LIST(ROW) \
/*  id		object		name		title		brief	key		takes		help */ \
ROW(OVERVIEW,	overview,	"overview",	"Overview",	"Over",	'1', "1",	TAKES_LIST,	"Overview") \
ROW(PORTS,	ports,		"ports",	"Ports",	"Ports", '2', "2",	TAKES_TABLE,	"Ports: one row a link, " \
													"both ends") \
ROW(DETAIL,	detail,		"link",		"Detail",	"Link",	'3', "3",	TAKES_TABLE,	"Detail: every field of one " \
													"link, both ends") \
ROW(DIAGNOSE,	diagnose,	"diagnose",	"Diagnose",	"Diag",	'4', "4",	TAKES_TABLE,	"Diagnose") \
ROW(FIX,	fix,		"fix",		"Fix",		"Fix",	'5', "5",	TAKES_OWN,	"Fix") \
ROW(BRINGUP,	bringup,	"bringup",	"Bring-up",	"Rack",	'6', "6",	TAKES_OWN,	"Bring-up") \
ROW(HISTORY,	history,	"history",	"History",	"Hist",	'7', "7",	TAKES_OWN,	"History") \
ROW(FINDINGS,	findings,	"findings",	"Findings",	"Find",	'8', "8",	TAKES_TABLE,	"Findings") \
ROW(DEVICES,	devices,	"devices",	"Devices",	"Dev",	'9', "9",	TAKES_TABLE,	"Devices") \
ROW(FABRIC,	fabric,		"fabric",	"Fabric",	"Map",	'v', "v",	TAKES_TABLE, \
	"Fabric: what is connected to what, and where cables differ from the plan")

#define SCREEN_ID_OF(id, ...)		SCREEN_##id,
#define SCREEN_GO_OF(id, ...)		DO_GO_##id,
#define SCREEN_NAME_OF(id, object, name, ...) " " name

/* " overview ports …" */
#define SCREEN_NAMES SCREEN_LIST(SCREEN_NAME_OF)

enum screen_id {
	SCREEN_LIST(SCREEN_ID_OF)
	SCREEN_COUNT,
	SCREEN_PAGE = SCREEN_COUNT,	/* a text over the screen: help, explain, raw reply */
};

#endif
