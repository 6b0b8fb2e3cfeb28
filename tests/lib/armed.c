#include "tests/lib/armed.h"

#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/say.h"

char dir[64];
const char *shell = "/bin/sh";

/* -- a device -- */

void put(const char *name, const char *text, mode_t mode)
{
	char path[160];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	chmod(path, mode);
}

bool is_there(const char *name)
{
	struct stat st;
	char path[200];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return lstat(path, &st) == 0;
}

void uptime_is(unsigned s)
{
	char text[64];

	snprintf(text, sizeof(text), "%u.52 99.10\n", s);
	put("uptime", text, 0644);
}

void device(void)
{
	char path[96];

	snprintf(dir, sizeof(dir), "/tmp/fabcon-arm.XXXXXX");
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/bin", dir);
	mkdir(path, 0755);
	uptime_is(1000);
	put("boot_id", "11111111-2222-4333-8444-555555555555\n", 0644);
	put("bin/id", "#!/bin/sh\necho 0\n", 0755);
	put("bin/systemctl", "#!/bin/sh\necho inactive\nexit 3\n", 0755);
	put("bin/systemd-run", "#!/bin/sh\nexit 127\n", 0755);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st, (void)kind, (void)where;
	return remove(path);
}

void device_gone(void)
{
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void replace(struct buf *text, const char *what, const char *by)
{
	struct buf out = { NULL };
	struct span rest = buf_span(text);
	const char *at;

	while (rest.n && (at = span_find(rest, what)) != NULL) {
		buf_add(&out, rest.p, at - rest.p);
		buf_str(&out, by);
		rest = (struct span){ at + strlen(what), rest.n - (at - rest.p) - strlen(what) };
	}
	buf_add(&out, rest.p, rest.n);
	buf_done(text);
	*text = out;
}

/* The device's own files in the place of this machine's, and the shell that is tried. */
void localise(struct buf *script)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/run", dir);
	replace(script, "/run/fabcon", path);
	snprintf(path, sizeof(path), "%s/uptime", dir);
	replace(script, "/proc/uptime", path);
	snprintf(path, sizeof(path), "%s/boot_id", dir);
	replace(script, "/proc/sys/kernel/random/boot_id", path);
	if (strcmp(shell, "/bin/sh"))
		replace(script, "/bin/sh", shell);
}

pid_t begin_script(struct buf *script, int *out)
{
	char path[200], name[160];
	int pipes[2], file;
	pid_t pid;

	snprintf(name, sizeof(name), "%s/script.XXXXXX", dir);
	file = mkstemp(name);
	assert_true(file >= 0 && write(file, script->text, script->n) == (ssize_t)script->n);
	assert_int_equal(lseek(file, 0, SEEK_SET), 0);
	unlink(name);
	assert_int_equal(pipe(pipes), 0);
	snprintf(path, sizeof(path), "%s/bin:/usr/sbin:/usr/bin:/sbin:/bin", dir);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		dup2(file, 0);
		dup2(pipes[1], 1);
		dup2(pipes[1], 2);
		close(pipes[0]);
		close(pipes[1]);
		close(file);
		setenv("PATH", path, 1);
		execlp(shell, shell, "-s", (char *)NULL);
		_exit(127);
	}
	close(file);
	close(pipes[1]);
	*out = pipes[0];
	return pid;
}

int end_script(pid_t pid, int out, struct buf *said)
{
	char bytes[4096];
	ssize_t n;
	int status;

	while ((n = read(out, bytes, sizeof(bytes))) > 0)
		buf_add(said, bytes, n);
	close(out);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Says the script, which is used up; the status, and (said not NULL) what it printed. */
int say(struct buf *script, struct buf *said)
{
	struct buf mine = { NULL };
	pid_t pid;
	int out, status;

	localise(script);
	pid = begin_script(script, &out);
	status = end_script(pid, out, said ? said : &mine);
	buf_done(&mine);
	buf_done(script);
	return status;
}

/* -- a plan -- */

struct fix_plan plan_of(const char *id, const char *const *undo)
{
	struct fix_plan p;
	struct fix_step *s;

	fix_plan_init(&p);
	p.id = id;
	s = GROW(p.steps, p.n_steps, p.cap_steps);
	p.n_steps++;
	s->device = "node1";
	s->platform = "linux";
	for (; *undo; undo++) {
		const char **line = GROW(s->undo.list, s->undo.n, s->undo.cap);

		*line = arena_text(&p.arena, *undo, strlen(*undo));
		s->undo.n++;
	}
	return p;
}

const char *at(const char *format, ...)
{
	static char texts[8][300];
	static unsigned which;
	char *text = texts[which++ % 8];
	va_list args;

	va_start(args, format);
	vsnprintf(text, 300, format, args);
	va_end(args);
	return text;
}

void ask_for(enum what what, const struct fix_plan *p, const char *owner, unsigned undo_s, struct buf *script)
{
	switch (what) {
	case LOOK:	device_undo_look(p, 0, BY(owner), script); break;
	case SET:	device_undo_set(p, 0, BY(owner), undo_s, script); break;
	case KEEP:	device_undo_keep(p, 0, BY(owner), script); break;
	case CANCEL:	device_undo_cancel(p, 0, BY(owner), script); break;
	case KEEP_AND_HOLD: device_undo_keep_and_hold(p, 0, BY(owner), script); break;
	case UNDO:	device_undo_undo(p, 0, BY(owner), script); break;
	case RELEASE:	device_undo_release(p, 0, BY(owner), script); break;
	}
}

struct device_undo_report ask(enum what what, const struct fix_plan *p, const char *owner, unsigned undo_s)
{
	struct buf script = { NULL }, said = { NULL };
	struct device_undo_report r;

	ask_for(what, p, owner, undo_s, &script);
	say(&script, &said);
	if (what == SET)	/* as if its first line had begun */
		(void)!symlink("yes", at("%s/run/%s.1/begun", dir, p->id));
	device_undo_read(buf_span(&said), &r);
	if (!r.is_understood)
		fail_msg("could not be parsed: %s", said.text ? said.text : "(nothing)");
	assert_false(r.is_kept && r.is_undone);
	buf_done(&said);
	return r;
}

/* Looks until the step is taken back. */
struct device_undo_report wait_undone(const struct fix_plan *p)
{
	time_t give_up = time(NULL) + 30;
	struct device_undo_report r;

	do {
		usleep(50000);
		r = ask(LOOK, p, ALICE, 0);
	} while (!r.is_undone && time(NULL) < give_up);
	assert_true(r.is_undone);
	return r;
}

unsigned arm_times(void)
{
	const char *text = getenv("FABCON_TIMES");
	unsigned long n = text ? strtoul(text, NULL, 10) : 1;

	return n ? n : 1;
}
