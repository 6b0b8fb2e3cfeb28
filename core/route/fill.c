/* What a route holds, of what ssh_config and the command line say. */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "core/route/internal.h"

const char *route_keep(struct settling *s, const char *text)
{
	return arena_text(&s->r->arena, text, strlen(text));
}

const char *route_keep_own(struct settling *s, char *text)
{
	const char *kept = route_keep(s, text);

	free(text);
	return kept;
}

void route_note(struct route *out, const char *text)
{
	texts_add(&out->notes, text);
}

/* The first trouble is told. */
void route_stop(struct settling *s, struct route *out, char *why)
{
	if (!out->trouble)
		out->trouble = route_keep(s, why);
	free(why);
}

void route_stop_at(struct settling *s, struct route *out, const struct ssh_said *said, const char *why)
{
	route_stop(s, out, said->line ? xasprintf("%s: %s: %s", ssh_line_place(s->config, said->line), ssh_line_text(said->line), why) :
				  xasprintf("%s", why));
}

void route_wrong_at(struct settling *s, struct route *out, const struct ssh_said *said, const char *why)
{
	char *text = xasprintf("%s; correct it", why);

	route_stop_at(s, out, said, text);
	free(text);
}

static void route_note_at(struct settling *s, struct route *out, const struct ssh_said *said, const char *why, bool is_plain)
{
	route_note(out, route_keep_own(s, xasprintf("%s: %s: %s%s", ssh_line_place(s->config, said->line),
						    ssh_line_text(said->line), why, is_plain ? "" : "; " SSH_REMEDY)));
}

/* -- tokens and paths -- */

void route_tokens(struct settling *s, const struct ask *a, struct ssh_tokens *t)
{
	const char *alias = a->said.said[SSH_HOST_KEY_ALIAS].text;

	alias = alias ? ssh_lower(&s->r->arena, alias) : a->said.original;
	ssh_tokens_fill(s->config, &a->said, a->said.host, alias, t);
	t->env = s->source->env;
	t->ctx = s->source->ctx;
}

/* "~", "~/x", "~user/x"; NULL: no such user. */
static const char *home_path(struct settling *s, const char *path)
{
	size_t n = *path == '~' ? strcspn(path + 1, "/") : 0;
	const char *home = s->source->home, *rest = path + 1 + n;
	char *user;

	if (*path != '~')
		return path;
	if (n) {
		user = xstrndup(path + 1, n);
		home = s->source->home_of ? s->source->home_of(s->source->ctx, user) : NULL;
		free(user);
	}
	if (!home)
		return NULL;
	rest += strspn(rest, "/");
	return route_keep_own(s, xasprintf("%s%s%s", home, *home && home[strlen(home) - 1] == '/' ? "" : "/", rest));
}

/* With ~, %tokens and ${NAME}; NULL: there is trouble. */
static const char *expand_path(struct settling *s, const struct ask *a, const struct ssh_said *said, struct route *out)
{
	struct ssh_tokens t = { 0 };
	struct err why = { "no such user" };
	const char *path = home_path(s, said->text);

	route_tokens(s, a, &t);
	path = path ? ssh_expand(&s->r->arena, path, &t, &why) : NULL;
	if (!path)
		route_wrong_at(s, out, said, why.text);
	return path;
}

/* -- keys -- */

static void fill_files(struct settling *s, const struct ask *a, const struct ssh_said *list, size_t n, struct texts *files,
		       struct route *out)
{
	for (size_t i = 0; i < n; i++) {
		const char *path = strcasecmp(list[i].text, "none") != 0 ? expand_path(s, a, &list[i], out) : NULL;

		if (path)
			texts_add(files, path);
	}
}

static void fill_keys(struct settling *s, const struct ask *a, struct route *out)
{
	const struct ssh_said *only = &a->said.said[SSH_IDENTITIES_ONLY];

	fill_files(s, a, a->said.identities, a->said.n_identities, &out->identities, out);
	fill_files(s, a, a->said.certificates, a->said.n_certificates, &out->certificates, out);
	out->identities_only = ssh_said_is(only, "yes") || ssh_said_is(only, "true");
	if (a->said.n_identities && !out->identities.n && !out->trouble)
		route_note_at(s, out, &a->said.identities[0], "fabcon tries the default key files anyway", false);
}

/* -- ways in -- */

/* In the order in which ssh tries them, and we. */
static const struct {
	const char *method;
	enum ssh_option option;
} ways[] = {
	{ "publickey", SSH_PUBKEY }, { "keyboard-interactive", SSH_KEYBOARD }, { "password", SSH_PASSWORD },
};

/* Its place in "publickey,password", from 1; 0: it is not there. */
static unsigned place_in(const char *list, const char *method)
{
	struct span rest = span_of(list), word;
	unsigned at = 0;

	while (rest.n) {
		if (!span_cut(rest, ',', &word, &rest)) {
			word = rest;
			rest.n = 0;
		}
		at++;
		if (span_is(word, method))
			return at;
	}
	return 0;
}

