#include "core/application/nccl.h"

#include <ctype.h>
#include <stdlib.h>

/* -- slices -- */

static struct span after(struct span s, const char *needle)
{
	const char *at = span_find(s, needle);

	return at ? (struct span){ at + strlen(needle), s.n - (size_t)(at - s.p) - strlen(needle) } : (struct span){ NULL, 0 };
}

static struct span before(struct span s, const char *needle)
{
	const char *at = span_find(s, needle);

	return at ? (struct span){ s.p, (size_t)(at - s.p) } : s;
}

/* The number after needle; false when there is none. */
static bool number_after(struct span s, const char *needle, uint64_t *out)
{
	struct span rest = after(s, needle);

	return rest.p && span_take_u64(&rest, out);
}

static struct span word_after(struct span s, const char *needle)
{
	struct span rest = after(s, needle), word = { NULL, 0 };

	if (rest.p)
		span_word(&rest, &word);
	return word;
}

/* The first to say it stands. */
static void say(struct nccl_said *said, struct span text, struct span line)
{
	if (!said->line.p)
		*said = (struct nccl_said){ .text = span_trim(text), .line = line };
}

static void say_number(struct nccl_said *said, uint64_t n, struct span line)
{
	if (!said->line.p)
		*said = (struct nccl_said){ .n = n, .line = line };
}

/* -- the kinds of lines, by noun -- */

/* "NET/IB : Using [0]mlx5_0:1/RoCE [RO]; OOB eth0:10.0.0.1<0>"; "NET/Socket : Using …" may stand beside it in old logs. */
static bool read_using(struct nccl_process *p, struct span m, struct span line)
{
	struct span rest = m, using = after(m, " : Using ");

	if (!span_skip(&rest, "NET/") || !using.p || !span_starts(using, "["))
		return false;
	rest = before(rest, " :");
	if (!p->found.line.p || (span_starts(rest, "IB") && !span_starts(p->found.text, "IB")))
		p->found = (struct nccl_said){ .text = rest, .line = line };
	if (!span_starts(rest, "Socket"))
		say(&p->hcas, before(using, ";"), line);
	return true;
}

static bool read_chosen(struct nccl_process *p, struct span m, struct span line)
{
	struct span name = { NULL, 0 };

	if (span_starts(m, "Using network "))
		name = after(m, "Using network ");
	else if (span_starts(m, "Assigned NET plugin "))
		name = before(after(m, "Assigned NET plugin "), " to comm");
	if (!name.p)
		return false;
	say(&p->chosen, name, line);
	return true;
}

static bool read_none_found(struct nccl_process *p, struct span m, struct span line)
{
	if (!span_starts_nocase(m, "NET/IB") || !span_find(m, "No device found"))
		return false;
	say(&p->none_found, m, line);
	return true;
}

/* "NCCL_IB_TC set by environment to 106.", "NCCL_IB_HCA set to mlx5_0". */
static bool read_env(struct nccl_process *p, struct span m, struct span line)
{
	uint64_t n;

	if (!span_starts(m, "NCCL_") || (!span_find(m, " set by environment to ") && !span_find(m, " set to ")))
		return false;
	if (span_starts(m, "NCCL_IB_"))
		say(&p->env, m, line);
	if (span_starts(m, "NCCL_IB_TC set ") && number_after(m, " to ", &n))
		say_number(&p->tc, n, line);
	else if (span_starts(m, "NCCL_IB_FIFO_TC set ") && number_after(m, " to ", &n))
		say_number(&p->fifo_tc, n, line);
	else if (span_starts(m, "NCCL_IB_GID_INDEX set ") && number_after(m, " to ", &n))
		say_number(&p->gid_index, n, line);
	return true;
}

/* "NET/IB: Dev 0 Port 1 qpn 2234 mtu 3 GID 3 (80FE/…)": the index that a queue pair was made with, over one asked for. */
static bool read_queue_pair(struct nccl_process *p, struct span m, struct span line)
{
	uint64_t n;

	if (!span_starts(m, "NET/IB") || !span_find(m, " qpn ") || !number_after(m, " GID ", &n))
		return false;
	if (!p->gid_index.line.p || !span_find(p->gid_index.line, " qpn "))
		p->gid_index = (struct nccl_said){ .n = n, .line = line };
	return true;
}

