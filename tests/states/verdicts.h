/* Every verdict of a fabric, by place and check, to be compared with those of the same fabric with less known. */
#ifndef TESTS_STATES_VERDICTS_H
#define TESTS_STATES_VERDICTS_H

#include "tests/states/judged_state.h"

/* From right to wrong. LOST: not applicable only because nothing is said. */
enum verdict_class { CLASS_OK, CLASS_NA, CLASS_LOST, CLASS_UNKNOWN, CLASS_BAD };

/* What a place is: whether it is judged at all, as what, and what it is compared with. */
struct applies {
	const struct port *a, *b;
	uint8_t roce, far_roce;
	bool is_switch, is_far_switch, is_fabric;
};

struct verdicts {
	size_t n_ports, n_devices;
	uint8_t *classes[2];		/* class by place, then check: of the fresh ledger, and of the going one */
	struct applies *applies;	/* by port */
};

/* As both ledgers have them. */
void verdicts_of(const struct judged_state *j, struct verdicts *v);
void verdicts_done(struct verdicts *v);
/* Whether the port was judged as what it was before, and compared with the same. */
bool verdicts_are_of_the_same(const struct verdicts *before, const struct verdicts *after, size_t port);

const char *verdicts_class_name(enum verdict_class c);

#endif
