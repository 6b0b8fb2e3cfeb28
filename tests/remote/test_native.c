/*
 * The native reader against the shell's collector, on the kernel of this machine: in a network namespace of our own with interfaces
 * that we make, and as the machine is. Each probe that the native reader has must give the same facts as its script, run by the real
 * shell with the real tools; what moves meanwhile, counters and ages, is compared by its name alone.
 */
#include "tests/lib/say.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/dcbnl.h>
#include <linux/ethtool.h>

#include "remote/linux/linux.h"
#include "remote/native/machine.h"
#include "remote/native/native.h"
#include "remote/talk/talk.h"

#define NONCE		"0123456789abcdef"
#define PATIENCE_MS	20000
#define PORTS		"fab0 fab1 fab2"

/* Facts by probe and port, a line each; of counters and times only what they are called. */
struct facts {
	struct buf text;
	unsigned answers, rounds, identified;
};

static bool moves(const struct obs_fact *f)
{
	return field_table[f->field].kind == KIND_COUNTER;
}

static void keep(struct facts *k, const struct probe *probe, const struct answer *a)
{
	struct obs o;

	obs_init(&o, "here", probe->id);
	platform_parse(&linux_platform, probe, a, &o);
	for (size_t i = 0; i < o.n; i++) {
		const struct obs_fact *f = &o.facts[i];
		struct buf value = { 0 };

		value_print(f->field, &f->value, &value);
		buf_printf(&k->text, "%s %s %s[%u] %s\n", probe->id, f->port == OBS_DEVICE ? "-" : o.ports[f->port], field_table[f->field].name,
			   f->index, f->value.is == VALUE_UNKNOWN ? "unknown" : moves(f) ? "moves" : value.text);
		buf_done(&value);
	}
	k->answers++;
	obs_done(&o);
}

static void on_native(void *ctx, const struct probe *probe, const struct answer *a, int64_t at_us)
{
	assert_true(at_us > 0);
	keep(ctx, probe, a);
}

/* -- the shell's -- */

static void on_identified(void *ctx, const struct platform *p, struct span text)
{
	(void)p, (void)text;
	((struct facts *)ctx)->identified++;
}

static void on_answered(void *ctx, const struct probe *probe, const struct answer *a, int64_t device_us)
{
	(void)device_us;
	if (native_knows(probe))
		keep(ctx, probe, a);
}

static void on_round_ended(void *ctx, enum cadence cadence)
{
	(void)cadence;
	((struct facts *)ctx)->rounds++;
}

static void on_failed(void *ctx, const char *reason)
{
	(void)ctx;
	fail_msg("%s", reason);
}

