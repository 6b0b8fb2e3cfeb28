#include "core/remedy/remedy.h"

#include <string.h>

#include "core/base/template.h"

#define OF_OS10	"ethernet"	/* its ports are "ethernet1/1/1", and "ethernet 1/1/1" in its commands */

/* -- what fills a slot -- */

static bool put_port(const struct remedy_place *at, struct buf *out)
{
	if (!at->port || !template_is_port(at->port->name))
		return false;
	buf_str(out, at->port->name);
	return true;
}

static bool put_ethernet(const struct remedy_place *at, struct buf *out)
{
	size_t n = strlen(OF_OS10);

	if (!at->port || !template_is_port(at->port->name) || strncmp(at->port->name, OF_OS10, n) != 0)
		return false;
	buf_printf(out, OF_OS10 " %s", at->port->name + n);
	return true;
}

static bool put_rdma(const struct remedy_place *at, struct buf *out)
{
	const char *rdma = at->port ? port_text(at->port, FIELD_RDMA) : NULL;

	if (!rdma || !template_is_name(rdma))
		return false;
	buf_str(out, rdma);
	return true;
}

static bool put_gid(const struct remedy_place *at, struct buf *out)
{
	const struct cell *c = at->port ? port_cell(at->port, FIELD_GID_INDEX, 0) : NULL;

	if (!c || c->value.is != VALUE_KNOWN)
		return false;
	buf_printf(out, "%llu", (unsigned long long)c->value.n);
	return true;
}

static struct policy_target target_of(const struct remedy_place *at)
{
	return (struct policy_target){
		.device = at->device->name, .port = at->port ? at->port->name : NULL,
		.is_switch = device_is_switch(at->device, at->inventory),
		.host = at->inventory ? inventory_find(at->inventory, at->device->name) : NULL,
	};
}

static bool put_tos(const struct remedy_place *at, struct buf *out)
{
	struct policy_target target = target_of(at);
	struct value tos;

	if (!at->policy || !at->port || !policy_wants(at->policy, &target, FIELD_TOS_CMA, 0, &tos, NULL))
		return false;
	buf_printf(out, "%llu", (unsigned long long)tos.n);
	return true;
}

static bool put_priority(const struct remedy_place *at, struct buf *out)
{
	struct policy_target target = target_of(at);
	struct value on;

	for (unsigned prio = 0; at->policy && at->port && prio < 8; prio++)
		if (policy_wants(at->policy, &target, FIELD_PFC_ON, prio, &on, NULL) && on.n) {
			buf_printf(out, "%u", prio);
			return true;
		}
	return false;
}

static bool put_node(const struct remedy_place *at, struct buf *out)
{
	if (!template_is_name(at->device->name))
		return false;
	buf_str(out, at->device->name);
	return true;
}

static const struct {
	const char *name, *shown;	/* shown: where no place is known */
	bool (*put)(const struct remedy_place *at, struct buf *out);
} slots[] = {
	{ "{port}", "PORT", put_port },		  { "{ethernet}", "ethernet PORT", put_ethernet }, { "{rdma}", "DEVICE", put_rdma },
	{ "{gid}", "GID_INDEX", put_gid },	  { "{tos}", "TOS", put_tos },			   { "{prio}", "PRIORITY", put_priority },
	{ "{node}", "HOST", put_node },
};
#define SLOTS (sizeof(slots) / sizeof(*slots))

/* at NULL: names take the places of values. */
static bool fill(const char *command, const struct remedy_place *at, struct buf *out)
{
	while (*command) {
		size_t i = 0, n = strcspn(command, "{");

		buf_printf(out, "%.*s", (int)n, command);
		command += n;
		if (!*command)
			break;
		while (i < SLOTS && strncmp(command, slots[i].name, strlen(slots[i].name)) != 0)
			i++;
		if (i == SLOTS)
			return false;
		if (!at)
			buf_str(out, slots[i].shown);
		else if (!slots[i].put(at, out))
			return false;
		command += strlen(slots[i].name);
	}
	return true;
}

/* -- which row -- */

