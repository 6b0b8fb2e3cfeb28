#include "remote/lab/help.h"

#include <stdio.h>
#include <string.h>

#include "remote/lab/server/pace.h"
#include "remote/lab/server/trap.h"
#include "remote/lab/systems.h"
#include "remote/lab/world/faults.h"
#include "remote/lab/world/skins.h"

static const char *const forms[] = {
	"fabcon-lab --dir DIR [OPTION]...",
	"fabcon-lab ctl --dir DIR fault add|clear NAME[@DEVICE[:PORT]] | fault list",
	"fabcon-lab ctl --dir DIR trap KIND@DEVICE [N] | trap clear|list",
	"fabcon-lab ctl --dir DIR reboot DEVICE [MS] | elapse DEVICE | clear DEVICE [PORT] | channels DEVICE N",
	"fabcon-lab ctl --dir DIR spoil DEVICE cut|busy|hang|slow TOOL [N]",
	"fabcon-lab ctl --dir DIR login DEVICE USER FROM | logout DEVICE USER | do DEVICE TOOL [ARGUMENT]...",
	"fabcon-lab ctl --dir DIR writes DEVICE | setup DEVICE [saved]",
	"fabcon-lab ctl --dir DIR traffic off|ring|incast|all | state | sessions | busy | stop",
};

/* In a term %s is the systems that may stand there, "os10|sonic". */
static const struct row {
	const char *term, *text;
} options[] = {
	{ "--dir DIR",			"where inventory.yml, known_hosts, client_key and ctl.sock are made" },
	{ "--fabric FILE",		"the fabric of a .fabric file" },
	{ "--nodes N --rails R --leaves L --spines S", "the size (2, 1, 1, 0); --leaves 0: cables from host to host" },
	{ "--switch-os %s|mixed",	"what the switches run (os10)" },
	{ "--speed 25G|100G|200G|400G",	"of every port (100G)" },
	{ "--bond",			"the last node's first two rails are bond0" },
	{ "--demo",			"8 nodes of 4 rails, 4 leaves, 2 spines of both systems, ring traffic, and three faults: "
					"trust-pcp@node3:eth3, ecn-off-switch@leaf3:ethernet1/1/5, tos-104@node7:eth5" },
	{ "--fault NAME[@DEVICE[:PORT]]", "as often as wanted" },
	{ "--traffic off|ring|incast|all",	"what flows (ring)" },
	{ "--seed S",			"the same seed, the same fabric, in the same skins (1)" },
	{ "--tidy",			"no skins, and answers at once" },
	{ "--skin NAME[@DEVICE]",	"this skin alone, of all that it fits or of one; as often as wanted" },
	{ "--pace real|off|N",		"how long commands take: as on real devices, no time, N times as fast (real; off with --tidy and --skin)" },
	{ "--late MS",			"each answer begins up to MS later, by what its device and it draw (0)" },
	{ "--lens K",			"simulate one ms of K and show counters times K (by size)" },
	{ "--log FILE",			"what devices are told, a line each: \"leaf1 exec COMMAND #7\", \"leaf1 input BYTES #7\", by channel" },
	{ "--for SECONDS",		"stop by itself (28800)" },
	{ "--with-parent",		"stop when the parent ends" },
	{ "--run-ms N --dump",		"no server: print the state after N ms" },
	{ "--list-faults",		"the names of the faults" },
	{ "--list-costs",		"how long commands take at --pace real, and how that is known" },
	{ "--help, --man",		"this; or the manual page's source" },
};

/* The format of --fabric, as remote/lab/fabric_plan.c reads it. */
static const struct {
	const char *term, *text;
} fabric_lines[] = {
	{ "device NAME %s [RACK]", "a host or a switch (rack1)" },
	{ "ports N SPEED", "of the device just named: eth2, eth3, ... of a host, ethernet1/1/1, ... of OS10, Ethernet0, Ethernet4, ... of "
			   "SONiC; SPEED as 100G" },
	{ "link DEVICE PORT DEVICE PORT", "a cable; a port takes one" },
	{ "bond NODE", "the host's first two ports are bond0" },
	{ "NODE PORT FIELD = VALUE", "a setting of a host's port, as facts are written: node1 eth2 trust = pcp" },
};

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static const char *with_systems(const char *term, bool of_switches, char out[80])
{
	char names[48];

	lab_system_names(of_switches, "|", "|", names, sizeof(names));
	snprintf(out, 80, term, names);
	return out;
}

