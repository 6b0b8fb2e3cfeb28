/* A real OpenSSH server, this machine's own tools, and the program as a person runs it: what it shows is what is true. */
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tests/lib/sshd.h"
#include "tui/args/cli.h"

static struct sshd sshd;
static bool has_sshd;

static int begin(void **state)
{
	char yaml[1024], known[1024];
	char *key;

	(void)state;
	has_sshd = sshd_start(&sshd, "");
	if (!has_sshd) {
		print_message("skip: there is no /usr/sbin/sshd to run\n");
		return 0;
	}
	snprintf(yaml, sizeof(yaml), "all:\n  vars: {fabcon_known_hosts: known_hosts}\n  hosts:\n    here:\n"
		 "      ansible_host: 127.0.0.1\n      ansible_port: %u\n      ansible_user: %s\n"
		 "      ansible_ssh_private_key_file: %s\n", sshd.port, getenv("USER") ? getenv("USER") : "root",
		 sshd_path(&sshd, "id"));
	sshd_write(&sshd, "real.yml", yaml);
	key = sshd_public_key(&sshd, "host");
	snprintf(known, sizeof(known), "[127.0.0.1]:%u %s\n", sshd.port, key);
	sshd_write(&sshd, "known_hosts", known);
	free(key);
	return 0;
}

static int end(void **state)
{
	(void)state;
	if (has_sshd)
		sshd_stop(&sshd);
	return 0;
}

static json_t *ask(const char *command, const char *target, int *code)
{
	struct run r = RUN("fabcon", "-i", sshd_path(&sshd, "real.yml"), "--no-input", "-q", "-o", "json", command, target);
	json_t *doc = json_loads(r.out.text, 0, NULL);

	if (!doc)
		fail_msg("exit %d, no JSON: %s%s", r.code, r.out.text, r.err.text);
	*code = r.code;
	run_done(&r);
	return doc;
}

/* The value of a fact of one port (NULL: of the device) in a document of "show"; lent by doc, NULL when it is not there. */
static json_t *fact_of(json_t *doc, const char *port, const char *field, const char *key)
{
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(doc, "rows"), i, row) {
		const char *p = json_string_value(json_object_get(row, "port"));
		const char *f = json_string_value(json_object_get(row, "field"));

		if (strcmp(f, field) == 0 && ((!p && !port) || (p && port && strcmp(p, port) == 0)))
			return json_object_get(row, key);
	}
	return NULL;
}

/* A file of this machine's /sys as a number; false when the kernel does not tell. */
static bool sys_number(const char *port, const char *file, long long *out)
{
	char path[512];
	FILE *f;
	int got;

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", port, file);
	f = fopen(path, "r");
	if (!f)
		return false;
	got = fscanf(f, "%lld", out);
	fclose(f);
	return got == 1;
}

static void check_port(json_t *doc, const char *port)
{
	long long mtu, speed, before, later;
	json_t *value = fact_of(doc, port, "mtu", "value");

	if (!value)		/* the collector leaves lo and the like alone */
		return;
	assert_true(sys_number(port, "mtu", &mtu));
	assert_int_equal(json_integer_value(value), mtu);
	value = fact_of(doc, port, "speed", "value");
	if (sys_number(port, "speed", &speed) && speed > 0)
		assert_int_equal(json_integer_value(value), speed * 1000000);
	else
		assert_true(json_is_null(value));
	assert_true(sys_number(port, "statistics/rx_bytes", &later));
	before = json_integer_value(fact_of(doc, port, "rx.total", "value"));
	if (before > later)
		fail_msg("%s counted %lld bytes and now only %lld", port, before, later);
	print_message("%s: mtu %lld, %lld bytes received, as /sys says\n", port, mtu, before);
}

static void interfaces_mtu_speed_and_counters_are_the_true_ones(void **state)
{
	int code, ports = 0;
	json_t *doc;
	DIR *dir;

	(void)state;
	if (!has_sshd)
		return;
	doc = ask("show", "here", &code);
	assert_int_equal(code, 0);
	dir = opendir("/sys/class/net");
	for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
		ports += fact_of(doc, e->d_name, "mtu", "value") != NULL;
		if (*e->d_name != '.')
			check_port(doc, e->d_name);
	}
	closedir(dir);
	assert_true(ports > 0);
	json_decref(doc);
}

