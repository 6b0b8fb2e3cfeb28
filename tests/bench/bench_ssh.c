/*
 * What a first contact costs us: logins to a real sshd, as CPU of this process a host, against the four public-key
 * operations that no client can do without, through the same library in the same run.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "remote/ssh.h"
#include "tests/bench/bench.h"
#include "tests/lib/sshd.h"

#define HOSTS		48
#define ROUNDS		3
#define HASHED_LINES	5000

struct crowd {
	uv_loop_t loop;
	struct ssh_common common;
	struct identity key;
	struct identity *keys[1];
	struct sshd sshd;
	struct one {
		struct crowd *crowd;
		struct ssh *session;
	} hosts[HOSTS];
	unsigned opened, failed;
};

static bool trust(void *ctx, enum hostkey_verdict verdict, const struct hostkey_seen *seen, struct span key)
{
	(void)ctx, (void)verdict, (void)seen, (void)key;
	return true;
}

static void on_up(void *ctx)
{
	ssh_open(((struct one *)ctx)->session, SPEECH_SH);
}

static void on_opened(void *ctx)
{
	((struct one *)ctx)->crowd->opened++;
}

static void on_received(void *ctx, struct span bytes)
{
	(void)ctx, (void)bytes;
}

static struct span on_to_send(void *ctx)
{
	(void)ctx;
	return SPAN("");
}

static void on_ended(void *ctx, enum ssh_end how, const char *why)
{
	(void)how;
	fprintf(stderr, "bench_ssh: %s\n", why);
	((struct one *)ctx)->crowd->failed++;
}

static void on_emptied(struct ssh_common *common)
{
	(void)common;
}

/* CPU seconds a host, from its address to a shell that runs. */
static double log_in_all(struct crowd *c, struct known_hosts *known)
{
	struct ssh_plan plan = { .name = "host", .address = "127.0.0.1", .user = getenv("USER") ? getenv("USER") : "root",
				 .port = c->sshd.port, .identities = c->keys, .n_identities = 1 };
	struct ssh_hooks hooks = { .trust = trust, .up = on_up, .opened = on_opened, .received = on_received,
				   .to_send = on_to_send, .ended = on_ended };

	c->common.known_hosts = known;
	c->opened = c->failed = 0;
	double began_s = bench_cpu_s();
	for (size_t i = 0; i < HOSTS; i++) {
		hooks.ctx = &c->hosts[i];
		c->hosts[i] = (struct one){ c, ssh_new_session(&c->common, &plan, &hooks) };
	}
	while (c->opened + c->failed < HOSTS)
		uv_run(&c->loop, UV_RUN_ONCE);
	for (size_t i = 0; i < HOSTS; i++)
		ssh_free_session(c->hosts[i].session);
	uv_run(&c->loop, UV_RUN_DEFAULT);
	return (bench_cpu_s() - began_s) / HOSTS;
}

static EVP_PKEY *new_key(int type)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_id(type, NULL);
	EVP_PKEY *key = NULL;

	EVP_PKEY_keygen_init(ctx);
	EVP_PKEY_keygen(ctx, &key);
	EVP_PKEY_CTX_free(ctx);
	return key;
}

static void agree(EVP_PKEY *theirs)
{
	unsigned char secret[32];
	size_t n = sizeof(secret);
	EVP_PKEY *ours = new_key(EVP_PKEY_X25519);
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(ours, NULL);

	EVP_PKEY_derive_init(ctx);
	EVP_PKEY_derive_set_peer(ctx, theirs);
	EVP_PKEY_derive(ctx, secret, &n);
	EVP_PKEY_CTX_free(ctx);
	EVP_PKEY_free(ours);
}

static void sign_and_verify(EVP_PKEY *key)
{
	unsigned char text[64] = { 0 }, signature[64];
	size_t n = sizeof(signature);
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();

	EVP_DigestSignInit(ctx, NULL, NULL, NULL, key);
	EVP_DigestSign(ctx, signature, &n, text, sizeof(text));
	EVP_MD_CTX_reset(ctx);
	EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, key);
	EVP_DigestVerify(ctx, signature, n, text, sizeof(text));
	EVP_MD_CTX_free(ctx);
}

