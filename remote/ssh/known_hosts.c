#include "remote/ssh/known_hosts.h"

/* One HMAC a line and host: the EVP interface costs five times the hash itself. */
#define OPENSSL_SUPPRESS_DEPRECATED

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include "core/base/hash.h"

#define FILE_MAX	(64u << 20)
#define KEY_MAX		(16u << 10)	/* a 16384-bit RSA key takes 2 KB */

enum marker { MARK_NONE, MARK_REVOKED, MARK_AUTHORITY };

/* A hashed name, "|1|salt|HMAC-SHA1(salt, name)|": both pads of the salt are hashed once. */
struct hashed {
	SHA_CTX inner, outer;
	unsigned char mac[SHA_DIGEST_LENGTH];
};

struct line {
	enum marker marker;
	const char *patterns;	/* "a,b*,!c" in lower case; NULL: hashed */
	const char *type;	/* as the key itself says */
	const char *file;
	unsigned number;
	unsigned hashed;	/* index of its hashed name */
	unsigned char digest[SHA256_DIGEST_LENGTH];
};

struct name {
	char *text;		/* owned, the hash's key */
	uint32_t *lines;	/* that speak of it */
	size_t n, cap;
	UT_hash_handle hh;
};

struct known_hosts {
	struct line *lines;
	size_t n, cap;
	struct hashed *hashed;
	size_t n_hashed, cap_hashed;
	struct name *names;
	struct arena arena;
};

struct known_hosts *known_hosts_new(void)
{
	return xcalloc(1, sizeof(struct known_hosts));
}

void known_hosts_free(struct known_hosts *k)
{
	struct name *name, *next;

	if (!k)
		return;
	HASH_ITER(hh, k->names, name, next) {
		HASH_DEL(k->names, name);
		free(name->lines);
		free(name->text);
		free(name);
	}
	free(k->lines);
	free(k->hashed);
	arena_done(&k->arena);
	free(k);
}

/* The bytes a base64 text stands for, or -1. out holds max bytes. */
static int base64_decode(struct span text, unsigned char *out, size_t max)
{
	size_t padding = 0;

	if (!text.n || text.n % 4 || text.n / 4 * 3 > max)
		return -1;
	while (padding < 2 && text.p[text.n - 1 - padding] == '=')
		padding++;
	int n = EVP_DecodeBlock(out, (const unsigned char *)text.p, text.n);
	return n < 0 ? -1 : n - (int)padding;
}

