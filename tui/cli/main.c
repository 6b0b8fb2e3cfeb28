#include "core/base/mem.h"
#include "tui/cli/cli.h"

int main(int argc, char **argv)
{
	mem_settle();
	return cli_main(argc, argv);
}
