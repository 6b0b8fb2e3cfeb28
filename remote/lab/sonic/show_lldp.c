/* SONiC's "show lldp". */
#include "remote/lab/linux/lldpctl.h"
#include "remote/lab/sonic/grid.h"
#include "remote/lab/sonic/show.h"
#include "remote/lab/world/ages.h"
#include "remote/lab/world/skins.h"

/* Who the management port is plugged to: a switch of no fabric. */
static const struct neighbor management = {
	.name = "lab-oob-r1", .chassis = "00:01:e8:81:e3:45", .system = "Dell Force10 Networks Real Time Operating System Software.",
	.port_type = "ifname", .port = "GigabitEthernet 0/7",
};

static void add_neighbor(struct grid *g, const char *local, const char *name, const char *port, const char *can, const char *about)
{
	grid_add(g, local);
	grid_add(g, name);
	grid_add(g, port);
	grid_add(g, can);
	grid_add(g, about);
}

int show_lldp_table(struct tool_call *t)
{
	struct grid g;
	unsigned entries = 0;

	buf_str(t->out, "Capability codes: (R) Router, (B) Bridge, (O) Other\n");
	grid_init(&g, "LocalPort|RemoteDevice|RemotePortID|Capability|RemotePortDescr", false);
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);
		struct neighbor n;
		unsigned ttl_s;

		if (!port_is_up(t->fabric, p) || !switch_neighbor(t->fabric, p, &n, &ttl_s))
			continue;
		add_neighbor(&g, p->name, n.name ? n.name : "", n.port, n.name ? "BR" : "", n.description);
		entries++;
	}
	if (wears(t->device, SKIN_LLDP_MGMT)) {
		add_neighbor(&g, "eth0", management.name, management.port, "OBR", "");
		entries++;
	}
	grid_print(&g, t->out);
	buf_printf(t->out, "--------------------------------------------------\nTotal entries displayed:  %u\n", entries);
	return 0;
}

/* The port that the words name, or all. */
int show_lldp_neighbors(struct tool_call *t)
{
	char age[24];

	buf_str(t->out, LLDPCTL_HEAD);
	if (wears(t->device, SKIN_LLDP_MGMT) && t->argc < 4) {
		lldpctl_age(device_up_us(t->fabric, t->device), age);
		lldpctl_print("eth0", 1, age, &management, 20, t->out);
	}
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);
		struct neighbor n;
		unsigned ttl_s;

		if (!is_asked(t, p) || !port_is_up(t->fabric, p) || !switch_neighbor(t->fabric, p, &n, &ttl_s))
			continue;
		lldpctl_age(link_age_us(t->fabric, p), age);
		lldpctl_print(p->name, 2 + i, age, &n, ttl_s, t->out);
	}
	return 0;
}
