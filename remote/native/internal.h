/* Inside the native reader alone. */
#ifndef REMOTE_NATIVE_INTERNAL_H
#define REMOTE_NATIVE_INTERNAL_H

#include "remote/native/machine.h"

struct native {
	struct machine *machine;
	const char *names;		/* ports that count without hardware, or NULL */
	char **ports;			/* of /sys/class/net that we work with, sorted */
	size_t n_ports;
	bool is_bare;			/* no port has hardware */
	bool has_rdma;			/* an RDMA device with hardware */
};

/* A reply in the form of the probe's tool; returns its exit status. port: that is asked about, or NULL. */
typedef int native_teller(struct native *n, const char *port, struct buf *out);

/* ports.c: as the functions of that name in the collector's prelude. */
bool native_is_soft(const struct native *n, const char *port);
bool native_is_representor(const char *port);
bool native_is_nic(const struct native *n, const char *port);
bool native_is_fabric(const struct native *n, const char *port);
bool native_port_has(const char *port, const char *what);	/* /sys/class/net/PORT/WHAT */

/* Its kernel driver; empty: it has none. */
void native_driver_of(const char *port, char *out, size_t size);

/* files.c: each line of a file that is not empty, behind its path. */
void native_add_file(const char *path, struct buf *out);
native_teller native_host, native_net, native_link, native_lsmod, native_rdma, native_rdma_counters, native_tos, native_pcie;
/* settings.c */
native_teller native_settings, native_ecn;
/* ethtool.c */
native_teller native_statistics, native_driver, native_pause, native_fec;
/* dcb.c */
native_teller native_dcb;

#endif
