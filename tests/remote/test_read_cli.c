/* Talking to a switch's command line, however its bytes are cut and whatever it prints in between. */
#include "remote/platforms.h"
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/talk/talk.h"

/* A device: what it prints at login, and its answer to each line typed. */
struct far_end {
	const char *greeting, *prompt;
	const char *const (*answers)[2];	/* typed, printed; ends with NULL */
	bool is_silent;				/* does not echo */
};

struct heard {
	struct buf log;		/* what the talk told, a line each */
	struct talk *talk;
	const struct platform *platform;
	unsigned identified, failed, answers;
};

static void on_identified(void *ctx, const struct platform *p, struct span text)
{
	struct heard *h = ctx;

	(void)text;
	h->identified++;
	h->platform = p;
	buf_printf(&h->log, "identified %s\n", p ? p->id : "nothing");
}

static void on_answered(void *ctx, const struct probe *probe, const struct answer *a, int64_t device_us)
{
	struct heard *h = ctx;

	(void)device_us;
	h->answers++;
	buf_printf(&h->log, "%s %s%s[%.*s]\n", probe->id, a->port ? a->port : "-", a->is_partial ? " partial" : "",
		   (int)a->text.n, a->text.p);
}

static void on_round_ended(void *ctx, enum cadence cadence)
{
	buf_printf(&((struct heard *)ctx)->log, "round %d\n", cadence);
}

static void on_failed(void *ctx, const char *reason)
{
	struct heard *h = ctx;

	h->failed++;
	buf_printf(&h->log, "failed %s\n", reason);
}

static void begin(struct heard *h)
{
	struct talk_hooks hooks = {
		.ctx = h, .identified = on_identified, .answered = on_answered, .round_ended = on_round_ended,
		.failed = on_failed,
	};

	*h = (struct heard){ 0 };
	h->talk = talk_cli_new(&hooks);
}

static void done(struct heard *h)
{
	talk_free(h->talk);
	buf_done(&h->log);
}

static const char *reply_to(const struct far_end *d, const char *line)
{
	for (size_t i = 0; d->answers && d->answers[i][0]; i++)
		if (strcmp(d->answers[i][0], line) == 0)
			return d->answers[i][1];
	return "% Error: Unrecognized command.\r\n";
}

/* What the device prints next: the greeting, or echo, answer and prompt for the next line typed. False: nothing typed. */
static bool far_end_turn(const struct far_end *d, struct heard *h, struct buf *out)
{
	struct span sent = talk_to_send(h->talk), line, rest;
	char *typed;

	if (sent.n == 0)
		return false;
	if (!span_cut(sent, '\n', &line, &rest)) {	/* a key pressed at the pager */
		talk_sent(h->talk, sent.n);
		return true;
	}
	typed = xstrndup(line.p, line.n);
	talk_sent(h->talk, line.n + 1);
	buf_printf(out, "%s%s%s%s", d->is_silent ? "" : typed, d->is_silent ? "" : "\r\n", reply_to(d, typed), d->prompt);
	free(typed);
	return true;
}

/* Feeds in chunks of `step` bytes; the first is `first` bytes. */
static void feed_cut(struct talk *t, struct span text, size_t first, size_t step)
{
	for (size_t n = first ? first : step; text.n > 0; n = step) {
		if (n > text.n)
			n = text.n;
		talk_feed(t, (struct span){ text.p, n });
		text = (struct span){ text.p + n, text.n - n };
	}
}

static void run(const struct far_end *d, struct heard *h, size_t first, size_t step)
{
	struct buf out = { 0 };

	while (far_end_turn(d, h, &out)) {
		feed_cut(h->talk, buf_span(&out), first, step);
		buf_clear(&out);
	}
	buf_done(&out);
}

static void meet(const struct far_end *d, struct heard *h, size_t first, size_t step)
{
	begin(h);
	feed_cut(h->talk, span_of(d->greeting), first, step);
	run(d, h, first, step);
}

#define WHOLE 1000000

static const char version_text[] =
	"Dell SmartFabric OS10 Enterprise\r\n"
	"Copyright (c) 1999-2024 by Dell Inc. All Rights Reserved.\r\n"
	"OS Version: 10.5.6.1\r\nSystem Type: S5248F-ON\r\n";