/* The reason in parentheses, but for the pieces of a name: "GPU Direct RDMA (DMABUF) enabled for HCA 0 'mlx5_0'". */
static bool read_direct(struct nccl_process *p, struct span m, struct span line)
{
	struct span rest = after(m, "GPU Direct RDMA "), reason = { NULL, 0 };

	if (!rest.p)
		return false;
	if (span_skip(&rest, "("))
		rest = after(rest, ") ");
	if (after(rest, "(").p)
		reason = before(after(rest, "("), ")");
	if (span_starts_nocase(rest, "enabled"))
		say(&p->direct, reason, line);
	else if (span_starts_nocase(rest, "disabled"))
		say(&p->not_direct, reason, line);
	return true;
}

static void note_rank(struct nccl_process *p, uint64_t rank)
{
	uint64_t *bits = rank < 1024 ? &p->ranks_seen[rank / 64] : NULL;

	if (bits && *bits >> rank % 64 & 1)
		return;
	if (bits)
		*bits |= 1ull << rank % 64;
	else if (p->n_ranks && rank == p->last_rank)
		return;
	if (!p->n_ranks || rank < p->first_rank)
		p->first_rank = rank;
	if (!p->n_ranks || rank > p->last_rank)
		p->last_rank = rank;
	p->n_ranks++;
}

/* "Channel 00/0 : 2[0] -> 1[1] [receive] via NET/IB/1/GDRDMA": the rank at our end is the one that receives, or sends. */
static bool read_channel(struct nccl_process *p, struct span m, struct span line)
{
	struct span via = after(m, " via "), ours = after(m, span_find(m, "[receive]") ? " -> " : " : ");
	uint64_t rank;
	bool direct;

	if (!span_starts(m, "Channel ") || !via.p)
		return false;
	if (ours.p && span_take_u64(&ours, &rank))
		note_rank(p, rank);
	if (!span_skip(&via, "NET/"))
		return true;
	direct = span_find(via, "/GDRDMA") != NULL;
	if (span_starts(via, "Socket") || span_starts(via, "FastSocket")) {
		p->n_socket++;
		say(&p->socket_channel, via, line);
		return true;
	}
	p->n_direct += direct;
	if (direct)
		say(&p->direct_channel, via, line);
	if (span_starts(via, "IB") || span_starts(via, "NCCL RDMA")) {
		p->n_ib++;
		say(&p->ib_channel, via, line);
	} else {
		p->n_plugin++;
		say(&p->plugin_channel, via, line);
	}
	return true;
}

static bool read_ranks(struct nccl_process *p, struct span m, struct span line)
{
	uint64_t rank, of;

	if (span_starts(m, "Connected all ")) {
		say(&p->connected, m, line);
		return true;
	}
	if (!number_after(m, " rank ", &rank) || !number_after(m, " nranks ", &of))
		return false;
	note_rank(p, rank);
	p->of_ranks = of;
	return true;
}

/* "NCCL version 2.23.4+cuda12.6" behind the prefix. */
static bool read_version(struct nccl_process *p, struct span m, struct span line)
{
	struct span word = word_after(m, "NCCL version ");

	if (!span_starts(m, "NCCL version ") || !word.n)
		return false;
	say(&p->version, word, line);
	return true;
}

/* -- what went wrong -- */

#define PORT_ERROR	"async event : port error"
#define PORT_ACTIVE	"async event : port active"

