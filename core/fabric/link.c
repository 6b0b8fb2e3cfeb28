#include "core/fabric/link.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/hash.h"

#define NAME_MAX_BYTES 128

/* What stands for a name or a MAC; several claimants make it useless for joining. */
struct claim {
	UT_hash_handle hh;
	void *what;		/* struct device or struct port; NULL: several claim it */
	char name[];
};

/* What one port says of its neighbour. */
struct sight {
	struct port *far;	/* the port it sees, NULL when it cannot be told */
	const struct device *device;	/* that it names, whatever port */
	bool by_name;		/* by name and port, not only by MAC */
	bool is_joined;		/* has its link */
	const char *text;	/* "leaf9 ethernet1/1/1" as seen; NULL: it sees nobody */
	const char *planned;	/* the same by the cable plan */
	struct port *planned_far;
};

struct join {
	struct links *links;
	const struct model *model;
	const struct inventory *inv;
	struct claim *devices, *macs;
	struct sight *sights;	/* by port id */
};

/* -- names -- */

int natural_cmp(const char *a, const char *b)
{
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			size_t n_a, n_b;
			int order;

			a += strspn(a, "0");
			b += strspn(b, "0");
			n_a = strspn(a, "0123456789");
			n_b = strspn(b, "0123456789");
			order = n_a != n_b ? (n_a < n_b ? -1 : 1) : strncmp(a, b, n_a);
			if (order)
				return order;
			a += n_a;
			b += n_b;
			continue;
		}
		if (*a != *b)
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		a++;
		b++;
	}
	return *a ? 1 : *b ? -1 : 0;
}

/* The name in lower case without its domain: how devices call themselves varies in both. */
static void short_name(const char *name, char *out)
{
	size_t n = 0;

	for (; *name && *name != '.' && n < NAME_MAX_BYTES - 1; name++)
		out[n++] = (char)tolower((unsigned char)*name);
	out[n] = '\0';
}

/* "Ethernet 1/1/1", "Eth 1/1/1", "Eth1/1/1" and "ethernet1/1/1" are one port; "eth0" and "Ethernet0" are two. */
static void port_key(const char *name, char *out)
{
	size_t n = 0;

	if (strchr(name, '/') && (*name == 'e' || *name == 'E')) {
		name += strcspn(name, "0123456789/");
		n = (size_t)snprintf(out, NAME_MAX_BYTES, "ethernet");
	}
	for (; *name && n < NAME_MAX_BYTES - 1; name++)
		if (*name != ' ')
			out[n++] = *name;
	out[n] = '\0';
}

static bool same_port_name(const char *a, const char *b)
{
	char key_a[NAME_MAX_BYTES], key_b[NAME_MAX_BYTES];

	port_key(a, key_a);
	port_key(b, key_b);
	return strcmp(key_a, key_b) == 0;
}

/* -- claims -- */

static void claim(struct claim **claims, const char *name, void *what)
{
	struct claim *c;

	HASH_FIND_STR(*claims, name, c);
	if (c) {
		if (c->what != what)
			c->what = NULL;
		return;
	}
	c = xcalloc(1, sizeof(*c) + strlen(name) + 1);
	memcpy(c->name, name, strlen(name) + 1);
	c->what = what;
	HASH_ADD_STR(*claims, name, c);
}

static void *claimant(struct claim *claims, const char *name)
{
	struct claim *c;

	HASH_FIND_STR(claims, name, c);
	return c ? c->what : NULL;
}

static void claims_done(struct claim **claims)
{
	struct claim *c, *next;

	HASH_ITER(hh, *claims, c, next) {
		HASH_DELETE(hh, *claims, c);
		free(c);
	}
}

static void lower_text(const char *text, char *out)
{
	size_t n = 0;

	for (; *text && n < NAME_MAX_BYTES - 1; text++)
		out[n++] = (char)tolower((unsigned char)*text);
	out[n] = '\0';
}

/* A bond and its members share a MAC, VFs have their own: only ports that end a cable are joined by MAC. */
static bool ends_a_cable(const struct port *p)
{
	const struct cell *c = port_cell(p, FIELD_ROLE, 0);

	return !c || c->value.is != VALUE_KNOWN || c->value.n == ROLE_PF || c->value.n == ROLE_MEMBER || c->value.n == ROLE_OTHER;
}

