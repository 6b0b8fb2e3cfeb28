/* Questions to the person: passphrases, and what servers ask at the login. */
#include "remote/poll/internal.h"

#include <stdlib.h>

#define PASSPHRASES_MAX	3
#define ANSWERS_MAX	3	/* as ssh asks for a password */

void poller_put(struct poller *p, const struct open_question *what, const struct question *q)
{
	struct open_question *open = xcalloc(1, sizeof(*open));

	*open = *what;
	open->id = ++p->last_question;
	open->next = p->questions;
	p->questions = open;
	p->hooks.ask(p->hooks.ctx, open->id, q);
}

bool poller_is_asking(const struct poller *p)
{
	return p->questions || poller_hostkeys_waiting(p);
}

void poller_ask_passphrase(struct reach *r, struct identity *id)
{
	struct poller *p = r->poller;
	struct question q = { .host = r->name, .is_secret = true };

	for (struct open_question *open = p->questions; open; open = open->next)
		if (open->identity == id)
			return;
	char *text = xasprintf("%sPassphrase for %s", id->wrong ? "Wrong passphrase or password. " : "", id->path);
	q.text = text;
	poller_put(p, &(struct open_question){ .kind = ASKED_PASSPHRASE, .identity = id }, &q);
	free(text);
}

/* -- what the servers ask -- */

static void give(struct reach *r, struct kept *k)
{
	r->waits_for = NULL;
	r->given = k;
	k->sent_by = k->asker == r ? r->ssh : k->sent_by;
	ssh_answer(r->ssh, k->text);
}

static void ask_for(struct reach *r, struct kept *k, const struct question *q, const char *remark)
{
	struct question said = *q;
	char *text = xasprintf("%s%s", remark, q->text);

	said.text = text;
	poller_put(r->poller, &(struct open_question){ .kind = ASKED_LOGIN, .reach = r, .kept = k }, &said);
	free(text);
}

/* A session that asks the same once more has refused what it got. */
static void note_refused_answer(struct reach *r, struct kept *k)
{
	if (k->is_good && r->given == k) {
		r->refused = k;
	} else if (!k->is_good && k->text && k->asker == r && k->sent_by == r->ssh) {
		answers_wipe(k);
		r->wrong++;
	}
}

void poller_ask_login(struct reach *r, const struct question *q)
{
	struct kept *k = q->same ? answers_get(&r->poller->kept, q->same) : NULL;

	if (!k)
		return ask_for(r, NULL, q, "");
	note_refused_answer(r, k);
	if (r->wrong >= ANSWERS_MAX)
		return ssh_answer(r->ssh, NULL);
	if (r->refused == k)
		return ask_for(r, NULL, q, "The answer used on other hosts was refused here. ");
	if (k->is_good || (k->text && k->asker == r))
		return give(r, k);
	if (k->asker && k->asker != r) {
		r->waits_for = k;
		return;
	}
	k->asker = r;
	ask_for(r, k, q, r->wrong ? "Refused. " : "");
}

/* Nobody tries this answer any more: the next of those who wait for it asks. */
static void hand_on(struct poller *p, struct kept *k)
{
	k->asker = NULL;
	for (size_t i = 0; i < p->n; i++) {
		struct reach *r = &p->list[i];
		if (r->waits_for != k || !r->ssh)
			continue;
		r->waits_for = NULL;
		ssh_ask_again(r->ssh);
		return;
	}
}

static void give_to_others(struct poller *p, struct kept *k)
{
	k->is_good = true;
	k->asker = NULL;
	for (size_t i = 0; i < p->n; i++)
		if (p->list[i].waits_for == k && p->list[i].ssh)
			give(&p->list[i], k);
}

void poller_answer_was_good(struct reach *r)
{
	r->wrong = r->resent = 0;
	for (struct kept *k = r->poller->kept; k; k = k->next)
		if (k->asker == r && k->text)
			give_to_others(r->poller, k);
}

