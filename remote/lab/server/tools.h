/*
 * The stand-ins: the fabric's own tools as a simulated host or switch has them. Each is a row of its system's. What they
 * print is what the real ones print, and what they are told to set takes effect.
 */
#ifndef REMOTE_LAB_SERVER_TOOLS_H
#define REMOTE_LAB_SERVER_TOOLS_H

#include "remote/lab/server/server.h"

/*
 * A tool that goes on after its call, until a step of it says that it has ended; then what it printed and its status are told. Its
 * caller may go away before: then it is freed.
 */
struct tool_going {
	bool (*step)(struct tool_going *g);	/* at each tick; true: it has ended */
	void (*free)(struct tool_going *g);
	struct buf out, errors;
	int status;
};

struct tool_call {
	struct fabric *fabric;
	struct lab_device *device;
	int argc;
	char **argv;			/* argv[0] is the tool's name; the text of a file that it reads comes last (stand_in.c) */
	struct buf *out, *errors;
	bool is_changed;		/* set by the tool: settings have changed */
	struct server *server;
	bool is_user;			/* the caller is not root */
	int pid;			/* of the caller; 0: it has no process on the device */
	struct tool_going *going;	/* set by a tool that goes on: owned by who called; its status does not count then */
};

struct tool {
	const char *name;
	int (*run)(struct tool_call *t);	/* gives the exit status */
};

/* Runs argv[0]; 127 for a tool that this device has not. */
int tool_run(struct tool_call *t);

/* The port of that name on the device, or NULL. */
struct lab_port *tool_port(const struct tool_call *t, const char *name);
/* True when the word is that option. */
static inline bool is_word(const char *word, const char *wanted)
{
	return word && !strcmp(word, wanted);
}

#endif
