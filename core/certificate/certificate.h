/*
 * The bring-up certificate: one JSON object for a rack, "fabcon.certificate/1", and what is made of it. Pure.
 *
 * Its form is schema.json, which is published and which each certificate is checked against. null is unknown, never zero. The seal is
 * a SHA-256 over the object without "sha256", written as RFC 8785 says: a file may be reformatted, and any other change breaks it. It
 * proves that the file is as it was written; by whom is for a signature to prove.
 *
 *	fill the object -> certificate_seal() -> certificate_write()
 *	file -> certificate_read() -> certificate_diff() (core/certificate/diff.h)
 */
#ifndef CORE_CERTIFICATE_CERTIFICATE_H
#define CORE_CERTIFICATE_CERTIFICATE_H

#include <jansson.h>

#include "core/base/err.h"
#include "core/base/mem.h"

#define CERTIFICATE_SCHEMA	"fabcon.certificate/1"

/* SHA-256 of a value, written as RFC 8785 says, in hex. */
#define CERTIFICATE_HASH_SIZE	65
void certificate_hash(const json_t *value, char hash[CERTIFICATE_HASH_SIZE]);

/* The published JSON schema (draft 2020-12), as text with line ends. */
extern const char certificate_schema[];

/*
 * Counts links and tests into "summary", then sets "sha256". False, and err names the key: the object is not of the form that
 * schema.json describes, names a link, a device or a limit twice, or gives one setting two values.
 */
bool certificate_seal(json_t *certificate, struct err *err);

enum certificate_fault {
	CERTIFICATE_SOUND,
	CERTIFICATE_MALFORMED,		/* not a certificate: err names the line or the key */
	CERTIFICATE_ALTERED,		/* a certificate that was changed after it was sealed */
};

/* text: a file's, whoever wrote it. *out: a new reference, set only when it is sound. */
enum certificate_fault certificate_read(struct span text, json_t **out, struct err *err);

/* What a certificate can be written as. */
struct certificate_format {
	const char *name;		/* "md", as in -o md */
	const char *extension;		/* of a file: "md" */
	void (*write)(const json_t *certificate, struct buf *out);
};
extern const struct certificate_format certificate_formats[];
extern const size_t certificate_n_formats;
/* NULL: there is none of that name. */
const struct certificate_format *certificate_format_find(const char *name);

/* certificate: sealed, or read and sound. The same certificate is the same bytes in each locale. */
void certificate_write(const json_t *certificate, const struct certificate_format *format, struct buf *out);

#endif
