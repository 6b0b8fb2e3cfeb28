/*
 * A real kernel changed and changed back: a veth pair in a network namespace that the test makes, behind a real sshd whose
 * sessions enter it, and the program as a person runs it. The veth is shown to the collector as a card's port, by a
 * "device" beside what the kernel says of it; all that is set is set in the kernel. For root, who alone may make one.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/fix/plan.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tests/lib/sshd.h"

/* Own /sys and /run: nothing of the machine's is touched. Ends with its standard input. */
static const char house[] =
	"set -e\n"
	"mount -t sysfs sysfs /sys\n"
	"mount -t tmpfs none /run\n"
	"ip link set lo up\n"
	"ip link add eth2 type veth peer name eth3\n"
	"ip link set eth3 up\n"
	"ip link set eth2 up\n"
	"mount -t tmpfs none /sys/class/net\n"
	"mkdir -p /sys/class/net/eth2/device\n"
	"for f in mtu carrier operstate address speed; do\n"
	"ln -s /sys/devices/virtual/net/eth2/$f /sys/class/net/eth2/$f; done\n"
	"echo ready\n"
	"exec sleep 600\n";

static struct sshd sshd;
static pid_t holder = -1;
static bool is_here;

static bool begin_house(void)
{
	char word[8] = "";
	int ready[2], n;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	holder = fork();
	if (!holder) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(ready[1], STDOUT_FILENO);
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		execlp("unshare", "unshare", "--net", "--mount", "--propagation", "private", "sh", "-c", house, (char *)NULL);
		_exit(127);
	}
	close(ready[1]);
	n = read(ready[0], word, sizeof(word) - 1);
	close(ready[0]);
	return n > 0 && !strncmp(word, "ready", 5);
}

static void write_inventory(void)
{
	char text[1024];
	char *key = sshd_public_key(&sshd, "host");

	snprintf(text, sizeof(text), "all:\n  vars: {fabcon_known_hosts: known_hosts}\n  hosts:\n    node1:\n"
		 "      ansible_host: 127.0.0.1\n      ansible_port: %u\n      ansible_user: root\n"
		 "      ansible_ssh_private_key_file: %s\n", sshd.port, sshd_path(&sshd, "id"));
	sshd_write(&sshd, "real.yml", text);
	/* The same machine by an address that is not this machine's by name. */
	snprintf(text, sizeof(text), "all:\n  vars: {fabcon_known_hosts: known_hosts, fabcon_fabric: real}\n  hosts:\n    node1:\n"
		 "      ansible_host: \"::ffff:127.0.0.1\"\n      ansible_port: %u\n      ansible_user: root\n"
		 "      ansible_ssh_private_key_file: %s\n", sshd.port, sshd_path(&sshd, "id"));
	sshd_write(&sshd, "stray.yml", text);
	snprintf(text, sizeof(text), "[127.0.0.1]:%u,[::ffff:127.0.0.1]:%u %s\n", sshd.port, sshd.port, key);
	sshd_write(&sshd, "known_hosts", text);
	sshd_write(&sshd, "wanted.policy", "name wanted\nnode1 eth2 mtu = 9000\nnode1 tcp_ecn = 1\n");
	setenv("XDG_DATA_HOME", sshd.dir, 1);
	setenv("XDG_STATE_HOME", sshd.dir, 1);
	setenv("XDG_CONFIG_HOME", sshd.dir, 1);
	free(key);
}

static int begin(void **state)
{
	char extra[160];

	(void)state;
	if (getuid() || !begin_house()) {
		print_message("skip: no namespace can be made here\n");
		return 0;
	}
	snprintf(extra, sizeof(extra), "ForceCommand exec nsenter -t %d -n -m -- /bin/sh -c \"$SSH_ORIGINAL_COMMAND\"\n", holder);
	is_here = sshd_start(&sshd, extra);
	if (is_here)
		write_inventory();
	else
		print_message("skip: there is no sshd\n");
	return 0;
}

static int end(void **state)
{
	(void)state;
	if (is_here)
		sshd_stop(&sshd);
	if (holder > 0) {
		kill(holder, SIGKILL);
		waitpid(holder, NULL, 0);
	}
	return 0;
}

/* Asked in the namespace itself, past the program and its sessions. */
static void assert_set(const char *path, const char *wanted)
{
	char pid[16];
	struct run r;

	snprintf(pid, sizeof(pid), "%d", holder);
	r = RUN("/usr/bin/nsenter", "-t", pid, "-n", "-m", "--", "/bin/cat", path);
	assert_int_equal(r.code, 0);
	assert_true(span_is(span_trim(buf_span(&r.out)), wanted));
	run_done(&r);
}

#define MTU	"/sys/devices/virtual/net/eth2/mtu"
#define TCP_ECN	"/proc/sys/net/ipv4/tcp_ecn"

