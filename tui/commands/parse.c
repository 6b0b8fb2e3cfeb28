/* fabcon parse: the facts that a device's output holds. */
#include "remote/platforms.h"
#include "tui/commands/commands.h"

#include "tui/text/files.h"

static const char *const cadences[] = {
	[CADENCE_ONCE] = "once", [CADENCE_CONFIG] = "config", [CADENCE_LIVE] = "live", [CADENCE_FILL] = "fill",
	[CADENCE_CHANGE] = "change", [CADENCE_NEVER] = "import",
};

static int list_probes(struct cli *cli)
{
	struct sheet *sheet = sheet_new("fabcon.probes/1", "platform probe when proof command help!");

	for (size_t p = 0; p < platform_count; p++) {
		const struct platform *platform = platform_table[p];

		for (size_t i = 0; i < platform->n_probes; i++) {
			const struct probe *probe = &platform->probes[i];

			sheet_row(sheet);
			sheet_text(sheet, platform->id);
			sheet_text(sheet, probe->id);
			sheet_text(sheet, cadences[probe->cadence]);
			sheet_text(sheet, probe->proof);
			sheet_text(sheet, probe->command);
			sheet_text(sheet, probe->help);
		}
	}
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	return EXIT_DONE;
}

static int parse_text(struct cli *cli, const struct platform *platform, const struct probe *probe, const struct buf *text)
{
	struct answer a = { .text = buf_span(text), .port = cli->port, .status = -1 };
	struct buf out = { 0 };
	struct obs o;
	int code = EXIT_DONE;

	obs_init(&o, platform->is_switch ? "switch" : "host", probe->id);
	platform_parse(platform, probe, &a, &o);
	obs_print(&o, &out);
	if (out.n)
		fwrite(out.text, 1, out.n, stdout);
	if (o.missed && !cli->quiet)
		complain(0, "%u lines could not be parsed", o.missed);
	if (o.n == 0)
		code = complain(EXIT_NO_TARGET, "nothing in it could be parsed as %s %s", platform->id, probe->id);
	buf_done(&out);
	obs_done(&o);
	return code;
}

int cmd_parse(struct cli *cli)
{
	const struct platform *platform;
	const struct probe *probe;
	struct buf text = { 0 };
	struct err err;
	int code;

	if (cli->list)
		return list_probes(cli);
	if (cli->n_args < 2)
		return complain(EXIT_USAGE, "usage: fabcon parse PLATFORM PROBE [--port NAME] [FILE|-], or fabcon parse --list");
	platform = platform_find(cli->args[0]);
	if (!platform)
		return complain(EXIT_USAGE, "no platform \"%s\" (fabcon parse --list)", cli->args[0]);
	probe = platform_probe(platform, cli->args[1]);
	if (!probe)
		return complain(EXIT_USAGE, "%s has no probe \"%s\" (fabcon parse --list)", cli->args[0], cli->args[1]);
	if (!file_read(cli->n_args > 2 ? cli->args[2] : "-", &text, &err))
		return complain(EXIT_USAGE, "%s", err.text);
	code = parse_text(cli, platform, probe, &text);
	buf_done(&text);
	return code;
}
