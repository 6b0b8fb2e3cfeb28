#include "remote/poll/reach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "remote/platform/mask.h"
#include "remote/poll/rounds.h"
#include "remote/ssh/clock.h"
#include "remote/talk/cli_session.h"
#include "remote/talk/collector.h"

#define SECOND_US	INT64_C(1000000)
#define BACKOFF_MAX	6	/* doublings of a second: 64 s */
#define SECOND_AGAIN_US	(600 * SECOND_US)	/* a second channel that is refused is tried again where there was one */
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
static void open_second(struct reach *r);

/* -- telling how it goes -- */

/*
 * "; counters every 4 s, not every 1 s: a round takes 3.8 s", where the device does not bear the period wished for; or "". Told again
 * where it is another by half: each text that differs is a change in the history of the device.
 */
static const char *pace_words(struct reach *r)
{
	int64_t wished_us = poller_options(r->poller)->live_us, every_us = measured_period_us(&r->pace[CADENCE_LIVE], wished_us);
	bool is_by_settings = r->second == SECOND_NONE && r->settings_us > r->latency_us;
	int64_t round_us = is_by_settings ? r->settings_us : r->latency_us, told_us = r->told_every_us;

	if (every_us <= wished_us || r->latency_us < 0) {
		r->told_every_us = 0;
		r->told_pace[0] = '\0';
	} else if (!told_us || every_us > told_us + told_us / 2 || told_us > every_us + every_us / 2) {
		r->told_every_us = every_us;
		snprintf(r->told_pace, sizeof(r->told_pace), "; counters every %.3g s, not every %.3g s: a round%s takes %.1f s",
			 (double)every_us / SECOND_US, (double)wished_us / SECOND_US, is_by_settings ? " of settings" : "",
			 (double)round_us / SECOND_US);
	}
	return r->told_pace;
}

/* Nothing while the second channel is being opened. */
static void observe_conversations(struct reach *r, struct obs *o)
{
	const char *pace = pace_words(r);
	char text[600];

	if (r->second == SECOND_UP)
		snprintf(text, sizeof(text), "separate channels for counters and settings%s", pace);
	else if (r->second == SECOND_NONE && r->one_channel[0])
		snprintf(text, sizeof(text), "one: counters wait while settings are read, because %s%s", r->one_channel, pace);
	else
		return;
	obs_text(o, OBS_DEVICE, FIELD_CONVERSATIONS, span_of(text));
}

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
	}
	if (r->was)
		obs_text(o, OBS_DEVICE, FIELD_PLATFORM, span_of(r->was->id));
	if (r->phase == PHASE_UP)
		observe_conversations(r, o);
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

static void drop_conversation(struct conversation *c)
{
	talk_free(c->talk);
	c->talk = NULL;
	c->is_identified = c->is_asking = c->is_interrupting = c->is_over = false;
	c->late = 0;
}

static void drop_session(struct reach *r)
{
	uv_timer_stop(&r->timer);
	drop_conversation(&r->counters);
	drop_conversation(&r->settings);
	r->second = SECOND_NONE;
	r->second_due_us = INT64_MAX;
	r->wants_swap = r->wants_end = false;
	poller_forget_questions(r);
	ssh_free_session(r->ssh);
	r->ssh = NULL;
	r->platform = NULL;
	r->has_swapped = r->met_shell = false;
	r->latency_us = -1;
	poller_give_slot(r);
}

/* -- rounds -- */

static struct conversation *conversation_of(struct reach *r, unsigned channel)
{
	return channel == r->settings.channel ? &r->settings : &r->counters;
}

static int64_t next_us(const struct conversation *c)
{
	int64_t late_us = c->is_asking ? c->question_us + poller_options(c->reach->poller)->timeout_us : INT64_MAX;
	int64_t due_us = rounds_next_us(c);

	return due_us < late_us ? due_us : late_us;
}

static void wait_on(struct reach *r)
{
	int64_t wakes_us = next_us(&r->counters), settings_us = r->settings.talk ? next_us(&r->settings) : r->second_due_us;

	if (settings_us < wakes_us)
		wakes_us = settings_us;
	int64_t wait_us = wakes_us - poller_now_us(r->poller);
	uv_timer_start(&r->timer, on_timer, wait_us > 0 ? (wait_us + 999) / 1000 : 1, 0);
}

