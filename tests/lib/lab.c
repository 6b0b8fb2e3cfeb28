#include "tests/lib/lab.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGS_MAX 64

/* head, then args, then NULL. */
static void join(const char **to, const char *const *head, size_t n_head, const char *const *args)
{
	size_t n = 0;

	for (size_t i = 0; i < n_head; i++)
		to[n++] = head[i];
	while (*args && n < ARGS_MAX - 1)
		to[n++] = *args++;
	to[n] = NULL;
}

static bool wait_ready(int fd)
{
	char line[256] = "";
	size_t n = 0;

	while (n < sizeof(line) - 1 && read(fd, line + n, 1) == 1 && line[n] != '\n')
		n++;
	close(fd);
	return strncmp(line, "READY ", 6) == 0;
}

static bool start(struct lab *lab, const char *const *head, size_t n_head, const char *const *args)
{
	const char *argv[ARGS_MAX];
	int ready[2];

	snprintf(lab->dir, sizeof(lab->dir), "%s/fabcon-lab.XXXXXX", "/tmp");
	if (!mkdtemp(lab->dir) || pipe(ready) != 0)
		return false;
	snprintf(lab->inventory, sizeof(lab->inventory), "%s/inventory.yml", lab->dir);
	join(argv, (const char *const[]){ "fabcon-lab", "--dir", lab->dir, "--for", "3600" }, 5, head);
	join(argv + 5 + n_head, NULL, 0, args);
	fflush(NULL);
	lab->pid = fork();
	if (lab->pid == 0) {
		int log = open("/dev/null", O_WRONLY);

		/* Each of its shells is a session, to which the kernel (autogroup) gives as much time as to all of ours. */
		setsid();
		prctl(PR_SET_PDEATHSIG, SIGTERM);	/* a Ctrl-C of the test's no longer reaches it */
		dup2(ready[1], STDOUT_FILENO);
		if (!getenv("LAB_LOG"))
			dup2(log, STDERR_FILENO);
		execv(program_path(argv[0]), (char *const *)argv);
		_exit(127);
	}
	close(ready[1]);
	if (wait_ready(ready[0]))
		return true;
	lab_stop(lab);
	return false;
}

bool lab_start(struct lab *lab, const char *const *args)
{
	const char *seed = getenv("LAB_NASTY");

	if (seed && *seed)
		return lab_start_nasty(lab, (unsigned)strtoul(seed, NULL, 10), "20", args);
	return start(lab, (const char *const[]){ "--tidy", NULL }, 1, args);
}

bool lab_start_nasty(struct lab *lab, unsigned seed, const char *pace, const char *const *args)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", seed);
	return start(lab, (const char *const[]){ "--seed", number, "--pace", pace, NULL }, 4, args);
}

struct run lab_ctl(const struct lab *lab, const char *const *args)
{
	const char *argv[ARGS_MAX];

	join(argv, (const char *const[]){ "fabcon-lab", "ctl", "--dir", lab->dir }, 4, args);
	return run_program(argv, NULL);
}

struct run lab_fabcon(const struct lab *lab, const char *const *args)
{
	const char *argv[ARGS_MAX];

	join(argv, (const char *const[]){ "fabcon", "-i", lab->inventory, "--no-input", "-q", "--timeout", "2m" }, 7, args);
	return run_program(argv, NULL);
}

static unsigned port_of(const struct lab *lab, const char *device)
{
	char line[256], wanted[96];
	FILE *file = fopen(lab->inventory, "r");
	unsigned port = 0;
	bool is_here = false;

	snprintf(wanted, sizeof(wanted), "        %s:\n", device);
	while (file && !port && fgets(line, sizeof(line), file)) {
		is_here = is_here || !strcmp(line, wanted);
		if (is_here)
			sscanf(line, " ansible_port: %u", &port);
	}
	if (file)
		fclose(file);
	return port;
}

#define LATE_LOAD 4	/* for each processor */

bool lab_is_late(void)
{
	double load;

	return getloadavg(&load, 1) == 1 && load > LATE_LOAD * (double)sysconf(_SC_NPROCESSORS_ONLN);
}

const char *lab_tell(const struct lab *lab, const char *device, const char *script)
{
	return lab_tell_for(lab, device, script, 120);
}

/* ssh with these words, on the text. */
static const char *speak(const struct lab *lab, const char *device, const char *user, const char *words,
			 const char *input, unsigned patience_s)
{
	static char text[1 << 17];
	char line[1024], path[96];
	FILE *pipe, *file;
	size_t n;

	snprintf(path, sizeof(path), "%s/script", lab->dir);
	file = fopen(path, "w");
	fputs(input, file);
	fclose(file);
	snprintf(line, sizeof(line), "timeout %u ssh -F none -o BatchMode=yes -o UserKnownHostsFile=%s/known_hosts "
		 "-o IdentitiesOnly=yes -o StrictHostKeyChecking=yes -o LogLevel=QUIET -o ConnectTimeout=5 -i %s/client_key "
		 "-p %u %s@127.0.0.1 %s <%s 2>&1", patience_s, lab->dir, lab->dir, port_of(lab, device), user, words, path);
	pipe = popen(line, "r");
	n = fread(text, 1, sizeof(text) - 1, pipe);
	text[n] = '\0';
	pclose(pipe);
	return text;
}

const char *lab_tell_for(const struct lab *lab, const char *device, const char *script, unsigned patience_s)
{
	return speak(lab, device, "root", "/bin/sh -s", script, patience_s);
}

const char *lab_type(const struct lab *lab, const char *device, const char *lines)
{
	return speak(lab, device, "admin", "-tt", lines, 60);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

void lab_stop(struct lab *lab)
{
	if (lab->pid > 0) {
		kill(lab->pid, SIGTERM);
		waitpid(lab->pid, NULL, 0);
	}
	nftw(lab->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	lab->pid = 0;
}
