/* What a host's kernel is told beside its ports: sysctl, modprobe, rmmod. */
#include <stdio.h>

#include "remote/lab/linux/tools.h"


#define TCP_ECN	"net.ipv4.tcp_ecn"

int tool_sysctl(struct tool_call *t)
{
	bool is_bare = t->argc > 2 && is_word(t->argv[1], "-n"), is_write = t->argc > 2 && is_word(t->argv[1], "-w");
	const char *what = t->argc > 1 ? t->argv[t->argc - 1] : "";
	unsigned n;
	char tail;

	if (is_write && sscanf(what, TCP_ECN "=%u%c", &n, &tail) == 1) {
		if (n > 2) {
			buf_str(t->errors, "sysctl: setting key \"" TCP_ECN "\": Invalid argument\n");
			return 255;
		}
		t->device->tcp_ecn = n;
		t->is_changed = true;
		buf_printf(t->out, TCP_ECN " = %u\n", n);
		return 0;
	}
	if (!is_write && is_word(what, TCP_ECN)) {
		buf_printf(t->out, is_bare ? "%u\n" : TCP_ECN " = %u\n", t->device->tcp_ecn);
		return 0;
	}
	buf_printf(t->errors, "sysctl: cannot stat /proc/sys/%s: No such file or directory\n", what);
	return 1;
}

/* Modules that are always there, and those whose loading is a setting. */
static bool *missing(struct tool_call *t, const char *name)
{
	if (is_word(name, "nvidia_peermem"))
		return &t->device->job.is_without_peermem;
	return is_word(name, "ib_uverbs") ? &t->device->job.is_without_uverbs : NULL;
}

static bool is_always_there(const char *name)
{
	static const char *const names[] = { "rdma_ucm", "rdma_cm", "mlx5_ib", "ib_core", "mlx5_core" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (is_word(name, names[i]))
			return true;
	return false;
}

int tool_modprobe(struct tool_call *t)
{
	const char *name = t->argc > 1 ? t->argv[t->argc - 1] : "";
	bool *at = missing(t, name);

	if (!at && !is_always_there(name)) {
		buf_printf(t->errors, "modprobe: FATAL: Module %s not found in directory /lib/modules/5.15.0-91-generic\n", name);
		return 1;
	}
	if (at && *at) {
		*at = false;
		t->is_changed = true;
	}
	return 0;
}

int tool_rmmod(struct tool_call *t)
{
	const char *name = t->argc > 1 ? t->argv[t->argc - 1] : "";
	bool *at = missing(t, name);

	if (at && !*at) {
		*at = true;
		t->is_changed = true;
		return 0;
	}
	buf_printf(t->errors, is_always_there(name) ? "rmmod: ERROR: Module %s is in use\n"
						    : "rmmod: ERROR: Module %s is not currently loaded\n", name);
	return 1;
}
