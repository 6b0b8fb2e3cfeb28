#include "tui/cli/offers.h"

#include <stdlib.h>

#include "core/bringup/stage.h"
#include "core/diagnose/diagnosis.h"
#include "core/manifest/manifest.h"
#include "remote/platforms.h"
#include "tui/cli/guides.h"
#include "tui/fixing/plans.h"
#include "tui/args/consent.h"
#include "tui/cli/command_line.h"
#include "tui/session/hosts.h"
#include "tui/widgets/themes.h"

/* Where candidates go: printed when they begin as typed. */
struct offering {
	const char *begin;	/* of the word so far */
	const char *inventory;	/* that the line names; NULL: the usual */
	FILE *out;
};

static void offer(struct offering *o, const char *word)
{
	if (!strncmp(word, o->begin, strlen(o->begin)))
		fprintf(o->out, "%s\n", word);
}

/* -- classes -- */

static void offer_checks(struct offering *o)
{
	for (size_t i = 0; i < check_count; i++)
		offer(o, check_table[i].id);
}

static void offer_causes(struct offering *o)
{
	for (size_t i = 0; i < known_cause_count; i++)
		offer(o, known_causes[i].id);
}

static void offer_questions(struct offering *o)
{
	for (size_t t = 0; t < decision_tree_count; t++)
		for (size_t i = 0; i < decision_trees[t].n_questions; i++)
			offer(o, decision_trees[t].questions[i].id);
}

static void offer_fields(struct offering *o)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		offer(o, field_table[f].name);
}

static void offer_limits(struct offering *o)
{
	for (size_t i = 0; i < LIMIT_COUNT; i++)
		offer(o, limit_table[i].name);
}

static void offer_commands(struct offering *o)
{
	for (size_t i = 0; i < cli_count; i++)
		offer(o, cli_table[i].name);
}

static void offer_trees(struct offering *o)
{
	for (size_t t = 0; t < decision_tree_count; t++)
		offer(o, decision_trees[t].name);
}

static void offer_policies(struct offering *o)
{
	for (size_t i = 0; policy_builtin_name(i); i++)
		offer(o, policy_builtin_name(i));
}

static void offer_themes(struct offering *o)
{
	struct theme_names names = { 0 };

	themes_list(&names);
	for (size_t i = 0; i < names.n; i++)
		offer(o, names.list[i]);
	themes_list_done(&names);
}

static void offer_manifests(struct offering *o)
{
	for (size_t i = 0; i < manifest_count; i++)
		offer(o, manifest_table[i].kind);
}

static void offer_platforms(struct offering *o)
{
	for (size_t i = 0; i < platform_count; i++)
		if (platform_table[i]->n_probes)
			offer(o, platform_table[i]->id);
}

static void offer_stages(struct offering *o)
{
	for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++)
		offer(o, bringup_stage_table[s].id);
}

static void offer_probes(struct offering *o)
{
	for (size_t i = 0; i < platform_count; i++)
		for (size_t k = 0; k < platform_table[i]->n_probes; k++)
			offer(o, platform_table[i]->probes[k].id);
}

static void offer_plans(struct offering *o)
{
	struct buf ids = { 0 };
	struct span rest, id;

	plans_open(&ids);
	for (rest = buf_span(&ids); span_word(&rest, &id);) {
		char *text = xstrndup(id.p, id.n);

		offer(o, text);
		free(text);
	}
	buf_done(&ids);
}

/* Of the inventory that the line names, or the usual one, as far as reading it runs nothing. */
static void offer_hosts(struct offering *o)
{
	struct inventory inv;
	struct buf text = { 0 };

	consent_may_ask(false);
	inventory_init(&inv);
	if (o->inventory && hosts_load(&inv, o->inventory, &text, NULL))
		for (size_t i = 0; i < inv.n_hosts; i++)
			offer(o, inv.hosts[i].name);
	inventory_done(&inv);
	buf_done(&text);
}

static const struct {
	const char *name;
	void (*offer)(struct offering *o);
} class_table[] = {
	{ "@checks",	offer_checks },
	{ "@causes",	offer_causes },
	{ "@questions",	offer_questions },
	{ "@fields",	offer_fields },
	{ "@limits",	offer_limits },
	{ "@commands",	offer_commands },
	{ "@trees",	offer_trees },
	{ "@policies",	offer_policies },
	{ "@themes",	offer_themes },
	{ "@manifests",	offer_manifests },
	{ "@platforms",	offer_platforms },
	{ "@stages",	offer_stages },
	{ "@probes",	offer_probes },
	{ "@plans",	offer_plans },
	{ "@hosts",	offer_hosts },
	/* "@files" is the shell's own */
};

