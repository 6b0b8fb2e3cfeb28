#include "remote/lab/world/job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/application/application.h"
#include "remote/lab/server/view.h"

#define PID		4711
#define SECRET		"HF_TOKEN=" LAB_SECRET "OfTheJob"	/* beside NCCL's variables: never to leave the host */

static void remove_file(const struct lab_device *d, const char *dir, const char *path)
{
	char *full = xasprintf("%s/nodes/%s/%s", dir, d->name, path);

	if (unlink(full) && errno != ENOENT)
		perror(full);
	free(full);
}

static void link_file(const struct lab_device *d, const char *dir, const char *path, const char *target)
{
	char *full = xasprintf("%s/nodes/%s/%s", dir, d->name, path);

	if (symlink(target, full) && errno != EEXIST)
		perror(full);
	free(full);
}

/* Bytes that hold NULs: view_put() takes text. */
static void put_bytes(const struct lab_device *d, const char *dir, const char *path, const struct buf *bytes)
{
	char *full = xasprintf("%s/nodes/%s/%s", dir, d->name, path);
	FILE *file = fopen(full, "we");

	if (file) {
		fwrite(bytes->text, 1, bytes->n, file);
		fclose(file);
	}
	free(full);
}

/* ---- the process ---- */

static void add_variable(struct buf *out, const char *text)
{
	buf_add(out, text, strlen(text) + 1);
}

static void environment(const struct fabric *f, const struct lab_device *d, struct buf *out)
{
	struct buf hcas = { 0 };

	add_variable(out, "PATH=/usr/bin:/bin");
	add_variable(out, SECRET);
	add_variable(out, "NCCL_DEBUG=INFO");
	for (unsigned k = 0; k < d->n; k++)
		if (!f->ports[d->first + k].is_member || k == 0)
			buf_printf(&hcas, "%s%s", hcas.n ? "," : "NCCL_IB_HCA=", f->ports[d->first + k].rdma);
	add_variable(out, hcas.text ? hcas.text : "NCCL_IB_HCA=");
	add_variable(out, d->job.has_v1_gid ? "NCCL_IB_GID_INDEX=2" : "NCCL_IB_GID_INDEX=3");
	if (!d->job.has_no_tc)
		add_variable(out, "NCCL_IB_TC=106");
	if (d->job.is_without_ib)
		add_variable(out, "NCCL_IB_DISABLE=1");
	buf_done(&hcas);
}

static void put_process(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	struct buf env = { 0 };
	char limits[256];

	view_put(dir, d, "proc/4711/comm", "python3\n");
	snprintf(limits, sizeof(limits),
		 "Limit                     Soft Limit           Hard Limit           Units     \n"
		 "Max locked memory         %-20s %-20s bytes     \n",
		 d->job.has_little_memlock ? "65536" : "unlimited", d->job.has_little_memlock ? "65536" : "unlimited");
	view_put(dir, d, "proc/4711/limits", limits);
	view_put(dir, d, "proc/4711/fd/0", "");
	link_file(d, dir, "proc/4711/fd/20", "/dev/infiniband/uverbs0");
	environment(f, d, &env);
	put_bytes(d, dir, "proc/4711/environ", &env);
	buf_done(&env);
}

static const char modules[] =
	"rdma_ucm 28672 0 - Live 0x0000000000000000\n"
	"rdma_cm 122880 1 rdma_ucm, Live 0x0000000000000000\n"
	"%s"
	"mlx5_ib 471040 0 - Live 0x0000000000000000\n"
	"%s"
	"ib_core 438272 4 rdma_ucm,rdma_cm,mlx5_ib,ib_uverbs, Live 0x0000000000000000\n"
	"mlx5_core 2084864 1 mlx5_ib, Live 0x0000000000000000\n";

void job_view(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	char text[1024];

	put_process(f, d, dir);
	snprintf(text, sizeof(text), modules,
		 d->job.is_without_peermem ? "" : "nvidia_peermem 16384 0 - Live 0x0000000000000000\n",
		 d->job.is_without_uverbs ? "" : "ib_uverbs 163840 3 rdma_ucm,mlx5_ib, Live 0x0000000000000000\n");
	view_put(dir, d, "proc/modules", text);
	view_put(dir, d, "run/mellanox/drivers/.driver-ready", "");
	if (d->job.is_without_driver)
		remove_file(d, dir, "run/mellanox/drivers/.driver-ready");
}

/* ---- its ports ---- */

static void put_pcie(const struct lab_device *d, const struct lab_port *p, const char *pci, const char *dir)
{
	static const char *const names[] = { "current_link_speed", "max_link_speed", "current_link_width", "max_link_width" };
	const char *values[] = { "32.0 GT/s PCIe\n", "32.0 GT/s PCIe\n", "16\n", "16\n" };
	char path[128], width[16];

	if (p->harm.pcie_lanes) {
		snprintf(width, sizeof(width), "%u\n", p->harm.pcie_lanes);
		values[0] = "8.0 GT/s PCIe\n";
		values[2] = width;
	}
	for (size_t i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "sys/devices/pci0000:00/%s/%s", pci, names[i]);
		view_put(dir, d, path, values[i]);
	}
}

/* The interface's RDMA device is a soft one, and the hardware's is gone from the class. */
static void put_soft(const struct lab_device *d, const struct lab_port *p, const char *pci, const char *dir)
{
	char path[160], target[160], text[48];

	snprintf(path, sizeof(path), "sys/devices/virtual/infiniband/rxe%u/parent", p->number - 1);
	snprintf(text, sizeof(text), "%s\n", p->name);
	view_put(dir, d, path, text);
	snprintf(path, sizeof(path), "sys/devices/virtual/infiniband/rxe%u/ports/1/state", p->number - 1);
	view_put(dir, d, path, "4: ACTIVE\n");
	snprintf(path, sizeof(path), "sys/devices/virtual/infiniband/rxe%u/ports/1/link_layer", p->number - 1);
	view_put(dir, d, path, "Ethernet\n");
	snprintf(path, sizeof(path), "sys/class/infiniband/rxe%u", p->number - 1);
	snprintf(target, sizeof(target), "../../devices/virtual/infiniband/rxe%u", p->number - 1);
	if (p->harm.is_soft)
		link_file(d, dir, path, target);
	else
		remove_file(d, dir, path);
	snprintf(path, sizeof(path), "sys/class/infiniband/%s", p->rdma);
	snprintf(target, sizeof(target), "../../devices/pci0000:00/%s/infiniband/%s", pci, p->rdma);
	if (p->harm.is_soft)
		remove_file(d, dir, path);
	else
		link_file(d, dir, path, target);
}

void job_port_view(const struct fabric *f, const struct lab_device *d, const struct lab_port *p, const char *dir)
{
	char pci[16], path[128];

	(void)f;
	port_pci(p, pci);
	put_pcie(d, p, pci, dir);
	snprintf(path, sizeof(path), "sys/devices/pci0000:00/%s/sriov_numvfs", pci);
	view_put(dir, d, path, p->harm.has_no_vf ? "0\n" : "8\n");
	if (!p->is_member)
		put_soft(d, p, pci, dir);
}

/* ---- its log ---- */

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
		if (!first[k].is_member || k == 0)
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

void job_log(const struct fabric *f, struct buf *out)
{
	unsigned of = 0, rank = 0;

	for (size_t i = 0; i < f->n_devices; i++)
		of += f->devices[i].os == OS_LINUX;
	buf_str(out, "NCCL version 2.21.5+cuda12.4\n");
	for (size_t i = 0; i < f->n_devices; i++)
		if (f->devices[i].os == OS_LINUX)
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
