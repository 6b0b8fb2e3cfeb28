#include "remote/poll/reach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "remote/ssh/clock.h"
#include "remote/talk/collector.h"

#define SECOND_US	INT64_C(1000000)
#define BACKOFF_MAX	6	/* doublings of a second: 64 s */
#define LATE_MAX	3	/* questions without a byte, before the session is given up */

static const char *const phase_words[PHASES] = {
	[PHASE_IDLE] = "waiting", [PHASE_KEYS] = "waiting", [PHASE_PERSON] = "waiting", [PHASE_JUMP] = "waiting",
	[PHASE_SLOT] = "waiting", [PHASE_CONNECTING] = "connecting", [PHASE_UP] = "up", [PHASE_BACKOFF] = "retrying",
	[PHASE_REFUSED] = "refused", [PHASE_STOPPED] = "stopped",
};

const char *phase_word(enum phase phase)
{
	return phase_words[phase];
}

static void drop_session(struct reach *r);

/* -- telling how it goes -- */

static void observe(struct reach *r)
{
	const struct poller_hooks *hooks = poller_hooks(r->poller);

	if (r->is_jump)
		return;
	struct obs *o = poller_obs(r->poller, r);
	o->probe = "ssh";
	o->rank = 10;
	o->at_us = clock_us();
	obs_word(o, OBS_DEVICE, FIELD_STATE, 0, span_of(phase_word(r->phase)));
	if (r->error[0])
		obs_text(o, OBS_DEVICE, FIELD_ERROR, span_of(r->error));
	if (r->phase == PHASE_UP) {
		obs_text(o, OBS_DEVICE, FIELD_AUTH, span_of(ssh_login(r->ssh)));
		obs_text(o, OBS_DEVICE, FIELD_HOSTKEY, span_of(ssh_hostkey(r->ssh)));
		obs_text(o, OBS_DEVICE, FIELD_PLATFORM, span_of(r->platform->id));
	}
	if (r->phase == PHASE_UP && r->latency_us >= 0)
		obs_number(o, OBS_DEVICE, FIELD_LATENCY, 0, r->latency_us);
	hooks->observed(hooks->ctx, o);
}

/* why NULL: keeps none. */
static void enter(struct reach *r, enum phase phase, const char *why)
{
	enum phase before = r->phase;
	bool says_the_same;
	char error[sizeof(r->error)] = "";

	if (why || r->note[0])
		snprintf(error, sizeof(error), "%s: %s", r->name, why ? why : r->note);
	says_the_same = !strcmp(phase_word(before), phase_word(phase)) && !strcmp(error, r->error);
	memcpy(r->error, error, sizeof(error));
	r->phase = phase;
	if (!says_the_same)
		observe(r);
	if (r->is_jump && (phase == PHASE_UP || phase == PHASE_BACKOFF || phase == PHASE_REFUSED))
		poller_jump_changed(r);
}

/* -- failing -- */

static void on_timer(uv_timer_t *timer);

/* A write session is never begun again by itself: nobody knows how far it came. */
static void back_off(struct reach *r, const char *why)
{
	unsigned doublings = r->failures < BACKOFF_MAX ? r->failures : BACKOFF_MAX;
	uint64_t delay_ms = UINT64_C(1000) << doublings;

	if (poller_write_way(r->poller))
		return reach_refuse(r, why);
	drop_session(r);
	r->failures++;
	delay_ms = delay_ms * 3 / 4 + poller_random(r->poller, delay_ms / 2);
	uv_timer_start(&r->timer, on_timer, delay_ms, 0);
	enter(r, PHASE_BACKOFF, why);
}

/* What was told of it, without its name. */
static const char *last_why(const struct reach *r)
{
	return r->error[0] ? r->error + strlen(r->name) + 2 : NULL;
}

void reach_refuse(struct reach *r, const char *why)
{
	drop_session(r);
	enter(r, PHASE_REFUSED, why ? why : last_why(r));
}

