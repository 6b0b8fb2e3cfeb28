#include "tui/session/hosts.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/inventory/draft.h"
#include "tui/session/ansible.h"
#include "tui/args/consent.h"
#include "tui/session/ssh_files.h"
#include "tui/text/files.h"
#include "tui/text/safe.h"

#define FOLDERS_MAX	8	/* within one another */

/* The names, taken apart: files and folders, and what was typed. */
struct loading {
	struct draft *d;
	const char *names;
	const char **paths;
	size_t n_paths, cap_paths;
	struct buf words;
	struct err *err;
};

/* -- sources -- */

static bool ends_with(const char *name, const char *ending)
{
	size_t n = strlen(name), k = strlen(ending);

	return n > k && !strcmp(name + n - k, ending);
}

/* No host is called so. */
static bool is_file_name(const char *name)
{
	static const char *const endings[] = { ".yml", ".yaml", ".json", ".ini", ".csv", ".txt" };

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (ends_with(name, endings[i]))
			return true;
	return strchr(name, '/') && strncasecmp(name, "ssh://", 6) != 0 && !strchr(name, '[');
}

static void add_path(struct loading *l, const char *path)
{
	char *typed = typed_path(path);

	*GROW(l->paths, l->n_paths, l->cap_paths) = draft_keep(l->d, span_of(typed));
	l->n_paths++;
	free(typed);
}

/* What was typed, blanks between: each is a host, unless it can only be a file. */
static void add_words(struct loading *l, struct span words)
{
	struct span word;

	while (span_word(&words, &word)) {
		char *copy = xstrndup(word.p, word.n);

		if (is_file_name(copy))
			add_path(l, copy);
		else
			buf_printf(&l->words, "%s%s", l->words.n ? " " : "", copy);
		free(copy);
	}
}

static void take_names(struct loading *l, struct span names)
{
	struct span line;

	while (span_line(&names, &line)) {
		char *copy = xstrndup(line.p, line.n), *path = typed_path(copy);

		if (*copy != ' ' && (!strcmp(copy, "-") || access(path, F_OK) == 0))
			add_path(l, copy);
		else
			add_words(l, line);
		free(path);
		free(copy);
	}
}

/* -- reading -- */

/* Standard input is read once, however often the hosts are loaded. */
static bool read_input(struct buf *text, struct err *err)
{
	static struct buf input;
	static bool is_read;

	if (!is_read && !file_read("-", &input, err))
		return false;
	is_read = true;
	buf_add(text, input.text ? input.text : "", input.n);
	return true;
}

static bool read_file(struct loading *l, const char *path)
{
	struct buf text = { 0 };
	bool is_input = !strcmp(path, "-"), ok;

	ok = (is_input ? read_input(&text, l->err) : file_read(path, &text, l->err)) &&
	     draft_read(l->d, buf_span(&text), is_input ? "standard input" : path, l->err);
	buf_done(&text);
	return ok;
}

/* What Ansible passes over in a folder: its ignored endings, hidden files, and folders of variables (inventory/manager.py). */
static int is_read(const struct dirent *e)
{
	static const char *const endings[] = { ".pyc", ".pyo", ".swp", ".bak", "~", ".rpm", ".md", ".txt", ".rst", ".orig", ".ini",
					       ".cfg", ".retry" };
	static const char *const names[] = { "host_vars", "group_vars", "vars_plugins" };
	size_t n = strlen(e->d_name);

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (n >= strlen(endings[i]) && !strcmp(e->d_name + n - strlen(endings[i]), endings[i]))
			return 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(e->d_name, names[i]))
			return 0;
	return *e->d_name != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool read_source(struct loading *l, const char *path, unsigned depth)
{
	struct dirent **list = NULL;
	bool ok = true;
	int n;

	if (!is_folder(path))
		return read_file(l, path);
	if (depth == FOLDERS_MAX)
		return err_set(l->err, "%s: directories nested too deep", path);
	l->d->is_ansible = true;
	n = scandir(path, &list, is_read, by_bytes);
	if (n < 0)
		return err_set(l->err, "%s: cannot be listed", path);
	for (int i = 0; i < n; i++) {
		char *one = xasprintf("%s%s%s", path, ends_with(path, "/") ? "" : "/", list[i]->d_name);

		ok = ok && read_source(l, one, depth + 1);
		free(one);
		free(list[i]);
	}
	free(list);
	return ok;
}

/* group_vars/ and host_vars/ */

struct reading_vars {
	struct loading *l;
	struct draft_group *g;
	struct draft_host *h;
};

static bool read_vars_file(const struct reading_vars *v, const char *path)
{
	struct buf text = { 0 };
	bool ok = file_read(path, &text, v->l->err) && draft_vars(v->l->d, v->g, v->h, buf_span(&text), path, v->l->err);

	buf_done(&text);
	return ok;
}

