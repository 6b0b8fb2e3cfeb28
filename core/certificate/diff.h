/*
 * What differs between two certificates of a rack: the day it was signed and a later one. Pure.
 *
 * Each difference stands once, where it is: what follows from it (the stages above one that fails now, the settings and tests of a link
 * that is gone, the far end's settings of a link that moved) is not named again. Notes, skips, times and words are not compared. What
 * is no longer known is "not reported now": never a change to another value.
 */
#ifndef CORE_CERTIFICATE_DIFF_H
#define CORE_CERTIFICATE_DIFF_H

#include <jansson.h>

#include "core/base/mem.h"

enum certificate_change_kind {
	CHANGE_RACK,		/* another rack, fabric */
	CHANGE_FILE,		/* the policy, the inventory or the cable plan */
	CHANGE_LIMIT,
	CHANGE_DEVICE,		/* gone or new, with its links */
	CHANGE_FACT,		/* of a device: firmware, serial number, platform */
	CHANGE_LINK,		/* gone or new */
	CHANGE_CABLE,		/* its far end */
	CHANGE_SETTING,
	CHANGE_STAGE,
	CHANGE_STATE,		/* of a link, where no stage and no test shows why */
	CHANGE_TEST,		/* another result, or tested in one of them only */
	CHANGE_RATE,
	CHANGE_KINDS,
};
const char *certificate_change_word(enum certificate_change_kind kind);	/* "setting" */

enum certificate_turn { TURN_OTHER, TURN_WORSE, TURN_BETTER };
const char *certificate_turn_word(enum certificate_turn turn);		/* "changed", "worse", "better" */

struct certificate_change {
	enum certificate_change_kind kind;
	enum certificate_turn turn;
	const char *device, *port;	/* of a link the host and its NIC; NULL: of the rack, of the whole device */
	const char *to_device, *to_port;	/* of a test */
	const char *name;		/* of the file, limit, fact, setting, stage, or the kind of test; NULL: needs none */
	const char *was, *now;		/* NULL: not reported, not there */
	const char *why;		/* of a stage or test that is worse; NULL: nothing is known */
};

/* In the order of the rack: its files and limits, devices with their facts, links with their settings and stages, tests. */
struct certificate_diff {
	struct certificate_change *list;
	size_t n, cap;
	struct arena arena;		/* holds the texts */
};

#define CERTIFICATE_RATE_SHARE	0.05	/* the rate of one test varies by less from run to run; house default */

/*
 * Both are sound (certificate_read), but "tests" may be null: then they are not compared, nor the states that follow from them.
 * rate_share: a test's rate differs if it changed by more than that share of what it was.
 */
void certificate_diff(struct certificate_diff *d, const json_t *old, const json_t *now, double rate_share);
void certificate_diff_done(struct certificate_diff *d);

/* A line without its end: "node1:eth2: mtu 9000 -> 1500". Made safe to print. */
void certificate_change_words(const struct certificate_change *c, struct buf *out);

#endif
