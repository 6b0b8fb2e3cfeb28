/*
 * rdma resource show qp and cm_id: iproute2's text, whose fields stand in commit messages of the kernel and of iproute2. Unproven:
 * process numbers in the job's rows, and what mlx5 has of its own besides GSI and SMI.
 */
#include <arpa/inet.h>
#include <stdio.h>

#include "remote/lab/linux/link_tools.h"

#define JOB_PID		4711
#define JOB_QPN		0x4a0

struct qp_row {
	const char *type, *comm;
	unsigned lqpn, rqpn, rq_psn, sq_psn, pdn;
	int pid;			/* 0: the kernel's own */
	const char *state;
};

struct printer {
	struct buf *out;
	bool is_json, is_first;
};

static void print_text(struct printer *p, const char *rdma, const struct qp_row *q)
{
	buf_printf(p->out, "link %s/1 lqpn %u ", rdma, q->lqpn);
	if (q->pid)
		buf_printf(p->out, "rqpn %u type %s state %s rq-psn %u sq-psn %u path-mig-state MIGRATED pdn %u pid %d comm %s \n", q->rqpn,
			   q->type, q->state, q->rq_psn, q->sq_psn, q->pdn, q->pid, q->comm);
	else
		buf_printf(p->out, "type %s state %s sq-psn %u comm [%s] \n", q->type, q->state, q->sq_psn, q->comm);
}

static void print_json(struct printer *p, unsigned ifindex, const char *rdma, const struct qp_row *q)
{
	buf_printf(p->out, "%s{\"ifindex\":%u,\"ifname\":\"%s\",\"port\":1,\"lqpn\":%u,", p->is_first ? "" : ",", ifindex, rdma, q->lqpn);
	if (q->pid)
		buf_printf(p->out, "\"rqpn\":%u,\"type\":\"%s\",\"state\":\"%s\",\"rq-psn\":%u,\"sq-psn\":%u,\"path-mig-state\":\"MIGRATED\","
			   "\"pdn\":%u,\"pid\":%d,\"comm\":\"%s\"}", q->rqpn, q->type, q->state, q->rq_psn, q->sq_psn, q->pdn, q->pid, q->comm);
	else
		buf_printf(p->out, "\"type\":\"%s\",\"state\":\"%s\",\"sq-psn\":%u,\"comm\":\"%s\"}", q->type, q->state, q->sq_psn, q->comm);
	p->is_first = false;
}

static void print_qp(struct printer *p, unsigned ifindex, const char *rdma, const struct qp_row *q)
{
	if (p->is_json)
		print_json(p, ifindex, rdma, q);
	else
		print_text(p, rdma, q);
}

static const char *state_of(const struct link_end *e)
{
	return e->state == LINK_WAITS || e->state == LINK_UNJOINED ? "INIT" : "RTS";
}

/* perftest makes its queue pairs once its client has come; ibv_rc_pingpong before. */
static bool has_qps(const struct link_end *e)
{
	return e->state != LINK_WAITS || !strcmp(e->comm, "ibv_rc_pingpong");
}

static void print_test(struct printer *p, unsigned ifindex, const char *rdma, const struct link_end *e)
{
	for (unsigned i = 0; has_qps(e) && i < e->qps; i++)
		print_qp(p, ifindex, rdma, &(struct qp_row){
			.type = "RC", .state = state_of(e), .lqpn = e->qpn + i, .rqpn = e->far_qpn ? e->far_qpn + i : 0,
			.rq_psn = e->far_psn, .sq_psn = e->psn, .pdn = 3 + e->number % 60, .pid = e->pid ? e->pid : 1, .comm = e->comm,
		});
}

