/*
 * From a draft to hosts: Ansible's precedence of variables, as its vars/manager.py has it (core 2.14). From the lowest:
 * `all` in the inventory, its other groups by depth, priority and name, group_vars/all, group_vars/ of the other groups, the
 * host in the inventory, host_vars/.
 */
#include "core/inventory/draft.h"
#include "core/inventory/literal.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define REFERENCES_MAX	8	/* a variable that names another that names another */

/* A host, and the groups that it is in, from the outside in; without `all`. */
struct settling {
	struct draft *d;
	struct draft_host *h;
	struct draft_group **groups;
	size_t n, cap;
	unsigned stamp;
	size_t n_before;		/* hosts of the inventory before */
	struct host *out;
	struct err *err;
};

/* -- groups -- */

/* Kahn's order: a group is as deep as the longest way to it. */
static bool find_depths(struct draft *d, struct err *err)
{
	size_t n = HASH_COUNT(d->groups), done = 0, ready = 0;
	struct draft_group **order = xcalloc(n, sizeof(*order)), *g, *next;

	HASH_ITER(hh, d->groups, g, next) {
		if (g != d->all && !g->n_parents)
			draft_child(d->all, g);
		g->waits = g->n_parents;
		g->depth = 0;
		if (!g->waits)
			order[ready++] = g;
	}
	for (; done < ready; done++) {
		for (size_t i = 0; i < order[done]->n_children; i++) {
			struct draft_group *child = order[done]->children[i];

			child->depth = child->depth > order[done]->depth ? child->depth : order[done]->depth + 1;
			if (--child->waits == 0)
				order[ready++] = child;
		}
	}
	free(order);
	for (g = d->groups; g; g = g->hh.next)
		if (g->waits)
			return err_set(err, "%s: the group %.80s is a child of itself", d->source, g->name);
	return true;
}

static int by_precedence(const void *a, const void *b)
{
	const struct draft_group *x = *(struct draft_group *const *)a, *y = *(struct draft_group *const *)b;

	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void visit(struct settling *s, struct draft_group *g)
{
	if (g->stamp == s->stamp || g == s->d->all)
		return;
	g->stamp = s->stamp;
	*GROW(s->groups, s->n, s->cap) = g;
	s->n++;
}

static void find_groups(struct settling *s)
{
	struct draft_group *ungrouped = draft_group(s->d, "ungrouped");
	bool has_group = false;

	s->n = 0;
	s->stamp++;
	for (size_t i = 0; i < s->h->n_groups; i++)
		has_group |= s->h->groups[i] != ungrouped && s->h->groups[i] != s->d->all;
	for (size_t i = 0; i < s->h->n_groups; i++)
		if (!has_group || s->h->groups[i] != ungrouped)
			visit(s, s->h->groups[i]);
	if (!has_group)
		visit(s, ungrouped);
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->groups[i]->n_parents; k++)
			visit(s, s->groups[i]->parents[k]);
	qsort(s->groups, s->n, sizeof(*s->groups), by_precedence);
}

/* -- values -- */

/* Never a "not set" of ours for what Ansible has: the highest that says anything, null too. */
static const struct said *find(const struct settling *s, const char *name)
{
	const struct said *said = draft_get(&s->h->files, name);

	if (!said)
		said = draft_get(&s->h->own, name);
	for (size_t i = s->n; !said && i > 0; i--)
		said = draft_get(&s->groups[i - 1]->files, name);
	if (!said)
		said = draft_get(&s->d->all->files, name);
	for (size_t i = s->n; !said && i > 0; i--)
		said = draft_get(&s->groups[i - 1]->own, name);
	return said ? said : draft_get(&s->d->all->own, name);
}

static bool is_null(const struct said *said)
{
	static const char *const words[] = { "", "~", "null", "Null", "NULL" };

	for (size_t i = 0; said->is == SAID_PLAIN && i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(said->text, words[i]))
			return true;
	return said->is == SAID_NOTHING;
}

