/* Stories on the simulated fabric over real SSH: OpenSSH's own client against fabcon-lab. */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "remote/lab/fabric_plan.h"
#include "remote/lab/os10/config.h"
#include "remote/lab/systems.h"
#include "remote/lab/world/faults.h"
#include "remote/lab/world/settings.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/text.h"

#define PATIENCE_S	30

static char dir[64];
static pid_t lab;

static const char *program(void)
{
	static char path[4096];
	const char *build = getenv("FABCON_BUILD");

	snprintf(path, sizeof(path), "%s/fabcon-lab", build ? build : ".build/release");
	return path;
}

static void start_lab(char *const *options)
{
	char *args[32] = { (char *)program(), "--dir", dir, "--with-parent", "--for", "300", "--tidy" };
	int ready[2], n = 7;
	char line[64] = "";
	size_t got = 0;

	snprintf(dir, sizeof(dir), "/tmp/fabcon-lab.XXXXXX");
	assert_non_null(mkdtemp(dir));
	while (*options)
		args[n++] = *options++;
	assert_int_equal(pipe(ready), 0);
	lab = fork();
	if (!lab) {
		dup2(ready[1], STDOUT_FILENO);
		close(ready[0]);
		close(ready[1]);
		execv(args[0], args);
		_exit(127);
	}
	close(ready[1]);
	while (got < sizeof(line) - 1 && read(ready[0], line + got, 1) == 1 && line[got] != '\n')
		got++;
	close(ready[0]);
	assert_true(!strncmp(line, "READY ", 6));
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

/* Runs a shell line; its output, NUL-terminated, in a buffer that the next call uses again. *status may be NULL. */
static const char *run(int *status, const char *format, ...) __attribute__((format(printf, 2, 3)));
static const char *run(int *status, const char *format, ...)
{
	static char text[1 << 18];
	char line[8192];
	va_list args;
	FILE *pipe;
	size_t n;
	int done;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	pipe = popen(line, "r");
	assert_non_null(pipe);
	n = fread(text, 1, sizeof(text) - 1, pipe);
	text[n] = '\0';
	done = pclose(pipe);
	if (status)
		*status = WIFEXITED(done) ? WEXITSTATUS(done) : -1;
	return text;
}

#define CTL(...) run(NULL, "%s ctl --dir %s %s 2>&1", program(), dir, __VA_ARGS__)

static void stop_lab(void)
{
	int status;

	CTL("stop");
	assert_int_equal(waitpid(lab, &status, 0), lab);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The TCP port of a device, from the inventory. */
static unsigned port_of(const char *device)
{
	const char *text = run(NULL, "sed -n '/^        %s:$/,/ansible_port/s/.*ansible_port: //p' %s/inventory.yml", device, dir);

	return atoi(text);
}

/* What ssh prints for a command given to that device, whose words the remote shell splits. */
static const char *ssh(int *status, const char *device, const char *command)
{
	return run(status,
		   "timeout 60 ssh -F none -o BatchMode=yes -o UserKnownHostsFile=%s/known_hosts -o IdentitiesOnly=yes "
		   "-o StrictHostKeyChecking=yes -o LogLevel=ERROR -i %s/client_key -p %u root@127.0.0.1 '%s' 2>&1 </dev/null",
		   dir, dir, port_of(device), command);
}

/* The lines typed at a switch's terminal, and everything it showed. */
static const char *type_at(const char *device, const char *lines)
{
	return run(NULL,
		   "printf '%s' | timeout 60 ssh -F none -tt -o BatchMode=yes -o UserKnownHostsFile=%s/known_hosts "
		   "-o IdentitiesOnly=yes -o StrictHostKeyChecking=yes -o LogLevel=QUIET -i %s/client_key -p %u admin@127.0.0.1 2>&1",
		   lines, dir, dir, port_of(device));
}

/* Asks again until the answer says so. */
static void wait_for(const char *(*ask)(void), const char *wanted)
{
	time_t give_up = time(NULL) + PATIENCE_S;

	while (!strstr(ask(), wanted))
		if (time(NULL) > give_up)
			fail_msg("never said \"%s\", but:\n%s", wanted, ask());
}

/* -- hosts -- */

static void a_host_runs_commands_in_a_real_shell(void **state)
{
	int status;

	(void)state;
	start_lab((char *[]){ "--nodes", "2", NULL });
	assert_string_equal(ssh(&status, "node1", "for i in a b; do echo \"$i $(cat /etc/hostname)\"; done | tac; exit 7"),
			    "b node1\na node1\n");
	assert_int_equal(status, 7);
	assert_string_equal(ssh(&status, "node2", "cat /sys/class/infiniband/mlx5_0/device/net/eth2/mtu"), "9000\n");
	ssh(&status, "node1", "cat /sys/class/net/eth9/mtu");
	assert_int_equal(status, 1);
	ssh(&status, "node1", "ethtool -i eth2 >&-; exit $?");	/* a closed output is no signal */
	assert_true(status < 128);
	stop_lab();
}

static void mlnx_qos_shows_and_sets(void **state)
{
	const char *text;
	int status;

	(void)state;
	start_lab((char *[]){ "--nodes", "2", NULL });
	text = ssh(&status, "node1", "mlnx_qos -i eth2");
	assert_int_equal(status, 0);
	assert_says(text, "Priority trust state: dscp\ndscp2prio mapping:\n");
	assert_says(text, "\tprio:3 dscp:26,24,\n");
	assert_says(text, "\tenabled     0   0   0   1   0   0   0   0   \n");
	assert_says(text, "tc: 3 ratelimit: unlimited, tsa: ets, bw: 60%\n\t priority:  3\n");
	assert_says(ssh(&status, "node1", "mlnx_qos -i eth2 --pfc 0,0,0,0,1,0,0,0 && ethtool -S eth2"), "rx_prio4_pause: ");
	assert_silent(ssh(&status, "node1", "ethtool -S eth2"), "rx_prio3_pause: ");
	assert_says(ssh(&status, "node1", "mlnx_qos -i eth2 --pfc 1,1"), "pfc list must have 8 items");
	assert_int_equal(status, 1);
	assert_says(ssh(&status, "node1", "mlnx_qos -i eth2 --ecn"), "mlnx_qos: error: no such option: --ecn");
	assert_int_equal(status, 2);
	assert_says(ssh(&status, "node1", "mlnx_qos -i mlx5_0"), "ETS features are not supported on your system");
	stop_lab();
}

static const char *np_in_state(void)
{
	return CTL("state | grep \"node1 eth2 ecn.np.3\"");
}

static void a_write_to_a_setting_takes_effect(void **state)
{
	int status;

	(void)state;
	start_lab((char *[]){ "--nodes", "2", NULL });
	assert_says(np_in_state(), "yes");
	ssh(&status, "node1", "echo 0 > /sys/class/net/eth2/ecn/roce_np/enable/3; mlnx_qos -i eth2 >/dev/null");
	assert_int_equal(status, 0);
	wait_for(np_in_state, "= no");
	assert_says(ssh(&status, "node1", "echo 104 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class; mlnx_qos -i eth2 "
				  ">/dev/null; cat /sys/class/infiniband/mlx5_0/tc/1/traffic_class"), "Global tclass=104\n");
	stop_lab();
}

static void a_clear_begins_the_counters_anew(void **state)
{
	static const char read[] = "cat /sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_packets";
	int status;

	(void)state;
	start_lab((char *[]){ "--nodes", "2", NULL });
	for (unsigned i = 0; i < 100 && atoll(ssh(&status, "node1", read)) <= 1000; i++)
		;	/* until enough has flowed; each look takes its time */
	assert_true(atoll(ssh(&status, "node1", read)) > 1000);
	CTL("traffic off");
	assert_string_equal(CTL("clear node1 eth9"), "fabcon-lab: clear DEVICE [PORT]\n");
	assert_string_equal(CTL("clear node1 eth2"), "");
	assert_string_equal(ssh(&status, "node1", read), "0\n");
	assert_true(atoll(ssh(&status, "node2", read)) > 1000);
	stop_lab();
}

static const char *remaining_sleepers(void)
{
	return run(NULL, "if grep -lsz 'LAB_SOCKET=%s/' /proc/[0-9]*/environ >/dev/null; then echo some; else echo none; fi", dir);
}

static void nothing_outlives_its_channel(void **state)
{
	(void)state;
	start_lab((char *[]){ "--nodes", "1", NULL });
	run(NULL, "timeout 2 ssh -F none -o BatchMode=yes -o UserKnownHostsFile=%s/known_hosts -o IdentitiesOnly=yes "
		  "-o StrictHostKeyChecking=yes -i %s/client_key -p %u root@127.0.0.1 'timeout 99 sleep 98 & sleep 97' </dev/null",
	    dir, dir, port_of("node1"));
	wait_for(remaining_sleepers, "none");
	stop_lab();
}

/* -- switches -- */

static void os10_takes_configuration_line_by_line(void **state)
{
	const char *text;

	(void)state;
	start_lab((char *[]){ "--nodes", "2", NULL });
	text = type_at("leaf1", "terminal length 0\\rconfigure terminal\\rinterface ethernet 1/1/1\\rno priority-flow-control\\r"
				"qos trust\\rmtu 99999\\rend\\rshow running-configuration interface ethernet 1/1/1\\rexit\\r");
	assert_says(text, "leaf1(conf-if-eth1/1/1)# no priority-flow-control");
	assert_says(text, "% Error: Unrecognized command.");
	assert_says(text, "% Error: Illegal parameter.");
	assert_says(text, "interface ethernet1/1/1\r\n mtu 9216\r\n");
	assert_silent(strstr(text, "interface ethernet1/1/1\r\n"), "priority-flow-control mode on");
	text = type_at("leaf1", "terminal length 0\\rshow startup-configuration\\rexit\\r");
	assert_says(text, "priority-flow-control mode on");
	stop_lab();
}

static void os10_knows_words_that_are_begun_and_shows_its_errors(void **state)
{
	const char *text;

	(void)state;
	start_lab((char *[]){ "--nodes", "2", NULL });
	text = type_at("leaf1", "terminal length 0\\rsh ver\\rshow run int eth 1/1/1\\rsh v\\rconf t\\rint eth 1/1/2\\rshut\\r"
				"do sh interf stat\\rend\\rclear counters interface ethernet 1/1/9\\rclear counters\\rexit\\r");
	assert_says(text, "OS Version: 10.5.6.1");
	assert_says(text, "interface ethernet1/1/1\r\n mtu 9216\r\n");
	assert_says(text, "leaf1# sh v\r\n% Error: Unrecognized command.");
	assert_says(text, "(conf-if-eth1/1/2)# shut\r\n");
	assert_says(text, "Eth 1/1/2                       down");
	assert_says(text, "ethernet 1/1/9\r\n% Error: Illegal parameter.");
	text = type_at("leaf1", "terminal length 0\\rshow foo | grep trust\\rshow version foo | no-more\\r"
				"show running-configuration foo | grep mtu\\rshow version | grep Archi\\rexit\\r");
	assert_says(text, "show foo | grep trust\r\n% Error: Unrecognized command.");
	assert_says(text, "version foo | no-more\r\n% Error: Unrecognized command.");
	assert_says(text, "foo | grep mtu\r\n% Error: Illegal parameter.");
	assert_says(text, "grep Archi\r\nArchitecture: x86_64\r\n");
	stop_lab();
}

static void os10_pages_unless_told_not_to(void **state)
{
	const char *text;

	(void)state;
	start_lab((char *[]){ "--nodes", "2", NULL });
	text = type_at("leaf1", "show running-configuration\\rqexit\\r");
	assert_says(text, "--More--");
	assert_silent(text, "interface ethernet1/1/2");
	text = type_at("leaf1", "show running-configuration | no-more\\rexit\\r");
	assert_silent(text, "--More--");
	assert_says(text, "interface ethernet1/1/2");
	stop_lab();
}

static void os10_logs_into_the_session(void **state)
{
	char lines[512] = "";

	(void)state;
	start_lab((char *[]){ "--nodes", "1", NULL });
	for (unsigned i = 0; i < 45; i++)
		strcat(lines, "\\r");
	strcat(lines, "exit\\r");
	assert_says(type_at("leaf1", lines), "leaf1# <165>1 ");
	stop_lab();
}

static void sonic_shows_and_takes_settings(void **state)
{
	int status;

	(void)state;
	start_lab((char *[]){ "--nodes", "2", "--switch-os", "sonic", NULL });
	assert_says(ssh(&status, "leaf1", "show pfc priority"), "Ethernet0    3\n");
	assert_says(ssh(&status, "leaf1", "sudo config interface pfc priority Ethernet0 4 on"), "Ethernet0    3,4\n");
	assert_says(ssh(&status, "leaf1", "sonic-db-cli CONFIG_DB hget \"PORT_QOS_MAP|Ethernet0\" pfc_enable"), "3,4\n");
	assert_silent(ssh(&status, "leaf1", "cat /etc/sonic/config_db.json"), "\"pfc_enable\": \"3,4\"");
	ssh(&status, "leaf1", "sudo config save -y");
	assert_says(ssh(&status, "leaf1", "cat /etc/sonic/config_db.json"), "\"pfc_enable\": \"3,4\"");
	assert_says(ssh(&status, "leaf1", "config interface pfc priority Ethernet1234 3 on"),
		    "Cannot find interface Ethernet1234");
	stop_lab();
}

/* -- faults -- */

static const char *marks_in_state(void)
{
	return CTL("state | grep -q ecn.marked && echo marked");
}

static void a_fault_is_set_listed_and_cleared(void **state)
{
	const char *text;
	int status;

	(void)state;
	start_lab((char *[]){ "--nodes", "4", "--fault", "trust-pcp@node2:eth2", NULL });
	assert_string_equal(CTL("fault list"), "trust-pcp@node2:eth2\n");
	assert_says(ssh(&status, "node2", "mlnx_qos -i eth2"), "Priority trust state: pcp\n");
	assert_says(CTL("fault add no-such"), "no such fault");
	assert_says(CTL("fault add ecn-off-switch@leaf1:ethernet1/1/9"), "is not a place for it");
	assert_string_equal(CTL("fault add ecn-off-switch"), "");
	text = type_at("leaf1", "terminal length 0\\rshow running-configuration interface ethernet 1/1/1\\rexit\\r");
	assert_silent(text, "rdma-ets");
	assert_string_equal(CTL("fault clear all"), "");
	assert_string_equal(CTL("fault list"), "");
	assert_says(ssh(&status, "node2", "mlnx_qos -i eth2"), "Priority trust state: dscp\n");
	text = type_at("leaf1", "terminal length 0\\rshow running-configuration interface ethernet 1/1/1\\rexit\\r");
	assert_says(text, "rdma-ets");
	CTL("traffic incast");
	wait_for(marks_in_state, "marked");
	stop_lab();
}

static void an_unreachable_host_refuses_and_comes_back(void **state)
{
	int status;

	(void)state;
	start_lab((char *[]){ "--nodes", "2", NULL });
	CTL("fault add host-unreachable@node2");
	assert_says(ssh(&status, "node2", "true"), "Connection refused");
	assert_string_equal(ssh(&status, "node1", "echo here"), "here\n");
	CTL("fault clear host-unreachable");
	assert_string_equal(ssh(&status, "node2", "echo back"), "back\n");
	stop_lab();
}

/* -- offline -- */

static struct fabric *fabric_of(unsigned nodes, const char *os)
{
	struct fabric_plan plan = {
		.nodes = nodes, .rails = 1, .leaves = 1, .switch_os = os, .speed_bps = 100000000000, .seed = 7, .lens = 1,
		.with_bond = false,
	};
	struct err err;
	struct fabric *f = fabric_generate(&plan, &err);

	assert_non_null(f);
	return f;
}

static void the_same_seed_gives_the_same_state(void **state)
{
	struct buf text[2] = { { NULL }, { NULL } };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct fabric *f = fabric_of(4, "mixed");

		fabric_traffic(f, "ring");
		fabric_run(f, 50000);
		fabric_dump(f, &text[i]);
		fabric_free(f);
	}
	assert_string_equal(text[0].text, text[1].text);
	assert_says(text[0].text, "tx.bytes[3]");
	buf_done(&text[0]);
	buf_done(&text[1]);
}

/* Every fault, on every kind of switch: it changes something that can be seen, and clearing it gives that back. */
/* What is configured and what is broken, beside what the simulated ports and the NICs are set to. */
static void state_text(const struct fabric *f, struct buf *out)
{
	for (size_t i = 0; i < f->n_devices; i++) {
		const struct lab_device *d = &f->devices[i];

		buf_printf(out, "%s %d%d%d\n", d->name, d->is_unreachable, d->is_slow, d->is_garbled);
		setup_print(f, d, false, out);
	}
}

static void every_system_fills_its_row(void **state)
{
	bool has_hosts = false;

	(void)state;
	for (const struct lab_system *const *at = lab_systems; *at; at++) {
		const struct lab_system *system = *at;
		const struct lab_settings *settings = system->settings;

		assert_ptr_equal(lab_system_named(span_of(system->name)), system);	/* and no other has its name */
		assert_true(system->kernel && system->port_prefix && system->port_step && system->mac_prefix);
		assert_true(system->neighbor && system->to_sim && system->lie && system->speaker);
		assert_true(system->faults && system->tools && system->files);
		assert_true(settings->take && settings->copy && settings->free && settings->same && settings->put && settings->print);
		assert_true(settings->boot || settings->merge);
		if (system->configure)
			assert_true(system->done && system->is_shut);
		has_hosts = has_hosts || !system->is_switch;
	}
	assert_true(has_hosts);
}

/* A row of a system's that no fault has, or a fault that no system can have, is a name misspelled. */
static void every_fault_is_of_some_system(void **state)
{
	(void)state;
	for (size_t i = 0; i < fault_count; i++) {
		bool is_any = fault_table[i].set || fault_table[i].host;

		for (const struct lab_system *const *system = lab_systems; *system; system++)
			is_any = is_any || system_fault(*system, fault_table[i].name);
		if (!is_any)
			fail_msg("no system has %s", fault_table[i].name);
	}
	for (const struct lab_system *const *system = lab_systems; *system; system++)
		for (const struct lab_fault *own = (*system)->faults; own->name; own++) {
			size_t i = 0;

			while (i < fault_count && strcmp(fault_table[i].name, own->name))
				i++;
			if (i == fault_count || fault_table[i].set || (fault_table[i].host && !(*system)->is_switch))
				fail_msg("%s of %s is in no row of the table, or of any system", own->name, (*system)->name);
		}
}

static void every_fault_can_be_put_right(void **state)
{
	const struct lab_system *switches[16];
	size_t n = 0;

	(void)state;
	for (const struct lab_system *const *system = lab_systems; *system && n < 16; system++)
		if ((*system)->is_switch)
			switches[n++] = *system;
	for (size_t i = 0; i < n * fault_count; i++) {
		struct fabric_plan plan = {
			.nodes = 3, .rails = 2, .leaves = 2, .switch_os = switches[i % n]->name, .speed_bps = 100000000000, .seed = 7,
			.lens = 1, .with_bond = true,
		};
		struct fabric *f = fabric_generate(&plan, NULL);
		struct faults faults = { NULL };
		struct lab_device *d = NULL;
		struct sim_qos before[64], after[64];
		struct host_port nics[64];
		struct lab_harm harms[64];
		struct lab_job job;
		struct buf was = { NULL }, is = { NULL };
		size_t differ = 0;

		if (!fault_has_place(f, &fault_table[i / n])) {
			fabric_free(f);
			continue;
		}
		state_text(f, &was);
		for (size_t k = 0; k < f->n_ports; k++) {
			before[k] = *sim_qos(f->sim, f->ports[k].sim);
			nics[k] = f->ports[k].nic;
			harms[k] = f->ports[k].harm;
		}
		memset(&job, 0, sizeof(job));
		assert_true(fault_add(&faults, f, fault_table[i / n].name, &d, NULL));
		for (size_t k = 0; k < f->n_ports; k++) {
			after[k] = *sim_qos(f->sim, f->ports[k].sim);
			differ += memcmp(&before[k], &after[k], sizeof(after[k])) || memcmp(&nics[k], &f->ports[k].nic, sizeof(nics[k])) ||
				  memcmp(&harms[k], &f->ports[k].harm, sizeof(harms[k])) || f->ports[k].peer != f->ports[k].planned;
		}
		differ += memcmp(&job, &d->job, sizeof(job)) != 0;
		state_text(f, &is);
		if (!differ && strcmp(was.text, is.text) == 0)
			fail_msg("%s changes nothing", fault_table[i / n].name);
		assert_true(fault_clear(&faults, f, "all", NULL));
		for (size_t k = 0; k < f->n_ports; k++) {
			after[k] = *sim_qos(f->sim, f->ports[k].sim);
			if (memcmp(&before[k], &after[k], sizeof(after[k])) || f->ports[k].peer != f->ports[k].planned)
				fail_msg("%s leaves %s %s changed", fault_table[i / n].name, f->devices[f->ports[k].device].name,
					 f->ports[k].name);
		}
		assert_memory_equal(&job, &d->job, sizeof(job));
		buf_done(&was);
		buf_done(&is);
		faults_done(&faults);
		fabric_free(f);
	}
}

static uint64_t paused_us(struct fabric *f)
{
	uint64_t us = 0;

	for (size_t i = 0; i < f->n_ports; i++) {
		struct sim_counters c;

		fabric_counters(f, &f->ports[i], &c);
		us += c.pfc_rx_us[3];
	}
	return us;
}

static void without_marking_incast_is_held_by_pause(void **state)
{
	uint64_t with_ecn, without;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct fabric *f = fabric_of(5, i ? "sonic" : "os10");
		struct faults faults = { NULL };

		fabric_traffic(f, "incast");
		fabric_run(f, 100000);
		with_ecn = paused_us(f);
		fabric_run(f, 100000);
		with_ecn = paused_us(f) - with_ecn;
		for (size_t k = 0; k < f->devices[5].n; k++) {
			char text[64];

			snprintf(text, sizeof(text), "ecn-off-switch@leaf1:%s", f->ports[f->devices[5].first + k].name);
			assert_true(fault_add(&faults, f, text, NULL, NULL));
		}
		fabric_run(f, 100000);
		without = paused_us(f);
		fabric_run(f, 100000);
		without = paused_us(f) - without;
		assert_true(without > 10000 && without > 10 * with_ecn);
		faults_done(&faults);
		fabric_free(f);
	}
}

