/* What can be wrong: a table of rows. A fault changes a setting, a cable or a machine; its symptoms come by themselves. */
#ifndef REMOTE_LAB_WORLD_FAULTS_H
#define REMOTE_LAB_WORLD_FAULTS_H

#include "remote/lab/world/fabric.h"

/* From AT_DEVICE on, of a whole device. */
enum fault_place { AT_PORT, AT_BOND /* the first port of a bond */, AT_MEMBER /* the second one */, AT_DEVICE };

struct fault {
	const char *name;
	enum fault_place place;
	const char *help;
	/* As in struct lab_fault, the same on every system. NULL: .host says it, or each system that can have it has a row of this name. */
	void (*set)(struct fabric *f, struct lab_port *p, bool on);
	/* Whether the port, or its device, can have it, where not every one can; and what the fabric needs for that. */
	bool (*fits)(const struct fabric *f, const struct lab_port *p);
	const char *needs;
	const char *host;		/* of a host's port: its settings as facts, "pfc.on[3] = no; trust = pcp"; NULL: none */
	/* What the console is held to by tests/trials. */
	const char *cause;		/* of the diagnosis, which is named for it; NULL: no device shows it */
	/*
	 * Skins of a host or of the fabric that leave nothing by which it could be seen, NULL: none. ONE+OTHER: both together;
	 * SKIN/SYSTEM: at a port of such a switch.
	 */
	const char *hidden_by;
	const char *check, *left_to;	/* the finding that is not mended from here, and who mends it; NULL: it is mended */
};

extern const struct fault fault_table[];
extern const size_t fault_count;

/* How the ECN faults have a switch's RoCE queue mark: from min_kb (0: not at all) up to max_kb, where max_pct are marked. */
struct fault_wred {
	unsigned min_kb, max_kb, max_pct;
};
#define FAULT_ECN_OFF	((struct fault_wred){ 0 })
#define FAULT_ECN_LATE	((struct fault_wred){ 9000, 12000, 100 })
#define FAULT_ECN_WEAK	((struct fault_wred){ 150, 1500, 1 })
#define FAULT_ECN_EARLY	((struct fault_wred){ 5, 20, 100 })

/* Whether the fault, "NAME" or "NAME@PLACE", is of a bond. */
bool fault_needs_bond(const char *text);

/* Whether any port in this fabric can have it. */
bool fault_has_place(const struct fabric *f, const struct fault *fault);

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
 * "NAME", "NAME@DEVICE:PORT" or "NAME@DEVICE". Without a place it is the first device and port that it can befall and
 * where it can be seen, or else the first at all: the first node's first port, or the switch port that faces it.
 * device   gets whose reachability may have changed, may be NULL
 */
bool fault_add(struct faults *faults, struct fabric *f, const char *text, struct lab_device **device, struct err *err);
/* As above; without a place, every one of that name. "all": every one. */
bool fault_clear(struct faults *faults, struct fabric *f, const char *text, struct err *err);
/* A line each, "NAME@DEVICE:PORT"; " hidden" behind it where skins leave nothing by which it could be seen. */
void fault_list(const struct faults *faults, const struct fabric *f, struct buf *out);

/* What a device with garbage-output says instead of these bytes: noise among them, binary, without end of line. */
void fault_garble(struct buf *out, const void *bytes, size_t n);

#endif
