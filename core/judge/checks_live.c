/* Checks of what moves: pause, drops, damage on the wire, marks and CNPs. */
#include "core/judge/checks.h"

#include <stdio.h>

#include "core/fabric/stopped.h"

/* -- pause -- */

struct pause {
	double share, lasting;	/* parts of the time: now, and the least of the last samples */
	double newest;		/* of the newest sample alone */
	int64_t window_us;	/* that share is of */
};

/* Its time is a row of the port that could not be read: that is said, and frames do not acquit, for their counter may stand still. */
static bool lacks_time(struct case_of *c, const struct port *p, enum field us)
{
	double us_per_s;

	return p && ask_said(p, us, c->index) && !ask_rate(c, p, us, c->index, &us_per_s);
}

/* A no is none where nothing passes: what its counters moved by a moment ago is nothing of now. Where that is not known, neither is it. */
static void take_back_if_down(struct case_of *c, const struct port *p)
{
	uint64_t up;

	if (c->verdict < VERDICT_LOOK || !ask_said(p, FIELD_UP, 0))
		return;
	if (!port_number(c->model, p, FIELD_UP, 0, &up))
		ask_unknown(c, LACK_OLD, p->device, "whether the link of %.40s %.40s is up", p->device->name, p->name);
	else if (!up)
		ask_na(c, "the link is down");
}

/*
 * The part of the time that a port may not send (rx) or holds its peer (tx). Frames alone bound it from above: a low count is
 * reason enough for "hardly paused", a high one for nothing.
 */
static bool pause_of(struct case_of *c, const struct port *p, enum field us, struct pause *out)
{
	const struct port *far = c->link ? link_far(c->link, p) : NULL;
	bool is_held = us == FIELD_PFC_RX_US;
	bool is_known = false;
	struct stopped s;
	char rate[RATE_TEXT];
	double per_s;

	if (stopped_of(c->model, is_held ? p : far, is_held ? far : p, c->index, &s)) {
		is_known = s.basis == PAUSE_BY_TIME || s.share < policy_limit(c->policy, LIMIT_PAUSE_LOOK);
		ask_cite(c, s.by, s.field, c->index);
	}
	if (s.basis != PAUSE_BY_TIME &&
	    (lacks_time(c, p, us) || lacks_time(c, far, is_held ? FIELD_PFC_TX_US : FIELD_PFC_RX_US)))
		return false;
	if (!is_known) {
		if (s.basis == PAUSE_BY_FRAMES)
			ask_unknown(c, LACK_REASON, p->device, "%.40s %.30s %s[%u]: %s frames/s, no times", p->device->name,
				    p->name, field_table[us].name, c->index, rate_text(rate, s.frames_per_s));
		else if (ask_rate(c, p, us, c->index, &per_s))	/* says what lacks */
			ask_unknown(c, LACK_REASON, p->device, "how long %.40s is paused", p->name);
		return false;
	}
	c->is_early |= s.basis == PAUSE_BY_TIME && s.share > 0 && s.samples < STOPPED_SAMPLES;
	*out = (struct pause){ s.share, s.basis == PAUSE_BY_TIME ? s.lasting : 0, s.newest, s.window_us };
	return true;
}

/* A burst of pause as an incast begins is PFC at work; what lasts is not. */
static void judge_pause(struct case_of *c, const struct pause *pause, const char *words)
{
	enum verdict verdict = VERDICT_OK;
	char share[STOPPED_TEXT];

	c->held = pause->share;
	if (pause->share >= policy_limit(c->policy, LIMIT_PAUSE_LOOK))
		verdict = VERDICT_LOOK;
	if (pause->lasting >= policy_limit(c->policy, LIMIT_PAUSE_WARN))
		verdict = VERDICT_WARN;
	if (pause->lasting >= policy_limit(c->policy, LIMIT_PAUSE_BAD))
		verdict = c->check->severity;
	if (verdict == VERDICT_OK)
		return ask_ok(c);
	ask_no_at(c, verdict, "%s %s on priority %u", words, stopped_text(share, pause->share, pause->window_us), c->index);
}

void ask_paused(struct case_of *c)
{
	struct pause pause;

	if (pause_of(c, c->port, FIELD_PFC_RX_US, &pause))
		judge_pause(c, &pause, ask_is_switch(c, c->port) ? "paused (PFC RX)" : "paused by the switch");
	take_back_if_down(c, c->port);
}

