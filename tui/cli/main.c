/* fabcon: main(). */
#include "core/base/mem.h"
#include "tui/args/cli.h"
#include "tui/cli/command_line.h"

int main(int argc, char **argv)
{
	mem_settle();
	return cli_main(argc, argv);
}
