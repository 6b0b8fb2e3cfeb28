/* fabcon bringup: each NIC of the rack, and the first stage that it has not passed. */
#include "tui/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/bringup/rack.h"
#include "tui/args/targets.h"

#define COLUMNS	"host nic far stage state what do check! device! port!"
#define ALL	((1u << BRINGUP_STAGES) - 1)

struct asked {
	const struct targets *targets;
	const struct inventory *inventory;
};

/* A target is a host, or a rack by the inventory's name of it. */
static bool is_asked(const void *ctx, const char *host)
{
	const struct asked *a = ctx;
	const struct host *h = inventory_find(a->inventory, host);

	for (size_t i = 0; i < a->targets->n; i++)
		if (!strcmp(a->targets->names[i], host) || (h && h->rack && !strcmp(a->targets->names[i], h->rack)))
			return true;
	return !a->targets->n;
}

static bool is_any_host_of(const struct bringup_rack *r, const struct inventory *inv, const char *name)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct host *h = inventory_find(inv, r->units[i].host);

		if (!strcmp(r->units[i].host, name) || (h && h->rack && !strcmp(h->rack, name)))
			return true;
	}
	return false;
}

/* What the last judge has found there, or NULL. */
static const struct finding *finding_of(const struct findings *f, const struct bringup_answer *a)
{
	const struct finding *const *list;
	size_t n = findings_open(f, &list);

	for (size_t i = 0; i < n; i++)
		if (list[i]->check == a->check && (!a->port || list[i]->port == a->port || list[i]->far == a->port) &&
		    (a->port || list[i]->device == a->device))
			return list[i];
	return NULL;
}

static void unit_row(struct sheet *sheet, const struct bringup_unit *u, const struct findings *findings)
{
	const struct bringup_answer *a = &u->answer;
	const struct finding *f = a->check ? finding_of(findings, a) : NULL;
	bool is_passed = u->at == BRINGUP_STAGES;
	char far[140];

	snprintf(far, sizeof(far), "%.64s:%.64s", u->peer ? u->peer : "?", u->peer_port ? u->peer_port : "?");
	sheet_row(sheet);
	sheet_text(sheet, u->host);
	sheet_text(sheet, u->nic);
	sheet_text(sheet, u->peer ? far : NULL);
	sheet_cell(sheet, json_text(is_passed ? NULL : bringup_stage_table[u->at].id), is_passed ? "-" : NULL);
	sheet_text(sheet, bringup_state_word(a->state));
	if (is_passed)
		sheet_cell(sheet, json_null(), "-");
	else if (u->words[0])
		sheet_text(sheet, u->words);
	else if (f && f->verdict == VERDICT_UNKNOWN)
		sheet_text(sheet, f->missing);
	else
		sheet_cell(sheet, json_text(f ? f->what : NULL), f ? NULL : "nothing that this stage asks could be judged");
	sheet_cell(sheet, json_text(a->check && a->state == BRINGUP_FAIL ? a->check->change : NULL),
		   a->check && a->state == BRINGUP_FAIL ? NULL : "-");
	sheet_text(sheet, a->check ? a->check->id : NULL);
	sheet_text(sheet, a->device ? a->device->name : NULL);
	sheet_text(sheet, a->port ? a->port->name : NULL);
}

/* EXIT_FINDINGS: a NIC has failed. EXIT_PARTIAL: none has, and some are not known. */
static int fill(struct session *s, const struct targets *targets, struct sheet *sheet)
{
	const struct bringup_fabric f = { session_model(s), session_links(s), session_inventory(s), session_findings(s) };
	const struct asked asked = { targets, f.inventory };
	struct bringup_rack rack = { 0 };
	char *line;
	int code;

	bringup_rack_read(&rack, &f, is_asked, &asked, ALL);
	for (size_t i = 0; i < rack.n; i++)
		unit_row(sheet, &rack.units[i], f.findings);
	for (size_t i = 0; i < targets->n; i++)
		if (!is_any_host_of(&rack, f.inventory, targets->names[i]))
			complain(0, "%s: no host and no rack of the inventory", targets->names[i]);
	line = xasprintf("%zu NICs: %zu failed, %zu not known, %zu passed; no traffic was sent", rack.n, rack.count[BRINGUP_FAIL],
			 rack.count[BRINGUP_UNKNOWN], rack.count[BRINGUP_PASS]);
	sheet_set(sheet, "summary", json_text(line));
	free(line);
	code = !rack.n ? EXIT_NO_TARGET : rack.count[BRINGUP_FAIL] ? EXIT_FINDINGS : rack.count[BRINGUP_UNKNOWN] ? EXIT_PARTIAL : EXIT_DONE;
	bringup_rack_done(&rack);
	return code;
}

int cmd_bringup(struct cli *cli)
{
	struct targets targets = { 0 };
	struct sheet *sheet;
	struct session *s;
	int code, judged;

	cli->judges = true;
	s = read_fabric(cli, &code);
	if (!s)
		return code;
	targets_read(&targets, cli);
	sheet = sheet_new("fabcon.bringup/1", COLUMNS);
	sheet_set(sheet, "fabric", json_text(session_fabric(s)));
	sheet_set(sheet, "at", json_time(model_now(session_model(s))));
	judged = fill(s, &targets, sheet);
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	targets_done(&targets);
	read_fabric_done(cli, s);
	return code == EXIT_DONE || judged == EXIT_FINDINGS ? judged : code;
}