void ask_pausing(struct case_of *c)
{
	struct pause pause;

	if (pause_of(c, c->port, FIELD_PFC_TX_US, &pause))
		judge_pause(c, &pause, "pauses its peer (PFC TX)");
	take_back_if_down(c, c->port);
}

/* Whether a counter of rare events moves. What is not said moves nothing. */
static bool moves(struct case_of *c, const struct port *p, enum field f, unsigned index, double *per_s)
{
	return p && ask_said(p, f, index) && ask_mean(c, p, f, index, per_s) && *per_s > 0;
}

/* What the host's side of the NIC says to it; nothing is no acquittal. */
static const char *why_slow(struct case_of *c)
{
	uint64_t stalled_pct;
	double per_s;

	if (ask_said(c->port, FIELD_PCI_STALL, 0) && ask_port(c, c->port, FIELD_PCI_STALL, 0, &stalled_pct) &&
	    (double)stalled_pct / 100 >= policy_limit(c->policy, LIMIT_PCI_STALL))
		return "PCIe or memory stalls, so the host pauses the switch";
	if (moves(c, c->port, FIELD_RX_NOBUF, 0, &per_s))
		return "the host pauses the switch; separately, out_of_buffer rises: the application posts too few receives";
	return "the host cannot accept packets as fast as they arrive and pauses the switch";
}

#define LATELY_US	(4 * SECOND)

#define STORM_DOUBT	0.05	/* of a share: the time of pause and the time between two answers are read one after the other */

#define MOSTLY	0.5

/*
 * As a storm begins, the share of the time is still that of a slow receiver; a sample or two later it is not. A pause of most of the
 * newest sample, where there was less within the last ones, has begun, or has changed, since.
 */
static bool is_storm_beginning(const struct case_of *c, const struct pause *pause)
{
	double storm = policy_limit(c->policy, LIMIT_PAUSE_STORM);

	return pause->newest >= storm - STORM_DOUBT || (pause->newest >= MOSTLY && pause->lasting < MOSTLY);
}

void ask_slow_receiver(struct case_of *c)
{
	struct pause pause;
	struct mean own;
	double arrives;

	if (!pause_of(c, c->port, FIELD_PFC_TX_US, &pause))
		return;
	judge_pause(c, &pause, why_slow(c));
	take_back_if_down(c, c->port);
	if (c->verdict < VERDICT_LOOK)
		return;
	/* Its own counter is of now, where its switch reads its own every ten seconds. */
	if (port_mean(c->model, c->port, FIELD_PFC_TX_US, c->index, LATELY_US, &own) && own.per_s == 0)
		return ask_ok(c);
	if (pause.share >= policy_limit(c->policy, LIMIT_PAUSE_STORM)) {
		ask_unknown(c, LACK_SAMPLE, c->port->device, "whether it is a storm: it pauses all of the time");
		c->is_gone = true;		/* that is for pause-storm to judge */
		return;
	}
	if (is_storm_beginning(c, &pause))
		return ask_unknown(c, LACK_SAMPLE, c->port->device, "whether it is a storm: the newest sample is mostly pause");
	if (!ask_said(c->port, FIELD_RX_BYTES, c->index) || !ask_rate(c, c->port, FIELD_RX_BYTES, c->index, &arrives) || arrives > 0)
		return;
	ask_unknown(c, LACK_SAMPLE, c->port->device, "whether it is a storm: it pauses, and nothing arrives");
	c->is_gone = true;		/* slow it is not */
}

/* A slow receiver takes something; one that stops its peer most of the time and takes nothing is stuck. */
static bool takes_nothing(struct case_of *c, const struct port *host, const struct pause *pause)
{
	enum field f = ask_said(host, FIELD_RX_PACKETS, c->index) ? FIELD_RX_PACKETS : FIELD_RX_BYTES;
	double per_s, bytes_per_s;

	return pause->lasting >= MOSTLY && ask_rate(c, host, f, c->index, &per_s) && per_s == 0 &&
	       !(port_rate(c->model, host, FIELD_RX_BYTES, c->index, &bytes_per_s) && bytes_per_s > 0);
}