static void offer_list(struct offering *o, const char *list)
{
	struct span rest = span_of(list), word;

	while (span_word(&rest, &word)) {
		char *text = xstrndup(word.p, word.n);

		for (size_t i = 0; i < sizeof(class_table) / sizeof(*class_table); i++)
			if (!strcmp(text, class_table[i].name))
				class_table[i].offer(o);
		if (*text != '@')
			offer(o, text);
		free(text);
	}
}

/* -- values of options -- */

static const struct {
	const char *option, *list;
} value_table[] = {
	{ "theme",	"@themes" },
	{ "policy",	"@policies" },
	{ "tree",	"@trees" },
	{ "fail-on",	"info warning critical" },
	{ "stages",	"@stages" },
	{ "host-key",	"ask accept-new strict" },
	{ "color",	"auto always never" },
	{ "allow",	"match-exec ansible-inventory" },
	{ "transport",	"libssh openssh" },
};

static const struct option_row *long_option(struct span name)
{
	for (size_t i = 0; i < option_count; i++)
		if (span_is(name, option_table[i].name))
			return &option_table[i];
	return NULL;
}

/* The option of a word "--name", "--name=value" or "-x"; *value: behind the "=", else NULL. */
static const struct option_row *option_of_word(const char *word, const char **value)
{
	const char *equals = strchr(word, '=');

	*value = NULL;
	if (!strncmp(word, "--", 2)) {
		*value = equals ? equals + 1 : NULL;
		return long_option((struct span){ word + 2, equals ? (size_t)(equals - word - 2) : strlen(word + 2) });
	}
	for (size_t i = 0; word[0] == '-' && word[1] && !word[2] && i < option_count; i++)
		if (option_table[i].letter == word[1])
			return &option_table[i];
	return NULL;
}

/* What the words before the last one say. */
struct line {
	const struct cli_command *command;
	const struct option_row *waits;		/* for its value, the last word */
	const char *inventory;
};

static void read_line(const char *const *words, size_t n, struct line *l)
{
	const char *value;

	for (size_t i = 0; i + 1 < n; i++) {
		const struct option_row *o = option_of_word(words[i], &value);

		if (o && !value && o->arg && *o->arg != '[') {
			if (i + 2 == n)
				l->waits = o;
			else if (!strcmp(o->name, "inventory"))
				l->inventory = words[i + 1];
			i++;
		} else if (o && value && !strcmp(o->name, "inventory")) {
			l->inventory = value;
		} else if (!o && *words[i] != '-' && (!l->command || !strcmp(l->command->name, "replay"))) {
			const struct cli_command *c = cli_find(words[i]);

			l->command = c ? c : l->command;
		}
	}
}

static void offer_values(struct offering *o, const struct option_row *option, const struct cli_command *command)
{
	if (!strcmp(option->name, "output"))
		offer_list(o, command ? command->formats : "json jsonl csv md junit dot"), offer(o, "table");
	for (size_t i = 0; i < sizeof(value_table) / sizeof(*value_table); i++)
		if (!strcmp(value_table[i].option, option->name))
			offer_list(o, value_table[i].list);
}

/* Before the command, every option; after it, those that mean something to it. */
static void offer_options(struct offering *o, const struct cli_command *command)
{
	for (size_t i = 0; i < option_count; i++) {
		char *name = xasprintf("--%s", option_table[i].name);

		if (!command || span_is_among(span_of(option_table[i].name), command->options))
			offer(o, name);
		free(name);
	}
	offer(o, "--help");
}

void offers_next(const char *const *words, size_t n, FILE *out)
{
	struct line l = { NULL };
	struct offering o = { .begin = n ? words[n - 1] : "", .out = out };

	read_line(words, n, &l);
	o.inventory = l.inventory;
	if (l.waits)
		offer_values(&o, l.waits, l.command);
	else if (*o.begin == '-')
		offer_options(&o, l.command);
	else if (l.command)
		offer_list(&o, l.command->words ? l.command->words : "");
	else
		offer_commands(&o);
}
