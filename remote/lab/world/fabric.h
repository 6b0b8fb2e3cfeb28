/*
 * The simulated fabric: devices, ports, cables, what each is set to, the flows, and the queueing model they run in.
 * A port's simulated behaviour is always derived from its device's configuration (fabric_refresh()), so a wrong setting
 * has its true symptom, and putting it right by the device's own commands makes that go away.
 */
#ifndef REMOTE_LAB_WORLD_FABRIC_H
#define REMOTE_LAB_WORLD_FABRIC_H

#include "remote/lab/world/counters.h"
#include "remote/lab/world/host_port.h"
#include "remote/lab/world/job.h"
#include "remote/lab/world/system.h"

#define LAB_SECRET	"labSecret"	/* begins every password, community and key in the switches' configurations */

struct counting;
struct link_end;
struct trap;
struct setup;
struct view;

/* What waits for a write at the device (trap.h). */
struct lab_trap {
	const struct trap *kind;	/* NULL: nothing */
	unsigned left;			/* writes, until it springs */
	struct setup *base;		/* owned; the settings when it was set */
	struct setup *before;		/* owned; of a path that is cut: this or base makes it whole */
	bool has_lost_tools;
	bool has_misread;		/* its next answer is that dcb has misread the kernel's */
};

/* What is wrong with the cable or the machine, where no configuration says so. */
struct lab_harm {
	double frame_error;		/* part of received frames damaged */
	double weak_lane_ber;		/* part of the bits of one lane that arrive wrong, and are corrected; 0: none is weak */
	double drain_bps;		/* host takes only so much */
	double cap_bps;			/* its NIC passes only so much, either way, and counts nothing of it; 0: no such cap */
	bool is_storming;		/* sends XOFF without end on priority 3: its stall prevention is off */
	bool is_down;
	unsigned pcie_lanes;		/* left, at 8 GT/s; 0: all there are */
	bool is_soft;			/* soft-RoCE in the hardware's place */
	bool has_no_vf;
	bool has_no_address;		/* host: no IPv4 address */
	bool has_old_firmware;		/* host: its NIC */
	bool is_left_out;		/* host: NCCL_IB_HCA does not name its RDMA device, and the job moves nothing there */
};

/* A link came or went. */
struct link_event {
	int64_t us;			/* by the devices' clock */
	bool is_up;
};

#define LINK_EVENTS 16

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
	unsigned front, lane;		/* switches: the socket, from 1, and which part of it, from 1; lane 0: all of it */
	struct host_port nic;		/* hosts */
	char rdma[32];			/* hosts: "mlx5_0" */
	uint32_t ip;			/* hosts */
	bool is_member;			/* of the device's bond0 */
	int64_t down_until_us;		/* its driver toggles the link: no light until then, by the devices' clock */
	int link_peer;			/* as last seen: the port its link is up to, or -1; */
	int64_t link_us;		/* since when, by the devices' clock (ages.h) */
	struct link_event link_events[LINK_EVENTS];	/* the newest, oldest first */
	unsigned n_link_events;
	bool has_pinged;		/* hosts: who answers it is in the neighbor table */
	struct lab_harm harm;
	struct counting *counting;	/* owned; what the device makes of its counters (counters.h) */
};

/* The next reads by one tool that go wrong, whatever the device wears. */
struct lab_spoil {
	char tool[32];			/* SPOIL_HANG, SPOIL_SLOW: what its command line begins with, "mlnx_qos|dmesg" */
	unsigned left;
	enum { SPOIL_CUT, SPOIL_BUSY, SPOIL_HANG, SPOIL_SLOW } how;
};

/* Somebody's login with a terminal, as ctl made it. */
struct lab_login {
	char user[33], from[64];
	int64_t since_s, until_s;	/* of this machine's clock; until_s 0: still logged in */
};

struct lab_device {
	char name[64];
	const struct lab_system *system;
	char rack[16];
	unsigned number;		/* in the fabric */
	unsigned first, n;		/* ports */
	bool has_bond;
	uint32_t bond_mtu;		/* of bond0, which hands it down to its members */
	char mac[18];			/* chassis */
	void *own;			/* owned: its configuration, as its system keeps it */
	bool is_unreachable, is_slow, is_garbled;
	unsigned channels_max;		/* that a session may have at once; 0: any number */
	struct lab_job job;		/* hosts */
	unsigned tcp_ecn;		/* hosts */
	unsigned sessions;
	unsigned refreshed;		/* of view files */
	struct view *view;		/* owned; view_done() */
	int64_t booted_us;		/* by the devices' clock */
	unsigned boots;			/* after the first */
	bool is_cut;			/* nothing passes to or from it */
	struct lab_trap trap;
	const struct speaker *speaker;	/* lent: who answers; NULL: its system's */
	uint64_t skins;			/* bits of enum skin (skins.h) */
	uint64_t reads;			/* answered by its tools so far */
	struct lab_spoil spoil;		/* asked for over ctl */
	struct lab_login logins[8];
	unsigned n_logins;		/* 0: it keeps no login records */
};

