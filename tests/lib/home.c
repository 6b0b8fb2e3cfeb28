#include "tests/lib/home.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/say.h"

char home[64];

int home_open(void **state)
{
	(void)state;
	strcpy(home, "/tmp/fabcon-home.XXXXXX");
	assert_non_null(mkdtemp(home));
	setenv("XDG_CONFIG_HOME", home, 1);
	setenv("XDG_DATA_HOME", home, 1);
	return 0;
}

int home_close(void **state)
{
	char *command = xasprintf("rm -rf %s", home);

	(void)state;
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_DATA_HOME");
	assert_int_equal(system(command), 0);
	free(command);
	return 0;
}
