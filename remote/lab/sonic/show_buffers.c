/* SONiC's "show buffer" and "show buffer_pool". */
#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/grid.h"
#include "remote/lab/sonic/show.h"

/* As python's tabulate does without a header: a rule above and below. */
static void print_fields(struct buf *out, const char *title, const json_t *row)
{
	size_t width[2] = { 0 };
	const char *field;
	json_t *value;
	struct buf rule = { NULL };

	json_object_foreach((json_t *)row, field, value) {
		width[0] = strlen(field) > width[0] ? strlen(field) : width[0];
		width[1] = json_string_length(value) > width[1] ? json_string_length(value) : width[1];
	}
	for (size_t i = 0; i < width[0] + 2 + width[1]; i++)
		buf_str(&rule, i == width[0] || i == width[0] + 1 ? " " : "-");
	buf_printf(out, "%s\n%s\n", title, rule.text);
	json_object_foreach((json_t *)row, field, value)
		buf_printf(out, "%-*s  %s\n", (int)width[0], field, json_string_value(value));
	buf_printf(out, "%s\n\n", rule.text);
	buf_done(&rule);
}

static void print_table(const struct tool_call *t, const char *kind, const char *table)
{
	const char *name;
	json_t *row;

	json_object_foreach(json_object_get(confdb_of(t->device), table), name, row) {
		struct buf title = { NULL };

		buf_printf(&title, "%s: %s", kind, name);
		print_fields(t->out, title.text, row);
		buf_done(&title);
	}
}

/* The same of CONFIG_DB and of STATE_DB: nothing in the lab computes profiles of its own. */
int show_buffer(struct tool_call *t)
{
	print_table(t, "Pool", "BUFFER_POOL");
	print_table(t, "Profile", "BUFFER_PROFILE");
	return 0;
}

/* Ports' peaks together, which were not all at once: no more than the pool. */
static uint64_t peak_of(const struct tool_call *t, bool is_ingress, uint64_t size)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < t->device->n; i++) {
		const struct sim_counters *c = sim_counters(t->fabric->sim, port_at(t, i)->sim);

		for (unsigned k = 0; k < SIM_PRIOS; k++)
			n += is_ingress ? c->pg_peak[k] : c->queue_peak[k];
	}
	return n < size ? n : size;
}

int show_buffer_pool_watermark(struct tool_call *t)
{
	struct grid g;
	const char *name;
	json_t *row;

	buf_str(t->out, "Shared pool maximum occupancy:\n");
	grid_init(&g, "Pool|Bytes", true);
	json_object_foreach(json_object_get(confdb_of(t->device), "BUFFER_POOL"), name, row) {
		const char *type = json_string_value(json_object_get(row, "type")), *size = json_string_value(json_object_get(row, "size"));
		uint64_t bytes = 0;

		span_u64(span_of(size ? size : ""), &bytes);
		grid_add(&g, name);
		grid_number(&g, peak_of(t, is_word(type, "ingress"), bytes));
	}
	grid_print(&g, t->out);
	return 0;
}
