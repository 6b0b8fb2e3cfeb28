/* Writing over a shell: one script at a time, its output and status between marker lines. */
#include "remote/platforms.h"
#include "remote/talk/write.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/platform/mask.h"
#include "remote/talk/collector.h"
#include "remote/talk/collector_frames.h"

struct write_sh {
	struct talk_write face;
	char nonce[20];
	struct collector_frames frames;
	bool is_identified, is_failed, is_over;
	unsigned said;			/* scripts so far: each frame carries its number */
	bool is_due;			/* the last one's answer */
	bool is_test;			/* the last one is a test: its lines are told as they come */
	struct buf line;		/* of a test, the beginning of its next line */
	char printed[160];		/* before it was identified: to tell what we met */
	size_t printed_n;
};

static void fail(struct write_sh *t, const char *reason)
{
	if (t->is_failed)
		return;
	t->is_failed = true;
	t->face.talk.hooks.failed(t->face.talk.hooks.ctx, reason);
}

static void answered(struct write_sh *t, int status, struct span output)
{
	if (!t->is_due)
		return;
	t->is_due = false;
	t->face.said.answered(t->face.said.ctx, status, output);
}

/* As the collector's: the tools of both, and messages in the language that is read here. */
static const char surroundings[] =
	"PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin:/opt/mellanox/iproute2/sbin:/opt/mellanox/ethtool/sbin\n"
	"LC_ALL=C TERM=dumb; export PATH LC_ALL TERM; unset GREP_OPTIONS GREP_COLORS CDPATH; IFS=' \t\n'\n"
	"set +e +u\n";

static void identified(struct write_sh *t, struct span text)
{
	const struct platform *p = platform_identify(text);

	if (t->is_identified)
		return;
	t->is_identified = true;
	if (!platform_speaks(p, WAY_SH))
		buf_str(&t->face.talk.out, "exit\n");
	t->face.talk.hooks.identified(t->face.talk.hooks.ctx, p, text);
}

static void reply(void *ctx, struct span probe, struct span port, int64_t device_us, int status, struct span text,
		  bool is_cut)
{
	struct write_sh *t = ctx;
	char name[16];

	(void)port, (void)device_us, (void)is_cut;
	snprintf(name, sizeof(name), "said%u", t->said);
	if (!t->is_identified && span_is(probe, "identify"))
		identified(t, text);
	else if (t->is_identified && span_is(probe, name))
		answered(t, status, text);
}

/* Whole lines alone: what a line begins with waits for its end. */
static void part(void *ctx, struct span text)
{
	struct write_sh *t = ctx;
	const char *end;

	if (!t->is_due || !t->is_test || !t->face.said.heard)
		return;
	if (t->line.n < WRITE_OUTPUT_MAX)
		buf_add(&t->line, text.p, text.n);
	end = t->line.n ? memrchr(t->line.text, '\n', t->line.n) : NULL;
	if (!end)
		return;
	size_t n = (size_t)(end - t->line.text) + 1;

	t->face.said.heard(t->face.said.ctx, (struct span){ t->line.text, n });
	memmove(t->line.text, t->line.text + n, t->line.n - n);
	t->line.n -= n;
}

static void mark(void *ctx, struct span words)
{
	(void)ctx, (void)words;
}

static void sh_feed(struct talk *talk, struct span bytes)
{
	struct write_sh *t = (struct write_sh *)talk;
	size_t room = sizeof(t->printed) - 1 - t->printed_n;
	size_t n = bytes.n < room ? bytes.n : room;

	if (!t->is_identified) {
		memcpy(t->printed + t->printed_n, bytes.p, n);
		t->printed_n += n;
	}
	collector_frames_feed(&t->frames, bytes);
}

/* In single quotes nothing is special but their end. */
static void add_quoted(struct buf *out, const char *text)
{
	for (const char *quote; (quote = strchr(text, '\'')); text = quote + 1) {
		buf_add(out, text, (size_t)(quote - text));
		buf_str(out, "'\\''");
	}
	buf_str(out, text);
}

