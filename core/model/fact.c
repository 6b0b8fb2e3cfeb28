#include "core/model/fact.h"

#include <ctype.h>
#include <inttypes.h>

bool value_same(enum field f, const struct value *a, const struct value *b)
{
	if (a->is != b->is)
		return false;
	if (a->is == VALUE_ABSENT)
		return true;
	if (a->is == VALUE_UNKNOWN || field_table[f].kind == KIND_TEXT)
		return a->text == b->text || (a->text && b->text && strcmp(a->text, b->text) == 0);
	return a->n == b->n && a->is_rounded == b->is_rounded;
}

static void print_quoted(const char *text, struct buf *out)
{
	buf_str(out, "\"");
	for (const unsigned char *c = (const unsigned char *)(text ? text : ""); *c; c++) {
		if (*c == '"' || *c == '\\')
			buf_printf(out, "\\%c", *c);
		else if (*c < 0x20 || *c == 0x7f)
			buf_printf(out, "\\x%02x", *c);
		else
			buf_add(out, c, 1);
	}
	buf_str(out, "\"");
}

void value_print(enum field f, const struct value *v, struct buf *out)
{
	struct span word;

	if (v->is == VALUE_ABSENT) {
		buf_str(out, "absent");
		return;
	}
	if (v->is == VALUE_UNKNOWN) {
		buf_str(out, "unknown ");
		print_quoted(v->text, out);
		return;
	}
	switch (field_table[f].kind) {
	case KIND_BOOL:
		buf_str(out, v->n ? "yes" : "no");
		break;
	case KIND_ENUM:
		word = field_word(f, v->n);
		buf_add(out, word.p ? word.p : "?", word.p ? word.n : 1);
		break;
	case KIND_TEXT:
		print_quoted(v->text, out);
		break;
	default:
		buf_printf(out, "%s%" PRIu64, v->is_rounded ? "~" : "", v->n);
	}
}

void fact_print(const struct fact *fact, struct buf *out)
{
	const struct field_info *info = &field_table[fact->field];

	buf_printf(out, "%s ", fact->device);
	if (fact->port)
		buf_printf(out, "%s ", fact->port);
	buf_str(out, info->name);
	if (info->width > 1)
		buf_printf(out, "[%u]", fact->index);
	buf_str(out, " = ");
	value_print(fact->field, &fact->value, out);
}

void fact_print_change(const struct fact *fact, const struct value *was, struct buf *out)
{
	fact_print(fact, out);
	buf_str(out, " (was ");
	value_print(fact->field, was, out);
	buf_str(out, ")");
}

/* Where sign stands in text outside of quotes; text.n: nowhere. */
static size_t find_unquoted(struct span text, const char *sign)
{
	bool in_quotes = false;

	for (size_t i = 0; i < text.n; i++) {
		if (in_quotes && text.p[i] == '\\')
			i++;
		else if (text.p[i] == '"')
			in_quotes = !in_quotes;
		else if (!in_quotes && span_starts((struct span){ text.p + i, text.n - i }, sign))
			return i;
	}
	return text.n;
}

bool fact_split_change(struct span text, struct span *what, struct span *now, struct span *was)
{
	size_t is = find_unquoted(text, " = "), before = find_unquoted(text, " (was ");

	if (before == text.n || is + 3 > before || text.p[text.n - 1] != ')')
		return false;
	*what = (struct span){ text.p, is };
	*now = (struct span){ text.p + is + 3, before - is - 3 };
	*was = (struct span){ text.p + before + 6, text.n - before - 7 };
	return true;
}

/* A quoted text of the written form, back to bytes. */
static bool parse_quoted(struct span s, struct arena *arena, const char **out, struct err *err)
{
	struct buf text = { 0 };
	uint64_t byte;

	if (s.n < 2 || *s.p != '"' || s.p[s.n - 1] != '"')
		return err_set(err, "text values need double quotes: %.*s", (int)s.n, s.p);
	s = (struct span){ s.p + 1, s.n - 2 };
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '\\') {
			buf_add(&text, s.p + i, 1);
		} else if (i + 3 < s.n && s.p[i + 1] == 'x' && span_hex((struct span){ s.p + i + 2, 2 }, &byte) && byte) {
			buf_add(&text, &(char){ (char)byte }, 1);
			i += 3;
		} else if (i + 1 < s.n) {
			buf_add(&text, s.p + ++i, 1);
		}
	}
	*out = arena_text(arena, text.text, text.n);
	buf_done(&text);
	return true;
}

static const struct scale {
	enum unit unit;
	const char *word;
	uint64_t factor;
} scales[] = {
	{ UNIT_BYTES, "B", 1 },
	{ UNIT_BYTES, "KB", 1000 },
	{ UNIT_BYTES, "MB", 1000000 },
	{ UNIT_BYTES, "KiB", 1024 },
	{ UNIT_BYTES, "MiB", 1048576 },
	{ UNIT_BPS, "M", 1000000 },
	{ UNIT_BPS, "Mb/s", 1000000 },
	{ UNIT_BPS, "G", 1000000000 },
	{ UNIT_BPS, "Gb/s", 1000000000 },
	{ UNIT_US, "us", 1 },
	{ UNIT_US, "ms", 1000 },
	{ UNIT_US, "s", 1000000 },
	{ UNIT_PCT, "%", 1 },
	{ UNIT_M, "m", 1 },
	{ UNIT_MBPS, "Mb/s", 1 },
};

