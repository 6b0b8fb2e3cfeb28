#include "remote/lab/server/timers.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/server/spawn.h"

struct transient {
	struct timers *timers;
	const struct lab_device *device;
	struct transient *next;
	char name[128];
	char **argv;			/* owned, as its texts */
	uv_timer_t timer;
	uv_process_t process;
	uint64_t due_ms;
	bool is_waiting, is_running, has_failed;
	bool is_gone;			/* off the list; freed when its handles are closed */
	unsigned open_handles;
};

struct timers {
	struct server *server;
	struct transient *units;
};

static void free_words(char **words)
{
	for (size_t i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}

static char **copy_words(char *const *words)
{
	size_t n = 0;
	char **copy;

	while (words[n])
		n++;
	copy = xcalloc(n + 1, sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = xstrdup(words[i]);
	return copy;
}

/* -- the end of a unit -- */

static void on_closed(uv_handle_t *handle)
{
	struct transient *u = handle->data;

	if (--u->open_handles)
		return;
	free_words(u->argv);
	free(u);
}

static void forget(struct transient *u)
{
	for (struct transient **at = &u->timers->units; *at; at = &(*at)->next)
		if (*at == u) {
			*at = u->next;
			break;
		}
	u->is_gone = true;
	uv_close((uv_handle_t *)&u->timer, on_closed);
	if (u->is_running)
		spawn_kill_session(u->process.pid);	/* on_exit_status() goes on */
}

static void on_exit_status(uv_process_t *process, int64_t status, int signal)
{
	struct transient *u = process->data;

	spawn_ended(process->pid);
	spawn_kill_session(process->pid);
	u->is_running = false;
	u->has_failed = status || signal;
	uv_close((uv_handle_t *)process, on_closed);
	if (!u->is_gone && !u->has_failed)
		forget(u);
}

static void on_due(uv_timer_t *timer)
{
	struct transient *u = timer->data;
	uv_process_options_t options = { .file = u->argv[0], .args = u->argv, .exit_cb = on_exit_status };

	u->is_waiting = false;
	u->process.data = u;
	u->open_handles++;
	u->is_running = !spawn(u->timers->server, u->device, "root", &u->process, &options);
	if (u->is_running)
		return;
	u->has_failed = true;
	uv_close((uv_handle_t *)&u->process, on_closed);
}

/* -- units by name -- */

/* "NAME.timer" and "NAME.service" are parts of the unit NAME; without either it is the service. */
static struct transient *find(const struct timers *t, const struct lab_device *d, const char *text, bool *is_timer)
{
	struct span name = span_of(text), head, suffix;

	*is_timer = false;
	if (span_cut_last(name, '.', &head, &suffix) && (span_is(suffix, "timer") || span_is(suffix, "service"))) {
		*is_timer = span_is(suffix, "timer");
		name = head;
	}
	for (struct transient *u = t->units; u; u = u->next)
		if (u->device == d && span_is(name, u->name))
			return u;
	return NULL;
}

bool timers_add(struct timers *t, const struct lab_device *d, const char *name, uint64_t after_ms, char *const *argv,
		struct err *err)
{
	struct transient *u;
	bool is_timer;

	if (find(t, d, name, &is_timer))
		return err_set(err, "Failed to start transient timer unit: Unit %s.timer was already loaded or has a fragment file.",
			       name);
	u = xcalloc(1, sizeof(*u));
	u->timers = t;
	u->device = d;
	snprintf(u->name, sizeof(u->name), "%s", name);
	u->argv = copy_words(argv);
	uv_timer_init(server_loop(t->server), &u->timer);
	u->timer.data = u;
	u->open_handles = 1;
	u->is_waiting = true;
	uv_update_time(server_loop(t->server));
	u->due_ms = uv_now(server_loop(t->server)) + after_ms;
	uv_timer_start(&u->timer, on_due, after_ms, 0);
	u->next = t->units;
	t->units = u;
	return true;
}

const char *timers_state(const struct timers *t, const struct lab_device *d, const char *unit)
{
	bool is_timer;
	const struct transient *u = find(t, d, unit, &is_timer);

	if (!u)
		return "inactive";
	if (is_timer)
		return u->is_waiting || u->is_running ? "active" : "inactive";
	return u->is_running ? "active" : u->has_failed ? "failed" : "inactive";
}

bool timers_end(struct timers *t, const struct lab_device *d, const char *unit)
{
	bool is_timer;
	struct transient *u = find(t, d, unit, &is_timer);

	if (!u)
		return false;
	/* A service that runs outlives its timer. */
	if (is_timer && u->is_running) {
		uv_timer_stop(&u->timer);
		u->is_waiting = false;
		return true;
	}
	forget(u);
	return true;
}

void timers_reset(struct timers *t, const struct lab_device *d, const char *unit)
{
	bool is_timer;
	struct transient *u = find(t, d, unit, &is_timer);

	if (u && u->has_failed && !u->is_running && !u->is_waiting)
		forget(u);
}

unsigned timers_elapse(struct timers *t, const struct lab_device *d)
{
	unsigned n = 0;

	for (struct transient *u = t->units; u; u = u->next)
		if (u->device == d && u->is_waiting) {
			u->due_ms = uv_now(server_loop(t->server));
			uv_timer_start(&u->timer, on_due, 0, 0);
			n++;
		}
	return n;
}

void timers_list(const struct timers *t, const struct lab_device *d, bool with_legend, struct buf *out)
{
	uint64_t now_ms = uv_now(server_loop(t->server));
	unsigned n = 0;

	if (with_legend)
		buf_str(out, "NEXT LEFT LAST PASSED UNIT ACTIVATES\n");
	for (const struct transient *u = t->units; u; u = u->next) {
		if (u->device != d || (!u->is_waiting && !u->is_running))
			continue;
		buf_printf(out, "- %llus left n/a n/a %s.timer %s.service\n",
			   (unsigned long long)(u->due_ms > now_ms ? (u->due_ms - now_ms) / 1000 : 0), u->name, u->name);
		n++;
	}
	if (with_legend)
		buf_printf(out, "\n%u timers listed.\n", n);
}

/* -- all -- */

void timers_forget(struct timers *t, const struct lab_device *d)
{
	for (struct transient *u = t->units, *next; u; u = next) {
		next = u->next;
		if (!d || u->device == d)
			forget(u);
	}
}

struct timers *timers_new(struct server *s)
{
	struct timers *t = xcalloc(1, sizeof(*t));

	t->server = s;
	return t;
}

void timers_stop(struct timers *t)
{
	timers_forget(t, NULL);
}

void timers_free(struct timers *t)
{
	free(t);
}
