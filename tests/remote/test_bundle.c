/* Support bundles: which file is whose output, of which port and time; a file that is not the bundle's own is not read. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "remote/bundle/bundle.h"
#include "remote/platforms.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"

static char dir[] = "/tmp/fabcon-bundle.XXXXXX";

static int begin(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/fabcon-bundle.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int end(void **state)
{
	struct run r = RUN("/bin/rm", "-r", dir);

	(void)state;
	run_done(&r);
	return 0;
}

/* A file that was written so many seconds ago, and its folders. */
static void put(const char *path, const char *text, long ago_s)
{
	char *whole = xasprintf("%s/%s", dir, path);
	struct timespec times[2] = { 0 };
	FILE *f;

	for (char *slash = whole + strlen(dir) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(whole, 0700);
		*slash = '/';
	}
	f = fopen(whole, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	times[0].tv_sec = times[1].tv_sec = time(NULL) - ago_s;
	assert_int_equal(utimensat(AT_FDCWD, whole, times, 0), 0);
	free(whole);
}

static bool says(const struct bundle_part *part, const char *text, const char *fact)
{
	struct obs o;
	bool is;

	bundle_parse(part, span_of(text), &o);
	is = obs_says(&o, fact);
	assert_int_equal(o.at_us, part->at_us);
	obs_done(&o);
	return is;
}

static const char link_text[] = "Settings for eth2:\n\tSpeed: 100000Mb/s\n\tLink detected: yes\n";

static void a_file_of_sosreport_is_read_as_the_command_of_its_name(void **state)
{
	struct bundle b = { 0 };
	struct err err = { "" };

	(void)state;
	put("sos_commands/networking/ethtool_eth2", link_text, 50);
	put("sos_commands/networking/ethtool_-i_eth2", "driver: mlx5_core\nfirmware-version: 22.41.1000 (MT_01)\n", 60);
	put("sos_commands/networking/ethtool_-k_eth2", "Features for eth2:\n", 60);
	put("sos_commands/networking/ethtool_lo", "Settings for lo:\n\tLink detected: yes\n", 40);
	assert_true(bundle_find(&b, "node1", dir, &err));
	assert_int_equal(b.n, 2);
	assert_string_equal(b.parts[0].probe->id, "ethtool-i");
	assert_string_equal(b.parts[1].probe->id, "ethtool");
	assert_string_equal(b.parts[1].port, "eth2");
	assert_int_equal(b.parts[1].at_us - b.parts[0].at_us, 10 * 1000000);
	assert_true(says(&b.parts[1], link_text, "node1 eth2 speed = 100000000000"));
	assert_true(says(&b.parts[1], link_text, "node1 eth2 up = yes"));
	assert_non_null(strstr(b.absent.text, "not in the bundle: node1: sos_commands/kernel/dmesg\n"));
	assert_null(strstr(b.absent.text, "ethtool-i"));
	bundle_done(&b);
}

/* Saved is not running: config_db.json beside them tells nothing. */
static void counters_of_sonics_techsupport_are_two_samples_of_their_times(void **state)
{
	struct bundle b = { 0 };
	struct err err = { "" };

	(void)state;
	put("dump/interface.status", "", 30);
	put("dump/queue.counters_2", "", 10);
	put("dump/queue.counters_1", "", 25);
	put("etc/sonic/config_db.json", "{}", 20);
	assert_true(bundle_find(&b, "leaf1", dir, &err));
	assert_int_equal(b.n, 3);
	assert_string_equal(b.parts[0].probe->id, "interfaces-status");
	assert_string_equal(b.parts[1].probe->id, "queue-counters");
	assert_string_equal(b.parts[2].probe->id, "queue-counters");
	assert_int_equal(b.parts[2].at_us - b.parts[1].at_us, 15 * 1000000);
	assert_string_equal(b.parts[0].platform->id, "sonic");
	bundle_done(&b);
}

static void a_link_that_leads_out_of_the_bundle_is_not_followed(void **state)
{
	struct bundle b = { 0 };
	struct err err = { "" };
	char *path;

	(void)state;
	put("sos_commands/networking/ethtool_eth2", link_text, 50);
	path = xasprintf("%s/sos_commands/networking/ethtool_eth3", dir);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_false(bundle_find(&b, "node1", dir, &err));
	assert_non_null(strstr(err.text, "points outside"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("ethtool_eth2", path), 0);	/* sosreport links its own files */
	bundle_done(&b);
	assert_true(bundle_find(&b, "node1", dir, &err));
	assert_int_equal(b.n, 2);
	bundle_done(&b);
	free(path);
}

static void a_file_without_the_time_of_its_collection_is_refused(void **state)
{
	struct bundle b = { 0 };
	struct err err = { "" };

	(void)state;
	put("sos_commands/networking/ethtool_eth2", link_text, time(NULL));
	assert_false(bundle_find(&b, "node1", dir, &err));
	assert_non_null(strstr(err.text, "its time is not its collection time"));
	bundle_done(&b);
}

static void what_is_no_bundle_is_said_to_be_none(void **state)
{
	struct bundle b = { 0 };
	struct err err = { "" };

	(void)state;
	assert_false(bundle_find(&b, "node1", dir, &err));
	assert_non_null(strstr(err.text, "neither a sosreport"));
	put("case.tar.xz", "", 5);
	assert_false(bundle_find(&b, "node1", "/etc/hostname", &err));
	assert_non_null(strstr(err.text, "extract the bundle first"));
	bundle_done(&b);
}

static const char boot_text[] =
	"[    0.0] Command line: root=/dev/sda1 mlx5_core.debug_mask=1 rd.iscsi.initiator=x:hunter2 rd.luks.key=hunter2\n"
	"[    1.0] systemd[1]: unlocked with hunter2\n"
	"[    2.0] mlx5_core 0000:1a:00.0 eth2: Link down\n";

static void of_the_kernels_log_only_lines_of_nics_are_kept(void **state)
{
	const struct bundle_part part = {
		.device = "node1", .platform = platform_find("linux"), .probe = platform_probe(platform_find("linux"), "dmesg"),
	};
	struct obs o;

	(void)state;
	bundle_parse(&part, span_of(boot_text), &o);
	assert_null(span_find(o.raw, "hunter2"));
	assert_true(span_find(o.raw, "eth2: Link down"));
	assert_true(obs_says(&o, "node1 kernel.cause = \"link-down\""));
	obs_done(&o);
	bundle_parse(&part, span_of("dmesg: read kernel buffer failed: Operation not permitted\n"), &o);
	assert_true(obs_says(&o, "node1 kernel.lines = unknown \"dmesg: not root\""));
	obs_done(&o);
}

static void what_is_there_and_no_file_is_said_to_be_not_read(void **state)
{
	struct bundle b = { 0 };
	struct err err = { "" };
	char *path;

	(void)state;
	put("sos_commands/kernel/lsmod", "Module Size Used by\n", 50);
	path = xasprintf("%s/sos_commands/kernel/dmesg", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_true(bundle_find(&b, "node1", dir, &err));
	assert_non_null(strstr(b.absent.text, "dmesg: not a file\n"));
	assert_null(strstr(b.absent.text, "not in the bundle: node1: sos_commands/kernel/dmesg"));
	assert_int_equal(b.unread, 1);
	bundle_done(&b);
	free(path);
}

static void a_second_reading_that_is_older_than_the_first_is_not_read(void **state)
{
	struct bundle b = { 0 };
	struct err err = { "" };

	(void)state;
	put("dump/interface.status", "", 30);
	put("dump/interface.counters_1", "", 10);
	put("dump/interface.counters_2", "", 25);
	assert_true(bundle_find(&b, "leaf1", dir, &err));
	assert_int_equal(b.n, 2);
	assert_non_null(strstr(b.absent.text, "counters_2: second reading, but its time"));
	bundle_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_of_sosreport_is_read_as_the_command_of_its_name, begin, end),
		cmocka_unit_test_setup_teardown(counters_of_sonics_techsupport_are_two_samples_of_their_times, begin, end),
		cmocka_unit_test_setup_teardown(a_link_that_leads_out_of_the_bundle_is_not_followed, begin, end),
		cmocka_unit_test_setup_teardown(a_file_without_the_time_of_its_collection_is_refused, begin, end),
		cmocka_unit_test_setup_teardown(what_is_no_bundle_is_said_to_be_none, begin, end),
		cmocka_unit_test_setup_teardown(of_the_kernels_log_only_lines_of_nics_are_kept, begin, end),
		cmocka_unit_test_setup_teardown(what_is_there_and_no_file_is_said_to_be_not_read, begin, end),
		cmocka_unit_test_setup_teardown(a_second_reading_that_is_older_than_the_first_is_not_read, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
