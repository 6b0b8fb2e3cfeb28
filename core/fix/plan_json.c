/*
 * A plan as JSON and back. The hash covers the canonical text written from what was read, not the bytes of the file:
 * reformatting a plan keeps it valid, any other change invalidates it.
 */
#include "core/fix/plan.h"

#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>
#include <openssl/evp.h>

#include "core/fix/text.h"

#define SCHEMA		"fabcon.plan/1"
#define CANONICAL	(JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_PRESERVE_ORDER)
#define TEXT_MAX	(64u << 20)
#define STEPS_MAX	4096
#define LIST_MAX	4096		/* edits, commands or files of a step */
#define VERIFY_MIN_US	INT64_C(1000000)	/* a plan that verifies nothing is none */
#define VERIFY_MAX_US	INT64_C(86400000000)

/* -- writing -- */

static json_t *text_json(const char *text)
{
	struct buf utf8 = { 0 };
	json_t *out;

	utf8_of_bytes(span_of(text), &utf8);
	out = json_stringn(utf8.text ? utf8.text : "", utf8.n);
	buf_done(&utf8);
	return out;
}

/* NULL is left out. */
static void set_text(json_t *object, const char *key, const char *text)
{
	if (text)
		json_object_set_new(object, key, text_json(text));
}

static json_t *lines_json(const struct fix_lines *lines)
{
	json_t *list = json_array();

	for (size_t i = 0; i < lines->n; i++)
		json_array_append_new(list, text_json(lines->list[i]));
	return list;
}

static json_t *edits_json(const struct fix_step *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->n_edits; i++) {
		json_t *edit = json_object();
		struct buf text = { 0 };

		edit_print(&s->edits[i], &text);
		set_text(edit, "fact", text.text);
		set_text(edit, "why", s->edits[i].why);
		json_array_append_new(list, edit);
		buf_done(&text);
	}
	return list;
}

static json_t *files_json(const struct fix_step *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->n_files; i++) {
		json_t *file = json_object();

		set_text(file, "name", s->files[i].name);
		set_text(file, "text", s->files[i].text);
		json_array_append_new(list, file);
	}
	return list;
}

static json_t *step_json(const struct fix_step *s)
{
	json_t *step = json_object();

	set_text(step, "device", s->device);
	set_text(step, "platform", s->platform);
	json_object_set_new(step, "edits", edits_json(s));
	set_text(step, "base", s->base);
	set_text(step, "after", s->after);
	json_object_set_new(step, "lines", lines_json(&s->lines));
	json_object_set_new(step, "undo", lines_json(&s->undo));
	json_object_set_new(step, "save", lines_json(&s->save));
	set_text(step, "save_note", s->save_note);
	json_object_set_new(step, "files", files_json(s));
	set_text(step, "disturbs", s->disturbs);
	set_text(step, "ports", s->ports);
	return step;
}

static json_t *unit_json(const struct fix_plan *p, const struct fix_unit *u)
{
	json_t *unit = json_object(), *steps = json_array();

	json_object_set_new(unit, "wave", json_integer(u->wave));
	json_object_set_new(unit, "steps", steps);
	for (size_t i = 0; i < u->n && u->first + i < p->n_steps; i++)
		json_array_append_new(steps, step_json(&p->steps[u->first + i]));
	return unit;
}

static json_t *plan_json(const struct fix_plan *p)
{
	json_t *plan = json_object(), *units = json_array();

	set_text(plan, "schema", SCHEMA);
	set_text(plan, "id", p->id);
	json_object_set_new(plan, "made_us", json_integer(p->made_us));
	set_text(plan, "fabric", p->fabric);
	set_text(plan, "policy", p->policy);
	set_text(plan, "title", p->title);
	set_text(plan, "finding", p->finding);
	json_object_set_new(plan, "verify_us", json_integer(p->verify_us));
	json_object_set_new(plan, "units", units);
	for (size_t i = 0; i < p->n_units; i++)
		json_array_append_new(units, unit_json(p, &p->units[i]));
	return plan;
}

static void hash_of_json(const json_t *plan, char out[FIX_HASH_SIZE])
{
	char *text = json_dumps(plan, CANONICAL);
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned n = 0;

	EVP_Digest(text, strlen(text), digest, &n, EVP_sha256(), NULL);
	for (unsigned i = 0; i < (FIX_HASH_SIZE - 1) / 2; i++)
		snprintf(out + 2 * i, 3, "%02x", digest[i]);
	free(text);
}

void fix_plan_hash(const struct fix_plan *p, char out[FIX_HASH_SIZE])
{
	json_t *plan = plan_json(p);

	hash_of_json(plan, out);
	json_decref(plan);
}

void fix_plan_write(const struct fix_plan *p, struct buf *out)
{
	json_t *plan = plan_json(p);
	char hash[FIX_HASH_SIZE], *text;

	hash_of_json(plan, hash);
	set_text(plan, "hash", hash);
	text = json_dumps(plan, CANONICAL);
	buf_str(out, text);
	buf_str(out, "\n");
	free(text);
	json_decref(plan);
}

/* Reading: each function names what it could not read. */

