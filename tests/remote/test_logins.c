/*
 * Login records: the parser against who(1) and last(1) of this machine, on a utmp file that utmpdump(1) has made; against what
 * this machine's own records say; and against hostile ones.
 */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/model/login.h"
#include "remote/linux/linux.h"
#include "remote/platform/logins.h"
#include "remote/platforms.h"
#include "tests/lib/run.h"

static const char dump[] =
	"[2] [00000] [~~  ] [reboot  ] [~           ] [6.1.0-18-amd64      ] [0.0.0.0        ] [2026-11-26T06:00:01,000000+00:00]\n"
	"[6] [00700] [tty1] [LOGIN   ] [tty1        ] [                    ] [0.0.0.0        ] [2026-11-26T06:00:10,000000+00:00]\n"
	"[7] [00123] [ts/0] [admin   ] [pts/0       ] [10.0.0.5            ] [10.0.0.5       ] [2026-11-26T18:02:11,000000+00:00]\n"
	"[7] [00124] [ts/1] [a-user-name-of-thirty-two-letter] [pts/1       ] [fe80::1:2:3:4%eth0  ] [0.0.0.0        ] "
	"[2026-11-26T18:03:11,000000+00:00]\n"
	"[7] [00125] [ts/2] [x$(id)  ] [pts/2       ] [2001:db8::17        ] [0.0.0.0        ] [2026-11-26T18:03:30,000000+00:00]\n"
	"[8] [00124] [ts/1] [        ] [pts/1       ] [                    ] [0.0.0.0        ] [2026-11-26T18:05:11,000000+00:00]\n";

static void parse(const char *text, struct obs *o)
{
	const struct answer a = { .text = span_of(text) };

	obs_init(o, "node1", "logins");
	platform_parse(&linux_platform, platform_probe(&linux_platform, "logins"), &a, o);
}

static void says(const char *text, const char *fact)
{
	struct buf out = { 0 };
	struct obs o;

	parse(text, &o);
	obs_print(&o, &out);
	assert_string_equal(out.text ? out.text : "", fact);
	buf_done(&out);
	obs_done(&o);
}

static struct run shell(const char *script, const char *input)
{
	struct run r = run_program((const char *const[]){ "/bin/sh", "-c", script, NULL }, input);

	assert_int_equal(r.code, 0);
	return r;
}

/* The reply as the script makes it, of a file: the real tools take its name. */
static char *reply_of(const char *file, const char *tools)
{
	char *script = xasprintf("export LC_ALL=C TZ=UTC0; echo now=1795716900; echo has=/run/utmp; echo has=/var/log/wtmp; f=%s; %s",
				 file, tools);
	struct run r = shell(script, NULL);
	char *text = xstrdup(r.out.text);

	run_done(&r);
	free(script);
	return text;
}

static void the_real_tools_are_understood(void **state)
{
	char file[] = "/tmp/fabcon-utmp-XXXXXX", *script, *text;
	int fd = mkstemp(file);
	struct run r;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	script = xasprintf("utmpdump -r >%s", file);
	r = shell(script, dump);
	run_done(&r);
	text = reply_of(file, "echo who=; who $f; echo last=; last -n 64 -w --time-format iso -f $f");
	says(text, "node1 logins = \"at 2026-11-26T18:15:00Z; admin from 10.0.0.5 on pts/0 2026-11-26T18:02:11Z; "
		   "a-user-name-of-thirty-two-letter from fe80::1:2:3:4%eth0 on pts/1 2026-11-26T18:03:11Z to 2026-11-26T18:05:11Z; "
		   "x??id? from 2001:db8::17 on pts/2 2026-11-26T18:03:30Z\"\n");
	free(text);
	/* As where last has no --time-format: whole minutes, no year. */
	text = reply_of(file, "echo who=; echo last=; last -w -f $f");
	says(text, "node1 logins = \"at 2026-11-26T18:15:00Z; x??id? from 2001:db8::17 on pts/2 2026-11-26T18:03:00Z+59s to unknown; "
		   "a-user-name-of-thirty-two-letter from fe80::1:2:3:4%eth0 on pts/1 2026-11-26T18:03:00Z+59s to 2026-11-26T18:05:59Z; "
		   "admin from 10.0.0.5 on pts/0 2026-11-26T18:02:00Z+59s to unknown\"\n");
	free(text);
	unlink(file);
	free(script);
}

