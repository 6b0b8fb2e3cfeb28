/* A Linux host's own files, and what they share with its tools. */
#ifndef REMOTE_LAB_LINUX_FILES_H
#define REMOTE_LAB_LINUX_FILES_H

#include "remote/lab/world/fabric.h"

/* A port's PCI address. */
void port_pci(const struct lab_port *p, char out[16]);

/* Link state and counters, of ports and their RDMA devices. is_first: those too that stay as they are. */
void files_put_counters(const struct fabric *f, const struct lab_device *d, bool is_first, const char *dir);

#endif
