#include "tui/commands/bringup_read.h"

#include <stdlib.h>
#include <string.h>

#include "tui/args/targets.h"
#include "tui/bringup/fabric_of.h"

struct asked {
	const struct targets *targets;
	const struct inventory *inventory;
};

static bool names_host(const char *target, const char *host, const struct inventory *inv)
{
	const struct host *h = inventory_find(inv, host);

	return !strcmp(target, host) || (h && h->rack && !strcmp(target, h->rack));
}

static bool is_asked(const void *ctx, const char *host)
{
	const struct asked *a = ctx;

	for (size_t i = 0; i < a->targets->n; i++)
		if (names_host(a->targets->names[i], host, a->inventory))
			return true;
	return !a->targets->n;
}

/* A switch, a rack of switches, a port: it is there, and bring-up is not of it. */
static bool complain_of_kind(struct cli *cli, const char *target, const struct inventory *inv, const struct model *m)
{
	const struct device *d = model_find_device(m, target);
	char *host = xstrndup(target, strcspn(target, ":"));
	bool is_port = strchr(target, ':') && model_find_device(m, host), is_rack = false;

	for (size_t i = 0; i < inv->n_hosts; i++)
		is_rack |= inv->hosts[i].rack && !strcmp(inv->hosts[i].rack, target);
	free(host);
	if (!is_port && !is_rack && !d)
		return false;
	complain(0, "%s: %s; bring-up takes hosts and their racks", target,
		 is_port ? "a port" : !is_rack && device_is_switch(d, inv) ? "a switch" : "no NIC of a host is known there");
	cli->n_unfound++;
	return true;
}

static void complain_of_unfound(struct cli *cli, const struct asked *asked, const struct bringup_rack *r, const struct model *m)
{
	for (size_t i = 0; i < asked->targets->n; i++) {
		const char *target = asked->targets->names[i];
		bool is_found = false;

		for (size_t u = 0; u < r->n && !is_found; u++)
			is_found = names_host(target, r->units[u].host, asked->inventory);
		if (!is_found && !complain_of_kind(cli, target, asked->inventory, m))
			complain_of_target(cli, target, device_near(m, target));
	}
}

static bool complain_of_stage(struct span id)
{
	struct buf all = { 0 };

	for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++)
		buf_printf(&all, " %s", bringup_stage_table[s].id);
	complain(0, "--stages: no stage is called \"%.*s\"; stages:%s", (int)id.n, id.p, all.text);
	buf_done(&all);
	return false;
}

bool bringup_read_stages(const char *text, unsigned *wanted)
{
	*wanted = (1u << BRINGUP_STAGES) - 1;
	if (!text)
		return true;
	for (*wanted = 0;; text++) {
		struct span id = { text, strcspn(text, ",") };
		enum bringup_stage s = bringup_stage_find(id);

		if (s == BRINGUP_STAGES)
			return complain_of_stage(id);
		*wanted |= 1u << s;
		text += id.n;
		if (!*text)
			return true;
	}
}

static const char *recorded_targets[64];

/* Of a recording that is judged again: the targets and stages that its bring-up was of, where no others are asked for. */
static void ask_as_recorded(struct cli *cli, struct session *s, struct bringup_record *record)
{
	const json_t *targets, *name;
	size_t i;

	if (!session_recording(s))
		return;
	bringup_record_read(record, session_recording(s), BRINGUP_TO_THE_END);
	targets = json_object_get(record->begin, "targets");
	if (!cli->stages)
		cli->stages = json_string_value(json_object_get(record->begin, "stages"));
	if (cli->n_args)
		return;
	json_array_foreach(targets, i, name)
		if (json_string_value(name) && cli->n_args < (int)(sizeof(recorded_targets) / sizeof(*recorded_targets)))
			recorded_targets[cli->n_args++] = json_string_value(name);
	cli->args = (char **)recorded_targets;
}

void bringup_read(struct cli *cli, struct session *s, struct bringup_record *record, struct bringup_rack *r)
{
	const struct bringup_fabric f = bringup_fabric_of(s);
	struct targets targets = { 0 };
	const struct asked asked = { &targets, f.inventory };
	unsigned wanted;

	ask_as_recorded(cli, s, record);
	if (!bringup_read_stages(cli->stages, &wanted))
		wanted = (1u << BRINGUP_STAGES) - 1;	/* a recording may hold any text */
	targets_read(&targets, cli);
	bringup_rack_read(r, &f, is_asked, &asked, wanted);
	bringup_record_apply_skips(record, r);
	complain_of_unfound(cli, &asked, r, f.model);
	targets_done(&targets);
}
