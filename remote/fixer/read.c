/* Reads the devices of some steps over its own sessions, into its own model, and compares them with the plan. */
#include "remote/fixer/internal.h"

#include <stdio.h>
#include <stdlib.h>

#include <openssl/evp.h>

#include "remote/fixer/proof.h"
#include "remote/platform/startup_config.h"
#include "remote/platforms.h"
#include "remote/poll/reach.h"
#include "remote/ssh/clock.h"

#define READS_MOST	6	/* rounds of settings before a device with incomplete replies is given up */

struct fix_reader {
	struct fixer *fixer;
	struct poller *poller;
	struct model *model;
	const char **devices;		/* owned; the texts belong to the plan */
	unsigned *failures;		/* of each device: failed connects so far */
	bool *is_down;			/* of each device: whether it is unreachable now */
	unsigned *reread;		/* of each device: the rounds of settings after which it was last polled again */
	size_t n;
	unsigned tries;
	int64_t began_us;
	bool is_late, is_freed;
	uv_timer_t limit;
	uv_idle_t change_idle;
	unsigned handles;
	void (*on_change)(void *ctx);
	void *ctx;
};

static void on_change_idle(uv_idle_t *idle)
{
	struct fix_reader *r = idle->data;

	uv_idle_stop(idle);
	r->on_change(r->ctx);
}

static size_t device_index(const struct fix_reader *r, const char *device)
{
	size_t i = 0;

	while (i < r->n && strcmp(r->devices[i], device) != 0)
		i++;
	return i;
}

static void note_state(struct fix_reader *r, const struct obs *o)
{
	size_t i = device_index(r, o->device);

	for (size_t f = 0; f < o->n && i < r->n; f++) {
		if (o->facts[f].field != FIELD_STATE)
			continue;
		bool is_down = o->facts[f].value.n == STATE_RETRYING || o->facts[f].value.n == STATE_REFUSED;
		r->failures[i] += is_down && !r->is_down[i];
		if (o->facts[f].value.n == STATE_REFUSED)
			r->failures[i] = r->tries;
		r->is_down[i] = is_down;
	}
}

/* A reply that is incomplete or reports "busy" does not erase values from an earlier complete reply. */
static void drop_unknowns(struct obs *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->n; i++)
		if (o->facts[i].value.is != VALUE_UNKNOWN)
			o->facts[n++] = o->facts[i];
	o->n = n;
}

static void on_observed(void *ctx, struct obs *o)
{
	struct fix_reader *r = ctx;
	struct fixer *f = r->fixer;
	bool is_ours = !strcmp(o->probe, "ssh");	/* the state of our own session is not shown to others */

	if (r->is_freed)
		return;
	if (!is_ours && f->hooks.observed)
		f->hooks.observed(f->hooks.ctx, o);
	if (o->is_partial)
		drop_unknowns(o);
	model_apply(r->model, o);
	if (is_ours)
		note_state(r, o);
	uv_idle_start(&r->change_idle, on_change_idle);
}

static void on_ask(void *ctx, unsigned id, const struct question *q)
{
	struct fix_reader *r = ctx;

	fixer_ask(r->fixer, r, id, q);
}

static void on_limit(uv_timer_t *timer)
{
	struct fix_reader *r = timer->data;

	r->is_late = true;
	r->on_change(r->ctx);
}

struct fix_reader *fix_reader_new(struct fixer *f, struct fix_run *const *runs, size_t n, unsigned tries, int64_t limit_us,
				  void (*on_change)(void *ctx), void *ctx)
{
	struct fix_reader *r = xcalloc(1, sizeof(*r));
	struct poller_options options = f->options.poller;
	struct poller_hooks hooks = { .ctx = r, .observed = on_observed, .ask = f->hooks.ask ? on_ask : NULL };

	*r = (struct fix_reader){ .fixer = f, .tries = tries, .on_change = on_change, .ctx = ctx, .model = model_new(), .handles = 2,
				   .began_us = fixer_now_us() };
	r->devices = xcalloc(n + 1, sizeof(*r->devices));
	for (size_t i = 0; i < n; i++)
		if (device_index(r, runs[i]->step->device) == r->n)
			r->devices[r->n++] = runs[i]->step->device;
	r->failures = xcalloc(r->n + 1, sizeof(*r->failures));
	r->is_down = xcalloc(r->n + 1, sizeof(*r->is_down));
	r->reread = xcalloc(r->n + 1, sizeof(*r->reread));
	options.only = r->devices;
	options.n_only = r->n;
	r->poller = poller_new(f->loop, f->inv, &options, &hooks);
	uv_timer_init(f->loop, &r->limit);
	uv_idle_init(f->loop, &r->change_idle);
	r->limit.data = r->change_idle.data = r;
	uv_timer_start(&r->limit, on_limit, (uint64_t)limit_us / 1000 + 1, 0);
	for (size_t i = 0; i < r->n; i++)
		if (!inventory_find(f->inv, r->devices[i]))
			r->failures[i] = tries;
	uv_idle_start(&r->change_idle, on_change_idle);
	poller_start(r->poller);
	return r;
}