void reach_tell(struct reach *r, const char *why)
{
	enter(r, r->phase, why);
}

static void drop_talk(struct reach *r)
{
	talk_free(r->talk);
	r->talk = NULL;
	r->is_asking = r->wants_swap = r->wants_end = r->is_talk_over = false;
	r->late = 0;
}

static void drop_session(struct reach *r)
{
	uv_timer_stop(&r->timer);
	drop_talk(r);
	poller_forget_questions(r);
	ssh_free_session(r->ssh);
	r->ssh = NULL;
	r->platform = NULL;
	r->has_swapped = false;
	r->latency_us = -1;
	poller_give_slot(r);
}

/* -- rounds -- */

static int64_t period_us(const struct reach *r, enum cadence cadence)
{
	const struct poller_options *o = poller_options(r->poller);

	switch (cadence) {
	case CADENCE_CONFIG:
		return o->config_us;
	case CADENCE_LIVE:
		return o->live_us;
	case CADENCE_ONCE:
	case CADENCE_FILL:
	case CADENCE_NEVER:
		break;
	}
	return 0;
}

static bool is_due(const struct reach *r, enum cadence *cadence)
{
	int64_t now_us = poller_now_us(r->poller);

	if (r->once_due)
		*cadence = CADENCE_ONCE;
	else if (r->fill == FILL_DUE && r->rounds & 1u << CADENCE_CONFIG)
		*cadence = CADENCE_FILL;
	else if (now_us >= r->config_due_us)
		*cadence = CADENCE_CONFIG;
	else if (now_us >= r->live_due_us)
		*cadence = CADENCE_LIVE;
	else
		return false;
	return true;
}

/* Whole, so that everything is shown once; those after it must keep their time. */
static bool is_first_round(const struct reach *r, enum cadence cadence)
{
	return !(r->rounds & 1u << cadence);
}

/* The next time of a round that begins now: times that have passed meanwhile are left out, never made up for. */
static void put_off(struct reach *r, enum cadence cadence)
{
	int64_t now_us = poller_now_us(r->poller), period = period_us(r, cadence);

	switch (cadence) {
	case CADENCE_ONCE:
		r->once_due = false;
		return;
	case CADENCE_FILL:
		r->fill = FILL_RUNS;
		return;
	case CADENCE_NEVER:
		return;
	case CADENCE_CONFIG:
		r->config_due_us = now_us + period;
		return;
	case CADENCE_LIVE:
		if (is_first_round(r, CADENCE_LIVE))	/* so that hosts that came up together do not poll together */
			r->live_due_us = now_us + period / 2 + poller_random(r->poller, period / 2 + 1);
		else
			r->live_due_us += ((now_us - r->live_due_us) / period + 1) * period;
		return;
	}
}

static void note_pace(struct reach *r, enum cadence cadence)
{
	if (is_first_round(r, cadence))
		return;
	if (r->last_asked_us[cadence])
		measured_note(&r->pace[cadence], r->asked_us - r->last_asked_us[cadence]);
	r->last_asked_us[cadence] = r->asked_us;
}

/* How long the round takes until each port question was asked once, by how far it has come. */
static int64_t lap_us(const struct reach *r)
{
	int64_t n = (int64_t)talk_port_questions(r->talk), answered = (int64_t)r->ports_answered;
	int64_t took_us = poller_now_us(r->poller) - r->asked_us;

	return answered < n ? took_us * (n + 1) / (answered + 1) : took_us;
}

/* The period that is kept: by the rounds of this session or, in the first, by how it goes. */
static int64_t kept_period_us(const struct reach *r, const struct probe *probe)
{
	struct measured_period pace = probe->per_port ? r->port_pace : r->pace[probe->cadence];

	if (is_first_round(r, probe->cadence))
		measured_note(&pace, lap_us(r));
	if (probe->cadence == CADENCE_LIVE)	/* waits for settings, and is believed for three periods */
		measured_note(&pace, r->settings_us / 2);
	return measured_period_us(&pace, period_us(r, probe->cadence));
}

