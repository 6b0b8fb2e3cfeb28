/*
 * The simulated fabric: devices, ports, cables, what each is set to, the flows, and the queueing model they run in.
 * A port's simulated behaviour is always derived from its device's configuration (fabric_refresh()), so a wrong setting
 * has its true symptom, and putting it right by the device's own commands makes that go away.
 */
#ifndef REMOTE_LAB_WORLD_FABRIC_H
#define REMOTE_LAB_WORLD_FABRIC_H

#include <jansson.h>

#include "remote/lab/world/host_port.h"
#include "remote/lab/world/job.h"

#define LAB_SECRET	"labSecret"	/* begins every password, community and key in the switches' configurations */

enum lab_os { OS_LINUX, OS_OS10, OS_SONIC };

struct dell_config;
struct speaker;
struct trap;
struct setup;

/* What waits for a write at the device (trap.h). */
struct lab_trap {
	const struct trap *kind;	/* NULL: nothing */
	unsigned left;			/* writes, until it springs */
	struct setup *base;		/* owned; the settings when it was set */
	struct setup *before;		/* owned; of a path that is cut: this or base makes it whole */
	bool has_lost_tools;
};

/* What is wrong with the cable or the machine, where no configuration says so. */
struct lab_harm {
	double frame_error;		/* part of received frames damaged */
	double drain_bps;		/* host takes only so much */
	bool is_storming;		/* sends XOFF without end on priority 3 */
	bool is_down;
	unsigned pcie_lanes;		/* left, at 8 GT/s; 0: all there are */
	bool is_soft;			/* soft-RoCE in the hardware's place */
	bool has_no_vf;
	bool has_no_address;		/* host: no IPv4 address */
};

struct lab_port {
	char name[32];
	char mac[18];
	unsigned device;
	unsigned number;		/* of the device, from 1 */
	int peer;			/* port the cable goes to, or -1 */
	int planned;			/* port the cable plan says */
	unsigned sim;
	uint64_t speed_bps;
	int rail;			/* hosts: from 0; switches: of the host it faces, or -1 */
	struct host_port nic;		/* hosts */
	char rdma[32];			/* hosts: "mlx5_0" */
	uint32_t ip;			/* hosts */
	bool is_member;			/* of the device's bond0 */
	bool has_pinged;		/* hosts: who answers it is in the neighbor table */
	struct lab_harm harm;
	struct sim_counters *since;	/* owned; what they were at the last boot, or NULL */
};

struct lab_device {
	char name[64];
	enum lab_os os;
	char rack[16];
	unsigned first, n;		/* ports */
	bool has_bond;
	char mac[18];			/* chassis */
	struct dell_config *dell;	/* owned */
	json_t *sonic;			/* owned: CONFIG_DB */
	json_t *sonic_saved;		/* owned: what the next boot would read */
	json_t *sonic_checkpoints;	/* owned: CONFIG_DBs by name; NULL: none */
	bool is_unreachable, is_slow, is_garbled;
	struct lab_job job;		/* hosts */
	unsigned tcp_ecn;		/* hosts */
	unsigned sessions;
	unsigned refreshed;		/* of view files */
	int64_t booted_us;		/* by the devices' clock */
	unsigned boots;			/* after the first */
	bool is_cut;			/* nothing passes to or from it */
	struct lab_trap trap;
	const struct speaker *speaker;	/* lent: who answers; NULL: as its system does */
};

struct lab_flow {
	unsigned handle;
	unsigned from, to;		/* ports */
	double demand_bps, on_ms, off_ms;
	uint8_t tos;
};

struct fabric {
	struct lab_device *devices;
	size_t n_devices, cap_devices;
	struct lab_port *ports;
	size_t n_ports, cap_ports;
	struct lab_flow *flows;
	size_t n_flows, cap_flows;
	struct sim *sim;
	uint64_t seed;
	unsigned lens;			/* one in so many ms is simulated; counters are shown times lens */
	int64_t now_us;			/* the devices' clock */
	char traffic[16];
	char name[32];
};

struct fabric_plan {
	unsigned nodes, rails, leaves, spines;
	const char *switch_os;		/* "os10", "sonic", "mixed" */
	uint64_t speed_bps;
	bool with_bond;			/* the last node's first two rails are bond0 */
	uint64_t seed;
	unsigned lens;			/* 0: chosen by size */
};

struct fabric *fabric_new(uint64_t seed, unsigned lens);
void fabric_free(struct fabric *f);

struct fabric *fabric_generate(const struct fabric_plan *plan, struct err *err);
/*
 * Reads a .fabric file: "device NAME linux|os10|sonic [RACK]" and below it "ports N SPEED"; "link DEVICE PORT DEVICE PORT";
 * "bond NODE"; facts of host ports in their written form. # begins a comment.
 */
struct fabric *fabric_read(struct span text, const char *file, const struct fabric_plan *plan, struct err *err);

struct lab_device *fabric_device(struct fabric *f, struct span name);
struct lab_port *fabric_port(struct fabric *f, const struct lab_device *d, struct span name);
static inline struct lab_device *port_device(const struct fabric *f, const struct lab_port *p)
{
	return &f->devices[p->device];
}
static inline struct lab_port *port_peer(const struct fabric *f, const struct lab_port *p)
{
	return p->peer < 0 ? NULL : &f->ports[p->peer];
}
bool port_is_up(const struct fabric *f, const struct lab_port *p);

/* Makes the simulated ports of a device agree with its configuration again (NULL: of all). */
void fabric_refresh(struct fabric *f, const struct lab_device *d);
/* Cables port a to port b, or (b NULL) takes the cable out. */
void fabric_cable(struct fabric *f, struct lab_port *a, struct lab_port *b);

/* "ring", "incast", "all", "off": false for another word. */
bool fabric_traffic(struct fabric *f, const char *pattern);
/* Lets us of the devices' time pass. */
void fabric_run(struct fabric *f, int64_t us);

/* A port's counters as its device would show them now. */
void fabric_counters(const struct fabric *f, const struct lab_port *p, struct sim_counters *out);

/* Every setting and every counter that is not zero, as facts, a line each, in order: the same seed gives the same text. */
void fabric_dump(struct fabric *f, struct buf *out);

#endif
