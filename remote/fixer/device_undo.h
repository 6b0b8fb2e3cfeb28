/*
 * What fabcon keeps on a device while it changes it: a lock, the files of a step, and a timer on the device that rolls the
 * change back unless it is kept in time. Everything is POSIX sh, run by the device's shell (WRITE_SHELL) as root or by "sudo -n";
 * what the scripts print is parsed here. Time is the device's own uptime: two clocks are never compared.
 *
 *	/run/fabcon/lock/N		symbolic links; the highest N is the lock: owner, plan, step, expiry (uptime, s), boot id;
 *					or "free"
 *	/run/fabcon/ID.STEP/		the number of its run, the undo script, the step's files, a log, and the symbolic link "decided": the first to
 *					create it (keep command or timer) has decided "keep" or "undo". "undone" means that the
 *					undo has run to its end; "saving" that a kept step is not known to be saved;
 *					"nosave" that saving it would save what others have changed
 */
#ifndef REMOTE_FIXER_DEVICE_UNDO_H
#define REMOTE_FIXER_DEVICE_UNDO_H

#include "core/fix/plan.h"
#include "remote/platform/dialect.h"

enum undo_timer { UNDO_BY_NOTHING, UNDO_BY_SYSTEMD, UNDO_BY_SHELL };

/* What the device is known by: each lock that was taken has the next number, and each boot has its id. Zeros: not reported. */
struct device_undo_seen {
	unsigned long lock;		/* the highest there is */
	char boot[40];
};

/* What the device reports about a step. What it did not report is false or 0; is_understood is true for a complete report. */
struct device_undo_report {
	bool is_understood;
	bool was_cut_off;		/* the shell was killed half-way: ignore the whole report */
	struct device_undo_seen seen;
	unsigned long run;		/* of the step that is there; 0: none */
	unsigned long failed;		/* undo lines that failed */
	bool is_locked, is_ours;	/* by anyone; by this step of this plan and this owner */
	bool is_held_by_inverse;		/* by the inverse plan of this plan */
	char holder[160];		/* "alice@console1 P-20261121-4f2a, rolls back in 431 s" */
	enum undo_timer timer;		/* the timer that is listed now */
	long left_s;			/* until the timer fires */
	bool is_kept, is_undone;	/* kept: decided; undone: decided and the undo has ended */
	bool must_not_save;		/* others' unsaved changes were there when it was armed */
	bool is_unsaved;		/* kept, and its save was begun or is to follow: no run has seen it succeed */
	bool is_unarmed;		/* applied, not decided, and no timer ends it: without one (undo_s 0), or it was lost */
	bool is_undoing;		/* decided to undo; the undo has not ended */
	char session_port[64];		/* the interface of our session, then those below it: "bond0 eth2 eth3"; or "" */
	bool has_begun;
	char error[256];		/* no root, no room, timer not listed, ... */
};

/*
 * Who sends a script, and what it is bound to. A script with a run does nothing where another run of the step stands; one that arms
 * does nothing where the locks are not as they were seen: however late it comes, it never touches what was done meanwhile.
 */
struct device_undo_by {
	const char *owner;
	unsigned long run;	/* 0: whichever run is there */
	const struct device_undo_seen *seen;	/* as reported; NULL: whatever the locks are now */
	bool must_not_save;	/* who arms finds changes that others have not saved: whoever commits the step later saves nothing either */
};

#define BY(name) (&(const struct device_undo_by){ .owner = (name) })

/* Read-only: the lock, the timer, the decision, and the interface of our session. */
void device_undo_look(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script);
/*
 * Takes the lock, or reports its holder; writes the files, prepares (remote/platform/dialect.h), starts the timer and lists it.
 * undo_s 0: no timer, when the operator waived it; device_undo_undo() still works.
 */
void device_undo_set(const struct fix_plan *p, size_t step, const struct device_undo_by *by, unsigned undo_s, struct buf *script);
/*
 * Runs one line of a step as root; status and output are the line's own. ARM_NOT_BEGUN: the line was not started, because the
 * step is decided or its timer is gone; the last line of output says which. When the device decides to undo, it first waits
 * for a running line, and kills one that hangs.
 */
#define ARM_NOT_BEGUN	75
void device_undo_line(const struct fix_plan *p, size_t step, const struct device_undo_by *by, const char *line, struct buf *script);
/* Decides to keep, stops the timer, checks that it is gone, releases the lock. Too late: reports that the step was undone. */
void device_undo_keep(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script);
/*
 * The same, and the lock stays ours until device_undo_release(), while what was kept is saved: for five minutes at most. Of a step
 * that an earlier run kept and did not save, takes the lock again.
 */
void device_undo_keep_and_hold(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script);
/* The same of a step that has sent nothing, because the device was changed by another: no record of it stays. */
void device_undo_cancel(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script);
/* Decides to undo, runs the undo to its end now, stops the timer, releases the lock. */
void device_undo_undo(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script);
/*
 * Runs a line that saves what was kept, as root; status and output are the line's own. ARM_NOT_BEGUN: it is not kept, or another run
 * has had the lock since; the last line of output says which.
 */
void device_undo_save(const struct fix_plan *p, size_t step, const struct device_undo_by *by, const char *line, struct buf *script);
/* Releases a lock with nothing armed: after a refusal between lock and timer, or after saving. */
void device_undo_release(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script);
/* The same after a save that failed: the step stays on record as not saved. */
void device_undo_release_unsaved(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script);

/* Parses the output of any of these scripts. */
void device_undo_read(struct span output, struct device_undo_report *r);

/* The sudoers fragment that a non-root login needs to make changes. */
void device_undo_sudoers(const char *login, struct buf *out);

#endif
