/* One job with one device, inside: what it sends (step_send.c), for the replies that decide what is sent next (step.c). */
#ifndef REMOTE_FIXER_STEP_H
#define REMOTE_FIXER_STEP_H

#include "remote/fixer/internal.h"

/* Drops the session and calls job_over; r->why gets the words. */
void fix_job_end(struct fix_run *r, bool is_done, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The query of lock, timer and port, as a script; and sent. */
void fix_run_look(const struct fix_run *r, struct buf *script);
void fix_send_query(struct fix_run *r);
void fix_send_arm(struct fix_run *r);
/* The operator waived the timer. The undo script is still installed, for us to run. */
void fix_send_arm_without_timer(struct fix_run *r);
/* The next line of the step, or of its saving; the job ends, or the lock is released, after the last. */
void fix_send_first_line(struct fix_run *r);
void fix_send_next_line(struct fix_run *r);
void fix_send_next_save(struct fix_run *r);
/* Nothing of the step was sent: the device stays as it is, and its timer goes. */
void fix_send_cancel(struct fix_run *r);
/* One of those that end a step, journaled as text. */
void fix_send_disarm(struct fix_run *r, enum fix_request request, const char *text,
		     void (*make)(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script),
		     int64_t limit_us);
#define FIX_QUERY_US	(20 * SECOND_US)
#define FIX_KEEP_US	(60 * SECOND_US)	/* stops a timer, deletes a checkpoint */
#define FIX_UNDO_US	(300 * SECOND_US)	/* every undo line; the undo continues if our session ends */

const struct dialect *fix_run_dialect(const struct fix_run *r);
bool fix_run_is_plan_line(const struct fix_run *r, size_t n);

#endif
