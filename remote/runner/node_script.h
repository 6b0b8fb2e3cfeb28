/*
 * The script that runs link tests on one node, and what it reports. All tests of a node are one command over one channel; its standard
 * input stays open as long as the tests may run, and when it ends, everything that was started ends.
 *
 * Its lines, each after "fabcon: ": begin; address ID ADDRESS; listening ID PORT; out ID TEXT; ended ID STATUS; error ...; end. Other
 * output is skipped.
 */
#ifndef REMOTE_RUNNER_NODE_SCRIPT_H
#define REMOTE_RUNNER_NODE_SCRIPT_H

#include "core/base/mem.h"

struct node_test {
	unsigned id;			/* unique in its script */
	const char *const *words;	/* the command and its options; NULL-terminated; each of letters, digits and ._:/=@,+- */
	unsigned limit_s;		/* seconds */
	unsigned port;			/* a server: its first TCP port, given to it by -p; 0: a client */
	/*
	 * An RDMA device and a GID of it. Of a server, the GID's address is told before it listens. own: an option that gets the
	 * address, where the command is to be told its own; NULL: none.
	 */
	const char *device, *own;
	unsigned gid_index;
};

/* False, and nothing is added: a word that is not allowed, or no limit. */
bool node_script(const struct node_test *tests, size_t n, struct buf *script);

enum node_word { NODE_BEGIN, NODE_ADDRESS, NODE_LISTENING, NODE_OUT, NODE_ENDED, NODE_ERROR, NODE_END };

struct node_line {
	enum node_word word;
	unsigned id;
	unsigned long n;	/* the port, or the status */
	struct span text;	/* of the output, or the error; a slice of the line */
};

/* False: it is no line of the script's. */
bool node_line_read(struct span line, struct node_line *out);

#endif
