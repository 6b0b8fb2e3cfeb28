/* Match lines, and the tokens that they and other keywords have: match_cfg_line() of OpenSSH 9.2. */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include <openssl/evp.h>

#include "core/ssh_config/internal.h"

const char *ssh_expand_host(struct ssh_config *c, const char *text, const char *host, struct err *why)
{
	struct ssh_tokens t = { .of['h'] = host };

	return ssh_expand(&c->arena, text, &t, why);
}

static const char *keep(struct ssh_config *c, const char *text)
{
	return arena_text(&c->arena, text, strlen(text));
}

/* %C: of this machine's name, the address, the port and the user. */
static const char *connection_hash(struct ssh_config *c, const struct ssh_tokens *t)
{
	char hex[41] = "";
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned n = 0;
	struct buf all = { 0 };

	buf_printf(&all, "%s%s%s%s", t->of['l'], t->of['h'], t->of['p'], t->of['r']);
	if (EVP_Digest(all.text, all.n, digest, &n, EVP_sha1(), NULL) != 1)
		n = 0;
	for (unsigned i = 0; i < n && i < 20; i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
	buf_done(&all);
	return n ? keep(c, hex) : NULL;
}

void ssh_tokens_fill(struct ssh_config *c, const struct ssh_settings *s, const char *host, const char *alias,
		     struct ssh_tokens *t)
{
	const struct ssh_source *from = c->source;
	const char *port = s->said[SSH_PORT].text, *user = s->said[SSH_USER].text;
	const char *machine = from->machine ? from->machine : "";
	char uid[24];

	snprintf(uid, sizeof(uid), "%lu", from->uid);
	t->of['L'] = arena_text(&c->arena, machine, strcspn(machine, "."));
	t->of['d'] = from->home ? from->home : "";
	t->of['h'] = host;
	t->of['i'] = keep(c, uid);
	t->of['k'] = alias;
	t->of['l'] = machine;
	t->of['n'] = s->original;
	t->of['p'] = port ? port : "22";
	t->of['u'] = from->user ? from->user : "";
	t->of['r'] = user ? user : t->of['u'];
	t->of['C'] = connection_hash(c, t);
}

/* One way through the criteria of a line. */
struct match {
	struct ssh_pass *pass;
	const struct ssh_line *line;
	const char *host;		/* HostName as far as it is known */
	bool is_never;
	bool result;
	const char *refused;		/* a program that was not agreed to, in the line's words */
	unsigned criteria;
};

static void take(struct match *m, bool matches, bool is_negated)
{
	if (matches == is_negated)
		m->result = false;
}

/* Names go to a shell: none that could be more than a name. */
static bool tokens_are_safe(const struct ssh_tokens *t)
{
	return ssh_address_ok(t->of['h']) && ssh_address_ok(t->of['n']) && ssh_address_ok(t->of['k']) && ssh_user_ok(t->of['r']);
}

static bool run(struct match *m, const char *written, bool is_negated)
{
	struct ssh_config *c = m->pass->c;
	const struct ssh_said *alias = &m->pass->s->said[SSH_HOST_KEY_ALIAS];
	struct ssh_tokens t = { 0 };
	struct err why = { "" };
	const char *command;
	enum ssh_ran ran;

	ssh_tokens_fill(c, m->pass->s, m->host, alias->text ? alias->text : m->host, &t);
	command = ssh_expand(&c->arena, written, &t, &why);
	if (!command)
		return ssh_pass_trouble(m->pass, m->line, "Match exec: %s; correct it", why.text);
	if (!m->result || m->is_never)
		return true;
	if (!tokens_are_safe(&t))
		return ssh_pass_trouble(m->pass, m->line, "Match exec: the names of this host are not safe in a shell; correct them");
	ran = c->source->run ? c->source->run(c->source->ctx, ssh_line_place(c, m->line), written, command, &why) :
			       SSH_RAN_NOT_ALLOWED;
	if (ran == SSH_RAN_FAILED)
		return ssh_pass_trouble(m->pass, m->line, "Match exec \"%s\": %s; correct it", written, why.text);
	if (ran == SSH_RAN_NOT_ALLOWED)
		m->refused = written;
	else
		take(m, ran == SSH_RAN_YES, is_negated);
	return true;
}

static bool take_criterion(struct match *m, const char *name, const char *value, bool is_negated)
{
	const struct ssh_settings *s = m->pass->s;
	const char *person = m->pass->c->source->user ? m->pass->c->source->user : "";
	const char *user = s->said[SSH_USER].text ? s->said[SSH_USER].text : person;

	if (!strcasecmp(name, "host"))
		take(m, ssh_match_list(m->host, value, true), is_negated);
	else if (!strcasecmp(name, "originalhost"))
		take(m, ssh_match_list(s->original, value, true), is_negated);
	else if (!strcasecmp(name, "user"))
		take(m, ssh_match_list(user, value, false), is_negated);
	else if (!strcasecmp(name, "localuser"))
		take(m, ssh_match_list(person, value, false), is_negated);
	else if (!strcasecmp(name, "exec"))
		return run(m, value, is_negated);
	else
		return ssh_pass_trouble(m->pass, m->line, "Match %s is not known to OpenSSH 9.2, which fabcon follows; " SSH_REMEDY, name);
	return true;
}

/* "canonical" and "final" have no value. */
static bool take_pass(struct match *m, const char *name, bool is_negated)
{
	bool is_final = !strcasecmp(name, "final");

	if (!is_final && strcasecmp(name, "canonical") != 0)
		return false;
	m->pass->wants_final |= is_final;
	take(m, m->pass->is_final, is_negated);
	return true;
}

static bool take_all(struct match *m, char *rest, bool is_negated)
{
	char *more = ssh_word(&rest);

	if (m->criteria > 1 || (more && *more && *more != '#'))
		return ssh_pass_trouble(m->pass, m->line, "Match all cannot be combined with other criteria; correct it");
	if (is_negated)
		m->result = false;
	return true;
}

static bool take_criteria(struct match *m, char *rest)
{
	char *word, *value;

	while ((word = ssh_word(&rest)) && *word && *word != '#') {
		bool is_negated = *word == '!';

		word += is_negated;
		if (!strcasecmp(word, "all"))
			return take_all(m, rest, is_negated);
		m->criteria++;
		if (take_pass(m, word, is_negated))
			continue;
		value = ssh_word(&rest);
		if (!value || !*value || *value == '#')
			return ssh_pass_trouble(m->pass, m->line, "Match %s has no value; correct it", word);
		if (!take_criterion(m, word, value, is_negated))
			return false;
	}
	return m->criteria || ssh_pass_trouble(m->pass, m->line, "Match has no criteria; correct it");
}

static const char *host_so_far(struct ssh_pass *p, const struct ssh_line *line)
{
	const char *name = p->s->said[SSH_HOSTNAME].text, *host;
	struct err why = { "" };

	if (p->is_final || !name)
		return p->host;
	host = ssh_expand_host(p->c, name, p->host, &why);
	if (!host)
		ssh_pass_trouble(p, line, "HostName %s: %s; correct it", name, why.text);
	return host;
}

bool ssh_match_line(struct ssh_pass *p, const struct ssh_line *line, bool is_never, bool *yes)
{
	struct match m = { .pass = p, .line = line, .host = host_so_far(p, line), .is_never = is_never, .result = true };
	char *copy;
	bool ok;

	if (!m.host)
		return false;
	copy = xstrdup(line->rest);
	ok = take_criteria(&m, copy);
	if (ok && m.result && m.refused) {
		p->s->is_exec = !p->s->trouble;
		ok = ssh_pass_trouble(p, line, "Match exec \"%s\" runs a program on this machine without permission; "
				      "fabcon --allow match-exec runs it", m.refused);
	}
	free(copy);
	if (ok)
		*yes = m.result && !is_never;
	return ok;
}
