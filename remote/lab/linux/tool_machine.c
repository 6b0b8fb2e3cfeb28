/* What a host tells of its machine: dmesg, journalctl, lspci. */
#include <stdio.h>

#include "remote/lab/linux/breed.h"
#include "remote/lab/linux/files.h"
#include "remote/lab/linux/tools.h"

/* The forms are those of captures/node/dmesg/mlx5-boot-pstore; the times come of the port's place in the boot. */
static void boot_lines(const struct tool_call *t, struct buf *out)
{
	buf_printf(out,
		   "[    0.000000] Linux version %s (buildd@lcy02-amd64-045) (gcc (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0) #101-Ubuntu SMP\n"
		   "[    0.000000] Command line: " HOST_CMDLINE "\n"
		   "[    1.204411] systemd[1]: Hostname set to <%s>.\n",
		   t->device->system->kernel, t->device->name);
}

static void port_lines(const struct tool_call *t, const struct lab_port *p, struct buf *out)
{
	const struct breed *breed = breed_of(t->device);
	const char *by = breed->driver;
	unsigned us = 400000 + p->number * 41713;
	char pci[16];

	port_pci(p, pci);
	buf_printf(out,
		   "[    2.%06u] %s %s: firmware version: %s\n"
		   "[    2.%06u] %s %s: %u.%03u Gb/s available PCIe bandwidth (%s PCIe x%u link)\n"
		   "[    3.%06u] %s %s: Port module event: module %u, Cable plugged\n"
		   "[   11.%06u] %s %s %s: renamed from eth%u\n",
		   us, by, pci, breed->firmware, us + 97, by, pci, p->harm.pcie_lanes ? p->harm.pcie_lanes * 7 : 504, p->harm.pcie_lanes ? 876 : 112,
		   p->harm.pcie_lanes ? "8.0 GT/s" : "32.0 GT/s", p->harm.pcie_lanes ? p->harm.pcie_lanes : 16, us, by, pci,
		   (p->number - 1) % 2, us, by, pci, p->name, p->number + 20);
	if (port_is_up(t->fabric, p))
		buf_printf(out, "[   14.%06u] %s %s %s: Link up\n", us, by, pci, p->name);
	else
		buf_printf(out, "[   14.%06u] %s %s %s: Link down\n", us, by, pci, p->name);
}

static void kernel_log(const struct tool_call *t, struct buf *out)
{
	boot_lines(t, out);
	for (unsigned i = 0; i < t->device->n; i++)
		port_lines(t, &t->fabric->ports[t->device->first + i], out);
}

int tool_dmesg(struct tool_call *t)
{
	kernel_log(t, t->out);
	return 0;
}

/* The kernel's messages for -k; of units it has kept nothing. */
int tool_journalctl(struct tool_call *t)
{
	for (int i = 1; i < t->argc; i++)
		if (is_word(t->argv[i], "-k") || is_word(t->argv[i], "--dmesg")) {
			kernel_log(t, t->out);
			return 0;
		}
	buf_str(t->out, "-- No entries --\n");
	return 0;
}

/* "-d 15b3:" is what scripts ask with; -nn adds the numbers. */
int tool_lspci(struct tool_call *t)
{
	const struct breed *breed = breed_of(t->device);
	bool has_numbers = false, has_domain = false;

	for (int i = 1; i < t->argc; i++) {
		has_numbers = has_numbers || is_word(t->argv[i], "-nn");
		has_domain = has_domain || is_word(t->argv[i], "-D");
	}
	for (unsigned i = 0; i < t->device->n; i++) {
		char pci[16];

		port_pci(&t->fabric->ports[t->device->first + i], pci);
		buf_printf(t->out, "%s Ethernet controller%s: %s",
			   has_domain ? pci : pci + 5, has_numbers ? " [0200]" : "", breed->model);
		if (has_numbers)
			buf_printf(t->out, " [%s:%s]", breed->vendor + 2, breed->device + 2);
		buf_str(t->out, "\n");
	}
	return 0;
}