static void wait_on(struct reach *r)
{
	int64_t next_us = r->config_due_us < r->live_due_us ? r->config_due_us : r->live_due_us;

	if (r->is_asking)
		next_us = r->question_us + poller_options(r->poller)->timeout_us;
	int64_t wait_us = next_us - poller_now_us(r->poller);
	uv_timer_start(&r->timer, on_timer, wait_us > 0 ? (wait_us + 999) / 1000 : 1, 0);
}

/* Begins what is due, and waits for what comes next. */
static void go_on(struct reach *r)
{
	enum cadence cadence;

	if (poller_write_way(r->poller) && r->phase == PHASE_UP)
		return;
	while (r->phase == PHASE_UP && !r->is_asking && !r->is_talk_over && is_due(r, &cadence)) {
		put_off(r, cadence);
		r->is_asking = true;
		r->cadence = cadence;
		r->asked_us = r->question_us = poller_now_us(r->poller);
		r->ports_answered = 0;
		note_pace(r, cadence);
		if (!talk_ask(r->talk, cadence))
			r->is_asking = false;
		ssh_kick(r->ssh);
	}
	wait_on(r);
}

/* -- the conversation -- */

static void talk_over(struct reach *r, bool may_swap, const char *why)
{
	if (r->is_talk_over)
		return;
	r->is_talk_over = true;
	r->wants_swap = may_swap && !r->has_swapped;
	snprintf(r->error, sizeof(r->error), "%s", why);
}

static void on_identified(void *ctx, const struct platform *p, struct span text)
{
	struct reach *r = ctx;
	char why[400];

	if (platform_speaks(p, r->way->id)) {
		r->platform = p;
		send_filter_identified(&r->guard, p);
		return;
	}
	if (!p && span_find(text, COLLECTOR_NOT_WHOLE))
		return talk_over(r, false, "identification: \"uname -a\" failed each time; what it is, is not known yet");
	if (p && !p->way)
		snprintf(why, sizeof(why), "identification: it is %s, which is not spoken; left alone", p->title);
	else if (p)
		snprintf(why, sizeof(why), "identification: it is %s, and its %s was not to be had", p->title,
			 talk_way_find(p->way)->title);
	else
		snprintf(why, sizeof(why), "identification: no system known here, left alone; it printed \"%.*s\"",
			 (int)(text.n < 200 ? text.n : 200), text.p ? text.p : "");
	talk_over(r, !p || p->way, why);
	r->wants_end = true;
}

/* A live round that takes longer than its period ends early. */
static bool has_had_its_time(const struct reach *r)
{
	return r->cadence == CADENCE_LIVE && !is_first_round(r, CADENCE_LIVE) &&
	       poller_now_us(r->poller) >= r->asked_us + period_us(r, CADENCE_LIVE);
}

static void on_answered(void *ctx, const struct probe *probe, const struct answer *a, int64_t device_us)
{
	struct reach *r = ctx;
	const struct poller_hooks *hooks = poller_hooks(r->poller);
	struct obs *o = poller_obs(r->poller, r);

	r->question_us = poller_now_us(r->poller);
	r->ports_answered += probe->per_port;
	o->probe = probe->id;
	o->at_us = clock_us();
	o->device_us = device_us;
	o->period_us = a->is_refused ? 0 : kept_period_us(r, probe);	/* 0: what is not asked again does not age */
	platform_parse(r->platform, probe, a, o);
	hooks->observed(hooks->ctx, o);
	if (has_had_its_time(r))
		talk_hurry(r->talk);
}

