/*
 * A switch's own command line behind a PTY. One command at a time: it is sent when a prompt stands, and its answer lies
 * between its echo and the next prompt. Waiting for the echo is what keeps a late or repeated prompt from handing one
 * command's output to another. Nothing but the platform's own read commands is ever typed; a question ends it.
 */
#include "remote/talk/talk.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/talk/cli_session.h"
#include "remote/talk/prompt.h"

struct round {
	enum cadence cadence;
	size_t next_probe;
	size_t ports_asked;		/* port questions of this round so far */
	bool is_hurried;
};

/* How a probe has gone in this session. */
struct past {
	unsigned refusals;		/* in a row */
	bool is_left_out;		/* the device knows no such command: decided as a round begins */
};

struct cli {
	struct talk face;
	enum { AT_ENTRY, AT_REST, AT_PROBE, AT_LATE_PROMPT, AT_END } at;
	struct cli_session session;
	const struct platform *platform;	/* once it is identified */

	struct round round;		/* that runs */
	struct round other;		/* that goes on after it, or that begins after the running question */
	enum { OTHER_NONE, OTHER_NEXT, OTHER_WAITS } other_is;
	size_t port_turn[CADENCE_NEVER];	/* which port question comes next, over all rounds */
	const struct probe *probe;	/* being answered */
	char port[64];			/* that it is asked about; "" = none */
	char *lines, *next_line;	/* a probe of several commands: owned text, and what is left of it */
	struct buf reply;		/* their answers so far */
	bool reply_is_cut;
	struct obs *named;		/* by probe: the last answer, of one that names ports to ask about */
	struct obs *ports;		/* by probe: the ports that it is asked for */
	struct past *past;		/* by probe */
};

static struct cli *cli_of(struct talk *t)
{
	return (struct cli *)t;
}

static void fail(struct cli *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(struct cli *c, const char *format, ...)
{
	char reason[512];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	c->at = AT_END;
	if (c->face.hooks.failed)
		c->face.hooks.failed(c->face.hooks.ctx, reason);
}

/* -- rounds -- */

static const struct obs *ports_for(const struct cli *c, const struct probe *probe)
{
	return probe->ports_of ? &c->ports[probe - c->platform->probes] : NULL;
}

static bool is_asked(const struct cli *c, const struct probe *probe, bool per_port)
{
	return probe->cadence == c->round.cadence && probe->command && probe->per_port == per_port &&
	       !c->past[probe - c->platform->probes].is_left_out;
}

/* A command that was refused for each of its ports is one that this system, or this login, does not have. */
static void leave_out_refused(struct cli *c)
{
	for (size_t i = 0; i < c->platform->n_probes; i++) {
		const struct obs *ports = ports_for(c, &c->platform->probes[i]);

		c->past[i].is_left_out = c->past[i].refusals > 0 && (!ports || c->past[i].refusals >= ports->n_ports);
	}
}

/* The ports that a probe is asked for in this round; NULL when none. */
static const struct obs *asked_ports(const struct cli *c, const struct probe *probe)
{
	return is_asked(c, probe, true) ? ports_for(c, probe) : NULL;
}

static size_t port_questions(const struct cli *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->platform->n_probes; i++) {
		const struct obs *ports = asked_ports(c, &c->platform->probes[i]);

		n += ports ? ports->n_ports : 0;
	}
	return n;
}

static bool choose_port_question(struct cli *c, size_t turn)
{
	for (size_t i = 0; i < c->platform->n_probes; i++) {
		const struct obs *ports = asked_ports(c, &c->platform->probes[i]);
		size_t n = ports ? ports->n_ports : 0;

		if (turn >= n) {
			turn -= n;
			continue;
		}
		c->probe = &c->platform->probes[i];
		snprintf(c->port, sizeof(c->port), "%s", ports->ports[turn]);
		return true;
	}
	return false;
}

/* Goes to the next question of the round, those about single ports last; false when there is none left. */
static bool choose_next(struct cli *c)
{
	size_t n_turns;

	c->probe = NULL;
	c->port[0] = '\0';
	while (!c->probe && c->round.next_probe < c->platform->n_probes) {
		const struct probe *probe = &c->platform->probes[c->round.next_probe++];

		if (is_asked(c, probe, false))
			c->probe = probe;
	}
	if (c->probe)
		return true;
	n_turns = port_questions(c);
	if (c->round.is_hurried || c->round.ports_asked >= n_turns)
		return false;
	c->round.ports_asked++;
	return choose_port_question(c, c->port_turn[c->round.cadence]++ % n_turns);
}

static void type_next_line(struct cli *c)
{
	char *end = strchr(c->next_line, '\n');

	if (end)
		*end = '\0';
	cli_session_type(&c->session, c->next_line);
	c->next_line = end ? end + 1 : NULL;
}