static void claim_names(struct join *j)
{
	char key[NAME_MAX_BYTES];

	for (size_t i = 0; i < model_devices(j->model); i++) {
		struct device *d = model_device(j->model, i);
		const char *hostname = device_text(d, FIELD_HOSTNAME);

		short_name(d->name, key);
		claim(&j->devices, key, d);
		if (hostname) {
			short_name(hostname, key);
			claim(&j->devices, key, d);
		}
	}
	for (size_t i = 0; i < model_ports(j->model); i++) {
		struct port *p = model_port(j->model, i);
		const char *mac = port_text(p, FIELD_MAC);

		if (!mac || !ends_a_cable(p))
			continue;
		lower_text(mac, key);
		claim(&j->macs, key, p);
	}
}

/* -- what ports see -- */

static struct device *named_device(const struct join *j, const char *name)
{
	struct device *d = model_find_device(j->model, name);
	char key[NAME_MAX_BYTES];

	if (d)
		return d;
	short_name(name, key);
	return claimant(j->devices, key);
}

static struct port *named_port(const struct join *j, const struct device *d, const char *name)
{
	struct port *p = model_find_port(j->model, d->name, name);

	for (size_t i = 0; !p && i < d->n_ports; i++)
		if (same_port_name(d->ports[i]->name, name))
			p = d->ports[i];
	for (size_t i = 0; !p && i < d->n_ports; i++) {
		const char *alias = port_text(d->ports[i], FIELD_ALIAS);

		if (alias && strcmp(alias, name) == 0)
			p = d->ports[i];
	}
	return p;
}

static struct port *port_of_mac(const struct join *j, const struct port *p, enum field f)
{
	const char *mac = port_text(p, f);
	char key[NAME_MAX_BYTES];
	struct port *far;

	if (!mac)
		return NULL;
	lower_text(mac, key);
	far = claimant(j->macs, key);
	return far != p ? far : NULL;
}

/* The chassis goes by the MAC of one of its ports: where the port is named, that MAC tells the device only. */
static struct port *port_of_chassis(const struct join *j, const struct port *p, const char *port)
{
	struct port *far = port_of_mac(j, p, FIELD_PEER_CHASSIS);

	if (far && port)
		far = named_port(j, far->device, port);
	return far != p ? far : NULL;
}

