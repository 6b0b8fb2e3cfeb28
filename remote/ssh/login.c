#include "remote/ssh/login.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define PROMPT_MAX	200	/* bytes of a server's question that are shown */
#define STEPS_MAX	8	/* of a login; sshd's AuthenticationMethods has two or three */
#define PROMPTS_MAX	16	/* questions in one round; a server that has more is not asking a person */

/* A way in: the method it needs, and one try of it. The order is the order of trying. */
enum way { WAY_NONE, WAY_CERTIFICATE, WAY_AGENT, WAY_IDENTITY, WAY_QUESTIONS, WAY_PASSWORD, WAYS };

static void add_offer(struct login *l, ssh_key key, ssh_key shown, const char *name)
{
	if (!key)
		return;
	*GROW(l->offers, l->n_offers, l->cap_offers) = (struct offer){ key, shown, name, key != shown };
	l->n_offers++;
}

/* As ssh does: a certificate beside a key counts where none was named, and comes after its key. */
static void add_offers(struct login *l)
{
	const struct ssh_plan *p = l->plan;

	for (size_t c = 0; c < p->n_certificates; c++)
		for (size_t i = 0; i < p->n_identities && p->certificates[c]->cert; i++)
			add_offer(l, identity_certified(p->identities[i], p->certificates[c]->cert), p->certificates[c]->cert,
				  p->certificates[c]->name);
	l->n_first = l->n_offers;
	for (size_t i = 0; i < p->n_identities; i++) {
		struct identity *id = p->identities[i];
		add_offer(l, id->key, id->key, id->name);
		if (id->cert && !p->n_certificates)
			add_offer(l, identity_certified(id, id->cert), id->cert, id->name);
	}
}

void login_init(struct login *l, ssh_session session, const struct ssh_plan *plan, bool may_ask)
{
	*l = (struct login){ .session = session, .plan = plan, .may_ask = may_ask, .way = -1, .agent_rc = SSH_AUTH_AGAIN,
			     .agent_fd = -1 };
	add_offers(l);
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
	agent_free(l->agent);
	for (size_t i = 0; i < l->n_offers; i++)
		if (l->offers[i].is_certified)
			ssh_key_free(l->offers[i].key);
	free(l->offers);
	buf_done(&l->refused);
	buf_done(&l->question);
	buf_done(&l->same);
}

void login_cancel(struct login *l)
{
	atomic_store(&l->is_cancelled, true);
	if (l->session && atomic_load(&l->agent_fd) >= 0)
		shutdown(atomic_load(&l->agent_fd), SHUT_RDWR);
}

/* Of ssh_config. */
static int left_out(const struct login *l)
{
	const struct ssh_plan *p = l->plan;

	return (p->no_keys ? SSH_AUTH_METHOD_PUBLICKEY : 0) | (p->no_questions ? SSH_AUTH_METHOD_INTERACTIVE : 0) |
	       (p->no_password ? SSH_AUTH_METHOD_PASSWORD : 0);
}

static bool may_use(const struct login *l, int method)
{
	return (!l->methods || (l->methods & method)) && !(left_out(l) & method);
}

static bool has_key(const struct login *l)
{
	return !l->plan->no_keys && (l->n_offers || l->plan->agent);
}

static bool agent_had(const struct login *l, ssh_key shown)
{
	size_t n = 0;
	char *blob = l->agent ? identity_blob(shown, &n) : NULL;
	bool had = blob && agent_has_offered(l->agent, (struct span){ blob, n });

	free(blob);
	return had;
}

/* Goes on to a file that was not tried by the agent; false: none of this way is left. */
static bool find_offer(struct login *l, size_t from)
{
	size_t end = l->way == WAY_CERTIFICATE ? l->n_first : l->n_offers;

	for (l->offer = from; l->offer < end; l->offer++)
		if (!agent_had(l, l->offers[l->offer].shown))
			return true;
	return false;
}

/* Whether there is anything to try this way. "none" only asks what the server accepts, which a refused key does too. */
static bool is_open_to(struct login *l, enum way way)
{
	switch (way) {
	case WAY_NONE:
		return !has_key(l);
	case WAY_CERTIFICATE:
		return may_use(l, SSH_AUTH_METHOD_PUBLICKEY) && find_offer(l, 0);
	case WAY_IDENTITY:
		return may_use(l, SSH_AUTH_METHOD_PUBLICKEY) && find_offer(l, l->n_first);
	case WAY_AGENT:
		return may_use(l, SSH_AUTH_METHOD_PUBLICKEY) && l->plan->agent;
	case WAY_QUESTIONS:
		return l->may_ask && may_use(l, SSH_AUTH_METHOD_INTERACTIVE);
	case WAY_PASSWORD:
		return l->may_ask && !l->has_asked && may_use(l, SSH_AUTH_METHOD_PASSWORD);
	case WAYS:
		break;
	}
	return false;
}

static bool is_by_file(const struct login *l)
{
	return l->way == WAY_CERTIFICATE || l->way == WAY_IDENTITY;
}

