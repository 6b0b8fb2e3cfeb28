/* A far end that prints anything, to a write session's talk with its shell; the nonce is known to it. */
#include <assert.h>

#include "remote/talk/write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct far {
	struct talk *talk;
	bool is_ready, is_failed;	/* may be told something; over */
};

static void on_identified(void *ctx, const struct platform *p, struct span text)
{
	(void)text;
	((struct far *)ctx)->is_ready = platform_speaks(p, WAY_SH);
}

static void on_failed(void *ctx, const char *reason)
{
	(void)reason;
	((struct far *)ctx)->is_failed = true;
}

/* One answer to each script, however often its end is claimed. */
static void on_said(void *ctx, int status, struct span output)
{
	struct far *far = ctx;

	assert(!far->is_ready && status >= -1 && output.n <= WRITE_OUTPUT_MAX);
	far->is_ready = true;
}

static void say(struct far *far)
{
	if (!far->is_ready || far->is_failed)
		return;
	far->is_ready = false;
	talk_write_say(far->talk, WRITE_SHELL, "cat /run/fabcon/P-1.1/log\n");
}

/* The first byte says in what pieces the rest comes, and after which of them a time runs out. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct far far = { NULL };
	struct talk_hooks hooks = { .ctx = &far, .identified = on_identified, .failed = on_failed };
	struct talk_write_hooks said = { .ctx = &far, .answered = on_said };
	size_t step = size > 0 ? 1 + data[0] % 64 : 1;

	far.talk = talk_write_sh_new("0123456789abcdef", &hooks, &said);
	for (size_t at = 1, piece = 0; at < size; at += step, piece++) {
		size_t left = size - at;

		talk_feed(far.talk, (struct span){ (const char *)data + at, left < step ? left : step });
		talk_sent(far.talk, talk_to_send(far.talk).n);
		say(&far);
		if (piece == data[0])
			talk_timeout(far.talk);
	}
	talk_closed(far.talk);
	talk_free(far.talk);
	return 0;
}
