/*
 * lldpcli: json0 (its shape does not depend on the number of neighbours), json (it does), keyvalue. Layout from
 * lldpcli(8) and published outputs.
 */
#include "remote/linux/linux.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "remote/platform/tool_output.h"

struct neighbor {
	struct span interface, name, chassis, port_type, port, descr;
	bool is_switch;			/* it says that it forwards, as a bridge or as a router */
	bool is_mixed;			/* lines of two: the one that begins the second was not understood */
	int64_t age_s;			/* since it last changed; -1: not said */
	uint32_t cite;
};

struct neighbors {
	struct neighbor *list;		/* owned */
	size_t n, cap;
};

static void add_neighbor(struct neighbors *all, const struct neighbor *n)
{
	if (!n->is_mixed && (n->name.n || n->chassis.n || n->port.n))
		*(struct neighbor *)GROW(all->list, all->n, all->cap) = *n, all->n++;
}

static bool is_named_port(struct span type)
{
	return span_is(type, "ifname") || span_is(type, "local") || span_is(type, "ifalias");
}

/* As systems name their interfaces; a description is free text, and often names what the port leads to: "Servers0:eth0". */
static bool is_interface_name(struct span text)
{
	static const char *const begin[] = {
		"Ethernet", "Eth", "swp", "etp", "xe-", "et-", "ge-", "mge-", "GigabitEthernet", "TenGigabitEthernet", "Ten-GigabitEthernet",
		"TenGigE", "TwentyFiveGigE", "FortyGigE", "FiftyGigE", "HundredGigE", "TwoHundredGigE", "FourHundredGigE", "Gi", "Te", "Twe",
		"Fo", "Hu", "mgmt", "ens", "enp", "eno", "em",
	};

	for (size_t i = 0; i < sizeof(begin) / sizeof(*begin); i++) {
		struct span rest = text;
		size_t n = strlen(begin[i]);

		if (text.n <= n || strncasecmp(text.p, begin[i], n) != 0)
			continue;
		rest = (struct span){ text.p + n, text.n - n };
		if (*rest.p < '0' || *rest.p > '9')
			continue;
		while (rest.n && strchr("0123456789/.:sfnpdv", *rest.p))	/* "1/1/1:2", "193s0f1np1" */
			rest.p++, rest.n--;
		if (!rest.n)
			return true;
	}
	return false;
}

/* "etp1", "g17": more than a number that the system counts its ports with. */
static bool is_word_with_number(struct span id)
{
	if (!id.n || !isalpha((unsigned char)*id.p))
		return false;
	for (size_t i = 1; i < id.n; i++)
		if (isdigit((unsigned char)id.p[i]))
			return true;
	return false;
}

/* SONiC's id is the alias, "etp3"; where nobody describes the port, lldpd says the interface: "Ethernet8". */
static bool is_port_of_sonic(struct span text)
{
	return span_skip(&text, "Ethernet") && text.n && isdigit((unsigned char)*text.p);
}

/* Whether the description names the port: beside the MAC of it, or a bare number ("512" of Junos), the id says no name. */
static bool is_named_by_description(const struct neighbor *n)
{
	bool is_local = span_is(n->port_type, "local") && (!is_word_with_number(n->port) || is_port_of_sonic(n->descr));

	return (is_local || span_is(n->port_type, "mac")) && is_interface_name(n->descr);
}

/* The port's name, by how its id was made. */
static void say_neighbor(struct obs *o, uint16_t port, const struct neighbor *n)
{
	bool is_mac = span_is(n->port_type, "mac");

	o->cite = n->cite;
	if (n->name.n > 0)
		obs_text(o, port, FIELD_PEER_NAME, n->name);
	if (n->chassis.n > 0)
		obs_text(o, port, FIELD_PEER_CHASSIS, n->chassis);
	if (is_mac && n->port.n > 0)
		obs_text(o, port, FIELD_PEER_MAC, n->port);
	if (is_named_by_description(n))
		obs_text(o, port, FIELD_PEER_PORT, n->descr);
	else if (n->port.n > 0 && is_named_port(n->port_type))
		obs_text(o, port, FIELD_PEER_PORT, n->port);
	else if (is_mac && n->descr.n > 0)
		obs_unknown(o, port, FIELD_PEER_PORT, 0, "its LLDP names the port by MAC, and the description is not an interface name");
}

/* -- several at one port: after a change of cables, for a TTL, and agents of NICs beside their hosts -- */

static unsigned rank_of(const struct neighbor *n)
{
	return 2 * (n->name.n > 0) + n->is_switch;
}

static bool is_same_end(const struct neighbor *a, const struct neighbor *b)
{
	return span_same(a->chassis, b->chassis) && span_same(a->port, b->port);
}

