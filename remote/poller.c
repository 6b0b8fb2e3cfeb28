#include "remote/poller.h"

#include <ctype.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include "remote/collector.h"
#include "remote/reach.h"

#define SECOND_US	INT64_C(1000000)
#define IN_AUTHENTICATION	8	/* sshd's MaxStartups begins to drop at 10 */
#define LIBSSH_OLDEST	SSH_VERSION_INT(0, 10, 6)	/* CVE-2023-48795, 6004, 6918 */
#define PASSPHRASES_MAX	3

#define GATHER_MS	1000	/* keys of other hosts are waited for so long, to be asked about at once */

enum asked { ASKED_HOSTKEYS, ASKED_PASSPHRASE, ASKED_LOGIN };

/* A question that a person has not answered yet. */
struct open_question {
	unsigned id;
	enum asked kind;
	struct reach *reach;		/* LOGIN; NULL for what many may wait for */
	struct identity *identity;	/* PASSPHRASE */
	struct kept *kept;		/* LOGIN: others may ask the same; or NULL */
	struct open_question *next;
};

/* A host key that nobody has trusted yet. */
struct shown_key {
	struct reach *reach;
	char *bytes;			/* owned */
	size_t n;
	enum hostkey_verdict verdict;
	char type[64], fingerprint[FINGERPRINT_SIZE];
	bool is_waiting;		/* to be asked about */
	unsigned question;		/* in which it is asked about, as number at; 0: none */
	size_t at;			/* from 1; 0: alone */
	struct shown_key *next;
};

struct poller {
	const struct inventory *inv;
	struct poller_options options;	/* its zeroes filled in */
	struct poller_hooks hooks;
	struct ssh_common common;
	struct identities *identities;
	const struct errand_way *errand;
	struct reach *list;		/* hosts, jump hosts, then hosts added and their jump hosts; never moves */
	size_t n, cap, n_hosts;
	struct routes plain;		/* when the inventory has none */
	struct gate *gates;
	struct obs obs;
	struct arena arena;
	struct open_question *questions;
	unsigned last_question;
	struct shown_key *shown;
	uv_timer_t gather;		/* until the host keys seen are asked about */
	struct kept *kept;
	char *user;			/* owned: the login name */
	struct known_files *known;	/* of all hosts */
	uint64_t random;

	uv_work_t reading;		/* of known_hosts */
	bool is_reading, has_known_hosts, is_started, is_freed;
	unsigned handles;
};

/* -- what hosts need -- */

const struct poller_options *poller_options(const struct poller *p)
{
	return &p->options;
}

const struct poller_hooks *poller_hooks(const struct poller *p)
{
	return &p->hooks;
}

struct ssh_common *poller_common(struct poller *p)
{
	return &p->common;
}

const char *poller_known_hosts(const struct poller *p)
{
	return p->options.known_hosts ? p->options.known_hosts : p->inv->known_hosts;
}

bool poller_is_stopping(const struct poller *p)
{
	return !p->is_started;
}

void poller_become_errand(struct poller *p, const struct errand_way *way)
{
	p->errand = way;
}

const struct errand_way *poller_errand(const struct poller *p)
{
	return p->errand;
}

void poller_kick(struct poller *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump && p->list[i].ssh)
			ssh_kick(p->list[i].ssh);
}

int64_t poller_now_us(const struct poller *p)
{
	return (int64_t)uv_now(p->common.loop) * 1000;
}