/* The queue that a pause of the priority asked about stops: where no such map is told, the one that its packets leave by. */
static bool stopped_queue(struct case_of *c, const struct port *p, uint64_t *queue)
{
	if (ask_said(p, FIELD_PFC_QUEUE, c->index))
		return ask_port(c, p, FIELD_PFC_QUEUE, c->index, queue);
	return map_queue(c, p, c->index, queue);
}

static bool packets_queue(struct case_of *c, const struct port *p, uint64_t *queue)
{
	return map_queue(c, p, c->index, queue);
}

/* The watchdog counts by queue: that of the packets, or the one that their pause stops; false where it counts none. */
typedef bool queue_of(struct case_of *c, const struct port *p, uint64_t *queue);

static bool watched_queue(struct case_of *c, const struct port *p, queue_of *of, unsigned *queue)
{
	bool counts = false;
	uint64_t n;

	for (unsigned i = 0; p && i < 8; i++)
		counts |= ask_said(p, FIELD_PFC_STORM, i) || ask_said(p, FIELD_PFC_STORMED, i);
	if (!counts || !of(c, p, &n) || n > 7)
		return false;
	*queue = (unsigned)n;
	return ask_said(p, FIELD_PFC_STORM, *queue) || ask_said(p, FIELD_PFC_STORMED, *queue);
}

static bool is_stormed_now(struct case_of *c, const struct port *p, unsigned queue)
{
	uint64_t now;

	return ask_said(p, FIELD_PFC_STORMED, queue) && ask_port(c, p, FIELD_PFC_STORMED, queue, &now) && now;
}

static bool saw_storm(struct case_of *c, const struct port *p, queue_of *of)
{
	unsigned queue;
	double per_s;

	return watched_queue(c, p, of, &queue) && (is_stormed_now(c, p, queue) || moves(c, p, FIELD_PFC_STORM, queue, &per_s));
}

static void judge_storm(struct case_of *c)
{
	const struct port *host = c->link->a;
	char share[STOPPED_TEXT];
	struct pause pause;
	bool is_told;
	double per_s;

	if (ask_is_switch(c, host))
		return ask_na(c, "no host is connected to this link");
	is_told = pause_of(c, host, FIELD_PFC_TX_US, &pause);
	if (is_told &&
	    (pause.share >= policy_limit(c->policy, LIMIT_PAUSE_STORM) || takes_nothing(c, host, &pause))) {
		c->held = pause.share;
		return ask_no(c, "%.60s sends pause %s on priority %u", host->device->name,
			      stopped_text(share, pause.share, pause.window_us), c->index);
	}
	c->held = 1;	/* what a watchdog or the NIC itself calls a storm stops all */
	if (moves(c, host, FIELD_STORM_ERR, 0, &per_s))
		return ask_no(c, "stall prevention at %.60s ended its pause", host->device->name);
	if (saw_storm(c, c->link->b, stopped_queue) || saw_storm(c, c->link->b, packets_queue))
		return ask_no(c, "the watchdog of %.60s saw a storm on priority %u", c->link->b->device->name, c->index);
	ask_ok_unless_lacking(c);
	c->is_gone = is_told && pause.share < policy_limit(c->policy, LIMIT_PAUSE_LOOK);	/* whatever else is not known */
}

void ask_storm(struct case_of *c)
{
	judge_storm(c);
	take_back_if_down(c, c->link->b ? c->link->b : c->link->a);
}

/* What the watchdog does with a queue in a storm. */
enum storm_action { STORM_DROPS, STORM_FORWARDS, STORM_ALERTS, STORM_NOT_KNOWN };

static enum storm_action storm_action(struct case_of *c, unsigned queue)
{
	const struct cell *action = port_cell(c->port, FIELD_WATCHDOG_ACTION, 0);
	double per_s;

	if (action && action->value.is == VALUE_KNOWN && action->value.n <= STORM_ALERTS) {
		ask_cite(c, c->port, FIELD_WATCHDOG_ACTION, 0);
		return (enum storm_action)action->value.n;
	}
	if (moves(c, c->port, FIELD_STORM_TX_DROP, queue, &per_s) || moves(c, c->port, FIELD_STORM_RX_DROP, queue, &per_s))
		return STORM_DROPS;
	return STORM_NOT_KNOWN;
}

