#include "tui/fixing/write_mode.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <uv.h>

#include "remote/ssh/clock.h"
#include "tui/text/files.h"
#include "tui/text/safe.h"

/* -- the signature -- */

static const char *user(void)
{
	static char name[64];
	const struct passwd *pw = getpwuid(getuid());
	const char *sudo = getenv("SUDO_USER");

	if (pw && getuid() == 0 && sudo && *sudo)	/* root is nobody in particular */
		snprintf(name, sizeof(name), "%.40s (sudo)", sudo);
	else if (pw)
		snprintf(name, sizeof(name), "%.60s", pw->pw_name);
	else
		snprintf(name, sizeof(name), "uid %u", (unsigned)getuid());
	return name;
}

static const char *machine(void)
{
	static char name[64];

	if (gethostname(name, sizeof(name)) != 0)
		snprintf(name, sizeof(name), "?");
	name[sizeof(name) - 1] = '\0';
	return name;
}

/* The first digits of this boot's id: the monotonic times of an entry are of that boot. */
static void boot(char out[9])
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, out, 8) != 8)
		snprintf(out, 9, "?");
	out[8] = '\0';
	if (fd >= 0)
		close(fd);
}

const char *audit_owner(void)
{
	static char text[160];

	snprintf(text, sizeof(text), "%s@%s pid %d", user(), machine(), (int)getpid());
	return text;
}

void audit_sign(struct audit_entry *e)
{
	static char from[128];
	char id[9];

	boot(id);
	snprintf(from, sizeof(from), "%s pid %d boot %s", machine(), (int)getpid(), id);
	e->at_us = clock_us();
	e->mono_us = (int64_t)(uv_hrtime() / 1000);
	e->who = user();
	e->from = from;
}

/* -- the file -- */

const char *audit_path(void)
{
	static char *path;

	free(path);
	return path = data_path("audit.db");
}

struct audit *audit_of_user(bool for_writing, struct err *err)
{
	const char *path = audit_path();

	if (!path)
		err_set(err, "no directory for the audit: HOME is not set");
	return !path ? NULL : for_writing ? audit_open(path, err) : audit_read(path, err);
}

/* -- arming -- */

const char *write_mode_forbidden(bool is_replay, bool is_read_only, const struct policy *policy)
{
	const char *only = getenv("FABCON_RO");

	if (is_replay)
		return "a replay is read-only";
	if (only && strcmp(only, "0") != 0)
		return "FABCON_RO is set: fabcon is read-only";
	if (is_read_only)
		return "read-only is set (fabcon config show lists where)";
	return policy ? policy_read_only(policy) : NULL;
}

static bool tell(const char *kind, const char *text, struct err *err)
{
	struct audit *a = audit_of_user(true, err);
	struct audit_entry e = { .step = -1, .kind = kind, .text = text };
	bool done = false;

	if (a) {
		audit_sign(&e);
		done = audit_add(a, &e, err);
	}
	audit_close(a);
	return done;
}

/* A person's words, made harmless and one line. */
static char *plain(const char *reason)
{
	struct buf safe = { 0 };

	safe_add(&safe, span_trim(span_of(reason ? reason : "")), false);
	return safe.text ? safe.text : xstrdup("");
}

bool write_mode_begin(struct write_mode *a, const char *reason, struct err *err)
{
	struct write_permit *permit;
	char *words;

	if (a->forbidden)
		return err_set(err, "%s", a->forbidden);
	words = plain(reason);
	permit = write_permit_new(words, 0, err);
	if (permit && !tell("arm", words, err)) {
		write_permit_free(permit);
		permit = NULL;
	}
	free(words);
	if (!permit)
		return false;
	write_permit_free(a->permit);
	a->permit = permit;
	return true;
}

void write_mode_end(struct write_mode *a)
{
	if (!a->permit)
		return;
	tell("disarm", write_permit_left_us(a->permit) > 0 ? write_permit_reason(a->permit) : "its time expired", NULL);
	write_permit_free(a->permit);
	a->permit = NULL;
}

int64_t write_mode_left_us(const struct write_mode *a)
{
	return a->forbidden ? 0 : write_permit_left_us(a->permit);
}
