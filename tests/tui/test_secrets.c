/*
 * What switches keep secret and what a person types at a prompt is nowhere afterwards: not in the recording as text, hex or
 * base64, not in its raw replies, not on the terminal, not where other processes look. And files are for their owner.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/replay/replay.h"
#include "remote/lab/world/fabric.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"
#include "tui/args/cli.h"

#define PASSPHRASE	LAB_SECRET "9-typed"

static struct lab lab;
static char dir[] = "/tmp/fabcon-secrets.XXXXXX";
static char recording[64];

/* The forms in which a secret would be found again: as it is, in hex, in base64 at each of its three shifts. */
static void add_forms(struct buf forms[5])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *secret = (const unsigned char *)LAB_SECRET;

	buf_str(&forms[0], LAB_SECRET);
	for (size_t i = 0; secret[i]; i++)
		buf_printf(&forms[1], "%02x", secret[i]);
	for (size_t shift = 0; shift < 3; shift++)
		for (size_t i = shift; i + 3 <= strlen(LAB_SECRET); i += 3) {
			unsigned bits = secret[i] << 16u | secret[i + 1] << 8u | secret[i + 2];

			for (int k = 18; k >= 0; k -= 6)
				buf_add(&forms[2 + shift], &digits[bits >> k & 63], 1);
		}
}

static void assert_no_secret(const char *where, struct span bytes)
{
	struct buf forms[5] = { 0 };

	add_forms(forms);
	for (size_t i = 0; i < 5; i++) {
		if (bytes.n && memmem(bytes.p, bytes.n, forms[i].text, forms[i].n))
			fail_msg("%s holds %s", where, forms[i].text);
		buf_done(&forms[i]);
	}
}

static void assert_file_has_none(const char *path)
{
	size_t n;
	char *text = file_text(path, &n);

	if (!text)
		return;
	assert_no_secret(path, (struct span){ text, n });
	free(text);
}

/* Everything beside the recording too: its log, whatever else was written. */
static void assert_folder_has_none(void)
{
	DIR *folder = opendir(dir);
	unsigned files = 0;
	char path[512];

	for (struct dirent *e; (e = readdir(folder));) {
		struct stat st;

		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		assert_file_has_none(path);
		if ((st.st_mode & 0777) != 0600)
			fail_msg("%s may be read by others: %o", path, (unsigned)st.st_mode & 0777);
		files++;
	}
	closedir(folder);
	assert_true(files > 0);
}

static void assert_process_shows_none(pid_t pid)
{
	static const char *const places[] = { "cmdline", "environ", "limits" };
	char path[64];

	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, places[i]);
		assert_file_has_none(path);
	}
}

static void assert_no_core(pid_t pid)
{
	char path[64], *text;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/limits", (int)pid);
	text = file_text(path, &n);
	assert_non_null(text);
	assert_non_null(strstr(text, "Max core file size        0                    0"));
	free(text);
}

static void record_with_a_typed_passphrase(struct tty *t)
{
	if (!tty_shows(t, "assphrase", 60))
		fail_msg("nobody asks for the passphrase:\n%s", tty_screen(t));
	assert_no_core(tty_pid(t));
	tty_type(t, PASSPHRASE "\r");
	if (!tty_shows(t, "recording to", 60))
		fail_msg("it does not record:\n%s", tty_screen(t));
	assert_process_shows_none(tty_pid(t));
	assert_folder_has_none();
	assert_true(tty_end(t, 60) <= EXIT_PARTIAL);
	assert_no_secret("the terminal", buf_span(tty_bytes(t)));
	assert_folder_has_none();
}

/* A command line with a question on its terminal, in a shell that tells how it ended and how the terminal was left. */
static struct tty *ask_in_shell(const char *timeout)
{
	char *line = xasprintf("trap : INT; a=$(stty -g); %s -i %s --no-agent --timeout %s status; echo ended with $?; "
			       "[ \"$a\" = \"$(stty -g)\" ] && echo modes are as before", program_path("fabcon"), lab.inventory,
			       timeout);
	struct tty *t = TTY(24, 100, "/bin/sh", "-c", line);

	free(line);
	if (!tty_shows(t, "assphrase", 60))
		fail_msg("nobody asks for the passphrase:\n%s", tty_screen(t));
	return t;
}

