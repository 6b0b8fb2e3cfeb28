/*
 * iperf3, as far as a link test uses it: one client (-s -1), UDP at all it can (-u -b 0), sums in JSON (-J -i 0). Texts and JSON of
 * iperf 3.12 (Debian 12), as it ran between two network namespaces. Without those options it is refused: TCP, rates, intervals.
 *
 * Unproven: how much the kernel of such a host sends (world/link_test.c). The real one loses at the receiver's socket too, and this one
 * does not.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/linux/link_tools.h"

#define IPERF_PORT	5201
#define HEADERS		52	/* of IPv4 and TCP with its options: what iperf3 takes from the MTU, for UDP too */
#define UNLIMITED	"0"

struct iperf {
	struct link_process process;	/* first */
	char host[64], own[64];
	unsigned tcp_port, duration_s;
	bool is_server, is_once, is_udp, is_json, is_unlimited, has_no_intervals;
};

/* -- options -- */

static bool take_option(struct iperf *p, int option, const char *value)
{
	switch (option) {
	case 's':
		p->is_server = true;
		break;
	case '1':
		p->is_once = true;
		break;
	case 'u':
		p->is_udp = true;
		break;
	case 'J':
		p->is_json = true;
		break;
	case 'b':
		p->is_unlimited = !strcmp(value, UNLIMITED);
		break;
	case 'i':
		p->has_no_intervals = !strcmp(value, UNLIMITED);
		break;
	case 'S':
		p->process.end.tos = (uint8_t)strtoul(value, NULL, 0);
		break;
	case 't':
		p->duration_s = (unsigned)strtoul(value, NULL, 10);
		break;
	case 'p':
		p->tcp_port = (unsigned)strtoul(value, NULL, 10) & 0xffff;
		break;
	case 'c':
		snprintf(p->host, sizeof(p->host), "%s", value);
		break;
	case 'B':
		snprintf(p->own, sizeof(p->own), "%s", value);
		break;
	default:
		return false;
	}
	return true;
}

static bool read_options(struct iperf *p, struct tool_call *t)
{
	int option;

	optind = 0;
	opterr = 0;
	while ((option = getopt(t->argc, t->argv, "s1uJb:i:S:t:p:c:B:")) != -1)
		if (!take_option(p, option, optarg))
			return false;
	if (optind < t->argc || p->is_server == (*p->host != '\0'))
		return false;
	return p->is_server ? p->is_once : p->is_udp && p->is_json && p->is_unlimited && p->has_no_intervals && p->duration_s;
}

/* -- texts -- */

static void print_listening(struct iperf *p)
{
	static const char rule[] = "-----------------------------------------------------------\n";

	buf_printf(&p->process.going.out, "%sServer listening on %u (test #1)\n%s", rule, p->tcp_port, rule);
}

static void print_start(struct iperf *p)
{
	buf_printf(&p->process.going.out, "{\n\t\"start\":\t{\n\t\t\"version\":\t\"iperf 3.12\",\n"
		   "\t\t\"test_start\":\t{\n\t\t\t\"protocol\":\t\"UDP\",\n"
		   "\t\t\t\"num_streams\":\t1,\n\t\t\t\"blksize\":\t%llu,\n\t\t\t\"duration\":\t%u,\n\t\t\t\"tos\":\t%u\n\t\t}\n\t},\n"
		   "\t\"intervals\":\t[],\n", (unsigned long long)p->process.end.size, p->duration_s, p->process.end.tos);
}

static void print_error(struct iperf *p, const char *error)
{
	buf_str(&p->process.going.out, "{\n\t\"start\":\t{\n\t\t\"connected\":\t[],\n"
				       "\t\t\"version\":\t\"iperf 3.12\"\n\t},\n\t\"intervals\":\t[],\n"
				       "\t\"end\":\t{\n\t},\n");
	buf_printf(&p->process.going.out, "\t\"error\":\t\"%s\"\n}\n", error);
}

