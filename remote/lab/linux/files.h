/* A Linux host's own files, and what they share with its tools. */
#ifndef REMOTE_LAB_LINUX_FILES_H
#define REMOTE_LAB_LINUX_FILES_H

#include <stdio.h>

#include "remote/lab/world/fabric.h"

#define HOST_CMDLINE	"BOOT_IMAGE=/boot/vmlinuz-5.15.0-91-generic root=/dev/mapper/ubuntu--vg-ubuntu--lv ro iommu=pt"

/* A port's PCI address: two ports of a bond are functions of one NIC. */
static inline void port_pci(const struct lab_port *p, char out[16])
{
	unsigned functions = p->is_member ? 2 : 1;

	snprintf(out, 16, "0000:%02x:00.%u", 0x1a + (p->number - 1) / functions * 8, (p->number - 1) % functions);
}

/* Link state and counters, of ports and their RDMA devices. is_first: those too that stay as they are. */
void files_put_counters(const struct fabric *f, const struct lab_device *d, bool is_first, const char *dir);
/* hw_counters of its RDMA device, each in form: "%s %llu ". Those of an interface that is a member are of the bond. */
void files_print_rdma_counters(const struct fabric *f, const struct lab_port *p, const char *form, struct buf *out);

#endif