/* splitmix64: the jitter of one seed is the same each time. */
uint32_t poller_random(struct poller *p, uint32_t below)
{
	uint64_t z = (p->random += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return below ? (z ^ (z >> 31)) % below : 0;
}

struct obs *poller_obs(struct poller *p, const struct reach *r)
{
	obs_clear(&p->obs);
	p->obs.device = r->name;
	return &p->obs;
}

bool poller_may_ask(const struct poller *p)
{
	return p->hooks.ask;
}

/* -- gates -- */

static struct gate *gate_of(struct poller *p, const struct reach *r)
{
	char *key = r->route->transport == TRANSPORT_OPENSSH ? xstrdup("by the site's ssh") :	/* whose jump hosts are not known */
		    r->jump ? xasprintf("through %s", r->jump->name) :
		    r->route->proxy_command ? xstrdup("through a ProxyCommand") :	/* which may all go to one host */
					      xasprintf("%s:%u", r->route->address, r->route->port);
	struct gate *g;

	for (g = p->gates; g && strcmp(g->key, key); g = g->next)
		;
	if (g) {
		free(key);
		return g;
	}
	g = xcalloc(1, sizeof(*g));
	g->key = key;
	TAILQ_INIT(&g->queue);
	g->next = p->gates;
	p->gates = g;
	return g;
}

bool poller_take_slot(struct reach *r)
{
	struct gate *g = r->gate;

	if (r->has_slot)
		return true;
	if (g->in_flight < r->poller->options.in_authentication) {
		g->in_flight++;
		r->has_slot = true;
	} else if (!r->is_queued) {
		TAILQ_INSERT_TAIL(&g->queue, r, in_queue);
		r->is_queued = true;
	}
	return r->has_slot;
}

void poller_give_slot(struct reach *r)
{
	struct gate *g = r->gate;

	if (r->is_queued)
		TAILQ_REMOVE(&g->queue, r, in_queue);
	r->is_queued = false;
	if (!r->has_slot)
		return;
	r->has_slot = false;
	g->in_flight--;
	struct reach *next = TAILQ_FIRST(&g->queue);
	if (!next)
		return;
	TAILQ_REMOVE(&g->queue, next, in_queue);
	next->is_queued = false;
	reach_go(next);
}

/* -- jump hosts -- */

void poller_jump_changed(struct reach *jump)
{
	struct poller *p = jump->poller;
	char why[1000];

	for (size_t i = 0; i < p->n; i++) {
		struct reach *r = &p->list[i];
		if (r->jump != jump || r->phase != PHASE_JUMP)
			continue;
		if (jump->phase == PHASE_BACKOFF) {
			r->failures = jump->failures;
			snprintf(why, sizeof(why), "jump host %s", jump->error);
			reach_tell(r, why);
		} else {
			reach_go(r);
		}
	}
}

static void add_reach(struct poller *p, struct reach *r, const struct route *route);

/* One session serves all that go through it. */
static struct reach *jump_of(struct poller *p, const struct route *route)
{
	struct reach *r;

	for (size_t i = 0; i < p->n; i++)
		if (p->list[i].is_jump && route_is_same(p->list[i].route, route))
			return &p->list[i];
	r = &p->list[p->n++];
	add_reach(p, r, route);
	r->is_jump = true;
	return r;
}

/* -- hosts -- */

static void add_identity(struct poller *p, struct reach *r, const char *path, bool is_optional)
{
	struct identity *id = identity_get(p->identities, path);

	if (reach_uses(r, id))
		return;
	id->is_optional = is_optional;
	*GROW(r->identities, r->n_identities, r->cap_identities) = id;
	r->n_identities++;
}

/* Keys that were named are tried alone; without any, those with the usual names. */
static void add_identities(struct poller *p, struct reach *r)
{
	static const char *const usual[] = {
		"~/.ssh/id_rsa", "~/.ssh/id_ecdsa", "~/.ssh/id_ecdsa_sk", "~/.ssh/id_ed25519", "~/.ssh/id_ed25519_sk",
	};
	const struct texts *named = &r->route->identities, *certificates = &r->route->certificates;

	if (p->options.identity)
		add_identity(p, r, p->options.identity, false);
	for (size_t i = 0; i < named->n; i++)
		add_identity(p, r, named->list[i], false);
	if (!p->options.identity && !named->n)
		for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
			add_identity(p, r, usual[i], true);
	for (size_t i = 0; i < certificates->n; i++) {
		*GROW(r->certificates, r->n_certificates, r->cap_certificates) =
			identity_get_certificate(p->identities, certificates->list[i]);
		r->n_certificates++;
	}
}

static const char *agent_of(const struct poller *p, const struct route *route)
{
	const char *agent = route->agent ? route->agent : getenv("SSH_AUTH_SOCK");

	return p->options.use_agent && agent && *agent && strcmp(agent, "none") ? agent : NULL;
}

/* The file that was named for all, or the inventory's, or those of the route, or the usual ones. */
static struct known_files *known_of(struct poller *p, const struct route *route)
{
	const char *named = poller_known_hosts(p);

	return named ? known_files_get(&p->known, &named, 1) :
		       known_files_get(&p->known, route->known_hosts.list, route->known_hosts.n);
}

/* What is in no way to be reached goes through nobody. */
static void add_reach(struct poller *p, struct reach *r, const struct route *route)
{
	struct buf name = { 0 };

	reach_init(r, p, route);
	p->handles++;
	r->user = route->user ? route->user : p->user;
	bool is_site = route->transport == TRANSPORT_OPENSSH;
	if (!is_site)
		add_identities(p, r);
	r->agent = agent_of(p, route);
	r->jump = route->jump && !route->trouble && !is_site ? jump_of(p, route->jump) : NULL;
	r->gate = gate_of(p, r);
	r->known = known_of(p, route);
	reach_known_name(r, &name);
	known_files_expect(r->known, name.text);
	buf_done(&name);
}

/* -- questions -- */

static void put(struct poller *p, const struct open_question *what, const struct question *q)
{
	struct open_question *open = xcalloc(1, sizeof(*open));

	*open = *what;
	open->id = ++p->last_question;
	open->next = p->questions;
	p->questions = open;
	p->hooks.ask(p->hooks.ctx, open->id, q);
}

static size_t hostkeys_waiting(const struct poller *p);

bool poller_is_asking(const struct poller *p)
{
	return p->questions || hostkeys_waiting(p);
}

static struct shown_key *shown_by(struct poller *p, const struct reach *r)
{
	struct shown_key *k;

	for (k = p->shown; k && k->reach != r; k = k->next)
		;
	return k;
}

static void forget_key(struct shown_key *k)
{
	free(k->bytes);
	k->bytes = NULL;
}

static void keep_key(struct reach *r, enum hostkey_verdict verdict, const struct hostkey_seen *seen, struct span key)
{
	struct poller *p = r->poller;
	struct shown_key *k = shown_by(p, r);

	if (!k) {
		k = xcalloc(1, sizeof(*k));
		k->reach = r;
		k->next = p->shown;
		p->shown = k;
	}
	forget_key(k);
	k->is_waiting = false;
	k->question = 0;
	k->bytes = xmalloc(key.n);
	memcpy(k->bytes, key.p, key.n);
	k->n = key.n;
	k->verdict = verdict;
	snprintf(k->type, sizeof(k->type), "%s", seen->type);
	snprintf(k->fingerprint, sizeof(k->fingerprint), "%s", seen->fingerprint);
}

/* Into the index, and to the end of the file; when that fails it holds for this run, and the reason is told. */
static bool trust(struct reach *r, struct span key)
{
	struct buf name = { 0 };
	struct err err = { 0 };

	reach_known_name(r, &name);
	bool done = known_hosts_add(r->known->index, name.text, key);
	if (done && !known_hosts_append(r->known->files[0], name.text, key, &err))
		snprintf(r->note, sizeof(r->note), "host key: trusted until the end of this run, but not saved: %.500s", err.text);
	buf_done(&name);
	return done;
}

bool poller_trust(struct reach *r, enum hostkey_verdict verdict, const struct hostkey_seen *seen, struct span key)
{
	if (verdict == HOSTKEY_UNKNOWN && r->poller->options.hostkey == HOSTKEY_ACCEPT_NEW && !r->route->is_strict)
		return trust(r, key);
	keep_key(r, verdict, seen, key);
	return false;
}

/* -- host keys: those of many hosts in one question -- */

static bool is_asking_hostkeys(const struct poller *p)
{
	for (const struct open_question *open = p->questions; open; open = open->next)
		if (open->kind == ASKED_HOSTKEYS)
			return true;
	return false;
}

static size_t hostkeys_waiting(const struct poller *p)
{
	size_t n = 0;

	for (const struct shown_key *k = p->shown; k; k = k->next)
		n += k->is_waiting;
	return n;
}

static void ask_about_one(struct poller *p, struct shown_key *k)
{
	char *text = xasprintf("it shows the host key %s %s, which %s. Trust it?", k->type, k->fingerprint,
			       k->verdict == HOSTKEY_UNKNOWN ? "is not known" : "no certificate authority vouches for");

	k->is_waiting = false;
	k->question = p->last_question + 1;
	k->at = 0;
	put(p, &(struct open_question){ .kind = ASKED_HOSTKEYS },
	    &(struct question){ .host = k->reach->name, .text = text, .is_yes_no = true });
	free(text);
}

static void free_lines(char **lines, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(lines[i]);
	free(lines);
}

/* In the order of the inventory. */
static char **make_lines(struct poller *p, size_t n)
{
	char **lines = xcalloc(n, sizeof(*lines));
	size_t at = 0;
	int width = 0;

	for (const struct shown_key *k = p->shown; k; k = k->next)
		if (k->is_waiting && (int)strlen(k->reach->name) > width)
			width = (int)strlen(k->reach->name);
	for (size_t i = 0; i < p->n; i++) {
		struct shown_key *k = shown_by(p, &p->list[i]);
		if (!k || !k->is_waiting)
			continue;
		k->is_waiting = false;
		k->question = p->last_question + 1;
		k->at = at + 1;
		lines[at++] = xasprintf("%-*s  %s %s", width, k->reach->name, k->type, k->fingerprint);
	}
	return lines;
}

static void ask_about_all(struct poller *p)
{
	size_t n = hostkeys_waiting(p);
	struct shown_key *k = p->shown;

	uv_timer_stop(&p->gather);
	if (!n || is_asking_hostkeys(p))
		return;
	while (!k->is_waiting)
		k = k->next;
	if (n == 1)
		return ask_about_one(p, k);
	char **lines = make_lines(p, n), *text, *host;
	text = xasprintf("they show host keys that are not known. Trust all %zu?", n);
	host = xasprintf("%zu hosts", n);
	put(p, &(struct open_question){ .kind = ASKED_HOSTKEYS },
	    &(struct question){ .host = host, .text = text, .is_yes_no = true, .lines = (const char *const *)lines, .n_lines = n });
	free_lines(lines, n);
	free(text);
	free(host);
}

static void on_gathered(uv_timer_t *timer)
{
	ask_about_all(timer->data);
}

/* Whether another host may yet show a key. */
static bool others_are_coming(const struct reach *r)
{
	const struct poller *p = r->poller;

	for (size_t i = 0; i < p->n; i++) {
		enum phase phase = p->list[i].phase;
		bool comes = phase == PHASE_KEYS || phase == PHASE_SLOT || phase == PHASE_IDLE || phase == PHASE_CONNECTING;
		if (comes && &p->list[i] != r)
			return true;
	}
	return false;
}

void poller_ask_hostkey(struct reach *r)
{
	struct poller *p = r->poller;
	struct shown_key *k = shown_by(p, r);
	bool is_question = k->verdict == HOSTKEY_UNKNOWN || k->verdict == HOSTKEY_AUTHORITY_ONLY;

	if (!is_question || p->options.hostkey != HOSTKEY_ASK || r->route->is_strict || !p->hooks.ask)
		return reach_refuse(r, NULL);
	k->is_waiting = true;
	k->question = 0;
	if (!others_are_coming(r) || r->is_jump)	/* nobody comes through a jump host that waits */
		return ask_about_all(p);
	if (!uv_is_active((uv_handle_t *)&p->gather))
		uv_timer_start(&p->gather, on_gathered, GATHER_MS, 0);
}

void poller_ask_passphrase(struct reach *r, struct identity *id)
{
	struct poller *p = r->poller;
	struct question q = { .host = r->name, .is_secret = true };

	for (struct open_question *open = p->questions; open; open = open->next)
		if (open->identity == id)
			return;
	char *text = xasprintf("%sPassphrase for %s", id->wrong ? "That was wrong. " : "", id->path);
	q.text = text;
	put(p, &(struct open_question){ .kind = ASKED_PASSPHRASE, .identity = id }, &q);
	free(text);
}

/* -- what the servers ask -- */

#define ANSWERS_MAX	3	/* as ssh asks for a password */

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
	put(r->poller, &(struct open_question){ .kind = ASKED_LOGIN, .reach = r, .kept = k }, &said);
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
		return ask_for(r, NULL, q, "What others took was refused here. ");
	if (k->is_good || (k->text && k->asker == r))
		return give(r, k);
	if (k->asker && k->asker != r) {
		r->waits_for = k;
		return;
	}
	k->asker = r;
	ask_for(r, k, q, r->wrong ? "That was refused. " : "");
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
	goes_on = was_tried && r->wrong < ANSWERS_MAX && !poller_errand(p);
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
	struct shown_key *shown = shown_by(r->poller, r);
	struct kept *k = NULL;

	r->waits_for = NULL;
	if (shown) {
		shown->is_waiting = false;
		shown->question = 0;
	}
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

static bool is_yes(const char *text)
{
	return text && (!strcasecmp(text, "y") || !strcasecmp(text, "yes"));
}

/* "1,3-5" holds 4. */
static bool holds_number(const char *text, size_t number)
{
	for (const char *at = text; *at;) {
		char *end;
		size_t from = strtoul(at, &end, 10), to = from;
		if (end == at)
			return false;
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (number >= from && number <= to)
			return true;
		at = end + strspn(end, ", ");
	}
	return false;
}

static bool is_list_of_numbers(const char *text)
{
	return text && text[strspn(text, "0123456789,- ")] == '\0' && text[strspn(text, ",- ")] != '\0';
}

static void hostkey_answered(struct shown_key *k, bool is_trusted)
{
	struct reach *r = k->reach;

	k->question = 0;
	if (!is_trusted || !k->bytes || !trust(r, (struct span){ k->bytes, k->n }))
		return reach_refuse(r, "host key: it was not trusted; refresh the host to be asked again");
	forget_key(k);
	reach_tell(r, NULL);	/* it is known now, whatever comes next */
	reach_go(r);
}

/* Those that came meanwhile are asked about next. */
static void hostkeys_answered(struct poller *p, unsigned id, const char *text)
{
	bool names_some = is_list_of_numbers(text);

	for (size_t i = 0; i < p->n; i++) {
		struct shown_key *k = shown_by(p, &p->list[i]);
		if (k && k->question == id)
			hostkey_answered(k, names_some ? k->at && holds_number(text, k->at) : is_yes(text));
	}
	ask_about_all(p);
}

/* Those who wait for this key, or for the answer about it, look again. */
static void identity_changed(void *ctx, struct identity *id)
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
		const struct shown_key *shown = shown_by(p, r);
		bool is_about_hostkey = shown && (shown->is_waiting || shown->question);
		if (r->phase == PHASE_KEYS || (reach_uses(r, id) && !is_about_hostkey))
			reach_go(r);
	}
}

