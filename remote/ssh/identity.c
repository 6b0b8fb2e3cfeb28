#include "remote/ssh/identity.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "remote/ssh/home.h"
#include "remote/ssh/known_hosts.h"

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
	bool is_certificate;
	ssh_key key, pub, cert;
	bool wants_passphrase, is_public;
	unsigned open_mode;		/* its permissions, when others may read it; else 0 */
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
		ssh_key_free(id->pub);
		ssh_key_free(id->cert);
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

/* Whether the file is a public key: ssh takes IdentityFile KEY.pub for "the agent's key of that name". */
static bool is_public(const char *path)
{
	char head[12] = "";
	FILE *f = fopen(path, "re");

	if (!f)
		return false;
	size_t n = fread(head, 1, sizeof(head) - 1, f);
	fclose(f);
	head[n] = '\0';
	return !strncmp(head, "ssh-", 4) || !strncmp(head, "ecdsa-sha2-", 11) || !strncmp(head, "sk-ssh-", 7) ||
	       !strncmp(head, "sk-ecdsa-", 9);
}

/* The public half and the certificate beside it. */
static void load_beside(struct load *l)
{
	char *pub = xasprintf("%s.pub", l->path), *cert = xasprintf("%s-cert.pub", l->path);

	if (l->is_public || ssh_pki_import_pubkey_file(pub, &l->pub) != SSH_OK)
		ssh_pki_import_pubkey_file(l->path, &l->pub);
	ssh_pki_import_cert_file(cert, &l->cert);
	free(pub);
	free(cert);
}

/* As ssh judges it: ours, and not for us alone. */
static bool is_too_open(struct load *l)
{
	struct stat st;

	if (stat(l->path, &st) == 0 && st.st_uid == getuid() && (st.st_mode & 077))
		l->open_mode = st.st_mode & 07777;
	return l->open_mode;
}

static void load(uv_work_t *work)
{
	struct load *l = work->data;

	if (l->is_certificate) {
		if (access(l->path, R_OK) < 0)
			l->error = errno;
		else
			ssh_pki_import_cert_file(l->path, &l->cert);
		return;
	}
	l->is_public = is_public(l->path);
	load_beside(l);
	if (access(l->path, R_OK) < 0)
		l->error = errno;
	else if (!l->is_public && !is_too_open(l))
		ssh_pki_import_privkey_file(l->path, l->passphrase, l->passphrase ? NULL : note_passphrase_wanted, l,
					    &l->key);
}

/* The key's own word of its type, or "". */
static const char *type_name(ssh_key key)
{
	const char *name = key ? ssh_key_type_to_char(ssh_key_type(key)) : NULL;

	return name ? name : "";
}

static void say_broken(struct identity *id, const struct load *l)
{
	if (l->open_mode)
		snprintf(id->error, sizeof(id->error), "permissions %04o are too open; chmod 600 %.180s", l->open_mode, id->path);
	else if (l->error)
		snprintf(id->error, sizeof(id->error), "%s", strerror(l->error));
	else if (l->is_certificate)
		snprintf(id->error, sizeof(id->error), "not a certificate");
	else if (l->is_public)
		snprintf(id->error, sizeof(id->error), "a public key; the private key may be in an agent");
	else if (!strncmp(type_name(l->pub), "sk-", 3))
		snprintf(id->error, sizeof(id->error), "a hardware key: add it with ssh-add, or set fabcon_transport: openssh");
	else
		snprintf(id->error, sizeof(id->error), "not a private key");
}

