/*
 * The table of remedies: each check on each switch system and on hosts of each driver, at a port that was read. Settings are made by the
 * fix engine from what the devices reported, for a policy that differs from theirs in every setting. Each command fits the tables of what
 * the tools and the switches accept, no slot is left open, and a check without a command says who does what. REMEDIES=list prints it.
 */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>

#include "db/replay/replay.h"
#include "remote/fixer/by_hand.h"
#include "remote/platforms.h"
#include "tests/lib/home.h"
#include "tests/lib/lab.h"
#include "tests/lib/typed.h"
#include "tui/session/session.h"

/* Other priorities, DSCPs, sizes and thresholds than any device of the lab has. */
static const char other[] =
	"name other\n* * trust = dscp\n* * dscp.prio[24,26,48] = 0\n* * dscp.prio[34] = 4\n* * dscp.prio[46] = 5\n* * prio.tc[4] = 4\n"
	"* * prio.tc[5] = 5\nswitch * tc.queue[4] = 4\nswitch * tc.queue[5] = 5\nhost * tos.cma = 138\nhost * dcbx = os\n"
	"* * pfc.on[0-3,5-7] = no\n* * pfc.on[4] = yes\n* * pause.rx = no\n* * pause.tx = no\nswitch * pfc.watchdog = yes\n"
	"switch * ecn.on[4] = yes\nswitch * ecn.kmin[4] = 200 KB\nswitch * ecn.kmax[4] = 2000 KB\nswitch * ecn.pmax[4] = 50 %\n"
	"host * ecn.np[3,4] = yes\nhost * ecn.rp[3,4] = yes\nhost * cnp.dscp = 46\nhost * cnp.prio = 5\nhost * ets.share[0] = 45\n"
	"host * ets.share[4] = 55\nhost * ets.algo[1-3,5-7] = strict\nswitch * ets.share[0] = 15\nswitch * ets.share[3] = 55\n"
	"switch * ets.share[4] = 20\nswitch * ets.share[6] = 10\nhost * mtu = 4200\nswitch * mtu = 9214\n"
	"host * cc.rpg_ai_rate = 7\nhost * cc.rpg_hai_rate = 70\nhost * cc.rpg_min_rate = 3\nhost * cc.min_time_between_cnps = 9\n";

/* Some settings that are wrong under any policy, at the second host. */
#define FAULTS "--fault", "trust-pcp@node2", "--fault", "global-pause@node2", "--fault", "np-off@node2", "--fault", "rp-off@node2"

struct table {
	struct session *session;
	struct fix_scene scene;
	const char *hosts, *switches;	/* as the tables of commands call them */
	unsigned rows, commands, manual;
};

/* What is printed is kept until the program ends: the run of all of them is one list. */
static void row(struct table *t, const char *check, const char *system, const char *by, const char *text)
{
	if (getenv("REMEDIES"))
		printf("%-24s %-16s %-8s %s\n", check, system, by, text);
	t->rows++;
}

static const char *system_of(const struct table *t, const char *device)
{
	return strncmp(device, "leaf", 4) ? t->hosts : t->switches;
}

static void check_commands(struct table *t, const char *check, const char *at, const struct by_hand *hand)
{
	for (size_t i = 0; i < hand->n; i++) {
		const struct by_hand_step *s = &hand->list[i];
		struct span rest = span_of(s->commands), line;

		assert_true(*s->who);
		typed_fits(check, system_of(t, s->device), s->commands);
		while (span_line(&rest, &line)) {
			char *text = xasprintf("%s: %.*s", s->device, (int)line.n, line.p);

			row(t, check, at, "command", text);
			t->commands++;
			free(text);
		}
	}
}

static void cite(struct finding *f, const struct port *p)
{
	const struct fix *fix = fix_find(f->check->id);
	struct span rest = span_of(fix ? fix->fields : NULL), name;
	enum field field;

	while (span_word(&rest, &name))
		for (unsigned i = 0; field_find(name, &field) && i < field_table[field].width && f->n_evidence < EVIDENCE_MAX; i++) {
			const struct cell *c = p ? port_cell(p, field, i) : device_cell(f->device, field, i);

			if (c && c->value.is == VALUE_KNOWN)
				f->evidence[f->n_evidence++] = (struct evidence){ f->device, p, field, i, "" };
		}
}

/* As the check would find it there. */
static bool remedy_at(struct table *t, const struct check *check, const struct device *d, const struct port *p, const char *system,
		      struct err *why)
{
	struct finding f = { .check = check, .device = d, .verdict = VERDICT_FAIL, .weight = VERDICT_FAIL, .is_open = true };
	struct by_hand hand = { NULL };
	bool is_made;

