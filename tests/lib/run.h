/* For tests: runs a program to its end and keeps what it printed. */
#ifndef TESTS_LIB_RUN_H
#define TESTS_LIB_RUN_H

#include "core/base/mem.h"

struct run {
	int code;		/* exit status, or 128 + signal */
	struct buf out, err;
};

/* argv[0] is a path, or a program of this build when it has no slash: "fabcon". Standard input is /dev/null or text. */
struct run run_program(const char *const *argv, const char *input);
#define RUN(...) run_program((const char *const[]){ __VA_ARGS__, NULL }, NULL)
void run_done(struct run *r);

/* The path of a program of this build; lent. */
const char *program_path(const char *name);

#endif
