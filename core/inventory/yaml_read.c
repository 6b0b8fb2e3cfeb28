/*
 * Inventories in YAML, and so in JSON: Ansible's own, what inventory scripts and `ansible-inventory --list` print, the files
 * of group_vars/ and host_vars/, and `kubectl get nodes -o json`.
 */
#include "core/inventory/draft.h"

#include <stdlib.h>

#include <yaml.h>

#define DEPTH_MAX	16	/* groups within groups, mappings merged into mappings */
#define NODES_MAX	4000000	/* visits of a document: aliases can make a small file endless */

/* The document being read, and where a complaint is about. */
struct reading {
	struct draft *d;
	yaml_document_t *doc;
	const char *file;
	struct err *err;
	size_t visits;
};

/* A mapping as PyYAML makes one of it: "<<" merged in, and of a key that is there twice the last. */
struct pair {
	UT_hash_handle hh;
	const char *name;
	yaml_node_t *key, *value;
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

static bool is_plain(const yaml_node_t *node)
{
	return node && node->type == YAML_SCALAR_NODE && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static bool is_empty(const yaml_node_t *node)
{
	static const char *const words[] = { "", "~", "null", "Null", "NULL" };

	for (size_t i = 0; !node || (is_plain(node) && i < sizeof(words) / sizeof(*words)); i++)
		if (!node || !strcmp(scalar(node), words[i]))
			return true;
	return false;
}

static yaml_node_t *map_get(struct reading *r, yaml_node_t *map, const char *key)
{
	yaml_node_t *found = NULL;

	if (!map || map->type != YAML_MAPPING_NODE)
		return NULL;
	for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
		const char *name = scalar(yaml_document_get_node(r->doc, p->key));

		if (name && strcmp(name, key) == 0)
			found = yaml_document_get_node(r->doc, p->value);
	}
	return found;
}

static void pairs_free(struct pair *pairs)
{
	struct pair *p, *next;

	HASH_ITER(hh, pairs, p, next) {
		HASH_DELETE(hh, pairs, p);
		free(p);
	}
}

static void pair_set(struct pair **pairs, yaml_node_t *key, yaml_node_t *value)
{
	const char *name = scalar(key);
	struct pair *p;

	HASH_FIND_STR(*pairs, name, p);
	if (!p) {
		p = xcalloc(1, sizeof(*p));
		p->name = name;
		HASH_ADD_KEYPTR(hh, *pairs, p->name, strlen(p->name), p);
	}
	p->key = key;
	p->value = value;
}

static bool flatten(struct reading *r, yaml_node_t *map, struct pair **pairs, unsigned depth);

/* "<<: *one" or "<<: [*one, *other]", of which the first wins. */
static bool merge(struct reading *r, yaml_node_t *from, struct pair **pairs, unsigned depth)
{
	if (from && from->type == YAML_MAPPING_NODE)
		return flatten(r, from, pairs, depth + 1);
	if (!from || from->type != YAML_SEQUENCE_NODE)
		return complain(r, from, "<< merges a mapping, or a list of mappings", "");
	for (yaml_node_item_t *i = from->data.sequence.items.top; i > from->data.sequence.items.start; i--) {
		yaml_node_t *one = yaml_document_get_node(r->doc, i[-1]);

		if (!one || one->type != YAML_MAPPING_NODE)
			return complain(r, from, "<< merges a mapping, or a list of mappings", "");
		if (!flatten(r, one, pairs, depth + 1))
			return false;
	}
	return true;
}

/* What is merged comes first, so that the mapping's own keys win. */
static bool flatten(struct reading *r, yaml_node_t *map, struct pair **pairs, unsigned depth)
{
	yaml_node_pair_t *start = map->data.mapping.pairs.start, *top = map->data.mapping.pairs.top;

	if (depth > DEPTH_MAX)
		return complain(r, map, "recursive merge of mappings", "");
	for (int own = 0; own < 2; own++) {
		for (yaml_node_pair_t *p = start; p < top; p++) {
			yaml_node_t *key = yaml_document_get_node(r->doc, p->key), *value = yaml_document_get_node(r->doc, p->value);
			bool is_merge = is_plain(key) && !strcmp(scalar(key), "<<");

			if (++r->visits > NODES_MAX)
				return complain(r, map, "recursive document", "");
			if (!own && is_merge && !merge(r, value, pairs, depth))
				return false;
			if (own && !is_merge && scalar(key))
				pair_set(pairs, key, value);
		}
	}
	return true;
}

/* what is called for each pair; true when there is none. */
static bool each_pair(struct reading *r, yaml_node_t *map, bool (*what)(struct reading *, struct pair *, void *), void *ctx)
{
	struct pair *pairs = NULL;
	bool ok = true;

	if (!map || map->type != YAML_MAPPING_NODE)
		return true;
	ok = flatten(r, map, &pairs, 0);
	for (struct pair *p = pairs; ok && p; p = p->hh.next)
		ok = what(r, p, ctx);
	pairs_free(pairs);
	return ok;
}

/* -- variables -- */

static struct said said_of(struct reading *r, const yaml_node_t *node)
{
	struct said said = { .is = SAID_OTHER, .text = "", .file = r->file };
	const char *tag = node ? (const char *)node->tag : NULL;

