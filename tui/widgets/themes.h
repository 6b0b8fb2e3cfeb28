/*
 * Where themes are found: files NAME.theme in the person's folder ($XDG_CONFIG_HOME/fabcon/themes) and in the installed
 * program's (share/fabcon/themes beside its bin), then those that are part of it. "auto" is dark or light, as the terminal says.
 */
#ifndef TUI_WIDGETS_THEMES_H
#define TUI_WIDGETS_THEMES_H

#include "core/base/mem.h"
#include "tui/widgets/theme.h"

struct theme_names {
	char **list;		/* owned; "auto" first, the shipped ones, then the files' */
	size_t n, cap;
};

/* A name is letters, digits, - and _, so that it names no other folder. */
bool themes_find(struct theme *t, const char *name, struct err *err);
void themes_list(struct theme_names *out);
void themes_list_done(struct theme_names *names);
/* The name that follows; the first after the last. It lasts until the next call. */
const char *themes_next(const char *name);

/*
 * What the terminal is said to be: COLORFGBG, "15;0", its last number the background. It is not asked itself: the answer
 * would come among the keys, in pieces on a slow line, and be taken for them.
 */
enum ground ground_of_terminal(void);

#endif
