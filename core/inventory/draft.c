#include "core/inventory/draft.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>

bool inventory_name_ok(const char *name, const char *also, size_t most)
{
	size_t n = strlen(name);

	if (n == 0 || n > most || !isalnum((unsigned char)*name))
		return false;
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr(also, *c))
			return false;
	return true;
}

bool is_ipv6(struct span text)
{
	struct span address = text, zone = { 0 };
	struct in6_addr bytes;
	char copy[64];

	if (span_cut(text, '%', &address, &zone) && !zone.n)
		return false;
	if (!address.n || address.n >= sizeof(copy))
		return false;
	for (size_t i = 0; i < zone.n; i++)
		if (!isalnum((unsigned char)zone.p[i]) && !strchr(NAME_ALSO, zone.p[i]))
			return false;
	memcpy(copy, address.p, address.n);
	copy[address.n] = '\0';
	return inet_pton(AF_INET6, copy, &bytes) == 1;
}

void ipv6_name(struct span address, char out[64])
{
	size_t n = 0;

	if (address.n && *address.p == ':')
		out[n++] = '0';
	for (size_t i = 0; i < address.n && n < 63; i++)
		out[n++] = strchr(":%", address.p[i]) ? '-' : address.p[i];
	out[n] = '\0';
}

const char *draft_keep(struct draft *d, struct span text)
{
	return arena_text(&d->inv->arena, text.p ? text.p : "", text.n);
}

struct draft *draft_new(struct inventory *inv, const char *source)
{
	struct draft *d = xcalloc(1, sizeof(*d));

	d->inv = inv;
	d->source = draft_keep(d, span_of(source));
	d->all = draft_group(d, "all");
	d->all->is_declared = draft_group(d, "ungrouped")->is_declared = true;
	return d;
}

void draft_free(struct draft *d)
{
	struct draft_group *g, *g_next;
	struct draft_host *h, *h_next;

	if (!d)
		return;
	HASH_ITER(hh, d->groups, g, g_next) {
		HASH_DELETE(hh, d->groups, g);
		free(g->own.list);
		free(g->files.list);
		free(g->parents);
		free(g->children);
		free(g);
	}
	HASH_ITER(hh, d->hosts, h, h_next) {
		HASH_DELETE(hh, d->hosts, h);
		free(h->own.list);
		free(h->files.list);
		free(h->groups);
		free(h);
	}
	free(d->defaults.list);
	free(d);
}

struct draft_group *draft_group(struct draft *d, const char *name)
{
	struct draft_group *g;

	HASH_FIND_STR(d->groups, name, g);
	if (g)
		return g;
	g = xcalloc(1, sizeof(*g));
	g->name = draft_keep(d, span_of(name));
	g->priority = 1;
	HASH_ADD_KEYPTR(hh, d->groups, g->name, strlen(g->name), g);
	return g;
}

static void draft_join(struct draft_host *h, struct draft_group *g)
{
	for (size_t i = 0; i < h->n_groups; i++)
		if (h->groups[i] == g)
			return;
	*GROW(h->groups, h->n_groups, h->cap_groups) = g;
	h->n_groups++;
}

struct draft_host *draft_host(struct draft *d, const char *name, struct draft_group *g, const char *file, unsigned line, struct err *err)
{
	struct draft_host *h;

	HASH_FIND_STR(d->hosts, name, h);
	if (!h) {
		if (HASH_COUNT(d->hosts) >= HOSTS_MAX) {
			err_set(err, "%s:%u: more than %d hosts", file, line, HOSTS_MAX);
			return NULL;
		}
		h = xcalloc(1, sizeof(*h));
		h->name = draft_keep(d, span_of(name));
		h->file = file;
		h->line = line;
		HASH_ADD_KEYPTR(hh, d->hosts, h->name, strlen(h->name), h);
	}
	if (g)
		draft_join(h, g);
	return h;
}

void draft_child(struct draft_group *parent, struct draft_group *child)
{
	for (size_t i = 0; i < child->n_parents; i++)
		if (child->parents[i] == parent)
			return;
	*GROW(child->parents, child->n_parents, child->cap_parents) = parent;
	child->n_parents++;
	*GROW(parent->children, parent->n_children, parent->cap_children) = child;
	parent->n_children++;
}

const struct said *draft_get(const struct said_vars *vars, const char *name)
{
	for (size_t i = vars->n; i > 0; i--)
		if (!strcmp(vars->list[i - 1].name, name))
			return &vars->list[i - 1].said;
	return NULL;
}

void draft_set(struct draft *d, struct said_vars *vars, const char *name, struct said said)
{
	struct said_var *v;

	for (size_t i = 0; i < vars->n; i++) {
		if (strcmp(vars->list[i].name, name) != 0)
			continue;
		vars->list[i].said = said;
		return;
	}
	v = GROW(vars->list, vars->n, vars->cap);
	vars->n++;
	*v = (struct said_var){ draft_keep(d, span_of(name)), said };
}

bool draft_group_set(struct draft *d, struct draft_group *g, struct said_vars *vars, const char *name, struct said said, struct err *err)
{
	char *end;

	if (strcmp(name, "ansible_group_priority") != 0 || vars != &g->own) {
		draft_set(d, vars, name, said);
		return true;
	}
	g->priority = strtoll(said.text ? said.text : "", &end, 10);
	if (said.text && *said.text && !*end)
		return true;
	return err_set(err, "%s:%u: ansible_group_priority must be a number", said.file, said.line);
}

bool draft_cable(struct draft *d, const char *const ends[4], struct err *err)
{
	struct inventory *inv = d->inv;

	for (size_t i = inv->n_cables; i > 0 && !strcmp(inv->cables[i - 1].device, ends[0]); i--) {
		const struct cable *c = &inv->cables[i - 1];

		if (!strcmp(c->port, ends[1]) && !strcmp(c->peer, ends[2]) && !strcmp(c->peer_port, ends[3]))
			return true;
	}
	return inventory_add_cable(inv, ends, err);
}

bool draft_is_secret(struct draft *d, struct span name, const char *file, unsigned line)
{
	static const char *const names[] = { "ansible_password", "ansible_ssh_pass", "ansible_ssh_password", "ansible_become_password",
					     "ansible_become_pass", "ansible_sudo_pass", "ansible_su_pass" };
	bool is = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		is |= span_is(name, names[i]);
	if (is && !d->was_secret)
		inventory_note(d->inv, "%s:%u: %.*s is not used and not kept: a password is asked for when a host asks for one", file, line,
			   (int)name.n, name.p);
	d->was_secret |= is;
	return is;
}
