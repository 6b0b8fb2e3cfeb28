/* Faults of the application and of what its host lacks for it; their rows are in faults.c. */
#ifndef REMOTE_LAB_WORLD_FAULTS_JOB_H
#define REMOTE_LAB_WORLD_FAULTS_JOB_H

#include "remote/lab/world/fabric.h"

void fault_nccl_tc_unset(struct fabric *f, struct lab_port *p, bool on);
void fault_nccl_socket(struct fabric *f, struct lab_port *p, bool on);
void fault_gid_index_v1(struct fabric *f, struct lab_port *p, bool on);
void fault_memlock_low(struct fabric *f, struct lab_port *p, bool on);
void fault_soft_roce(struct fabric *f, struct lab_port *p, bool on);
void fault_gpudirect_missing(struct fabric *f, struct lab_port *p, bool on);
void fault_driver_not_ready(struct fabric *f, struct lab_port *p, bool on);
void fault_vf_unset(struct fabric *f, struct lab_port *p, bool on);
void fault_pcie_degraded(struct fabric *f, struct lab_port *p, bool on);
void fault_nccl_retries(struct fabric *f, struct lab_port *p, bool on);

#endif