/* Goes to the next way in; false when there is none. */
static bool advance(struct login *l)
{
	if (is_by_file(l) && may_use(l, SSH_AUTH_METHOD_PUBLICKEY) && find_offer(l, l->offer + 1))
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
	case WAY_CERTIFICATE:
	case WAY_IDENTITY:
		return ssh_userauth_publickey(l->session, NULL, l->offers[l->offer].key);
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

	if (!is_by_file(l))
		return buf_str(out, names[l->way]);
	const struct offer *o = &l->offers[l->offer];
	buf_printf(out, "%s%s", o->is_certified ? "the certificate of " : "", o->name);
}

static void note_refused(struct login *l)
{
	int methods = ssh_userauth_list(l->session, NULL);

	if (methods)
		l->methods = methods;
	bool is_silent = l->way == WAY_AGENT && !(l->agent && agent_offered(l->agent));
	if (l->way == WAY_NONE || is_silent)
		return;
	if (l->refused.n)
		buf_str(&l->refused, ", ");
	name_way(l, &l->refused);
}

static void note_done(struct login *l)
{
	static const char *const ways[] = {
		[WAY_NONE] = "none", [WAY_CERTIFICATE] = "publickey", [WAY_IDENTITY] = "publickey", [WAY_AGENT] = "publickey by agent",
		[WAY_QUESTIONS] = "keyboard-interactive", [WAY_PASSWORD] = "password",
	};
	const struct offer *o = is_by_file(l) ? &l->offers[l->offer] : NULL;

	snprintf(l->how, sizeof(l->how), "%s%s%s%s", ways[l->way], o ? " " : "", o ? o->name : "",
		 o && o->is_certified ? " (certificate)" : "");
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

static void name_left_out(const struct login *l, struct buf *out)
{
	int methods = l->methods & left_out(l);

	if (!methods)
		return;
	buf_str(out, "; ssh_config excludes ");
	name_methods(methods, out);
	buf_str(out, " (PreferredAuthentications, or a line with \"no\")");
}

/* Keys that could not be tried, and why. */
static void name_untried(const struct login *l, struct buf *out)
{
	for (size_t i = 0; i < l->plan->n_identities && !l->plan->no_keys; i++) {
		const struct identity *id = l->plan->identities[i];
		bool is_news = !id->is_optional || !id->is_absent;
		if (id->state == IDENTITY_LOCKED || (id->state == IDENTITY_BROKEN && is_news))
			buf_printf(out, "; not tried: %s (%s)", id->name, id->error);
	}
	for (size_t i = 0; i < l->plan->n_certificates; i++)
		if (l->plan->certificates[i]->state == IDENTITY_BROKEN)
			buf_printf(out, "; not tried: %s (%s)", l->plan->certificates[i]->name, l->plan->certificates[i]->error);
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
		buf_str(&why, " and no credential was available");
	name_left_out(l, &why);
	name_untried(l, &why);
	buf_printf(&why, "; check authorized_keys of %s there, or use another key or user", l->plan->user);
	snprintf(l->why, sizeof(l->why), "%s", why.text);
	buf_done(&why);
	bool may_unlock = l->may_ask && has_locked(l) && may_use(l, SSH_AUTH_METHOD_PUBLICKEY);
	return may_unlock ? LOGIN_LOCKED : LOGIN_REFUSED;
}

/* A server that hangs up on a key it has just refused has refused the login: MaxAuthTries. */
enum login_result login_broken(struct login *l)
{
	const char *error = ssh_get_error(l->session);

	if (strstr(error, "Too many auth")) {
		note_refused(l);
		snprintf(l->why, sizeof(l->why), "the server allows no more attempts after %.150s; set IdentityFile to the right "
						 "key, and IdentitiesOnly yes", l->refused.n ? l->refused.text : "those");
		return LOGIN_REFUSED;
	}
	snprintf(l->why, sizeof(l->why), "%.200s%s%.150s", *error ? error : "the connection broke",
		 l->refused.n ? "; refused until then: " : "", l->refused.n ? l->refused.text : "");
	return l->refused.n ? LOGIN_REFUSED : LOGIN_BROKEN;
}

static enum login_result next_way(struct login *l)
{
	if (!advance(l))
		return refuse(l);
	return l->way == WAY_AGENT ? LOGIN_HELPER : login_step(l);
}

/* As ssh does: from the beginning, by the methods that the server names now. */
static enum login_result next_step(struct login *l)
{
	l->methods = ssh_userauth_list(l->session, NULL);
	l->has_asked = false;
	if (++l->steps > STEPS_MAX)
		return refuse(l);
	l->way = WAY_NONE;
	buf_clear(&l->refused);
	return next_way(l);
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
		return next_step(l);
	case SSH_AUTH_DENIED:
		note_refused(l);
		return next_way(l);
	default:
		return login_broken(l);
	}
}

static struct agent_key *add_key(struct agent_key **keys, size_t *n, size_t *cap, ssh_key key)
{
	size_t n_blob = 0;
	char *blob = key ? identity_blob(key, &n_blob) : NULL;