static int is_vars_entry(const struct dirent *e)
{
	return *e->d_name != '.' && !ends_with(e->d_name, "~");
}

/* A folder of variables: by name, folders without an ending too (parsing/dataloader.py). */
static bool read_vars_folder(const struct reading_vars *v, const char *path, unsigned depth)
{
	struct dirent **list = NULL;
	int n = depth < FOLDERS_MAX ? scandir(path, &list, is_vars_entry, by_bytes) : -1;
	bool ok = n >= 0 || err_set(v->l->err, "%s: cannot be listed", path);

	for (int i = 0; i < n; i++) {
		const char *dot = strrchr(list[i]->d_name, '.');
		char *one = xasprintf("%s/%s", path, list[i]->d_name);
		bool is_dir = is_folder(one);

		if (ok && is_dir && !dot)
			ok = read_vars_folder(v, one, depth + 1);
		else if (ok && !is_dir && (!dot || !strcmp(dot, ".yml") || !strcmp(dot, ".yaml") || !strcmp(dot, ".json")))
			ok = read_vars_file(v, one);
		free(one);
		free(list[i]);
	}
	free(list);
	return ok;
}

/* NAME, NAME.yml, NAME.yaml, NAME.json: the first that is there. */
static bool read_vars_of(const struct reading_vars *v, const char *folder, const char *name)
{
	static const char *const endings[] = { "", ".yml", ".yaml", ".json" };
	bool ok = true, found = false;

	if (*name == '.' || strchr(name, '/'))
		return true;
	for (size_t i = 0; !found && i < sizeof(endings) / sizeof(*endings); i++) {
		char *path = xasprintf("%s/%s%s", folder, name, endings[i]);

		found = access(path, F_OK) == 0;
		if (found)
			ok = is_folder(path) ? read_vars_folder(v, path, 0) : read_vars_file(v, path);
		free(path);
	}
	return ok;
}

static bool read_vars_beside(struct loading *l, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *base = is_folder(path) ? xstrdup(path) : slash ? xstrndup(path, (size_t)(slash - path)) : xstrdup(".");
	char *groups = xasprintf("%s/group_vars", base), *hosts = xasprintf("%s/host_vars", base);
	bool ok = true;

	if (is_folder(groups))
		for (struct draft_group *g = l->d->groups; ok && g; g = g->hh.next)
			ok = read_vars_of(&(struct reading_vars){ l, g, NULL }, groups, g->name);
	if (is_folder(hosts))
		for (struct draft_host *h = l->d->hosts; ok && h; h = h->hh.next)
			ok = h->is_word || read_vars_of(&(struct reading_vars){ l, NULL, h }, hosts, h->name);
	free(base);
	free(groups);
	free(hosts);
	return ok;
}

/* -- what Ansible's settings say -- */

static bool read_settings(struct loading *l)
{
	static const char *const variables[][2] = {
		{ "ANSIBLE_REMOTE_USER", "ansible_user" },	 { "ANSIBLE_REMOTE_PORT", "ansible_port" },
		{ "ANSIBLE_PRIVATE_KEY_FILE", "ansible_private_key_file" }, { "ANSIBLE_TRANSPORT", "ansible_connection" },
		{ "ANSIBLE_SSH_ARGS", "ansible_ssh_args" },	 { "ANSIBLE_SSH_COMMON_ARGS", "ansible_ssh_common_args" },
		{ "ANSIBLE_SSH_EXTRA_ARGS", "ansible_ssh_extra_args" },
	};
	char *path = ansible_config(l->n_paths ? l->paths[0] : ".");
	const char *checked;
	struct buf text = { 0 };
	bool ok = !path || (file_read(path, &text, l->err) && draft_cfg(l->d, buf_span(&text), path, l->err));

	for (size_t i = 0; ok && i < sizeof(variables) / sizeof(*variables); i++) {
		const char *value = getenv(variables[i][0]);

		if (value && *value)
			draft_set(l->d, &l->d->defaults, variables[i][1],
				  (struct said){ SAID_TEXT, draft_keep(l->d, span_of(value)), variables[i][0], 1 });
	}
	checked = getenv("ANSIBLE_HOST_KEY_CHECKING");
	if (checked && (!strcasecmp(checked, "false") || !strcasecmp(checked, "no") || !strcmp(checked, "0")))
		inventory_note(l->d->inv, "ANSIBLE_HOST_KEY_CHECKING is not followed: host keys are checked; to change that, use "
					  "--host-key");
	buf_done(&text);
	free(path);
	return ok;
}

static bool load_files(struct loading *l)
{
	for (size_t i = 0; i < l->n_paths; i++)
		if (!read_source(l, l->paths[i], 0))
			return false;
	for (size_t i = 0; l->d->is_ansible && i < l->n_paths; i++)
		if (strcmp(l->paths[i], "-") != 0 && !read_vars_beside(l, l->paths[i]))
			return false;
	return true;
}

