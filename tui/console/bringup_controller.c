#include "tui/console/bringup_controller.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/certificate/certificate.h"
#include "tui/bringup/blink.h"
#include "tui/bringup/certificate.h"
#include "tui/bringup/fabric_of.h"
#include "tui/bringup/sending.h"
#include "tui/fixing/write_mode.h"
#include "tui/text/files.h"

#define ALL_STAGES	((1u << BRINGUP_STAGES) - 1)
#define NAME_ROOM	64
#define READ_AGAIN_US	(INT64_C(30) * SECOND)	/* so long a host and its switch have to answer */
#define SETTLE_US	(INT64_C(10) * SECOND)	/* and so long, from then on, what is not known has to become so */

/* A NIC that is read again, and then tested again. */
struct again {
	char host[NAME_ROOM], nic[NAME_ROOM], peer[NAME_ROOM];
	int64_t began_us;		/* of the session; 0: none is */
	int64_t host_since, peer_since;	/* session_has_read_since() */
	int64_t read_us, looked_us;	/* when both had been, 0: not yet; when it was last judged */
};

struct bringup_controller {
	struct bringup_controller_options with;
	struct session *session;
	struct write_mode leave;	/* to send test traffic */
	unsigned extras;		/* kinds of tests beside the usual ones */
	char *plan;			/* what was permitted, in words; owned */
	struct bringup_record record;
	struct bringup_rack rack;	/* as it was when the tests began; the sending lends from it */
	struct sending *sending;
	struct again again;
	struct blink *blink;		/* NULL: no light blinks */
	bool has_blinked;
	bool has_ended;
	char doing[160];
	size_t judged;			/* tests of the record */
	int64_t left_us, read_us;	/* of the permit; the time of a replay whose record is read */
	struct bringup_now now;
};

static void read_rack(const struct bringup_controller *b, struct bringup_rack *rack)
{
	const struct bringup_fabric f = bringup_fabric_of(b->session);

	bringup_rack_read(rack, &f, NULL, NULL, ALL_STAGES);
	bringup_record_apply_skips(&b->record, rack);
}

static void judge(struct bringup_controller *b)
{
	const struct bringup_marks marks = bringup_marks_of(b->session);

	bringup_tests_judge(&b->record.tests, &marks);
	b->judged = b->record.tests.n;
}

/* The first thing that a person does begins it; after its sheet was written it is gone on with. */
static void begin_record(struct bringup_controller *b, const char *reason)
{
	const struct bringup_wanted wanted = { .reason = reason, .extras = reason ? b->extras : 0 };

	if (!b->record.begin || b->record.ended_us || (reason && !b->record.has_traffic))
		bringup_record_begin(&b->record, b->session, &wanted);
}

/* -- tests -- */

static void said(void *ctx, const char *line)
{
	struct bringup_controller *b = ctx;

	snprintf(b->doing, sizeof(b->doing), "%s", line);
	stage_say(b->with.stage, "%s", line);
}

static void done(void *ctx)
{
	((struct bringup_controller *)ctx)->has_ended = true;
}

static const char *why_not(const struct bringup_controller *b)
{
	if (b->leave.forbidden)
		return b->leave.forbidden;
	if (session_is_held(b->session))
		return "the picture is frozen; {live} resumes it";
	return write_mode_left_us(&b->leave) > 0 ? NULL : "it needs leave: :test REASON, for 15 minutes";
}

/* host NULL: the whole rack. */
static void send_tests(struct bringup_controller *b, const char *host, const char *nic)
{
	const char *why = why_not(b);
	struct err err;

	if (b->sending)
		return stage_say(b->with.stage, "Not now: tests are running; {test-rack} ends them.");
	if (why)
		return stage_say(b->with.stage, "No traffic was sent: %s.", why);
	read_rack(b, &b->rack);
	begin_record(b, write_permit_reason(b->leave.permit));
	b->doing[0] = '\0';
	b->sending = sending_new(&(struct sending_options){ .loop = b->with.loop, .session = b->session, .poller = b->with.poller,
							   .permit = b->leave.permit, .record = &b->record, .extras = b->extras, .is_new_run = true, .ctx = b, .said = said,
							   .done = done }, &b->rack, host, nic, &err);
	if (!b->sending)
		stage_say(b->with.stage, "No traffic was sent: %s.", err.text);
}