	if (!node)
		return said;
	said.line = (unsigned)node->start_mark.line + 1;
	if (map_get(r, (yaml_node_t *)node, "__ansible_vault") || (tag && !strcmp(tag, "!vault")))
		said.is = SAID_VAULT;
	else if (!scalar(node))
		return said;
	else if (!tag || !strcmp(tag, YAML_STR_TAG) || !strcmp(tag, "!unsafe") || !strcmp(tag, "!"))
		said.is = is_plain(node) && (!tag || strcmp(tag, "!unsafe")) ? SAID_PLAIN : SAID_TEXT;
	if (said.is == SAID_TEXT || said.is == SAID_PLAIN)
		said.text = draft_keep(r->d, span_of(scalar(node)));
	return said;
}

static bool cable_end(struct reading *r, yaml_node_t *row, const char *key, const char *also, const char **out)
{
	yaml_node_t *node = map_get(r, row, key);
	const char *value = scalar(node);

	if (!value || !inventory_name_ok(value, also, 63))
		return complain(r, node ? node : row, "a cable is {port: ..., peer: ..., peer_port: ...}; wrong or missing", key);
	*out = value;
	return true;
}

static bool read_cables(struct reading *r, const struct draft_host *h, yaml_node_t *list)
{
	if (!list || list->type != YAML_SEQUENCE_NODE)
		return complain(r, list, "fabcon_cables is a list", "");
	for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++) {
		yaml_node_t *row = yaml_document_get_node(r->doc, *i);
		const char *ends[4] = { h->name };
		struct err why;

		if (!cable_end(r, row, "port", PORT_ALSO, &ends[1]) || !cable_end(r, row, "peer", NAME_ALSO, &ends[2]) ||
		    !cable_end(r, row, "peer_port", PORT_ALSO, &ends[3]))
			return false;
		if (!draft_cable(r->d, ends, &why))
			return complain(r, row, why.text, "");
	}
	return true;
}

/* Whose variables are read: a group's or a host's. */
struct owner {
	struct draft_group *g;
	struct draft_host *h;
	struct said_vars *vars;
};

static bool one_variable(struct reading *r, struct pair *p, void *ctx)
{
	struct owner *o = ctx;

	if (draft_is_secret(r->d, span_of(p->name), r->file, (unsigned)p->key->start_mark.line + 1))
		return true;
	if (o->h && !strcmp(p->name, "fabcon_cables"))
		return read_cables(r, o->h, p->value);
	if (o->g)
		return draft_group_set(r->d, o->g, o->vars, p->name, said_of(r, p->value), r->err);
	draft_set(r->d, o->vars, p->name, said_of(r, p->value));
	return true;
}