/* The script on this machine, whatever its records are. */
static void this_machine_is_understood(void **state)
{
	static const char run[] = "LC_ALL=C; export LC_ALL; T=; run() { command -v \"$1\" >/dev/null 2>&1 || { echo \"$1: not found\"; "
				  "return 127; }; $T \"$@\"; }\n" LOGINS_SCRIPT;
	struct logins l = { 0 };
	struct run r = shell(run, NULL);
	struct obs o;

	(void)state;
	parse(r.out.text, &o);
	assert_int_equal(o.n, 1);
	assert_int_equal(o.missed, 0);
	if (o.facts[0].value.is == VALUE_KNOWN)
		assert_true(logins_read(&l, span_of(o.facts[0].value.text)));
	else
		assert_string_equal(o.facts[0].value.text, "the device keeps no login records");
	logins_done(&l);
	obs_done(&o);
	run_done(&r);
}

/* A heading is what stands over the terminals, as who -H of this machine and busybox print it: not whoever is called NAME or USER. */
static void a_user_may_be_called_as_a_heading_is(void **state)
{
	char *text = reply_of("/dev/null", "echo who=; who -H $f; busybox who -H; echo 'USER  pts/0  Nov 26 18:02 (10.0.0.5)'; echo 'NAME  pts/1  "
					   "Nov 26 18:03 (10.0.0.6)'; echo last=; last -n 1 -w -f /dev/null");

	(void)state;
	assert_non_null(strstr(text, "NAME     LINE"));
	assert_non_null(strstr(text, "USER\t\tTTY"));
	says(text, "node1 logins = \"at 2026-11-26T18:15:00Z; USER from 10.0.0.5 on pts/0 2026-11-26T18:02:00Z+59s; "
		   "NAME from 10.0.0.6 on pts/1 2026-11-26T18:03:00Z+59s\"\n");
	free(text);
}

/* Users and hosts are chosen by whoever connects: neither an escape nor a part of our own form gets through. */
static void hostile_names_are_only_names(void **state)
{
	(void)state;
	says("now=1795716900\nhas=/run/utmp\nwho=\n\033[2Jroot pts/0 Nov 26 18:02 (a; b on tty1 2026-11-26T18:00:00Z)\nlast=\n"
	     "a;b pts/1 10.0.0.5\"\n1 not parsed\neve pts/2 h o s t 2026-11-26T18:02:11+00:00 - 2026-11-26T18:05:11+00:00 (00:03)\n",
	     "node1 logins = \"at 2026-11-26T18:15:00Z; ??2Jroot from a??b?on?tty1?2026-11-26T18:00:00Z on pts/0 "
	     "2026-11-26T18:02:00Z+59s; 3 not parsed; ended logins not on record\"\n");
}

/* A year that is not told is the last one that fits; logins of a full list are not all. */
static void years_and_ends_of_lists(void **state)
{
	struct buf text = { 0 }, out = { 0 };
	struct obs o;

	(void)state;
	says("now=1798761600\nhas=/run/utmp\nwho=\nadmin pts/0 Dec 31 23:59 (10.0.0.5)\nroot tty1 Jan  2 00:00\nlast=\n",
	     "node1 logins = \"at 2027-01-01T00:00:00Z; admin from 10.0.0.5 on pts/0 2026-12-31T23:59:00Z+59s; "
	     "root on tty1 2026-01-02T00:00:00Z+59s; ended logins not on record\"\n");
	buf_str(&text, "now=1795716900\nhas=/var/log/wtmp\nwho=\nlast=\n");
	for (unsigned i = 0; i < 64; i++)
		buf_printf(&text, "u%u pts/%u h 2026-11-26T17:%02u:00+00:00 - 2026-11-26T17:59:00+00:00 (00:01)\n", i, i, 59 - i % 60);
	parse(text.text, &o);
	obs_print(&o, &out);
	assert_non_null(strstr(out.text, "; not read before 2026-11-26T17:56:00Z\""));
	obs_done(&o);
	buf_done(&text);
	buf_done(&out);
}

