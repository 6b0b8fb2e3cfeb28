/* What diagnose cites as evidence is a cell of the same recording: the same value, read at the same time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/trials/moment.h"

#define AGE_SLACK_S 0.002	/* ages are told in ms */

/* "node1 eth2 pfc.tx_us[3]", "node1 platform": the cell, or NULL. */
static json_t *cell_of(const struct moment *m, const char *fact, size_t n)
{
	char device[96] = "", port[96] = "", field[96] = "", copy[300];
	json_t *cell;
	size_t i;

	snprintf(copy, sizeof(copy), "%.*s", (int)n, fact);
	if (sscanf(copy, "%95s %95s %95s", device, port, field) == 2) {
		snprintf(field, sizeof(field), "%s", port);
		port[0] = '\0';
	}
	json_array_foreach(rows_of(m->cells), i, cell)
		if (!strcmp(text_of(cell, "device"), device) && !strcmp(text_of(cell, "port"), port) && !strcmp(text_of(cell, "field"), field))
			return cell;
	return NULL;
}

static void value_text(json_t *value, char out[300])
{
	if (json_is_string(value))
		snprintf(out, 300, "%s", json_string_value(value));
	else if (json_is_boolean(value))
		snprintf(out, 300, "%s", json_is_true(value) ? "yes" : "no");
	else if (json_is_real(value) && json_real_value(value) >= 18446744073709551615.0)
		snprintf(out, 300, "18446744073709551615");
	else if (json_is_number(value))
		snprintf(out, 300, "%.0f", json_number_value(value));
	else
		snprintf(out, 300, "?");
}

static void compare_fact(struct moment *m, json_t *evidence, const char *by)
{
	const char *fact = text_of(evidence, "fact"), *equals = strstr(fact, " = "), *said = equals ? equals + 3 : NULL;
	char bare[300], is[300];
	json_t *cell;

	if (!said || *said == '?')
		return;
	cell = cell_of(m, fact, (size_t)(equals - fact));
	m->count->statements++;
	if (!strcmp(said, "absent") && !cell)
		return;
	if (!cell) {
		differ(m, "a fact", by, fact, "no cell has it");
		return;
	}
	if (!strncmp(said, "unknown \"", 9))	/* with the reason, which the cell has beside its value */
		said = "?";
	snprintf(bare, sizeof(bare), "%s", *said == '"' ? said + 1 : said);
	if (*said == '"' && *bare)
		bare[strlen(bare) - 1] = '\0';
	value_text(json_object_get(cell, "value"), is);
	if (!strpbrk(is, "\"\\\n"))
		same_word(m, fact, by, "its evidence", bare, "the cell", is);
	if (json_is_string(json_object_get(evidence, "at"))) {
		double age = time_of(text_of(m->diagnose, "at")) - time_of(text_of(evidence, "at"));

		m->count->statements++;
		if (fabs(age - number_of(cell, "age_ms") / 1000) > AGE_SLACK_S)
			differ(m, "the age of a fact", by, fact, "the cell was read at another time");
	}
}

static void compare_facts(struct moment *m, json_t *facts, const char *by)
{
	json_t *one;
	size_t i;

	json_array_foreach(facts, i, one)
		compare_fact(m, one, by);
}

void compare_cited(struct moment *m)
{
	json_t *row, *reason;
	size_t i, k;

	json_array_foreach(json_object_get(m->diagnose, "path"), i, row)
		compare_facts(m, json_object_get(row, "evidence"), text_of(row, "question"));
	json_array_foreach(json_object_get(m->diagnose, "causes"), i, row)
		json_array_foreach(json_object_get(row, "for"), k, reason)
			compare_facts(m, json_object_get(reason, "facts"), text_of(row, "cause"));
}
