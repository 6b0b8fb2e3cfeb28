/* The reason something was not done, in words for a person. */
#ifndef CORE_BASE_ERR_H
#define CORE_BASE_ERR_H

#include <stdbool.h>

struct err {
	char text[512];
};

/* Writes the reason and returns false, so a failure is one line: return err_set(err, "%s: %s", …). err may be NULL. */
bool err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
