/*
 * A plan of the program's own, carried out by the fixer in this process against a lab of its own: what is journaled is kept as
 * text, and it can be left as kill -9 would when a certain event is on disk.
 */
#ifndef TESTS_LIB_FIXLAB_H
#define TESTS_LIB_FIXLAB_H

#include "remote/fixer/fixer.h"
#include "tests/lib/lab.h"

struct fixlab {
	struct lab lab;
	struct inventory inv;
	struct policy *policy;
	struct write_permit *permit;
	struct fix_plan plan;
	uv_loop_t own_loop, *loop;
	struct fixer *fixer;
	struct fixer_options options;
	char identity[96], known_hosts[96];
	struct buf told;		/* the journal, a line "STEP KIND TEXT" per event, without output */
	const char *stops_at;		/* the journal fails from the first event that begins like this */
	const char *acts_at;		/* when this event is journaled, or "observed PROBE" comes ... */
	void (*acts)(struct fixlab *s);	/* ... this is called, once */
	const char *dies_at;
	bool has_stopped, is_late, has_ended, is_to_die;
};

/* Two nodes on one leaf. skin: "NAME@DEVICE", or NULL. */
void fixlab_begin_in(struct fixlab *s, const char *switches, const char *skin);
void fixlab_begin(struct fixlab *s, const char *switches);
/* A host port that trusts the wrong marking, and the plan that fixes it. */
void fixlab_of_trust(struct fixlab *s);
void fixlab_end(struct fixlab *s);

void fixlab_break(struct fixlab *s, const char *fault, const char *device, const char *port);
/* The plan that the program makes for this target; NULL: for the whole fabric. */
void fixlab_plan(struct fixlab *s, const char *target);

void fixlab_go(struct fixlab *s, enum fixer_goal goal);
void fixlab_wait(struct fixlab *s, bool (*is_so)(const struct fixlab *s));
bool fixlab_has_ended(const struct fixlab *s);
bool fixlab_is_to_die(const struct fixlab *s);	/* dies_at came */
bool fixlab_is_waiting(const struct fixlab *s);
/* Stops as kill -9 would, when this event is on disk. */
void fixlab_die_at(struct fixlab *s, const char *at);
/* The same, and nothing is sent from that event on, its own request and the next among them. */
void fixlab_die_before(struct fixlab *s, const char *at);
/* Both ends of the link of node1 to leaf1 are wrong, and the plan that fixes them: one unit, leaf1 first. */
void fixlab_of_link(struct fixlab *s, const char *switches, const char *switch_port);
/* From its beginning to this end. */
void fixlab_carry_out(struct fixlab *s, enum fixer_goal goal, enum fixer_end end);
/* "refuse@node1": as "fabcon-lab ctl trap". */
void fixlab_trap(struct fixlab *s, const char *trap);
/* The rollback timers that wait on this device expire now. */
void fixlab_elapse(struct fixlab *s, const char *device);
/* It restarts, and is unreachable for so long, in ms. */
void fixlab_restart(struct fixlab *s, const char *device, const char *down_ms);
/* Its configuration as its next boot would read it; "" where it has none. Yours to free. */
char *fixlab_saved(const struct fixlab *s, const char *device);
enum fix_state fixlab_state(const struct fixlab *s, size_t step);

void assert_told(const struct fixlab *s, const char *text);
void assert_not_told(const struct fixlab *s, const char *text);
/* In this order, with anything in between. */
void assert_told_in_order(const struct fixlab *s, const char *const *texts);
#define ASSERT_ORDER(s, ...) assert_told_in_order((s), (const char *const[]){ __VA_ARGS__, NULL })
void assert_state(const struct fixlab *s, size_t step, enum fix_state state);

#endif
