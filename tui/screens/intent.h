/* What a key on a screen asks of the application: tui/console/app.c alone acts on it. */
#ifndef TUI_SCREENS_INTENT_H
#define TUI_SCREENS_INTENT_H

#include "core/judge/check.h"
#include "tui/widgets/screen_list.h"

#define SPEED_MAX 100

struct bringup_unit;

/* What a reason is being typed for. */
struct acking {
	char check[64], where[160];
	bool together;			/* with all that say the same */
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
	INTENT_FIX_APPLY, INTENT_FIX_KEEP, INTENT_FIX_FINISH, INTENT_FIX_UNDO, /* text: hash of the plan asked about; NULL: of the one in hand */
	INTENT_FIX_LOOK,	/* reads, and says what it would do */
	INTENT_FIX_DROP,	/* by: step */
	INTENT_FIX_RESUME,	/* text: id of a plan */
	INTENT_LEAVE,		/* while a fix is made; by 1: it is taken back first */
	INTENT_ARM, INTENT_DISARM,	/* text: the reason */
	INTENT_TEST_ALLOW,	/* text: the reason */
	INTENT_TEST_RACK,	/* begins test traffic, or ends it */
	INTENT_TEST_AGAIN,	/* unit: its devices are read again; where it passes, and there is leave, it is tested again */
	INTENT_BLINK,		/* unit: its NIC's light */
	INTENT_SKIP,		/* unit is set aside; text: the reason, NULL: to be typed; by 1: no longer */
	INTENT_LABEL,		/* to be typed: the NIC that the cursor is to go to */
	INTENT_SHEET,		/* text: the file; by 1: it may be replaced */
};

struct intent {
	enum intent_is is;
	enum screen_id screen;
	const struct port *port;
	const struct finding *finding;
	const char *device;
	const struct acking *acking;
	const struct bringup_unit *unit;	/* lent until the next key */
	const char *text;
	int by;
	int64_t at_us;
	unsigned question;
};

#endif