static void print_sum(struct iperf *p, const char *key, double bytes, unsigned long long sent, unsigned long long lost, bool is_last)
{
	const struct link_end *end = &p->process.end;
	double seconds = (double)(end->until_us - end->from_us) / 1e6;

	buf_printf(&p->process.going.out, "\t\t\"%s\":\t{\n\t\t\t\"start\":\t0,\n\t\t\t\"end\":\t%.6f,\n\t\t\t\"seconds\":\t%.6f,\n"
		   "\t\t\t\"bytes\":\t%.0f,\n\t\t\t\"bits_per_second\":\t%.6f,\n\t\t\t\"jitter_ms\":\t0.004,\n\t\t\t\"lost_packets\":\t%llu,\n"
		   "\t\t\t\"packets\":\t%llu,\n\t\t\t\"lost_percent\":\t%.6f\n\t\t}%s\n", key, seconds, seconds, bytes,
		   seconds > 0 ? bytes * 8 / seconds : 0, lost, sent, sent ? 100.0 * (double)lost / (double)sent : 0, is_last ? "" : ",");
}

static void print_end(struct iperf *p)
{
	const struct link_end *end = &p->process.end;
	unsigned long long sent = (unsigned long long)(end->sent_bytes / (double)end->size);
	unsigned long long arrived = (unsigned long long)(end->until_bytes / (double)end->size);
	unsigned long long lost = sent > arrived ? sent - arrived : 0;

	print_start(p);
	buf_str(&p->process.going.out, "\t\"end\":\t{\n");
	print_sum(p, "sum", end->sent_bytes, sent, lost, false);
	print_sum(p, "sum_sent", end->sent_bytes, sent, 0, false);
	print_sum(p, "sum_received", end->until_bytes, sent, lost, true);
	buf_str(&p->process.going.out, "\t}\n}\n");
}

/* -- the run -- */

/* Of what goes wrong later only the client speaks here. */
static bool step(struct tool_going *g)
{
	struct iperf *p = (struct iperf *)g;
	enum link_state state = p->process.end.state;

	if (state == LINK_WAITS || state == LINK_RUNS)
		return false;
	if (p->is_server && state != LINK_WELL)
		buf_str(&g->errors, "iperf3: error - unable to receive control message - port may not be available, the other side may have "
				    "stopped running, etc.: Connection reset by peer\n");
	else if (!p->is_server && state == LINK_WELL)
		print_end(p);
	else if (!p->is_server)
		print_error(p, "unable to receive control message - port may not be available, the other side may have stopped running, "
			       "etc.: Connection reset by peer");
	return true;
}

static int serve(struct tool_call *t, struct iperf *p)
{
	print_listening(p);
	if (link_process_serve(&p->process)) {
		t->going = &p->process.going;
		return 0;
	}
	return link_process_fail(t, &p->process, 1, "iperf3: error - unable to start listener for connections: Address already in use\n"
						    "iperf3: exiting\n");
}

/* Its status is 0 with JSON, whatever happened. */
static int fail(struct tool_call *t, struct iperf *p, const char *error)
{
	print_error(p, error);
	return link_process_fail(t, &p->process, 0, "");
}

static int connect_to(struct tool_call *t, struct iperf *p)
{
	bool is_host;
	struct link_end *server = server_at(t, p->host, p->tcp_port, false, &is_host);

	if (!server || strcmp(server->comm, p->process.end.comm))
		return fail(t, p, "unable to connect to server: Connection refused");
	link_process_connect(&p->process, server);
	t->going = &p->process.going;
	return 0;
}

int tool_iperf3(struct tool_call *t)
{
	struct iperf *p = link_process_new(t, sizeof(*p), step);
	struct link_end *end = &p->process.end;
	struct lab_port *own = NULL;

	end->comm = "iperf3";
	end->traffic = LINK_STREAM;
	end->qps = 1;
	end->has_gid = true;
	p->tcp_port = IPERF_PORT;
	if (!read_options(p, t))
		return link_process_fail(t, &p->process, 1, "iperf3: parameter error - unknown or unsupported in the lab\n");
	if (host_of(t, p->own, &own) != t->device || !own)
		return p->is_server ? link_process_fail(t, &p->process, 1, "iperf3: error - unable to start listener for connections: Cannot "
							"assign requested address\niperf3: exiting\n")
				    : fail(t, p, "unable to connect to server: Cannot assign requested address");
	end->port = (unsigned)(own - t->fabric->ports);
	end->tcp_port = p->tcp_port;
	end->size = end->mtu = own->nic.mtu - HEADERS;
	end->duration_us = (int64_t)p->duration_s * 1000000;
	return p->is_server ? serve(t, p) : connect_to(t, p);
}
