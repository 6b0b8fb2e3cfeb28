/* Devices that begin to print noise, or hardly anything: the console stays quick, and what it believes stays true. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "db/replay/replay.h"
#include "tests/lib/hostile.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"

#define SLOWEST_MS	3000	/* a busy machine; a console that waits for a device takes its time-out, many seconds */

static struct lab lab;
static char recording[64];

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Keys are answered at once, however long devices take; seconds of them. */
static void press_for(struct tty *t, unsigned seconds)
{
	int64_t until_ms = now_ms() + seconds * 1000;

	for (unsigned i = 0; now_ms() < until_ms; i++) {
		int64_t began_ms = now_ms();

		tty_type(t, (const char *[]){ "2", "3", "8", "9", "1" }[i % 5]);
		if (!tty_settle(t, 10) || now_ms() - began_ms > SLOWEST_MS)
			fail_msg("a key took %d ms:\n%s", (int)(now_ms() - began_ms), tty_screen(t));
	}
}

static void inject(const char *fault)
{
	struct run r = LAB_CTL(&lab, "fault", "add", fault);

	if (r.code != 0)
		fail_msg("%s: %s", fault, r.err.text);
	run_done(&r);
}

static void the_console_stays_quick_while_devices_print_noise(void **state)
{
	struct tty *t = TTY(36, 120, "fabcon", "-i", lab.inventory, "--no-input", "--record", recording);
	const char *wrong;

	(void)state;
	if (!tty_shows(t, "dev 4/4", 60))
		fail_msg("not all devices come up:\n%s", tty_screen(t));
	press_for(t, 4);
	inject("garbage-output@node1");
	inject("garbage-output@leaf1");
	inject("slow-host@node2");
	press_for(t, 8);
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, 20), 0);
	wrong = hostile_in_terminal(buf_span(tty_bytes(t)));
	if (wrong)
		fail_msg("%s", wrong);
	tty_close(t);
}

/* A setting of a device that nobody changes, as it was first said. */
struct truth {
	char *what;		/* "node1 eth2 mtu[0]" */
	struct buf value;	/* written */
};

static bool is_setting(enum field f)
{
	return field_table[f].kind < KIND_COUNTER && !(field_table[f].flags & FIELD_SHY);
}

static void learn_or_compare(struct truth **list, size_t *n, size_t *cap, const struct obs *o, const struct obs_fact *f)
{
	char *what = xasprintf("%s %s %s[%u]", o->device, f->port == OBS_DEVICE ? "-" : o->ports[f->port],
			       field_table[f->field].name, f->index);
	struct buf value = { 0 };
	size_t i = 0;

	value_print((enum field)f->field, &f->value, &value);
	while (i < *n && strcmp((*list)[i].what, what) != 0)
		i++;
	if (i < *n && strcmp((*list)[i].value.text, value.text) != 0)
		fail_msg("%s was %s and became %s by %s", what, (*list)[i].value.text, value.text, o->probe);
	if (i < *n) {
		free(what);
		buf_done(&value);
		return;
	}
	*GROW(*list, *n, *cap) = (struct truth){ what, value };
	(*n)++;
}

static void noise_taught_the_console_nothing_wrong(void **state)
{
	struct truth *list = NULL;
	size_t n = 0, cap = 0;
	struct replay *r;
	struct err err;
	struct obs o;

	(void)state;
	r = replay_open(recording, &err);
	if (!r)
		fail_msg("%s", err.text);
	obs_init(&o, NULL, NULL);
	while (replay_next(r, INT64_MAX, &o))
		for (size_t i = 0; o.probe && i < o.n; i++)
			if (o.facts[i].value.is == VALUE_KNOWN && is_setting((enum field)o.facts[i].field))
				learn_or_compare(&list, &n, &cap, &o, &o.facts[i]);
	assert_true(n > 300);
	for (size_t i = 0; i < n; i++) {
		free(list[i].what);
		buf_done(&list[i].value);
	}
	free(list);
	obs_done(&o);
	replay_close(r);
}

static int begin(void **state)
{
	(void)state;
	snprintf(recording, sizeof(recording), "/tmp/fabcon-garbage.%d.db", (int)getpid());
	return LAB(&lab, "--nodes", "2", "--rails", "2", "--leaves", "2", "--switch-os", "mixed") ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	lab_stop(&lab);
	return unlink(recording);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_console_stays_quick_while_devices_print_noise),
		cmocka_unit_test(noise_taught_the_console_nothing_wrong),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