/* Below 0: a is to be believed, above: b; 0: nothing tells. A switch with a name, then whoever came last. */
static int better(const struct neighbor *a, const struct neighbor *b)
{
	if (rank_of(a) != rank_of(b))
		return rank_of(a) > rank_of(b) ? -1 : 1;
	if (is_same_end(a, b))
		return -1;
	if (a->age_s < 0 || b->age_s < 0 || a->age_s == b->age_s)
		return 0;
	return a->age_s < b->age_s ? -1 : 1;
}

static struct span title_of(const struct neighbor *n)
{
	return n->name.n ? n->name : n->chassis;
}

static void say_either(struct obs *o, uint16_t port, const struct neighbor *a, const struct neighbor *b)
{
	struct span first = title_of(a), second = title_of(b);
	char reason[REASON_MAX];

	snprintf(reason, sizeof(reason), "two LLDP neighbors, %.*s and %.*s, and which one is there now is not known",
		 first.n < 40 ? (int)first.n : 40, first.p, second.n < 40 ? (int)second.n : 40, second.p);
	obs_unknown(o, port, FIELD_PEER_NAME, 0, reason);
	obs_unknown(o, port, FIELD_PEER_PORT, 0, reason);
}

static void say_interface(struct obs *o, const struct neighbors *all, size_t first)
{
	const struct neighbor *best = &all->list[first], *rival = NULL;
	uint16_t port = obs_port(o, best->interface);

	for (size_t i = 0; i < first; i++)
		if (span_same(all->list[i].interface, best->interface))
			return;		/* told there */
	for (size_t i = first + 1; i < all->n; i++) {
		const struct neighbor *n = &all->list[i];
		int is = span_same(n->interface, best->interface) ? better(best, n) : -1;

		if (is > 0)
			best = n, rival = NULL;
		else if (is == 0)
			rival = n;
	}
	if (port == OBS_DEVICE)
		return;
	if (rival)
		say_either(o, port, best, rival);
	else
		say_neighbor(o, port, best);
}

static void say_all(struct obs *o, struct neighbors *all)
{
	for (size_t i = 0; i < all->n; i++)
		say_interface(o, all, i);
	free(all->list);
}

/* "0 day, 02:11:04"; -1: it is not that. */
static int64_t age_of(struct span text)
{
	uint64_t days, part[3];
	struct span word, rest, one;

	if (!span_word(&text, &word) || !span_u64(word, &days) || !span_word(&text, &word) || !span_word(&text, &rest))
		return -1;
	for (unsigned i = 0; i < 3; i++) {
		if (i < 2 ? !span_cut(rest, ':', &one, &rest) : !(one = rest).n)
			return -1;
		if (!span_u64(one, &part[i]) || part[i] > 59)
			return -1;
	}
	return days > 100000 ? -1 : (int64_t)(((days * 24 + part[0]) * 60 + part[1]) * 60 + part[2]);
}

/* -- JSON -- */

static const json_t *first(const json_t *json)
{
	return json_is_array(json) ? json_array_get(json, 0) : json;
}

/* "text", {"value": "text"} or [{"value": "text"}] */
static struct span text_of(const json_t *json)
{
	json = first(json);
	return json_is_object(json) ? json_span(json_object_get(json, "value")) : json_span(json);
}

static bool is_forwarding(const json_t *capability)
{
	struct span type = json_span(json_object_get(capability, "type"));

	return (span_is(type, "Bridge") || span_is(type, "Router")) && json_is_true(json_object_get(capability, "enabled"));
}

static bool is_switch(const json_t *chassis)
{
	const json_t *all = json_object_get(chassis, "capability"), *one;
	size_t i;

	json_array_foreach(all, i, one)
		if (is_forwarding(one))
			return true;
	return is_forwarding(all);
}

/* json puts a chassis under its system's name, unless it has none; json0 says the name inside. */
static void take_chassis(struct neighbor *n, const json_t *chassis)
{
	const char *name;
	json_t *inner;

	chassis = first(chassis);
	if (json_is_object(chassis) && !json_object_get(chassis, "id"))
		json_object_foreach((json_t *)chassis, name, inner)
			if (json_object_get(inner, "id")) {
				n->name = span_of(name);
				chassis = inner;
				break;
			}
	n->chassis = text_of(json_object_get(chassis, "id"));
	if (json_object_get(chassis, "name"))
		n->name = text_of(json_object_get(chassis, "name"));
	n->is_switch = is_switch(chassis);
}

static void take_interface(struct neighbors *all, struct span interface, const json_t *json)
{
	const json_t *port = first(json_object_get(json, "port"));
	const json_t *id = first(json_object_get(port, "id"));
	struct neighbor n = { .interface = interface, .cite = CITE_NONE };

	take_chassis(&n, json_object_get(json, "chassis"));
	n.port_type = json_span(json_object_get(id, "type"));
	n.port = text_of(id);
	n.descr = text_of(json_object_get(port, "descr"));
	n.age_s = age_of(json_span(json_object_get(json, "age")));
	add_neighbor(all, &n);
}

