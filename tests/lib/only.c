/* TEST_NAME=NAME runs that test of a program alone (cmocka has the filter, and no variable for it); "*" and "?" stand for any. */
#include <stdlib.h>

#include "tests/lib/say.h"

__attribute__((constructor)) static void choose(void)
{
	const char *name = getenv("TEST_NAME");

	if (name)
		cmocka_set_test_filter(name);
}
