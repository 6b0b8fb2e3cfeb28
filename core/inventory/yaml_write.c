/* An inventory as a YAML text that inventory_read() reads back the same. */
#include "core/base/hash.h"
#include "core/inventory/inventory.h"

#include <stdio.h>
#include <stdlib.h>

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

/* Rows by a name: the cables of a device, the hosts of a group. In the order of what came first. */
struct shelf {
	UT_hash_handle hh;
	const char *name;
	size_t *rows;
	size_t n, cap;
};

static void put(struct shelf **shelves, const char *name, size_t row)
{
	struct shelf *s;

	HASH_FIND_STR(*shelves, name, s);
	if (!s) {
		s = xcalloc(1, sizeof(*s));
		s->name = name;
		HASH_ADD_KEYPTR(hh, *shelves, s->name, strlen(s->name), s);
	}
	*GROW(s->rows, s->n, s->cap) = row;
	s->n++;
}

static void shelves_free(struct shelf *shelves)
{
	struct shelf *s, *next;

	HASH_ITER(hh, shelves, s, next) {
		HASH_DELETE(hh, shelves, s);
		free(s->rows);
		free(s);
	}
}

static void cables_of(struct buf *out, const struct inventory *inv, struct shelf *cables, const char *device)
{
	struct shelf *s;

	HASH_FIND_STR(cables, device, s);
	for (size_t i = 0; s && i < s->n; i++) {
		const struct cable *c = &inv->cables[s->rows[i]];

		buf_str(out, i ? "" : "      fabcon_cables:\n");
		buf_str(out, "      - {port: ");
		quoted(out, c->port);
		buf_str(out, ", peer: ");
		quoted(out, c->peer);
		buf_str(out, ", peer_port: ");
		quoted(out, c->peer_port);
		buf_str(out, "}\n");
	}
}

static void one_host(struct buf *out, const struct inventory *inv, struct shelf *cables, const struct host *h)
{
	char port[16];

	snprintf(port, sizeof(port), "%u", h->port);
	buf_printf(out, "    %s:\n", h->name);
	variable(out, 6, "ansible_host", h->address);
	variable(out, 6, "ansible_port", h->port ? port : NULL);
	variable(out, 6, "ansible_user", h->user);
	variable(out, 6, "ansible_ssh_private_key_file", h->identity);
	variable(out, 6, "ansible_ssh_args", h->ssh_first);
	variable(out, 6, "ansible_ssh_common_args", h->ssh_args);
	variable(out, 6, "fabcon_transport", h->transport == TRANSPORT_OPENSSH ? "openssh" : NULL);
variable(out, 6, "fabcon_jump", h->jump);
	variable(out, 6, "fabcon_platform", h->platform);
	variable(out, 6, "fabcon_kind", h->kind);
	variable(out, 6, "fabcon_rack", h->rack);
	variable(out, 6, "fabcon_rail", h->rail);
	cables_of(out, inv, cables, h->name);
}

/* Each group where it is named first. */
static void groups(struct buf *out, const struct inventory *inv)
{
	struct shelf *all = NULL;

	for (size_t i = 0; i < inv->n_hosts; i++)
		for (size_t g = 0; g < inv->hosts[i].n_groups; g++)
			put(&all, inv->hosts[i].groups[g], i);
	buf_str(out, all ? "  children:\n" : "");
	for (struct shelf *s = all; s; s = s->hh.next) {
		buf_str(out, "    ");
		quoted(out, s->name);
		buf_str(out, ":\n      hosts:\n");
		for (size_t i = 0; i < s->n; i++)
			buf_printf(out, "        %s:\n", inv->hosts[s->rows[i]].name);
	}
	shelves_free(all);
}

void inventory_yaml(const struct inventory *inv, struct buf *out)
{
	struct shelf *cables = NULL;

	for (size_t i = 0; i < inv->n_cables; i++)
		put(&cables, inv->cables[i].device, i);
	buf_str(out, "all:\n");
	if ((inv->fabric && !inv->is_range) || inv->known_hosts || inv->plan)
		buf_str(out, "  vars:\n");
	variable(out, 4, "fabcon_fabric", inv->is_range ? NULL : inv->fabric);
	variable(out, 4, "fabcon_known_hosts", inv->known_hosts);
	variable(out, 4, "fabcon_plan", inv->plan);
	buf_str(out, "  hosts:\n");
	for (size_t i = 0; i < inv->n_hosts; i++)
		one_host(out, inv, cables, &inv->hosts[i]);
	shelves_free(cables);
	groups(out, inv);
}