static void passphrase_answered(struct poller *p, struct identity *id, const char *text)
{
	if (text)
		return identity_unlock(id, text);
	id->is_refused = true;
	identity_changed(p, id);
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
		hostkeys_answered(p, open->id, text);
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

/* -- beginning -- */

/* In a helper thread: a hash for each hashed line and each host. */
static void read_known_hosts(uv_work_t *work)
{
	known_files_read(((struct poller *)work->data)->known);
}

static void start_host(struct reach *r)
{
	char why[600];

	if (!ssh_version(LIBSSH_OLDEST))
		return reach_refuse(r, "libssh: older than 0.10.6, which had holes a server can use; update it");
	if (r->known->err.text[0]) {
		snprintf(why, sizeof(why), "host key: %s; nothing can be trusted without it", r->known->err.text);
		return reach_refuse(r, why);
	}
	if (r->route->trouble)
		return reach_refuse(r, r->route->trouble);
	if (r->jump && r->jump->route->transport == TRANSPORT_OPENSSH)
		return reach_refuse(r, "connect: its jump host is reached by the site's own ssh, and nothing goes through that: set "
				       "fabcon_transport: openssh for this host too");
	reach_go(r);
}

static void start_hosts(struct poller *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump && (p->list[i].phase == PHASE_IDLE || p->list[i].phase == PHASE_STOPPED))
			start_host(&p->list[i]);
}

