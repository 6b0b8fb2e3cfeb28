/*
 * What is set where: options by their long names, and keys. The site's file, the person's, the environment and the command
 * line, the later the stronger, except for guards (option_row.stays); each setting knows where it was said. A file is a YAML
 * mapping:
 *
 *	theme: light
 *	inventory: ~/gpu.yml
 *	keys:
 *	  explain: [e, F7]		# these and no others
 *
 * What is wrong in a file is a problem that names file and line; the rest of the file counts all the same.
 */
#ifndef TUI_SESSION_CONFIG_H
#define TUI_SESSION_CONFIG_H

#include "tui/args/cli.h"
#include "tui/widgets/bind.h"

#define CONFIG_MAX_BYTES (1u << 20)

struct setting {
	const char *value;	/* NULL: nobody set it */
	const char *from;	/* "/etc/fabcon/config.yaml:3", "FABCON_THEME", "--theme" */
};

struct config {
	struct arena texts;			/* of everything here */
	struct setting *settings;		/* one a row of the option table */
	struct bindings keys;
	const char **problems;
	size_t n_problems, cap_problems;
};

void config_init(struct config *c);
void config_done(struct config *c);

/* One file's text, over what was read before. What is wrong in it is added to the problems. */
void config_read(struct config *c, struct span text, const char *file);
/* The usual files, those that are there, and the environment. */
void config_read_usual(struct config *c);
/* Gives everything set to cli, as if it were the command line. */
void config_apply(const struct config *c, struct cli *cli);
/*
 * False, with the place, where a file or the environment holds this option against the command line: a guard that says something
 * else there; and allowed signers, where signatures are demanded and nobody there says whose.
 */
bool config_may_say(const struct config *c, size_t option, const char *value, struct err *err);
/* The command line said so itself: for the record. */
void config_said(struct config *c, size_t option, const char *value);

/*
 * /etc/fabcon/config.yaml, or where there is none, in the folder that FABCON_SITE names; and the person's. NULL: there is no HOME.
 * free() it.
 */
char *config_site_file(void);
char *config_own_file(void);
/* "FABCON_HOST_KEY" of "host-key". */
void config_variable(const char *option, char out[64]);

/*
 * A config file's text with one option set to a value: its line is changed, or one added; every other line stays as it
 * was. False, and why, when the text is written in a way that this cannot be done to (what comes out is read again).
 */
bool config_set(struct span text, const char *option, const char *value, struct buf *out, struct err *err);

#endif
