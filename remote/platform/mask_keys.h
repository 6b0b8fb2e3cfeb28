/* Names whose values are secrets: of a configuration's members, variables, options and words. */
#ifndef REMOTE_PLATFORM_MASK_KEYS_H
#define REMOTE_PLATFORM_MASK_KEYS_H

#include "core/base/span.h"

enum mask_key {
	MASK_PLAIN,
	MASK_FIELD,	/* a secret's where a value is assigned to it ("auth: dXNl"), and an ordinary word elsewhere */
	MASK_SECRET,
};

/* "bind_pw", "bindpw", "BindPw" and "bind-pw" are the same name. */
enum mask_key mask_key(struct span name);

/* Whether s is one of these words, in whatever case. */
bool mask_is_among(struct span s, const char *words);
/* Whether this value of a secret's name tells no secret: "yes", "enabled", a counter. */
bool mask_keeps(struct span name, struct span value);

/* Whether a line may hold a secret at all. Cheap, and asked of every line of every reply; a line without one may pass as well. */
bool mask_may_hold(struct span line);

/* The words behind "authentication" after which a secret stands: "simple", "text". */
bool mask_is_plain_method(struct span word);

#endif