/* After the last result, or what was stopped. */
static void settle(struct bringup_controller *b)
{
	struct bringup_tally n;
	size_t untested;
	struct buf words = { 0 };

	sending_free(b->sending);
	b->sending = NULL;
	b->has_ended = false;
	judge(b);
	n = bringup_tests_count(&b->record.tests);
	untested = bringup_record_n_untested(&b->record);
	bringup_tally_words(&n, &words);
	stage_say(b->with.stage, "Tests ended: %s; %zu NIC%s not tested.", words.text, untested, plural_s(untested));
	buf_done(&words);
}

static void test_rack(struct bringup_controller *b)
{
	if (!b->sending)
		return send_tests(b, NULL, NULL);
	sending_stop(b->sending);
	stage_say(b->with.stage, "Ending the tests; their results are kept.");
}

/* -- one NIC again -- */

static void read_again(struct bringup_controller *b, const struct bringup_unit *u)
{
	struct again *a = &b->again;

	if (!session_poller(b->session)) {
		stage_say(b->with.stage, "This is a replay: no device is contacted.");
		return;
	}
	*a = (struct again){ .began_us = session_now(b->session) };
	snprintf(a->host, sizeof(a->host), "%s", u->host);
	snprintf(a->nic, sizeof(a->nic), "%s", u->nic ? u->nic : "");
	snprintf(a->peer, sizeof(a->peer), "%s", u->far ? u->far->device->name : "");
	a->host_since = session_refresh(b->session, u->host);
	if (*a->peer)
		a->peer_since = session_refresh(b->session, a->peer);
	stage_say(b->with.stage, "Reading %s%s%s again.", a->host, *a->peer ? " and " : "", a->peer);
}

static const struct bringup_unit *unit_of(const struct bringup_rack *r, const struct again *a)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->units[i].host, a->host) && !strcmp(r->units[i].nic ? r->units[i].nic : "", a->nic))
			return &r->units[i];
	return NULL;
}

static void say_of(struct bringup_controller *b, const struct bringup_unit *u)
{
	const struct findings *f = session_findings(b->session);
	enum bringup_stage at = u->course.at;
	char why[BRINGUP_WHY_MAX];

	if (u->course.state != BRINGUP_PASS)
		stage_say(b->with.stage, "%s%s%s: %s at %s: %s", u->host, u->nic ? ":" : "", u->nic ? u->nic : "",
			  bringup_state_word(u->course.state), bringup_stage_table[at].id, bringup_unit_why(f, u, at, why));
	else if (why_not(b))
		stage_say(b->with.stage, "%s:%s passes its settings; no traffic was sent: %s.", u->host, u->nic, why_not(b));
	else
		send_tests(b, u->host, u->nic);
}

static bool is_read_again(const struct bringup_controller *b)
{
	const struct again *a = &b->again;

	return session_has_read_since(b->session, a->host, a->host_since) &&
	       (!*a->peer || session_has_read_since(b->session, a->peer, a->peer_since));
}

/* True: it is over. What is judged by counters is not known until these were read twice more. */
static bool follow_again(struct bringup_controller *b)
{
	struct again *a = &b->again;
	const struct bringup_unit *u;
	struct bringup_rack rack = { 0 };
	int64_t now_us = session_now(b->session);

	if (!a->began_us || (!is_read_again(b) && now_us - a->began_us <= READ_AGAIN_US) || now_us - a->looked_us < SECOND)
		return false;
	if (is_read_again(b) && !a->read_us)
		a->read_us = now_us;
	a->looked_us = now_us;
	session_judge(b->session);
	read_rack(b, &rack);
	u = unit_of(&rack, a);
	if (a->read_us && u && u->course.state == BRINGUP_UNKNOWN && now_us - a->read_us < SETTLE_US) {
		bringup_rack_done(&rack);
		return false;
	}
	a->began_us = 0;
	if (!a->read_us)
		stage_say(b->with.stage, "%s did not answer within %d s; {retest} reads it again.", a->host,
			  (int)(READ_AGAIN_US / SECOND));
	else if (u)
		say_of(b, u);
	bringup_rack_done(&rack);
	return true;
}

/* -- leave -- */

