/* Screen 6 over a fabric of written facts: the worst stage of each NIC, Enter from failure to failure, what to do, at every size. */
#include <stdio.h>
#include <stdlib.h>

#include "core/bringup/rack.h"
#include "tests/lib/screen.h"
#include "tests/lib/world.h"

static struct world world;
static struct screen_test *terminal;
static uint64_t serial;

static struct view_of view(void)
{
	return (struct view_of){ .model = world.model, .links = &world.links, .findings = world.findings, .policy = world.policy,
				 .inventory = &world.inventory, .fabric = "gpu-a", .serial = ++serial };
}

static const char *shown(struct stage *s)
{
	struct view_of of = view();

	stage_draw(s, screen_draw(terminal), &of);
	return screen_text(terminal);
}

static struct intent press(struct stage *s, int code)
{
	struct view_of of = view();

	return stage_key(s, &of, code);
}

static void assert_shows(struct stage *s, const char *what)
{
	const char *text = shown(s);

	if (!strstr(text, what))
		fail_msg("\"%s\" is not on the screen:\n%s", what, text);
}

static void assert_lacks(struct stage *s, const char *what)
{
	const char *text = shown(s);

	if (strstr(text, what))
		fail_msg("\"%s\" is on the screen:\n%s", what, text);
}

/* node1 has eth2 and eth3, each on a leaf of its own; node2 has no port. */
static struct stage begin(const char *const *facts, int rows, int cols)
{
	world_init(&world);
	for (; *facts; facts++)
		world_set(&world, *facts);
	world_run(&world, 20);
	terminal = screen_open(rows, cols, true, NULL);
	return (struct stage){ .screen = SCREEN_BRINGUP };
}

static void end(struct stage *s)
{
	stage_done(s);
	screen_close(terminal);
	world_done(&world);
}

#define FACTS(...)	((const char *const[]){ __VA_ARGS__, NULL })

static void it_opens_at_the_first_failure_and_says_what_to_do(void **state)
{
	static const int sizes[][2] = { { 36, 120 }, { 24, 80 } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct stage s = begin(FACTS("node1 eth3 trust = pcp"), sizes[i][0], sizes[i][1]);

		assert_shows(&s, "3 NICs: 1 failed, 1 not known, 1 passed; no traffic was sent");
		assert_shows(&s, "> node1 .  !7");
		assert_shows(&s, "!7 qos");
		assert_shows(&s, "node1:eth3 - leaf2");
		assert_shows(&s, "F A I L   at 7 Trust, PFC, ECN");
		assert_shows(&s, "trusts pcp, expected dscp");
		assert_shows(&s, "Set the trust mode that the policy requires");
		assert_lacks(&s, "mlnx_qos");	/* a technician is shown no command that changes a device */
		end(&s);
	}
}

static void enter_goes_from_failure_to_failure_and_around(void **state)
{
	struct stage s = begin(FACTS("node1 eth2 mtu = 1500", "node1 eth3 trust = pcp"), 36, 120);

	(void)state;
	assert_shows(&s, "F A I L   at 6 MTU");
	press(&s, '\n');
	assert_shows(&s, "F A I L   at 7 Trust, PFC, ECN");
	press(&s, '\n');
	assert_shows(&s, "F A I L   at 6 MTU");
	end(&s);
}

static void where_nothing_fails_enter_goes_to_what_is_not_known(void **state)
{
	struct stage s = begin(FACTS("node1 eth2 mtu = 9000"), 36, 120);

	(void)state;
	assert_shows(&s, "0 failed, 1 not known, 2 passed");
	assert_shows(&s, "N O T   K N O W N   at 4 Cabling");
	assert_shows(&s, "no fabric port was read");
	press(&s, 'k');
	assert_shows(&s, "P A S S   every stage before traffic");
	press(&s, '\n');
	assert_shows(&s, "N O T   K N O W N   at 4 Cabling");
	end(&s);
}

