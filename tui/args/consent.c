#include "tui/args/consent.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "tui/text/safe.h"

static const char *const word_table[CONSENTS] = {
	[CONSENT_MATCH_EXEC] = "match-exec",
	[CONSENT_ANSIBLE_INVENTORY] = "ansible-inventory",
};

/* What a person was asked, or is to be. */
struct answer {
	char *what;
	bool is_waiting, is_yes;
};

static struct {
	bool is_allowed[CONSENTS], may_ask, asks_later;
	struct answer *answers;
	size_t n, cap;
} consent;

static bool allow_one(struct span word, struct err *err)
{
	for (size_t i = 0; i < CONSENTS; i++) {
		if (!span_is(word, word_table[i]))
			continue;
		consent.is_allowed[i] = true;
		return true;
	}
	return err_set(err, "--allow takes match-exec or ansible-inventory, or both with a comma, not \"%.*s\"",
		       (int)(word.n < 40 ? word.n : 40), word.p ? word.p : "");
}

bool consent_allow(const char *words, struct err *err)
{
	struct span rest = span_of(words), word;

	while (span_cut(rest, ',', &word, &rest))
		if (!allow_one(word, err))
			return false;
	return allow_one(rest, err);
}

void consent_may_ask(bool yes)
{
	consent.may_ask = yes;
	consent.asks_later = false;
}

static bool ask(const char *what)
{
	FILE *tty = consent.may_ask ? fopen("/dev/tty", "r+e") : NULL;
	struct buf safe = { 0 };
	char line[16] = "";

	if (!tty)
		return false;
	safe_add(&safe, span_of(what), false);
	fprintf(tty, "%s\nThis runs a program on this machine. Run it? [yes/no] ", safe.text ? safe.text : "");
	fflush(tty);
	if (!fgets(line, sizeof(line), tty))
		line[0] = '\0';
	fclose(tty);
	buf_done(&safe);
	return !strcasecmp(line, "y\n") || !strcasecmp(line, "yes\n");
}

void consent_ask_later(void)
{
	consent.asks_later = consent.may_ask;
}

static struct answer *waiting(void)
{
	for (size_t i = 0; i < consent.n; i++)
		if (consent.answers[i].is_waiting)
			return &consent.answers[i];
	return NULL;
}

const char *consent_waiting(void)
{
	return waiting() ? waiting()->what : NULL;
}

void consent_answer(bool yes)
{
	struct answer *a = waiting();

	if (!a)
		return;
	a->is_waiting = false;
	a->is_yes = yes;
}

void consent_forget_refusals(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < consent.n; i++)
		if (consent.answers[i].is_yes)
			consent.answers[kept++] = consent.answers[i];
		else
			free(consent.answers[i].what);
	consent.n = kept;
}

bool consent_given(enum consent_to to, const char *what)
{
	struct answer *a;

	if (consent.is_allowed[to])
		return true;
	for (size_t i = 0; i < consent.n; i++)
		if (!strcmp(consent.answers[i].what, what))
			return consent.answers[i].is_yes;
	if (!consent.may_ask)
		return false;
	a = GROW(consent.answers, consent.n, consent.cap);
	consent.n++;
	*a = (struct answer){ .what = xstrdup(what), .is_waiting = consent.asks_later };
	a->is_yes = !consent.asks_later && ask(what);
	return a->is_yes;
}