static void ask_chosen(struct cli *c)
{
	struct buf command = { 0 };

	platform_command(c->probe, c->port[0] ? c->port : NULL, &command);
	free(c->lines);
	c->lines = c->next_line = command.text;
	buf_clear(&c->reply);
	c->reply_is_cut = false;
	c->at = AT_PROBE;
	type_next_line(c);
}

static void exchange_rounds(struct cli *c, unsigned other_is)
{
	struct round round = c->round;

	c->round = c->other;
	c->other = round;
	c->other_is = other_is;
}

static void end_round(struct cli *c, enum cadence cadence)
{
	if (c->face.hooks.round_ended)
		c->face.hooks.round_ended(c->face.hooks.ctx, cadence);
}

static void go_on(struct cli *c)
{
	if (c->at == AT_END)
		return;
	while (!c->probe && !choose_next(c) && c->other_is != OTHER_NONE) {
		exchange_rounds(c, OTHER_NONE);
		end_round(c, c->other.cadence);
	}
	if (c->probe) {
		ask_chosen(c);
		return;
	}
	c->at = AT_REST;
	teletype_clear(&c->session.tty);
	end_round(c, c->round.cadence);
}

static bool is_down(const struct obs *o, size_t port)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->facts[i].field == FIELD_UP && o->facts[i].port == port)
			return o->facts[i].value.is == VALUE_KNOWN && !o->facts[i].value.n;
	return false;
}

static void choose_ports(struct cli *c, size_t asking)
{
	const struct platform *p = c->platform;

	obs_clear(&c->ports[asking]);
	for (size_t i = 0; i < p->n_probes; i++) {
		if (!span_is_among(span_of(p->probes[i].id), p->probes[asking].ports_of))
			continue;
		for (size_t k = 0; k < c->named[i].n_ports; k++)
			if (!is_down(&c->named[i], k))
				obs_port(&c->ports[asking], span_of(c->named[i].ports[k]));
	}
}

/* Remembers which ports an answer named, when a later probe is asked for each of them. */
static void note_ports(struct cli *c, const struct probe *probe, const struct answer *a)
{
	size_t own = (size_t)(probe - c->platform->probes);
	bool is_read = false;

	for (size_t i = 0; !a->is_partial && i < c->platform->n_probes; i++) {
		if (!span_is_among(span_of(probe->id), c->platform->probes[i].ports_of))
			continue;
		if (!is_read) {
			obs_clear(&c->named[own]);
			platform_parse(c->platform, probe, a, &c->named[own]);
			c->named[own].raw = (struct span){ 0 };
			is_read = true;
		}
		choose_ports(c, i);
	}
}

/* An answer that is one line with an error. */
static bool note_refusal(struct cli *c, struct span text)
{
	struct past *past = &c->past[c->probe - c->platform->probes];
	bool is_error;

	text = span_trim(text);
	is_error = text.n > 0 && span_starts(text, c->platform->cli->error_prefix) && !memchr(text.p, '\n', text.n);
	past->refusals = is_error ? past->refusals + 1 : 0;
	return is_error;
}

/* The last line of the probe's commands is answered, or nothing more is to be had. */
static void answered(struct cli *c, bool is_partial)
{
	struct answer a = { .text = cli_session_answer(&c->session, is_partial), .status = -1 };
	const struct probe *probe = c->probe;

	c->reply_is_cut |= c->session.tty.is_cut;
	if (c->reply.n > 0) {
		buf_add(&c->reply, a.text.p, a.text.n);
		a.text = buf_span(&c->reply);
	}
	a.port = c->port[0] ? c->port : NULL;
	a.is_partial = is_partial || c->reply_is_cut;
	a.is_refused = !a.is_partial && note_refusal(c, a.text);
	note_ports(c, probe, &a);
	if (c->face.hooks.answered)
		c->face.hooks.answered(c->face.hooks.ctx, probe, &a, 0);
	c->probe = NULL;
	if (c->other_is == OTHER_NEXT)
		exchange_rounds(c, OTHER_WAITS);
	choose_next(c);
}

/*
 * One of several commands of a probe is answered. The parser gets all answers in one text; each but the first stands
 * behind a line with its command, as a terminal would show it.
 */
static void line_answered(struct cli *c)
{
	struct span text = cli_session_answer(&c->session, false);

	buf_add(&c->reply, text.p, text.n);
	c->reply_is_cut |= c->session.tty.is_cut;
	type_next_line(c);
	buf_printf(&c->reply, "%s\n", c->session.command);
}

/* -- a prompt stands -- */

static void entered(struct cli *c)
{
	c->platform = c->session.platform;
	c->named = xcalloc(c->platform->n_probes, sizeof(*c->named));
	c->ports = xcalloc(c->platform->n_probes, sizeof(*c->ports));
	c->past = xcalloc(c->platform->n_probes, sizeof(*c->past));
	c->at = AT_REST;
}

static void identified(struct cli *c)
{
	if (c->face.hooks.identified)
		c->face.hooks.identified(c->face.hooks.ctx, c->session.platform, buf_span(&c->session.login));
}

