/* fabcon: main(). */
#include <stdlib.h>

#include <jansson.h>

#include "core/base/mem.h"
#include "tui/args/cli.h"
#include "tui/cli/command_line.h"

int main(int argc, char **argv)
{
	mem_settle();
	json_set_alloc_funcs(xmalloc, free);	/* else jansson leaves a row out without a word when memory is out */
	return cli_main(argc, argv);
}
