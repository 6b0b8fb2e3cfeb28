/*
 * The commands that fix a finding, as a person types them at each device. Settings come from the fix engine's own setters, so that a
 * plan and these commands cannot disagree; what the engine does not set comes from core/remedy/changes.c. Reads the model; sends
 * nothing.
 */
#ifndef REMOTE_FIXER_BY_HAND_H
#define REMOTE_FIXER_BY_HAND_H

#include "core/fix/fix.h"

struct by_hand_step {
	const char *device;
	const char *commands;	/* lines, each as typed at the device's prompt */
	const char *disturbs;	/* NULL: nothing */
	const char *persists;	/* whether it survives a reboot, and what makes it; or NULL */
	const char *who;	/* "root", "the job's owner" */
};

struct by_hand {
	struct by_hand_step *list;
	size_t n, cap;
	struct arena arena;	/* of the texts above */
};

/* *out is zeroed before; by_hand_done() in any case. False, with the reason: no command is known to fix it, or one cannot be filled in. */
bool by_hand_make(const struct fix_scene *s, const struct finding *f, struct by_hand *out, struct err *err);
void by_hand_done(struct by_hand *b);

#endif
