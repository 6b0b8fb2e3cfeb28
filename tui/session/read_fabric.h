/* Reading the fabric that a command line names, and printing what a command makes of it. */
#ifndef TUI_SESSION_READ_FABRIC_H
#define TUI_SESSION_READ_FABRIC_H

#include "tui/args/cli.h"
#include "tui/session/session.h"

/* Every device has answered or was given up, and counters were read twice where they can be. */
bool read_fabric_is_read(const struct session *s, struct poller_count *count);
/* Runs the open fabric for that long, or until Ctrl-C when for_us is 0. */
void read_fabric_run(int64_t for_us);

/* Its loop, for what runs beside the reading; and the signal that ended it, or 0. */
uv_loop_t *read_fabric_loop(void);
int read_fabric_interrupted(void);

/*
 * Opens the fabric of the options and reads it once (every device answered or given up, and two samples of each
 * counter; more where cli->judges and a verdict waits for them), or takes the replay. NULL and *code set when nothing could be read.
 */
struct session *read_fabric(struct cli *cli, int *code);
/* Nobody said whom to reach: says how to. EXIT_USAGE. */
int complain_of_no_inventory(void);
/* Ends what read_fabric() began. */
void read_fabric_done(struct cli *cli, struct session *s);
/* Prints a sheet made from the session, again each --watch; returns the exit code. */
int print_sheet(struct cli *cli, const char *schema, const char *columns, void (*fill)(struct cli *, struct session *, struct sheet *));

/* The code of how the fabric was read, and of what was found in it (cli->answer): a fault that was seen comes first. */
int exit_of_answer(const struct cli *cli, int read);
/* The code of a command that judges: EXIT_UNJUDGED where it would say that all is well and nothing was judged. */
int code_when_unjudged(const struct session *s, int code);

#endif
