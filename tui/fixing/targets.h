/* What the words of a command ask to be changed: findings, causes, devices and ports, as edits. */
#ifndef TUI_FIXING_TARGETS_H
#define TUI_FIXING_TARGETS_H

#include "core/fix/fix.h"
#include "tui/args/cli.h"

struct fix_targets {
	struct edits edits;
	struct buf notes;		/* what was left out, and why; a line each */
	struct buf title, finding;	/* of the plan; finding is empty when there are several, or none */
	size_t n_fixed;			/* findings and targets that gave edits, or are as wanted */
	size_t n_refused;		/* that could not be fixed */
	size_t n_far;			/* edits at the other ends of links, which were not asked for by name */
	size_t n_unknown;		/* findings of which it is not known whether anything is wrong; not told one by one */
	size_t n_unchanged;		/* settings of targets that stay as they are though not known to be as wanted; told in notes */
};

struct fix_scene fix_targets_scene(const struct session *s);
/* By the command's arguments; without any, every finding that has a fix. A word that names nothing is complained of. */
void fix_targets_read(struct fix_targets *w, struct cli *cli, const struct session *s);
void fix_targets_done(struct fix_targets *w);

#endif
