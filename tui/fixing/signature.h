/*
 * A plan approved by a person's SSH key: the signature is of the file as fabcon writes it (its canonical text, hash included),
 * in the namespace "fabcon.plan", made where the key is:
 *
 *	ssh-keygen -Y sign -f ~/.ssh/id_ed25519 -n fabcon.plan fix.json
 *
 * and checked by this machine's ssh-keygen against a file of allowed signers (ssh-keygen(1), ALLOWED SIGNERS), each line of
 * which names one person.
 */
#ifndef TUI_FIXING_SIGNATURE_H
#define TUI_FIXING_SIGNATURE_H

#include "core/fix/plan.h"

#define SIGNATURE_NAMESPACE "fabcon.plan"

struct signer {
	char principal[128];		/* "alice@example.net" */
	char key[160];			/* "ED25519 key SHA256:…" */
};

/* approvers: the file of allowed signers; NULL: none is configured. False, with what to do. */
bool signature_check(const struct fix_plan *p, const char *signature, const char *approvers, struct signer *out, struct err *err);

#endif
