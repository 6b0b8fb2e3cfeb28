#include "tui/views/subject.h"

void subject_name(const struct subject *s, struct buf *out)
{
	if (*s->name)
		buf_str(out, s->name);
	else if (s->finding && s->places > 1)
		buf_printf(out, "%s at %zu places", s->finding->check->id, s->places);
	else if (s->finding)
		buf_printf(out, "%s at %s", s->finding->check->id, s->finding->where);
	else if (s->link)
		buf_str(out, s->link->name);
	else if (s->port)
		buf_printf(out, "%s:%s", s->port->device->name, s->port->name);
	else if (s->device)
		buf_str(out, s->device->name);
}

struct subject subject_of_link(const struct link *link)
{
	return (struct subject){ .link = link, .port = link->a, .device = link->a->device };
}

struct subject subject_of_device(const struct device *d)
{
	return (struct subject){ .device = d };
}

struct subject subject_none(const char *why)
{
	return (struct subject){ .none = why };
}
