#include "tui/bringup/traffic_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bringup/others.h"

#define FIRST_PORT	18515		/* perftest's own */
#define LIMIT_S		30		/* of a command, beside the time that it sends */
#define LOOK_MS		200
#define TEXT_KEPT	(size_t)4096	/* of what a command printed: its end, where the result stands */
#define COUNTED_US	(INT64_C(8) * SECOND)	/* so long a reading of the counters is waited for */
#define SWITCH_COUNTED_US (INT64_C(30) * SECOND)	/* of switches, too, which are asked port by port */
#define SUSPECT_ROUNDS	4
#define STATUS_TIME_LIMIT 124	/* of timeout(1) */

/* The same of a link between switches, one way. */
struct uplink_run {
	struct bringup_seen from, to;	/* before */
	int64_t began_us;
};

/* What is kept of a flow while its round runs. */
struct flow_run {
	struct bringup_command server, client;
	struct bringup_seen from, to;	/* before */
	int64_t began_us;
	struct bringup_evidence evidence;	/* without its counters, until they are read */
	bool is_in_round;
	size_t test;			/* of the tests, plus 1; 0: it has not been run */
};

struct traffic_run {
	uv_loop_t *loop;
	struct session *session;
	struct poller_options options;
	const struct write_permit *permit;
	struct bringup_test_plan *plan;
	struct traffic_hooks hooks;
	struct runner *runner;
	struct runner_test *tests;	/* of the runner */
	size_t *flow_of;		/* by test: the flow, or the spot that is asked about */
	size_t n_tests;
	char (*busy)[BRINGUP_WORDS];	/* by spot: why it is not tested; "": it is */
	struct bringup_tests *done;
	struct bringup_marks marks;
	struct flow_run *flows;
	size_t n_flows;			/* that flows has room for */
	struct uplink_run *uplinks;	/* those of the plan */
	size_t round;			/* the next */
	unsigned suspect_rounds;
	bool is_stopped, is_freed;
	int64_t ended_us;		/* when the round's commands had */
	uv_timer_t look;
};

static void begin_round(struct traffic_run *r);

static void say(const struct traffic_run *r, const char *text)
{
	if (r->hooks.said)
		r->hooks.said(r->hooks.ctx, text);
}

static void finish(struct traffic_run *r)
{
	if (r->hooks.done)
		r->hooks.done(r->hooks.ctx);
}

/* -- results -- */

/* The schedule has grown: the new flows were not run yet. */
static void make_room(struct traffic_run *r)
{
	size_t n = r->plan->schedule.n_flows;

	if (n <= r->n_flows)
		return;
	r->flows = xrealloc(r->flows, n * sizeof(*r->flows));
	memset(r->flows + r->n_flows, 0, (n - r->n_flows) * sizeof(*r->flows));
	r->n_flows = n;
}

static void read_ends(const struct traffic_run *r, enum bringup_end *ends)
{
	enum bringup_verdict *v = xcalloc(r->plan->schedule.n_flows + 1, sizeof(*v));

	for (size_t i = 0; i < r->n_flows; i++)
		v[i] = r->flows[i].test ? r->done->list[r->flows[i].test - 1].result.verdict : BRINGUP_NOT_RUN;
	bringup_schedule_judge(&r->plan->schedule, v, ends, r->plan->n);
	free(v);
}

static const struct bringup_spot *spot_of(const struct traffic_run *r, size_t flow, bool is_sender)
{
	const struct bringup_flow *f = &r->plan->schedule.flows[flow];

	return &r->plan->spots[is_sender ? f->from : f->to];
}

static void see(const struct traffic_run *r, size_t flow, struct bringup_seen *from, struct bringup_seen *to)
{
	const struct bringup_spot *a = spot_of(r, flow, true), *b = spot_of(r, flow, false);

	bringup_seen_read(session_model(r->session), a->unit->port, a->class.priority, BRINGUP_SENDER, from);
	bringup_seen_read(session_model(r->session), b->unit->port, b->class.priority,
			  r->flows[flow].evidence.kind == BRINGUP_LOSSY ? BRINGUP_SHARED_RECEIVER : BRINGUP_RECEIVER, to);
}

