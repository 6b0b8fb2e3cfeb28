/*
 * From the model to a test and back: what a NIC is called where the test tools run, which command tests a flow in the class that it will
 * carry, and what the counters of its ends have seen meanwhile. Pure.
 */
#ifndef CORE_BRINGUP_TRAFFIC_H
#define CORE_BRINGUP_TRAFFIC_H

#include "core/bringup/measured.h"
#include "core/bringup/pair.h"
#include "core/inventory/inventory.h"
#include "core/model/model.h"
#include "core/policy/policy.h"

/* A NIC port as a test needs it. */
struct bringup_tester {
	const char *host, *rdma;	/* lent by the model */
	unsigned gid_index;		/* of a RoCE v2 GID with an address */
	double line_bps, pcie_bps;	/* 0: not known; of a software device neither is, for its CPU limits it */
	bool is_soft;
	unsigned long mtu;		/* of RDMA, bytes; 0: not known */
	struct bringup_count cm_tos;	/* the ToS of its connection manager; no count, but known or not */
};

#define BRINGUP_WORDS	160

/* False, and why: the fact that is missing, or why no test may run there. */
bool bringup_tester_read(const struct model *m, const struct port *nic, struct bringup_tester *t, char why[BRINGUP_WORDS]);

/* The class that is tested. */
struct bringup_class {
	unsigned tos;			/* the IPv4 ToS byte of RoCE there */
	unsigned priority;		/* lossless */
};

/* As the policy wants it at that NIC. False: it wants no priority lossless there, or no DSCP in one. */
bool bringup_class_read(const struct policy *p, const struct port *nic, const struct inventory *inv, struct bringup_class *c);

/* What it wants of a setting at a NIC. False: nothing. */
bool bringup_wants(const struct policy *p, const struct inventory *inv, const char *host, const char *nic, enum field f, unsigned index,
		   uint64_t *n);

/* The MTU of RDMA that fits the Ethernet MTU that it wants there, bytes; 0: it wants none. */
unsigned long bringup_mtu_wanted(const struct policy *p, const struct inventory *inv, const char *host, const char *nic);

/* Of two numbers of which 0 is not known. */
double bringup_lesser(double a, double b);

struct bringup_load {
	unsigned seconds, qps;
	unsigned long message;		/* bytes */
	unsigned depth;			/* writes that a queue pair has on the way; 0: the tool's own number */
	unsigned round_trips;		/* of a latency test; 0: the tool's own number */
};

/* What is sent between two NICs: with a software device at either end one queue pair, with few writes on the way. */
struct bringup_load bringup_load_between(const struct bringup_load *load, const struct bringup_tester *a, const struct bringup_tester *b);

const char *bringup_tool_name(enum bringup_tool tool);		/* "ib_write_bw" */
const char *bringup_tool_package(enum bringup_tool tool);	/* of Debian, which has it: "perftest" */
bool bringup_tool_measures_rate(enum bringup_tool tool);
/* About how long a test takes by it, seconds, without setting it up. */
unsigned bringup_tool_seconds(enum bringup_tool tool, const struct bringup_load *load);

#define BRINGUP_PINGS	10	/* of rping */

#define BRINGUP_COMMAND_WORDS 24

struct bringup_command {
	const char *words[BRINGUP_COMMAND_WORDS];	/* NULL-terminated; each lent by the tester, or in text */
	char text[128];
};

/*
 * The command of one end; addresses and the port come behind it (remote/runner/runner.h). rping and iperf3 are told no device: they take
 * that of their address; rping is told no class either: the connection manager takes the ToS that is set for it.
 */
void bringup_command(enum bringup_tool tool, bool is_server, const struct bringup_tester *t, const struct bringup_class *c,
		     const struct bringup_load *load, struct bringup_command *out);

enum bringup_role {
	BRINGUP_SENDER, BRINGUP_RECEIVER,
	BRINGUP_SHARED_RECEIVER,	/* others send to it in another class: what it counts of all classes together is not of the flow */
};

/*
 * What the counters of a port say now, as the sender of a flow or as its receiver. priority: as the port counts; a switch counts what it
 * sends by queue.
 */
void bringup_seen_read(const struct model *m, const struct port *nic, unsigned priority, enum bringup_role role, struct bringup_seen *s);
/* The queue by which a switch port sends a priority; what it does not report of its maps is one to one. */
unsigned bringup_queue_of(const struct model *m, const struct port *p, unsigned priority);
/* How much each has grown. What is unknown at either time, or has shrunk, is unknown. */
struct bringup_seen bringup_seen_since(const struct bringup_seen *before, const struct bringup_seen *after);

#endif
