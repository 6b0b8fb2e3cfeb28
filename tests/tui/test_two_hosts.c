/*
 * The owner of two nodes and one cable: two bare hosts in network namespaces of their own, a real sshd in each, no LLDP, no
 * switch, no inventory. From the command line to the joined row by a person's keys. For root, who alone may make namespaces.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"
#include "tui/args/cli.h"

#define KEYS_MOST	6
#define SECONDS_MOST	60

enum { CONSOLE, NODE_A, NODE_B, ROOMS };

static struct {
	char dir[64];
	pid_t room[ROOMS];	/* holds its namespaces open */
	pid_t sshd[ROOMS];
	bool is_here;
} house;

/* A network and mount namespace whose /sys shows it. Ends with its parent. */
static bool open_room(pid_t *pid)
{
	char word[8] = "";
	int ready[2];
	ssize_t n;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	*pid = fork();
	if (!*pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(ready[1], STDOUT_FILENO);
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		execlp("unshare", "unshare", "--net", "--mount", "--propagation", "private", "sh", "-c",
		       "mount -t sysfs sysfs /sys && mount -t tmpfs none /run && mkdir -p /run/sshd && ip link set lo up && echo ready && exec sleep 900",
		       (char *)NULL);
		_exit(127);
	}
	close(ready[1]);
	n = read(ready[0], word, sizeof(word) - 1);
	close(ready[0]);
	return n > 0 && !strncmp(word, "ready", 5);
}

static bool shell(const char *format, ...)
{
	va_list args;
	char *command;
	struct run r;
	bool ok;

	va_start(args, format);
	if (vasprintf(&command, format, args) < 0)
		abort();
	va_end(args);
	r = RUN("/bin/sh", "-ec", command);
	ok = r.code == 0;
	if (!ok)
		print_message("%s\n%s\n", command, r.err.text ? r.err.text : "");
	run_done(&r);
	free(command);
	return ok;
}

static bool lay_cables(void)
{
	return shell("at() { p=$1; shift; nsenter -t $p -n -- \"$@\"; }\n"
		     "at %1$d ip link add name toa type veth peer name mgmt netns %2$d\n"
		     "at %1$d ip link add name tob type veth peer name mgmt netns %3$d\n"
		     "at %2$d ip link add name fab0 type veth peer name fab0 netns %3$d\n"
		     "at %1$d ip addr add 10.99.1.1/24 dev toa; at %1$d ip addr add 10.99.2.1/24 dev tob\n"
		     "at %2$d ip addr add 10.99.1.2/24 dev mgmt; at %3$d ip addr add 10.99.2.2/24 dev mgmt\n"
		     "at %1$d ip link set toa up; at %1$d ip link set tob up\n"
		     "for i in %2$d %3$d; do at $i ip link set mgmt up; at $i ip link set fab0 up; done\n"
		     "for i in %2$d %3$d; do n=0\n"
		     "while [ -n \"$(at $i ip -6 addr show tentative)\" ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n+1)); done; done",
		     house.room[CONSOLE], house.room[NODE_A], house.room[NODE_B]);
}

static bool start_sshd(int room)
{
	char pid[16], config[96];
	pid_t parent = getpid();

	snprintf(pid, sizeof(pid), "%d", house.room[room]);
	snprintf(config, sizeof(config), "%s/sshd_config", house.dir);
	house.sshd[room] = fork();
	if (!house.sshd[room]) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(1);
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		execlp("nsenter", "nsenter", "-t", pid, "-n", "-m", "--", "/usr/sbin/sshd", "-D", "-f", config, (char *)NULL);
		_exit(127);
	}
	return shell("n=0; until nsenter -t %s -n -- sh -c 'ss -ltn 2>/dev/null | grep -q :22'; do sleep 0.1; n=$((n+1)); [ $n -lt 300 ]; done",
		     pid);
}

static int begin(void **state)
{
	(void)state;
	if (getuid() || access("/usr/sbin/sshd", X_OK) != 0) {
		print_message("skip: not root, or no sshd here\n");
		return 0;
	}
	strcpy(house.dir, "/tmp/fabcon-two.XXXXXX");
	assert_non_null(mkdtemp(house.dir));
	for (int i = 0; i < ROOMS; i++)
		if (!open_room(&house.room[i])) {
			print_message("skip: no namespace can be made here\n");
			return 0;
		}
	assert_true(shell("cd %1$s; mkdir -m 700 .ssh config state data; ssh-keygen -q -t ed25519 -N '' -f host; "
			  "ssh-keygen -q -t ed25519 -N '' -f .ssh/id_ed25519; cp .ssh/id_ed25519.pub keys\n"
			  "printf 'HostKey %1$s/host\\nAuthorizedKeysFile %1$s/keys\\nPidFile none\\nStrictModes no\\nUsePAM no\\n"
			  "PermitRootLogin yes\\nMaxStartups 100\\nSetEnv HOME=%1$s\\n' >sshd_config", house.dir));
	setenv("HOME", house.dir, 1);
	for (const char *const *name = (const char *const[]){ "CONFIG", "STATE", "DATA", NULL }; *name; name++) {
		char variable[32], path[96];

		snprintf(variable, sizeof(variable), "XDG_%s_HOME", *name);
		snprintf(path, sizeof(path), "%s/%s", house.dir,
			 !strcmp(*name, "CONFIG") ? "config" : !strcmp(*name, "STATE") ? "state" : "data");
		setenv(variable, path, 1);
	}
	unsetenv("SSH_AUTH_SOCK");
	house.is_here = lay_cables() && start_sshd(NODE_A) && start_sshd(NODE_B);
	assert_true(house.is_here);
	return 0;
}

