#include "tui/bringup/certificate.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "core/certificate/certificate.h"
#include "core/judge/judged.h"
#include "tui/session/events.h"
#include "tui/text/sheet.h"

static void set_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, json_text(text));
}

/* -- files -- */

/* {"sha256": hex}, or null where there is no text. */
static json_t *hash_json(const char *text)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	char hex[2 * EVP_MAX_MD_SIZE + 1] = "";
	unsigned n = 0;

	if (!text || !*text)
		return json_null();
	EVP_Digest(text, strlen(text), digest, &n, EVP_sha256(), NULL);
	for (unsigned i = 0; i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
	return json_pack("{s:s}", "sha256", hex);
}

static void add_files(json_t *c, struct session *s)
{
	char *text = session_policy_text(s);
	json_t *policy = hash_json(text ? text : "unreadable");

	set_text(policy, "title", policy_name(session_policy(s)));
	json_object_set_new(c, "policy", policy);
	json_object_set_new(c, "inventory", hash_json(session_inventory_text(s)));
	json_object_set_new(c, "cable_plan", hash_json(session_plan_text(s)));
	free(text);
}

static json_t *limits_json(const struct policy *p)
{
	json_t *list = json_array();

	for (enum limit l = 0; l < LIMIT_COUNT; l++)
		json_array_append_new(list, json_pack("{s:s, s:f, s:s, s:s}", "id", limit_table[l].name, "value", policy_limit(p, l), "unit",
						      limit_table[l].unit, "source", policy_limit(p, l) == limit_table[l].normal ?
						      limit_table[l].source : "the policy"));
	return list;
}

/* -- settings -- */

/* "100000000000", "dscp", or a text without its quotes. NULL: it is not known. */
static json_t *value_json(enum field f, const struct value *v)
{
	struct buf text = { 0 };
	json_t *out;

	if (v->is == VALUE_UNKNOWN)
		return json_null();
	if (v->is == VALUE_KNOWN && field_table[f].kind == KIND_TEXT)
		return json_text(v->text);
	value_print(f, v, &text);
	out = json_text(text.text);
	buf_done(&text);
	return out;
}

static void name_of(enum field f, unsigned index, char out[80])
{
	if (field_table[f].width > 1)
		snprintf(out, 80, "%s[%u]", field_table[f].name, index);
	else
		snprintf(out, 80, "%s", field_table[f].name);
}

/* What the rack is: a reboot, and what runs on it now or is in a kernel's log, are no changes of it. */
static bool is_kept(enum field f, enum scope scope)
{
	return field_table[f].scope == scope && field_is_setting(f) && f != FIELD_BOOT && f != FIELD_KERNEL_LINES &&
	       !span_starts(span_of(field_table[f].name), "app.");
}

static json_t *facts_json(const struct device *d)
{
	json_t *facts = json_object();
	char name[80];

	for (enum field f = 0; d && f < FIELD_COUNT; f++)
		for (unsigned i = 0; is_kept(f, SCOPE_DEVICE) && i < field_table[f].width; i++) {
			const struct cell *cell = device_cell(d, f, i);

			name_of(f, i, name);
			if (cell)
				json_object_set_new(facts, name, value_json(f, &cell->value));
		}
	return facts;
}

static void add_settings(json_t *list, const struct port *p)
{
	char name[80];

	for (enum field f = 0; p && f < FIELD_COUNT; f++)
		for (unsigned i = 0; is_kept(f, SCOPE_PORT) && i < field_table[f].width; i++) {
			const struct cell *cell = port_cell(p, f, i);
			json_t *row = cell ? json_object() : NULL;

			if (!row)
				continue;
			name_of(f, i, name);
			set_text(row, "device", p->device->name);
			set_text(row, "port", p->name);
			set_text(row, "name", name);
			json_object_set_new(row, "value", value_json(f, &cell->value));
			json_array_append_new(list, row);
		}
}

