/* fabcon local, on the kernel of this machine: what it reports, and, by strace, that it only reads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/lib/home.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tui/args/exits.h"

static void this_machine_is_a_device_of_its_own_name(void **state)
{
	struct run r = RUN("fabcon", "local", "-q", "--fabric-port", "lo", "-o", "json");
	char name[256] = "";
	json_t *sheet;
	const json_t *row;
	bool has_hostname = false;
	size_t i;

	(void)state;
	gethostname(name, sizeof(name) - 1);
	sheet = json_loads(r.out.text ? r.out.text : "", 0, NULL);
	assert_non_null(sheet);
	json_array_foreach(json_object_get(sheet, "rows"), i, row) {
		assert_string_equal(json_string_value(json_object_get(row, "device")), name);
		has_hostname |= !strcmp(json_string_value(json_object_get(row, "field")), "hostname") &&
				!strcmp(json_string_value(json_object_get(row, "value")), name);
	}
	assert_true(has_hostname);
	json_decref(sheet);
	run_done(&r);
}

static void a_replay_is_no_machine(void **state)
{
	struct run r = RUN("fabcon", "local", "surplus");

	(void)state;
	assert_int_equal(r.code, EXIT_USAGE);
	run_done(&r);
}

/* Lines of strace: no second program, no file to write to, and to the kernel's routing socket nothing but RTM_GETDCB. */
static void nothing_is_started_and_nothing_written(void **state)
{
	char *file = xasprintf("%s/calls", home);
	struct run r = RUN("/bin/sh", "-c", "exec strace -f -qq -s 200 -o \"$0\" -e trace=execve,execveat,open,openat,creat,sendto,sendmsg,ioctl "
			   "\"$1\" local -q >/dev/null", file, program_path("fabcon"));
	char *calls, *line, *rest;
	size_t n = 0, programs = 0, sent = 0, asked = 0;

	(void)state;
	calls = file_text(file, &n);
	if (!calls || !n) {
		print_message("skip: strace traces nothing here\n");
	} else {
		for (line = strtok_r(calls, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
			programs += strstr(line, "execve") != NULL;
			sent += strstr(line, "sendmsg(") || strstr(line, "sendto(");
			asked += (strstr(line, "sendmsg(") || strstr(line, "sendto(")) && strstr(line, "RTM_GETDCB");
			if (strstr(line, "O_WRONLY") || strstr(line, "O_RDWR") || strstr(line, "O_CREAT") || strstr(line, "creat("))
				fail_msg("%s", line);
			if (strstr(line, "ioctl(") && !strstr(line, "SIOCETHTOOL") && !strstr(line, "TCGETS") && !strstr(line, "TIOCGWINSZ"))
				fail_msg("%s", line);
		}
		assert_int_equal(programs, 1);
		print_message("%zu netlink requests, %zu of them RTM_GETDCB\n", sent, asked);
		assert_int_equal(sent, asked);
	}
	run_done(&r);
	free(calls);
	free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_machine_is_a_device_of_its_own_name),
		cmocka_unit_test(a_replay_is_no_machine),
		cmocka_unit_test(nothing_is_started_and_nothing_written),
	};

	return cmocka_run_group_tests(tests, home_open, home_close);
}
