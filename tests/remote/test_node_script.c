/* The script that runs tests on a node, in the shells of this machine: waits for what listens, ends what it began, and leaves nothing. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remote/runner/node_script.h"
#include "tests/lib/say.h"

static char dir[64];
static const char *const *shell;

static const char *const dash[] = { "/bin/sh", "-s", NULL }, *const bash[] = { "/bin/bash", "-s", NULL },
	*const busybox[] = { "busybox", "sh", "-s", NULL };

/* A program of the test's own: a script of that name. */
static const char *program(const char *name, const char *text)
{
	static char paths[8][128];
	static unsigned nth;
	char *path = paths[nth++ % 8];
	FILE *file;

	snprintf(path, sizeof(paths[0]), "%s/%s", dir, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	assert_int_equal(chmod(path, 0755), 0);
	return path;
}

struct node {
	pid_t pid;
	int in;
	FILE *out;
};

static void begin(struct node *n, const struct node_test *tests, size_t count)
{
	struct buf script = { NULL };
	int in[2], out[2];

	assert_true(node_script(tests, count, &script));
	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	n->pid = fork();
	if (n->pid == 0) {
		char path[128];
		FILE *file;

		snprintf(path, sizeof(path), "%s/script", dir);
		file = fopen(path, "w");
		fputs(script.text, file);
		fclose(file);
		dup2(in[0], 0);
		dup2(out[1], 1);
		setenv("TMPDIR", dir, 1);
		if (shell == busybox)
			execlp("busybox", "busybox", "sh", path, (char *)NULL);
		execl(shell[0], shell[0], path, (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	n->in = in[1];
	n->out = fdopen(out[0], "r");
	buf_done(&script);
}

/* The next line of that word and test, or the test fails. */
static struct node_line next(struct node *n, enum node_word word, unsigned id)
{
	static char text[512];
	struct node_line line;

	while (fgets(text, sizeof(text), n->out)) {
		text[strcspn(text, "\n")] = '\0';
		if (node_line_read(span_of(text), &line) && line.word == word && line.id == id)
			return line;
	}
	fail_msg("no line %d of test %u", word, id);
	return line;
}

static void end(struct node *n)
{
	int status;

	close(n->in);
	while (fgetc(n->out) != EOF)
		;
	fclose(n->out);
	assert_int_equal(waitpid(n->pid, &status, 0), n->pid);
}

static bool lives(const char *pid_file)
{
	char path[128];
	long pid = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, pid_file);
	file = fopen(path, "r");
	if (!file)
		return false;
	int n = fscanf(file, "%ld", &pid);
	fclose(file);
	if (n != 1)	/* made, and not written yet */
		return false;
	return kill((pid_t)pid, 0) == 0 || errno != ESRCH;
}

static void wait_for(const char *pid_file, bool is_alive)
{
	for (unsigned i = 0; lives(pid_file) != is_alive; i++) {
		if (i > 3000)
			fail_msg("%s %s", pid_file, is_alive ? "never began" : "lives on");
		usleep(10000);
	}
}

static void each_shell(void (*story)(void))
{
	static const char *const *const shells[] = { dash, bash, busybox };

	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++) {
		char command[96];

		shell = shells[i];
		snprintf(dir, sizeof(dir), "/tmp/fabcon-node.XXXXXX");
		assert_non_null(mkdtemp(dir));
		story();
		snprintf(command, sizeof(command), "rm -rf %s", dir);
		assert_int_equal(system(command), 0);
	}
}

/* Listens on the port after -p, says what it was told, and ends when somebody connects, or its seconds are over. */
#define SERVER "#!/usr/bin/env python3\nimport os, socket, sys, time\n" \
	"open(sys.argv[1], 'w').write(str(os.getpid()))\ns = socket.socket()\n" \
	"try:\n s.bind(('127.0.0.1', int(sys.argv[-1])))\nexcept OSError:\n print(\"Couldn't listen to port\")\n sys.exit(1)\n" \
	"time.sleep(0.3)\ns.listen()\nprint('served on', sys.argv[-1])\nsys.stdout.flush()\n" \
	"s.settimeout(float(sys.argv[2]))\ns.accept()\n"

static void connect_to(unsigned port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	close(fd);
}

static void serve_and_end(void)
{
	char pid_file[128];
	const char *server = program("server", SERVER);
	const char *words[] = { server, pid_file, "60", NULL };
	const char *client[] = { "echo", "measured", NULL };
	const struct node_test tests[] = { { .id = 1, .words = words, .limit_s = 60, .port = 18515 }, { .id = 2, .words = client, .limit_s = 5 } };
	struct node_line line;
	struct node n;

	snprintf(pid_file, sizeof(pid_file), "%s/pid", dir);
	begin(&n, tests, 2);
	next(&n, NODE_BEGIN, 0);
	line = next(&n, NODE_LISTENING, 1);
	assert_true(line.n >= 18515 && line.n < 18535);
	connect_to((unsigned)line.n);
	line = next(&n, NODE_OUT, 1);
	assert_true(span_starts(line.text, "served on 185"));
	assert_int_equal(next(&n, NODE_ENDED, 1).n, 0);
	assert_true(span_is(next(&n, NODE_OUT, 2).text, "measured"));
	assert_int_equal(next(&n, NODE_ENDED, 2).n, 0);
	next(&n, NODE_END, 0);
	end(&n);
}

static void a_server_is_waited_for_by_its_listening(void **state)
{
	(void)state;
	each_shell(serve_and_end);
}

/* Its first port is taken by somebody else after the look, and listened on before it tries: it ends, and the next port is its own. */
#define LATE	"#!/usr/bin/env python3\nimport os, socket, sys, time\nhere, port = sys.argv[1], int(sys.argv[-1])\n" \
	"if not os.path.exists(here + '/theirs'):\n" \
	" if os.fork() == 0:\n" \
	"  os.setsid()\n" \
	"  if os.fork():\n   os._exit(0)\n" \
	"  s = socket.socket()\n  s.bind(('127.0.0.1', port))\n  s.listen()\n  open(here + '/theirs', 'w')\n" \
	"  for fd in (0, 1, 2):\n   os.close(fd)\n" \
	"  while os.path.exists(here):\n   time.sleep(0.05)\n" \
	"  os._exit(0)\n" \
	" os.wait()\n" \
	" while not os.path.exists(here + '/theirs'):\n  time.sleep(0.05)\n" \
	" time.sleep(1)\n print(\"Couldn't listen to port\", port)\n sys.exit(1)\n" \
	"s = socket.socket()\ns.bind(('127.0.0.1', port))\ns.listen()\nprint('served on', port)\nsys.stdout.flush()\n" \
	"s.accept()\n"

static void lose_the_port(void)
{
	const char *words[] = { program("late", LATE), dir, NULL };
	const struct node_test test = { .id = 1, .words = words, .limit_s = 60, .port = 18575 };
	char said[64];
	unsigned port;
	struct node n;

	begin(&n, &test, 1);
	next(&n, NODE_BEGIN, 0);
	port = (unsigned)next(&n, NODE_LISTENING, 1).n;
	assert_true(port > 18575 && port < 18595);
	connect_to(port);
	snprintf(said, sizeof(said), "served on %u", port);
	assert_true(span_is(next(&n, NODE_OUT, 1).text, said));
	assert_int_equal(next(&n, NODE_ENDED, 1).n, 0);
	next(&n, NODE_END, 0);
	end(&n);
}

static void the_listener_of_another_is_not_taken_for_its_own(void **state)
{
	(void)state;
	each_shell(lose_the_port);
}

/* The console dies, by kill -9: its end of the channel is closed, and what it began is gone. */
static void lose_the_console(void)
{
	char pid_file[128];
	const char *server = program("server", SERVER);
	const char *words[] = { server, pid_file, "600", NULL };
	const struct node_test tests[] = { { .id = 1, .words = words, .limit_s = 300, .port = 18545 } };
	struct node n;

	snprintf(pid_file, sizeof(pid_file), "%s/pid", dir);
	begin(&n, tests, 1);
	next(&n, NODE_LISTENING, 1);
	assert_true(lives("pid"));
	end(&n);
	wait_for("pid", false);
}

static void when_we_are_gone_nothing_of_ours_runs_on(void **state)
{
	(void)state;
	each_shell(lose_the_console);
}

/* It starts children, ignores signals, and does not end. */
static void run_too_long(void)
{
	const char *hang = program("hang", "#!/bin/sh\ntrap '' TERM HUP INT\necho $$ >$1\nsleep 600 & echo $! >$2\nwhile :; do sleep 1; done\n");
	char own[128], child[128];
	const char *words[] = { hang, own, child, NULL };
	const struct node_test tests[] = { { .id = 7, .words = words, .limit_s = 300 } };
	struct node n;

	snprintf(own, sizeof(own), "%s/own", dir);
	snprintf(child, sizeof(child), "%s/child", dir);
	begin(&n, tests, 1);
	next(&n, NODE_BEGIN, 0);
	wait_for("child", true);
	end(&n);
	wait_for("own", false);
	wait_for("child", false);
}

#define STARTS	40

/* Ended at any moment of its start: the test does not run, or is ended too. */
static void end_while_it_starts(void)
{
	const char *stay = program("stay", "#!/bin/sh\necho $$ >$1\nexec sleep 600\n");
	struct node nodes[STARTS];
	char name[32];

	for (unsigned i = 0; i < STARTS; i++) {
		char own[160];
		const char *words[] = { stay, own, NULL };
		const struct node_test tests[] = { { .id = 1, .words = words, .limit_s = 300 } };

		snprintf(own, sizeof(own), "%s/own.%u", dir, i);
		begin(&nodes[i], tests, 1);
		next(&nodes[i], NODE_BEGIN, 0);
		usleep(i * 150);
		assert_int_equal(kill(nodes[i].pid, SIGTERM), 0);
	}
	for (unsigned i = 0; i < STARTS; i++)
		end(&nodes[i]);
	usleep(300000);		/* one that was forked, and had not written its process id yet */
	for (unsigned i = 0; i < STARTS; i++) {
		snprintf(name, sizeof(name), "own.%u", i);
		wait_for(name, false);
	}
}

static void ended_while_it_starts_nothing_runs_on(void **state)
{
	(void)state;
	each_shell(end_while_it_starts);
}

static void what_ignores_signals_ends_with_its_children(void **state)
{
	(void)state;
	each_shell(run_too_long);
}

static void time_out(void)
{
	const char *words[] = { "sleep", "600", NULL };
	const struct node_test tests[] = { { .id = 3, .words = words, .limit_s = 1 } };
	struct node n;

	begin(&n, tests, 1);
	assert_int_equal(next(&n, NODE_ENDED, 3).n, 124);	/* busybox too, whose timeout tells 143 */
	end(&n);
}

static void its_limit_ends_it(void **state)
{
	(void)state;
	each_shell(time_out);
}

static void words_that_a_shell_would_read_are_not_sent(void **state)
{
	static const char *const bad[] = { "a b", "$(id)", "`id`", "a;b", "x|y", "", "a'b", "a\"b", "*", "a\nb", "~root", "a&b", "<x", "#" };
	struct buf script = { NULL };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const char *words[] = { "echo", bad[i], NULL };
		const struct node_test t = { .id = 1, .words = words, .limit_s = 1 };

		if (node_script(&t, 1, &script))
			fail_msg("\"%s\" was taken", bad[i]);
		assert_int_equal(script.n, 0);
	}
	buf_done(&script);
}

static void lines_of_others_are_not_read(void **state)
{
	static const char *const bad[] = { "", "fabcon:", "fabcon: ", "fabcon: ended", "fabcon: ended x 1", "fabcon: ended 1", "fabcon: hello",
					   "ended 1 0", "fabcon: listening 1 99999999999999999999" };
	struct node_line line;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(node_line_read(span_of(bad[i]), &line));
	assert_true(node_line_read(SPAN("fabcon: out 12   two words"), &line));
	assert_true(line.word == NODE_OUT && line.id == 12 && span_is(line.text, "  two words"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_server_is_waited_for_by_its_listening),
		cmocka_unit_test(the_listener_of_another_is_not_taken_for_its_own),
		cmocka_unit_test(when_we_are_gone_nothing_of_ours_runs_on),
		cmocka_unit_test(ended_while_it_starts_nothing_runs_on),
		cmocka_unit_test(what_ignores_signals_ends_with_its_children),
		cmocka_unit_test(its_limit_ends_it),
		cmocka_unit_test(words_that_a_shell_would_read_are_not_sent),
		cmocka_unit_test(lines_of_others_are_not_read),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
