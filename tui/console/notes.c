#include "tui/console/notes.h"

#include <stdlib.h>
#include <unistd.h>

#include "tui/console/state.h"
#include "tui/screens/diagnosis_view.h"
#include "tui/text/files.h"
#include "tui/text/human.h"

static void zero(struct notes *n, const struct intent *i)
{
	const struct link *link = links_of_port(session_links(n->session), i->port);
	bool clear = i->is == INTENT_UNZERO;

	session_zero(n->session, i->port, clear);
	if (link && link_far(link, i->port))
		session_zero(n->session, link_far(link, i->port), clear);
	stage_say(n->stage, clear ? "Counters of %s are shown as the device reports them." :
		  "Counters of %s now count from here, in this console only.", link ? link->name : i->port->name);
}

static void acknowledge(struct notes *n, const struct intent *i)
{
	const struct finding *f = findings_find(session_findings(n->session), i->acking->check, i->acking->where);
	struct err err;
	size_t many;

	if (!f || !f->is_open)
		stage_say(n->stage, "It has closed: there is nothing to acknowledge.");
	else if (!acked_add(&n->acked, n->session, f, i->acking->together, i->text, &many, &err))
		stage_say(n->stage, "%s", err.text);
	else
		stage_say(n->stage, "Acknowledged%s: counted separately until it gets worse, closes or expires. {undo} withdraws it.",
			  many > 1 ? ", each of them" : "");
}

static void take_ack_back(struct notes *n)
{
	char where[160];
	struct err err;

	if (acked_take_back(&n->acked, n->session, where, &err))
		stage_say(n->stage, "No longer acknowledged: %s", where);
	else
		stage_say(n->stage, "%s", err.text);
}

/* A person's answers on Diagnose are events, like all that a person does to a verdict. */
static void give_answer(struct notes *n, const char *line)
{
	struct buf words = { 0 };

	if (diagnose_answer(diagnosis_of(&n->stage->views), line, &words)) {
		session_note(n->session, "answer", words.text);
		stage_say(n->stage, "%.180s. {undo} withdraws it.", words.text);
	} else {
		stage_say(n->stage, "An answer begins with yes or no; how you know it follows.");
	}
	buf_done(&words);
}

static void take_answer_back(struct notes *n)
{
	struct buf words = { 0 };

	if (diagnose_undo(diagnosis_of(&n->stage->views), &words)) {
		session_note(n->session, "answer", words.text);
		stage_say(n->stage, "%.200s.", words.text);
	} else {
		stage_say(n->stage, "There is no answer of yours to withdraw.");
	}
	buf_done(&words);
}

static void set_baseline(struct notes *n, bool on)
{
	char *path = state_path_of(session_fabric(n->session), "baseline");
	struct buf text = { 0 };
	char at[HUMAN_MAX];
	struct err err = { .text = "HOME is not set" };

	baseline_done(&n->baseline);
	if (on)
		baseline_take(&n->baseline, session_model(n->session), session_links(n->session), session_policy(n->session), &text);
	if (!on && path)
		unlink(path);
	if (on && (!path || !file_replace(path, buf_span(&text), &err)))
		stage_say(n->stage, "The baseline ends with this session: %s", err.text);
	else
		stage_say(n->stage, on ? "Detail now compares with the baseline of %s." : "The baseline was removed.",
			  human_date(at, n->baseline.at_us));
	buf_done(&text);
	free(path);
}

static void begin_baseline(struct notes *n)
{
	char *path = state_path_of(session_fabric(n->session), "baseline");
	struct buf text = { 0 };
	struct err err;

	if (path && access(path, R_OK) == 0 && file_read(path, &text, NULL) && !baseline_read(&n->baseline, buf_span(&text), &err))
		stage_say(n->stage, "%s %s", path, err.text);
	buf_done(&text);
	free(path);
}

/* What a recording tells, or the fabric's file. */
static void begin_acks(struct notes *n)
{
	struct err err;

	if (session_is_replay(n->session))
		acked_of_recording(&n->acked, session_events(n->session));
	else if (!acked_open(&n->acked, session_fabric(n->session), &err))
		stage_say(n->stage, "%s", err.text);
}

void notes_begin(struct notes *n, struct session *s, struct stage *stage)
{
	n->session = s;
	n->stage = stage;
	begin_acks(n);
	begin_baseline(n);
}

void notes_follow(struct notes *n, struct session *s)
{
	n->session = s;
}

void notes_of_named_fabric(struct notes *n)
{
	acked_done(&n->acked);
	begin_acks(n);
}

void notes_done(struct notes *n)
{
	acked_done(&n->acked);
	baseline_done(&n->baseline);
}

void notes_tick(struct notes *n)
{
	acked_settle(&n->acked, n->session);
}

bool notes_act(struct notes *n, const struct intent *i)
{
	switch (i->is) {
	case INTENT_ZERO:
	case INTENT_UNZERO:	zero(n, i); return true;
	case INTENT_ACK:	acknowledge(n, i); return true;
	case INTENT_UNACK:	take_ack_back(n); return true;
	case INTENT_GIVE:	give_answer(n, i->text); return true;
	case INTENT_UNGIVE:	take_answer_back(n); return true;
	case INTENT_BASELINE:	set_baseline(n, i->by); return true;
	default:		return false;
	}
}

void notes_view(const struct notes *n, struct view_of *of)
{
	of->acks = &n->acked.acks;
	of->baseline = &n->baseline;
}
