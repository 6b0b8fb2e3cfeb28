/*
 * rping and ibv_rc_pingpong of rdma-core 44. Neither is told a traffic class: rping's ToS is the RDMA CM's of its device, the other's
 * is 0. rping's server listens at the RDMA CM: nothing of it is in /proc/net/tcp, as with the real one.
 *
 * Unproven: errors of the RDMA CM where a link is down or a source address is not its own; what a server says whose client has gone.
 */
#include <arpa/inet.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/linux/link_tools.h"

#define RPING_PORT	7174
#define RPING_SIZE	64
#define PINGPONG_PORT	18515
#define EINVAL_STATUS	22
#define FOREVER		1000000000000ull	/* pings without a count */

struct pinger {
	struct link_process process;	/* first */
	char device[32], host[64], source[64];
	unsigned tcp_port;
	int gid_index;			/* -1: not asked for */
	bool is_client, is_verbose;
};

static int fail(struct tool_call *t, struct pinger *p, int status, const char *text)
{
	return link_process_fail(t, &p->process, status, text);
}

static bool is_going_on(const struct pinger *p)
{
	return p->process.end.state == LINK_WAITS || p->process.end.state == LINK_RUNS;
}

/* -- rping -- */

static void print_pings(struct pinger *p, const char *form, uint64_t n)
{
	char text[4096];
	unsigned start = 65;

	for (uint64_t ping = 0; ping < n; ping++) {
		size_t size = p->process.end.size < sizeof(text) ? p->process.end.size : sizeof(text) - 1;
		size_t at = (size_t)snprintf(text, sizeof(text), "rdma-ping-%llu: ", (unsigned long long)ping);

		for (unsigned c = start; at < size; at++, c = c == 122 ? 65 : c + 1)
			text[at] = (char)c;
		text[size - 1] = '\0';
		start = start == 122 ? 65 : start + 1;
		buf_printf(&p->process.going.out, form, text);
	}
}

static bool rping_step(struct tool_going *g)
{
	struct pinger *p = (struct pinger *)g;
	struct link_end *end = &p->process.end;

	if (is_going_on(p))
		return false;
	if (end->state == LINK_UNJOINED) {
		buf_str(&g->errors, "setup_qp failed: -1\n");
		g->status = 255;
	} else if (end->state == LINK_RETRIES) {
		buf_str(&g->errors, p->is_client ? "cq completion failed status 12\nwait for RDMA_WRITE_ADV state 11\nrping client failed: -1\n"
						 : "cq completion failed status 12\nwait for RDMA_READ_COMPLETE state 11\n");
		g->status = 255;
	} else {
		if (p->is_verbose && end->state == LINK_WELL)
			print_pings(p, p->is_client ? "ping data: %s\n" : "server ping data: %s\n", end->iterations);
		buf_str(&g->errors, p->is_client ? "client DISCONNECT EVENT...\n"
						 : "server DISCONNECT EVENT...\nwait for RDMA_READ_ADV state 10\n");
	}
	return true;
}

static bool rping_options(struct pinger *p, struct tool_call *t, bool *is_server)
{
	int option;

	optind = 0;
	opterr = 0;
	while ((option = getopt(t->argc, t->argv, "a:I:Pp:C:S:t:scvVdq")) != -1)
		switch (option) {
		case 'a':
			snprintf(p->host, sizeof(p->host), "%s", optarg);
			break;
		case 'I':
			snprintf(p->source, sizeof(p->source), "%s", optarg);
			break;
		case 'p':
			p->tcp_port = (unsigned)strtoul(optarg, NULL, 10) & 0xffff;
			break;
		case 'C':
			p->process.end.iterations = strtoull(optarg, NULL, 10) ? strtoull(optarg, NULL, 10) : FOREVER;
			break;
		case 'S':
			p->process.end.size = strtoull(optarg, NULL, 10);
			break;
		case 's':
			*is_server = true;
			break;
		case 'c':
			p->is_client = true;
			break;
		case 'v':
			p->is_verbose = true;
			break;
		case '?':
			return false;
		default:
			break;
		}
	return p->is_client || *is_server;
}

static int rping_usage(struct tool_call *t, struct pinger *p)
{
	buf_str(&p->process.going.out, "rping -s [-vVd] [-S size] [-C count] [-a addr] [-p port]\n"
				       "rping -c [-vVd] [-S size] [-C count] [-I addr] -a addr [-p port]\n");
	return fail(t, p, EINVAL_STATUS, "");
}

/*
 * Of the source address, where there is one; else the RDMA CM takes the device by the route: the port of the other's network, which is
 * of its number. NULL: the source address is none of its own.
 */
static struct lab_port *port_towards(const struct tool_call *t, const char *source, const struct lab_port *far)
{
	struct lab_port *own = NULL;

	if (*source)
		return host_of(t, source, &own) == t->device ? own : NULL;

	for (unsigned i = 0; far && i < t->device->n; i++)
		if (t->fabric->ports[t->device->first + i].number == far->number)
			return &t->fabric->ports[t->device->first + i];
	return t->device->n ? &t->fabric->ports[t->device->first] : NULL;
}

