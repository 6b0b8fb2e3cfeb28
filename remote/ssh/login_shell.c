#include "remote/ssh/login_shell.h"

#include <stdio.h>

#include "remote/platform/mask.h"

static const struct {
	const char *words;	/* within what it prints, in whichever language: these programs speak but one */
	const char *is;
} table[] = {
	{ "restricted: cannot specify",			"is restricted (rbash)" },
	{ "/bin/sh: restricted",			"is restricted (rksh)" },
	{ "This account is currently not available",	"allows no login (nologin)" },
	{ "unrecognized command '/bin/sh",		"runs git commands only (git-shell)" },
	{ "Interactive git shell is not enabled",	"runs git commands only (git-shell)" },
	{ "This service allows sftp connections only",	"allows file transfer only (sftp)" },
	{ "account is restricted by rssh",		"is restricted (rssh)" },
	{ "*** forbidden",				"is restricted (lshell)" },
};

void loginshell_hear(struct shell_end *e, struct span bytes)
{
	size_t n = strlen(e->said);

	for (size_t i = 0; i < bytes.n && n + 2 < sizeof(e->said); i++) {
		char c = bytes.p[i];
		if (c == '\n' || c == '\r' || c == '\t' || c == ' ') {
			e->has_gap = n;
			continue;
		}
		if (e->has_gap)
			e->said[n++] = ' ';
		e->has_gap = false;
		e->said[n++] = c > ' ' && c <= '~' ? c : '?';
	}
	e->said[n] = '\0';
}

#define REMEDY	"give %s a shell that runs /bin/sh (chsh -s /bin/sh %s), or use another user"

bool loginshell_is_restricted(const struct shell_end *e, const char *user, char *why, size_t size)
{
	char said[sizeof(e->said)];

	mask_quote(said, sizeof(said), span_of(e->said));
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (!strstr(e->said, table[i].words))
			continue;
		snprintf(why, size, "identification: the login shell of %s there %s: \"%s\"; " REMEDY, user, table[i].is, said, user,
			 user);
		return true;
	}
	return false;
}

static const char *status_word(const struct shell_end *e, char out[static 32])
{
	if (e->status < 0)
		return "no status";
	snprintf(out, 32, "status %d", e->status);
	return out;
}

void loginshell_explain(const struct shell_end *by_command, const struct shell_end *by_shell, const char *user, char *why,
			size_t size)
{
	const struct shell_end *by = by_command->said[0] ? by_command : by_shell;
	char one[32], other[32], said[sizeof(by->said)];

	mask_quote(said, sizeof(said), span_of(by->said));
	snprintf(why, size, "identification: /bin/sh of %s there ended with %s, and its login shell with %s, %s%s%s: a forced "
		 "command, or a login program that is not a shell; " REMEDY, user, status_word(by_command, one),
		 status_word(by_shell, other), *said ? "saying \"" : "saying nothing", said, *said ? "\"" : "", user, user);
}