static void a_healthy_ring_marks_and_does_not_pause(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct fabric_plan plan = {
			.nodes = 4, .rails = 1, .leaves = 1, .switch_os = seed % 2 ? "os10" : "sonic", .speed_bps = 100000000000,
			.seed = seed, .lens = 1,
		};
		struct fabric *f = fabric_generate(&plan, NULL);
		uint64_t cnps = 0, drops = 0;

		fabric_traffic(f, "ring");
		fabric_run(f, 200000);
		for (size_t i = 0; i < f->n_ports; i++) {
			struct sim_counters c;

			fabric_counters(f, &f->ports[i], &c);
			cnps += c.cnp_handled;
			drops += c.rx_drop[3] + c.tx_drop[3] + c.oos;
		}
		assert_true(cnps > 0);
		assert_int_equal(drops, 0);
		/* The shipped limit for a look is a part in a thousand, on any one port. */
		assert_true(paused_us(f) < 200);
		fabric_free(f);
	}
}

static void a_fabric_file_says_what_is_wrong_with_it(void **state)
{
	struct fabric_plan plan = { .seed = 1, .lens = 1 };
	struct err err;
	struct fabric *f;

	(void)state;
	assert_null(fabric_read(SPAN("device a linux\nports 1 100G\nlink a eth2 b eth2\n"), "x", &plan, &err));
	assert_string_equal(err.text, "x:3: b eth2 is not there");
	f = fabric_read(SPAN("# two hosts\ndevice a linux\nports 1 100G\ndevice s os10\nports 1 100G\n"
			     "link a eth2 s ethernet1/1/1\na eth2 pfc.on[3] = no\n"), "x", &plan, &err);
	assert_non_null(f);
	assert_false(sim_qos(f->sim, f->ports[0].sim)->pfc[3]);
	assert_true(sim_qos(f->sim, f->ports[1].sim)->pfc[3]);
	fabric_free(f);
}

