#include "tui/commands/facts.h"

#include <math.h>
#include <stdio.h>

static void fact_row(struct sheet *sheet, const struct model *m, const struct device *d, const struct port *p, enum field f,
		     unsigned index, const struct cell *c)
{
	const struct field_info *info = &field_table[f];
	char name[64];
	double per_s;

	if (info->width > 1)
		snprintf(name, sizeof(name), "%s[%u]", info->name, index);
	else
		snprintf(name, sizeof(name), "%s", info->name);
	sheet_row(sheet);
	sheet_text(sheet, d->name);
	sheet_cell(sheet, json_text(p ? p->name : NULL), p ? NULL : "-");
	sheet_text(sheet, name);
	sheet_cell(sheet, json_value(f, &c->value), NULL);
	sheet_cell(sheet, json_text(unit_name(info->unit)), NULL);
	sheet_real(sheet, p && port_rate(m, p, f, index, &per_s) ? per_s : NAN);
	sheet_number(sheet, (uint64_t)(cell_age_us(m, c) / 1000));
	sheet_cell(sheet, json_boolean(cell_is_stale(m, c)), NULL);
	sheet_text(sheet, c->reply->probe);
	sheet_cell(sheet, c->value.is == VALUE_UNKNOWN ? json_text(c->value.text) : NULL,
		   c->value.is == VALUE_UNKNOWN ? NULL : "");
}

void facts_of_device(struct sheet *sheet, const struct model *m, const struct device *d)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		for (unsigned i = 0; field_table[f].scope == SCOPE_DEVICE && i < field_table[f].width; i++)
			if (device_cell(d, (enum field)f, i))
				fact_row(sheet, m, d, NULL, (enum field)f, i, device_cell(d, (enum field)f, i));
	for (size_t i = 0; i < d->n_ports; i++)
		facts_of_port(sheet, m, d->ports[i]);
}

void facts_of_port(struct sheet *sheet, const struct model *m, const struct port *p)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		for (unsigned i = 0; field_table[f].scope == SCOPE_PORT && i < field_table[f].width; i++)
			if (port_cell(p, (enum field)f, i))
				fact_row(sheet, m, p->device, p, (enum field)f, i, port_cell(p, (enum field)f, i));
}
