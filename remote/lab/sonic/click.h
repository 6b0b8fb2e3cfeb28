/*
 * The command lines of SONiC's tools, as python's click takes them apart: groups of commands, of which the beginning is enough
 * where it is one's alone. Complaints are click's (7.0), and the exit status 2.
 */
#ifndef REMOTE_LAB_SONIC_CLICK_H
#define REMOTE_LAB_SONIC_CLICK_H

#include "remote/lab/server/tools.h"

struct click {
	const char *word;
	int (*run)(struct tool_call *t);	/* NULL: a group */
	const struct click *group;		/* what it consists of; of both, run is for the name alone. Ends with an empty row */
	const char *options;			/* that it takes: "--history --json"; NULL: none */
	bool takes_port;			/* an argument may follow */
	bool (*is_there)(const struct lab_device *d);	/* NULL: on all */
};

/* Runs what argv names, from argv[at]; argv[0] to argv[at - 1] are the group's name. */
int click_run(struct tool_call *t, int at, const struct click *rows);
/* "Usage: …", and the error below it; gives 2. at: as many words are the command's. */
int click_refuse(struct tool_call *t, int at, bool is_group, const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