static void free_if_gone(struct poller *p)
{
	if (!p->is_freed || p->handles || p->is_reading || p->common.sessions)
		return;
	known_files_free(p->known);
	free(p->list);
	routes_done(&p->plain);
	arena_done(&p->arena);
	free(p->user);
	free(p);
}

static void on_known_hosts_read(uv_work_t *work, int status)
{
	struct poller *p = work->data;

	(void)status;
	p->is_reading = false;
	p->has_known_hosts = true;
	if (p->is_freed)
		return free_if_gone(p);
	if (p->is_started)
		start_hosts(p);
}

static void on_sessions_gone(struct ssh_common *common)
{
	free_if_gone((struct poller *)((char *)common - offsetof(struct poller, common)));
}

static void fill_in(struct poller *p)
{
	struct poller_options *o = &p->options;
	const struct passwd *pw = getpwuid(getuid());

	o->live_us = o->live_us > 0 ? o->live_us : SECOND_US;
	o->config_us = o->config_us > 0 ? o->config_us : 30 * SECOND_US;
	o->timeout_us = o->timeout_us > 0 ? o->timeout_us : 10 * SECOND_US;
	o->in_authentication = o->in_authentication ? o->in_authentication : IN_AUTHENTICATION;
	p->random = o->seed;
	if (!o->seed && getrandom(&p->random, sizeof(p->random), 0) < 0)
		p->random = uv_hrtime();
	p->user = xstrdup(pw ? pw->pw_name : "root");
}