struct lab_flow {
	unsigned handle;
	unsigned from, to;		/* ports */
	double demand_bps, on_ms, off_ms;
	uint8_t tos;
	bool is_tcp;			/* the kernel's, not the job's */
	/* Of a link test: */
	unsigned test;			/* its number; 0: of the pattern of traffic */
	uint8_t asked_tos;		/* what the tool asks for; the host may force another */
	bool is_v1;			/* without an IP header, and so without DSCP */
	bool is_mute;			/* its end is gone, and it is not in the simulation any more */
	uint32_t packet_bytes;		/* payload of a packet */
	double bytes_before;		/* payload that it moved before it was begun anew */
	double seen_bytes;
	int64_t moved_us;		/* when seen_bytes was less than now */
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
	int64_t light_us;		/* when the next toggled link comes back; 0: none is down */
	char traffic[16];
	char name[32];
	uint64_t skins;			/* of all of it, as a device's */
	bool is_ring;			/* routes go around (ring.h) */
	double pace;			/* a command takes its time divided by this; 0: none */
	unsigned late_ms;		/* answers begin up to so much later */
	struct link_end *tests;		/* lent (link_test.h) */
	unsigned n_tests;		/* ends so far */
};

struct fabric *fabric_new(uint64_t seed, unsigned lens);
void fabric_free(struct fabric *f);

/* -- how a fabric is made: devices, each with its ports; cables; at last fabric_start() -- */

struct lab_device *fabric_add_device(struct fabric *f, struct span name, const struct lab_system *system, struct span rack);
/* The next port of the newest device; gives its number in the fabric. */
unsigned fabric_add_port(struct fabric *f, uint64_t speed_bps);
/* A cable from port a to port b, as planned. */
void fabric_plan_cable(struct fabric *f, unsigned a, unsigned b);
/* The first two ports of a host become bond0. */
void fabric_bond(struct fabric *f, struct lab_device *d);
/* Configures the devices and makes the simulated ports, once everything is known; ports that are parts of a socket are named so. */
void fabric_start(struct fabric *f);

/* -- how it is used -- */

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
static inline bool port_is_host(const struct fabric *f, const struct lab_port *p)
{
	return !port_device(f, p)->system->is_switch;
}
/* Members of a bond share the RDMA device of the first. */
static inline bool port_has_rdma(const struct lab_port *p)
{
	return !p->is_member || p->number == 1;
}
bool port_is_up(const struct fabric *f, const struct lab_port *p);

/* Makes the simulated ports of a device agree with its configuration again (NULL: of all). */
void fabric_refresh(struct fabric *f, const struct lab_device *d);
/* The link of the port goes down now, and comes back after so long. */
void fabric_retrain(struct fabric *f, struct lab_port *p, int64_t us);
/* Cables port a to port b, or (b NULL) takes the cable out. */
void fabric_cable(struct fabric *f, struct lab_port *a, struct lab_port *b);

/* "ring", "incast", "all", "off": false for another word. */
bool fabric_traffic(struct fabric *f, const char *pattern);

/* Flows of a link test, which stay when the pattern changes. flow: .from, .to, .demand_bps, .test and what follows it. */
void fabric_test_flow(struct fabric *f, const struct lab_flow *flow);
void fabric_test_end(struct fabric *f, unsigned test);
/* Nothing of it is acknowledged any more. */
void fabric_test_mute(struct fabric *f, unsigned test);
/* Payload that all its flows have moved; how long the one that stands longest has moved nothing. */
double fabric_test_bytes(const struct fabric *f, unsigned test);
/* Of the kernel's: what was sent, whether it arrived or not. */
double fabric_test_sent(const struct fabric *f, unsigned test);
int64_t fabric_test_stalled_us(struct fabric *f, unsigned test);

/* Lets us of the devices' time pass. */
void fabric_run(struct fabric *f, int64_t us);

/* Every setting and every counter that is not zero, as facts, a line each, in order: the same seed gives the same text. */
void fabric_dump(struct fabric *f, struct buf *out);

#endif
