#include "remote/identity.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"

struct identities {
	uv_loop_t *loop;
	void (*changed)(void *ctx, struct identity *id);
	void *ctx;
	struct identity *first;
	unsigned at_work;
	bool is_freed;
};

/* One file being read by a helper, which touches nothing but this. */
struct load {
	uv_work_t work;
	struct identity *id;
	char *path, *passphrase;	/* owned */
	ssh_key key;
	bool wants_passphrase;
	int error;			/* errno of reading it, or 0 */
};

struct identities *identities_new(uv_loop_t *loop, void (*changed)(void *ctx, struct identity *id), void *ctx)
{
	struct identities *all = xcalloc(1, sizeof(*all));

	*all = (struct identities){ .loop = loop, .changed = changed, .ctx = ctx };
	return all;
}

static void destroy(struct identities *all)
{
	struct identity *id, *next;

	for (id = all->first; id; id = next) {
		next = id->next;
		ssh_key_free(id->key);
		free(id->path);
		free(id);
	}
	free(all);
}

void identities_free(struct identities *all)
{
	if (!all)
		return;
	all->is_freed = true;
	if (!all->at_work)
		destroy(all);
}

/* libssh asks this when the file is encrypted and no passphrase was given. */
static int note_passphrase_wanted(const char *prompt, char *out, size_t size, int echo, int verify, void *ctx)
{
	(void)prompt, (void)out, (void)size, (void)echo, (void)verify;
	((struct load *)ctx)->wants_passphrase = true;
	return -1;
}

static void load(uv_work_t *work)
{
	struct load *l = work->data;

	if (access(l->path, R_OK) < 0) {
		l->error = errno;
		return;
	}
	ssh_pki_import_privkey_file(l->path, l->passphrase, l->passphrase ? NULL : note_passphrase_wanted, l, &l->key);
}

static void settle(struct identity *id, const struct load *l)
{
	id->key = l->key;
	if (l->key) {
		id->state = IDENTITY_READY;
	} else if (l->wants_passphrase || l->passphrase) {
		id->state = IDENTITY_LOCKED;
		id->wrong += l->passphrase != NULL;
		snprintf(id->error, sizeof(id->error), l->passphrase ? "wrong passphrase" : "wants its passphrase");
	} else {
		id->state = IDENTITY_BROKEN;
		snprintf(id->error, sizeof(id->error), "%s", l->error ? strerror(l->error) : "not a private key");
	}
}

static void on_loaded(uv_work_t *work, int status)
{
	struct load *l = work->data;
	struct identity *id = l->id;
	struct identities *all = id->all;

	(void)status;
	all->at_work--;
	settle(id, l);
	if (l->passphrase)
		explicit_bzero(l->passphrase, strlen(l->passphrase));
	free(l->passphrase);
	free(l->path);
	free(l);
	if (!all->is_freed)
		all->changed(all->ctx, id);
	else if (!all->at_work)
		destroy(all);
}

static void begin(struct identity *id, const char *passphrase)
{
	struct load *l = xcalloc(1, sizeof(*l));

	l->work.data = l;
	l->id = id;
	l->path = xstrdup(id->path);
	l->passphrase = passphrase ? xstrdup(passphrase) : NULL;
	id->state = IDENTITY_LOADING;
	id->all->at_work++;
	uv_queue_work(id->all->loop, &l->work, load, on_loaded);
}

static char *expand_home(const char *path)
{
	const char *home = getenv("HOME");
	const struct passwd *pw;

	if (strncmp(path, "~/", 2))
		return xstrdup(path);
	if (!home && (pw = getpwuid(getuid())))
		home = pw->pw_dir;
	return xasprintf("%s%s", home ? home : "", path + 1);
}

struct identity *identity_get(struct identities *all, const char *path)
{
	char *whole = expand_home(path);
	struct identity *id;

	for (id = all->first; id; id = id->next) {
		if (!strcmp(id->path, whole)) {
			free(whole);
			return id;
		}
	}
	id = xcalloc(1, sizeof(*id));
	id->path = whole;
	id->name = strrchr(whole, '/') ? strrchr(whole, '/') + 1 : whole;
	id->all = all;
	id->next = all->first;
	all->first = id;
	begin(id, NULL);
	return id;
}

void identity_unlock(struct identity *id, const char *passphrase)
{
	if (id->state == IDENTITY_LOCKED)
		begin(id, passphrase);
}