/* A descriptor a host; the usual soft limit is 1024. */
static void raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static bool is_wanted(const struct poller_options *o, const struct host *host)
{
	for (size_t i = 0; i < o->n_only; i++)
		if (!strcmp(o->only[i], host->name))
			return true;
	return !o->only;
}

static void add_name(struct buf *names, const char *port)
{
	if (collector_may_name(port))
		buf_printf(names, "%s%s", names->n ? " " : "", port);
}

/* The ports that the person and the plan name at this host. */
static const char *named_ports(struct poller *p, const char *host)
{
	struct buf names = { 0 };
	struct span rest = span_of(p->options.fabric_ports), one;
	const char *kept = NULL;

	while (rest.n) {
		if (!span_cut(rest, ',', &one, &rest))
			one = rest, rest.n = 0;
		char *name = xstrndup(one.p, one.n);
		add_name(&names, name);
		free(name);
	}
	for (size_t i = 0; i < p->inv->n_cables; i++) {
		const struct cable *c = &p->inv->cables[i];

		if (c->device && c->port && !strcmp(c->device, host))
			add_name(&names, c->port);
		if (c->peer && c->peer_port && !strcmp(c->peer, host))
			add_name(&names, c->peer_port);
	}
	if (names.n)
		kept = arena_text(&p->arena, names.text, names.n);
	buf_done(&names);
	return kept;
}

