#include "remote/lab/world/fault_sets.h"

void host_link_down(struct fabric *f, struct lab_port *p, bool on)
{
	p->harm.is_down = on;
	fabric_refresh(f, NULL);
}

void host_pfc_wrong(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.pfc[3] = !on;
	p->nic.pfc[4] = on;
}

void host_prio_tc(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.prio_tc[3] = on ? 0 : 3;
}

void host_cnp_map(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.dscp_prio[48] = on ? 0 : 6;
}

void host_best_effort(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.dscp_prio[0] = on ? 3 : 0;
}

void host_iscsi(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.dscp_prio[4] = on ? 3 : 0;
}

void host_dcqcn(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	host_port_set(&p->nic, FIELD_CC_AI_RATE, 0, on ? 1000 : 5);
	host_port_set(&p->nic, FIELD_CC_HAI_RATE, 0, on ? 5000 : 50);
}

void host_tos_0(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.tos_force = on ? TOS_UNSET : 106;
	p->nic.tos_cma = on ? 0 : 106;
}

void host_ets_sum(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.share_pct[3] = on ? 40 : 60;
}

void host_ets_roce(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.share_pct[3] = on ? 10 : 60;
	p->nic.share_pct[0] = on ? 70 : 20;
}

void host_mtu_small(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.mtu = on ? 1500 : 9000;
}

void host_buffer_shared(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.prio_buffer[0] = on;
}

void host_dcbx_firmware(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.dcbx = on ? DCBX_FW : DCBX_OS;
}

void host_module_missing(struct fabric *f, struct lab_port *p, bool on)
{
	port_device(f, p)->job.is_without_uverbs = on;
}

void host_no_address(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.has_no_address = on;
}