	if (!blob)
		return NULL;
	struct agent_key *k = GROW(*keys, *n, *cap);
	*k = (struct agent_key){ .blob = blob, .n = n_blob };
	++*n;
	return k;
}

/* A certificate is the agent's to sign for where no file was: that was, or will be, an offer of its own. */
static void wish_for_certificate(const struct login *l, struct agent_wish *w, ssh_key cert, bool is_last)
{
	for (size_t i = 0; i < l->n_offers; i++) {
		if (l->offers[i].shown != cert)
			continue;
		if (!is_last)
			add_key(&w->tried, &w->n_tried, &w->cap_tried, cert);
		return;
	}
	struct agent_key *k = add_key(&w->certificates, &w->n_certificates, &w->cap_certificates, cert);
	if (k)
		k->is_last = is_last;
}

static void make_wish(const struct login *l, struct agent_wish *w)
{
	const struct ssh_plan *p = l->plan;

	w->is_named_only = p->identities_only;
	for (size_t i = 0; i < p->n_certificates; i++)
		wish_for_certificate(l, w, p->certificates[i]->cert, false);
	for (size_t i = 0; i < p->n_identities; i++) {
		const struct identity *id = p->identities[i];
		add_key(&w->named, &w->n_named, &w->cap_named, id->pub ? id->pub : id->key);
		if (p->n_certificates || !id->cert)
			continue;
		add_key(&w->named, &w->n_named, &w->cap_named, id->cert);
		wish_for_certificate(l, w, id->cert, true);
	}
}

static bool reach_agent(struct login *l)
{
	struct agent_wish wish = { 0 };

	if (l->agent)
		return true;
	make_wish(l, &wish);
	l->agent = agent_new(l->plan->agent, &wish);
	agent_wish_done(&wish);
	if (!l->agent)
		return false;
	ssh_set_agent_socket(l->session, agent_fd(l->agent));
	atomic_store(&l->agent_fd, agent_fd(l->agent));
	return true;
}

/* libssh says "again" for ever of a connection that the server has closed between two of the agent's keys. */
static bool is_cut(const struct login *l)
{
	return atomic_load(&l->is_cancelled) || !ssh_is_connected(l->session) || ssh_get_fd(l->session) < 0;
}

static void wait_for_server(const struct login *l)
{
	struct pollfd p = { .fd = ssh_get_fd(l->session), .events = POLLIN };

	if (ssh_get_poll_flags(l->session) & SSH_WRITE_PENDING)
		p.events |= POLLOUT;
	poll(&p, 1, 100);
}

/* The agent's socket is read and written without a time limit, and a key that wants a touch waits for it. */
void login_agent(struct login *l)
{
	if (!reach_agent(l)) {
		l->agent_rc = SSH_AUTH_DENIED;
		return;
	}
	while ((l->agent_rc = ssh_userauth_agent(l->session, NULL)) == SSH_AUTH_AGAIN) {
		if (is_cut(l)) {
			l->agent_rc = SSH_AUTH_ERROR;
			return;
		}
		wait_for_server(l);
	}
}

static void add_readable(struct buf *out, const char *text)
{
	for (size_t i = 0; text[i] && i < PROMPT_MAX; i++)
		buf_printf(out, "%c", (unsigned char)text[i] < ' ' || text[i] == 0x7f ? ' ' : text[i]);
}

/* Good once, or for one host: never given to another. */
static bool is_for_once(const char *prompt)
{
	static const char *const words[] = {
		"code", "token", "otp", "one-time", "one time", "verification", "challenge", "response", "factor", "duo",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcasestr(prompt, words[i]))
			return true;
	return false;
}

/* The prompt without the host's name: what other hosts ask too. */
static void add_without(struct buf *out, const char *prompt, const char *name)
{
	size_t n = strlen(name);
	const char *found;

	for (; n && (found = strstr(prompt, name)); prompt = found + n) {
		buf_add(out, prompt, found - prompt);
		buf_str(out, "*");
	}
	buf_str(out, prompt);
}

struct question login_question(const struct login *l)
{
	struct buf *text = (struct buf *)&l->question, *same = (struct buf *)&l->same;
	const char *prompt = "password";
	char echo = 0;

	if (l->way == WAY_QUESTIONS)
		prompt = ssh_userauth_kbdint_getprompt(l->session, l->prompt, &echo);
	prompt = prompt ? prompt : "?";
	buf_clear(text);
	buf_clear(same);
	buf_printf(text, "%s@%s: ", l->plan->user, l->plan->name);
	add_readable(text, prompt);
	buf_printf(same, "%s\n%d\n", l->plan->user, l->way);
	add_without(same, prompt, l->plan->name);
	return (struct question){ .host = l->plan->name, .text = text->text, .is_secret = !echo,
				  .same = is_for_once(prompt) ? NULL : same->text };
}

bool login_answer(struct login *l, const char *text)
{
	if (!text) {
		snprintf(l->why, sizeof(l->why), "the prompt was not answered; refresh to be prompted again");
		return false;
	}
	l->secret = xstrdup(text);
	l->has_answer = l->has_asked = true;
	return true;
}
