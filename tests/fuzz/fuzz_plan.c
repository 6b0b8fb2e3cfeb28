/* Plans from outside: what is taken is written and read back the same. */
#include <assert.h>
#include <stdint.h>

#include "core/fix/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_come_back(const struct fix_plan *p)
{
	struct fix_plan back = { 0 };
	struct buf text = { 0 }, out = { 0 };

	fix_plan_write(p, &text);
	assert(fix_plan_read(&back, buf_span(&text), NULL));
	fix_plan_print(p, &out);
	fix_plan_done(&back);
	buf_done(&text);
	buf_done(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span bytes = { (const char *)data, size }, head, tail;
	struct fix_plan p = { 0 };
	struct arena arena = { 0 };
	struct buf out = { 0 };
	struct edit edit;

	if (fix_plan_read(&p, bytes, NULL))
		must_come_back(&p);
	if (edit_parse(bytes, &arena, &edit, NULL))
		edit_print(&edit, &out);
	buf_clear(&out);
	if (size < 4096 && span_cut(bytes, '=', &head, &tail))
		lines_diff(head, tail, &out);
	fix_plan_done(&p);
	arena_done(&arena);
	buf_done(&out);
	return 0;
}
