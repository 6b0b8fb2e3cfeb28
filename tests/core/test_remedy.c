/* The commands that read a piece of evidence: of the device's own system, with its port filled in, or not at all. */
#include <stdio.h>
#include <stdlib.h>

#include "core/diagnose/diagnosis.h"
#include "core/remedy/remedy.h"
#include "tests/lib/world.h"

static const char *const systems[] = { "linux", "linux/mlx5_core", "linux/mlnx_qos", "linux/ofed", "os10", "sonic" };

static bool is_known_id(struct span id)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*s", (int)id.n, id.p);
	return check_find(text) || question_find(decision_tree_find(NULL), text);
}

static void every_row_is_of_a_check_or_question_and_of_a_system_that_there_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < remedy_count; i++) {
		const struct remedy *r = &remedy_table[i];
		struct span rest = span_of(r->of), id;
		size_t k = 0;

		while (span_word(&rest, &id))
			if (!is_known_id(id))
				fail_msg("%.*s of row %zu is neither a check nor a question", (int)id.n, id.p, i);
		while (k < sizeof(systems) / sizeof(*systems) && strcmp(systems[k], r->system) != 0)
			k++;
		if (k == sizeof(systems) / sizeof(*systems))
			fail_msg("%s: no such system", r->system);
	}
}

/* The first row that fits tells which system's are taken: those of a driver behind one of any would never be. */
static void no_row_hides_another(void **state)
{
	(void)state;
	for (size_t i = 0; i < remedy_count; i++)
		for (size_t k = 0; k < i; k++) {
			struct span rest = span_of(remedy_table[i].of), id;

			while (span_word(&rest, &id))
				if (span_is_among(id, remedy_table[k].of) && strlen(remedy_table[i].system) > strlen(remedy_table[k].system) &&
				    strncmp(remedy_table[i].system, remedy_table[k].system, strlen(remedy_table[k].system)) == 0)
					fail_msg("%.*s on %s: \"%s\" hides \"%s\"", (int)id.n, id.p, remedy_table[i].system,
						 remedy_table[k].command, remedy_table[i].command);
		}
}

static void where_no_place_is_known_each_slot_is_a_name(void **state)
{
	struct buf out = { NULL };

	(void)state;
	for (size_t i = 0; i < check_count; i++)
		remedy_list(check_table[i].id, &out);
	assert_non_null(strstr(out.text, "ethtool -a PORT"));
	assert_non_null(strstr(out.text, "show interface ethernet PORT"));
	assert_null(strchr(out.text, '{'));
	buf_done(&out);
}

static void assert_command(struct world *w, const char *id, const char *device, const char *port, const char *wanted)
{
	struct remedy_place at = { .device = model_find_device(w->model, device), .port = model_find_port(w->model, device, port),
				   .policy = w->policy, .inventory = &w->inventory };
	struct buf out = { NULL };
	bool is_any;

	assert_non_null(at.port);
	is_any = remedy_add(&at, id, &out);
	if (wanted)
		assert_string_equal(out.text, wanted);
	else if (is_any)
		fail_msg("%s at %s %s: %s", id, device, port, out.text);
	buf_done(&out);
}

static void a_command_is_of_the_devices_system_with_its_own_port(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 driver = \"mlx5_core\"");
	world_set(&w, "node1 eth2 gid.index = 5");
	world_run(&w, 2);
	assert_command(&w, "pause-frames-off", "node1", "eth2", "node1: ethtool -a eth2");
	assert_command(&w, "pause-frames-off", "leaf1", "ethernet1/1/1", "leaf1: show interface ethernet 1/1/1");
	assert_command(&w, "pfc-same", "leaf1", "ethernet1/1/1", "leaf1: show interface ethernet 1/1/1 priority-flow-control details");
	assert_command(&w, "pfc-same", "leaf2", "Ethernet4", "leaf2: show pfc priority Ethernet4");
	assert_command(&w, "pfc-same", "node1", "eth2", "node1: sudo mlnx_qos -i eth2");
	assert_command(&w, "app-bandwidth", "node1", "eth2",
		       "node1: ib_write_bw -d mlx5_2 -x 5 --tclass 106 --report_gbits "
		       "(then on a second host with its own device and GID index, and this host's name at the end)");
	world_set(&w, "node1 eth2 driver = \"bnxt_en\"");
	world_run(&w, 2);
	assert_command(&w, "pfc-same", "node1", "eth2", "node1: dcb pfc show dev eth2");
	world_done(&w);
}

static void a_command_that_cannot_be_filled_in_is_not_printed(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "leaf1 ethernet1/1/1;reload up = yes");
	world_run(&w, 2);
	assert_command(&w, "app-bandwidth", "node1", "eth2", NULL);
	assert_command(&w, "pause-frames-off", "leaf1", "ethernet1/1/1;reload", NULL);
	assert_command(&w, "app-bandwidth", "leaf1", "ethernet1/1/1", NULL);
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_of_a_check_or_question_and_of_a_system_that_there_is),
		cmocka_unit_test(no_row_hides_another),
		cmocka_unit_test(where_no_place_is_known_each_slot_is_a_name),
		cmocka_unit_test(a_command_is_of_the_devices_system_with_its_own_port),
		cmocka_unit_test(a_command_that_cannot_be_filled_in_is_not_printed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