/* Begins what is due in this conversation. */
static void ask_what_is_due(struct conversation *c)
{
	enum cadence cadence;

	while (c->is_identified && !c->is_asking && !c->is_over && rounds_due(c, &cadence)) {
		rounds_begin(c, cadence);
		if (!talk_ask(c->talk, cadence))
			c->is_asking = false;
		ssh_kick(c->reach->ssh);
	}
	if (!c->is_over && rounds_due_between(c) && talk_ask_between(c->talk, CADENCE_LIVE))
		rounds_begin(c, CADENCE_LIVE);
}

/* Begins what is due, and waits for what comes next. */
static void go_on(struct reach *r)
{
	if (poller_write_way(r->poller) && r->phase == PHASE_UP)
		return;
	if (r->phase == PHASE_UP) {
		if (!r->settings.talk && poller_now_us(r->poller) >= r->second_due_us)
			open_second(r);
		ask_what_is_due(&r->counters);
		ask_what_is_due(&r->settings);
	}
	wait_on(r);
}

/* -- the conversations -- */

static void conversation_over(struct conversation *c, bool may_swap, const char *why)
{
	struct reach *r = c->reach;

	if (c->is_over)
		return;
	c->is_over = true;
	if (c == &r->counters)
		r->wants_swap = may_swap && !r->has_swapped;
	snprintf(c->why, sizeof(c->why), "%s", why);
}

static void identified_second(struct conversation *c, const struct platform *p)
{
	if (p != c->reach->platform)
		return conversation_over(c, false, "identification: its second channel reaches a different system");
	send_filter_identified(&c->guard, p);
	c->is_identified = true;
}

static void on_identified(void *ctx, const struct platform *p, struct span text)
{
	struct conversation *c = ctx;
	struct reach *r = c->reach;
	char why[400], printed[201];

	if (c == &r->settings)
		return identified_second(c, p);
	mask_quote(printed, sizeof(printed), text);
	if (platform_speaks(p, r->way->id)) {
		r->platform = r->was = p;
		return send_filter_identified(&c->guard, p);
	}
	if (!p && span_find(text, COLLECTOR_NOT_WHOLE))
		return conversation_over(c, false, "identification: \"uname -a\" failed each time; the system is not known yet");
	if (p && !p->way)
		snprintf(why, sizeof(why), "identification: unsupported operating system %s; skipped", p->title);
	else if (p)
		snprintf(why, sizeof(why), "identification: it is %s, but its %s is not available", p->title,
			 talk_way_find(p->way)->title);
	else
		snprintf(why, sizeof(why), "identification: unknown operating system, skipped; it printed \"%s\"", printed);
	conversation_over(c, !p || p->way, why);
	r->wants_end = true;
}

/* The ports that settings name are asked about by the conversation about counters. */
static void tell_other(const struct conversation *c, const struct probe *probe, const struct answer *a)
{
	struct reach *r = c->reach;
	struct conversation *other = c == &r->settings ? &r->counters : &r->settings;

	if (other->is_identified)
		talk_hear(other->talk, probe, a);
}

static void on_answered(void *ctx, const struct probe *probe, const struct answer *a, int64_t device_us)
{
	struct conversation *c = ctx;
	struct reach *r = c->reach;
	const struct poller_hooks *hooks = poller_hooks(r->poller);
	struct obs *o = poller_obs(r->poller, r);

	rounds_answered(c, probe);
	o->probe = probe->id;
	o->at_us = clock_us();
	o->device_us = device_us;
	o->period_us = a->is_refused ? 0 : rounds_period_us(c, probe);	/* 0: what is not asked again does not age */
	platform_parse(r->platform, probe, a, o);
	hooks->observed(hooks->ctx, o);
	tell_other(c, probe, a);
	if (rounds_have_had_their_time(c))
		talk_hurry(c->talk);
}

static void on_round_ended(void *ctx, enum cadence cadence)
{
	struct conversation *c = ctx;
	struct reach *r = c->reach;
	unsigned before = r->rounds;

	rounds_ended(c, cadence);
	if (c == &r->settings)
		r->second_failures = 0;
	if (r->rounds != before || cadence == CADENCE_CONFIG)
		observe(r);
}

