#include "core/certificate/certificate.h"

#include <stdio.h>
#include <stdlib.h>

#include <openssl/evp.h>

#include "core/certificate/internal.h"

#define TEXT_MAX	(256u << 20)
#define NO_HASH		"0000000000000000000000000000000000000000000000000000000000000000"

/* -- the hash -- */

void certificate_hash(const json_t *value, char hash[CERTIFICATE_HASH_SIZE])
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	struct buf text = { 0 };
	unsigned n = 0;

	certificate_canonical(value, 0, false, &text);
	EVP_Digest(text.text, text.n, digest, &n, EVP_sha256(), NULL);
	for (unsigned i = 0; i < n && i < CERTIFICATE_HASH_SIZE / 2; i++)
		snprintf(hash + 2 * i, 3, "%02x", digest[i]);
	buf_done(&text);
}

static void hash_of(const json_t *certificate, char hash[CERTIFICATE_HASH_SIZE])
{
	json_t *bare = json_copy((json_t *)certificate);

	json_object_del(bare, "sha256");
	certificate_hash(bare, hash);
	json_decref(bare);
}

/* -- what a schema cannot say -- */

struct check {
	const json_t *certificate;
	struct arena arena;
	json_t *seen;			/* by key; what stands there tells where it was */
	struct err *err;
};

static const char *safe(struct check *c, const char *text)
{
	struct buf shown = { 0 };
	const char *kept;

	buf_str(&shown, "");
	certificate_plain(&shown, text ? text : "null");
	kept = arena_text(&c->arena, shown.text, shown.n);
	buf_done(&shown);
	return kept;
}

/* The rows of a list, by one or two of their texts, are each there once. second may be NULL. */
static bool are_once(struct check *c, const char *place, const json_t *list, const char *first, const char *second)
{
	const json_t *row;

	for (EACH(list, row)) {
		const char *a = text_of(row, first), *b = second ? text_of(row, second) : NULL;
		const char *key = KEY(&c->arena, place, a, b);

		if (json_object_get(c->seen, key))
			return err_set(c->err, "%.60s[%zu]: %.80s%s%.80s is listed twice", place, i_row, safe(c, a), b ? ":" : "",
				       b ? safe(c, b) : "");
		json_object_set_new(c->seen, key, json_true());
	}
	return true;
}

/* The settings of a device may stand at each of its links; all must then say the same. */
static bool settings_agree(struct check *c, const json_t *link, size_t i_link)
{
	const json_t *s, *other;

	for (EACH(member(link, "settings"), s)) {
		const char *device = text_of(s, "device"), *port = text_of(s, "port"), *name = text_of(s, "name");
		const char *key = KEY(&c->arena, "setting", device, port, name);

		other = json_object_get(c->seen, key);
		if (other && !json_equal(other, member(s, "value")))
			return err_set(c->err, "links[%zu].settings[%zu]: %.60s%s%.60s %.60s has two values: %.60s and %.60s", i_link, i_s,
				       safe(c, device), port ? ":" : "", port ? safe(c, port) : "", safe(c, name),
				       safe(c, json_string_value(other)), safe(c, text_of(s, "value")));
		json_object_set(c->seen, key, json_object_get(s, "value"));
	}
	return true;
}

static bool links_are_sound(struct check *c)
{
	const json_t *links = member(c->certificate, "links"), *link;
	char place[48];

	if (!are_once(c, "links", links, "host", "nic"))
		return false;
	for (EACH(links, link)) {
		snprintf(place, sizeof(place), "links[%zu].stages", i_link);
		if (!are_once(c, place, member(link, "stages"), "stage", NULL) || !settings_agree(c, link, i_link))
			return false;
	}
	return true;
}

/* -- the summary -- */

static const char *const summary_keys[] = {
	"nics", "passed", "failed", "not_known", "skipped", "tests", "tests_passed", "tests_failed", "tests_not_known",
	"tests_not_judged",
};

#define COUNTS (sizeof(summary_keys) / sizeof(*summary_keys))

static size_t count(const json_t *list, const char *state)
{
	const json_t *row;
	size_t n = 0;

	for (EACH(list, row))
		n += has_state(row, state);
	return n;
}