/* {"eth1": {…}}, or json0's {"name": "eth1", …} */
static void take_interfaces(struct neighbors *all, const json_t *json)
{
	const json_t *name = json_object_get(json, "name");
	const char *key;
	json_t *inner;

	if (json_is_string(name)) {
		take_interface(all, json_span(name), json);
		return;
	}
	json_object_foreach((json_t *)json, key, inner)
		take_interface(all, span_of(key), inner);
}

static void lldp_json(struct neighbors *all, const json_t *root)
{
	const json_t *interfaces = json_object_get(first(json_object_get(root, "lldp")), "interface"), *item;
	size_t i;

	if (json_is_object(interfaces))
		take_interfaces(all, interfaces);
	json_array_foreach(interfaces, i, item)
		take_interfaces(all, item);
}

/* -- keyvalue -- */

/* "lldp.eth0.100.chassis.name=leaf1": interfaces may hold dots, so the path's own words are looked for. */
static bool keyvalue_line(struct span line, struct span *interface, struct span *path, struct span *value)
{
	static const char *const tops[] = { ".chassis.", ".port.", ".rid=", ".age=" };
	struct span key;

	if (!span_skip(&line, "lldp.") || !span_cut(line, '=', &key, value))
		return false;
	key.n++;	/* with the "=": a top may end there */
	for (size_t i = 0; i < sizeof(tops) / sizeof(*tops); i++) {
		const char *at = span_find(key, tops[i]);

		if (!at)
			continue;
		*interface = (struct span){ key.p, (size_t)(at - key.p) };
		*path = (struct span){ at + 1, (size_t)(key.p + key.n - at - 2) };
		*value = span_trim(*value);
		return true;
	}
	return false;
}

static void keyvalue_part(struct neighbor *n, struct span path, struct span value)
{
	if (span_is(path, "chassis.name")) {
		n->is_mixed |= n->name.n > 0 && !span_same(n->name, value);
		n->name = value;
	} else if (span_is(path, "chassis.mac") || (span_is(path, "chassis.local") && n->chassis.n == 0)) {
		n->chassis = value;
	} else if (span_is(path, "chassis.Bridge.enabled") || span_is(path, "chassis.Router.enabled")) {
		n->is_switch |= span_is(value, "on");
	} else if (span_is(path, "age")) {
		n->age_s = age_of(value);
	} else if (span_is(path, "port.descr")) {
		n->descr = value;
	} else if (span_is(path, "port.ifname") || span_is(path, "port.mac") || span_is(path, "port.local")) {
		span_skip(&path, "port.");
		n->is_mixed |= n->port.n > 0 && span_same(n->port_type, path) && !span_same(n->port, value);
		n->port_type = path;
		n->port = value;
	}
}

/* A neighbor begins with its rid line; lines that name another interface inside it are not believed. */
static void lldp_keyvalue(struct obs *o, struct neighbors *all, struct span rest, bool is_partial)
{
	struct span line, interface, path, value;
	struct neighbor n = { .age_s = -1 };

	while (span_line(&rest, &line)) {
		if (!keyvalue_line(line, &interface, &path, &value))
			continue;
		if (span_is(path, "rid")) {
			add_neighbor(all, &n);
			obs_cite(o, line);
			n = (struct neighbor){ .interface = interface, .age_s = -1, .cite = o->cite };
		}
		if (span_same(n.interface, interface))
			keyvalue_part(&n, path, value);
	}
	if (!is_partial)	/* the last one may lack its end */
		add_neighbor(all, &n);
}

static void lldp_refused(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, name;
	char reason[REASON_MAX];

	if (!refusal(a, "lldpcli", reason))
		return;
	while (next_port_line(&rest, &name)) {
		uint16_t port = obs_port(o, name);

		if (port == OBS_DEVICE)
			continue;
		obs_unknown(o, port, FIELD_PEER_NAME, 0, reason);
		obs_unknown(o, port, FIELD_PEER_PORT, 0, reason);
		obs_unknown(o, port, FIELD_PEER_CHASSIS, 0, reason);
	}
}

size_t linux_lldp(const struct answer *a, struct obs *o)
{
	struct span rest = span_trim(a->text);
	struct neighbors all = { NULL };
	json_t *root = NULL;

	if (span_starts(rest, "lldp."))
		lldp_keyvalue(o, &all, rest, a->is_partial);
	else if ((root = next_json(&rest)))
		lldp_json(&all, root);
	say_all(o, &all);
	json_decref(root);
	o->cite = CITE_NONE;
	if (o->n == 0)
		lldp_refused(a, o);
	return o->n;
}
