/* systemd-run and systemctl, for transient timers; whatever else is asked after does not run here. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "remote/lab/linux/tools.h"
#include "remote/lab/server/timers.h"
#include "remote/lab/server/trap.h"

struct wish {
	char name[128];
	uint64_t after_ms;
	bool has_timer;
};

/* "--unit=NAME" or "--unit NAME": what follows; NULL for another option. */
static const char *value_of(struct tool_call *t, int *at, const char *option)
{
	const char *word = t->argv[*at];
	size_t n = strlen(option);

	if (strncmp(word, option, n))
		return NULL;
	if (word[n] == '=')
		return word + n + 1;
	return word[n] || *at + 1 >= t->argc ? NULL : t->argv[++*at];
}

/* The first word that is no option; 0 when one is not understood. */
static int read_options(struct tool_call *t, struct wish *w)
{
	int i = 1;

	for (; i < t->argc && t->argv[i][0] == '-'; i++) {
		const char *value;
		char *rest;

		if ((value = value_of(t, &i, "--unit")) != NULL) {
			snprintf(w->name, sizeof(w->name), "%s", value);
		} else if ((value = value_of(t, &i, "--on-active")) != NULL) {
			w->after_ms = strtoull(value, &rest, 10) * 1000;
			w->has_timer = rest != value && (!*rest || is_word(rest, "s"));
		} else if (!value_of(t, &i, "--timer-property") && !value_of(t, &i, "--property") &&
			   !value_of(t, &i, "--description") && strcmp(t->argv[i], "--collect") && strcmp(t->argv[i], "--quiet")) {
			buf_printf(t->errors, "systemd-run: unrecognized option '%s'\n", t->argv[i]);
			return 0;
		}
	}
	return i;
}

int tool_systemd_run(struct tool_call *t)
{
	struct wish w = { .has_timer = false };
	int first = read_options(t, &w);
	struct err err;

	if (trap_is(t->device, "no-systemd") || trap_is(t->device, "no-timer")) {
		buf_str(t->errors, "systemd-run: command not found\n");
		return 127;
	}
	if (!first)
		return 1;
	if (!w.has_timer || !*w.name || first >= t->argc) {
		buf_str(t->errors, "Failed to parse arguments: a timer, a unit and a command are needed here\n");
		return 1;
	}
	if (!timers_add(server_timers(t->server), t->device, w.name, w.after_ms, t->argv + first, &err)) {
		buf_printf(t->errors, "%s\n", err.text);
		return 1;
	}
	buf_printf(t->errors, "Running timer as unit: %s.timer\nWill run service as unit: %s.service\n", w.name, w.name);
	return 0;
}

/* Prints a state for each; 0 when one is active. */
static int is_active(struct tool_call *t)
{
	bool is_quiet = false, is_any = false;

	for (int i = 2; i < t->argc; i++) {
		const char *state;

		if (t->argv[i][0] == '-') {
			is_quiet = is_quiet || is_word(t->argv[i], "--quiet") || is_word(t->argv[i], "-q");
			continue;
		}
		state = timers_state(server_timers(t->server), t->device, t->argv[i]);
		is_any = is_any || is_word(state, "active");
		if (!is_quiet)
			buf_printf(t->out, "%s\n", state);
	}
	return is_any ? 0 : 3;
}

static int stop_units(struct tool_call *t)
{
	int status = 0;

	for (int i = 2; i < t->argc; i++)
		if (t->argv[i][0] != '-' && !timers_end(server_timers(t->server), t->device, t->argv[i])) {
			buf_printf(t->errors, "Failed to stop %s: Unit %s not loaded.\n", t->argv[i], t->argv[i]);
			status = 5;
		}
	return status;
}

static int reset_units(struct tool_call *t)
{
	for (int i = 2; i < t->argc; i++)
		timers_reset(server_timers(t->server), t->device, t->argv[i]);
	return 0;
}

static int list_timers(struct tool_call *t)
{
	bool with_legend = true;

	for (int i = 2; i < t->argc; i++)
		with_legend = with_legend && strcmp(t->argv[i], "--no-legend");
	timers_list(server_timers(t->server), t->device, with_legend, t->out);
	return 0;
}

static int show_unit(struct tool_call *t)
{
	const char *unit = t->argc > 2 ? t->argv[2] : "", *state = timers_state(server_timers(t->server), t->device, unit);

	buf_printf(t->out, "Id=%s\nLoadState=%s\nActiveState=%s\n", unit, is_word(state, "inactive") ? "not-found" : "loaded", state);
	return 0;
}

/* "multi-user.target" of the unit's file as the device has it; false when there is none. */
static bool wanted_by(const struct tool_call *t, const char *unit, char target[64])
{
	char *path = xasprintf("%s/nodes/%s/etc/systemd/system/%s", server_dir(t->server), t->device->name, unit);
	FILE *f = fopen(path, "re");
	char line[256];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = sscanf(line, "WantedBy=%63[a-z.-]", target) == 1;
	if (f)
		fclose(f);
	free(path);
	return found;
}

/* UNIT as a link below its target: what systemctl itself makes and reads. */
static char *wants_path(const struct tool_call *t, const char *target, const char *unit)
{
	return xasprintf("%s/nodes/%s/etc/systemd/system/%s.wants/%s", server_dir(t->server), t->device->name, target, unit);
}

static bool is_unit_name(const char *text)
{
	return *text && *text != '-' && !strchr(text, '/');
}

static int enable_units(struct tool_call *t)
{
	for (int i = 2; i < t->argc; i++) {
		char target[64], *path, *slash;

		if (!is_unit_name(t->argv[i]) || !wanted_by(t, t->argv[i], target)) {
			buf_printf(t->errors, "Failed to enable unit: Unit file %s does not exist.\n", t->argv[i]);
			return 1;
		}
		path = wants_path(t, target, "");
		slash = path + strlen(path) - 1;
		*slash = '\0';
		mkdir(path, 0755);
		free(path);
		path = wants_path(t, target, t->argv[i]);
		slash = xasprintf("../%s", t->argv[i]);
		if (!symlink(slash, path))
			buf_printf(t->errors, "Created symlink /etc/systemd/system/%s.wants/%s.\n", target, t->argv[i]);
		free(slash);
		free(path);
	}
	return 0;
}

static int disable_units(struct tool_call *t)
{
	for (int i = 2; i < t->argc; i++) {
		char target[64], *path;

		if (!is_unit_name(t->argv[i]) || !wanted_by(t, t->argv[i], target))
			continue;
		path = wants_path(t, target, t->argv[i]);
		unlink(path);
		free(path);
	}
	return 0;
}

int tool_systemctl(struct tool_call *t)
{
	static const struct {
		const char *verb;
		int (*run)(struct tool_call *t);
	} verbs[] = {
		{ "is-active", is_active }, { "stop", stop_units }, { "reset-failed", reset_units },
		{ "list-timers", list_timers }, { "show", show_unit }, { "enable", enable_units }, { "disable", disable_units },
	};

	for (size_t i = 0; t->argc > 1 && i < sizeof(verbs) / sizeof(*verbs); i++)
		if (is_word(t->argv[1], verbs[i].verb))
			return verbs[i].run(t);
	return 0;
}
