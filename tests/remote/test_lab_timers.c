/* What the fabric's devices do when nobody looks: timers, processes that left their session, and restarts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/fix/plan.h"
#include "remote/fixer/device_undo.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/text.h"

#define PATIENCE_S	30
#define ALICE		"alice@console1 pid 4711"

static struct lab lab;

#define tell(device, script)	lab_tell(&lab, (device), (script))

static void wait_until(const char *device, const char *script, const char *wanted)
{
	time_t give_up = time(NULL) + PATIENCE_S;
	const char *text;

	while (!strstr(text = tell(device, script), wanted))
		if (time(NULL) > give_up)
			fail_msg("never said \"%s\", but: %s", wanted, text);
}

/* -- a plan -- */

static struct fix_plan plan_of(const char *platform, const char *const *undo)
{
	struct fix_plan p;
	struct fix_step *s;

	fix_plan_init(&p);
	p.id = "P-20261121-4f2a";
	s = GROW(p.steps, p.n_steps, p.cap_steps);
	p.n_steps++;
	s->device = "node1";
	s->platform = platform;
	for (; *undo; undo++) {
		const char **line = GROW(s->undo.list, s->undo.n, s->undo.cap);

		*line = *undo;
		s->undo.n++;
	}
	return p;
}
#define PLAN(platform, ...) plan_of(platform, (const char *const[]){ __VA_ARGS__, NULL })

static struct device_undo_report armed(const char *device, const struct fix_plan *p, unsigned undo_s)
{
	struct buf script = { NULL };
	struct device_undo_report r;

	device_undo_set(p, 0, BY(ALICE), undo_s, &script);
	buf_printf(&script, "\nln -s yes /run/fabcon/%s.1/begun 2>/dev/null\n", p->id);	/* as if its first line had begun */
	device_undo_read(span_of(tell(device, script.text)), &r);
	buf_done(&script);
	assert_true(r.is_understood);
	return r;
}

static struct device_undo_report looked(const char *device, const struct fix_plan *p)
{
	struct buf script = { NULL };
	struct device_undo_report r;

	device_undo_look(p, 0, BY(ALICE), &script);
	device_undo_read(span_of(tell(device, script.text)), &r);
	buf_done(&script);
	return r;
}

static struct device_undo_report kept(const char *device, const struct fix_plan *p)
{
	struct buf script = { NULL };
	struct device_undo_report r;

	device_undo_keep(p, 0, BY(ALICE), &script);
	device_undo_read(span_of(tell(device, script.text)), &r);
	buf_done(&script);
	return r;
}

static void wait_undone(const char *device, const struct fix_plan *p)
{
	time_t give_up = time(NULL) + PATIENCE_S;

	while (!looked(device, p).is_undone)
		assert_true(time(NULL) < give_up);
}

/* -- stories -- */

static void a_unit_fires_when_every_session_is_gone(void **state)
{
	const char *text;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2"));
	text = tell("node1", "systemd-run --on-active=1 --unit=once /bin/sh -c 'cat /etc/hostname >/run/who; mlnx_qos -i eth2 "
			     "--trust pcp'; systemctl is-active once.timer; systemctl list-timers --all");
	assert_says(text, "Running timer as unit: once.timer\n");
	assert_says(text, "active\n");
	assert_says(text, "once.timer once.service");
	wait_until("node1", "cat /run/who 2>&1", "node1\n");
	wait_until("node1", "mlnx_qos -i eth2", "trust state: pcp");
	wait_until("node1", "systemctl is-active once.timer", "inactive\n");
	assert_says(tell("node2", "cat /run/who 2>&1"), "No such file");
	lab_stop(&lab);
}

static void a_stopped_unit_does_not_fire(void **state)
{
	(void)state;
	assert_true(LAB(&lab, "--nodes", "2"));
	assert_says(tell("node1", "systemd-run --on-active=2 --unit=never touch /run/never; systemctl stop never.timer; "
				  "systemctl is-active never.timer"), "inactive\n");
	assert_says(tell("node1", "systemd-run --on-active=3 --unit=after touch /run/after; systemctl is-active after.timer"), "active\n");
	wait_until("node1", "ls /run/after 2>&1", "/run/after\n");
	assert_says(tell("node1", "ls /run/never 2>&1"), "No such file");
	lab_stop(&lab);
}