static bool is_of_mlx5(const struct port *p)
{
	const char *driver = p ? port_text(p, FIELD_DRIVER) : NULL;

	return driver && !strcmp(driver, "mlx5_core");
}

/* Not of a host that dcb answered in mlnx_qos's place. */
static bool has_mlnx_qos(const struct port *p)
{
	const struct cell *pfc = is_of_mlx5(p) ? port_cell(p, FIELD_PFC_ON, 0) : NULL;

	return is_of_mlx5(p) && !(pfc && pfc->reply && !strcmp(pfc->reply->probe, "dcb"));
}

/* MLNX_OFED and DOCA have /sys/class/net/PORT/ecn; where it is not, the port says so. */
static bool has_ofed_files(const struct port *p)
{
	const struct cell *np = is_of_mlx5(p) ? port_cell(p, FIELD_ECN_NP, 0) : NULL;

	return is_of_mlx5(p) && !(np && np->value.is == VALUE_UNKNOWN);
}

static const struct {
	const char *name;
	bool (*has)(const struct port *p);
} kinds_of_host[] = {
	{ "mlx5_core", is_of_mlx5 }, { "mlnx_qos", has_mlnx_qos }, { "ofed", has_ofed_files },
};

static bool is_of_system(const char *wanted, const struct remedy_place *at)
{
	const char *platform = device_text(at->device, FIELD_PLATFORM);
	struct span system = span_of(wanted), kind = { NULL, 0 };

	span_cut(span_of(wanted), '/', &system, &kind);
	if (!platform || !span_is(system, platform))
		return false;
	for (size_t i = 0; kind.n && i < sizeof(kinds_of_host) / sizeof(*kinds_of_host); i++)
		if (span_is(kind, kinds_of_host[i].name))
			return kinds_of_host[i].has(at->port);
	return !kind.n;
}

static void add_then(const struct remedy *r, struct buf *out)
{
	if (r->then)
		buf_printf(out, " (%s)", r->then);
}

static bool add_row(const struct remedy *r, const struct remedy_place *at, struct buf *out)
{
	struct buf command = { NULL };
	bool is_filled = fill(r->command, at, &command);

	if (is_filled) {
		buf_printf(out, "%s%s: %s", out->n ? "; " : "", at->device->name, command.text);
		add_then(r, out);
	}
	buf_done(&command);
	return is_filled;
}

bool remedy_add(const struct remedy_place *at, const char *id, struct buf *out)
{
	const char *system = NULL;
	bool is_any = false;

	for (size_t i = 0; i < remedy_count; i++) {
		const struct remedy *r = &remedy_table[i];

		if (!span_is_among(span_of(id), r->of) || !is_of_system(r->system, at) || (system && strcmp(system, r->system) != 0))
			continue;
		system = r->system;
		is_any |= add_row(r, at, out);
	}
	return is_any;
}

bool remedy_change_fill(const struct remedy_change *c, const struct remedy_place *at, const char *check, struct buf *out)
{
	struct buf command = { NULL };
	bool is_filled = span_is_among(span_of(check), c->of) && is_of_system(c->system, at) && fill(c->command, at, &command);

	if (is_filled)
		buf_add(out, command.text, command.n);
	buf_done(&command);
	return is_filled;
}

void remedy_change_words(const struct remedy_change *c, struct buf *out)
{
	struct buf text = { NULL };
	struct span rest, line;

	fill(c->command, NULL, &text);
	rest = buf_span(&text);
	while (span_line(&rest, &line))
		buf_printf(out, "%s%.*s", out->n ? "; " : "", (int)line.n, line.p);
	buf_done(&text);
}

bool remedy_list(const char *id, struct buf *out)
{
	bool is_any = false;

	for (size_t i = 0; i < remedy_count; i++) {
		if (!span_is_among(span_of(id), remedy_table[i].of))
			continue;
		buf_printf(out, "%-16s ", remedy_table[i].system);
		fill(remedy_table[i].command, NULL, out);
		add_then(&remedy_table[i], out);
		buf_str(out, "\n");
		is_any = true;
	}
	return is_any;
}