static void on_round_ended(void *ctx, enum cadence cadence)
{
	struct reach *r = ctx;
	bool is_first = is_first_round(r, cadence);

	r->is_asking = false;
	if (cadence == CADENCE_FILL) {
		r->config_due_us = poller_now_us(r->poller);	/* what came of it */
		r->fill = FILL_READS;
	} else if (cadence == CADENCE_CONFIG && r->fill == FILL_READS) {
		r->fill = FILL_NONE;
	}
	r->rounds |= 1u << cadence;
	r->n_rounds[cadence]++;
	if (cadence == CADENCE_CONFIG)
		r->settings_us = poller_now_us(r->poller) - r->asked_us;
	if (cadence == CADENCE_LIVE) {
		measured_note(&r->port_pace, lap_us(r));
		r->latency_us = poller_now_us(r->poller) - r->asked_us;
		r->failures = 0;
	}
	if (is_first || cadence == CADENCE_CONFIG)
		observe(r);
}

static void on_talk_failed(void *ctx, const char *reason)
{
	struct reach *r = ctx;
	const char *step = r->talk ? talk_step(r->talk) : NULL;
	char why[600];

	snprintf(why, sizeof(why), "%s: %s", step ? step : r->platform ? "session" : "identification", reason);
	talk_over(r, !r->platform, why);
}

static struct shell_end *end_of(struct reach *r)
{
	return r->way->program ? &r->shell_end : &r->login_end;
}

static struct talk *talk_of(const struct reach *r, const char *nonce, const struct talk_hooks *hooks)
{
	const struct write_way *write = poller_write_way(r->poller);

	if (write)
		return write->talk(write->ctx, r->way, nonce, hooks);
	return r->way->read(nonce, r->ports, hooks);
}

static void new_talk(struct reach *r, const struct talk_way *way)
{
	struct talk_hooks hooks = {
		.ctx = r, .identified = on_identified, .answered = on_answered, .round_ended = on_round_ended,
		.failed = on_talk_failed,
	};
	const struct write_way *write = poller_write_way(r->poller);
	uint64_t n;
	char nonce[17];

	drop_talk(r);
	if (getrandom(&n, sizeof(n), 0) != sizeof(n))
		abort();	/* without it answers could be forged */
	snprintf(nonce, sizeof(nonce), "%016llx", (unsigned long long)n);
	r->way = way;
	*end_of(r) = (struct shell_end){ .status = -1 };
	send_filter_done(&r->guard);
	send_filter_init(&r->guard, way, nonce, write ? write->permit : NULL);
	send_filter_name_ports(&r->guard, r->ports);
	if (r->may_fill)
		send_filter_let_fill(&r->guard);
	if (write && write->look)
		send_filter_let_look(&r->guard, write->look);
	r->talk = talk_of(r, nonce, &hooks);
	r->question_us = poller_now_us(r->poller);
	r->is_asking = true;	/* who it is */
	wait_on(r);
	ssh_open(r->ssh, way, &r->guard);
}

static void identified(struct reach *r)
{
	r->is_asking = false;
	r->once_due = true;
	if (r->fill != FILL_NONE)
		r->fill = r->way->fills_neighbors ? FILL_DUE : FILL_NONE;
	r->config_due_us = r->live_due_us = poller_now_us(r->poller);
	memset(r->pace, 0, sizeof(r->pace));
	memset(r->last_asked_us, 0, sizeof(r->last_asked_us));
	r->port_pace = (struct measured_period){ 0 };
	enter(r, PHASE_UP, NULL);
}

/* Acts on what the talk has said, now that it has returned. False: it is over. */
static bool heed(struct reach *r)
{
	char why[sizeof(r->error)];

	if (r->is_talk_over) {
		memcpy(why, r->error, sizeof(why));
		r->error[0] = '\0';
		if (r->wants_swap) {
			new_talk(r, talk_way_find(r->way->otherwise));
			r->has_swapped = true;
			reach_tell(r, why);
		} else if (r->wants_end) {
			reach_refuse(r, why);
		} else {
			back_off(r, why);
		}
		return false;
	}
	if (r->phase == PHASE_CONNECTING && r->platform)
		identified(r);
	go_on(r);
	return true;
}

/* -- the session -- */

static bool on_trust(void *ctx, enum hostkey_verdict verdict, const struct hostkey_seen *seen, struct span key)
{
	return poller_trust(ctx, verdict, seen, key);
}

