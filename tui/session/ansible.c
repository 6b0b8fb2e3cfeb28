#include "tui/session/ansible.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/session/child.h"

#define SECONDS_MAX	60

static bool is_there(const char *path)
{
	return path && access(path, R_OK) == 0;
}

/* "." when everybody may write there: Ansible does not trust a file of that folder. */
static bool is_open_to_all(const char *folder)
{
	struct stat st;

	return stat(folder, &st) == 0 && (st.st_mode & S_IWOTH);
}

static char *folder_of(const char *path)
{
	struct stat st;
	const char *slash = strrchr(path, '/');

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return xstrdup(path);
	return slash ? xstrndup(path, slash > path ? (size_t)(slash - path) : 1) : xstrdup(".");
}

char *ansible_config(const char *inventory)
{
	const char *named = getenv("ANSIBLE_CONFIG"), *home = getenv("HOME");
	struct stat st;
	char *path, *folder;

	if (named && *named) {
		path = stat(named, &st) == 0 && S_ISDIR(st.st_mode) ? xasprintf("%s/ansible.cfg", named) : xstrdup(named);
		if (is_there(path))
			return path;
		free(path);
	}
	if (!is_open_to_all(".") && is_there("ansible.cfg"))
		return xstrdup("ansible.cfg");
	path = xasprintf("%s/.ansible.cfg", home ? home : "");
	if (home && is_there(path))
		return path;
	free(path);
	if (is_there("/etc/ansible/ansible.cfg"))
		return xstrdup("/etc/ansible/ansible.cfg");
	folder = folder_of(inventory);
	path = xasprintf("%s/ansible.cfg", folder);
	if (is_open_to_all(folder) || !is_there(path)) {
		free(path);
		path = NULL;
	}
	free(folder);
	return path;
}

/* ansible-inventory */

/* What it complained of, as one line: the last lines say why. */
static const char *last_words(struct buf *err)
{
	size_t from = err->n > 300 ? err->n - 300 : 0;

	for (size_t i = 0; i < err->n; i++)
		if (err->text[i] == '\n')
			err->text[i] = ' ';
	return err->n ? err->text + from : "it printed nothing";
}

static bool run(const char *const *argv, char **env, struct buf *out, struct err *err)
{
	struct buf words = { 0 };
	int status;
	bool ok = child_run(&(struct child){ .argv = argv, .env = env, .limit_s = SECONDS_MAX }, out, &words, &status);

	if (status == -1)
		err_set(err, "%s: %s; run it where it is installed: %s --list %s >hosts.json, then fabcon -i hosts.json", argv[0],
			strerror(errno), argv[0], argv[2]);
	else if (!ok)
		err_set(err, "%s did not end within %d s", argv[0], SECONDS_MAX);
	else if (status != 0)
		ok = err_set(err, "%s failed: %s", argv[0], last_words(&words));
	else if (strstr(words.text ? words.text : "", "Unable to parse"))	/* it goes on without that file, and ends well */
		ok = err_set(err, "%s failed: %s", argv[0], last_words(&words));
	buf_done(&words);
	return ok;
}

/* The environment, with ANSIBLE_CONFIG as it is to be. */
static char **environment(const char *config)
{
	size_t n = 0, k = 0;
	char **env;

	while (environ[n])
		n++;
	env = xcalloc(n + 2, sizeof(*env));
	for (size_t i = 0; i < n; i++)
		if (!config || strncmp(environ[i], "ANSIBLE_CONFIG=", 15) != 0)
			env[k++] = xstrdup(environ[i]);
	if (config)
		env[k++] = xasprintf("ANSIBLE_CONFIG=%s", config);
	return env;
}

bool ansible_inventory(const char *const *sources, size_t n, const char *config, struct buf *out, struct err *err)
{
	char **env = environment(config);
	const char **argv = xcalloc(n + 3, sizeof(*argv));
	size_t k = 0;
	bool ok;

	argv[k++] = "ansible-inventory";
	argv[k++] = "--list";
	for (size_t i = 0; i < n; i++)
		argv[k++] = xasprintf("--inventory=%s", sources[i]);
	ok = run(argv, env, out, err);
	for (size_t i = 0; env[i]; i++)
		free(env[i]);
	free(env);
	for (size_t i = 2; i < k; i++)
		free((char *)argv[i]);
	free(argv);
	return ok;
}
