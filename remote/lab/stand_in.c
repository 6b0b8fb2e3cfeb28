/*
 * fabcon-lab-stand-in: a tool of a simulated device, by the name that it is called by. It asks the lab, and says what it is
 * answered. A program apart from fabcon-lab because it starts a hundred times a second: it needs the C library alone, and is linked
 * statically where that can be, which halves what a start takes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "remote/lab/server/busybox.h"
#include "remote/lab/server/ctl.h"
#include "remote/lab/server/launch.h"

/* sudo is not asked for a password here: it runs what follows its options. */
static bool is_trapped(const char *kind)
{
	const char *trap = getenv("LAB_TRAP");

	return trap && !strcmp(trap, kind);
}

static int run_sudo(char **argv)
{
	if (is_trapped("no-sudo")) {
		fprintf(stderr, "sudo: a password is required\n");
		return 1;
	}
	while (*argv && **argv == '-')
		argv++;
	if (!*argv)
		return 1;
	setenv("USER", "root", 1);
	launch(argv);
	fprintf(stderr, "sudo: %s: command not found\n", *argv);
	return 1;
}

/* Tools whose last argument is a file, after these subcommands. */
static const struct {
	const char *tool, *verb;
} readers[] = {
	{ "config", "apply-patch" },
	{ "config", "replace" },
};

static bool reads_file(int argc, char **argv)
{
	for (size_t i = 0; argc > 2 && i < sizeof(readers) / sizeof(*readers); i++)
		if (!strcmp(argv[0], readers[i].tool) && !strcmp(argv[1], readers[i].verb))
			return true;
	return false;
}

/* Tools that go on until something ends them. */
static bool goes_on(const char *name)
{
	static const char *const names[] = { "ib_write_bw", "ib_read_bw", "ib_write_lat", "rping", "ibv_rc_pingpong", "iperf3" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/*
 * A file that the tool is to read is read here, where its path means what it means to the device's shell: its text
 * becomes the last word. A file that cannot be read adds none.
 */
static void add_file(int argc, char **argv, struct buf *text, char **words)
{
	char bytes[4096], room[4096];
	FILE *file = reads_file(argc, argv) ? fopen(launch_path(argv[argc - 1], room, sizeof(room)), "re") : NULL;
	size_t n;

	if (!file)
		return;
	buf_str(text, "");
	while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		buf_add(text, bytes, n);
	fclose(file);
	words[argc] = text->text;
	words[argc + 1] = NULL;
}

/* This machine's program, past fakechroot, where the path leads to this very program. */
static int run_own(char **argv, const char *path)
{
	syscall(SYS_execve, path, argv, environ);
	fprintf(stderr, "%s: not found\n", argv[0]);
	return 127;
}

/* This machine's own, where the device has it. */
static int run_setsid(char **argv)
{
	if (!is_trapped("no-timer"))
		return run_own(argv, "/usr/bin/setsid");
	fprintf(stderr, "%s: not found\n", argv[0]);
	return 127;
}

static int run_busybox(const char *name, char **argv)
{
	int status = busybox_refusal(name, argv);
	char path[64];

	snprintf(path, sizeof(path), "/usr/bin/%s", name);
	return status ? status : run_own(argv, path);
}

/* In a configfs the kernel answers, which is the lab; elsewhere this machine's own does it, in the device's view. */
static bool is_of_configfs(int argc, char **argv)
{
	return argc > 1 && !strncmp(argv[argc - 1], "/sys/kernel/config/", 19);
}

int main(int argc, char **argv)
{
	const char *node = getenv("LAB_NODE"), *user = getenv("USER"), *name = strrchr(argv[0], '/');
	struct buf text = { NULL };
	char first[128], **words;
	int status;

	name = name ? name + 1 : argv[0];
	if (!strcmp(name, "sudo"))
		return run_sudo(argv + 1);
	if (!strcmp(name, "setsid"))
		return run_setsid(argv);
	if (!strcmp(name, "timeout"))
		return launch_can_limit(argv) ? launch_limited(argv) : run_own(argv, "/usr/bin/timeout");
	if (!strcmp(name, "mkdir") && !is_of_configfs(argc, argv))
		return run_own(argv, "/usr/bin/mkdir");
	if (!strcmp(name, "rmdir") && !is_of_configfs(argc, argv))
		return run_own(argv, "/usr/bin/rmdir");
	if (busybox_has(name))
		return run_busybox(name, argv);
	snprintf(first, sizeof(first), "%s %s", user && strcmp(user, "root") ? "user" : "tool", node ? node : "");
	argv[0] = (char *)name;
	words = xcalloc((size_t)argc + 2, sizeof(*words));
	memcpy(words, argv, ((size_t)argc + 1) * sizeof(*words));
	add_file(argc, argv, &text, words);
	status = (goes_on(name) ? ctl_ask_staying : ctl_ask)(getenv("LAB_SOCKET"), first, words);
	free(words);
	buf_done(&text);
	return status;
}
