/* fabcon import: support bundles, made into a recording. */
#include "tui/commands/commands.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/record/recorder.h"
#include "remote/bundle/bundle.h"
#include "tui/text/files.h"
#include "tui/text/human.h"
#include "tui/text/times.h"

/* A recording's rule for devices, without what separates a device from its port. */
static bool is_name(const char *text)
{
	for (const char *p = text; *p; p++)
		if ((unsigned char)*p <= ' ' || *p == 0x7f || *p == '/' || *p == ':')
			return false;
	return strlen(text) <= 255;
}

/* "node1=DIR": false when there is no name that a device could have. */
static bool find_one(struct bundle *b, const char *argument, char **name, struct err *err)
{
	const char *equals = strchr(argument, '=');

	if (!equals || equals == argument || !equals[1])
		return err_set(err, "\"%.100s\" is not HOST=DIRECTORY", argument);
	*name = xstrndup(argument, (size_t)(equals - argument));
	if (!is_name(*name))
		return err_set(err, "\"%.60s\" is not a device name", *name);
	return bundle_find(b, *name, equals + 1, err);
}

static bool find_all(struct cli *cli, struct bundle *b, char **names, struct err *err)
{
	for (int i = 1; i < cli->n_args; i++) {
		if (!find_one(b, cli->args[i], &names[i], err))
			return false;
		for (int k = 1; k < i; k++)
			if (strcmp(names[k], names[i]) == 0)
				return err_set(err, "%s is named twice", names[i]);
	}
	return true;
}

static void row_of(struct sheet *sheet, const struct bundle_part *part, const struct obs *o)
{
	char date[HUMAN_MAX];

	sheet_row(sheet);
	sheet_text(sheet, part->device);
	sheet_text(sheet, part->probe->id);
	sheet_text(sheet, part->port[0] ? part->port : "-");
	sheet_number(sheet, o->n);
	sheet_number(sheet, o->missed);
	sheet_text(sheet, human_date(date, part->at_us));
	sheet_text(sheet, part->path);
}

/* Of each device its platform, before the first that was read of it. */
static bool is_first_of_device(const struct bundle *b, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(b->parts[k].device, b->parts[i].device) == 0)
			return false;
	return true;
}

/* How many facts it has. One that cannot be read is named, and the others are taken. */
static size_t take_part(struct recorder *r, const struct bundle *b, size_t i, struct sheet *sheet, size_t *unread)
{
	const struct bundle_part *part = &b->parts[i];
	struct buf text = { 0 };
	struct err err;
	struct obs o;
	size_t n;

	if (!file_read(part->path, &text, &err)) {
		buf_done(&text);
		++*unread;
		complain(0, "not read: %s", err.text);
		return 0;
	}
	if (is_first_of_device(b, i)) {
		bundle_introduce(part, &o);
		recorder_take(r, &o);
		obs_done(&o);
	}
	bundle_parse(part, buf_span(&text), &o);
	n = o.n;
	row_of(sheet, part, &o);
	recorder_take(r, &o);
	obs_done(&o);
	buf_done(&text);
	return n;
}

static void tell_absent(const struct bundle *b)
{
	struct span rest = buf_span(&b->absent), line;

	while (span_line(&rest, &line))
		complain(0, "%.*s", (int)line.n, line.p);
}

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	interrupted = number;
}

static void watch_signals(void)
{
	const struct sigaction watch = { .sa_handler = interrupt };

	sigaction(SIGINT, &watch, NULL);
	sigaction(SIGTERM, &watch, NULL);
	sigaction(SIGHUP, &watch, NULL);
}

static int import(struct cli *cli, struct bundle *b)
{
	const struct recorder_options options = { .fabric = "support bundles", .policy = cli->policy };
	struct sheet *sheet;
	struct recorder *r;
	struct err err = { "" };
	size_t facts = 0, unread = b->unread;

	r = recorder_open(cli->args[0], &options, &err);
	if (!r)
		return complain(EXIT_RECORDING, "%s", err.text);
	watch_signals();
	sheet = sheet_new("fabcon.import/1", "host probe port facts missed at file!");
	for (size_t i = 0; i < b->n && !interrupted; i++)
		facts += take_part(r, b, i, sheet, &unread);
	recorder_close(r);
	if (interrupted) {
		sheet_free(sheet);
		unlink(cli->args[0]);
		return complain(128 + interrupted, "interrupted; no recording was made");
	}
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	if (!cli->quiet)
		tell_absent(b);
	if (!facts) {
		unlink(cli->args[0]);
		return complain(EXIT_NO_TARGET, "nothing in it could be parsed; no recording was made");
	}
	if (!cli->quiet)
		complain(0, "%zu facts; fabcon replay %s opens it", facts, cli->args[0]);
	return unread ? EXIT_PARTIAL : EXIT_DONE;
}

int cmd_import(struct cli *cli)
{
	struct bundle b = { 0 };
	struct err err = { "" };
	char **names;
	int code;

	if (cli->replay)
		return complain(EXIT_USAGE, "a recording is not a support bundle");
	if (cli->n_args < 2)
		return complain(EXIT_USAGE, "usage: fabcon import FILE HOST=DIRECTORY…");
	if (!access(cli->args[0], F_OK))
		return complain(EXIT_USAGE, "%s already exists; import makes a new recording", cli->args[0]);
	names = xcalloc((size_t)cli->n_args, sizeof(*names));
	code = find_all(cli, &b, names, &err) ? import(cli, &b) : complain(EXIT_USAGE, "%s", err.text);
	bundle_done(&b);
	for (int i = 0; i < cli->n_args; i++)
		free(names[i]);
	free(names);
	return code;
}