enum stormy { STORM_NONE, STORM_NOW, STORM_OFTEN /* its count rises */, STORM_ANSWERED /* the case has its verdict */ };

static enum stormy is_stormy(struct case_of *c, unsigned *queue)
{
	double per_s;

	if (!watched_queue(c, c->port, packets_queue, queue)) {
		if (!ask_lacks(c))
			ask_lost(c, "this system counts no storms");
		return STORM_ANSWERED;
	}
	if (is_stormed_now(c, c->port, *queue))
		return STORM_NOW;
	if (!ask_mean(c, c->port, FIELD_PFC_STORM, *queue, &per_s))
		return STORM_ANSWERED;
	return per_s > 0 ? STORM_OFTEN : STORM_NONE;
}

void ask_watchdog_fired(struct case_of *c)
{
	unsigned queue = 0;
	enum stormy stormy = is_stormy(c, &queue);

	if (stormy == STORM_ANSWERED)
		return;
	if (stormy == STORM_NONE)
		return ask_ok_unless_lacking(c);	/* it may be in a storm now, which is not known */
	switch (storm_action(c, queue)) {
	case STORM_DROPS:
		if (stormy == STORM_NOW)
			return ask_no(c, "the watchdog is dropping packets of priority %u: queue %u is paused", c->index, queue);
		return ask_no(c, "the watchdog dropped packets of priority %u: its queue was paused too long", c->index);
	case STORM_NOT_KNOWN:
		return ask_no(c, "the watchdog sees a storm on queue %u (priority %u)%s; whether it drops is not known", queue, c->index,
			      stormy == STORM_NOW ? " now" : "");
	default:
		ask_na(c, "the watchdog is not set to drop");
	}
}

/* The watchdog sees a storm and is set to do something else than to drop. */
void ask_storm_ended(struct case_of *c)
{
	unsigned queue = 0;
	enum stormy stormy = is_stormy(c, &queue);
	const char *now = stormy == STORM_NOW ? " now" : "";

	if (stormy == STORM_ANSWERED)
		return;
	if (stormy == STORM_NONE)
		return ask_ok_unless_lacking(c);
	switch (storm_action(c, queue)) {
	case STORM_FORWARDS:
		return ask_no(c, "queue %u (priority %u) is in a storm%s; the watchdog's action is forward: it sends in spite of the pause",
			      queue, c->index, now);
	case STORM_ALERTS:
		c->held = stormy == STORM_NOW;
		return ask_no(c, "queue %u (priority %u) is in a storm%s; the watchdog's action is alert: the storm goes on", queue,
			      c->index, now);
	case STORM_DROPS:
		return ask_na(c, "the watchdog drops");
	case STORM_NOT_KNOWN:
		ask_unknown(c, LACK_REASON, c->port->device, "what the watchdog does with a queue in a storm");
	}
}

#define PAST_US	(600 * SECOND)	/* how long it is told */

/* A storm has ended since that was first read, and not long ago. */
static bool ended_lately(struct case_of *c, unsigned queue)
{
	const struct series *s = port_series(c->port, FIELD_PFC_RESTORED, queue);
	const struct cell *over = port_cell(c->port, FIELD_PFC_RESTORED, queue);

	return s && s->history && s->began_us && over->since_us > s->began_us && model_now(c->model) - over->since_us <= PAST_US;
}

/* What was seen to begin and is over; of storms before, nobody knows when they were. */
void ask_storms_past(struct case_of *c)
{
	uint64_t storms, over;
	unsigned queue = 0;
	enum stormy stormy = is_stormy(c, &queue);

	if (stormy == STORM_ANSWERED)
		return;
	if (stormy != STORM_NONE || !ask_said(c->port, FIELD_PFC_STORM, queue) ||
	    !ask_port(c, c->port, FIELD_PFC_STORM, queue, &storms))
		return ask_ok_unless_lacking(c);
	if (!ask_said(c->port, FIELD_PFC_RESTORED, queue))
		return ask_lost(c, "this system does not count the storms that ended");
	if (!ask_port(c, c->port, FIELD_PFC_RESTORED, queue, &over))
		return;
	if (over < storms || ask_lacks(c) || !ended_lately(c, queue))
		return ask_ok_unless_lacking(c);	/* it may be in a storm now, which is not known */
	ask_no(c, "queue %u (priority %u) was in a storm and has recovered: %llu storms since its counters began, all over", queue,
	       c->index, (unsigned long long)storms);
}

