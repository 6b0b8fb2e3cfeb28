/* Reading a fabric once for a command: progress, time limit, Ctrl-C; and again and again for --watch. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/judge/judged.h"
#include "tui/args/prompt.h"
#include "tui/session/causes.h"
#include "tui/session/hosts.h"
#include "tui/session/read_fabric.h"
#include "tui/session/ssh_files.h"
#include "tui/text/progress.h"

#define ASKED_MOST	3		/* times that a device is asked once more for what never came whole */
#define AWAITED_US	(10 * SECOND)	/* a round of a slow host; what is not asked again (a port that is gone) is not waited for */

struct asked {
	int64_t at_us;		/* when it was asked last */
	unsigned n;
};

struct reading {
	struct cli *cli;
	struct session *session;
	uv_loop_t loop;
	uv_timer_t tick;
	uv_signal_t interrupt, terminate;
	bool is_done, shows_progress;
	int interrupted_by;	/* the signal */
	bool is_read;		/* all devices, once */
	int64_t began_ms, deadline_ms, next_ms, ticked_ms;
	struct asked *asked;	/* by device id; owned */
	size_t n_asked;
};

static struct reading *current;		/* the one being run: a command reads one fabric at a time */

/* What has no rate yet: counters that were asked for once, and those that the device refreshes and has not done so twice. */
struct unrated {
	size_t n;
	int64_t refresh_us;		/* the longest of theirs; 0: it is what is so now that is read */
};

static void add_unrated(const struct port *p, enum field f, struct unrated *u)
{
	for (unsigned i = 0; p->series[f] && i < field_table[f].width; i++) {
		const struct series *s = &p->series[f][i];
		const struct cell *c = port_cell(p, f, i);

		if (s->last_us == 0 || s->note != RATE_NONE || field_table[f].kind != KIND_COUNTER)
			continue;
		u->n++;
		if (c && c->reply->refresh_us > u->refresh_us)
			u->refresh_us = c->reply->refresh_us;
	}
}

static struct unrated unrated_of(const struct device *d)
{
	struct unrated u = { 0 };

	for (size_t i = 0; i < d->n_ports; i++)
		for (unsigned f = 0; f < FIELD_COUNT; f++)
			add_unrated(d->ports[i], (enum field)f, &u);
	return u;
}

bool read_fabric_is_read(const struct session *s, struct poller_count *count)
{
	const struct model *m = session_model(s);

	*count = poller_count(session_poller((struct session *)s));
	if (count->first_round < count->hosts)
		return false;
	for (size_t i = 0; i < model_devices(m); i++)
		if (unrated_of(model_device(m, i)).n)
			return false;
	return true;
}

/* An answer that was cut short or busy, and never came whole: the next may. */
static bool has_torn_answers(const struct device *d, int64_t since_us)
{
	for (size_t i = 0; i < d->n_replies; i++)
		if (!d->replies[i]->whole_us && d->replies[i]->at_us > since_us)
			return true;
	return false;
}

/* Asked, and not answered since. */
static bool is_awaited(const struct device *d, int64_t asked_us, int64_t now_us)
{
	if (now_us - asked_us > AWAITED_US)
		return false;
	for (size_t i = 0; i < d->n_replies; i++)
		if (!d->replies[i]->whole_us && d->replies[i]->at_us <= asked_us)
			return true;
	return false;
}

/* True: the device is asked again, or was and is to answer. */
static bool asks_again(struct reading *r, const struct device *d)
{
	const struct model *m = session_model(r->session);
	struct asked *a = &r->asked[d->id];
	uint64_t state;

	if (!device_number(m, d, FIELD_STATE, 0, &state) || state != STATE_UP)
		return false;
	if (a->n && is_awaited(d, a->at_us, model_now(m)))
		return true;
	if (a->n >= ASKED_MOST || !has_torn_answers(d, a->at_us))
		return false;
	a->n++;
	a->at_us = model_now(m);
	session_refresh(r->session, d->name);
	return true;
}

static bool any_asks_again(struct reading *r)
{
	const struct model *m = session_model(r->session);
	bool any = false;

	if (r->n_asked < model_devices(m)) {
		r->asked = xrealloc(r->asked, model_devices(m) * sizeof(*r->asked));
		memset(r->asked + r->n_asked, 0, (model_devices(m) - r->n_asked) * sizeof(*r->asked));
		r->n_asked = model_devices(m);
	}
	for (size_t i = 0; i < model_devices(m); i++)
		any |= asks_again(r, model_device(m, i));
	return any;
}

