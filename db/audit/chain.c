#include "db/audit/chain.h"

#include <assert.h>
#include <openssl/evp.h>
#include <stdio.h>

static void add_text(struct buf *out, const char *text)
{
	if (!text)
		return buf_str(out, "-,");
	buf_printf(out, "%zu:", strlen(text));
	buf_str(out, text);
	buf_str(out, ",");
}

static void add_number(struct buf *out, int64_t n)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)n);
	add_text(out, text);
}

void audit_canonical(const struct audit_entry *e, struct buf *out)
{
	add_number(out, e->id);
	add_number(out, e->at_us);
	add_number(out, e->mono_us);
	add_text(out, e->who);
	add_text(out, e->from);
	add_text(out, e->plan);
	add_text(out, e->hash);
	add_number(out, e->step);
	add_text(out, e->device);
	add_text(out, e->hostkey);
	add_text(out, e->kind);
	add_text(out, e->text);
	add_number(out, e->status);
	add_text(out, e->output);
	add_text(out, e->setup_hash);
}

void audit_chain(const char *before, const struct audit_entry *e, struct buf *scratch, char chain[FIX_HASH_SIZE])
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned n = 0;
	int done;

	buf_clear(scratch);
	add_text(scratch, before);
	audit_canonical(e, scratch);
	done = EVP_Digest(scratch->text, scratch->n, digest, &n, EVP_sha256(), NULL);
	assert(done == 1 && n == 32);
	(void)done;
	for (unsigned i = 0; i < n; i++)
		snprintf(chain + 2 * i, 3, "%02x", digest[i]);
}
