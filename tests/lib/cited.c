#include "tests/lib/cited.h"

#include <stdio.h>
#include <string.h>

#include "tests/lib/say.h"

/* "15,437" holds 15437, and not 543. */
static bool line_holds(struct span line, uint64_t n)
{
	char digits[24], text[2048];
	size_t used = 0;

	for (size_t i = 0; i < line.n && used + 1 < sizeof(text); i++)
		if (line.p[i] != ',')
			text[used++] = line.p[i];
	text[used] = '\0';
	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);
	for (const char *at = strstr(text, digits); at; at = strstr(at + 1, digits))
		if ((at == text || at[-1] < '0' || at[-1] > '9') && (at[strlen(digits)] < '0' || at[strlen(digits)] > '9'))
			return true;
	return false;
}

size_t cited_check(const char *path, const struct obs *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->n; i++) {
		const struct obs_fact *f = &o->facts[i];
		struct span rest, line;

		if (field_table[f->field].kind != KIND_COUNTER || f->value.is != VALUE_KNOWN || f->value.is_rounded || f->cite == CITE_NONE)
			continue;
		rest = (struct span){ o->raw.p + f->cite, o->raw.n - f->cite };
		span_line(&rest, &line);
		if (span_find(line, "/hw_counters/ip"))		/* irdma counts IPv4 and IPv6 apart: the fact is their sum */
			continue;
		n++;
		/* RDMA devices count words of four bytes. */
		if (!line_holds(line, f->value.n) && !(f->value.n % 4 == 0 && line_holds(line, f->value.n / 4)))
			fail_msg("%s: %s[%u] = %llu cites \"%.*s\"", path, field_table[f->field].name, f->index,
				 (unsigned long long)f->value.n, (int)(line.n < 200 ? line.n : 200), line.p);
	}
	return n;
}