static const char *const answers[][2] = {
	{ "show version", version_text },
	{ "terminal length 0", "" },
	{ "show running-configuration", "! Version 10.5.6.1\r\ninterface ethernet1/1/1\r\n mtu 9216\r\n!\r\n" },
	{ "show startup-configuration", "! Version 10.5.6.1\r\ninterface ethernet1/1/1\r\n mtu 9216\r\n!\r\n" },
	{ "show lldp neighbors detail",
	  "Remote Chassis ID Subtype: Mac address (4)\r\nRemote Port ID: 1c:34:da:42:14:7c\r\n"
	  "Local Port ID: ethernet1/1/1\r\nRemote System Name: Not Advertised\r\n-----\r\n" },
	{ "show interface status", "Port\r\n" },
	{ "show interface", "Ethernet 1/1/1 is up, line protocol is up\r\n" },
	{ "show queuing statistics interface ethernet 1/1/1", "Interface ethernet1/1/1\r\n" },
	{ NULL, NULL },
};

static const struct far_end leaf = {
	.greeting = "Linux leaf1 4.9.189 #1 SMP\r\n"
		    "###############################\r\n# CSM version:  1.3\r\n###############################\r\n"
		    "leaf1# ",
	.prompt = "leaf1# ",
	.answers = answers,
};

static void ask(struct heard *h, const struct far_end *d, enum cadence cadence, size_t first, size_t step)
{
	assert_true(talk_ask(h->talk, cadence));
	run(d, h, first, step);
}

/* The log of a whole session: login, a configuration round, a live round. */
static void session(const struct far_end *d, struct heard *h, size_t first, size_t step)
{
	meet(d, h, first, step);
	assert_int_equal(h->identified, 1);
	ask(h, d, CADENCE_CONFIG, first, step);
	ask(h, d, CADENCE_LIVE, first, step);
}

static void a_session_is_the_same_however_its_bytes_are_cut(void **state)
{
	struct heard whole, cut;

	(void)state;
	session(&leaf, &whole, 0, WHOLE);
	assert_non_null(strstr(whole.log.text, "identified os10\n"));
	assert_non_null(strstr(whole.log.text, "interface -[Ethernet 1/1/1 is up, line protocol is up\n]\n"));
	assert_non_null(strstr(whole.log.text, "queuing ethernet1/1/1[Interface ethernet1/1/1\n]\n"));
	assert_non_null(strstr(whole.log.text, "queuing-wred ethernet1/1/1[% Error: Unrecognized command.\n]\n"));
	assert_non_null(strstr(whole.log.text, "!\nshow startup-configuration\n! Version"));
	for (size_t at = 0; at < 400; at++) {
		session(&leaf, &cut, at, WHOLE);
		assert_string_equal(cut.log.text, whole.log.text);
		done(&cut);
	}
	session(&leaf, &cut, 1, 1);
	assert_string_equal(cut.log.text, whole.log.text);
	done(&cut);
	done(&whole);
}

static void a_device_that_does_not_echo_is_understood(void **state)
{
	struct far_end silent = leaf;
	struct heard h;

	(void)state;
	silent.is_silent = true;
	session(&silent, &h, 0, WHOLE);
	assert_non_null(strstr(h.log.text, "interface -[Ethernet 1/1/1 is up, line protocol is up\n]\n"));
	done(&h);
}

static void the_login_of_a_real_switch_is_got_through(void **state)
{
	const char *dir = captures_dir();
	char path[256], *text, *prompt;
	struct far_end real = leaf;
	struct heard h;

	(void)state;
	if (!dir) {
		print_message("skip: no captures are here\n");
		return;
	}
	snprintf(path, sizeof(path), "%s/switch/dell-os10/session--ssh-login-write-memory-exit.txt", dir);
	text = file_text(path, NULL);
	assert_non_null(text);
	prompt = strstr(text, "sw-leaf-bmc-001# write");
	strcpy(prompt, "sw-leaf-bmc-001# ");
	real.greeting = strchr(strstr(text, "password:"), '\n') + 1;	/* that question is answered by SSH */
	real.prompt = "sw-leaf-bmc-001# ";
	for (size_t at = 0; at < strlen(real.greeting); at++) {
		session(&real, &h, at, WHOLE);
		assert_ptr_equal(h.platform, platform_find("os10"));
		assert_int_equal(h.failed, 0);
		done(&h);
	}
	free(text);
}