static void take_device(struct pinger *p, const struct lab_port *port, unsigned gid_index)
{
	struct link_end *end = &p->process.end;
	unsigned char gid[GID_BYTES];

	end->port = (unsigned)(port - p->process.fabric->ports);
	end->gid_index = gid_index;
	end->is_v1 = gid_index % 2 == 0;
	rdma_gid(port, gid_index, gid);
	end->has_gid = !is_empty_gid(gid);
	end->tcp_port = p->tcp_port;
}

static int rping_serve(struct tool_call *t, struct pinger *p)
{
	struct lab_port *far = NULL, *port;

	if (*p->host)
		host_of(t, p->host, &far);
	port = far && port_device(t->fabric, far) == t->device ? far : rdma_device(t, NULL);
	take_device(p, port, 3);
	p->process.end.tos = (uint8_t)port->nic.tos_cma;
	if (!link_process_serve(&p->process))
		return fail(t, p, 255, "rdma_bind_addr: Address already in use\n");
	t->going = &p->process.going;
	return 0;
}

static int rping_connect(struct tool_call *t, struct pinger *p)
{
	struct lab_port *far, *port;
	struct lab_device *d = host_of(t, p->host, &far);
	struct link_end *server;

	if (!d) {
		buf_str(&p->process.going.out, "getaddrinfo failed (Name or service not known) - invalid hostname or IP address\n");
		return fail(t, p, 254, "");
	}
	port = port_towards(t, p->source, far);
	if (!port)
		return fail(t, p, 255, "rdma_resolve_addr: Cannot assign requested address\n");
	if (!far || port->harm.has_no_address || port->harm.is_soft || !port_is_up(t->fabric, port))
		return fail(t, p, 255, "cma event RDMA_CM_EVENT_ADDR_ERROR, error -19\nwaiting for addr/route resolution state 1\n");
	if (!port_is_up(t->fabric, far))
		return fail(t, p, 255, "cma event RDMA_CM_EVENT_ADDR_ERROR, error -110\nwaiting for addr/route resolution state 1\n");
	take_device(p, port, 3);
	p->process.end.tos = (uint8_t)port->nic.tos_cma;
	server = link_listener(t->fabric, d->number, p->tcp_port, true);
	if (!server)
		return fail(t, p, 255, "cma event RDMA_CM_EVENT_REJECTED, error 28\nwait for CONNECTED state 4\nconnect error -1\n");
	/* What comes by that address is that device's. */
	server->port = (unsigned)(far - t->fabric->ports);
	link_process_connect(&p->process, server);
	t->going = &p->process.going;
	return 0;
}

int tool_rping(struct tool_call *t)
{
	struct pinger *p = link_process_new(t, sizeof(*p), rping_step);
	struct link_end *end = &p->process.end;
	bool is_server = false;

	p->tcp_port = RPING_PORT;
	*end = (struct link_end){
		.comm = "rping", .pid = end->pid, .device = end->device, .is_cm = true, .mtu = 4096, .qps = 1, .traffic = LINK_PINGS,
		.size = RPING_SIZE, .iterations = FOREVER,
	};
	if (!rping_options(p, t, &is_server))
		return rping_usage(t, p);
	if (!rdma_device(t, NULL))
		return fail(t, p, 19, "No RDMA devices were detected\n");
	if (is_server && !p->is_client)
		return rping_serve(t, p);
	return rping_connect(t, p);
}

/* -- ibv_rc_pingpong -- */

static void print_address(struct pinger *p, bool is_far)
{
	const struct link_end *end = &p->process.end;
	const struct fabric *f = p->process.fabric;
	unsigned char gid[GID_BYTES] = { 0 };
	unsigned index = is_far ? end->far_gid : end->gid_index;
	char text[INET6_ADDRSTRLEN];

	rdma_gid(&f->ports[is_far ? end->far_port : end->port], index, gid);
	inet_ntop(AF_INET6, gid, text, sizeof(text));
	buf_printf(&p->process.going.out, "  %s LID 0x0000, QPN 0x%06x, PSN 0x%06x, GID %s\n", is_far ? "remote address:" : "local address: ",
		   is_far ? end->far_qpn : end->qpn, is_far ? end->far_psn : end->psn, text);
}

/* The server connects its queue pair first; when it cannot, its client hears nothing more. */
static void fail_unjoined(struct pinger *p)
{
	struct buf *errors = &p->process.going.errors;

	print_address(p, false);
	buf_str(errors, p->is_client ? "client read/write: Success\nCouldn't read/write remote address\n"
				     : "Failed to modify QP to RTR\nCouldn't connect to remote QP\n");
}

static void print_exchanges(struct pinger *p)
{
	const struct link_end *end = &p->process.end;
	double us = 0, bits = 2.0 * (double)end->size * (double)end->iterations * 8;

	for (size_t i = 0; i < end->samples.n; i++)
		us += 2 * end->samples.us[i] / (double)end->samples.n;
	us *= (double)end->iterations;
	buf_printf(&p->process.going.out, "%.0f bytes in %.2f seconds = %.2f Mbit/sec\n%llu iters in %.2f seconds = %.2f usec/iter\n", bits / 8,
		   us / 1e6, bits / us, (unsigned long long)end->iterations, us / 1e6, us / (double)end->iterations);
}

