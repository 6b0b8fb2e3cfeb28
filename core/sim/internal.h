/*
 * What the files of the queueing model share (sim.c: fabric and flows; sim_route.c: paths and islands; sim_queue.c: a
 * port's turn; sim_pause.c: pause; sim_feedback.c: what receivers send back).
 *
 * Traffic is a fluid in steps of about a µs; a queue is well mixed in the bytes it gives each flow, and first in first
 * out for tokens. A token is something about one packet: a mark, a loss, a CNP. It leaves its queue when what was in
 * front of it has left. All delays of a link are charged to what goes back (pause frames, CNPs), twice; data cross at
 * once. The loops are as long as in truth, and nothing needs to remember what is on the wire.
 *
 * Ports that share a flow, and so may hold each other up, are an island; each runs its own steps, as short as its pause
 * frames need and as long as its quiet allows.
 */
#ifndef CORE_SIM_INTERNAL_H
#define CORE_SIM_INTERNAL_H

#include "core/base/mem.h"
#include "core/roce/dcqcn.h"
#include "core/sim/sim.h"

#define MAX_HOPS	8
#define ALL_PRIOS	8	/* the place of 802.3x pause beside the eight priorities */
#define LANES		(SIM_PRIOS + 1)
#define CONTROL_BYTES	78	/* a CNP or NAK on the wire: Eth 14, IP 20, UDP 8, BTH 12, 16 + 4, FCS 4 */
#define ACK_BYTES	66	/* an ACK: the same, AETH 4 for the 16 */
#define HEADER_BYTES	62	/* of a data packet: Eth 14, IP 20, UDP 8, BTH 12, ICRC 4, FCS 4 */
#define LOSSY_LIMIT	2e6	/* bytes a lossy egress queue may hold: our choice */
#define CONTROL_LIMIT	4096	/* tokens with bytes in one queue, so that a starved one stays bounded */
#define NEVER		INT64_MAX

enum token_kind {
	TOKEN_MARK,	/* a marked packet (count of them) to the receiver */
	TOKEN_GAP,	/* the packet after a lost one, to the receiver */
	TOKEN_RESUME,	/* the first packet sent again, to the receiver */
	TOKEN_CNP,	/* back to the sender */
	TOKEN_NAK,
};

struct token {
	double at_bytes;	/* leaves when the queue's departed passes this */
	unsigned flow;
	uint8_t kind, hop;
	uint32_t count;
};

struct sim_queue {
	double backlog, in;		/* bytes of flows: waiting, and come in this step */
	double control;			/* bytes of tokens that wait */
	double arrived, departed;	/* since ever; their difference is backlog + control */
	double open;			/* part of this step that it may send */
	struct token *tokens;
	size_t first, n, cap;		/* tokens[first … n-1] wait */
	unsigned n_control;
	int64_t stopped_ns;		/* since when it is stopped; NEVER: it is not */
	int64_t free_ns;		/* since when it is not */
};

/* A peer's word that takes effect later. */
struct turn {
	int64_t at_ns;
	uint8_t lane;
	bool stop;
};

/* Ingress accounting of one priority of a port; of a host: what its memory has not taken yet. */
struct group {
	struct sim_port *port;
	struct stream **streams;	/* whose bytes it counts */
	size_t n_streams, cap_streams;
	double bytes, before, weighed;	/* now; at the ends of the last two steps */
	double xoff, xon, limit;	/* limit: there is no room for more */
	int64_t latency_ns;		/* from deciding to its effect here */
	int64_t refresh_ns;		/* when to say it again; NEVER while not stopping */
	int64_t held_ns, quiet_ns;	/* since when it holds; until when stall prevention keeps it from it */
	bool has_warned;		/* of a stall */
	uint8_t lane;
};

