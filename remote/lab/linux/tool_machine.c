/* What a host tells of its machine: dmesg, journalctl, lspci. */
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/linux/breed.h"
#include "remote/lab/linux/files.h"
#include "remote/lab/linux/tools.h"
#include "remote/lab/world/ages.h"

#define BOOT_US 15000000	/* of the kernel's clock, when the host can be reached */

/* The forms are those of captures/node/dmesg/mlx5-boot-pstore; the times come of the port's place in the boot. */
static void boot_lines(const struct tool_call *t, struct buf *out)
{
	buf_printf(out,
		   "[    0.000000] Linux version %s (buildd@lcy02-amd64-045) (gcc (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0) #101-Ubuntu SMP\n"
		   "[    0.000000] Command line: " HOST_CMDLINE "\n"
		   "[    1.204411] systemd[1]: Hostname set to <%s>.\n",
		   t->device->system->kernel, t->device->name);
}

static bool was_up_at_boot(const struct tool_call *t, const struct lab_port *p)
{
	for (unsigned i = 0; i < p->n_link_events; i++)
		if (p->link_events[i].us > t->device->booted_us)
			return !p->link_events[i].is_up;
	return port_is_up(t->fabric, p);
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
		   us, by, pci, firmware_of(t->device, p), us + 97, by, pci, p->harm.pcie_lanes ? p->harm.pcie_lanes * 7 : 504,
		   p->harm.pcie_lanes ? 876 : 112,
		   p->harm.pcie_lanes ? "8.0 GT/s" : "32.0 GT/s", p->harm.pcie_lanes ? p->harm.pcie_lanes : 16, us, by, pci,
		   (p->number - 1) % 2, us, by, pci, p->name, p->number + 20);
	buf_printf(out, "[   14.%06u] %s %s %s: %s\n", us, by, pci, p->name,
		   was_up_at_boot(t, p) ? breed->link_up : breed->link_down);
}

/* A link that came or went since the boot. */
struct event_line {
	const struct lab_port *port;
	struct link_event event;
};

static int by_time(const void *a, const void *b)
{
	const struct event_line *x = a, *y = b;

	return x->event.us < y->event.us ? -1 : x->event.us > y->event.us;
}

static void event_lines(const struct tool_call *t, struct buf *out)
{
	const struct breed *breed = breed_of(t->device);
	int64_t began_us = t->fabric->now_us - device_up_us(t->fabric, t->device);
	struct event_line *lines = NULL;
	size_t n = 0, cap = 0;
	char pci[16];

	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = &t->fabric->ports[t->device->first + i];

		for (unsigned k = 0; k < p->n_link_events; k++)
			if (p->link_events[k].us > t->device->booted_us) {
				*GROW(lines, n, cap) = (struct event_line){ p, p->link_events[k] };
				n++;
			}
	}
	if (n)
		qsort(lines, n, sizeof(*lines), by_time);
	for (size_t i = 0; i < n; i++) {
		long long us = lines[i].event.us - began_us + BOOT_US;

		port_pci(lines[i].port, pci);
		buf_printf(out, "[%5lld.%06lld] %s %s %s: %s\n", us / 1000000, us % 1000000, breed->driver, pci, lines[i].port->name,
			   lines[i].event.is_up ? breed->link_up : breed->link_down);
	}
	free(lines);
}

static void kernel_log(const struct tool_call *t, struct buf *out)
{
	boot_lines(t, out);
	for (unsigned i = 0; i < t->device->n; i++)
		port_lines(t, &t->fabric->ports[t->device->first + i], out);
	event_lines(t, out);
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
