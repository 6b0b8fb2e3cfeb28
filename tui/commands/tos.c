/* fabcon tos: decode a ToS byte or DSCP. */
#include "tui/commands/commands.h"

#include <inttypes.h>

/* DSCP names of RFC 2474 (CS), 2597 (AF), 3246 (EF), 5865 (VA), 8622 (LE). */
static const struct {
	unsigned dscp;
	const char *name;
} dscp_names[] = {
	{ 0, "CS0" }, { 1, "LE" }, { 8, "CS1" }, { 10, "AF11" }, { 12, "AF12" }, { 14, "AF13" }, { 16, "CS2" }, { 18, "AF21" },
	{ 20, "AF22" }, { 22, "AF23" }, { 24, "CS3" }, { 26, "AF31" }, { 28, "AF32" }, { 30, "AF33" }, { 32, "CS4" },
	{ 34, "AF41" }, { 36, "AF42" }, { 38, "AF43" }, { 40, "CS5" }, { 44, "VA" }, { 46, "EF" }, { 48, "CS6" }, { 56, "CS7" },
};

static const char *const ecn_names[] = { "Not-ECT", "ECT(1)", "ECT(0)", "CE" };

static bool read_name(struct span s, uint64_t *tos)
{
	for (size_t i = 0; i < sizeof(dscp_names) / sizeof(*dscp_names); i++)
		if (span_is_nocase(s, dscp_names[i].name)) {
			*tos = (uint64_t)dscp_names[i].dscp << 2;
			return true;
		}
	return false;
}

static bool read_tos(const char *text, uint64_t *tos)
{
	struct span s = span_of(text);

	if (read_name(s, tos))
		return true;

	if (span_skip(&s, "dscp"))
		return span_u64(span_trim(s), tos) && *tos < 64 && (*tos <<= 2, true);
	if (span_starts(s, "0x"))
		return span_hex(s, tos) && *tos < 256;
	return span_u64(s, tos) && *tos < 256;
}

static const char *name_of(unsigned dscp)
{
	for (size_t i = 0; i < sizeof(dscp_names) / sizeof(*dscp_names); i++)
		if (dscp_names[i].dscp == dscp)
			return dscp_names[i].name;
	return NULL;
}

/* Whether the policy has the DSCP in a lossless priority. */
static bool say_policy(struct cli *cli, struct sheet *sheet, unsigned dscp)
{
	const char *name = cli->policy && policy_builtin_text(cli->policy) ? cli->policy : policy_builtin_name(0);
	struct policy *policy = policy_builtin(name);
	struct policy_target host = { .device = "host", .port = "eth0" };
	struct value want, pause = { .n = 0 };

	sheet_text(sheet, name);
	if (policy_wants(policy, &host, FIELD_DSCP_PRIO, dscp, &want, NULL)) {
		sheet_number(sheet, want.n);
		policy_wants(policy, &host, FIELD_PFC_ON, (unsigned)want.n, &pause, NULL);
	} else {
		sheet_unknown(sheet);
	}
	policy_free(policy);
	return pause.n != 0;
}

int cmd_tos(struct cli *cli)
{
	struct sheet *sheet;
	uint64_t tos;
	unsigned dscp, ecn;
	bool is_lossless;
	char hex[8];

	if (!read_tos(cli->args[0], &tos))
		return complain(EXIT_USAGE, "a ToS byte is 0-255 (106, 0x6a), or a DSCP is dscp0-dscp63 or its name (af31, cs6, ef); "
					    "not \"%s\"", cli->args[0]);
	dscp = (unsigned)tos >> 2;
	ecn = (unsigned)tos & 3;
	snprintf(hex, sizeof(hex), "0x%02x", (unsigned)tos);
	sheet = sheet_new("fabcon.tos/1", "tos hex dscp dscp_name ecn markable mlx5_default_priority policy policy_priority");
	sheet_row(sheet);
	sheet_number(sheet, tos);
	sheet_text(sheet, hex);
	sheet_number(sheet, dscp);
	sheet_cell(sheet, json_text(name_of(dscp)), name_of(dscp) ? NULL : "-");
	sheet_text(sheet, ecn_names[ecn]);
	sheet_cell(sheet, json_boolean(ecn != 0), ecn ? NULL : "only if the NIC sets ECT");
	sheet_number(sheet, dscp >> 3);
	is_lossless = say_policy(cli, sheet, dscp);
	if (ecn == 0 && is_lossless)
		sheet_set(sheet, "summary", json_string("Not-ECT unless the NIC sets the ECN bits itself (mlx5 may): some switches "
							"drop it above the ECN threshold instead of marking it; use ToS + 2"));
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	return EXIT_DONE;
}
