/* What an OS10 configuration makes a port do. Interface lines win over those of "system qos". */
#include "remote/lab/os10/config.h"

#include <stdio.h>
#include <stdlib.h>

#define OS10_MTU_DEFAULT 1532

static const struct dell_block *find(const struct dell_config *c, const char *kind, const char *name)
{
	char header[160];

	snprintf(header, sizeof(header), "%s%s", kind, name);
	for (size_t i = 0; i < c->n; i++)
		if (c->blocks[i].header && c->blocks[i].parent < 0 && !strcmp(c->blocks[i].header, header))
			return &c->blocks[i];
	return NULL;
}

/* What follows key in the first line that begins with it, or NULL. */
static const char *value(const struct dell_block *b, const char *key)
{
	for (size_t i = 0; b && i < b->n; i++)
		if (!strncmp(b->lines[i], key, strlen(key)))
			return b->lines[i] + strlen(key);
	return NULL;
}

const char *dell_if_value(const struct dell_config *c, const char *port, const char *key)
{
	return value(find(c, "interface ", port), key);
}

static const char *port_or_system(const struct dell_config *c, const char *port, const char *key)
{
	const char *said = dell_if_value(c, port, key);

	return said ? said : value(find(c, "system qos", ""), key);
}

static bool is_on(const char *word)
{
	return word && !strcmp(word, "on");
}

/* Each number of "0-3,5". */
static void each_of_list(const char *list, void (*each)(void *ctx, unsigned n), void *ctx)
{
	while (list && *list) {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (end == list)
			return;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (unsigned long i = first; i <= last && i < 64; i++)
			each(ctx, i);
		list = *end == ',' ? end + 1 : NULL;
	}
}

struct put_byte {
	uint8_t *array;
	unsigned n;
	uint8_t value;
};

static void put_byte(void *ctx, unsigned n)
{
	struct put_byte *put = ctx;

	if (n < put->n)
		put->array[n] = put->value;
}

/* Lines "WORD N LIST-WORD LIST" of a map: array[each of LIST] = N. */
static void read_map(const struct dell_block *map, const char *form, uint8_t *array, unsigned width)
{
	for (size_t i = 0; map && i < map->n; i++) {
		char list[200];
		unsigned n;
		struct put_byte put = { array, width, 0 };

		if (sscanf(map->lines[i], form, &n, list) != 2)
			continue;
		put.value = n & 7;
		each_of_list(list, put_byte, &put);
	}
}

static void read_maps(const struct dell_config *c, const char *port, struct sim_qos *qos)
{
	const char *trust = port_or_system(c, port, "trust-map dscp ");
	const char *queues = port_or_system(c, port, "qos-map traffic-class ");

	memset(qos->dscp_prio, 0, sizeof(qos->dscp_prio));
	if (trust)
		read_map(find(c, "trust dscp-map ", trust), "qos-group %u dscp %199s", qos->dscp_prio, 64);
	for (unsigned i = 0; i < SIM_PRIOS; i++)
		qos->prio_queue[i] = i;
	if (queues)
		read_map(find(c, "qos-map traffic-class ", queues), "queue %u qos-group %199s", qos->prio_queue,
			 SIM_PRIOS);
}

static void read_wred(const struct dell_config *c, const char *name, unsigned queue, struct sim_qos *qos)
{
	const struct dell_block *wred = find(c, "wred ", name);
	const char *green = value(wred, "random-detect color green ");
	unsigned min_kb, max_kb, drop_pct;

	if (!green || !value(wred, "random-detect ecn") ||
	    sscanf(green, "minimum-threshold %u maximum-threshold %u drop-probability %u", &min_kb, &max_kb,
		   &drop_pct) != 3)
		return;
	qos->ecn[queue] = true;
	qos->kmin[queue] = min_kb * 1000;
	qos->kmax[queue] = max_kb * 1000;
	qos->pmax[queue] = drop_pct / 100.0;
}

/* The number a class-map matches, or -1. */
static int matched(const struct dell_config *c, const char *kind, const struct dell_block *class, const char *key)
{
	const char *said = value(find(c, kind, class->header + strlen("class ")), key);

	return said ? atoi(said) & 7 : -1;
}

static void read_queuing(const struct dell_config *c, const char *port, struct sim_qos *qos)
{
	const char *name = dell_if_value(c, port, "service-policy output type queuing ");
	const struct dell_block *policy = name ? find(c, "policy-map type queuing ", name) : NULL;

	memset(qos->ecn, 0, sizeof(qos->ecn));
	memset(qos->strict, 0, sizeof(qos->strict));
	memset(qos->share, 0, sizeof(qos->share));
	for (size_t i = 0; policy && i < c->n; i++) {
		const struct dell_block *class = &c->blocks[i];
		const char *percent, *wred;
		int queue;

		if (!class->header || class->parent != policy - c->blocks)
			continue;
		queue = matched(c, "class-map type queuing ", class, "match queue ");
		if (queue < 0)
			continue;
		percent = value(class, "bandwidth percent ");
		wred = value(class, "random-detect ");
		qos->share[queue] = percent ? atoi(percent) : 0;
		qos->strict[queue] = value(class, "priority") != NULL;
		if (wred)
			read_wred(c, wred, queue, qos);
	}
}

static void set_flag(void *ctx, unsigned n)
{
	if (n < SIM_PRIOS)
		((bool *)ctx)[n] = true;
}

static void read_pfc(const struct dell_config *c, const char *port, struct sim_qos *qos)
{
	const char *name = dell_if_value(c, port, "service-policy input type network-qos ");
	const struct dell_block *policy = name ? find(c, "policy-map type network-qos ", name) : NULL;

	memset(qos->pfc, 0, sizeof(qos->pfc));
	if (!policy || !is_on(dell_if_value(c, port, "priority-flow-control mode ")))
		return;
	for (size_t i = 0; i < c->n; i++) {
		const struct dell_block *class = &c->blocks[i];
		bool listed[SIM_PRIOS] = { false };
		int group;

		if (!class->header || class->parent != policy - c->blocks || !value(class, "pause"))
			continue;
		group = matched(c, "class-map type network-qos ", class, "match qos-group ");
		each_of_list(value(class, "pfc-cos "), set_flag, listed);
		if (group >= 0 && listed[group])
			qos->pfc[group] = true;
	}
}

void dell_to_sim(const struct dell_config *c, const char *port, struct sim_qos *qos)
{
	const char *mtu = dell_if_value(c, port, "mtu ");

	qos->mtu = mtu ? atoi(mtu) : OS10_MTU_DEFAULT;
	qos->pause_rx = is_on(dell_if_value(c, port, "flowcontrol receive "));
	qos->pause_tx = is_on(dell_if_value(c, port, "flowcontrol transmit "));
	qos->watchdog = false;	/* OS10 has none */
	read_maps(c, port, qos);
	read_queuing(c, port, qos);
	read_pfc(c, port, qos);
}
