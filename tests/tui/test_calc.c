/* The calculators and the frame builder as a person calls them. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tui/args/cli.h"

static json_t *rows_of(struct run *r)
{
	json_t *json = json_loads(r->out.text, 0, NULL);

	assert_int_equal(r->code, EXIT_DONE);
	assert_non_null(json);
	return json;
}

static double number(json_t *document, size_t row, const char *name)
{
	return json_number_value(json_object_get(json_array_get(json_object_get(document, "rows"), row), name));
}

static void headroom_and_its_inverse_agree(void **state)
{
	struct run r = RUN("fabcon", "calc", "headroom", "speed=100G", "cable=300m", "occupancy=1.125", "have=82KiB", "-o", "json");
	json_t *json = rows_of(&r);

	(void)state;
	assert_float_equal(number(json, 0, "headroom_bytes"), 82 * 1024, 0);
	assert_true(number(json, 0, "longest_cable_m") >= 300);
	json_decref(json);
	run_done(&r);
}

/* The reference's rows within its 15 %, as the lab has to keep them. */
static void dcqcn_settles_within_the_published_bands(void **state)
{
	static const struct {
		const char *n, *speed, *kmin, *kmax, *pmax, *time;
		double queue, marked, cnps;
	} rows[] = {
		{ "n=4", "speed=40G", "kmin=5KB", "kmax=200KB", "pmax=1%", "time=400ms", 56600, 0.261, 2658 },
		{ "n=8", "speed=100G", "kmin=100KB", "kmax=400KB", "pmax=20%", "time=200ms", 99900, 0.2395, 2700 },
		{ "n=16", "speed=100G", "kmin=150KB", "kmax=1500KB", "pmax=100%", "time=200ms", 155800, 0.5195, 3066 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct run r = RUN("fabcon", "calc", "dcqcn", rows[i].n, rows[i].speed, rows[i].kmin, rows[i].kmax, rows[i].pmax,
				   rows[i].time, "-o", "json");
		json_t *json = rows_of(&r);

		assert_float_equal(number(json, 1, "queue_bytes"), rows[i].queue, 0.15 * rows[i].queue);
		assert_float_equal(number(json, 1, "marked_percent"), rows[i].marked, 0.15 * rows[i].marked);
		assert_float_equal(number(json, 1, "cnp_per_s_per_flow"), rows[i].cnps, 0.15 * rows[i].cnps);
		json_decref(json);
		run_done(&r);
	}
}

static void marking_is_a_line_and_then_everything(void **state)
{
	struct run r = RUN("fabcon", "calc", "wred", "kmin=100KB", "kmax=300KB", "pmax=50%", "queue=200KB", "-o", "json");
	json_t *json = rows_of(&r);

	(void)state;
	assert_float_equal(number(json, 0, "marked_percent"), 25, 1e-9);
	json_decref(json);
	run_done(&r);
}

static void what_is_not_understood_says_what_is(void **state)
{
	static const struct {
		const char *a, *b, *c, *says;
	} cases[] = {
		{ "calc", "headroom", "speed=fast", "100G" },     { "calc", "headroom", "colour=red", "speed=" },
		{ "calc", "nonsense", NULL, "calc list" },	   { "calc", "wred", "kmin=2MB", "below kmax" },
		{ "calc", "dcqcn", "n=1000000", "1 to 64" },	   { "calc", "pause", "speed=-1", "quantity" },
		{ "frame", "build", "rc-telepathy", "frame list" }, { "frame", "decode", "4z", "pcap" },
		{ "frame", "peel", "x", "build" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct run r = RUN("fabcon", cases[i].a, cases[i].b, cases[i].c);

		assert_int_equal(r.code, EXIT_USAGE);
		assert_int_equal(r.out.n, 0);
		if (!strstr(r.err.text, cases[i].says))
			fail_msg("%s %s %s says: %s", cases[i].a, cases[i].b, cases[i].c, r.err.text);
		run_done(&r);
	}
}

static void a_frame_that_was_built_is_decoded_and_a_damaged_one_is_found_out(void **state)
{
	char path[] = "/tmp/fabcon-calc-XXXXXX", *out;
	struct run built = RUN("fabcon", "frame", "build", "rc-write-only", "src=10.0.1.100", "dst=fd00::2", "payload=68656c6c6f",
			       "src=fd00::1", "qp=0x1234", "va=0x7f0011223340", "rkey=0x1234");
	struct run read = RUN("fabcon", "frame", "decode", built.out.text), file;

	(void)state;
	assert_int_equal(built.code, EXIT_DONE);
	assert_int_equal(read.code, EXIT_DONE);
	assert_non_null(strstr(read.out.text, "rc-write-only"));
	assert_non_null(strstr(read.out.text, "fd00::1"));
	built.out.text[80] = built.out.text[80] == '0' ? '1' : '0';
	run_done(&read);
	read = RUN("fabcon", "frame", "decode", built.out.text);
	assert_int_equal(read.code, EXIT_FINDINGS);
	run_done(&built);
	run_done(&read);

	assert_non_null(mkdtemp(path));
	out = xasprintf("%s/a.pcap", path);
	built = RUN("fabcon", "frame", "build", "pfc", "priority=3,4", "-O", out);
	assert_int_equal(built.code, EXIT_DONE);
	file = RUN("fabcon", "frame", "decode", out);
	assert_non_null(strstr(file.out.text, "time[4]"));
	run_done(&built);
	run_done(&file);
	built = RUN("fabcon", "frame", "build", "pfc", "-O", out);
	assert_int_equal(built.code, EXIT_USAGE);
	assert_non_null(strstr(built.err.text, "exists already"));
	run_done(&built);
	unlink(out);
	rmdir(path);
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headroom_and_its_inverse_agree),
		cmocka_unit_test(dcqcn_settles_within_the_published_bands),
		cmocka_unit_test(marking_is_a_line_and_then_everything),
		cmocka_unit_test(what_is_not_understood_says_what_is),
		cmocka_unit_test(a_frame_that_was_built_is_decoded_and_a_damaged_one_is_found_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
