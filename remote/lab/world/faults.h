/* What can be wrong: a table of rows. A fault changes a setting, a cable or a machine; its symptoms come by themselves. */
#ifndef REMOTE_LAB_WORLD_FAULTS_H
#define REMOTE_LAB_WORLD_FAULTS_H

#include "remote/lab/world/fabric.h"

/* From AT_DEVICE on, of a whole device. */
enum fault_place { AT_HOST, AT_SWITCH, AT_OS10, AT_SONIC, AT_HOST_OR_SWITCH, AT_DEVICE, AT_DEVICE_HOST, AT_DEVICE_SWITCH };

struct fault {
	const char *name;
	enum fault_place place;
	/* Makes it so, or (on false) puts it right. p is the first port of the device from AT_DEVICE on. */
	void (*set)(struct fabric *f, struct lab_port *p, bool on);
	const char *help;
};

extern const struct fault fault_table[];
extern const size_t fault_count;

/* One that is on. */
struct fault_on {
	const struct fault *fault;
	unsigned port;
};

struct faults {
	struct fault_on *list;
	size_t n, cap;
};
void faults_done(struct faults *faults);

/*
 * "NAME", "NAME@DEVICE:PORT" or "NAME@DEVICE". Without a place it is the first device and port that it can befall: the
 * first node's first port, or the switch port that faces it.
 * device   gets whose reachability may have changed, may be NULL
 */
bool fault_add(struct faults *faults, struct fabric *f, const char *text, struct lab_device **device, struct err *err);
/* As above; without a place, every one of that name. "all": every one. */
bool fault_clear(struct faults *faults, struct fabric *f, const char *text, struct err *err);
void fault_list(const struct faults *faults, const struct fabric *f, struct buf *out);

/* What a device with garbage-output says instead of these bytes: noise among them, binary, without end of line. */
void fault_garble(struct buf *out, const void *bytes, size_t n);

#endif
