/*
 * A bring-up as rows of a recording: what was wanted ("begin"), each test ("test"), each NIC that none was run on and why ("untested"), and
 * its end ("end"). A recording may hold several; the last is the one that is read, judged and resumed.
 */
#ifndef TUI_BRINGUP_RECORD_H
#define TUI_BRINGUP_RECORD_H

#include "core/bringup/test_plan.h"
#include "tui/args/cli.h"
#include "tui/session/session.h"

struct bringup_untested {
	struct bringup_place place;
	char *why;
};

struct bringup_record {
	int64_t began_us, ended_us;	/* 0: none is recorded; it has not ended, or was interrupted */
	json_t *begin;			/* body of its first row; NULL: none is recorded */
	bool has_traffic;		/* tests were asked for, and leave was given */
	struct bringup_tests tests;
	struct bringup_untested *untested;
	size_t n_untested, cap_untested;
};

/* The last bring-up of a recording, its tests not judged yet. *r is zeroed before its first use. */
void bringup_record_read(struct bringup_record *r, const struct replay *replay);
void bringup_record_done(struct bringup_record *r);

/* Rows of the session's recording, where it makes one; *r follows. */
void bringup_record_begin(struct bringup_record *r, struct session *s, const struct cli *cli);	/* gone on with, where *r holds one */
void bringup_record_untested(struct bringup_record *r, struct session *s, const struct bringup_skip *skip);
void bringup_record_test(struct session *s, const struct bringup_test *test);
void bringup_record_end(struct bringup_record *r, struct session *s);

/* Whether a bring-up of these targets and stages is the one that is recorded, or none is. False, and why. */
bool bringup_record_is(const struct bringup_record *r, const struct cli *cli, struct err *err);

#endif
