/* An inventory as a YAML text that inventory_read() reads back the same. */
#include "core/inventory.h"

#include <stdio.h>

static void quoted(struct buf *out, const char *text)
{
	buf_str(out, "\"");
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			buf_str(out, "\\");
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			buf_printf(out, "\\x%02x", (unsigned char)*text);
		else
			buf_add(out, text, 1);
	}
	buf_str(out, "\"");
}

static void variable(struct buf *out, unsigned indent, const char *name, const char *value)
{
	if (!value)
		return;
	buf_printf(out, "%*s%s: ", (int)indent, "", name);
	quoted(out, value);
	buf_str(out, "\n");
}

static void cables_of(struct buf *out, const struct inventory *inv, const char *device)
{
	bool is_begun = false;

	for (size_t i = 0; i < inv->n_cables; i++) {
		const struct cable *c = &inv->cables[i];

		if (strcmp(c->device, device) != 0)
			continue;
		buf_str(out, is_begun ? "" : "      fabcon_cables:\n");
		buf_str(out, "      - {port: ");
		quoted(out, c->port);
		buf_str(out, ", peer: ");
		quoted(out, c->peer);
		buf_str(out, ", peer_port: ");
		quoted(out, c->peer_port);
		buf_str(out, "}\n");
		is_begun = true;
	}
}

static void one_host(struct buf *out, const struct inventory *inv, const struct host *h)
{
	char port[16];

	snprintf(port, sizeof(port), "%u", h->port);
	buf_printf(out, "    %s:\n", h->name);
	variable(out, 6, "ansible_host", h->address);
	variable(out, 6, "ansible_port", h->port ? port : NULL);
	variable(out, 6, "ansible_user", h->user);
	variable(out, 6, "ansible_ssh_private_key_file", h->identity);
	variable(out, 6, "ansible_ssh_common_args", h->ssh_args);
	variable(out, 6, "fabcon_transport", h->transport == TRANSPORT_OPENSSH ? "openssh" : NULL);
variable(out, 6, "fabcon_jump", h->jump);
	variable(out, 6, "fabcon_platform", h->platform);
	variable(out, 6, "fabcon_kind", h->kind);
	variable(out, 6, "fabcon_rack", h->rack);
	variable(out, 6, "fabcon_rail", h->rail);
	cables_of(out, inv, h->name);
}

static bool is_in(const struct host *h, const char *group)
{
	for (size_t i = 0; i < h->n_groups; i++)
		if (!strcmp(h->groups[i], group))
			return true;
	return false;
}

/* Each group where it is named first. */
static void groups(struct buf *out, const struct inventory *inv)
{
	bool is_begun = false;

	for (size_t i = 0; i < inv->n_hosts; i++) {
		for (size_t g = 0; g < inv->hosts[i].n_groups; g++) {
			const char *group = inv->hosts[i].groups[g];
			bool was = false;

			for (size_t k = 0; k < i; k++)
				was |= is_in(&inv->hosts[k], group);
			if (was)
				continue;
			buf_str(out, is_begun ? "" : "  children:\n");
			buf_str(out, "    ");
			quoted(out, group);
			buf_str(out, ":\n      hosts:\n");
			for (size_t k = i; k < inv->n_hosts; k++)
				if (is_in(&inv->hosts[k], group))
					buf_printf(out, "        %s:\n", inv->hosts[k].name);
			is_begun = true;
		}
	}
}

void inventory_yaml(const struct inventory *inv, struct buf *out)
{
	buf_str(out, "all:\n");
	if ((inv->fabric && !inv->is_range) || inv->known_hosts || inv->plan)
		buf_str(out, "  vars:\n");
	variable(out, 4, "fabcon_fabric", inv->is_range ? NULL : inv->fabric);
	variable(out, 4, "fabcon_known_hosts", inv->known_hosts);
	variable(out, 4, "fabcon_plan", inv->plan);
	buf_str(out, "  hosts:\n");
	for (size_t i = 0; i < inv->n_hosts; i++)
		one_host(out, inv, &inv->hosts[i]);
	groups(out, inv);
}