static void keys_move_by_host_and_by_nic_and_stay_in_the_rack(void **state)
{
	struct stage s = begin(FACTS("node1 eth2 mtu = 9000"), 36, 120);

	(void)state;
	press(&s, 'g');
	assert_shows(&s, "node1:eth2 - leaf1");
	press(&s, 'h');
	assert_shows(&s, "node1:eth2 - leaf1");
	press(&s, 'l');
	assert_shows(&s, "node1:eth3 - leaf2");
	press(&s, 'l');
	assert_shows(&s, "node1:eth3 - leaf2");
	press(&s, 'j');
	assert_shows(&s, "> node2");
	press(&s, 'j');
	assert_shows(&s, "> node2");
	press(&s, 'k');
	assert_shows(&s, "> node1");
	press(&s, 'G');
	assert_shows(&s, "> node2");
	end(&s);
}

/* A person who has chosen a NIC keeps it when another one fails. */
static void the_cursor_stays_where_it_was_put(void **state)
{
	struct stage s = begin(FACTS("node1 eth2 mtu = 9000"), 36, 120);

	(void)state;
	press(&s, 'g');
	world_set(&world, "node1 eth3 trust = pcp");
	world_run(&world, 10);
	assert_shows(&s, "1 failed");
	assert_shows(&s, "node1:eth2 - leaf1");
	assert_shows(&s, "P A S S");
	end(&s);
}

static void explain_has_every_stage_with_its_reason(void **state)
{
	struct stage s = begin(FACTS("node1 eth3 trust = pcp"), 36, 120);

	(void)state;
	shown(&s);
	press(&s, 'x');
	assert_shows(&s, "Bring-up of node1:eth3");
	assert_shows(&s, ".4 cabling     pass");
	assert_shows(&s, "!7 qos         fail: trusts pcp, expected dscp");
	assert_shows(&s, " 9 rdma        not yet: a stage before it fails");
	end(&s);
}

/* The NIC's devices are read again; nothing on this screen asks for a change or for a plan of one. */
static void no_key_of_it_plans_or_changes_anything(void **state)
{
	struct stage s = begin(FACTS("node1 eth3 trust = pcp"), 36, 120);
	struct intent i;

	(void)state;
	shown(&s);
	i = press(&s, 'R');
	assert_int_equal(i.is, INTENT_TEST_AGAIN);
	assert_string_equal(i.unit->host, "node1");
	assert_string_equal(i.unit->nic, "eth3");
	assert_int_equal(press(&s, 'f').is, INTENT_NONE);
	assert_int_equal(s.screen, SCREEN_BRINGUP);
	end(&s);
}

static void it_is_drawn_at_every_size_and_with_nothing_known(void **state)
{
	static const int sizes[][2] = { { 36, 120 }, { 24, 80 }, { 16, 60 }, { 10, 40 }, { 5, 20 }, { 1, 8 }, { 60, 200 } };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct stage s = begin(FACTS("node1 eth3 trust = pcp"), sizes[i][0], sizes[i][1]);

		shown(&s);
		for (size_t k = 0; k < world.n_facts; k++)
			world.facts[k].is_gone = true;
		world_run(&world, 400);
		assert_non_null(shown(&s));
		press(&s, '\n');
		press(&s, 'x');
		assert_non_null(shown(&s));
		end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_opens_at_the_first_failure_and_says_what_to_do),
		cmocka_unit_test(enter_goes_from_failure_to_failure_and_around),
		cmocka_unit_test(where_nothing_fails_enter_goes_to_what_is_not_known),
		cmocka_unit_test(keys_move_by_host_and_by_nic_and_stay_in_the_rack),
		cmocka_unit_test(the_cursor_stays_where_it_was_put),
		cmocka_unit_test(explain_has_every_stage_with_its_reason),
		cmocka_unit_test(no_key_of_it_plans_or_changes_anything),
		cmocka_unit_test(it_is_drawn_at_every_size_and_with_nothing_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
