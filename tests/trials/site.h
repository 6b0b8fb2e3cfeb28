/*
 * For tests of fixes: a lab, and a home of its own for the console's audit. Everything goes through the programs a person
 * has; what became of a device is asked of the lab, never of the console.
 */
#ifndef TESTS_TRIALS_SITE_H
#define TESTS_TRIALS_SITE_H

#include "core/base/mem.h"
#include "tests/lib/lab.h"

struct site {
	struct lab lab;
	char home[64];
};

/* os: "os10", "sonic"; traffic: "ring", "off". Two nodes with two rails, two leaves, a spine; the last node's rails a bond. */
bool site_open(struct site *s, const char *os, const char *traffic, bool with_bond);
/* Many nodes, with one rail. */
bool site_open_wide(struct site *s, unsigned nodes);
void site_close(struct site *s);

/* fabcon with these words on the site's inventory. */
struct run site_run(const struct site *s, const char *const *args);
#define SITE(s, ...) site_run((s), (const char *const[]){ __VA_ARGS__, NULL })
/* The same in the background: its process, or -1. What it prints goes to that file, or nowhere. */
pid_t site_begin(const struct site *s, const char *path, const char *const *args);
#define SITE_BEGIN(s, path, ...) site_begin((s), (path), (const char *const[]){ __VA_ARGS__, NULL })
/* fabcon-lab ctl …; true on status 0. */
bool site_ctl(const struct site *s, const char *const *args);
#define SITE_CTL(s, ...) site_ctl((s), (const char *const[]){ __VA_ARGS__, NULL })

/* A device's whole configuration as the lab holds it, or of all devices (NULL): yours to free. */
char *site_setup(const struct site *s, const char *device);
/* The same as its next boot would read it. */
char *site_saved(const struct site *s, const char *device);
/* Whether something may change a device yet that was not said by then: a timer, a process, a session, one that comes up. */
bool site_is_busy(const struct site *s);
/* Commands that changed settings since the lab began. */
unsigned long site_writes(const struct site *s, const char *device);
/* "NAME@DEVICE:PORT" of the last fault added; yours to free. */
char *site_fault(const struct site *s);

#define PLANNED_MAX 64

/* What a plan's file says: its id, its hash, and the devices of its steps. */
struct planned_fix {
	char id[64], hash[80];
	char devices[PLANNED_MAX][64];	/* in the order of the plan */
	unsigned waves[PLANNED_MAX];	/* of each */
	size_t n;
};
bool site_read_plan(const char *file, struct planned_fix *p);

#endif
