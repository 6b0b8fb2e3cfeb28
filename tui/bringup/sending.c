#include "tui/bringup/sending.h"

#include <stdio.h>
#include <stdlib.h>

#include "tui/bringup/fabric_of.h"

#define TEST_S		5
#define TEST_QPS	4
#define TEST_MESSAGE	65536
#define INCAST_MOST	8
#define TEST_ROUND_TRIPS 10000

struct sending {
	struct sending_options with;
	struct bringup_test_plan plan;
	struct traffic_run *run;
};

static void make_plan(struct bringup_test_plan *p, struct session *s, const struct bringup_rack *rack, unsigned extras)
{
	const struct bringup_wishes wishes = { .kinds = 1u << BRINGUP_LOOPBACK | 1u << BRINGUP_SAME_LEAF | 1u << BRINGUP_INCAST | extras,
					       .loads = 2, .incast = INCAST_MOST,
					       .tools = 1u << BRINGUP_RPING | 1u << BRINGUP_WRITE_LAT };
	const struct bringup_load load = { .seconds = TEST_S, .qps = TEST_QPS, .message = TEST_MESSAGE, .round_trips = TEST_ROUND_TRIPS };
	const struct bringup_fabric f = bringup_fabric_of(s);

	bringup_test_plan_make(p, rack, &f, session_policy(s), &wishes, &load);
}

void sending_plan_words(struct session *s, const struct bringup_rack *rack, unsigned extras, struct buf *out)
{
	struct bringup_test_plan plan;

	make_plan(&plan, s, rack, extras);
	bringup_test_plan_words(&plan, out);
	bringup_test_plan_done(&plan);
}

/* Of the NICs that are tested, those from which nothing is sent across. */
static void say_apart(struct sending *s)
{
	char line[120];
	size_t n = 0;

	for (size_t i = 0; i < s->plan.n; i++)
		n += s->plan.nics[i].is_apart;
	if (!n)
		return;
	snprintf(line, sizeof(line), "not tested across leaves: %zu of %zu NICs: no link from their leaf to another switch is known", n,
		 s->plan.n);
	s->with.said(s->with.ctx, line);
}

static void say_plan(struct sending *s)
{
	struct buf words = { 0 };

	bringup_test_plan_words(&s->plan, &words);
	s->with.said(s->with.ctx, words.text);
	if (s->with.extras & 1u << BRINGUP_CROSS_LEAF)
		say_apart(s);
	for (size_t i = 0; i < s->plan.n_skips && !s->plan.is_again; i++) {
		const struct bringup_skip *skip = &s->plan.skips[i];

		buf_clear(&words);
		buf_printf(&words, "not tested: %s%s%s: %s", skip->unit->host, skip->unit->nic ? " " : "", skip->unit->nic ? skip->unit->nic : "",
			   skip->why);
		s->with.said(s->with.ctx, words.text);
		bringup_record_untested(s->with.record, s->with.session, skip);
	}
	buf_done(&words);
}

static void said(void *ctx, const char *line)
{
	const struct sending *s = ctx;

	s->with.said(s->with.ctx, line);
}

static void tested(void *ctx, const struct bringup_test *test)
{
	const struct sending *s = ctx;

	bringup_record_test(s->with.session, test);
}

static void done(void *ctx)
{
	const struct sending *s = ctx;

	s->with.done(s->with.ctx);
}

static unsigned last_run(const struct bringup_tests *t)
{
	unsigned run = 0;

	for (size_t i = 0; i < t->n; i++)
		run = t->list[i].evidence.run > run ? t->list[i].evidence.run : run;
	return run;
}

struct sending *sending_new(const struct sending_options *with, const struct bringup_rack *rack, const char *host, const char *nic,
			    struct err *err)
{
	struct sending *s = xcalloc(1, sizeof(*s));
	char why[BRINGUP_WORDS];

	s->with = *with;
	make_plan(&s->plan, with->session, rack, with->extras);
	s->plan.run = last_run(&with->record->tests) + (with->is_new_run && with->record->tests.n);
	s->plan.repeats_failed = with->is_new_run;
	if (host && !bringup_test_plan_again(&s->plan, &with->record->tests, host, nic ? nic : "", why)) {
		err_set(err, "%s%s%s is not tested: %s", host, nic ? ":" : "", nic ? nic : "", why);
		sending_free(s);
		return NULL;
	}
	with->record->has_traffic = true;
	say_plan(s);
	s->run = traffic_run_new(with->loop, with->session, &with->poller, with->permit, &s->plan, &with->record->tests,
				 &(struct traffic_hooks){ .ctx = s, .said = said, .tested = tested, .done = done });
	return s;
}

void sending_stop(struct sending *s)
{
	traffic_run_stop(s->run);
}

void sending_free(struct sending *s)
{
	if (!s)
		return;
	if (s->run)
		traffic_run_free(s->run);
	bringup_test_plan_done(&s->plan);
	free(s);
}