/* -- devices -- */

static void add_device(json_t *list, const char *name, const struct device *d, bool is_switch)
{
	const json_t *old;
	json_t *row;
	size_t i;

	json_array_foreach(list, i, old)
		if (!strcmp(json_string_value(json_object_get(old, "name")), name))
			return;
	row = json_object();
	set_text(row, "name", name);
	set_text(row, "kind", is_switch ? "switch" : "host");
	set_text(row, "platform", d ? device_text(d, FIELD_PLATFORM) : NULL);
	json_object_set_new(row, "facts", facts_json(d));
	json_array_append_new(list, row);
}

static json_t *devices_json(const struct bringup_rack *r, const struct inventory *inv)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->n; i++)
		add_device(list, r->units[i].host, r->units[i].device, false);
	for (size_t i = 0; i < r->n; i++)
		if (r->units[i].far)
			add_device(list, r->units[i].far->device->name, r->units[i].far->device,
				   device_is_switch(r->units[i].far->device, inv));
	return list;
}

/* -- links -- */

json_t *bringup_stages_json(const struct bringup_unit *u, const struct findings *findings)
{
	json_t *stages = json_array();

	for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++) {
		const struct bringup_answer *a = &u->course.stages[s];
		json_t *stage = json_object();
		char why[BRINGUP_WHY_MAX];

		set_text(stage, "stage", bringup_stage_table[s].id);
		set_text(stage, "state", bringup_state_word(a->state));
		set_text(stage, "what", a->state == BRINGUP_PASS ? NULL : bringup_unit_why(findings, u, s, why));
		set_text(stage, "check", a->check ? a->check->id : NULL);
		set_text(stage, "device", a->check && a->device ? a->device->name : NULL);
		set_text(stage, "port", a->check && a->port ? a->port->name : NULL);
		set_text(stage, "not_reported", a->unreported ? a->unreported->id : NULL);
		set_text(stage, "not_reported_by", a->unreported ? a->silent->name : NULL);
		json_array_append_new(stages, stage);
	}
	return stages;
}

/* "not asked for: identity, wire": a link that passed the others is not passed. "": each stage was asked. */
static void unasked_words(const struct bringup_unit *u, struct buf *out)
{
	for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++)
		if (u->course.stages[s].state == BRINGUP_SKIPPED && s != u->course.at)
			buf_printf(out, "%s%s", out->n ? ", " : "not asked for: ", bringup_stage_table[s].id);
}

/* A NIC that passed what was asked has not passed the rest. */
static const char *state_of(const struct bringup_unit *u, const struct bringup_record *record, const char *tested, bool is_unasked)
{
	return u->course.state == BRINGUP_PASS && is_unasked ? bringup_state_word(BRINGUP_SKIPPED) : bringup_record_state_word(record, u, tested);
}

static json_t *link_json(const struct bringup_unit *u, const struct findings *findings, const struct bringup_record *record)
{
	enum bringup_stage at = u->course.at;
	bool is_passed = at == BRINGUP_STAGES;
	const struct finding *f = is_passed ? NULL : bringup_unit_finding(findings, u, at);
	struct bringup_tested_says says = { 0 };
	json_t *row = json_object(), *settings = json_array();
	struct buf unasked = { 0 };
	char why[BRINGUP_WHY_MAX];

	if (record)
		bringup_tests_say(&record->tests, u->host, u->nic, &says);
	unasked_words(u, &unasked);
	set_text(row, "host", u->host);
	set_text(row, "nic", u->nic);
	set_text(row, "peer", u->peer);
	set_text(row, "peer_port", u->peer_port);
	set_text(row, "state", state_of(u, record, says.state, unasked.n > 0));
	set_text(row, "stage", is_passed ? NULL : bringup_stage_table[at].id);
	set_text(row, "what", !is_passed ? bringup_unit_why(findings, u, at, why) : unasked.n ? unasked.text : says.words);
	set_text(row, "do", is_passed ? says.remedy : bringup_unit_remedy(findings, u));
	set_text(row, "because_of", f && f->cause ? f->cause->where : NULL);
	json_object_set_new(row, "stages", bringup_stages_json(u, findings));
	add_settings(settings, u->port);
	add_settings(settings, u->far);
	json_object_set_new(row, "settings", settings);
	buf_done(&unasked);
	return row;
}

