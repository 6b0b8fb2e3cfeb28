/*
 * Random fabrics, each drawn wholly from one seed: hosts with two ports at two leaves, now and then with a spine above, a bond,
 * a virtual function, a cable plan, a device that nobody reads. Every fact of the dictionary is kept as wanted, set otherwise,
 * unknown with a reason, absent, or too old; every counter stands still, moves, restarts, or has been read once.
 *
 *	struct state s;
 *	states_draw(&s, 4711);
 *	… s.model, s.links, s.policy, s.inventory …
 *	states_take(&s, &cell, TAKEN_UNKNOWN);	of the model as it stands: one cell less
 *	states_done(&s);
 */
#ifndef TESTS_STATES_STATES_H
#define TESTS_STATES_STATES_H

#include "core/judge/check.h"
#include "tests/lib/say.h"

enum cell_is {
	CELL_SAID,
	CELL_OLD,	/* its probe has not answered for longer than three periods */
	CELL_RESTARTED,	/* of a counter: it began again while it was watched, */
	CELL_RESET,	/* or at the last sample, */
	CELL_YOUNG,	/* or it has one sample */
	CELL_GONE,
};

struct state_cell {
	const char *device, *port;	/* lent, as is value.text; port NULL: of the device */
	enum field field;
	unsigned index;
	enum cell_is is;
	struct value value;		/* of a counter: what it counts from */
	double per_s;			/* of a counter */
	unsigned order, place;		/* of its device, among all; and where it stands in the drawing */
};

#define STATE_PLACES	64
#define STATE_REASON	"not root"	/* why a cell could not be read */

struct state {
	uint64_t seed, drawn;		/* drawn: where the numbers of the seed stand */
	struct state_cell *cells;	/* device after device */
	size_t n, cap;
	struct model *model;
	struct links links;
	struct policy *policy;
	struct inventory inventory;
	struct cable cables[STATE_PLACES];
	int64_t now_us;
	double stopped_us[STATE_PLACES];	/* how long in each second the network stops each port, by its place */
};

/* Draws a fabric and tells it to a model of its own. *s need not be initialized. */
void states_draw(struct state *s, uint64_t seed);
void states_done(struct state *s);
/* Tells it to a new model: what became of the cells since. */
void states_tell(struct state *s);

enum taken { TAKEN_UNKNOWN, TAKEN_ABSENT, TAKEN_WAYS };
/*
 * Takes one cell that stands away from the model: the probe that said it says that it cannot be read, or says it no longer. False:
 * there is no such cell, or nothing is left to take.
 */
bool states_take(struct state *s, const struct evidence *cell, enum taken how);

/* A cell of the model that stands, drawn from the seed; of the device, if it is given. False when none is found. */
bool states_any_cell(struct state *s, const struct device *device, struct evidence *out);
/* A number below. */
uint64_t states_below(struct state *s, uint64_t below);
/* "node1 eth2 trust" */
void states_cell_words(const struct evidence *cell, struct buf *out);
/* All facts of the model as they stand, a line each. */
void states_print(const struct state *s, struct buf *out);

#endif
