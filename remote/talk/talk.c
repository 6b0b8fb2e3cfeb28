#include "remote/talk/talk.h"

#include <stdlib.h>

#include "remote/platforms.h"

void talk_free(struct talk *t)
{
	if (t)
		t->way->free(t);
}

void talk_feed(struct talk *t, struct span bytes)
{
	t->way->feed(t, bytes);
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
	return cadence != CADENCE_NEVER && t->way->ask(t, cadence);
}

void talk_hurry(struct talk *t)
{
	if (t->way->hurry)
		t->way->hurry(t);
}

size_t talk_port_questions(const struct talk *t)
{
	return t->way->port_questions ? t->way->port_questions(t) : 0;
}

const char *talk_step(const struct talk *t)
{
	return t->way->step(t);
}

void talk_timeout(struct talk *t)
{
	t->way->timeout(t);
}

void talk_closed(struct talk *t)
{
	t->way->closed(t);
}

enum speech talk_guess(const char *platform_hint, struct span banner)
{
	const struct platform *p = platform_hint ? platform_find(platform_hint) : NULL;

	if (p)
		return p->speech;
	if (span_find(banner, "(OS10)"))	/* its pre-login text; its sshd is Debian's */
		return SPEECH_CLI;
	/* OpenSSH says which system built it; switches with a command line of their own show nothing after the version. */
	if (span_find(banner, "Ubuntu") || span_find(banner, "Debian") || span_find(banner, "FreeBSD"))
		return SPEECH_SH;
	return span_find(banner, "OpenSSH") || banner.n == 0 ? SPEECH_SH : SPEECH_CLI;
}
