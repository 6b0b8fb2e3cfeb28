/* Which of the captures of real devices a probe's parser reads. They stay where they are: captures_dir(), of tests/lib/say.h. */
#ifndef TESTS_LIB_CAPTURED_H
#define TESTS_LIB_CAPTURED_H

#include <stddef.h>

/* The files of this folder whose names begin so, read by this probe. A longer beginning stands first. */
struct captured {
	const char *folder, *begin, *platform, *probe;
};

extern const struct captured captured_table[];
extern const size_t captured_count;

/* Calls take with the path of each file of a row; path is gone after it. */
void captured_each(const struct captured *row, void (*take)(const char *path, void *user), void *user);

#endif
