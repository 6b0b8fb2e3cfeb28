#include "tests/trials/root_first.h"

#include <stdio.h>
#include <string.h>

#include "core/diagnose/diagnosis.h"

static const char *text_of(json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));

	return text ? text : "";
}

static void add_place(struct broken *b, const char *device, const char *port)
{
	if (b->n_places < PLACES_MAX)
		snprintf(b->places[b->n_places++], sizeof(b->places[0]), "%.48s%s%.48s", device, *port ? ":" : "", port);
}

/* The text behind "node1 eth2 peer.name = " in the state, without its quotes; "" where it has none. */
static void state_text(const char *state, const char *place, const char *field, char out[100])
{
	const char *colon = strchr(place, ':');
	char line[200];
	const char *at;

	snprintf(line, sizeof(line), "%.*s %s %s = \"", colon ? (int)(colon - place) : 0, place, colon ? colon + 1 : "", field);
	at = strstr(state, line);
	snprintf(out, 100, "%.*s", at ? (int)strcspn(at + strlen(line), "\"\n") : 0, at ? at + strlen(line) : "");
}

void root_broken(struct broken *b, const char *fault, const char *place, const char *state)
{
	char device[100], port[100];

	*b = (struct broken){ .kind = NULL };
	for (size_t k = 0; k < breakage_count(); k++)
		if (strcmp(breakages()[k].fault, fault) == 0)
			b->kind = &breakages()[k];
	snprintf(b->text, sizeof(b->text), "%s@%s", fault, place);
	add_place(b, place, "");
	if (b->kind)
		add_ring(b);
	b->has_mlx4 = strstr(state, " breed-mlx4");
	state_text(state, place, "peer.name", device);
	state_text(state, place, "peer.port", port);
	if (*device)
		add_place(b, device, port);
}

static bool is_sign_of(const char *check, const char *cause)
{
	const struct known_cause *known = cause ? known_cause_find(cause) : NULL;

	for (size_t i = 0; known && i < SIGNS_MAX && known->signs[i].check; i++)
		if (strcmp(known->signs[i].check, check) == 0)
			return true;
	return false;
}

static bool has_signs(const char *cause)
{
	const struct known_cause *known = known_cause_find(cause);

	return known && known->signs[0].check;
}

/* A cause that is as right is so where its row says what is measured: a watchdog that is not seen to drop breaks no ring. */
static bool is_also(const struct broken *b, json_t *row)
{
	if (!is_sign_of(text_of(row, "check"), b->kind->also))
		return false;
	return strcmp(b->kind->also, "watchdog-drops") != 0 || strstr(text_of(row, "what"), "the watchdog drops");
}

/* While a row of the fault's own cause stands it is to be told before one that is as right. */
static bool is_passed_over(const struct broken *b, json_t *rows)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
		if (is_sign_of(text_of(row, "check"), b->kind->cause) && !strcmp(text_of(row, "severity"), "fail"))
			return b->kind->ring && !is_sign_of(text_of(json_array_get(rows, 0), "check"), b->kind->cause);
	return false;
}

static bool is_row_right(const struct broken *b, json_t *row)
{
	struct named_cause at = { .cause = "" };

	if (!has_signs(b->kind->cause))
		return true;	/* the tree alone names it */
	if (!is_sign_of(text_of(row, "check"), b->kind->cause) && !is_also(b, row))
		return false;
	snprintf(at.cause, sizeof(at.cause), "%s", b->kind->cause);
	snprintf(at.where, sizeof(at.where), "%s", text_of(row, "where"));
	return names_fault(&at, b);
}

static bool is_cause_right(const struct broken *b, json_t *cause)
{
	struct named_cause named = { .cause = "" };

	snprintf(named.cause, sizeof(named.cause), "%s", text_of(cause, "cause"));
	snprintf(named.where, sizeof(named.where), "%s", text_of(cause, "where"));
	return json_is_true(json_object_get(cause, "named")) && names_fault(&named, b);
}

/* That a device is hard to read says nothing of the fabric: what would show the fault may be what was not read. */
static bool is_said(json_t *row)
{
	static const char *const of_reading[] = { "device-reached", "answers-in-time", "answers-understood" };
	const char *severity = text_of(row, "severity");

	for (size_t i = 0; i < sizeof(of_reading) / sizeof(*of_reading); i++)
		if (!strcmp(text_of(row, "check"), of_reading[i]))
			return false;
	return !strcmp(severity, "fail") || !strcmp(severity, "warn") || !strcmp(severity, "look");
}

static bool is_named(json_t *cause)
{
	static const char *const of_reading[] = { "unreachable", "garbled-answers", "slow-answers" };

	for (size_t i = 0; i < sizeof(of_reading) / sizeof(*of_reading); i++)
		if (!strcmp(text_of(cause, "cause"), of_reading[i]))
			return false;
	return json_is_true(json_object_get(cause, "named"));
}

/* Of all rows the first that the fault has to stand above. */
static json_t *first_row(const struct broken *b, json_t *rows)
{
	json_t *row;
	size_t i = 0;

	do
		row = json_array_get(rows, i++);
	while (b->has_mlx4 && is_true_beside_mlx4(text_of(row, "check")) && !is_row_right(b, row));
	return row;
}

enum first_is root_is_first(const struct broken *b, json_t *findings, json_t *causes, struct buf *what)
{
	json_t *row = first_row(b, findings), *cause = json_array_get(causes, 0);

	buf_printf(what, "row 1: %s at %s: %s; cause 1: %s at %s", text_of(row, "check"), text_of(row, "where"), text_of(row, "what"),
		   text_of(cause, "cause"), text_of(cause, "where"));
	if (is_row_right(b, row) && is_cause_right(b, cause) && !is_passed_over(b, findings))
		return FIRST_YES;
	return is_said(row) || is_named(cause) ? FIRST_OTHER : FIRST_UNNAMED;
}
