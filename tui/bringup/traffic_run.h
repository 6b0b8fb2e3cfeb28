/*
 * One run of link tests over a live session: first whose queue pairs the NICs carry, then the rounds of a plan, each with its commands
 * (remote/runner/runner.h) and a reading of the counters before and after; at the end suspects against ends that passed.
 *
 * It sends traffic, with the permit of a person. Nothing is set on a device.
 */
#ifndef TUI_BRINGUP_TRAFFIC_RUN_H
#define TUI_BRINGUP_TRAFFIC_RUN_H

#include "core/bringup/test_plan.h"
#include "remote/runner/runner.h"
#include "tui/session/session.h"

struct traffic_hooks {
	void *ctx;
	void (*said)(void *ctx, const char *line);	/* progress */
	void (*tested)(void *ctx, const struct bringup_test *test);	/* run, or why not; for the recording */
	void (*done)(void *ctx);			/* the run may be freed in it */
};

struct traffic_run;

/*
 * plan: lent until it is freed; rounds are appended to its schedule. tests: lent; judged. What was tested is appended, and what has a
 * verdict there is not tested again. options: how hosts are reached. permit: lent, in force.
 */
struct traffic_run *traffic_run_new(uv_loop_t *loop, struct session *s, const struct poller_options *options,
				    const struct write_permit *permit, struct bringup_test_plan *plan, struct bringup_tests *tests,
				    const struct traffic_hooks *hooks);
/* Ends what runs; done follows. */
void traffic_run_stop(struct traffic_run *r);
void traffic_run_free(struct traffic_run *r);

#endif
