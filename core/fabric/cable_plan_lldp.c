/* What lldpcli printed as a cable plan: every neighbor is a cable of the device that the file is named after. */
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "core/fabric/cable_plan_internal.h"

/* json0 has lists of one where json has the thing itself. */
static const json_t *first(const json_t *json)
{
	return json_is_array(json) ? json_array_get(json, 0) : json;
}

/* "text", {"value": "text"} or [{"value": "text"}]; NULL: none. */
static const char *text_of(const json_t *json)
{
	json = first(json);
	return json_string_value(json_is_object(json) ? json_object_get(json, "value") : json);
}

/* json puts a chassis under its system's name; json0 has the name inside. */
static const char *chassis_name(const json_t *chassis)
{
	const char *name;
	json_t *inner;

	chassis = first(chassis);
	if (json_object_get(chassis, "name"))
		return text_of(json_object_get(chassis, "name"));
	json_object_foreach((json_t *)chassis, name, inner)
		if (json_object_get(inner, "id"))
			return name;
	return NULL;
}

/* As the poller has it: the description where the id is a MAC or of the device's own making. */
static const char *port_name(const json_t *port)
{
	const json_t *id = first(json_object_get(first(port), "id"));
	const char *type = json_string_value(json_object_get(id, "type")), *descr = text_of(json_object_get(first(port), "descr"));

	if (type && !strcmp(type, "ifname"))
		return text_of(id);
	if (type && !strcmp(type, "mac"))
		return descr;
	return descr ? descr : text_of(id);
}

static bool take_neighbor(struct cable_plan_reading *r, const char *device, const char *port, const json_t *json)
{
	const char *ends[ENDS] = { device, port, chassis_name(json_object_get(json, "chassis")),
				   port_name(json_object_get(json, "port")) };

	if (ends[END_PEER] && ends[END_PEER_PORT])
		return cable_plan_cable(r, ends);
	inventory_note(r->inv, "%s: %.60s: its neighbor reports no %s: not usable as a planned cable", r->file, port,
		       ends[END_PEER] ? "port" : "name");
	return true;
}

/* {"eth1": {...}}, or json0's {"name": "eth1", ...} */
static bool take_interfaces(struct cable_plan_reading *r, const char *device, const json_t *json)
{
	const char *name = json_string_value(json_object_get(json, "name")), *key;
	json_t *inner;

	if (name)
		return take_neighbor(r, device, name, json);
	json_object_foreach((json_t *)json, key, inner)
		if (!take_neighbor(r, device, key, inner))
			return false;
	return true;
}

/* "captures/node1.lldp.json" is node1's. */
static char *device_of(const char *file)
{
	static const char *const endings[] = { ".json0", ".json", "-lldp", "_lldp", ".lldp", "-neighbors" };
	const char *slash = strrchr(file, '/');
	char *name = xstrdup(slash ? slash + 1 : file);

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		size_t n = strlen(name), k = strlen(endings[i]);

		if (n > k && !strcmp(name + n - k, endings[i]))
			name[n - k] = '\0';
	}
	return name;
}

bool plan_read_lldp(struct cable_plan_reading *r, struct span text)
{
	json_error_t wrong;
	json_t *root = json_loadb(text.p, text.n, 0, &wrong);
	const json_t *interfaces = json_object_get(first(json_object_get(root, "lldp")), "interface"), *item;
	char *device = device_of(r->file);
	bool ok = true;
	size_t i;

	if (!root)
		ok = err_set(r->err, "%s:%d: %s", r->file, wrong.line, wrong.text);
	else if (!json_object_get(root, "lldp"))
		ok = err_set(r->err, "%s: not a cable plan (CSV, Graphviz, or what lldpcli show neighbors -f json prints)", r->file);
	if (ok && json_is_object(interfaces))
		ok = take_interfaces(r, device, interfaces);
	json_array_foreach(interfaces, i, item)
		ok = ok && take_interfaces(r, device, item);
	if (ok && !r->inv->n_cables)
		ok = err_set(r->err, "%s: no neighbor with a name and a port", r->file);
	free(device);
	json_decref(root);
	return ok;
}
