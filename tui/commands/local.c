/* fabcon local: this machine, read without SSH and without starting a process. */
#include "tui/commands/commands.h"

#include <stdlib.h>
#include <unistd.h>

#include "remote/native/native.h"
#include "tui/commands/facts.h"

struct reading {
	struct model *model;
	char name[256];			/* of this machine */
	int64_t last_us;		/* of what was read last */
};

static void take(struct reading *r, struct obs *o, int64_t at_us)
{
	o->at_us = r->last_us = at_us;
	model_apply(r->model, o);
	obs_done(o);
}

/* Its system, before the first answer. */
static void introduce(struct reading *r, int64_t at_us)
{
	struct obs o;

	obs_init(&o, r->name, "native");
	obs_text(&o, OBS_DEVICE, FIELD_PLATFORM, span_of(native_platform()->id));
	take(r, &o, at_us);
}

static void on_answered(void *ctx, const struct probe *probe, const struct answer *a, int64_t at_us)
{
	struct reading *r = ctx;
	struct obs o;

	if (!r->last_us)
		introduce(r, at_us);
	obs_init(&o, r->name, probe->id);
	platform_parse(native_platform(), probe, a, &o);
	o.subject = a->port;
	o.refresh_us = probe->refresh_us;
	take(r, &o, at_us);
}

/* What is asked over SSH and cannot be read here yet. */
static void say_unread(void)
{
	const struct platform *p = native_platform();
	struct buf list = { 0 };

	for (size_t i = 0; i < p->n_probes; i++)
		if (p->probes[i].cadence <= CADENCE_LIVE && !native_knows(&p->probes[i]))
			buf_printf(&list, "%s%s", list.n ? ", " : "", p->probes[i].id);
	if (list.n)
		complain(0, "not read here: %s; over SSH they are: fabcon localhost", list.text);
	buf_done(&list);
}

static int print(struct cli *cli, const struct reading *r)
{
	struct sheet *sheet = sheet_new(FACTS_SCHEMA, FACTS_COLUMNS);
	const struct device *d = model_find_device(r->model, r->name);
	struct err err = { "" };
	bool ok = true;

	model_set_now(r->model, r->last_us);
	facts_of_device(sheet, r->model, d);
	if (cli->filter)
		ok = sheet_filter(sheet, cli->filter, &err);
	if (ok)
		sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	if (!ok)
		return complain(EXIT_USAGE, "%s", err.text);
	if (!cli->quiet)
		say_unread();
	return d->n_ports ? EXIT_DONE : complain(EXIT_NO_TARGET, "no port that counts; --fabric-port NAME names one without hardware");
}

int cmd_local(struct cli *cli)
{
	struct reading r = { 0 };
	struct err err = { "" };
	int code;

	if (cli->replay)
		return complain(EXIT_USAGE, "a replay reads no machine");
	if (gethostname(r.name, sizeof(r.name) - 1) || !*r.name)
		snprintf(r.name, sizeof(r.name), "localhost");
	r.model = model_new();
	code = native_read(cli->fabric_ports, &(struct native_hooks){ .ctx = &r, .answered = on_answered }, &err) ?
	       print(cli, &r) : complain(EXIT_NO_TARGET, "%s", err.text);
	model_free(r.model);
	return code;
}