static void on_up(void *ctx)
{
	struct reach *r = ctx;

	poller_answer_was_good(r);
	r->was_late = false;
	if (r->route->transport == TRANSPORT_LIBSSH)
		poller_give_slot(r);
	if (r->is_jump) {
		r->failures = 0;
		return enter(r, PHASE_UP, NULL);
	}
	const struct talk_way *way = talk_way_guess(r->platform_hint, ssh_banner(r->ssh));
	if (!way)
		return reach_refuse(r, "identification: the inventory names a system that is not spoken; left alone");
	new_talk(r, way);
}

static void on_opened(void *ctx)
{
	struct reach *r = ctx;

	poller_give_slot(r);
	r->question_us = poller_now_us(r->poller);
}

static void on_received(void *ctx, struct span bytes)
{
	struct reach *r = ctx;

	r->late = 0;
	if (!r->platform)
		loginshell_hear(end_of(r), bytes);
	talk_feed(r->talk, bytes);
	heed(r);
}

static struct span on_to_send(void *ctx)
{
	return talk_to_send(((struct reach *)ctx)->talk);
}

static void on_sent(void *ctx, size_t n)
{
	talk_sent(((struct reach *)ctx)->talk, n);
}

/* Closed before anything was identified: by a switch that runs no commands, or by a login shell that runs no shell. */
static void note_end(struct reach *r, int status, struct span said)
{
	struct shell_end *e = end_of(r);
	char why[700];

	e->status = status;
	loginshell_hear(e, said);
	if (loginshell_is_restricted(e, r->user, why, sizeof(why))) {
		talk_over(r, false, why);
		r->wants_end = true;
	} else if (r->has_swapped) {
		loginshell_explain(&r->shell_end, &r->login_end, r->user, why, sizeof(why));
		talk_over(r, false, why);
	}
}

static void on_closed(void *ctx, int status, struct span said)
{
	struct reach *r = ctx;
	char why[600], code[40] = "";

	if (!r->platform)
		note_end(r, status, said);
	talk_closed(r->talk);
	if (status >= 0)
		snprintf(code, sizeof(code), " (status %d)", status);
	snprintf(why, sizeof(why), "%s: the far end closed the channel%s%s%.*s", r->platform ? "session" : "identification",
		 code, said.n ? ": " : "", (int)said.n, said.p ? said.p : "");
	talk_over(r, !r->platform, why);
	heed(r);
}

/* The server gave up while a person thought: the answer is there now, and the person is not to blame. */
static bool was_too_slow(struct reach *r)
{
	return r->given && r->given->text && !r->platform && !ssh_login(r->ssh)[0] && r->resent++ < 2;
}

static void begin_again(struct reach *r)
{
	drop_session(r);
	reach_go(r);
}

/* A host under load may need longer than a step's limit: it is called unreachable after the second handshake without an end. */
static bool may_be_busy(struct reach *r)
{
	bool is_first = !r->was_late && !r->failures;

	r->was_late = true;
	return is_first;
}

static void on_ended(void *ctx, enum ssh_end how, const char *why)
{
	struct reach *r = ctx;

	if (r->talk)
		talk_closed(r->talk);
	switch (how) {
	case SSH_END_RETRY:
		return was_too_slow(r) ? begin_again(r) : back_off(r, why);
	case SSH_END_LATE:
		return was_too_slow(r) || may_be_busy(r) ? begin_again(r) : back_off(r, why);
	case SSH_END_REFUSED:
		return poller_answer_was_wrong(r) ? begin_again(r) : reach_refuse(r, why);
	case SSH_END_HOSTKEY:
		drop_session(r);
		enter(r, PHASE_PERSON, why);
		return poller_ask_hostkey(r);
	case SSH_END_LOCKED:
		drop_session(r);
		r->is_locked_out = true;
		enter(r, PHASE_PERSON, why);
		return reach_go(r);
	}
}

