/*
 * Commands by which fabcon changes devices, as its dialects make them from two states of a device, held against what the tools and the
 * switches accept (tests/fixtures/commands); and the commands that its probes send. With COMMANDS=list it prints those of Linux instead,
 * a system and a command a line, for `make commands`.
 */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/linux/settings.h"
#include "remote/linux/setters.h"
#include "remote/platforms.h"
#include "tests/lib/command_grammar.h"

static const struct dialect_place place = { "device", "/run/fabcon/P-1.1", "fabcon-P-1-1" };

typedef void (*each_line)(const char *system, const char *command, void *of);

static void each_of(const struct fix_lines *lines, const char *system, each_line each, void *of)
{
	for (size_t i = 0; i < lines->n; i++)
		each(system, lines->list[i], of);
}

/* -- hosts -- */

/* A value of each setting of a host: low is one state, not low the other. */
static uint64_t number_of(enum field f, unsigned index, bool low)
{
	switch (f) {
	case FIELD_MTU:
		return low ? 1500 : 9000;
	case FIELD_TRUST:
		return low ? TRUST_PCP : TRUST_DSCP;
	case FIELD_DCBX:
		return low ? DCBX_FW : DCBX_OS;
	case FIELD_ETS_ALGO:
		return low || index == 6 ? ETS_STRICT : ETS_ETS;
	case FIELD_ETS_SHARE:
		return index == 0 ? 40 : index == 3 ? 60 : 0;
	case FIELD_DSCP_PRIO:
		return index == 26 ? 3 : index == 48 ? 6 : low ? 1 : 0;
	case FIELD_PRIO_TC:
	case FIELD_PRIO_PG:
		return low ? 0 : index;
	case FIELD_PFC_ON:
		return !low && index == 3;
	case FIELD_PAUSE_RX:
	case FIELD_PAUSE_TX:
		return low;
	case FIELD_TOS_CMA:
	case FIELD_TOS_FORCE:
		return low ? 0 : 106;
	case FIELD_CNP_DSCP:
		return low ? 0 : 48;
	case FIELD_CNP_PRIO:
		return low ? 0 : 6;
	case FIELD_BUFFER_SIZE:
		return low ? 100000 : 262144;
	default:
		return low ? 0 : 1;
	}
}

static void put_number(struct linux_setup *s, const char *port, enum field f, bool low)
{
	for (unsigned i = 0; i < field_table[f].width; i++) {
		struct value v = { .is = VALUE_KNOWN, .n = number_of(f, i, low) };

		if (f != FIELD_ETS_SHARE || number_of(FIELD_ETS_ALGO, i, low) == ETS_ETS)
			linux_put(s, port, f, i, &v);
	}
}

static void put_text(struct linux_setup *s, const char *port, enum field f, const char *text)
{
	linux_put(s, port, f, 0, &(struct value){ .is = VALUE_KNOWN, .text = text });
}

/* The state of a host, with settings by either tool. */
static void state_of(struct buf *out, const char *context, bool low)
{
	struct linux_setup s = { .device = "node1" };
	bool is_dcb = strstr(context, "by dcb") != NULL;

	put_text(&s, NULL, FIELD_MODULES, low ? "mlx5_ib" : "ib_uverbs mlx5_ib rdma_cm");
	put_number(&s, NULL, FIELD_TCP_ECN, low);
	for (int f = 0; f < FIELD_COUNT; f++)
		if (linux_is_setting(f) && field_table[f].scope == SCOPE_PORT && !(is_dcb && (f == FIELD_CABLE || f == FIELD_DCBX)))
			put_number(&s, "eth2", f, low);	/* dcb sets neither: such an edit is refused */
	if (low)
		linux_put(&s, "eth2", FIELD_TOS_FORCE, 0, NULL);	/* nothing forced */
	buf_printf(out, "# node1 eth2 rdma = \"mlx5_2\"\n# node1 driver.ready = no\n%s", context);
	linux_setup_print(&s, out);
	linux_setup_done(&s);
}

static void each_of_host(const char *context, const char *system, each_line each, void *of)
{
	struct buf low = { NULL }, high = { NULL };
	struct arena arena = { NULL };
	struct fix_step step = { NULL };
	struct err err;

	state_of(&low, context, true);
	state_of(&high, context, false);
	if (!dialect_find("linux")->commands(buf_span(&low), buf_span(&high), &place, &arena, &step, &err))
		fail_msg("%s: %s", context, err.text);
	each_of(&step.lines, system, each, of);
	each_of(&step.undo, system, each, of);
	free(step.lines.list);
	free(step.undo.list);
	arena_done(&arena);
	buf_done(&low);
	buf_done(&high);
}

/* Without the vendor's tools, and with them. */
static void each_set_command_of_linux(each_line each, void *of)
{
	each_of_host("", "linux/mlx5_core", each, of);
	each_of_host("# node1 eth2 by dcb\n", "linux/mlx5_core", each, of);
}

/* -- the answers -- */

struct tally {
	struct buf text;
	unsigned n, bad;
};

