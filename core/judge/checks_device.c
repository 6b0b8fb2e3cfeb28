/* Checks of a device: reached and answering, driver and modules, memlock, lldpad, whether its configuration is saved. */
#include "core/judge/checks.h"

#include <stdio.h>

static const struct cell *known(const struct device *d, enum field f)
{
	const struct cell *c = device_cell(d, f, 0);

	return c && c->value.is == VALUE_KNOWN ? c : NULL;
}

#define LATE_US	(8 * SECOND)	/* sooner is usual: tools of a loaded host or of a switch take seconds */

/* How reaching it goes is the console's own knowledge: it does not age. */
void ask_device_reached(struct case_of *c)
{
	const struct cell *state = known(c->device, FIELD_STATE);
	const char *error = device_text(c->device, FIELD_ERROR);
	char word[24];

	if (state)
		ask_cite_device(c, c->device, FIELD_STATE);
	if (error)
		ask_cite_device(c, c->device, FIELD_ERROR);
	if (!state && c->device->heard_us)
		return ask_ok(c);
	if (!state)
		return ask_unknown(c, LACK_ABSENT, c->device, "%s has not been read yet", c->device->name);
	if (state->value.n == STATE_RETRYING || state->value.n == STATE_REFUSED)
		return ask_no(c, "%s: %.150s", ask_word(FIELD_STATE, state->value.n, word), error ? error : "no reason known");
	if (state->value.n == STATE_UP && c->device->heard_us)
		return ask_ok(c);
	ask_unknown(c, LACK_ABSENT, c->device, "%s has not answered yet (%s)", c->device->name,
		    ask_word(FIELD_STATE, state->value.n, word));
}

/* It has said nothing so far that would be wrong: it is late, perhaps. */
static bool is_silence(const char *error)
{
	return strstr(error, "its output takes too long") || strstr(error, "last output: nothing");
}

/* The error names its device and then the step at which it came: these come after the login. */
static bool is_about_identity(const char *error, const char *name)
{
	static const char *const steps[] = { "identification: ", "identify: ", "prompt: ", "version: ", "pager off: " };
	struct span rest = span_of(error);

	if (!span_skip(&rest, name) || !span_skip(&rest, ": ") || is_silence(error))
		return false;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (span_starts(rest, steps[i]))
			return true;
	return false;
}

/* It was reached, but what it says does not tell what it is. */
static bool is_not_identified(struct case_of *c)
{
	const struct cell *state = known(c->device, FIELD_STATE);
	const char *error = device_text(c->device, FIELD_ERROR);
	size_t n = strlen(c->device->name);

	if (!state || state->value.n == STATE_UP || !error || !is_about_identity(error, c->device->name))
		return false;
	ask_cite_device(c, c->device, FIELD_STATE);
	ask_cite_device(c, c->device, FIELD_ERROR);
	if (state->value.n == STATE_RETRYING || state->value.n == STATE_REFUSED)
		ask_no_at(c, VERDICT_FAIL, "%.150s", error + n + 2);
	else
		ask_unknown(c, LACK_REASON, c->device, "%.80s", error + n + 2);
	return true;
}

/* Bytes that no command prints: not what a terminal is sent, and not UTF-8's. */
static bool is_binary(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' && !strchr("\t\r\n\f\b\033", text[i]))
			return true;
	return false;
}

/*
 * An answer without facts may be an empty table; not when it held some before, nor when it is no text. What never came whole was
 * cut short, and is no other layout.
 */
static bool is_garbled(const struct reply *r)
{
	if (r->n_facts > 0 || !r->raw || span_trim((struct span){ r->raw, r->raw_n }).n == 0)
		return false;
	return (r->has_spoken && r->whole_us) || is_binary(r->raw, r->raw_n);
}

void ask_answers_understood(struct case_of *c)
{
	const struct reply *first = NULL;
	size_t n = 0;

	if (is_not_identified(c))
		return;
	for (size_t i = 0; i < c->device->n_replies; i++) {
		const struct reply *r = c->device->replies[i];

		if (!is_garbled(r))
			continue;
		first = first ? first : r;
		n++;
	}
	if (n == 0)
		return ask_ok(c);
	ask_unknown(c, LACK_REASON, c->device, "%s%s%s could not be parsed", first->probe, first->subject ? " " : "",
		    first->subject ? first->subject : "");
	snprintf(c->what, sizeof(c->what), "%zu repl%s could not be parsed", n, n == 1 ? "y" : "ies");
}

