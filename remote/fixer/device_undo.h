/*
 * What stays on a device while it is being changed: a lock, the files of a step, and a timer of the device's own that takes
 * the change back when nobody says keep. Made of POSIX sh texts, run by the device's shell (WRITE_SHELL), as root or by
 * "sudo -n"; what they print is read here again. The device's own uptime counts: no two clocks are compared.
 *
 *	/run/fabcon/lock/N		symbolic links; the highest says who has the device: owner, plan, step, until (uptime, s),
 *					boot id; or "free"
 *	/run/fabcon/ID.STEP/		undo, the step's files, log, and "decided", a symbolic link: who makes it first, the
 *					keeper or the timer, has decided. It says "keep" or "undo"; "undone" that it is done
 */
#ifndef REMOTE_FIXER_DEVICE_UNDO_H
#define REMOTE_FIXER_DEVICE_UNDO_H

#include "core/fix/plan.h"
#include "remote/platform/dialect.h"

enum undo_timer { UNDO_BY_NOTHING, UNDO_BY_SYSTEMD, UNDO_BY_SHELL };

/* What the device says of a step. Parts that it did not say are false or 0, and is_understood tells a whole answer. */
struct device_undo_report {
	bool is_understood;
	bool is_broken_off;		/* its shell was ended on the way: then nothing of it is understood */
	bool is_locked, is_ours;	/* by somebody; by this plan's step and this owner */
	bool is_led_back;		/* by the plan that takes this one back when it was kept */
	char holder[160];		/* "alice@console1 P-20261121-4f2a, 431 s left" */
	enum undo_timer timer;		/* that is listed now */
	long left_s;			/* until it fires */
	bool is_kept, is_undone;	/* decided; undone: and the undo ran to its end */
	bool is_undoing;		/* decided so, not finished */
	char session_port[64];		/* the interface our session comes in by, then those below it: "bond0 eth2 eth3"; or "" */
	bool has_begun;
	char error[256];		/* in words: no root, no room, timer not listed, … */
};

/* Reads only: who holds it, which timer runs, what was decided, by which interface we came. */
void device_undo_look(const struct fix_plan *p, size_t step, const char *owner, struct buf *script);
/*
 * Takes the lock or says who has it, writes the files, prepares (remote/platform/dialect.h), starts the timer, and lists it.
 * undo_s 0: without a timer, for a person who takes that upon himself; undo can be run by device_undo_undo() all the same.
 */
void device_undo_set(const struct fix_plan *p, size_t step, const char *owner, unsigned undo_s, struct buf *script);
/*
 * One line of a step, run as root; its own status and output. ARM_NOT_BEGUN: it was not begun, since the step is decided
 * already or its timer is gone; the last line of the output says which. What has begun before the device decides to undo
 * is ended before it takes anything back.
 */
#define ARM_NOT_BEGUN	75
void device_undo_line(const struct fix_plan *p, size_t step, const char *line, struct buf *script);
/* Decides to keep, stops the timer, lists that it is gone, gives the lock back. Too late: says that it was undone. */
void device_undo_keep(const struct fix_plan *p, size_t step, const char *owner, struct buf *script);
/* Decides to undo, runs it to its end now, stops the timer, gives the lock back. */
void device_undo_undo(const struct fix_plan *p, size_t step, const char *owner, struct buf *script);
/* A line that saves what was kept, run as root; its own status and output. */
void device_undo_save(const struct fix_plan *p, size_t step, const char *line, struct buf *script);
/* Gives back a lock that holds nothing armed; after a refusal between lock and arming. */
void device_undo_release(const struct fix_plan *p, size_t step, const char *owner, struct buf *script);

/* What any of them printed. */
void device_undo_read(struct span output, struct device_undo_report *r);

/* What a login that is not root needs in /etc/sudoers.d to change anything. */
void device_undo_sudoers(const char *login, struct buf *out);

#endif
