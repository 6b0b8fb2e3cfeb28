/* For the files of core/certificate: reading the object, and text on its way into a document. */
#ifndef CORE_CERTIFICATE_INTERNAL_H
#define CORE_CERTIFICATE_INTERNAL_H

#include <math.h>

#include <jansson.h>

#include "core/base/err.h"
#include "core/base/mem.h"

/* -- reading: certificates have been checked, so a key is there and has its type, or is null -- */

static inline const json_t *member(const json_t *object, const char *key)
{
	return json_object_get(object, key);
}

/* NULL: unknown. */
static inline const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* NAN: unknown. */
static inline double number_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static inline bool has_state(const json_t *row, const char *state)
{
	const char *text = text_of(row, "state");

	return text && !strcmp(text, state);
}

/* for (EACH(list, row)): list is read at each row, and the row's number is i_row. */
#define EACH(list, row)	size_t i_##row = 0; (row = json_array_get((list), i_##row)); i_##row++

/* -- canonical.c -- */

/*
 * As RFC 8785 writes it: sorted keys, no blanks, each number in its shortest form. indent: blanks a level, and a line for each value;
 * is_ascii: any other character as \uXXXX, also DEL. Both for people; the hash is over the form without.
 */
void certificate_canonical(const json_t *value, unsigned indent, bool is_ascii, struct buf *out);
/* A number as it is written there; nothing for NAN. */
void certificate_number(struct buf *out, double x);

/* -- shape.c -- */

/* Whether value is of the form that schema describes. Only the keywords that schema.json uses are known. */
bool certificate_fits(const json_t *schema, const json_t *value, struct err *err);

/* -- index.c -- */

/* The texts as one key of an index: NULL is a text too, and no other list of texts has the same key. */
const char *certificate_key(struct arena *a, size_t n, const char *const *texts);
#define KEY(arena, ...) \
	certificate_key((arena), sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(const char *), (const char *[]){ __VA_ARGS__ })

/* The keys of an object in their order, NULL at the end. To be freed. */
const char **certificate_keys(const json_t *object);

/* -- text.c -- */

#define SAFE_MAX	12
/*
 * Takes one character off *at, and gives what may be shown for it: letters, digits and signs of an allowlist as they are, a blank for
 * a line end or a tab, all else as \u202e; bytes that are no UTF-8 as \xff. Length 0: the end.
 */
size_t certificate_safe(const char **at, char out[SAFE_MAX]);

typedef void certificate_escape(struct buf *out, const char *text);
certificate_escape certificate_plain;		/* made safe, and nothing else */
certificate_escape certificate_xml;		/* for content and for attributes in quotes */

/* format with a value for each {}, escaped; NULL is "not known". The only way that a value gets into a document. */
void certificate_fill(struct buf *out, certificate_escape *escape, const char *format, size_t n, const char *const *values);
#define FILL(out, escape, format, ...) \
	certificate_fill((out), (escape), (format), sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(const char *), \
			 (const char *[]){ __VA_ARGS__ })

/* Held by the arena; NULL for what is unknown. */
const char *certificate_name(struct arena *a, const char *host, const char *nic);	/* "node1:eth2" */
const char *certificate_link(struct arena *a, const json_t *link);			/* "node1:eth2" */
const char *certificate_far(struct arena *a, const json_t *link);			/* "leaf1:Ethernet4" */
const char *certificate_end(struct arena *a, const json_t *test, const char *which);	/* which: "from" or "to" */
const char *certificate_amount(struct arena *a, double n, const char *unit);		/* "391.9 Gb/s", "245.0 GB" */
const char *certificate_percent(struct arena *a, double share);				/* "97.6 %" */
const char *certificate_count(struct arena *a, double n);				/* "391940" */
const char *certificate_time(struct arena *a, const char *time);			/* "2026-11-28 02:00:00 UTC" */
const char *certificate_value(struct arena *a, const json_t *limit);			/* "0.95 of the ceiling" */

/* The tool of a test; where none is named, it measured the rate of writes. */
const char *certificate_tool(const json_t *test);
bool certificate_measures_rate(const json_t *test);
bool certificate_is_incast(const json_t *test);		/* with a lossy stream or without */
/* "pairs of one leaf", and the tool where it does not measure the rate: "pairs of one leaf, rping". */
const char *certificate_test(struct arena *a, const json_t *test);
/* Its rate, or its latency: "391.9 Gb/s", "2.10 us"; "-" of a tool that measures neither. */
const char *certificate_measured(struct arena *a, const json_t *test);

/* Of the ceiling; NAN: unknown. */
double certificate_share(const json_t *test);
/* The least share of the ceiling that passes (the limit "test.share.fail"); NAN: there is no such limit. */
double certificate_mark(const json_t *certificate);
/* Whether a test has that link's NIC at either end. */
bool certificate_is_of(const json_t *test, const json_t *link);
/* Whether a test failed, and no link that failed has it: across leaves none answers for it. */
bool certificate_fails_alone(const json_t *certificate, const json_t *test);
bool certificate_has_lone_failure(const json_t *certificate);
const char *certificate_verdict(const json_t *certificate);	/* "PASS" */
/* "2 of 8 NICs failed, 1 not known" */
const char *certificate_headline(struct arena *a, const json_t *certificate);

/* -- the formats -- */

void certificate_json(const json_t *certificate, struct buf *out);
void certificate_markdown(const json_t *certificate, struct buf *out);
void certificate_html(const json_t *certificate, struct buf *out);
void certificate_junit(const json_t *certificate, struct buf *out);
void certificate_csv(const json_t *certificate, struct buf *out);

#endif
