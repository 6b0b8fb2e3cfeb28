/*
 * S3: random texts of what acts on terminals, said by devices, through every way out of the program on a real terminal:
 * each byte that it sends there is one that curses may send, or shows. HOSTILE_STRINGS=1000000 (else 2000).
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "db/record/recorder.h"
#include "tests/lib/hostile.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"

#define AT_US		(INT64_C(1790000000) * SECOND)
#define DEVICES		8
#define PORTS		250
#define TEXT_MAX	48

static const enum field port_texts[] = { FIELD_ALIAS, FIELD_PEER_NAME, FIELD_PEER_PORT, FIELD_PEER_MAC, FIELD_PEER_CHASSIS, FIELD_MAC,
					 FIELD_DRIVER, FIELD_FIRMWARE, FIELD_FEC, FIELD_RDMA };
#define TEXTS		(sizeof(port_texts) / sizeof(*port_texts))

static char dir[] = "/tmp/fabcon-pty.XXXXXX";
static char recording[64];
static unsigned seed;

/* A piece of a known attack, control characters of both sets, or any byte. */
static const char *draw_text(void)
{
	static char text[TEXT_MAX + 1];
	size_t n = 0, want = (size_t)rand_r(&seed) % TEXT_MAX + 1;

	while (n < want) {
		unsigned way = (unsigned)rand_r(&seed) % 5;
		const char *whole = hostile_texts[(size_t)rand_r(&seed) % hostile_count];
		size_t length = strlen(whole), from = (size_t)rand_r(&seed) % length, take = 1 + (size_t)rand_r(&seed) % 12;

		if (way < 2)
			for (; take && n < want && from < length; take--)
				text[n++] = whole[from++];
		else if (way == 2)
			text[n++] = (char)(1 + rand_r(&seed) % 31);
		else if (way == 3)
			text[n++] = (char)(0x80 + rand_r(&seed) % 128);
		else
			text[n++] = (char)(1 + rand_r(&seed) % 255);
	}
	text[n] = '\0';
	return text;
}

/* Every text of it is drawn; returns how many. */
static unsigned record(void)
{
	struct model *m = model_new();
	struct recorder_options options = { .fabric = "x", .policy = "roce-lossless", .model = m };
	struct err err = { "" };
	struct recorder *r;
	unsigned n = 0;

	unlink(recording);
	r = recorder_open(recording, &options, &err);
	if (!r)
		fail_msg("%s", err.text);
	for (unsigned d = 0; d < DEVICES; d++) {
		char device[16], name[16];
		struct obs o;

		snprintf(device, sizeof(device), "node%u", d);
		obs_init(&o, device, "test");
		o.at_us = AT_US;
		o.period_us = SECOND;
		o.rank = 10;
		obs_text(&o, OBS_DEVICE, FIELD_HOSTNAME, span_of(draw_text()));
		obs_text(&o, OBS_DEVICE, FIELD_ERROR, span_of(draw_text()));
		for (unsigned p = 0; p < PORTS; p++) {
			uint16_t port;

			snprintf(name, sizeof(name), "eth%u", p);
			port = obs_port(&o, span_of(name));
			obs_bool(&o, port, FIELD_UP, 0, true);
			for (size_t i = 0; i < TEXTS; i++, n++)
				obs_text(&o, port, port_texts[i], span_of(draw_text()));
		}
		model_apply(m, &o);
		model_set_now(m, AT_US);
		recorder_take(r, &o);
		recorder_note(r, AT_US, "note", draw_text());
		obs_done(&o);
	}
	recorder_close(r);
	model_free(m);
	return n;
}

static unsigned judge(const char *who, const struct tty *t)
{
	const char *wrong = hostile_in_terminal(buf_span(tty_bytes(t)));

	if (wrong)
		printf("%s: %s\n", who, wrong);
	return wrong != NULL;
}

static const char *const ways[][4] = {
	{ "status" }, { "ports" }, { "findings" }, { "map" }, { "check" }, { "show", "node0" }, { "show", "node1:eth1" }, { "report" },
	{ "events" }, { "-o", "csv", "ports" }, { "-o", "json", "status" }, { "-o", "jsonl", "ports" }, { "-o", "csv", "findings" },
};
#define WAYS	(sizeof(ways) / sizeof(*ways))

static unsigned print_all_ways(void)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < WAYS; i++) {
		const char *argv[8] = { "fabcon", "replay", recording, ways[i][0], ways[i][1], ways[i][2], ways[i][3], NULL };
		struct tty *t = tty_open(argv, 40, 200);

		assert_true(tty_end(t, 60) < 128);
		wrong += judge(ways[i][0], t);
		tty_close(t);
	}
	return wrong;
}

/* Every screen of the console, and what opens on each. */
static unsigned draw_all_screens(void)
{
	struct tty *t = TTY(40, 160, "fabcon", "--fresh", "replay", recording);
	unsigned wrong;

	if (!tty_shows(t, "[Overview]", 60))
		fail_msg("the console does not come:\n%s", tty_screen(t));
	for (const char *go = "123456789v"; *go; go++) {
		tty_type(t, (char[]){ *go, 'x', '\0' });
		if (!tty_settle(t, 30))
			fail_msg("screen %c does not answer:\n%s", *go, tty_screen(t));
		tty_type(t, "?q");
	}
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, 30), 0);
	wrong = judge("the console", t);
	tty_close(t);
	return wrong;
}

static void what_devices_say_is_harmless_on_a_terminal(void **state)
{
	unsigned wanted = getenv("HOSTILE_STRINGS") ? (unsigned)atoi(getenv("HOSTILE_STRINGS")) : 2000, strings = 0, wrong = 0;

	(void)state;
	for (seed = 20261121; strings < wanted;) {
		strings += record();
		wrong += print_all_ways() + draw_all_screens();
	}
	printf("%u hostile strings through a terminal, by each of %zu programs and screens, %u bytes outside the allowlist\n", strings,
	       WAYS + 10, wrong);
	assert_int_equal(wrong, 0);
}

static int begin(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(recording, sizeof(recording), "%s/r.db", dir);
	setenv("XDG_CONFIG_HOME", "/dev/null", 1);
	setenv("XDG_STATE_HOME", dir, 1);
	setenv("XDG_DATA_HOME", dir, 1);
	return 0;
}

static int end(void **state)
{
	char *command = xasprintf("rm -rf '%s'", dir);
	int status = system(command);

	(void)state;
	free(command);
	return status;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_devices_say_is_harmless_on_a_terminal),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
