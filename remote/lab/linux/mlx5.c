#include "remote/lab/linux/mlx5.h"

#include "remote/lab/linux/breed.h"

#define CELL_BYTES	128
/*
 * A real link is down for 1 to 3 s. The tests of fabcon watch a change for a second, and take back what is down at its end: a
 * tidy host is quicker.
 */
#define DOWN_TIDY_MS	100
#define DOWN_SLOW_MS	1000

static unsigned draw(const struct fabric *f, const struct lab_port *p, unsigned below)
{
	uint64_t hash = (f->seed + 1) * 0x9e3779b97f4a7c15u ^ (uint64_t)f->now_us * 0xd6e8feb86659fd93u ^ (uint64_t)(p - f->ports);

	hash ^= hash >> 31;
	return hash % below;
}

static bool has_pfc(const struct host_port *nic)
{
	for (unsigned i = 0; i < SIM_PRIOS; i++)
		if (nic->pfc[i])
			return true;
	return false;
}

/* Both are the one register PFCC: a write of the one clears the other. */
void mlx5_set_pfc(struct fabric *f, struct lab_port *p, const uint32_t pfc[8])
{
	const struct breed *breed = breed_of(port_device(f, p));
	unsigned least_ms;

	if (!memcmp(p->nic.pfc, pfc, sizeof(p->nic.pfc)))
		return;
	memcpy(p->nic.pfc, pfc, sizeof(p->nic.pfc));
	if (breed->is_without_dscp)
		p->nic.pause_rx = p->nic.pause_tx = !has_pfc(&p->nic);	/* mlx4 en_dcb_nl.c: without any PFC the link's pause is on */
	if (!breed->is_mlx5)
		return;
	p->nic.pause_rx = p->nic.pause_tx = 0;
	least_ms = wears(port_device(f, p), SKIN_SLOW_TRAINING) ? DOWN_SLOW_MS : DOWN_TIDY_MS;
	fabric_retrain(f, p, (int64_t)(least_ms + draw(f, p, 2 * least_ms)) * 1000);
}

static bool is_lossless(const struct host_port *nic, unsigned buffer)
{
	for (unsigned i = 0; i < 8; i++)
		if (nic->prio_buffer[i] == buffer && (nic->pfc[i] || nic->pause_rx || nic->pause_tx))
			return true;
	return false;
}

bool mlx5_takes_buffers(const struct fabric *f, const struct lab_port *p, const struct host_port *wanted)
{
	uint64_t mbps = p->speed_bps / 1000000, total = 0, margin;

	if (!wears(port_device(f, p), SKIN_BUFFERS_CHECKED))
		return true;
	mbps = mbps < 40000 ? 40000 : mbps;
	margin = (301 + 216 * (uint64_t)wanted->cable_m / 100) * mbps / 1000 + 272 * (uint64_t)wanted->mtu / 100;
	for (unsigned i = 0; i < 8; i++) {
		total += wanted->buffer_bytes[i];
		if (is_lossless(wanted, i) && wanted->buffer_bytes[i] < margin + MLX5_MAX_MTU + CELL_BYTES)
			return false;
	}
	return total <= MLX5_BUFFER_BYTES;
}
