#include "remote/talk/talk.h"

#include <stdlib.h>


void talk_free(struct talk *t)
{
	if (t)
		t->ops->free(t);
}

void talk_feed(struct talk *t, struct span bytes)
{
	t->ops->feed(t, bytes);
}

struct span talk_to_send(const struct talk *t)
{
	return buf_span(&t->out);
}

void talk_sent(struct talk *t, size_t n)
{
	if (n >= t->out.n) {
		buf_done(&t->out);	/* a collector's program is long, and said once */
		return;
	}
	memmove(t->out.text, t->out.text + n, t->out.n - n + 1);
	t->out.n -= n;
}

bool talk_ask(struct talk *t, enum cadence cadence)
{
	return cadence != CADENCE_NEVER && t->ops->ask(t, cadence);
}

bool talk_ask_between(struct talk *t, enum cadence cadence)
{
	return talk_may_interrupt(t) && t->ops->ask_between(t, cadence);
}

bool talk_may_interrupt(const struct talk *t)
{
	return t->ops->ask_between;
}

void talk_hurry(struct talk *t)
{
	if (t->ops->hurry)
		t->ops->hurry(t);
}

void talk_hear(struct talk *t, const struct probe *probe, const struct answer *a)
{
	if (t->ops->hear)
		t->ops->hear(t, probe, a);
}

size_t talk_port_questions(const struct talk *t)
{
	return t->ops->port_questions ? t->ops->port_questions(t) : 0;
}

const char *talk_step(const struct talk *t)
{
	return t->ops->step(t);
}

void talk_timeout(struct talk *t)
{
	t->ops->timeout(t);
}

void talk_closed(struct talk *t)
{
	t->ops->closed(t);
}
