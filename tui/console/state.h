/*
 * What a person left behind in a fabric, kept for the next time: the screen, what was made of each list, where its cursor
 * stood, the link in Detail, the theme, the software zeros. One small text file a fabric, under $XDG_STATE_HOME/fabcon/, a line
 * a thing:
 *
 *	fabcon-state 1
 *	screen Ports
 *	list Ports table sort=-paused filter=leaf2
 *	cursor Ports 9f3c04a1
 *	subject node1 eth2
 *	boot leaf1 boot = "4f0c"		of the zeros that follow
 *	zero leaf1 Ethernet4 pfc.rx[3] = 12345
 *
 * What is damaged in it is passed over and said. What it names may not be known yet: devices are reached one by one, so
 * the rest is taken up as it appears.
 */
#ifndef TUI_CONSOLE_STATE_H
#define TUI_CONSOLE_STATE_H

#include "tui/console/stage.h"

#define STATE_MAX_BYTES (16u << 20)

/* A software zero that waits for its counter. */
struct kept_zero {
	const char *device, *port, *boot;	/* boot NULL: it was not known */
	enum field field;
	unsigned index;
	uint64_t value;
};

struct state {
	char *path;				/* owned; NULL: nothing is kept */
	char theme[32];				/* "": nobody chose one */
	uint64_t cursors[SCREEN_COUNT];		/* rows that are to have it; 0: none */
	char device[128], port[128];		/* of Detail's link, until it is there */
	struct kept_zero *zeros;
	size_t n_zeros, cap_zeros;
	size_t n_lost;				/* of counters that were reset since */
	struct arena texts;
	struct buf last;			/* as last written */
	bool has_zeros;				/* live: a recording's counters are not ours to count from */
};

/* For a fabric, live or replayed, each in its own file. fabric NULL: nothing is kept. */
void state_init(struct state *s, const char *fabric, bool is_replay);
void state_done(struct state *s);

/* Everything as lines, and back. Of what is wrong, err has the first line; the rest counts. */
void state_write(const struct state *s, const struct stage *stage, const struct view_of *of, struct buf *out);
bool state_read(struct state *s, struct stage *stage, const struct view_of *of, struct span text, struct err *err);

/* From and to the file. No file is no error. */
bool state_load(struct state *s, struct stage *stage, const struct view_of *of, struct err *err);
bool state_keep(struct state *s, const struct stage *stage, const struct view_of *of, struct err *err);

/*
 * What was not there yet, as far as it is now. The cursors and Detail's link wait until is_touched: then the person has
 * gone somewhere else. zero is asked to count from a value, and says false when the counter was reset since.
 */
void state_take_up(struct state *s, struct stage *stage, const struct view_of *of, bool is_touched,
		   bool (*zero)(void *ctx, const struct port *p, enum field f, unsigned index, uint64_t value), void *ctx);

#endif
