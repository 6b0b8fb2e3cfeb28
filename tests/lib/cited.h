/* For tests: whether the line of a reply that a fact cites, which is what a person is shown of it, says the fact. */
#ifndef TESTS_LIB_CITED_H
#define TESTS_LIB_CITED_H

#include "core/model/obs.h"

/* Fails with path and fact where a counter does not stand in the line that it cites. Returns how many were looked at. */
size_t cited_check(const char *path, const struct obs *o);

#endif
