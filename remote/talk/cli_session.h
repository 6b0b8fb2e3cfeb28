/*
 * A terminal session with a switch's command line, as far as all talks with one go the same way: the first prompt, "show
 * version", the pager off; then one line at a time, whose answer lies between its echo and the next prompt. Waiting for the
 * echo is what keeps a late or repeated prompt from handing one line's output to another.
 */
#ifndef REMOTE_TALK_CLI_SESSION_H
#define REMOTE_TALK_CLI_SESSION_H

#include "core/base/err.h"
#include "remote/platform/platform.h"
#include "remote/talk/teletype.h"

struct cli_session {
	struct buf *out;		/* what is typed; lent */
	struct teletype tty;
	enum { CLI_LOGIN, CLI_VERSION, CLI_PAGER_OFF, CLI_OPEN } at;
	char name[64];			/* what the prompt begins with: learnt from the first one */
	struct buf login;		/* what was printed before the first prompt; then what identifies the system */
	const struct platform *platform;

	char *command;			/* owned; what was typed last, NULL at rest */
	size_t scanned;			/* text before this holds no echo */
	size_t begins;			/* where the answer begins, once its echo was seen */
	bool echo_seen;
	bool is_silent;			/* this device does not echo */
};

void cli_session_init(struct cli_session *s, struct buf *out);
void cli_session_done(struct cli_session *s);

void cli_session_type(struct cli_session *s, const char *line);
/* Takes bytes in, and the echo of what was typed off them. */
void cli_session_feed(struct cli_session *s, struct span bytes);
bool cli_session_is_own_prompt(const struct cli_session *s, struct span line);
/* The prompt in line ends the answer. */
bool cli_session_is_answered(const struct cli_session *s, struct span line);
/* What was printed since the echo, up to the line of the prompt (or with it); prompts left over at its end are no part. */
struct span cli_session_answer(const struct cli_session *s, bool with_tail);

#define CLI_MET_SHELL	"a Linux shell answers"	/* so begins the reason of CLI_REFUSED where one does */

enum cli_entry {
	CLI_ENTERING,
	CLI_ENTERED,		/* identified and ready; login holds the text */
	CLI_NOT_SPOKEN,		/* identified as something else, or as nothing known */
	CLI_REFUSED,		/* err says why */
};
/* A prompt stands while the session is not open yet. */
enum cli_entry cli_session_enter(struct cli_session *s, struct span tail, struct err *err);
/* The time for that is over: in words. */
void cli_session_too_late(const struct cli_session *s, struct err *err);
const char *cli_session_step(const struct cli_session *s);

/*
 * What no program answers: a password that must be changed, a question. True, with the reason. A pager is answered, and the
 * tail is then empty.
 */
bool cli_session_is_stuck(struct cli_session *s, struct span tail, struct err *err);

#endif