static unsigned queue_of(const struct traffic_run *r, const struct bringup_uplink *u)
{
	return bringup_queue_of(session_model(r->session), u->from, u->class.priority);
}

static void see_uplink(const struct traffic_run *r, size_t uplink, struct bringup_seen *from, struct bringup_seen *to)
{
	const struct bringup_uplink *u = &r->plan->uplinks[uplink];

	bringup_seen_read(session_model(r->session), u->from, queue_of(r, u), BRINGUP_SENDER, from);
	bringup_seen_read(session_model(r->session), u->to, u->class.priority, BRINGUP_RECEIVER, to);
}

static enum bringup_tool tool_of(const struct traffic_run *r, size_t test)
{
	return r->flows[r->flow_of[test]].evidence.tool;
}

static void keep_evidence(struct traffic_run *r, struct bringup_evidence *e)
{
	struct bringup_test *test = bringup_tests_add(r->done, e);

	bringup_test_judge(test, &r->marks);
	if (r->hooks.tested)
		r->hooks.tested(r->hooks.ctx, test);
}

static void keep(struct traffic_run *r, size_t flow)
{
	keep_evidence(r, &r->flows[flow].evidence);
	r->flows[flow].test = r->done->n;
}

static void count(struct traffic_run *r, size_t flow)
{
	struct flow_run *f = &r->flows[flow];
	struct bringup_seen from, to;

	f->evidence.began_us = f->began_us;
	f->evidence.ended_us = model_now(session_model(r->session));
	if (!bringup_tool_measures_rate(f->evidence.tool))
		return;
	see(r, flow, &from, &to);
	f->evidence.sent = bringup_seen_since(&f->from, &from);
	f->evidence.received = bringup_seen_since(&f->to, &to);
}

/* -- waiting for the counters of what has ended; a few pings say nothing by them -- */

/* Of a rate: what its sender and its receiver count of it. */
static const struct counted {
	enum field field;
	bool is_of_sender, is_by_priority;
} counted[] = {
	{ FIELD_TX_BYTES, true, true }, { FIELD_RX_BYTES, false, true }, { FIELD_CNP_HANDLED, true, false },
	{ FIELD_CNP_SENT, false, false }, { FIELD_ECN_SEEN, false, false }, { FIELD_OOS, false, false },
};

/* What is not counted at all is not waited for. */
static bool is_counted(const struct traffic_run *r, const struct port *p, enum field f, unsigned index)
{
	const struct cell *c = port_cell(port_source(p, f, index), f, index);

	return !c || c->said_us >= r->ended_us;
}

static bool is_flow_counted(const struct traffic_run *r, size_t flow)
{
	for (size_t i = 0; i < sizeof(counted) / sizeof(*counted); i++) {
		const struct bringup_spot *spot = spot_of(r, flow, counted[i].is_of_sender);

		if (!is_counted(r, spot->unit->port, counted[i].field, counted[i].is_by_priority ? spot->class.priority : 0))
			return false;
	}
	return true;
}

static bool is_uplink_counted(const struct traffic_run *r, size_t uplink)
{
	const struct bringup_uplink *u = &r->plan->uplinks[uplink];
	unsigned queue = queue_of(r, u);

	return is_counted(r, u->from, FIELD_TX_BYTES, queue) && is_counted(r, u->from, FIELD_TX_DROP, queue) &&
	       is_counted(r, u->from, FIELD_TX_DISCARD, 0) && is_counted(r, u->to, FIELD_RX_DROP, u->class.priority) &&
	       is_counted(r, u->to, FIELD_RX_DISCARD, 0);
}

/* Of a round that goes over them, by a tool that loads them; else none. */
static size_t uplinks_of(const struct traffic_run *r, const struct bringup_round *round)
{
	return round->kind == BRINGUP_CROSS_LEAF && bringup_tool_measures_rate(round->tool) ? r->plan->n_uplinks : 0;
}