static void on_closed(uv_handle_t *h)
{
	struct fix_reader *r = h->data;

	if (!--r->handles)
		free(r);
}

void fix_reader_free(struct fix_reader *r)
{
	if (!r)
		return;
	r->is_freed = true;
	poller_free(r->poller);
	model_free(r->model);
	free(r->devices);
	free(r->failures);
	free(r->is_down);
	free(r->reread);
	uv_close((uv_handle_t *)&r->limit, on_closed);
	uv_close((uv_handle_t *)&r->change_idle, on_closed);
}

unsigned fix_reader_rounds(const struct fix_reader *r, const char *device, enum cadence which)
{
	return poller_rounds(r->poller, device, which);
}

/* A CLI needs one request per port for counters: slow, and useless for settings. A shell reads all at once. */
static bool needs_live_round(const struct fix_reader *r, const char *device)
{
	const struct device *d = model_find_device(r->model, device);
	const struct platform *p = d && device_text(d, FIELD_PLATFORM) ? platform_find(device_text(d, FIELD_PLATFORM)) : NULL;

	return platform_speaks(p, WAY_SH);
}

bool fix_reader_has_read(const struct fix_reader *r, const char *device)
{
	return fix_reader_rounds(r, device, CADENCE_ONCE) && fix_reader_rounds(r, device, CADENCE_CONFIG) &&
	       (fix_reader_rounds(r, device, CADENCE_LIVE) || !needs_live_round(r, device));
}

bool fix_reader_is_whole(const struct fix_reader *r, const char *device, int64_t since_us, struct err *err)
{
	const struct device *d = model_find_device(r->model, device);
	const char *platform = d ? device_text(d, FIELD_PLATFORM) : NULL;
	const struct dialect *dialect = platform ? dialect_find(platform) : NULL;

	if (!fix_reader_has_read(r, device))
		return err_set(err, "%s did not answer in time", device);
	return !dialect || !dialect->is_whole || dialect->is_whole(d, since_us, err);
}

/* Polls a device once more if its replies were incomplete. */
static bool is_read_or_given_up(struct fix_reader *r, size_t i)
{
	const char *device = r->devices[i];
	unsigned rounds = fix_reader_rounds(r, device, CADENCE_CONFIG);

	if (r->failures[i] >= r->tries)
		return true;
	if (!fix_reader_has_read(r, device))
		return false;
	if (rounds >= READS_MOST || fix_reader_is_whole(r, device, 0, NULL))
		return true;
	if (r->reread[i] != rounds)
		fix_reader_refresh(r, device);
	r->reread[i] = rounds;
	return false;
}

bool fix_reader_is_done(struct fix_reader *r)
{
	bool is_done = true;

	for (size_t i = 0; i < r->n && !r->is_late; i++)
		is_done &= is_read_or_given_up(r, i);
	if (is_done && !r->is_late)
		r->fixer->read_took_us = fixer_now_us() - r->began_us;
	return is_done;
}

void fix_reader_refresh(const struct fix_reader *r, const char *device)
{
	poller_refresh(r->poller, device);
}

struct model *fix_reader_model(const struct fix_reader *r)
{
	model_set_now(r->model, clock_us());
	return r->model;
}

void fix_reader_answer(struct fix_reader *r, unsigned id, const char *text)
{
	poller_answer(r->poller, id, text);
}

/* -- comparing with the plan -- */

static void hash_of(struct span text, char out[FIX_HASH_SIZE])
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned n = 0;

	EVP_Digest(text.n ? text.p : "", text.n, digest, &n, EVP_sha256(), NULL);
	for (unsigned i = 0; i < n && i < 32; i++)
		snprintf(out + i * 2, 3, "%02x", digest[i]);
}

static enum part_state part_unknown(struct fix_run *run, enum part_state state, const char *why)
{
	snprintf(run->why, sizeof(run->why), "%.290s", why);
	return state;
}

static enum part_state compare_part(struct fix_run *run, const struct buf *part)
{
	const char *text = part->text ? part->text : "";

	hash_of(span_of(text), run->setup_hash);
	if (!strcmp(text, run->step->after))
		return PART_AFTER;
	if (!strcmp(text, run->step->base))
		return PART_BEFORE;
	fixer_set_diff(run, run->step->base, text);
	return PART_OTHER;
}

/*
 * A fact line of the plan, "node1 eth2 trust = ..." or, of its context, "# node1 eth2 driver = ...": why it is unknown now, or NULL
 * when it is known or gone. Context that a port has not reported this time proves no change, nor does what was read too long ago.
 */
static const char *unknown_line(const struct model *m, struct span line, struct arena *arena)
{
	const struct device *d;
	const struct port *p;
	const struct cell *c;
	struct fact f;

	bool is_context = span_skip(&line, "# ");
	if (!fact_parse(line, arena, &f, NULL) || !(d = model_find_device(m, f.device)))
		return NULL;
	p = f.port ? model_find_port(m, f.device, f.port) : NULL;
	c = p ? port_cell(p, f.field, f.index) : f.port ? NULL : device_cell(d, f.field, f.index);
	if (is_context && !c && (p || !f.port))
		return "it was not reported this time";
	if (c && c->value.is == VALUE_KNOWN && cell_is_stale_setting(m, c))
		return "it was reported too long ago";
	return c && c->value.is == VALUE_UNKNOWN ? c->value.text : NULL;
}