/* -- tests -- */

static json_t *test_json(const struct bringup_test *t)
{
	const struct bringup_evidence *e = &t->evidence;
	const struct bringup_result *r = &t->result;
	unsigned long mtu = r->measured.mtu ? r->measured.mtu : e->mtu;
	json_t *row = bringup_evidence_json(e), *test = json_object(), *counters = json_object();
	char hash[CERTIFICATE_HASH_SIZE];

	json_object_set(test, "kind", json_object_get(row, "kind"));
	json_object_set(test, "from", json_object_get(row, "from"));
	json_object_set(test, "to", json_object_get(row, "to"));
	json_object_set(test, "tool", json_object_get(row, "tool"));
	set_text(test, "state", bringup_result_word(r));
	set_text(test, "layer", r->opinion.layer ? bringup_layer_word(r->opinion.layer) : NULL);
	json_object_set_new(test, "rate_bps", r->measured.bps > 0 ? json_real(r->measured.bps) : json_null());
	json_object_set_new(test, "ceiling_bps", r->opinion.ceiling_bps > 0 ? json_real(r->opinion.ceiling_bps) : json_null());
	json_object_set_new(test, "latency_us", r->measured.typical_us > 0 ? json_real(r->measured.typical_us) : json_null());
	json_object_set_new(test, "mtu", mtu ? json_integer((json_int_t)mtu) : json_null());
	set_text(test, "what", r->words);
	json_object_set(test, "command", json_object_get(row, "command"));
	json_object_set_new(test, "began", json_time(e->began_us));
	json_object_set_new(test, "ended", json_time(e->ended_us));
	json_object_set(counters, "from", json_object_get(row, "sent"));
	json_object_set(counters, "to", json_object_get(row, "received"));
	json_object_set_new(test, "counters", counters);
	certificate_hash(row, hash);
	set_text(test, "evidence_sha256", hash);
	json_decref(row);
	return test;
}

static json_t *untested_json(const struct bringup_record *r)
{
	json_t *list = json_array();

	for (size_t i = 0; r && i < r->n_untested; i++) {
		json_t *row;

		if (!bringup_record_is_untested(r, i))
			continue;
		row = json_object();
		set_text(row, "host", r->untested[i].place.host);
		set_text(row, "nic", r->untested[i].place.nic);
		set_text(row, "why", r->untested[i].why);
		json_array_append_new(list, row);
	}
	return list;
}

/* "alice@console1" of "alice@console1 pid 4711". */
static json_t *who_json(const char *owner)
{
	const char *pid = strstr(owner, " pid ");
	char *who = xstrndup(owner, pid ? (size_t)(pid - owner) : strlen(owner));
	json_t *out = json_text(who);

	free(who);
	return out;
}

static json_t *skips_json(const struct bringup_record *r)
{
	json_t *list = json_array();

	for (size_t i = 0; r && i < r->n_skips; i++) {
		const struct bringup_set_aside *s = &r->skips[i];
		json_t *row = json_object();

		set_text(row, "host", s->place.host);
		set_text(row, "nic", s->place.nic);
		set_text(row, "stage", s->stage ? s->stage : "-");
		set_text(row, "reason", s->reason ? s->reason : "-");
		json_object_set_new(row, "by", s->by ? who_json(s->by) : json_null());
		json_object_set_new(row, "at", json_time(s->at_us));
		json_array_append_new(list, row);
	}
	return list;
}