/* "INC-42", "across INC-42", "across lossy INC-42". */
static bool take_extra(struct span *rest, unsigned *extras)
{
	struct span after = *rest, word = { 0 };

	span_word(&after, &word);
	for (size_t i = 0; i < BRINGUP_EXTRAS; i++)
		if (span_is(word, bringup_extras[i].word)) {
			*extras |= 1u << bringup_extras[i].kind;
			*rest = span_trim(after);
			return true;
		}
	return false;
}

static void allow(struct bringup_controller *b, const char *text)
{
	struct span rest = span_trim(span_of(text ? text : ""));
	unsigned extras = 0;
	const char *reason;
	struct bringup_rack rack = { 0 };
	struct buf words = { 0 };
	struct err err;

	while (take_extra(&rest, &extras))
		;
	reason = text ? text + (rest.p - text) : "";
	if (!rest.n) {
		stage_say(b->with.stage, ":test REASON (a ticket number or a few words): it is written to the audit. :test across REASON sends "
			  "across leaves too, :test lossy REASON a lossy stream.");
		return;
	}
	if (!write_mode_begin(&b->leave, reason, &err)) {
		stage_say(b->with.stage, "No test traffic: %s", err.text);
		return;
	}
	b->extras = extras;
	read_rack(b, &rack);
	sending_plan_words(b->session, &rack, extras, &words);
	stage_say(b->with.stage, "{test-rack} sends it: %s. {retest} tests one NIC again.", words.text);
	bringup_rack_done(&rack);
	free(b->plan);
	b->plan = words.text;
}

/* -- a light -- */

static void said_of_light(void *ctx, const char *line)
{
	stage_say(((const struct bringup_controller *)ctx)->with.stage, "%s", line);
}

static void on_blinked(void *ctx)
{
	((struct bringup_controller *)ctx)->has_blinked = true;
}

static void end_blink(struct bringup_controller *b)
{
	blink_free(b->blink);
	b->blink = NULL;
	b->has_blinked = false;
}

static void blink(struct bringup_controller *b, const struct bringup_unit *u)
{
	const char *why = b->blink ? "another one does" : u->nic ? why_not(b) : "which NIC it is is not known";

	if (why)
		return stage_say(b->with.stage, "No light blinks: %s.", why);
	stage_say(b->with.stage, "The light of %s:%s blinks for " BLINK_S " s; that of the switch's port does not.", u->host, u->nic);
	b->blink = blink_new(b->with.loop, session_inventory(b->session), &b->with.poller, b->leave.permit, u->host, u->nic,
			     &(struct blink_hooks){ .ctx = b, .said = said_of_light, .done = on_blinked });
}

/* -- setting aside -- */

static void skip(struct bringup_controller *b, const struct intent *i)
{
	const struct bringup_unit *u = i->unit;
	const struct bringup_place place = { (char *)u->host, (char *)u->nic };
	enum bringup_stage at = u->course.at;

	if (session_is_replay(b->session)) {
		stage_say(b->with.stage, "This is a replay: nothing is set aside in it.");
	} else if (i->by) {
		if (bringup_record_unskip(&b->record, b->session, &place))
			stage_say(b->with.stage, "%s%s%s is asked about again.", u->host, u->nic ? ":" : "", u->nic ? u->nic : "");
	} else {
		begin_record(b, NULL);
		bringup_record_skip(&b->record, b->session, &place, at < BRINGUP_STAGES ? bringup_stage_table[at].id : "traffic", i->text);
		stage_say(b->with.stage, "%s%s%s is set aside, which the sheet shows; {skip} again withdraws it.", u->host, u->nic ? ":" : "",
			  u->nic ? u->nic : "");
	}
}

/* -- the sheet -- */

/* By the ending of its name; .xml is JUnit. */
static const struct certificate_format *format_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < certificate_n_formats; i++)
		if (!strcmp(certificate_formats[i].extension, dot + 1))
			return &certificate_formats[i];
	return NULL;
}

