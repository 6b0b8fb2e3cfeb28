#include "remote/native/native.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "remote/linux/linux.h"
#include "remote/native/internal.h"
#include "remote/talk/collector.h"

static const struct {
	const char *id;
	native_teller *tell;
} rows[] = {
	{ "host", native_host }, { "net", native_net }, { "link", native_link }, { "lsmod", native_lsmod }, { "rdma", native_rdma },
	{ "rdma-counters", native_rdma_counters }, { "tos", native_tos }, { "pcie", native_pcie }, { "ethtool-S", native_statistics },
	{ "ethtool-i", native_driver }, { "ethtool-a", native_pause }, { "ethtool-fec", native_fec },
	{ "dcb", native_dcb }, { "settings", native_settings }, { "ecn", native_ecn },
};

static native_teller *teller_of(const struct probe *probe)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(rows[i].id, probe->id))
			return rows[i].tell;
	return NULL;
}

const struct platform *native_platform(void)
{
	return &linux_platform;
}

bool native_knows(const struct probe *probe)
{
	return teller_of(probe) != NULL;
}

/* -- the machine's ports -- */

static void find_ports(struct native *n)
{
	static const char net[] = "/sys/class/net/";
	glob_t found;

	n->is_bare = true;
	if (glob("/sys/class/net/*", 0, NULL, &found) == 0) {
		n->ports = xcalloc(found.gl_pathc + 1, sizeof(*n->ports));
		for (size_t i = 0; i < found.gl_pathc; i++) {
			const char *port = found.gl_pathv[i] + sizeof(net) - 1;

			n->is_bare = n->is_bare && !native_port_has(port, "device");
			if (collector_may_name(port))
				n->ports[n->n_ports++] = xstrdup(port);
		}
		globfree(&found);
	}
	if (glob("/sys/class/infiniband/*/device", 0, NULL, &found) == 0) {
		n->has_rdma = true;
		globfree(&found);
	}
}

static void forget_ports(struct native *n)
{
	for (size_t i = 0; i < n->n_ports; i++)
		free(n->ports[i]);
	free(n->ports);
}

static bool is_asked_about(const struct native *n, const struct probe *probe, const char *port)
{
	return !strcmp(probe->ports_of, "fabric") ? native_is_fabric(n, port) : native_is_nic(n, port);
}

/* -- the replies -- */

static void tell(struct native *n, const struct probe *probe, const char *port, const struct native_hooks *hooks)
{
	struct buf text = { 0 };
	struct answer a = { .port = port, .status = teller_of(probe)(n, port, &text) };

	a.text = buf_span(&text);
	hooks->answered(hooks->ctx, probe, &a, machine_now_us());
	buf_done(&text);
}

bool native_read(const char *names, const struct native_hooks *hooks, struct err *err)
{
	struct native n = { .machine = machine_open(err), .names = names };

	if (!n.machine)
		return false;
	find_ports(&n);
	for (size_t i = 0; i < linux_platform.n_probes; i++) {
		const struct probe *probe = &linux_platform.probes[i];

		if (!native_knows(probe))
			continue;
		if (!probe->per_port)
			tell(&n, probe, NULL, hooks);
		for (size_t k = 0; probe->per_port && k < n.n_ports; k++)
			if (is_asked_about(&n, probe, n.ports[k]))
				tell(&n, probe, n.ports[k], hooks);
	}
	forget_ports(&n);
	machine_close(n.machine);
	return true;
}
