/*
 * Link tests between simulated hosts: who listens where, which server a client has, the flows of a pair, and what they moved. What a
 * test measures is what the simulator gave its flows. The tools' options and texts are not here (linux/tool_perftest.c and others).
 */
#ifndef REMOTE_LAB_WORLD_LINK_TEST_H
#define REMOTE_LAB_WORLD_LINK_TEST_H

#include "remote/lab/world/fabric.h"

#define LINK_QPS_MAX	64	/* flows of a test; further queue pairs share them */

/* LINK_STREAM: UDP of the kernel's. */
enum link_traffic { LINK_WRITES, LINK_READS, LINK_PINGS, LINK_STREAM };

/* How far an end is. UNJOINED: queue pairs that cannot be connected; LEFT: of a server, its client has gone. */
enum link_state { LINK_WAITS, LINK_RUNS, LINK_WELL, LINK_UNJOINED, LINK_RETRIES, LINK_LEFT };

struct link_samples {
	double *us;			/* owned */
	size_t n, cap;
};

/* One process, a server or a client. */
struct link_end {
	/* Said by who begins it: */
	const char *comm;		/* lent; both ends have the same */
	int pid;
	unsigned device;
	unsigned port;			/* of the fabric: the first of its RDMA device */
	bool is_server;
	bool is_cm;			/* its port is of the RDMA CM, where nothing of TCP listens */
	unsigned tcp_port;
	uint8_t tos;			/* asked for */
	unsigned gid_index;
	bool is_v1;			/* RoCE v1 has no IP header, and no DSCP */
	bool has_gid;			/* false: its GID is empty */
	unsigned mtu, qps;
	/* of a client: */
	enum link_traffic traffic;
	uint64_t size, iterations;	/* iterations: of each queue pair; 0: by time */
	int64_t duration_us;		/* by the devices' clock; its middle half is measured */

	/* From then on: */
	enum link_state state;
	unsigned number;		/* of the test: its client's, for its flows */
	unsigned qpn, psn;		/* of its first queue pair */
	struct link_end *partner;	/* while both are there */
	unsigned far_qpn, far_psn, far_port, far_gid;	/* of the partner, kept after it has gone */
	int64_t began_us, from_us, until_us;	/* the test, and the part of it that is measured */
	double from_bytes, until_bytes;
	double sent_bytes;		/* of LINK_STREAM: what arrived is less */
	double peak_bps, last_bytes;
	struct link_samples samples;	/* owned; of LINK_PINGS, microseconds one way */
	struct link_end *next;
};

/* The server is in the table of those that listen; false: its port is taken on that device. */
bool link_serve(struct fabric *f, struct link_end *server);
struct link_end *link_listener(const struct fabric *f, unsigned device, unsigned tcp_port, bool is_cm);
/* The client takes the server, which listens no more. Flows begin where both have a GID. */
void link_connect(struct fabric *f, struct link_end *client, struct link_end *server);
/* It ends; its partner notices. What it owns is freed, the rest is the caller's. */
void link_leave(struct fabric *f, struct link_end *end);
/* After each step of the simulation. */
void link_pass(struct fabric *f);

/* Of an end that is LINK_WELL: the mean in bits of payload per second. */
double link_bps(const struct link_end *end);
/* Payload in the part that is measured. */
double link_bytes(const struct link_end *end);

#endif
