/*
 * The SSH server of all simulated devices: one thread, one loop, a loopback listener and a host key for each device, and
 * one client key that opens them all. What is said inside a channel is a speaker's business.
 */
#ifndef REMOTE_LAB_SERVER_SERVER_H
#define REMOTE_LAB_SERVER_SERVER_H

#include <libssh/libssh.h>
#include <stdio.h>
#include <uv.h>

#include "remote/lab/world/fabric.h"

struct lab_channel;
struct lab_listener;
struct lab_session;
struct timers;
struct write_count;
struct server;

/* A way to answer on channels. All but start may be NULL. */
struct speaker {
	/* command NULL: a shell was asked for. */
	bool (*start)(struct lab_channel *c, const char *command);
	void (*input)(struct lab_channel *c, struct span bytes);
	void (*eof)(struct lab_channel *c);
	void (*drained)(struct lab_channel *c);		/* the backlog has been sent */
	void (*closed)(struct lab_channel *c);		/* last call; nothing of it may stay behind */
};

/* What a speaker may see of its channel. */
struct lab_channel {
	struct server *server;
	struct lab_device *device;
	const struct speaker *speaker;
	void *state;			/* the speaker's */
	bool has_pty;
	char user[64];
};

void lab_write(struct lab_channel *c, const void *bytes, size_t n, bool is_error);
static inline void lab_print(struct lab_channel *c, const char *text)
{
	lab_write(c, text, strlen(text), false);
}
/* Bytes not yet taken by the peer: a speaker with a source of its own stops reading it above CHANNEL_BACKLOG. */
size_t lab_backlog(const struct lab_channel *c);
#define CHANNEL_BACKLOG	(256u << 10)
/* Says the exit status, once everything written has gone out, and closes. status -1: says none. */
void lab_end(struct lab_channel *c, int status);
/* Moves what was written outside of the speaker's own calls. The channel may be gone afterwards. */
void lab_pump(struct lab_channel *c);

struct server *server_new(uv_loop_t *loop, struct fabric *f, const char *dir);
/* Writes what devices are told to a file, a line each: "leaf1 exec COMMAND #7", "leaf1 shell  #8", "leaf1 input BYTES #7", by channel. */
bool server_log(struct server *s, const char *path, struct err *err);
/* Makes keys and listeners and writes DIR/client_key, known_hosts and inventory.yml. */
bool server_start(struct server *s, struct err *err);
/* Closes everything; the loop must run until it is empty, then server_free(). */
void server_stop(struct server *s);
void server_free(struct server *s);

/* -- shared by the parts of the lab -- */

struct server {
	uv_loop_t *loop;
	struct fabric *fabric;
	char *dir;			/* owned */
	struct timers *timers;		/* owned */
	struct write_count *writes;	/* owned */

	/* Private to server.c. */
	ssh_key client_key;
	struct lab_listener *listeners;	/* owned; one a device */
	struct lab_session *sessions;
	size_t n_sessions;
	unsigned n_channels;		/* opened since the start */
	uv_timer_t trickle;
	FILE *heard;			/* owned, or NULL */
};

static inline struct fabric *server_fabric(struct server *s)
{
	return s->fabric;
}
static inline const char *server_dir(const struct server *s)
{
	return s->dir;
}
static inline uv_loop_t *server_loop(struct server *s)
{
	return s->loop;
}
/* Takes up what was written to the device's files since they were last looked at. */
void server_take_up(struct server *s, struct lab_device *d);

static inline size_t server_sessions(const struct server *s)
{
	return s->n_sessions;
}
static inline struct timers *server_timers(struct server *s)
{
	return s->timers;
}
static inline struct write_count *server_writes(struct server *s)
{
	return s->writes;
}

/* -- reaching devices, and harm to sessions -- */

/* After a device became unreachable or reachable again: its listener closes (connections are refused) or opens. */
void server_reach(struct server *s, struct lab_device *d);
/* Its sessions end and connections are refused for so long. These may be called from within a speaker. */
void server_down(struct server *s, struct lab_device *d, uint64_t for_ms);
void server_reset(struct server *s, struct lab_device *d);
/* What is open now is never answered again; or with noise. */
void server_stall(struct server *s, struct lab_device *d);
void server_garble(struct server *s, struct lab_device *d);

#endif
