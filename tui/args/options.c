/* The options, a row each. */
#include <stdlib.h>

#include "tui/args/cli.h"
#include "tui/args/consent.h"
#include "tui/text/times.h"

static bool take_text(const char **to, const char *value)
{
	*to = value;
	return true;
}

/* -i said again adds to what was said; what the command line says takes the place of a file's or the environment's. */
static bool take_inventory(struct cli *cli, const char *value, struct err *err)
{
	if (strchr(value, '\n'))
		return err_set(err, "-i takes a file or hosts in one line");
	cli_name(cli, value);
	return true;
}

static bool take_policy(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->policy, value);
}

static bool take_plan(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->plan, value);
}

static bool take_nccl(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->nccl, value);
}

static bool take_record(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->record, value);
}

static bool take_at(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->at, value);
}

static bool take_since(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->since, value);
}

static bool take_until(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->until, value);
}

static bool take_filter(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->filter, value);
}

static bool take_port(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->port, value);
}

static bool take_theme(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->theme, value);
}

static bool take_out(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->out, value);
}

static bool take_identity(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->identity, value);
}

static bool take_allow(struct cli *cli, const char *value, struct err *err)
{
	(void)cli;
	return consent_allow(value, err);
}

static bool take_fabric_port(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->fabric_ports, value);
}

static bool take_transport(struct cli *cli, const char *value, struct err *err)
{
	(void)cli;
	if (strcmp(value, "openssh") != 0 && strcmp(value, "libssh") != 0)
		return err_set(err, "--transport takes libssh or openssh, not \"%s\"", value);
	cli->uses_openssh = !strcmp(value, "openssh");
	return true;
}

static bool take_output(struct cli *cli, const char *value, struct err *err)
{
	static const struct {
		const char *name;
		enum sheet_format format;
	} formats[] = {
		{ "table", SHEET_TABLE }, { "json", SHEET_JSON }, { "jsonl", SHEET_JSONL }, { "csv", SHEET_CSV },
		{ "junit", SHEET_TABLE }, { "dot", SHEET_TABLE }, { "md", SHEET_TABLE }, { "html", SHEET_TABLE },
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		if (strcmp(formats[i].name, value) == 0) {
			cli->format = formats[i].format;
			cli->format_name = formats[i].name;
			return true;
		}
	}
	return err_set(err, "-o takes table, json, jsonl or csv (check, bringup: junit too; map: dot; report, prove: md), not \"%s\"", value);
}

static bool take_tree(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->tree, value);
}

static bool take_stages(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->stages, value);
}

static bool take_answer(struct cli *cli, const char *value, struct err *err)
{
	if (cli->n_answers == CLI_ANSWERS_MAX)
		return err_set(err, "more than %d answers", CLI_ANSWERS_MAX);
	cli->answers[cli->n_answers++] = value;
	return true;
}

static bool take_fail_on(struct cli *cli, const char *value, struct err *err)
{
	static const enum verdict levels[] = { VERDICT_LOOK, VERDICT_WARN, VERDICT_FAIL };

	for (size_t i = 0; i < 3; i++) {
		if (strcmp(verdict_name(levels[i]), value) == 0 || strcmp(severity_name(levels[i]), value) == 0) {
			cli->fail_on = levels[i];
			return true;
		}
	}
	return err_set(err, "--fail-on takes info, warning or critical (look, warn, fail), not \"%s\"", value);
}

static bool take_hostkey(struct cli *cli, const char *value, struct err *err)
{
	static const char *const rules[] = { "ask", "accept-new", "strict" };

	for (size_t i = 0; i < 3; i++) {
		if (strcmp(rules[i], value) == 0) {
			cli->hostkey = (enum hostkey_rule)i;
			return true;
		}
	}
	return err_set(err, "--host-key takes ask, accept-new or strict, not \"%s\"", value);
}

static bool take_color(struct cli *cli, const char *value, struct err *err)
{
	if (strcmp(value, "auto") != 0 && strcmp(value, "always") != 0 && strcmp(value, "never") != 0)
		return err_set(err, "--color takes auto, always or never, not \"%s\"", value);
	return take_text(&cli->color, value);
}

static bool take_timeout(struct cli *cli, const char *value, struct err *err)
{
	return parse_duration(value, &cli->timeout_us, err);
}

