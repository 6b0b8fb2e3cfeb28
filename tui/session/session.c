#include "tui/session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/fabric/cable_plan.h"
#include "core/route/routes.h"
#include "db/record/recorder.h"
#include "db/tape/snapshot.h"
#include "remote/platforms.h"
#include "remote/ssh/clock.h"
#include "tui/session/app_log.h"
#include "tui/args/consent.h"
#include "tui/session/hosts.h"
#include "tui/session/logged_in.h"
#include "tui/session/notes.h"
#include "tui/text/files.h"

#define GLANCE_US	(15 * SECOND)	/* what judging looks back at */
#define DAY		(86400 * SECOND)
#define LANES_OF_RECORDING (8 * LANES_MAX)	/* days */
#define JUDGE_EVERY	(SECOND / 2)
#define JUDGE_AT_LEAST	(2 * SECOND)
#define JUDGE_REST	50	/* times what judging took last: a fiftieth of the time goes into it, if that is not too late */

/* What screens read. */
struct picture {
	struct model *model;
	struct links links;
	struct findings *findings;
};

/* A row of a bring-up. */
struct recalled {
	int64_t at_us;
	char *kind, *body;
};

struct session {
	struct picture now, held;	/* held.model NULL: the picture goes with the time */
	struct policy *policy;
	struct inventory inventory, tried;	/* tried: before session_keep(); the poller goes by its texts */
	struct session_hooks hooks;
	struct events events;
	struct logged_in logged_in;	/* live */
	struct fabric_history lanes;	/* of the recording; live, the model has them */
	struct poller *poller;		/* live */
	struct recorder *recorder;	/* live and recording */
	char *recording;		/* its file */
	struct replay *replay;		/* replay */
	struct applog *applog;		/* brought along; NULL mostly */
	char *known_hosts;		/* owned, of the poller's options */
	char *policy_name;
	char *inventory_text, *plan_text;	/* live; NULL: there is none */
	struct recalled *recalled;	/* owned; rows of the bring-ups of a recording that is gone on with */
	size_t n_recalled, cap_recalled;
	int64_t warm_us, begun_us;	/* how far back before begun_us its model knows */
	int64_t reach_us;		/* how far back the replay's histories are to reach */
	int64_t cursor_us;		/* of the replay; 0 before the first seek */
	bool is_other_policy;		/* the replay is judged by another policy than it was live */
	int64_t judged_us, judging_us;	/* when, and how long it took */
	uint64_t judged_serial;
};

/* What both sides do with an observation; the recorder is there only live. */
static bool ask_logins(void *ctx, const char *device)
{
	return poller_note_change(((struct session *)ctx)->poller, device);
}

/* Evidence beside the change, at the change's time; recorded as an event, so that a replay shows the same. */
static void tell_logins(void *ctx, const char *kind, const char *device, int64_t at_us, const char *text)
{
	struct session *s = ctx;

	events_add(&s->events, at_us, kind, device, text);
	if (s->recorder)
		recorder_event(s->recorder, at_us, kind, device, text);
}

/* Once an answer is taken: what changed in it is one change, whoever made it. */
static void follow_logins(struct session *s, const struct obs *o)
{
	const struct device *d = o->probe && !strcmp(o->probe, "logins") ? model_find_device(s->now.model, o->device) : NULL;

	if (!s->poller)
		return;
	logged_in_ask(&s->logged_in, s->now.model, ask_logins, tell_logins, s);
	if (d)
		logged_in_heard(&s->logged_in, d, o->at_us, tell_logins, s);
}

static void observe(struct session *s, struct obs *o)
{
	o->refresh_us = platforms_refresh_us(o->probe);
	model_apply(s->now.model, o);
	if (s->recorder)
		recorder_take(s->recorder, o);
	follow_logins(s, o);
}

static void observe_log(void *ctx, struct obs *o)
{
	observe(ctx, o);
}

void session_observed(struct session *s, struct obs *o)
{
	observe(s, o);
	if (s->hooks.changed)
		s->hooks.changed(s->hooks.ctx);
}

static void observed_live(void *ctx, struct obs *o)
{
	session_observed(ctx, o);
}

static void asked(void *ctx, unsigned id, const struct question *q)
{
	struct session *s = ctx;

	s->hooks.ask(s->hooks.ctx, id, q);
}