static json_t *notes_json(const struct session *s, int64_t from_us, int64_t to_us)
{
	const struct events *e = session_events(s);
	json_t *list = json_array();

	for (size_t i = 0; i < e->n; i++) {
		const struct event *note = &e->list[i];

		if (event_is(note, "note") && note->at_us >= from_us && note->at_us <= to_us)
			json_array_append_new(list, json_pack("{s:o, s:n, s:o}", "at", json_time(note->at_us), "by", "text",
							      json_text(note->text)));
	}
	return list;
}

/* -- the whole -- */

static json_t *rack_json(const struct bringup_record *r)
{
	const json_t *targets = r ? json_object_get(r->begin, "targets") : NULL, *name;
	struct buf text = { 0 };
	json_t *out;
	size_t i;

	json_array_foreach(targets, i, name)
		buf_printf(&text, "%s%s", text.n ? " " : "", json_string_value(name) ? json_string_value(name) : "?");
	out = json_text(text.text);
	buf_done(&text);
	return out;
}

/*
 * The worst of its links, and of what was tested across leaves, which none of them answers for. One that has not ended, or sent no
 * traffic, is not known, whatever was read of it.
 */
static const char *state_of_all(const json_t *links, const json_t *tests, const struct bringup_record *record)
{
	const struct bringup_across across = record ? bringup_tests_across(&record->tests) : (struct bringup_across){ 0 };
	bool is_failed = across.failed > 0;
	bool is_unknown = across.unknown || !json_array_size(links) || !json_array_size(tests) || !record || !record->ended_us;
	const json_t *link;
	size_t i;

	json_array_foreach(links, i, link) {
		const char *state = json_string_value(json_object_get(link, "state"));

		is_failed |= !strcmp(state, "fail") || !strcmp(state, "suspect");
		is_unknown |= strcmp(state, "pass") != 0;
	}
	return is_failed ? "fail" : is_unknown ? "not known" : "pass";
}

static const char *begun(const struct bringup_record *r, const char *key, const char *other)
{
	const char *text = r ? json_string_value(json_object_get(r->begin, key)) : NULL;

	return text ? text : other;
}

json_t *bringup_certificate(struct session *s, const struct bringup_rack *rack, const struct bringup_record *record, struct err *err)
{
	int64_t now_us = model_now(session_model(s));
	int64_t began_us = record && record->began_us ? record->began_us : now_us;
	int64_t signed_us = record && record->ended_us ? record->ended_us : now_us;
	json_t *c = json_object(), *links = json_array(), *tests = json_array();

	for (size_t i = 0; i < rack->n; i++)
		json_array_append_new(links, link_json(&rack->units[i], session_findings(s), record));
	for (size_t i = 0; record && i < record->tests.n; i++)
		if (!record->tests.list[i].is_repeated)
			json_array_append_new(tests, test_json(&record->tests.list[i]));
	set_text(c, "schema", CERTIFICATE_SCHEMA);
	json_object_set_new(c, "rack", rack_json(record));
	set_text(c, "fabric", session_fabric(s));
	set_text(c, "program", begun(record, "program", "fabcon"));
	json_object_set_new(c, "by", who_json(begun(record, "by", "-")));
	set_text(c, "reason", begun(record, "reason", NULL));
	json_object_set_new(c, "began", json_time(began_us));
	json_object_set_new(c, "signed", json_time(signed_us));
	set_text(c, "state", state_of_all(links, tests, record));
	add_files(c, s);
	json_object_set_new(c, "limits", limits_json(session_policy(s)));
	json_object_set_new(c, "devices", devices_json(rack, session_inventory(s)));
	json_object_set_new(c, "links", links);
	json_object_set_new(c, "tests", tests);
	json_object_set_new(c, "not_tested", untested_json(record));
	json_object_set_new(c, "skips", skips_json(record));
	json_object_set_new(c, "notes", notes_json(s, began_us, signed_us));
	if (certificate_seal(c, err))
		return c;
	json_decref(c);
	return NULL;
}