static bool take_every(struct cli *cli, const char *value, struct err *err)
{
	return parse_duration(value, &cli->every_us, err);
}

static bool take_for(struct cli *cli, const char *value, struct err *err)
{
	return parse_duration(value, &cli->for_us, err);
}

static bool take_watch(struct cli *cli, const char *value, struct err *err)
{
	if (value)
		return parse_duration(value, &cli->watch_us, err);
	cli->watch_us = 2 * SECOND;
	return true;
}

/* Without a value it is on; files and the environment say which. */
static bool take_switch(bool *to, const char *value, struct err *err)
{
	static const char *const words[] = { "no", "yes", "false", "true", "off", "on", "0", "1" };

	for (size_t i = 0; value && i < sizeof(words) / sizeof(*words); i++) {
		if (span_is_nocase(span_of(value), words[i])) {
			*to = i % 2;
			return true;
		}
	}
	*to = true;
	return !value || err_set(err, "expected yes or no, not \"%.40s\"", value);
}

#define SWITCH(name) \
static bool take_##name(struct cli *cli, const char *value, struct err *err) \
{ \
	return take_switch(&cli->name, value, err); \
}
SWITCH(quiet)
SWITCH(verbose)
SWITCH(ascii)
SWITCH(plain)
SWITCH(no_input)
SWITCH(no_agent)
SWITCH(list)
SWITCH(fresh)
SWITCH(braille)
SWITCH(mouse)
SWITCH(utc)
SWITCH(ping_neighbors)

SWITCH(read_only)
SWITCH(rw)
SWITCH(dry_run)
SWITCH(no_undo)
SWITCH(no_save)
SWITCH(finish)
SWITCH(one_end)
SWITCH(traffic)
SWITCH(resume)
SWITCH(across)
SWITCH(lossy)

static bool take_reason(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->reason, value);
}

#define HASH_DIGITS	64

static bool take_approve(struct cli *cli, const char *value, struct err *err)
{
	size_t n = strlen(value);

	if (n != HASH_DIGITS || strspn(value, "0123456789abcdefABCDEF") != n)
		return err_set(err, "--approve takes the plan's whole hash, %d hex digits (fabcon plan show FILE prints it), not \"%.80s\"",
			       HASH_DIGITS, value);
	return take_text(&cli->approve, value);
}

static bool take_signature(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->signature, value);
}

static bool take_approvers(struct cli *cli, const char *value, struct err *err)
{
	(void)err;
	return take_text(&cli->approvers, value);
}

/* Once demanded it stays so, in whatever order it is said. */
static bool take_approval(struct cli *cli, const char *value, struct err *err)
{
	if (strcmp(value, "hash") != 0 && strcmp(value, "signature") != 0)
		return err_set(err, "--approval takes hash or signature, not \"%.40s\"", value);
	cli->needs_signature |= !strcmp(value, "signature");
	return true;
}

static bool take_management(struct cli *cli, const char *value, struct err *err)
{
	struct span head, tail;

	if (!span_cut(span_of(value), ' ', &head, &tail) || !head.n || !tail.n)
		return err_set(err, "--management takes a device and its port: \"node1 eth0\", not \"%.80s\"", value);
	return take_text(&cli->management, value);
}

#define CONFIRM_MIN_US	(10 * SECOND)		/* less could end before it was verified */
#define CONFIRM_MAX_US	(24 * 3600 * SECOND)
#define UNDO_MIN_US	(3 * SECOND)
#define WATCH_MAX_US	(3600 * SECOND)		/* as plans are read */

static bool take_between(const char *value, int64_t least_us, int64_t most_us, const char *words, int64_t *to, struct err *err)
{
	int64_t us;

	if (!parse_duration(value, &us, err))
		return false;
	if (us < least_us || us > most_us)
		return err_set(err, "%s, not \"%.40s\"", words, value);
	*to = us;
	return true;
}

static bool take_confirm_within(struct cli *cli, const char *value, struct err *err)
{
	return take_between(value, CONFIRM_MIN_US, CONFIRM_MAX_US, "--confirm-within takes from 10s to 24h", &cli->confirm_us, err);
}

