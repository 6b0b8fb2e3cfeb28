/* The skins of Linux hosts (remote/lab/world/skins.h), each over OpenSSH: what a host in that skin answers. */
#include <stdio.h>
#include <string.h>

#include "tests/lib/lab.h"
#include "tests/lib/say.h"

static struct lab lab;

static void start(const char *skin)
{
	if (skin)
		assert_true(LAB(&lab, "--nodes", "2", "--skin", skin));
	else
		assert_true(LAB(&lab, "--nodes", "2"));
}

static void assert_says(const char *text, const char *wanted)
{
	if (!strstr(text, wanted))
		fail_msg("\"%s\" is missing in:\n%s", wanted, text);
}

static void assert_silent(const char *text, const char *unwanted)
{
	if (strstr(text, unwanted))
		fail_msg("\"%s\" is not expected in:\n%s", unwanted, text);
}

/* -- programs -- */

static void a_host_has_the_programs_of_a_host_and_no_others(void **state)
{
	const char *text;

	(void)state;
	start(NULL);
	text = lab_tell(&lab, "node1", "for i in python3 tc ss gcc fabcon mount; do which $i || echo \"no $i\"; done\n"
				       "which mlnx_qos ethtool awk sh; echo b a | awk '{ print $2 }' | tac");
	assert_string_equal(text, "no python3\nno tc\nno ss\nno gcc\nno fabcon\nno mount\n"
				  "/usr/bin/mlnx_qos\n/usr/sbin/ethtool\n/usr/bin/awk\n/usr/bin/sh\na\n");
	assert_says(lab_tell(&lab, "node1", "PATH=/nowhere; tc; echo $?"), "127\n");
	text = lab_tell(&lab, "node2", "dmesg; cat /proc/cmdline; lspci; journalctl -k | wc -l");
	assert_says(text, "mlx5_core 0000:1a:00.0 eth2: Link up\n");
	assert_says(text, "Hostname set to <node2>.");
	assert_says(text, "\nBOOT_IMAGE=/boot/vmlinuz-");
	assert_says(text, "\n1a:00.0 Ethernet controller: Mellanox Technologies MT2910 Family [ConnectX-7]\n");
	lab_stop(&lab);
}

static void a_program_that_a_skin_takes_away_is_not_found(void **state)
{
	static const char *const table[][2] = {
		{ "no-mlnx-qos@node1", "mlnx_qos" }, { "no-dcb@node1", "dcb" }, { "no-ethtool@node1", "ethtool" },
		{ "no-systemd@node1", "systemd-run" }, { "no-lldpcli@node1", "lldpcli" },
	};
	const char *args[16] = { "--nodes", "2" };

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		args[2 + i * 2] = "--skin";
		args[3 + i * 2] = table[i][0];
	}
	assert_true(lab_start(&lab, args));
	for (size_t i = 0; i < 5; i++) {
		char script[64], wanted[64];

		snprintf(script, sizeof(script), "exec 2>&1\n%s; echo $?", table[i][1]);
		snprintf(wanted, sizeof(wanted), "%s: not found\n127\n", table[i][1]);
		assert_says(lab_tell(&lab, "node1", script), wanted);
		assert_silent(lab_tell(&lab, "node2", script), "not found");
	}
	lab_stop(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_has_the_programs_of_a_host_and_no_others),
		cmocka_unit_test(a_program_that_a_skin_takes_away_is_not_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