static const char *peer_words(struct links *links, const char *name, const char *port)
{
	char text[160];
	int n = snprintf(text, sizeof(text), "%s%s%s", name, port ? " " : "", port ? port : "");

	return arena_text(&links->arena, text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}

static void look(struct join *j, struct port *p)
{
	struct sight *s = &j->sights[p->id];
	const char *name = port_text(p, FIELD_PEER_NAME), *port = port_text(p, FIELD_PEER_PORT);
	const char *mac = port_text(p, FIELD_PEER_MAC);
	struct device *d = name ? named_device(j, name) : NULL;

	s->device = d;
	if (d && port)
		s->far = named_port(j, d, port);
	if (s->far == p)
		s->far = NULL;
	s->by_name = s->far != NULL;
	if (!s->far)
		s->far = port_of_mac(j, p, FIELD_PEER_MAC);
	if (!s->far)
		s->far = port_of_chassis(j, p, port);
	if (s->far)
		s->text = peer_words(j->links, s->far->device->name, s->far->name);
	else if (name || mac)
		s->text = peer_words(j->links, d ? d->name : name ? name : mac, name ? port : NULL);
}

static struct port *plan_port(const struct join *j, const char *device, const char *port)
{
	struct device *d = named_device(j, device);

	return d ? named_port(j, d, port) : NULL;
}

static void plan_end(struct join *j, struct port *p, struct port *far, const char *peer, const char *peer_port)
{
	if (!p)
		return;
	j->sights[p->id].planned = peer_words(j->links, peer, peer_port);
	j->sights[p->id].planned_far = far;
}

static void read_plan(struct join *j)
{
	for (size_t i = 0; j->inv && i < j->inv->n_cables; i++) {
		const struct cable *c = &j->inv->cables[i];
		struct planned *planned;

		if (!c->device || !c->port || !c->peer || !c->peer_port)
			continue;
		planned = GROW(j->links->planned, j->links->n_planned, j->links->cap_planned);
		j->links->n_planned++;
		*planned = (struct planned){ c, plan_port(j, c->device, c->port), plan_port(j, c->peer, c->peer_port) };
		plan_end(j, planned->a, planned->b, c->peer, c->peer_port);
		plan_end(j, planned->b, planned->a, c->device, c->port);
	}
}

/* -- joining -- */

/* NULL: not identified. */
static const char *platform_of(const struct device *d)
{
	const char *platform = device_text(d, FIELD_PLATFORM);

	return platform && *platform && strncmp(platform, "unknown", 7) != 0 ? platform : NULL;
}

bool device_is_switch(const struct device *d, const struct inventory *inv)
{
	const char *platform = platform_of(d);
	const struct host *h = platform || !inv ? NULL : inventory_find(inv, d->name);

	if (h && h->kind)
		return strcmp(h->kind, "switch") == 0;
	platform = h ? h->platform : platform;
	return platform && strcmp(platform, "linux") != 0;
}

bool device_is_identified(const struct device *d, const struct inventory *inv)
{
	const struct host *h = inv ? inventory_find(inv, d->name) : NULL;

	return platform_of(d) || (h && (h->kind || h->platform));
}

bool link_is_iwarp(const struct port *p)
{
	const struct cell *c = port_cell(p, FIELD_RDMA_IWARP, 0);

	return c && c->value.is == VALUE_KNOWN && c->value.n;
}

/* RDMA that may be RoCE. */
static bool has_rdma(const struct join *j, const struct port *p)
{
	const char *bond = port_text(p, FIELD_BOND);
	const struct port *master = bond ? model_find_port(j->model, p->device->name, bond) : NULL;

	return (port_text(p, FIELD_RDMA) && !link_is_iwarp(p)) || (master && port_text(master, FIELD_RDMA) && !link_is_iwarp(master));
}

/* Carries RoCE, as far as can be told; a planned cable of a host that was not read is taken to. */
static bool carries_roce(const struct join *j, const struct link *l)
{
	bool a_is_switch = device_is_switch(l->a->device, j->inv);

	if (!a_is_switch)
		return has_rdma(j, l->a);
	if (l->b)
		return device_is_switch(l->b->device, j->inv) || has_rdma(j, l->b);
	return l->by == BY_PLAN;
}

/* -- soft RDMA -- */

/* What a port is does not become unknown with the age of the answer that told it. */
static bool last_number(const struct port *p, enum field f, uint64_t *n)
{
	const struct cell *c = port_cell(p, f, 0);

	if (!c || c->value.is != VALUE_KNOWN)
		return false;
	*n = c->value.n;
	return true;
}

static bool is_soft(const struct port *p, bool *is_known)
{
	uint64_t soft = 0;

	*is_known = last_number(p, FIELD_RDMA_SOFT, &soft);
	return *is_known && soft;
}

/* RoCE's. (Of siw, which has no netdev of its own, it is not told that it is soft.) */
static bool is_hardware(const struct port *p)
{
	const struct cell *rdma = port_cell(p, FIELD_RDMA, 0);
	bool is_known;

	return !link_is_iwarp(p) && !is_soft(p, &is_known) && (is_known || (rdma && rdma->value.is == VALUE_KNOWN));
}

/* No hardware RDMA of its host is as slow; false where a speed is not known. */
static bool is_slower(const struct port *p)
{
	uint64_t mine, its;

	if (!last_number(p, FIELD_SPEED, &mine))
		return false;
	for (size_t i = 0; i < p->device->n_ports; i++) {
		const struct port *q = p->device->ports[i];

		if (is_hardware(q) && (!last_number(q, FIELD_SPEED, &its) || its <= mine))
			return false;
	}
	return true;
}

/* Both links end at one device, by its name where it is not read. */
static bool end_at_one(const struct link *l, const struct link *other)
{
	size_t n;

	if (l->b || other->b)
		return l->b && other->b && l->b->device == other->b->device;
	if (!l->seen_peer || !other->seen_peer)
		return false;
	n = strcspn(l->seen_peer, " ");
	return n == strcspn(other->seen_peer, " ") && strncmp(l->seen_peer, other->seen_peer, n) == 0;
}

static bool hardware_faces_the_same(const struct links *links, const struct link *l)
{
	for (size_t i = 0; i < links->n; i++)
		if (is_hardware(links->list[i].a) && end_at_one(l, &links->list[i]))
			return true;
	return false;
}

bool link_is_soft_beside(const struct links *links, const struct port *p)
{
	const char *management = device_text(p->device, FIELD_MANAGEMENT);
	const struct link *l = links_of_port(links, p);
	bool is_known, has_hardware = false, has_others = false;

	if (!is_soft(p, &is_known))
		return false;
	for (size_t i = 0; i < p->device->n_ports; i++) {
		const struct port *q = p->device->ports[i];
		const struct cell *role = port_cell(q, FIELD_ROLE, 0);

		if (q == p)
			continue;
		has_hardware |= is_hardware(q);
		has_others |= role && role->value.is == VALUE_KNOWN && (role->value.n == ROLE_PF || role->value.n == ROLE_MEMBER);
	}
	if (management && strcmp(management, p->name) == 0)
		return has_hardware || has_others;
	return has_hardware && (!l || (is_slower(p) && !hardware_faces_the_same(links, l)));
}

/* -- joining ports -- */

/* Whether p goes to the left of q in "p - q". */
static bool comes_first(const struct join *j, const struct port *p, const struct port *q)
{
	bool p_switch = device_is_switch(p->device, j->inv), q_switch = device_is_switch(q->device, j->inv);
	int order = natural_cmp(p->device->name, q->device->name);

	if (p_switch != q_switch)
		return q_switch;
	return order ? order < 0 : natural_cmp(p->name, q->name) <= 0;
}

static bool plan_agrees(const struct sight *s, const struct port *far)
{
	if (!s->planned)
		return true;
	return s->planned_far ? s->planned_far == far : !far && s->text && strcasecmp(s->planned, s->text) == 0;
}

static void join_ports(struct join *j, struct port *p, struct port *far, enum link_by by)
{
	struct link *l = GROW(j->links->list, j->links->n, j->links->cap);
	struct port *a = far && comes_first(j, far, p) ? far : p, *b = a == p ? far : p;
	struct sight *s = &j->sights[a->id];
	const char *peer = s->text ? s->text : s->planned;

	j->links->n++;
	*l = (struct link){ .a = a, .b = b, .by = by };
	if (by != BY_PLAN && !plan_agrees(s, b))
		l->planned_peer = s->planned;
	if (by != BY_PLAN && b && !s->planned && !plan_agrees(&j->sights[b->id], a))
		l->planned_peer = j->sights[b->id].planned;
	if (!b || s->far != b)
		l->seen_peer = s->text;
	if (b)
		snprintf(l->name, sizeof(l->name), "%.36s:%.36s - %.36s:%.36s", a->device->name, a->name,
			 b->device->name, b->name);
	else
		snprintf(l->name, sizeof(l->name), "%.36s:%.36s - %.64s", a->device->name, a->name, peer ? peer : "?");
	l->is_fabric = carries_roce(j, l);
	s->is_joined = true;
	if (b)
		j->sights[b->id].is_joined = true;
}

/* -- two ends without LLDP -- */

/* Nobody's LLDP speaks of it. */
static bool is_free(const struct join *j, const struct port *p)
{
	return !j->sights[p->id].is_joined && !j->sights[p->id].text;
}

/* The one port of a host whose MAC stands in this list; NULL: none of ours, several, or more MACs than were told. */
static struct port *only_known(const struct join *j, const struct port *p, const char *macs)
{
	struct span rest = span_of(macs), word;
	struct port *only = NULL;
	char mac[NAME_MAX_BYTES];

	while (span_word(&rest, &word)) {
		struct port *known;

		if (word.n >= sizeof(mac) || span_is(word, "+"))
			return NULL;
		memcpy(mac, word.p, word.n);
		mac[word.n] = '\0';
		known = claimant(j->macs, mac);
		if (!known || known == only || known->device == p->device)
			continue;
		if (only)
			return NULL;
		only = known;
	}
	return only && !device_is_switch(only->device, j->inv) ? only : NULL;
}

/* A switch port at which the MAC of one NIC of ours was learned, and of no other; a NIC learned at two ports is at neither. */
static void join_by_fdb(struct join *j)
{
	size_t n = model_ports(j->model);
	struct port **at = xcalloc(n + 1, sizeof(*at));
	bool *is_twice = xcalloc(n + 1, sizeof(*is_twice));

	for (size_t i = 0; i < n; i++) {
		struct port *p = model_port(j->model, i), *nic;
		const char *macs = port_text(p, FIELD_FDB);

		nic = macs && is_free(j, p) ? only_known(j, p, macs) : NULL;
		if (!nic || !is_free(j, nic))
			continue;
		is_twice[nic->id] = at[nic->id] != NULL;
		at[nic->id] = p;
	}
	for (size_t i = 0; i < n; i++)
		if (at[i] && !is_twice[i])
			join_ports(j, model_port(j->model, i), at[i], BY_FDB);
	free(at);
	free(is_twice);
}

/* Not the interface that our session comes in by; where that is not told, none is known not to be. */
static bool may_be_fabric(const struct port *p)
{
	const char *management = device_text(p->device, FIELD_MANAGEMENT);

	return management && strcmp(management, p->name) != 0;
}

/* The only port of ours that this host's port has heard, or that has heard it. */
static struct port *heard_alone(const struct join *j, struct port *p)
{
	const char *macs = port_text(p, FIELD_NEIGHBORS);
	struct port *only = macs ? only_known(j, p, macs) : NULL;

	if (macs && !only)
		return NULL;
	for (size_t i = 0; i < model_ports(j->model); i++) {
		struct port *q = model_port(j->model, i);
		const char *theirs = q->device != p->device ? port_text(q, FIELD_NEIGHBORS) : NULL;

		if (!theirs || only_known(j, q, theirs) != p)
			continue;
		if (only && only != q)
			return NULL;
		only = q;
	}
	return only;
}

static bool takes_part(const struct join *j, const struct port *p)
{
	return is_free(j, p) && !device_is_switch(p->device, j->inv) && ends_a_cable(p) && may_be_fabric(p);
}

/* Pairs that have heard each other and nobody else of ours. Who is third on a segment makes it no pair. */
static void join_by_segment(struct join *j)
{
	for (size_t i = 0; i < model_ports(j->model); i++) {
		struct port *p = model_port(j->model, i), *q = takes_part(j, p) ? heard_alone(j, p) : NULL;
		struct link *l;

		if (!q || !takes_part(j, q) || heard_alone(j, q) != p)
			continue;
		join_ports(j, comes_first(j, q, p) ? q : p, NULL, BY_SEGMENT);
		l = &j->links->list[j->links->n - 1];
		l->beside = l->a == p ? q : p;
		j->sights[l->beside->id].is_joined = true;
		snprintf(l->name, sizeof(l->name), "%.36s:%.36s - %.36s:%.36s", l->a->device->name, l->a->name,
			 l->beside->device->name, l->beside->name);
	}
}

/* It sees nobody, or p's device by a port that this does not go by as far as it was read: an alias. */
static bool may_see(const struct join *j, const struct port *far, const struct port *p)
{
	const struct sight *s = &j->sights[far->id];

	return !s->is_joined && (!s->text || (!s->far && s->device == p->device));
}

/* Those who see each other first, then those seen by one, then the plan; what is left sees somebody unknown. */
static void join_all(struct join *j)
{
	size_t n = model_ports(j->model);

	for (size_t i = 0; i < n; i++) {
		struct sight *s = &j->sights[i];

		if (!s->is_joined && s->far && j->sights[s->far->id].far == model_port(j->model, i))
			join_ports(j, model_port(j->model, i), s->far, BY_LLDP_BOTH);
	}
	for (size_t i = 0; i < n; i++) {
		struct sight *s = &j->sights[i];

		if (!s->is_joined && s->far && may_see(j, s->far, model_port(j->model, i)))
			join_ports(j, model_port(j->model, i), s->far, s->by_name ? BY_LLDP_ONE : BY_MAC);
	}
	join_by_fdb(j);
	for (size_t i = 0; i < n; i++) {
		struct sight *s = &j->sights[i];
		struct port *far = s->planned_far;

		if (s->is_joined || s->text || !s->planned)
			continue;
		if (far && (j->sights[far->id].is_joined || j->sights[far->id].text))
			continue;	/* the far end sees another: that says more than the plan */
		join_ports(j, model_port(j->model, i), far, BY_PLAN);
	}
	for (size_t i = 0; i < n; i++)
		if (!j->sights[i].is_joined && j->sights[i].text)
			join_ports(j, model_port(j->model, i), NULL, BY_NOTHING);
	join_by_segment(j);
}

/* -- order -- */

struct place {
	struct link link;
	bool is_host;
	size_t row;		/* of the device in the inventory, those it does not name last */
};

static int place_cmp(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order;

	if (a->is_host != b->is_host)
		return a->is_host ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	order = natural_cmp(a->link.a->device->name, b->link.a->device->name);
	return order ? order : natural_cmp(a->link.a->name, b->link.a->name);
}

static void sort_links(struct join *j)
{
	struct links *links = j->links;
	struct place *places = xcalloc(links->n + 1, sizeof(*places));

	for (size_t i = 0; i < links->n; i++) {
		const struct device *d = links->list[i].a->device;
		const struct host *h = j->inv ? inventory_find(j->inv, d->name) : NULL;

		places[i].link = links->list[i];
		places[i].is_host = !device_is_switch(d, j->inv);
		places[i].row = h ? (size_t)(h - j->inv->hosts) : SIZE_MAX;
	}
	qsort(places, links->n, sizeof(*places), place_cmp);
	for (size_t i = 0; i < links->n; i++)
		links->list[i] = places[i].link;
	free(places);
}

/* -- what became of the plan -- */

static void settle_cable(const struct links *links, struct planned *c)
{
	const struct link *a = c->a ? links_of_port(links, c->a) : NULL, *b = c->b ? links_of_port(links, c->b) : NULL;

	c->link = a ? a : b;
	if (!c->link || c->link->by == BY_PLAN)
		c->is = PLANNED_UNSEEN;
	else
		c->is = a == b || ((!a || !b) && !c->link->planned_peer) ? PLANNED_SEEN : PLANNED_ELSEWHERE;
}

/* Two cables were put each into the other's port: this one's planned port sees one that is planned for this one's. */
static void find_swap(const struct join *j, struct link *l)
{
	const struct port *port = l->planned_peer && l->b ? j->sights[l->a->id].planned_far : NULL, *far;
	const struct link *other = port ? links_of_port(j->links, port) : NULL;

	if (!other || other == l || other->by == BY_PLAN)
		return;
	far = link_far(other, port);
	if (far && j->sights[far->id].planned_far == l->b)
		l->swapped = other;
}

static void settle_plan(struct join *j)
{
	for (size_t i = 0; i < j->links->n_planned; i++)
		settle_cable(j->links, &j->links->planned[i]);
	for (size_t i = 0; i < j->links->n; i++)
		find_swap(j, &j->links->list[i]);
}

static bool is_current(const struct links *links, const struct model *m, const struct inventory *inv)
{
	return links->of_port && links->model == m && links->serial == model_config_serial(m) &&
	       links->n_ports == model_ports(m) && links->n_hosts == (inv ? inv->n_hosts : 0) &&
	       links->n_cables == (inv ? inv->n_cables : 0);
}

static void start_over(struct links *links, const struct model *m, const struct inventory *inv)
{
	links->n = links->n_planned = 0;
	arena_clear(&links->arena);
	links->model = m;
	links->serial = model_config_serial(m);
	links->n_ports = model_ports(m);
	links->n_hosts = inv ? inv->n_hosts : 0;
	links->n_cables = inv ? inv->n_cables : 0;
	free(links->of_port);
	links->of_port = xcalloc(links->n_ports + 1, sizeof(*links->of_port));
}

void links_update(struct links *links, const struct model *m, const struct inventory *inv)
{
	struct join j = { .links = links, .model = m, .inv = inv };

	if (is_current(links, m, inv))
		return;
	start_over(links, m, inv);
	j.sights = xcalloc(links->n_ports + 1, sizeof(*j.sights));
	claim_names(&j);
	for (size_t i = 0; i < links->n_ports; i++)
		look(&j, model_port(m, i));
	read_plan(&j);
	join_all(&j);
	sort_links(&j);
	for (size_t i = 0; i < links->n; i++) {
		links->of_port[links->list[i].a->id] = &links->list[i];
		if (links->list[i].b)
			links->of_port[links->list[i].b->id] = &links->list[i];
		if (links->list[i].beside)
			links->of_port[links->list[i].beside->id] = &links->list[i];
	}
	for (size_t i = 0; i < links->n; i++)
		if (links->list[i].is_fabric && link_is_soft_beside(links, links->list[i].a))
			links->list[i].is_fabric = false;
	settle_plan(&j);
	free(j.sights);
	claims_done(&j.devices);
	claims_done(&j.macs);
}

void links_done(struct links *links)
{
	free(links->list);
	free(links->of_port);
	free(links->planned);
	arena_done(&links->arena);
	*links = (struct links){ 0 };
}

const struct link *links_of_port(const struct links *links, const struct port *p)
{
	return links->of_port && p->id < links->n_ports ? links->of_port[p->id] : NULL;
}

struct port *link_far(const struct link *link, const struct port *p)
{
	return link->a == p ? link->b : link->b == p ? link->a : NULL;
}

struct port *link_other(const struct link *link, const struct port *p)
{
	if (link->beside)
		return link->a == p ? link->beside : link->beside == p ? link->a : NULL;
	return link_far(link, p);
}
