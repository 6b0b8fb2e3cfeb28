#include "remote/lab/world/inventory_file.h"
#include "remote/lab/world/skins.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void print_cables(const struct fabric *f, const struct lab_device *d, struct buf *out)
{
	const char *head = "          fabcon_cables:\n";

	for (unsigned i = 0; i < d->n; i++) {
		const struct lab_port *p = &f->ports[d->first + i];
		const struct lab_port *far = p->planned < 0 ? NULL : &f->ports[p->planned];

		/* Each cable once: at the host, or at the switch that comes first. */
		if (!far || (d->system->is_switch && p->planned < (int)(d->first + i)))
			continue;
		buf_printf(out, "%s            - {port: %s, peer: %s, peer_port: \"%s\"}\n", head, p->name,
			   f->devices[far->device].name, far->name);
		head = "";
	}
}

static void print_host(const struct fabric *f, const struct lab_device *d, uint16_t port, struct buf *out)
{
	buf_printf(out, "        %s:\n          ansible_port: %u\n", d->name, port);
	if (!fabric_wears(f, SKIN_INVENTORY_BARE))
		buf_printf(out, "          fabcon_platform: %s\n          fabcon_rack: %s\n", d->system->name, d->rack);
	if (!fabric_wears(f, SKIN_INVENTORY_BARE) && !fabric_wears(f, SKIN_INVENTORY_NO_CABLES))
		print_cables(f, d, out);
}

static void print_group(const struct fabric *f, bool of_switches, const uint16_t *ports, struct buf *out)
{
	buf_printf(out, "    %s:\n      hosts:\n", of_switches ? "switches" : "nodes");
	for (size_t i = 0; i < f->n_devices; i++)
		if (f->devices[i].system->is_switch == of_switches)
			print_host(f, &f->devices[i], ports[i], out);
	buf_printf(out, "      vars:\n        ansible_user: %s\n", of_switches ? "admin" : "root");
	if (!fabric_wears(f, SKIN_INVENTORY_BARE))
		buf_printf(out, "        fabcon_kind: %s\n", of_switches ? "switch" : "host");
}

/* All once more, by their names alone, as sites group them by rack or owner. */
static void print_second_group(const struct fabric *f, struct buf *out)
{
	buf_str(out, "    cluster:\n      hosts:\n");
	for (size_t i = 0; i < f->n_devices; i++)
		buf_printf(out, "        %s:\n", f->devices[i].name);
}

void inventory_text(struct fabric *f, const char *dir, const uint16_t *ports, struct buf *out)
{
	bool has_nodes = false, has_switches = false;

	for (size_t i = 0; i < f->n_devices; i++) {
		has_nodes = has_nodes || !f->devices[i].system->is_switch;
		has_switches = has_switches || f->devices[i].system->is_switch;
	}
	buf_printf(out,
		   "# The simulated fabric of fabcon-lab: fabcon -i inventory.yml\n"
		   "all:\n"
		   "  vars:\n"
		   "    ansible_host: 127.0.0.1\n"
		   "    ansible_ssh_private_key_file: %s/client_key\n"
		   "    fabcon_known_hosts: known_hosts\n"
		   "    fabcon_fabric: %s\n"
		   "  children:\n", dir, f->name);
	if (has_nodes)
		print_group(f, false, ports, out);
	if (has_switches)
		print_group(f, true, ports, out);
	if (fabric_wears(f, SKIN_INVENTORY_TWICE))
		print_second_group(f, out);
}

bool inventory_write(const char *dir, const char *name, const struct buf *text, struct err *err)
{
	char *path = xasprintf("%s/%s", dir, name), *draft = xasprintf("%s/.%s.new", dir, name);
	FILE *file = fopen(draft, "w");
	bool is_done = file && fwrite(text->text, 1, text->n, file) == text->n;

	if (file && fclose(file))
		is_done = false;
	if (is_done && rename(draft, path))
		is_done = false;
	if (!is_done)
		err_set(err, "%s: %s", path, strerror(errno));
	free(path);
	free(draft);
	return is_done;
}
