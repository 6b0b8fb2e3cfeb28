#include "remote/login.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROMPT_MAX	200	/* bytes of a server's question that are shown */
#define PROMPTS_MAX	16	/* questions in one round; a server that has more is not asking a person */

/* A way in: the method it needs, and one try of it. The order is the order of trying. */
enum way { WAY_NONE, WAY_IDENTITY, WAY_AGENT, WAY_QUESTIONS, WAY_PASSWORD, WAYS };

void login_init(struct login *l, ssh_session session, const struct ssh_plan *plan, bool may_ask)
{
	*l = (struct login){ .session = session, .plan = plan, .may_ask = may_ask, .way = -1, .agent_rc = SSH_AUTH_AGAIN };
}

static void wipe(struct login *l)
{
	if (l->secret)
		explicit_bzero(l->secret, strlen(l->secret));
	free(l->secret);
	l->secret = NULL;
	l->has_answer = false;
}

void login_done(struct login *l)
{
	wipe(l);
	buf_done(&l->refused);
	buf_done(&l->question);
}

static const struct identity *identity_now(const struct login *l)
{
	return l->plan->identities[l->identity];
}

static bool may_use(const struct login *l, int method)
{
	return !l->methods || (l->methods & method);
}

static bool next_identity(struct login *l, size_t from)
{
	for (l->identity = from; l->identity < l->plan->n_identities; l->identity++)
		if (identity_now(l)->state == IDENTITY_READY)
			return true;
	return false;
}

static bool has_key(const struct login *l)
{
	for (size_t i = 0; i < l->plan->n_identities; i++)
		if (l->plan->identities[i]->state == IDENTITY_READY)
			return true;
	return l->plan->use_agent;
}

/* Whether there is anything to try this way. "none" only asks what the server accepts, which a refused key does too. */
static bool is_open_to(struct login *l, enum way way)
{
	switch (way) {
	case WAY_NONE:
		return !has_key(l);
	case WAY_IDENTITY:
		return may_use(l, SSH_AUTH_METHOD_PUBLICKEY) && next_identity(l, 0);
	case WAY_AGENT:
		return may_use(l, SSH_AUTH_METHOD_PUBLICKEY) && l->plan->use_agent;
	case WAY_QUESTIONS:
		return l->may_ask && may_use(l, SSH_AUTH_METHOD_INTERACTIVE);
	case WAY_PASSWORD:
		return l->may_ask && !l->has_asked && may_use(l, SSH_AUTH_METHOD_PASSWORD);
	case WAYS:
		break;
	}
	return false;
}

/* Goes to the next way in; false when there is none. */
static bool advance(struct login *l)
{
	if (l->way == WAY_IDENTITY && may_use(l, SSH_AUTH_METHOD_PUBLICKEY) && next_identity(l, l->identity + 1))
		return true;
	for (l->way++; l->way < WAYS; l->way++)
		if (is_open_to(l, l->way))
			return true;
	return false;
}

static int try_questions(struct login *l)
{
	int rc;

	if (l->has_answer) {
		ssh_userauth_kbdint_setanswer(l->session, l->prompt, l->secret);
		wipe(l);
		if (++l->prompt < l->n_prompts)
			return SSH_AUTH_INFO;
	}
	while ((rc = ssh_userauth_kbdint(l->session, NULL, NULL)) == SSH_AUTH_INFO) {
		int n = ssh_userauth_kbdint_getnprompts(l->session);
		l->prompt = 0;
		l->n_prompts = n > 0 ? n : 0;
		if (n > PROMPTS_MAX)
			return SSH_AUTH_DENIED;
		if (n > 0)
			return rc;
	}
	return rc;
}

static int try_now(struct login *l)
{
	switch (l->way) {
	case WAY_NONE:
		return ssh_userauth_none(l->session, NULL);
	case WAY_IDENTITY:
		return ssh_userauth_publickey(l->session, NULL, identity_now(l)->key);
	case WAY_AGENT:
		return l->agent_rc;
	case WAY_QUESTIONS:
		return try_questions(l);
	default:
		return l->has_answer ? ssh_userauth_password(l->session, NULL, l->secret) : SSH_AUTH_INFO;
	}
}

static void name_way(const struct login *l, struct buf *out)
{
	static const char *const names[] = {
		[WAY_NONE] = "none", [WAY_AGENT] = "the agent's keys", [WAY_QUESTIONS] = "the answers",
		[WAY_PASSWORD] = "the password",
	};

	buf_str(out, l->way == WAY_IDENTITY ? identity_now(l)->name : names[l->way]);
}

static void note_refused(struct login *l)
{
	int methods = ssh_userauth_list(l->session, NULL);

	if (methods)
		l->methods = methods;
	if (l->way == WAY_NONE)
		return;
	if (l->refused.n)
		buf_str(&l->refused, ", ");
	name_way(l, &l->refused);
}

static void note_done(struct login *l)
{
	static const char *const ways[] = {
		[WAY_NONE] = "none", [WAY_IDENTITY] = "publickey", [WAY_AGENT] = "publickey by agent",
		[WAY_QUESTIONS] = "keyboard-interactive", [WAY_PASSWORD] = "password",
	};

	snprintf(l->how, sizeof(l->how), "%s%s%s", ways[l->way], l->way == WAY_IDENTITY ? " " : "",
		 l->way == WAY_IDENTITY ? identity_now(l)->name : "");
}

