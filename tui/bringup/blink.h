/* The light of a NIC's port: it blinks for a while, so that a person at the rack sees which one it is (ethtool -p). */
#ifndef TUI_BRINGUP_BLINK_H
#define TUI_BRINGUP_BLINK_H

#include "remote/runner/runner.h"

#define BLINK_S	"15"	/* seconds */

struct blink;

struct blink_hooks {
	void *ctx;
	void (*said)(void *ctx, const char *line);	/* "node1:eth2 has blinked", or why not */
	void (*done)(void *ctx);			/* blink_free() may be called in it */
};

/* options: how hosts are reached. permit: lent, in force: it needs CAP_NET_ADMIN there, and changes no setting. */
struct blink *blink_new(uv_loop_t *loop, const struct inventory *inv, const struct poller_options *options,
			const struct write_permit *permit, const char *host, const char *nic, const struct blink_hooks *hooks);
void blink_free(struct blink *b);

#endif
