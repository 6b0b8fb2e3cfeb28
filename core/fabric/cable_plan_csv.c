/* Cable plans as tables: with a heading in the ways of the spellings below, or four columns without one. */
#include <ctype.h>

#include "core/base/csv.h"
#include "core/fabric/cable_plan_internal.h"

/* Spellings in lower case, with _ for blanks, dots and dashes. NetBox's list has "Device A" and "Termination A". */
static const char *const spellings[ENDS] = {
	[END_DEVICE]	= "device host hostname node server from source local a_device device_a from_device source_device "
			  "local_device side_a_device a_end side_a termination_a_device",
	[END_PORT]	= "port interface nic a_port port_a from_port source_port local_port local_interface nic_port "
			  "host_port node_port server_port device_port side_a_name termination_a termination_a_name",
	[END_PEER]	= "peer switch leaf neighbor neighbour to destination remote b_device device_b to_device "
			  "destination_device dest_device remote_device peer_device side_b_device b_end side_b termination_b_device",
	[END_PEER_PORT] = "peer_port switch_port leaf_port neighbor_port neighbour_port b_port port_b to_port "
			  "destination_port dest_port remote_port remote_interface peer_interface side_b_name termination_b "
			  "termination_b_name",
};

static const char *const names[ENDS] = { "device", "port", "peer", "peer_port" };

struct table {
	struct cable_plan_reading *r;
	struct csv csv;
	int column[ENDS];
	bool has_columns;
};

static bool read_line(struct table *t, struct span line)
{
	const char *wrong = csv_row(&t->csv, line);

	return !wrong || cable_plan_complain(t->r, wrong, "");
}

static bool has_digit(const char *text)
{
	return text[strcspn(text, "0123456789")] != '\0';
}

/* Four fields that may be a cable, of which none is a title: the ports have a number in them, as ports have. */
static bool is_row(const struct csv *c)
{
	for (unsigned end = 0; end < ENDS; end++) {
		const char *field = csv_field(c, (int)end);

		if (c->n != ENDS || !*field || csv_column(c, spellings[end]) >= 0 || (end % 2 && !has_digit(field)))
			return false;
	}
	return true;
}

static bool read_row(struct table *t)
{
	const char *ends[ENDS];
	size_t empty = 0;

	for (unsigned end = 0; end < ENDS; end++) {
		ends[end] = csv_field(&t->csv, t->column[end]);
		empty += !*ends[end];
	}
	if (empty == ENDS)
		return true;
	for (unsigned end = 0; end < ENDS; end++)
		if (!*ends[end])
			return cable_plan_complain(t->r, "this column is empty", names[end]);
	return cable_plan_cable(t->r, ends);
}

static bool read_heading(struct table *t, struct span line)
{
	csv_divide(&t->csv, line);
	if (!read_line(t, line))
		return false;
	t->has_columns = true;
	for (unsigned end = 0; end < ENDS; end++)
		t->column[end] = (int)end;
	if (is_row(&t->csv))
		return read_row(t);
	for (unsigned end = 0; end < ENDS; end++) {
		t->column[end] = csv_column(&t->csv, spellings[end]);
		if (t->column[end] < 0)
			return cable_plan_complain(
				t->r, "the header names no column for this (required: device,port,peer,peer_port)",
				names[end]);
	}
	return true;
}

bool plan_read_csv(struct cable_plan_reading *r, struct span text)
{
	struct table t = { .r = r };
	struct span line;
	bool ok = true;

	while (ok && span_line(&text, &line)) {
		struct span words = span_trim(line);

		r->line++;
		if (!words.n || *words.p == '#')
			continue;
		ok = t.has_columns ? read_line(&t, line) && read_row(&t) : read_heading(&t, line);
	}
	csv_done(&t.csv);
	if (ok && !t.has_columns)
		return err_set(r->err, "%s: no heading: device,port,peer,peer_port", r->file);
	return ok;
}
