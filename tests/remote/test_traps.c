/* Devices that lie, are cut off, stand still, start again, or lack what undo needs: what they then say and are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/text.h"

#define PATIENCE_S	30

static struct lab lab;

#define tell(device, script)	lab_tell(&lab, (device), (script))

/* What ctl prints, until the next call. */
static const char *ctl(const char *a, const char *b, const char *c)
{
	static char text[1 << 18];
	struct run r = LAB_CTL(&lab, a, b, c);

	snprintf(text, sizeof(text), "%s", r.out.text ? r.out.text : "");
	run_done(&r);
	return text;
}

static char *setup_of(const char *device)
{
	return xstrdup(ctl("setup", device, NULL));
}

static void assert_setup(const char *device, const char *wanted)
{
	char *is = setup_of(device);

	assert_string_equal(is, wanted);
	free(is);
}

static void wait_until(const char *device, const char *script, const char *wanted)
{
	time_t give_up = time(NULL) + PATIENCE_S;
	const char *text;

	while (!strstr(text = tell(device, script), wanted))
		if (time(NULL) > give_up)
			fail_msg("never said \"%s\", but: %s", wanted, text);
}

#define TRUST_PCP	"mlnx_qos -i eth2 --trust pcp >/dev/null; echo status $?"

/* -- stories -- */

static void writes_are_counted_and_questions_are_not(void **state)
{
	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--switch-os", "sonic"));
	tell("node1", "mlnx_qos -i eth2; ethtool -S eth2; mkdir -p /run/fabcon; ls /sys/class/net");
	assert_string_equal(ctl("writes", "node1", NULL), "0\n");
	tell("node1", TRUST_PCP);
	assert_string_equal(ctl("writes", "node1", NULL), "1\n");
	tell("node1", TRUST_PCP);
	assert_string_equal(ctl("writes", "node1", NULL), "1\n");
	tell("node1", "echo 0 >/sys/class/net/eth2/ecn/roce_np/enable/3; mlnx_qos -i eth2 >/dev/null");
	assert_string_equal(ctl("writes", "node1", NULL), "2\n");
	tell("leaf1", "sudo config interface mtu Ethernet0 9000");
	assert_string_equal(ctl("writes", "leaf1", NULL), "1\n");
	assert_string_equal(ctl("writes", "node2", NULL), "0\n");
	lab_stop(&lab);
}

static void a_liar_takes_the_command_and_changes_nothing(void **state)
{
	char *before, *other;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--switch-os", "sonic"));
	before = setup_of("node1");
	ctl("trap", "lie@node1", NULL);
	assert_string_equal(ctl("trap", "list", NULL), "lie@node1 1\n");
	assert_says(tell("node1", TRUST_PCP), "status 0\n");
	assert_setup("node1", before);
	assert_says(tell("node1", TRUST_PCP), "status 0\n");
	assert_says(tell("node1", "mlnx_qos -i eth2"), "trust state: pcp");
	ctl("trap", "lie@node1", NULL);
	tell("node1", "echo 5 >/sys/class/net/eth2/ecn/roce_np/cnp_802p_prio");
	wait_until("node1", "cat /sys/class/net/eth2/ecn/roce_np/cnp_802p_prio", "6\n");
	free(before);
	before = setup_of("leaf1");
	ctl("trap", "lie-other@leaf1", "2");
	tell("leaf1", "config interface mtu Ethernet4 9000");
	tell("leaf1", "config interface mtu Ethernet4 9194");
	other = setup_of("leaf1");
	assert_says(other, "\"mtu\": \"4096\"");
	assert_says(other, "\"mtu\": \"9000\"");
	free(other);
	free(before);
	lab_stop(&lab);
}

#define LATE_S	10	/* a login and a command on a machine that is late; less than the timers that bring a path back */

static void a_cut_path_is_whole_when_the_settings_are_as_before(void **state)
{
	(void)state;
	assert_true(LAB(&lab, "--nodes", "2"));
	ctl("trap", "cut@node1", NULL);
	tell("node1", "systemd-run --on-active=20 --unit=back mlnx_qos -i eth2 --pfc 0,0,0,1,0,0,0,0");
	assert_string_equal(lab_tell_for(&lab, "node1", "mlnx_qos -i eth2 --pfc 0,0,0,0,1,0,0,0 >/dev/null; echo done", LATE_S), "");
	assert_string_equal(ctl("trap", "list", NULL), "node1 is cut off\n");
	wait_until("node1", "mlnx_qos -i eth2", "enabled     0   0   0   1   0   0   0   0");
	assert_string_equal(ctl("trap", "list", NULL), "");
	assert_string_equal(ctl("writes", "node1", NULL), "2\n");
	lab_stop(&lab);
}

/* A map that is not trusted is kept nowhere that a tool could bring it back to. */
static void what_no_tool_shows_does_not_keep_a_path_cut(void **state)
{
	char *before;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2"));
	ctl("fault", "add", "trust-pcp@node1:eth2");
	before = setup_of("node1");
	ctl("trap", "cut@node1", NULL);
	tell("node1", "systemd-run --on-active=20 --unit=back " TRUST_PCP);
	assert_string_equal(lab_tell_for(&lab, "node1", "mlnx_qos -i eth2 --trust dscp; echo done", LATE_S), "");
	assert_string_equal(ctl("trap", "list", NULL), "node1 is cut off\n");
	wait_until("node1", "mlnx_qos -i eth2", "trust state: pcp");
	assert_setup("node1", before);
	free(before);
	lab_stop(&lab);
}

