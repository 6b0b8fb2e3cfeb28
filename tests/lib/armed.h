/*
 * A device for what arming says to shells: those of this machine. Its /run, uptime and boot id are files of a directory of
 * the test's own, and so is its systemd: two scripts that the test believes or not.
 */
#ifndef TESTS_LIB_ARMED_H
#define TESTS_LIB_ARMED_H

#include <sys/types.h>

#include "core/fix/plan.h"
#include "remote/fixer/device_undo.h"

#define ALICE	"alice@console1 pid 4711"
#define BOB	"bob@console2 pid 12"

extern char dir[64];
extern const char *shell;	/* that is tried: "/bin/sh" */

void device(void);
void device_gone(void);

/* Files of the device, by their place under dir. */
void put(const char *name, const char *text, mode_t mode);
bool is_there(const char *name);
void uptime_is(unsigned s);

/* A text that stands for the next seven calls. */
const char *at(const char *format, ...) __attribute__((format(printf, 1, 2)));
void replace(struct buf *text, const char *what, const char *by);

/* The device's own files in the place of this machine's, and the shell that is tried. */
void localise(struct buf *script);
pid_t begin_script(struct buf *script, int *out);
int end_script(pid_t pid, int out, struct buf *said);
/* Says the script, which is used up; the status, and (said not NULL) what it printed. */
int say(struct buf *script, struct buf *said);

/* A plan of one step with these undo lines. */
struct fix_plan plan_of(const char *id, const char *const *undo);
#define PLAN(id, ...) plan_of(id, (const char *const[]){ __VA_ARGS__, NULL })

enum what { LOOK, SET, KEEP, KEEP_AND_HOLD, CANCEL, UNDO, RELEASE };
void ask_for(enum what what, const struct fix_plan *p, const char *owner, unsigned undo_s, struct buf *script);
struct device_undo_report ask(enum what what, const struct fix_plan *p, const char *owner, unsigned undo_s);
/* Looks until the step is taken back. */
struct device_undo_report wait_undone(const struct fix_plan *p);

/* FABCON_TIMES=10: ten times as many races, and every place to be killed at. */
unsigned arm_times(void);

#endif
