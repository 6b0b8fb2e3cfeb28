#include "tui/console/inventory_control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/args/consent.h"
#include "tui/text/files.h"

#define CONSENT_QUESTION (1u << 30)	/* of a question's number: asked here, not by the session or a fix */

/* -- trying what was typed -- */

#define PART 200	/* of a line of a question */

/* As far as a line goes: up to the command that would be run, to a blank, or what there is room for. */
static size_t part_of(const char *text)
{
	const char *command = strstr(text, "command: ");
	size_t n = strlen(text);

	if (command > text && command < text + PART)
		return (size_t)(command - text);
	if (n <= PART)
		return n;
	for (n = PART; n > PART / 2 && text[n - 1] != ' '; n--)
		;
	return n > PART / 2 ? n : PART;
}

/* All of it is seen before a yes counts. */
static void ask_consent(struct inventory_control *c)
{
	const char *what = consent_waiting();
	char parts[8][PART + 1];
	const char *lines[8];
	size_t n = 0;

	for (; *what && n < 8; n++) {
		size_t part = part_of(what);

		snprintf(parts[n], sizeof(parts[n]), "%.*s", (int)part, what);
		lines[n] = parts[n];
		what += part;
	}
	if (*what) {
		consent_answer(false);	/* nobody agrees to what cannot be shown */
		return;
	}
	stage_ask(c->stage, CONSENT_QUESTION, "your configuration",
		  "This runs a program on this machine. Run it? No skips what needs it.", false, true);
	stage_ask_about(c->stage, lines, n);
}

static void try_again(struct inventory_control *c)
{
	struct firstrun *f = &c->stage->first;
	struct err err = { "" };

	if (c->reopen(c->ctx, f->tried, false, &err))
		firstrun_found(f);
	else if (consent_waiting())
		ask_consent(c);
	else
		firstrun_refuse(f, err.text);
}

static void try_inventory(struct inventory_control *c)
{
	consent_forget_refusals();
	try_again(c);
}

static void answer_consent(struct inventory_control *c, const char *text)
{
	consent_answer(text && !strcmp(text, "yes"));
	explicit_bzero(c->stage->given, sizeof(c->stage->given));
	if (consent_waiting())
		ask_consent(c);
	else
		try_again(c);
}

/* -- keeping it -- */

/* In the session that is there; connected anew only where the file reaches a host in another way. */
static bool go_on_with(struct inventory_control *c, const char *path, struct err *err)
{
	struct err why = { "" };

	if (c->keep(c->ctx, path, &why)) {
		stage_say(c->stage, "Saved, still connected: %s", path);
		return true;
	}
	if (!c->reopen(c->ctx, path, true, err))
		return false;
	stage_say(c->stage, "Saved, but reconnected: %.90s (%.120s)", why.text, path);
	return true;
}

static void keep_tried(struct inventory_control *c, const struct view_of *of)
{
	struct firstrun *f = &c->stage->first;
	char *path = config_path("inventory.yml");
	struct err err = { "HOME is not set" };

	firstrun_look(f, of);
	if (path && firstrun_keep(f, path, &err) && go_on_with(c, path, &err)) {
		firstrun_done(f);
		notes_of_named_fabric(c->notes);
	} else {
		snprintf(f->trouble, sizeof(f->trouble), "Not kept: %s", err.text);
	}
	free(path);
}

/* -- keeping the hosts of the command line -- */

static bool reads_input(const char *names)
{
	struct span rest = span_of(names), line;

	while (span_line(&rest, &line))
		if (span_is(line, "-"))
			return true;
	return false;
}

static void keep_named(struct inventory_control *c, const struct view_of *of)
{
	char *path = config_path("inventory.yml");
	struct err err = { "HOME is not set" };

	if (of->is_replay)
		stage_say(c->stage, "A replay contains its inventory.");
	else if (!c->names && path && access(path, F_OK) == 0)
		stage_say(c->stage, "Your default inventory already exists: %s", path);
	else if (!c->names)
		stage_say(c->stage, "No hosts were given: nothing to save. Give them with fabcon HOST...");
	else if (reads_input(c->names))
		stage_say(c->stage, "Standard input cannot be read twice: save a file with fabcon inventory import FILE.");
	else if (path && firstrun_keep_names(c->names, path, &err))
		stage_say(c->stage, "Saved; fabcon without arguments now opens them: %s", path);
	else
		stage_say(c->stage, "Not kept: %s", err.text);
	free(path);
}

/* Once some device has answered: it is then that somebody may want to keep them. */
bool inventory_control_offer(struct inventory_control *c, const struct view_of *of)
{
	bool is_due = false;

	if (!c->offers_keeping || c->stage->questions.n || *c->stage->message || c->stage->typing.kind != TYPING_NOTHING ||
	    !of->inventory->is_range)
		return false;
	for (size_t i = 0; i < model_devices(of->model); i++)
		is_due |= model_device(of->model, i)->heard_us != 0;
	if (is_due)
		stage_say(c->stage, "Not saved: :keep-hosts writes these hosts as your default inventory.");
	c->offers_keeping = !is_due;
	return is_due;
}

bool inventory_control_act(struct inventory_control *c, const struct view_of *of, const struct intent *i)
{
	switch (i->is) {
	case INTENT_TRY:
		try_inventory(c);
		return true;
	case INTENT_KEEP:
		if (c->stage->first.is)
			keep_tried(c, of);
		else
			keep_named(c, of);
		return true;
	case INTENT_ANSWER:
		if (i->question != CONSENT_QUESTION)
			return false;
		answer_consent(c, i->text);
		return true;
	default:
		return false;
	}
}
