/* For tests of keys: a stage before one small healthy fabric that a whole group of tests looks at. */
#ifndef TESTS_LIB_DESK_H
#define TESTS_LIB_DESK_H

#include "tests/lib/screen.h"
#include "tests/lib/world.h"

extern struct world desk;

/* Group set-up and tear-down of cmocka. */
int desk_open(void **state);
int desk_close(void **state);

/* As of now; each call is a change for who draws it. */
void desk_view(struct view_of *of);
struct intent desk_press(struct stage *s, int code);
void desk_type(struct stage *s, const char *text);
const char *desk_shown(struct screen_test *t, struct stage *s);

#endif
