/* Routes as ssh would make them: of the inventory's words and ssh_config. */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "core/inventory.h"
#include "core/route.h"
#include "core/ssh_args.h"
#include "core/ssh_config.h"
#include "core/ssh_words.h"

#define JUMPS_MAX	8	/* jump hosts through one another */

/* A jump host that was settled already, or is being. */
struct known_hop {
	const char *key;
	const struct route *route;
	bool is_open;			/* on the way to the one that is being settled: a circle */
};

struct settling {
	struct routes *r;
	const struct inventory *inv;
	const struct ssh_source *source;
	struct ssh_config *config;
	struct known_hop *hops;
	size_t n_hops, cap_hops;
	unsigned depth;
};

/* A destination and what was said of it on the command line. */
struct ask {
	const char *destination;
	const struct host *host;	/* NULL: a jump host that the inventory does not have */
	struct ssh_args args;
	struct ssh_settings said;
};

static const char *keep(struct settling *s, const char *text)
{
	return arena_text(&s->r->arena, text, strlen(text));
}

static const char *keep_own(struct settling *s, char *text)
{
	const char *kept = keep(s, text);

	free(text);
	return kept;
}

static void add_text(struct texts *t, const char *text)
{
	*GROW(t->list, t->n, t->cap) = text;
	t->n++;
}

/* The first trouble is told. */
static void stop(struct settling *s, struct route *out, char *why)
{
	if (!out->trouble)
		out->trouble = keep(s, why);
	free(why);
}

static void stop_at(struct settling *s, struct route *out, const struct ssh_said *said, const char *why)
{
	stop(s, out, said->line ? xasprintf("%s: %s: %s", ssh_line_place(s->config, said->line), ssh_line_text(said->line), why) :
				  xasprintf("%s", why));
}

static void wrong_at(struct settling *s, struct route *out, const struct ssh_said *said, const char *why)
{
	char *text = xasprintf("%s; correct it", why);

	stop_at(s, out, said, text);
	free(text);
}

static void note_at(struct settling *s, struct route *out, const struct ssh_said *said, const char *why, bool is_plain)
{
	add_text(&out->notes, keep_own(s, xasprintf("%s: %s: %s%s", ssh_line_place(s->config, said->line),
						    ssh_line_text(said->line), why, is_plain ? "" : "; " SSH_REMEDY)));
}

/* -- tokens and paths -- */

static void fill_tokens(struct settling *s, const struct ask *a, struct ssh_tokens *t)
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
	return keep_own(s, xasprintf("%s%s%s", home, *home && home[strlen(home) - 1] == '/' ? "" : "/", rest));
}

/* With ~, %tokens and ${NAME}; NULL: there is trouble. */
static const char *expand_path(struct settling *s, const struct ask *a, const struct ssh_said *said, struct route *out)
{
	struct ssh_tokens t = { 0 };
	struct err why = { "there is no such user" };
	const char *path = home_path(s, said->text);

	fill_tokens(s, a, &t);
	path = path ? ssh_expand(&s->r->arena, path, &t, &why) : NULL;
	if (!path)
		wrong_at(s, out, said, why.text);
	return path;
}

/* -- keys -- */

static void fill_files(struct settling *s, const struct ask *a, const struct ssh_said *list, size_t n, struct texts *files,
		       struct route *out)
{
	for (size_t i = 0; i < n; i++) {
		const char *path = strcasecmp(list[i].text, "none") != 0 ? expand_path(s, a, &list[i], out) : NULL;

		if (path)
			add_text(files, path);
	}
}

