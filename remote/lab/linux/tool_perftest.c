/*
 * ib_write_bw, ib_read_bw and ib_write_lat: texts of perftest 4.5 (v4.5-0.17, its formats and its order). Output is buffered as that of
 * a program whose output is no terminal: it comes at the end, standard error after it. Options that are not in the table below are
 * refused as unknown: both ways (-b), all sizes (-a), JSON, CUDA. The second that the real one sleeps before it begins is left out.
 *
 * Unproven, from its source alone: what a server says whose client has gone; failures of -R; "Outstand reads".
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/linux/link_tools.h"

#define RULE		"---------------------------------------------------------------------------------------\n"
#define TCP_PORT	18515
#define NO_TOS		(-1)
#define MODERATED_TO	8192	/* bytes; completions of larger messages are not moderated */

enum perf_tool { WRITE_BW, READ_BW, WRITE_LAT, PERF_TOOLS };

static const struct {
	const char *name, *title;
	enum link_traffic traffic;
	unsigned size, iterations, tx_depth, inline_bytes;
} tools[PERF_TOOLS] = {
	[WRITE_BW] = { "ib_write_bw", "RDMA_Write BW", LINK_WRITES, 65536, 5000, 128, 0 },
	[READ_BW] = { "ib_read_bw", "RDMA_Read BW", LINK_READS, 65536, 1000, 128, 0 },
	[WRITE_LAT] = { "ib_write_lat", "RDMA_Write Latency", LINK_PINGS, 2, 1000, 1, 220 },
};

struct perf {
	struct link_process process;	/* first */
	enum perf_tool tool;
	char device[32];		/* "": not asked for */
	char host[64];			/* "": a server */
	int gid_index;			/* -1: not asked for */
	int tclass, tos;
	unsigned tcp_port, mtu;
	bool is_gbits, is_cm;
};

static bool is_bw(const struct perf *p)
{
	return p->tool != WRITE_LAT;
}

/* -- options -- */

enum long_only { OPT_GBITS = 256, OPT_TCLASS, OPT_IGNORED, OPT_IGNORED_VALUE };

static const struct option long_options[] = {
	{ "port", 1, NULL, 'p' }, { "ib-dev", 1, NULL, 'd' }, { "ib-port", 1, NULL, 'i' }, { "mtu", 1, NULL, 'm' },
	{ "size", 1, NULL, 's' }, { "iters", 1, NULL, 'n' }, { "tx-depth", 1, NULL, 't' }, { "qp-timeout", 1, NULL, 'u' },
	{ "sl", 1, NULL, 'S' }, { "gid-index", 1, NULL, 'x' }, { "CPU-freq", 0, NULL, 'F' }, { "connection", 1, NULL, 'c' },
	{ "qp", 1, NULL, 'q' }, { "inline_size", 1, NULL, 'I' }, { "rdma_cm", 0, NULL, 'R' }, { "tos", 1, NULL, 'T' },
	{ "cq-mod", 1, NULL, 'Q' }, { "noPeak", 0, NULL, 'N' }, { "duration", 1, NULL, 'D' }, { "margin", 1, NULL, 'f' },
	{ "report_gbits", 0, NULL, OPT_GBITS }, { "tclass", 1, NULL, OPT_TCLASS },
	{ "disable_pcie_relaxed", 0, NULL, OPT_IGNORED }, { "use_old_post_send", 0, NULL, OPT_IGNORED },
	{ "perform_warm_up", 0, NULL, OPT_IGNORED }, { "retry_count", 1, NULL, OPT_IGNORED_VALUE }, { NULL, 0, NULL, 0 },
};

static unsigned number(const char *text)
{
	return (unsigned)strtoul(text, NULL, 0);
}

static bool take_option(struct perf *p, int option, const char *value)
{
	struct link_end *end = &p->process.end;

	switch (option) {
	case 'p':
		p->tcp_port = number(value) & 0xffff;
		break;
	case 'd':
		snprintf(p->device, sizeof(p->device), "%s", value);
		break;
	case 'm':
		p->mtu = number(value);
		break;
	case 's':
		end->size = strtoull(value, NULL, 0);
		break;
	case 'n':
		end->iterations = strtoull(value, NULL, 0);
		break;
	case 'x':
		p->gid_index = (int)number(value);
		break;
	case 'q':
		end->qps = number(value) ? number(value) : 1;
		break;
	case 'D':
		end->duration_us = (int64_t)number(value) * 1000000;
		break;
	case 'R':
		p->is_cm = true;
		break;
	case 'T':
		p->tos = (int)number(value) & 255;
		break;
	case OPT_TCLASS:
		p->tclass = (int)number(value) & 255;
		break;
	case OPT_GBITS:
		p->is_gbits = true;
		break;
	case '?':
	case ':':
		return false;
	default:	/* takes nothing in the lab */
		break;
	}
	return true;
}

