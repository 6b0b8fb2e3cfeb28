/* The row of SONiC: a switch whose shell is Debian's, with CONFIG_DB behind it. */
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/linux/linux.h"
#include "remote/lab/linux/tools.h"
#include "remote/lab/server/view.h"
#include "remote/lab/sonic/admin.h"
#include "remote/lab/sonic/dress.h"
#include "remote/lab/sonic/sonic.h"
#include "remote/lab/sonic/tools.h"
#include "remote/lab/world/neighbor.h"

/* The alias, as a local name. */
static void neighbor(const struct fabric *f, const struct lab_port *p, struct neighbor *n)
{
	const struct lab_device *d = port_device(f, p);
	const struct sonic_release *r = sonic_release_of(d);

	const char *alias = confdb_get(confdb_of(d), "PORT", p->name, "alias");

	snprintf(n->own, sizeof(n->own), "%s", alias ? alias : p->name);
	snprintf(n->about, sizeof(n->about), "SONiC Software Version: SONiC.%s-%s - HwSku: Accton-AS7726-32X", r->version, r->commit);
	n->system = n->about;
	n->port_type = "local";
	n->port = n->own;
}

static bool is_shut(const struct lab_device *d, const struct lab_port *p)
{
	const char *status = confdb_get(confdb_of(d), "PORT", p->name, "admin_status");

	return status && !strcmp(status, "down");
}

static void to_sim(const struct lab_device *d, const struct lab_port *p, struct sim_qos *qos)
{
	confdb_to_sim(confdb_of(d), p->name, qos);
}

static void lie(struct lab_device *d, struct lab_port *p)
{
	confdb_set(confdb_of(d), "PORT", p->name, "mtu", "4096");
}

static const char *kernel_of(const struct lab_device *d)
{
	return sonic_release_of(d)->kernel;
}

/* -- its files -- */

static void put_release(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	const struct sonic_release *r = sonic_release_of(d);
	char text[400];

	(void)f;
	snprintf(text, sizeof(text), "PRETTY_NAME=\"Debian GNU/Linux %s (%s)\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"%s\"\n"
				     "VERSION=\"%s (%s)\"\nID=debian\n", r->os, r->codename, r->os, r->os, r->codename);
	view_put(dir, d, "etc/os-release", text);
	snprintf(text, sizeof(text), "---\nbuild_version: '%s-%s'\ndebian_version: '%s'\nkernel_version: '%s'\nasic_type: broadcom\n"
				     "commit_id: '%s'\nbranch: '%.6s'\nrelease: 'none'\n",
		 r->version, r->commit, r->debian, r->kernel, r->commit, r->version);
	view_put(dir, d, "etc/sonic/sonic_version.yml", text);
}

static void put_saved(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	char *text = json_dumps(sonic_of(d)->saved, JSON_INDENT(4) | JSON_SORT_KEYS);

	(void)f;
	if (text)
		view_put(dir, d, "etc/sonic/config_db.json", text);
	free(text);
}

static const struct lab_files files = { .make = put_release, .settings = put_saved };


static const struct tool tools[] = {
	{ "show",		tool_sonic_show },
	{ "config",		admin_config },
	{ "sonic-db-cli",	tool_sonic_db_cli },
	{ "sonic-cfggen",	tool_sonic_cfggen },
	{ "ecnconfig",		admin_ecnconfig },
	{ "pfcwd",		admin_pfcwd },
	{ "counterpoll",	tool_counterpoll },
	{ "sonic-clear",	tool_sonic_clear },
	{ "ip",			tool_ip },
	{ "systemctl",		tool_systemctl },
	{ "systemd-run",	admin_systemd_run },
	{ "hostname",		tool_hostname },
	{ "id",			admin_id },
	{ "uname",		tool_uname },
	{ "who",		tool_who },
	{ "last",		tool_last },
	{ NULL },
};

const struct lab_system lab_sonic = {
	.name = "sonic", .is_switch = true, .kernel = "6.12.41+deb13-sonic-amd64", .kernel_of = kernel_of,
	.sshd = "OpenSSH_8.4p1 Debian-5+deb11u3",
	.port_prefix = "Ethernet", .port_first = 0, .port_step = 4,	/* it counts lanes, four a port */
	.mac_prefix = "90:b1:1d", .neighbor = neighbor,
	.configure = confdb_configure, .done = confdb_done, .is_shut = is_shut, .to_sim = to_sim, .settings = &lab_sonic_settings,
	.faults = lab_sonic_faults, .lie = lie,
	.speaker = &lab_linux_shell, .tools = tools, .files = &files,
};
