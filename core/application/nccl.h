/*
 * What NCCL (and RCCL) writes to its log with NCCL_DEBUG=INFO or WARN: which network each process uses, through which
 * HCAs, GID and traffic class, whether the GPU's memory is reached directly, and what went wrong. One log may hold the
 * lines of many processes of many hosts, mixed, with the prefixes of mpirun, torchrun and journals.
 *
 * Nothing is copied: texts are slices of the log.
 */
#ifndef CORE_APPLICATION_NCCL_H
#define CORE_APPLICATION_NCCL_H

#include "core/model/obs.h"
#include "core/roce/completion.h"

#define NCCL_PROCESSES_MAX 4096		/* more are counted and left out */

#define NCCL_PORTS_MAX	16		/* of a process, with an error that has not ended; one more is not remembered */

/* Something the log says, and the line that says it (line.p NULL: it does not say). */
struct nccl_said {
	struct span text, line;
	uint64_t n;
};

struct nccl_error {
	unsigned status;		/* 0: none */
	uint64_t vendor;
	struct span peer, hca, line;	/* hca may be empty: older versions do not print it */
};

struct nccl_process {
	struct span host;		/* empty where the prefix was cut off */
	uint64_t pid;			/* 0: not printed */
	uint64_t first_rank, last_rank, n_ranks, of_ranks;
	uint64_t ranks_seen[16];	/* a bit each, of the ranks below 1024 */
	struct nccl_said version;
	/* Of the network, the later of these tells more: what was found, what was chosen, what channels go through. */
	struct nccl_said found, chosen, none_found;
	uint64_t n_ib, n_socket, n_plugin, n_direct;	/* channels by network; those of IB and plugins that reach the GPU directly */
	struct nccl_said ib_channel, direct_channel, socket_channel, plugin_channel;
	struct nccl_said hcas;		/* "[0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE" */
	struct nccl_said gid_index, tc, fifo_tc;	/* gid_index: used, else asked for */
	struct nccl_said direct, not_direct;	/* GPU Direct RDMA is enabled, is disabled: text is the reason, if any */
	struct nccl_said env;		/* some NCCL_IB_ variable was told, so the others of its kind would have been, too */
	struct nccl_said connected;	/* its channels were connected: everything that is read for that has been told */
	unsigned errors[COMPLETION_STATUSES];
	struct nccl_error error;	/* the first that is no mere consequence, else the first */
	const struct nccl_trouble *trouble;	/* the first warning that is known, and that nothing later ended; NULL */
	struct nccl_said trouble_said, warning;	/* warning: the first of all, whatever it says */
	const struct nccl_trouble *known;	/* the first known one that is no port error, which nothing ends; NULL */
	struct nccl_said known_said;
	struct nccl_said port_errors[NCCL_PORTS_MAX];	/* of ports that no later line calls active, the oldest first */
	size_t n_port_errors;
	uint64_t n_warnings;
};

/* A warning that is known, a row each. */
struct nccl_trouble {
	const char *needle;		/* what the line holds */
	const char *also;		/* and this too, or NULL */
	const char *id;			/* of the cause, or NULL */
	const char *what, *next;
	bool ends;			/* a later "port active" of the same port ends it */
};
extern const struct nccl_trouble nccl_troubles[];
extern const size_t nccl_trouble_count;

struct nccl_log {
	struct nccl_process *list;
	size_t n, cap;
	struct nccl_said version;	/* printed once, by one process for all */
	size_t n_lines, n_nccl;		/* all; those of NCCL */
	size_t n_left_out;		/* lines of processes past the limit */
};

/* Returns the number of NCCL's lines; 0: this is no log of NCCL. */
size_t nccl_read(struct nccl_log *log, struct span text);
void nccl_done(struct nccl_log *log);

enum nccl_net { NCCL_NET_UNKNOWN, NCCL_NET_IB, NCCL_NET_SOCKET, NCCL_NET_PLUGIN };
/* "NET/IB : mlx5_1:1 async event : port error": "mlx5_1:1", nothing where none is named; false where the text is no such event. */
bool nccl_port_error(struct span text, struct span *port);
/* What it uses, and the line that tells. */
enum nccl_net nccl_net(const struct nccl_process *p, struct nccl_said *by);
/* Whether GPU memory is reached directly: 1, 0, or -1 for not told; by->text is the reason. */
int nccl_direct(const struct nccl_process *p, struct nccl_said *by);
/* "mlx5_0 mlx5_1": what it uses, in order; nothing when it does not tell. */
void nccl_hcas(const struct nccl_process *p, struct buf *out);
/* "0-3,8", "" when no rank was told. */
void nccl_ranks(const struct nccl_process *p, struct buf *out);
/* Whether it is known that no traffic class was set: its variables were told, and this was not among them. */
bool nccl_tc_is_unset(const struct nccl_process *p);

/*
 * The facts of one host's processes. excerpt gets the lines that say them, which become o->raw and are cited: keep it as
 * long as o. What processes disagree about is unknown, and says so.
 */
size_t nccl_facts(const struct nccl_log *log, struct span host, struct buf *excerpt, struct obs *o);

#endif