/* Whether there is nothing more to wait for. What was judged before all was read is judged again. */
static bool has_all(struct reading *r, struct poller_count *count)
{
	if (!read_fabric_is_read(r->session, count) || any_asks_again(r))
		return false;
	if (!r->cli->judges)
		return true;
	if (!r->is_read)
		session_judge(r->session);
	r->is_read = true;
	return findings_early(session_findings(r->session)) == 0;
}

static void show_progress(struct reading *r, const struct poller_count *count)
{
	int64_t elapsed_us = ((int64_t)uv_now(&r->loop) - r->began_ms) * 1000;
	struct buf text = { 0 };

	if (!r->shows_progress || prompt_is_open())
		return;
	progress_words(&text, "devices read", count->first_round, count->hosts, elapsed_us, r->cli->timeout_us);
	if (count->retrying)
		buf_printf(&text, ", %zu retrying", count->retrying);
	if (count->refused)
		buf_printf(&text, ", %zu refused", count->refused);
	fprintf(stderr, "\r%s; Ctrl-C stops\033[K", text.text);
	fflush(stderr);
	buf_done(&text);
}

static void clear_progress(struct reading *r)
{
	if (r->shows_progress)
		fputs("\r\033[K", stderr);
}

/* While a person is asked, nothing of the time allowed is used up. */
static void stand_still(struct reading *r, int64_t now_ms)
{
	const struct poller *p = session_poller(r->session);

	if (r->ticked_ms && p && poller_is_asking(p)) {
		r->began_ms += now_ms - r->ticked_ms;
		r->deadline_ms += now_ms - r->ticked_ms;
	}
	r->ticked_ms = now_ms;
}

static void ticked(uv_timer_t *timer)
{
	struct reading *r = timer->data;
	struct poller_count count;
	int64_t now_ms = (int64_t)uv_now(&r->loop);

	stand_still(r, now_ms);
	session_tick(r->session);
	if (r->next_ms ? now_ms >= r->next_ms : has_all(r, &count) || now_ms >= r->deadline_ms) {
		r->is_done = true;
		uv_stop(&r->loop);
	} else if (!r->next_ms) {
		show_progress(r, &count);
	}
}

static void interrupted(uv_signal_t *handle, int number)
{
	struct reading *r = handle->data;

	r->interrupted_by = number;
	uv_stop(&r->loop);
}

static void start_handles(struct reading *r)
{
	uv_timer_init(&r->loop, &r->tick);
	r->tick.data = r->interrupt.data = r->terminate.data = r;
	uv_timer_start(&r->tick, ticked, 50, 50);
	uv_signal_init(&r->loop, &r->interrupt);
	uv_signal_start(&r->interrupt, interrupted, SIGINT);
	uv_signal_init(&r->loop, &r->terminate);
	uv_signal_start(&r->terminate, interrupted, SIGTERM);
}

static void close_handle(uv_handle_t *handle, void *unused)
{
	(void)unused;
	if (!uv_is_closing(handle))
		uv_close(handle, NULL);
}

static void end_reading(struct reading *r)
{
	prompt_end();
	session_free(r->session);
	uv_walk(&r->loop, close_handle, NULL);
	uv_run(&r->loop, UV_RUN_DEFAULT);
	uv_loop_close(&r->loop);
	free(r->asked);
	free(r);
	current = NULL;
}

static void answered(void *session, unsigned id, const char *text)
{
	session_answer(session, id, text);
}

/* Of ssh_config: at once, not when a login fails. */
static void say_not_followed(const struct reading *r)
{
	struct buf notes = { 0 };
	struct span rest, line;

	if (!r->cli->quiet)
		ssh_files_notes(&session_inventory(r->session)->routes, &notes);
	rest = buf_span(&notes);
	while (span_line(&rest, &line))
		complain(EXIT_DONE, "not followed: %.*s", (int)line.n, line.p);
	buf_done(&notes);
}