static pid_t shell_open(int *in, int *out)
{
	int to[2], from[2];
	pid_t pid;

	assert_int_equal(pipe2(to, O_CLOEXEC), 0);
	assert_int_equal(pipe2(from, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		dup2(to[0], 0);
		dup2(from[1], 1);
		dup2(from[1], 2);
		signal(SIGPIPE, SIG_DFL);
		setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
		execl("/bin/sh", "sh", "-s", (char *)NULL);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	*in = to[1];
	*out = from[0];
	return pid;
}

static void run_until(struct talk *t, int in, int out, const struct facts *k, unsigned identified, unsigned rounds)
{
	static char bytes[65536];

	while (k->identified < identified || k->rounds < rounds) {
		struct pollfd fd = { .fd = out, .events = POLLIN };
		struct span send = talk_to_send(t);
		ssize_t n;

		if (send.n > 0) {
			n = write(in, send.p, send.n);
			assert_true(n > 0);
			talk_sent(t, (size_t)n);
			continue;
		}
		assert_true(poll(&fd, 1, PATIENCE_MS) > 0);
		n = read(out, bytes, sizeof(bytes));
		assert_true(n > 0);
		talk_feed(t, (struct span){ bytes, (size_t)n });
	}
}

static void by_shell(struct facts *k, const char *names)
{
	struct talk *t = talk_sh_new(NONCE, &(struct talk_hooks){ .ctx = k, .identified = on_identified, .answered = on_answered,
								   .round_ended = on_round_ended, .failed = on_failed });
	int in, out;
	pid_t pid = shell_open(&in, &out);

	signal(SIGPIPE, SIG_IGN);
	talk_sh_name_ports(t, names);
	run_until(t, in, out, k, 1, 0);
	talk_ask(t, CADENCE_ONCE);
	run_until(t, in, out, k, 1, 1);
	talk_ask(t, CADENCE_CONFIG);
	run_until(t, in, out, k, 1, 2);
	talk_ask(t, CADENCE_LIVE);
	run_until(t, in, out, k, 1, 3);
	close(in);
	close(out);
	waitpid(pid, NULL, 0);
	talk_free(t);
}

/* -- held against each other -- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char **sorted(struct buf *text, size_t *n)
{
	char **lines = NULL;
	size_t cap = 0;

	*n = 0;
	for (char *line = strtok(text->text, "\n"); line; line = strtok(NULL, "\n")) {
		*GROW(lines, *n, cap) = line;
		(*n)++;
	}
	qsort(lines, *n, sizeof(*lines), by_text);
	return lines;
}

static void assert_same(struct facts *native, struct facts *shell)
{
	size_t n_native, n_shell, i = 0, k = 0;
	char **a = sorted(&native->text, &n_native), **b = sorted(&shell->text, &n_shell);
	unsigned wrong = 0;

	while (i < n_native || k < n_shell) {
		int order = i == n_native ? 1 : k == n_shell ? -1 : strcmp(a[i], b[k]);

		if (order) {
			print_error("%s alone: %s\n", order < 0 ? "native" : "the shell", order < 0 ? a[i] : b[k]);
			wrong++;
		}
		i += order <= 0;
		k += order >= 0;
	}
	print_message("%zu facts, %u differ\n", n_shell, wrong);
	free(a);
	free(b);
	assert_int_equal(wrong, 0);
	assert_true(n_shell > 0);
}

static void compare(const char *names)
{
	struct facts native = { { 0 } }, shell = { { 0 } };
	struct err err;

	by_shell(&shell, names);
	assert_true(native_read(names, &(struct native_hooks){ .ctx = &native, .answered = on_native }, &err));
	assert_same(&native, &shell);
	buf_done(&native.text);
	buf_done(&shell.text);
}

static void this_machine_is_read_as_the_shell_reads_it(void **state)
{
	(void)state;
	compare(NULL);
}

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* False: this kernel lets us make none. */
static bool enter_namespace(void)
{
	char map[64];
	uid_t uid = getuid();
	gid_t gid = getgid();

	if (uid && unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS))
		return false;
	if (uid) {
		write_file("/proc/self/setgroups", "deny");
		snprintf(map, sizeof(map), "0 %u 1", uid);
		if (!write_file("/proc/self/uid_map", map))
			return false;
		snprintf(map, sizeof(map), "0 %u 1", gid);
		if (!write_file("/proc/self/gid_map", map))
			return false;
	} else if (unshare(CLONE_NEWNET | CLONE_NEWNS)) {
		return false;
	}
	return !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) && !mount("sysfs", "/sys", "sysfs", 0, NULL);
}

/* In a process of its own, for it cannot come back. */
static void in_a_namespace(void (*check)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (!enter_namespace() || system("ip link add fab0 type veth peer name fab1 && ip link add fab2 type veth peer name fab3 && "
						 "ip link set fab0 mtu 9000 up && ip link set fab1 alias \"to leaf1\" && ip link set lo up"))
			_exit(77);
		check();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("skip: no network namespace can be made here\n");
		return;
	}
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void check_namespace(void)
{
	compare(PORTS);
}

static void interfaces_that_we_made_are_read_as_the_shell_reads_them(void **state)
{
	(void)state;
	in_a_namespace(check_namespace);
}

/* -- what may be asked -- */

static void nothing_is_sent_that_is_not_of_the_list(void **state)
{
	struct nlattr *attributes[DCB_ATTR_MAX + 1];
	struct ethtool_pauseparam set = { .cmd = ETHTOOL_SPAUSEPARAM };
	struct err err;
	struct machine *m = machine_open(&err);

	(void)state;
	assert_non_null(m);
	assert_int_equal(machine_ethtool(m, "lo", &set), EPERM);
	for (unsigned command = 0; command < 256; command++)
		if (command != DCB_CMD_IEEE_GET && command != DCB_CMD_GDCBX)
			assert_int_equal(machine_dcb(m, "lo", (uint8_t)command, attributes), EPERM);
	machine_close(m);
}

static void a_port_that_is_not_there_has_a_reason(void **state)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct nlattr *attributes[DCB_ATTR_MAX + 1];
	struct err err;
	struct machine *m = machine_open(&err);

	(void)state;
	assert_int_equal(machine_ethtool(m, "nothere0", &info), ENODEV);
	assert_int_equal(machine_ethtool(m, "a-name-longer-than-any-interface", &info), ENODEV);
	assert_int_equal(machine_dcb(m, "nothere0", DCB_CMD_IEEE_GET, attributes), ENODEV);
	assert_int_equal(machine_dcb(m, "lo", DCB_CMD_IEEE_GET, attributes), EOPNOTSUPP);
	assert_int_equal(machine_dcb(m, "lo", DCB_CMD_GDCBX, attributes), EOPNOTSUPP);	/* the socket goes on after an error */
	machine_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_machine_is_read_as_the_shell_reads_it),
		cmocka_unit_test(interfaces_that_we_made_are_read_as_the_shell_reads_them),
		cmocka_unit_test(nothing_is_sent_that_is_not_of_the_list),
		cmocka_unit_test(a_port_that_is_not_there_has_a_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
