#include "tui/bringup/blink.h"

#include <stdio.h>
#include <stdlib.h>

#define LIMIT_S	20	/* of the command, which ends by itself before */

struct blink {
	struct blink_hooks hooks;
	struct runner *runner;
	struct runner_test test;
	const char *words[5];
	char *host, *nic;
};

static void ended(void *ctx, size_t test, const struct runner_outcome *o)
{
	const struct blink *b = ctx;
	struct span said = span_trim(o->client.text);
	char line[400];

	(void)test;
	if (o->why)
		snprintf(line, sizeof(line), "%s:%s did not blink: %s", b->host, b->nic, o->why);
	else if (o->client.status)
		snprintf(line, sizeof(line), "%s:%s did not blink: ethtool -p ended with status %d: %.*s", b->host, b->nic, o->client.status,
			 (int)(said.n < 120 ? said.n : 120), said.p ? said.p : "");
	else
		snprintf(line, sizeof(line), "%s:%s has blinked.", b->host, b->nic);
	b->hooks.said(b->hooks.ctx, line);
}

static void done(void *ctx)
{
	const struct blink *b = ctx;

	b->hooks.done(b->hooks.ctx);
}

struct blink *blink_new(uv_loop_t *loop, const struct inventory *inv, const struct poller_options *options,
			const struct write_permit *permit, const char *host, const char *nic, const struct blink_hooks *hooks)
{
	struct blink *b = xcalloc(1, sizeof(*b));

	*b = (struct blink){ .hooks = *hooks, .host = xstrdup(host), .nic = xstrdup(nic) };
	b->words[0] = "ethtool";
	b->words[1] = "-p";
	b->words[2] = b->nic;
	b->words[3] = BLINK_S;
	b->test = (struct runner_test){ .client = b->host, .client_words = b->words, .limit_s = LIMIT_S };
	b->runner = runner_new(loop, inv, options, permit, &b->test, 1,
			       &(struct runner_hooks){ .ctx = b, .ended = ended, .done = done });
	return b;
}

void blink_free(struct blink *b)
{
	if (!b)
		return;
	runner_free(b->runner);
	free(b->host);
	free(b->nic);
	free(b);
}
