/*
 * Programs that a site's configuration wants run on this machine while it is read: Match exec of ssh_config, and
 * ansible-inventory, which runs the inventory's plugins. None of them runs before the person has agreed: by --allow, or by
 * an answer on the terminal.
 */
#ifndef TUI_ARGS_CONSENT_H
#define TUI_ARGS_CONSENT_H

#include "core/base/err.h"

enum consent_to { CONSENT_MATCH_EXEC, CONSENT_ANSIBLE_INVENTORY, CONSENTS };

/* "match-exec,ansible-inventory": as --allow has it. */
bool consent_allow(const char *words, struct err *err);
/* From now on a person may be asked on the terminal, or may not: --no-input, and while the screens have it. */
void consent_may_ask(bool yes);

/*
 * The same, but what is asked waits for consent_answer(), and is a no until then: for screens, which ask in their own way.
 * Nothing changes where nobody may be asked.
 */
void consent_ask_later(void);
/* The first that waits, whole; NULL: none does. Lent until it is answered. */
const char *consent_waiting(void);
/* The answer to it. */
void consent_answer(bool yes);
/* What was refused is asked again when it comes again. */
void consent_forget_refusals(void);

/*
 * Whether it may be run. what: for the person, whole: "/home/u/.ssh/config:12: Match exec \"test -e /vpn\"". The same words
 * are asked once a run.
 */
bool consent_given(enum consent_to to, const char *what);

#endif