static bool pingpong_step(struct tool_going *g)
{
	struct pinger *p = (struct pinger *)g;

	if (is_going_on(p))
		return false;
	g->status = p->process.end.state == LINK_WELL ? 0 : 1;
	if (p->process.end.state == LINK_UNJOINED) {
		fail_unjoined(p);
		return true;
	}
	print_address(p, false);
	print_address(p, true);
	if (p->process.end.state == LINK_WELL)
		print_exchanges(p);
	else
		buf_str(&g->errors, "Failed status transport retry counter exceeded (12) for wr_id 2\nparse WC failed 1\n");
	return true;
}

static bool pingpong_options(struct pinger *p, struct tool_call *t)
{
	static const struct option options[] = {
		{ "port", 1, NULL, 'p' }, { "ib-dev", 1, NULL, 'd' }, { "ib-port", 1, NULL, 'i' }, { "size", 1, NULL, 's' },
		{ "mtu", 1, NULL, 'm' }, { "rx-depth", 1, NULL, 'r' }, { "iters", 1, NULL, 'n' }, { "sl", 1, NULL, 'l' },
		{ "events", 0, NULL, 'e' }, { "gid-idx", 1, NULL, 'g' }, { "chk", 0, NULL, 'c' }, { NULL, 0, NULL, 0 },
	};
	struct link_end *end = &p->process.end;
	int option;

	optind = 0;
	opterr = 0;
	while ((option = getopt_long(t->argc, t->argv, "p:d:i:s:m:r:n:l:eg:c", options, NULL)) != -1)
		switch (option) {
		case 'p':
			p->tcp_port = (unsigned)strtoul(optarg, NULL, 0) & 0xffff;
			break;
		case 'd':
			snprintf(p->device, sizeof(p->device), "%s", optarg);
			break;
		case 's':
			end->size = strtoull(optarg, NULL, 0);
			break;
		case 'm':
			end->mtu = (unsigned)strtoul(optarg, NULL, 0);
			break;
		case 'n':
			end->iterations = strtoull(optarg, NULL, 0);
			break;
		case 'g':
			p->gid_index = (int)strtol(optarg, NULL, 0);
			break;
		case '?':
			return false;
		default:
			break;
		}
	if (optind < t->argc)
		snprintf(p->host, sizeof(p->host), "%s", t->argv[optind]);
	p->is_client = *p->host != '\0';
	return optind >= t->argc - 1;
}

static int pingpong_serve(struct tool_call *t, struct pinger *p)
{
	char text[64];

	snprintf(text, sizeof(text), "Couldn't listen to port %u\n", p->tcp_port);
	if (!link_process_serve(&p->process))
		return fail(t, p, 1, text);
	t->going = &p->process.going;
	return 0;
}

static int pingpong_connect(struct tool_call *t, struct pinger *p)
{
	bool is_host;
	struct link_end *server = server_at(t, p->host, p->tcp_port, false, &is_host);
	char text[128];

	if (!is_host)
		snprintf(text, sizeof(text), "Name or service not known for %s:%u\n", p->host, p->tcp_port);
	else
		snprintf(text, sizeof(text), "Couldn't connect to %s:%u\n", p->host, p->tcp_port);
	if (!server || strcmp(server->comm, p->process.end.comm))
		return fail(t, p, 1, text);
	link_process_connect(&p->process, server);
	t->going = &p->process.going;
	return 0;
}

int tool_rc_pingpong(struct tool_call *t)
{
	struct pinger *p = link_process_new(t, sizeof(*p), pingpong_step);
	struct link_end *end = &p->process.end;
	struct lab_port *port;
	char text[96];

	p->tcp_port = PINGPONG_PORT;
	p->gid_index = -1;
	*end = (struct link_end){
		.comm = "ibv_rc_pingpong", .pid = end->pid, .device = end->device, .mtu = 1024, .qps = 1, .traffic = LINK_PINGS,
		.size = 4096, .iterations = 1000,
	};
	if (!pingpong_options(p, t))
		return fail(t, p, 1, "");
	port = rdma_device(t, *p->device ? p->device : NULL);
	snprintf(text, sizeof(text), *p->device ? "IB device %s not found\n" : "No IB devices found\n", p->device);
	if (!port)
		return fail(t, p, 1, text);
	snprintf(text, sizeof(text), "can't read sgid of index %d\n", p->gid_index);
	if (p->gid_index >= GIDS_SEEN)
		return fail(t, p, 1, text);
	take_device(p, port, p->gid_index < 0 ? 0 : (unsigned)p->gid_index);
	/* Without -g there is no GRH, which Ethernet cannot do without. */
	end->has_gid = end->has_gid && p->gid_index >= 0 && port_is_up(t->fabric, port);
	return p->is_client ? pingpong_connect(t, p) : pingpong_serve(t, p);
}