/* The job has one for each of its flows that begins or ends here. */
static void print_job(struct printer *p, const struct tool_call *t, unsigned ifindex, const struct lab_port *port)
{
	const struct fabric *f = t->fabric;

	for (size_t i = 0; i < f->n_flows; i++) {
		const struct lab_flow *flow = &f->flows[i];
		const struct lab_port *from = &f->ports[flow->from], *to = &f->ports[flow->to];
		bool is_from = from->device == port->device && !strcmp(from->rdma, port->rdma);
		bool is_to = to->device == port->device && !strcmp(to->rdma, port->rdma);

		if (flow->test || flow->is_tcp || (!is_from && !is_to))
			continue;
		print_qp(p, ifindex, port->rdma, &(struct qp_row){
			.type = "RC", .state = "RTS", .lqpn = JOB_QPN + 2 * (unsigned)i + is_to, .rqpn = JOB_QPN + 2 * (unsigned)i + !is_to,
			.rq_psn = 0, .sq_psn = 0, .pdn = 2, .pid = JOB_PID, .comm = "python3",
		});
	}
}

static bool is_asked_for(const struct tool_call *t, const char *rdma)
{
	for (int i = 1; i + 1 < t->argc; i++)
		if (is_word(t->argv[i], "link"))
			return !strncmp(t->argv[i + 1], rdma, strlen(rdma)) && strchr("/", t->argv[i + 1][strlen(rdma)]);
	return true;
}

static void print_qps(struct printer *p, const struct tool_call *t, unsigned i, const struct lab_port *port)
{
	print_qp(p, i, port->rdma, &(struct qp_row){ .type = "SMI", .state = "RTS", .lqpn = 0, .comm = "ib_core" });
	print_qp(p, i, port->rdma, &(struct qp_row){ .type = "GSI", .state = "RTS", .lqpn = 1, .comm = "ib_core" });
	if (!t->device->job.is_without_ib)
		print_job(p, t, i, port);
	for (const struct link_end *e = t->fabric->tests; e; e = e->next)
		if (&t->fabric->ports[e->port] == port)
			print_test(p, i, port->rdma, e);
}

/* "link mlx5_0/- cm-idn 0 state LISTEN ps TCP pid 28056 comm rping src-addr 0.0.0.0:7174" */
static void print_cm_ids(struct printer *p, const struct tool_call *t, unsigned i, const struct lab_port *port)
{
	for (const struct link_end *e = t->fabric->tests; e; e = e->next) {
		if (&t->fabric->ports[e->port] != port || !e->is_cm || !e->is_server || e->state != LINK_WAITS)
			continue;
		if (p->is_json)
			buf_printf(p->out, "%s{\"ifindex\":%u,\"ifname\":\"%s\",\"cm-idn\":%u,\"state\":\"LISTEN\",\"ps\":\"TCP\",\"pid\":%d,"
				   "\"comm\":\"%s\",\"src-addr\":\"0.0.0.0:%u\"}", p->is_first ? "" : ",", i, port->rdma, e->number, e->pid,
				   e->comm, e->tcp_port);
		else
			buf_printf(p->out, "link %s/- cm-idn %u state LISTEN ps TCP pid %d comm %s src-addr 0.0.0.0:%u \n", port->rdma,
				   e->number, e->pid, e->comm, e->tcp_port);
		p->is_first = false;
	}
}

int rdma_resource(struct tool_call *t, bool is_json)
{
	struct printer p = { t->out, is_json, true };
	bool is_cm = false, is_qp = false;

	for (int i = 1; i < t->argc; i++) {
		is_cm = is_cm || is_word(t->argv[i], "cm_id");
		is_qp = is_qp || is_word(t->argv[i], "qp");
	}
	if (!is_cm && !is_qp) {
		buf_str(t->errors, "Unknown argument.\n");
		return 22;
	}
	buf_str(t->out, is_json ? "[" : "");
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *port = &t->fabric->ports[t->device->first + i];

		if (port->harm.is_soft || !port_has_rdma(port) || !is_asked_for(t, port->rdma))
			continue;
		if (is_cm)
			print_cm_ids(&p, t, i, port);
		else
			print_qps(&p, t, i, port);
	}
	buf_str(t->out, is_json ? "]\n" : "");
	return 0;
}
