/* The replies that are mutated: fixtures, and the captures of real devices where they are beside this tree. */
#ifndef TESTS_MUTANTS_REPLY_H
#define TESTS_MUTANTS_REPLY_H

#include "remote/platforms.h"

struct reply_text {
	char *name; /* owned; "linux/dcb/man-ets.txt" */
	const struct platform *platform;
	const struct probe *probe;
	char port[64]; /* that was asked about, or "" */
	int status;
	char *held; /* owned: a line's end, and the text behind it */
	char *text;
	size_t n;
};

struct replies {
	struct reply_text *list;
	size_t n, cap;
	bool has_captures;
};

void replies_read(struct replies *r);
void replies_done(struct replies *r);

#endif
