#include "tests/trials/partial.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/trials/mend.h"

#define FAULT	"tos-104"	/* two lines a node; each node by itself */

struct many {
	struct site site;
	struct mending mending;
	const struct planned_fix *plan;
	struct buf *words;
	bool fails[PLANNED_MAX];
	char *whole[PLANNED_MAX], *before[PLANNED_MAX];	/* setups, in the plan's order: without the fault, and with it */
	unsigned long writes[PLANNED_MAX];
	unsigned stop;			/* the wave of the first that fails; UINT32_MAX: none does */
};

static bool begin(struct many *m, unsigned nodes)
{
	char *wholes[PLANNED_MAX] = { NULL }, name[64];
	bool done = site_open_wide(&m->site, nodes);

	for (unsigned i = 0; i < nodes && done; i++) {
		char *fault = xasprintf(FAULT "@node%u:eth2", i + 1);

		snprintf(name, sizeof(name), "node%u", i + 1);
		wholes[i] = mend_setup(&m->site, name);
		done = SITE_CTL(&m->site, "fault", "add", fault);
		free(fault);
	}
	done = done && mend_plan_of(&m->site, NULL, &m->mending, m->words);
	m->plan = &m->mending.plans[0];
	if (done && m->plan->n != nodes) {
		buf_printf(m->words, "  %zu of %u nodes are in the plan\n", m->plan->n, nodes);
		done = false;
	}
	for (size_t i = 0; i < m->plan->n && done; i++) {
		m->whole[i] = wholes[strtoul(m->plan->devices[i] + strlen("node"), NULL, 10) - 1];
		m->before[i] = mend_setup(&m->site, m->plan->devices[i]);
		m->writes[i] = site_writes(&m->site, m->plan->devices[i]);
	}
	for (unsigned i = 0; i < nodes && !done; i++)
		free(wholes[i]);
	return done;
}

static void end(struct many *m)
{
	site_close(&m->site);
	for (size_t i = 0; i < PLANNED_MAX; i++) {
		free(m->whole[i]);
		free(m->before[i]);
	}
}

/* So many of them refuse their first write. */
static void set_traps(struct many *m, unsigned failing, unsigned seed)
{
	m->stop = UINT32_MAX;
	srandom(seed);
	for (unsigned left = failing; left;) {
		size_t i = (size_t)random() % m->plan->n;
		char *trap;

		if (m->fails[i])
			continue;
		trap = xasprintf("refuse@%s", m->plan->devices[i]);
		SITE_CTL(&m->site, "trap", trap);
		free(trap);
		m->fails[i] = true;
		left--;
		if (m->plan->waves[i] < m->stop)
			m->stop = m->plan->waves[i];
	}
}

static const char *text_of(json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));

	return text ? text : "";
}

static bool wrong(struct many *m, const char *what, const char *is)
{
	buf_printf(m->words, "  %s: %s\n", what, is);
	return false;
}

static bool is_one_of(const char *word, const char *const *list)
{
	while (*list && strcmp(*list, word) != 0)
		list++;
	return *list;
}

/* One device: what the lab has, what was sent to it, and what is said of it. */
static bool device_is_right(struct many *m, size_t i, const char *state)
{
	static const char *const kept[] = { "kept", "saved", NULL }, *const not_kept[] = { "undone", "before", "planned", "refused", NULL };
	const char *device = m->plan->devices[i];
	bool is_before_stop = m->plan->waves[i] < m->stop, is_after_stop = m->plan->waves[i] > m->stop, done = true;
	char *setup = mend_setup(&m->site, device);

	if (strcmp(setup, is_before_stop ? m->whole[i] : m->before[i]) != 0)
		done = wrong(m, device, is_before_stop ? "is not as planned" : "is not as it was");
	if (!is_one_of(state, is_before_stop ? kept : not_kept))
		done = wrong(m, device, state);
	if (is_after_stop && site_writes(&m->site, device) != m->writes[i])
		done = wrong(m, device, "was written to after the stop");
	if (is_after_stop && strcmp(state, "planned") != 0)
		done = wrong(m, device, "is said to have been begun after the stop");
	free(setup);
	return done;
}

/* The whole of it: how it ended, in its code and its words. */
static bool whole_is_right(struct many *m, int code, const char *how, const char *said)
{
	static const struct {
		int code;
		const char *how, *words;
	} all = { 0, "done", "every device is as planned" }, none = { 7, "rolled back", "verified to be in its previous state" },
	  some = { 8, "in part", "the others are not" };
	const struct planned_fix *p = m->plan;
	bool is_none = m->stop <= p->waves[0], is_all = m->stop == UINT32_MAX;
	int wanted = is_all ? all.code : is_none ? none.code : some.code;

	if (code == wanted && !strcmp(how, is_all ? all.how : is_none ? none.how : some.how) &&
	    strstr(said, is_all ? all.words : is_none ? none.words : some.words))
		return true;
	buf_printf(m->words, "  exit %d, not %d: %s: %s\n", code, wanted, how, said);
	return false;
}

static bool apply_is_right(struct many *m)
{
	struct run r = SITE(&m->site, "-q", "-o", "json", "apply", m->mending.files[0], "--rw", "--reason", "test", "--approve",
			    m->plan->hash);
	json_t *doc = json_loads(r.out.text ? r.out.text : "", 0, NULL), *step;
	bool done = whole_is_right(m, r.code, text_of(doc, "end"), text_of(doc, "words"));
	size_t i;

	if (json_array_size(json_object_get(doc, "steps")) != m->plan->n)
		done = wrong(m, "the report", "does not name every device");
	json_array_foreach(json_object_get(doc, "steps"), i, step)
		if (strcmp(text_of(step, "device"), m->plan->devices[i]) != 0 || !device_is_right(m, i, text_of(step, "state")))
			done = false;
	json_decref(doc);
	run_done(&r);
	return done;
}

bool partial_story(unsigned nodes, unsigned failing, unsigned seed, struct buf *words)
{
	struct many m = { .words = words };
	bool done;

	if (failing > nodes)
		failing = nodes;
	buf_printf(words, "  %u of %u fail\n", failing, nodes);
	done = begin(&m, nodes);
	if (done) {
		set_traps(&m, failing, seed);
		buf_printf(words, "  the first in wave %u\n", m.stop);
		done = apply_is_right(&m);
	}
	end(&m);
	return done;
}
