#include "core/inventory.h"

#include <ctype.h>
#include <stdlib.h>

#include <yaml.h>

#define HOSTS_MAX	65536
#define DEPTH_MAX	16	/* groups within groups */
#define NODES_MAX	4000000	/* visits of a document: aliases can make a small file endless */

void inventory_init(struct inventory *inv)
{
	*inv = (struct inventory){ 0 };
}

void inventory_done(struct inventory *inv)
{
	for (size_t i = 0; i < inv->n_hosts; i++)
		free(inv->hosts[i].groups);
	free(inv->hosts);
	free(inv->cables);
	routes_done(&inv->routes);
	arena_done(&inv->arena);
	*inv = (struct inventory){ 0 };
}

static struct host *find_host(const struct inventory *inv, const char *name)
{
	for (size_t i = 0; i < inv->n_hosts; i++)
		if (strcmp(inv->hosts[i].name, name) == 0)
			return &inv->hosts[i];
	return NULL;
}

const struct host *inventory_find(const struct inventory *inv, const char *name)
{
	return find_host(inv, name);
}

/* Names go into file names, facts and screens: letters, digits, and . _ - after the first. */
static bool name_ok(const char *name, const char *also, size_t most)
{
	size_t n = strlen(name);

	if (n == 0 || n > most || !isalnum((unsigned char)*name))
		return false;
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr(also, *c))
			return false;
	return true;
}

#define NAME_ALSO	"._-"
#define ADDRESS_ALSO	"._-:%"
#define PORT_ALSO	"._-/:@"

static struct host *add_host(struct inventory *inv, const char *name)
{
	struct host *h = find_host(inv, name);

	if (h)
		return h;
	h = GROW(inv->hosts, inv->n_hosts, inv->cap_hosts);
	h->name = arena_text(&inv->arena, name, strlen(name));
	inv->n_hosts++;
	return h;
}

static void join_group(struct inventory *inv, struct host *h, const char *group)
{
	const char *name;

	if (strcmp(group, "all") == 0 || strcmp(group, "ungrouped") == 0)
		return;
	for (size_t i = 0; i < h->n_groups; i++)
		if (strcmp(h->groups[i], group) == 0)
			return;
	name = arena_text(&inv->arena, group, strlen(group));
	*GROW(h->groups, h->n_groups, h->cap_groups) = name;
	h->n_groups++;
	if (strncmp(group, "rack", 4) == 0 && !h->rack)
		h->rack = name;
	if (strncmp(group, "rail", 4) == 0 && !h->rail)
		h->rail = name;
}

/* The document being read, and where a complaint is about. */
struct reading {
	struct inventory *inv;
	yaml_document_t *doc;
	const char *file;
	struct err *err;
	size_t visits;
};

static bool complain(struct reading *r, const yaml_node_t *node, const char *what, const char *value)
{
	size_t line = node ? node->start_mark.line + 1 : 1;

	if (!value || !*value)
		return err_set(r->err, "%s:%zu: %s", r->file, line, what);
	return err_set(r->err, "%s:%zu: %s: %.80s", r->file, line, what, value);
}

static const char *scalar(const yaml_node_t *node)
{
	return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static yaml_node_t *map_get(struct reading *r, yaml_node_t *map, const char *key)
{
	if (!map || map->type != YAML_MAPPING_NODE)
		return NULL;
	for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
		const char *name = scalar(yaml_document_get_node(r->doc, p->key));

		if (name && strcmp(name, key) == 0)
			return yaml_document_get_node(r->doc, p->value);
	}
	return NULL;
}

/* Variables */

enum take { TAKE_TEXT, TAKE_ADDRESS, TAKE_NAME, TAKE_PORT, TAKE_NETWORK_OS, TAKE_SSH_ARGS };

