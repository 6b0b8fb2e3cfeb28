/* A far end that prints anything, to the collector's talk; the nonce is known to it. */
#include "remote/platforms.h"
#include "remote/talk/talk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void on_identified(void *ctx, const struct platform *p, struct span text)
{
	(void)ctx, (void)p, (void)text;
}

static void on_answered(void *ctx, const struct probe *probe, const struct answer *a, int64_t device_us)
{
	struct obs o;

	(void)ctx, (void)device_us;
	obs_init(&o, "node1", probe->id);
	platform_parse(platform_find("linux"), probe, a, &o);
	obs_done(&o);
}

static void on_round_ended(void *ctx, enum cadence cadence)
{
	(void)ctx, (void)cadence;
}

static void on_failed(void *ctx, const char *reason)
{
	(void)ctx, (void)reason;
}

/* The first byte says in what pieces the rest comes, and after which of them a time runs out. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct talk *t = talk_sh_new("0123456789abcdef", &(struct talk_hooks){ .identified = on_identified,
				     .answered = on_answered, .round_ended = on_round_ended, .failed = on_failed });
	size_t step = size > 0 ? 1 + data[0] % 64 : 1;

	for (size_t at = 1, piece = 0; at < size; at += step, piece++) {
		size_t left = size - at;

		talk_feed(t, (struct span){ (const char *)data + at, left < step ? left : step });
		talk_ask(t, CADENCE_LIVE);
		if (piece == data[0])
			talk_timeout(t);
	}
	talk_closed(t);
	talk_free(t);
	return 0;
}
