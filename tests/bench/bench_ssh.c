/*
 * What a first contact costs us: logins to a server in another process, as CPU of this process a host, against the four
 * public-key operations that no client can do without, through the same library in the same run.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "tests/bench/bench.h"
#include "tests/bench/clients.h"
#include "tests/bench/far.h"
#include "tests/lib/say.h"

#define HOSTS		BENCH_SIZE(256, 16)
#define ROUNDS		BENCH_SIZE(3, 1)
#define HASHED_LINES	BENCH_SIZE(5000, 200)

static struct client_place place_of(const void *ctx, size_t i)
{
	const struct far *f = ctx;

	return (struct client_place){ "127.0.0.1", f->hosts.hosts[i].port };
}

/* CPU seconds a host, from its address to a shell that runs. */
static double log_in_all(struct clients *c, const struct far *f, struct known_hosts *known)
{
	c->known_hosts = known;
	double began_s = bench_cpu_s();
	if (!clients_open(c, HOSTS, place_of, f))
		fprintf(stderr, "bench_ssh: %zu of %d failed: %s\n", c->failed, HOSTS, c->why);
	double took_s = bench_cpu_s() - began_s;
	clients_close(c);
	return took_s / HOSTS;
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

/* Salts and hashes of nobody, with the key of the first host: none of the hosts is known by them. */
static struct known_hosts *hashed_known_hosts(const struct far *f, double *took_s)
{
	struct known_hosts *known = known_hosts_new();
	struct buf text = { 0 }, name = { 0 };
	char *file = file_text(f->known_hosts, NULL);
	const char *key = strchr(file, ' ') + 1;
	unsigned char bytes[20], salt[32], mac[32];

	for (unsigned i = 0; i < HASHED_LINES; i++) {
		for (size_t j = 0; j < sizeof(bytes); j++)
			bytes[j] = (unsigned char)(i >> (j % 4) * 8) ^ (unsigned char)(j * 37);
		EVP_EncodeBlock(salt, bytes, 20);
		EVP_EncodeBlock(mac, bytes, 20);
		buf_printf(&text, "|1|%s|%s %.*s\n", salt, mac, (int)strcspn(key, "\n"), key);
	}
	double began_s = bench_cpu_s();
	known_hosts_read(known, buf_span(&text), "hashed");
	for (size_t i = 0; i < HOSTS; i++) {
		known_hosts_name("127.0.0.1", f->hosts.hosts[i].port, &name);
		known_hosts_resolve(known, name.text);
		buf_clear(&name);
	}
	*took_s = bench_cpu_s() - began_s;
	buf_done(&text);
	buf_done(&name);
	free(file);
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

static void measure(struct clients *c, const struct far *f)
{
	double none_s[ROUNDS], hashed_s[ROUNDS], floor_s[ROUNDS], index_s;
	struct known_hosts *none = c->known_hosts, *hashed = hashed_known_hosts(f, &index_s);

	log_in_all(c, f, none);	/* the first pays for what is loaded once */
	for (int i = 0; i < ROUNDS; i++) {
		none_s[i] = log_in_all(c, f, none);
		hashed_s[i] = log_in_all(c, f, hashed);
		floor_s[i] = public_key_floor();
	}
	double login_s = median(none_s);
	bench_row("first contact: our CPU a host", login_s * 1e3, "ms", JUST_SAID, 0);
	bench_row("first contact: CPU over the four public-key operations", login_s / median(floor_s), "x", AT_MOST, 2.5);
	bench_row("5000 hashed known_hosts: index built, 256 names found in", index_s * 1e3, "ms", JUST_SAID, 0);
	bench_row("5000 hashed known_hosts: connect CPU over none", median(hashed_s) / login_s, "x", AT_MOST, 1.2);
	c->known_hosts = none;
	known_hosts_free(hashed);
}

int main(void)
{
	struct clients c;
	struct far f;

	signal(SIGPIPE, SIG_IGN);
	if (!far_start(&f, "node", HOSTS) || !clients_init(&c, f.key, "root"))
		return bench_cannot("the lab does not come up"), 1;
	measure(&c, &f);
	clients_done(&c);
	far_stop(&f);
	return bench_end();
}
