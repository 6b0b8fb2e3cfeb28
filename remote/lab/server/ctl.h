/*
 * DIR/ctl.sock: where "fabcon-lab ctl" and the stand-ins ask. A question is words, each ended by NUL, the first "ctl" or
 * "tool NAME"; the answer is "STATUS BYTES\n", that many bytes of output, and the rest is error output. The question ends with the
 * asker's side of the connection, or with the word CTL_STAYS: then the asker notices nothing but the lab notices that it goes away.
 */
#ifndef REMOTE_LAB_SERVER_CTL_H
#define REMOTE_LAB_SERVER_CTL_H

#include "remote/lab/server/server.h"
#include "remote/lab/world/faults.h"

struct ctl;

struct ctl_hooks {
	void *ctx;
	void (*stop)(void *ctx);
};

#define CTL_STAYS	"\4"

/* Listens. faults is lent and changed by "fault add|clear". */
struct ctl *ctl_new(struct server *s, struct faults *faults, const struct ctl_hooks *hooks, struct err *err);
void ctl_stop(struct ctl *c);
/* Time has passed: tools that go on take a step. */
void ctl_tick(struct ctl *c);
void ctl_free(struct ctl *c);

/* The asking end. Words up to NULL; prints the answer and gives its status, 125 when nobody answers. */
int ctl_ask(const char *socket_path, const char *first, char *const *words);
/* The same of a tool that goes on, which ends with the asker. */
int ctl_ask_staying(const char *socket_path, const char *first, char *const *words);

#endif