const struct nccl_trouble nccl_troubles[] = {
{ "ibv_reg_mr", "Cannot allocate memory", "memlock-low", "memory could not be registered",
  "Set memlock to unlimited for the job (limits.conf, the container runtime); with GPU memory, look at nvidia_peermem too." },
{ "ibv_create_", "Cannot allocate memory", "memlock-low", "a queue could not be made: memory may not be locked",
  "Set memlock to unlimited for the job (limits.conf, the container runtime)." },
{ "ibv_create_qp", "Unknown error -12", "memlock-low", "a queue could not be made: memory may not be locked",
  "Set memlock to unlimited for the job (limits.conf, the container runtime)." },
{ "ibv_reg_mr", NULL, "gpudirect-missing", "memory could not be registered",
  "GPU memory needs nvidia_peermem or DMA-BUF; host memory needs memlock." },
{ "ibv_modify_qp", "timed out", "gid-wrong", "the peer could not be resolved when a queue pair was connected",
  "GID index and IP addresses of both ends, VLANs, and a route between them." },
{ "ibv_modify_qp", NULL, "gid-wrong", "a queue pair could not be connected",
  "GID index and address of both ends (NCCL_IB_GID_INDEX), and that both are RoCE v2." },
{ "ibv_query_gid", NULL, "gid-wrong", "the requested GID does not exist", "NCCL_IB_GID_INDEX against show_gids of this host." },
{ "async fatal event", NULL, NULL, "the RDMA device reported a fatal event", "Read dmesg of this host: firmware, PCIe." },
{ PORT_ERROR, NULL, "link-down", "the log reports a port error",
  "Whether the port is up now; where it is not: cable, transceiver and the switch port.", .ends = true },
{ "libibverbs", NULL, NULL, "the verbs library could not be loaded",
  "Install rdma-core (libibverbs and the device's provider) in the container's image." },
{ "incompatible devices", NULL, NULL, "the two ends chose devices of different link types",
  "NCCL_IB_HCA: name the RoCE devices only, on every host." },
{ "no socket interface found", NULL, NULL, "no interface for the start of the communicator", "NCCL_SOCKET_IFNAME." },
};
const size_t nccl_trouble_count = sizeof(nccl_troubles) / sizeof(*nccl_troubles);

/*
 * Three generations: "with error 12, opcode …, vendor err 129", at first without "from peer"; "with status=12 opcode=…
 * vendor err 129 (Recv) … hca mlx5_1"; "with status=IBV_WC_RETRY_EXC_ERR(12) opcode=… vendor_err=129 … hca mlx5_1".
 */
static bool completion_status(struct span m, uint64_t *status)
{
	struct span value = word_after(m, " with status=");

	if (number_after(m, " with error ", status))
		return true;
	if (!value.n)
		return false;
	return span_take_u64(&value, status) || number_after(value, "(", status);
}

static bool read_completion(struct nccl_process *p, struct span m, struct span line)
{
	struct nccl_error e = { .line = line };
	const struct completion *now, *was = completion_find(p->error.status);
	uint64_t status;

	if (!span_find(m, "Got completion ") || !completion_status(m, &status))
		return false;
	now = completion_find(status);
	if (!now)
		return true;	/* a number that means nothing is no evidence */
	p->errors[status]++;
	if (was && (!was->is_consequence || now->is_consequence))
		return true;
	e.status = (unsigned)status;
	e.peer = before(word_after(m, "Got completion from peer "), "<");
	e.hca = word_after(m, " hca ");
	if (!number_after(m, "vendor err ", &e.vendor))
		number_after(m, "vendor_err=", &e.vendor);
	p->error = e;
	return true;
}

/* Older versions name no port: "NET/IB : Got async event : port error". */
static bool port_of_event(struct span m, const char *event, struct span *port)
{
	struct span rest = before(m, event), word, last = { NULL, 0 };

	if (!span_find(m, event))
		return false;
	while (span_word(&rest, &word))
		last = word;
	*port = last.n && memchr(last.p, ':', last.n) && last.n > 1 ? last : (struct span){ NULL, 0 };
	return true;
}

bool nccl_port_error(struct span text, struct span *port)
{
	return port_of_event(text, PORT_ERROR, port);
}

static void keep_port_error(struct nccl_process *p, struct span m, struct span line)
{
	struct span port, its;

	for (size_t i = 0; i < p->n_port_errors; i++)
		if (nccl_port_error(m, &port) && nccl_port_error(p->port_errors[i].text, &its) && span_same(port, its))
			return;
	if (p->n_port_errors < NCCL_PORTS_MAX)
		p->port_errors[p->n_port_errors++] = (struct nccl_said){ .text = span_trim(m), .line = line };
}