/* CPU seconds of the four operations. */
static double public_key_floor(void)
{
	EVP_PKEY *theirs = new_key(EVP_PKEY_X25519), *key = new_key(EVP_PKEY_ED25519);
	double began_s = bench_cpu_s();

	for (int i = 0; i < 500; i++) {
		agree(theirs);
		sign_and_verify(key);
	}
	double took_s = (bench_cpu_s() - began_s) / 500;
	EVP_PKEY_free(theirs);
	EVP_PKEY_free(key);
	return took_s;
}

/* Salts and hashes of nobody, with the key of the real host, which is then unknown. */
static struct known_hosts *hashed_known_hosts(const struct sshd *d, double *took_s)
{
	struct known_hosts *known = known_hosts_new();
	struct buf text = { 0 }, name = { 0 };
	char *key = sshd_public_key(d, "host");
	unsigned char bytes[20], salt[32], mac[32];

	for (unsigned i = 0; i < HASHED_LINES; i++) {
		for (size_t j = 0; j < sizeof(bytes); j++)
			bytes[j] = (unsigned char)(i >> (j % 4) * 8) ^ (unsigned char)(j * 37);
		EVP_EncodeBlock(salt, bytes, 20);
		EVP_EncodeBlock(mac, bytes, 20);
		buf_printf(&text, "|1|%s|%s %s\n", salt, mac, key);
	}
	double began_s = bench_cpu_s();
	known_hosts_read(known, buf_span(&text), "hashed");
	known_hosts_name("127.0.0.1", d->port, &name);
	known_hosts_resolve(known, name.text);
	*took_s = bench_cpu_s() - began_s;
	buf_done(&text);
	buf_done(&name);
	free(key);
	return known;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *list)
{
	qsort(list, ROUNDS, sizeof(*list), compare);
	return list[ROUNDS / 2];
}

static void measure(struct crowd *c)
{
	double none_s[ROUNDS], hashed_s[ROUNDS], floor_s[ROUNDS], index_s;
	struct known_hosts *none = known_hosts_new(), *hashed = hashed_known_hosts(&c->sshd, &index_s);

	log_in_all(c, none);	/* the first pays for what is loaded once */
	for (int i = 0; i < ROUNDS; i++) {
		none_s[i] = log_in_all(c, none);
		hashed_s[i] = log_in_all(c, hashed);
		floor_s[i] = public_key_floor();
	}
	double login_s = median(none_s);
	bench_row("first contact: our CPU a host", login_s * 1e3, "ms", JUST_SAID, 0);
	bench_row("first contact: CPU over the four public-key operations", login_s / median(floor_s), "x", AT_MOST, 2.5);
	bench_row("5000 hashed known_hosts: index built in", index_s * 1e3, "ms", JUST_SAID, 0);
	bench_row("5000 hashed known_hosts: connect CPU over none", median(hashed_s) / login_s, "x", AT_MOST, 1.2);
	known_hosts_free(none);
	known_hosts_free(hashed);
}

int main(void)
{
	struct crowd c = { 0 };

	signal(SIGPIPE, SIG_IGN);
	if (!sshd_start(&c.sshd, "MaxStartups 1000\n")) {
		puts("skip: no sshd on this machine");
		return 0;
	}
	uv_loop_init(&c.loop);
	c.common = (struct ssh_common){ .loop = &c.loop, .timeout_us = 60000000, .emptied = on_emptied };
	TAILQ_INIT(&c.common.agent_queue);
	ssh_pki_import_privkey_file(sshd_path(&c.sshd, "id"), NULL, NULL, NULL, &c.key.key);
	c.key.state = IDENTITY_READY;
	c.key.name = "id";
	c.keys[0] = &c.key;
	measure(&c);
	ssh_key_free(c.key.key);
	uv_loop_close(&c.loop);
	sshd_stop(&c.sshd);
	return bench_end();
}