static void fill_keys(struct settling *s, const struct ask *a, struct route *out)
{
	const struct ssh_said *only = &a->said.said[SSH_IDENTITIES_ONLY];

	fill_files(s, a, a->said.identities, a->said.n_identities, &out->identities, out);
	fill_files(s, a, a->said.certificates, a->said.n_certificates, &out->certificates, out);
	out->identities_only = ssh_said_is(only, "yes") || ssh_said_is(only, "true");
	if (a->said.n_identities && !out->identities.n && !out->trouble)
		note_at(s, out, &a->said.identities[0], "fabcon tries the usual key files all the same", false);
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
		path = path ? keep(s, path) : "none";
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
			add_text(&out->known_hosts, keep(s, path));
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
		stop_at(s, out, alias, "not a name for known_hosts; correct it");
	else if (alias->text)
		out->host_key_alias = ssh_lower(&s->r->arena, alias->text);
	if (s->inv->known_hosts || (!a->said.said[SSH_USER_KNOWN].text && !a->said.said[SSH_SYSTEM_KNOWN].text))
		return;
	if (ssh_said_is(&a->said.said[SSH_USER_KNOWN], "none"))
		add_text(&out->known_hosts, "/dev/null");
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

static void fill_limits(struct settling *s, const struct ask *a, struct route *out)
{
	for (size_t i = 0; i < ssh_limits_n; i++) {
		const struct ssh_said *said = &a->said.said[ssh_limits[i].option];

		if (!is_limited(&ssh_limits[i], said))
			continue;
		if (ssh_limits[i].is_trouble)
			stop(s, out, xasprintf("%s: %s: %s; " SSH_REMEDY, ssh_line_place(s->config, said->line),
					       ssh_line_text(said->line), ssh_limits[i].why));
		else
			note_at(s, out, said, ssh_limits[i].why, ssh_limits[i].is_plain);
	}
	if (ssh_said_is(&a->said.said[SSH_PERMIT_LOCAL], "yes") && a->said.said[SSH_LOCAL_COMMAND].text)
		note_at(s, out, &a->said.said[SSH_LOCAL_COMMAND], "fabcon does not run it", false);
}

/* Where the connection is made by ourselves, the family and the source are ours to choose. */
static void limit_direct(struct settling *s, const struct ask *a, struct route *out)
{
	const struct ssh_said *family = &a->said.said[SSH_FAMILY];
	bool is_six = ssh_said_is(family, "inet6"), is_named = !ssh_is_address(out->address);

	if (a->said.said[SSH_BIND].text)
		note_at(s, out, &a->said.said[SSH_BIND], "fabcon lets the system choose the source address", false);
	if (a->said.said[SSH_INTERFACE].text)
		note_at(s, out, &a->said.said[SSH_INTERFACE], "fabcon lets the system choose the interface", false);
	if (!family->text || ssh_said_is(family, "any"))
		return;
	if (is_named || is_six != (strchr(out->address, ':') != NULL))
		stop_at(s, out, family, "fabcon would take an address of either family; write the address itself as HostName or "
			"ansible_host, or: " SSH_REMEDY);
}

/* -- the way there -- */

static void settle_hops(struct settling *s, const struct ask *a, const char *list, struct route *out);

static void fill_command(struct settling *s, const struct ask *a, const struct ssh_said *said, struct route *out)
{
	const struct ssh_said *fdpass = &a->said.said[SSH_FDPASS];
	struct ssh_tokens all = { 0 }, t = { 0 };
	struct err why;

	fill_tokens(s, a, &all);
	for (const char *token = "hnpr"; *token; token++)
		t.of[(unsigned char)*token] = all.of[(unsigned char)*token];
	out->proxy_command = ssh_expand(&s->r->arena, said->text, &t, &why);
	if (!out->proxy_command)
		wrong_at(s, out, said, why.text);
	else if (!strcmp(said->text, "-"))
		stop_at(s, out, said, "fabcon's standard input is not a connection; correct it");
	else if (ssh_said_is(fdpass, "yes") || ssh_said_is(fdpass, "true"))
		stop_at(s, out, fdpass, "fabcon cannot take a connection over from the ProxyCommand; " SSH_REMEDY);
	else if (!ssh_user_ok(t.of['r']) || !ssh_address_ok(t.of['n']))
		stop_at(s, out, said, "the names of this host are not fit for a shell; correct it");
}

static void fill_way(struct settling *s, const struct ask *a, struct route *out)
{
	const struct ssh_said *jump = &a->said.said[SSH_PROXY_JUMP], *command = &a->said.said[SSH_PROXY_COMMAND];

	if (out->trouble)
		return;
	if (jump->text && !ssh_said_is(jump, "none"))
		settle_hops(s, a, jump->text, out);
	else if (command->text && !ssh_said_is(command, "none"))
		fill_command(s, a, command, out);
	else if (!out->jump)
		limit_direct(s, a, out);
}

static void fill_address(struct settling *s, const struct ask *a, struct route *out)
{
	const struct ssh_said *user = &a->said.said[SSH_USER], *port = &a->said.said[SSH_PORT], *name = &a->said.said[SSH_HOSTNAME];

	out->address = keep(s, a->said.host);
	out->port = port->text ? (unsigned)atoi(port->text) : 22;
	out->user = user->text ? keep(s, user->text) : NULL;
	if (a->said.trouble && (out->transport == TRANSPORT_LIBSSH || a->said.is_exec))
		stop(s, out, xstrdup(a->said.trouble));
	if (!ssh_address_ok(out->address))
		stop_at(s, out, name, "this cannot be the name or address of a host; correct it");
	if (user->text && !ssh_user_ok(user->text))
		stop_at(s, out, user, "this cannot be the name of a user; correct it");
}

/* -- by the site's own ssh -- */

static void add_args(struct route *out, const char *flag, const char *value)
{
	add_text(&out->ssh_args, flag);
	add_text(&out->ssh_args, value);
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
		stop(s, out, xasprintf("jump host %s: its key, jump host or ssh arguments in the inventory cannot be given to ssh; write "
				       "them into ssh_config, and its name there as fabcon_jump", h->jump));
	if (jump && jump->port)
		snprintf(port, sizeof(port), ":%u", jump->port);
	add_args(out, "-J", keep_own(s, xasprintf("%s%s%s%s%s%s", jump && jump->user ? jump->user : "", jump && jump->user ? "@" : "",
						  is_six ? "[" : "", address, is_six ? "]" : "", port)));
}

static void fill_openssh(struct settling *s, const struct ask *a, struct route *out)
{
	const struct host *h = a->host;

	if (h->port)
		add_args(out, "-p", keep_own(s, xasprintf("%u", h->port)));
	if (h->user)
		add_args(out, "-l", keep(s, h->user));
	if (h->identity)
		add_args(out, "-o", keep_own(s, xasprintf("IdentityFile=\"%s\"", h->identity)));	/* as Ansible: -i would leave it out */
	if (h->jump)
		jump_args(s, h, out);
	for (size_t i = 0; i < a->args.words.n; i++)
		add_text(&out->ssh_args, keep(s, a->args.words.list[i]));
	undo_session(a, out);
	out->destination = keep(s, a->destination);
}

/* -- hosts and jump hosts -- */

/* "user@host": ssh cuts it at the last @; what was said before wins. */
static void ask_settings(struct settling *s, struct ask *a)
{
	const char *at = strrchr(a->destination, '@');
	char *user = at ? xstrndup(a->destination, (size_t)(at - a->destination)) : NULL;

	if (user)
		ssh_args_say(&a->args, s->config, "User", user);
	ssh_config_ask(s->config, a->args.file, a->args.lines, a->args.n_lines, at ? at + 1 : a->destination, &a->said);
	free(user);
}

static void fill(struct settling *s, struct ask *a, struct route *out)
{
	ask_settings(s, a);
	fill_address(s, a, out);
	if (a->args.trouble)
		stop(s, out, xstrdup(a->args.trouble));
	fill_keys(s, a, out);
	fill_agent(s, a, out);
	fill_host_keys(s, a, out);
	if (out->transport == TRANSPORT_OPENSSH) {
		fill_openssh(s, a, out);
		return;
	}
	fill_limits(s, a, out);
	for (size_t i = 0; i < a->args.notes.n; i++)
		add_text(&out->notes, keep(s, a->args.notes.list[i]));
	fill_way(s, a, out);
}

static void ask_done(struct ask *a)
{
	ssh_args_done(&a->args);
	ssh_settings_done(&a->said);
}

static struct known_hop *known(struct settling *s, const char *key)
{
	for (size_t i = 0; i < s->n_hops; i++)
		if (!strcmp(s->hops[i].key, key))
			return &s->hops[i];
	return NULL;
}

/* A new jump host under that key, open until it is settled. Its index: the list grows. */
static size_t open_hop(struct settling *s, const char *key, const char *name, struct route **route)
{
	*route = xcalloc(1, sizeof(**route));
	(*route)->name = (*route)->address = keep(s, name);
	(*route)->port = 22;
	*GROW(s->r->jumps, s->r->n_jumps, s->r->cap_jumps) = *route;
	s->r->n_jumps++;
	*GROW(s->hops, s->n_hops, s->cap_hops) = (struct known_hop){ keep(s, key), *route, true };
	s->depth++;
	return s->n_hops++;
}

static void close_hop(struct settling *s, size_t hop)
{
	s->hops[hop].is_open = false;
	s->depth--;
}

static void go_through(struct settling *s, const struct route *jump, struct route *out)
{
	out->jump = jump;
	if (jump->trouble)
		stop(s, out, xasprintf("jump host %s: %s", jump->name, jump->trouble));
}

/* Known already, or no further: then true. */
static bool is_settled(struct settling *s, const char *key, const char *name, struct route *out)
{
	struct known_hop *hop = known(s, key);

	if (hop && hop->is_open)
		stop(s, out, xasprintf("jump host %s: the jump hosts lead back to it in a circle; correct their ProxyJump lines", name));
	else if (hop)
		go_through(s, hop->route, out);
	else if (s->depth >= JUMPS_MAX)
		stop(s, out, xasprintf("jump host %s: more than %u jump hosts through one another; correct their ProxyJump lines", name, JUMPS_MAX));
	else
		return false;
	return true;
}

static void settle_host(struct settling *s, const struct host *h, struct route *out, bool is_jump);

/* A jump host that the inventory has: by its own words there. */
static void settle_named(struct settling *s, const struct host *jump, struct route *out)
{
	char *key = xasprintf("host %s", jump->name);
	struct route *route;
	size_t hop;

	if (!is_settled(s, key, jump->name, out)) {
		hop = open_hop(s, key, jump->name, &route);
		settle_host(s, jump, route, true);
		close_hop(s, hop);
		go_through(s, route, out);
	}
	free(key);
}

/* ssh refuses to go to a host through itself. */
static bool is_itself(const struct settling *s, const struct ssh_hop *hop, const struct route *out)
{
	const char *user = out->user ? out->user : s->source->user;

	return !strcmp(hop->host, out->address) && (hop->port ? hop->port : 22) == out->port &&
	       (!hop->user || (user && !strcmp(hop->user, user)));
}

/* "a,b,c": through c, which is reached as "ssh -J a,b c" would, by its own entries in the same files. */
static void settle_last(struct settling *s, const struct ask *from, const struct ssh_hop *hop, struct span before, const char *key,
			const char *name, struct route *out)
{
	struct ask a = { .destination = hop->host };
	struct route *route;
	char *rest = xstrndup(before.n ? before.p : "", before.n), port[16];
	size_t at = open_hop(s, key, name, &route);

	snprintf(port, sizeof(port), "%u", hop->port);
	a.args.file = from->args.file;
	if (hop->port)
		ssh_args_say(&a.args, s->config, "Port", port);
	if (hop->user)
		ssh_args_say(&a.args, s->config, "User", hop->user);
	if (before.n)
		ssh_args_say(&a.args, s->config, "ProxyJump", rest);
	fill(s, &a, route);
	close_hop(s, at);
	go_through(s, route, out);
	ask_done(&a);
	free(rest);
}

static bool hop_ok(const struct ssh_hop *hop)
{
	return ssh_address_ok(hop->host) && (!hop->user || ssh_user_ok(hop->user));
}

static void settle_hops(struct settling *s, const struct ask *a, const char *list, struct route *out)
{
	const struct ssh_said *said = &a->said.said[SSH_PROXY_JUMP];
	struct span before = { 0 }, last = span_of(list);
	struct ssh_tokens t = { 0 };
	struct ssh_hop hop;
	struct err why;

	fill_tokens(s, a, &t);
	t.env = NULL;
	list = ssh_expand(&s->r->arena, list, &t, &why);
	if (!list)
		return wrong_at(s, out, said, why.text);
	last = span_of(list);
	span_cut_last(last, ',', &before, &last);
	if (!ssh_read_hop(&s->r->arena, last, &hop) || !hop_ok(&hop))
		return stop_at(s, out, said, "not the name of a jump host: [user@]host[:port], without quotes; correct it");
	if (is_itself(s, &hop, out))
		return stop_at(s, out, said, "the jump host is the host itself, which ssh refuses too; correct it");
	char *key = xasprintf("hop %s through %.*s by %s", last.p, (int)before.n, before.n ? before.p : "",
			      a->args.file ? a->args.file : "");
	if (!is_settled(s, key, last.p, out))
		settle_last(s, a, &hop, before, key, last.p, out);
	free(key);
}

static void settle_host(struct settling *s, const struct host *h, struct route *out, bool is_jump)
{
	const struct host *jump = h->jump ? inventory_find(s->inv, h->jump) : NULL;
	struct ask a = { .destination = h->address ? h->address : h->name, .host = h };
	char port[16];

	out->name = keep(s, h->name);
	out->transport = !is_jump && s->source->is_openssh ? TRANSPORT_OPENSSH : is_jump ? TRANSPORT_LIBSSH : h->transport;
	snprintf(port, sizeof(port), "%u", h->port);
	if (h->trouble)
		out->trouble = keep(s, h->trouble);
	if (h->port)	/* in the order in which Ansible has them on ssh's command line */
		ssh_args_say(&a.args, s->config, "Port", port);
	if (h->identity)
		ssh_args_say(&a.args, s->config, "IdentityFile", h->identity);
	if (h->user)
		ssh_args_say(&a.args, s->config, "User", h->user);
	if (h->jump)
		ssh_args_say(&a.args, s->config, jump ? "ProxyCommand" : "ProxyJump", jump ? "none" : h->jump);
	ssh_args_read(&a.args, s->config, h->ssh_args);
	if (jump && out->transport == TRANSPORT_LIBSSH)
		settle_named(s, jump, out);
	fill(s, &a, out);
	ask_done(&a);
}

void routes_settle(struct routes *r, const struct inventory *inv, const struct ssh_source *source)
{
	struct settling s = { .r = r, .inv = inv, .source = source, .config = ssh_config_new(source) };

	for (size_t i = 0; i < inv->n_hosts; i++) {
		struct route *route = xcalloc(1, sizeof(*route));

		*GROW(r->list, r->n, r->cap) = route;
		r->n++;
		settle_host(&s, &inv->hosts[i], route, false);
	}
	free(s.hops);
	ssh_config_free(s.config);
}