static const struct variable {
	const char *name;
	enum take take;
	size_t at;		/* in struct host */
} variables[] = {
	{ "ansible_host",			TAKE_ADDRESS,	 offsetof(struct host, address) },
	{ "ansible_port",			TAKE_PORT,	 offsetof(struct host, port) },
	{ "ansible_user",			TAKE_NAME,	 offsetof(struct host, user) },
	{ "ansible_ssh_user",			TAKE_NAME,	 offsetof(struct host, user) },
	{ "ansible_ssh_private_key_file",	TAKE_TEXT,	 offsetof(struct host, identity) },
	{ "ansible_network_os",			TAKE_NETWORK_OS, offsetof(struct host, platform) },
	{ "ansible_ssh_common_args",		TAKE_SSH_ARGS,	 offsetof(struct host, jump) },
	{ "fabcon_platform",			TAKE_NAME,	 offsetof(struct host, platform) },
	{ "fabcon_kind",			TAKE_NAME,	 offsetof(struct host, kind) },
	{ "fabcon_rack",			TAKE_NAME,	 offsetof(struct host, rack) },
	{ "fabcon_rail",			TAKE_NAME,	 offsetof(struct host, rail) },
	{ "fabcon_jump",			TAKE_ADDRESS,	 offsetof(struct host, jump) },
};

/* "dellemc.os10.os10" is os10; "sonic.sonic" is sonic; what we do not know is no hint. */
static const char *network_os(const char *value)
{
	static const char *const known[] = { "os10", "sonic", "os9", "os6", "eos", "nxos", "junos", "onyx", "cumulus" };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strstr(value, known[i]))
			return strstr(value, "enterprise_sonic") ? "enterprise-sonic" : known[i];
	return NULL;
}

/* The jump host of "-o ProxyJump=bastion" or "-J bastion". Nothing else of the arguments is used. */
static struct span jump_of(const char *args)
{
	struct span rest = span_of(args), word;

	while (span_word(&rest, &word)) {
		while (word.n > 0 && strchr("\"'", *word.p))
			word.p++, word.n--;
		if (span_skip(&word, "-oProxyJump=") || span_skip(&word, "ProxyJump=") ||
		    (span_is(word, "-J") && span_word(&rest, &word))) {
			while (word.n > 0 && strchr("\"'", word.p[word.n - 1]))
				word.n--;
			return word;
		}
	}
	return (struct span){ 0 };
}

static bool set_text(struct reading *r, struct host *h, const struct variable *v, struct span text)
{
	*(const char **)((char *)h + v->at) = text.n ? arena_text(&r->inv->arena, text.p, text.n) : NULL;
	return true;
}

static bool set_variable(struct reading *r, struct host *h, const struct variable *v, const yaml_node_t *node)
{
	const char *value = scalar(node);
	uint64_t port;

	if (!value)
		return complain(r, node, "a plain value is wanted for", v->name);
	switch (v->take) {
	case TAKE_PORT:
		if (!span_u64(span_of(value), &port) || port == 0 || port > 65535)
			return complain(r, node, "not a TCP port", value);
		h->port = (unsigned)port;
		return true;
	case TAKE_ADDRESS:
		if (!name_ok(value, ADDRESS_ALSO "@", 253) && strcmp(value, "::1") != 0)
			return complain(r, node, "not an address (letters, digits, . : - _ are allowed)", value);
		return set_text(r, h, v, span_of(value));
	case TAKE_NAME:
		if (!name_ok(value, NAME_ALSO "@", 63))
			return complain(r, node, "not a name (letters, digits, . - _ are allowed)", value);
		return set_text(r, h, v, span_of(value));
	case TAKE_NETWORK_OS:
		return set_text(r, h, v, network_os(value) ? span_of(network_os(value)) : (struct span){ 0 });
	case TAKE_SSH_ARGS:
		return set_text(r, h, v, jump_of(value));
	case TAKE_TEXT:
		break;
	}
	for (const char *c = value; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return complain(r, node, "a control character in", v->name);
	return set_text(r, h, v, span_of(value));
}

static bool cable_end(struct reading *r, yaml_node_t *row, const char *key, const char *also, const char **out)
{
	yaml_node_t *node = map_get(r, row, key);
	const char *value = scalar(node);

	if (!value || !name_ok(value, also, 63))
		return complain(r, node ? node : row, "a cable is {port: …, peer: …, peer_port: …}; wrong or missing", key);
	*out = arena_text(&r->inv->arena, value, strlen(value));
	return true;
}

static bool read_cables(struct reading *r, const struct host *h, yaml_node_t *list)
{
	if (list->type != YAML_SEQUENCE_NODE)
		return complain(r, list, "fabcon_cables is a list", "");
	for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++) {
		yaml_node_t *row = yaml_document_get_node(r->doc, *i);
		struct cable c = { .device = h->name };

		if (!cable_end(r, row, "port", PORT_ALSO, &c.port) || !cable_end(r, row, "peer", NAME_ALSO, &c.peer) ||
		    !cable_end(r, row, "peer_port", PORT_ALSO, &c.peer_port))
			return false;
		*GROW(r->inv->cables, r->inv->n_cables, r->inv->cap_cables) = c;
		r->inv->n_cables++;
	}
	return true;
}