/* What traffic does may follow from a setting that was changed since it was read, and so may its end: both ends are asked. */
static void read_settings_of(const struct session *s, const struct finding *symptom)
{
	if (!s->poller || symptom->verdict < VERDICT_WARN || !check_is_symptom(symptom->check))
		return;
	if (symptom->device)
		poller_hasten(s->poller, symptom->device->name);
	if (symptom->far)
		poller_hasten(s->poller, symptom->far->device->name);
}

static void finding_changed(void *ctx, const struct finding *finding)
{
	struct session *s = ctx;
	char text[sizeof(finding->what) + 64];

	snprintf(text, sizeof(text), "%s: %s", finding->check->id, finding->what);
	events_add(&s->events, finding->is_open ? finding->first_us : finding->closed_us,
		   finding->is_open ? verdict_name(finding->verdict) : "closed", finding->where, text);
	if (s->recorder)
		recorder_finding(s->recorder, finding);
	read_settings_of(s, finding);
}

static void fact_changed(void *ctx, const struct change *c)
{
	struct session *s = ctx;
	const char *port = c->port ? c->port->name : NULL;
	struct fact now = { c->device->name, port, c->field, c->index, *c->now };
	if (field_table[c->field].flags & FIELD_LEARNED)
		return;
	char *where = port ? xasprintf("%s %s", now.device, port) : xstrdup(now.device);
	struct buf text = { 0 };

	fact_print_change(&now, c->was, &text);
	events_add(&s->events, c->at_us, field_table[c->field].flags & FIELD_SHY ? "device" : "config", where, text.text);
	if (s->poller)
		logged_in_changed(&s->logged_in, c);
	buf_done(&text);
	free(where);
}

static struct policy *no_policy(const char *name, struct err *err)
{
	struct buf shipped = { 0 };

	for (size_t i = 0; policy_builtin_name(i); i++)
		buf_printf(&shipped, "%s%s", i ? ", " : "", policy_builtin_name(i));
	err_set(err, "%s: no such file, and no policy of that name is shipped: %s are", name, shipped.text);
	buf_done(&shipped);
	return NULL;
}

struct policy *session_policy_load(const char *name, struct err *err)
{
	struct buf text = { 0 };
	struct policy *policy = NULL;

	if (!name)
		name = policy_builtin_name(0);
	if (policy_builtin_text(name))
		return policy_builtin(name);
	if (access(name, F_OK) != 0)
		return no_policy(name, err);
	if (file_read(name, &text, err))
		policy = policy_read(buf_span(&text), name, err);
	buf_done(&text);
	return policy;
}

static bool load_policy(struct session *s, const char *name, struct err *err)
{
	s->policy_name = xstrdup(name ? name : policy_builtin_name(0));
	s->policy = session_policy_load(name, err);
	return s->policy != NULL;
}

/* The cable plan's file, where there is one; the inventory's own cables stand otherwise. */
static bool load_plan(struct session *s, const struct session_options *options, struct buf *text, struct err *err)
{
	const char *path = options->plan ? options->plan : s->inventory.plan;
	struct buf read = { 0 };
	bool ok = !path || (file_read(path, &read, err) && cable_plan_read(&s->inventory, buf_span(&read), path, err));

	if (ok && path)
		cable_plan_text(&s->inventory, text); /* for a recording, whatever format the file has */
	buf_done(&read);
	return ok;
}

static struct session *new_session(void)
{
	struct session *s = xcalloc(1, sizeof(*s));

	s->now.model = model_new();
	s->now.findings = findings_new();
	findings_on_change(s->now.findings, finding_changed, s);
	inventory_init(&s->inventory);
	return s;
}

/* The session has them from now on. */
static void keep_texts(struct session *s, struct buf *inventory, struct buf *plan)
{
	free(s->inventory_text);
	free(s->plan_text);
	s->inventory_text = inventory->text;
	s->plan_text = plan->text;
	*inventory = *plan = (struct buf){ 0 };
}

/* The devices of the inventory are shown before they have said anything. */
static void name_devices(struct session *s)
{
	for (size_t i = 0; i < s->inventory.n_hosts; i++)
		model_need_device(s->now.model, s->inventory.hosts[i].name);
}

static bool start_recorder(struct session *s, const char *path, const struct buf *inventory, const struct buf *plan,
			   struct err *err)
{
	struct buf policy = { 0 };
	struct recorder_options options = {
		.fabric = session_fabric(s),
		.policy = s->policy_name,
		.inventory_text = inventory->text,
		.plan_text = plan->text,
		.policy_text = policy_builtin_text(s->policy_name),
		.model = s->now.model,
	};

