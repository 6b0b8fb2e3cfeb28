/* The faults of a host: of its NICs and cables, of the job that runs there, and of what the host lacks for it. */
#include <string.h>

#include "core/application/application.h"
#include "remote/lab/linux/breed.h"
#include "remote/lab/linux/linux.h"

/* -- its ports -- */

/* Only the vendor's driver can force a ToS on every queue pair. */
static void force_tos(const struct fabric *f, struct lab_port *p, uint32_t tos)
{
	if (breed_of(port_device(f, p))->is_ofed)
		p->nic.tos_force = tos;
}

/* The cables of this port and of the node's next one (or of the next node's) are swapped; twice is as before. */
static void miswire(struct fabric *f, struct lab_port *p, bool on)
{
	const struct lab_device *d = port_device(f, p);
	struct lab_port *q = p->number < d->n ? p + 1 : d->n > 1 ? p - 1 : &f->ports[(p - f->ports + 1) % f->n_ports];
	struct lab_port *far_p = port_peer(f, p), *far_q = port_peer(f, q);

	(void)on;
	if (!far_p || !far_q || far_p == q)
		return;
	fabric_cable(f, p, NULL);
	fabric_cable(f, q, NULL);
	fabric_cable(f, p, far_q);
	fabric_cable(f, q, far_p);
}

static void slow_receiver(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.drain_bps = on ? p->speed_bps * 0.25 : 0;
}

/* As measured in NVIDIA/dgx-spark-playbooks pull 108. */
static void rate_cap(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.cap_bps = on ? 13.3e9 : 0;
}

static void pause_storm(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.is_storming = on;
}

static void bad_cable(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.frame_error = on ? 1e-3 : 0;
}

/* Of 100G in four lanes this is 1.5e-5 of all bits: FEC corrects them, and is near its limit. */
static void weak_lane(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.weak_lane_ber = on ? 6e-5 : 0;
}

static void tos_104(struct fabric *f, struct lab_port *p, bool on)
{
	p->nic.tos_cma = on ? 104 : 106;
	force_tos(f, p, p->nic.tos_cma);
}

static void link_down(struct fabric *f, struct lab_port *p, bool on)
{
	p->harm.is_down = on;
	fabric_refresh(f, NULL);
}

/* NCCL_IB_TC would mark the packets of each port: it is not set, and the node's other ports force a ToS. */
static void tos_0(struct fabric *f, struct lab_port *p, bool on)
{
	port_device(f, p)->job.has_no_tc = on;
	force_tos(f, p, on ? TOS_UNSET : 106);
	p->nic.tos_cma = on ? 0 : 106;
}

static void module_missing(struct fabric *f, struct lab_port *p, bool on)
{
	port_device(f, p)->job.is_without_uverbs = on;
}

static void no_address(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.has_no_address = on;
}

/* -- its job -- */

static struct lab_job *job(struct fabric *f, struct lab_port *p)
{
	return &port_device(f, p)->job;
}

/* Where a ToS is forced on every queue pair the variable would change nothing: it is forced no longer. */
static void nccl_tc_unset(struct fabric *f, struct lab_port *p, bool on)
{
	struct lab_device *d = port_device(f, p);

	d->job.has_no_tc = on;
	for (unsigned k = 0; k < d->n; k++) {
		force_tos(f, &f->ports[d->first + k], on ? TOS_UNSET : 106);
		f->ports[d->first + k].nic.tos_app = on ? 0 : TOS_UNSET;
	}
}

static void nccl_socket(struct fabric *f, struct lab_port *p, bool on)
{
	job(f, p)->is_without_ib = on;
}

/* The job begins anew, without the port or with it. */
static void hca_unused(struct fabric *f, struct lab_port *p, bool on)
{
	char pattern[sizeof(f->traffic)];

	p->harm.is_left_out = on;
	memcpy(pattern, f->traffic, sizeof(pattern));
	fabric_traffic(f, pattern);
}

static void gid_index_v1(struct fabric *f, struct lab_port *p, bool on)
{
	job(f, p)->has_v1_gid = on;
}

static void memlock_low(struct fabric *f, struct lab_port *p, bool on)
{
	job(f, p)->has_little_memlock = on;
}

static void soft_roce(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.is_soft = on;
}

static void gpudirect_missing(struct fabric *f, struct lab_port *p, bool on)
{
	job(f, p)->is_without_peermem = on;
}

static void driver_not_ready(struct fabric *f, struct lab_port *p, bool on)
{
	job(f, p)->is_without_driver = on;
}

static void qos_not_kept(struct fabric *f, struct lab_port *p, bool on)
{
	job(f, p)->is_without_boot = on;
}

static void vf_unset(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.has_no_vf = on;
}

static void wrong_firmware(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.has_old_firmware = on;
}

/* Half of what the link brings gets through to memory. */
static void pcie_degraded(struct fabric *f, struct lab_port *p, bool on)
{
	unsigned lanes = 1;

	(void)f;
	while (lanes < 16 && pcie_bps(8000000000u, lanes * 2) < (double)p->speed_bps * 0.75)
		lanes *= 2;
	p->harm.pcie_lanes = on ? lanes : 0;
	p->harm.drain_bps = on ? pcie_bps(8000000000u, lanes) : 0;
}

static void nccl_retries(struct fabric *f, struct lab_port *p, bool on)
{
	job(f, p)->is_retrying = on;
}

const struct lab_fault lab_linux_faults[] = {
	{ "miswire",		miswire },
	{ "slow-receiver",	slow_receiver },
	{ "rate-cap",		rate_cap },
	{ "pause-storm",	pause_storm },
	{ "bad-cable",		bad_cable },
	{ "weak-lane",		weak_lane },
	{ "tos-104",		tos_104 },
	{ "nccl-tc-unset",	nccl_tc_unset },
	{ "nccl-socket",	nccl_socket },
	{ "hca-unused",		hca_unused },
	{ "gid-index-v1",	gid_index_v1 },
	{ "memlock-low",	memlock_low },
	{ "soft-roce",		soft_roce },
	{ "gpudirect-missing",	gpudirect_missing },
	{ "driver-not-ready",	driver_not_ready },
	{ "qos-not-kept",	qos_not_kept },
	{ "vf-unset",		vf_unset },
	{ "wrong-firmware",	wrong_firmware },
	{ "pcie-degraded",	pcie_degraded },
	{ "nccl-retry-errors",	nccl_retries },
	{ "link-down",		link_down },
	{ "no-address",		no_address },
	{ "tos-0",		tos_0 },
	{ "module-missing",	module_missing },
	{ NULL },
};