static void assert_exit(struct run *r, int code, const char *words)
{
	if (r->code != code || !(strstr(r->out.text ? r->out.text : "", words) || strstr(r->err.text ? r->err.text : "", words)))
		fail_msg("exit %d, wanted %d and \"%s\":\n%s%s", r->code, code, words, r->out.text ? r->out.text : "",
			 r->err.text ? r->err.text : "");
	run_done(r);
}

#define FABCON(...) RUN("fabcon", "-i", sshd_path(&sshd, "real.yml"), "-p", sshd_path(&sshd, "wanted.policy"), "--no-input", __VA_ARGS__)

static void read_plan(const char *file, struct fix_plan *p)
{
	char *text = file_text(file, NULL);
	struct err err;

	assert_non_null(text);
	fix_plan_init(p);
	if (!fix_plan_read(p, span_of(text), &err))
		fail_msg("%s", err.text);
	free(text);
}

/* With a line more in each step, or none; and watched for a second, since there is no load to watch for. */
static void make_plan(const char *file, const char *line)
{
	struct run r = FABCON("plan", "node1", "node1:eth2", "-O", file);
	struct buf text = { 0 };
	struct fix_plan p;

	assert_exit(&r, 0, "");
	read_plan(file, &p);
	p.verify_us = SECOND;
	for (size_t i = 0; line && i < p.n_steps; i++) {
		struct fix_lines *l = &p.steps[i].lines;

		*GROW(l->list, l->n, l->cap) = line;
		l->n++;
	}
	fix_plan_write(&p, &text);
	sshd_write(&sshd, strrchr(file, '/') + 1, text.text);
	fix_plan_done(&p);
	buf_done(&text);
}

static void hash_of(const char *file, char hash[FIX_HASH_SIZE])
{
	struct fix_plan p;

	read_plan(file, &p);
	fix_plan_hash(&p, hash);
	fix_plan_done(&p);
}

static struct run apply(const char *file)
{
	char hash[FIX_HASH_SIZE];

	hash_of(file, hash);
	return FABCON("apply", file, "--rw", "--reason", "test", "--approve", hash, "--management", "node1 lo");
}

static void mtu_and_sysctl_are_set_in_a_real_kernel_and_taken_back(void **state)
{
	char file[96];
	struct run r;

	(void)state;
	if (!is_here)
		return;
	snprintf(file, sizeof(file), "%s/plan.json", sshd.dir);
	assert_set(MTU, "1500");
	make_plan(file, NULL);
	r = apply(file);
	assert_exit(&r, 0, "");
	assert_set(MTU, "9000");
	assert_set(TCP_ECN, "1");
	r = apply(file);
	assert_exit(&r, 0, "nothing");
	r = FABCON("undo", file, "--rw", "--reason", "test");
	assert_exit(&r, 0, "");
	assert_set(MTU, "1500");
	assert_set(TCP_ECN, "2");
}

/* A line that somebody added to the file, with a hash that fits: refused before the lines that are the plan's own. */
static void a_line_more_than_the_edits_give_is_refused_and_nothing_is_set(void **state)
{
	char file[96];
	struct run r;

	(void)state;
	if (!is_here)
		return;
	snprintf(file, sizeof(file), "%s/refused.json", sshd.dir);
	make_plan(file, "ethtool -A eth2 rx off tx off");
	r = apply(file);
	assert_exit(&r, 9, "is \"ethtool -A eth2 rx off tx off\"; the device and the edits give \"nothing\"");
	assert_set(MTU, "1500");
	assert_set(TCP_ECN, "2");
}

/* A wrong address that leads to the console's own machine: whatever it is called, nothing of it is changed. */
static void this_machine_is_not_changed_under_another_name(void **state)
{
	char file[96], hash[FIX_HASH_SIZE];
	struct run r;

	(void)state;
	if (!is_here)
		return;
	snprintf(file, sizeof(file), "%s/stray.json", sshd.dir);
	r = RUN("fabcon", "-i", sshd_path(&sshd, "stray.yml"), "-p", sshd_path(&sshd, "wanted.policy"), "--no-input", "plan", "node1",
		"node1:eth2", "-O", file);
	assert_exit(&r, 0, "");
	hash_of(file, hash);
	r = RUN("fabcon", "-i", sshd_path(&sshd, "stray.yml"), "-p", sshd_path(&sshd, "wanted.policy"), "--no-input", "apply", file,
		"--rw", "--reason", "test", "--approve", hash, "--management", "node1 lo");
	assert_exit(&r, 9, "resolves to this machine");
	assert_set(MTU, "1500");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mtu_and_sysctl_are_set_in_a_real_kernel_and_taken_back),
		cmocka_unit_test(a_line_more_than_the_edits_give_is_refused_and_nothing_is_set),
		cmocka_unit_test(this_machine_is_not_changed_under_another_name),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
