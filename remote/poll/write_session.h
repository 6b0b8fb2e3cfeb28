/*
 * A write session: its own connection to one device, which sends what it is given, in order, and delivers the answers. The only
 * way to write. It identifies the system first, as the poller does, and is refused when that is not what the plan was made
 * for. Tries once: no session comes back by itself, and what was said is never said twice.
 */
#ifndef REMOTE_POLL_WRITE_SESSION_H
#define REMOTE_POLL_WRITE_SESSION_H

#include "remote/platform/platform.h"
#include "remote/poll/poller.h"
#include "remote/talk/write.h"
#include "remote/talk/write_permit.h"

struct write_session;

struct write_session_hooks {
	void *ctx;
	/* Logged in and identified. hostkey: "ssh-ed25519 SHA256:…"; login: how. */
	void (*ready)(void *ctx, const struct platform *p, const char *hostkey, const char *login);
	/*
	 * The answer to what was said. status: of the shell; of a command line 0, or 1 when it said an error. -1: not known,
	 * since the session ended or stood still before the end of the answer: neither done nor not done. output: both
	 * outputs, at most 64 KiB of it.
	 */
	void (*answered)(void *ctx, int status, struct span output);
	/* Lines of a test, as they come, whole and with their line ends; all of them before its answer. NULL: not wanted. */
	void (*heard)(void *ctx, struct span lines);
	/* It is over, after the answer with -1 if one was due. why: "step: reason; what to do", or NULL after write_session_end(). */
	void (*ended)(void *ctx, const char *why);
	/* May be NULL. */
	void (*ask)(void *ctx, unsigned id, const struct question *q);
};

/* permit: lent until ended; NULL: it may say nothing (write_session_say() asserts) but what write_session_let_look() or
 * write_session_let_test() allows. */
struct write_session *write_session_new(uv_loop_t *loop, const struct inventory *inv,
					const struct poller_options *options, const struct write_permit *permit,
					const char *device, const struct write_session_hooks *hooks);
/* The text of device_undo_look(), copied: may be said once, as the first, without a permit. Before the session is ready. */
void write_session_let_look(struct write_session *e, const char *text);
/*
 * A script that tests links (remote/runner/node_script.h), copied: may be said once, as the first and last, by WRITE_TEST. It changes no
 * setting, but sends traffic: permit is a person's leave for that, in force. Before the session is ready.
 */
void write_session_let_test(struct write_session *e, const struct write_permit *permit, const char *text);
/* One at a time, from ready or answered on. limit_us: for the whole answer. */
void write_session_say(struct write_session *e, enum write_kind how, const char *text, int64_t limit_us);
void write_session_end(struct write_session *e);
void write_session_free(struct write_session *e);
void write_session_answer(struct write_session *e, unsigned id, const char *text);

#endif
