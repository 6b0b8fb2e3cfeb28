#include "core/manifest/modprobe.h"

bool manifest_modprobe(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	(void)s;
	(void)err;
	buf_str(out, "# Modules that RDMA needs, loaded at each boot\nib_uverbs\nrdma_ucm\n");
	return true;
}