/* What every step reads stands first. */
struct sim_port {
	struct stream **streams;	/* that leave here */
	size_t n_streams, cap_streams;
	double rate;			/* bytes per ns, 0 when down */
	double backlog;			/* of all queues with control */
	struct turn *turns;		/* turns[first … n-1] are to come, in order of time */
	size_t first_turn, n_turns, cap_turns;
	struct sim_port *peer;
	unsigned waiting;		/* tokens in all queues */
	uint16_t stops;			/* bit set: lanes that the peer has stopped */
	uint8_t stormed;		/* bit set: queues that the watchdog holds to be in a storm */
	uint64_t told_tx[SIM_PRIOS], told_drop[SIM_PRIOS];	/* of their priorities, counted up to here */
	uint64_t told_rx[SIM_PRIOS], told_rx_drop[SIM_PRIOS];
	bool is_switch;
	bool is_open;			/* every queue may send, and says so */
	uint8_t used[SIM_PRIOS];	/* queues that flows or tokens go through */
	unsigned n_used;
	unsigned id, device, island;
	unsigned rank;			/* in its island: after the ports that feed it */
	int64_t delay_ns;		/* of the cable, one way */
	struct sim_qos qos;
	struct sim_queue queues[SIM_PRIOS];
	struct group groups[LANES];
	double stop_ns[LANES], hold_ns[LANES];	/* received and sent pause, by duration */
	struct sim_counters counters;
};

/* A flow at one egress port. */
struct stream {
	struct flow *flow;
	struct sim_port *port;
	struct stream *next;		/* NULL: the next is the receiver */
	struct group *group;		/* that counts its backlog; NULL at the sender */
	struct group *sink;		/* of the receiver */
	uint8_t queue, prio, peer_prio;
	bool is_too_big;		/* for the port at the other end */
	bool is_lossless;
	double backlog, in;
	double sent;			/* bytes since ever */
	uint64_t counted_bytes, counted_packets;
	double mark_left, mark_part;	/* packets × hazard until the next mark; part of a packet not yet counted */
	double damage_left;
	double drop_part;
};

struct flow {
	unsigned id;
	struct sim_flow is;
	bool is_live, is_on;
	struct sim_port *route[MAX_HOPS]; /* given; n_route 0: found by hash */
	unsigned n_route;
	struct stream hops[MAX_HOPS];
	unsigned n_hops;
	struct sim_port *back[MAX_HOPS]; /* egress ports from the receiver to the sender */
	uint8_t back_queue[MAX_HOPS][2], back_prio[MAX_HOPS][2], back_peer_prio[MAX_HOPS][2];	/* of a CNP, of a NAK */
	unsigned n_back;
	struct dcqcn_rp rp;
	int64_t cnp_ns;			/* the receiver's last CNP */
	int64_t change_ns;		/* when a burst ends or begins */
	int64_t progress_ns;		/* last time that bytes arrived in order */
	bool in_gap;			/* the receiver discards until TOKEN_RESUME */
	bool has_loss;			/* a TOKEN_GAP is on its way or was answered */
	int64_t loss_ns;		/* when the sender could first know of it; 0: not yet */
	double sent, delivered, wasted;	/* wasted: dropped, or discarded in a gap */
	double told_wasted;		/* of it, counted as sent again */
	uint64_t counted_acks;
	double packet_bytes;
	uint64_t random;
};

struct feedback {
	int64_t at_ns;
	uint64_t order;			/* so that equal times have one order */
	unsigned flow;
	uint8_t kind;
};

struct island {
	struct sim_port **ports;	/* by rank */
	size_t n_ports, cap_ports;
	struct flow **flows;
	size_t n_flows, cap_flows;
	struct group **groups;
	size_t n_groups, cap_groups;
	struct feedback *heap;
	size_t n_heap, cap_heap;
	uint64_t order;
	int64_t now_ns, step_ns;	/* and the length of the next step */
	struct sim *sim;
};

struct sim_device {
	bool is_switch;
	unsigned *ports;
	size_t n_ports, cap_ports;
};