static bool is_round_counted(const struct traffic_run *r)
{
	const struct bringup_round *round = &r->plan->schedule.rounds[r->round];

	for (size_t i = round->first; bringup_tool_measures_rate(round->tool) && i < round->first + round->n; i++)
		if (r->flows[i].is_in_round && !is_flow_counted(r, i))
			return false;
	for (size_t i = 0; i < uplinks_of(r, round); i++)
		if (!is_uplink_counted(r, i))
			return false;
	return true;
}

/* What was not read again since the tests ended tells of a part of them only. */
static void keep_uplink(struct traffic_run *r, size_t uplink)
{
	const struct uplink_run *run = &r->uplinks[uplink];
	struct bringup_evidence e;
	struct bringup_seen from, to;

	bringup_uplink_begin(r->plan, uplink, session_model(r->session), &e);
	if (is_uplink_counted(r, uplink)) {
		see_uplink(r, uplink, &from, &to);
		e.began_us = run->began_us;
		e.ended_us = model_now(session_model(r->session));
		e.sent = bringup_seen_since(&run->from, &from);
		e.received = bringup_seen_since(&run->to, &to);
	} else {
		e.why = xasprintf("the counters of %s and %s were not read again within %d s", e.from.host, e.to.host,
				  (int)(SWITCH_COUNTED_US / SECOND));
	}
	keep_evidence(r, &e);
}

static int64_t longest_wait_us(const struct traffic_run *r, const struct bringup_round *round)
{
	return uplinks_of(r, round) ? SWITCH_COUNTED_US : COUNTED_US;
}

static void on_look(uv_timer_t *timer)
{
	struct traffic_run *r = timer->data;
	const struct bringup_round *round = &r->plan->schedule.rounds[r->round];
	int64_t waited_us = model_now(session_model(r->session)) - r->ended_us;

	if (!r->is_stopped && !is_round_counted(r) && waited_us < longest_wait_us(r, round))
		return;
	uv_timer_stop(timer);
	for (size_t i = 0; i < uplinks_of(r, round); i++)	/* first: a console that is killed here repeats the round, and them */
		keep_uplink(r, i);
	for (size_t i = round->first; i < round->first + round->n; i++) {
		if (!r->flows[i].is_in_round)
			continue;
		if (!r->flows[i].evidence.why)
			count(r, i);
		keep(r, i);
	}
	r->round++;
	begin_round(r);
}

/* -- a round -- */

static char *tail_of(struct span text)
{
	size_t skipped = text.n > TEXT_KEPT ? text.n - TEXT_KEPT : 0;

	return xstrndup(text.p + skipped, text.n - skipped);
}

static char *server_words(const struct traffic_run *r, size_t test, const struct runner_said *said)
{
	struct measured m;
	char words[BRINGUP_WORDS + 80];

	measured_read(tool_of(r, test), said->text, said->status, &m);
	bringup_fault_words(tool_of(r, test), &m, words, sizeof(words));
	return xasprintf("%s: %s", r->tests[test].server, words);
}

static void on_test_ended(void *ctx, size_t test, const struct runner_outcome *o)
{
	struct traffic_run *r = ctx;
	struct bringup_evidence *e = &r->flows[r->flow_of[test]].evidence;
	struct measured m;
	bool is_late;

	measured_read(tool_of(r, test), o->client.text, o->client.status, &m);
	is_late = m.fault == MEASURED_NO_PARTNER && o->server.status == STATUS_TIME_LIMIT;	/* the server waited too long for it */
	if ((o->server.status > 0 && o->client.status < 0) || is_late) {
		e->why = server_words(r, test, &o->server);
	} else if (o->why) {
		e->why = xstrdup(o->why);
	} else {
		e->text = tail_of(o->client.text);
		e->status = o->client.status;
	}
}

static void drop_runner(struct traffic_run *r)
{
	runner_free(r->runner);
	r->runner = NULL;
}

static void on_round_done(void *ctx)
{
	struct traffic_run *r = ctx;

	drop_runner(r);
	r->ended_us = model_now(session_model(r->session));
	uv_timer_start(&r->look, on_look, 0, LOOK_MS);
}

