# An emitter of a manifest: its text in a file of its own, and its row.
bar=1 order=4
programs="core/test_manifest tui/test_completion layers"

edit() {
	after core/manifest/manifest.c '#include "core/manifest/internal.h"' '#include "core/manifest/modprobe.h"'
	after core/manifest/manifest.c 'const struct manifest manifest_table[] = {' '	{ "modprobe", "the modules that RDMA needs, loaded at each boot", "which modules are loaded", "/etc/modules-load.d/rdma.conf",
	  false, manifest_modprobe },'
}
