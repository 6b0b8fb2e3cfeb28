#include "tui/views/link_events.h"

#include <stdio.h>

/* Kinds from what matters least; a kind that is none of these is a dot. */
static const struct { const char *kind; char sign; } kinds[] = {
	{ "device", '.' }, { "closed", 'v' }, { "ack", 'a' }, { "note", 'm' }, { "config", '#' },
	{ "look", '-' }, { "warn", '~' }, { "fail", '!' },
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static size_t rank_of(char sign)
{
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].sign == sign)
			return i + 1;
	return 0;
}

static char sign_of(const struct event *e)
{
	for (size_t i = 0; i < KINDS; i++)
		if (event_is(e, kinds[i].kind))
			return kinds[i].sign;
	return '.';
}

/* "leaf1 Ethernet4" and "leaf1:Ethernet4" are the port; a link's name has it in it; "leaf1" is its whole device. */
static bool names_port(const char *where, const struct port *p)
{
	size_t device = strlen(p->device->name), port = strlen(p->name);

	if (!strcmp(where, p->device->name))
		return true;
	for (const char *at = strstr(where, p->device->name); at; at = strstr(at + 1, p->device->name)) {
		const char *name = at + device + 1;

		if ((at == where || at[-1] == ' ') && (at[device] == ' ' || at[device] == ':') && !strncmp(name, p->name, port) &&
		    (!name[port] || name[port] == ' '))
			return true;
	}
	return false;
}

const struct device *event_place(const struct event *e, const struct model *m, const struct port **port)
{
	const struct device *device = model_find_device(m, e->where);
	const char *end = strstr(e->where, " - ");	/* a link's name: its first end */
	char name[256];

	*port = NULL;
	for (const char *at = e->where; !*port && *at && at != end; at++) {
		struct span rest = { at + 1, end ? (size_t)(end - at - 1) : strlen(at + 1) };
		char port_name[128];

		if (*at != ':' && *at != ' ')
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(at - e->where), e->where);
		snprintf(port_name, sizeof(port_name), "%.*s", (int)rest.n, rest.p);
		*port = model_find_port(m, name, port_name);
		device = *port ? (*port)->device : device ? device : model_find_device(m, name);
	}
	return device;
}

/* A note is of the time, not of a place. */
static bool is_about(const struct event *e, const struct port *a, const struct port *b)
{
	return event_is(e, "note") || (a && names_port(e->where, a)) || (b && names_port(e->where, b));
}

void axis_make(struct axis *out, const struct events *e, const struct port *a, const struct port *b, int64_t from_us,
	       int64_t to_us, size_t cells)
{
	size_t end = e ? events_until(e, to_us) : 0;

	cells = cells < AXIS_MAX ? cells : AXIS_MAX;
	*out = (struct axis){ .signs = "" };
	memset(out->signs, ' ', cells);
	while (end > 0 && cells > 0 && e->list[end - 1].at_us >= from_us) {
		const struct event *event = &e->list[--end];
		size_t cell = (size_t)((event->at_us - from_us) * (int64_t)cells / (to_us - from_us + 1));

		if (!is_about(event, a, b))
			continue;
		if (!out->newest)
			out->newest = event;
		out->n++;
		if (rank_of(sign_of(event)) > rank_of(out->signs[cell]))
			out->signs[cell] = sign_of(event);
	}
}
