/* Sessions of our own SSH client to many hosts, for benchmarks: each runs a shell that is then spoken to by hand. */
#ifndef TESTS_BENCH_CLIENTS_H
#define TESTS_BENCH_CLIENTS_H

#include "remote/ssh/ssh.h"

struct clients;

struct client {
	struct clients *all;
	struct ssh_plan plan;
	char address[32];
	struct ssh *ssh;
	struct buf in, out;
	size_t n_sent;		/* of out */
	bool has_heard;
	struct send_filter guard;
};

struct clients {
	uv_loop_t loop;
	struct ssh_common common;
	struct known_hosts *known_hosts;
	struct write_permit *permit; /* what is said here is no platform's question */
	struct identity key;
	struct identity *keys[1];
	const char *user;	/* lent */
	struct client *list;
	size_t n;
	const char *end;	/* what is waited for, at the end of what was said */
	size_t opened, failed, heard;
	char why[200];		/* of the first that failed */
};

/* key: a private key file; user is lent. False when it cannot be read. */
bool clients_init(struct clients *c, const char *key, const char *user);
void clients_done(struct clients *c);

/* Connects to n hosts at once and opens a shell on each; address(i) and port(i) say where. False: one failed. */
struct client_place {
	const char *address;
	unsigned port;
};
bool clients_open(struct clients *c, size_t n, struct client_place (*place)(const void *ctx, size_t i), const void *ctx);
void clients_close(struct clients *c);
/* Says text to each, and waits until each has answered with something that ends in end. */
bool clients_ask(struct clients *c, const char *text, const char *end);

#endif