static void on_ask(void *ctx, const struct question *q)
{
	poller_ask_login(ctx, q);
}

/* What the site's own ssh is told beside its arguments. */
static void plan_for_site(const struct reach *r, struct ssh_plan *plan)
{
	const struct poller_options *o = poller_options(r->poller);

	plan->transport = TRANSPORT_OPENSSH;
	plan->ssh_args = &r->route->ssh_args;
	plan->destination = r->route->destination;
	plan->known_hosts_file = poller_known_hosts(r->poller);
	plan->identity_file = o->identity;
	plan->accepts_new = o->hostkey == HOSTKEY_ACCEPT_NEW;
	plan->uses_agent = o->use_agent;
	plan->is_own = poller_write_way(r->poller);
}

static void connect_now(struct reach *r)
{
	struct ssh_plan plan = {
		.name = r->name, .address = r->route->address, .user = r->user, .port = r->route->port,
		.known_hosts = r->known->index, .host_key_alias = r->route->host_key_alias,
		.proxy_command = r->route->proxy_command, .via = r->jump ? r->jump->ssh : NULL,
		.identities = r->identities, .n_identities = r->n_identities,
		.certificates = r->certificates, .n_certificates = r->n_certificates,
		.agent = r->agent, .identities_only = r->route->identities_only, .is_jump = r->is_jump,
		.no_keys = r->route->no_keys, .no_questions = r->route->no_questions, .no_password = r->route->no_password,
	};
	struct ssh_hooks hooks = {
		.ctx = r, .trust = on_trust, .up = on_up, .opened = on_opened, .received = on_received,
		.to_send = on_to_send, .sent = on_sent, .closed = on_closed, .ended = on_ended, .ask = on_ask,
	};

	if (r->route->transport == TRANSPORT_OPENSSH)
		plan_for_site(r, &plan);
	r->given = NULL;
	r->ssh = ssh_new_session(poller_common(r->poller), &plan, &hooks);
	enter(r, PHASE_CONNECTING, last_why(r));
}

/* -- what comes before a session -- */

static bool keys_are_read(const struct reach *r)
{
	for (size_t i = 0; i < r->n_identities; i++)
		if (r->identities[i]->state == IDENTITY_LOADING)
			return false;
	for (size_t i = 0; i < r->n_certificates; i++)
		if (r->certificates[i]->state == IDENTITY_LOADING)
			return false;
	return true;
}

/* The key to ask a passphrase for first, when nothing else can be tried or everything else was. */
static struct identity *locked_key(const struct reach *r)
{
	struct identity *locked = NULL;

	if (!poller_may_ask(r->poller) || r->route->no_keys)
		return NULL;
	for (size_t i = r->n_identities; i-- > 0;) {
		struct identity *id = r->identities[i];
		if (id->state == IDENTITY_READY && !r->is_locked_out)
			return NULL;
		if (id->state == IDENTITY_LOCKED && !id->is_refused)
			locked = id;
	}
	return r->is_locked_out || !r->agent ? locked : NULL;
}

/* What went wrong before stays on show. */
static void wait_for(struct reach *r, enum phase phase)
{
	bool is_news = strcmp(phase_word(r->phase), phase_word(phase));

	r->phase = phase;
	if (is_news)
		observe(r);
}

/* True: the jump host is up, or none is needed. */
static bool jump_is_up(struct reach *r)
{
	char why[1000];

	if (!r->jump || r->jump->phase == PHASE_UP)
		return true;
	if (r->jump->phase == PHASE_REFUSED) {
		snprintf(why, sizeof(why), "jump host %s", r->jump->error);
		reach_refuse(r, why);
		return false;
	}
	wait_for(r, PHASE_JUMP);
	if (r->jump->phase == PHASE_IDLE || r->jump->phase == PHASE_STOPPED)
		reach_go(r->jump);
	return false;
}

