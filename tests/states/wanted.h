/* The fabric as wanted, of which each state is drawn: that of tests/lib/world.h, with more hosts and a spine. */
#ifndef TESTS_STATES_WANTED_H
#define TESTS_STATES_WANTED_H

#include "tests/states/states.h"

#define HOSTS_MOST	4

struct place {
	const char *device, *port;	/* port NULL: the device itself */
	unsigned order;			/* of its device */
	size_t far;			/* place of the other end, or NOWHERE */
};
#define NOWHERE	SIZE_MAX

struct wanted {
	struct arena texts;
	struct state_cell *cells;
	size_t n, cap;
	struct place places[STATE_PLACES];
	size_t n_places;
	unsigned n_devices;
};

extern struct wanted wanted;

/* Makes it, the first time. */
void wanted_make(void);
/* Of a device, or of its port; or NOWHERE. */
size_t wanted_place(const char *device, const char *port);
/* Names, of which both may be NULL. */
bool wanted_same(const char *a, const char *b);

#endif