static char *line_of(const struct bringup_command *command)
{
	struct buf line = { 0 };

	for (const char *const *w = command->words; *w; w++)
		buf_printf(&line, "%s%s", line.n ? " " : "", *w);
	return line.text;
}

/* Options by which tools that name no device are told addresses. */
static const struct {
	const char *server_own, *client_own, *client_far;
} addresses[BRINGUP_TOOLS] = { [BRINGUP_RPING] = { "-a", "-I", "-a" }, [BRINGUP_STREAM] = { "-B", "-B", "-c" } };

static void add_test(struct traffic_run *r, size_t flow, enum bringup_tool tool)
{
	const struct bringup_tester *from = &spot_of(r, flow, true)->tester, *to = &spot_of(r, flow, false)->tester;
	const struct flow_run *run = &r->flows[flow];

	r->flow_of[r->n_tests] = flow;
	r->tests[r->n_tests] = (struct runner_test){
		.server = to->host, .client = from->host, .server_words = run->server.words, .client_words = run->client.words,
		.device = to->rdma, .gid_index = to->gid_index, .client_device = from->rdma, .client_gid_index = from->gid_index,
		.server_own = addresses[tool].server_own, .client_own = addresses[tool].client_own, .client_far = addresses[tool].client_far,
		.port = FIRST_PORT + (unsigned)r->n_tests,
		.limit_s = bringup_tool_seconds(tool, &r->plan->load) + LIMIT_S };
	r->n_tests++;
}

static void add_flow(struct traffic_run *r, size_t flow, enum bringup_kind kind, enum bringup_tool tool)
{
	const struct bringup_flow *f = &r->plan->schedule.flows[flow];
	const struct bringup_spot *from = &r->plan->spots[f->from], *to = &r->plan->spots[f->to];
	const char *busy = r->busy[f->from][0] ? r->busy[f->from] : r->busy[f->to];
	const struct bringup_load load = bringup_load_between(&r->plan->load, &from->tester, &to->tester);
	struct flow_run *run = &r->flows[flow];

	bringup_flow_begin(r->plan, flow, kind, tool, &run->evidence);
	if (*busy) {
		run->evidence.why = xstrdup(busy);
		return keep(r, flow);
	}
	bringup_command(tool, true, &to->tester, &to->class, &load, &run->server);
	bringup_command(tool, false, &from->tester, &from->class, &load, &run->client);
	run->evidence.command = line_of(&run->client);
	run->is_in_round = true;
	run->began_us = model_now(session_model(r->session));
	see(r, flow, &run->from, &run->to);
	add_test(r, flow, tool);
}

static void run_tests(struct traffic_run *r, void (*ended)(void *, size_t, const struct runner_outcome *), void (*done)(void *))
{
	r->runner = runner_new(r->loop, session_inventory(r->session), &r->options, r->permit, r->tests, r->n_tests,
			       &(struct runner_hooks){ .ctx = r, .ended = ended, .done = done });
}

static void room_for_tests(struct traffic_run *r, size_t n)
{
	r->n_tests = 0;
	r->tests = xrealloc(r->tests, (n + 1) * sizeof(*r->tests));
	r->flow_of = xrealloc(r->flow_of, (n + 1) * sizeof(*r->flow_of));
}

/* What a suspect has failed by: the next is tested likewise. */
static enum bringup_tool tool_of_suspects(const struct traffic_run *r, const enum bringup_end *ends)
{
	for (size_t i = 0; i < r->n_flows; i++) {
		const struct bringup_flow *f = &r->plan->schedule.flows[i];
		const struct bringup_test *test = r->flows[i].test ? &r->done->list[r->flows[i].test - 1] : NULL;

		if (test && test->result.verdict == BRINGUP_FAILED &&
		    (ends[f->from] == BRINGUP_END_SUSPECT || ends[f->to] == BRINGUP_END_SUSPECT))
			return test->evidence.tool;
	}
	return BRINGUP_WRITE_BW;
}