/* A port that is active again: what was told of it is over, and the next trouble is the first. INFO or WARN, by version. */
static bool read_active(struct nccl_process *p, struct span m)
{
	struct span port, its;
	size_t kept = 0;

	if (!port_of_event(m, PORT_ACTIVE, &port))
		return false;
	for (size_t i = 0; i < p->n_port_errors; i++)
		if (!nccl_port_error(p->port_errors[i].text, &its) || !span_same(its, port))
			p->port_errors[kept++] = p->port_errors[i];
	p->n_port_errors = kept;
	if (!p->trouble || !p->trouble->ends)
		return true;
	if (kept) {
		p->trouble_said = p->port_errors[0];
	} else {
		p->trouble = p->known;
		p->trouble_said = p->known_said;
	}
	return true;
}

static const struct nccl_trouble *trouble_in(struct span m)
{
	for (size_t i = 0; i < nccl_trouble_count; i++)
		if (span_find(m, nccl_troubles[i].needle) && (!nccl_troubles[i].also || span_find(m, nccl_troubles[i].also)))
			return &nccl_troubles[i];
	return NULL;
}

static void read_warning(struct nccl_process *p, struct span m, struct span line)
{
	const struct nccl_trouble *trouble = trouble_in(m);

	if (read_completion(p, m, line) || read_none_found(p, m, line) || read_active(p, m))
		return;
	p->n_warnings++;
	say(&p->warning, m, line);
	if (!trouble)
		return;
	if (!p->trouble) {
		p->trouble = trouble;
		say(&p->trouble_said, m, line);
	}
	if (trouble->ends) {
		keep_port_error(p, m, line);
	} else if (!p->known) {
		p->known = trouble;
		say(&p->known_said, m, line);
	}
}

static bool (*const readers[])(struct nccl_process *, struct span, struct span) = {
	read_channel, read_using, read_chosen, read_none_found, read_env, read_queue_pair, read_direct, read_version, read_ranks,
};

static void read_info(struct nccl_process *p, struct span m, struct span line)
{
	if (read_active(p, m))
		return;
	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (readers[i](p, m, line))
			return;
}

/* -- lines -- */

static bool is_host_name(struct span name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!isalnum((unsigned char)name.p[i]) && !strchr("._-", name.p[i]))
			return false;
	return name.n > 0 && name.n < 64;
}

/* "node-2:5776:5902", perhaps behind mpirun's "[1,0]<stdout>:" or a name that ends in a colon. */
static bool take_id(struct span word, struct span *host, uint64_t *pid)
{
	struct span head, thread, number;
	uint64_t unused;
	const char *prefix = span_find(word, ">:");

	if (prefix)
		word = (struct span){ prefix + 2, word.n - (size_t)(prefix + 2 - word.p) };
	return span_cut_last(word, ':', &head, &thread) && span_u64(thread, &unused) && span_cut_last(head, ':', host, &number) &&
	       span_u64(number, pid) && is_host_name(*host);
}

static struct nccl_process *process(struct nccl_log *log, struct span head)
{
	struct span word, host = { NULL, 0 }, name;
	struct nccl_process *p;
	uint64_t pid = 0, number;

	while (span_word(&head, &word))		/* the last: a time of day ahead of it looks like one */
		if (take_id(word, &name, &number)) {
			host = name;
			pid = number;
		}
	for (size_t i = log->n; i-- > 0;)	/* the newest first: a process writes many lines on end */
		if (log->list[i].pid == pid && span_same(log->list[i].host, host))
			return &log->list[i];
	if (log->n == NCCL_PROCESSES_MAX) {
		log->n_left_out++;
		return NULL;
	}
	p = GROW(log->list, log->n, log->cap);
	log->n++;
	p->host = host;
	p->pid = pid;
	return p;
}

