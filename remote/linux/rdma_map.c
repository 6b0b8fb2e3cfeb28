#include "remote/linux/rdma_map.h"

#include <stdio.h>
#include <stdlib.h>

bool cut_ib_line(struct span line, struct ib_line *out)
{
	struct span path = line, head;

	out->value = (struct span){ line.p + line.n, 0 };
	out->port = 0;
	span_cut(line, ':', &path, &out->value);
	if (span_skip(&path, "/sys/kernel/config/rdma_cm/"))
		;
	else if (!span_skip(&path, "/sys/class/infiniband/"))
		return false;
	if (!span_cut(path, '/', &out->device, &out->what))
		return false;
	if (span_skip(&out->what, "ports/") || span_skip(&out->what, "tc/")) {
		if (!span_cut(out->what, '/', &head, &out->what) || !span_u64(head, &out->port) || out->port > 255)
			return false;
	}
	out->value = span_trim(out->value);
	return out->device.n > 0;
}

/* Whether another port of the device, by itself, has that interface: then it is not this one's. */
static bool is_of_another(const struct rdma_map *m, const struct joint *any)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct joint *j = &m->joints[i];

		if (j->rdma_port && span_same(j->device, any->device) && span_same(j->netdev, any->netdev))
			return true;
	}
	return false;
}

struct joint *rdma_map_joint(struct rdma_map *m, struct span device, uint64_t port)
{
	struct joint *any = NULL;

	for (size_t i = 0; i < m->n; i++) {
		struct joint *j = &m->joints[i];

		if (!span_same(j->device, device))
			continue;
		if (j->rdma_port == port)
			return j;
		if (j->rdma_port == 0)
			any = j;
	}
	return any && port && is_of_another(m, any) ? NULL : any;
}

static void learn(struct rdma_map *m, const struct ib_line *l, uint64_t port, struct span netdev, enum joint_by by,
		  struct span line)
{
	struct joint *j = rdma_map_joint(m, l->device, port);

	if (netdev.n == 0)
		return;
	if (!j || j->rdma_port != port) {
		j = GROW(m->joints, m->n, m->cap);
		m->n++;
		*j = (struct joint){ .device = l->device, .rdma_port = port, .by = by, .netdev = netdev, .line = line,
				     .best = GIDS };
	} else if (by < j->by) {
		j->netdev = netdev;
		j->line = line;
		j->by = by;
	}
}

static void learn_parent(struct rdma_map *m, const struct ib_line *l, struct span line)
{
	struct joint *j;

	learn(m, l, 0, l->value, BY_PARENT, line);
	j = rdma_map_joint(m, l->device, 0);
	if (j)
		j->has_parent = true;
}

static void learn_line(struct rdma_map *m, struct span line)
{
	struct ib_line l;
	struct span netdev;

	if (!cut_ib_line(line, &l))
		return;
	netdev = l.what;
	if (span_is(l.what, "gid_attrs/ndevs/0"))
		learn(m, &l, l.port, l.value, BY_GID, line);
	else if (span_is(l.what, "parent"))
		learn_parent(m, &l, line);
	else if (span_skip(&netdev, "device/net/"))
		learn(m, &l, 0, netdev, BY_FUNCTION, line);
}

/* The port that the answer is about can stand for one device only: the first that the text names. */
static bool is_the_one_asked(struct rdma_map *m, struct span device, uint64_t port)
{
	if (!m->answer->port)
		return false;
	if (m->asked.n == 0) {
		m->asked = device;
		m->asked_port = port;
	}
	return span_same(m->asked, device) && m->asked_port == port;
}

static uint16_t work_out_port(struct rdma_map *m, struct obs *o, struct span device, uint64_t port)
{
	const struct joint *j = rdma_map_joint(m, device, port);
	char name[64];

	if (j)
		return obs_port(o, j->netdev);
	if (is_the_one_asked(m, device, port))
		return obs_port(o, span_of(m->answer->port));
	if (port <= 1)
		return obs_port(o, device);
	snprintf(name, sizeof(name), "%.*s/%u", (int)(device.n < 50 ? device.n : 50), device.p, (unsigned)port);
	return obs_port(o, span_of(name));
}

uint16_t rdma_map_port(struct rdma_map *m, struct obs *o, struct span device, uint64_t port)
{
	if (m->last.device.n == 0 || m->last.rdma_port != port || !span_same(m->last.device, device)) {
		m->last.port = work_out_port(m, o, device, port);
		m->last.device = device;
		m->last.rdma_port = port;
	}
	return m->last.port;
}

bool joint_is_guess(const struct rdma_map *m, const struct joint *j)
{
	for (size_t i = 0; j->rdma_port == 0 && i < m->n; i++)
		if (m->joints[i].rdma_port != 0 && span_same(m->joints[i].device, j->device))
			return true;
	return false;
}

bool joint_is_soft(const struct rdma_map *m, const struct joint *j)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->joints[i].has_parent && span_same(m->joints[i].device, j->device))
			return true;
	return false;
}

bool joint_has_function(const struct rdma_map *m, const struct joint *j)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->joints[i].by == BY_FUNCTION && span_same(m->joints[i].device, j->device))
			return true;
	return false;
}

/* Whether another device's first GID names the same interface. */
static bool is_contested(const struct rdma_map *m, const struct joint *gid)
{
	bool has_rival = false;

	for (size_t i = 0; i < m->n; i++) {
		const struct joint *j = &m->joints[i];

		if (j == gid || j->by != BY_GID)
			continue;
		if (span_same(j->device, gid->device))
			return false;	/* of two ports its function does not tell which is which */
		has_rival |= span_same(j->first_netdev, gid->first_netdev);
	}
	return has_rival;
}

/* Another device is known to be of that interface by more than its GIDs. */
static bool is_anothers(const struct rdma_map *m, const struct joint *gid)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->joints[i].rdma_port == 0 && span_same(m->joints[i].netdev, gid->netdev) &&
		    !span_same(m->joints[i].device, gid->device))
			return true;
	return false;
}

/* To the members of a bond that are devices by themselves the kernel gives the bond's interface for their GIDs: one of all. */
static void settle(struct rdma_map *m)
{
	for (size_t i = 0; i < m->n; i++)
		m->joints[i].first_netdev = m->joints[i].netdev;
	for (size_t i = 0; i < m->n; i++) {
		struct joint *j = &m->joints[i], *own;

		if (j->by != BY_GID || !is_contested(m, j))
			continue;
		own = rdma_map_joint(m, j->device, 0);
		if (own && own->rdma_port == 0) {
			j->netdev = own->netdev;
			j->line = own->line;
		} else if (is_anothers(m, j)) {
			j->netdev = j->device;
		}
	}
}

void rdma_map_init(struct rdma_map *m, const struct answer *a)
{
	struct span rest = a->text, line;

	*m = (struct rdma_map){ .answer = a };
	while (span_line(&rest, &line))
		learn_line(m, line);
	settle(m);
}

void rdma_map_done(struct rdma_map *m)
{
	free(m->joints);
}