static void go_in(struct cli *c, struct span tail)
{
	struct err err;

	switch (cli_session_enter(&c->session, tail, &err)) {
	case CLI_ENTERED:
		entered(c);
		identified(c);
		break;
	case CLI_NOT_SPOKEN:
		c->at = AT_END;
		identified(c);
		break;
	case CLI_REFUSED:
		fail(c, "%s", err.text);
		break;
	default:
		break;
	}
}

static void prompt_stands(struct cli *c, struct span tail)
{
	bool complete = cli_session_is_answered(&c->session, tail);

	if (c->at == AT_ENTRY) {
		go_in(c, tail);
	} else if (c->at == AT_PROBE && complete && c->next_line) {
		line_answered(c);
	} else if (c->at == AT_PROBE && complete) {
		answered(c, false);
		go_on(c);
	} else if (c->at == AT_LATE_PROMPT && cli_session_is_own_prompt(&c->session, tail)) {
		go_on(c);
	}
}

static void cli_feed(struct talk *t, struct span bytes)
{
	struct cli *c = cli_of(t);
	struct span tail, name;
	struct err err;
	char end;

	if (c->at == AT_END)
		return;
	cli_session_feed(&c->session, bytes);
	if (c->at == AT_REST) {
		teletype_clear(&c->session.tty);	/* nobody asked */
		return;
	}
	tail = prompt_last(teletype_tail(&c->session.tty));
	if (prompt_shape(tail, &name, &end))
		prompt_stands(c, tail);
	else if (cli_session_is_stuck(&c->session, tail, &err))
		fail(c, "%s", err.text);
}

static bool cli_ask(struct talk *t, enum cadence cadence)
{
	struct cli *c = cli_of(t);

	if (c->at != AT_REST)
		return false;
	c->round = (struct round){ .cadence = cadence };
	c->other_is = OTHER_NONE;
	leave_out_refused(c);
	c->probe = NULL;
	choose_next(c);
	go_on(c);
	return true;
}

/* At rest nothing runs that it could come between. */
static bool cli_ask_between(struct talk *t, enum cadence cadence)
{
	struct cli *c = cli_of(t);

	if ((c->at != AT_PROBE && c->at != AT_LATE_PROMPT) || c->other_is != OTHER_NONE)
		return false;
	c->other = (struct round){ .cadence = cadence };
	c->other_is = OTHER_NEXT;
	return true;
}

static void cli_hurry(struct talk *t)
{
	cli_of(t)->round.is_hurried = true;
}

static void cli_hear(struct talk *t, const struct probe *probe, const struct answer *a)
{
	struct cli *c = cli_of(t);

	if (c->named)
		note_ports(c, probe, a);
}

static size_t cli_port_questions(const struct talk *t)
{
	const struct cli *c = (const struct cli *)t;

	return c->named ? port_questions(c) : 0;
}

static const char *cli_step(const struct talk *t)
{
	const struct cli *c = (const struct cli *)t;

	return c->at == AT_ENTRY ? cli_session_step(&c->session) : c->probe ? c->probe->id : NULL;
}

static void cli_timeout(struct talk *t)
{
	struct cli *c = cli_of(t);
	struct err err;

	switch (c->at) {
	case AT_ENTRY:
		cli_session_too_late(&c->session, &err);
		fail(c, "%s", err.text);
		break;
	case AT_PROBE:
		answered(c, true);
		if (c->at == AT_PROBE)
			c->at = AT_LATE_PROMPT;	/* it may still be printing: its prompt first */
		break;
	case AT_LATE_PROMPT:
		fail(c, "no prompt after \"%s\"", c->session.command);
		break;
	default:
		break;
	}
}

static void cli_closed(struct talk *t)
{
	struct cli *c = cli_of(t);

	if (c->at == AT_PROBE)
		answered(c, true);
	c->at = AT_END;
}

static void cli_free(struct talk *t)
{
	struct cli *c = cli_of(t);

	for (size_t i = 0; c->named && i < c->platform->n_probes; i++) {
		obs_done(&c->named[i]);
		obs_done(&c->ports[i]);
	}
	free(c->named);
	free(c->ports);
	free(c->past);
	free(c->lines);
	buf_done(&c->reply);
	buf_done(&c->face.out);
	cli_session_done(&c->session);
	free(c);
}

static const struct talk_ops ops = {
	.free = cli_free,
	.feed = cli_feed,
	.ask = cli_ask,
	.ask_between = cli_ask_between,
	.hurry = cli_hurry,
	.port_questions = cli_port_questions,
	.hear = cli_hear,
	.step = cli_step,
	.timeout = cli_timeout,
	.closed = cli_closed,
};

struct talk *talk_cli_new(const struct talk_hooks *hooks)
{
	struct cli *c = xcalloc(1, sizeof(*c));

	c->face.ops = &ops;
	c->face.hooks = *hooks;
	cli_session_init(&c->session, &c->face.out);
	c->session.tty.max = TALK_REPLY_MAX;
	return &c->face;
}
