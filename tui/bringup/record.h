/*
 * A bring-up as rows of a recording: what was wanted ("begin"), each test ("test"), each NIC that none was run on and why ("untested"),
 * each that a person set aside ("skip", "unskip"), and its end ("end"). A recording may hold several; the last is the one that is read,
 * judged and resumed.
 */
#ifndef TUI_BRINGUP_RECORD_H
#define TUI_BRINGUP_RECORD_H

#include "core/bringup/test_plan.h"
#include "tui/session/session.h"

struct bringup_untested {
	struct bringup_place place;
	char *why;
};

/* A NIC that a person has set aside; of a host of which no NIC is known, place.nic is NULL. */
struct bringup_set_aside {
	struct bringup_place place;
	char *stage;			/* that it stood at: "cabling", "traffic" */
	char *reason, *by;
	int64_t at_us;
};

/* Kinds of tests that are sent only where a person asks for them: a link between switches, or a class, is others' too. */
#define BRINGUP_EXTRAS 2
extern const struct bringup_extra {
	enum bringup_kind kind;
	const char *word;		/* "across": of --across, of :test across REASON, and in a recording */
	const char *sends, *sends_none;	/* "sends across leaves too" */
} bringup_extras[BRINGUP_EXTRAS];

/* What a bring-up is of. */
struct bringup_wanted {
	char *const *targets;		/* names of hosts and racks; none: all */
	size_t n_targets;
	const char *stages;		/* as --stages has them; NULL: all */
	const char *reason;		/* NULL: it sends no traffic */
	unsigned extras;		/* kinds of tests beside the usual ones: a set of 1 << bringup_extras[].kind */
};

struct bringup_record {
	int64_t began_us, ended_us;	/* 0: none is recorded; it has not ended, or was interrupted */
	json_t *begin;			/* body of its first row; NULL: none is recorded */
	bool has_traffic;		/* tests were asked for, and leave was given */
	struct bringup_tests tests;
	struct bringup_untested *untested;
	size_t n_untested, cap_untested;
	struct bringup_set_aside *skips;
	size_t n_skips, cap_skips;
};

/*
 * The last bring-up of a recording as it stood at a time, its tests not judged yet. *r is zeroed before its first use. Of a session:
 * that of what it replays, or goes on with.
 */
void bringup_record_read(struct bringup_record *r, const struct replay *replay, int64_t until_us);
void bringup_record_read_session(struct bringup_record *r, const struct session *s, int64_t until_us);
#define BRINGUP_TO_THE_END	INT64_MAX
void bringup_record_done(struct bringup_record *r);

/* Rows of the session's recording, where it makes one; *r follows. */
/* The bring-up is gone on with, where *r holds one. */
void bringup_record_begin(struct bringup_record *r, struct session *s, const struct bringup_wanted *w);
void bringup_record_untested(struct bringup_record *r, struct session *s, const struct bringup_skip *skip);
void bringup_record_test(struct session *s, const struct bringup_test *test);
void bringup_record_skip(struct bringup_record *r, struct session *s, const struct bringup_place *place, const char *stage,
			 const char *reason);
/* False: it was not set aside. */
bool bringup_record_unskip(struct bringup_record *r, struct session *s, const struct bringup_place *place);
void bringup_record_end(struct bringup_record *r, struct session *s);

/*
 * Of a NIC by its stages, then, where tests were wanted, by its tests (tested: as bringup_tests_say has it): "pass" of all its stages is
 * none where it fails its tests, or has had none. r may be NULL.
 */
enum bringup_state bringup_record_state(const struct bringup_record *r, const struct bringup_unit *u, const char *tested);
/* The same in a word, which tells "suspect" from "fail". */
const char *bringup_record_state_word(const struct bringup_record *r, const struct bringup_unit *u, const char *tested);

/* Of the NICs that were not tested, those that no later run has tested either. */
bool bringup_record_is_untested(const struct bringup_record *r, size_t untested);
size_t bringup_record_n_untested(const struct bringup_record *r);

/* NULL: it is not set aside. */
const struct bringup_set_aside *bringup_record_set_aside(const struct bringup_record *r, const char *host, const char *nic);
/* The same of all of them, on a rack that was read: "skipped by alice: optic on order". */
void bringup_record_apply_skips(const struct bringup_record *r, struct bringup_rack *rack);

/* Whether a bring-up of these targets and stages is the one that is recorded, or none is. file: its name. False, and why. */
bool bringup_record_is(const struct bringup_record *r, const struct bringup_wanted *w, const char *file, struct err *err);

#endif