/* As a driver does, whoever reads it next. */
static void a_number_that_is_written_again_is_shown_in_the_same_words(void **state)
{
	static const char file[] = "/sys/class/infiniband/mlx5_0/tc/1/traffic_class";
	char script[160];

	(void)state;
	assert_true(LAB(&lab, "--nodes", "1"));
	snprintf(script, sizeof(script), "cat %s; echo 106 > %s", file, file);
	assert_says(tell("node1", script), "Global tclass=106\n");
	snprintf(script, sizeof(script), "cat %s", file);
	assert_says(tell("node1", script), "Global tclass=106\n");
	lab_stop(&lab);
}

static void open_sessions_end_or_stand_still_and_new_ones_are_answered(void **state)
{
	static const char *const kinds[] = { "stall@node1", "reset@node1" };

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2"));
	for (size_t i = 0; i < 2; i++) {
		tell("node1", "mlnx_qos -i eth2 --trust dscp");
		ctl("trap", kinds[i], NULL);
		assert_null(strstr(lab_tell_for(&lab, "node1", TRUST_PCP "; sleep 1; echo more", LATE_S), "more"));
		assert_says(tell("node1", "mlnx_qos -i eth2"), "trust state: pcp");
	}
	lab_stop(&lab);
}

static void garbage_is_for_what_is_open(void **state)
{
	(void)state;
	assert_true(LAB(&lab, "--nodes", "2"));
	ctl("trap", "garbage@node1", NULL);
	assert_null(strstr(tell("node1", TRUST_PCP "; for i in 1 2 3 4 5 6 7 8; do echo abcdefghijklmnop; done"),
			   "abcdefghijklmnop\nabcdefghijklmnop\nabcdefghijklmnop\nabcdefghijklmnop\n"));
	assert_string_equal(tell("node1", "echo clear"), "clear\n");
	lab_stop(&lab);
}

static void a_restart_forgets_what_was_told_but_not_what_was_set_up(void **state)
{
	char *before, *switch_before;
	char boot_id[64];

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--switch-os", "sonic", "--fault", "np-off@node1:eth2"));
	snprintf(boot_id, sizeof(boot_id), "%s", tell("node1", "cat /proc/sys/kernel/random/boot_id"));
	before = setup_of("node1");
	switch_before = setup_of("leaf1");
	tell("node1", TRUST_PCP "; mkdir -p /run/fabcon/x; systemd-run --on-active=600 --unit=u true");
	tell("leaf1", "config interface mtu Ethernet0 9000");
	ctl("fault", "add", "rp-off@node1:eth2");
	ctl("reboot", "node1", "100");
	ctl("reboot", "leaf1", "100");
	assert_setup("leaf1", switch_before);
	wait_until("node1", "ls /run/fabcon 2>&1; systemctl is-active u.timer", "No such file");
	assert_says(tell("node1", "systemctl is-active u.timer"), "inactive");
	assert_string_not_equal(tell("node1", "cat /proc/sys/kernel/random/boot_id"), boot_id);
	assert_true(atoi(tell("node1", "cat /proc/uptime")) < 60);
	ctl("fault", "clear", "rp-off");
	assert_setup("node1", before);
	free(before);
	free(switch_before);
	lab_stop(&lab);
}

static void a_restart_in_the_middle_ends_the_session(void **state)
{
	char *before;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2"));
	before = setup_of("node1");
	ctl("trap", "reboot@node1", NULL);
	assert_null(strstr(tell("node1", TRUST_PCP "; sleep 1; echo more"), "more"));
	wait_until("node1", "echo here", "here\n");
	assert_setup("node1", before);
	free(before);
	lab_stop(&lab);
}

static void what_is_refused_or_not_installed_says_so(void **state)
{
	(void)state;
	assert_true(LAB(&lab, "--nodes", "2"));
	ctl("trap", "refuse@node1", NULL);
	assert_says(tell("node1", TRUST_PCP " 2>&1"), "mlnx_qos: Operation not permitted\n");
	assert_says(tell("node1", "mlnx_qos -i eth2"), "trust state: dscp");
	ctl("trap", "no-undo-tool@node1", NULL);
	assert_says(tell("node1", TRUST_PCP), "status 0\n");
	assert_says(tell("node1", "mlnx_qos -i eth2 --trust dscp 2>&1; echo status $?"), "command not found\nstatus 127\n");
	ctl("trap", "no-sudo@node1", NULL);
	assert_says(tell("node1", "id -u; sudo -n /bin/sh -c true 2>&1; echo status $?"), "1000\nsudo: a password is required\nstatus 1\n");
	ctl("trap", "no-timer@node1", NULL);
	assert_says(tell("node1", "setsid true; echo status $?; systemd-run --on-active=1 --unit=u true; echo status $?"), "status 127\n");
	ctl("trap", "clear", NULL);
	assert_says(tell("node1", "setsid true; echo status $?; id -u"), "status 0\n0\n");
	ctl("trap", "no-such@node1", NULL);
	assert_string_equal(ctl("trap", "list", NULL), "");
	lab_stop(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_are_counted_and_questions_are_not),
		cmocka_unit_test(a_liar_takes_the_command_and_changes_nothing),
		cmocka_unit_test(a_cut_path_is_whole_when_the_settings_are_as_before),
		cmocka_unit_test(what_no_tool_shows_does_not_keep_a_path_cut),
		cmocka_unit_test(a_number_that_is_written_again_is_shown_in_the_same_words),
		cmocka_unit_test(open_sessions_end_or_stand_still_and_new_ones_are_answered),
		cmocka_unit_test(garbage_is_for_what_is_open),
		cmocka_unit_test(a_restart_forgets_what_was_told_but_not_what_was_set_up),
		cmocka_unit_test(a_restart_in_the_middle_ends_the_session),
		cmocka_unit_test(what_is_refused_or_not_installed_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