	if (!options.policy_text && file_read(s->policy_name, &policy, NULL))
		options.policy_text = policy.text;
	s->recorder = recorder_open(path, &options, err);
	s->recording = xstrdup(path);
	buf_done(&policy);
	return s->recorder != NULL;
}

static void recall_row(void *ctx, int64_t at_us, const char *kind, const char *body)
{
	struct session *s = ctx;

	*GROW(s->recalled, s->n_recalled, s->cap_recalled) = (struct recalled){ at_us, xstrdup(kind ? kind : ""), xstrdup(body ? body : "") };
	s->n_recalled++;
}

/* A recording that is gone on with remembers what was before. Read before it is written: see tape_close(). */
static void recall(struct session *s, const char *path)
{
	struct replay *r = access(path, F_OK) == 0 ? replay_open(path, NULL) : NULL;
	struct fabric_history lanes = { 0 };

	if (!r)
		return;
	events_read(&s->events, r);
	events_add(&s->events, clock_us(), EVENT_RUN, "", "goes on");
	replay_lanes(r, &lanes);
	model_recall_lanes(s->now.model, &lanes);
	replay_bringup(r, recall_row, s);
	replay_close(r);
}

struct session *session_live(uv_loop_t *loop, const struct session_options *options, const struct session_hooks *hooks,
			     struct err *err)
{
	struct session *s = new_session();
	struct poller_options poller = options->poller;
	struct poller_hooks up = { .ctx = s, .observed = observed_live };
	struct buf text = { 0 }, plan = { 0 };
	bool ok;

	s->hooks = hooks ? *hooks : (struct session_hooks){ 0 };
	up.ask = s->hooks.ask ? asked : NULL;
	model_on_change(s->now.model, fact_changed, s);
	if (options->record)
		recall(s, options->record);
	ok = load_policy(s, options->policy, err) &&
	     (!options->inventory || hosts_load(&s->inventory, options->inventory, &text, err)) &&
	     (!consent_waiting() || err_set(err, "waiting for confirmation")) && load_plan(s, options, &plan, err) &&
	     (!options->nccl || session_tell(s, options->nccl, err)) &&
	     (!options->record || start_recorder(s, options->record, &text, &plan, err));
	keep_texts(s, &text, &plan);
	if (!ok) {
		session_free(s);
		return NULL;
	}
	name_devices(s);
	if (!poller.known_hosts && s->inventory.known_hosts)
		poller.known_hosts = s->known_hosts = xstrdup(s->inventory.known_hosts);
	if (options->is_told)
		return s;
	s->poller = poller_new(loop, &s->inventory, &poller, &up);
	poller_start(s->poller);
	return s;
}

/* -- keeping what was tried -- */

/* The connections go by the routes before; what is shown of them goes by those of the new inventory. */
static bool routes_hold(const struct inventory *before, const struct inventory *now, struct err *err)
{
	for (size_t i = 0; i < before->n_hosts; i++) {
		const char *name = before->hosts[i].name;
		const struct route *was = routes_find(&before->routes, name), *is = routes_find(&now->routes, name);

		if (was && !is)
			return err_set(err, "%s is not in it", name);
		if (was && !route_is_same(was, is))
			return err_set(err, "it reaches %s differently (fabcon inventory list)", name);
	}
	return true;
}

static bool take_inventory(struct session *s, const struct session_options *options, const struct inventory *before,
			   struct err *err)
{
	struct buf text = { 0 }, plan = { 0 };
	bool ok = hosts_load(&s->inventory, options->inventory, &text, err) && load_plan(s, options, &plan, err) &&
		  routes_hold(before, &s->inventory, err) &&
		  (!options->record || start_recorder(s, options->record, &text, &plan, err));

	if (ok && !poller_add(s->poller, &s->inventory)) {
		ok = err_set(err, "known_hosts is still being read");
		recorder_close(s->recorder);
		s->recorder = NULL;
	}
	keep_texts(s, &text, &plan);
	return ok;
}

static void record_known(struct session *s)
{
	const struct finding *const *open;
	size_t n = findings_open(s->now.findings, &open);

	recorder_take_known(s->recorder);
	for (size_t i = 0; i < n; i++)
		recorder_finding(s->recorder, open[i]);
}

bool session_keep(struct session *s, const struct session_options *options, struct err *err)
{
	struct inventory before = s->inventory;

	if (!s->poller || s->recorder || s->tried.n_hosts)
		return err_set(err, "it was saved already");
	inventory_init(&s->inventory);
	if (!take_inventory(s, options, &before, err)) {
		inventory_done(&s->inventory);
		s->inventory = before;
		return false;
	}
	s->tried = before;
	name_devices(s);
	if (s->recorder)
		record_known(s);
	return true;
}