static void add_host(struct poller *p, struct reach *r, const struct host *host, const struct route *route)
{
	add_reach(p, r, route);
	r->ports = named_ports(p, host->name);
	r->may_fill = p->options.fills;
	r->fill = p->options.fills ? FILL_DUE : FILL_NONE;
	r->platform_hint = host->platform;
}

/* All of them have their places before the first jump host does. */
static void add_hosts(struct poller *p)
{
	const struct inventory *inv = p->inv;
	const struct routes *routes = inv->routes.n ? &inv->routes : &p->plain;

	if (!inv->routes.n)
		routes_plain(&p->plain, inv);
	for (size_t i = 0; i < inv->n_hosts; i++)
		p->n_hosts += is_wanted(&p->options, &inv->hosts[i]);
	p->cap = p->n_hosts + routes->n_jumps + 2 * p->options.room + 1;	/* each may bring a jump host */
	p->list = xcalloc(p->cap, sizeof(*p->list));
	p->n = p->n_hosts;
	for (size_t i = 0, at = 0; i < inv->n_hosts; i++)
		if (is_wanted(&p->options, &inv->hosts[i]))
			add_host(p, &p->list[at++], &inv->hosts[i], routes->list[i]);
}

static bool has_host(const struct poller *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump && !strcmp(p->list[i].name, name))
			return true;
	return false;
}

static size_t hosts_to_add(const struct poller *p, const struct inventory *inv)
{
	size_t n = 0;

	for (size_t i = 0; i < inv->n_hosts; i++)
		n += is_wanted(&p->options, &inv->hosts[i]) && !has_host(p, inv->hosts[i].name);
	return n;
}

