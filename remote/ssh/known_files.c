#include "remote/ssh/known_files.h"

#include <stdlib.h>
#include <string.h>

#include "remote/ssh/home.h"

static bool is_same(const struct known_files *f, const char *const *files, size_t n)
{
	if (f->n != n)
		return false;
	for (size_t i = 0; i < n; i++) {
		char *path = home_path(files[i]);
		bool same = !strcmp(path, f->files[i]);
		free(path);
		if (!same)
			return false;
	}
	return true;
}

struct known_files *known_files_get(struct known_files **all, const char *const *files, size_t n)
{
	static const char *const usual[] = {
		"~/.ssh/known_hosts", "~/.ssh/known_hosts2", "/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2",
	};

	if (!n) {
		files = usual;
		n = sizeof(usual) / sizeof(*usual);
	}
	for (struct known_files *f = *all; f; f = f->next)
		if (is_same(f, files, n))
			return f;
	struct known_files *f = xcalloc(1, sizeof(*f));
	f->index = known_hosts_new();
	for (size_t i = 0; i < n; i++, f->n++)
		*GROW(f->files, f->n, f->cap) = home_path(files[i]);
	f->next = *all;
	return *all = f;
}

void known_files_expect(struct known_files *f, const char *name)
{
	buf_str(&f->names, name);
	buf_str(&f->names, "\n");
}

static void read_one(struct known_files *f)
{
	struct span rest, name;

	if (f->is_read)
		return;
	f->is_read = true;
	for (size_t i = 0; i < f->n; i++)
		if (!known_hosts_load(f->index, f->files[i], &f->err))
			return;
	for (rest = buf_span(&f->names); span_line(&rest, &name);) {
		char *text = xstrndup(name.p, name.n);
		known_hosts_resolve(f->index, text);
		free(text);
	}
}

void known_files_read(struct known_files *all)
{
	for (; all; all = all->next)
		read_one(all);
}

void known_files_free(struct known_files *all)
{
	struct known_files *next;

	for (; all; all = next) {
		next = all->next;
		for (size_t i = 0; i < all->n; i++)
			free((char *)all->files[i]);
		free(all->files);
		known_hosts_free(all->index);
		buf_done(&all->names);
		free(all);
	}
}

void known_files_name(const char *alias, const char *address, unsigned port, struct buf *out)
{
	known_hosts_name(alias ? alias : address, alias ? 22 : port, out);
}
