/* Counters and settings are asked in two conversations over one session, or in one where there can be no second channel. */
#include <stdio.h>
#include <stdlib.h>

#include "core/inventory/inventory.h"
#include "remote/platforms.h"
#include "remote/poll/poller.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/sshd.h"

#define SECOND_US	INT64_C(1000000)
#define PATIENCE_US	(60 * SECOND_US)
#define DEVICES		3

/* What a device has said, and the longest that its counters kept silent. */
struct heard {
	const char *name;
	int64_t live_us, longest_us;	/* the last live answer; the longest time between two */
	unsigned live, settings;
	char conversations[300], error[300], state[32];
	bool was_lost;
};

struct scene {
	struct lab lab;
	struct inventory inv;
	struct poller_options options;
	uv_loop_t loop;
	struct poller *poller;
	struct heard heard[DEVICES];
	size_t n;
};

static enum cadence cadence_of(const char *probe)
{
	for (size_t i = 0; i < platform_count; i++) {
		const struct probe *p = platform_probe(platform_table[i], probe);

		if (p && p->cadence != CADENCE_NEVER)
			return p->cadence;
	}
	return CADENCE_NEVER;
}

static struct heard *heard_of(struct scene *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->heard[i].name, name))
			return &s->heard[i];
	fail_msg("no such device: %s", name);
	return NULL;
}

static void note_session(struct heard *h, const struct obs *o)
{
	h->error[0] = h->conversations[0] = '\0';
	for (size_t i = 0; i < o->n; i++) {
		const struct value *v = &o->facts[i].value;

		if (o->facts[i].field == FIELD_STATE)
			h->was_lost |= v->n == STATE_RETRYING || v->n == STATE_REFUSED;
		else if (o->facts[i].field == FIELD_ERROR)
			snprintf(h->error, sizeof(h->error), "%s", v->text);
		else if (o->facts[i].field == FIELD_CONVERSATIONS)
			snprintf(h->conversations, sizeof(h->conversations), "%s", v->text);
	}
}

static void observed(void *ctx, struct obs *o)
{
	struct heard *h = heard_of(ctx, o->device);
	enum cadence cadence = cadence_of(o->probe);

	if (!strcmp(o->probe, "ssh"))
		return note_session(h, o);
	h->settings += cadence == CADENCE_CONFIG;
	if (cadence != CADENCE_LIVE)
		return;
	if (h->live_us && o->at_us - h->live_us > h->longest_us)
		h->longest_us = o->at_us - h->live_us;
	h->live_us = o->at_us;
	h->live++;
}

static void begin(struct scene *s)
{
	uv_loop_init(&s->loop);
	s->options.seed = 7;
	s->options.hostkey = HOSTKEY_STRICT;
	for (size_t i = 0; i < s->inv.n_hosts; i++)
		s->heard[s->n++].name = s->inv.hosts[i].name;
	s->poller = poller_new(&s->loop, &s->inv, &s->options, &(struct poller_hooks){ .ctx = s, .observed = observed });
	poller_start(s->poller);
}

/* node1, leaf1 of OS10 and leaf2 of SONiC, ten times the speed as real ones. */
static bool begin_in_lab(struct scene *s)
{
	char path[160];
	struct err err;
	size_t n;

	*s = (struct scene){ 0 };
	if (!LAB(&s->lab, "--rails", "2", "--nodes", "1", "--leaves", "2", "--switch-os", "mixed", "--pace", "10"))
		return false;
	char *text = file_text(s->lab.inventory, &n);
	inventory_init(&s->inv);
	assert_true(inventory_read(&s->inv, (struct span){ text, n }, s->lab.inventory, &err));
	free(text);
	assert_int_equal(s->inv.n_hosts, DEVICES);
	snprintf(path, sizeof(path), "%s/known_hosts", s->lab.dir);
	s->options.known_hosts = xstrdup(path);
	snprintf(path, sizeof(path), "%s/client_key", s->lab.dir);
	s->options.identity = xstrdup(path);
	return true;
}

static void end(struct scene *s)
{
	poller_stop(s->poller);
	poller_free(s->poller);
	uv_run(&s->loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&s->loop), 0);
	inventory_done(&s->inv);
	free((char *)s->options.known_hosts);
	free((char *)s->options.identity);
	if (s->lab.pid)
		lab_stop(&s->lab);
}