/* In the order of summary_keys. */
static void count_all(const json_t *certificate, size_t counts[COUNTS])
{
	const json_t *links = member(certificate, "links"), *tests = member(certificate, "tests");

	counts[0] = json_array_size(links);
	counts[1] = count(links, "pass");
	counts[2] = count(links, "fail") + count(links, "suspect");
	counts[3] = count(links, "not known");
	counts[4] = count(links, "skipped");
	counts[5] = json_array_size(tests);
	counts[6] = count(tests, "pass");
	counts[7] = count(tests, "fail");
	counts[8] = count(tests, "not known");
	counts[9] = count(tests, "not judged");
}

static json_t *summary_of(const json_t *certificate)
{
	json_t *summary = json_object();
	size_t counts[COUNTS];

	count_all(certificate, counts);
	for (size_t i = 0; i < COUNTS; i++)
		json_object_set_new(summary, summary_keys[i], json_integer((json_int_t)counts[i]));
	return summary;
}

static bool summary_is_true(const struct check *c)
{
	size_t counts[COUNTS];

	count_all(c->certificate, counts);
	for (size_t i = 0; i < COUNTS; i++)
		if (number_of(member(c->certificate, "summary"), summary_keys[i]) != (double)counts[i])
			return err_set(c->err, "summary.%s: the certificate lists %zu", summary_keys[i], counts[i]);
	if (has_state(c->certificate, "pass") && (counts[2] || counts[3]))
		return err_set(c->err, "state: pass, although %zu links failed and %zu are not known", counts[2], counts[3]);
	return true;
}

/* -- the whole -- */

static bool is_sound(const json_t *certificate, struct err *err)
{
	struct check c = { .certificate = certificate, .err = err };
	json_t *schema = json_loads(certificate_schema, 0, NULL);
	bool ok = certificate_fits(schema, certificate, err);

	json_decref(schema);
	if (!ok)
		return false;
	c.seen = json_object();
	ok = are_once(&c, "limits", member(certificate, "limits"), "id", NULL) &&
	     are_once(&c, "devices", member(certificate, "devices"), "name", NULL) && links_are_sound(&c) && summary_is_true(&c);
	json_decref(c.seen);
	arena_done(&c.arena);
	return ok;
}

bool certificate_seal(json_t *certificate, struct err *err)
{
	char hash[CERTIFICATE_HASH_SIZE];

	json_object_set_new(certificate, "summary", summary_of(certificate));
	json_object_set_new(certificate, "sha256", json_string(NO_HASH));
	if (!is_sound(certificate, err)) {
		json_object_del(certificate, "sha256");
		return false;
	}
	hash_of(certificate, hash);
	json_object_set_new(certificate, "sha256", json_string(hash));
	return true;
}

static bool has_its_schema(const json_t *json, struct err *err)
{
	const char *schema = json_is_object(json) ? text_of(json, "schema") : NULL;

	return (schema && !strcmp(schema, CERTIFICATE_SCHEMA)) || err_set(err, "not a certificate: its schema is not " CERTIFICATE_SCHEMA);
}

static enum certificate_fault fault_of(const json_t *json, struct err *err)
{
	char hash[CERTIFICATE_HASH_SIZE];

	if (!has_its_schema(json, err) || !is_sound(json, err))
		return CERTIFICATE_MALFORMED;
	hash_of(json, hash);
	if (!strcmp(hash, text_of(json, "sha256")))
		return CERTIFICATE_SOUND;
	err_set(err, "sha256: the certificate was changed after it was sealed (recorded %.12s, content %.12s)", text_of(json, "sha256"), hash);
	return CERTIFICATE_ALTERED;
}

static json_t *parse(struct span text, struct err *err)
{
	json_error_t why;
	json_t *json;

	if (text.n > TEXT_MAX) {
		err_set(err, "a certificate larger than %u MiB", TEXT_MAX >> 20);
		return NULL;
	}
	json = json_loadb(text.p ? text.p : "", text.n, JSON_REJECT_DUPLICATES, &why);
	if (!json)
		err_set(err, "not JSON: line %d: %s", why.line, why.text);
	return json;
}

enum certificate_fault certificate_read(struct span text, json_t **out, struct err *err)
{
	json_t *json = parse(text, err);
	enum certificate_fault fault = json ? fault_of(json, err) : CERTIFICATE_MALFORMED;

	if (fault == CERTIFICATE_SOUND)
		*out = json;
	else
		json_decref(json);
	return fault;
}
