/*
 * A port's counters as its device shows them. What truly passed is the simulation's; a device counts it in its own octets,
 * from its own beginning, and shows what it read last. Everything that prints a counter asks here.
 */
#ifndef REMOTE_LAB_WORLD_COUNTERS_H
#define REMOTE_LAB_WORLD_COUNTERS_H

#include "core/sim/sim.h"

struct fabric;
struct lab_port;

/* Which of a switch's tables: each is refreshed by its own clock. */
enum counter_table { COUNTERS_OF_PORT, COUNTERS_OF_QUEUE, COUNTER_TABLES };

/*
 * As the device shows them now. kernel_*: what a NIC's netdev counts, whatever is not RDMA, which bypasses the kernel.
 * Marks are counted by queue: they are of that table in either.
 */
void fabric_counters_of(const struct fabric *f, const struct lab_port *p, enum counter_table table, struct sim_counters *out);
static inline void fabric_counters(const struct fabric *f, const struct lab_port *p, struct sim_counters *out)
{
	fabric_counters_of(f, p, COUNTERS_OF_PORT, out);
}

/* What truly was since the device's counters began. */
void counters_true(const struct fabric *f, const struct lab_port *p, struct sim_counters *out);

/* They begin again: after a boot, a reload of the driver, a clear command. */
void counters_clear(struct fabric *f, struct lab_port *p);
/* When they began, by the devices' clock; 0: with the fabric. */
int64_t counters_began_us(const struct lab_port *p);
/* us have passed, up to now, and nobody looks before end_us: tables are refreshed. */
void counters_pass(struct fabric *f, int64_t us, int64_t end_us);

/* Means over the last whole ten seconds, for "Input 12345 Mbits/sec" and the like; 0 before there were ten. */
struct port_rates {
	double rx_bps, tx_bps, rx_pps, tx_pps;
};
void fabric_rates(const struct fabric *f, const struct lab_port *p, struct port_rates *out);

/* A number of the port's own for what: the same for the same seed. */
uint64_t port_draw(const struct fabric *f, const struct lab_port *p, const char *what);

#endif
