/*
 * The commands that fix a finding, as a person types them at each device. Settings come from the fix engine's own setters, so a
 * plan and these commands always agree; what the engine cannot set comes from core/remedy/changes.c. Reads the model; sends
 * nothing.
 */
#ifndef REMOTE_FIXER_BY_HAND_H
#define REMOTE_FIXER_BY_HAND_H

#include "core/fix/fix.h"

struct by_hand_step {
	const char *device;
	const char *commands;	/* lines, each as typed at the device's prompt */
	const char *disturbs;	/* NULL: nothing */
	const char *persists;	/* whether it survives a reboot, and how to make it persistent; or NULL */
	const char *who;	/* "root", "the job's owner" */
};

struct by_hand {
	struct by_hand_step *list;
	size_t n, cap;
	struct arena arena;	/* of the texts above */
};

/* *out is zeroed first; call by_hand_done() in any case. False, with the reason: no known command fixes it, or one cannot be filled in. */
bool by_hand_make(const struct fix_scene *s, const struct finding *f, struct by_hand *out, struct err *err);
void by_hand_done(struct by_hand *b);

#endif
