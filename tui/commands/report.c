/* fabcon report: the fabric now, for a ticket. */
#include "tui/commands/commands.h"
#include "tui/views/report.h"

int cmd_report(struct cli *cli)
{
	struct buf text = { 0 };
	struct view_of of;
	struct session *s;
	json_t *report;
	int code;

	if (cli->format != SHEET_JSON && cli->format != SHEET_TABLE)
		return complain(EXIT_USAGE, "a report is written as md or json, not %s", cli->format_name);
	cli->judges = true;
	s = read_fabric(cli, &code);
	if (!s)
		return code;
	of = (struct view_of){ .model = session_model(s), .links = session_links(s), .findings = session_findings(s),
			       .policy = session_policy(s), .inventory = session_inventory(s), .fabric = session_fabric(s),
			       .is_replay = session_is_replay(s) };
	report = report_json(&of);
	if (cli->format == SHEET_JSON)
		json_add(report, JSON_INDENT(1), &text);
	else
		report_markdown(report, cli->ascii, &text);
	fputs(text.text, stdout);
	buf_done(&text);
	json_decref(report);
	code = code_when_unjudged(s, code);
	read_fabric_done(cli, s);
	return code;
}