static void on_tick(uv_timer_t *timer)
{
	(void)timer;
}

/* Runs until is_so, which is given what; or for so long, when that is NULL. */
static void run(struct scene *s, int64_t for_us, bool (*is_so)(struct scene *s, const void *what), const void *what)
{
	uint64_t end_ns = uv_hrtime() + (uint64_t)for_us * 1000;
	uv_timer_t tick;

	uv_timer_init(&s->loop, &tick);
	uv_timer_start(&tick, on_tick, 20, 20);
	while (uv_hrtime() < end_ns && !(is_so && is_so(s, what)))
		uv_run(&s->loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&tick, NULL);
	uv_run(&s->loop, UV_RUN_NOWAIT);
	if (is_so && !is_so(s, what))
		for (size_t i = 0; i < s->n; i++)
			print_message("%s: %u live, %u settings, \"%s\", \"%s\"\n", s->heard[i].name, s->heard[i].live, s->heard[i].settings,
				      s->heard[i].conversations, s->heard[i].error);
	assert_true(!is_so || is_so(s, what));
}

static bool is_read_once(struct scene *s, const void *what)
{
	(void)what;
	return poller_count(s->poller).first_round == s->n;
}

static bool is_in_error(struct scene *s, const void *what)
{
	return heard_of(s, what)->error[0];
}

static bool is_free_of_error(struct scene *s, const void *what)
{
	return !heard_of(s, what)->error[0];
}

/* From now on silence is measured, and settings are counted. */
static void measure(struct scene *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->heard[i].longest_us = s->heard[i].settings = 0;
}

static void spoil(struct scene *s, const char *device, const char *tool, const char *n)
{
	struct run r = LAB_CTL(&s->lab, "spoil", device, "hang", tool, n);

	assert_int_equal(r.code, 0);
	run_done(&r);
}

static bool is_settings_read(struct scene *s, const void *what)
{
	(void)what;
	for (size_t i = 0; i < s->n; i++)
		if (s->heard[i].settings < 4)
			return false;
	return true;
}

static void assert_no_hole(const struct scene *s, int64_t most_us)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct heard *h = &s->heard[i];

		print_message("%s: longest silence of its counters %.1f s, %u settings\n", h->name, (double)h->longest_us / 1e6, h->settings);
		assert_true(h->longest_us <= most_us || lab_is_late());
		assert_false(h->was_lost);
	}
}

/* A machine with much to do may add that a round takes longer than its period. */
static bool is_apart(const char *conversations)
{
	return span_starts(span_of(conversations), "separate channels for counters and settings");
}

static void counters_go_on_while_settings_take_twenty_seconds(void **state)
{
	struct scene s;

	(void)state;
	assert_true(begin_in_lab(&s));
	s.options.timeout_us = 30 * SECOND_US;
	begin(&s);
	run(&s, PATIENCE_US, is_read_once, NULL);
	for (size_t i = 0; i < s.n; i++)
		assert_true(is_apart(s.heard[i].conversations));
	spoil(&s, "node1", "mlnx_qos", "2");
	spoil(&s, "leaf1", "show running-configuration", "1");
	spoil(&s, "leaf2", "show lldp", "4");
	measure(&s);
	poller_refresh(s.poller, NULL);
	run(&s, 24 * SECOND_US, NULL, NULL);
	run(&s, PATIENCE_US, is_settings_read, NULL);
	assert_no_hole(&s, 3 * SECOND_US);
	end(&s);
}

/* The switch's prompt does not come back: that ends what is said of settings, and nothing else. */
static void settings_that_hang_take_neither_counters_nor_the_device_away(void **state)
{
	struct scene s;

	(void)state;
	assert_true(begin_in_lab(&s));
	s.options.timeout_us = 3 * SECOND_US;
	begin(&s);
	run(&s, PATIENCE_US, is_read_once, NULL);
	spoil(&s, "leaf1", "show running-configuration", "1");
	measure(&s);
	poller_refresh(s.poller, NULL);
	run(&s, PATIENCE_US, is_in_error, "leaf1");
	assert_non_null(strstr(heard_of(&s, "leaf1")->error, "leaf1: settings: "));
	measure(&s);
	run(&s, PATIENCE_US, is_free_of_error, "leaf1");
	assert_true(is_apart(heard_of(&s, "leaf1")->conversations));
	run(&s, PATIENCE_US, is_settings_read, NULL);
	assert_no_hole(&s, 3 * SECOND_US);
	end(&s);
}

