#include "remote/lab/world/faults_job.h"

#include "core/application/application.h"

static struct lab_job *job(struct fabric *f, struct lab_port *p)
{
	return &port_device(f, p)->job;
}

/* Where a ToS is forced on every queue pair the variable would change nothing: it is forced no longer. */
void fault_nccl_tc_unset(struct fabric *f, struct lab_port *p, bool on)
{
	struct lab_device *d = port_device(f, p);

	d->job.has_no_tc = on;
	for (unsigned k = 0; k < d->n; k++) {
		f->ports[d->first + k].nic.tos_force = on ? TOS_UNSET : 106;
		f->ports[d->first + k].nic.tos_app = on ? 0 : TOS_UNSET;
	}
}

void fault_nccl_socket(struct fabric *f, struct lab_port *p, bool on)
{
	job(f, p)->is_without_ib = on;
}

void fault_gid_index_v1(struct fabric *f, struct lab_port *p, bool on)
{
	job(f, p)->has_v1_gid = on;
}

void fault_memlock_low(struct fabric *f, struct lab_port *p, bool on)
{
	job(f, p)->has_little_memlock = on;
}

void fault_soft_roce(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.is_soft = on;
}

void fault_gpudirect_missing(struct fabric *f, struct lab_port *p, bool on)
{
	job(f, p)->is_without_peermem = on;
}

void fault_driver_not_ready(struct fabric *f, struct lab_port *p, bool on)
{
	job(f, p)->is_without_driver = on;
}

void fault_vf_unset(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.has_no_vf = on;
}

/* Half of what the link brings gets through to memory. */
void fault_pcie_degraded(struct fabric *f, struct lab_port *p, bool on)
{
	unsigned lanes = 1;

	(void)f;
	while (lanes < 16 && pcie_bps(8000000000u, lanes * 2) < (double)p->speed_bps * 0.75)
		lanes *= 2;
	p->harm.pcie_lanes = on ? lanes : 0;
	p->harm.drain_bps = on ? pcie_bps(8000000000u, lanes) : 0;
}

void fault_nccl_retries(struct fabric *f, struct lab_port *p, bool on)
{
	job(f, p)->is_retrying = on;
}
