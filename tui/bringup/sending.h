/*
 * Test traffic of a bring-up, from the permit to the last result: the tests of a whole rack, or of one NIC again. What is tested is
 * recorded as it comes (tui/bringup/record.h); the runs themselves are tui/bringup/traffic_run.h.
 */
#ifndef TUI_BRINGUP_SENDING_H
#define TUI_BRINGUP_SENDING_H

#include "tui/bringup/record.h"
#include "tui/bringup/traffic_run.h"

struct sending;

struct sending_options {
	uv_loop_t *loop;
	struct session *session;
	struct poller_options poller;		/* how hosts are reached */
	const struct write_permit *permit;	/* lent, in force */
	struct bringup_record *record;		/* begun; lent */
	unsigned extras;			/* kinds of tests beside the usual ones (bringup_extras) */
	bool is_new_run;			/* a person tests again what failed; else a run goes on that was interrupted */
	void *ctx;
	void (*said)(void *ctx, const char *line);	/* what will be sent, what is not tested, progress */
	void (*done)(void *ctx);			/* sending_free() may be called in it */
};

/* What the tests of a rack would be, in words: "5 rounds, about 40 s; 8 NICs, at most 100 Gb/s each; ToS 106, priority 3". */
void sending_plan_words(struct session *s, const struct bringup_rack *rack, unsigned extras, struct buf *out);

/* rack: lent while it runs. host, nic: test that NIC again; NULL: the whole rack. NULL, and why: nothing of it can be tested. */
struct sending *sending_new(const struct sending_options *with, const struct bringup_rack *rack, const char *host, const char *nic,
			    struct err *err);
/* Ends what runs; done follows. */
void sending_stop(struct sending *s);
void sending_free(struct sending *s);

#endif