static void on_talk_failed(void *ctx, const char *reason)
{
	struct conversation *c = ctx;
	bool is_identified = c == &c->reach->settings ? c->is_identified : c->reach->platform != NULL;
	const char *step = c->talk ? talk_step(c->talk) : NULL;
	char why[600];

	c->reach->met_shell = c->reach->has_swapped && span_starts(span_of(reason), CLI_MET_SHELL);
	if (c->reach->met_shell)
		snprintf(why, sizeof(why), "%.500s; its login shell is a Linux shell: the host may be busy", c->reach->first_why);
	else
		snprintf(why, sizeof(why), "%s: %s", step ? step : is_identified ? "session" : "identification", reason);
	conversation_over(c, !is_identified, why);
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

/* What may be said in it; of a reader's conversations the same in both. */
static void begin_guard(struct conversation *c, const char *nonce)
{
	const struct reach *r = c->reach;
	const struct write_way *write = poller_write_way(r->poller);

	send_filter_done(&c->guard);
	send_filter_init(&c->guard, r->way, nonce, write ? write->permit : NULL);
	send_filter_name_ports(&c->guard, r->ports);
	if (r->may_fill)
		send_filter_let_fill(&c->guard);
	if (write && write->look && write->look_is_test)
		send_filter_let_test(&c->guard, write->look);
	else if (write && write->look)
		send_filter_let_look(&c->guard, write->look);
}

/* On a channel of its own; it asks first who is there. */
static void begin_conversation(struct conversation *c)
{
	struct talk_hooks hooks = {
		.ctx = c, .identified = on_identified, .answered = on_answered, .round_ended = on_round_ended,
		.failed = on_talk_failed,
	};
	struct reach *r = c->reach;
	uint64_t n;
	char nonce[17];

	drop_conversation(c);
	if (getrandom(&n, sizeof(n), 0) != sizeof(n))
		abort();	/* without it answers could be forged */
	snprintf(nonce, sizeof(nonce), "%016llx", (unsigned long long)n);
	begin_guard(c, nonce);
	c->talk = talk_of(r, nonce, &hooks);
	c->question_us = poller_now_us(r->poller);
	c->is_asking = true;
	ssh_open(r->ssh, c->channel, r->way, &c->guard);
}

static void begin_counters(struct reach *r, const struct talk_way *way)
{
	r->way = way;
	r->wants_swap = r->wants_end = false;
	*end_of(r) = (struct shell_end){ .status = -1 };
	begin_conversation(&r->counters);
	wait_on(r);
}

/* -- the second conversation -- */

static void have_one(struct reach *r, const char *why)
{
	r->second = SECOND_NONE;
	r->second_due_us = r->had_second ? poller_now_us(r->poller) + SECOND_AGAIN_US : INT64_MAX;
	snprintf(r->one_channel, sizeof(r->one_channel), "%s", why);
	observe(r);
}

/* A server that ends the session in place of refusing its second channel is tried twice, not for ever. */
static void open_second(struct reach *r)
{
	if (!ssh_may_open_second(r->ssh))
		return have_one(r, "its session uses the site's own ssh");
	if (r->second_broke >= 2)
		return have_one(r, "the session ended each time a second channel was opened");
	r->second = SECOND_OPENING;
	begin_conversation(&r->settings);
}

/* The settings' round that ran is asked once more. */
static void ask_again(struct reach *r)
{
	const struct conversation *c = &r->settings;

	if (!c->is_identified || !c->is_asking)
		return;
	r->once_due |= c->round.cadence == CADENCE_ONCE;
	r->change_due |= c->round.cadence == CADENCE_CHANGE;
	if (r->fill == FILL_RUNS)
		r->fill = FILL_DUE;
	r->config_due_us = poller_now_us(r->poller);
}

/* One that was up is opened again; one that did not come up leaves everything to the first. */
static void second_over(struct reach *r, const char *why)
{
	unsigned doublings = r->second_failures < BACKOFF_MAX ? r->second_failures : BACKOFF_MAX;
	bool was_up = r->settings.is_identified;
	char told[sizeof(r->settings.why) + 50];

	ask_again(r);
	ssh_close_second(r->ssh);
	drop_conversation(&r->settings);
	if (!was_up) {
		snprintf(told, sizeof(told), "no second channel: %s", why);
		return have_one(r, told);
	}
	r->second = SECOND_LOST;
	r->second_failures++;
	r->second_due_us = poller_now_us(r->poller) + (SECOND_US << doublings);
	snprintf(told, sizeof(told), "settings: %s", why);
	enter(r, r->phase, told);
}

static void heed_second(struct reach *r)
{
	char why[sizeof(r->settings.why)];

	if (r->settings.is_over) {
		memcpy(why, r->settings.why, sizeof(why));
		return second_over(r, why);
	}
	if (r->second != SECOND_OPENING || !r->settings.is_identified)
		return;
	r->second = SECOND_UP;
	r->second_broke = 0;
	r->settings.is_asking = false;
	r->had_second = true;
	enter(r, r->phase, NULL);
	observe(r);
}

/* -- what they have said -- */

static void identified(struct reach *r)
{
	r->counters.is_identified = true;
	r->counters.is_asking = false;
	r->was_late = false;
	if (r->fill != FILL_NONE)
		r->fill = r->way->fills_neighbors ? FILL_DUE : FILL_NONE;
	rounds_forget(r);
	r->one_channel[0] = '\0';
	r->had_second = false;
	enter(r, PHASE_UP, NULL);
	if (!poller_write_way(r->poller))
		open_second(r);
}

static void begin_again(struct reach *r)
{
	drop_session(r);
	reach_go(r);
}

/* A host under load may need longer than a step's limit: it is called unreachable when that is so a second time. */
static bool may_be_busy(struct reach *r)
{
	bool is_first = !r->was_late && !r->failures;

	r->was_late = true;
	return is_first;
}

static void heed_end(struct reach *r)
{
	char why[sizeof(r->counters.why)];

	memcpy(why, r->counters.why, sizeof(why));
	if (r->wants_swap) {
		begin_counters(r, talk_way_find(r->way->otherwise));
		r->has_swapped = true;
		snprintf(r->first_why, sizeof(r->first_why), "%s", why);
		reach_tell(r, why);
	} else if (r->met_shell && may_be_busy(r)) {
		begin_again(r);
	} else if (r->wants_end) {
		reach_refuse(r, why);
	} else {
		back_off(r, why);
	}
}

/* Acts on what a talk has said, now that it has returned. False: the first conversation is over. */
static bool heed(struct reach *r)
{
	if (r->counters.is_over) {
		heed_end(r);
		return false;
	}
	if (r->phase == PHASE_CONNECTING && r->platform)
		identified(r);
	if (r->settings.talk)
		heed_second(r);
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
	if (r->route->transport == TRANSPORT_LIBSSH)
		poller_give_slot(r);
	if (r->is_jump) {
		r->failures = 0;
		r->was_late = false;
		return enter(r, PHASE_UP, NULL);
	}
	const struct talk_way *way = talk_way_guess(r->platform_hint, ssh_banner(r->ssh));
	if (!way)
		return reach_refuse(r, "identification: the inventory names an unsupported operating system; skipped");
	begin_counters(r, way);
}

static void on_opened(void *ctx, unsigned channel)
{
	struct reach *r = ctx;

	poller_give_slot(r);
	conversation_of(r, channel)->question_us = poller_now_us(r->poller);
}

static void on_received(void *ctx, unsigned channel, struct span bytes)
{
	struct reach *r = ctx;
	struct conversation *c = conversation_of(r, channel);
	const char *step = talk_step(c->talk);

	c->late = 0;
	if (!r->platform)
		loginshell_hear(end_of(r), bytes);
	talk_feed(c->talk, bytes);
	if (!c->is_identified && c->talk && talk_step(c->talk) != step)	/* each question of who is there has its own time */
		c->question_us = poller_now_us(r->poller);
	heed(r);
}

static struct span on_to_send(void *ctx, unsigned channel)
{
	return talk_to_send(conversation_of(ctx, channel)->talk);
}

static void on_sent(void *ctx, unsigned channel, size_t n)
{
	talk_sent(conversation_of(ctx, channel)->talk, n);
}

/* Closed before anything was identified: by a switch that runs no commands, or by a login shell that runs no shell. */
static void note_end(struct reach *r, int status, struct span said)
{
	struct shell_end *e = end_of(r);
	char why[700];

	e->status = status;
	loginshell_hear(e, said);
	if (loginshell_is_restricted(e, r->user, why, sizeof(why))) {
		conversation_over(&r->counters, false, why);
		r->wants_end = true;
	} else if (r->has_swapped) {
		loginshell_explain(&r->shell_end, &r->login_end, r->user, why, sizeof(why));
		conversation_over(&r->counters, false, why);
	}
}

static void on_closed(void *ctx, unsigned channel, int status, struct span said)
{
	struct reach *r = ctx;
	struct conversation *c = conversation_of(r, channel);
	char why[600], quoted[500], code[40] = "";

	mask_quote(quoted, sizeof(quoted), said);
	if (!r->platform)
		note_end(r, status, span_of(quoted));
	talk_closed(c->talk);
	if (status >= 0)
		snprintf(code, sizeof(code), " (status %d)", status);
	snprintf(why, sizeof(why), "%s: the far end closed the channel%s%s%s", r->platform ? "session" : "identification",
		 code, said.n ? ": " : "", quoted);
	conversation_over(c, !r->platform, why);
	heed(r);
}

/* The server gave up while a person thought: the answer is there now, and the person is not to blame. */
static bool was_too_slow(struct reach *r)
{
	return r->given && r->given->text && !r->platform && !ssh_login(r->ssh)[0] && r->resent++ < 2;
}

static void on_ended(void *ctx, enum ssh_end how, const char *why)
{
	struct reach *r = ctx;

	if (r->counters.talk)
		talk_closed(r->counters.talk);
	if (r->settings.talk)
		talk_closed(r->settings.talk);
	r->second_broke += r->second == SECOND_OPENING;
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

/* False: the session is over. */
static bool question_is_late(struct conversation *c)
{
	struct reach *r = c->reach;
	bool is_identified = c == &r->settings || r->platform;
	char why[200];
	const char *step = talk_step(c->talk);

	c->question_us = poller_now_us(r->poller);
	snprintf(why, sizeof(why), "%s: no answer in %.1f s", step ? step : "identification",
		 poller_options(r->poller)->timeout_us / 1e6);
	talk_timeout(c->talk);
	if (++c->late >= LATE_MAX)
		conversation_over(c, !is_identified, why);
	if (!heed(r))
		return false;
	ssh_kick(r->ssh);
	return true;
}

/* False: the session is over. */
static bool look_at_clock(struct conversation *c)
{
	int64_t now_us = poller_now_us(c->reach->poller);
	int64_t late_us = now_us - c->question_us - poller_options(c->reach->poller)->timeout_us;

	if (!c->talk || !c->is_asking || late_us < 0)
		return true;
	if (late_us <= AWAY_MS * INT64_C(1000))
		return question_is_late(c);
	c->question_us = now_us;
	return true;
}

static void on_timer(uv_timer_t *timer)
{
	struct reach *r = timer->data;

	if (r->phase == PHASE_BACKOFF)
		return reach_go(r);
	if (r->counters.talk && look_at_clock(&r->counters) && look_at_clock(&r->settings))
		go_on(r);
}

/* -- for the poller -- */

void reach_init(struct reach *r, struct poller *p, const struct route *route)
{
	*r = (struct reach){ .poller = p, .route = route, .name = route->name, .latency_us = -1, .second_due_us = INT64_MAX };
	r->counters = (struct conversation){ .reach = r, .channel = 0 };
	r->settings = (struct conversation){ .reach = r, .channel = 1 };
	uv_timer_init(poller_common(p)->loop, &r->timer);
	r->timer.data = r;
}

void reach_done(struct reach *r, uv_close_cb closed)
{
	drop_session(r);
	send_filter_done(&r->counters.guard);
	send_filter_done(&r->settings.guard);
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
	send_filter_let_fill(&r->counters.guard);
	send_filter_let_fill(&r->settings.guard);
	if (r->counters.talk)
		go_on(r);
}

void reach_stop(struct reach *r)
{
	if (r->ssh)
		ssh_hang_up(r->ssh);
	drop_session(r);
	enter(r, PHASE_STOPPED, NULL);
}

void reach_hasten(struct reach *r)
{
	if (r->phase != PHASE_UP)
		return;
	rounds_hasten(r);
	if (r->counters.talk)
		go_on(r);
}

static bool asks_after_change(const struct platform *p)
{
	for (size_t i = 0; p && i < p->n_probes; i++)
		if (p->probes[i].cadence == CADENCE_CHANGE)
			return true;
	return false;
}

/* Not at once: the answer that tells of the change is still being taken. */
bool reach_note_change(struct reach *r)
{
	if (r->phase != PHASE_UP || !asks_after_change(r->platform))
		return false;
	r->change_due = true;
	return true;
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
		if (r->counters.talk)
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

bool reach_has_read_since(const struct reach *r, int64_t since_us)
{
	static const enum cadence all[] = { CADENCE_ONCE, CADENCE_CONFIG, CADENCE_LIVE };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (r->read_since_us[all[i]] < since_us)
			return r->phase == PHASE_REFUSED || r->failures > 0 || r->second_failures > 0;
	return true;
}

bool reach_is_over_first_round(const struct reach *r)
{
	const unsigned all = 1u << CADENCE_ONCE | 1u << CADENCE_CONFIG | 1u << CADENCE_LIVE;

	return ((r->rounds & all) == all && r->fill == FILL_NONE) || r->phase == PHASE_REFUSED || r->failures >= 2 ||
	       r->second_failures >= 2;
}
