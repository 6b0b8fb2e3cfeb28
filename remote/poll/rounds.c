#include "remote/poll/rounds.h"

#include <string.h>

static int64_t period_us(const struct reach *r, enum cadence cadence)
{
	const struct poller_options *o = poller_options(r->poller);

	switch (cadence) {
	case CADENCE_CONFIG:
		return o->config_us;
	case CADENCE_LIVE:
		return o->live_us;
	case CADENCE_ONCE:
	case CADENCE_FILL:
	case CADENCE_CHANGE:
	case CADENCE_NEVER:
		break;
	}
	return 0;
}

/*
 * The first conversation asks what is live, and everything while there is no second; of what is asked once it need not wait
 * for that. A second that was lost is waited for: what took it away would take away the first one, too.
 */
static bool is_asked_by(const struct conversation *c, enum cadence cadence)
{
	const struct reach *r = c->reach;

	if (c == &r->settings)
		return cadence != CADENCE_LIVE;
	return cadence == CADENCE_LIVE || r->second == SECOND_NONE || (cadence == CADENCE_ONCE && r->second == SECOND_OPENING);
}

bool rounds_due(const struct conversation *c, enum cadence *cadence)
{
	const struct reach *r = c->reach;
	int64_t now_us = poller_now_us(r->poller);

	if (r->once_due && is_asked_by(c, CADENCE_ONCE))
		*cadence = CADENCE_ONCE;
	else if (r->fill == FILL_DUE && r->rounds & 1u << CADENCE_CONFIG && is_asked_by(c, CADENCE_FILL))
		*cadence = CADENCE_FILL;
	else if (r->change_due && is_asked_by(c, CADENCE_CHANGE))
		*cadence = CADENCE_CHANGE;
	else if (now_us >= r->config_due_us && is_asked_by(c, CADENCE_CONFIG))
		*cadence = CADENCE_CONFIG;
	else if (now_us >= r->live_due_us && is_asked_by(c, CADENCE_LIVE))
		*cadence = CADENCE_LIVE;
	else
		return false;
	return true;
}

/* Not in the first settings, which say what there is to ask about. */
static bool may_interrupt(const struct conversation *c)
{
	return c->is_asking && !c->is_interrupting && c->is_identified && c->round.cadence != CADENCE_LIVE &&
	       is_asked_by(c, CADENCE_LIVE) && c->reach->rounds & 1u << CADENCE_CONFIG && talk_may_interrupt(c->talk);
}

bool rounds_due_between(const struct conversation *c)
{
	return may_interrupt(c) && poller_now_us(c->reach->poller) >= c->reach->live_due_us;
}

int64_t rounds_next_us(const struct conversation *c)
{
	const struct reach *r = c->reach;

	if (c->is_asking)
		return may_interrupt(c) ? r->live_due_us : INT64_MAX;
	int64_t config_us = is_asked_by(c, CADENCE_CONFIG) ? r->config_due_us : INT64_MAX;
	int64_t live_us = is_asked_by(c, CADENCE_LIVE) ? r->live_due_us : INT64_MAX;

	return config_us < live_us ? config_us : live_us;
}

/* Whole, so that everything is shown once; those after it must keep their time. */
static bool is_first_round(const struct reach *r, enum cadence cadence)
{
	return !(r->rounds & 1u << cadence);
}

/* The next time of a round that begins now: times that have passed meanwhile are left out, never made up for. */
static void put_off(struct reach *r, enum cadence cadence)
{
	int64_t now_us = poller_now_us(r->poller), period = period_us(r, cadence);

	switch (cadence) {
	case CADENCE_ONCE:
		r->once_due = false;
		return;
	case CADENCE_FILL:
		r->fill = FILL_RUNS;
		return;
	case CADENCE_CHANGE:
		r->change_due = false;
		return;
	case CADENCE_NEVER:
		return;
	case CADENCE_CONFIG:
		r->config_due_us = now_us + period;
		return;
	case CADENCE_LIVE:
		if (is_first_round(r, CADENCE_LIVE))	/* so that hosts that came up together do not poll together */
			r->live_due_us = now_us + period / 2 + poller_random(r->poller, period / 2 + 1);
		else
			r->live_due_us += ((now_us - r->live_due_us) / period + 1) * period;
		return;
	}
}

static void note_pace(struct reach *r, enum cadence cadence, int64_t asked_us)
{
	if (is_first_round(r, cadence))
		return;
	if (r->last_asked_us[cadence])
		measured_note(&r->pace[cadence], asked_us - r->last_asked_us[cadence]);
	r->last_asked_us[cadence] = asked_us;
}