static bool parse_number(enum field f, struct span s, struct value *out, struct err *err)
{
	struct span rest = s, unit;
	uint64_t n;

	out->is_rounded = span_skip(&rest, "~");
	if (!span_take_u64(&rest, &n))
		return err_set(err, "%s needs a number: %.*s", field_table[f].name, (int)s.n, s.p);
	unit = span_trim(rest);
	for (size_t i = 0; unit.n > 0; i++) {
		if (i == sizeof(scales) / sizeof(*scales))
			return err_set(err, "%s is in %s; could not parse: %.*s", field_table[f].name,
				       unit_name(field_table[f].unit), (int)unit.n, unit.p);
		if (scales[i].unit != field_table[f].unit || !span_is(unit, scales[i].word))
			continue;
		if (n > UINT64_MAX / scales[i].factor)
			return err_set(err, "%s: the number is too large", field_table[f].name);
		n *= scales[i].factor;
		break;
	}
	out->n = n;
	return true;
}

static bool parse_bool(struct span s, uint64_t *out)
{
	if (span_is(s, "yes") || span_is(s, "on") || span_is(s, "no") || span_is(s, "off")) {
		*out = span_is(s, "yes") || span_is(s, "on");
		return true;
	}
	return false;
}

bool value_parse(enum field f, struct span s, struct arena *arena, struct value *out, struct err *err)
{
	const struct field_info *info = &field_table[f];
	struct value v = { .is = VALUE_KNOWN };
	bool ok;

	s = span_trim(s);
	if (span_is(s, "absent")) {
		*out = (struct value){ .is = VALUE_ABSENT };
		return true;
	}
	if (span_is(s, "unknown") || span_starts(s, "unknown ")) {
		v.is = VALUE_UNKNOWN;
		span_skip(&s, "unknown");
		s = span_trim(s);
		ok = parse_quoted(s.n ? s : SPAN("\"\""), arena, &v.text, err);
	} else if (info->kind == KIND_TEXT) {
		ok = parse_quoted(s, arena, &v.text, err);
	} else if (info->kind == KIND_BOOL) {
		ok = parse_bool(s, &v.n) || err_set(err, "%s must be yes or no: %.*s", info->name, (int)s.n, s.p);
	} else if (info->kind == KIND_ENUM) {
		ok = field_word_value(f, s, &v.n) ||
			err_set(err, "%s is one of: %s; not %.*s", info->name, info->words, (int)s.n, s.p);
	} else {
		ok = parse_number(f, s, &v, err);
	}
	if (ok)
		*out = v;
	return ok;
}

bool fact_split(struct span line, struct fact_text *out, struct err *err)
{
	struct fact_text t = { 0 };
	struct span left, words[3], rest, name, tail;
	size_t n = 0;

	if (!span_cut(line, '=', &left, &t.value))
		return err_set(err, "no = in: %.*s", (int)line.n, line.p);
	for (rest = left; n < 3 && span_word(&rest, &words[n]); n++)
		;
	if (n < 2 || span_trim(rest).n > 0)
		return err_set(err, "a fact is DEVICE [PORT] FIELD = VALUE: %.*s", (int)line.n, line.p);
	name = words[n - 1];
	if (span_cut(name, '[', &name, &tail)) {
		if (tail.n == 0 || tail.p[tail.n - 1] != ']')
			return err_set(err, "no ] after: %.*s", (int)name.n, name.p);
		t.indices = (struct span){ tail.p, tail.n - 1 };
	}
	if (!field_find(name, &t.field))
		return err_set(err, "no field is named %.*s (fabcon explain fields lists them)", (int)name.n, name.p);
	if ((n == 3) != (field_table[t.field].scope == SCOPE_PORT))
		return err_set(err, "%s belongs to a %s", field_table[t.field].name, n == 3 ? "device" : "port");
	t.device = words[0];
	t.port = n == 3 ? words[1] : (struct span){ 0 };
	t.value = span_trim(t.value);
	*out = t;
	return true;
}

bool fact_indices(enum field f, struct span text, uint64_t *set, struct err *err)
{
	const struct field_info *info = &field_table[f];
	uint64_t result = 0, first, last;
	struct span part, more = text;

	if (text.n == 0) {
		if (info->width > 1)
			return err_set(err, "%s needs an index: %s[0-%u]", info->name, info->name, info->width - 1);
		*set = 1;
		return true;
	}
	if (span_is(text, "*")) {
		*set = info->width == 64 ? UINT64_MAX : (UINT64_C(1) << info->width) - 1;
		return true;
	}
	while (more.n > 0) {
		if (!span_cut(more, ',', &part, &more)) {
			part = more;
			more.n = 0;
		}
		part = span_trim(part);
		if (!span_take_u64(&part, &first))
			return err_set(err, "%s: not an index: %.*s", info->name, (int)text.n, text.p);
		last = first;
		if ((span_skip(&part, "-") && !span_take_u64(&part, &last)) || part.n > 0 || last < first ||
		    last >= info->width)
			return err_set(err, "%s has the indices 0-%u: %.*s", info->name, info->width - 1, (int)text.n, text.p);
		for (; first <= last; first++)
			result |= UINT64_C(1) << first;
	}
	*set = result;
	return true;
}

bool fact_parse(struct span line, struct arena *arena, struct fact *out, struct err *err)
{
	struct fact_text t;
	struct fact fact = { 0 };
	uint64_t set;

	if (!fact_split(line, &t, err) || !fact_indices(t.field, t.indices, &set, err))
		return false;
	if (set == 0 || set & (set - 1))
		return err_set(err, "one index, please: %.*s", (int)line.n, line.p);
	if (!value_parse(t.field, t.value, arena, &fact.value, err))
		return false;
	fact.device = arena_text(arena, t.device.p, t.device.n);
	fact.port = t.port.n ? arena_text(arena, t.port.p, t.port.n) : NULL;
	fact.field = t.field;
	fact.index = (unsigned)__builtin_ctzll(set);
	*out = fact;
	return true;
}