bool inventory_add_cable(struct inventory *inv, const char *const ends[4], struct err *err)
{
	const char *kept[4];

	for (size_t i = 0; i < 4; i++) {
		if (!name_ok(ends[i], i % 2 ? PORT_ALSO : NAME_ALSO, 63))
			return err_set(err, "not a name of a %s: %.80s", i % 2 ? "port" : "device", ends[i]);
		kept[i] = arena_text(&inv->arena, ends[i], strlen(ends[i]));
	}
	*GROW(inv->cables, inv->n_cables, inv->cap_cables) = (struct cable){ kept[0], kept[1], kept[2], kept[3] };
	inv->n_cables++;
	return true;
}

static void read_fabric_vars(struct reading *r, yaml_node_t *vars)
{
	const char *fabric = scalar(map_get(r, vars, "fabcon_fabric"));
	const char *known = scalar(map_get(r, vars, "fabcon_known_hosts")), *plan = scalar(map_get(r, vars, "fabcon_plan"));

	if (fabric && name_ok(fabric, NAME_ALSO, 63))
		r->inv->fabric = arena_text(&r->inv->arena, fabric, strlen(fabric));
	if (plan)
		r->inv->plan = arena_text(&r->inv->arena, plan, strlen(plan));
	if (known)
		r->inv->known_hosts = arena_text(&r->inv->arena, known, strlen(known));
}

/* cables: only where a host's own variables are read, so that none is counted twice. */
static bool apply_vars(struct reading *r, struct host *h, yaml_node_t *vars, bool cables)
{
	yaml_node_t *node;

	if (!vars || vars->type != YAML_MAPPING_NODE)
		return true;
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		node = map_get(r, vars, variables[i].name);
		if (node && !set_variable(r, h, &variables[i], node))
			return false;
	}
	node = cables ? map_get(r, vars, "fabcon_cables") : NULL;
	return !node || read_cables(r, h, node);
}

/* Hosts */

struct expand_hosts {
	struct reading *r;
	const char *group;
	yaml_node_t *key, *vars;
	bool own_vars, ok;
};

static void one_host(void *ctx, const char *name)
{
	struct expand_hosts *e = ctx;
	struct inventory *inv = e->r->inv;
	struct host *h;

	if (!e->ok)
		return;
	if (!name_ok(name, NAME_ALSO, 63)) {
		e->ok = complain(e->r, e->key, "not a host name (letters, digits, . - _ are allowed)", name);
		return;
	}
	if (inv->n_hosts >= HOSTS_MAX) {
		e->ok = complain(e->r, e->key, "too many hosts", name);
		return;
	}
	h = add_host(inv, name);
	join_group(inv, h, e->group);
	e->ok = apply_vars(e->r, h, e->vars, e->own_vars);
}

