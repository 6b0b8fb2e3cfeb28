/* fabcon: main(). */
#include <stdlib.h>

#include <jansson.h>
#include <openssl/crypto.h>
#include <uv.h>

#include "core/base/mem.h"
#include "tui/args/cli.h"
#include "tui/cli/command_line.h"

/* When memory is out jansson leaves a row out, libuv aborts and libcrypto reads a null pointer later: they end in words instead. */
static void settle_libraries(void)
{
	json_set_alloc_funcs(xmalloc, free);
	uv_replace_allocator(xmalloc, xrealloc, xcalloc, free);
	if (!OSSL_LIB_CTX_get0_global_default())
		mem_is_out();
}

int main(int argc, char **argv)
{
	mem_settle();
	settle_libraries();
	return cli_main(argc, argv);
}