static bool take_undo_after(struct cli *cli, const char *value, struct err *err)
{
	return take_between(value, UNDO_MIN_US, CONFIRM_MAX_US, "--undo-after takes from 3s to 24h", &cli->undo_us, err);
}

static bool take_verify_for(struct cli *cli, const char *value, struct err *err)
{
	return take_between(value, SECOND, WATCH_MAX_US, "--verify-for takes from 1s to 1h", &cli->verify_us, err);
}

const struct option_row option_table[] = {
	{ 'i', "inventory",	"FILE|HOSTS", take_inventory,	"hosts: an inventory (Ansible, a list, CSV), - or node[01-16]; may "
								"be repeated" },
	{ 'p', "policy",	"FILE|NAME", take_policy,	"the policy; shipped: roce-lossless (default), roce-iscsi, "
								"roce-two-class" },
	{ 0,   "plan",		"FILE",      take_plan,		"cable plan: CSV (device,port,peer,peer_port), Graphviz, lldpcli JSON" },
	{ 0,   "nccl",		"FILE",      take_nccl,		"a log of NCCL (NCCL_DEBUG=INFO), or HOST=FILE, a bandwidth test of "
								"HOST; - for standard input" },
	{ 'o', "output",	"FORMAT",    take_output,	"table (default), json, jsonl, csv; check, bringup: junit; map: dot" },
	{ 0,   "filter",	"TEXT",      take_filter,	"rows that match: words !not field:value field>number is:bad ~regex" },
	{ 0,   "watch",		"[=S]",      take_watch,	"repeat every S seconds (2)" },
	{ 0,   "record",	"FILE",      take_record,	"also record to FILE" },
	{ 0,   "since",		"TIME",      take_since,	"events, changes: from this time on, as with --at" },
	{ 0,   "until",		"TIME",      take_until,	"events, changes: up to this time" },
	{ 0,   "at",		"TIME",      take_at,		"replay: the time to show, UTC: 14:26, \"2026-09-12 14:26\", -10m" },
	{ 0,   "for",		"TIME",      take_for,		"record: how long; default: until Ctrl-C" },
	{ 0,   "every",		"TIME",      take_every,	"how often counters are read (1s)" },
	{ 0,   "timeout",	"TIME",      take_timeout,	"how long to wait for the first complete reading (30s)" },
	{ 0,   "stages",	"LIST",	     take_stages,	"bringup: only these stages, with commas: cabling,wire,qos", .each_time = true },
	{ 0,   "fail-on",	"LEVEL",     take_fail_on,	"check: exit 1 at info, warning or critical (default critical)" },
	{ 0,   "tree",		"NAME",      take_tree,		"diagnose: the decision tree: roce (default), seed" },
	{ 0,   "answer",	"QUESTION=yes|no", take_answer,	"diagnose: an answer that you know; may be repeated" },
	{ 0,   "host-key",	"RULE",      take_hostkey,	"unknown host keys: ask (default), accept-new, strict" },
	{ 0,   "identity",	"FILE",      take_identity,	"private key to try first" },
	{ 0,   "allow",		"WORDS",     take_allow,	"programs from your configuration that may run here: match-exec, "
								"ansible-inventory" },
	{ 0,   "fabric-port",	"NAME[,NAME]",
	       take_fabric_port,	"treat these interfaces as fabric ports although they have no hardware: veth, stacked" },
	{ 0,   "ping-neighbors", NULL,	     take_ping_neighbors, "fill hosts' neighbor tables first: one IPv6 ping to ff02::1 on "
								  "each port" },
	{ 0,   "transport",	"NAME",      take_transport,	"libssh (default), or openssh: use this machine's ssh for every host" },
	{ 0,   "no-agent",	NULL,        take_no_agent,	"do not use the SSH agent" },
	{ 0,   "port",		"NAME",      take_port,		"parse: the port that the text is about" },
	{ 'O', "out",		"FILE",      take_out,		"write the output to FILE; never overwrites a file" },
	{ 0,   "list",		NULL,        take_list,		"parse: every platform, probe and its command" },
	{ 0,   "theme",	"NAME",
	       take_theme,	"auto (default), dark, light, mono, highcontrast, colourblind, solarized, or a file's (man 5 "
				"fabcon-theme)" },
	{ 0,   "color",		"WHEN",      take_color,	"screen colors: auto (default), always, never; NO_COLOR is honored" },
	{ 0,   "braille",	NULL,        take_braille,	"sparklines of the console in braille instead of blocks" },
	{ 0,   "mouse",		NULL,        take_mouse,	"the console takes the mouse: wheel, click, double click; otherwise "
								"the terminal selects text" },
	{ 0,   "utc",		NULL,        take_utc,		"times in UTC (default); --utc=no: local times on the console's screens" },
	{ 0,   "fresh",		NULL,        take_fresh,	"the console starts fresh: nothing of the last session is restored" },
	{ 0,   "ascii",		NULL,        take_ascii,	"ASCII characters only" },
	{ 0,   "plain",	NULL,        take_plain,	"the console in line mode, for screen readers and scripts" },
	{ 0,   "no-input",	NULL,        take_no_input,	"never prompt; anything that needs an answer fails" },
	{ 0,   "read-only",	NULL,        take_read_only,	"change nothing on any device (default); in a configuration file, "
								"forbids --rw", .stays = "yes true on 1" },
	{ 0,   "rw",		NULL,        take_rw,		"apply, keep, undo, verify --finish: permission to write, for this command", .each_time = true },
	{ 0,   "reason",	"TEXT",      take_reason,	"the reason, for the audit: a ticket number" },
	{ 0,   "approve",	"HASH",      take_approve,	"apply: approve the plan with this hash (all 64 digits) without a prompt",
	  .each_time = true },
	{ 0,   "signature",	"FILE",      take_signature,	"apply: approve the plan with this signature (ssh-keygen -Y sign -n fabcon.plan)",
	  .each_time = true },
	{ 0,   "approvers",	"FILE",      take_approvers,	"who may sign plans: a file of allowed signers, as ssh-keygen(1) describes it",
	  .stays = "" },
	{ 0,   "approval",	"RULE",      take_approval,	"what approves a plan: hash (default; a signature too) or signature alone",
	  .stays = "signature" },
	{ 0,   "confirm-within", "TIME",     take_confirm_within, "apply: each device rolls back after TIME unless the change is "
								  "kept (10s to 24h)" },
	{ 0,   "undo-after",	"TIME",	     take_undo_after,	"apply, tui: a device that loses contact rolls back after TIME (10m)" },
	{ 0,   "verify-for",	"TIME",	     take_verify_for,	"plan, tui: how long verification must hold without a lossless drop (10s)" },
	{ 0,   "traffic",	NULL,        take_traffic,	"bringup: permission to send test traffic, for this command; needs --reason",
	  .each_time = true },
	{ 0,   "across",	NULL,        take_across,	"bringup: test traffic across leaves too, over links between switches that others may "
								"use", .each_time = true },
	{ 0,   "lossy",		NULL,        take_lossy,	"bringup: an incast with a stream of UDP too, which takes from what others send in the "
								"lossy class", .each_time = true },
	{ 0,   "resume",	NULL,        take_resume,	"bringup: go on with the bring-up that --record FILE holds; what was tested is not tested "
								"again", .each_time = true },
	{ 0,   "one-end",	NULL,        take_one_end,	"plan: the named end of a link alone; otherwise both ends are planned", .each_time = true },
	{ 0,   "dry-run",	NULL,        take_dry_run,	"apply: read, compare, and print what would be done; writes nothing" },
	{ 0,   "no-save",	NULL,        take_no_save,	"apply, keep: commit to the running configuration only; lost at reboot" },
	{ 0,   "finish",	NULL,        take_finish,	"verify: where one end of a link is committed and the other is not, commit or "
								"apply the other; if it fails, roll both back", .each_time = true },
	{ 0,   "no-undo",	NULL,        take_no_undo,	"apply: also where a device cannot run a rollback timer", .each_time = true },
	{ 0,   "management",	"DEVICE PORT", take_management,	"apply: this port may be changed although our own session uses it",
	  .each_time = true },
	{ 'q', "quiet",		NULL,        take_quiet,	"no progress, no remarks" },
	{ 'v', "verbose",	NULL,        take_verbose,	"more remarks" },
};
const size_t option_count = sizeof(option_table) / sizeof(*option_table);
