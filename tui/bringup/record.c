#include "tui/bringup/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/args/cli.h"
#include "tui/fixing/write_mode.h"
#include "tui/text/sheet.h"

/* -- reading -- */

static void forget_untested(struct bringup_record *r)
{
	for (size_t i = 0; i < r->n_untested; i++) {
		free(r->untested[i].place.host);
		free(r->untested[i].place.nic);
		free(r->untested[i].why);
	}
	r->n_untested = 0;
}

static void drop_skip(struct bringup_record *r, size_t at)
{
	struct bringup_set_aside *s = &r->skips[at];

	free(s->place.host);
	free(s->place.nic);
	free(s->stage);
	free(s->reason);
	free(s->by);
	memmove(s, s + 1, (--r->n_skips - at) * sizeof(*s));
}

static void forget(struct bringup_record *r)
{
	forget_untested(r);
	free(r->untested);
	while (r->n_skips)
		drop_skip(r, r->n_skips - 1);
	free(r->skips);
	bringup_tests_done(&r->tests);
	json_decref(r->begin);
	*r = (struct bringup_record){ 0 };
}

static void on_begin(struct bringup_record *r, int64_t at_us, json_t *body)
{
	forget(r);
	r->began_us = at_us;
	r->begin = json_incref(body);
}

static void on_test(struct bringup_record *r, int64_t at_us, json_t *body)
{
	struct bringup_evidence e;

	(void)at_us;
	if (!r->begin || !bringup_evidence_read(body, &e))
		return;
	bringup_tests_add(&r->tests, &e);
	r->has_traffic = true;
}

static void add_untested(struct bringup_record *r, const char *host, const char *nic, const char *why)
{
	struct bringup_untested *u = GROW(r->untested, r->n_untested, r->cap_untested);

	r->n_untested++;
	r->has_traffic = true;
	*u = (struct bringup_untested){ { xstrdup(host), nic ? xstrdup(nic) : NULL }, xstrdup(why) };
}

static void on_untested(struct bringup_record *r, int64_t at_us, json_t *body)
{
	const char *host = json_string_value(json_object_get(body, "host")), *why = json_string_value(json_object_get(body, "why"));

	(void)at_us;
	if (r->begin && host && why)
		add_untested(r, host, json_string_value(json_object_get(body, "nic")), why);
}

static size_t skip_of(const struct bringup_record *r, const char *host, const char *nic)
{
	size_t i = 0;

	while (i < r->n_skips && (strcmp(r->skips[i].place.host, host) != 0 ||
				  strcmp(r->skips[i].place.nic ? r->skips[i].place.nic : "", nic ? nic : "") != 0))
		i++;
	return i;
}

static char *text_of(json_t *body, const char *key)
{
	const char *text = json_string_value(json_object_get(body, key));

	return text ? xstrdup(text) : NULL;
}

static void on_skip(struct bringup_record *r, int64_t at_us, json_t *body)
{
	const char *host = json_string_value(json_object_get(body, "host")), *nic = json_string_value(json_object_get(body, "nic"));
	struct bringup_set_aside s;

	if (!r->begin || !host || skip_of(r, host, nic) < r->n_skips)
		return;
	s = (struct bringup_set_aside){ { xstrdup(host), nic ? xstrdup(nic) : NULL }, text_of(body, "stage"), text_of(body, "reason"),
					text_of(body, "by"), at_us };
	*GROW(r->skips, r->n_skips, r->cap_skips) = s;
	r->n_skips++;
}

static void on_unskip(struct bringup_record *r, int64_t at_us, json_t *body)
{
	const char *host = json_string_value(json_object_get(body, "host"));
	size_t i = host ? skip_of(r, host, json_string_value(json_object_get(body, "nic"))) : r->n_skips;

	(void)at_us;
	if (i < r->n_skips)
		drop_skip(r, i);
}

static void on_resume(struct bringup_record *r, int64_t at_us, json_t *body)
{
	(void)at_us, (void)body;
	forget_untested(r);	/* they are told anew */
	r->ended_us = 0;
}

static void on_end(struct bringup_record *r, int64_t at_us, json_t *body)
{
	(void)body;
	r->ended_us = r->begin ? at_us : 0;
}

static const struct {
	const char *kind;
	void (*read)(struct bringup_record *r, int64_t at_us, json_t *body);
} kinds[] = {
	{ "begin", on_begin }, { "resume", on_resume }, { "test", on_test }, { "untested", on_untested }, { "skip", on_skip },
	{ "unskip", on_unskip }, { "end", on_end },
};