static void settle(struct identity *id, struct load *l)
{
	ssh_key_free(id->pub);
	ssh_key_free(id->cert);
	id->key = l->key;
	id->pub = l->pub;
	id->cert = l->cert;
	id->is_absent = l->error == ENOENT;
	if (l->key || (l->is_certificate && l->cert)) {
		id->state = IDENTITY_READY;
	} else if (l->wants_passphrase || l->passphrase) {
		id->state = IDENTITY_LOCKED;
		id->wrong += l->passphrase != NULL;
		snprintf(id->error, sizeof(id->error), l->passphrase ? "wrong passphrase" : "needs its passphrase");
	} else {
		id->state = IDENTITY_BROKEN;
		say_broken(id, l);
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
	l->is_certificate = id->is_certificate;
	l->passphrase = passphrase ? xstrdup(passphrase) : NULL;
	id->state = IDENTITY_LOADING;
	id->all->at_work++;
	uv_queue_work(id->all->loop, &l->work, load, on_loaded);
}

static struct identity *get(struct identities *all, const char *path, bool is_certificate)
{
	char *whole = home_path(path);
	struct identity *id;

	for (id = all->first; id; id = id->next) {
		if (!strcmp(id->path, whole) && id->is_certificate == is_certificate) {
			free(whole);
			return id;
		}
	}
	id = xcalloc(1, sizeof(*id));
	id->path = whole;
	id->name = strrchr(whole, '/') ? strrchr(whole, '/') + 1 : whole;
	id->is_certificate = is_certificate;
	id->all = all;
	id->next = all->first;
	all->first = id;
	begin(id, NULL);
	return id;
}

struct identity *identity_get(struct identities *all, const char *path)
{
	return get(all, path, false);
}

struct identity *identity_get_certificate(struct identities *all, const char *path)
{
	return get(all, path, true);
}

char *identity_blob(ssh_key key, size_t *n)
{
	char *base64 = NULL, *bytes = NULL;

	if (key && ssh_pki_export_pubkey_base64(key, &base64) == SSH_OK)
		bytes = hostkey_decode(base64, n);
	ssh_string_free_char(base64);
	return bytes;
}

/* A text of a blob: a length of four bytes, and that many. */
static bool take_text(struct span *blob, struct span *text)
{
	const unsigned char *p = (const unsigned char *)blob->p;

	if (blob->n < 4)
		return false;
	size_t n = (size_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
	if (n > blob->n - 4)
		return false;
	*text = (struct span){ blob->p + 4, n };
	*blob = (struct span){ text->p + n, blob->n - 4 - n };
	return true;
}

/* A key is "type fields"; its certificate "type-cert-v01@openssh.com nonce fields …". libssh compares no two of those. */
bool identity_is_of(struct span key, struct span cert)
{
	struct span type, cert_type, nonce;

	if (!take_text(&key, &type) || !take_text(&cert, &cert_type) || !take_text(&cert, &nonce))
		return false;
	if (span_skip(&cert_type, "sk-"))	/* sk-ssh-ed25519@openssh.com, sk-ssh-ed25519-cert-v01@openssh.com */
		return false;
	return cert_type.n > type.n && !memcmp(cert_type.p, type.p, type.n) &&
	       span_is((struct span){ cert_type.p + type.n, cert_type.n - type.n }, "-cert-v01@openssh.com") &&
	       cert.n > key.n && !memcmp(cert.p, key.p, key.n);
}

static bool is_signed(ssh_key key, ssh_key cert)
{
	size_t n_key = 0, n_cert = 0;
	char *key_bytes = identity_blob(key, &n_key), *cert_bytes = identity_blob(cert, &n_cert);
	bool is = key_bytes && cert_bytes &&
		  identity_is_of((struct span){ key_bytes, n_key }, (struct span){ cert_bytes, n_cert });

	free(key_bytes);
	free(cert_bytes);
	return is;
}

ssh_key identity_certified(const struct identity *id, ssh_key cert)
{
	ssh_key both;

	if (!id->key || !is_signed(id->key, cert))
		return NULL;
	both = ssh_key_dup(id->key);
	if (both && ssh_pki_copy_cert_to_privkey(cert, both) == SSH_OK)
		return both;
	ssh_key_free(both);
	return NULL;
}

void identity_unlock(struct identity *id, const char *passphrase)
{
	if (id->state == IDENTITY_LOCKED)
		begin(id, passphrase);
}
