/* The row of OS10: a Dell switch with a command line of its own, and a shell behind it. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "remote/lab/linux/tools.h"
#include "remote/lab/os10/os10.h"
#include "remote/lab/server/view.h"
#include "remote/lab/world/neighbor.h"

static void neighbor(const struct fabric *f, const struct lab_port *p, struct neighbor *n)
{
	(void)f;
	n->system = "Dell SmartFabric OS10 Enterprise. Software version: 10.5.6.1";
	n->port_type = "ifname";
	n->port = p->name;
}

/* captures show-running-configuration--s4112f-10-4-2-2: "interface breakout 1/1/1 map 40g-1x". */
static void add_breakout(struct dell_config *c, const struct lab_port *p)
{
	char line[64];

	snprintf(line, sizeof(line), "interface breakout 1/1/%u map %llug-4x", p->front, (unsigned long long)p->speed_bps / 1000000000);
	dell_config_add_line(c, line);
}

static void configure(const struct fabric *f, struct lab_device *d)
{
	struct dell_config *c = dell_config_without_ports(d->name);

	for (unsigned i = 0; i < d->n; i++) {
		const struct lab_port *p = &f->ports[d->first + i];

		if (p->lane == 1)
			add_breakout(c, p);
		dell_config_add_port(c, p->name);
	}
	dell_config_save(c);
	d->own = c;
}

static void done(struct lab_device *d)
{
	dell_config_free(dell_of(d));
	d->own = NULL;
}

static bool is_shut(const struct lab_device *d, const struct lab_port *p)
{
	return dell_if_value(dell_of(d), p->name, "shutdown") != NULL;
}

static void to_sim(const struct lab_device *d, const struct lab_port *p, struct sim_qos *qos)
{
	dell_to_sim(dell_of(d), p->name, qos);
}

static void lie(struct lab_device *d, struct lab_port *p)
{
	char header[64];

	snprintf(header, sizeof(header), "interface %s", p->name);
	dell_put(dell_of(d), header, NULL, "mtu", "mtu 4096");
}

/* It needs the environment that a login has, or ends by a segmentation fault; then the stand-in of that name answers. */
static void put_clish(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	char *path = xasprintf("%s/nodes/%s/opt/dell/os10/bin/clish", dir, d->name);

	(void)f;
	view_put(dir, d, "etc/opt/dell/os10/brand_env", "export BRAND=dell\n");
	view_put(dir, d, "opt/dell/os10/bin/clish",
		 "#!/bin/sh\n"
		 "case $CLISH_ROLE:$PRIV_LVL:$BRAND:$LD_LIBRARY_PATH in\n"
		 "sysadmin:15:dell:*/opt/dell/os10/lib*) exec clish \"$@\" ;;\n"
		 "esac\n"
		 "echo 'Segmentation fault' >&2\n"
		 "exit 139\n");
	if (chmod(path, 0755))
		perror(path);
	free(path);
}

static const struct lab_files files = { .make = put_clish };

static const struct tool tools[] = {
	{ "clish",		tool_clish },
	{ "ip",			tool_ip },
	{ "systemctl",		tool_systemctl },
	{ "systemd-run",	tool_systemd_run },
	{ "id",			tool_id },
	{ "hostname",		tool_hostname },
	{ NULL },
};

const struct lab_system lab_os10 = {
	.name = "os10", .is_switch = true, .kernel = "5.10.0-22-amd64",
	.banner = "Debian GNU/Linux 11\n\nDell EMC Networking Operating System (OS10)\n",
	.port_prefix = "ethernet1/1/", .port_first = 1, .port_step = 1, .port_part = ":",
	.mac_prefix = "90:b1:1d", .neighbor = neighbor,
	.configure = configure, .done = done, .is_shut = is_shut, .to_sim = to_sim, .settings = &lab_os10_settings,
	.faults = lab_os10_faults, .lie = lie,
	.speaker = &lab_os10_terminal, .tools = tools, .files = &files,
};