static bool is_template(const char *text)
{
	return strstr(text, "{{") || strstr(text, "{%") || strstr(text, "{#");
}

static bool plain_value(const struct settling *s, const struct said *said, struct buf *out, unsigned depth);

/* "name" of "{{ name }}": the text of another variable. Filters, lookups and all else are Jinja's own. */
static bool reference(const struct settling *s, struct span name, struct buf *out, unsigned depth)
{
	const struct said *said;
	char copy[80];
	bool is_name = name.n && name.n < sizeof(copy) && !isdigit((unsigned char)*name.p);

	for (size_t i = 0; is_name && i < name.n; i++)
		is_name = isalnum((unsigned char)name.p[i]) || name.p[i] == '_';
	if (!is_name || depth >= REFERENCES_MAX)
		return false;
	memcpy(copy, name.p, name.n);
	copy[name.n] = '\0';
	if (!strcmp(copy, "inventory_hostname"))
		return buf_str(out, s->h->name), true;
	if (!strcmp(copy, "inventory_hostname_short"))
		return buf_add(out, s->h->name, strcspn(s->h->name, ".")), true;
	said = find(s, copy);
	return said && !is_null(said) && plain_value(s, said, out, depth + 1);
}

/* False: only Ansible can say what the value is. */
static bool plain_value(const struct settling *s, const struct said *said, struct buf *out, unsigned depth)
{
	const char *at = said->text, *open, *close;

	if (said->is == SAID_VAULT || said->is == SAID_OTHER || strstr(at, "{%") || strstr(at, "{#") ||
	    (said->is == SAID_PLAIN && literal_yaml_converts(at)))
		return false;
	while ((open = strstr(at, "{{"))) {
		buf_add(out, at, (size_t)(open - at));
		close = strstr(open, "}}");
		if (!close || !reference(s, span_trim((struct span){ open + 2, (size_t)(close - open - 2) }), out, depth))
			return false;
		at = close + 2;
	}
	buf_str(out, at);
	return true;
}

