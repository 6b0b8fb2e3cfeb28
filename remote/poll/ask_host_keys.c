/* Host keys that nobody has trusted yet: those of many hosts are asked about in one question. */
#include "remote/poll/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define GATHER_MS	1000	/* keys of other hosts are waited for so long, to be asked about at once */

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

static bool is_asking_hostkeys(const struct poller *p)
{
	for (const struct open_question *open = p->questions; open; open = open->next)
		if (open->kind == ASKED_HOSTKEYS)
			return true;
	return false;
}

size_t poller_hostkeys_waiting(const struct poller *p)
{
	size_t n = 0;

	for (const struct shown_key *k = p->shown; k; k = k->next)
		n += k->is_waiting;
	return n;
}

static void ask_about_one(struct poller *p, struct shown_key *k)
{
	char *text = xasprintf("it presents the host key %s %s, which %s. Trust it?", k->type, k->fingerprint,
			       k->verdict == HOSTKEY_UNKNOWN ? "is not known" : "no certificate authority has signed");

	k->is_waiting = false;
	k->question = p->last_question + 1;
	k->at = 0;
	poller_put(p, &(struct open_question){ .kind = ASKED_HOSTKEYS },
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
	size_t n = poller_hostkeys_waiting(p);
	struct shown_key *k = p->shown;

	uv_timer_stop(&p->read_fabric);
	if (!n || is_asking_hostkeys(p))
		return;
	while (!k->is_waiting)
		k = k->next;
	if (n == 1)
		return ask_about_one(p, k);
	char **lines = make_lines(p, n), *text, *host;
	text = xasprintf("they present unknown host keys. Trust all %zu?", n);
	host = xasprintf("%zu hosts", n);
	poller_put(p, &(struct open_question){ .kind = ASKED_HOSTKEYS },
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
	if (!uv_is_active((uv_handle_t *)&p->read_fabric))
		uv_timer_start(&p->read_fabric, on_gathered, GATHER_MS, 0);
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
		return reach_refuse(r, "host key: not accepted; refresh the host to be prompted again");
	forget_key(k);
	reach_tell(r, NULL);	/* it is known now, whatever comes next */
	reach_go(r);
}

/* Those that came meanwhile are asked about next. */
void poller_hostkeys_answered(struct poller *p, unsigned id, const char *text)
{
	bool names_some = is_list_of_numbers(text);

	for (size_t i = 0; i < p->n; i++) {
		struct shown_key *k = shown_by(p, &p->list[i]);
		if (k && k->question == id)
			hostkey_answered(k, names_some ? k->at && holds_number(text, k->at) : is_yes(text));
	}
	ask_about_all(p);
}

bool poller_asks_hostkey(const struct reach *r)
{
	const struct shown_key *k = shown_by(r->poller, r);

	return k && (k->is_waiting || k->question);
}

void poller_drop_hostkey(struct reach *r)
{
	struct shown_key *k = shown_by(r->poller, r);

	if (!k)
		return;
	k->is_waiting = false;
	k->question = 0;
}

void poller_free_hostkeys(struct poller *p)
{
	struct shown_key *k;

	while ((k = p->shown)) {
		p->shown = k->next;
		forget_key(k);
		free(k);
	}
}