static int end(void **state)
{
	(void)state;
	for (int i = 0; i < ROOMS; i++) {
		if (house.sshd[i] > 0) {
			kill(house.sshd[i], SIGTERM);
			waitpid(house.sshd[i], NULL, 0);
		}
		if (house.room[i] > 0) {
			kill(house.room[i], SIGKILL);
			waitpid(house.room[i], NULL, 0);
		}
	}
	if (*house.dir)
		shell("rm -rf %s", house.dir);
	return 0;
}

static const char *console_pid(void)
{
	static char pid[16];

	snprintf(pid, sizeof(pid), "%d", house.room[CONSOLE]);
	return pid;
}

#define IN_CONSOLE	"/usr/bin/nsenter", "-t", console_pid(), "-n", "--", program_path("fabcon")

static void a_person_comes_from_two_names_to_the_joined_row(void **state)
{
	static const struct {
		int rows, cols;
	} sizes[] = { { 36, 120 }, { 24, 80 } };

	(void)state;
	if (!house.is_here)
		return;
	for (size_t i = 0; i < 2; i++) {
		time_t began = time(NULL);
		unsigned keys = 0;
		struct tty *t;
		char known[96];

		snprintf(known, sizeof(known), "%s/.ssh/known_hosts", house.dir);
		unlink(known);
		assert_true(shell("for i in %d %d; do nsenter -t $i -n -- ip neigh flush dev fab0; done", house.room[NODE_A], house.room[NODE_B]));
		t = TTY(sizes[i].rows, sizes[i].cols, IN_CONSOLE, "--fresh", "10.99.1.2", "10.99.2.2");
		if (!tty_shows(t, "SHA256:", 60))
			fail_msg("nobody asks about the host keys:\n%s", tty_screen(t));
		tty_type(t, "y");
		keys++;
		if (!tty_shows(t, "2/2", 60) || !tty_shows(t, "Nothing could be judged", 60))
			fail_msg("%s", tty_screen(t));
		tty_type(t, "2");
		keys++;
		if (!tty_shows(t, "No link is known", 60))
			fail_msg("%s", tty_screen(t));
		tty_type(t, "P");
		keys++;
		if (!tty_shows(t, "10.99.1.2:fab0 - 10.99.2.2", 60))
			fail_msg("no joined row:\n%s", tty_screen(t));
		print_message("%dx%d: the joined row after %u keys and %ld s\n", sizes[i].cols, sizes[i].rows, keys, (long)(time(NULL) - began));
		assert_true(keys <= KEYS_MOST && time(NULL) - began <= SECONDS_MOST);
		tty_type(t, "3");
		if (!tty_shows(t, "same layer-2 segment", 60))
			fail_msg("Detail does not say how it is known:\n%s", tty_screen(t));
		tty_type(t, ":quit\r");
		assert_int_equal(tty_end(t, 60), 0);
		tty_close(t);
	}
}

static void the_commands_say_the_same(void **state)
{
	struct run r;

	(void)state;
	if (!house.is_here)
		return;
	r = RUN(IN_CONSOLE, "--host-key", "accept-new", "--ping-neighbors", "-o", "json", "10.99.1.2", "10.99.2.2", "ports");
	if (!strstr(r.out.text, "\"joined_by\": \"segment\"") || !strstr(r.out.text, "10.99.1.2:fab0 - 10.99.2.2:fab0"))
		fail_msg("%s%s", r.out.text, r.err.text);
	run_done(&r);
	r = RUN(IN_CONSOLE, "--host-key", "accept-new", "10.99.1.2", "10.99.2.2", "check");
	assert_int_equal(r.code, EXIT_UNJUDGED);
	assert_non_null(strstr(r.out.text, "nothing could be judged"));
	run_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_person_comes_from_two_names_to_the_joined_row),
		cmocka_unit_test(the_commands_say_the_same),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