static void log_lines_in_between_are_not_part_of_an_answer(void **state)
{
	struct heard h;
	static const char text[] =
		"show interface\r\n<165>1 2019-11-01T02:25:00 leaf1 dn_alm 811 - - Node.1 %log\r\n"
		"Ethernet 1/1/1 is up, line protocol is up\r\n"
		"leaf1# <165>1 2019-11-01T02:25:01 leaf1 dn_alm 811 - - link down\r\n";

	(void)state;
	for (size_t at = 0; at < sizeof(text) - 1; at++) {
		meet(&leaf, &h, 0, WHOLE);
		assert_true(talk_ask(h.talk, CADENCE_LIVE));
		talk_sent(h.talk, talk_to_send(h.talk).n);
		feed_cut(h.talk, span_of(text), at, WHOLE);
		assert_non_null(strstr(h.log.text, "interface -[Ethernet 1/1/1 is up, line protocol is up\n]\n"));
		done(&h);
	}
}

static void a_prompt_printed_anew_after_a_log_line_is_a_prompt(void **state)
{
	struct heard h;
	static const char text[] =
		"show interface\r\nEthernet 1/1/1 is up, line protocol is up\r\n"
		"leaf1# <165>1 2019-11-01T02:25:01 leaf1 dn_alm 811 - - link down\r\n"
		"leaf1# <165>1 2019-11-01T02:25:01 leaf1 dn_alm 811 - - link up\r\n"
		"leaf1# ";

	(void)state;
	for (size_t at = 0; at < sizeof(text) - 1; at++) {
		meet(&leaf, &h, 0, WHOLE);
		assert_true(talk_ask(h.talk, CADENCE_LIVE));
		talk_sent(h.talk, talk_to_send(h.talk).n);
		feed_cut(h.talk, span_of(text), at, WHOLE);
		assert_non_null(strstr(h.log.text, "interface -[Ethernet 1/1/1 is up, line protocol is up\n]\n"));
		done(&h);
	}
}

/* Answers what was typed, and nothing that is typed after it. */
static void answer_one(const struct far_end *d, struct heard *h)
{
	struct buf out = { 0 };

	assert_true(far_end_turn(d, h, &out));
	talk_feed(h->talk, buf_span(&out));
	buf_done(&out);
}

static void a_hurried_round_leaves_its_ports_to_the_next(void **state)
{
	static const char *const two_ports[][2] = {
		{ "show version", version_text },
		{ "terminal length 0", "" },
		{ "show interface", "Ethernet 1/1/1 is up\r\n" },
		{ "show lldp neighbors detail",
		  "Remote Port ID: a\r\nLocal Port ID: ethernet1/1/1\r\nRemote System Name: n1\r\n-----\r\n"
		  "Remote Port ID: b\r\nLocal Port ID: ethernet1/1/2\r\nRemote System Name: n2\r\n-----\r\n" },
		{ NULL, NULL },
	};
	struct far_end d = { .greeting = "leaf1# ", .prompt = "leaf1# ", .answers = two_ports };
	struct heard h;

	(void)state;
	meet(&d, &h, 0, WHOLE);
	ask(&h, &d, CADENCE_CONFIG, 0, WHOLE);
	assert_true(talk_ask(h.talk, CADENCE_LIVE));
	assert_int_equal(talk_port_questions(h.talk), 2 * 3);
	answer_one(&d, &h);	/* show interface */
	talk_hurry(h.talk);
	buf_clear(&h.log);
	answer_one(&d, &h);
	assert_string_equal(h.log.text, "queuing ethernet1/1/1[% Error: Unrecognized command.\n]\nround 2\n");
	buf_clear(&h.log);
	ask(&h, &d, CADENCE_LIVE, 0, WHOLE);	/* unhurried: all six, from where it was left */
	assert_int_equal(strncmp(h.log.text, "interface -[", 12), 0);
	assert_true(strstr(h.log.text, "queuing ethernet1/1/2[") < strstr(h.log.text, "pfc ethernet1/1/1["));
	assert_true(strstr(h.log.text, "pfc ethernet1/1/2[") < strstr(h.log.text, "queuing ethernet1/1/1["));
	done(&h);
}