static void read_events(struct session *s)
{
	char *path = notes_path(s->replay);

	events_read(&s->events, s->replay);
	if (path)
		notes_read(path, &s->events);
	free(path);
}

static bool open_replay(struct session *s, const char *file, const char *policy, struct err *err)
{
	const char *text;

	s->replay = replay_open(file, err);
	if (!s->replay)
		return false;
	text = replay_inventory(s->replay);
	if (text && *text && !inventory_read(&s->inventory, span_of(text), "the recording's inventory", err))
		return false;
	routes_plain(&s->inventory.routes, &s->inventory);	/* its hosts' ssh_config is not recorded */
	text = replay_plan(s->replay);
	if (text && *text && !cable_plan_read(&s->inventory, span_of(text), "the recording's cable plan", err))
		return false;
	s->lanes.max = LANES_OF_RECORDING;
	replay_lanes(s->replay, &s->lanes);
	read_events(s);
	s->is_other_policy = policy != NULL;
	text = replay_policy(s->replay);
	if (policy || !text || !*text)
		return load_policy(s, policy, err);
	s->policy_name = xstrdup("the recording's policy");
	s->policy = policy_read(span_of(text), s->policy_name, err);
	return s->policy != NULL;
}

struct session *session_replay(const char *file, const char *policy, struct err *err)
{
	struct session *s = new_session();

	if (!open_replay(s, file, policy, err) || !session_glance(s, replay_last(s->replay), err)) {
		session_free(s);
		return NULL;
	}
	return s;
}

static void picture_done(struct picture *p)
{
	findings_free(p->findings);
	links_done(&p->links);
	model_free(p->model);
	*p = (struct picture){ 0 };
}

void session_free(struct session *s)
{
	if (!s)
		return;
	poller_free(s->poller);
	recorder_close(s->recorder);
	replay_close(s->replay);
	applog_free(s->applog);
	picture_done(&s->held);
	picture_done(&s->now);
	fabric_history_done(&s->lanes);
	events_done(&s->events);
	logged_in_done(&s->logged_in);
	policy_free(s->policy);
	inventory_done(&s->inventory);
	inventory_done(&s->tried);
	free(s->known_hosts);
	free(s->policy_name);
	free(s->inventory_text);
	free(s->plan_text);
	for (size_t i = 0; i < s->n_recalled; i++) {
		free(s->recalled[i].kind);
		free(s->recalled[i].body);
	}
	free(s->recalled);
	free(s->recording);
	free(s);
}

bool session_tell(struct session *s, const char *file, struct err *err)
{
	struct applog *l = applog_read(file, err);

	if (!l)
		return false;
	applog_free(s->applog);
	s->applog = l;
	return true;
}

void session_untold(const struct session *s, struct buf *out)
{
	if (s->applog)
		applog_untold(s->applog, out);
}

static const struct picture *shown(const struct session *s)
{
	return s->held.model ? &s->held : &s->now;
}

const struct model *session_model(const struct session *s)
{
	return shown(s)->model;
}

const struct links *session_links(const struct session *s)
{
	return &shown(s)->links;
}

const struct findings *session_findings(const struct session *s)
{
	return shown(s)->findings;
}

char *session_policy_text(const struct session *s)
{
	const char *text = s->replay && !s->is_other_policy ? replay_policy(s->replay) : NULL;
	struct buf file = { 0 };

	if (!text || !*text)
		text = policy_builtin_text(s->policy_name);
	if (text)
		return xstrdup(text);
	return file_read(s->policy_name, &file, NULL) ? file.text : NULL;
}

const struct policy *session_policy(const struct session *s)
{
	return s->policy;
}

const struct inventory *session_inventory(const struct session *s)
{
	return &s->inventory;
}

const char *session_fabric(const struct session *s)
{
	const char *name = s->replay ? replay_fabric(s->replay) : NULL;

	if (!name || !*name)
		name = s->inventory.fabric;
	return name ? name : "no fabric";
}

const struct events *session_events(const struct session *s)
{
	return &s->events;
}

const struct fabric_history *session_lanes(const struct session *s)
{
	return s->replay ? &s->lanes : model_lanes(s->now.model);
}

bool session_is_replay(const struct session *s)
{
	return s->replay != NULL;
}

