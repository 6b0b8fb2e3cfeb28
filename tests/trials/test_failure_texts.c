/*
 * R27: each fault that the lab can inject into an apply is told in words that name the host, the step, what is known of the
 * device, and what to do. FAILURES=short: a few of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tests/lib/say.h"
#include "tests/trials/crew.h"
#include "tests/trials/mend.h"

static const char *const traps[] = {
	"refuse", "no-timer", "reset", "lie", "cut", "stall", "garbage", "reboot", "lie-other", "no-undo-tool", "no-sudo", "in-band",
};
#define N_SHORT	3

/* What each kind of text is known by; one of them is enough. */
static const char *const steps[] = { "reading", "locked", "timer armed", "arm", "applying", "verifying", "line ", "session", NULL };
static const char *const known[] = {
	"verified to be in its previous state", "nothing was changed", "as before", "as planned", "is not known", "mixed", "unchanged",
	"not begun", NULL,
};
static const char *const to_do[] = { "; next: run ", "; next: remove ", "; next: check ", "; next: save ", NULL };

static struct tally {
	unsigned faults, nameless, stepless, unknown, helpless;
} *tally;

static bool has_one(const char *text, const char *const *list)
{
	while (*list && !strstr(text, *list))
		list++;
	return *list != NULL;
}

static unsigned lacks(bool is_there, const char *what, struct buf *words)
{
	if (!is_there)
		buf_printf(words, "  the text lacks %s\n", what);
	return !is_there;
}

static void judge(const struct run *r, const char *device, struct buf *words)
{
	struct buf all = { NULL };

	buf_add(&all, "", 0);
	buf_add(&all, r->out.text, r->out.n);
	buf_add(&all, r->err.text, r->err.n);
	__atomic_add_fetch(&tally->faults, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&tally->nameless, lacks(strstr(all.text, device), "the host", words), __ATOMIC_RELAXED);
	__atomic_add_fetch(&tally->stepless, lacks(has_one(all.text, steps), "the step", words), __ATOMIC_RELAXED);
	__atomic_add_fetch(&tally->unknown, lacks(has_one(all.text, known), "what is known", words), __ATOMIC_RELAXED);
	__atomic_add_fetch(&tally->helpless, lacks(has_one(all.text, to_do), "what to do", words), __ATOMIC_RELAXED);
	buf_printf(words, "  exit %d\n%s", r->code, all.text);
	buf_done(&all);
}

/* One lab, one plan, one trap; the words are those of apply. */
static bool one_fault(void *ctx, unsigned nth, struct buf *words)
{
	struct mending m = { .n = 0 };
	struct site s;
	bool done = site_open(&s, "os10", "off", false) && SITE_CTL(&s, "fault", "add", "tos-104@node1:eth2") &&
		    mend_plan_of(&s, NULL, &m, words);

	(void)ctx;
	if (done) {
		char *trap = xasprintf("%s@%s", traps[nth], m.plans[0].devices[0]);
		struct run r;

		done = SITE_CTL(&s, "trap", trap, "1");
		r = SITE(&s, "apply", m.files[0], "--rw", "--reason", "test", "--approve", m.plans[0].hash, "--undo-after", "10s");
		buf_printf(words, "  %s\n", trap);
		if (r.code != 0)
			judge(&r, m.plans[0].devices[0], words);
		run_done(&r);
		free(trap);
	}
	site_close(&s);
	return done;
}

static void each_failure_names_the_host_the_step_what_is_known_and_what_to_do(void **state)
{
	const char *form = getenv("FAILURES");
	unsigned n = form && !strcmp(form, "all") ? sizeof(traps) / sizeof(*traps) : N_SHORT;

	(void)state;
	tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(tally != MAP_FAILED);
	assert_int_equal(crew_run("failure texts", n, 3, one_fault, NULL), 0);
	printf("%u faults injected that were told: %u without the host, %u without the step, %u without what is known, %u without what to do\n",
	       tally->faults, tally->nameless, tally->stepless, tally->unknown, tally->helpless);
	assert_true(tally->faults > 0);
	assert_int_equal(tally->nameless + tally->stepless + tally->unknown + tally->helpless, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_failure_names_the_host_the_step_what_is_known_and_what_to_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