/* ice counts a pause of one priority for all of its class: those beside a lossless one tell nothing of their own. */
static bool counts_in_unison(struct case_of *c, unsigned prio, unsigned lossless)
{
	const char *driver = port_text(c->port, FIELD_DRIVER);
	uint64_t mine, its;

	if (!driver || strcmp(driver, "ice") != 0 || !map_class(c, c->port, prio, &mine))
		return false;
	for (; lossless; lossless &= lossless - 1)
		if (map_class(c, c->port, (unsigned)__builtin_ctz(lossless), &its) && its == mine)
			return true;
	return false;
}

void ask_other_priority_paused(struct case_of *c)
{
	unsigned lossless = ask_lossless(c, c->port);
	char rate[RATE_TEXT];
	double rx = 0, tx = 0;

	for (unsigned prio = 0; prio < 8; prio++) {
		bool did_lack;

		if (lossless >> prio & 1)
			continue;
		c->n_evidence = 0;
		if (!moves(c, c->port, FIELD_PFC_RX, prio, &rx) && !moves(c, c->port, FIELD_PFC_TX, prio, &tx))
			continue;
		did_lack = ask_lacks(c);
		if (!counts_in_unison(c, prio, lossless) && (did_lack || !ask_lacks(c)))
			return ask_no(c, "lossy priority %u is paused (%s frames/s)", prio, rate_text(rate, rx > 0 ? rx : tx));
	}
	ask_ok_unless_lacking(c);
}

/* Pause frames of a priority are among those that some NICs count here: only more than those is link pause. */
static bool link_pause_moves(struct case_of *c, enum field total, enum field of_priority, double *excess)
{
	double per_s, sum = 0;
	bool is_told = false;

	if (!ask_said(c->port, total, 0) || !ask_mean(c, c->port, total, 0, &per_s) || per_s == 0)
		return false;
	for (unsigned prio = 0; prio < 8; prio++) {
		double of_prio;

		if (!ask_said(c->port, of_priority, prio))
			continue;
		if (!ask_mean(c, c->port, of_priority, prio, &of_prio))
			return false;
		is_told = true;
		sum += of_prio;
	}
	if (!is_told) {
		ask_mean(c, c->port, of_priority, 0, &sum);
		return false;
	}
	*excess = per_s - sum;
	return *excess > 1 && *excess > per_s / 10;
}

void ask_link_pause_frames(struct case_of *c)
{
	char rate[RATE_TEXT];
	double excess;

	if (!ask_said(c->port, FIELD_PAUSE_RX_FRAMES, 0) && !ask_said(c->port, FIELD_PAUSE_TX_FRAMES, 0))
		return ask_lost(c, "not counted here");
	if (link_pause_moves(c, FIELD_PAUSE_RX_FRAMES, FIELD_PFC_RX, &excess))
		return ask_no(c, "%s link pause frames/s arrive: they stop every priority", rate_text(rate, excess));
	if (link_pause_moves(c, FIELD_PAUSE_TX_FRAMES, FIELD_PFC_TX, &excess))
		return ask_no(c, "%s link pause frames/s are sent: they stop every priority", rate_text(rate, excess));
	ask_ok_unless_lacking(c);
}

/* -- loss -- */

/* Drops of the port as a whole may be of any priority. */
static void judge_drops_of_any(struct case_of *c, double per_s)
{
	char rate[RATE_TEXT];

	if (per_s > 0)
		return ask_no_at(c, VERDICT_LOOK, "%s packets/s are dropped on receive; the priority is not reported", rate_text(rate, per_s));
	ask_ok_unless_lacking(c);
}