static void assert_fits(const char *system, const char *command, void *of)
{
	struct tally *t = of;
	struct err err;

	buf_printf(&t->text, "%s\n", command);
	t->n++;
	if (command_fits(system, command, &err))
		return;
	t->bad++;
	print_error("%s: %s\n\t%s\n", system, command, err.text);
}

static void assert_all_fit(struct tally *t, unsigned at_least)
{
	print_message("%u commands\n", t->n);
	if (t->n < at_least)
		print_error("%s", t->text.text);
	assert_true(t->n >= at_least);
	assert_int_equal(t->bad, 0);
	buf_done(&t->text);
}

static void each_command_that_sets_a_host_can_be_typed(void **state)
{
	static const char *const forms[] = {
		"ip link set dev eth2 mtu ", "sysctl -w net.ipv4.tcp_ecn=", "modprobe ", "rmmod ", "mlnx_qos -i eth2 --trust ",
		"mlnx_qos -i eth2 --dscp2prio set,", "mlnx_qos -i eth2 --prio_tc ", " --tsa ", " --tcbw ", "mlnx_qos -i eth2 --pfc ",
		" --cable_len ", "mlnx_qos -i eth2 --prio2buffer ", "mlnx_qos -i eth2 --buffer_size ", "mlnx_qos -i eth2 --dcbx ",
		"ethtool -A eth2 rx ", "/ecn/roce_np/enable/", "/ecn/roce_rp/rpg_ai_rate", "/default_roce_tos", "/tc/1/traffic_class",
		"dcb app replace dev eth2 dscp-prio ", "dcb app flush dev eth2 dscp-prio", "dcb ets set dev eth2 prio-tc ", "tc-tsa ", "tc-bw ",
		"dcb pfc set dev eth2 prio-pfc ", "dcb buffer set dev eth2 prio-buffer ", "dcb buffer set dev eth2 buffer-size ", "timeout 60 ",
	};
	struct tally t = { { NULL } };

	(void)state;
	each_set_command_of_linux(assert_fits, &t);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (!strstr(t.text.text, forms[i]))
			fail_msg("no command has the form \"%s\":\n%s", forms[i], t.text.text);
	assert_all_fit(&t, 200);
}

/* Of the upstream driver only what it has: each alone, as the rest is refused. */
static void each_file_of_the_upstream_driver_is_one(void **state)
{
	struct tally t = { { NULL } };

	(void)state;
	for (int f = 0; f < FIELD_COUNT; f++) {
		struct buf low = { NULL }, high = { NULL };
		struct arena arena = { NULL };
		struct fix_step step = { NULL };

		if (!linux_setter_of(f) || field_table[f].scope != SCOPE_PORT || field_table[f].width != 1 || field_table[f].kind == KIND_TEXT)
			continue;
		buf_printf(&low, "# node1 eth2 by cc_params\nnode1 eth2 %s = 5\n", field_table[f].name);
		buf_printf(&high, "# node1 eth2 by cc_params\nnode1 eth2 %s = 7\n", field_table[f].name);
		if (dialect_find("linux")->commands(buf_span(&low), buf_span(&high), &place, &arena, &step, NULL))
			for (size_t i = 0; i < step.lines.n; i++)
				if (strstr(step.lines.list[i], "cc_params"))
					assert_fits("linux/mlx5_core", step.lines.list[i], &t);
		free(step.lines.list);
		free(step.undo.list);
		arena_done(&arena);
		buf_done(&low);
		buf_done(&high);
	}
	assert_all_fit(&t, 15);
}

/* -- switches -- */

/* From one state to the other and back: objects made, bound, changed and dropped. */
static const char os10_low[] =
	"interface ethernet1/1/1\n flowcontrol receive on\n!\ninterface ethernet1/1/2\n mtu 9216\n flowcontrol receive on\n"
	" flowcontrol transmit on\n!\n";
static const char os10_high[] =
	"wred fabcon-wred-1\n random-detect color green minimum-threshold 150 maximum-threshold 1500 drop-probability 100\n random-detect ecn\n!\n"
	"trust dscp-map fabcon-dscp-1\n qos-group 0 dscp 0-25,27-47,49-63\n qos-group 3 dscp 26\n qos-group 6 dscp 48\n!\n"
	"qos-map traffic-class fabcon-queues-1\n queue 0 qos-group 0-2,4-5,7\n queue 3 qos-group 3\n queue 6 qos-group 6\n!\n"
	"class-map type queuing fabcon-queue-0\n match queue 0\n!\nclass-map type queuing fabcon-queue-3\n match queue 3\n!\n"
	"class-map type queuing fabcon-queue-6\n match queue 6\n!\nclass-map type network-qos fabcon-group-3\n match qos-group 3\n!\n"
	"policy-map type queuing fabcon-ets-1\n !\n class fabcon-queue-0\n  bandwidth percent 40\n !\n class fabcon-queue-3\n"
	"  bandwidth percent 60\n  random-detect fabcon-wred-1\n !\n class fabcon-queue-6\n  priority\n!\n"
	"policy-map type network-qos fabcon-pfc-1\n !\n class fabcon-group-3\n  pause\n  pfc-cos 3\n!\n"
	"interface ethernet1/1/1\n mtu 9216\n flowcontrol receive off\n flowcontrol transmit off\n trust-map dscp fabcon-dscp-1\n"
	" qos-map traffic-class fabcon-queues-1\n service-policy input type network-qos fabcon-pfc-1\n"
	" service-policy output type queuing fabcon-ets-1\n ets mode on\n priority-flow-control mode on\n!\n"
	"interface ethernet1/1/2\n flowcontrol receive off\n!\n";