static bool is_left_out(const struct ask *a, size_t way)
{
	const struct ssh_said *said = &a->said.said[ways[way].option];
	const char *list = a->said.said[SSH_PREFERRED].text;

	return ssh_said_is(said, "no") || ssh_said_is(said, "false") || (list && !place_in(list, ways[way].method));
}

static void fill_ways(const struct ask *a, struct route *out)
{
	out->no_keys = is_left_out(a, 0);
	out->no_questions = is_left_out(a, 1);
	out->no_password = is_left_out(a, 2);
}

/* PreferredAuthentications that has them in another order. */
static bool is_reordered(const char *list)
{
	unsigned last = 0;

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		unsigned at = place_in(list, ways[i].method);
		if (at && at < last)
			return true;
		last = at ? at : last;
	}
	return false;
}

/* "none", "SSH_AUTH_SOCK", "$NAME", or a path. */
static void fill_agent(struct settling *s, const struct ask *a, struct route *out)
{
	const struct ssh_said *said = &a->said.said[SSH_AGENT];
	const char *path;

	if (!said->text || !strcmp(said->text, "SSH_AUTH_SOCK"))
		return;
	path = expand_path(s, a, said, out);
	if (path && path[0] == '$' && path[1] != '{') {
		path = s->source->env ? s->source->env(s->source->ctx, path + 1) : NULL;
		path = path ? route_keep(s, path) : "none";
	}
	out->agent = path;
}

/* -- host keys -- */

static void add_known(struct settling *s, const struct ask *a, enum ssh_option option, const char *const usual[2], struct route *out)
{
	const struct ssh_said *said = &a->said.said[option];
	const struct texts *words = said->text ? ssh_line_words(said->line) : NULL;

	if (ssh_said_is(said, "none"))
		return;
	for (size_t i = 0; i < (words ? words->n : 2); i++) {
		struct ssh_said one = { said->line, words ? words->list[i] : usual[i] };
		const char *path = option == SSH_SYSTEM_KNOWN ? home_path(s, one.text) : expand_path(s, a, &one, out);

		if (path)
			texts_add(&out->known_hosts, route_keep(s, path));
	}
}

/* The inventory's own known_hosts wins over ssh_config's. A key that is accepted goes to the first: never to the system's. */
static void fill_host_keys(struct settling *s, const struct ask *a, struct route *out)
{
	static const char *const user[] = { "~/.ssh/known_hosts", "~/.ssh/known_hosts2" };
	static const char *const all[] = { "/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2" };
	const struct ssh_said *alias = &a->said.said[SSH_HOST_KEY_ALIAS], *strict = &a->said.said[SSH_STRICT];

	out->is_strict = ssh_said_is(strict, "yes") || ssh_said_is(strict, "true");
	if (alias->text && !ssh_address_ok(alias->text))
		route_stop_at(s, out, alias, "not a valid known_hosts name; correct it");
	else if (alias->text)
		out->host_key_alias = ssh_lower(&s->r->arena, alias->text);
	if (s->inv->known_hosts || (!a->said.said[SSH_USER_KNOWN].text && !a->said.said[SSH_SYSTEM_KNOWN].text))
		return;
	if (ssh_said_is(&a->said.said[SSH_USER_KNOWN], "none"))
		texts_add(&out->known_hosts, "/dev/null");
	add_known(s, a, SSH_USER_KNOWN, user, out);
	add_known(s, a, SSH_SYSTEM_KNOWN, all, out);
}

/* -- what is not followed -- */

static bool is_limited(const struct ssh_limit *limit, const struct ssh_said *said)
{
	struct span rest = span_of(limit->values ? limit->values : ""), word;

	if (!said->text || !said->line || (limit->is_quiet_by_system && ssh_line_is_system(said->line)))
		return false;
	if (!limit->values)
		return !ssh_said_is(said, "none") && !ssh_said_is(said, "internal");
	while (span_word(&rest, &word))
		if (span_is_nocase(word, said->text))
			return true;
	return false;
}

void route_limits(struct settling *s, const struct ask *a, struct route *out)
{
	for (size_t i = 0; i < ssh_limits_n; i++) {
		const struct ssh_said *said = &a->said.said[ssh_limits[i].option];

		if (!is_limited(&ssh_limits[i], said))
			continue;
		if (ssh_limits[i].is_trouble)
			route_stop(s, out, xasprintf("%s: %s: %s; " SSH_REMEDY, ssh_line_place(s->config, said->line),
					       ssh_line_text(said->line), ssh_limits[i].why));
		else
			route_note_at(s, out, said, ssh_limits[i].why, ssh_limits[i].is_plain);
	}
	const struct ssh_said *preferred = &a->said.said[SSH_PREFERRED];
	if (preferred->text && is_reordered(preferred->text))
		route_note_at(s, out, preferred, "fabcon tries keys first, then keyboard-interactive, then a password", false);
	if (ssh_said_is(&a->said.said[SSH_PERMIT_LOCAL], "yes") && a->said.said[SSH_LOCAL_COMMAND].text)
		route_note_at(s, out, &a->said.said[SSH_LOCAL_COMMAND], "fabcon does not run it", false);
}