static bool read_vars(struct reading *r, struct owner o, yaml_node_t *vars)
{
	return each_pair(r, vars, one_variable, &o);
}

/* -- groups -- */

struct at_group {
	struct draft_group *g;
	yaml_node_t *vars;		/* of the hosts of a key */
	unsigned depth;
};

static bool vars_of_host(void *ctx, struct draft_host *h)
{
	struct at_group *at = ((void **)ctx)[1];

	return read_vars(((void **)ctx)[0], (struct owner){ .h = h, .vars = &h->own }, at->vars);
}

/* A key of "hosts:" stands for one host or a range of them. */
static bool read_host_key(struct reading *r, struct draft_group *g, yaml_node_t *key, yaml_node_t *vars)
{
	struct at_group at = { .g = g, .vars = vars };
	void *ctx[2] = { r, &at };

	if (!scalar(key))
		return complain(r, key, "a host name is required", "");
	if (strchr(scalar(key), ',') && !strchr(scalar(key), '['))
		return complain(r, key, "one host per key: Ansible reads this as one name, including the commas", scalar(key));
	if (!is_empty(vars) && vars->type != YAML_MAPPING_NODE)
		return complain(r, vars, "the variables of a host are a mapping", "");
	return draft_pattern(r->d, span_of(scalar(key)), r->file, (unsigned)key->start_mark.line + 1, g, vars_of_host, ctx, r->err);
}

static bool one_host_pair(struct reading *r, struct pair *p, void *ctx)
{
	return read_host_key(r, ctx, p->key, p->value);
}

/* Every host of a "hosts:" node: a mapping (YAML), a list (of a script), or one name. */
static bool read_hosts(struct reading *r, struct draft_group *g, yaml_node_t *hosts)
{
	if (is_empty(hosts))
		return true;
	if (scalar(hosts))
		return read_host_key(r, g, hosts, NULL);
	if (hosts->type == YAML_MAPPING_NODE)
		return each_pair(r, hosts, one_host_pair, g);
	for (yaml_node_item_t *i = hosts->data.sequence.items.start; i < hosts->data.sequence.items.top; i++) {
		if (++r->visits > NODES_MAX)
			return complain(r, hosts, "recursive document", "");
		if (!read_host_key(r, g, yaml_document_get_node(r->doc, *i), NULL))
			return false;
	}
	return true;
}

static bool read_group(struct reading *r, struct draft_group *g, yaml_node_t *body, unsigned depth);

static struct draft_group *group_of(struct reading *r, yaml_node_t *key)
{
	const char *name = scalar(key);

	if (!name || !*name || HASH_COUNT(r->d->groups) >= GROUPS_MAX)
		return complain(r, key, name && *name ? "too many groups in the inventory" : "a group name is required", ""), NULL;
	return draft_group(r->d, name);
}

static bool one_child(struct reading *r, struct pair *p, void *ctx)
{
	struct at_group *at = ctx;
	struct draft_group *child = group_of(r, p->key);

	if (!child || !read_group(r, child, p->value, at->depth + 1))
		return false;
	if (child == at->g)
		return complain(r, p->key, "a group lists itself as a child", child->name);
	draft_child(at->g, child);
	return true;
}

static bool read_children(struct reading *r, struct draft_group *g, yaml_node_t *children, unsigned depth)
{
	struct at_group at = { .g = g, .depth = depth };

	if (is_empty(children))
		return true;
	if (children->type == YAML_MAPPING_NODE)
		return each_pair(r, children, one_child, &at);
	if (scalar(children)) {
		struct pair one = { .name = scalar(children), .key = children };

		return one_child(r, &one, &at);
	}
	for (yaml_node_item_t *i = children->data.sequence.items.start; i < children->data.sequence.items.top; i++) {
		struct pair one = { .key = yaml_document_get_node(r->doc, *i) };

		if (++r->visits > NODES_MAX || !one_child(r, &one, &at))
			return r->visits <= NODES_MAX ? false : complain(r, children, "recursive document", "");
	}
	return true;
}

