/* Reading over a shell: the collector is sent to /bin/sh -s, and its frames are taken apart. */
#include "remote/platforms.h"
#include "remote/talk/talk.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/platform/mask.h"
#include "remote/talk/collector.h"
#include "remote/talk/collector_frames.h"

struct talk_sh {
	struct talk talk;
	char nonce[20];
	const char *names;		/* ports that its program names; lent, or NULL */
	const struct platform *platform;
	struct collector_frames frames;
	bool is_identified, is_failed;
	bool has_said_hello;
	bool is_asked;			/* a round runs */
	enum cadence cadence;		/* of that round */
	bool is_late;			/* its running question was given up once already */
	char printed[160];		/* before it was identified: to tell what we met */
	size_t printed_n;
};

static void fail(struct talk_sh *t, const char *reason)
{
	if (t->is_failed)
		return;
	t->is_failed = true;
	t->talk.hooks.failed(t->talk.hooks.ctx, reason);
}

static void identified(struct talk_sh *t, struct span text)
{
	const struct platform *p = platform_identify(text);

	if (t->is_identified)
		return;
	t->is_identified = true;
	if (platform_speaks(p, WAY_SH)) {
		t->platform = p;
		collector_program_for(p, t->nonce, t->names, &t->talk.out);
	} else {
		buf_str(&t->talk.out, "exit\n");
	}
	t->talk.hooks.identified(t->talk.hooks.ctx, p, text);
}

static void reply(void *ctx, struct span probe, struct span port, int64_t device_us, int status, struct span text,
		  bool is_cut)
{
	struct talk_sh *t = ctx;
	char id[64], name[64];
	struct answer a = { .text = text, .status = status, .is_partial = is_cut || status_is_cut(status) };
	const struct probe *found;

	snprintf(id, sizeof(id), "%.*s", (int)probe.n, probe.p);
	snprintf(name, sizeof(name), "%.*s", (int)port.n, port.p);
	a.port = port.n ? name : NULL;
	t->is_late = false;
	if (!t->platform) {
		if (strcmp(id, "identify") == 0)
			identified(t, text);
		return;
	}
	found = platform_probe(t->platform, id);
	if (found && t->is_asked)
		t->talk.hooks.answered(t->talk.hooks.ctx, found, &a, device_us);
}

static void begin_round(struct talk_sh *t)
{
	buf_printf(&t->talk.out, "%s\n", collector_word(t->cadence));
}

static void mark(void *ctx, struct span words)
{
	struct talk_sh *t = ctx;

	if (span_is(words, "hello") && t->platform && !t->has_said_hello) {
		t->has_said_hello = true;
		if (t->is_asked)
			begin_round(t);
	} else if (span_skip(&words, "round ") && t->is_asked && span_is(words, collector_word(t->cadence))) {
		t->is_asked = t->is_late = false;
		t->talk.hooks.round_ended(t->talk.hooks.ctx, t->cadence);
	}
}

static void sh_feed(struct talk *talk, struct span bytes)
{
	struct talk_sh *t = (struct talk_sh *)talk;
	size_t room = sizeof(t->printed) - 1 - t->printed_n;
	size_t n = bytes.n < room ? bytes.n : room;

	if (!t->is_identified) {
		memcpy(t->printed + t->printed_n, bytes.p, n);
		t->printed_n += n;
	}
	collector_frames_feed(&t->frames, bytes);
}

static bool sh_ask(struct talk *talk, enum cadence cadence)
{
	struct talk_sh *t = (struct talk_sh *)talk;

	if (!t->platform || t->is_asked || t->is_failed)
		return false;
	t->is_asked = true;
	t->cadence = cadence;
	if (t->has_said_hello)
		begin_round(t);
	return true;
}

static const char *sh_step(const struct talk *talk)
{
	const struct talk_sh *t = (const struct talk_sh *)talk;
	struct span probe = collector_frames_open_probe(&t->frames);
	const struct probe *found = NULL;

	if (!t->is_identified)
		return "identify";
	for (size_t i = 0; t->platform && i < t->platform->n_probes; i++)
		if (span_is(probe, t->platform->probes[i].id))
			found = &t->platform->probes[i];
	return found ? found->id : NULL;
}

/* The far shell waits for its command; it cannot be told to stop. The rest of the round may still come. */
static void sh_timeout(struct talk *talk)
{
	struct talk_sh *t = (struct talk_sh *)talk;

	bool says_nothing_wrong = t->printed_n == 0 || collector_frames_open_probe(&t->frames).n > 0;

	if (!t->is_identified && says_nothing_wrong && !t->is_late)
		;	/* a host under load: once more as long */
	else if (!t->is_identified && says_nothing_wrong)
		fail(t, "its output takes too long");
	else if (!t->is_identified)
		fail(t, "did not answer as a POSIX shell");
	else if (t->is_late)
		fail(t, "the shell no longer answers");
	else
		collector_frames_give_up(&t->frames);	/* or no question is running: its hello is awaited once more as long */
	t->is_late = true;
}

static void sh_closed(struct talk *talk)
{
	struct talk_sh *t = (struct talk_sh *)talk;
	struct span rest, line = { 0 };
	char reason[256], said[200];

	if (t->is_identified) {
		collector_frames_give_up(&t->frames);
		return;
	}
	rest = span_trim((struct span){ t->printed, t->printed_n });
	span_line(&rest, &line);
	mask_quote(said, sizeof(said), line);
	snprintf(reason, sizeof(reason), "not a POSIX shell%s%s", line.n ? ": " : "", said);
	fail(t, reason);
}

static void sh_free(struct talk *talk)
{
	struct talk_sh *t = (struct talk_sh *)talk;

	collector_frames_done(&t->frames);
	buf_done(&t->talk.out);
	free(t);
}

static const struct talk_ops ops = {
	.free = sh_free,
	.feed = sh_feed,
	.ask = sh_ask,
	.step = sh_step,
	.timeout = sh_timeout,
	.closed = sh_closed,
};

void talk_sh_name_ports(struct talk *talk, const char *names)
{
	((struct talk_sh *)talk)->names = names;
}

struct talk *talk_sh_new(const char *nonce, const struct talk_hooks *hooks)
{
	struct talk_sh *t = xcalloc(1, sizeof(*t));

	t->talk = (struct talk){ .ops = &ops, .hooks = *hooks };
	snprintf(t->nonce, sizeof(t->nonce), "%s", nonce);
	collector_frames_init(&t->frames, t->nonce, TALK_REPLY_MAX,
			      &(struct frames_hooks){.ctx = t, .reply = reply, .mark = mark});
	collector_identify(t->nonce, &t->talk.out);
	return &t->talk;
}