struct reading {
	struct bringup_record *record;
	int64_t until_us;
};

static void on_row(void *ctx, int64_t at_us, const char *kind, const char *body)
{
	const struct reading *reading = ctx;
	json_t *json = at_us > reading->until_us ? NULL : json_loads(body ? body : "", JSON_REJECT_DUPLICATES, NULL);

	for (size_t i = 0; json && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kind && !strcmp(kinds[i].kind, kind))
			kinds[i].read(reading->record, at_us, json);
	json_decref(json);
}

void bringup_record_read(struct bringup_record *r, const struct replay *replay, int64_t until_us)
{
	struct reading reading = { r, until_us };

	forget(r);
	replay_bringup(replay, on_row, &reading);
}

void bringup_record_read_session(struct bringup_record *r, const struct session *s, int64_t until_us)
{
	struct reading reading = { r, until_us };

	forget(r);
	session_bringup_rows(s, on_row, &reading);
}

void bringup_record_done(struct bringup_record *r)
{
	forget(r);
}

/* -- writing -- */

/* Takes the body; returns the time of the row. */
static int64_t put(struct session *s, const char *kind, json_t *body)
{
	struct buf text = { 0 };
	int64_t at_us;

	json_add(body, JSON_COMPACT, &text);
	while (text.n && text.text[text.n - 1] == '\n')
		text.text[--text.n] = '\0';
	at_us = session_bringup(s, kind, text.text);
	buf_done(&text);
	json_decref(body);
	return at_us;
}

static json_t *targets_json(const struct bringup_wanted *w)
{
	json_t *list = json_array();

	for (size_t i = 0; i < w->n_targets; i++)
		json_array_append_new(list, json_text(w->targets[i]));
	return list;
}

const struct bringup_extra bringup_extras[BRINGUP_EXTRAS] = {
	{ BRINGUP_CROSS_LEAF, "across", "sends across leaves too", "sends nothing across leaves" },
	{ BRINGUP_LOSSY, "lossy", "sends a lossy stream with an incast", "sends no lossy stream" },
};

void bringup_record_begin(struct bringup_record *r, struct session *s, const struct bringup_wanted *w)
{
	json_t *body = json_object();

	json_object_set_new(body, "program", json_text("fabcon " FABCON_VERSION));
	json_object_set_new(body, "by", json_text(audit_owner()));
	json_object_set_new(body, "reason", json_text(w->reason));
	json_object_set_new(body, "traffic", json_boolean(w->reason != NULL));
	for (size_t i = 0; i < BRINGUP_EXTRAS; i++)
		if (w->extras & 1u << bringup_extras[i].kind)
			json_object_set_new(body, bringup_extras[i].word, json_true());
	if (r->begin) {		/* gone on with */
		forget_untested(r);
		r->ended_us = 0;
		put(s, "resume", body);
		return;
	}
	json_object_set_new(body, "targets", targets_json(w));
	json_object_set_new(body, "stages", json_text(w->stages));
	r->begin = json_incref(body);
	r->began_us = put(s, "begin", body);
}

void bringup_record_untested(struct bringup_record *r, struct session *s, const struct bringup_skip *skip)
{
	json_t *body = json_object();

	json_object_set_new(body, "host", json_text(skip->unit->host));
	json_object_set_new(body, "nic", json_text(skip->unit->nic));
	json_object_set_new(body, "why", json_text(skip->why));
	add_untested(r, skip->unit->host, skip->unit->nic, skip->why);
	put(s, "untested", body);
}

void bringup_record_test(struct session *s, const struct bringup_test *test)
{
	put(s, "test", bringup_evidence_json(&test->evidence));
}

static json_t *place_json(const struct bringup_place *place)
{
	json_t *body = json_object();

	json_object_set_new(body, "host", json_text(place->host));
	json_object_set_new(body, "nic", json_text(place->nic));
	json_object_set_new(body, "by", json_text(audit_owner()));
	return body;
}

void bringup_record_skip(struct bringup_record *r, struct session *s, const struct bringup_place *place, const char *stage,
			 const char *reason)
{
	json_t *body = place_json(place);

	json_object_set_new(body, "stage", json_text(stage));
	json_object_set_new(body, "reason", json_text(reason));
	json_incref(body);
	on_skip(r, put(s, "skip", body), body);
	json_decref(body);
}

