#include "remote/talk/cli_session.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/platform/mask.h"
#include "remote/platforms.h"
#include "remote/talk/prompt.h"

#define LOGIN_TEXT_MAX	16384
#define IDENTIFY_BY	"show version"	/* the one command all these systems have in common */

void cli_session_init(struct cli_session *s, struct buf *out)
{
	*s = (struct cli_session){ .out = out };
}

void cli_session_done(struct cli_session *s)
{
	free(s->command);
	buf_done(&s->login);
	teletype_done(&s->tty);
}

void cli_session_type(struct cli_session *s, const char *line)
{
	free(s->command);
	s->command = xstrdup(line);
	teletype_clear(&s->tty);
	s->scanned = s->begins = 0;
	s->echo_seen = false;
	buf_str(s->out, line);
	buf_str(s->out, "\n");
}

bool cli_session_is_own_prompt(const struct cli_session *s, struct span line)
{
	struct span name;
	char end;

	return prompt_shape(line, &name, &end) && span_is(name, s->name);
}

bool cli_session_is_answered(const struct cli_session *s, struct span line)
{
	return cli_session_is_own_prompt(s, line) && (s->echo_seen || s->is_silent);
}

/* The echo: the first whole line that ends with what was typed. A prompt may stand before it, once or twice. */
static void find_echo(struct cli_session *s)
{
	struct span rest, line;

	if (!s->command || s->echo_seen || s->scanned >= s->tty.line)
		return;
	rest = (struct span){ s->tty.text.text + s->scanned, s->tty.line - s->scanned };
	while (!s->echo_seen && span_line(&rest, &line)) {
		s->scanned = (size_t)(rest.p - s->tty.text.text);
		if (prompt_ends_with(span_trim(line), s->command)) {
			s->echo_seen = true;
			s->begins = s->scanned;
		}
	}
}

void cli_session_feed(struct cli_session *s, struct span bytes)
{
	teletype_feed(&s->tty, bytes);
	find_echo(s);
}

struct span cli_session_answer(const struct cli_session *s, bool with_tail)
{
	size_t end = with_tail ? s->tty.text.n : s->tty.line;
	struct span text, head, last;

	if (end <= s->begins || (!s->echo_seen && !s->is_silent))
		return SPAN("");
	text = (struct span){ s->tty.text.text + s->begins, end - s->begins };
	while (text.n > 0) {
		struct span whole = { text.p, text.n - (text.p[text.n - 1] == '\n') };

		if (!span_cut_last(whole, '\n', &head, &last))
			break;
		if (!cli_session_is_own_prompt(s, last))
			break;
		text.n = head.n + 1;
	}
	return text;
}

/* The last it printed, for reasons. */
static void quote_last(const struct cli_session *s, char out[static 121])
{
	mask_quote_last(out, 121, s->tty.text.n ? span_trim(buf_span(&s->tty.text)) : SPAN("nothing"));
}

/* -- going in -- */

static enum cli_entry learn_prompt(struct cli_session *s, struct span tail, struct err *err)
{
	struct span name;
	char end;

	if (!prompt_shape(tail, &name, &end))
		return CLI_ENTERING;
	if (end == '$' || (end == '#' && memchr(name.p, '@', name.n))) {
		err_set(err, CLI_MET_SHELL " (%.*s), not the switch CLI: use a login that starts the CLI",
			(int)name.n, name.p);
		return CLI_REFUSED;
	}
	snprintf(s->name, sizeof(s->name), "%.*s", (int)name.n, name.p);
	return CLI_ENTERED;
}

static enum cli_entry logged_in(struct cli_session *s, struct span tail, struct err *err)
{
	enum cli_entry entry = learn_prompt(s, tail, err);

	if (entry != CLI_ENTERED)
		return entry;
	buf_add(&s->login, s->tty.text.text, s->tty.line < LOGIN_TEXT_MAX ? s->tty.line : LOGIN_TEXT_MAX);
	s->at = CLI_VERSION;
	cli_session_type(s, IDENTIFY_BY);
	return CLI_ENTERING;
}

/* The version with what was printed before it: what the system is identified by. */
static void take_version(struct cli_session *s)
{
	struct buf text = { 0 };
	struct span version = cli_session_answer(s, false);

	buf_add(&text, version.p, version.n);
	s->platform = platform_identify(buf_span(&text));
	buf_str(&text, "\n");
	buf_add(&text, s->login.text, s->login.n);
	if (s->platform || !s->is_silent) {
		buf_done(&s->login);
		s->login = text;
	} else {
		buf_done(&text);
	}
}

static enum cli_entry version_came(struct cli_session *s, struct span tail, struct err *err)
{
	if (!cli_session_is_own_prompt(s, tail) && !s->echo_seen)
		/* the first was a line of the banner that looked like one */
		return learn_prompt(s, tail, err) == CLI_REFUSED ? CLI_REFUSED : CLI_ENTERING;
	if (!cli_session_is_own_prompt(s, tail))
		return CLI_ENTERING;
	s->is_silent = !s->echo_seen;
	take_version(s);
	if (s->is_silent && !s->platform) {
		s->is_silent = false;	/* more likely a prompt that was printed twice: the answer will come */
		return CLI_ENTERING;
	}
	if (!platform_speaks(s->platform, WAY_CLI))
		return CLI_NOT_SPOKEN;
	s->at = CLI_PAGER_OFF;
	cli_session_type(s, s->platform->cli->pager_off);
	return CLI_ENTERING;
}

enum cli_entry cli_session_enter(struct cli_session *s, struct span tail, struct err *err)
{
	if (s->at == CLI_LOGIN)
		return logged_in(s, tail, err);
	if (s->at == CLI_VERSION)
		return version_came(s, tail, err);
	if (!cli_session_is_answered(s, tail))
		return CLI_ENTERING;
	s->at = CLI_OPEN;
	return CLI_ENTERED;
}

void cli_session_too_late(const struct cli_session *s, struct err *err)
{
	char shown[121];

	quote_last(s, shown);
	if (s->at == CLI_LOGIN)
		err_set(err, "no prompt; last output: %s", shown);
	else
		err_set(err, "no answer to \"%s\"; last output: %s", s->command, shown);
}

const char *cli_session_step(const struct cli_session *s)
{
	return s->at == CLI_LOGIN ? "prompt" : s->at == CLI_VERSION ? "version" : s->at == CLI_PAGER_OFF ? "pager off" : NULL;
}

bool cli_session_is_stuck(struct cli_session *s, struct span tail, struct err *err)
{
	if (prompt_is_pager(tail)) {
		teletype_drop_tail(&s->tty);
		buf_str(s->out, " ");
		return false;
	}
	if (prompt_wants_password(tail))
		return !err_set(err, "it prompts \"%.*s\": the password has expired or must be changed; log in by hand once",
				(int)(tail.n < 120 ? tail.n : 120), tail.p);
	if (prompt_is_question(tail))
		return !err_set(err, "it prompts \"%.*s\", which fabcon does not answer; log in by hand and resolve it",
				(int)(tail.n < 300 ? tail.n : 300), tail.p);
	return false;
}