static void write_sheet(struct bringup_controller *b, const char *name, bool may_replace)
{
	const struct certificate_format *format = format_of(name);
	struct bringup_rack rack = { 0 };
	char *path = typed_path(name);
	struct buf text = { 0 };
	json_t *c = NULL;
	struct err err = { "" };

	if (!format) {
		stage_say(b->with.stage, "Not written: a sheet's name ends in .html, .md, .json, .csv or .xml.");
	} else if (b->sending) {	/* what passes now may fail in a test that is still to come */
		stage_say(b->with.stage, "Not written: tests are running; {test-rack} ends them.");
	} else if (!may_replace && access(path, F_OK) == 0) {
		stage_ask_replace(b->with.stage, INTENT_SHEET, name);
	} else {
		read_rack(b, &rack);
		if (!session_is_replay(b->session)) {
			begin_record(b, NULL);
			bringup_record_end(&b->record, b->session);
		}
		c = bringup_certificate(b->session, &rack, b->record.begin ? &b->record : NULL, &err);
		if (c)
			certificate_write(c, format, &text);
		if (c && file_replace(path, buf_span(&text), &err))
			stage_say(b->with.stage, "Verdict of the sheet: %s. It is in %s.", json_string_value(json_object_get(c, "state")), path);
		else
			stage_say(b->with.stage, "Not written: %s", err.text);
		json_decref(c);
	}
	bringup_rack_done(&rack);
	buf_done(&text);
	free(path);
}

/* -- what it is told -- */

bool bringup_controller_act(struct bringup_controller *b, const struct intent *i)
{
	switch (i->is) {
	case INTENT_TEST_ALLOW:	allow(b, i->text); break;
	case INTENT_TEST_RACK:	test_rack(b); break;
	case INTENT_TEST_AGAIN:	read_again(b, i->unit); break;
	case INTENT_BLINK:	blink(b, i->unit); break;
	case INTENT_SKIP:	skip(b, i); break;
	case INTENT_SHEET:	write_sheet(b, i->text, i->by); break;
	case INTENT_DISARM:	write_mode_end(&b->leave); return false;
	default:		return false;
	}
	return true;
}

/* Of a replay, the record as it stood then. */
static bool follow_replay(struct bringup_controller *b)
{
	int64_t now_us = session_now(b->session);

	if (!session_recording(b->session) || b->read_us == now_us)
		return false;
	bringup_record_read_session(&b->record, b->session, now_us);
	b->read_us = now_us;
	judge(b);
	return true;
}

bool bringup_controller_tick(struct bringup_controller *b)
{
	int64_t left_us = write_mode_left_us(&b->leave);
	bool has_moved = follow_replay(b), is_over = b->left_us > 0 && left_us <= 0;

	has_moved = follow_again(b) || has_moved;
	if (b->has_blinked)
		end_blink(b);
	if (b->has_ended) {
		settle(b);
		has_moved = true;
	}
	if (b->record.tests.n != b->judged) {
		judge(b);
		has_moved = true;
	}
	b->left_us = left_us;
	if (is_over && !b->sending) {
		write_mode_end(&b->leave);
		stage_say(b->with.stage, "The 15 minutes are up: no more test traffic.");
	}
	return has_moved || is_over || b->sending || left_us > 0;
}

const struct bringup_now *bringup_controller_now(struct bringup_controller *b)
{
	b->now = (struct bringup_now){ .record = &b->record, .doing = b->sending ? b->doing : NULL,
				       .plan = write_mode_left_us(&b->leave) > 0 ? b->plan : NULL,
				       .permitted_us = write_mode_left_us(&b->leave) };
	return &b->now;
}

/* -- beginning and ending -- */

struct bringup_controller *bringup_controller_new(const struct bringup_controller_options *options)
{
	struct bringup_controller *b = xcalloc(1, sizeof(*b));

	b->with = *options;
	return b;
}

void bringup_controller_begin(struct bringup_controller *b, struct session *s)
{
	bringup_controller_end(b);
	b->session = s;
	b->leave.forbidden = write_mode_forbidden(session_is_replay(s), b->with.is_read_only, session_policy(s));
	bringup_record_read_session(&b->record, s, BRINGUP_TO_THE_END);
	judge(b);
}

void bringup_controller_end(struct bringup_controller *b)
{
	if (b->sending && !b->has_ended)
		sending_stop(b->sending);
	while (b->sending && !b->has_ended)
		uv_run(b->with.loop, UV_RUN_ONCE);
	end_blink(b);
	free(b->plan);
	b->plan = NULL;
	sending_free(b->sending);
	b->sending = NULL;
	b->has_ended = false;
	b->again.began_us = b->read_us = 0;
	b->judged = 0;
	bringup_rack_done(&b->rack);
	bringup_record_done(&b->record);
	write_mode_end(&b->leave);
}

void bringup_controller_free(struct bringup_controller *b)
{
	if (!b)
		return;
	bringup_controller_end(b);
	free(b);
}
