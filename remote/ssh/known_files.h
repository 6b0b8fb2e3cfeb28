/*
 * Which known_hosts files hold for which host: one index for each distinct list of files, read once in a helper thread,
 * however many hosts go by it.
 */
#ifndef REMOTE_SSH_KNOWN_FILES_H
#define REMOTE_SSH_KNOWN_FILES_H

#include "remote/ssh/known_hosts.h"

struct known_files {
	struct known_hosts *index;
	const char **files;		/* owned, as their texts are; the first is where accepted keys go */
	size_t n, cap;
	struct buf names;		/* of the hosts, to be resolved, a line each */
	bool is_read;
	struct err err;			/* one of the files cannot be read: nothing can be trusted */
	struct known_files *next;
};

/* The index of these files ("~/" is the home directory); n 0: the usual ones. */
struct known_files *known_files_get(struct known_files **all, const char *const *files, size_t n);
/* A host that will be asked about. */
void known_files_expect(struct known_files *f, const char *name);
/* Reads all that were not read yet; may run in a helper thread, as long as nobody else uses them meanwhile. */
void known_files_read(struct known_files *all);
void known_files_free(struct known_files *all);

/* How a host is listed there: its alias, or its address and port. */
void known_files_name(const char *alias, const char *address, unsigned port, struct buf *out);

#endif