static void devices_that_open_one_channel_are_asked_everything_over_it(void **state)
{
	static const char *const names[] = { "node1", "leaf1", "leaf2" };
	struct scene s;

	(void)state;
	assert_true(begin_in_lab(&s));
	for (size_t i = 0; i < DEVICES; i++) {
		struct run r = LAB_CTL(&s.lab, "channels", names[i], "1");
		assert_int_equal(r.code, 0);
		run_done(&r);
	}
	s.options.config_us = 2 * SECOND_US;
	begin(&s);
	run(&s, PATIENCE_US, is_read_once, NULL);
	measure(&s);
	run(&s, PATIENCE_US, is_settings_read, NULL);
	for (size_t i = 0; i < s.n; i++) {
		assert_non_null(strstr(s.heard[i].conversations, "one: counters wait while settings are read"));
		assert_string_equal(s.heard[i].error, "");
		assert_false(s.heard[i].was_lost);
	}
	end(&s);
}

static bool says_its_pace(struct scene *s, const void *what)
{
	return strstr(heard_of(s, what)->conversations, "; counters every 4 s, not every 1 s: a round takes 4.");
}

/* Each round of counters takes four seconds: the period follows, and it is said. */
static void a_host_that_does_not_bear_the_period_is_asked_less_often_which_is_said(void **state)
{
	struct scene s;

	(void)state;
	assert_true(begin_in_lab(&s));
	struct run r = LAB_CTL(&s.lab, "spoil", "node1", "slow", "ethtool -S eth2", "1000000");
	assert_int_equal(r.code, 0);
	run_done(&r);
	s.options.config_us = 5 * SECOND_US;
	begin(&s);
	run(&s, PATIENCE_US, says_its_pace, "node1");
	assert_string_equal(heard_of(&s, "node1")->error, "");
	end(&s);
}

static void begin_at_sshd(struct scene *s, struct sshd *d, unsigned port)
{
	char *key = sshd_public_key(d, "host"), *line = xasprintf("[127.0.0.1]:%u %s\n", port, key);

	*s = (struct scene){ 0 };
	sshd_write(d, "known_hosts", line);
	free(line);
	free(key);
	inventory_init(&s->inv);
	*GROW(s->inv.hosts, s->inv.n_hosts, s->inv.cap_hosts) = (struct host){ .name = "node1", .address = "127.0.0.1", .port = port };
	s->inv.n_hosts++;
	s->options.known_hosts = xstrdup(sshd_path(d, "known_hosts"));
	s->options.identity = xstrdup(sshd_path(d, "id"));
	begin(s);
	run(s, PATIENCE_US, is_read_once, NULL);
}

static void openssh_opens_a_second_channel_in_one_login(void **state)
{
	struct sshd d = { 0 };
	struct scene s;

	(void)state;
	if (!sshd_start(&d, "")) {
		puts("skip: no sshd on this machine");
		return;
	}
	begin_at_sshd(&s, &d, d.port);
	assert_true(is_apart(s.heard[0].conversations));
	assert_int_equal(sshd_logins(&d), 1);
	end(&s);
	sshd_stop(&d);
}

static void openssh_with_max_sessions_1_is_asked_everything_over_one(void **state)
{
	struct sshd d = { 0 };
	struct scene s;

	(void)state;
	if (!sshd_start(&d, "MaxSessions 1\n")) {
		puts("skip: no sshd on this machine");
		return;
	}
	begin_at_sshd(&s, &d, d.port);
	assert_non_null(strstr(s.heard[0].conversations, "one: counters wait while settings are read"));
	assert_string_equal(s.heard[0].error, "");
	assert_true(s.heard[0].live && s.heard[0].settings);
	assert_int_equal(sshd_logins(&d), 1);
	end(&s);
	sshd_stop(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_go_on_while_settings_take_twenty_seconds),
		cmocka_unit_test(settings_that_hang_take_neither_counters_nor_the_device_away),
		cmocka_unit_test(devices_that_open_one_channel_are_asked_everything_over_it),
		cmocka_unit_test(a_host_that_does_not_bear_the_period_is_asked_less_often_which_is_said),
		cmocka_unit_test(openssh_opens_a_second_channel_in_one_login),
		cmocka_unit_test(openssh_with_max_sessions_1_is_asked_everything_over_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