/* After the last round: ends that failed against ends that passed, as long as that can tell more. */
static bool add_suspects(struct traffic_run *r)
{
	enum bringup_end *ends = xcalloc(r->plan->n + 1, sizeof(*ends));
	bool is_added;

	bringup_tests_compare(r->done, &r->marks);
	read_ends(r, ends);
	is_added = !r->plan->is_again && r->suspect_rounds < SUSPECT_ROUNDS &&
		   bringup_schedule_suspects(&r->plan->schedule, r->plan->nics, ends, r->plan->n, tool_of_suspects(r, ends));
	r->suspect_rounds += is_added;
	free(ends);
	return is_added;
}

static void say_round(const struct traffic_run *r, const struct bringup_round *round)
{
	char line[160], seconds[24] = "";

	if (bringup_tool_measures_rate(round->tool))
		snprintf(seconds, sizeof(seconds), " for %u s", r->plan->load.seconds);
	snprintf(line, sizeof(line), "round %zu of %zu: %s by %s, %zu flow%s%s", r->round + 1, r->plan->schedule.n_rounds,
		 bringup_kind_words[round->kind], bringup_tool_name(round->tool), r->n_tests, plural_s(r->n_tests), seconds);
	say(r, line);
}

static void see_uplinks(struct traffic_run *r, const struct bringup_round *round)
{
	for (size_t i = 0; i < uplinks_of(r, round); i++) {
		r->uplinks[i].began_us = model_now(session_model(r->session));
		see_uplink(r, i, &r->uplinks[i].from, &r->uplinks[i].to);
	}
}

static void begin_round(struct traffic_run *r)
{
	while (!r->is_stopped && (r->round < r->plan->schedule.n_rounds || add_suspects(r))) {
		const struct bringup_round *round = &r->plan->schedule.rounds[r->round];	/* moves when the schedule grows */

		make_room(r);
		room_for_tests(r, round->n);
		for (size_t i = round->first; i < round->first + round->n; i++)
			if (!r->flows[i].test)
				add_flow(r, i, round->kind, bringup_flow_tool(round, &r->plan->schedule.flows[i]));
		if (r->n_tests) {
			see_uplinks(r, round);
			say_round(r, round);
			return run_tests(r, on_test_ended, on_round_done);
		}
		r->round++;
	}
	finish(r);
}

/* -- whose queue pairs are there -- */

static const char *const ask_others[] = { "rdma", "resource", "show", "qp", NULL };

static void on_others_told(void *ctx, size_t test, const struct runner_outcome *o)
{
	struct traffic_run *r = ctx;
	const char *host = r->tests[test].client;

	for (size_t i = 0; i < r->plan->n; i++) {
		const struct bringup_tester *t = &r->plan->spots[i].tester;
		struct bringup_others others;

		if (strcmp(t->host, host) != 0)
			continue;
		bringup_others_read(o->client.text, o->client.status, t->rdma, &others);
		if (o->why)
			snprintf(r->busy[i], sizeof(r->busy[i]), "%s", o->why);
		else if (!others.is_known)
			snprintf(r->busy[i], sizeof(r->busy[i]), "%s: whose queue pairs %s carries is not known: rdma resource show qp %s", host,
				 t->rdma, o->client.status == 127 ? "is not installed (iproute2)" : "failed");
		else if (others.n)
			snprintf(r->busy[i], sizeof(r->busy[i]), "%s: %s carries %u queue pair%s of %s", host, t->rdma, others.n,
				 plural_s(others.n), others.who);
	}
}

static void on_others_done(void *ctx)
{
	struct traffic_run *r = ctx;

	drop_runner(r);
	begin_round(r);
}

static void begin_asking(struct traffic_run *r)
{
	room_for_tests(r, r->plan->n);
	for (size_t i = 0; i < r->plan->n; i++) {
		const char *host = r->plan->spots[i].tester.host;

		if (!bringup_test_plan_has(r->plan, i))
			continue;
		if (r->n_tests && !strcmp(r->tests[r->n_tests - 1].client, host))	/* the NICs of a host stand together */
			continue;
		r->tests[r->n_tests++] = (struct runner_test){ .client = host, .client_words = ask_others, .limit_s = LIMIT_S };
	}
	run_tests(r, on_others_told, on_others_done);
}

