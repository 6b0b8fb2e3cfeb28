/* For tests: a home of its own for the program's files, gone with the test. */
#ifndef TESTS_LIB_HOME_H
#define TESTS_LIB_HOME_H

extern char home[64];

/* Set-up and tear-down of cmocka: XDG_CONFIG_HOME and XDG_DATA_HOME are there. */
int home_open(void **state);
int home_close(void **state);

#endif
