/* Routes as ssh would make them, of the inventory's words and ssh_config: who is gone through, and by whose entries. */
#include <stdio.h>
#include <stdlib.h>

#include "core/route/internal.h"

#define JUMPS_MAX	8	/* jump hosts through one another */

/* -- the way there -- */

static void settle_hops(struct settling *s, const struct ask *a, const char *list, struct route *out);

static void fill_command(struct settling *s, const struct ask *a, const struct ssh_said *said, struct route *out)
{
	const struct ssh_said *fdpass = &a->said.said[SSH_FDPASS];
	struct ssh_tokens all = { 0 }, t = { 0 };
	struct err why;

	route_tokens(s, a, &all);
	for (const char *token = "hnpr"; *token; token++)
		t.of[(unsigned char)*token] = all.of[(unsigned char)*token];
	out->proxy_command = ssh_expand(&s->r->arena, said->text, &t, &why);
	if (!out->proxy_command)
		route_wrong_at(s, out, said, why.text);
	else if (!strcmp(said->text, "-"))
		route_stop_at(s, out, said, "fabcon's standard input is not a connection; correct it");
	else if (ssh_said_is(fdpass, "yes") || ssh_said_is(fdpass, "true"))
		route_stop_at(s, out, fdpass, "fabcon cannot take over a connection from ProxyCommand; " SSH_REMEDY);
	else if (!ssh_user_ok(t.of['r']) || !ssh_address_ok(t.of['n']))
		route_stop_at(s, out, said, "the names of this host are not safe in a shell; correct them");
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
		route_limits_direct(s, a, out);
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
	route_fill(s, a, out);
	if (a->args.trouble)
		route_stop(s, out, xstrdup(a->args.trouble));
	if (out->transport == TRANSPORT_OPENSSH) {
		route_openssh(s, a, out);
		return;
	}
	route_limits(s, a, out);
	for (size_t i = 0; i < a->args.notes.n; i++)
		route_note(out, route_keep(s, a->args.notes.list[i]));
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
	(*route)->name = (*route)->address = route_keep(s, name);
	(*route)->port = 22;
	*GROW(s->r->jumps, s->r->n_jumps, s->r->cap_jumps) = *route;
	s->r->n_jumps++;
	*GROW(s->hops, s->n_hops, s->cap_hops) = (struct known_hop){ route_keep(s, key), *route, true };
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
		route_stop(s, out, xasprintf("jump host %s: %s", jump->name, jump->trouble));
}

/* Known already, or no further: then true. */
static bool is_settled(struct settling *s, const char *key, const char *name, struct route *out)
{
	struct known_hop *hop = known(s, key);

	if (hop && hop->is_open)
		route_stop(s, out, xasprintf("jump host %s: the jump hosts form a loop; correct their ProxyJump lines", name));
	else if (hop)
		go_through(s, hop->route, out);
	else if (s->depth >= JUMPS_MAX)
		route_stop(s, out, xasprintf("jump host %s: more than %u nested jump hosts; correct their ProxyJump lines",
					     name, JUMPS_MAX));
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

	route_tokens(s, a, &t);
	t.env = NULL;
	list = ssh_expand(&s->r->arena, list, &t, &why);
	if (!list)
		return route_wrong_at(s, out, said, why.text);
	last = span_of(list);
	span_cut_last(last, ',', &before, &last);
	if (!ssh_read_hop(&s->r->arena, last, &hop) || !hop_ok(&hop))
		return route_stop_at(s, out, said, "not the name of a jump host: [user@]host[:port], without quotes; correct it");
	if (is_itself(s, &hop, out))
		return route_stop_at(s, out, said, "the jump host is the host itself, which ssh refuses too; correct it");
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

	out->name = route_keep(s, h->name);
	out->transport = !is_jump && s->source->is_openssh ? TRANSPORT_OPENSSH : is_jump ? TRANSPORT_LIBSSH : h->transport;
	snprintf(port, sizeof(port), "%u", h->port);
	if (h->trouble)
		out->trouble = route_keep(s, h->trouble);
	ssh_args_read(&a.args, s->config, h->ssh_first);
	a.args.n_first = a.args.words.n;
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
	if (out->trouble && !is_jump)
		/* "configuration: " names the step, as in every error of a connection */
		out->trouble = route_keep_own(s, xasprintf("configuration: %s", out->trouble));
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
