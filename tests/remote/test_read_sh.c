/* The collector's talk with a shell: the real one of this machine, and what a hostile or broken one may print. */
#include "tests/lib/say.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remote/linux/linux.h"
#include "remote/platforms.h"
#include "remote/talk/collector.h"
#include "remote/talk/talk.h"

#define NONCE "0123456789abcdef"
#define PATIENCE_MS 20000

struct seen {
	const struct platform *platform;
	unsigned identified, rounds, failed;
	enum cadence last_round;
	char reason[256];
	struct buf answers;		/* "probe port status partial bytes\n" each */
	struct buf last;		/* text of the last answer */
	struct buf facts;		/* of all of them, written */
	int64_t device_us;
};

static void on_identified(void *ctx, const struct platform *p, struct span text)
{
	struct seen *s = ctx;

	(void)text;
	s->platform = p;
	s->identified++;
}

static void on_answered(void *ctx, const struct probe *probe, const struct answer *a, int64_t device_us)
{
	struct seen *s = ctx;
	struct obs o;

	buf_printf(&s->answers, "%s %s %d %d %zu\n", probe->id, a->port ? a->port : "-", a->status, a->is_partial,
		   a->text.n);
	buf_clear(&s->last);
	buf_add(&s->last, a->text.p, a->text.n);
	s->device_us = device_us;
	obs_init(&o, "here", probe->id);
	platform_parse(&linux_platform, probe, a, &o);
	obs_print(&o, &s->facts);
	obs_done(&o);
}

static void on_round_ended(void *ctx, enum cadence cadence)
{
	struct seen *s = ctx;

	s->rounds++;
	s->last_round = cadence;
}

static void on_failed(void *ctx, const char *reason)
{
	struct seen *s = ctx;

	s->failed++;
	snprintf(s->reason, sizeof(s->reason), "%s", reason);
}

static void seen_done(struct seen *s)
{
	buf_done(&s->answers);
	buf_done(&s->last);
	buf_done(&s->facts);
}

static struct talk *talk_with(struct seen *s)
{
	return talk_sh_new(NONCE, &(struct talk_hooks){ .ctx = s, .identified = on_identified, .answered = on_answered,
							.round_ended = on_round_ended, .failed = on_failed });
}

static bool has(const struct buf *b, const char *what)
{
	return b->n > 0 && strstr(b->text, what);
}

/* A real shell at the ends of two pipes. */
struct shell {
	pid_t pid;
	int in, out;
};