/* -- what was tested before -- */

/* n: there is none. */
static size_t spot_at(const struct bringup_test_plan *p, const struct bringup_place *place)
{
	size_t i = 0;

	while (i < p->n && !bringup_place_is(place, p->spots[i].unit->host, p->spots[i].unit->nic))
		i++;
	return i;
}

/* The flow that such a test is of, among those that have none; where the schedule has none (a suspect's), one more. */
static size_t flow_for(struct traffic_run *r, const struct bringup_evidence *e, size_t from, size_t to)
{
	struct bringup_schedule *s = &r->plan->schedule;

	for (size_t k = 0; k < s->n_rounds; k++)
		for (size_t i = s->rounds[k].first; i < s->rounds[k].first + s->rounds[k].n; i++)
			if (s->rounds[k].kind == e->kind && bringup_flow_tool(&s->rounds[k], &s->flows[i]) == e->tool &&
			    !r->flows[i].test && s->flows[i].from == from && s->flows[i].to == to)
				return i;
	*GROW(s->rounds, s->n_rounds, s->cap_rounds) = (struct bringup_round){ e->kind, s->n_flows, 1, e->tool };
	s->n_rounds++;
	*GROW(s->flows, s->n_flows, s->cap_flows) = (struct bringup_flow){ .from = from, .to = to };
	s->n_flows++;
	make_room(r);
	return s->n_flows - 1;
}

/* What has no verdict is tried again; a latency that was measured has one when there are others to compare with. */
static void adopt(struct traffic_run *r)
{
	for (size_t i = 0; !r->plan->is_again && i < r->done->n; i++) {
		const struct bringup_test *test = &r->done->list[i];
		size_t from = spot_at(r->plan, &test->evidence.from), to = spot_at(r->plan, &test->evidence.to);

		if (test->is_repeated || (r->plan->repeats_failed && test->result.verdict == BRINGUP_FAILED))
			continue;
		if ((test->result.verdict != BRINGUP_NOT_RUN || test->result.is_lone) && from < r->plan->n && to < r->plan->n)
			r->flows[flow_for(r, &test->evidence, from, to)].test = i + 1;
	}
}

/* -- the run -- */

struct traffic_run *traffic_run_new(uv_loop_t *loop, struct session *s, const struct poller_options *options,
				    const struct write_permit *permit, struct bringup_test_plan *plan, struct bringup_tests *done,
				    const struct traffic_hooks *hooks)
{
	struct traffic_run *r = xcalloc(1, sizeof(*r));

	*r = (struct traffic_run){ .loop = loop, .session = s, .options = *options, .permit = permit, .plan = plan, .done = done,
				  .marks = { session_policy(s), session_inventory(s) }, .hooks = *hooks };
	r->busy = xcalloc(plan->n + 1, sizeof(*r->busy));
	r->uplinks = xcalloc(plan->n_uplinks + 1, sizeof(*r->uplinks));
	make_room(r);
	adopt(r);
	uv_timer_init(loop, &r->look);
	r->look.data = r;
	begin_asking(r);
	return r;
}

void traffic_run_stop(struct traffic_run *r)
{
	r->is_stopped = true;
	if (r->runner)
		runner_stop(r->runner, "interrupted");
}

static void on_closed(uv_handle_t *h)
{
	struct traffic_run *r = h->data;

	free(r->tests);
	free(r->flow_of);
	free(r->busy);
	free(r->uplinks);
	for (size_t i = 0; i < r->n_flows; i++)
		bringup_evidence_done(&r->flows[i].evidence);
	free(r->flows);
	free(r);
}

void traffic_run_free(struct traffic_run *r)
{
	if (!r || r->is_freed)
		return;
	r->is_freed = true;
	drop_runner(r);
	uv_close((uv_handle_t *)&r->look, on_closed);
}