static void judge_switch_drops(struct case_of *c)
{
	char rate[RATE_TEXT];
	uint64_t queue, pg;
	double per_s;
	bool is_told = false, counts_groups = false;

	if (map_queue(c, c->port, c->index, &queue) && queue < 8 && ask_said(c->port, FIELD_TX_DROP, (unsigned)queue)) {
		is_told = true;
		if (moves(c, c->port, FIELD_TX_DROP, (unsigned)queue, &per_s))
			return ask_no(c, "queue %llu (priority %u) drops %s packets/s", (unsigned long long)queue, c->index,
				      rate_text(rate, per_s));
	}
	if (ask_or_index(c, c->port, FIELD_PRIO_PG, c->index, &pg) && pg < 8 &&
	    ask_said(c->port, FIELD_PG_DROP, (unsigned)pg)) {
		is_told = counts_groups = true;
		if (moves(c, c->port, FIELD_PG_DROP, (unsigned)pg, &per_s))
			return ask_no(c, "priority group %llu (priority %u) drops %s packets/s on receive", (unsigned long long)pg,
				      c->index, rate_text(rate, per_s));
	}
	if (moves(c, c->port, FIELD_RX_DROP, c->index, &per_s))
		return ask_no(c, "%s packets/s of priority %u are dropped on receive", rate_text(rate, per_s), c->index);
	if (!is_told)
		ask_mean(c, c->port, FIELD_TX_DROP, c->index, &per_s);
	if (!counts_groups && moves(c, c->port, FIELD_RX_DISCARD, 0, &per_s))
		return judge_drops_of_any(c, per_s);
	ask_ok_unless_lacking(c);
}

/* Older drivers count no drops of a priority: then none at all is good, and some is not known to be ours. */
static void judge_host_drops(struct case_of *c)
{
	char rate[RATE_TEXT];
	double per_s;

	if (moves(c, c->port, FIELD_RX_DROP_BUFFER, c->index, &per_s) ||
	    moves(c, c->port, FIELD_RX_DROP_CONGESTION, c->index, &per_s))
		return ask_no(c, "%s packets/s of priority %u are dropped: the host does not take them", rate_text(rate, per_s), c->index);
	if (ask_said(c->port, FIELD_RX_DROP, c->index)) {
		if (moves(c, c->port, FIELD_RX_DROP, c->index, &per_s))
			return ask_no(c, "%s packets/s of priority %u are dropped on receive", rate_text(rate, per_s), c->index);
		return ask_ok_unless_lacking(c);
	}
	if (ask_mean(c, c->port, FIELD_RX_DISCARD, 0, &per_s))
		judge_drops_of_any(c, per_s);
}

void ask_drops(struct case_of *c)
{
	if (ask_is_switch(c, c->port))
		judge_switch_drops(c);
	else
		judge_host_drops(c);
	ask_tell_window(c, c->mean_us);
}

static void tell_errors(struct case_of *c, const char *words, double per_s)
{
	char rate[RATE_TEXT];

	ask_no(c, "%s %s", rate_text(rate, per_s), words);
	ask_tell_window(c, c->mean_us);
}

/* Of an event a rate would be a figure that nobody saw. */
static void tell_flaps(struct case_of *c, const char *words, double per_s)
{
	double seconds = (double)c->mean_us / SECOND, n = per_s * seconds;

	if (n >= 1.5)
		return ask_no(c, "%s %.0f times in the last %.0f s", words, n, seconds);
	ask_no(c, "%s between the last two reads", words);
}

void ask_wire(struct case_of *c)
{
	static const struct {
		enum field field;
		bool is_flap;
		const char *words;
	} signs[] = {
		{ FIELD_PHY_ERR, false, "frames/s with CRC or symbol errors" },
		{ FIELD_FEC_LOST, false, "codewords/s that FEC could not correct" },
		{ FIELD_PHY_SYMBOL_ERR, false, "symbol errors/s that FEC did not correct" },
		{ FIELD_ICRC_ERR, false, "packets/s with a wrong ICRC" },
		{ FIELD_LINK_DOWNS, true, "the link went down" },
		{ FIELD_LINK_CHANGES, true, "the carrier came or went" },
	};
	bool is_told = false;
	double per_s;

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		is_told |= ask_said(c->port, signs[i].field, 0);
		if (!moves(c, c->port, signs[i].field, 0, &per_s))
			continue;
		(signs[i].is_flap ? tell_flaps : tell_errors)(c, signs[i].words, per_s);
		if (signs[i].is_flap)
			take_back_if_down(c, c->port);		/* which is another finding */
		if (c->verdict != VERDICT_NA)
			return;
	}
	if (!is_told)
		ask_mean(c, c->port, FIELD_PHY_ERR, 0, &per_s);
	ask_ok_unless_lacking(c);
}

/* -- marks and CNPs -- */