struct reader {
	struct fix_plan *plan;
	struct err *err;
};

/* Checks that it is an object with only these keys. */
static bool has_only(const struct reader *r, const json_t *object, const char *keys, const char *what)
{
	const char *key;
	json_t *value;

	if (!json_is_object(object))
		return err_set(r->err, "%s is not an object", what);
	json_object_foreach((json_t *)object, key, value)
		if (!span_is_among(span_of(key), keys))
			return err_set(r->err, "%s has an unknown key: %.40s", what, key);
	return true;
}

/* A text by key, as bytes in the plan's arena; NULL when it is missing. */
static bool take_text(const struct reader *r, const json_t *object, const char *key, const char **out)
{
	const json_t *value = json_object_get(object, key);
	struct buf bytes = { 0 };

	*out = NULL;
	if (!value)
		return true;
	if (!json_is_string(value))
		return err_set(r->err, "%s is not a string", key);
	utf8_to_bytes((struct span){ json_string_value(value), json_string_length(value) }, &bytes);
	*out = arena_text(&r->plan->arena, bytes.text ? bytes.text : "", bytes.n);
	buf_done(&bytes);
	return true;
}

static bool need_text(const struct reader *r, const json_t *object, const char *key, const char **out)
{
	return take_text(r, object, key, out) && (*out || err_set(r->err, "%s is missing", key));
}

static bool take_name(const struct reader *r, const json_t *object, const char *key, enum fix_name kind, const char **out)
{
	const char *text;

	if (!need_text(r, object, key, &text))
		return false;
	if (!fix_name_is(kind, text))
		return err_set(r->err, "%s has a name that is not allowed", key);
	*out = text;
	return true;
}

/* One line of plain characters, for people to read before they approve. */
static bool take_plain(const struct reader *r, const json_t *object, const char *key, const char **out)
{
	const char *text;

	if (!take_text(r, object, key, &text))
		return false;
	if (text && !is_one_line(text))
		return err_set(r->err, "%s contains control characters", key);
	*out = text;
	return true;
}

static bool take_integer(const struct reader *r, const json_t *object, const char *key, int64_t least, int64_t most, int64_t *out)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_integer(value) || json_integer_value(value) < least || json_integer_value(value) > most)
		return err_set(r->err, "%s is not a number from %lld to %lld", key, (long long)least, (long long)most);
	*out = json_integer_value(value);
	return true;
}

static bool take_array(const struct reader *r, const json_t *object, const char *key, size_t most, const json_t **out)
{
	*out = json_object_get(object, key);
	if (!json_is_array(*out))
		return err_set(r->err, "%s is not a list", key);
	return json_array_size(*out) <= most || err_set(r->err, "%s has more than %zu rows", key, most);
}

static bool take_lines(const struct reader *r, const json_t *step, const char *key, struct fix_lines *lines)
{
	const json_t *list;

	if (!take_array(r, step, key, LIST_MAX, &list))
		return false;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *text = json_string_value(json_array_get(list, i));

		if (!text || !is_command(text))
			return err_set(r->err, "row %zu of %s is not a command: one line of plain ASCII", i + 1, key);
		*GROW(lines->list, lines->n, lines->cap) = arena_text(&r->plan->arena, text, strlen(text));
		lines->n++;
	}
	return true;
}

static bool edit_is_sound(const struct reader *r, const struct fix_step *s, const struct edit *e)
{
	if (strcmp(e->device, s->device))
		return err_set(r->err, "a step of %s edits another device", s->device);
	if (e->port && !fix_name_is(FIX_NAME_PORT, e->port))
		return err_set(r->err, "a step of %s edits a port whose name is not allowed", s->device);
	return true;
}

static bool take_edits(const struct reader *r, const json_t *step, struct fix_step *s)
{
	const json_t *list;

	if (!take_array(r, step, "edits", LIST_MAX, &list))
		return false;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *row = json_array_get(list, i);
		const char *text, *why;
		struct edit edit;

		if (!has_only(r, row, "fact why", "an edit") || !need_text(r, row, "fact", &text) ||
		    !take_plain(r, row, "why", &why) || !edit_parse(span_of(text), &r->plan->arena, &edit, r->err) ||
		    !edit_is_sound(r, s, &edit))
			return false;
		edit.why = why;
		*GROW(s->edits, s->n_edits, s->cap_edits) = edit;
		s->n_edits++;
	}
	return true;
}

static bool take_files(const struct reader *r, const json_t *step, struct fix_step *s)
{
	const json_t *list;

	if (!take_array(r, step, "files", LIST_MAX, &list))
		return false;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *row = json_array_get(list, i);
		struct fix_file file;

		if (!has_only(r, row, "name text", "a file") || !take_name(r, row, "name", FIX_NAME_FILE, &file.name) ||
		    !need_text(r, row, "text", &file.text))
			return false;
		*GROW(s->files, s->n_files, s->cap_files) = file;
		s->n_files++;
	}
	return true;
}

