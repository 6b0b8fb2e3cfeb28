#include "remote/lab/linux/link_tools.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/server/view.h"

#define FIRST_IPV4_GID	2

/* -- RDMA devices -- */

struct lab_port *rdma_device(const struct tool_call *t, const char *name)
{
	for (unsigned i = 0; !t->device->job.is_without_uverbs && i < t->device->n; i++) {
		struct lab_port *p = &t->fabric->ports[t->device->first + i];

		if (!p->harm.is_soft && (!name || !strcmp(name, p->rdma)))
			return p;
	}
	return NULL;
}

bool rdma_gid(const struct lab_port *p, unsigned index, unsigned char gid[GID_BYTES])
{
	unsigned m[6] = { 0 };

	memset(gid, 0, GID_BYTES);
	if (index >= GIDS_SEEN)
		return false;
	sscanf(p->mac, "%x:%x:%x:%x:%x:%x", &m[0], &m[1], &m[2], &m[3], &m[4], &m[5]);
	if (index < FIRST_IPV4_GID) {
		unsigned char local[GID_BYTES] = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0, (unsigned char)(m[0] ^ 2), (unsigned char)m[1],
						   (unsigned char)m[2], 0xff, 0xfe, (unsigned char)m[3], (unsigned char)m[4],
						   (unsigned char)m[5] };

		memcpy(gid, local, GID_BYTES);
	} else if (index < FIRST_IPV4_GID + 2 && !p->harm.has_no_address) {
		uint32_t ip = htonl(p->ip);

		gid[10] = gid[11] = 0xff;
		memcpy(gid + 12, &ip, sizeof(ip));
	}
	return true;
}

bool is_empty_gid(const unsigned char gid[GID_BYTES])
{
	static const unsigned char empty[GID_BYTES];

	return !memcmp(gid, empty, GID_BYTES);
}

unsigned rdma_mtu(unsigned mtu, unsigned *code)
{
	unsigned size = 4096;

	for (*code = 5; size > 256 && size + 96 > mtu; size /= 2)
		(*code)--;
	return size;
}

unsigned rdma_active_mtu(const struct fabric *f, const struct lab_port *p)
{
	unsigned code;

	return rdma_mtu(p->is_member ? port_device(f, p)->bond_mtu : p->nic.mtu, &code);
}

/* -- other hosts -- */

struct lab_device *host_of(const struct tool_call *t, const char *word, struct lab_port **port)
{
	struct lab_device *d = fabric_device(t->fabric, span_of(word));
	struct in_addr at;

	*port = NULL;
	if (!strcmp(word, "localhost") || !strcmp(word, "127.0.0.1"))
		return t->device;
	if (d && !d->system->is_switch)
		return d;
	if (inet_pton(AF_INET, word, &at) != 1)
		return NULL;
	for (size_t i = 0; i < t->fabric->n_ports; i++) {
		struct lab_port *p = &t->fabric->ports[i];

		if (!port_is_host(t->fabric, p) || p->ip != ntohl(at.s_addr) || p->harm.has_no_address)
			continue;
		*port = p;
		return port_device(t->fabric, p);
	}
	return NULL;
}

/* Whether a connection to it comes about, if somebody listens. */
static bool is_reached(const struct tool_call *t, const struct lab_device *d, const struct lab_port *port)
{
	if (d == t->device)
		return true;
	return !d->is_unreachable && !d->is_cut && (!port || port_is_up(t->fabric, port));
}

struct link_end *server_at(const struct tool_call *t, const char *word, unsigned tcp_port, bool is_cm, bool *is_host)
{
	struct lab_port *port;
	const struct lab_device *d = host_of(t, word, &port);

	*is_host = d != NULL;
	return d && is_reached(t, d, port) ? link_listener(t->fabric, d->number, tcp_port, is_cm) : NULL;
}

/* -- sockets -- */

struct socket_rows {
	struct buf *out;
	unsigned n;
};

