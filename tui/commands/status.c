/* fabcon status: devices, their connection state, and the worst findings. */
#include "core/fabric/port_count.h"
#include "core/judge/judged.h"
#include "tui/commands/commands.h"

#define REASONS_MAX 4	/* in one line */

/* That nothing is wrong is said of what was judged, and with what was not. */
static void say_well(const struct session *s, struct buf *out)
{
	struct judged judged;

	judged_make(&judged, session_model(s), session_findings(s));
	if (judged.n) {
		buf_printf(out, "; no finding in what could be judged at %zu of %zu devices", judged.n, judged.devices);
		if (judged.n_list)
			buf_str(out, "; not judged: ");
		judged_words(&judged, 3, out);
	}
	judged_done(&judged);
}

/* Findings of a list at warn or above that another of it explains: the counts are of those that nothing explains. */
static size_t that_follow(const struct findings *f)
{
	const struct finding *const *list;
	size_t n = findings_open(f, &list), follow = 0;

	for (size_t i = 0; i < n; i++)
		follow += list[i]->verdict >= VERDICT_WARN && list[i]->cause;
	return follow;
}

void summary(const struct session *s, struct buf *out)
{
	const struct model *m = session_model(s);
	const struct findings *f = session_findings(s);
	struct buf nothing = { 0 };
	bool is_nothing;
	size_t up = 0, told = 0, follow = that_follow(f), fails = findings_count(f, VERDICT_FAIL), warns = findings_count(f, VERDICT_WARN) - fails;

	for (size_t i = 0; i < model_devices(m); i++) {
		const struct device *d = model_device(m, i);
		uint64_t state;
		bool is_told = device_number(m, d, FIELD_STATE, 0, &state);

		told += is_told;
		up += is_told ? state == STATE_UP : d->heard_us != 0;
	}
	/* Of support bundles nobody knows whether their devices are up. */
	buf_printf(out, "%s: %zu of %zu devices %s, %zu link%s", session_fabric(s), up, model_devices(m), told || !up ? "up" : "read",
		   session_links(s)->n, plural_s(session_links(s)->n));
	is_nothing = judged_nothing(m, f, REASONS_MAX, &nothing);
	if (!is_nothing || fails || warns)
		buf_printf(out, ", %zu critical, %zu warning", fails, warns);
	if (follow)
		buf_printf(out, ", and %zu that follow%s from them", follow, follow == 1 ? "s" : "");
	if (is_nothing)
		buf_printf(out, "; %s", nothing.text);
	else if (findings_count(f, VERDICT_LOOK) == 0)
		say_well(s, out);
	buf_done(&nothing);
}

void no_link_words(const struct session *s, struct buf *out)
{
	struct judged j;

	judged_neighbors(&j, session_model(s));
	buf_str(out, "no link is known, and no cable plan was given (--plan)");
	buf_str(out, j.n_list ? ". " : "");
	judged_words(&j, REASONS_MAX, out);
	judged_done(&j);
}

/* The worst open finding on a device, counting those of its ports. */
static enum verdict worst_of(const struct session *s, const struct device *d)
{
	const struct finding *const *list;
	size_t n = findings_open(session_findings(s), &list), n_here = 0;
	enum verdict worst = VERDICT_UNKNOWN;

	for (size_t i = 0; i < n; i++)
		if (list[i]->device == d || (list[i]->check->of == OF_LINK && list[i]->far && list[i]->far->device == d)) {
			worst = list[i]->verdict > worst ? list[i]->verdict : worst;
			n_here++;
		}
	return !n_here && findings_judged(session_findings(s), d) ? VERDICT_OK : worst;
}

static void fill_ports(struct session *s, const struct device *d, struct sheet *sheet)
{
	struct port_count n;
	struct buf left_out = { 0 };

	port_count(&n, d, session_links(s), session_inventory(s));
	port_count_words(&n, &left_out);
	sheet_number(sheet, n.ports);
	sheet_cell(sheet, json_text(left_out.n ? left_out.text : NULL), left_out.n ? NULL : "");
	buf_done(&left_out);
}

static void fill_status(struct cli *cli, struct session *s, struct sheet *sheet)
{
	const struct model *m = session_model(s);
	struct buf line = { 0 };

	(void)cli;
	summary(s, &line);
	sheet_set(sheet, "summary", json_text(line.text));
	buf_done(&line);
	for (size_t i = 0; i < model_devices(m); i++) {
		const struct device *d = model_device(m, i);

		sheet_row(sheet);
		sheet_text(sheet, d->name);
		sheet_value(sheet, m, FIELD_STATE, device_cell(d, FIELD_STATE, 0));
		sheet_verdict(sheet, worst_of(s, d));
		sheet_text(sheet, device_text(d, FIELD_PLATFORM));
		sheet_text(sheet, device_text(d, FIELD_VERSION));
		fill_ports(s, d, sheet);
		sheet_value(sheet, m, FIELD_LATENCY, device_cell(d, FIELD_LATENCY, 0));
		if (d->heard_us)
			sheet_number(sheet, (uint64_t)((model_now(m) - d->heard_us) / 1000));
		else
			sheet_unknown(sheet);
		sheet_cell(sheet, json_text(device_text(d, FIELD_ERROR)), device_text(d, FIELD_ERROR) ? NULL : "");
	}
}

int cmd_status(struct cli *cli)
{
	cli->tells_verdicts = true;
	return print_sheet(cli, "fabcon.status/1", "device state worst platform version ports left_out latency_us! age_ms error", fill_status);
}