struct group_part {
	struct draft_group *g;
	unsigned depth;
};

/* In the document's order, as Ansible does; a key of another name is nothing to it (it warns). */
static bool one_part(struct reading *r, struct pair *p, void *ctx)
{
	struct group_part *part = ctx;

	if (!strcmp(p->name, "vars"))
		return read_vars(r, (struct owner){ .g = part->g, .vars = &part->g->own }, p->value);
	if (!strcmp(p->name, "hosts"))
		return read_hosts(r, part->g, p->value);
	if (!strcmp(p->name, "children"))
		return read_children(r, part->g, p->value, part->depth);
	return true;
}

static bool read_group(struct reading *r, struct draft_group *g, yaml_node_t *body, unsigned depth)
{
	struct group_part part = { g, depth };

	g->is_declared = true;
	if (++r->visits > NODES_MAX || depth > DEPTH_MAX)
		return complain(r, body, "groups are nested too deep", g->name);
	if (body && body->type == YAML_SEQUENCE_NODE)	/* of a script: its hosts */
		return read_hosts(r, g, body);
	return each_pair(r, body, one_part, &part);
}

/* An inventory script's variables of the hosts that its groups name. */
static bool one_hostvars(struct reading *r, struct pair *p, void *ctx)
{
	struct draft_host *h;

	(void)ctx;
	HASH_FIND_STR(r->d->hosts, p->name, h);
	return !h || read_vars(r, (struct owner){ .h = h, .vars = &h->own }, p->value);
}

static bool one_top(struct reading *r, struct pair *p, void *ctx)
{
	struct draft_group *g;

	(void)ctx;
	if (!strcmp(p->name, "_meta"))
		return true;
	g = group_of(r, p->key);
	return g && read_group(r, g, p->value, 0);
}

/* kubectl get nodes -o json */

static bool read_node(struct reading *r, yaml_node_t *item)
{
	yaml_node_t *name = map_get(r, map_get(r, item, "metadata"), "name");
	yaml_node_t *list = map_get(r, map_get(r, item, "status"), "addresses");
	struct draft_host *h;

	if (!scalar(name))
		return complain(r, item, "a node without a name", "");
	h = draft_host(r->d, scalar(name), draft_group(r->d, "ungrouped"), r->file, (unsigned)name->start_mark.line + 1, r->err);
	if (!h)
		return false;
	h->is_word = true;
	draft_set(r->d, &h->own, "fabcon_kind", (struct said){ SAID_TEXT, "host", r->file, h->line });
	if (!list || list->type != YAML_SEQUENCE_NODE)
		return true;
	for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++) {
		yaml_node_t *row = yaml_document_get_node(r->doc, *i), *address = map_get(r, row, "address");
		const char *type = scalar(map_get(r, row, "type"));

		if (!type || strcmp(type, "InternalIP") != 0 || !scalar(address) || draft_get(&h->own, "ansible_host"))
			continue;
		draft_set(r->d, &h->own, "ansible_host", (struct said){ SAID_TEXT, draft_keep(r->d, span_of(scalar(address))), r->file,
									(unsigned)address->start_mark.line + 1 });
	}
	return true;
}

static bool read_kube(struct reading *r, yaml_node_t *root)
{
	yaml_node_t *items = map_get(r, root, "items");
	const char *kind = scalar(map_get(r, root, "kind"));

	if (kind && !strcmp(kind, "Node"))
		return read_node(r, root);
	if (!items || items->type != YAML_SEQUENCE_NODE)
		return complain(r, root, "not a list of nodes (kubectl get nodes -o json); kind is", kind);
	for (yaml_node_item_t *i = items->data.sequence.items.start; i < items->data.sequence.items.top; i++) {
		yaml_node_t *item = yaml_document_get_node(r->doc, *i);

		kind = scalar(map_get(r, item, "kind"));
		if (kind && strcmp(kind, "Node") != 0)
			return complain(r, item, "not a node (kubectl get nodes -o json), but a", kind);
		if (!read_node(r, item))
			return false;
	}
	return true;
}

