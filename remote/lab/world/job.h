/*
 * The job that a simulated host runs: one process with NCCL; what a host may lack for it, and what the job's log says.
 * Faults change it; the rest follows.
 */
#ifndef REMOTE_LAB_WORLD_JOB_H
#define REMOTE_LAB_WORLD_JOB_H

#include <stdbool.h>

#include "core/base/mem.h"

struct fabric;
struct lab_device;
struct lab_port;

struct lab_job {
	bool has_no_tc;		/* NCCL_IB_TC is not set, and nothing forces a ToS */
	bool is_without_ib;	/* NCCL_IB_DISABLE=1 */
	bool has_v1_gid;	/* NCCL_IB_GID_INDEX names a RoCE v1 entry */
	bool has_little_memlock;
	bool is_without_peermem;
	bool is_without_uverbs;
	bool is_without_driver;	/* .driver-ready is gone */
	bool is_without_boot;	/* nothing sets the NICs' QoS at boot */
	bool is_retrying;	/* its log holds failed completions */
};

/* DIR/nccl.log, made anew. */
void job_write_log(const struct fabric *f, const char *dir);

#endif
