#include "core/mem.h"
#include "tui/cli.h"

int main(int argc, char **argv)
{
	mem_settle();
	return cli_main(argc, argv);
}