static void os10_refuses_what_it_does_not_know(void **state)
{
	struct dell_config *c = dell_config_lossless("leaf1", 2);
	struct buf answer = { NULL };

	(void)state;
	/* The syntax of other systems, as it is often shown for this one. */
	assert_int_equal(dell_config_line(c, 0, "wred ecn-profile rdma-ecn", &answer), DELL_REFUSED);
	assert_says(answer.text, "% Error: Unrecognized command.");
	buf_clear(&answer);
	assert_int_equal(dell_config_line(c, 0, "no policy-map type queuing rdma-ets", &answer), 0);
	assert_says(answer.text, "% Error: ");
	assert_false(!dell_config_is_saved(c));
	buf_done(&answer);
	dell_config_free(c);
}

/* Cables from host to host: two nodes, a ring of four, and a file. */
static void a_lab_without_a_switch_is_a_fabric_too(void **state)
{
	static const char file[] = "# two nodes, one cable\ndevice spark1 linux\nports 1 200G\ndevice spark2 linux rack2\nports 1 200G\n"
				   "link spark1 eth2 spark2 eth2\nspark2 eth2 trust = pcp\n";
	static const struct {
		const char *args[9], *links[2], *check;
		int code;
	} table[] = {
		{ { "--leaves", "0", "--rails", "2" }, { "node1:eth2 - node2:eth2", "node1:eth3 - node2:eth3" }, "no finding", 0 },
		{ { "--leaves", "0", "--nodes", "4", "--rails", "2" }, { "node1:eth2 - node2:eth3", "node1:eth3 - node4:eth2" },
		  "no finding", 0 },
		{ { "--fabric", "FILE" }, { "spark1:eth2 - spark2:eth2", "200G" }, "trust-as-wanted", 1 },
	};
	char path[] = "/tmp/fabcon-fabric.XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_int_equal(write(fd, file, sizeof(file) - 1), sizeof(file) - 1);
	close(fd);
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		const char *args[9] = { NULL };
		struct lab lab;
		struct run r;

		for (size_t k = 0; table[i].args[k]; k++)
			args[k] = strcmp(table[i].args[k], "FILE") ? table[i].args[k] : path;
		assert_true(lab_start(&lab, args));
		r = LAB_FABCON(&lab, "ports");
		for (size_t k = 0; k < 2; k++)
			if (!strstr(r.out.text, table[i].links[k]))
				fail_msg("no %s:\n%s%s", table[i].links[k], r.out.text, r.err.text);
		run_done(&r);
		r = LAB_FABCON(&lab, "check");
		if (r.code != table[i].code || !strstr(r.out.text, table[i].check))
			fail_msg("exit %d\n%s%s", r.code, r.out.text, r.err.text);
		run_done(&r);
		lab_stop(&lab);
	}
	unlink(path);
}

