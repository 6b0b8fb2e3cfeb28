#include "remote/lab/sonic/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "remote/lab/sonic/click.h"
#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/tools.h"
#include "remote/lab/world/skins.h"

static struct sonic_caches *caches_of(const struct tool_call *t)
{
	return &sonic_of(t->device)->caches;
}

static const struct lab_port *port_at(const struct tool_call *t, unsigned i)
{
	return &t->fabric->ports[t->device->first + i];
}

void caches_done(struct sonic_caches *c)
{
	for (unsigned i = 0; i < CACHE_KINDS; i++)
		free(c->of[i].ports);
	*c = (struct sonic_caches){ 0 };
}

/* No counter of a difference is below 0. */
static void less(uint64_t *now, const uint64_t *then, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		now[i] = now[i] > then[i] ? now[i] - then[i] : 0;
}

/* What tables of SONiC show of it. */
static void take_off(const struct sim_counters *then, struct sim_counters *c)
{
	less(c->rx_packets, then->rx_packets, SIM_PRIOS);
	less(c->tx_packets, then->tx_packets, SIM_PRIOS);
	less(c->rx_bytes, then->rx_bytes, SIM_PRIOS);
	less(c->tx_bytes, then->tx_bytes, SIM_PRIOS);
	less(c->rx_drop, then->rx_drop, SIM_PRIOS);
	less(c->tx_drop, then->tx_drop, SIM_PRIOS);
	less(c->marked, then->marked, SIM_PRIOS);
	less(c->pfc_rx, then->pfc_rx, SIM_PRIOS);
	less(c->pfc_tx, then->pfc_tx, SIM_PRIOS);
	less(c->pfc_rx_xon, then->pfc_rx_xon, SIM_PRIOS);
	less(&c->phy_err, &then->phy_err, 1);
	less(&c->fec_corr, &then->fec_corr, 1);
	less(c->rx_control, then->rx_control, SIM_PRIOS);
	less(c->tx_control, then->tx_control, SIM_PRIOS);
	for (unsigned i = 0; i < SIM_PRIOS; i++)
		c->pfc_rx_us[i] = c->pfc_rx_us[i] > then->pfc_rx_us[i] ? c->pfc_rx_us[i] - then->pfc_rx_us[i] : 0;
}

static enum counter_table table_of(enum cache_kind kind)
{
	return kind == CACHE_QUEUES || kind == CACHE_WRED ? COUNTERS_OF_QUEUE : COUNTERS_OF_PORT;
}

static void save(const struct tool_call *t, enum cache_kind kind)
{
	struct sonic_caches *c = caches_of(t);

	if (!c->of[kind].ports)
		c->of[kind].ports = xcalloc(t->device->n, sizeof(*c->of[kind].ports));
	for (unsigned i = 0; i < t->device->n; i++)
		fabric_counters_of(t->fabric, port_at(t, i), table_of(kind), &c->of[kind].ports[i]);
	c->of[kind].at_us = t->fabric->now_us;
}

/* Somebody did as the lab began: what was before is saved. */
static void save_history(const struct tool_call *t, enum cache_kind kind)
{
	struct sonic_caches *c = caches_of(t);

	if (c->of[kind].ports || t->device->boots || !wears(t->device, SKIN_COUNTERS_CLEARED))
		return;
	save(t, kind);
	c->of[kind].at_us = 0;
	for (unsigned i = 0; i < t->device->n; i++) {
		struct sim_counters since;

		counters_true(t->fabric, port_at(t, i), &since);
		take_off(&since, &c->of[kind].ports[i]);
	}
}

void cache_counters(const struct tool_call *t, const struct lab_port *p, enum cache_kind kind, struct sim_counters *out)
{
	const struct sim_counters *then;

	save_history(t, kind);
	then = caches_of(t)->of[kind].ports;
	fabric_counters_of(t->fabric, p, table_of(kind), out);
	if (then)
		take_off(&then[p->number - 1], out);
}

bool cache_time(const struct tool_call *t, enum cache_kind kind, char out[40])
{
	const struct sonic_caches *c = caches_of(t);
	size_t n;
	time_t s;
	struct tm tm;

	save_history(t, kind);
	if (!c->of[kind].ports)
		return false;
	s = LAB_BEGINS_S + c->of[kind].at_us / 1000000;
	gmtime_r(&s, &tm);
	n = strftime(out, 40, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(out + n, 40 - n, ".%06u", (unsigned)(c->of[kind].at_us % 1000000));
	return true;
}

bool cache_print_time(const struct tool_call *t, enum cache_kind kind, const char *port)
{
	char text[40];

	if (!cache_time(t, kind, text))
		return false;
	buf_printf(t->out, "%s%sLast cached time was %s\n", port, *port ? " " : "", text);
	return true;
}

/* -- sonic-clear -- */

static void clear_queues(struct tool_call *t, enum cache_kind kind)
{
	save(t, kind);
	for (unsigned i = 0; i < t->device->n; i++)
		buf_printf(t->out, "Clear and update saved counters for %s\n", port_at(t, i)->name);
}

int tool_sonic_clear(struct tool_call *t)
{
	const char *word = t->argc > 1 ? t->argv[1] : "";

	if (is_word(word, "counters")) {
		save(t, CACHE_PORTS);
		buf_str(t->out, "Cleared counters\n");
	} else if (is_word(word, "pfccounters")) {
		save(t, CACHE_PFC);
		buf_str(t->out, "Clear saved PFC counters and history\n");
	} else if (is_word(word, "queuecounters")) {
		clear_queues(t, CACHE_QUEUES);
	} else if (is_word(word, "queue") && t->argc > 2 && is_word(t->argv[2], "wredcounters")) {
		clear_queues(t, CACHE_WRED);
	} else {
		return click_refuse(t, 1, true, "No such command \"%s\".", word);
	}
	buf_str(t->out, "\n");
	return 0;
}