/* The option that was refused, as getopt says it. */
static void refuse_option(struct buf *errors, char **argv)
{
	const char *word = argv[optind - 1];

	if (!strncmp(word, "--", 2))
		buf_printf(errors, "%s: unrecognized option '%s'\n", argv[0], word);
	else
		buf_printf(errors, "%s: invalid option -- '%c'\n", argv[0], optopt);
	buf_str(errors, " Invalid Command or flag.\n Please check command line and run again.\n\n");
}

static bool read_options(struct perf *p, struct tool_call *t)
{
	struct link_end *end = &p->process.end;
	int option;

	optind = 0;
	opterr = 0;
	while ((option = getopt_long(t->argc, t->argv, "p:d:i:m:s:n:t:u:S:x:c:q:I:Q:D:f:T:FNR", long_options, NULL)) != -1)
		if (!take_option(p, option, optarg)) {
			refuse_option(&p->process.going.errors, t->argv);
			return false;
		}
	if (optind < t->argc)
		snprintf(p->host, sizeof(p->host), "%s", t->argv[optind]);
	if (end->duration_us)
		end->iterations = 0;
	if (p->tos != NO_TOS && !p->is_cm) {
		buf_str(&p->process.going.out, " TOS only valid for rdma_cm based QP and RawEth QP \n");
		return false;
	}
	return true;
}

/* -- texts -- */

static void print_info(struct perf *p)
{
	const struct link_end *end = &p->process.end;
	struct buf *out = &p->process.going.out;
	const char *rdma = p->process.fabric->ports[end->port].rdma;

	buf_printf(out, RULE "                    %s Test\n", tools[p->tool].title);
	buf_printf(out, " Dual-port       : OFF\t\tDevice         : %s\n", rdma);
	buf_printf(out, " Number of qps   : %u\t\tTransport type : IB\n", end->qps);
	buf_str(out, " Connection type : RC\t\tUsing SRQ      : OFF\n PCIe relax order: ON\n ibv_wr* API     : ON\n");
	if (!end->is_server)
		buf_printf(out, " TX depth        : %u\n", tools[p->tool].tx_depth);
	if (is_bw(p))
		buf_printf(out, " CQ Moderation   : %u\n", end->size > MODERATED_TO ? 1 : 100);
	buf_printf(out, " Mtu             : %u[B]\n Link type       : Ethernet\n GID index       : %u\n", end->mtu, end->gid_index);
	if (p->tool == READ_BW)
		buf_str(out, " Outstand reads  : 16\n");
	else
		buf_printf(out, " Max inline data : %u[B]\n", tools[p->tool].inline_bytes);
	buf_printf(out, " rdma_cm QPs\t : %s\n Data ex. method : %s", p->is_cm ? "ON" : "OFF", p->is_cm ? "rdma_cm" : "Ethernet");
	if (p->tos != NO_TOS)
		buf_printf(out, " \tTOS    : %d", p->tos);
	if (p->is_cm && end->is_server)
		buf_str(out, "\n" RULE " Waiting for client rdma_cm QP to connect\n"
			     " Please run the same command with the IB/RoCE interface IP");
	buf_str(out, "\n" RULE);
}

static void print_address(struct perf *p, bool is_far, unsigned nth)
{
	const struct link_end *end = &p->process.end;
	const struct fabric *f = p->process.fabric;
	struct buf *out = &p->process.going.out;
	unsigned qpn = (is_far ? end->far_qpn : end->qpn) + nth, psn = (is_far ? end->far_psn : end->psn) + nth * 0x1d2f;
	unsigned char gid[GID_BYTES];

	rdma_gid(&f->ports[is_far ? end->far_port : end->port], is_far ? end->far_gid : end->gid_index, gid);
	buf_printf(out, " %s address: LID 0000 QPN %#06x PSN %#06x", is_far ? "remote" : "local", qpn, psn & 0xffffff);
	if (p->tool == READ_BW)
		buf_str(out, " OUT 0x10");
	buf_printf(out, " RKey %#08x VAddr %#016llx\n GID: ", 0x180000 + qpn, 0x7f0000000000ull + ((unsigned long long)psn << 12));
	for (unsigned i = 0; i < GID_BYTES; i++)
		buf_printf(out, "%s%02d", i ? ":" : "", gid[i]);
	buf_str(out, "\n");
}

static void print_connection(struct perf *p)
{
	const char *unit = p->is_gbits ? "Gb/sec" : "MB/sec";
	struct buf *out = &p->process.going.out;

	print_info(p);
	for (unsigned side = 0; side < 2; side++)
		for (unsigned i = 0; i < p->process.end.qps; i++)
			print_address(p, side, i);
	buf_str(out, RULE);
	if (is_bw(p))
		buf_printf(out, " #bytes     #iterations    BW peak[%s]    BW average[%s]   MsgRate[Mpps]\n", unit, unit);
	else if (p->process.end.iterations)
		buf_str(out, " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   "
			     "99% percentile[usec]   99.9% percentile[usec] \n");
	else
		buf_str(out, " #bytes        #iterations       t_avg[usec]    tps average\n");
}