static void ctl_tells_its_own_forms(void **state)
{
	static const char *const words[] = { "fault", "trap", "reboot", "clear", "spoil", "channels", "login", "logout", "do", "writes",
					     "setup", "traffic", "state", "sessions", "busy", "stop" };
	struct run help = RUN("fabcon-lab", "ctl", "--help"), none = RUN("fabcon-lab", "ctl");

	(void)state;
	assert_int_equal(help.code, 0);
	assert_int_equal(none.code, 2);
	assert_string_equal(none.err.text, help.out.text);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		char *form = xasprintf(" %s ", words[i]), *last = xasprintf(" %s\n", words[i]);

		if (!strstr(help.out.text, form) && !strstr(help.out.text, last))
			fail_msg("%s is not told in:\n%s", words[i], help.out.text);
		free(form);
		free(last);
	}
	run_done(&help);
	run_done(&none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ctl_tells_its_own_forms),
		cmocka_unit_test(the_same_seed_gives_the_same_state),
		cmocka_unit_test(every_system_fills_its_row),
		cmocka_unit_test(every_fault_is_of_some_system),
		cmocka_unit_test(every_fault_can_be_put_right),
		cmocka_unit_test(without_marking_incast_is_held_by_pause),
		cmocka_unit_test(a_healthy_ring_marks_and_does_not_pause),
		cmocka_unit_test(a_fabric_file_says_what_is_wrong_with_it),
		cmocka_unit_test(os10_refuses_what_it_does_not_know),
		cmocka_unit_test(a_host_runs_commands_in_a_real_shell),
		cmocka_unit_test(mlnx_qos_shows_and_sets),
		cmocka_unit_test(a_write_to_a_setting_takes_effect),
		cmocka_unit_test(a_clear_begins_the_counters_anew),
		cmocka_unit_test(nothing_outlives_its_channel),
		cmocka_unit_test(os10_takes_configuration_line_by_line),
		cmocka_unit_test(os10_knows_words_that_are_begun_and_shows_its_errors),
		cmocka_unit_test(os10_pages_unless_told_not_to),
		cmocka_unit_test(os10_logs_into_the_session),
		cmocka_unit_test(sonic_shows_and_takes_settings),
		cmocka_unit_test(a_fault_is_set_listed_and_cleared),
		cmocka_unit_test(an_unreachable_host_refuses_and_comes_back),
		cmocka_unit_test(a_lab_without_a_switch_is_a_fabric_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
