#include "core/model/field.h"

const struct field_info field_table[FIELD_COUNT] = {
#define X(id, n, s, k, u, w, b, f, e, h) \
	[FIELD_##id] = { .name = n, .scope = SCOPE_##s, .kind = KIND_##k, .unit = UNIT_##u, .width = w, .bits = b, \
			 .flags = f, .words = e, .help = h },
	FIELDS(X)
#undef X
};

bool field_find(struct span name, enum field *out)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++) {
		if (span_is(name, field_table[f].name)) {
			*out = (enum field)f;
			return true;
		}
	}
	return false;
}

struct span field_word(enum field f, uint64_t value)
{
	struct span rest = span_of(field_table[f].words), word;

	while (span_word(&rest, &word))
		if (value-- == 0)
			return word;
	return (struct span){ NULL, 0 };
}

bool field_word_value(enum field f, struct span wanted, uint64_t *out)
{
	struct span rest = span_of(field_table[f].words), word;

	for (uint64_t value = 0; span_word(&rest, &word); value++) {
		if (word.n == wanted.n && memcmp(word.p, wanted.p, word.n) == 0) {
			*out = value;
			return true;
		}
	}
	return false;
}

const char *unit_name(enum unit unit)
{
	static const char *const names[] = {
		[UNIT_NONE] = "", [UNIT_BPS] = "bps", [UNIT_BYTES] = "bytes", [UNIT_FRAMES] = "frames",
		[UNIT_PACKETS] = "packets", [UNIT_EVENTS] = "events", [UNIT_BITS] = "bits", [UNIT_US] = "us",
		[UNIT_PCT] = "pct", [UNIT_M] = "m", [UNIT_MBPS] = "mbps",
	};

	return names[unit];
}
