#include "tui/console/timeline_control.h"

#include "tui/screens/history.h"
#include "tui/text/human.h"
#include "tui/text/times.h"

void timeline_control_begin(struct timeline_control *t, struct session *s, struct stage *stage)
{
	*t = (struct timeline_control){ .session = s, .stage = stage, .serial = 1, .speed = 1 };
	if (!session_is_replay(s))
		session_tick(s);
}

static int64_t now_us(const struct timeline_control *t)
{
	return model_now(session_model(t->session));
}

/* Of a replay, all of it; live, as far back as History remembers. */
static int64_t first_us(const struct timeline_control *t)
{
	const struct replay *recording = session_recording(t->session);
	const struct fabric_history *lanes = session_lanes(t->session);
	const struct events *events = session_events(t->session);
	int64_t us = recording ? replay_first(recording) : now_us(t);

	if (!recording && lanes->first < lanes->end && lanes->first * LANE_US < us)
		us = lanes->first * LANE_US;
	return !recording && events->n && events->list[0].at_us < us ? events->list[0].at_us : us;
}

static int64_t last_us(const struct timeline_control *t)
{
	const struct replay *recording = session_recording(t->session);

	return recording ? replay_last(recording) : now_us(t);
}

static int64_t cursor_us(const struct timeline_control *t)
{
	int64_t us = history_of(&t->stage->views)->cursor_us;

	return session_is_replay(t->session) || !us ? now_us(t) : us;
}

/* -- moving -- */

static void go_to(struct timeline_control *t, int64_t at_us, bool (*how)(struct session *s, int64_t at_us, struct err *err))
{
	struct stage_place place;
	struct err err;

	stage_leave(t->stage, &place);
	if (!how(t->session, at_us, &err))
		stage_say(t->stage, "%s", err.text);
	stage_return(t->stage, session_model(t->session), &place);
	t->serial++;
}

static void seek(struct timeline_control *t, int64_t at_us)
{
	int64_t last = last_us(t);

	if (at_us < first_us(t))
		at_us = first_us(t);
	if (at_us >= last)
		t->is_playing = false;
	t->serial++;
	if (!session_is_replay(t->session)) {
		history_of(&t->stage->views)->cursor_us = at_us < last ? at_us : 0;
		return;
	}
	t->has_moved = true;
	go_to(t, at_us < last ? at_us : last, session_glance);
}

static void step(struct timeline_control *t, int by)
{
	struct replay *recording = session_recording(t->session);
	int64_t to_us = cursor_us(t) + by * SECOND;

	if (recording && by > 0 && replay_due(recording) > to_us)
		to_us = replay_due(recording);
	seek(t, to_us);
}

static void step_event(struct timeline_control *t, int by, const char *kind)
{
	const struct events *events = session_events(t->session);
	const struct event *e = by > 0 ? events_next(events, cursor_us(t), kind) : events_previous(events, cursor_us(t), kind);

	if (!e) {
		stage_say(t->stage, by > 0 ? "None follows." : "No earlier one.");
		return;
	}
	stage_say(t->stage, "%s%s%s: %s", e->kind, *e->where ? " at " : "", e->where, e->text);
	seek(t, e->at_us);
}

/* Meant as the screens show it. */
static bool typed_time(const char *text, int64_t near_us, int64_t *out, struct err *err)
{
	size_t n = strlen(text);
	int64_t ahead_us = *text == '-' || (n && text[n - 1] == 'Z') ? 0 : human_ahead_us(near_us);

	if (!parse_time(text, near_us + ahead_us, out, err))
		return false;
	*out -= ahead_us;
	return true;
}

static void go_to_time(struct timeline_control *t, const char *text)
{
	int64_t at_us;
	struct err err;

	if (!strcmp(text, "first"))
		seek(t, first_us(t));
	else if (*text == '+' && parse_duration(text + 1, &at_us, &err))
		seek(t, cursor_us(t) + at_us);
	else if (*text != '+' && typed_time(text, cursor_us(t), &at_us, &err))
		seek(t, at_us);
	else
		stage_say(t->stage, "%s", err.text);
}