/*
 * One compound command: the shell has all of it before it runs any, and a connection that is cut in the middle runs
 * nothing. A script that is wrong ends its subshell, and one that reads finds nothing to read, but a test, which ends when the
 * session's input does.
 */
static void add_frame(const char *nonce, unsigned number, bool is_test, const char *text, struct buf *out)
{
	if (number == 1)
		buf_str(out, surroundings);
	buf_printf(out, "{ printf '\\n@%%s begin said%u - -\\n' %s\n( eval '", number, nonce);
	add_quoted(out, text);
	buf_printf(out, "' ) %s2>&1\nprintf '\\n@%%s end %%s\\n' %s \"$?\"; }\n", is_test ? "" : "</dev/null ", nonce);
}

void talk_write_sh_transcript(const char *nonce, const char *text, struct buf *out)
{
	add_frame(nonce, 1, false, text, out);
}

void talk_write_sh_test_transcript(const char *nonce, const char *text, struct buf *out)
{
	add_frame(nonce, 1, true, text, out);
}

static void sh_say(struct talk_write *face, enum write_kind how, const char *text)
{
	struct write_sh *t = (struct write_sh *)face;

	assert(how != WRITE_CLI && !t->is_due && !t->is_test);
	t->is_due = true;
	t->is_test = how == WRITE_TEST;
	t->said++;
	if (t->is_over || t->is_failed)
		return answered(t, -1, SPAN(""));
	add_frame(t->nonce, t->said, t->is_test, text, &face->talk.out);
}

static bool sh_ask(struct talk *talk, enum cadence cadence)
{
	(void)talk, (void)cadence;
	return false;
}

static const char *sh_step(const struct talk *talk)
{
	const struct write_sh *t = (const struct write_sh *)talk;

	return !t->is_identified ? "identify" : NULL;
}

static void sh_timeout(struct talk *talk)
{
	struct write_sh *t = (struct write_sh *)talk;

	if (t->is_identified)
		return;
	if (t->printed_n == 0 || collector_frames_open_probe(&t->frames).n > 0)
		fail(t, "its output takes too long");
	else
		fail(t, "did not answer as a POSIX shell");
}

/* What it had printed of an answer is given, and that nobody knows how it ended. */
static void sh_closed(struct talk *talk)
{
	struct write_sh *t = (struct write_sh *)talk;
	struct span rest, line = { 0 };
	char reason[256], said[200];

	t->is_over = true;
	if (t->is_identified) {
		collector_frames_give_up(&t->frames);
		return answered(t, -1, SPAN(""));
	}
	rest = span_trim((struct span){ t->printed, t->printed_n });
	span_line(&rest, &line);
	mask_quote(said, sizeof(said), line);
	snprintf(reason, sizeof(reason), "not a POSIX shell%s%s", line.n ? ": " : "", said);
	fail(t, reason);
}

static void sh_free(struct talk *talk)
{
	struct write_sh *t = (struct write_sh *)talk;

	collector_frames_done(&t->frames);
	buf_done(&t->line);
	buf_done(&t->face.talk.out);
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

struct talk *talk_write_sh_new(const char *nonce, const struct talk_hooks *hooks, const struct talk_write_hooks *said)
{
	struct write_sh *t = xcalloc(1, sizeof(*t));

	t->face = (struct talk_write){ .talk = { .ops = &ops, .hooks = *hooks }, .said = *said, .say = sh_say };
	snprintf(t->nonce, sizeof(t->nonce), "%s", nonce);
	collector_frames_init(&t->frames, t->nonce, WRITE_OUTPUT_MAX,
			      &(struct frames_hooks){.ctx = t, .reply = reply, .part = part, .mark = mark});
	collector_identify(t->nonce, &t->face.talk.out);
	return &t->face.talk;
}