void lab_help(void)
{
	char term[80];

	puts("fabcon-lab: a simulated RoCE fabric behind real SSH on loopback\n");
	for (size_t i = 0; i < COUNT(forms); i++)
		printf("  %s\n", forms[i]);
	puts("");
	for (size_t i = 0; i < COUNT(options); i++)
		printf("  %-42s %s\n", with_systems(options[i].term, true, term), options[i].text);
	puts("\nPrints \"READY <n> devices\" once all listen. Faults:\n");
	for (size_t i = 0; i < fault_count; i++)
		printf("  %-18s %s\n", fault_table[i].name, fault_table[i].help);
	puts("\nSkins, of which each device wears those that the seed draws:\n");
	for (size_t i = 0; i < SKIN_COUNT; i++)
		printf("  %-18s %s\n", skin_table[i].name, skin_table[i].help);
	puts("\nTraps, at the N-th command that changes settings (1):\n");
	for (size_t i = 0; i < trap_count; i++)
		printf("  %-18s %s\n", trap_table[i].name, trap_table[i].help);
}

void lab_ctl_help(FILE *out)
{
	for (size_t i = 0; i < COUNT(forms); i++)
		if (strstr(forms[i], " ctl "))
			fprintf(out, "%s\n", forms[i]);
}

/* Text for roff. */
static void roff(const char *text)
{
	for (const char *c = text; *c; c++)
		printf(*c == '-' ? "\\-" : *c == '\\' ? "\\e" : "%c", *c);
}

static void item(const char *term, const char *text)
{
	fputs(".TP\n.B ", stdout);
	roff(term);
	fputs("\n", stdout);
	roff(text);
	fputs("\n", stdout);
}

void lab_man(void)
{
	char term[80];

	puts(".TH FABCON\\-LAB 1 \"\" \"fabcon\" \"User Commands\"\n"
	     ".SH NAME\nfabcon\\-lab \\- a simulated RoCE fabric behind real SSH on loopback\n"
	     ".SH SYNOPSIS");
	for (size_t i = 0; i < COUNT(forms); i++) {
		roff(forms[i]);
		puts("\n.br");
	}
	puts(".SH DESCRIPTION\n"
	     "Listens on 127.0.0.1, a port for each device, and behaves as Linux hosts with RDMA NICs and OS10 or SONiC switches\n"
	     "would: the same tools, files and command lines, over a queueing model that gives every wrong setting its symptom.\n"
	     "Commands on hosts and SONiC switches are run by the real /bin/sh. For demonstration, training and tests.\n"
	     ".SH OPTIONS");
	for (size_t i = 0; i < COUNT(options); i++)
		item(with_systems(options[i].term, true, term), options[i].text);
	puts(".SH FABRIC FILES\n"
	     "\\-\\-fabric FILE: a line each; blank lines and lines that begin with # are skipped.");
	for (size_t i = 0; i < COUNT(fabric_lines); i++)
		item(with_systems(fabric_lines[i].term, false, term), fabric_lines[i].text);
	puts(".SH FAULTS");
	for (size_t i = 0; i < fault_count; i++)
		item(fault_table[i].name, fault_table[i].help);
	puts(".SH SKINS\n"
	     "How real devices differ from the tidy ones. Without \\-\\-tidy and \\-\\-skin each device wears those that the seed draws.");
	for (size_t i = 0; i < SKIN_COUNT; i++)
		item(skin_table[i].name, skin_table[i].help);
	puts(".SH TRAPS");
	for (size_t i = 0; i < trap_count; i++)
		item(trap_table[i].name, trap_table[i].help);
	puts(".SH SEE ALSO\nfabcon(1)");
}

void lab_list_faults(void)
{
	for (size_t i = 0; i < fault_count; i++)
		puts(fault_table[i].name);
}

void lab_list_costs(void)
{
	struct buf text = { NULL };

	pace_print(&text);
	fputs(text.text, stdout);
	buf_done(&text);
}
