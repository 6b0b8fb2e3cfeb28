/* The row of Cumulus Linux: a switch whose shell is Debian's, with NVUE beside it. */
#include <stdlib.h>

#include "remote/lab/cumulus/nv.h"
#include "remote/lab/linux/linux.h"
#include "remote/lab/linux/tools.h"
#include "remote/lab/server/view.h"
#include "remote/lab/world/faults.h"
#include "remote/lab/world/neighbor.h"

#define MTU	9194

static void neighbor(const struct fabric *f, const struct lab_port *p, struct neighbor *n)
{
	(void)f;
	n->system = "Cumulus Linux version 5.9.1 running on Mellanox SN3700";
	n->port_type = "ifname";
	n->port = p->name;
}

static void configure(const struct fabric *f, struct lab_device *d)
{
	struct nv_config *c = xcalloc(1, sizeof(*c) + d->n * sizeof(*c->ports));
	struct nv_switch *own = xcalloc(1, sizeof(*own));

	(void)f;
	c->n = d->n;
	for (unsigned i = 0; i < d->n; i++)
		c->ports[i].mtu = MTU;
	*own = (struct nv_switch){ c, nv_copy(c), nv_copy(c) };
	d->own = own;
}

static void done(struct lab_device *d)
{
	free(nv_of(d)->runs);
	free(nv_of(d)->pending);
	free(nv_of(d)->saved);
	free(d->own);
	d->own = NULL;
}

static bool is_shut(const struct lab_device *d, const struct lab_port *p)
{
	return nv_of(d)->runs->ports[p->number - 1].is_shut;
}

static void to_sim(const struct lab_device *d, const struct lab_port *p, struct sim_qos *qos)
{
	qos->mtu = nv_of(d)->runs->ports[p->number - 1].mtu + 14 + 4 + 4;
}

/* -- settings -- */

static void *take(const struct fabric *f, const struct lab_device *d)
{
	(void)f;
	return nv_copy(nv_of(d)->runs);
}

static void *copy(const void *settings)
{
	return nv_copy(settings);
}

static bool same(const void *a, const void *b)
{
	const struct nv_config *x = a, *y = b;

	return x->n == y->n && !memcmp(x->ports, y->ports, x->n * sizeof(*x->ports));
}

static void put(struct fabric *f, struct lab_device *d, const void *settings)
{
	(void)f;
	nv_set(&nv_of(d)->runs, settings);
	nv_set(&nv_of(d)->pending, settings);
}

static void boot(struct lab_device *d)
{
	put(NULL, d, nv_of(d)->saved);
}

static void print(const struct fabric *f, const struct lab_device *d, bool is_saved, struct buf *out)
{
	nv_print(f, d, is_saved ? nv_of(d)->saved : nv_of(d)->runs, out);
}

static void save(struct lab_device *d)
{
	nv_set(&nv_of(d)->saved, nv_of(d)->runs);
}

static const struct lab_settings settings = {
	.take = take, .copy = copy, .free = free, .same = same, .put = put, .boot = boot, .print = print, .save = save,
};

/* -- faults -- */

static struct nv_port *change(struct fabric *f, struct lab_port *p)
{
	return &nv_of(port_device(f, p))->runs->ports[p->number - 1];
}

static void mtu_small(struct fabric *f, struct lab_port *p, bool on)
{
	change(f, p)->mtu = on ? 1500 : MTU;
	nv_set(&nv_of(port_device(f, p))->pending, nv_of(port_device(f, p))->runs);
}

static void shut(struct fabric *f, struct lab_port *p, bool on)
{
	change(f, p)->is_shut = on;
	nv_set(&nv_of(port_device(f, p))->pending, nv_of(port_device(f, p))->runs);
	fabric_refresh(f, NULL);
}

static const struct lab_fault faults[] = {
	{ "mtu-small-switch",	mtu_small },
	{ "port-shut",		shut },
	{ NULL },
};

static void lie(struct lab_device *d, struct lab_port *p)
{
	nv_of(d)->runs->ports[p->number - 1].mtu = 4096;
}

/* -- what it has -- */

static void put_release(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	(void)f;
	view_put(dir, d, "etc/os-release", "NAME=\"Cumulus Linux\"\nVERSION_ID=5.9.1\nVERSION=\"Cumulus Linux 5.9.1\"\n"
					   "ID=cumulus-linux\nID_LIKE=debian\n");
}

static const struct lab_files files = { .make = put_release };

static const struct tool tools[] = {
	{ "nv",			tool_nv },
	{ "ip",			tool_ip },
	{ "systemctl",		tool_systemctl },
	{ "systemd-run",	tool_systemd_run },
	{ "hostname",		tool_hostname },
	{ "id",			tool_id },
	{ "uname",		tool_uname },
	{ NULL },
};

const struct lab_system lab_cumulus = {
	.name = "cumulus", .is_switch = true, .kernel = "6.1.0-cl-1-amd64",
	.port_prefix = "swp", .port_first = 1, .port_step = 1,
	.mac_prefix = "44:38:39", .neighbor = neighbor,
	.configure = configure, .done = done, .is_shut = is_shut, .to_sim = to_sim, .settings = &settings,
	.faults = faults, .lie = lie,
	.speaker = &lab_linux_shell, .tools = tools, .files = &files,
};