/* Of several answers any may be the wrong one: none is kept. */
bool poller_answer_was_wrong(struct reach *r)
{
	struct poller *p = r->poller;
	bool was_tried = false, goes_on;

	for (struct kept *k = p->kept; k; k = k->next)
		was_tried |= k->asker == r && k->text;
	if (!was_tried && r->given && r->given->is_good && r->refused != r->given) {
		r->refused = r->given;
		return true;
	}
	r->wrong += was_tried;
	goes_on = was_tried && r->wrong < ANSWERS_MAX && !poller_write_way(p);
	for (struct kept *k = p->kept; k; k = k->next) {
		if (k->asker != r)
			continue;
		answers_wipe(k);
		if (!goes_on)
			hand_on(p, k);
	}
	return goes_on;
}

static void login_answered(struct poller *p, struct reach *r, struct kept *k, const char *text)
{
	if (!k && r->ssh)
		return ssh_answer(r->ssh, text);
	if (!k)
		return;
	if (text && r->ssh) {
		answers_keep(k, text);
		return give(r, k);
	}
	k->asker = NULL;
	for (size_t i = 0; i < p->n; i++) {
		struct reach *other = &p->list[i];
		bool is_asked = other == r || other->waits_for == k;
		other->waits_for = other->waits_for == k ? NULL : other->waits_for;
		if (is_asked && other->ssh)
			ssh_answer(other->ssh, NULL);
	}
}

static void forget_question(struct open_question **at)
{
	struct open_question *open = *at;

	*at = open->next;
	free(open);
}

void poller_forget_questions(struct reach *r)
{
	struct kept *k = NULL;

	r->waits_for = NULL;
	poller_drop_hostkey(r);
	for (struct open_question **at = &r->poller->questions; *at;) {
		if ((*at)->reach != r) {
			at = &(*at)->next;
			continue;
		}
		k = (*at)->kept ? (*at)->kept : k;
		forget_question(at);
	}
	if (k && k->asker == r && !poller_is_stopping(r->poller))
		hand_on(r->poller, k);
}

void poller_identity_changed(void *ctx, struct identity *id)
{
	struct poller *p = ctx;

	if (id->state == IDENTITY_LOCKED && id->wrong >= PASSPHRASES_MAX)
		id->is_refused = true;
	for (size_t i = 0; i < p->n; i++) {
		struct reach *r = &p->list[i];
		if (r->phase != PHASE_KEYS && r->phase != PHASE_PERSON)
			continue;
		if (id->state == IDENTITY_READY)
			r->is_locked_out = false;
		if (r->phase == PHASE_KEYS || (reach_uses(r, id) && !poller_asks_hostkey(r)))
			reach_go(r);
	}
}

static void passphrase_answered(struct poller *p, struct identity *id, const char *text)
{
	if (text)
		return identity_unlock(id, text);
	id->is_refused = true;
	poller_identity_changed(p, id);
}

void poller_answer(struct poller *p, unsigned id, const char *text)
{
	struct open_question **at = &p->questions, *open;

	while (*at && (*at)->id != id)
		at = &(*at)->next;
	open = *at;
	if (!open)
		return;
	*at = open->next;
	uv_update_time(p->common.loop);	/* it may have waited for the answer: what begins now, begins now */
	switch (open->kind) {
	case ASKED_HOSTKEYS:
		poller_hostkeys_answered(p, open->id, text);
		break;
	case ASKED_PASSPHRASE:
		passphrase_answered(p, open->identity, text);
		break;
	case ASKED_LOGIN:
		login_answered(p, open->reach, open->kept, text);
		break;
	}
	free(open);
}

void poller_free_questions(struct poller *p)
{
	struct open_question *q;

	while ((q = p->questions)) {
		p->questions = q->next;
		free(q);
	}
	answers_free(p->kept);
	p->kept = NULL;
}