#define FEW_MARKS	10.0	/* per second: below, that nothing answers says little */
#define FEW_CNPS	100.0

void ask_cnp_ignored(struct case_of *c)
{
	char rate[RATE_TEXT];
	double per_s;

	if (!ask_said(c->port, FIELD_CNP_IGNORED, 0))
		return ask_lost(c, "not counted here");
	if (ask_is_counted(c->port, FIELD_CNP_IGNORED))
		return ask_na(c, ask_counted_there);
	if (!ask_mean(c, c->port, FIELD_CNP_IGNORED, 0, &per_s))
		return;
	if (per_s == 0)
		return ask_ok(c);
	ask_no(c, "%s CNPs/s are received and ignored", rate_text(rate, per_s));
}

void ask_marks_answered(struct case_of *c)
{
	double seen, sent;

	if (ask_is_counted(c->port, FIELD_CNP_SENT))
		return ask_na(c, ask_counted_there);
	if (!ask_mean(c, c->port, FIELD_ECN_SEEN, 0, &seen) || !ask_mean(c, c->port, FIELD_CNP_SENT, 0, &sent))
		return;
	if (seen < FEW_MARKS || sent > 0)
		return ask_ok(c);
	ask_no(c, "%.0f marked packets/s arrive, no CNP is sent", seen);
}

/* Marks that the switch puts on packets to a host must be seen by its NIC. */
/* The switch has no such count, or was asked for it and refused: that is no sickness of the link. */
static bool counts_marks(const struct case_of *c, const struct port *p, unsigned queue)
{
	const struct cell *cell = port_cell(p, FIELD_ECN_MARKED, queue);

	return ask_said(p, FIELD_ECN_MARKED, queue) &&
	       (!cell || cell->value.is != VALUE_UNKNOWN || cell_is_stale(c->model, cell));
}

void ask_marks_arrive(struct case_of *c)
{
	const struct port *host = c->link->a, *far;
	uint64_t queue;
	double marked, seen;

	if (ask_is_switch(c, host))
		return ask_na(c, "no host is connected to this link");
	far = ask_far(c);
	if (!far || !map_queue(c, far, c->index, &queue) || queue > 7)
		return;
	if (!counts_marks(c, far, (unsigned)queue))
		return ask_lost(c, "the switch does not count its marks");
	if (!ask_mean(c, far, FIELD_ECN_MARKED, (unsigned)queue, &marked))
		return;
	if (marked < FEW_MARKS)
		return ask_ok(c);
	if (!ask_mean(c, host, FIELD_ECN_SEEN, 0, &seen))
		return;
	if (seen > 0)
		return ask_ok(c);
	ask_no(c, "the switch marks %.0f packets/s, the NIC sees none", marked);
}

/* Whether a host has told of its RDMA devices, or has none that programs could open. */
static bool is_end_read(const struct device *d)
{
	const char *modules = device_text(d, FIELD_MODULES);

	for (size_t i = 0; i < d->n_ports; i++)
		if (port_text(d->ports[i], FIELD_RDMA) || port_cell(d->ports[i], FIELD_RDMA_LAYER, 0))
			return true;
	return modules && !strstr(modules, "ib_uverbs");
}

/* Whether every host's CNPs are counted: those that an unread host handles would be missed. */
static bool all_ends_read(struct case_of *c)
{
	for (size_t i = 0; i < c->links->n; i++)
		if (c->links->list[i].is_fabric && !c->links->list[i].b) {
			ask_unknown(c, LACK_ABSENT, NULL, "the far end of %.70s", c->links->list[i].name);
			return false;
		}
	for (size_t i = 0; i < model_devices(c->model); i++) {
		const struct device *d = model_device(c->model, i);

		if (d->heard_us != 0 && (c->context->parties[d->id].is_switch || is_end_read(d)))
			continue;
		ask_unknown(c, LACK_ABSENT, d, "what %.70s counts", d->name);
		return false;
	}
	return true;
}

/* CNPs do not vanish: what receivers send, senders handle (or ignore, which is another check's finding). */
#define LOOP_SAMPLES	10		/* of each host: bursts fall into different seconds of a sender's and a receiver's counters */
#define LOOP_US		(30 * SECOND)	/* within which they lie: a busy host is read every few seconds */
#define SCATTER		3		/* standard errors by which a sum has to lack before it lacks */

