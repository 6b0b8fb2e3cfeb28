/* Targets of a command line, unfolded: devices, "device:port", ranges of them "node[01-16]", names of links. */
#ifndef TUI_ARGS_TARGETS_H
#define TUI_ARGS_TARGETS_H

#include "core/fabric/link.h"
#include "tui/args/cli.h"

struct targets {
	char **names;
	size_t n, cap;
};

/* Of the command's arguments; what is no range is complained of, and left out. */
void targets_read(struct targets *t, const struct cli *cli);
void targets_done(struct targets *t);
/* Whether one of them means this link, or one of its ends. */
bool targets_have(const struct targets *t, const struct link *link);
/* Of those that mean none of the links. */
void targets_complain(const struct targets *t, struct cli *cli, const struct model *m, const struct links *links);

#endif
