#include "tests/lib/ssh_here.h"

#include "tests/lib/say.h"

#include <glob.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/run.h"

struct ssh_here ssh_here;

/* -- what ssh_config is asked through -- */

static enum ssh_file_is read_file(void *ctx, const char *path, bool is_checked, struct buf *text, struct err *why)
{
	size_t n;
	char *all = file_text(path, &n);

	(void)ctx, (void)is_checked, (void)why;
	if (!all)
		return SSH_FILE_NONE;
	buf_add(text, all, n);
	free(all);
	return SSH_FILE_READ;
}

static bool list_files(void *ctx, const char *pattern, struct buf *paths)
{
	glob_t found = { 0 };
	int code = glob(pattern, GLOB_TILDE, NULL, &found);

	(void)ctx;
	for (size_t i = 0; code == 0 && i < found.gl_pathc; i++)
		buf_printf(paths, "%s\n", found.gl_pathv[i]);
	globfree(&found);
	return code == 0 || code == GLOB_NOMATCH;
}

static enum ssh_ran run(void *ctx, const char *place, const char *written, const char *command, struct err *why)
{
	struct ssh_here *h = ctx;
	int status;

	(void)place, (void)written, (void)why;
	if (!h->is_allowed)
		return SSH_RAN_NOT_ALLOWED;
	h->ran++;
	status = system(command);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? SSH_RAN_YES : SSH_RAN_NO;
}

static const char *environment(void *ctx, const char *name)
{
	(void)ctx;
	return getenv(name);
}

static bool has_file(void *ctx, const char *path)
{
	(void)ctx;
	return access(path, F_OK) == 0;
}

static const char *home_of(void *ctx, const char *user)
{
	const struct passwd *pw = getpwnam(user);

	(void)ctx;
	return pw ? pw->pw_dir : NULL;
}

struct ssh_source ssh_here_source(void)
{
	return (struct ssh_source){ .ctx = &ssh_here, .user = ssh_here.user, .home = ssh_here.home, .machine = ssh_here.machine, .uid = getuid(),
				    .read = read_file, .list = list_files, .run = run, .env = environment, .has = has_file,
				    .home_of = home_of };
}

int ssh_here_open(void **state)
{
	const struct passwd *pw = getpwuid(getuid());

	(void)state;
	snprintf(ssh_here.dir, sizeof(ssh_here.dir), "/tmp/fabcon-route-XXXXXX");
	if (!mkdtemp(ssh_here.dir) || gethostname(ssh_here.machine, sizeof(ssh_here.machine) - 1) != 0)
		return -1;
	snprintf(ssh_here.shorter, sizeof(ssh_here.shorter), "%.*s", (int)strcspn(ssh_here.machine, "."), ssh_here.machine);
	snprintf(ssh_here.uid, sizeof(ssh_here.uid), "%u", (unsigned)getuid());
	ssh_here.user = xstrdup(pw ? pw->pw_name : "nobody");
	ssh_here.home = xstrdup(pw ? pw->pw_dir : "/");
	return 0;
}

int ssh_here_close(void **state)
{
	(void)state;
	const struct run r = RUN("/bin/rm", "-r", ssh_here.dir);

	run_done((struct run *)&r);
	free((char *)ssh_here.user);
	free((char *)ssh_here.home);
	return 0;
}

const char *ssh_here_path(const char *name)
{
	static char path[8][256];
	static unsigned next;
	char *p = path[next++ % 8];

	snprintf(p, sizeof(path[0]), "%s/%s", ssh_here.dir, name);
	return p;
}

void ssh_here_write(const char *name, const char *text, size_t n)
{
	FILE *f = fopen(ssh_here_path(name), "w");

	assert_non_null(f);
	if (n)
		fwrite(text, 1, n, f);
	fclose(f);
	chmod(ssh_here_path(name), 0600);
}

void ssh_here_write_text(const char *name, const char *text)
{
	ssh_here_write(name, text, strlen(text));
}

bool ssh_here_has_ssh(void)
{
	return access(SSH, X_OK) == 0;
}