/* The type a key blob names itself: a length and that many bytes. */
static bool key_type(struct span key, struct span *type)
{
	if (key.n < 4)
		return false;
	const unsigned char *p = (const unsigned char *)key.p;
	size_t n = (size_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
	if (!n || n > 60 || n > key.n - 4)
		return false;
	for (size_t i = 4; i < 4 + n; i++)
		if (p[i] <= ' ' || p[i] > '~' || p[i] == ',')
			return false;
	*type = (struct span){ key.p + 4, n };
	return true;
}

static void print_digest(const unsigned char *digest, char out[static FINGERPRINT_SIZE])
{
	unsigned char text[48];

	EVP_EncodeBlock(text, digest, SHA256_DIGEST_LENGTH);
	text[43] = '\0';	/* one '=' of padding is not printed */
	snprintf(out, FINGERPRINT_SIZE, "SHA256:%s", text);
}

char *hostkey_decode(const char *base64, size_t *n)
{
	unsigned char *bytes = xmalloc(KEY_MAX);
	int length = base64_decode(span_of(base64), bytes, KEY_MAX);

	if (length < 0) {
		free(bytes);
		return NULL;
	}
	*n = length;
	return (char *)bytes;
}

static void fingerprint_of(struct span key, char out[static FINGERPRINT_SIZE])
{
	unsigned char digest[SHA256_DIGEST_LENGTH];

	SHA256((const unsigned char *)key.p, key.n, digest);
	print_digest(digest, out);
}

static bool read_hashed(struct hashed *h, struct span text)
{
	struct span salt, mac;
	unsigned char bytes[36], pad[SHA_CBLOCK];

	if (!span_skip(&text, "|1|") || !span_cut(text, '|', &salt, &mac))
		return false;
	int n = base64_decode(salt, bytes, sizeof(bytes));
	if (n < 1)
		return false;
	memset(pad, 0x36, sizeof(pad));
	for (int i = 0; i < n; i++)
		pad[i] ^= bytes[i];
	SHA1_Init(&h->inner);
	SHA1_Update(&h->inner, pad, sizeof(pad));
	for (size_t i = 0; i < sizeof(pad); i++)
		pad[i] ^= 0x36 ^ 0x5c;
	SHA1_Init(&h->outer);
	SHA1_Update(&h->outer, pad, sizeof(pad));
	if (base64_decode(mac, bytes, sizeof(bytes)) != SHA_DIGEST_LENGTH)
		return false;
	memcpy(h->mac, bytes, sizeof(h->mac));
	return true;
}

static bool hashed_is(const struct hashed *h, const char *name)
{
	unsigned char mac[SHA_DIGEST_LENGTH];
	SHA_CTX ctx = h->inner;

	SHA1_Update(&ctx, name, strlen(name));
	SHA1_Final(mac, &ctx);
	ctx = h->outer;
	SHA1_Update(&ctx, mac, sizeof(mac));
	SHA1_Final(mac, &ctx);
	return !CRYPTO_memcmp(mac, h->mac, sizeof(mac));
}

static const char *lower(struct arena *a, struct span s)
{
	char *text = (char *)arena_text(a, s.p, s.n);

	for (size_t i = 0; i < s.n; i++)
		if (text[i] >= 'A' && text[i] <= 'Z')
			text[i] += 'a' - 'A';
	return text;
}

static bool add_key(struct known_hosts *k, struct line l, struct span key)
{
	struct span type;

	if (!key_type(key, &type))
		return false;
	l.type = arena_text(&k->arena, type.p, type.n);
	SHA256((const unsigned char *)key.p, key.n, l.digest);
	*GROW(k->lines, k->n, k->cap) = l;
	k->n++;
	return true;
}

/* "[@marker] names type base64 [comment]" */
static bool read_line(struct known_hosts *k, struct span text, const char *file, unsigned number)
{
	struct line l = { .file = file, .number = number };
	struct span names, type, base64, inner;
	unsigned char key[KEY_MAX];

	if (!span_word(&text, &names))
		return true;
	if (names.p[0] == '@') {
		l.marker = span_is(names, "@revoked") ? MARK_REVOKED : MARK_AUTHORITY;
		if (l.marker == MARK_AUTHORITY && !span_is(names, "@cert-authority"))
			return false;
		if (!span_word(&text, &names))
			return false;
	}
	if (!span_word(&text, &type) || !span_word(&text, &base64))
		return false;
	int n = base64_decode(base64, key, sizeof(key));
	struct span blob = { (const char *)key, n < 0 ? 0 : n };
	if (!key_type(blob, &inner) || inner.n != type.n || memcmp(inner.p, type.p, type.n))
		return false;
	if (names.p[0] == '|') {
		if (!read_hashed(GROW(k->hashed, k->n_hashed, k->cap_hashed), names))
			return false;
		l.hashed = k->n_hashed++;
	} else {
		l.patterns = lower(&k->arena, names);
	}
	return add_key(k, l, blob);
}

size_t known_hosts_read(struct known_hosts *k, struct span text, const char *file)
{
	struct span line;
	size_t missed = 0;
	unsigned number = 0;
	const char *kept_file = arena_text(&k->arena, file, strlen(file));

	while (span_line(&text, &line)) {
		number++;
		line = span_trim(line);
		if (line.n && line.p[0] != '#' && !read_line(k, line, kept_file, number))
			missed++;
	}
	return missed;
}

static bool read_all(int fd, struct buf *out, const char *path, struct err *err)
{
	char block[1 << 16];
	ssize_t n;

	while ((n = read(fd, block, sizeof(block))) > 0) {
		buf_add(out, block, n);
		if (out->n > FILE_MAX)
			return err_set(err, "%s: more than %u MB", path, FILE_MAX >> 20);
	}
	return n == 0 || err_set(err, "%s: %s", path, strerror(errno));
}

bool known_hosts_load(struct known_hosts *k, const char *path, struct err *err)
{
	struct buf text = { 0 };
	/* O_NONBLOCK: a fifo in the file's place does not hold us */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return errno == ENOENT || err_set(err, "%s: %s", path, strerror(errno));
	bool done = read_all(fd, &text, path, err);
	close(fd);
	if (done)
		known_hosts_read(k, buf_span(&text), path);
	buf_done(&text);
	return done;
}

void known_hosts_name(const char *address, unsigned port, struct buf *out)
{
	size_t from = out->n;

	buf_printf(out, port == 22 ? "%s" : "[%s]:%u", address, port);
	for (size_t i = from; i < out->n; i++)
		if (out->text[i] >= 'A' && out->text[i] <= 'Z')
			out->text[i] += 'a' - 'A';
}

/* Whether the pattern with * and ? is the whole name; no recursion, so no pattern is expensive. */
static bool pattern_is(struct span pattern, const char *name)
{
	size_t p = 0, star = SIZE_MAX;
	const char *from = name;

	while (*name) {
		if (p < pattern.n && pattern.p[p] == '*') {
			star = p++;
			from = name;
		} else if (p < pattern.n && (pattern.p[p] == '?' || pattern.p[p] == *name)) {
			p++;
			name++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			name = ++from;
		} else {
			return false;
		}
	}
	while (p < pattern.n && pattern.p[p] == '*')
		p++;
	return p == pattern.n;
}

/* One match is enough, and one "!match" forbids. */
static bool patterns_are(const char *patterns, const char *name)
{
	struct span rest = span_of(patterns), one;
	bool found = false;

	while (rest.n) {
		if (!span_cut(rest, ',', &one, &rest)) {
			one = rest;
			rest.n = 0;
		}
		bool is_not = span_skip(&one, "!");
		if (!pattern_is(one, name))
			continue;
		if (is_not)
			return false;
		found = true;
	}
	return found;
}

static bool speaks_of(const struct known_hosts *k, const struct line *l, const char *name)
{
	return l->patterns ? patterns_are(l->patterns, name) : hashed_is(&k->hashed[l->hashed], name);
}

static struct name *resolve(struct known_hosts *k, const char *text)
{
	struct name *name;

	HASH_FIND_STR(k->names, text, name);
	if (name)
		return name;
	name = xcalloc(1, sizeof(*name));
	name->text = xstrdup(text);
	for (size_t i = 0; i < k->n; i++) {
		if (!speaks_of(k, &k->lines[i], text))
			continue;
		*GROW(name->lines, name->n, name->cap) = i;
		name->n++;
	}
	HASH_ADD_KEYPTR(hh, k->names, name->text, strlen(name->text), name);
	return name;
}

void known_hosts_resolve(struct known_hosts *k, const char *name)
{
	resolve(k, name);
}

/* What one line makes of the key. */
static enum hostkey_verdict line_says(const struct line *l, const struct line *shown)
{
	bool is_same = !memcmp(l->digest, shown->digest, sizeof(l->digest));

	if (l->marker == MARK_REVOKED)
		return is_same ? HOSTKEY_REVOKED : HOSTKEY_UNKNOWN;
	if (l->marker == MARK_AUTHORITY)
		return HOSTKEY_AUTHORITY_ONLY;
	if (is_same)
		return HOSTKEY_KNOWN;
	return strcmp(l->type, shown->type) ? HOSTKEY_OTHER_TYPE : HOSTKEY_CHANGED;
}

/* Of what several lines say: a revocation beats everything, then a line that knows the key. */
static int weight(enum hostkey_verdict v)
{
	static const int weights[] = {
		[HOSTKEY_UNKNOWN] = 0, [HOSTKEY_AUTHORITY_ONLY] = 1, [HOSTKEY_OTHER_TYPE] = 2,
		[HOSTKEY_CHANGED] = 3, [HOSTKEY_KNOWN] = 4, [HOSTKEY_REVOKED] = 5,
	};
	return weights[v];
}

enum hostkey_verdict known_hosts_judge(struct known_hosts *k, const char *name, struct span key,
				       struct hostkey_seen *seen)
{
	enum hostkey_verdict verdict = HOSTKEY_UNKNOWN;
	const struct line *by = NULL;
	struct line shown = { 0 };
	struct span type = SPAN("");

	*seen = (struct hostkey_seen){ 0 };
	key_type(key, &type);
	snprintf(seen->type, sizeof(seen->type), "%.*s", (int)type.n, type.p);
	fingerprint_of(key, seen->fingerprint);
	shown.type = seen->type;
	SHA256((const unsigned char *)key.p, key.n, shown.digest);
	struct name *n = resolve(k, name);
	for (size_t i = 0; i < n->n; i++) {
		const struct line *l = &k->lines[n->lines[i]];
		enum hostkey_verdict said = line_says(l, &shown);
		if (weight(said) <= weight(verdict))
			continue;
		verdict = said;
		by = l;
	}
	if (by) {
		snprintf(seen->old_type, sizeof(seen->old_type), "%s", by->type);
		print_digest(by->digest, seen->old_fingerprint);
		snprintf(seen->where, sizeof(seen->where), "%s:%u", by->file, by->number);
	}
	return verdict;
}

void known_hosts_explain(enum hostkey_verdict verdict, const struct hostkey_seen *seen, const char *name,
			 char *out, size_t size)
{
	switch (verdict) {
	case HOSTKEY_KNOWN:
		snprintf(out, size, "%s %s is known", seen->type, seen->fingerprint);
		return;
	case HOSTKEY_UNKNOWN:
		snprintf(out, size, "%s %s of %s is not known; compare it with the host's own key, then add it to known_hosts",
			 seen->type, seen->fingerprint, name);
		return;
	case HOSTKEY_AUTHORITY_ONLY:
		snprintf(out, size, "%s %s of %s is not known: %s names a certificate authority; host certificates need the "
			 "site's own ssh: set fabcon_transport: openssh for this host, or --transport openssh", seen->type,
			 seen->fingerprint, name, seen->where);
		return;
	case HOSTKEY_CHANGED:
		snprintf(out, size, "CHANGED: %s is now %s, and was %s (%s); if the host was reinstalled, remove that line; "
				    "otherwise this may be a man-in-the-middle attack", seen->type, seen->fingerprint, seen->old_fingerprint, seen->where);
		return;
	case HOSTKEY_OTHER_TYPE:
		snprintf(out, size, "%s %s is presented where %s %s is known (%s); possibly a downgrade: add the new key only if "
				    "the host's keys were changed", seen->type, seen->fingerprint, seen->old_type, seen->old_fingerprint,
			 seen->where);
		return;
	case HOSTKEY_REVOKED:
		snprintf(out, size, "%s %s is REVOKED (%s); do not trust this host until its key is replaced", seen->type,
			 seen->fingerprint, seen->where);
		return;
	}
}

/* What a server with a key of that type is asked for, best first. SHA-1 signatures ("ssh-rsa") are never asked for. */
static const struct {
	const char *type, *algorithms;
} algorithm_table[] = {
	{ "ssh-ed25519",	 "ssh-ed25519" },
	{ "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256" },
	{ "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp384" },
	{ "ecdsa-sha2-nistp521", "ecdsa-sha2-nistp521" },
	{ "ssh-rsa",		 "rsa-sha2-512,rsa-sha2-256" },
};

static bool knows_type(const struct known_hosts *k, const struct name *n, const char *type)
{
	for (size_t i = 0; i < n->n; i++) {
		const struct line *l = &k->lines[n->lines[i]];
		if (l->marker == MARK_NONE && !strcmp(l->type, type))
			return true;
	}
	return false;
}

void known_hosts_algorithms(struct known_hosts *k, const char *name, struct buf *out)
{
	const struct name *n = resolve(k, name);

	for (int want_known = 1; want_known >= 0; want_known--) {
		for (size_t i = 0; i < sizeof(algorithm_table) / sizeof(*algorithm_table); i++) {
			if (knows_type(k, n, algorithm_table[i].type) != want_known)
				continue;
			buf_printf(out, "%s%s", out->n ? "," : "", algorithm_table[i].algorithms);
		}
	}
}

bool known_hosts_add(struct known_hosts *k, const char *name, struct span key)
{
	struct line l = { .patterns = lower(&k->arena, span_of(name)), .file = "accepted in this session" };
	struct name *n = resolve(k, name);

	if (!add_key(k, l, key))
		return false;
	*GROW(n->lines, n->n, n->cap) = k->n - 1;
	n->n++;
	return true;
}

static void make_parent(const char *path)
{
	char dir[PATH_MAX];
	const char *slash = strrchr(path, '/');

	if (!slash || slash == path || (size_t)(slash - path) >= sizeof(dir))
		return;
	snprintf(dir, sizeof(dir), "%.*s", (int)(slash - path), path);
	mkdir(dir, 0700);
}

/* Whether a line can begin at the end of this file. */
static bool ends_in_newline(int fd)
{
	char last;
	off_t end = lseek(fd, 0, SEEK_END);

	return end <= 0 || pread(fd, &last, 1, end - 1) != 1 || last == '\n';
}

bool known_hosts_append(const char *path, const char *name, struct span key, struct err *err)
{
	struct span type;
	struct buf line = { 0 };

	if (!key_type(key, &type) || key.n > KEY_MAX)
		return err_set(err, "%s: not a host key", name);
	if (strpbrk(name, " \t\r\n,*?!|#@"))
		return err_set(err, "%s: not a valid known_hosts name", name);
	make_parent(path);
	int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
	if (fd < 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	unsigned char *base64 = xmalloc(key.n / 3 * 4 + 8);
	EVP_EncodeBlock(base64, (const unsigned char *)key.p, key.n);
	buf_printf(&line, "%s%s %.*s %s\n", ends_in_newline(fd) ? "" : "\n", name, (int)type.n, type.p, base64);
	bool done = write(fd, line.text, line.n) == (ssize_t)line.n || err_set(err, "%s: %s", path, strerror(errno));
	if (close(fd) < 0 && done)
		done = err_set(err, "%s: %s", path, strerror(errno));
	free(base64);
	buf_done(&line);
	return done;
}