/* A first contact that takes its time: nothing is old yet, and nothing is there. */
static bool is_slow_to_begin(struct case_of *c)
{
	const struct cell *state = known(c->device, FIELD_STATE);
	int64_t since_us;

	if (!state || (state->value.n != STATE_CONNECTING && !judge_context_is_new(c->device)))
		return false;
	since_us = model_now(c->model) - state->since_us;
	if (since_us < LATE_US)
		return false;
	ask_cite_device(c, c->device, FIELD_STATE);
	ask_no(c, "its first answers have taken %lld s and are not all here", (long long)(since_us / SECOND));
	return true;
}

void ask_answers_in_time(struct case_of *c)
{
	const struct cell *latency = known(c->device, FIELD_LATENCY);
	const struct reply *oldest = NULL;
	size_t n = 0;

	for (size_t i = 0; i < c->device->n_replies; i++) {
		const struct reply *r = c->device->replies[i];

		if (!reply_is_late(c->model, r))
			continue;
		n++;
		if (!oldest || r->at_us < oldest->at_us)
			oldest = r;
	}
	if (n > 0) {
		ask_unknown(c, LACK_REASON, c->device, "%.60s is %lld s old", oldest->probe,
			    (long long)((model_now(c->model) - oldest->at_us) / SECOND));
		snprintf(c->what, sizeof(c->what), "%zu answer%s late", n, n == 1 ? " is" : "s are");
		return;
	}
	if (is_slow_to_begin(c))
		return;
	if (!latency)
		return ask_ok(c);
	ask_cite_device(c, c->device, FIELD_LATENCY);
	if (latency->value.n > LATE_US)
		return ask_no(c, "its answers take %.1f s", (double)latency->value.n / SECOND);
	ask_ok(c);
}

static bool carries_roce(const struct case_of *c)
{
	for (size_t i = 0; i < c->device->n_ports; i++)
		if (c->context->ports[c->device->ports[i]->id].roce == ROCE_YES)
			return true;
	return false;
}

/* A yes-or-no fact of a device with RoCE ports; where nothing is said there is nothing to judge. */
static bool roce_fact(struct case_of *c, enum field f, uint64_t *out)
{
	if (!carries_roce(c)) {
		ask_lost(c, "no RDMA device is known here");
		return false;
	}
	if (!device_cell(c->device, f, 0)) {
		ask_lost(c, "not reported");
		return false;
	}
	return ask_device(c, c->device, f, out);
}

void ask_driver_ready(struct case_of *c)
{
	uint64_t ready;

	if (!roce_fact(c, FIELD_DRIVER_READY, &ready))
		return;
	if (ready)
		return ask_ok(c);
	ask_no(c, "the containerized driver has not reported that it is ready");
}

/* Whether a word stands in a list parted by blanks or commas. */
static bool lists(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = strstr(list, word); p; p = strstr(p + 1, word))
		if ((p == list || strchr(" ,\n", p[-1])) && (p[n] == '\0' || strchr(" ,\n", p[n])))
			return true;
	return false;
}

void ask_modules_loaded(struct case_of *c)
{
	const char *modules;
	uint64_t none;

	if (!roce_fact(c, FIELD_MODULES, &none))
		return;
	modules = device_text(c->device, FIELD_MODULES);
	if (lists(modules, "ib_uverbs"))
		return ask_ok(c);
	ask_no(c, "ib_uverbs is not loaded: programs cannot open RDMA devices");
}

#define MEMLOCK_LEAST	(UINT64_C(1) << 30)	/* fabcon default: below 1 GiB registering buffers soon fails */