static bool finish(struct loading *l)
{
	return (!l->words.n || draft_words(l->d, buf_span(&l->words), NULL, 0, l->err)) &&
	       (!l->d->is_ansible || read_settings(l)) && draft_settle(l->d, l->err);
}

/* ansible-inventory */

/* Another draft in the place of the one that could not be followed. */
static void begin(struct loading *l, struct inventory *inv)
{
	const char *slash, *dot, *first;

	l->d = draft_new(inv, l->names);
	l->n_paths = 0;
	buf_clear(&l->words);
	take_names(l, span_of(l->names));
	first = l->n_paths ? l->paths[0] : l->words.text ? l->words.text : "";
	l->d->source = draft_keep(l->d, span_of(first));
	l->d->is_words = !l->n_paths;
	slash = strrchr(first, '/');
	first = !l->d->is_words && slash && slash[1] ? slash + 1 : first;
	dot = l->d->is_words ? NULL : strrchr(first, '.');
	l->d->stem = draft_keep(l->d, (struct span){ first, dot && dot > first ? (size_t)(dot - first) : strlen(first) });
}

static bool may_run(struct loading *l)
{
	bool may = l->n_paths > 0;
	char *what, *config;

	for (size_t i = 0; i < l->n_paths; i++)
		may = may && strcmp(l->paths[i], "-") != 0;
	config = ansible_config(l->d->source);
	what = xasprintf("%s: command: %s%s%sansible-inventory --list --inventory=%s", l->err->text,
			 config ? "ANSIBLE_CONFIG=" : "", config ? config : "", config ? " " : "", l->d->source);
	free(config);
	may = may && consent_given(CONSENT_ANSIBLE_INVENTORY, what);
	free(what);
	return may;
}

static bool load_by_ansible(struct loading *l)
{
	struct buf json = { 0 };
	char *name = xasprintf("%s (as ansible-inventory lists it)", l->paths[0]), *config = ansible_config(l->paths[0]);
	bool ok;

	l->d->is_listed = true;
	ok = ansible_inventory(l->paths, l->n_paths, config, &json, l->err) && draft_read(l->d, buf_span(&json), name, l->err) && finish(l);

	free(name);
	free(config);
	buf_done(&json);
	return ok;
}

static void empty(struct inventory *inv)
{
	inventory_done(inv);
	inventory_init(inv);
}

static const char *trouble_of_vault(const struct inventory *inv)
{
	for (size_t i = 0; i < inv->n_hosts; i++)
		if (inv->hosts[i].trouble && strstr(inv->hosts[i].trouble, "ansible-inventory"))
			return inv->hosts[i].trouble;
	return "encrypted variables";
}

static bool load(struct loading *l, struct inventory *inv)
{
	bool ok;

	begin(l, inv);
	ok = load_files(l) && finish(l);
	if (!l->d->wants_ansible)
		return ok;
	if (ok)
		snprintf(l->err->text, sizeof(l->err->text), "%s", trouble_of_vault(inv));
	if (!may_run(l))
		return ok;
	draft_free(l->d);
	empty(inv);
	begin(l, inv);
	return load_by_ansible(l);
}

bool hosts_load(struct inventory *inv, const char *names, struct buf *text, struct err *err)
{
	struct err why = { "" };
	struct loading l = { .names = names, .err = &why };
	bool ok = load(&l, inv);

	if (ok && !inv->n_hosts)
		ok = err_set(&why, "%s: no hosts in it", l.d->source);
	draft_free(l.d);
	free(l.paths);
	buf_done(&l.words);
	if (!ok) {
		empty(inv);
		return err_set(err, "%s", why.text);
	}
	inventory_yaml(inv, text);
	ssh_files_settle(inv);
	return true;
}

/* -- keeping -- */

/* What a file names stands beside it; the new one stands elsewhere. */
static const char *absolute(struct inventory *inv, const char *name)
{
	char *path = name ? realpath(name, NULL) : NULL;
	const char *out = path ? arena_text(&inv->arena, path, strlen(path)) : name;

	free(path);
	return out;
}

bool hosts_keep(struct inventory *inv, struct buf *text, struct err *err)
{
	for (size_t i = 0; i < inv->n_hosts; i++)
		if (inv->hosts[i].trouble)
			return err_set(err, "%s cannot be saved: %.400s", inv->hosts[i].name, inv->hosts[i].trouble);
	inv->known_hosts = absolute(inv, inv->known_hosts);
	inv->plan = absolute(inv, inv->plan);
	buf_clear(text);
	inventory_yaml(inv, text);
	return true;
}

void hosts_say_notes(const struct inventory *inv)
{
	for (size_t i = 0; i < inv->notes.n; i++) {
		struct buf safe = { 0 };

		safe_add(&safe, span_of(inv->notes.list[i]), false);
		fprintf(stderr, "fabcon: %s\n", safe.text ? safe.text : "");
		buf_done(&safe);
	}
}