static void what_left_its_session_lives_on_until_the_lab_ends(void **state)
{
	char left[96], text[256];
	long pid;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "1"));
	pid = atol(tell("node1", "pid=$(setsid /bin/sh -c 'echo $$; exec >/dev/null; while :; do sleep 1; date >/run/alive; done' "
				 "</dev/null 2>/dev/null &); echo $pid"));
	assert_true(pid > 1);
	wait_until("node1", "ls /run/alive 2>&1", "/run/alive\n");
	lab_stop(&lab);
	snprintf(left, sizeof(left), "/proc/%ld/cmdline", pid);
	for (time_t give_up = time(NULL) + PATIENCE_S; access(left, F_OK) == 0; usleep(20000)) {
		FILE *file = fopen(left, "r");
		size_t n = file ? fread(text, 1, sizeof(text), file) : 0;

		if (file)
			fclose(file);
		if (!n)
			break;	/* nobody takes leave of it here, but it has ended */
		assert_true(time(NULL) < give_up);
	}
}

static void systems_of_linux_are_armed_by_systemd(void **state)
{
	static const char *const devices[] = { "node1", "leaf1" };

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--switch-os", "sonic"));
	for (size_t i = 0; i < 2; i++) {
		struct fix_plan p = PLAN("linux", "touch /run/undone-1");
		struct device_undo_report r = armed(devices[i], &p, 600);

		assert_string_equal(r.error, "");
		assert_int_equal(r.timer, UNDO_BY_SYSTEMD);
		assert_true(r.is_ours && r.left_s > 590);
		assert_says(tell(devices[i], "systemctl list-timers --all"), "fabcon-P-20261121-4f2a-1-r1.timer");
		r = kept(devices[i], &p);
		assert_true(r.is_kept && !r.is_locked && r.timer == UNDO_BY_NOTHING);
		assert_says(tell(devices[i], "systemctl list-timers --all"), "0 timers listed");
		r = armed(devices[i], &p, 2);
		assert_int_equal(r.timer, UNDO_BY_SYSTEMD);
		wait_undone(devices[i], &p);
		assert_says(tell(devices[i], "ls /run/undone-1 2>&1"), "/run/undone-1\n");
		fix_plan_done(&p);
	}
	lab_stop(&lab);
}

static void set_trap(const char *text)
{
	struct run r = LAB_CTL(&lab, "trap", text);

	assert_int_equal(r.code, 0);
	run_done(&r);
}

static void what_a_host_lacks_for_arming_is_said_or_made_up_for(void **state)
{
	struct fix_plan p = PLAN("linux", "touch /run/undone-1");
	struct device_undo_report r;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2"));
	set_trap("no-timer@node1");
	r = armed("node1", &p, 600);
	assert_string_equal(r.error, "no timer could be started: neither systemd-run nor setsid and sleep gave one");
	assert_false(r.is_locked || r.timer);
	set_trap("no-sudo@node1");
	r = armed("node1", &p, 600);
	assert_string_equal(r.error, "this login is not root, and sudo without a password does not allow: /bin/sh -s fabcon");
	set_trap("no-systemd@node1");
	r = armed("node1", &p, 600);
	assert_string_equal(r.error, "");
	assert_int_equal(r.timer, UNDO_BY_SHELL);
	assert_true(kept("node1", &p).is_kept);
	r = armed("node1", &p, 1);
	assert_int_equal(r.timer, UNDO_BY_SHELL);
	wait_undone("node1", &p);
	lab_stop(&lab);
	fix_plan_done(&p);
}

static void after_a_restart_nothing_is_armed_or_locked(void **state)
{
	struct fix_plan p = PLAN("linux", "true");
	struct device_undo_report r;
	struct run run;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2"));
	assert_true(armed("node1", &p, 600).is_ours);
	run = LAB_CTL(&lab, "reboot", "node1", "50");
	run_done(&run);
	wait_until("node1", "echo here", "here\n");
	r = looked("node1", &p);
	assert_true(r.is_understood);
	assert_false(r.is_locked || r.timer || r.is_kept || r.is_undone || r.is_undoing);
	r = kept("node1", &p);
	assert_string_equal(r.error, "nothing is armed here: it never was, or the device has restarted since");
	assert_false(r.is_kept);
	lab_stop(&lab);
	fix_plan_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_unit_fires_when_every_session_is_gone),
		cmocka_unit_test(a_stopped_unit_does_not_fire),
		cmocka_unit_test(what_left_its_session_lives_on_until_the_lab_ends),
		cmocka_unit_test(systems_of_linux_are_armed_by_systemd),
		cmocka_unit_test(what_a_host_lacks_for_arming_is_said_or_made_up_for),
		cmocka_unit_test(after_a_restart_nothing_is_armed_or_locked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
