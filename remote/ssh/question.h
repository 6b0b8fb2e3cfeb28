/* What a session asks of the person at the console. */
#ifndef REMOTE_SSH_QUESTION_H
#define REMOTE_SSH_QUESTION_H

#include <stdbool.h>
#include <stddef.h>

/* Something only a person can answer. Secrets live in the answer and nowhere else. */
struct question {
	const char *host;
	const char *text;		/* "Passphrase for /home/u/.ssh/id_ed25519", "host key …: trust it?" */
	bool is_secret;			/* do not echo */
	bool is_yes_no;
	/*
	 * What the yes is for, a line each: "node1  ssh-ed25519 SHA256:…". All of them are to be shown before yes is taken; the
	 * answer may also name some of them by number: "1,3-5".
	 */
	const char *const *lines;
	size_t n_lines;
	const char *same;		/* equal texts are the same question; NULL: it is this host's alone */
};

#endif
