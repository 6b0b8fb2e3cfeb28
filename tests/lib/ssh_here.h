/*
 * For tests of ssh_config and routes: a folder for the files of a test, and this machine as a struct ssh_source. Nothing but
 * programs of "Match exec" runs, and those only when is_allowed.
 */
#ifndef TESTS_LIB_SSH_HERE_H
#define TESTS_LIB_SSH_HERE_H

#include "core/ssh_config/ssh_config.h"

#define SSH	"/usr/bin/ssh"

extern struct ssh_here {
	char dir[64], machine[256], shorter[256], uid[24];
	const char *user, *home;
	unsigned ran;			/* programs of Match exec */
	bool is_allowed;
} ssh_here;

/* Set-up and tear-down of cmocka. */
int ssh_here_open(void **state);
int ssh_here_close(void **state);

struct ssh_source ssh_here_source(void);
bool ssh_here_has_ssh(void);

/* A file of the folder: its path, good for the next seven calls; and its text. */
const char *ssh_here_path(const char *name);
void ssh_here_write(const char *name, const char *text, size_t n);
void ssh_here_write_text(const char *name, const char *text);

#endif