static bool take_ports(const struct reader *r, const json_t *step, struct fix_step *s)
{
	struct span rest, word;
	char name[64];

	if (!take_plain(r, step, "ports", &s->ports))
		return false;
	for (rest = span_of(s->ports ? s->ports : ""); span_word(&rest, &word);) {
		snprintf(name, sizeof(name), "%.*s", (int)word.n, word.p);
		if (!fix_name_is(FIX_NAME_PORT, name))
			return err_set(r->err, "ports contains a name that is not allowed");
	}
	return true;
}

static bool read_step(const struct reader *r, const json_t *step, struct fix_step *s)
{
	static const char keys[] = "device platform edits base after lines undo save save_note files disturbs ports";

	return has_only(r, step, keys, "a step") && take_name(r, step, "device", FIX_NAME_DEVICE, &s->device) &&
	       take_name(r, step, "platform", FIX_NAME_WORD, &s->platform) && take_edits(r, step, s) &&
	       need_text(r, step, "base", &s->base) && need_text(r, step, "after", &s->after) &&
	       take_lines(r, step, "lines", &s->lines) && take_lines(r, step, "undo", &s->undo) &&
	       take_lines(r, step, "save", &s->save) && take_plain(r, step, "save_note", &s->save_note) &&
	       take_files(r, step, s) && take_plain(r, step, "disturbs", &s->disturbs) && take_ports(r, step, s);
}

static bool read_unit(const struct reader *r, const json_t *row, unsigned wave_before)
{
	struct fix_plan *p = r->plan;
	struct fix_unit unit = { .first = p->n_steps };
	const json_t *steps;
	int64_t wave = 0;

	if (!has_only(r, row, "wave steps", "a unit") ||
	    !take_integer(r, row, "wave", wave_before ? wave_before : 1, (int64_t)wave_before + 1, &wave) ||
	    !take_array(r, row, "steps", STEPS_MAX - p->n_steps, &steps))
		return false;
	for (size_t i = 0; i < json_array_size(steps); i++) {
		struct fix_step *s = GROW(p->steps, p->n_steps, p->cap_steps);

		p->n_steps++;
		if (!read_step(r, json_array_get(steps, i), s))
			return false;
	}
	unit.wave = (unsigned)wave;
	unit.n = p->n_steps - unit.first;
	if (!unit.n)
		return err_set(r->err, "a unit has no steps");
	*GROW(p->units, p->n_units, p->cap_units) = unit;
	p->n_units++;
	return true;
}

static bool read_units(const struct reader *r, const json_t *plan)
{
	const json_t *units;
	unsigned wave = 0;

	if (!take_array(r, plan, "units", STEPS_MAX, &units))
		return false;
	for (size_t i = 0; i < json_array_size(units); i++) {
		if (!read_unit(r, json_array_get(units, i), wave))
			return false;
		wave = r->plan->units[i].wave;
	}
	return true;
}

static bool read_head(const struct reader *r, const json_t *plan)
{
	static const char keys[] = "schema id made_us fabric policy title finding verify_us units hash";
	const char *schema = json_string_value(json_object_get(plan, "schema"));
	struct fix_plan *p = r->plan;

	if (!json_is_object(plan) || !schema || strcmp(schema, SCHEMA))
		return err_set(r->err, "not a plan: its schema is not " SCHEMA);
	return has_only(r, plan, keys, "the plan") && take_name(r, plan, "id", FIX_NAME_ID, &p->id) &&
	       take_integer(r, plan, "made_us", 0, INT64_MAX, &p->made_us) && take_plain(r, plan, "fabric", &p->fabric) &&
	       take_plain(r, plan, "policy", &p->policy) && take_plain(r, plan, "title", &p->title) &&
	       take_plain(r, plan, "finding", &p->finding) &&
	       take_integer(r, plan, "verify_us", VERIFY_MIN_US, VERIFY_MAX_US, &p->verify_us);
}

static bool hash_fits(const struct reader *r, const json_t *plan)
{
	const char *said = json_string_value(json_object_get(plan, "hash"));
	char hash[FIX_HASH_SIZE];

	if (!said)
		return err_set(r->err, "the plan has no hash");
	fix_plan_hash(r->plan, hash);
	return !strcmp(hash, said) ||
	       err_set(r->err, "the plan's hash does not match: the file was changed after it was made (hash %.8s, recorded %.8s); "
			       "make a new plan", hash, said);
}

bool fix_plan_read(struct fix_plan *p, struct span text, struct err *err)
{
	struct fix_plan plan;
	const struct reader r = { &plan, err };
	json_error_t why;
	json_t *json;
	bool ok;

	if (text.n > TEXT_MAX)
		return err_set(err, "a plan larger than %u MiB", TEXT_MAX >> 20);
	json = json_loadb(text.p ? text.p : "", text.n, JSON_REJECT_DUPLICATES, &why);
	if (!json)
		return err_set(err, "not JSON: line %d: %s", why.line, why.text);
	fix_plan_init(&plan);
	ok = read_head(&r, json) && read_units(&r, json) && hash_fits(&r, json);
	json_decref(json);
	if (!ok) {
		fix_plan_done(&plan);
		return false;
	}
	fix_plan_done(p);
	*p = plan;
	return true;
}
