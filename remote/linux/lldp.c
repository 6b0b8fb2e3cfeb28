/*
 * lldpcli: json0 (its shape does not depend on the number of neighbours), json (it does), keyvalue. Layout from
 * lldpcli(8) and published outputs.
 */
#include "remote/linux/linux.h"

#include "remote/platform/tool_output.h"

struct neighbor {
	struct span name, chassis, port_type, port, descr;
};

/* The port's name, by how its id was made: an ifname is it; a local number or a MAC is not, its description is. */
static void say_neighbour(struct obs *o, struct span interface, const struct neighbor *n)
{
	uint16_t port = obs_port(o, interface);
	bool is_mac = span_is(n->port_type, "mac");

	if (port == OBS_DEVICE || (n->name.n == 0 && n->chassis.n == 0 && n->port.n == 0))
		return;
	if (says_lately(o, port, FIELD_PEER_CHASSIS, 0) || says_lately(o, port, FIELD_PEER_PORT, 0))
		return;		/* a second neighbour on the same cable: the first stays */
	if (n->name.n > 0)
		obs_text(o, port, FIELD_PEER_NAME, n->name);
	if (n->chassis.n > 0)
		obs_text(o, port, FIELD_PEER_CHASSIS, n->chassis);
	if (is_mac)
		obs_text(o, port, FIELD_PEER_MAC, n->port);
	if (n->descr.n > 0 && (is_mac || span_is(n->port_type, "local")))
		obs_text(o, port, FIELD_PEER_PORT, n->descr);
	else if (n->port.n > 0 && !is_mac)
		obs_text(o, port, FIELD_PEER_PORT, n->port);
}

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
}

static void take_interface(struct obs *o, struct span interface, const json_t *json)
{
	const json_t *port = first(json_object_get(json, "port"));
	const json_t *id = first(json_object_get(port, "id"));
	struct neighbor n = { 0 };

	take_chassis(&n, json_object_get(json, "chassis"));
	n.port_type = json_span(json_object_get(id, "type"));
	n.port = text_of(id);
	n.descr = text_of(json_object_get(port, "descr"));
	say_neighbour(o, interface, &n);
}

/* {"eth1": {…}}, or json0's {"name": "eth1", …} */
static void take_interfaces(struct obs *o, const json_t *json)
{
	const json_t *name = json_object_get(json, "name");
	const char *key;
	json_t *inner;

	if (json_is_string(name)) {
		take_interface(o, json_span(name), json);
		return;
	}
	json_object_foreach((json_t *)json, key, inner)
		take_interface(o, span_of(key), inner);
}

static void lldp_json(struct obs *o, const json_t *root)
{
	const json_t *interfaces = json_object_get(first(json_object_get(root, "lldp")), "interface"), *item;
	size_t i;

	if (json_is_object(interfaces))
		take_interfaces(o, interfaces);
	json_array_foreach(interfaces, i, item)
		take_interfaces(o, item);
}

/* "lldp.eth0.100.chassis.name=leaf1": interfaces may hold dots, so the path's own words are looked for. */
static bool keyvalue_line(struct span line, struct span *interface, struct span *path, struct span *value)
{
	static const char *const tops[] = { ".chassis.", ".port.", ".rid=" };
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
		return true;
	}
	return false;
}

static void keyvalue_part(struct neighbor *n, struct span path, struct span value)
{
	if (span_is(path, "chassis.name")) {
		n->name = value;
	} else if (span_is(path, "chassis.mac") || (span_is(path, "chassis.local") && n->chassis.n == 0)) {
		n->chassis = value;
	} else if (span_is(path, "port.descr")) {
		n->descr = value;
	} else if (span_is(path, "port.ifname") || span_is(path, "port.mac") || span_is(path, "port.local")) {
		span_skip(&path, "port.");
		n->port_type = path;
		n->port = value;
	}
}

/* A neighbour begins with its rid line; lines that name another interface inside it are not believed. */
static void lldp_keyvalue(struct obs *o, struct span rest)
{
	struct span line, interface, path, value, current = { 0 };
	struct neighbor n = { 0 };

	while (span_line(&rest, &line)) {
		if (!keyvalue_line(line, &interface, &path, &value))
			continue;
		if (span_is(path, "rid")) {
			say_neighbour(o, current, &n);
			n = (struct neighbor){ 0 };
			current = interface;
			obs_cite(o, line);
		}
		if (current.n == interface.n && memcmp(current.p, interface.p, interface.n) == 0)
			keyvalue_part(&n, path, value);
	}
	say_neighbour(o, current, &n);
}

static void lldp_refused(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, name;
	char reason[REASON_MAX];

	if (!refusal(a, "lldpcli", reason))
		return;
	while (next_port_line(&rest, &name)) {
		uint16_t port = obs_port(o, name);

		if (port != OBS_DEVICE)
			obs_unknown(o, port, FIELD_PEER_NAME, 0, reason);
	}
}

size_t linux_lldp(const struct answer *a, struct obs *o)
{
	struct span rest = span_trim(a->text);
	json_t *root = NULL;

	if (span_starts(rest, "lldp."))
		lldp_keyvalue(o, rest);
	else if ((root = next_json(&rest)))
		lldp_json(o, root);
	json_decref(root);
	o->cite = CITE_NONE;
	if (o->n == 0)
		lldp_refused(a, o);
	return o->n;
}