bool session_snapshot(const struct session *s, const char *path, struct err *err)
{
	if (s->replay)
		return replay_copy(s->replay, path, err);
	if (s->recorder)
		return snapshot_of_written(s->recording, path, err);
	return err_set(err, "not recording: use --record FILE or fabcon record FILE");
}

bool session_is_recording(const struct session *s, const char **trouble)
{
	*trouble = s->recorder ? recorder_trouble(s->recorder) : NULL;
	return s->recorder != NULL;
}

const char *session_recording_words(const struct session *s)
{
	return s->recorder ? recorder_words(s->recorder) : NULL;
}

struct poller *session_poller(struct session *s)
{
	return s->poller;
}

struct replay *session_recording(struct session *s)
{
	return s->replay;
}

void session_answer(struct session *s, unsigned id, const char *text)
{
	if (s->poller)
		poller_answer(s->poller, id, text);
}

int64_t session_refresh(struct session *s, const char *device)
{
	return s->poller ? poller_refresh(s->poller, device) : 0;
}

bool session_has_read_since(const struct session *s, const char *device, int64_t since)
{
	return !s->poller || poller_has_read_since(s->poller, device, since);
}

const char *session_known_hosts(const struct session *s)
{
	return s->known_hosts;
}

void session_command(struct session *s, const char *device, const char *command, const char *outcome)
{
	const struct device *d = model_find_device(s->now.model, device);

	if (d)
		logged_in_ours(&s->logged_in, d, clock_us());
	if (s->recorder)
		recorder_command(s->recorder, clock_us(), device, command, outcome);
}

void session_note(struct session *s, const char *kind, const char *text)
{
	if (!s->replay)
		model_set_now(s->now.model, clock_us());
	events_add(&s->events, model_now(s->now.model), kind, "", text);
	if (s->recorder)
		recorder_note(s->recorder, model_now(s->now.model), kind, text);
}

int64_t session_bringup(struct session *s, const char *kind, const char *body)
{
	int64_t at_us = clock_us();

	if (s->recorder)
		recorder_bringup(s->recorder, at_us, kind, body);
	return at_us;
}

void session_bringup_rows(const struct session *s, void (*each)(void *ctx, int64_t at_us, const char *kind, const char *body), void *ctx)
{
	if (s->replay)
		replay_bringup(s->replay, each, ctx);
	for (size_t i = 0; i < s->n_recalled; i++)
		each(ctx, s->recalled[i].at_us, s->recalled[i].kind, s->recalled[i].body);
}

const char *session_inventory_text(const struct session *s)
{
	return s->replay ? replay_inventory(s->replay) : s->inventory_text;
}

const char *session_plan_text(const struct session *s)
{
	return s->replay ? replay_plan(s->replay) : s->plan_text;
}

bool session_annotate(struct session *s, int64_t at_us, const char *typed, struct err *err)
{
	char text[NOTE_MAX + 1], *path = s->replay ? notes_path(s->replay) : NULL;
	bool done = note_text(typed, text) || err_set(err, "a note needs text");

	if (done && s->replay)
		done = path ? notes_add(path, at_us, text, err) :
			      err_set(err, "neither XDG_STATE_HOME nor HOME is set: no place for a note");
	if (done && s->recorder)
		recorder_note(s->recorder, at_us, "note", text);
	if (done)
		events_add(&s->events, at_us, "note", "", text);
	free(path);
	return done;
}

void session_zero(struct session *s, const struct port *p, bool clear)
{
	model_zero(s->now.model, p ? model_port(s->now.model, p->id) : NULL, clear);
	if (s->held.model)
		model_zero(s->held.model, p, clear);
}

bool session_zero_at(struct session *s, const struct port *p, enum field f, unsigned index, uint64_t value)
{
	return model_zero_at(s->now.model, model_port(s->now.model, p->id), f, index, value);
}

void session_hold(struct session *s, bool on)
{
	picture_done(&s->held);
	if (!on || s->replay)
		return;
	s->held.model = model_copy(s->now.model);
	links_update(&s->held.links, s->held.model, &s->inventory);
	s->held.findings = findings_copy(s->now.findings, s->held.model);
}

bool session_is_held(const struct session *s)
{
	return s->held.model != NULL;
}

int64_t session_now(const struct session *s)
{
	return model_now(s->now.model);
}

static int64_t judge_every_us(const struct session *s)
{
	int64_t every_us = s->judging_us * JUDGE_REST;

	if (every_us < JUDGE_EVERY)
		return JUDGE_EVERY;
	return every_us < JUDGE_AT_LEAST ? every_us : JUDGE_AT_LEAST;
}

