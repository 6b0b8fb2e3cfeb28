/* What was not tested and why, skips, notes, limits, devices; and the settings by value, so that the one that differs is seen. */
#include "core/certificate/html.h"

#include <stdlib.h>

#define NAMED_MAX	8	/* ports of the most frequent value of a setting that are named, and not counted */

/* A section only where its list has rows. */
static const json_t *begin(struct html *h, const char *key, const char *title, const char *columns)
{
	const json_t *list = member(h->certificate, key);

	if (json_array_size(list)) {
		ADD(h, "<section>\n<h2>{}</h2>\n<table>\n<thead><tr>", title);
		buf_str(h->out, columns);
		buf_str(h->out, "</tr></thead>\n<tbody>\n");
	}
	return list;
}

static void end(struct html *h, const json_t *list)
{
	if (json_array_size(list))
		buf_str(h->out, "</tbody>\n</table>\n</section>\n");
}

static void add_not_tested(struct html *h)
{
	const json_t *list = begin(h, "not_tested", "Not tested", "<th>Link</th><th>Reason</th>"), *row;

	for (EACH(list, row))
		ADD(h, "<tr><td>{}</td><td>{}</td></tr>\n", certificate_link(&h->arena, row), text_of(row, "why"));
	end(h, list);
}

static void add_skips(struct html *h)
{
	const json_t *list = begin(h, "skips", "Skipped", "<th>Link</th><th>Stage</th><th>Reason</th><th>By</th><th>At</th>"), *row;

	for (EACH(list, row))
		ADD(h, "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", certificate_link(&h->arena, row),
		    text_of(row, "stage"), text_of(row, "reason"), text_of(row, "by"), certificate_time(&h->arena, text_of(row, "at")));
	end(h, list);
}

static void add_notes(struct html *h)
{
	const json_t *list = begin(h, "notes", "Notes", "<th>At</th><th>By</th><th>Note</th>"), *row;

	for (EACH(list, row))
		ADD(h, "<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", certificate_time(&h->arena, text_of(row, "at")), text_of(row, "by"),
		    text_of(row, "text"));
	end(h, list);
}

static void add_limits(struct html *h)
{
	const json_t *list = begin(h, "limits", "Limits", "<th>Limit</th><th>Value</th><th>Source</th>"), *row;

	for (EACH(list, row))
		ADD(h, "<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", text_of(row, "id"), certificate_value(&h->arena, row),
		    text_of(row, "source"));
	end(h, list);
}

static void add_devices(struct html *h)
{
	const json_t *list = begin(h, "devices", "Devices", "<th>Device</th><th>Kind</th><th>Platform</th><th>Facts</th>"), *row;

	for (EACH(list, row)) {
		const json_t *facts = member(row, "facts");
		const char **names = certificate_keys(facts);

		ADD(h, "<tr><td>{}</td><td>{}</td><td>{}</td><td>", text_of(row, "name"), text_of(row, "kind"), text_of(row, "platform"));
		for (const char **name = names; *name; name++)
			ADD(h, "{}<span class=\"quiet\">{}</span> {}", name > names ? ", " : "", *name, text_of(facts, *name));
		buf_str(h->out, "</td></tr>\n");
		free(names);
	}
	end(h, list);
}

/* -- settings -- */

/* {"mtu": {"9000": ["node1:eth2", ...]}}: each setting once, though it may stand at many links. */
static json_t *by_value(struct html *h)
{
	json_t *names = json_object(), *seen = json_object();
	const json_t *link, *s;

	for (EACH(member(h->certificate, "links"), link))
		for (EACH(member(link, "settings"), s)) {
			const char *device = text_of(s, "device"), *port = text_of(s, "port"), *name = text_of(s, "name");
			const char *key = KEY(&h->arena, device, port, name), *value = text_of(s, "value");
			json_t *values = json_object_get(names, name), *ports;

			if (json_object_get(seen, key))
				continue;
			json_object_set_new(seen, key, json_true());
			if (!values)
				json_object_set_new(names, name, values = json_object());
			ports = json_object_get(values, value ? value : "not reported");
			if (!ports)
				json_object_set_new(values, value ? value : "not reported", ports = json_array());
			json_array_append_new(ports, json_string(certificate_name(&h->arena, device, port)));
		}
	json_decref(seen);
	return names;
}

static size_t most(const json_t *values)
{
	const char *value;
	json_t *ports;
	size_t n = 0;

	json_object_foreach((json_t *)values, value, ports)
		n = json_array_size(ports) > n ? json_array_size(ports) : n;
	return n;
}

static void add_value(struct html *h, const char *name, const char *value, const json_t *ports, bool is_counted)
{
	const json_t *port;

	ADD(h, "<tr><td>{}</td><td>{}</td><td>", name, value);
	if (is_counted)
		buf_printf(h->out, "%zu places", json_array_size(ports));
	else
		for (EACH(ports, port))
			ADD(h, "{}{}", i_port ? ", " : "", json_string_value(port));
	buf_str(h->out, "</td></tr>\n");
}

static void add_setting(struct html *h, const char *name, const json_t *values)
{
	const char **keys = certificate_keys(values);
	size_t n_most = most(values);

	for (const char **value = keys; *value; value++) {
		const json_t *ports = member(values, *value);
		size_t n = json_array_size(ports);

		add_value(h, value > keys ? "" : name, *value, ports, n == n_most && n > NAMED_MAX);
	}
	free(keys);
}

static void add_settings(struct html *h)
{
	json_t *settings = by_value(h);
	const char **names = certificate_keys(settings);

	if (*names)
		buf_str(h->out, "<section>\n<h2>Settings, as read back</h2>\n<table class=\"settings\">\n"
				"<thead><tr><th>Setting</th><th>Value</th><th>Where</th></tr></thead>\n<tbody>\n");
	for (const char **name = names; *name; name++)
		add_setting(h, *name, member(settings, *name));
	if (*names)
		buf_str(h->out, "</tbody>\n</table>\n</section>\n");
	free(names);
	json_decref(settings);
}

void html_lists(struct html *h)
{
	add_not_tested(h);
	add_skips(h);
	add_notes(h);
	add_limits(h);
	add_devices(h);
	add_settings(h);
}
