/*
 * Commands that a person types, as data: what reads the evidence behind a question or a check, on the system where it is read.
 * A row is a command of one system, with slots for the port, the RDMA device and the values at hand. A command whose slots cannot
 * all be filled is not printed, and a command of one system is never printed for a device of another.
 */
#ifndef CORE_REMEDY_REMEDY_H
#define CORE_REMEDY_REMEDY_H

#include "core/fabric/link.h"
#include "core/policy/policy.h"

struct remedy {
	const char *of;		/* ids of questions and checks, separated by blanks */
	const char *system;	/* "linux", "os10", "sonic": the platform fact; "linux/mlx5_core": ports of that driver,
				   "linux/mlnx_qos", "linux/ofed": and which have that tool, or the files of MLNX_OFED and DOCA */
	/*
	 * {port} as the device names it, {ethernet} as OS10's commands take it ("ethernet 1/1/1"), {rdma} the RDMA device, {gid} the
	 * index of its RoCE v2 GID, {tos} the policy's ToS, {prio} the policy's lowest lossless priority, {node} the device's name.
	 */
	const char *command;
	const char *then;	/* what to do with it, in words: "twice, a few seconds apart"; or NULL */
};
extern const struct remedy remedy_table[];
extern const size_t remedy_count;

/*
 * A command that changes what is wrong, where the fix engine has no setting for it (core/fix/fixes.c); for settings the engine's own
 * setters make the commands (remote/fixer/by_hand.h).
 */
struct remedy_change {
	const char *of;		/* ids of checks */
	const char *system;	/* as in struct remedy */
	const char *command;	/* with slots; several lines are typed one after the other */
	const char *disturbs;	/* NULL: nothing */
	const char *persists;	/* whether it survives a reboot, and what makes it */
	const char *who;	/* NULL: who administers the device */
};
extern const struct remedy_change change_table[];
extern const size_t change_count;

struct remedy_place {
	const struct device *device;
	const struct port *port;	/* of device; NULL: the device itself */
	const struct policy *policy;
	const struct inventory *inventory;	/* may be NULL */
};

/*
 * Adds "node1: ethtool -a eth2", after a "; " where out is not empty: each command of the first system among the rows that fits.
 * False, out as it was: there is no such command for that place.
 */
bool remedy_add(const struct remedy_place *at, const char *id, struct buf *out);
/* Adds the row's command with names in the place of values; its lines with "; " between them. */
void remedy_change_words(const struct remedy_change *c, struct buf *out);
/* Adds the row's command with its slots filled. False, out as it was: the row is not for that check and place, or a slot has no value. */
bool remedy_change_fill(const struct remedy_change *c, const struct remedy_place *at, const char *check, struct buf *out);
/* Adds a line a system, "linux  ethtool -a PORT", where no place is known. False: no row has that id. */
bool remedy_list(const char *id, struct buf *out);

#endif
