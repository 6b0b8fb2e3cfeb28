/*
 * Checks a value against a JSON schema, as far as schema.json goes: type, const, enum, pattern, maxLength, minimum, maximum, items,
 * maxItems, required, properties, additionalProperties, propertyNames and $ref into $defs. A value that is refused is named by its
 * path: "links[3].stages[0].state".
 */
#include "core/certificate/internal.h"

#include <regex.h>
#include <stdlib.h>

struct shape {
	const json_t *root;		/* where $ref leads to */
	struct buf path;
	struct err *err;
};

static bool shape_fits(struct shape *s, const json_t *schema, const json_t *value);

/* -- what is refused -- */

static const char *place(const struct shape *s)
{
	return s->path.n ? s->path.text : "the certificate";
}

/* Adds at most 40 bytes of a text from the file, made safe. */
static void add_short(struct buf *out, const char *text)
{
	size_t n = strlen(text) > 40 ? 40 : strlen(text);
	char *start;

	while (n > 0 && n < strlen(text) && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	start = xstrndup(text, n);
	certificate_plain(out, start);
	buf_str(out, text[n] ? "..." : "");
	free(start);
}

static bool refuse(const struct shape *s, const char *why, const char *text)
{
	struct buf shown = { 0 };

	buf_str(&shown, "");
	if (text)
		add_short(&shown, text);
	err_set(s->err, "%.300s: %s%s%s%s", place(s), text ? "\"" : "", shown.text, text ? "\" " : "", why);
	buf_done(&shown);
	return false;
}

/* -- one keyword each -- */

static bool is_of_type(const json_t *value, const char *type)
{
	static const struct {
		const char *name;
		json_type first, second;
	} types[] = {
		{ "object", JSON_OBJECT, JSON_OBJECT }, { "array", JSON_ARRAY, JSON_ARRAY }, { "string", JSON_STRING, JSON_STRING },
		{ "integer", JSON_INTEGER, JSON_INTEGER }, { "number", JSON_INTEGER, JSON_REAL }, { "null", JSON_NULL, JSON_NULL },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(type, types[i].name))
			return json_typeof(value) == types[i].first || json_typeof(value) == types[i].second;
	return false;
}

static bool fits_type(struct shape *s, const json_t *type, const json_t *value)
{
	struct buf wanted = { 0 };
	const json_t *one;
	bool fits = json_is_string(type) && is_of_type(value, json_string_value(type));

	buf_str(&wanted, "is not of type ");
	buf_str(&wanted, json_is_string(type) ? json_string_value(type) : "");
	for (EACH(type, one)) {
		fits |= is_of_type(value, json_string_value(one));
		buf_printf(&wanted, "%s%s", i_one ? " or " : "", json_string_value(one));
	}
	if (!fits)
		refuse(s, wanted.text, json_string_value(value));
	buf_done(&wanted);
	return fits;
}

static bool fits_const(struct shape *s, const json_t *wanted, const json_t *value)
{
	struct buf why = { 0 };
	bool fits = json_equal(wanted, value);

	buf_printf(&why, "is not %s", json_string_value(wanted));
	if (!fits)
		refuse(s, why.text, json_string_value(value));
	buf_done(&why);
	return fits;
}

static bool fits_enum(struct shape *s, const json_t *list, const json_t *value)
{
	struct buf why = { 0 };
	const json_t *one;
	bool fits = false;

	buf_str(&why, "is not one of: ");
	for (EACH(list, one)) {
		fits |= json_equal(one, value);
		buf_printf(&why, "%s%s", i_one ? ", " : "", json_string_value(one));
	}
	if (!fits)
		refuse(s, why.text, json_string_value(value));
	buf_done(&why);
	return fits;
}

static bool fits_pattern(struct shape *s, const json_t *pattern, const json_t *value)
{
	regex_t regex;
	bool fits;

	if (!json_is_string(value) || regcomp(&regex, json_string_value(pattern), REG_EXTENDED | REG_NOSUB))
		return true;
	fits = !regexec(&regex, json_string_value(value), 0, NULL, 0);
	regfree(&regex);
	return fits || refuse(s, "does not have the required form", json_string_value(value));
}

/* Lengths are in characters. */
static bool fits_length(struct shape *s, const json_t *most, const json_t *value)
{
	json_int_t n = 0;

	for (const char *c = json_is_string(value) ? json_string_value(value) : ""; *c; c++)
		n += ((unsigned char)*c & 0xc0) != 0x80;
	return n <= json_integer_value(most) || refuse(s, "is too long", json_string_value(value));
}

static bool fits_minimum(struct shape *s, const json_t *least, const json_t *value)
{
	return !json_is_number(value) || json_number_value(value) >= json_number_value(least) || refuse(s, "the number is too small", NULL);
}

static bool fits_maximum(struct shape *s, const json_t *most, const json_t *value)
{
	return !json_is_number(value) || json_number_value(value) <= json_number_value(most) || refuse(s, "the number is too large", NULL);
}

static bool fits_count(struct shape *s, const json_t *most, const json_t *value)
{
	return (json_int_t)json_array_size(value) <= json_integer_value(most) || refuse(s, "the list is too long", NULL);
}

static bool fits_items(struct shape *s, const json_t *schema, const json_t *value)
{
	size_t n = s->path.n;
	const json_t *item;

	for (EACH(value, item)) {
		buf_printf(&s->path, "[%zu]", i_item);
		if (!shape_fits(s, schema, item))
			return false;
		s->path.n = n;
		s->path.text[n] = '\0';
	}
	return true;
}

static bool fits_required(struct shape *s, const json_t *keys, const json_t *value)
{
	const json_t *key;

	for (EACH(keys, key))
		if (json_is_object(value) && !json_object_get(value, json_string_value(key)))
			return refuse(s, "is missing", json_string_value(key));
	return true;
}

static bool fits_ref(struct shape *s, const json_t *ref, const json_t *value)
{
	const char *name = strrchr(json_string_value(ref), '/') + 1;

	return shape_fits(s, member(member(s->root, "$defs"), name), value);
}

static const struct {
	const char *name;
	bool (*fits)(struct shape *s, const json_t *operand, const json_t *value);
} keywords[] = {
	{ "$ref", fits_ref }, { "type", fits_type }, { "const", fits_const }, { "enum", fits_enum }, { "pattern", fits_pattern },
	{ "maxLength", fits_length }, { "minimum", fits_minimum }, { "maximum", fits_maximum }, { "maxItems", fits_count },
	{ "items", fits_items }, { "required", fits_required },
};

/* -- all of them -- */

/* false: no other key may be there; absent: any may. */
static bool key_fits(struct shape *s, const json_t *schema, const char *key, const json_t *value)
{
	const json_t *own = member(member(schema, "properties"), key), *names = member(schema, "propertyNames");
	json_t *name = names ? json_string(key) : NULL;
	bool fits = !name || shape_fits(s, names, name);

	json_decref(name);
	if (!fits)
		return false;
	if (!own)
		own = member(schema, "additionalProperties");
	if (json_is_false(own))
		return refuse(s, "is not a key of it", key);
	buf_str(&s->path, s->path.n ? "." : "");
	add_short(&s->path, key);
	return !own || shape_fits(s, own, value);
}

static bool keys_fit(struct shape *s, const json_t *schema, const json_t *value)
{
	size_t n = s->path.n;
	const char *key;
	json_t *each;

	json_object_foreach((json_t *)value, key, each) {
		if (!key_fits(s, schema, key, each))
			return false;
		s->path.n = n;
		s->path.text[n] = '\0';
	}
	return true;
}

static bool shape_fits(struct shape *s, const json_t *schema, const json_t *value)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++) {
		const json_t *operand = member(schema, keywords[i].name);

		if (operand && !keywords[i].fits(s, operand, value))
			return false;
	}
	return keys_fit(s, schema, value);
}

bool certificate_fits(const json_t *schema, const json_t *value, struct err *err)
{
	struct shape s = { .root = schema, .err = err };
	bool fits;

	buf_str(&s.path, "");
	fits = shape_fits(&s, schema, value);
	buf_done(&s.path);
	return fits;
}
