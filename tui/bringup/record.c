#include "tui/bringup/record.h"

#include <stdlib.h>
#include <string.h>

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

static void forget(struct bringup_record *r)
{
	forget_untested(r);
	free(r->untested);
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

static void on_resume(struct bringup_record *r, int64_t at_us, json_t *body)
{
	(void)at_us, (void)body;
	forget_untested(r);	/* they are told anew */
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
	{ "begin", on_begin }, { "resume", on_resume }, { "test", on_test }, { "untested", on_untested }, { "end", on_end },
};

static void on_row(void *ctx, int64_t at_us, const char *kind, const char *body)
{
	json_t *json = json_loads(body ? body : "", JSON_REJECT_DUPLICATES, NULL);

	for (size_t i = 0; json && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kind && !strcmp(kinds[i].kind, kind))
			kinds[i].read(ctx, at_us, json);
	json_decref(json);
}

void bringup_record_read(struct bringup_record *r, const struct replay *replay)
{
	forget(r);
	replay_bringup(replay, on_row, r);
}

void bringup_record_done(struct bringup_record *r)
{
	forget(r);
}

/* -- writing -- */

static void put(struct session *s, const char *kind, json_t *body)
{
	struct buf text = { 0 };

	json_add(body, JSON_COMPACT, &text);
	while (text.n && text.text[text.n - 1] == '\n')
		text.text[--text.n] = '\0';
	session_bringup(s, kind, text.text);
	buf_done(&text);
	json_decref(body);
}

static json_t *targets_json(const struct cli *cli)
{
	json_t *list = json_array();

	for (int i = 0; i < cli->n_args; i++)
		json_array_append_new(list, json_text(cli->args[i]));
	return list;
}

void bringup_record_begin(struct bringup_record *r, struct session *s, const struct cli *cli)
{
	json_t *body = json_object();

	json_object_set_new(body, "program", json_text("fabcon " FABCON_VERSION));
	json_object_set_new(body, "by", json_text(audit_owner()));
	json_object_set_new(body, "reason", json_text(cli->reason));
	json_object_set_new(body, "traffic", json_boolean(cli->traffic));
	if (r->begin) {		/* gone on with */
		forget_untested(r);
		put(s, "resume", body);
		return;
	}
	json_object_set_new(body, "targets", targets_json(cli));
	json_object_set_new(body, "stages", json_text(cli->stages));
	r->begin = json_incref(body);
	r->began_us = model_now(session_model(s));
	put(s, "begin", body);
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

void bringup_record_end(struct bringup_record *r, struct session *s)
{
	r->ended_us = model_now(session_model(s));
	put(s, "end", json_pack("{s:o}", "by", json_text(audit_owner())));
}

bool bringup_record_is(const struct bringup_record *r, const struct cli *cli, struct err *err)
{
	json_t *targets = targets_json(cli), *stages = json_text(cli->stages);
	bool is_same = r->begin && json_equal(targets, json_object_get(r->begin, "targets")) &&
		       json_equal(stages, json_object_get(r->begin, "stages"));

	json_decref(targets);
	json_decref(stages);
	if (!r->begin)		/* killed before its first row: this one begins */
		return true;
	if (r->ended_us)
		return err_set(err, "%s: its last bring-up has ended; without --resume another begins", cli->record);
	if (!is_same)
		return err_set(err, "%s: its bring-up is of other targets or stages; repeat those of its first run", cli->record);
	if (json_is_true(json_object_get(r->begin, "traffic")) && !cli->traffic)	/* it would end with tests missing */
		return err_set(err, "%s: its bring-up sends traffic: repeat --traffic and --reason", cli->record);
	return true;
}