/* Where settings and counters share one conversation. */
static void a_live_round_goes_between_the_questions_of_settings(void **state)
{
	struct heard h;

	(void)state;
	meet(&leaf, &h, 0, WHOLE);
	assert_true(talk_may_interrupt(h.talk));
	assert_false(talk_ask_between(h.talk, CADENCE_LIVE));	/* nothing runs */
	assert_true(talk_ask(h.talk, CADENCE_CONFIG));
	assert_true(talk_ask_between(h.talk, CADENCE_LIVE));
	assert_false(talk_ask_between(h.talk, CADENCE_LIVE));
	assert_false(talk_ask(h.talk, CADENCE_LIVE));
	buf_clear(&h.log);
	while (talk_to_send(h.talk).n)
		answer_one(&leaf, &h);
	const char *config = strstr(h.log.text, "running-config -["), *live = strstr(h.log.text, "interface -[");
	const char *live_end = strstr(h.log.text, "round 2\n"), *lldp = strstr(h.log.text, "lldp -[");
	assert_true(config && config < live && live < live_end && live_end < lldp);
	assert_true(lldp < strstr(h.log.text, "round 1\n"));
	assert_true(talk_ask(h.talk, CADENCE_LIVE));
	done(&h);
}

static void ports_that_another_conversation_was_told_are_asked_about(void **state)
{
	static const char text[] = "Remote Port ID: a\nLocal Port ID: ethernet1/1/7\nRemote System Name: n1\n-----\n";
	struct answer a = { .text = span_of(text), .status = -1 };
	struct heard h;

	(void)state;
	meet(&leaf, &h, 0, WHOLE);
	talk_hear(h.talk, platform_probe(h.platform, "lldp"), &a);
	ask(&h, &leaf, CADENCE_LIVE, 0, WHOLE);
	assert_non_null(strstr(h.log.text, "queuing ethernet1/1/7["));
	done(&h);
}

/* A host without lldpd, a switch that hears none: what such a port counts is read all the same. */
static void ports_that_are_up_are_asked_about_without_a_neighbor(void **state)
{
	static const char text[] =
		"----------------------------------------------------------------------------------------------\n"
		"Port            Description     Status   Speed    Duplex   Mode Vlan Tagged-Vlans\n"
		"----------------------------------------------------------------------------------------------\n"
		"Eth 1/1/8                       up       100G     full     A    1    -\n"
		"Eth 1/1/9                       down     0        full     A    1    -\n";
	struct answer a = { .text = span_of(text), .status = -1 };
	struct heard h;

	(void)state;
	meet(&leaf, &h, 0, WHOLE);
	talk_hear(h.talk, platform_probe(h.platform, "interface-status"), &a);
	ask(&h, &leaf, CADENCE_LIVE, 0, WHOLE);
	assert_non_null(strstr(h.log.text, "queuing ethernet1/1/8["));
	assert_null(strstr(h.log.text, "ethernet1/1/9"));
	done(&h);
}

static void a_command_that_the_switch_does_not_know_is_asked_once(void **state)
{
	struct heard h;

	(void)state;
	meet(&leaf, &h, 0, WHOLE);
	ask(&h, &leaf, CADENCE_CONFIG, 0, WHOLE);
	ask(&h, &leaf, CADENCE_LIVE, 0, WHOLE);
	assert_non_null(strstr(h.log.text, "queuing-wred ethernet1/1/1[% Error: Unrecognized command.\n]"));
	buf_clear(&h.log);
	ask(&h, &leaf, CADENCE_LIVE, 0, WHOLE);
	assert_null(strstr(h.log.text, "queuing-wred"));
	assert_non_null(strstr(h.log.text, "interface -["));
	done(&h);
}