/* The ports of live questions are in the first settings: a live round before those is not yet the first whole one. */
void rounds_begin(struct conversation *c, enum cadence cadence)
{
	struct reach *r = c->reach;

	put_off(r, cadence);
	c->is_interrupting = c->is_asking;
	if (c->is_interrupting)
		c->interrupted = c->round;
	else
		c->question_us = poller_now_us(r->poller);
	c->is_asking = true;
	c->round = (struct running){ .cadence = cadence, .at_us = poller_now_us(r->poller), .began_us = poller_now_us(r->poller) };
	c->round.is_whole = cadence != CADENCE_LIVE || r->rounds & 1u << CADENCE_CONFIG;
	note_pace(r, cadence, c->round.at_us);
}

/* The question that was interrupted: the round that waited for its answer begins. */
void rounds_answered(struct conversation *c, const struct probe *probe)
{
	c->question_us = poller_now_us(c->reach->poller);
	if (probe->cadence == c->round.cadence)
		c->round.ports_answered += probe->per_port;
	else
		c->round.at_us = c->question_us;
}

/* How long the round takes until each port question was asked once, by how far it has come. */
static int64_t lap_us(const struct conversation *c)
{
	int64_t n = (int64_t)talk_port_questions(c->talk), answered = (int64_t)c->round.ports_answered;
	int64_t took_us = poller_now_us(c->reach->poller) - c->round.at_us;

	return answered < n ? took_us * (n + 1) / (answered + 1) : took_us;
}

/* The period that is kept: by the rounds of this session or, in the first, by how it goes. */
int64_t rounds_period_us(const struct conversation *c, const struct probe *probe)
{
	const struct reach *r = c->reach;
	struct measured_period pace = probe->per_port ? r->port_pace : r->pace[probe->cadence];

	if (is_first_round(r, probe->cadence))
		measured_note(&pace, lap_us(c));
	bool waits = r->second == SECOND_NONE && !talk_may_interrupt(c->talk);	/* for settings; and is believed for three periods */
	if (probe->cadence == CADENCE_LIVE && waits)
		measured_note(&pace, r->settings_us / 2);
	return measured_period_us(&pace, period_us(r, probe->cadence));
}

bool rounds_have_had_their_time(const struct conversation *c)
{
	const struct reach *r = c->reach;

	return c->round.cadence == CADENCE_LIVE && !(c->round.is_whole && is_first_round(r, CADENCE_LIVE)) &&
	       poller_now_us(r->poller) >= c->round.at_us + period_us(r, CADENCE_LIVE);
}

/* What a round of pings has filled is read at once. */
static void note_fill(struct reach *r, enum cadence cadence)
{
	if (cadence == CADENCE_FILL) {
		r->config_due_us = poller_now_us(r->poller);
		r->fill = FILL_READS;
	} else if (cadence == CADENCE_CONFIG && r->fill == FILL_READS) {
		r->fill = FILL_NONE;
	}
}

void rounds_ended(struct conversation *c, enum cadence cadence)
{
	struct reach *r = c->reach;
	int64_t took_us = poller_now_us(r->poller) - c->round.at_us;

	note_fill(r, cadence);
	if (c->round.is_whole) {
		r->rounds |= 1u << cadence;
		r->n_rounds[cadence]++;
		r->read_since_us[cadence] = c->round.began_us;
	}
	if (cadence == CADENCE_CONFIG)
		r->settings_us = took_us;
	if (cadence == CADENCE_LIVE) {
		measured_note(&r->port_pace, lap_us(c));
		r->latency_us = took_us;
		r->failures = 0;
	}
	c->is_asking = c->is_interrupting;
	c->is_interrupting = false;
	if (c->is_asking)
		c->round = c->interrupted;
}

#define HASTE_LEAST_US	INT64_C(10000000)	/* between two rounds of settings, however many symptoms appear */

void rounds_hasten(struct reach *r)
{
	int64_t now_us = poller_now_us(r->poller), soonest_us = r->config_due_us - period_us(r, CADENCE_CONFIG) + HASTE_LEAST_US;

	if (soonest_us < now_us)
		soonest_us = now_us;
	if (r->config_due_us > soonest_us)
		r->config_due_us = soonest_us;
}

void rounds_forget(struct reach *r)
{
	r->once_due = true;
	r->config_due_us = r->live_due_us = poller_now_us(r->poller);
	memset(r->pace, 0, sizeof(r->pace));
	memset(r->last_asked_us, 0, sizeof(r->last_asked_us));
	r->port_pace = (struct measured_period){ 0 };
}
