/*
 * The same batch of commands on the same sshd by ours and by what people use: pdsh, clush, ansible, and ssh over open
 * connections. First contact, then polls of connections that are open. Wall time, and CPU of the tool with its children.
 */
#include <math.h>
#include <stdarg.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/bench/bench.h"
#include "tests/bench/clients.h"
#include "tests/lib/sshd.h"

#define COUNTERS	320
#define POLLS		BENCH_SIZE(7, 2)
#define END		"that was all\n"

struct cost {
	double wall_s, cpu_s;
};

static struct sshd sshd;
static unsigned hosts = BENCH_SIZE(64, 6);
static char batch[128], config[128];

static double children_cpu_s(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* A shell's command line; NAN when it fails. */
static struct cost run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static struct cost run(const char *format, ...)
{
	struct buf command = { 0 };
	double wall_s = bench_wall_s(), cpu_s = children_cpu_s();
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		abort();
	va_end(args);
	buf_printf(&command, "{ %s; } >%s/out 2>%s/errors </dev/null", text, sshd.dir, sshd.dir);
	int status = system(command.text);
	if (status)
		fprintf(stderr, "status %d: %s\n", status, text);
	free(text);
	buf_done(&command);
	if (status)
		return (struct cost){ NAN, NAN };
	return (struct cost){ bench_wall_s() - wall_s, children_cpu_s() - cpu_s };
}

/* -- the far end -- */

static bool write_batch(void)
{
	struct buf text = { 0 };
	char path[160];

	snprintf(path, sizeof(path), "%s/counters", sshd.dir);
	if (mkdir(path, 0755) < 0)
		return false;
	for (int i = 0; i < COUNTERS; i++) {
		snprintf(path, sizeof(path), "counters/hw_counter_of_port_%03d", i);
		sshd_write(&sshd, path, "123456789012\n");
	}
	buf_printf(&text,
		   "cat /proc/loadavg /proc/uptime\ngrep -H . %s/counters/*\ncat /proc/net/dev /proc/meminfo\ncat /proc/stat\n"
		   "cat /proc/net/snmp /proc/net/netstat\ncat /proc/vmstat\n", sshd.dir);
	sshd_write(&sshd, "batch.sh", text.text);
	buf_done(&text);
	snprintf(batch, sizeof(batch), "sh %s/batch.sh", sshd.dir);
	return true;
}

static void write_config(void)
{
	struct buf text = { 0 };

	buf_printf(&text,
		   "Host *\nHostName 127.0.0.1\nPort %u\nIdentityFile %s/id\nIdentitiesOnly yes\nBatchMode yes\nLogLevel ERROR\n"
		   "StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nControlPath %s/master-%%n\n", sshd.port, sshd.dir,
		   sshd.dir);
	sshd_write(&sshd, "ssh_config", text.text);
	buf_str(&text, "KexAlgorithms curve25519-sha256\n");
	sshd_write(&sshd, "ssh_config.curve25519", text.text);
	buf_done(&text);
	snprintf(config, sizeof(config), "%s/ssh_config", sshd.dir);
}

/* -- ours -- */

static struct client_place place_of(const void *ctx, size_t i)
{
	(void)ctx, (void)i;
	return (struct client_place){ "127.0.0.1", sshd.port };
}

static struct cost ask_all(struct clients *c, bool is_first)
{
	char text[200];
	double wall_s = bench_wall_s(), cpu_s = bench_cpu_s();

	snprintf(text, sizeof(text), "%s; echo %s", batch, END);
	if ((is_first && !clients_open(c, hosts, place_of, NULL)) || !clients_ask(c, text, END)) {
		fprintf(stderr, "ours: %s\n", c->why);
		exit(1);
	}
	return (struct cost){ bench_wall_s() - wall_s, bench_cpu_s() - cpu_s };
}

static int compare(const void *a, const void *b)
{
	double x = ((const struct cost *)a)->wall_s, y = ((const struct cost *)b)->wall_s;

	return (x > y) - (x < y);
}

static struct cost median(struct cost *list, size_t n)
{
	qsort(list, n, sizeof(*list), compare);
	return list[n / 2];
}

static struct cost first_contact(struct clients *c)
{
	struct cost cost = ask_all(c, true);

	clients_close(c);
	return cost;
}

static struct cost poll(struct clients *c)
{
	struct cost costs[POLLS];

	for (size_t i = 0; i < POLLS; i++)
		costs[i] = ask_all(c, false);
	return median(costs, POLLS);
}

/* -- theirs -- */

static bool has(const char *tool)
{
	char command[100];

	snprintf(command, sizeof(command), "command -v %s >/dev/null", tool);
	if (!system(command))
		return true;
	return bench_cannot("%s is not installed", tool);
}

static void compare_to(const char *who, struct cost theirs, struct cost ours, double wall_bar, double cpu_bar)
{
	char what[96];

	if (isnan(theirs.wall_s)) {
		snprintf(what, sizeof(what), "%s: it failed", who);
		bench_row(what, 0, "", AT_LEAST, 1);
		return;
	}
	if (wall_bar > 0) {
		snprintf(what, sizeof(what), "%s: wall over ours", who);
		bench_row(what, theirs.wall_s / ours.wall_s, "x", AT_LEAST, wall_bar);
	}
	snprintf(what, sizeof(what), "%s: CPU over ours", who);
	bench_row(what, theirs.cpu_s / ours.cpu_s, "x", cpu_bar > 0 ? AT_LEAST : JUST_SAID, cpu_bar);
}

static struct cost pdsh_with(const char *suffix)
{
	return run("PDSH_SSH_ARGS_APPEND='-F %s%s' pdsh -R ssh -f %u -w 'h[1-%u]' '%s'", config, suffix, hosts, hosts, batch);
}

static struct cost pdsh(void)
{
	return pdsh_with("");
}

static struct cost pdsh_curve25519(void)
{
	return pdsh_with(".curve25519");
}

static struct cost clush(void)
{
	return run("clush -q -f %u -o '-F %s' -w 'h[1-%u]' '%s'", hosts, config, hosts, batch);
}

static struct cost ansible_with(const char *more)
{
	struct buf names = { 0 };

	for (unsigned i = 1; i <= hosts; i++)
		buf_printf(&names, "h%u,", i);
	struct cost cost = run("HOME=%s ANSIBLE_HOME=%s/ansible ANSIBLE_SSH_ARGS='-F %s %s' ansible all -i %s -f 50 -m raw -a '%s'",
			       sshd.dir, sshd.dir, config, more, names.text, batch);
	buf_done(&names);
	return cost;
}

static struct cost ansible_cold(void)
{
	return ansible_with("-o ControlMaster=no");
}

static const struct peer {
	const char *tool, *name;
	struct cost (*run)(void);
	double wall_bar, cpu_bar;	/* 0: none */
} peers[] = {
	{ "pdsh",	"pdsh",			pdsh,			3.5,	45 },
	{ "pdsh",	"pdsh with curve25519",	pdsh_curve25519,	0,	9 },
	{ "clush",	"clush",		clush,			3.8,	0 },
	{ "ansible",	"ansible raw, cold",	ansible_cold,		5,	0 },
};

/* Ours before and after theirs: the machine may be busier at one time than at another. */
static void compare_first_contact(struct clients *c)
{
	struct cost before = first_contact(c), after;

	bench_row("batch, first contact: ours, wall", before.wall_s, "s", JUST_SAID, 0);
	bench_row("batch, first contact: ours, CPU a host", before.cpu_s * 1e3 / hosts, "ms", JUST_SAID, 0);
	for (size_t i = 0; i < sizeof(peers) / sizeof(*peers); i++) {
		const struct peer *p = &peers[i];

		if (!has(p->tool))
			continue;
		struct cost theirs = p->run();
		after = first_contact(c);
		compare_to(p->name, theirs,
			   (struct cost){ (before.wall_s + after.wall_s) / 2, (before.cpu_s + after.cpu_s) / 2 }, p->wall_bar,
			   p->cpu_bar);
		before = after;
	}
}

/* What the batch costs the hosts themselves, in CPU. */
static double own_cpu_s(void)
{
	return run("i=0; while [ $i -lt 16 ]; do %s; i=$((i+1)); done", batch).cpu_s / 16;
}

static void compare_to_masters(struct clients *c)
{
	struct cost masters[3];

	run("seq -f h%%.0f %u | xargs -P 8 -I{} ssh -F %s -fNM {}", hosts, config);
	struct cost before = poll(c);
	for (size_t i = 0; i < 3; i++)
		masters[i] = run("seq -f h%%.0f %u | xargs -P 64 -I{} ssh -F %s {} '%s'", hosts, config, batch);
	struct cost after = poll(c);
	compare_to("open ControlMasters", median(masters, 3),
		   (struct cost){ (before.wall_s + after.wall_s) / 2, (before.cpu_s + after.cpu_s) / 2 }, 1.6, 25);
	run("seq -f h%%.0f %u | xargs -P 8 -I{} ssh -F %s -O exit {}", hosts, config);
}

static void compare_to_warm_ansible(struct cost ours)
{
	char persist[200];

	if (!has("ansible"))
		return;
	snprintf(persist, sizeof(persist), "-o ControlMaster=auto -o ControlPersist=60 -o ControlPath=%s/warm-%%n", sshd.dir);
	ansible_with(persist);
	compare_to("ansible raw, warm", ansible_with(persist), ours, 0, 200);
	run("seq -f h%%.0f %u | xargs -P 8 -I{} ssh -F %s -o ControlPath=%s/warm-%%n -O exit {}", hosts, config, sshd.dir);
}

static void compare_polls(struct clients *c)
{
	double own_s;

	ask_all(c, true);
	own_s = own_cpu_s();
	bench_row("bytes a host", (double)c->list[0].in.n / 1024, "KB", JUST_SAID, 0);
	struct cost ours = poll(c);
	bench_row("poll of open connections: ours, wall", ours.wall_s, "s", JUST_SAID, 0);
	bench_row("poll of open connections: ours, CPU a host", ours.cpu_s * 1e3 / hosts, "ms", JUST_SAID, 0);
	bench_row("poll: wall over the hosts' own CPU on all cores",
		  ours.wall_s / (own_s * hosts / (double)sysconf(_SC_NPROCESSORS_ONLN)), "x", AT_MOST, 1.2);
	compare_to_masters(c);
	compare_to_warm_ansible(ours);
}

int main(void)
{
	const char *said = getenv("FABCON_BENCH_HOSTS");
	const char *user = getenv("USER") ? getenv("USER") : "root";
	struct clients c;

	signal(SIGPIPE, SIG_IGN);
	if (said && atoi(said) > 0)
		hosts = (unsigned)atoi(said);
	if (!sshd_start(&sshd, "MaxStartups 2000:30:4000\nUseDNS no\n")) {
		bench_cannot("there is no sshd on this machine");
		return bench_end();
	}
	if (!write_batch() || !clients_init(&c, sshd_path(&sshd, "id"), user))
		return bench_cannot("its files cannot be written"), 1;
	write_config();
	bench_row("hosts, one sshd", hosts, "", JUST_SAID, 0);
	compare_first_contact(&c);
	compare_polls(&c);
	clients_done(&c);
	sshd_stop(&sshd);
	return bench_end();
}