/* A key of "hosts:" stands for one host or a range of them. */
static bool hosts_of_key(struct reading *r, const char *group, yaml_node_t *key, yaml_node_t *vars, bool own_vars)
{
	struct expand_hosts e = { r, group, key, vars, own_vars, true };
	const char *name = scalar(key);
	struct err why;

	if (!name)
		return complain(r, key, "a host's name is wanted", "");
	if (!range_expand(name, one_host, &e, &why))
		return e.ok ? complain(r, key, why.text, "") : false;
	return e.ok;
}

/* Every host of a "hosts:" node, a mapping (YAML) or a list (ansible-inventory --list). */
static bool each_host(struct reading *r, const char *group, yaml_node_t *hosts, yaml_node_t *vars)
{
	if (!hosts)
		return true;
	if (hosts->type == YAML_SEQUENCE_NODE) {
		for (yaml_node_item_t *i = hosts->data.sequence.items.start; i < hosts->data.sequence.items.top; i++)
			if (!hosts_of_key(r, group, yaml_document_get_node(r->doc, *i), vars, false))
				return false;
		return true;
	}
	if (hosts->type != YAML_MAPPING_NODE)
		return scalar(hosts) && !*scalar(hosts) ? true : complain(r, hosts, "hosts: is a mapping or a list", "");
	for (yaml_node_pair_t *p = hosts->data.mapping.pairs.start; p < hosts->data.mapping.pairs.top; p++) {
		yaml_node_t *own = yaml_document_get_node(r->doc, p->value);

		if (!hosts_of_key(r, group, yaml_document_get_node(r->doc, p->key), vars ? vars : own, !vars))
			return false;
	}
	return true;
}

static bool vars_below(struct reading *r, const char *name, yaml_node_t *group, yaml_node_t *vars, unsigned depth);

/*
 * Does what of every child group: children are a mapping (name: group) in YAML, and names of top-level groups in
 * ansible-inventory --list.
 */
static bool each_child(struct reading *r, yaml_node_t *group, yaml_node_t *vars, unsigned depth,
		       bool (*what)(struct reading *, const char *, yaml_node_t *, yaml_node_t *, unsigned))
{
	yaml_node_t *children = map_get(r, group, "children"), *root = yaml_document_get_root_node(r->doc);

	if (!children || depth > DEPTH_MAX)
		return true;
	if (children->type == YAML_SEQUENCE_NODE) {
		for (yaml_node_item_t *i = children->data.sequence.items.start; i < children->data.sequence.items.top; i++) {
			const char *name = scalar(yaml_document_get_node(r->doc, *i));

			if (name && !what(r, name, map_get(r, root, name), vars, depth + 1))
				return false;
		}
	} else if (children->type == YAML_MAPPING_NODE) {
		for (yaml_node_pair_t *p = children->data.mapping.pairs.start; p < children->data.mapping.pairs.top; p++) {
			const char *name = scalar(yaml_document_get_node(r->doc, p->key));

			if (name && !what(r, name, yaml_document_get_node(r->doc, p->value), vars, depth + 1))
				return false;
		}
	}
	return true;
}

/* The variables of a group, to every host in it and in the groups below. */
static bool vars_below(struct reading *r, const char *name, yaml_node_t *group, yaml_node_t *vars, unsigned depth)
{
	if (++r->visits > NODES_MAX)
		return complain(r, group, "the groups are nested without end", name);
	if (!group || group->type != YAML_MAPPING_NODE)
		return true;
	return each_host(r, name, map_get(r, group, "hosts"), vars) && each_child(r, group, vars, depth, vars_below);
}

static yaml_node_t no_vars = { .type = YAML_SCALAR_NODE };

/* Groups from the outside in, so that the variables of an inner group win over those of an outer one. */
static bool read_group(struct reading *r, const char *name, yaml_node_t *group, yaml_node_t *unused, unsigned depth)
{
	yaml_node_t *vars = map_get(r, group, "vars");

	(void)unused;
	if (++r->visits > NODES_MAX)
		return complain(r, group, "the groups are nested without end", name);
	if (!group || group->type != YAML_MAPPING_NODE)
		return true;
	read_fabric_vars(r, vars);
	return vars_below(r, name, group, vars ? vars : &no_vars, depth) && each_child(r, group, NULL, depth, read_group);
}