void session_tick(struct session *s)
{
	if (!s->replay) {
		model_set_now(s->now.model, clock_us());
		logged_in_expire(&s->logged_in, clock_us(), tell_logins, s);
	}
	if (model_now(s->now.model) - s->judged_us >= judge_every_us(s) || model_serial(s->now.model) < s->judged_serial)
		session_judge(s);
}

void session_judge(struct session *s)
{
	if (!s->replay)
		model_set_now(s->now.model, clock_us());
	if (s->applog)
		applog_tell(s->applog, s->now.model, model_now(s->now.model), observe_log, s);
	links_update(&s->now.links, s->now.model, &s->inventory);
	findings_judge(s->now.findings, s->now.model, &s->now.links, s->policy, &s->inventory);
	s->judged_us = model_now(s->now.model);
	if (!s->replay)
		s->judging_us = clock_us() - s->judged_us;
	s->judged_serial = model_serial(s->now.model);
}

/* A model never goes back: an earlier time is a new model, warmed up to it. */
static bool begin_again(struct session *s, int64_t at_us, int64_t warm_us, struct err *err)
{
	links_done(&s->now.links);
	s->now.links = (struct links){ 0 };
	model_free(s->now.model);
	s->now.model = model_new();
	if (s->applog)
		applog_untell(s->applog);
	name_devices(s);
	s->warm_us = warm_us;
	s->begun_us = at_us;
	return replay_seek(s->replay, at_us, warm_us, err);
}

static enum verdict verdict_of(const struct replay_finding *f)
{
	return strcmp(f->verdict, verdict_name(VERDICT_FAIL)) == 0   ? VERDICT_FAIL
	       : strcmp(f->verdict, verdict_name(VERDICT_WARN)) == 0 ? VERDICT_WARN
								      : VERDICT_LOOK;
}

static void remember(void *ctx, const struct replay_finding *f)
{
	struct session *s = ctx;

	findings_remember(s->now.findings, f->check, f->where, f->what, verdict_of(f), f->first_us);
}

static void remember_closed(void *ctx, const struct replay_finding *f)
{
	struct session *s = ctx;

	if (f->check && f->verdict)
		findings_remember_closed(s->now.findings, f->check, f->where ? f->where : "", f->what ? f->what : "", verdict_of(f),
					 f->first_us, f->closed_us);
}

/* Judged anew at each time, but for what could not be judged then either: that stood as it had been found before. */
static void judge_at_cursor(struct session *s)
{
	findings_free(s->now.findings);
	s->now.findings = findings_new();
	if (!s->is_other_policy) {
		replay_findings(s->replay, s->cursor_us, remember, s);
		replay_closed(s->replay, s->cursor_us - s->cursor_us % DAY, s->cursor_us, remember_closed, s);
	}
	session_judge(s);
}

static bool go_to(struct session *s, int64_t at_us, int64_t warm_us, struct err *err)
{
	bool back = s->cursor_us == 0 || at_us < s->cursor_us || at_us > s->cursor_us + HISTORY_LEN * SECOND ||
		    s->warm_us + (at_us - s->begun_us) < warm_us;
	struct obs o;

	if (!s->replay)
		return err_set(err, "this is a live session: use fabcon replay FILE to go to a time");
	if (back && !begin_again(s, at_us, warm_us, err))
		return false;
	obs_init(&o, NULL, NULL);
	do
		while (replay_next(s->replay, at_us, &o))
			observe(s, &o);
	while (replay_is_broken(s->replay) && begin_again(s, at_us, warm_us, err));
	obs_done(&o);
	if (replay_is_broken(s->replay))
		return false;
	model_set_now(s->now.model, at_us);
	s->cursor_us = at_us;
	judge_at_cursor(s);
	return true;
}

void session_reach(struct session *s, int64_t reach_us)
{
	s->reach_us = reach_us;
}

static int64_t wanted_us(const struct session *s)
{
	return s->reach_us > HISTORY_LEN * SECOND ? s->reach_us : HISTORY_LEN * SECOND;
}

bool session_seek(struct session *s, int64_t at_us, struct err *err)
{
	return go_to(s, at_us, wanted_us(s), err);
}

bool session_glance(struct session *s, int64_t at_us, struct err *err)
{
	return go_to(s, at_us, GLANCE_US, err);
}

bool session_is_glance(const struct session *s)
{
	return s->replay && s->warm_us + (s->cursor_us - s->begun_us) < wanted_us(s);
}