static struct reading *begin_reading(struct cli *cli, struct err *err)
{
	struct reading *r = xcalloc(1, sizeof(*r));
	struct session_hooks hooks = { .ctx = r, .ask = cli->no_input ? NULL : prompt_hook() };
	struct session_options options = {
		.inventory = cli->inventory, .policy = cli->policy, .plan = cli->plan, .record = cli->record,
		.nccl = cli->nccl,
		.poller = { .live_us = cli->every_us, .hostkey = cli->hostkey, .identity = cli->identity,
			    .use_agent = !cli->no_agent, .fabric_ports = cli->fabric_ports, .fills = cli->ping_neighbors },
	};

	r->cli = cli;
	uv_loop_init(&r->loop);
	start_handles(r);
	r->shows_progress = isatty(STDERR_FILENO) && !cli->quiet;
	r->began_ms = (int64_t)uv_now(&r->loop);
	r->deadline_ms = r->began_ms + cli->timeout_us / 1000;
	current = r;
	r->session = session_live(&r->loop, &options, &hooks, err);
	if (!r->session) {
		end_reading(r);
		return NULL;
	}
	say_not_followed(r);
	if (!cli->quiet)
		hosts_say_notes(session_inventory(r->session));
	prompt_begin(&r->loop, answered, r->session);
	return r;
}

static void run_until(struct reading *r, int64_t next_ms)
{
	r->next_ms = next_ms;
	r->is_done = false;
	while (!r->is_done && !r->interrupted_by)
		uv_run(&r->loop, UV_RUN_DEFAULT);
	session_judge(r->session);
}

void read_fabric_run(int64_t for_us)
{
	int64_t now_ms = (int64_t)uv_now(&current->loop);

	if (!current->interrupted_by)
		run_until(current, for_us ? now_ms + for_us / 1000 : INT64_MAX);
}

uv_loop_t *read_fabric_loop(void)
{
	return &current->loop;
}

int read_fabric_interrupted(void)
{
	return current->interrupted_by;
}

/* What is missing, by cause, with an example of each and what to do. */
static void say_causes(const struct model *m)
{
	struct cause_group groups[CAUSES_MAX];
	size_t n = causes_of(m, true, groups);
	struct buf line = { 0 };

	for (size_t i = 0; i < n; i++) {
		causes_text(&groups[i], 1, &line);
		if (groups[i].error)
			complain(0, "%s (%s): %s", line.text, groups[i].error, groups[i].cause->to_do);
		else
			complain(0, "%s: %s", line.text, groups[i].cause->to_do);
		buf_clear(&line);
	}
	buf_done(&line);
}

/* Devices that have answered, and not to every question yet: the result is in part, and why. */
static void say_unfinished(const struct session *s, int64_t timeout_us)
{
	const struct model *m = session_model(s);
	const struct poller *p = session_poller((struct session *)s);
	const char **names = xcalloc(model_devices(m) + 1, sizeof(*names));
	struct buf text = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < model_devices(m); i++) {
		const struct device *d = model_device(m, i);

		if (d->heard_us && !poller_is_over_first_round(p, d->name))
			names[n++] = d->name;
	}
	range_fold(names, n, &text);
	if (n)
		complain(0, "%zu not read completely in %llds: %s: still answering; --timeout waits longer", n, (long long)(timeout_us / SECOND),
			 text.text);
	buf_done(&text);
	free(names);
}

/* Of devices that refresh their counters by a clock of their own: that takes two of its rounds. */
static void say_unrated(const struct model *m, int64_t timeout_us)
{
	struct unrated all = { 0 };
	size_t devices = 0;

	for (size_t i = 0; i < model_devices(m); i++) {
		struct unrated u = unrated_of(model_device(m, i));

		devices += u.refresh_us > 0;
		all.n += u.refresh_us ? u.n : 0;
		all.refresh_us = u.refresh_us > all.refresh_us ? u.refresh_us : all.refresh_us;
	}
	if (devices)
		complain(0, "%zu counters of %zu device%s have no rate yet: the device refreshes them each %lld s, and a rate needs two "
			 "refreshes; --timeout %llds waits longer", all.n, devices, devices == 1 ? "" : "s",
			 (long long)(all.refresh_us / SECOND), (long long)((timeout_us + 2 * all.refresh_us) / SECOND));
}

static void say_untold(const struct session *s)
{
	struct buf words = { 0 };
	struct span rest, line;

	session_untold(s, &words);
	rest = buf_span(&words);
	while (span_line(&rest, &line))
		complain(0, "--nccl: %.*s", (int)line.n, line.p);
	buf_done(&words);
}