/* sshd's own lines, as journald keeps them: a login without a terminal, one whose terminal is on record, and the one that asks. */
static void sshd_tells_of_logins_without_a_terminal(void **state)
{
	static const char text[] =
		"now=1795716900\nhas=/run/utmp\nhas=/var/log/wtmp\nwho=\nops pts/0 Nov 26 18:04 (10.0.0.7)\nlast=\nssh=10.0.0.9 38888\n"
		"1795716131.463387 vm sshd[27]: Accepted publickey for man from 127.0.0.1 port 56748 ssh2: ED25519 SHA256:XSvy+3JDjxy\n"
		"1795716132.581947 vm sshd[27]: pam_unix(sshd:session): session closed for user man\n"
		"1795716250.1 vm sshd[28]: Accepted login for ops from 10.0.0.7 port 40000 ssh2\n"
		"1795716260.1 vm sshd-session[29]: Accepted publickey for root from 10.0.0.9 port 38888 ssh2: ED25519 SHA256:XSvy+3JDjx\n"
		"1795716270.1 vm sshd-session[30]: Accepted publickey for root from 10.0.0.9 port 38889 ssh2: ED25519 SHA256:XSvy+3JDjx\n";

	(void)state;
	says(text, "node1 logins = \"at 2026-11-26T18:15:00Z; ops from 10.0.0.7 on pts/0 2026-11-26T18:04:00Z+59s; "
		   "man from 127.0.0.1 on sshd:27 2026-11-26T18:02:11Z to 2026-11-26T18:02:12Z; "
		   "root from 10.0.0.9 on sshd:30 2026-11-26T18:04:30Z; SSH log read\"\n");
	/* the only record of a device without utmp; and of a sshd that logs no end */
	says("now=1795716900\nwho=\nlast=\nssh=\n1795716131.4 vm sshd[27]: Accepted publickey for man from ::1 port 5 ssh2: x\n",
	     "node1 logins = \"at 2026-11-26T18:15:00Z; man from ::1 on sshd:27 2026-11-26T18:02:11Z to unknown; SSH log read\"\n");
}

static void what_is_printed_is_read_again(void **state)
{
	static const char text[] = "at 2026-11-26T18:15:00Z; a from b on c 2026-11-26T18:02:00Z+59s; a on c 2026-11-26T18:02:00Z to unknown; "
				   "a on c 2026-11-26T18:02:00Z to 2026-11-26T18:03:00Z; 3 not parsed; ended logins not on record; SSH log read; "
				   "not read before 2026-11-26T18:00:00Z";
	static const char *const not[] = { "", "at", "at x", "at 2026-11-26T18:15:00Z; a", "at 2026-11-26T18:15:00Z; a on c x" };
	struct buf out = { 0 };
	struct logins l;

	(void)state;
	assert_true(logins_read(&l, span_of(text)));
	logins_print(&l, &out);
	assert_string_equal(out.text, text);
	logins_done(&l);
	buf_done(&out);
	for (size_t i = 0; i < sizeof(not) / sizeof(*not); i++)
		assert_false(logins_read(&l, span_of(not[i])));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_real_tools_are_understood),
		cmocka_unit_test(a_user_may_be_called_as_a_heading_is),
		cmocka_unit_test(this_machine_is_understood),
		cmocka_unit_test(hostile_names_are_only_names),
		cmocka_unit_test(years_and_ends_of_lists),
		cmocka_unit_test(sshd_tells_of_logins_without_a_terminal),
		cmocka_unit_test(what_is_printed_is_read_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
