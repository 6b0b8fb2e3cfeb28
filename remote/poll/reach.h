/*
 * One host being reached: its session, its conversations, its rounds, and how that goes. The poller owns it; what hosts
 * share (gates, jump hosts, keys, questions) is the poller's.
 *
 * Two conversations over one session, each on a channel of its own:
 *
 *	counters	the first: it tells which system it is, and asks what is live; alone, it asks everything
 *	settings	the second, opened once the system is known: everything that is not live
 *
 * so that counters do not wait while settings are read. Where there can be no second channel, counters wait.
 */
#ifndef REMOTE_POLL_REACH_H
#define REMOTE_POLL_REACH_H

#include "remote/poll/measured_period.h"
#include "remote/poll/poller.h"
#include "remote/ssh/answers.h"
#include "remote/ssh/known_files.h"
#include "remote/ssh/login_shell.h"
#include "remote/ssh/ssh.h"
#include "remote/talk/write_permit.h"

enum phase {
	PHASE_IDLE,		/* not begun */
	PHASE_KEYS,		/* waits until its key files are read */
	PHASE_PERSON,		/* waits for a person's answer; holds no connection meanwhile */
	PHASE_JUMP,		/* waits until the jump host is up */
	PHASE_SLOT,		/* waits until fewer others are authenticating */
	PHASE_CONNECTING,	/* from the connection until the system is identified */
	PHASE_UP,
	PHASE_BACKOFF,
	PHASE_REFUSED,
	PHASE_STOPPED,
	PHASES,
};

struct reach;
TAILQ_HEAD(reach_queue, reach);

/* At most so many in authentication at once, at one address or behind one jump host: sshd drops more at random. */
struct gate {
	char *key;
	unsigned in_flight;
	struct reach_queue queue;
	struct gate *next;
};

struct conversation {
	struct reach *reach;
	unsigned channel;		/* of the session */
	struct talk *talk;		/* NULL: there is none */
	struct send_filter guard;	/* of what it says */
	bool is_identified;		/* rounds may be asked */
	bool is_over;			/* to be acted on when the talk has returned */
	char why[900];			/* it is over: "step: reason" */

	bool is_asking;
	struct running {
		enum cadence cadence;
		bool is_whole;		/* it is asked of every port there is to ask about */
		int64_t at_us;		/* when it began, or was gone on with */
		int64_t began_us;	/* when its first question was asked */
		size_t ports_answered;	/* of its port questions */
	} round, interrupted;		/* that runs; that goes on after it */
	bool is_interrupting;
	int64_t question_us;		/* when the running question began */
	unsigned late;			/* questions in a row without a byte */
};

/* How far the second conversation is. */
enum second {
	SECOND_NONE,			/* the first asks everything */
	SECOND_OPENING,
	SECOND_UP,
	SECOND_LOST,			/* to be opened again; meanwhile settings grow old */
};

struct reach {
	struct poller *poller;
	const struct route *route;	/* lent, as its name is */
	const char *name, *user;
	const char *platform_hint;	/* the inventory's word, or NULL */
	const char *ports;		/* that count though they have no hardware; lent, or NULL */
	bool may_fill;			/* a person asked for its neighbor table to be filled */
	enum fill { FILL_NONE, FILL_DUE, FILL_RUNS, FILL_READS } fill;	/* how far that is: asked, pinging, reading the table */
	bool is_jump;
	struct reach *jump;		/* to go through, or NULL */
	struct gate *gate;
	bool has_slot, is_queued;
	TAILQ_ENTRY(reach) in_queue;
	struct identity **identities, **certificates;
	size_t n_identities, cap_identities, n_certificates, cap_certificates;
	struct known_files *known;	/* the poller's */
	const char *agent;		/* the socket of the one that is asked, or NULL */
	struct kept *given;		/* the answer that its session logs in with, */
	struct kept *waits_for;		/* or that another host tries first */
	struct kept *refused;		/* good for others, and not for this one */
	unsigned wrong, resent;		/* answers it refused; those it may never have got */
	bool was_late;			/* at its last start: in the handshake, or its shell */
	bool is_locked_out;		/* every key that needs no passphrase was refused */

	enum phase phase;
	char note[700];			/* of what is as it should not be though it is up: a host key that could not be saved; or "" */
	char error[900];		/* "step: reason; what to do", or "" */
	unsigned failures;		/* in a row */
	struct ssh *ssh;
	uv_timer_t timer;

	struct conversation counters, settings;
	const struct talk_way *way;
	struct shell_end shell_end, login_end;	/* how each kind of channel ended before it was identified */
	bool has_swapped;		/* both ways to talk were tried */
	bool met_shell;			/* the second found a Linux shell, which the first had not: that one was late */
	char first_why[600];		/* how the first way failed, once swapped */
	bool wants_swap, wants_end;	/* when the first conversation is over */
	const struct platform *platform;
	const struct platform *was;	/* what it was identified as last: a device that is lost is still that */

