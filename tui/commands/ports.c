/* fabcon ports: a row for each link, both ends. */
#include "tui/commands/commands.h"

#include <math.h>

#include "core/fabric/tree.h"
#include "tui/args/targets.h"
#include "tui/text/human.h"
#include "tui/views/port_row.h"

#define COLUMNS \
	"link worst speed mtu trust pfc dscp_prio ecn cnp paused_share pfc_per_s cnp_per_s tx_bps age_ms " \
	"a_device! a_port! b_device! b_port! joined_by! planned_peer! paused_device! paused_window_ms! " \
	"a_speed_bps! b_speed_bps! a_mtu_bytes! b_mtu_bytes! rail! rack!"

static const char *const joined[] = {
	[BY_NOTHING] = "nothing", [BY_LLDP_BOTH] = "lldp-both", [BY_LLDP_ONE] = "lldp-one", [BY_MAC] = "mac", [BY_FDB] = "fdb",
	[BY_PLAN] = "plan", [BY_SEGMENT] = "segment",
};

static void pair_json(struct sheet *sheet, const struct pair_cell *cell)
{
	json_t *value = json_object();
	char text[64];

	json_object_set_new(value, "a", cell->a[0] == '?' ? json_null() : json_text(cell->a));
	json_object_set_new(value, "b", cell->b[0] == '?' ? json_null() : json_text(cell->b));
	json_object_set_new(value, "verdict", json_text(verdict_name(cell->worst)));
	snprintf(text, sizeof(text), "%s %s %s", cell->a, pair_sign(cell) == '?' ? "?" : pair_joint(cell), cell->b);
	sheet_cell(sheet, value, text);
}

static void port_json(struct sheet *sheet, const struct port *p)
{
	sheet_text(sheet, p ? p->device->name : NULL);
	sheet_text(sheet, p ? p->name : NULL);
}

static void rate_json(struct sheet *sheet, bool known, double value, const char *text)
{
	sheet_cell(sheet, known ? json_real(value) : NULL, known ? text : NULL);
}

static void number_json(struct sheet *sheet, const struct model *m, const struct port *p, enum field f)
{
	uint64_t n;

	if (p && port_number(m, p, f, 0, &n))
		sheet_number(sheet, n);
	else
		sheet_unknown(sheet);
}

static void link_row(struct session *s, struct sheet *sheet, const struct link *link)
{
	const struct inventory *inv = session_inventory(s);
	const struct host *host = inventory_find(inv, link->a->device->name);
	struct portrow row;
	char text[HUMAN_MAX];

	portrow_make(&row, session_model(s), session_findings(s), session_policy(s), link, device_is_switch(link->a->device, inv),
		     link->b && device_is_switch(link->b->device, inv));
	sheet_row(sheet);
	sheet_text(sheet, link->name);
	sheet_verdict(sheet, row.worst);
	for (unsigned i = 0; i < PAIR_COUNT; i++)
		pair_json(sheet, &row.pairs[i]);
	rate_json(sheet, row.paused_known, row.paused_share, human_share(text, row.paused_share));
	rate_json(sheet, !isnan(row.pfc_per_s), row.pfc_per_s, human_count(text, row.pfc_per_s));
	rate_json(sheet, !isnan(row.cnp_per_s), row.cnp_per_s, human_count(text, row.cnp_per_s));
	rate_json(sheet, !isnan(row.tx_bps), row.tx_bps, human_bits(text, row.tx_bps));
	sheet_cell(sheet, row.age_us < 0 ? NULL : json_integer(row.age_us / 1000), row.age_us < 0 ? NULL : human_age(text, row.age_us));
	port_json(sheet, link->a);
	port_json(sheet, link->b);
	sheet_text(sheet, joined[link->by]);
	sheet_text(sheet, link->planned_peer);
	sheet_text(sheet, row.paused ? row.paused->device->name : NULL);
	if (row.paused_known && row.paused_window_us)
		sheet_number(sheet, (uint64_t)row.paused_window_us / 1000);
	else
		sheet_unknown(sheet);
	number_json(sheet, session_model(s), link->a, FIELD_SPEED);
	number_json(sheet, session_model(s), link->b, FIELD_SPEED);
	number_json(sheet, session_model(s), link->a, FIELD_MTU);
	number_json(sheet, session_model(s), link->b, FIELD_MTU);
	sheet_text(sheet, link_rail(link, inv));
	sheet_text(sheet, host ? host->rack : NULL);
}

static void fill_ports(struct cli *cli, struct session *s, struct sheet *sheet)
{
	const struct links *links = session_links(s);
	struct targets targets = { 0 };
	struct buf none = { 0 };

	targets_read(&targets, cli);
	for (size_t i = 0; i < links->n; i++)
		if (!targets.n || targets_have(&targets, &links->list[i]))
			link_row(s, sheet, &links->list[i]);
	targets_complain(&targets, cli, session_model(s), links);
	if (links->n == 0) {
		no_link_words(s, &none);
		sheet_set(sheet, "summary", json_text(none.text));
		buf_done(&none);
	}
	targets_done(&targets);
}

int cmd_ports(struct cli *cli)
{
	return print_sheet(cli, "fabcon.ports/1", COLUMNS, fill_ports);
}