/* An unreadable value does not prove a change: the part is then unknown, not different. */
static bool lacks_unknown(const struct model *m, struct fix_run *run)
{
	struct span rest = span_of(run->step->base), line;
	struct arena arena = { 0 };
	bool is_unknown = false;

	while (!is_unknown && span_line(&rest, &line)) {
		const char *why = unknown_line(m, line, &arena);

		is_unknown = why != NULL;
		if (is_unknown)
			snprintf(run->why, sizeof(run->why), "%.*s is not known now: %.150s", (int)(line.n < 100 ? line.n : 100), line.p, why);
	}
	arena_done(&arena);
	return is_unknown;
}

static enum part_state judge_part(const struct fix_reader *r, struct fix_run *run)
{
	const struct dialect *dialect = dialect_find(run->step->platform);
	struct model *m = fix_reader_model(r);
	const struct device *d = model_find_device(m, run->step->device);
	const char *platform = d ? device_text(d, FIELD_PLATFORM) : NULL, *error = d ? device_text(d, FIELD_ERROR) : NULL;
	struct buf setup = { 0 }, part = { 0 };
	struct err err = { "" };
	enum part_state state;

	if (!inventory_find(r->fixer->inv, run->step->device))
		return part_unknown(run, PART_NOT_REACHED, "not in the inventory");
	if (!d || !fix_reader_has_read(r, run->step->device))
		return part_unknown(run, PART_NOT_REACHED, error ? error : "it did not answer in time");
	if (!platform || strcmp(platform, run->step->platform) != 0)
		return part_unknown(run, PART_UNKNOWN, "it runs a different operating system than the plan was made for");
	if (!dialect)
		return part_unknown(run, PART_UNKNOWN, "fabcon cannot configure this operating system");
	if (!fix_reader_is_whole(r, run->step->device, 0, &err) || !dialect->setup(m, d, &setup, &err)) {
		state = part_unknown(run, PART_UNKNOWN, err.text);
	} else {
		dialect->part(buf_span(&setup), run->step->edits, run->step->n_edits, &part);
		state = compare_part(run, &part);
		if (state == PART_OTHER && lacks_unknown(m, run))
			state = PART_UNKNOWN;
	}
	buf_done(&setup);
	buf_done(&part);
	return state;
}

void fix_reader_judge(const struct fix_reader *r, struct fix_run *run)
{
	run->why[0] = run->setup_hash[0] = '\0';
	free(run->diff);
	run->diff = NULL;
	run->part = judge_part(r, run);
}

static struct proof_scene proof_scene(const struct fix_reader *r)
{
	return (struct proof_scene){ fix_reader_model(r), r->fixer->policy, r->fixer->inv };
}

bool fix_reader_proves(const struct fix_reader *r, struct fix_run *run)
{
	const struct proof_scene scene = proof_scene(r);
	struct err err = { "" };
	bool ok = true;

	if (r->fixer->parent)	/* an inverse plan was made in this process, from the latest read */
		return true;
	if (run->part == PART_BEFORE)
		ok = proof_of_step(&scene, r->fixer->plan, run->index, &err);
	else if (run->part == PART_AFTER)
		ok = proof_of_save(&scene, r->fixer->plan, run->index, &err);
	if (!ok)
		snprintf(run->why, sizeof(run->why), "%.299s", err.text);
	return ok;
}

bool fix_reader_proves_order(const struct fix_reader *r, char why[300])
{
	const struct proof_scene scene = proof_scene(r);
	struct err err = { "" };

	if (r->fixer->parent || proof_of_order(&scene, r->fixer->plan, &err))
		return true;
	snprintf(why, 300, "%.299s", err.text);
	return false;
}

void fix_reader_note_ports(const struct fix_reader *r, struct fix_run *run)
{
	struct span rest = span_of(run->step->ports ? run->step->ports : ""), word;
	struct model *m = fix_reader_model(r);
	uint64_t up;

	run->n_ports_up = 0;
	while (span_word(&rest, &word)) {
		const char *name = arena_text(&run->fixer->arena, word.p, word.n);
		const struct port *p = model_find_port(m, run->step->device, name);

		if (!p || !port_number(m, p, FIELD_UP, 0, &up) || !up)
			continue;
		*GROW(run->ports_up, run->n_ports_up, run->cap_ports_up) = name;
		run->n_ports_up++;
	}
}

bool fix_reader_finds_unsaved(const struct fix_reader *r, const struct fix_run *run)
{
	struct model *m = fix_reader_model(r);
	const struct device *d = model_find_device(m, run->step->device);
	uint64_t is_saved;

	return d && device_number(m, d, FIELD_CONFIG_SAVED, 0, &is_saved) && !is_saved &&
	       !startup_config_wants_saving(run->step->edits, run->step->n_edits);
}
