/*
 * OS10's command line without its terminal: one session's mode, and what a line typed in it does and answers. Used by the
 * sessions over SSH and by the stand-in of clish in the switch's own shell.
 */
#ifndef REMOTE_LAB_OS10_CLI_H
#define REMOTE_LAB_OS10_CLI_H

#include "remote/lab/server/server.h"

struct dell_config;

enum dell_role { DELL_SYSADMIN, DELL_NETADMIN /* no shell */, DELL_NETOPERATOR /* reads only */ };

struct dell_cli {
	struct server *server;
	struct lab_device *device;
	enum dell_role role;
	int mode;			/* DELL_EXEC, or the configuration block one is in */
	struct dell_config *candidate;	/* owned; of a transaction, or NULL */
	unsigned page_lines;		/* 0: no pager */
};
#define DELL_EXEC (-1)

/* The role by the user's name: "operator" is a netoperator, "netadmin" one; everybody else may do everything. */
void dell_cli_init(struct dell_cli *cli, struct server *s, struct lab_device *d, const char *user);
void dell_cli_done(struct dell_cli *cli);

enum dell_next { DELL_GOES_ON, DELL_SAYS_GOODBYE, DELL_OPENS_SHELL };
/* typed: the line with its pipe. answer gets what is printed; no_more: without the pager. */
enum dell_next dell_cli_line(struct dell_cli *cli, struct span typed, struct buf *answer, bool *no_more);
/* "leaf1(conf-if-eth1/1/1)# " */
void dell_cli_prompt(struct dell_cli *cli, struct buf *out);

#endif
