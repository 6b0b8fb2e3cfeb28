/* Why devices were not read, and how long it will take: many that fail alike are one line. */
#include <stdio.h>

#include "tests/lib/say.h"
#include "tui/session/causes.h"
#include "tui/text/progress.h"

static void errors_of_the_same_kind_are_one_cause_whatever_they_name(void **state)
{
	static const struct {
		const char *error, *words;
	} cases[] = {
		{ "n: host key: CHANGED: ssh-ed25519 is now SHA256:a, and was SHA256:b (f:3); if …", "host key changed" },
		{ "n: host key: ssh-rsa SHA256:a is REVOKED (f:1); do not trust this host until …", "host key revoked" },
		{ "n: host key: ssh-ed25519 SHA256:x of n is not known; compare it", "host key not trusted" },
		{ "n: authentication: the server accepts publickey and refused the agent's keys; check", "login refused" },
		{ "n: connect: 10.0.0.1 port 22: Connection refused", "connection refused" },
		{ "n: connect: 10.0.0.1 port 22: No route to host", "no route" },
		{ "n: connect: 10.0.0.1 port 22: Network is unreachable", "no route" },
		{ "n: connect: no answer in 5.0 s", "timeout" },
		{ "n: key exchange: no answer in 5.0 s", "timeout" },
		{ "n: resolve: unknown node or service", "name not known" },
		{ "n: something never heard of", "not reached" },
		{ "", "not reached" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(cause_of("n", cases[i].error)->words, cases[i].words);
}

static void every_cause_says_what_to_do(void **state)
{
	(void)state;
	for (size_t i = 0; i < cause_count; i++)
		assert_true(*cause_table[i].words && *cause_table[i].to_do);
	assert_null(cause_table[cause_count - 1].step);
	assert_null(cause_table[cause_count - 1].text);
}

static void say_down(struct model *m, const char *device, const char *error)
{
	char fact[256];

	snprintf(fact, sizeof(fact), "%s state = retrying", device);
	model_say(m, fact, SECOND);
	snprintf(fact, sizeof(fact), "%s error = \"%s: %s\"", device, device, error);
	model_say(m, fact, SECOND);
}

static void many_devices_of_one_cause_are_folded_and_the_largest_comes_first(void **state)
{
	struct cause_group groups[CAUSES_MAX];
	struct model *m = model_new();
	struct buf text = { 0 };
	char name[16];
	size_t n;

	(void)state;
	say_down(m, "node31", "host key: CHANGED: it is now another");
	for (int i = 1; i <= 12; i++) {
		snprintf(name, sizeof(name), "node%02d", i);
		say_down(m, name, "connect: no answer in 5.0 s");
	}
	model_say(m, "node40 state = up", SECOND);
	n = causes_of(m, false, groups);
	causes_text(groups, n, &text);
	assert_string_equal(text.text, "12 timeout: node[01-12]; 1 host key changed: node31");
	assert_string_equal(groups[0].error, "connect: no answer in 5.0 s");
	buf_done(&text);
	model_free(m);
}

static void a_device_that_said_nothing_was_still_waited_for(void **state)
{
	struct cause_group groups[CAUSES_MAX];
	struct model *m = model_new();

	(void)state;
	model_need_device(m, "node1");
	assert_int_equal(causes_of(m, true, groups), 1);
	assert_string_equal(groups[0].cause->words, "not answered yet");
	assert_null(groups[0].error);
	model_free(m);
}

static void a_thousand_names_end_in_dots(void **state)
{
	struct cause_group groups[CAUSES_MAX];
	struct model *m = model_new();
	char name[64];

	(void)state;
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "rack%d-of-a-long-name-%c", i * 7, 'a' + i % 26);
		model_need_device(m, name);
	}
	assert_int_equal(causes_of(m, true, groups), 1);
	assert_int_equal(groups[0].n, 1000);
	assert_string_equal(groups[0].devices + strlen(groups[0].devices) - 4, " ...");
	model_free(m);
}

static void assert_progress(size_t done, size_t all, int64_t elapsed_us, int64_t limit_us, const char *words)
{
	struct buf text = { 0 };

	progress_words(&text, "answered", done, all, elapsed_us, limit_us);
	assert_string_equal(text.text, words);
	buf_done(&text);
}

static void progress_tells_count_time_and_what_is_left_but_guesses_nothing_from_nothing(void **state)
{
	(void)state;
	assert_progress(12, 64, 4 * SECOND, 0, "12 of 64 answered, 4 s, about 18 s more");
	assert_progress(0, 64, 4 * SECOND, 20 * SECOND, "0 of 64 answered, 4 s, at most 16 s more");
	assert_progress(0, 64, 4 * SECOND, 0, "0 of 64 answered, 4 s");
	assert_progress(1, 64, 4 * SECOND, 20 * SECOND, "1 of 64 answered, 4 s, at most 16 s more");
	assert_progress(64, 64, 9 * SECOND, 20 * SECOND, "64 of 64 answered, 9 s");
	assert_progress(0, 0, 0, 0, "0 of 0 answered, 0 s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_of_the_same_kind_are_one_cause_whatever_they_name),
		cmocka_unit_test(every_cause_says_what_to_do),
		cmocka_unit_test(many_devices_of_one_cause_are_folded_and_the_largest_comes_first),
		cmocka_unit_test(a_device_that_said_nothing_was_still_waited_for),
		cmocka_unit_test(a_thousand_names_end_in_dots),
		cmocka_unit_test(progress_tells_count_time_and_what_is_left_but_guesses_nothing_from_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