/* Where the connection is made by ourselves, the family and the source are ours to choose. */
void route_limits_direct(struct settling *s, const struct ask *a, struct route *out)
{
	const struct ssh_said *family = &a->said.said[SSH_FAMILY];
	bool is_six = ssh_said_is(family, "inet6"), is_named = !ssh_is_address(out->address);

	if (a->said.said[SSH_BIND].text)
		route_note_at(s, out, &a->said.said[SSH_BIND], "the system chooses the source address", false);
	if (a->said.said[SSH_INTERFACE].text)
		route_note_at(s, out, &a->said.said[SSH_INTERFACE], "the system chooses the interface", false);
	if (!family->text || ssh_said_is(family, "any"))
		return;
	if (is_named || is_six != (strchr(out->address, ':') != NULL))
		route_stop_at(s, out, family, "fabcon uses either address family; give the address as HostName or ansible_host, or: "
					      "" SSH_REMEDY);
}

/* -- the address -- */

static void fill_address(struct settling *s, const struct ask *a, struct route *out)
{
	const struct ssh_said *user = &a->said.said[SSH_USER], *port = &a->said.said[SSH_PORT], *name = &a->said.said[SSH_HOSTNAME];

	out->address = route_keep(s, a->said.host);
	out->port = port->text ? (unsigned)atoi(port->text) : 22;
	out->user = user->text ? route_keep(s, user->text) : NULL;
	if (a->said.trouble && (out->transport == TRANSPORT_LIBSSH || a->said.is_exec))
		route_stop(s, out, xstrdup(a->said.trouble));
	if (!ssh_address_ok(out->address))
		route_stop_at(s, out, name, "not a host name or address; correct it");
	if (user->text && !ssh_user_ok(user->text))
		route_stop_at(s, out, user, "not a user name; correct it");
}

/* -- by the site's own ssh -- */

static void add_args(struct route *out, const char *flag, const char *value)
{
	texts_add(&out->ssh_args, flag);
	texts_add(&out->ssh_args, value);
}

/* What would make the session none. */
static void undo_session(const struct ask *a, struct route *out)
{
	static const struct {
		enum ssh_option option;
		const char *instead;
	} undone[] = {
		{ SSH_REMOTE_COMMAND, "RemoteCommand=none" }, { SSH_SESSION_TYPE, "SessionType=default" },
		{ SSH_STDIN_NULL, "StdinNull=no" }, { SSH_FORK, "ForkAfterAuthentication=no" },
	};

	for (size_t i = 0; i < sizeof(undone) / sizeof(*undone); i++)
		if (a->said.said[undone[i].option].text)
			add_args(out, "-o", undone[i].instead);
}

/* "-J" of a jump host of the inventory; ssh is told no more of it than that. */
static void jump_args(struct settling *s, const struct host *h, struct route *out)
{
	const struct host *jump = inventory_find(s->inv, h->jump);
	const char *address = jump && jump->address ? jump->address : h->jump;
	bool is_six = jump && strchr(address, ':');
	char port[16] = "";

	if (jump && (jump->identity || jump->ssh_args || jump->jump))
		route_stop(s, out, xasprintf("jump host %s: its key, jump host or ssh arguments cannot be passed to ssh; put them "
					     "into ssh_config and set fabcon_jump to its name there", h->jump));
	if (jump && jump->port)
		snprintf(port, sizeof(port), ":%u", jump->port);
	add_args(out, "-J", route_keep_own(s, xasprintf("%s%s%s%s%s%s", jump && jump->user ? jump->user : "", jump && jump->user ? "@" : "",
						  is_six ? "[" : "", address, is_six ? "]" : "", port)));
}

void route_openssh(struct settling *s, const struct ask *a, struct route *out)
{
	const struct host *h = a->host;

	for (size_t i = 0; i < a->args.n_first; i++)
		texts_add(&out->ssh_args, route_keep(s, a->args.words.list[i]));
	if (h->port)
		add_args(out, "-p", route_keep_own(s, xasprintf("%u", h->port)));
	if (h->user)
		add_args(out, "-l", route_keep(s, h->user));
	if (h->identity)
		add_args(out, "-o", route_keep_own(s, xasprintf("IdentityFile=\"%s\"", h->identity)));	/* as Ansible: -i would leave it out */
	if (h->jump)
		jump_args(s, h, out);
	for (size_t i = a->args.n_first; i < a->args.words.n; i++)
		texts_add(&out->ssh_args, route_keep(s, a->args.words.list[i]));
	undo_session(a, out);
	out->destination = route_keep(s, a->destination);
}

void route_fill(struct settling *s, const struct ask *a, struct route *out)
{
	fill_address(s, a, out);
	fill_keys(s, a, out);
	fill_ways(a, out);
	fill_agent(s, a, out);
	fill_host_keys(s, a, out);
}