	f.port = check->of == OF_DEVICE ? NULL : p;
	cite(&f, f.port);
	is_made = by_hand_make(&t->scene, &f, &hand, why);
	if (is_made)
		check_commands(t, check->id, system, &hand);
	by_hand_done(&hand);
	return is_made;
}

/* At the first of the ports where something is to be changed; the reason of the first where nothing is. */
static void remedy_of(struct table *t, const struct check *check, const char *system, const char *const *ports)
{
	struct err first = { "" }, why = { "" };

	for (; *ports; ports++) {
		char *device = strdup(*ports), *port = strchr(device, ' ');
		const struct port *p;
		bool is_done;

		*port++ = '\0';
		p = model_find_port(t->scene.model, device, port);
		if (!p)
			fail_msg("%s was not read", *ports);
		is_done = remedy_at(t, check, p->device, p, system, &why);
		free(device);
		if (is_done)
			return;
		if (!*first.text)
			first = why;
	}
	assert_true(*first.text);
	assert_false(typed_has_slot(first.text));
	row(t, check->id, system, "manual", first.text);
	t->manual++;
}

static void record(const char *os, const char *skin, const char *file)
{
	struct lab lab;
	struct run r;

	assert_true(skin ? LAB(&lab, "--nodes", "2", "--leaves", "1", "--rails", "1", "--switch-os", os, FAULTS, "--skin", skin) :
			   LAB(&lab, "--nodes", "2", "--leaves", "1", "--rails", "1", "--switch-os", os, FAULTS));
	r = LAB_FABCON(&lab, "record", file, "--for", "12s");
	if (r.code)
		fail_msg("exit %d: %s", r.code, r.err.text);
	run_done(&r);
	lab_stop(&lab);
}

static void write_policy(const char *path)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(other, f);
	assert_int_equal(fclose(f), 0);
}

static void on(const char *os, const char *skin, const char *hosts, unsigned least)
{
	const char *const of_host[] = { "node1 eth2", "node2 eth2", NULL };
	const char *const of_os10[] = { "leaf1 ethernet1/1/1", "leaf1 ethernet1/1/2", NULL };
	const char *const of_sonic[] = { "leaf1 Ethernet0", "leaf1 Ethernet4", NULL };
	struct table t = { .hosts = hosts, .switches = os };
	char *file = xasprintf("%s/%s.db", home, os), *policy = xasprintf("%s/other.policy", home), *host_system;
	struct err err = { "" };

	host_system = xasprintf("linux %s", skin ? strchr(skin, '-') + 1 : "ofed");
	write_policy(policy);
	record(os, skin, file);
	t.session = session_replay(file, policy, &err);
	if (!t.session || !session_seek(t.session, replay_last(session_recording(t.session)), &err))
		fail_msg("%s", err.text);
	t.scene = (struct fix_scene){ session_model(t.session), session_links(t.session), session_policy(t.session),
				      session_inventory(t.session), dialect_can_set };
	for (size_t i = 0; i < check_count; i++) {
		if (check_table[i].side != SIDE_SWITCH)
			remedy_of(&t, &check_table[i], host_system, of_host);
		if (check_table[i].side != SIDE_HOST)
			remedy_of(&t, &check_table[i], os, strcmp(os, "os10") ? of_sonic : of_os10);
	}
	session_free(t.session);
	printf("%s, %s: %zu checks, %u rows: %u commands, %u checks done by people; 0 open slots, 0 wrong\n", os, host_system, check_count,
	       t.rows, t.commands, t.manual);
	assert_true(t.commands >= least);
	free(file);
	free(policy);
	free(host_system);
}

static void on_sonic_and_hosts_with_mlnx_ofed(void **state)
{
	(void)state;
	on("sonic", NULL, "linux/mlx5_core", 100);
}

static void on_os10_and_hosts_with_the_kernels_mlx5(void **state)
{
	(void)state;
	on("os10", "breed-inbox", "linux/mlx5_core", 100);
}

static void on_sonic_and_hosts_with_bnxt(void **state)
{
	(void)state;
	on("sonic", "breed-bnxt", "linux", 50);
}

static void on_os10_and_hosts_with_ice(void **state)
{
	(void)state;
	on("os10", "breed-ice", "linux", 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(on_sonic_and_hosts_with_mlnx_ofed),
		cmocka_unit_test(on_os10_and_hosts_with_the_kernels_mlx5),
		cmocka_unit_test(on_sonic_and_hosts_with_bnxt),
		cmocka_unit_test(on_os10_and_hosts_with_ice),
	};

	return cmocka_run_group_tests(tests, home_open, home_close);
}