static void read_line(struct nccl_log *log, struct span line)
{
	static const char *const words[] = { "NCCL INFO ", "NCCL WARN " };

	for (size_t i = 0; i < 2; i++) {
		struct span m = after(line, words[i]);
		struct nccl_process *p;

		if (!m.p)
			continue;
		log->n_nccl++;
		p = process(log, before(line, words[i]));
		if (p && i)
			read_warning(p, m, line);
		else if (p)
			read_info(p, m, line);
		return;
	}
	if (span_find(line, "CCL version ") && word_after(line, "CCL version ").n) {
		log->n_nccl++;
		say(&log->version, word_after(line, "CCL version "), line);
	}
}

size_t nccl_read(struct nccl_log *log, struct span text)
{
	struct span rest = text, line;

	while (span_line(&rest, &line)) {
		log->n_lines++;
		read_line(log, line);
	}
	return log->n_nccl;
}

void nccl_done(struct nccl_log *log)
{
	free(log->list);
	*log = (struct nccl_log){ 0 };
}

/* -- what follows from it -- */

static enum nccl_net net_of_name(struct span name)
{
	if (span_starts(name, "IB") || span_starts(name, "NCCL RDMA"))
		return NCCL_NET_IB;
	if (span_starts(name, "Socket") || span_starts(name, "FastSocket"))
		return NCCL_NET_SOCKET;
	return NCCL_NET_PLUGIN;
}

enum nccl_net nccl_net(const struct nccl_process *p, struct nccl_said *by)
{
	const struct nccl_said *said = p->n_socket   ? &p->socket_channel
				       : p->n_ib     ? &p->ib_channel
				       : p->n_plugin ? &p->plugin_channel
				       : p->chosen.line.p ? &p->chosen
							  : &p->found;

	*by = *said;
	return said->line.p ? net_of_name(said->text) : NCCL_NET_UNKNOWN;
}

int nccl_direct(const struct nccl_process *p, struct nccl_said *by)
{
	uint64_t n = p->n_ib + p->n_plugin;

	if (n && p->n_direct == n) {
		*by = p->direct_channel;
		return 1;
	}
	if (n) {	/* a reason is worth more than a channel that shows it */
		*by = p->not_direct.line.p ? p->not_direct : p->ib_channel.line.p ? p->ib_channel : p->plugin_channel;
		if (!p->not_direct.line.p)
			by->text = p->n_direct ? SPAN("some channels go through host memory") : SPAN("channels go through host memory");
		return 0;
	}
	*by = p->not_direct.line.p ? p->not_direct : p->direct;
	return p->not_direct.line.p ? 0 : p->direct.line.p ? 1 : -1;
}

void nccl_hcas(const struct nccl_process *p, struct buf *out)
{
	struct span rest = p->hcas.text, word, name, port;
	bool first = true;

	while (span_word(&rest, &word)) {
		const char *end = memchr(word.p, ']', word.n);

		if (!end || end + 1 == word.p + word.n)
			continue;	/* "[RO]" */
		name = (struct span){ end + 1, word.n - (size_t)(end + 1 - word.p) };
		span_cut(name, ':', &name, &port);
		buf_printf(out, "%s%.*s", first ? "" : " ", (int)name.n, name.p);
		first = false;
	}
}

void nccl_ranks(const struct nccl_process *p, struct buf *out)
{
	size_t start = out->n;

	for (unsigned i = 0; i < 1024; i++) {
		unsigned end = i;

		if (!(p->ranks_seen[i / 64] >> i % 64 & 1))
			continue;
		while (end + 1 < 1024 && p->ranks_seen[(end + 1) / 64] >> (end + 1) % 64 & 1)
			end++;
		buf_printf(out, end > i ? "%s%u-%u" : "%s%u", out->n > start ? "," : "", i, end);
		i = end;
	}
	if (p->n_ranks && p->last_rank >= 1024)
		buf_printf(out, "%s…%llu", out->n > start ? "," : "", (unsigned long long)p->last_rank);
}

bool nccl_tc_is_unset(const struct nccl_process *p)
{
	return !p->tc.line.p && p->env.line.p && nccl_net(p, &(struct nccl_said){ 0 }) == NCCL_NET_IB &&
	       (p->connected.line.p || p->error.status);
}