bool poller_add(struct poller *p, const struct inventory *inv)
{
	size_t n = hosts_to_add(p, inv);

	if (n && (p->is_reading || inv->routes.n < inv->n_hosts || p->n + n + inv->routes.n_jumps > p->cap))
		return false;
	p->inv = inv;
	for (size_t i = 0; i < inv->n_hosts && n; i++) {
		if (!is_wanted(&p->options, &inv->hosts[i]) || has_host(p, inv->hosts[i].name))
			continue;
		add_host(p, &p->list[p->n++], &inv->hosts[i], inv->routes.list[i]);
		p->n_hosts++;
	}
	if (p->has_known_hosts)
		known_files_read(p->known);	/* of files that only a new host is looked up in */
	if (p->is_started && p->has_known_hosts)
		start_hosts(p);
	return true;
}

struct poller *poller_new(uv_loop_t *loop, const struct inventory *inv, const struct poller_options *options,
			  const struct poller_hooks *hooks)
{
	struct poller *p = xcalloc(1, sizeof(*p));

	signal(SIGPIPE, SIG_IGN);	/* a jump host's socket may close under our hands */
	*p = (struct poller){ .inv = inv, .options = *options, .hooks = *hooks };
	raise_descriptor_limit();
	fill_in(p);
	p->common = (struct ssh_common){ .loop = loop, .timeout_us = p->options.timeout_us,
					 .may_ask = hooks->ask, .emptied = on_sessions_gone };
	TAILQ_INIT(&p->common.agent_queue);
	p->identities = identities_new(loop, identity_changed, p);
	uv_timer_init(loop, &p->gather);
	p->gather.data = p;
	p->handles++;
	obs_init(&p->obs, "", "ssh");
	add_hosts(p);
	return p;
}

void poller_start(struct poller *p)
{
	if (p->is_started)
		return;
	p->is_started = true;
	if (p->has_known_hosts)
		return start_hosts(p);
	p->is_reading = true;
	p->reading.data = p;
	uv_queue_work(p->common.loop, &p->reading, read_known_hosts, on_known_hosts_read);
}

void poller_stop(struct poller *p)
{
	if (!p->is_started)
		return;
	p->is_started = false;
	for (size_t i = 0; i < p->n; i++)
		reach_stop(&p->list[i]);
}

static void on_reach_closed(uv_handle_t *h)
{
	struct reach *r = h->data;
	struct poller *p = r->poller;

	p->handles--;
	free_if_gone(p);
}

static void on_gather_closed(uv_handle_t *h)
{
	struct poller *p = h->data;

	p->handles--;
	free_if_gone(p);
}

static void free_parts(struct poller *p)
{
	struct gate *g;
	struct shown_key *k;
	struct open_question *q;

	while ((g = p->gates)) {
		p->gates = g->next;
		free(g->key);
		free(g);
	}
	while ((k = p->shown)) {
		p->shown = k->next;
		forget_key(k);
		free(k);
	}
	answers_free(p->kept);
	p->kept = NULL;
	while ((q = p->questions)) {
		p->questions = q->next;
		free(q);
	}
}

void poller_free(struct poller *p)
{
	if (!p)
		return;
	p->is_started = false;
	for (size_t i = 0; i < p->n; i++)
		reach_done(&p->list[i], on_reach_closed);
	uv_close((uv_handle_t *)&p->gather, on_gather_closed);
	identities_free(p->identities);
	free_parts(p);
	obs_done(&p->obs);
	p->is_freed = true;
	free_if_gone(p);
}

void poller_refresh(struct poller *p, const char *host)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump && (!host || !strcmp(p->list[i].name, host)))
			reach_refresh(&p->list[i]);
}

void poller_fill(struct poller *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump)
			reach_fill(&p->list[i]);
}

struct poller_count poller_count(const struct poller *p)
{
	struct poller_count c = { .hosts = p->n_hosts };

	for (size_t i = 0; i < p->n; i++) {
		const struct reach *r = &p->list[i];
		const char *word = phase_word(r->phase);
		if (r->is_jump)
			continue;
		c.up += r->phase == PHASE_UP;
		c.retrying += r->phase == PHASE_BACKOFF;
		c.refused += r->phase == PHASE_REFUSED;
		c.connecting += !strcmp(word, "waiting") || !strcmp(word, "connecting");
		c.first_round += reach_is_over_first_round(r);
	}
	return c;
}

unsigned poller_rounds(const struct poller *p, const char *host, enum cadence which)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump && !strcmp(p->list[i].name, host))
			return p->list[i].n_rounds[which];
	return 0;
}