static void rdma_is_unknown_with_a_reason_where_there_is_none(void **state)
{
	int code;
	json_t *doc, *row;
	size_t i, unknown = 0;

	(void)state;
	if (!has_sshd || access("/sys/class/infiniband", F_OK) == 0)
		return;
	doc = ask("show", "here", &code);
	json_array_foreach(json_object_get(doc, "rows"), i, row) {
		const char *field = json_string_value(json_object_get(row, "field"));

		if (strcmp(field, "rdma") != 0 && strncmp(field, "pfc.on", 6) != 0 && strcmp(field, "trust") != 0)
			continue;
		assert_true(json_is_null(json_object_get(row, "value")));
		assert_true(strlen(json_string_value(json_object_get(row, "unknown_because"))) > 0);
		unknown++;
	}
	assert_true(unknown > 0);
	json_decref(doc);
}

static void the_status_names_the_system_and_no_finding_is_made_up(void **state)
{
	int code;
	json_t *doc, *row;
	size_t i;

	(void)state;
	if (!has_sshd)
		return;
	doc = ask("status", NULL, &code);
	row = json_array_get(json_object_get(doc, "rows"), 0);
	assert_string_equal(json_string_value(json_object_get(row, "state")), "up");
	assert_string_equal(json_string_value(json_object_get(row, "platform")), "linux");
	json_decref(doc);
	doc = ask("findings", NULL, &code);
	json_array_foreach(json_object_get(doc, "rows"), i, row) {
		const char *severity = json_string_value(json_object_get(row, "severity"));

		if (strcmp(severity, "warn") == 0 || strcmp(severity, "fail") == 0)
			fail_msg("%s: %s", json_string_value(json_object_get(row, "check")),
				 json_string_value(json_object_get(row, "what")));
	}
	json_decref(doc);
}

/* A host without an RDMA device is not a fabric without faults, whichever command is asked. */
static void a_host_where_nothing_can_be_judged_is_not_called_well(void **state)
{
	static const char *const says[][3] = {
		{ "check", NULL, "nothing could be judged: here: no RDMA device on this host" },
		{ "check", "--fail-on=look", "nothing could be judged: here: " },
		{ "check", "--output=junit", "<error message=\"nothing could be judged: here: " },
		{ "findings", NULL, "nothing could be judged: here: " },
		{ "status", NULL, "nothing could be judged: here: " },
		{ "report", NULL, "Nothing could be judged." },
		{ "report", "--output=json", "\"nothing_judged\": true" },
		{ "diagnose", NULL, "nothing could be judged: here: " },
	};

	(void)state;
	if (!has_sshd || access("/sys/class/infiniband", F_OK) == 0)
		return;
	for (size_t i = 0; i < sizeof(says) / sizeof(*says); i++) {
		struct run r = RUN("fabcon", "-i", sshd_path(&sshd, "real.yml"), "--no-input", "-q", says[i][0], says[i][1]);

		if (r.code != EXIT_UNJUDGED || !strstr(r.out.text, says[i][2]) || strstr(r.out.text, "no finding"))
			fail_msg("%s %s: exit %d\n%s%s", says[i][0], says[i][1] ? says[i][1] : "", r.code, r.out.text, r.err.text);
		run_done(&r);
	}
}

/* A time before anything was recorded, or long after: nothing is told of it, but what is recorded. */
static void a_recording_says_nothing_of_a_time_outside_of_it(void **state)
{
	static const char *const times[] = { "-1h", "2020-01-01 00:00" };
	struct run r;

	(void)state;
	if (!has_sshd || access("/sys/class/infiniband", F_OK) == 0)
		return;
	r = RUN("fabcon", "-i", sshd_path(&sshd, "real.yml"), "--no-input", "-q", "--for", "3s", "record", sshd_path(&sshd, "r.db"));
	assert_int_equal(r.code, 0);
	run_done(&r);
	for (size_t i = 0; i < 2; i++) {
		r = RUN("fabcon", "replay", sshd_path(&sshd, "r.db"), "--at", times[i], "--fail-on", "look", "-o", "json", "check");
		if (r.code != EXIT_USAGE || r.out.n || !strstr(r.err.text, "the recording covers "))
			fail_msg("at %s: exit %d\n%s%s", times[i], r.code, r.out.text, r.err.text);
		run_done(&r);
	}
}