static void name_methods(int methods, struct buf *out)
{
	static const struct {
		int method;
		const char *name;
	} names[] = {
		{ SSH_AUTH_METHOD_PUBLICKEY,	"publickey" },
		{ SSH_AUTH_METHOD_PASSWORD,	"password" },
		{ SSH_AUTH_METHOD_INTERACTIVE,	"keyboard-interactive" },
		{ SSH_AUTH_METHOD_HOSTBASED,	"hostbased" },
		{ SSH_AUTH_METHOD_GSSAPI_MIC,	"gssapi-with-mic" },
	};
	const char *comma = "";

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!(methods & names[i].method))
			continue;
		buf_printf(out, "%s%s", comma, names[i].name);
		comma = ", ";
	}
}

/* Keys that could not be tried, and why. */
static void name_untried(const struct login *l, struct buf *out)
{
	for (size_t i = 0; i < l->plan->n_identities; i++) {
		const struct identity *id = l->plan->identities[i];
		if (id->state == IDENTITY_LOCKED || (id->state == IDENTITY_BROKEN && !id->is_optional))
			buf_printf(out, "; not tried: %s (%s)", id->name, id->error);
	}
}

static bool has_locked(const struct login *l)
{
	for (size_t i = 0; i < l->plan->n_identities; i++)
		if (l->plan->identities[i]->state == IDENTITY_LOCKED && !l->plan->identities[i]->is_refused)
			return true;
	return false;
}

static enum login_result refuse(struct login *l)
{
	struct buf why = { 0 };

	buf_str(&why, "the server accepts ");
	if (l->methods)
		name_methods(l->methods, &why);
	else
		buf_str(&why, "nothing it would name");
	if (l->refused.n)
		buf_printf(&why, " and refused %s", l->refused.text);
	else
		buf_str(&why, " and there was nothing to show it");
	name_untried(l, &why);
	buf_printf(&why, "; check authorized_keys of %s there, or name another key or user", l->plan->user);
	snprintf(l->why, sizeof(l->why), "%s", why.text);
	buf_done(&why);
	bool may_unlock = l->may_ask && has_locked(l) && may_use(l, SSH_AUTH_METHOD_PUBLICKEY);
	return may_unlock ? LOGIN_LOCKED : LOGIN_REFUSED;
}

/* A server that hangs up on a key it has just refused has refused the login: MaxAuthTries. */
static enum login_result broken(struct login *l)
{
	const char *error = ssh_get_error(l->session);

	snprintf(l->why, sizeof(l->why), "%.200s%s%.150s", *error ? error : "the connection broke",
		 l->refused.n ? "; refused until then: " : "", l->refused.n ? l->refused.text : "");
	return l->refused.n || strstr(error, "Too many auth") ? LOGIN_REFUSED : LOGIN_BROKEN;
}

static enum login_result next_way(struct login *l)
{
	if (!advance(l))
		return refuse(l);
	return l->way == WAY_AGENT ? LOGIN_HELPER : login_step(l);
}

enum login_result login_step(struct login *l)
{
	if (l->way < 0)
		return next_way(l);
	int rc = try_now(l);
	if (rc != SSH_AUTH_AGAIN && l->way == WAY_PASSWORD)
		wipe(l);
	switch (rc) {
	case SSH_AUTH_SUCCESS:
		note_done(l);
		return LOGIN_DONE;
	case SSH_AUTH_AGAIN:
		return LOGIN_AGAIN;
	case SSH_AUTH_INFO:
		return LOGIN_ASK;
	case SSH_AUTH_PARTIAL:
		l->methods = ssh_userauth_list(l->session, NULL);
		return next_way(l);
	case SSH_AUTH_DENIED:
		note_refused(l);
		return next_way(l);
	default:
		return broken(l);
	}
}

/* The agent's socket is read and written without a time limit, and a key that wants a touch waits for it. */
void login_agent(struct login *l)
{
	struct pollfd p = { .fd = ssh_get_fd(l->session) };

	while ((l->agent_rc = ssh_userauth_agent(l->session, NULL)) == SSH_AUTH_AGAIN) {
		if (atomic_load(&l->is_cancelled)) {
			l->agent_rc = SSH_AUTH_ERROR;
			return;
		}
		p.events = POLLIN | (ssh_get_poll_flags(l->session) & SSH_WRITE_PENDING ? POLLOUT : 0);
		poll(&p, 1, 100);
	}
}

static void add_readable(struct buf *out, const char *text)
{
	for (size_t i = 0; text[i] && i < PROMPT_MAX; i++)
		buf_printf(out, "%c", (unsigned char)text[i] < ' ' || text[i] == 0x7f ? ' ' : text[i]);
}

struct question login_question(const struct login *l)
{
	struct buf *text = (struct buf *)&l->question;
	char echo = 0;

	buf_clear(text);
	buf_printf(text, "%s@%s: ", l->plan->user, l->plan->name);
	if (l->way == WAY_QUESTIONS) {
		const char *prompt = ssh_userauth_kbdint_getprompt(l->session, l->prompt, &echo);
		add_readable(text, prompt ? prompt : "?");
	} else {
		buf_str(text, "password");
	}
	return (struct question){ .host = l->plan->name, .text = text->text, .is_secret = !echo };
}

bool login_answer(struct login *l, const char *text)
{
	if (!text) {
		snprintf(l->why, sizeof(l->why), "the question was not answered; refresh to be asked again");
		return false;
	}
	l->secret = xstrdup(text);
	l->has_answer = l->has_asked = true;
	return true;
}
