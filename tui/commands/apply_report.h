/* What a carried plan came to, as it is printed: lines for people, a sheet, or one JSON document. */
#ifndef TUI_COMMANDS_APPLY_REPORT_H
#define TUI_COMMANDS_APPLY_REPORT_H

#include "tui/args/cli.h"
#include "tui/fixing/fixing.h"

struct apply_report {
	const struct fixing *fixing;
	enum fixer_goal goal;
	const char *end;		/* "done", "taken back", "left", … */
	const char *words;		/* the same in a line */
};

/* In the format of the options. */
void apply_report(const struct cli *cli, const struct apply_report *said);
/* "fabcon.apply/1" of a plan that was not begun: refused, with the reason. */
void apply_report_refusal(const struct cli *cli, const struct fix_plan *plan, const char *words);

#endif
