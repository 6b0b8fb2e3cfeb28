/* fabcon compare: two links or devices, fact by fact. */
#include "tui/commands/commands.h"

#include <stdio.h>

#include "tui/views/compare.h"

#define COLUMNS "field as a b a_age_ms b_age_ms"

static const char *const as_words[] = {
	[COMPARED_DIFFERS] = "differs", [COMPARED_UNKNOWN] = "unknown", [COMPARED_NATURE] = "by-nature", [COMPARED_ALIKE] = "alike",
	[COMPARED_UNSAID] = "not-wanted", [COMPARED_ALONE] = "one-alone",
};

static const struct port *port_named(const struct model *m, const char *target)
{
	const char *colon = strchr(target, ':');
	char device[128];

	if (!colon)
		return NULL;
	snprintf(device, sizeof(device), "%.*s", (int)(colon - target), target);
	return model_find_port(m, device, colon + 1);
}

/* The two ends of one link are compared with each other, and not the link with itself. */
static bool add_ends(struct comparison *c, struct session *s, const struct compare_with *with, char *const *targets)
{
	const struct port *a = port_named(with->model, targets[0]), *b = port_named(with->model, targets[1]);
	const struct link *link = a ? links_of_port(session_links(s), a) : NULL;

	if (!b || !link || link_other(link, a) != b)
		return false;
	compare_end(c, with, a);
	compare_end(c, with, b);
	return true;
}

/* "node1", "node1:eth2": of a port that is on a link, the link; false when there is no such thing. */
static bool add_target(struct comparison *c, struct session *s, const struct compare_with *with, const char *target,
		       const struct link **link)
{
	const struct device *d;
	const struct port *p;

	*link = NULL;
	if (!strchr(target, ':')) {
		d = model_find_device(with->model, target);
		if (d)
			compare_device(c, with, d);
		return d != NULL;
	}
	p = port_named(with->model, target);
	*link = p ? links_of_port(session_links(s), p) : NULL;
	if (*link)
		compare_link(c, with, *link);
	else if (p)
		compare_port(c, with, p);
	return p != NULL;
}

static void say_told(struct sheet *sheet, const struct told *t)
{
	sheet_text(sheet, t ? t->value : NULL);
}

static void say_age(struct sheet *sheet, const struct told *t)
{
	if (t && t->age_us >= 0)
		sheet_number(sheet, (uint64_t)(t->age_us / 1000));
	else
		sheet_unknown(sheet);
}

static void write_rows(const struct comparison *c, struct sheet *sheet)
{
	char label[96];

	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compared_row *row = &c->rows[i];

		compare_label(row, label, sizeof(label));
		sheet_row(sheet);
		sheet_text(sheet, label);
		sheet_text(sheet, as_words[row->as]);
		say_told(sheet, row->told[0]);
		say_told(sheet, row->told[1]);
		say_age(sheet, row->told[0]);
		say_age(sheet, row->told[1]);
	}
}

static void fill_compare(struct cli *cli, struct session *s, struct sheet *sheet)
{
	struct compare_with with = { session_model(s), session_policy(s), session_inventory(s) };
	struct comparison c = { 0 };
	const struct link *link = NULL;
	bool are_ends = cli->n_args == 2 && add_ends(&c, s, &with, cli->args);

	for (int i = 0; !are_ends && i < cli->n_args; i++)
		if (!add_target(&c, s, &with, cli->args[i], &link))
			complain_of_target(cli, cli->args[i], device_near(session_model(s), cli->args[i]));
	if (cli->n_args == 1 && link)
		compare_policy(&c, &with, link);
	if (c.n == 2) {
		sheet_set(sheet, "a", json_text(c.subjects[0].name));
		sheet_set(sheet, "b", json_text(c.subjects[1].name));
		compare_make(&c);
		write_rows(&c, sheet);
	} else {
		sheet_set(sheet, "complete", json_false());
	}
	comparison_done(&c);
}

int cmd_compare(struct cli *cli)
{
	if (cli->n_args > 2)
		return complain(EXIT_USAGE, "compare: two targets, or one port and the policy: fabcon compare node1:eth2 node2:eth2");
	return print_sheet(cli, "fabcon.compare/1", COLUMNS, fill_compare);
}
