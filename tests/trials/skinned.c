#include "tests/trials/skinned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/nasty.h"
#include "tests/trials/mend.h"

/* Nobody but us changes these fabrics, and each of their devices is of a system that is known. */
static const char *const false_here[] = {
	"since the plan was made", "neither as before nor as planned", "no system known here", "another operator has just made",
	"its configuration is neither", "runs a different operating system",
};

bool skinned_words(const char *text, struct buf *words)
{
	for (size_t i = 0; text && i < sizeof(false_here) / sizeof(*false_here); i++)
		if (strstr(text, false_here[i])) {
			buf_printf(words, "  FALSE: \"%s\" in: %.1500s\n", false_here[i], text);
			return false;
		}
	return true;
}

/* -- one fix -- */

struct skinned {
	struct site site;
	struct mending mending;
	char *before, *after;
	struct buf *words;
};

static unsigned long writes_of(const struct skinned *s)
{
	unsigned long n = 0;

	for (size_t i = 0; i < s->mending.plans[0].n; i++)
		n += site_writes(&s->site, s->mending.plans[0].devices[i]);
	return n;
}

/* fabcon VERB PLAN: its exit status, or -1 when something that it said is false. */
static int tell(const struct skinned *s, const char *verb)
{
	struct run r = SITE(&s->site, verb, s->mending.files[0], "--rw", "--reason", "test", "--approve", s->mending.plans[0].hash);
	bool is_true = skinned_words(r.out.text, s->words) && skinned_words(r.err.text, s->words);
	int code = is_true ? r.code : -1;

	buf_printf(s->words, "  %s: exit %d", verb, r.code);
	if (r.code)
		buf_printf(s->words, ": %.900s%.300s", r.out.text ? r.out.text : "", r.err.text ? r.err.text : "");
	buf_str(s->words, "\n");
	run_done(&r);
	return code;
}

static bool is_now(const struct skinned *s, const char *setups, const char *what)
{
	char *now = mend_setups(&s->site);
	bool is_same = !strcmp(now, setups);

	if (!is_same)
		buf_printf(s->words, "  FALSE: the devices are not %s\n", what);
	free(now);
	return is_same;
}

static bool verify_says(const struct skinned *s, const char *words)
{
	struct run r = SITE(&s->site, "verify", s->mending.files[0]);
	const char *text = r.out.text ? r.out.text : "";
	bool done = skinned_words(text, s->words) && (r.code == 8 || strstr(text, words));

	if (!done)
		buf_printf(s->words, "  FALSE: verify: exit %d: %s%s\n", r.code, text, r.err.text ? r.err.text : "");
	run_done(&r);
	return done;
}

/* What was done is done, is not done twice, and is undone to the byte. */
static bool follow(struct skinned *s)
{
	unsigned long writes = writes_of(s);
	int code;

	s->after = mend_setups(&s->site);
	if (!strcmp(s->before, s->after)) {
		buf_str(s->words, "  FALSE: done, and nothing was changed\n");
		return false;
	}
	code = verify_says(s, "as planned") ? tell(s, "apply") : -1;
	if (code < 0 || writes_of(s) != writes || !is_now(s, s->after, "as the first apply left them"))
		return false;
	switch (tell(s, "undo")) {
	case 0:
		return is_now(s, s->before, "as before, though undone") && verify_says(s, "as before");
	case 4:
	case 9:
		return is_now(s, s->after, "as planned, though undo was refused");
	case 7:
	case 8:
		return true;
	default:
		return false;
	}
}

static bool judge(struct skinned *s)
{
	unsigned long writes = writes_of(s);

	switch (tell(s, "apply")) {
	case 0:
		return follow(s);
	case 4:
	case 9:
		if (writes_of(s) != writes)
			buf_str(s->words, "  FALSE: refused, and something was sent\n");
		return writes_of(s) == writes && is_now(s, s->before, "as before, though it was refused");
	case 7:
		return is_now(s, s->before, "as before, though rolled back") && verify_says(s, "as before");
	case 8:
		return true;
	default:
		return false;
	}
}

bool skinned_fix(unsigned seed, struct buf *words)
{
	struct skinned s = { .words = words };
	size_t n;
	const struct mendable *list = mendables(&n), *m = &list[seed % n];
	const char *os = m->os ? m->os : seed / 2 % 2 ? "os10" : "sonic";
	bool done = true;

	nasty_dress(seed);
	buf_printf(words, "  seed %u: %s, %s\n", seed, m->fault, os);
	if (!site_open(&s.site, os, m->traffic ? m->traffic : "ring", m->needs_bond)) {
		buf_str(words, "  the lab did not come up\n");
		done = false;
	} else if (!SITE_CTL(&s.site, "fault", "add", m->fault)) {
		buf_str(words, "  no device in these skins can have it\n");
	} else {
		s.before = mend_setups(&s.site);
		if (mend_plan_of(&s.site, NULL, &s.mending, words))
			done = judge(&s);
		else
			buf_str(words, "  no plan came of it\n");
		done = skinned_words(words->text, words) && done;
	}
	site_close(&s.site);
	free(s.before);
	free(s.after);
	return done;
}