/* -- documents -- */

static bool read_inventory(struct reading *r, yaml_node_t *root)
{
	const yaml_node_t *plugin = map_get(r, root, "plugin");

	if (!root || root->type != YAML_MAPPING_NODE)
		return complain(r, root, "an inventory is a mapping of groups (all: hosts: ...)", "");
	if (map_get(r, root, "apiVersion") && map_get(r, root, "kind"))
		return read_kube(r, root);
	r->d->is_ansible = true;
	if (scalar(plugin)) {
		r->d->wants_ansible = true;
		return err_set(r->err, "%s:%zu: the inventory plugin %.60s generates the hosts; ansible-inventory runs it: "
			       "fabcon --allow ansible-inventory -i %s", r->file, plugin->start_mark.line + 1, scalar(plugin), r->d->source);
	}
	return each_pair(r, root, one_top, NULL) &&
	       each_pair(r, map_get(r, map_get(r, root, "_meta"), "hostvars"), one_hostvars, NULL);
}

/* The one document of a text, for a function that reads it. */
static bool with_document(struct reading *r, struct span text, bool (*what)(struct reading *, yaml_node_t *, void *), void *ctx)
{
	yaml_document_t doc, more;
	yaml_parser_t parser;
	bool ok;

	if (!yaml_parser_initialize(&parser))
		return err_set(r->err, "%s: out of memory", r->file);
	yaml_parser_set_input_string(&parser, (const unsigned char *)(text.p ? text.p : ""), text.n);
	if (!yaml_parser_load(&parser, &doc)) {
		ok = err_set(r->err, "%s:%zu: %s", r->file, parser.problem_mark.line + 1,
			     parser.problem ? parser.problem : "not YAML or JSON");
	} else {
		r->doc = &doc;
		ok = what(r, yaml_document_get_root_node(&doc), ctx);
		yaml_document_delete(&doc);
		if (ok && yaml_parser_load(&parser, &more)) {
			if (yaml_document_get_root_node(&more))
				ok = err_set(r->err, "%s:%zu: a second YAML document: only one is read", r->file, parser.mark.line + 1);
			yaml_document_delete(&more);
		}
	}
	yaml_parser_delete(&parser);
	return ok;
}

static bool inventory_document(struct reading *r, yaml_node_t *root, void *ctx)
{
	(void)ctx;
	return read_inventory(r, root);
}

bool draft_read_yaml(struct draft *d, struct span text, const char *file, struct err *err)
{
	struct reading r = { .d = d, .file = file, .err = err };

	return with_document(&r, text, inventory_document, NULL);
}

static bool vars_document(struct reading *r, yaml_node_t *root, void *ctx)
{
	if (is_empty(root))
		return true;
	if (root->type != YAML_MAPPING_NODE)
		return complain(r, root, "a file of variables is a mapping", "");
	return read_vars(r, *(struct owner *)ctx, root);
}

bool draft_vars(struct draft *d, struct draft_group *g, struct draft_host *h, struct span text, const char *file, struct err *err)
{
	struct owner owner = { .g = g, .h = h, .vars = g ? &g->files : &h->files };
	struct reading r = { .d = d, .file = draft_keep(d, span_of(file)), .err = err };

	if (!span_starts(text, "$ANSIBLE_VAULT;"))
		return with_document(&r, text, vars_document, &owner);
	*(g ? &g->sealed : &h->sealed) = r.file;
	d->wants_ansible = true;
	return true;
}