static void the_pager_gets_a_space_and_leaves_no_trace(void **state)
{
	struct heard h;

	(void)state;
	meet(&leaf, &h, 0, WHOLE);
	assert_true(talk_ask(h.talk, CADENCE_LIVE));
	talk_sent(h.talk, talk_to_send(h.talk).n);
	talk_feed(h.talk, SPAN("show interface\r\nEthernet 1/1/1 is up, line protocol is up\r\n--More--"));
	assert_true(span_is(talk_to_send(h.talk), " "));
	talk_sent(h.talk, 1);
	talk_feed(h.talk, SPAN("\r        \r MTU 9216 bytes\r\nleaf1# "));
	assert_non_null(strstr(h.log.text, "interface -[Ethernet 1/1/1 is up, line protocol is up\n MTU 9216 bytes\n]"));
	done(&h);
}

static void a_question_is_never_answered(void **state)
{
	struct heard h;

	(void)state;
	meet(&leaf, &h, 0, WHOLE);
	assert_true(talk_ask(h.talk, CADENCE_LIVE));
	talk_sent(h.talk, talk_to_send(h.talk).n);
	talk_feed(h.talk, SPAN("show interface\r\nDo you want to continue ? [yes/no(default)]:"));
	assert_int_equal(h.failed, 1);
	assert_non_null(strstr(h.log.text, "Do you want to continue ? [yes/no(default)]:"));
	assert_int_equal(talk_to_send(h.talk).n, 0);
	done(&h);
}

static void an_expired_password_ends_it_in_words(void **state)
{
	struct far_end d = { .greeting = "You are required to change your password\r\nCurrent password: ", .prompt = "" };
	struct heard h;

	(void)state;
	meet(&d, &h, 0, WHOLE);
	assert_non_null(strstr(h.log.text, "failed it prompts \"Current password: \": the password has expired"));
	assert_int_equal(talk_to_send(h.talk).n, 0);
	done(&h);
}

static void a_linux_shell_is_not_taken_for_a_switch(void **state)
{
	struct far_end d = { .greeting = "linuxadmin@leaf1:~$ ", .prompt = "" };
	struct heard h;

	(void)state;
	meet(&d, &h, 0, WHOLE);
	assert_int_equal(h.failed, 1);
	assert_int_equal(talk_to_send(h.talk).n, 0);
	done(&h);
}

static void other_systems_are_named_and_left_alone(void **state)
{
	static const char *const eos[][2] = {
		{ "show version", "Arista DCS-7260CX3-64E\r\nHardware version: 11.00\r\nSoftware image version: 4.27.6M\r\n" },
		{ NULL, NULL },
	};
	struct far_end d = { .greeting = "sw1>", .prompt = "sw1>", .answers = eos };
	struct heard h;

	(void)state;
	meet(&d, &h, 0, WHOLE);
	assert_string_equal(h.log.text, "identified eos\n");
	assert_false(talk_ask(h.talk, CADENCE_ONCE));
	assert_int_equal(talk_to_send(h.talk).n, 0);
	done(&h);
}

static void a_late_answer_is_not_taken_for_the_next_ones(void **state)
{
	struct heard h;

	(void)state;
	meet(&leaf, &h, 0, WHOLE);
	assert_true(talk_ask(h.talk, CADENCE_CONFIG));
	talk_sent(h.talk, talk_to_send(h.talk).n);
	talk_feed(h.talk, SPAN("show running-configuration\r\n! Version 10"));
	talk_timeout(h.talk);
	assert_non_null(strstr(h.log.text, "running-config - partial[! Version 10]"));
	assert_int_equal(talk_to_send(h.talk).n, 0);	/* it is still printing */
	talk_feed(h.talk, SPAN(".5.6.1\r\nLocal Port ID: ethernet1/1/9\r\nleaf1# "));
	run(&leaf, &h, 0, WHOLE);
	assert_non_null(strstr(h.log.text, "Local Port ID: ethernet1/1/1\n"));
	assert_null(strstr(h.log.text, "ethernet1/1/9"));
	assert_non_null(strstr(h.log.text, "round 1\n"));
	done(&h);
}