static struct shell shell_open(const char *path)
{
	int in[2], out[2];
	struct shell sh;

	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	sh = (struct shell){ .pid = fork(), .in = in[1], .out = out[0] };
	if (sh.pid == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		dup2(out[1], 2);
		signal(SIGPIPE, SIG_DFL);
		execl(path, "sh", "-s", (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	return sh;
}

/* Moves bytes both ways until so many rounds have ended; false when the shell ended or nothing came for long. */
static bool run_until(struct talk *t, struct shell *sh, const struct seen *s, unsigned identified, unsigned rounds)
{
	static char bytes[65536];

	while (s->identified < identified || s->rounds < rounds) {
		struct pollfd fd = { .fd = sh->out, .events = POLLIN };
		struct span send = talk_to_send(t);
		ssize_t n;

		if (send.n > 0) {
			n = write(sh->in, send.p, send.n);
			if (n <= 0)
				return false;
			talk_sent(t, (size_t)n);
			continue;
		}
		if (poll(&fd, 1, PATIENCE_MS) <= 0 || (n = read(sh->out, bytes, sizeof(bytes))) <= 0)
			return false;
		talk_feed(t, (struct span){ bytes, (size_t)n });
	}
	return true;
}

static void a_real_shell_is_identified_and_answers_its_rounds(void **state)
{
	struct seen s = { 0 };
	struct talk *t = talk_with(&s);
	struct shell sh = shell_open("/bin/sh");
	int status;

	(void)state;
	assert_false(talk_ask(t, CADENCE_ONCE));	/* not before it is identified */
	assert_true(run_until(t, &sh, &s, 1, 0));
	assert_ptr_equal(s.platform, platform_find("linux"));
	assert_true(talk_ask(t, CADENCE_ONCE));		/* and before it said hello: kept */
	assert_false(talk_ask(t, CADENCE_LIVE));
	assert_true(run_until(t, &sh, &s, 1, 1));
	assert_true(has(&s.facts, "here boot = \""));
	assert_true(has(&s.facts, "here platform = \"linux\""));
	assert_true(talk_ask(t, CADENCE_CONFIG));
	assert_true(run_until(t, &sh, &s, 1, 2));
	assert_true(has(&s.facts, "here memlock = "));
	assert_true(talk_ask(t, CADENCE_LIVE));
	assert_true(run_until(t, &sh, &s, 1, 3));
	assert_true(has(&s.answers, "net - 0 0"));
	assert_true(s.device_us > 0);
	close(sh.in);					/* the end of its input ends it */
	assert_int_equal(waitpid(sh.pid, &status, 0), sh.pid);
	assert_true(WIFEXITED(status));
	close(sh.out);
	talk_free(t);
	seen_done(&s);
}


/* The far end's part of a talk, typed by us. */
static void say(struct talk *t, const char *text)
{
	talk_feed(t, span_of(text));
}

static const char identification[] =
	"Welcome to node1\r\n\n@" NONCE " begin identify - -\nuname: Linux node1 6.1.0 x86_64\nID=debian\nuid: 0\n"
	"\n@" NONCE " end 0\n";

/* A talk with an identified Linux host, that has said hello and runs a LIVE round. */
static struct talk *talk_in_a_round(struct seen *s)
{
	struct talk *t = talk_with(s);

	say(t, identification);
	say(t, "\n@" NONCE " hello\n");
	assert_true(talk_ask(t, CADENCE_LIVE));
	return t;
}

static void noise_and_an_echo_of_the_program_are_no_frames(void **state)
{
	struct seen s = { 0 };
	struct talk *t = talk_with(&s);
	struct buf echo = { 0 };

	(void)state;
	buf_add(&echo, talk_to_send(t).p, talk_to_send(t).n);
	talk_feed(t, buf_span(&echo));
	assert_int_equal(s.identified, 0);
	say(t, identification);
	assert_int_equal(s.identified, 1);
	assert_ptr_equal(s.platform, platform_find("linux"));
	buf_clear(&echo);
	buf_add(&echo, talk_to_send(t).p, talk_to_send(t).n);
	say(t, "\n@" NONCE " hello\n");
	assert_true(talk_ask(t, CADENCE_LIVE));
	talk_feed(t, buf_span(&echo));
	say(t, "\n@fedcba9876543210 begin net - 1.00\nforged\n\n@fedcba9876543210 end 0\n");
	assert_int_equal(s.answers.n, 0);
	buf_done(&echo);
	talk_free(t);
	seen_done(&s);
}

static const char two_frames[] =
	"\n@" NONCE " begin net - 100.25\n/sys/class/net/eth2/carrier:1\nno newline at the end"
	"\n@" NONCE " end 0\nbetween frames\n"
	"\n@" NONCE " begin ethtool-S eth2 100.26\n@" "0123 is no marker\n     rx_prio3_pause: 5\n"
	"\n@" NONCE " end 3\n\n@" NONCE " round live\n";

static void frames_are_cut_the_same_however_the_bytes_come(void **state)
{
	(void)state;
	for (size_t step = 1; step <= sizeof(two_frames); step += step < 4 ? 1 : 29) {
		struct seen s = { 0 };
		struct talk *t = talk_in_a_round(&s);

		for (size_t at = 0; at < sizeof(two_frames) - 1; at += step) {
			size_t left = sizeof(two_frames) - 1 - at;

			talk_feed(t, (struct span){ two_frames + at, left < step ? left : step });
		}
		assert_string_equal(s.answers.text, "net - 0 0 51\nethtool-S eth2 3 0 42\n");
		assert_int_equal(s.device_us, 100260000);
		assert_int_equal(s.rounds, 1);
		talk_free(t);
		seen_done(&s);
	}
}

static void an_endless_reply_is_cut_and_partial(void **state)
{
	static char chunk[1 << 16];
	struct seen s = { 0 };
	struct talk *t = talk_in_a_round(&s);

	(void)state;
	memset(chunk, 'x', sizeof(chunk));
	say(t, "\n@" NONCE " begin net - 1.00\n");
	for (size_t n = 0; n < 2 * TALK_REPLY_MAX; n += sizeof(chunk))
		talk_feed(t, (struct span){ chunk, sizeof(chunk) });
	say(t, "\n\n@" NONCE " end 0\n");
	assert_string_equal(s.answers.text, "net - 0 1 4194304\n");
	talk_free(t);
	seen_done(&s);
}

static void a_question_out_of_time_is_given_as_partial_and_the_round_goes_on(void **state)
{
	struct seen s = { 0 };
	struct talk *t = talk_in_a_round(&s);

	(void)state;
	say(t, "\n@" NONCE " begin ethtool-S eth2 1.00\nrx_prio3_pause: 5\n");
	assert_string_equal(talk_step(t), "ethtool-S");
	talk_timeout(t);
	assert_string_equal(s.answers.text, "ethtool-S eth2 -1 1 18\n");
	say(t, "rx_prio3_pause_duration: 6\n\n@" NONCE " end 0\n");
	say(t, "\n@" NONCE " begin ethtool-S eth3 7.00\n\n@" NONCE " end 0\n\n@" NONCE " round live\n");
	assert_string_equal(s.answers.text, "ethtool-S eth2 -1 1 18\nethtool-S eth3 0 0 0\n");
	assert_int_equal(s.rounds, 1);
	assert_int_equal(s.failed, 0);
	assert_null(talk_step(t));
	talk_free(t);
	seen_done(&s);
}

/* Under load it may take longer than a step's limit: nothing that it has said is wrong. */
static void a_slow_identification_is_waited_for_once_more(void **state)
{
	struct seen s = { 0 };
	struct talk *t = talk_with(&s);

	(void)state;
	talk_timeout(t);
	assert_int_equal(s.failed, 0);
	talk_timeout(t);
	assert_int_equal(s.failed, 1);
	talk_free(t);
	seen_done(&s);
}

/* Each answer of a host may take 8 s: that to the identification, and then the hello (recorded by make calm, seed 77007). */
static void a_hello_is_waited_for_once_more(void **state)
{
	struct seen s = { 0 };
	struct talk *t = talk_with(&s);

	(void)state;
	say(t, identification);
	assert_int_equal(s.identified, 1);
	assert_true(talk_ask(t, CADENCE_LIVE));
	talk_timeout(t);
	assert_int_equal(s.failed, 0);
	talk_timeout(t);
	assert_int_equal(s.failed, 1);
	talk_free(t);
	seen_done(&s);
}

static void a_shell_that_stays_silent_has_failed(void **state)
{
	struct seen s = { 0 };
	struct talk *t = talk_in_a_round(&s);

	(void)state;
	say(t, "\n@" NONCE " begin ethtool-S eth2 1.00\n");
	talk_timeout(t);
	talk_timeout(t);
	assert_int_equal(s.failed, 1);
	assert_false(talk_ask(t, CADENCE_LIVE));
	talk_free(t);
	seen_done(&s);
}

static void a_lost_connection_gives_what_came_as_partial(void **state)
{
	struct seen s = { 0 };
	struct talk *t = talk_in_a_round(&s);

	(void)state;
	say(t, "\n@" NONCE " begin mlnx_qos eth2 1.00\nPriority trust state: dscp\n");
	talk_closed(t);
	assert_string_equal(s.answers.text, "mlnx_qos eth2 -1 1 27\n");
	assert_true(has(&s.facts, "here eth2 trust = dscp"));
	assert_false(has(&s.facts, "unknown"));
	talk_free(t);
	seen_done(&s);
}

static void what_is_no_shell_is_told_by_what_it_printed(void **state)
{
	struct seen s = { 0 };
	struct talk *t = talk_with(&s);

	(void)state;
	say(t, "% Error: Unrecognized command.\r\n");
	talk_closed(t);
	assert_int_equal(s.failed, 1);
	assert_string_equal(s.reason, "not a POSIX shell: % Error: Unrecognized command.");
	talk_free(t);
	seen_done(&s);
}

static void an_unknown_system_is_named_and_left_alone(void **state)
{
	struct seen s = { 0 };
	struct talk *t = talk_with(&s);
	struct span send;

	(void)state;
	talk_sent(t, talk_to_send(t).n);
	say(t, "\n@" NONCE " begin identify - -\nuname: FreeBSD fb1 14.0\nuid: 0\n\n@" NONCE " end 0\n");
	assert_int_equal(s.identified, 1);
	assert_null(s.platform);
	send = talk_to_send(t);
	assert_true(span_is(send, "exit\n"));
	assert_false(talk_ask(t, CADENCE_LIVE));
	talk_free(t);
	seen_done(&s);
}

/* A platform of our own, to try the collector's common part in real shells. */
static const struct probe trial_probes[] = {
	{ .id = "names", .cadence = CADENCE_LIVE, .command = "",
	  .script = "for n in eth0 enp1s0f0np0 bond0.100 veth@2 -a '$(reboot)' 'a;b' 'a b' '' . .. a/b eth0123456789012 '*'\n"
		    "do\n"
		    "ok \"$n\" && echo \"$n\"; done; :" },
	{ .id = "no-newline", .cadence = CADENCE_LIVE, .command = "printf abc" },
	{ .id = "reads-input", .cadence = CADENCE_LIVE, .command = "cat; read -r x; :" },
	{ .id = "no-tool", .cadence = CADENCE_LIVE, .command = "run no-such-tool-at-all -x" },
	{ .id = "both-outputs", .cadence = CADENCE_LIVE, .command = "echo out; echo err >&2; return 3" },
	{ .id = "port", .cadence = CADENCE_LIVE, .command = "echo \"$port\"", .per_port = true, .ports_of = "is_lo" },
};
static const struct platform trial = {
	.id = "trial", .probes = trial_probes, .n_probes = sizeof(trial_probes) / sizeof(*trial_probes),
	.prelude = "is_lo() { [ \"$port\" = lo ]; }\n",
};

/* Everything the shell prints until a line "… round live" stands at its end. */
static bool read_round(struct shell *sh, struct buf *out, const char *until)
{
	char bytes[4096];

	while (!out->text || !strstr(out->text, until)) {
		struct pollfd fd = { .fd = sh->out, .events = POLLIN };
		ssize_t n;

		if (poll(&fd, 1, PATIENCE_MS) <= 0 || (n = read(sh->out, bytes, sizeof(bytes))) <= 0)
			return false;
		buf_add(out, bytes, (size_t)n);
	}
	return true;
}

static void try_shell(const char *path)
{
	struct buf program = { 0 }, out = { 0 };
	struct shell sh = shell_open(path);
	int status;

	collector_program(&trial, NONCE, &program);
	assert_int_equal(write(sh.in, program.text, program.n), program.n);
	assert_true(read_round(&sh, &out, "@" NONCE " hello\n"));
	for (int round = 0; round < 2; round++) {
		buf_clear(&out);
		assert_int_equal(write(sh.in, "live\n", 5), 5);
		assert_true(read_round(&sh, &out, "@" NONCE " round live\n"));
		assert_non_null(strstr(out.text, "\neth0\nenp1s0f0np0\nbond0.100\nveth@2\n\n@" NONCE " end 0\n"));
		assert_non_null(strstr(out.text, "\nabc\n@" NONCE " end 0\n"));
		assert_non_null(strstr(out.text, "no-such-tool-at-all: not found\n\n@" NONCE " end 127\n"));
		assert_non_null(strstr(out.text, "\nout\nerr\n\n@" NONCE " end 3\n"));
		assert_non_null(strstr(out.text, " begin port lo "));
	}
	close(sh.out);			/* nobody listens any more: the next write ends it, though its input stays open */
	assert_int_equal(write(sh.in, "live\n", 5), 5);
	assert_int_equal(waitpid(sh.pid, &status, 0), sh.pid);
	close(sh.in);
	buf_done(&program);
	buf_done(&out);
}

static void the_collector_works_in_each_shell_that_is_here(void **state)
{
	static const char *const shells[] = { "/bin/sh", "/bin/dash", "/bin/bash", "/bin/mksh", "/usr/bin/yash" };
	unsigned tried = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++)
		if (access(shells[i], X_OK) == 0) {
			try_shell(shells[i]);
			tried++;
		}
	assert_true(tried > 0);
}

/* A host with two RDMA ports, one of them in a bond, and with interfaces whose names are traps. */
static const struct {
	const char *path, *text;	/* text NULL: a folder */
} rdma_host[] = {
	{ "net/eth2/device/infiniband/mlx5_2",	NULL },
	{ "net/eth2/device/uevent",		"DRIVER=mlx5_core\n" },
	{ "net/eth2/mtu",			"9000\n" },
	{ "net/eth2/address",			"0c:42:a1:00:00:02\n" },
	{ "net/eth2/carrier",			"1\n" },
	{ "net/eth2/ecn/roce_np/enable/3",	"1\n" },
	{ "net/eth2/ecn/roce_rp/enable/3",	"0\n" },
	{ "net/eth2/ecn/roce_np/cnp_dscp",	"48\n" },
	{ "net/eth3/device/infiniband/mlx5_3",	NULL },
	{ "net/eth3/bonding_slave/perm_hwaddr",	"0c:42:a1:00:00:03\n" },
	{ "net/eth3/address",			"0c:42:a1:00:00:09\n" },
	{ "net/eth3/operstate",			"down\n" },
	{ "net/bond0/bonding/slaves",		"eth3\n" },
	{ "net/eth2v0/device/physfn",		NULL },
	{ "net/eth0/device/uevent",		"DRIVER=igb\n" },
	{ "net/eth0/statistics/rx_bytes",	"1234\n" },
	{ "net/$(touch pwned)/device",		NULL },
	{ "net/a;touch pwned/device",		NULL },
	{ "net/-S/device",			NULL },
	{ "infiniband/mlx5_2/device/net/eth2",	NULL },
	{ "infiniband/mlx5_2/ports/1/state",	"4: ACTIVE\n" },
	{ "infiniband/mlx5_2/ports/1/gid_attrs/types/0", "IB/RoCE v1\n" },
	{ "infiniband/mlx5_2/ports/1/gid_attrs/types/3", "RoCE v2\n" },
	{ "infiniband/mlx5_2/ports/1/gids/0",	"0000:0000:0000:0000:0000:0000:0000:0000\n" },
	{ "infiniband/mlx5_2/ports/1/gids/3",	"0000:0000:0000:0000:0000:ffff:0a00:0002\n" },
	{ "infiniband/mlx5_2/ports/1/hw_counters/np_cnp_sent", "5\n" },
	{ "infiniband/mlx5_2/tc/1/traffic_class", "Global tclass=106\n" },
	{ "infiniband/mlx5_3/device/net/eth3",	NULL },
	{ "infiniband/mlx5_3/ports/1/gid_attrs/ndevs/0", "bond0\n" },
	{ "infiniband/mlx5_3/ports/1/state",	"1: DOWN\n" },
	{ "infiniband/mlx5_3/tc/1/traffic_class", "" },
};

static void make_file(const char *root, const char *path, const char *text)
{
	char name[512];
	FILE *f;

	snprintf(name, sizeof(name), "%s/sys/class/%s", root, path);
	for (char *slash = name + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(name, 0755);
		*slash = '/';
	}
	if (!text) {
		assert_int_equal(mkdir(name, 0755), 0);
		return;
	}
	assert_non_null(f = fopen(name, "w"));
	fputs(text, f);
	fclose(f);
}

static void replace(struct buf *text, const char *what, const char *with)
{
	struct buf out = { 0 };
	const char *at = text->text, *hit;

	for (; (hit = strstr(at, what)); at = hit + strlen(what)) {
		buf_add(&out, at, (size_t)(hit - at));
		buf_str(&out, with);
	}
	buf_str(&out, at);
	buf_done(text);
	*text = out;
}

/* What a shell prints to a round of the Linux collector, with /sys/class standing in root. */
static void rounds_of(const char *root, struct buf *out)
{
	struct buf program = { 0 };
	struct shell sh = shell_open("/bin/sh");
	char here[512];
	int status;

	snprintf(here, sizeof(here), "%s/sys/class/", root);
	collector_program(&linux_platform, NONCE, &program);
	replace(&program, "/sys/class/", here);
	assert_int_equal(write(sh.in, program.text, program.n), program.n);
	assert_true(read_round(&sh, out, "@" NONCE " hello\n"));
	assert_int_equal(write(sh.in, "config\n", 7), 7);
	assert_true(read_round(&sh, out, "@" NONCE " round config\n"));
	assert_int_equal(write(sh.in, "live\n", 5), 5);
	assert_true(read_round(&sh, out, "@" NONCE " round live\n"));
	close(sh.in);
	assert_int_equal(waitpid(sh.pid, &status, 0), sh.pid);
	close(sh.out);
	buf_done(&program);
	replace(out, here, "/sys/class/");
}

static const char *const rdma_host_facts[] = {
	"here eth2 role = pf\n", "here eth3 role = member\n", "here eth2v0 role = vf\n", "here bond0 role = bond\n",
	"here eth3 bond = \"bond0\"\n", "here eth3 mac = \"0c:42:a1:00:00:03\"\n", "here eth2 mtu = 9000\n",
	"here eth2 rdma = \"mlx5_2\"\n", "here bond0 rdma = \"mlx5_3\"\n", "here bond0 rdma.state = down\n",
	"here eth2 gid.index = 3\n", "here eth2 ecn.np[3] = yes\n", "here eth2 ecn.rp[3] = no\n", "here eth2 cnp.dscp = 48\n",
	"here eth3 ecn.np[3] = unknown \"the driver does not expose DCQCN settings\"\n", "here eth2 tos.force = 106\n",
	"here eth2 tos.cma = unknown ", "here eth2 up = yes\n", "here eth3 up = no\n", "here eth2 cnp.sent = 5\n",
	"here eth0 rx.total = 1234\n",
};

static void a_host_of_traps_is_read_and_none_springs(void **state)
{
	char root[] = "/tmp/fabcon-sys-XXXXXX", remove[64];
	struct buf out = { 0 };
	struct seen s = { 0 };
	struct talk *t = talk_with(&s);
	const char *live;

	(void)state;
	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < sizeof(rdma_host) / sizeof(*rdma_host); i++)
		make_file(root, rdma_host[i].path, rdma_host[i].text);
	rounds_of(root, &out);
	snprintf(remove, sizeof(remove), "rm -rf %s", root);
	assert_int_equal(system(remove), 0);
	assert_int_not_equal(access("pwned", F_OK), 0);

	say(t, identification);
	assert_true(talk_ask(t, CADENCE_CONFIG));
	live = strstr(out.text, " round config\n") + strlen(" round config\n");
	talk_feed(t, (struct span){ out.text, (size_t)(live - out.text) });
	assert_true(talk_ask(t, CADENCE_LIVE));
	say(t, live);
	assert_int_equal(s.rounds, 2);
	for (size_t i = 0; i < sizeof(rdma_host_facts) / sizeof(*rdma_host_facts); i++)
		if (!has(&s.facts, rdma_host_facts[i]))
			fail_msg("it does not say %s but:\n%s", rdma_host_facts[i], s.facts.text);
	assert_false(has(&s.facts, "here bond0 tos.force"));	/* empty: none is forced */
	assert_false(has(&s.answers, "eth2v0"));		/* no port of its own to ask */
	assert_false(has(&s.answers, "ethtool-S eth0"));	/* without RDMA, beside ports with */
	assert_false(has(&s.answers, "touch"));
	buf_done(&out);
	talk_free(t);
	seen_done(&s);
}

/* A shell says 128 and the signal's number of a program that was killed, and 124 is what timeout(1) says. */
static void who_was_killed_or_late_has_not_answered_whole(void **state)
{
	static const struct {
		int status;
		bool is_cut;
	} ends[] = {
		{ 0, false }, { 1, false }, { 124, true }, { 125, true }, { 127, false }, { 128, false }, { 137, true }, { 143, true },
		{ 255, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (status_is_cut(ends[i].status) != ends[i].is_cut)
			fail_msg("status %d", ends[i].status);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_real_shell_is_identified_and_answers_its_rounds),
		cmocka_unit_test(noise_and_an_echo_of_the_program_are_no_frames),
		cmocka_unit_test(frames_are_cut_the_same_however_the_bytes_come),
		cmocka_unit_test(an_endless_reply_is_cut_and_partial),
		cmocka_unit_test(a_question_out_of_time_is_given_as_partial_and_the_round_goes_on),
		cmocka_unit_test(a_slow_identification_is_waited_for_once_more),
		cmocka_unit_test(a_hello_is_waited_for_once_more),
		cmocka_unit_test(a_shell_that_stays_silent_has_failed),
		cmocka_unit_test(a_lost_connection_gives_what_came_as_partial),
		cmocka_unit_test(what_is_no_shell_is_told_by_what_it_printed),
		cmocka_unit_test(an_unknown_system_is_named_and_left_alone),
		cmocka_unit_test(the_collector_works_in_each_shell_that_is_here),
		cmocka_unit_test(a_host_of_traps_is_read_and_none_springs),
		cmocka_unit_test(who_was_killed_or_late_has_not_answered_whole),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