static void add_lines(const char *const *lines, struct buf *out)
{
	for (; lines && *lines; lines++)
		buf_printf(out, "%s\n", *lines);
}

static void assert_session_fits(const struct dialect *d, const struct fix_lines *lines)
{
	struct buf session = { NULL };
	struct err err;

	add_lines(d->enter, &session);
	for (size_t i = 0; i < lines->n; i++)
		buf_printf(&session, "%s\n", lines->list[i]);
	add_lines(d->leave, &session);
	if (!command_fits("os10", session.text, &err))
		fail_msg("%s\nof\n%s", err.text, session.text);
	buf_done(&session);
}

static void each_line_that_sets_an_os10_switch_is_typed_in_its_mode(void **state)
{
	static const char *const forms[] = {
		"no mtu", "no flowcontrol transmit", "no priority-flow-control", "no ets", "no trust-map dscp", "no qos-map traffic-class",
		"no service-policy input", "no wred ", "no policy-map type queuing", "no class-map type network-qos", "no trust dscp-map",
	};
	const struct dialect *d = dialect_find("os10");
	struct arena arena = { NULL };
	struct fix_step step = { NULL };
	struct tally t = { { NULL } };
	struct err err;

	(void)state;
	if (!d->commands(span_of(os10_low), span_of(os10_high), &place, &arena, &step, &err))
		fail_msg("%s", err.text);
	each_of(&step.lines, "os10", assert_fits, &t);
	each_of(&step.undo, "os10", assert_fits, &t);
	each_of(&step.save, "os10", assert_fits, &t);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (!strstr(t.text.text, forms[i]))
			fail_msg("no line begins with \"%s\":\n%s", forms[i], t.text.text);
	assert_session_fits(d, &step.lines);
	assert_session_fits(d, &step.undo);
	assert_all_fit(&t, 60);
	free(step.lines.list);
	free(step.undo.list);
	free(step.save.list);
	arena_done(&arena);
}

static void each_command_that_sets_a_sonic_switch_can_be_typed(void **state)
{
	static const char low[] = "PORT|Ethernet0 mtu = \"9100\"\n", high[] = "PORT|Ethernet0 mtu = \"9216\"\n";
	const struct dialect *d = dialect_find("sonic");
	struct buf prepare = { NULL };
	struct arena arena = { NULL };
	struct fix_step step = { NULL };
	struct tally t = { { NULL } };
	struct err err;

	(void)state;
	if (!d->commands(span_of(low), span_of(high), &place, &arena, &step, &err))
		fail_msg("%s", err.text);
	each_of(&step.lines, "sonic", assert_fits, &t);
	each_of(&step.undo, "sonic", assert_fits, &t);
	each_of(&step.save, "sonic", assert_fits, &t);
	d->tidy(&step, &place, &prepare);
	prepare.text[prepare.n - 1] = '\0';
	assert_fits("sonic", prepare.text, &t);
	assert_all_fit(&t, 4);
	free(step.lines.list);
	free(step.undo.list);
	free(step.save.list);
	free(step.files);
	arena_done(&arena);
	buf_done(&prepare);
}

/* -- probes -- */

static void each_command_that_a_probe_sends_to_a_switch_can_be_typed(void **state)
{
	static const char *const systems[] = { "os10", "sonic" };
	struct tally t = { { NULL } };

	(void)state;
	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++) {
		const struct platform *p = platform_find(systems[i]);

		for (size_t k = 0; k < p->n_probes; k++) {
			const char *command = p->probes[k].command, *slot = strchr(command, '{');
			struct buf text = { NULL };

			buf_add(&text, command, strcspn(command, "{"));
			if (slot)
				buf_printf(&text, "%s%s", span_starts(span_of(slot), "{unit}") ? "1/1/1" : "Ethernet0", strchr(slot, '}') + 1);
			assert_fits(systems[i], text.text, &t);
			buf_done(&text);
		}
	}
	assert_all_fit(&t, 15);
}

static void print_command(const char *system, const char *command, void *of)
{
	(void)of;
	printf("%s\t%s\n", system, command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_command_that_sets_a_host_can_be_typed),
		cmocka_unit_test(each_file_of_the_upstream_driver_is_one),
		cmocka_unit_test(each_line_that_sets_an_os10_switch_is_typed_in_its_mode),
		cmocka_unit_test(each_command_that_sets_a_sonic_switch_can_be_typed),
		cmocka_unit_test(each_command_that_a_probe_sends_to_a_switch_can_be_typed),
	};
	const char *mode = getenv("COMMANDS");

	if (mode && !strcmp(mode, "list")) {
		each_set_command_of_linux(print_command, NULL);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
