/*
 * A mutant: a reply as another release, another tool or a worse line would have printed it. Operators make them, a row
 * each (operators.c); what a mutant may tell otherwise than its original is the operator's rule (judge.c).
 */
#ifndef TESTS_MUTANTS_MUTANT_H
#define TESTS_MUTANTS_MUTANT_H

#include "tests/mutants/reply.h"

enum rule {
	/* What is known may become unknown or go; nothing else may be told otherwise, and nothing new. */
	RULE_LESS,
	/* As RULE_LESS, but that a setting whose line is gone may be told as its default (the judge's table of probes).
	 */
	RULE_GONE_LINE,
	/* One number was replaced: only what is told by it may follow it, exactly. */
	RULE_NUMBER,
	/* As RULE_NUMBER, and what stands there now is no number: what is told by it is not known any more. */
	RULE_NO_NUMBER,
	/* One word was replaced: a text may hold the new one in its place, and facts may be told of a port of that
	   name. */
	RULE_WORD,
	/* Two are at one port: all that is told of it is of one of them, or unknown. */
	RULE_EITHER,
};

#define TOKEN_MAX 96

struct mutant {
	const struct reply_text *of;
	uint64_t draw;	  /* state of draw_below() */
	struct buf text;  /* what the operator makes */
	struct buf rival; /* RULE_NUMBER: another number in the same place; RULE_EITHER: the other one alone */
	int status;
	bool is_partial;
	char old[TOKEN_MAX], new[TOKEN_MAX]; /* RULE_WORD, RULE_NUMBER, RULE_NO_NUMBER */
	uint64_t old_number, new_number, rival_number;
};

struct operator
{
	const char *name;
	/* Makes m->text; false where the reply has no place for it. */
	bool (*apply)(struct mutant * m);
	enum rule rule;
	unsigned each;	  /* how many of a reply beside the others; 0: it makes one and no other */
	const char *seen; /* where the variation is published, or was seen */
};

extern const struct operator operator_table[];
extern const size_t operator_count;

/* The same numbers for the same seed. */
uint64_t draw_below(struct mutant *m, uint64_t below);

/* Operators on JSON (json_operators.c). */
bool json_keys_reversed(struct mutant *m);
bool json_compact(struct mutant *m);
bool json_lists_reversed(struct mutant *m);
bool json_member_added(struct mutant *m);
bool json_member_null(struct mutant *m);
bool json_member_dropped(struct mutant *m);
bool json_key_renamed(struct mutant *m);
bool json_type_changed(struct mutant *m);
bool json_rows_split(struct mutant *m);
bool json_rows_of_host(struct mutant *m);
bool json_references(struct mutant *m);
bool json_two_neighbors(struct mutant *m);

#endif