static void a_prompt_that_does_not_come_back_ends_it(void **state)
{
	struct heard h;

	(void)state;
	meet(&leaf, &h, 0, WHOLE);
	assert_true(talk_ask(h.talk, CADENCE_LIVE));
	talk_timeout(h.talk);
	talk_timeout(h.talk);
	assert_int_equal(h.failed, 1);
	done(&h);
}

static void a_switch_that_says_nothing_is_given_up_in_words(void **state)
{
	struct heard h;

	(void)state;
	begin(&h);
	talk_timeout(h.talk);
	assert_string_equal(h.log.text, "failed no prompt; last output: nothing\n");
	done(&h);
}

static void a_lost_connection_gives_what_came(void **state)
{
	struct heard h;

	(void)state;
	meet(&leaf, &h, 0, WHOLE);
	assert_true(talk_ask(h.talk, CADENCE_LIVE));
	talk_feed(h.talk, SPAN("show interface\r\nEthernet 1/1/1 is up, line pro"));
	talk_closed(h.talk);
	assert_non_null(strstr(h.log.text, "interface - partial[Ethernet 1/1/1 is up, line pro]"));
	assert_false(talk_ask(h.talk, CADENCE_LIVE));
	done(&h);
}

static void no_escape_sequence_survives(void **state)
{
	struct heard h;

	(void)state;
	meet(&leaf, &h, 0, WHOLE);
	assert_true(talk_ask(h.talk, CADENCE_LIVE));
	talk_feed(h.talk, SPAN("show interface\r\nEther\x1b[31mnet\x1b[0m\x1b]52;c;aGk=\a 1/1/1\x9b" "6n is\x1b(B up\b\bup\r\n"
			       "\x1b[?25hleaf1# "));
	assert_non_null(strstr(h.log.text, "interface -[Ethernet 1/1/16n is up\n]"));
	done(&h);
}

static void an_endless_answer_is_cut_and_marked(void **state)
{
	struct heard h;
	char line[1025];

	(void)state;
	memset(line, 'x', sizeof(line) - 1);
	line[1023] = '\n';
	line[1024] = '\0';
	meet(&leaf, &h, 0, WHOLE);
	assert_true(talk_ask(h.talk, CADENCE_LIVE));
	talk_feed(h.talk, SPAN("show interface\r\n"));
	for (size_t i = 0; i < TALK_REPLY_MAX / 1024 + 2000; i++)
		talk_feed(h.talk, span_of(line));
	talk_feed(h.talk, SPAN("leaf1# "));
	assert_non_null(strstr(h.log.text, "interface - partial[xxx"));
	assert_true(h.log.n < TALK_REPLY_MAX + 4096);
	done(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_session_is_the_same_however_its_bytes_are_cut),
		cmocka_unit_test(a_device_that_does_not_echo_is_understood),
		cmocka_unit_test(the_login_of_a_real_switch_is_got_through),
		cmocka_unit_test(log_lines_in_between_are_not_part_of_an_answer),
		cmocka_unit_test(a_prompt_printed_anew_after_a_log_line_is_a_prompt),
		cmocka_unit_test(a_hurried_round_leaves_its_ports_to_the_next),
		cmocka_unit_test(a_live_round_goes_between_the_questions_of_settings),
		cmocka_unit_test(ports_that_another_conversation_was_told_are_asked_about),
		cmocka_unit_test(ports_that_are_up_are_asked_about_without_a_neighbor),
		cmocka_unit_test(a_command_that_the_switch_does_not_know_is_asked_once),
		cmocka_unit_test(the_pager_gets_a_space_and_leaves_no_trace),
		cmocka_unit_test(a_question_is_never_answered),
		cmocka_unit_test(an_expired_password_ends_it_in_words),
		cmocka_unit_test(a_linux_shell_is_not_taken_for_a_switch),
		cmocka_unit_test(other_systems_are_named_and_left_alone),
		cmocka_unit_test(a_late_answer_is_not_taken_for_the_next_ones),
		cmocka_unit_test(a_prompt_that_does_not_come_back_ends_it),
		cmocka_unit_test(a_switch_that_says_nothing_is_given_up_in_words),
		cmocka_unit_test(a_lost_connection_gives_what_came),
		cmocka_unit_test(no_escape_sequence_survives),
		cmocka_unit_test(an_endless_answer_is_cut_and_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
