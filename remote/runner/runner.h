/*
 * Runs tests between nodes: of each, a server on one node and a client on another, or on the same. The servers of a node are one
 * script over one session, and so are its clients (remote/runner/node_script.h); a client begins when its server listens. Nothing is
 * installed on a node, no node logs in to another, and what runs there ends with our session.
 *
 * It sends traffic: who starts it has a person's leave, and has looked whether the ports are free of others' queue pairs.
 */
#ifndef REMOTE_RUNNER_RUNNER_H
#define REMOTE_RUNNER_RUNNER_H

#include "remote/poll/write_session.h"

struct runner_test {
	const char *server, *client;	/* hosts of the inventory; server NULL: the client's command is run by itself, without a port */
	/* Commands with their options, without the port: both get it as "-p PORT" at their end. NULL-terminated; lent until it has ended. */
	const char *const *server_words, *const *client_words;
	/*
	 * Of the server: the client is given the address of this GID of an RDMA device, before the port, as the server's node tells it.
	 * NULL: it is given none.
	 */
	const char *device;
	unsigned gid_index;
	/*
	 * Options of a tool that wants addresses by them, NULL: it takes none. server_own and client_own get the command's own address, of
	 * that GID, or for the client of client_device; client_far stands before the server's.
	 */
	const char *server_own, *client_own, *client_far;
	const char *client_device;
	unsigned client_gid_index;
	unsigned port;			/* TCP, the first to be tried */
	unsigned limit_s;		/* of the command */
};

/* Of one end of a test. */
struct runner_said {
	int status;			/* of the command; -1: not known */
	struct span text;		/* what it printed, both outputs */
};

struct runner_outcome {
	struct runner_said server, client;
	const char *why;		/* it was not run, or not to its end: "node2: session: timeout"; NULL: both commands ended */
};

struct runner_hooks {
	void *ctx;
	void (*ended)(void *ctx, size_t test, const struct runner_outcome *o);	/* once for each, in any order; texts are lent */
	void (*done)(void *ctx);	/* after the last; the runner may be freed in it */
};

struct runner;

/* permit: lent, in force. tests: lent until the runner is freed. */
struct runner *runner_new(uv_loop_t *loop, const struct inventory *inv, const struct poller_options *options,
			  const struct write_permit *permit, const struct runner_test *tests, size_t n, const struct runner_hooks *hooks);
/* Ends everything that runs; each test that has not ended ends with why. */
void runner_stop(struct runner *r, const char *why);
void runner_free(struct runner *r);

#endif
