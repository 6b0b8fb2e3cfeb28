/* Who a host has heard on its segments: the kernel's neighbor table (ARP and ND), and the port that our session comes in by. */
#include "remote/linux/linux.h"

#include "remote/platform/mac_lists.h"
#include "remote/platform/tool_output.h"

/* The port of that name among those that the host listed: bridges and tunnels have neighbors too. */
static uint16_t listed_port(const struct obs *o, struct span name)
{
	for (size_t i = 0; i < o->n_ports; i++)
		if (span_is(name, o->ports[i]))
			return (uint16_t)i;
	return OBS_DEVICE;
}

/* "10.0.0.2 dev eth2 lladdr 02:00:00:00:00:02 REACHABLE"; entries without an answer have no lladdr. */
static enum mac_row_is neighbor_row(struct obs *o, struct span line, uint16_t *port, struct span *mac)
{
	struct span key, value, dev = { 0 };

	*mac = (struct span){ 0 };
	if (!span_word(&line, &key))
		return MAC_ROW_OTHER;
	while (span_word(&line, &key))
		if (span_is(key, "dev"))
			span_word(&line, &dev);
		else if (span_is(key, "lladdr") && span_word(&line, &value))
			*mac = value;
	if (!mac->n || !dev.n)
		return MAC_ROW_STRANGE;
	*port = listed_port(o, dev);
	return *port == OBS_DEVICE ? MAC_ROW_OTHER : MAC_ROW;
}

/* "2: eth0    inet 10.9.0.1/24 scope …" after the mark: the interface that holds the address we came to. */
static void management_line(struct obs *o, struct span line)
{
	struct span number, name, family;
	uint64_t n;

	if (!span_cut(line, ':', &number, &line) || !span_u64(span_trim(number), &n) || !span_word(&line, &name) ||
	    !span_word(&line, &family) || !span_starts(family, "inet"))
		return;
	span_cut(name, '@', &name, &family);
	obs_cite(o, line);
	obs_text(o, OBS_DEVICE, FIELD_MANAGEMENT, name);
}

/* What ping prints is no fact: the neighbor table tells what came of it. That there is no ping is one. */
size_t linux_filled(const struct answer *a, struct obs *o)
{
	uint16_t port = answer_port(a, o);
	char reason[REASON_MAX];

	if (port != OBS_DEVICE && a->status == STATUS_NO_TOOL && refusal(a, "ping", reason))
		obs_unknown(o, port, FIELD_NEIGHBORS, 0, reason);
	return o->n;
}

size_t linux_neighbors(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, name;

	while (next_port_line(&rest, &name))
		obs_port(o, name);
	rest = a->text;
	mac_lists(o, a->text, a->is_partial, FIELD_NEIGHBORS, neighbor_row);
	while (span_line(&rest, &line))
		management_line(o, line);
	o->cite = CITE_NONE;
	return o->n;
}
