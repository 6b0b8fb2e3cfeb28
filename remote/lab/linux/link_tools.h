/* What the tools that test a link share: RDMA devices and their GIDs, other hosts, and the sockets of a host. */
#ifndef REMOTE_LAB_LINUX_LINK_TOOLS_H
#define REMOTE_LAB_LINUX_LINK_TOOLS_H

#include "remote/lab/linux/tools.h"
#include "remote/lab/world/link_test.h"

#define GIDS_SEEN	8	/* entries of a GID table (files.c) */
#define GID_BYTES	16

/* A tool's process, from its call on. Tools have more behind it. */
struct link_process {
	struct tool_going going;	/* first */
	struct link_end end;
	struct fabric *fabric;
	struct server *server;
	struct lab_device *device;
	bool is_known;			/* its end is in the table */
};

/* The port of an RDMA device, the first of a bond's; name NULL: of the first device. NULL: there is none. */
struct lab_port *rdma_device(const struct tool_call *t, const char *name);
/* False: beyond the table. An empty entry is all zeros. */
bool rdma_gid(const struct lab_port *p, unsigned index, unsigned char gid[GID_BYTES]);
bool is_empty_gid(const unsigned char gid[GID_BYTES]);
/* The largest RDMA packet that fits a netdev MTU, and its code. */
unsigned rdma_mtu(unsigned mtu, unsigned *code);
unsigned rdma_active_mtu(const struct fabric *f, const struct lab_port *p);

/* A host by its name, or by an address of a port of it; *port is that port, or NULL. */
struct lab_device *host_of(const struct tool_call *t, const char *word, struct lab_port **port);

/* Who listens there over TCP, by the name or an address of the host; NULL: nobody, or it is not reached. is_host: there is such a host. */
struct link_end *server_at(const struct tool_call *t, const char *word, unsigned tcp_port, bool is_cm, bool *is_host);

/* /proc/net/tcp and tcp6: sshd, and the tools that listen or have met. */
void sockets_put(const struct fabric *f, const struct lab_device *d, const char *dir);

/* Of size bytes, a new struct that begins with a link_process. */
void *link_process_new(struct tool_call *t, size_t size, bool (*step)(struct tool_going *g));
/* It listens; false: its port is taken. */
bool link_process_serve(struct link_process *p);
void link_process_connect(struct link_process *client, struct link_end *server);
/* A tool that has failed at once: what it says on standard error, and its status. */
int link_process_fail(struct tool_call *t, struct link_process *p, int status, const char *text);

int rdma_resource(struct tool_call *t, bool is_json);

#endif
