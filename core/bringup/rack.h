/*
 * The NICs that a bring-up has to bring up, each with its cable: the fabric ports that were read, the ends that the cable plan names, and
 * each host that has neither, so that nothing planned is missing because nothing answered. Pure.
 */
#ifndef CORE_BRINGUP_RACK_H
#define CORE_BRINGUP_RACK_H

#include "core/bringup/stage.h"

struct bringup_unit {
	const char *host, *nic;		/* names; nic NULL: none of this host is known */
	const char *peer, *peer_port;	/* the far end, as read, else as planned; NULL: not known */
	const struct device *device;	/* NULL: nothing was read of the host */
	const struct port *port, *far;	/* NULL: not read */
	struct bringup_course course;
	char words[192];		/* why the stage that it is at is not known or is skipped, where no check says it; else "" */
};

struct bringup_rack {
	struct bringup_unit *units;	/* hosts in the order of the inventory, then those that it does not name; NICs in natural order */
	size_t n, cap;
	size_t count[BRINGUP_STATES];	/* units by the state that they are in */
	size_t stages[BRINGUP_STAGES][BRINGUP_STATES];	/* units by the state of each stage */
};

struct bringup_fabric {
	const struct model *model;
	const struct links *links;
	const struct inventory *inventory;
	const struct findings *findings;	/* as of the last findings_judge() */
};

/*
 * Reads *r (zeroed before first use) anew. is_in: whether a host belongs to it; NULL: all do. wanted: a set of 1 << stage. Names and
 * pointers are lent by the fabric until it changes.
 */
void bringup_rack_read(struct bringup_rack *r, const struct bringup_fabric *f, bool (*is_in)(const void *ctx, const char *host),
		       const void *ctx, unsigned wanted);
void bringup_rack_done(struct bringup_rack *r);

/*
 * A person has set a NIC aside: the stage that it is at is skipped, in these words, and it is neither failed nor not known. One that
 * passes is left as it is. nic NULL: the whole host, of which no NIC is known.
 */
void bringup_rack_skip(struct bringup_rack *r, const char *host, const char *nic, const char *words);

/* What the last judge has found that is the answer of a stage of a unit; NULL: there is none. */
const struct finding *bringup_unit_finding(const struct findings *f, const struct bringup_unit *u, enum bringup_stage stage);
#define BRINGUP_WHY_MAX 224
/* In one line, why a stage of a unit has not passed: what was found, or which fact is missing. "" where it passed. Returns out. */
const char *bringup_unit_why(const struct findings *f, const struct bringup_unit *u, enum bringup_stage stage, char out[BRINGUP_WHY_MAX]);
/* What to do about the stage that a unit fails: of what was found, or of what that follows from. NULL: nothing is known to be done. */
const char *bringup_unit_remedy(const struct findings *f, const struct bringup_unit *u);

#endif