static int say_missing(struct reading *r)
{
	struct poller_count count = poller_count(session_poller(r->session));
	const struct model *m = session_model(r->session);
	size_t read = 0;

	for (size_t i = 0; i < model_devices(m); i++)
		read += model_device(m, i)->heard_us != 0;
	if (!r->cli->quiet || read == 0)	/* that nothing was read is no remark */
		say_causes(m);
	if (!r->cli->quiet) {
		say_unfinished(r->session, r->cli->timeout_us);
		say_unrated(m, r->cli->timeout_us);
		say_untold(r->session);
	}
	if (r->interrupted_by)
		return 128 + r->interrupted_by;
	if (read == 0 && count.hosts > 0)
		return EXIT_NO_TARGET;
	return read < count.hosts || count.first_round < count.hosts ? EXIT_PARTIAL : EXIT_DONE;
}

int complain_of_no_inventory(void)
{
	return complain(EXIT_USAGE, "no inventory: give hosts (fabcon spark1 spark2, -i \"node[01-16]\") or a file (-i hosts.yml), in "
				    "FABCON_INVENTORY, or as ~/.config/fabcon/inventory.yml");
}

struct session *read_fabric(struct cli *cli, int *code)
{
	struct err err = { "" };
	struct reading *r;

	*code = EXIT_DONE;
	if (cli->replay) {
		if (session_is_glance(cli->replay))
			session_seek(cli->replay, model_now(session_model(cli->replay)), NULL);
		return cli->replay;
	}
	if (!cli->inventory) {
		*code = complain_of_no_inventory();
		return NULL;
	}
	r = begin_reading(cli, &err);
	if (!r) {
		*code = complain(EXIT_USAGE, "%s", err.text);
		return NULL;
	}
	run_until(r, 0);
	clear_progress(r);
	*code = say_missing(r);
	return r->session;
}

void read_fabric_done(struct cli *cli, struct session *s)
{
	if (s && s != cli->replay && current)
		end_reading(current);
}

int exit_of_answer(const struct cli *cli, int read)
{
	return read == EXIT_DONE || (read == EXIT_PARTIAL && cli->answer == EXIT_FINDINGS) ? cli->answer : read;
}

static void stamp(struct cli *cli, struct session *s, struct sheet *sheet, int code)
{
	sheet_set(sheet, "fabric", json_text(session_fabric(s)));
	sheet_set(sheet, "at", json_time(model_now(session_model(s))));
	sheet_set(sheet, "complete", json_boolean(code == EXIT_DONE));
	(void)cli;
}

int print_sheet(struct cli *cli, const char *schema, const char *columns, void (*fill)(struct cli *, struct session *, struct sheet *))
{
	int code;
	struct session *s = read_fabric(cli, &code);
	const char *trouble;
	struct err err;

	if (!s)
		return code;
	for (;;) {
		struct sheet *sheet = sheet_new(schema, columns);

		if (cli->tells_verdicts)
			code = code_when_unjudged(s, code);
		stamp(cli, s, sheet, code);
		cli->n_unfound = 0;
		fill(cli, s, sheet);
		if (cli->n_unfound)
			sheet_set(sheet, "complete", json_false());
		if (cli->filter && !sheet_filter(sheet, cli->filter, &err))
			code = complain(EXIT_USAGE, "--filter: %s", err.text);
		else
			sheet_write(sheet, cli->format, stdout);
		if (code == EXIT_DONE && cli->n_unfound)
			code = sheet_rows(sheet) ? EXIT_PARTIAL : EXIT_USAGE;
		sheet_free(sheet);
		if (cli->watch_us < 0 || code == EXIT_USAGE || !current || current->interrupted_by)
			break;
		run_until(current, (int64_t)uv_now(&current->loop) + cli->watch_us / 1000);
		if (current->interrupted_by) {
			code = 128 + current->interrupted_by;
			break;
		}
	}
	code = exit_of_answer(cli, code);
	if (session_is_recording(s, &trouble) && trouble)
		code = complain(EXIT_RECORDING, "%s: %s", cli->record, trouble);
	read_fabric_done(cli, s);
	return code;
}

int code_when_unjudged(const struct session *s, int code)
{
	struct buf words = { 0 };
	bool is_nothing = judged_nothing(session_model(s), session_findings(s), 0, &words);

	buf_done(&words);
	return is_nothing && (code == EXIT_DONE || code == EXIT_PARTIAL) ? EXIT_UNJUDGED : code;
}