static void a_planned_cable_that_nobody_knows_is_a_finding(void **state)
{
	struct run r;

	(void)state;
	if (!has_sshd)
		return;
	sshd_write(&sshd, "plan.csv", "device,port,peer,peer_port\nhere,nosuch0,spark9,eth2\n");
	r = RUN("fabcon", "-i", sshd_path(&sshd, "real.yml"), "--no-input", "-q", "--plan", sshd_path(&sshd, "plan.csv"),
		"--fail-on", "look", "check");
	assert_int_equal(r.code, EXIT_FINDINGS);
	if (!strstr(r.out.text, "1 of 1 planned cable not found: here has no port nosuch0"))
		fail_msg("%s", r.out.text);
	run_done(&r);
}

/* Without LLDP nothing is known of neighbors: that is not "nobody is named". */
static void links_that_lldp_does_not_tell_have_its_reason(void **state)
{
	struct run r;

	(void)state;
	if (!has_sshd || access("/usr/sbin/lldpcli", X_OK) == 0)
		return;
	r = RUN("fabcon", "-i", sshd_path(&sshd, "real.yml"), "--no-input", "-q", "ports");
	if (!strstr(r.out.text, "here: lldpcli is not installed"))
		fail_msg("%s", r.out.text);
	run_done(&r);
}

/* Whose layout nobody here wrote: sosreport's own, of this machine. */
static void what_sosreport_collected_of_this_machine_is_what_sys_says(void **state)
{
	char dir[] = "/tmp/fabcon-sos.XXXXXX", bundle[512] = "", recording[64], host[600];
	long long mtu;
	struct run r;
	json_t *row;
	size_t i, seen = 0;
	json_t *doc;
	FILE *list;

	(void)state;
	if (geteuid() != 0 || access("/usr/bin/sos", X_OK) != 0) {
		print_message("skip: sosreport is not installed, or we are not root\n");
		return;
	}
	assert_non_null(mkdtemp(dir));
	r = RUN("/usr/bin/sos", "report", "--batch", "--build", "--only-plugins", "networking", "--plugin-timeout", "60", "--tmp-dir", dir);
	if (r.code)
		fail_msg("sos: exit %d: %s", r.code, r.err.text);
	run_done(&r);
	snprintf(host, sizeof(host), "ls -d %s/sosreport-*/", dir);
	list = popen(host, "r");
	assert_non_null(list);
	assert_int_equal(fscanf(list, "%511s", bundle), 1);
	pclose(list);
	snprintf(recording, sizeof(recording), "%s/case.db", dir);
	snprintf(host, sizeof(host), "here=%s", bundle);
	r = RUN("fabcon", "-q", "import", recording, host);
	if (r.code)
		fail_msg("exit %d: %s", r.code, r.err.text);
	run_done(&r);
	r = RUN("fabcon", "replay", recording, "-q", "-o", "json", "show", "here");
	doc = json_loads(r.out.text, 0, NULL);
	assert_non_null(doc);
	json_array_foreach(json_object_get(doc, "rows"), i, row) {
		const char *port = json_string_value(json_object_get(row, "port"));

		if (!port || strcmp(json_string_value(json_object_get(row, "field")), "mtu") || !sys_number(port, "mtu", &mtu))
			continue;
		assert_int_equal(json_integer_value(json_object_get(row, "value")), mtu);
		seen++;
	}
	print_message("%zu ports of the bundle have the MTU that /sys says\n", seen);
	assert_true(seen > 0);
	json_decref(doc);
	run_done(&r);
	r = RUN("/bin/rm", "-r", dir);
	run_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interfaces_mtu_speed_and_counters_are_the_true_ones),
		cmocka_unit_test(rdma_is_unknown_with_a_reason_where_there_is_none),
		cmocka_unit_test(the_status_names_the_system_and_no_finding_is_made_up),
		cmocka_unit_test(a_host_where_nothing_can_be_judged_is_not_called_well),
		cmocka_unit_test(a_recording_says_nothing_of_a_time_outside_of_it),
		cmocka_unit_test(a_planned_cable_that_nobody_knows_is_a_finding),
		cmocka_unit_test(links_that_lldp_does_not_tell_have_its_reason),
		cmocka_unit_test(what_sosreport_collected_of_this_machine_is_what_sys_says),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