bool bringup_record_unskip(struct bringup_record *r, struct session *s, const struct bringup_place *place)
{
	json_t *body = place_json(place);
	size_t n = r->n_skips;

	on_unskip(r, 0, body);
	if (r->n_skips == n) {
		json_decref(body);
		return false;
	}
	put(s, "unskip", body);
	return true;
}

const struct bringup_set_aside *bringup_record_set_aside(const struct bringup_record *r, const char *host, const char *nic)
{
	size_t i = skip_of(r, host, nic);

	return i < r->n_skips ? &r->skips[i] : NULL;
}

enum bringup_state bringup_record_state(const struct bringup_record *r, const struct bringup_unit *u, const char *tested)
{
	if (u->course.state != BRINGUP_PASS || !r || !r->has_traffic)
		return u->course.state;
	if (tested && !strcmp(tested, "pass"))
		return BRINGUP_PASS;
	if (bringup_record_set_aside(r, u->host, u->nic))
		return BRINGUP_SKIPPED;
	return tested && (!strcmp(tested, "fail") || !strcmp(tested, "suspect")) ? BRINGUP_FAIL : BRINGUP_UNKNOWN;
}

const char *bringup_record_state_word(const struct bringup_record *r, const struct bringup_unit *u, const char *tested)
{
	enum bringup_state state = bringup_record_state(r, u, tested);

	return state == BRINGUP_FAIL && u->course.state == BRINGUP_PASS ? tested : bringup_state_word(state);
}

bool bringup_record_is_untested(const struct bringup_record *r, size_t untested)
{
	const struct bringup_place *p = &r->untested[untested].place;

	for (size_t i = 0; i < r->tests.n; i++) {
		const struct bringup_evidence *e = &r->tests.list[i].evidence;

		if (p->nic && e->began_us && !e->why && (bringup_place_is(&e->from, p->host, p->nic) || bringup_place_is(&e->to, p->host, p->nic)))
			return false;
	}
	return true;
}

size_t bringup_record_n_untested(const struct bringup_record *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_untested; i++)
		n += bringup_record_is_untested(r, i);
	return n;
}

void bringup_record_apply_skips(const struct bringup_record *r, struct bringup_rack *rack)
{
	for (size_t i = 0; i < r->n_skips; i++) {
		const struct bringup_set_aside *s = &r->skips[i];
		char words[192];

		snprintf(words, sizeof(words), "skipped by %.*s: %s", (int)strcspn(s->by ? s->by : "?", " "), s->by ? s->by : "?",
			 s->reason ? s->reason : "no reason");
		bringup_rack_skip(rack, s->place.host, s->place.nic, words);
	}
}

void bringup_record_end(struct bringup_record *r, struct session *s)
{
	r->ended_us = put(s, "end", json_pack("{s:o}", "by", json_text(audit_owner())));
}

bool bringup_record_is(const struct bringup_record *r, const struct bringup_wanted *w, const char *file, struct err *err)
{
	json_t *targets = targets_json(w), *stages = json_text(w->stages);
	bool is_same = r->begin && json_equal(targets, json_object_get(r->begin, "targets")) &&
		       json_equal(stages, json_object_get(r->begin, "stages"));

	json_decref(targets);
	json_decref(stages);
	if (!r->begin)		/* killed before its first row: this one begins */
		return true;
	if (r->ended_us)
		return err_set(err, "%s: its last bring-up has ended; without --resume another begins", file);
	if (!is_same)
		return err_set(err, "%s: its bring-up is of other targets or stages; repeat those of its first run", file);
	if (json_is_true(json_object_get(r->begin, "traffic")) && !w->reason)	/* it would end with tests missing */
		return err_set(err, "%s: its bring-up sends traffic: repeat --traffic and --reason", file);
	for (size_t i = 0; i < BRINGUP_EXTRAS && w->reason && json_is_true(json_object_get(r->begin, "traffic")); i++) {
		const struct bringup_extra *extra = &bringup_extras[i];
		bool is_wanted = w->extras & 1u << extra->kind;

		if (is_wanted != json_is_true(json_object_get(r->begin, extra->word)))
			return err_set(err, "%s: its bring-up %s: %s --%s", file, is_wanted ? extra->sends_none : extra->sends,
				       is_wanted ? "leave out" : "repeat", extra->word);
	}
	return true;
}
