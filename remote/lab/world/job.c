#include "remote/lab/world/job.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/world/fabric.h"

#define PID		4711

#define LINE(...) (buf_printf(out, "%s:%u:%u [0] ", d->name, PID, PID + 20), buf_printf(out, __VA_ARGS__), buf_str(out, "\n"))

static void log_network(const struct fabric *f, const struct lab_device *d, struct buf *out)
{
	const struct lab_port *first = &f->ports[d->first];

	if (d->job.is_without_ib) {
		LINE("NCCL INFO NCCL_IB_DISABLE set by environment to 1.");
		LINE("NCCL INFO NET/IB : No device found.");
		LINE("NCCL INFO NET/Socket : Using [0]eth0:10.0.0.%u<0>", (unsigned)(d - f->devices) + 1);
		LINE("NCCL INFO Using network Socket");
		return;
	}
	buf_printf(out, "%s:%u:%u [0] NCCL INFO NET/IB : Using ", d->name, PID, PID + 20);
	for (unsigned k = 0; k < d->n; k++)
		if (port_has_rdma(&first[k]) && !first[k].harm.is_left_out)
			buf_printf(out, "[%u]%s:1/RoCE ", k, first[k].rdma);
	buf_printf(out, "[RO]; OOB eth0:10.0.0.%u<0>\n", (unsigned)(d - f->devices) + 1);
	LINE("NCCL INFO Using network IB");
	LINE("NCCL INFO NCCL_IB_GID_INDEX set by environment to %u.", d->job.has_v1_gid ? 2 : 3);
	if (!d->job.has_no_tc)
		LINE("NCCL INFO NCCL_IB_TC set by environment to 106.");
}

static void log_host(const struct fabric *f, const struct lab_device *d, unsigned rank, unsigned of, struct buf *out)
{
	const char *net = d->job.is_without_ib ? "NET/Socket/0" : d->job.is_without_peermem ? "NET/IB/0" : "NET/IB/0/GDRDMA";

	log_network(f, d, out);
	LINE("NCCL INFO ncclCommInitRank comm 0x5612d31d6590 rank %u nranks %u cudaDev 0 nvmlDev 0 busId 69000 commId 0xef3a - "
	     "Init START", rank, of);
	if (d->job.is_without_peermem)
		LINE("NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 '%s'", f->ports[d->first].rdma);
	LINE("NCCL INFO Channel 00/0 : %u[0] -> %u[0] [receive] via %s", (rank + of - 1) % of, rank, net);
	if (d->job.has_little_memlock)
		LINE("misc/ibvwrap.cc:203 NCCL WARN Call to ibv_reg_mr failed with error Cannot allocate memory");
	LINE("NCCL INFO Connected all rings");
	if (d->job.is_retrying)
		LINE("transport/net_ib.cc:2453 NCCL WARN NET/IB: Got completion from peer 10.0.0.%u<51161> with status=12 opcode=0 len=0 "
		     "vendor err 129 (Send) localGid ::ffff:10.0.0.1 remoteGids::ffff:10.0.0.2 hca %s", (rank + 1) % of + 1,
		     f->ports[d->first].rdma);
}

/* The log of the job, of all hosts, as NCCL_DEBUG=INFO has it. */
static void job_log(const struct fabric *f, struct buf *out)
{
	unsigned of = 0, rank = 0;

	for (size_t i = 0; i < f->n_devices; i++)
		of += !f->devices[i].system->is_switch;
	buf_str(out, "NCCL version 2.21.5+cuda12.4\n");
	for (size_t i = 0; i < f->n_devices; i++)
		if (!f->devices[i].system->is_switch)
			log_host(f, &f->devices[i], rank++, of, out);
}

void job_write_log(const struct fabric *f, const char *dir)
{
	struct buf text = { 0 };
	char *path = xasprintf("%s/nccl.log", dir);
	FILE *file = fopen(path, "we");

	job_log(f, &text);
	if (file) {
		fwrite(text.text, 1, text.n, file);
		fclose(file);
	}
	buf_done(&text);
	free(path);
}