struct sim {
	uint64_t seed;
	int64_t now_ns;
	struct sim_device *devices;
	size_t n_devices, cap_devices;
	struct sim_port **ports;
	size_t n_ports, cap_ports;
	struct flow **flows;
	size_t n_flows, cap_flows;
	struct island *islands;
	size_t n_islands;
	double packet_bytes;		/* the largest of a flow */
	bool has_acks;			/* of any flow ever */
	bool is_moved, is_rerouted;	/* since the islands were made: settings; links or flows */
};

/* fmin() and fmax() are calls, for the sake of NaN; nothing here is one. */
static inline double least(double a, double b)
{
	return a < b ? a : b;
}

static inline double most(double a, double b)
{
	return a > b ? a : b;
}

static inline bool port_is_held(const struct sim_port *p)
{
	return p->stops || p->first_turn < p->n_turns;
}

/* NULL for one that has ended. */
static inline struct flow *live_flow(const struct sim *s, size_t i)
{
	return s->flows[i] && s->flows[i]->is_live ? s->flows[i] : NULL;
}

/* sim.c */
uint64_t random_next(uint64_t *state);
/* Packets (of the unit mean) until the next that is hit. */
double random_exponential(uint64_t *state);
/* Packets without data cross a link. */
void count_control(struct sim_port *from, unsigned prio, unsigned far_prio, uint64_t packets, unsigned bytes_each);

/* sim_route.c */
void sim_make_islands(struct sim *s);
void sim_drop_islands(struct sim *s);

/* sim_queue.c */
void port_serve(struct island *is, struct sim_port *p, double step_ns);
/* The port visits this queue from now on. */
void queue_use(struct sim_port *p, unsigned queue);
bool queue_is_clear(const struct sim_port *p, const struct sim_queue *q);
void queue_token(struct sim_port *p, struct sim_queue *q, struct token what);
/* Takes the tokens of a flow away. */
void queue_forget(struct sim_port *p, unsigned flow);
/* Passes what is known of a packet on from hop, at once or after waiting in a queue. */
void token_forward(struct island *is, struct flow *f, struct token what, int64_t at_ns);
/* Bytes lost on the way of a flow: the receiver sees a gap when what follows arrives. Gives whole packets. */
uint64_t stream_lose(struct stream *st, double bytes);
/* Drops bytes that wait; gives whole packets. */
uint64_t stream_drop(struct stream *st, double bytes);

/* sim_pause.c */
bool port_sends_pause(const struct sim_port *p, unsigned lane);
bool port_obeys_pause(const struct sim_port *p, unsigned lane);
/* What part of the step each queue may send, by the pauses that stand and those that begin or end in it. */
void port_open(struct sim_port *p, int64_t now_ns, double step_ns);
/* Sets thresholds and delay; a hold that may not go on lapses at the peer by itself. */
void group_watch(struct group *g, const struct sim *s, int64_t now_ns);
void group_judge(struct island *is, struct group *g, double step_ns);
/* Counts what of a flow has passed, at the ports of its way. */
void flow_count(struct flow *f);

static inline bool port_drops(const struct sim_port *p, unsigned queue)
{
	return p->qos.watchdog == WATCHDOG_DROPS && (p->stormed >> queue & 1);
}

void port_watchdog(struct sim_port *p, int64_t now_ns);

/* sim_feedback.c */
void receiver_token(struct island *is, struct flow *f, const struct token *what, int64_t at_ns);
void receiver_takes(struct island *is, struct stream *last, double bytes);
/* Sends a CNP or NAK on its way back, from its hop. */
void feedback_send(struct island *is, struct flow *f, enum token_kind kind, unsigned hop, int64_t at_ns);
void feedback_push(struct island *is, struct feedback what);
void feedback_due(struct island *is);
void sender_timeout(struct flow *f, int64_t now_ns);

#endif