static void while_somebody_is_asked_ctrl_c_ends_it_and_time_stands_still(void **state)
{
	struct tty *t = ask_in_shell("60s");

	(void)state;
	tty_type(t, "half of it\x03");
	if (!tty_shows(t, "ended with 130", 30) || !tty_shows(t, "modes are as before", 30))
		fail_msg("Ctrl-C does not end it:\n%s", tty_screen(t));
	tty_end(t, 30);
	tty_close(t);

	t = ask_in_shell("2s");
	if (tty_shows(t, "ended with", 6))	/* three times what it has for the devices */
		fail_msg("a person was hurried:\n%s", tty_screen(t));
	tty_type(t, "\x03");
	if (!tty_shows(t, "ended with 130", 30) || !tty_shows(t, "modes are as before", 30))
		fail_msg("Ctrl-C does not end it:\n%s", tty_screen(t));
	assert_null(strstr(tty_screen(t), "half of it"));
	tty_end(t, 30);
	tty_close(t);
}

static void a_session_keeps_no_secret(void **state)
{
	struct tty *t = TTY(24, 100, "fabcon", "-i", lab.inventory, "--no-agent", "--timeout", "60s", "--for", "2s", "record",
			    recording);
	unsigned masked = 0;
	struct replay *r;
	struct err err;
	struct obs o;

	(void)state;
	record_with_a_typed_passphrase(t);
	tty_close(t);
	r = replay_open(recording, &err);
	if (!r)
		fail_msg("%s", err.text);
	obs_init(&o, NULL, NULL);
	while (replay_next(r, INT64_MAX, &o)) {
		assert_no_secret(o.probe ? o.probe : "keyframe", o.raw);
		masked += o.raw.p && (span_find(o.raw, "snmp-server *") || span_find(o.raw, "\"TACPLUS\": {"));
	}
	assert_true(masked >= 2);	/* both systems were asked for what holds secrets */
	obs_done(&o);
	replay_close(r);
}

static void a_link_is_not_followed_to_record(void **state)
{
	char link[80], victim[80];
	struct run r;
	struct stat st;

	(void)state;
	snprintf(link, sizeof(link), "%s/link.db", dir);
	snprintf(victim, sizeof(victim), "%s/victim", dir);
	assert_int_equal(symlink(victim, link), 0);
	r = LAB_FABCON(&lab, "--no-agent", "--for", "1s", "--timeout", "1s", "record", link);
	assert_true(r.code != 0);
	assert_non_null(strstr(r.err.text, "link"));
	assert_int_equal(stat(victim, &st), -1);
	unlink(link);
	run_done(&r);
}

static void an_imported_inventory_is_its_owners_and_never_overwrites(void **state)
{
	char path[128];
	struct stat st;
	struct run r;

	(void)state;
	setenv("XDG_CONFIG_HOME", dir, 1);
	r = LAB_FABCON(&lab, "inventory", "import");
	assert_int_equal(r.code, 0);
	run_done(&r);
	snprintf(path, sizeof(path), "%s/fabcon/inventory.yml", dir);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	r = LAB_FABCON(&lab, "inventory", "import");
	assert_int_equal(r.code, EXIT_USAGE);
	assert_non_null(strstr(r.err.text, "already exists"));
	run_done(&r);
	unlink(path);
	snprintf(path, sizeof(path), "%s/fabcon", dir);
	rmdir(path);
	unsetenv("XDG_CONFIG_HOME");
}

static int begin(void **state)
{
	char command[256];

	(void)state;
	if (!mkdtemp(dir) || !LAB(&lab, "--nodes", "1", "--rails", "2", "--leaves", "2", "--switch-os", "mixed"))
		return -1;
	snprintf(recording, sizeof(recording), "%s/session.db", dir);
	snprintf(command, sizeof(command), "ssh-keygen -q -p -P '' -N %s -f %s/client_key", PASSPHRASE, lab.dir);
	return system(command);
}

static int end(void **state)
{
	static const char *const after[] = { "", "-wal", "-shm" };
	char path[80];

	(void)state;
	lab_stop(&lab);
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s%s", recording, after[i]);
		unlink(path);
	}
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_session_keeps_no_secret),
		cmocka_unit_test(while_somebody_is_asked_ctrl_c_ends_it_and_time_stands_still),
		cmocka_unit_test(a_link_is_not_followed_to_record),
		cmocka_unit_test(an_imported_inventory_is_its_owners_and_never_overwrites),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
