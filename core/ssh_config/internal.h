/* How the files of ssh_config are kept while hosts are asked for: read once, gone through for each. */
#ifndef CORE_SSH_CONFIG_INTERNAL_H
#define CORE_SSH_CONFIG_INTERNAL_H

#include "core/ssh_config/keywords.h"
#include "core/ssh_config/ssh_config.h"
#include "core/ssh_config/words.h"

struct ssh_file;

struct ssh_line {
	const struct ssh_file *file;	/* NULL: of the command line */
	unsigned number;
	const char *text;		/* without the blanks around it */
	const char *keyword;		/* lower case */
	const struct ssh_key *key;	/* NULL: none of ssh's */
	const char *rest;		/* what is after the keyword */
	struct texts words;
	const char *wrong;		/* why ssh refuses the line, whatever the host; NULL: it does not */
	bool is_listed;			/* Include: the files are there */
	struct ssh_file **included;
	size_t n_included, cap_included;
};

struct ssh_file {
	const char *path;
	bool is_user;			/* the user's, or included by it: "~" and ~/.ssh */
	bool is_checked;		/* must not be writable by others */
	enum ssh_file_is is;
	const char *why;
	struct ssh_line *lines;
	size_t n_lines, cap_lines;
};

struct ssh_config {
	const struct ssh_source *source;
	struct ssh_file **files;
	size_t n_files, cap_files;
	struct ssh_line **arguments;
	size_t n_arguments, cap_arguments;
	struct arena arena;
};

/* One way through the files for a destination. */
struct ssh_pass {
	struct ssh_config *c;
	struct ssh_settings *s;
	const char *host;		/* that Host patterns are compared with */
	bool is_final, wants_final;
	size_t lines_left;
};

/* Keeps the first trouble; returns false. place: the line, or NULL. */
bool ssh_pass_trouble(struct ssh_pass *p, const struct ssh_line *line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Whether a Match line is met; *yes is untouched when it returns false: there is trouble. is_never: the block is inactive. */
bool ssh_match_line(struct ssh_pass *p, const struct ssh_line *line, bool is_never, bool *yes);

/* %h and %% alone. */
const char *ssh_expand_host(struct ssh_config *c, const char *text, const char *host, struct err *why);

#endif
