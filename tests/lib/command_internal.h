/*
 * What is behind tests/lib/command_grammar.h: the tables as they were read, and who holds a command against them. A command is a line of
 * a shell (command_shell.c) or lines of a switch (command_switch.c); both are made of words that a pattern takes (command_pattern.c).
 */
#ifndef TESTS_LIB_COMMAND_INTERNAL_H
#define TESTS_LIB_COMMAND_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/mem.h"
#include "tests/lib/command_grammar.h"

#define WORDS_MAX	128
#define STATES_MAX	256
#define MODES_MAX	32

/* -- what the tables hold -- */

struct words {
	char *list[WORDS_MAX];
	size_t n;
};

/* A pattern as an automaton: from state 0 to the last one; an edge without a token takes no word. */
struct net {
	struct edge {
		unsigned from, to;
		const char *token;
	} *edges;
	size_t n, cap;
	unsigned states, end;
};

struct option {
	struct words names;
	const char *value;		/* its token; NULL: a flag */
	bool is_required;
};

struct rule {
	bool is_tool;			/* options may stand anywhere behind words; else words in their order */
	const char *mode, *next;	/* of a line of a switch; NULL: it stays where it is */
	struct words words;		/* a tool's own, "show pfc priority" */
	struct words arguments;		/* pattern of what is neither */
	struct net net;
	struct option *options;
	size_t n_options, cap_options;
	struct words *apart;		/* each: names of options that exclude each other */
	size_t n_apart, cap_apart;
	struct words prints;		/* parts of what it prints, for the grep behind it */
	struct words others;		/* and parts that are none of what is looked for there */
	struct words root;		/* it wants root: always, or with these options; empty: never */
};

struct file {
	const char *path, *value;	/* value: the token of what can be written to it; NULL: it is only read */
};

struct grammar {
	bool asks_sudo;			/* what wants root must say so */
	struct rule *rules;
	size_t n_rules, cap_rules;
	struct file *files;
	size_t n_files, cap_files;
	struct {
		const char *name, *parent;
	} modes[MODES_MAX];
	size_t n_modes;
};

/* tests/lib/command_table.c */
void add_word(struct words *w, char *word);
char *last_of(const struct words *w);
void read_grammar(struct grammar *g, const char *tables);
void split(char *text, struct words *w);
/* tests/lib/command_pattern.c */
bool net_fits(const struct grammar *g, const struct net *net, char *const *words, size_t n, size_t *taken);
void net_make(struct net *net, const struct words *pattern);
bool path_fits(const struct grammar *g, const char *path, const char *written);
bool token_fits(const struct grammar *g, const char *token, const char *word);
/* tests/lib/command_tool.c */
bool has_name(const struct words *names, const char *name, size_t n);
const struct rule *rule_of(const struct grammar *g, char *const *words, size_t n, struct err *err);
/* tests/lib/command_shell.c */
bool shell_fits(const struct grammar *g, const char *text, unsigned depth, struct err *err);
/* tests/lib/command_switch.c */
int mode_of(const struct grammar *g, const char *name);
bool switch_fits(const struct grammar *g, const char *command, struct err *err);

#endif