/* A host's own variables, which win over every group's. */
static bool own_vars(struct reading *r, const char *name, yaml_node_t *group, yaml_node_t *unused, unsigned depth)
{
	(void)unused;
	if (++r->visits > NODES_MAX)
		return complain(r, group, "the groups are nested without end", name);
	if (!group || group->type != YAML_MAPPING_NODE)
		return true;
	return each_host(r, name, map_get(r, group, "hosts"), NULL) && each_child(r, group, NULL, depth, own_vars);
}

static bool each_top(struct reading *r, yaml_node_t *root,
		     bool (*what)(struct reading *, const char *, yaml_node_t *, yaml_node_t *, unsigned))
{
	for (yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; p++) {
		const char *name = scalar(yaml_document_get_node(r->doc, p->key));

		if (name && strcmp(name, "_meta") != 0 &&
		    !what(r, name, yaml_document_get_node(r->doc, p->value), NULL, 0))
			return false;
	}
	return true;
}

/* ansible-inventory --list: every host's variables, already merged. */
static bool read_hostvars(struct reading *r, yaml_node_t *root)
{
	yaml_node_t *hostvars = map_get(r, map_get(r, root, "_meta"), "hostvars");

	if (!hostvars || hostvars->type != YAML_MAPPING_NODE)
		return true;
	for (yaml_node_pair_t *p = hostvars->data.mapping.pairs.start; p < hostvars->data.mapping.pairs.top; p++) {
		yaml_node_t *vars = yaml_document_get_node(r->doc, p->value);

		read_fabric_vars(r, vars);
		if (!hosts_of_key(r, "all", yaml_document_get_node(r->doc, p->key), vars, true))
			return false;
	}
	return true;
}

static bool read_document(struct reading *r)
{
	yaml_node_t *root = yaml_document_get_root_node(r->doc);

	if (!root || root->type != YAML_MAPPING_NODE)
		return complain(r, root, "an inventory is a mapping of groups (all: hosts: …)", "");
	return each_top(r, root, read_group) && each_top(r, root, own_vars) && read_hostvars(r, root) &&
	       (r->inv->n_hosts > 0 || complain(r, root, "no hosts in it", ""));
}

/* The file's name without folder and ending. */
static const char *stem_of(struct inventory *inv, const char *file)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');

	return arena_text(&inv->arena, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

bool inventory_read(struct inventory *inv, struct span text, const char *name, struct err *err)
{
	struct reading r = { .inv = inv, .file = name, .err = err };
	yaml_parser_t parser;
	yaml_document_t doc;
	bool ok;

	if (!yaml_parser_initialize(&parser))
		return err_set(err, "%s: out of memory", name);
	yaml_parser_set_input_string(&parser, (const unsigned char *)(text.p ? text.p : ""), text.n);
	if (!yaml_parser_load(&parser, &doc)) {
		ok = err_set(err, "%s:%zu: %s", name, parser.problem_mark.line + 1,
			     parser.problem ? parser.problem : "not YAML or JSON");
	} else {
		r.doc = &doc;
		ok = read_document(&r);
		yaml_document_delete(&doc);
	}
	yaml_parser_delete(&parser);
	if (ok && !inv->fabric)
		inv->fabric = stem_of(inv, name);
	return ok;
}

bool inventory_add_range(struct inventory *inv, const char *range, struct err *err)
{
	struct reading r = { .inv = inv, .file = range, .err = err };
	struct expand_hosts e = { .r = &r, .group = "all", .ok = true };

	if (!range_expand(range, one_host, &e, err) || !e.ok)
		return false;
	if (!inv->fabric) {
		inv->fabric = arena_text(&inv->arena, range, strlen(range));
		inv->is_range = true;
	}
	return true;
}