/* Live: the picture is held, or let go on. */
static void hold(struct timeline_control *t, bool on)
{
	struct stage_place place;

	if (on == session_is_held(t->session) || session_is_replay(t->session))
		return;
	stage_leave(t->stage, &place);
	session_hold(t->session, on);
	stage_return(t->stage, session_model(t->session), &place);
	t->serial++;
	stage_say(t->stage, on ? "The display is frozen; collection continues. {pause} or {live} resumes." : "Live again.");
}

static bool annotate(struct timeline_control *t, const char *text)
{
	const char *trouble, *end = session_is_replay(t->session) || session_is_recording(t->session, &trouble) ? "." :
				    "; not recording, so it is lost when this session ends.";
	int64_t at_us = cursor_us(t);
	char at[HUMAN_MAX];
	struct err err;

	if (session_annotate(t->session, at_us, text, &err))
		stage_say(t->stage, "Noted at %s%s", human_time(at, at_us), end);
	else
		stage_say(t->stage, "%s", err.text);
	t->serial++;
	return true;
}

static bool set_speed(struct timeline_control *t, int times)
{
	if (times > 0)
		t->speed = (unsigned)times;
	stage_say(t->stage, "Playback speed: x%u.", t->speed);
	return true;
}

bool timeline_control_act(struct timeline_control *t, const struct intent *i)
{
	bool was_playing = t->is_playing;

	switch (i->is) {
	case INTENT_NOTE:	return annotate(t, i->text);
	case INTENT_SPEED:	return set_speed(t, i->by);
	case INTENT_PLAY:	break;
	case INTENT_PAUSE:	hold(t, !session_is_held(t->session)); break;
	case INTENT_LIVE:	hold(t, false); seek(t, last_us(t)); break;
	case INTENT_STEP:	step(t, i->by); break;
	case INTENT_WARM:
		session_reach(t->session, i->at_us);
		seek(t, model_now(session_model(t->session)));
		break;
	case INTENT_SEEK:	seek(t, i->at_us); break;
	case INTENT_EVENT:	step_event(t, i->by, i->text); break;
	case INTENT_TIME:	go_to_time(t, i->text); break;
	default:		return false;
	}
	t->is_playing = i->is == INTENT_PLAY && !was_playing;
	return true;
}

bool timeline_control_settle(struct timeline_control *t)
{
	bool is_glance = session_is_replay(t->session) && session_is_glance(t->session);

	if (is_glance)
		go_to(t, now_us(t), session_seek);
	return is_glance;
}

bool timeline_control_tick(struct timeline_control *t, int64_t passed_us)
{
	if (t->is_playing) {
		seek(t, now_us(t) + passed_us * t->speed);
		return true;
	}
	if (session_is_replay(t->session)) {
		bool has_moved = t->has_moved;

		t->has_moved = false;
		return !has_moved && timeline_control_settle(t);
	}
	session_tick(t->session);
	t->serial += !session_is_held(t->session);
	return true;
}

void timeline_control_view(const struct timeline_control *t, struct view_of *of)
{
	const struct session *s = t->session;
	struct replay *recording = session_recording(t->session);

	*of = (struct view_of){
		.model = session_model(s), .links = session_links(s), .findings = session_findings(s),
		.policy = session_policy(s), .inventory = session_inventory(s), .fabric = session_fabric(s),
		.is_replay = recording != NULL, .is_playing = t->is_playing, .is_paused = session_is_held(s),
		.speed = t->speed, .serial = t->serial,
	};
	of->held_us = session_now(s) - model_now(of->model);
	of->is_recording = session_is_recording(s, &of->trouble);
	if (!of->trouble)
		of->trouble = session_recording_words(s);
	of->events = session_events(s);
	of->lanes = session_lanes(s);
	of->first_us = first_us(t);
	of->last_us = last_us(t);
	of->cursor_us = cursor_us(t);
	if (!recording) {
		struct poller_count count = poller_count(session_poller(t->session));

		of->answered = count.first_round;
		of->asked = count.hosts;
		return;
	}
	if (replay_state(recording, &of->trouble) == REPLAY_WHOLE)
		of->trouble = NULL;
}
