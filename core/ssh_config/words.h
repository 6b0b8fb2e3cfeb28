/* The small languages of ssh's configuration and command line, as OpenSSH 9.2 reads them: words, patterns, tokens, hops. */
#ifndef CORE_SSH_CONFIG_WORDS_H
#define CORE_SSH_CONFIG_WORDS_H

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/base/texts.h"

/*
 * The next word of a line, which is written over: ends at a blank, at one "=", or at the end of its quotes. NULL: no word
 * left, or unclosed quotes. *rest is NULL after the last word.
 */
char *ssh_word(char **rest);

/* The words of a value: quotes and \" \' \\ "\ " as ssh has them, "#" begins a comment. False: unclosed quotes. */
bool ssh_split(struct arena *a, const char *text, struct texts *out);

/* The words of a POSIX shell without anything that is expanded: as Ansible splits ansible_ssh_common_args. */
bool ssh_shell_split(struct arena *a, const char *text, struct texts *out);

/* * and ? in a pattern; a list has commas and "!". A list of host names is compared without case. */
bool ssh_match(const char *text, const char *pattern);
bool ssh_match_list(const char *text, const char *patterns, bool any_case);

/* "30", "1h30m". */
bool ssh_time_ok(const char *text);

/* [user@]host[:port] or ssh://…; port 0 and user NULL: not said. False: not one. */
struct ssh_hop {
	const char *user, *host;
	unsigned port;
};
bool ssh_read_hop(struct arena *a, struct span text, struct ssh_hop *out);

/* What may be in an address, a user's name, that goes to a shell, to ssh's arguments or to a resolver. */
bool ssh_address_ok(const char *address);
bool ssh_user_ok(const char *user);

/* An address as getaddrinfo() writes it back, other names in lower case. */
bool ssh_is_address(const char *host);
const char *ssh_usual_form(struct arena *a, const char *host);
const char *ssh_lower(struct arena *a, const char *text);

/* What %X stands for; NULL: no such token here. */
struct ssh_tokens {
	const char *of[128];
	const char *(*env)(void *ctx, const char *name);	/* ${NAME}; NULL: not expanded */
	void *ctx;
};
/* NULL: a token or variable that is none; why names it. */
const char *ssh_expand(struct arena *a, const char *text, const struct ssh_tokens *t, struct err *why);

#endif