void reach_go(struct reach *r)
{
	struct identity *locked;

	if (poller_is_stopping(r->poller))
		return;
	if (!keys_are_read(r))
		return wait_for(r, PHASE_KEYS);
	locked = locked_key(r);
	if (locked) {
		wait_for(r, PHASE_PERSON);
		return poller_ask_passphrase(r, locked);
	}
	if (!jump_is_up(r))
		return;
	if (!poller_take_slot(r))
		return wait_for(r, PHASE_SLOT);
	connect_now(r);
}

/* -- time -- */

static void question_is_late(struct reach *r)
{
	char why[200];
	const char *step = talk_step(r->talk);

	r->question_us = poller_now_us(r->poller);
	snprintf(why, sizeof(why), "%s: no answer in %.1f s", step ? step : "identification",
		 poller_options(r->poller)->timeout_us / 1e6);
	talk_timeout(r->talk);
	if (++r->late >= LATE_MAX)
		talk_over(r, !r->platform, why);
	if (heed(r))
		ssh_kick(r->ssh);
}

static void on_timer(uv_timer_t *timer)
{
	struct reach *r = timer->data;

	if (r->phase == PHASE_BACKOFF)
		return reach_go(r);
	if (!r->talk)
		return;
	int64_t late_us = poller_now_us(r->poller) - r->question_us - poller_options(r->poller)->timeout_us;
	if (r->is_asking && late_us > AWAY_MS * INT64_C(1000))
		r->question_us = poller_now_us(r->poller);
	else if (r->is_asking && late_us >= 0)
		return question_is_late(r);
	go_on(r);
}

/* -- for the poller -- */

void reach_init(struct reach *r, struct poller *p, const struct route *route)
{
	*r = (struct reach){ .poller = p, .route = route, .name = route->name, .latency_us = -1 };
	uv_timer_init(poller_common(p)->loop, &r->timer);
	r->timer.data = r;
}

void reach_done(struct reach *r, uv_close_cb closed)
{
	drop_session(r);
	send_filter_done(&r->guard);
	free(r->identities);
	free(r->certificates);
	uv_close((uv_handle_t *)&r->timer, closed);
}

void reach_fill(struct reach *r)
{
	if (r->phase != PHASE_UP || !r->way->fills_neighbors)
		return;
	r->may_fill = true;
	r->fill = FILL_DUE;
	send_filter_let_fill(&r->guard);
	if (r->talk)
		go_on(r);
}

void reach_stop(struct reach *r)
{
	if (r->ssh)
		ssh_hang_up(r->ssh);
	drop_session(r);
	enter(r, PHASE_STOPPED, NULL);
}

void reach_refresh(struct reach *r)
{
	for (size_t i = 0; i < r->n_identities; i++)
		r->identities[i]->is_refused = false;
	r->refused = NULL;
	r->wrong = r->resent = 0;
	r->was_late = false;
	switch (r->phase) {
	case PHASE_UP:
		r->once_due = true;
		r->config_due_us = r->live_due_us = poller_now_us(r->poller);
		if (r->talk)
			go_on(r);
		return;
	case PHASE_BACKOFF:
	case PHASE_REFUSED:
		r->failures = 0;
		uv_timer_stop(&r->timer);
		if (r->jump && r->jump->phase != PHASE_UP)
			reach_refresh(r->jump);
		return reach_go(r);
	default:
		return;
	}
}

void reach_known_name(const struct reach *r, struct buf *out)
{
	known_files_name(r->route->host_key_alias, r->route->address, r->route->port, out);
}

bool reach_uses(const struct reach *r, const struct identity *id)
{
	for (size_t i = 0; i < r->n_identities; i++)
		if (r->identities[i] == id)
			return true;
	return false;
}

bool reach_is_over_first_round(const struct reach *r)
{
	const unsigned all = 1u << CADENCE_ONCE | 1u << CADENCE_CONFIG | 1u << CADENCE_LIVE;

	return ((r->rounds & all) == all && r->fill == FILL_NONE) || r->phase == PHASE_REFUSED || r->failures >= 2;
}