/* Addresses as the kernel prints them: the bytes of an address as the machine has them. */
static void add_socket(struct socket_rows *rows, uint32_t ip, unsigned port, uint32_t far_ip, unsigned far_port, unsigned state)
{
	char text[160];

	snprintf(text, sizeof(text), "%4u: %08X:%04X %08X:%04X %02X 00000000:00000000 00:00000000 00000000     0        0 %u 1 "
		 "0000000000000000 100 0 0 10 %d", rows->n, htonl(ip), port, htonl(far_ip), far_port, state, 20311 + rows->n * 17,
		 state == 0x0A ? 0 : -1);
	buf_printf(rows->out, "%-149s\n", text);
	rows->n++;
}

static void add_end(struct socket_rows *rows, const struct fabric *f, const struct link_end *e)
{
	uint32_t ip = f->ports[e->port].ip, far_ip = f->ports[e->far_port].ip;
	unsigned client_port = 40000 + e->number % 20000;

	if (e->is_cm)
		return;
	if (e->is_server && e->state == LINK_WAITS)
		add_socket(rows, 0, e->tcp_port, 0, 0, 0x0A);
	else if (e->partner)
		add_socket(rows, ip, e->is_server ? e->tcp_port : client_port, far_ip,
			   e->is_server ? 40000 + e->partner->number % 20000 : e->tcp_port, 0x01);
}

void sockets_put(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	static const char head[] = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
	static const char head6[] = "  sl  local_address                         remote_address                        st tx_queue rx_queue tr "
				    "tm->when retrnsmt   uid  timeout inode\n"
				    "   0: 00000000000000000000000000000000:0016 00000000000000000000000000000000:0000 0A "
				    "00000000:00000000 00:00000000 00000000     0        0 20313 1 0000000000000000 100 0 0 10 0\n";
	struct buf text = { NULL };
	struct socket_rows rows = { &text, 0 };

	buf_printf(&text, "%-149s\n", head);
	add_socket(&rows, 0, 22, 0, 0, 0x0A);
	for (const struct link_end *e = f->tests; e; e = e->next)
		if (&f->devices[e->device] == d)
			add_end(&rows, f, e);
	view_put(dir, d, "proc/net/tcp", text.text);
	view_put(dir, d, "proc/net/tcp6", head6);
	buf_done(&text);
}

/* -- processes -- */

static void sockets_again(struct link_process *p)
{
	sockets_put(p->fabric, p->device, server_dir(p->server));
}

static void link_process_free(struct tool_going *g)
{
	struct link_process *p = (struct link_process *)g;

	if (p->is_known) {
		link_leave(p->fabric, &p->end);
		sockets_again(p);
	}
	buf_done(&g->out);
	buf_done(&g->errors);
	free(p);
}

void *link_process_new(struct tool_call *t, size_t size, bool (*step)(struct tool_going *g))
{
	struct link_process *p = xcalloc(1, size);

	p->going.step = step;
	p->going.free = link_process_free;
	p->fabric = t->fabric;
	p->server = t->server;
	p->device = t->device;
	p->end.comm = t->argv[0];
	p->end.pid = t->pid;
	p->end.device = t->device->number;
	return p;
}

bool link_process_serve(struct link_process *p)
{
	p->end.is_server = true;
	p->is_known = link_serve(p->fabric, &p->end);
	sockets_again(p);
	return p->is_known;
}

void link_process_connect(struct link_process *client, struct link_end *server)
{
	struct lab_device *d = &client->fabric->devices[server->device];

	link_connect(client->fabric, &client->end, server);
	client->is_known = true;
	sockets_again(client);
	if (d->view)
		sockets_put(client->fabric, d, server_dir(client->server));
}

int link_process_fail(struct tool_call *t, struct link_process *p, int status, const char *text)
{
	buf_add(t->out, p->going.out.text ? p->going.out.text : "", p->going.out.n);
	buf_add(t->errors, p->going.errors.text ? p->going.errors.text : "", p->going.errors.n);
	buf_str(t->errors, text);
	link_process_free(&p->going);
	return status;
}
