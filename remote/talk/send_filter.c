#include "remote/talk/send_filter.h"

#include <ctype.h>
#include <stdio.h>

#include "remote/platforms.h"
#include "remote/talk/collector.h"

#define PORT_MAX 31

void send_filter_init(struct send_filter *g, const struct talk_way *way, const char *nonce, const struct write_permit *permit)
{
	*g = (struct send_filter){ .permit = permit, .way = way };
	snprintf(g->nonce, sizeof(g->nonce), "%s", nonce);
	if (way->identification && !permit)
		way->identification(g->nonce, &g->known);
}

void send_filter_done(struct send_filter *g)
{
	buf_done(&g->known);
}

void send_filter_let_look(struct send_filter *g, const char *text)
{
	g->look = text;
}

void send_filter_let_test(struct send_filter *g, const char *text)
{
	g->look = text;
	g->look_is_test = true;
}

void send_filter_name_ports(struct send_filter *g, const char *names)
{
	g->names = names;
}

void send_filter_let_fill(struct send_filter *g)
{
	g->may_fill = true;
}

void send_filter_identified(struct send_filter *g, const struct platform *p)
{
	if (g->platform || g->permit || !platform_speaks(p, g->way->id))
		return;
	g->platform = p;
	if (g->look && g->look_is_test) {
		if (g->way->testing)
			g->way->testing(g->nonce, g->look, &g->known);
	} else if (g->look) {
		g->way->looking(g->nonce, g->look, &g->known);
	} else if (g->way->questions) {
		g->way->questions(p, g->nonce, g->names, &g->known);
	}
}

/* -- a switch CLI -- */

static bool is_port_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("/:._-", c));
}

/* Matches the line against a probe command; each {slot} of the command takes a port name. */
static bool is_asking(struct span line, struct span question)
{
	struct span head, slot, tail;
	size_t n = 0;

	if (!span_cut(question, '{', &head, &slot) || !span_cut(slot, '}', &slot, &tail))
		return span_same(line, question);
	if (line.n < head.n || memcmp(line.p, head.p, head.n) != 0)
		return false;
	line = (struct span){ line.p + head.n, line.n - head.n };
	while (n < line.n && n < PORT_MAX && is_port_char(line.p[n]))
		n++;
	if (n == 0 || !isalnum((unsigned char)line.p[0]))
		return false;
	return is_asking((struct span){ line.p + n, line.n - n }, tail);
}

static bool is_question_of(const struct platform *p, struct span line)
{
	for (size_t i = 0; i < p->n_probes; i++) {
		struct span questions = span_of(p->probes[i].command), one;

		while (p->probes[i].cadence != CADENCE_NEVER && span_line(&questions, &one))
			if (is_asking(line, one))
				return true;
	}
	return false;
}

static bool is_pager_off(struct span line)
{
	for (size_t i = 0; i < platform_count; i++)
		if (platform_table[i]->cli && platform_table[i]->cli->pager_off && span_is(line, platform_table[i]->cli->pager_off))
			return true;
	return false;
}

/* Leading blanks are allowed: they advance the pager. */
static bool may_type(const struct send_filter *g, struct span line)
{
	while (span_skip(&line, " "))
		;
	return line.n == 0 || span_is(line, "show version") || span_is(line, "exit") || is_pager_off(line) ||
	       (g->platform && is_question_of(g->platform, line));
}

/* Matches the next line of known. A script that has begun must be finished before anything else is sent. */
static bool is_next_known(const struct send_filter *g, struct send_at *at, struct span line)
{
	struct span left, next;

	if (at->told >= g->known.n)
		return false;
	left = (struct span){ g->known.text + at->told, g->known.n - at->told };
	while (span_skip(&line, " "))
		;
	if (!span_line(&left, &next) || !span_same(next, line))
		return false;
	at->told = (size_t)(left.p - g->known.text);
	return true;
}

bool send_filter_may_type(const struct send_filter *g, struct send_at *at, struct span line)
{
	bool is_within = at->told && at->told < g->known.n;

	return is_next_known(g, at, line) || (!is_within && may_type(g, line));
}

/* -- a shell -- */

bool send_filter_may_tell(const struct send_filter *g, struct send_at *at, struct span line)
{
	(void)at;
	if (!g->platform || g->look)
		return span_is(line, "exit");
	if (span_is(line, collector_word(CADENCE_FILL)))
		return g->may_fill;
	return span_is(line, collector_word(CADENCE_ONCE)) || span_is(line, collector_word(CADENCE_CONFIG)) ||
	       span_is(line, collector_word(CADENCE_LIVE)) || span_is(line, collector_word(CADENCE_CHANGE));
}

/* Removes the part of known from the front of out; false when the bytes differ. */
bool send_filter_take_known(const struct send_filter *g, struct send_at *at, struct span *out)
{
	size_t left = g->known.n - at->told, n = out->n < left ? out->n : left;

	if (n && memcmp(g->known.text + at->told, out->p, n) != 0)
		return false;
	at->told += n;
	*out = (struct span){ out->p + n, out->n - n };
	return true;
}

/* -- shell and CLI -- */

static bool refuse(const struct send_at *at, struct span rest, struct err *err)
{
	char shown[80];
	size_t n = 0;

	for (size_t i = 0; i < at->n && n < sizeof(shown) - 1; i++)
		shown[n++] = at->line[i];
	for (size_t i = 0; i < rest.n && n < sizeof(shown) - 1 && rest.p[i] != '\n'; i++)
		shown[n++] = rest.p[i];
	for (size_t i = 0; i < n; i++)
		shown[i] = shown[i] >= ' ' && shown[i] <= '~' ? shown[i] : '.';
	return err_set(err, "\"%.*s\" is not a read-only command and no write was permitted; it was not sent. This is a bug in "
			    "fabcon: please report it",
		       (int)n, shown);
}

/* Checks the bytes of out against the allowed text, from *at. */
static bool hear(const struct send_filter *g, struct send_at *at, struct span out, struct err *err)
{
	if (g->way->take_known && !g->way->take_known(g, at, &out))
		return refuse(at, out, err);
	for (; out.n; out = (struct span){ out.p + 1, out.n - 1 }) {
		struct span line = { at->line, at->n };

		if (*out.p != '\n') {
			if (at->n == sizeof(at->line))
				return refuse(at, out, err);
			at->line[at->n++] = *out.p;
			continue;
		}
		if (!g->way->may_send(g, at, line))
			return refuse(at, SPAN(""), err);
		at->n = 0;
	}
	return true;
}

static bool is_blank(const struct send_at *at)
{
	for (size_t i = 0; i < at->n; i++)
		if (at->line[i] != ' ')
			return false;
	return true;
}

/* Only whole lines are checked: a switch acts on some bytes before the line ends. */
bool send_filter_allows(const struct send_filter *g, struct span out, struct err *err)
{
	struct send_at at;

	if (!g)
		return err_set(err, "no send filter is set; it was not sent. This is a bug in fabcon: please report it");
	if (g->permit)
		return true;
	at.told = g->at.told;
	at.n = g->at.n;
	memcpy(at.line, g->at.line, g->at.n);
	return hear(g, &at, out, err) && (is_blank(&at) || refuse(&at, SPAN(""), err));
}

void send_filter_sent(struct send_filter *g, struct span sent)
{
	if (g->permit)
		return;
	hear(g, &g->at, sent, NULL);
	if (g->platform && g->known.n && g->at.told == g->known.n) {	/* a collector program is long and is sent once */
		buf_done(&g->known);
		g->at.told = 0;
	}
}
