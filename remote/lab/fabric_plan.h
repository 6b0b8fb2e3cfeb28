/* Builds a fabric: generated from its size, or read from a .fabric file. */
#ifndef REMOTE_LAB_FABRIC_PLAN_H
#define REMOTE_LAB_FABRIC_PLAN_H

#include "core/base/err.h"
#include "remote/lab/world/skins.h"

struct fabric_plan {
	unsigned nodes, rails, leaves, spines;
	const char *switch_os;		/* the name of a switch system, or "mixed": all of them in turn */
	uint64_t speed_bps;
	bool with_bond;			/* the last node's first two rails are bond0 */
	uint64_t seed;
	unsigned lens;			/* 0: chosen by size */
	const struct skin_wish *skins;	/* NULL: tidy */
};

struct fabric *fabric_generate(const struct fabric_plan *plan, struct err *err);
/*
 * Reads a .fabric file: "device NAME SYSTEM [RACK]" and below it "ports N SPEED"; "link DEVICE PORT DEVICE PORT";
 * "bond NODE"; facts of host ports in their written form. # begins a comment.
 */
struct fabric *fabric_read(struct span text, const char *file, const struct fabric_plan *plan, struct err *err);

#endif
