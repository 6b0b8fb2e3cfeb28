#include "remote/lab/world/ages.h"

#include <string.h>

#include "remote/lab/world/skins.h"

#define WEEK_US		(7 * 86400 * INT64_C(1000000))
#define LLDP_EACH_S	30

/* Before the lab began: nothing, or a time of the device's own. */
static int64_t history_us(const struct fabric *f, const struct lab_device *d)
{
	uint64_t own;

	if (!wears(d, SKIN_COUNTERS_OLD) || !d->n)
		return 0;
	own = port_draw(f, &f->ports[d->first], "history");
	return 2 * WEEK_US + (int64_t)(own % (uint64_t)(46 * WEEK_US));
}

int64_t device_up_us(const struct fabric *f, const struct lab_device *d)
{
	return f->now_us - d->booted_us + (d->boots ? 0 : history_us(f, d));
}

int64_t counters_age_us(const struct fabric *f, const struct lab_port *p)
{
	int64_t began_us = counters_began_us(p);
	const struct lab_device *d = port_device(f, p);

	if (began_us <= d->booted_us)
		return device_up_us(f, d);
	return f->now_us - began_us;
}

/* A link is no older than its ends; where nothing has happened yet it came up a minute after the boot at the latest. */
int64_t link_age_us(const struct fabric *f, const struct lab_port *p)
{
	const struct lab_device *d = port_device(f, p);
	const struct lab_port *far = port_peer(f, p);
	int64_t up_us = device_up_us(f, d), late_us = (int64_t)(port_draw(f, p, "link") % 60) * 1000000, since_us = p->link_us;

	if (far && port_device(f, far)->booted_us > since_us)
		since_us = port_device(f, far)->booted_us;
	if (since_us > d->booted_us)
		return f->now_us - since_us;
	return up_us > late_us ? up_us - late_us : up_us;
}

unsigned lldp_valid_s(const struct fabric *f, const struct lab_port *p, unsigned ttl_s)
{
	int64_t age_s = link_age_us(f, p) / 1000000;

	return ttl_s - (unsigned)(age_s % (ttl_s < 2 * LLDP_EACH_S ? ttl_s / 2 : LLDP_EACH_S));
}

/* The first look finds what has always been. */
static void note_event(struct lab_port *p, struct link_event event)
{
	unsigned last = LINK_EVENTS - 1;

	if (!event.us)
		return;
	if (p->n_link_events > last)
		memmove(p->link_events, p->link_events + 1, last * sizeof(event));
	else
		last = p->n_link_events++;
	p->link_events[last] = event;
}

void ages_look(struct fabric *f)
{
	for (size_t i = 0; i < f->n_ports; i++) {
		struct lab_port *p = &f->ports[i];
		int peer = port_is_up(f, p) ? p->peer : -1;

		if (peer == p->link_peer)
			continue;
		p->link_peer = peer;
		p->link_us = f->now_us;
		note_event(p, (struct link_event){ f->now_us, peer >= 0 });
	}
}