/* Another host where the same login may lock enough: then it is no default, but forgotten here. */
static const struct device *unlike(const struct case_of *c)
{
	for (size_t i = 0; i < model_devices(c->model); i++) {
		const struct device *d = model_device(c->model, i);
		const struct cell *limit = known(d, FIELD_MEMLOCK);

		if (limit && limit->value.n >= MEMLOCK_LEAST)
			return d;
	}
	return NULL;
}

/* Our login runs no job: a small limit of ours says something of the jobs' only where it differs from the others'. */
void ask_memlock(struct case_of *c)
{
	const struct device *other;
	uint64_t bytes;

	if (!roce_fact(c, FIELD_MEMLOCK, &bytes))
		return;
	if (bytes >= MEMLOCK_LEAST)
		return ask_ok(c);
	other = unlike(c);
	if (!other)
		return ask_lost(c, "our login may lock little everywhere; the jobs' limit is their own");
	ask_no(c, "our login may lock %llu KiB of memory, more at %.60s", (unsigned long long)(bytes / 1024), other->name);
}

void ask_lldpad(struct case_of *c)
{
	uint64_t runs;

	if (!roce_fact(c, FIELD_LLDPAD, &runs))
		return;
	if (!runs)
		return ask_ok(c);
	ask_no(c, "lldpad runs here and may overwrite QoS settings");
}

/* The words of a list. */
static unsigned words_of(const char *list)
{
	struct span rest = span_of(list ? list : ""), word;
	unsigned n = 0;

	while (span_word(&rest, &word))
		n++;
	return n;
}

/* Who sets a host's QoS again. */
static const enum field keepers[] = { FIELD_OWNER, FIELD_PERSIST_UNIT, FIELD_LLDPAD /* by a file of its own */ };

static bool is_kept_by(const struct case_of *c, enum field keeper)
{
	uint64_t n;

	return device_text(c->device, keeper) || (device_number(c->model, c->device, keeper, 0, &n) && n);
}

/* By one of those, or by what was found among the files of a boot. */
void ask_qos_kept(struct case_of *c)
{
	const char *where = device_text(c->device, FIELD_PERSIST_WHERE);
	struct span rest = span_of(where ? where : ""), first = { 0 };
	uint64_t kept, n;
	char more[40];

	for (size_t i = 0; i < sizeof(keepers) / sizeof(*keepers); i++)
		if (is_kept_by(c, keepers[i]))
			return ask_ok(c);
	if (!roce_fact(c, FIELD_PERSIST_QOS, &kept))
		return;
	if (kept)
		return ask_ok(c);
	for (size_t i = 0; i < sizeof(keepers) / sizeof(*keepers); i++)
		if (device_cell(c->device, keepers[i], 0))
			ask_device(c, c->device, keepers[i], &n);
	if (ask_lacks(c))	/* one of them may set it */
		return;
	if (!span_word(&rest, &first))
		return ask_unknown(c, LACK_ABSENT, c->device, "%.60s persist.where", c->device->name);
	ask_cite_device(c, c->device, FIELD_PERSIST_WHERE);
	snprintf(more, sizeof(more), " and %u other place%s", words_of(where) - 1, plural_s(words_of(where) - 1));
	ask_no(c, "no file in %.*s%s names mlnx_qos, dcb, lldptool, cma_roce_tos or roce_np", (int)(first.n < 60 ? first.n : 60), first.p,
	       words_of(where) > 1 ? more : "");
}

void ask_tcp_ecn(struct case_of *c)
{
	uint64_t n;

	if (!device_cell(c->device, FIELD_TCP_ECN, 0))
		return ask_lost(c, "not reported");
	if (!ask_device(c, c->device, FIELD_TCP_ECN, &n))
		return;
	ask_ok(c);
	snprintf(c->what, sizeof(c->what), "tcp_ecn is %llu: kernel TCP only, no effect on RoCE", (unsigned long long)n);
}

void ask_config_saved(struct case_of *c)
{
	uint64_t saved;

	if (!device_cell(c->device, FIELD_CONFIG_SAVED, 0))
		return ask_lost(c, "not reported");
	if (!ask_device(c, c->device, FIELD_CONFIG_SAVED, &saved))
		return;
	if (saved)
		return ask_ok(c);
	ask_no(c, "the running configuration differs from the saved one");
}
