#include "remote/lab/linux/job_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/linux/breed.h"
#include "remote/lab/linux/files.h"
#include "remote/lab/linux/functions.h"
#include "remote/lab/server/view.h"
#include "remote/lab/world/skins.h"

#define SECRET		"HF_TOKEN=" LAB_SECRET "OfTheJob"	/* beside NCCL's variables: never to leave the host */

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

/* -- the process -- */

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
		if (port_has_rdma(&f->ports[d->first + k]) && !f->ports[d->first + k].harm.is_left_out)
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
	view_link(dir, d, "proc/4711/fd/20", "/dev/infiniband/uverbs0");
	environment(f, d, &env);
	put_bytes(d, dir, "proc/4711/environ", &env);
	buf_done(&env);
}

static const char modules[] =
	"rdma_ucm 28672 0 - Live 0x0000000000000000\n"
	"rdma_cm 122880 1 rdma_ucm, Live 0x0000000000000000\n"
	"%s"
	"%s 471040 0 - Live 0x0000000000000000\n"
	"%s"
	"ib_core 438272 4 rdma_ucm,rdma_cm,%s,ib_uverbs, Live 0x0000000000000000\n"
	"%s 2084864 1 %s, Live 0x0000000000000000\n";

static const char boot_unit[] =
	"[Unit]\nDescription=RoCE settings of the NICs\nAfter=network-pre.target\n\n[Service]\nType=oneshot\n"
	"ExecStart=/bin/sh -c 'for i in eth2 eth3; do mlnx_qos -i $i --trust dscp --pfc 0,0,0,1,0,0,0,0; done'\n\n"
	"[Install]\nWantedBy=multi-user.target\n";

/* What sets the NICs' QoS at boot: a unit; without systemd a script of OpenRC. */
static void put_boot(const struct lab_device *d, const char *dir)
{
	bool is_systemd = !wears(d, SKIN_BUSYBOX) && !wears(d, SKIN_NO_SYSTEMD);
	const char *path = is_systemd ? "etc/systemd/system/roce-qos.service" : "etc/local.d/roce.start";

	/* a folder that is there where systemd runs; in it what Ubuntu's netplan makes */
	if (is_systemd)
		view_put(dir, d, "run/systemd/system/netplan-ovs-cleanup.service", "[Unit]\nDescription=OpenVSwitch configuration for cleanup\n");
	view_put(dir, d, path, boot_unit);
	if (d->job.is_without_boot)
		view_put(dir, d, path, "[Unit]\nDescription=nothing yet\n");
}

void job_put_files(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	const struct breed *breed = breed_of(d);
	char text[1024];

	put_process(f, d, dir);
	snprintf(text, sizeof(text), modules,
		 d->job.is_without_peermem ? "" : "nvidia_peermem 16384 0 - Live 0x0000000000000000\n",
		 breed->rdma_driver,
		 d->job.is_without_uverbs ? "" : "ib_uverbs 163840 3 rdma_ucm, Live 0x0000000000000000\n", breed->rdma_driver,
		 breed->driver, breed->rdma_driver);
	view_put(dir, d, "proc/modules", text);
	put_boot(d, dir);
	if (!breed->is_ofed)
		return;
	view_put(dir, d, "run/mellanox/drivers/.driver-ready", "");
	if (d->job.is_without_driver)
		view_remove(dir, d, "run/mellanox/drivers/.driver-ready");
}

/* -- its ports -- */

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
		view_link(dir, d, path, target);
	else
		view_remove(dir, d, path);
	snprintf(path, sizeof(path), "sys/class/infiniband/%s", p->rdma);
	snprintf(target, sizeof(target), "../../devices/pci0000:00/%s/infiniband/%s", pci, p->rdma);
	if (p->harm.is_soft)
		view_remove(dir, d, path);
	else
		view_link(dir, d, path, target);
}

void job_put_port_files(const struct lab_device *d, const struct lab_port *p, const char *dir)
{
	char pci[16], path[128], number[16];

	port_pci(p, pci);
	put_pcie(d, p, pci, dir);
	snprintf(path, sizeof(path), "sys/devices/pci0000:00/%s/sriov_numvfs", pci);
	snprintf(number, sizeof(number), "%u\n", vf_number(d, p));
	view_put(dir, d, path, number);
	if (!p->is_member)
		put_soft(d, p, pci, dir);
}