struct loop {
	size_t n;		/* hosts' ports that are counted here */
	double sent, handled;	/* CNPs per second, of all */
	double scatter2;	/* the square of the standard error of what lacks */
	bool is_long;		/* each has samples enough */
};

static void add_mean(struct case_of *c, const struct port *p, enum field f, int64_t window_us, double weight, double *sum,
		     struct loop *loop)
{
	struct mean mean;

	if (!ask_mean_over(c, p, f, 0, window_us, &mean))
		return;
	*sum += mean.per_s;
	loop->scatter2 += mean.error2 * weight * weight;
	loop->is_long &= !port_series(port_source(p, f, 0), f, 0)->history || mean.n >= LOOP_SAMPLES;
}

static struct loop loop_over(struct case_of *c, int64_t window_us, double share)
{
	struct loop loop = { .is_long = true };

	for (size_t i = 0; i < model_ports(c->model); i++) {
		const struct port *p = model_port(c->model, i);

		if (ask_is_switch(c, p) || c->context->ports[p->id].roce != ROCE_YES || ask_is_counted(p, FIELD_RDMA))
			continue;
		add_mean(c, p, FIELD_CNP_SENT, window_us, share, &loop.sent, &loop);
		add_mean(c, p, FIELD_CNP_HANDLED, window_us, 1, &loop.handled, &loop);
		if (ask_said(p, FIELD_CNP_IGNORED, 0))
			add_mean(c, p, FIELD_CNP_IGNORED, window_us, 1, &loop.handled, &loop);
		loop.n++;
	}
	return loop;
}

/* Hosts are read at different moments: what their bursts explain proves no loss. */
static bool is_open_loop(const struct loop *loop, double share)
{
	double lacking = loop->sent * share - loop->handled;

	return lacking > 0 && lacking * lacking >= SCATTER * SCATTER * loop->scatter2;
}

#define SUM_TEXT (RATE_TEXT + 16)

/* "1570/s", of all ports of that side that carry RoCE; for words, not for a verdict. */
static const char *sum_text(char out[SUM_TEXT], const struct case_of *c, enum field f, bool is_of_switches)
{
	bool is_counted = false, is_all = true;
	char rate[RATE_TEXT];
	double sum = 0, per_s;

	for (size_t i = 0; i < model_ports(c->model); i++) {
		const struct port *p = model_port(c->model, i);
		bool has_any = false;

		if (c->context->ports[p->id].roce != ROCE_YES || ask_is_switch(c, p) != is_of_switches || ask_is_counted(p, f))
			continue;
		for (unsigned k = 0; k < field_table[f].width; k++)
			if (port_rate(c->model, p, f, k, &per_s)) {
				has_any = true;
				sum += per_s;
			}
		is_counted |= has_any;
		is_all &= has_any;
	}
	if (!is_counted)
		return "not counted";
	snprintf(out, SUM_TEXT, "%s%s/s", is_all ? "" : "at least ", rate_text(rate, sum));
	return out;
}

void ask_cnp_loop(struct case_of *c)
{
	double share = policy_limit(c->policy, LIMIT_CNP_CLOSED);
	struct loop now = loop_over(c, MEAN_US, share), lasting = loop_over(c, LOOP_US, share);
	char sent[RATE_TEXT], handled[RATE_TEXT], marked[SUM_TEXT], seen[SUM_TEXT];

	c->n_evidence = 0;
	if (now.n == 0)
		return ask_na(c, "no RDMA device is known");
	if (ask_lacks(c) || !all_ends_read(c))
		return;
	if (now.sent < FEW_CNPS)
		return ask_na(c, "hardly any CNPs are sent");
	if (now.handled >= now.sent * share)
		return ask_ok(c);
	if (!lasting.is_long || !is_open_loop(&now, share) || !is_open_loop(&lasting, share))
		return ask_unknown(c, LACK_SAMPLE, NULL, "more samples");
	ask_no(c, "of %s CNPs/s sent, %s/s reach a sender: marked (%s), seen (%s), sent, then lost on the return path",
	       rate_text(sent, now.sent), rate_text(handled, now.handled), sum_text(marked, c, FIELD_ECN_MARKED, true),
	       sum_text(seen, c, FIELD_ECN_SEEN, false));
}
