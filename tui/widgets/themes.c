#include "tui/widgets/themes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tui/text/files.h"

#define THEME_MAX_BYTES 65536u
#define ENDING ".theme"
#define NAMES_MAX 256

enum ground ground_of_terminal(void)
{
	const char *said = getenv("COLORFGBG"), *last = said ? strrchr(said, ';') : NULL;
	uint64_t n;

	if (!last || !span_u64(span_of(last + 1), &n))
		return GROUND_DARK;
	return n == 7 || (n > 8 && n < 16) ? GROUND_LIGHT : GROUND_DARK;
}

static bool is_name(struct span name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", name.p[i]))
			return false;
	return name.n > 0 && name.n < 32;
}

/* "/usr/bin/fabcon" has its themes in /usr/share/fabcon/themes. */
static char *installed_folder(void)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (n <= 0)
		return NULL;
	self[n] = '\0';
	for (int up = 0; up < 2; up++) {
		slash = strrchr(self, '/');
		if (!slash)
			return NULL;
		*slash = '\0';
	}
	return xasprintf("%s/share/fabcon/themes", self);
}

/* A file of that name in a folder; *is_there: there is one, whether it can be used or not. */
static bool read_from(char *folder, const char *name, struct theme *t, bool *is_there, struct err *err)
{
	char *path = folder ? xasprintf("%s/%s" ENDING, folder, name) : NULL;
	struct buf text = { 0 };
	bool ok = false;

	*is_there = path && access(path, F_OK) == 0;
	if (*is_there)
		ok = file_read(path, &text, err) &&
		     (text.n <= THEME_MAX_BYTES || err_set(err, "%s: larger than 64 KiB", path)) &&
		     theme_read(t, buf_span(&text), path, err);
	if (ok)
		snprintf(t->name, sizeof(t->name), "%s", name);
	buf_done(&text);
	free(path);
	free(folder);
	return ok;
}

static bool say_unknown(const char *name, struct err *err)
{
	struct theme_names names = { 0 };
	struct buf list = { 0 };

	themes_list(&names);
	for (size_t i = 0; i < names.n; i++)
		buf_printf(&list, " %s", names.list[i]);
	err_set(err, "no theme \"%.40s\"; there are%.300s", name, list.text);
	buf_done(&list);
	themes_list_done(&names);
	return false;
}

bool themes_find(struct theme *t, const char *name, struct err *err)
{
	bool is_there, ok;

	if (!strcmp(name, "auto"))
		name = ground_of_terminal() == GROUND_LIGHT ? "light" : "dark";
	if (!is_name(span_of(name)))
		return say_unknown(name, err);
	ok = read_from(config_path("themes"), name, t, &is_there, err);
	if (!is_there)
		ok = read_from(installed_folder(), name, t, &is_there, err);
	if (is_there)
		return ok;
	return theme_find(t, name, NULL) || say_unknown(name, err);
}

static void add_name(struct theme_names *names, struct span name)
{
	for (size_t i = 0; i < names->n; i++)
		if (span_is(name, names->list[i]))
			return;
	if (names->n == NAMES_MAX)
		return;
	*GROW(names->list, names->n, names->cap) = xstrndup(name.p, name.n);
	names->n++;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_files(struct theme_names *names, char *folder)
{
	struct dirent **files = NULL;
	int n = folder ? scandir(folder, &files, NULL, by_name) : -1;

	for (int i = 0; i < n; i++) {
		struct span file = span_of(files[i]->d_name), name = { file.p, file.n - strlen(ENDING) };

		if (file.n > strlen(ENDING) && !strcmp(file.p + name.n, ENDING) && is_name(name))
			add_name(names, name);
		free(files[i]);
	}
	free(files);
	free(folder);
}

void themes_list(struct theme_names *out)
{
	add_name(out, SPAN("auto"));
	for (size_t i = 0; theme_name(i); i++)
		add_name(out, span_of(theme_name(i)));
	add_files(out, config_path("themes"));
	add_files(out, installed_folder());
}

void themes_list_done(struct theme_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->list[i]);
	free(names->list);
	memset(names, 0, sizeof(*names));
}

const char *themes_next(const char *name)
{
	static char next[32];
	struct theme_names names = { 0 };
	size_t i = 0;

	themes_list(&names);
	while (i < names.n && strcmp(names.list[i], name))
		i++;
	snprintf(next, sizeof(next), "%s", names.list[i + 1 < names.n ? i + 1 : 0]);
	themes_list_done(&names);
	return next;
}