	enum second second;
	unsigned second_broke;		/* sessions in a row that ended while the second was being opened */
	unsigned second_failures;	/* in a row */
	bool had_second;		/* in this session */
	int64_t second_due_us;		/* when it is opened again; INT64_MAX: it is not */
	char one_channel[300];		/* why there is no second; "" while that is not known */

	int64_t last_asked_us[CADENCE_NEVER];	/* 0: not yet in this session */
	int64_t settings_us;		/* how long the last round of settings took */
	struct measured_period pace[CADENCE_NEVER], port_pace;
	int64_t told_every_us;		/* the period of counters that was last told; 0: the one wished for */
	char told_pace[160];
	bool once_due, change_due;
	int64_t config_due_us, live_due_us;
	unsigned rounds;		/* bit set of the cadences answered */
	unsigned n_rounds[CADENCE_NEVER];	/* and how often */
	int64_t read_since_us[CADENCE_NEVER];	/* when the last whole one began; 0: there was none */
	int64_t latency_us;		/* -1: not known */
};

void reach_init(struct reach *r, struct poller *p, const struct route *route);
/* Without hooks. The timer is closed; closed is called when libuv has let go of it. */
void reach_done(struct reach *r, uv_close_cb closed);

/* Begins, or goes on with what it waited for. */
void reach_go(struct reach *r);
/* why NULL: as was said already. */
void reach_refuse(struct reach *r, const char *why);
/* Shows this reason without a change of state. */
void reach_tell(struct reach *r, const char *why);
/* How known_hosts lists it. */
void reach_known_name(const struct reach *r, struct buf *out);
bool reach_uses(const struct reach *r, const struct identity *id);
void reach_stop(struct reach *r);
void reach_refresh(struct reach *r);
void reach_hasten(struct reach *r);
/* A setting of it has changed: what is asked then is asked. False: there is nothing to ask, or nobody to be asked. */
bool reach_note_change(struct reach *r);
/* Fills the host's neighbor table by one ping a port, then reads it. */
void reach_fill(struct reach *r);

bool reach_is_over_first_round(const struct reach *r);
/* Whole rounds of everything were begun after that time and have ended; or it was tried since, and failed. */
bool reach_has_read_since(const struct reach *r, int64_t since_us);
const char *phase_word(enum phase phase);

/* -- what the poller does for them -- */

const struct poller_options *poller_options(const struct poller *p);
const struct poller_hooks *poller_hooks(const struct poller *p);
struct ssh_common *poller_common(struct poller *p);
/* The file that was named for all hosts, or NULL. */
const char *poller_known_hosts(const struct poller *p);
bool poller_is_stopping(const struct poller *p);
int64_t poller_now_us(const struct poller *p);
/* 0 .. below */
uint32_t poller_random(struct poller *p, uint32_t below);
/* The one observation that all share, emptied, for this device. */
struct obs *poller_obs(struct poller *p, const struct reach *r);

/* False: queued; reach_go() will be called. */
bool poller_take_slot(struct reach *r);
void poller_give_slot(struct reach *r);
/* A jump host came up or failed: those who wait for it are told. */
void poller_jump_changed(struct reach *jump);

/* What makes a poller of one host a write session (remote/poll/write_session.c): another talk, tried once, without rounds. */
struct write_way {
	void *ctx;
	const struct write_permit *permit; /* NULL: it may say no more than a reader … */
	const char *look;		/* … and this script, which only looks; or NULL */
	bool look_is_test;		/* or tests links */
	struct talk *(*talk)(void *ctx, const struct talk_way *way, const char *nonce, const struct talk_hooks *hooks);
};
/* Before it is started; way is lent. */
void poller_become_errand(struct poller *p, const struct write_way *way);
const struct write_way *poller_write_way(const struct poller *p);	/* NULL: it is none */
/* Whole rounds that this host has answered, counted; 0 before the first. */
unsigned poller_rounds(const struct poller *p, const char *host, enum cadence which);
/* There is something to send. */
void poller_kick(struct poller *p);

/* Questions; each is answered by a reach_go() or a refusal. */
bool poller_may_ask(const struct poller *p);
void poller_ask_hostkey(struct reach *r);
void poller_ask_passphrase(struct reach *r, struct identity *id);
void poller_ask_login(struct reach *r, const struct question *q);
void poller_forget_questions(struct reach *r);
/* It has logged in: what it was answered holds for those who ask the same. */
void poller_answer_was_good(struct reach *r);
/* It would not log in with what it was answered. True: it is to be asked again, by another connection. */
bool poller_answer_was_wrong(struct reach *r);
/* Trusts it when the rule is to accept new ones; else keeps it, to ask. */
bool poller_trust(struct reach *r, enum hostkey_verdict verdict, const struct hostkey_seen *seen, struct span key);

#endif