static void print_bw(struct perf *p)
{
	const struct link_end *end = &p->process.end;
	double bps = link_bps(end), unit = p->is_gbits ? 1e9 : 8.0 * 0x100000;
	double messages = link_bytes(end) / (double)end->size;
	unsigned long long n = end->iterations ? end->iterations * end->qps : (unsigned long long)messages;
	double peak = end->iterations ? (end->peak_bps > bps ? end->peak_bps : bps) / unit : 0;

	const char *form = bps / unit < 0.1 && p->is_gbits ? " %-7llu    %llu           %-7.6f            %-7.6f            %-7.6f\n"
							   : " %-7llu    %-10llu       %-7.2f            %-7.2f\t\t   %-7.6f\n";

	buf_printf(&p->process.going.out, form, (unsigned long long)end->size, n, peak, bps / unit, bps / 8 / (double)end->size / 1e6);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print_lat(struct perf *p)
{
	struct link_end *end = &p->process.end;
	struct link_samples *s = &end->samples;
	double sum = 0, squares = 0, mean;
	struct buf *out = &p->process.going.out;

	qsort(s->us, s->n, sizeof(*s->us), by_size);
	for (size_t i = 0; i < s->n; i++)
		sum += s->us[i];
	mean = sum / (double)s->n;
	for (size_t i = 0; i < s->n; i++)
		squares += (s->us[i] - mean) * (s->us[i] - mean);
	if (!end->iterations) {
		double trips = (double)(end->until_us - end->from_us) / 2 / mean;

		buf_printf(out, " %-7llu       %llu            %-7.2f        %-7.2f\n", (unsigned long long)end->size, (unsigned long long)trips,
			   mean, 1e6 / 2 / mean);
		return;
	}
	buf_printf(out, " %-7llu %llu          %-7.2f        %-7.2f      %-7.2f  \t       %-7.2f     \t%-7.2f\t\t%-7.2f \t\t%-7.2f\n",
		   (unsigned long long)end->size, (unsigned long long)end->iterations, s->us[0], s->us[s->n - 1], s->us[s->n / 2], mean,
		   sqrt(squares / (double)s->n), s->us[(s->n - 1) * 99 / 100], s->us[(s->n - 1) * 999 / 1000]);
}

/* -- the run -- */

static void fail_retries(struct perf *p)
{
	struct buf *errors = &p->process.going.errors;

	buf_printf(errors, " Completion with error at client\n Failed status 12: wr_id 0 syndrom 0x81\nscnt=%u, ccnt=0\n",
		   tools[p->tool].tx_depth);
	buf_str(errors, is_bw(p) ? " Failed to complete run_iter_bw function successfully\n" : "Test exited with Error\n");
}

static void fail_left(struct perf *p)
{
	if (!is_bw(p)) {	/* it writes too, and nobody acknowledges */
		fail_retries(p);
		return;
	}
	buf_str(&p->process.going.errors, "ethernet_read_keys: Couldn't read remote address\n Unable to read to socket/rdma_cm\n"
					  " Failed to exchange data between server and clients\n");
}

static void finish(struct perf *p)
{
	struct tool_going *g = &p->process.going;

	g->status = p->process.end.state == LINK_WELL ? 0 : 1;
	if (p->process.end.state == LINK_UNJOINED) {
		print_info(p);
		buf_printf(&g->errors, "Failed to modify QP %u to RTR\n Unable to Connect the HCA's through the link\n", p->process.end.qpn);
		return;
	}
	print_connection(p);
	if (p->process.end.state == LINK_RETRIES) {
		fail_retries(p);
	} else if (p->process.end.state == LINK_LEFT) {
		fail_left(p);
	} else {
		(is_bw(p) ? print_bw : print_lat)(p);
		buf_str(&g->out, RULE);
	}
}

static bool step(struct tool_going *g)
{
	struct perf *p = (struct perf *)g;
	enum link_state state = p->process.end.state;

	if (state == LINK_WAITS || state == LINK_RUNS)
		return false;
	finish(p);
	return true;
}

/* -- the start -- */

static int fail(struct tool_call *t, struct perf *p, const char *text)
{
	return link_process_fail(t, &p->process, 1, text);
}

static int serve(struct tool_call *t, struct perf *p)
{
	buf_str(&p->process.going.out, "\n************************************\n* Waiting for client to connect... *\n"
				       "************************************\n");
	if (link_process_serve(&p->process)) {
		t->going = &p->process.going;
		return 0;
	}
	if (p->is_cm)
		return fail(t, p, " rdma_bind_addr failed\n Unable to perform rdma_server function\n Unable to init the socket connection\n");
	buf_printf(&p->process.going.errors, "Couldn't listen to port %u\n", p->tcp_port);
	return fail(t, p, "Unable to open file descriptor for socket connection Unable to init the socket connection\n");
}

static int fail_to_connect(struct tool_call *t, struct perf *p)
{
	if (p->is_cm)
		return fail(t, p, "Unexpected CM event bl blka 8\n Unable to perform rdma_client function\n"
				  " Unable to init the socket connection\n");
	buf_printf(&p->process.going.errors, "Couldn't connect to %s:%u\n", p->host, p->tcp_port);
	return fail(t, p, "Unable to open file descriptor for socket connection Unable to init the socket connection\n");
}

static int connect_to(struct tool_call *t, struct perf *p)
{
	bool is_host;
	struct link_end *server = server_at(t, p->host, p->tcp_port, p->is_cm, &is_host);

	if (!is_host) {
		buf_printf(&p->process.going.errors, "Name or service not known for %s:%u\nProblem in resolving basic address and port\n",
			   p->host, p->tcp_port);
		return fail(t, p, "Unable to open file descriptor for socket connection Unable to init the socket connection\n");
	}
	if (!server)
		return fail_to_connect(t, p);
	if (strcmp(server->comm, p->process.end.comm))	/* unproven: two tools that do not understand each other */
		return fail(t, p, " Failed to exchange data between server and clients\n");
	link_process_connect(&p->process, server);
	t->going = &p->process.going;
	return 0;
}

static bool take_gid(struct perf *p, const struct lab_port *port)
{
	struct link_end *end = &p->process.end;
	unsigned char gid[GID_BYTES];
	bool is_there;

	/* Without -x the best one: RoCE v2 and IPv4, else of the link-local address. */
	end->gid_index = p->gid_index >= 0 ? (unsigned)p->gid_index : port->harm.has_no_address ? 1 : 3;
	is_there = rdma_gid(port, end->gid_index, gid);
	end->has_gid = !is_empty_gid(gid);
	end->is_v1 = end->gid_index % 2 == 0;
	return is_there;
}

static void take_mtu(struct perf *p, const struct lab_port *port)
{
	unsigned active = rdma_active_mtu(p->process.fabric, port), code = 1;

	p->process.end.mtu = p->mtu ? p->mtu : active;
	if (p->process.end.mtu <= active)
		return;
	for (unsigned bytes = 256; bytes < active; bytes *= 2)
		code++;
	buf_printf(&p->process.going.out, "Requested mtu is higher than active mtu \nChanging to active mtu - %u\n", code);
	p->process.end.mtu = active;
}

static uint8_t tos_of(const struct perf *p, const struct lab_port *port)
{
	if (!p->is_cm)
		return (uint8_t)p->tclass;
	return (uint8_t)(p->tos != NO_TOS ? (unsigned)p->tos : port->nic.tos_cma);
}

static int begin(struct tool_call *t, struct perf *p)
{
	struct lab_port *port = rdma_device(t, *p->device ? p->device : NULL);

	if (t->device->job.is_without_uverbs)
		return fail(t, p, " Did not detect devices \n If device exists, check if driver is up\n"
				  " Unable to find the Infiniband/RoCE device\n");
	if (!port) {
		buf_printf(&p->process.going.errors, "IB device %s not found\n", p->device);
		return fail(t, p, " Unable to find the Infiniband/RoCE device\n");
	}
	p->process.end.port = (unsigned)(port - t->fabric->ports);
	if (!port_is_up(t->fabric, port) && !port->is_member)
		return fail(t, p, " Port number 1 state is Down\n Couldn't set the link layer\n Couldn't get context for the device\n");
	take_mtu(p, port);
	p->process.end.tos = tos_of(p, port);
	p->process.end.tcp_port = p->tcp_port;
	p->process.end.is_cm = p->is_cm;
	if (!take_gid(p, port))
		return fail(t, p, " Unable to set up socket connection\n");
	return *p->host ? connect_to(t, p) : serve(t, p);
}

int tool_perftest(struct tool_call *t)
{
	struct perf *p = link_process_new(t, sizeof(*p), step);
	struct link_end *end = &p->process.end;

	while (strcmp(tools[p->tool].name, t->argv[0]))
		p->tool++;
	p->gid_index = -1;
	p->tos = NO_TOS;
	p->tcp_port = TCP_PORT;
	end->comm = tools[p->tool].name;
	end->qps = 1;
	end->traffic = tools[p->tool].traffic;
	end->size = tools[p->tool].size;
	end->iterations = tools[p->tool].iterations;
	if (!read_options(p, t))
		return fail(t, p, "");
	return begin(t, p);
}