/* What keeps a host from being reached as Ansible would; the first reason stands. */
static void trouble(struct settling *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void trouble(struct settling *s, const char *format, ...)
{
	va_list args;
	char *text;

	if (s->out->trouble)
		return;
	va_start(args, format);
	if (vasprintf(&text, format, args) >= 0) {
		s->out->trouble = draft_keep(s->d, span_of(text));
		free(text);
	}
	va_end(args);
}

static void not_followed(struct settling *s, const char *name, const struct said *said)
{
	const char *what = said->is == SAID_VAULT ? "is encrypted by ansible-vault"
			 : is_template(said->text) ? "is a template"
						   : "is a value that Ansible converts";

	trouble(s, "%s:%u: %s %s: write its value there; this shows it: ansible -i %s %s -m debug -a var=%s", said->file, said->line,
		name, what, s->d->source, s->h->name, name);
}

/* -- variables -- */

enum take { TAKE_TEXT, TAKE_ADDRESS, TAKE_JUMP, TAKE_NAME, TAKE_PORT, TAKE_NETWORK_OS, TAKE_TRANSPORT, TAKE_CONNECTION };

/*
 * Of the names of one thing the last that is set wins: so does the loop over the ssh plugin's "vars" in Ansible's
 * config/manager.py, seen in the command line that `ansible -vvv` prints (core 2.14).
 */
static const struct variable {
	const char *names[3];
	enum take take;
	size_t at;		/* in struct host */
} variables[] = {
	{ { "fabcon_transport" },				TAKE_TRANSPORT,	 0 },
	{ { "ansible_connection" },				TAKE_CONNECTION, 0 },
	{ { "ansible_host", "ansible_ssh_host" },		TAKE_ADDRESS,	 offsetof(struct host, address) },
	{ { "ansible_port", "ansible_ssh_port" },		TAKE_PORT,	 offsetof(struct host, port) },
	{ { "ansible_user", "ansible_ssh_user" },		TAKE_NAME,	 offsetof(struct host, user) },
	{ { "ansible_private_key_file", "ansible_ssh_private_key_file" }, TAKE_TEXT, offsetof(struct host, identity) },
	{ { "ansible_network_os" },				TAKE_NETWORK_OS, offsetof(struct host, platform) },
	{ { "fabcon_platform" },				TAKE_NAME,	 offsetof(struct host, platform) },
	{ { "fabcon_kind" },					TAKE_NAME,	 offsetof(struct host, kind) },
	{ { "fabcon_rack" },					TAKE_NAME,	 offsetof(struct host, rack) },
	{ { "fabcon_rail" },					TAKE_NAME,	 offsetof(struct host, rail) },
	{ { "fabcon_jump" },					TAKE_JUMP,	 offsetof(struct host, jump) },
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

static bool bad(struct settling *s, const struct said *said, const char *what, const char *value)
{
	return err_set(s->err, "%s:%u: %s: %.80s", said->file, said->line, what, value);
}

static bool set_text(struct settling *s, const struct variable *v, const char *text)
{
	*(const char **)((char *)s->out + v->at) = text ? draft_keep(s->d, span_of(text)) : NULL;
	return true;
}

static bool set_port(struct settling *s, const struct said *said, const char *value)
{
	uint64_t port;

	if (!span_u64(span_of(value), &port) || port == 0 || port > 65535)
		return bad(s, said, "not a TCP port", value);
	s->out->port = (unsigned)port;
	return true;
}

static bool set_transport(struct settling *s, const struct said *said, const char *value)
{
	if (strcmp(value, "libssh") != 0 && strcmp(value, "openssh") != 0)
		return bad(s, said, "fabcon_transport is libssh or openssh", value);
	s->out->transport = *value == 'o' ? TRANSPORT_OPENSSH : TRANSPORT_LIBSSH;
	return true;
}

/* Whether Ansible reaches such a host by SSH, at the address, port and user of the ssh plugin's variables. */
static bool set_connection(struct settling *s, const struct said *said, const char *value)
{
	static const char *const by_ssh[] = { "ssh", "smart", "paramiko", "paramiko_ssh", "libssh", "network_cli" };
	const char *dot = strrchr(value, '.');

	for (size_t i = 0; i < sizeof(by_ssh) / sizeof(*by_ssh); i++)
		if (!strcmp(dot ? dot + 1 : value, by_ssh[i]))
			return true;
	if (!find(s, "fabcon_transport"))
		trouble(s, "%s:%u: ansible_connection is %.40s: Ansible does not use SSH for it; to use SSH, set fabcon_transport: "
			   "libssh and the port of SSH", said->file, said->line, value);
	return true;
}

static bool has_controls(const char *value)
{
	for (; *value; value++)
		if ((unsigned char)*value < ' ' || *value == 0x7f)
			return true;
	return false;
}

static bool is_login(const char *value)
{
	return inventory_name_ok(value + (*value == '_'), NAME_ALSO "@", 62);
}

static bool set_value(struct settling *s, const struct variable *v, const struct said *said, const char *value)
{
	switch (v->take) {
	case TAKE_TRANSPORT:
		return set_transport(s, said, value);
	case TAKE_CONNECTION:
		return set_connection(s, said, value);
	case TAKE_PORT:
		return set_port(s, said, value);
	case TAKE_NETWORK_OS:
		return set_text(s, v, network_os(value));
	case TAKE_ADDRESS:
	case TAKE_JUMP:
		if (!inventory_name_ok(value, v->take == TAKE_JUMP ? ADDRESS_ALSO "@[]" : ADDRESS_ALSO, 253) && !is_ipv6(span_of(value)))
			return bad(s, said, "not an address (letters, digits, . : - _ are allowed)", value);
		return set_text(s, v, value);
	case TAKE_NAME:
		if (!is_login(value))
			return bad(s, said, "not a name (letters, digits, . - _ are allowed)", value);
		return set_text(s, v, value);
	case TAKE_TEXT:
		break;
	}
	return has_controls(value) ? bad(s, said, "a control character in", v->names[0]) : set_text(s, v, value);
}

static bool take_variable(struct settling *s, const struct variable *v)
{
	const struct said *said = NULL, *one;
	const char *name = v->names[0];
	struct buf value = { 0 };
	bool ok = true;

	for (size_t i = 0; i < 3 && v->names[i]; i++) {
		one = find(s, v->names[i]);
		if (!one || is_null(one))
			continue;
		said = one;
		name = v->names[i];
	}
	if (!said && !s->h->is_word)
		said = draft_get(&s->d->defaults, name);
	if (!said)
		return true;
	if (!plain_value(s, said, &value, 0))
		not_followed(s, name, said);
	else if (value.n)
		ok = set_value(s, v, said, value.text);
	else if (v->take == TAKE_ADDRESS)
		trouble(s, "%s:%u: %s is empty: give an address or remove it", said->file, said->line, name);
	buf_done(&value);
	return ok;
}

/* Adds what one variable says to the arguments. */
static bool add_ssh_args(struct settling *s, const char *name, const char **to)
{
	const struct said *said = find(s, name);
	struct buf value = { 0 };
	bool ok = true;

	if ((!said || is_null(said)) && !s->h->is_word)
		said = draft_get(&s->d->defaults, name);
	if (!said || is_null(said))
		return true;
	if (*to)
		buf_printf(&value, "%s ", *to);
	size_t before = value.n;
	if (!plain_value(s, said, &value, 0))
		not_followed(s, name, said);
	else if (value.n > before && has_controls(value.text))
		ok = bad(s, said, "a control character in", name);
	else if (value.n > before)
		*to = draft_keep(s->d, buf_span(&value));
	buf_done(&value);
	return ok;
}

/* As Ansible gives them to ssh: ssh_args, then port, key and user, then common and extra arguments. */
static bool take_ssh_args(struct settling *s)
{
	return add_ssh_args(s, "ansible_ssh_args", &s->out->ssh_first) &&
	       add_ssh_args(s, "ansible_ssh_common_args", &s->out->ssh_args) &&
	       add_ssh_args(s, "ansible_ssh_extra_args", &s->out->ssh_args);
}

/* Host keys are checked by fabcon's own rule, whatever the inventory says. */
static void note_unchecked(struct settling *s)
{
	static const char *const names[] = { "ansible_host_key_checking", "ansible_ssh_host_key_checking" };
	static const char *const words[] = { "false", "no", "off", "0" };

	for (size_t i = 0; i < 2 && !s->d->was_unchecked; i++) {
		const struct said *said = find(s, names[i]);

		for (size_t k = 0; said && k < sizeof(words) / sizeof(*words); k++)
			s->d->was_unchecked |= span_is_nocase(span_of(said->text), words[k]);
		if (s->d->was_unchecked)
			inventory_note(s->d->inv, "%s:%u: %s: not followed: host keys are checked (--host-key)", said->file, said->line,
				       names[i]);
	}
}

/* -- hosts -- */

static void sealed(struct settling *s)
{
	const char *file = s->h->sealed ? s->h->sealed : s->d->all->sealed;

	for (size_t i = 0; !file && i < s->n; i++)
		file = s->groups[i]->sealed;
	if (!file)
		return;
	s->d->wants_ansible = true;
	trouble(s, "%s:1: encrypted by ansible-vault, and may hold this host's connection settings; ansible-inventory reads it: "
		"fabcon --allow ansible-inventory -i %s", file, s->d->source);
}

static void join_group(struct settling *s, const char *group)
{
	struct host *h = s->out;
	const char *name;

	if (strcmp(group, "all") == 0 || strcmp(group, "ungrouped") == 0)
		return;
	for (size_t i = 0; i < h->n_groups; i++)
		if (strcmp(h->groups[i], group) == 0)
			return;
	name = draft_keep(s->d, span_of(group));
	*GROW(h->groups, h->n_groups, h->cap_groups) = name;
	h->n_groups++;
	if (strncmp(group, "rack", 4) == 0 && !h->rack)
		h->rack = name;
	if (strncmp(group, "rail", 4) == 0 && !h->rail)
		h->rail = name;
}

/* The host of the inventory that the draft's is, by the name that it is shown by. */
static struct host *host_of(struct settling *s)
{
	struct inventory *inv = s->d->inv;
	bool is_number = is_ipv6(span_of(s->h->name));
	char shown[64];
	struct host *h;

	if (is_number)
		ipv6_name(span_of(s->h->name), shown);
	else if (inventory_name_ok(s->h->name, NAME_ALSO, 63))
		snprintf(shown, sizeof(shown), "%s", s->h->name);
	else
		return err_set(s->err, "%s:%u: not a host name (letters, digits, . - _ are allowed): %.80s", s->h->file, s->h->line,
			       s->h->name), NULL;
	h = is_number || s->n_before ? (struct host *)inventory_find(inv, shown) : NULL;
	if (!h) {
		h = GROW(inv->hosts, inv->n_hosts, inv->cap_hosts);
		h->name = draft_keep(s->d, span_of(shown));
		inv->n_hosts++;
	}
	if (is_number && !h->address)
		h->address = s->h->name;
	return h;
}

static bool settle_host(struct settling *s)
{
	s->out = host_of(s);
	if (!s->out)
		return false;
	find_groups(s);
	for (size_t i = 0; i < s->n; i++)
		join_group(s, s->groups[i]->name);
	sealed(s);
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++)
		if (!take_variable(s, &variables[i]))
			return false;
	if (!take_ssh_args(s))
		return false;
	note_unchecked(s);
	return true;
}

/* Of the inventory as a whole: in `all`, else in the first group or host that says it. */
static const struct said *fabric_variable(struct draft *d, const char *name)
{
	const struct said *said = draft_get(&d->all->files, name);
	struct draft_group *g;
	struct draft_host *h;

	if (!said)
		said = draft_get(&d->all->own, name);
	for (g = d->groups; g && !said; g = g->hh.next)
		said = draft_get(&g->own, name);
	for (h = d->hosts; h && !said; h = h->hh.next)
		said = draft_get(&h->own, name);
	return said && !is_null(said) && (said->is == SAID_TEXT || said->is == SAID_PLAIN) ? said : NULL;
}

/* A file that a variable names stands beside the inventory; what group_vars/ says, beside that folder. */
static const char *beside(struct draft *d, const struct said *said)
{
	const char *end = said->file ? strstr(said->file, "/group_vars/") : NULL;
	const char *out;
	char *path;

	if (!end && said->file)
		end = strrchr(said->file, '/');
	if (!end || *said->text == '/')
		return said->text;
	path = xasprintf("%.*s/%s", (int)(end - said->file), said->file, said->text);
	out = draft_keep(d, span_of(path));
	free(path);
	return out;
}

static void settle_fabric(struct draft *d)
{
	const struct said *fabric = fabric_variable(d, "fabcon_fabric"), *plan = fabric_variable(d, "fabcon_plan");
	const struct said *known = fabric_variable(d, "fabcon_known_hosts");
	struct inventory *inv = d->inv;

	if (fabric && inventory_name_ok(fabric->text, NAME_ALSO, 63))
		inv->fabric = fabric->text;
	if (plan)
		inv->plan = beside(d, plan);
	if (known)
		inv->known_hosts = beside(d, known);
	if (!inv->fabric && d->stem) {
		inv->fabric = d->stem;
		inv->is_range = d->is_words;
	}
}

bool draft_settle(struct draft *d, struct err *err)
{
	struct settling s = { .d = d, .err = err, .n_before = d->inv->n_hosts };
	bool ok = find_depths(d, err);

	for (s.h = d->hosts; ok && s.h; s.h = s.h->hh.next)
		ok = settle_host(&s);
	free(s.groups);
	settle_fabric(d);
	return ok;
}
