/*
 * Hosts as a person types them, on the command line, in the first-run form or a line each in a plain list:
 * spark1, root@10.0.0.2:2222, node[01-16], [fe80::1]:22, fe80::1%eth0, ssh://user@host:2200. And Ansible's host patterns.
 */
#include "core/inventory/draft.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* One word taken apart. */
struct word {
	struct draft *d;
	struct span whole, user, names;
	unsigned port;
	bool is_number;			/* names is an IPv6 address */
	const char *file;
	unsigned line;
	bool ok;
	struct err *err;
	struct draft_group *g;
	bool (*one)(void *ctx, struct draft_host *h);
	void *ctx;
};

static bool complain(struct word *w, const char *what)
{
	int n = (int)(w->whole.n < 80 ? w->whole.n : 80);

	w->ok = false;
	if (w->file)
		return err_set(w->err, "%s:%u: %s: %.*s", w->file, w->line, what, n, w->whole.p);
	return err_set(w->err, "%s: %.*s", what, n, w->whole.p);
}

static bool take_port(struct word *w, struct span text)
{
	uint64_t port;

	if (!span_u64(text, &port) || !port || port > 65535)
		return complain(w, "not a TCP port (HOST:PORT)");
	w->port = (unsigned)port;
	return true;
}

/* "[address]:port" and "[address]": what stands in the brackets, when it is an IPv6 address. */
static bool take_brackets(struct word *w, struct span *rest)
{
	struct span inside, after;

	if (!span_starts(*rest, "[") || !span_cut((struct span){ rest->p + 1, rest->n - 1 }, ']', &inside, &after) || !is_ipv6(inside))
		return false;
	w->names = inside;
	w->is_number = true;
	*rest = after;
	return true;
}

/* The ":port" after the last bracket. */
static bool cut_port(struct span text, struct span *head, struct span *port)
{
	const char *close = memrchr(text.p, ']', text.n), *colon = memrchr(text.p, ':', text.n);

	if (!colon || (close && colon < close))
		return false;
	*head = (struct span){ text.p, (size_t)(colon - text.p) };
	*port = (struct span){ colon + 1, text.n - (size_t)(colon + 1 - text.p) };
	return true;
}

static bool take_apart(struct word *w)
{
	struct span rest = w->whole, port, tail;
	bool is_uri = span_starts_nocase(rest, "ssh://");

	if (is_uri) {
		rest = (struct span){ rest.p + 6, rest.n - 6 };
		if (span_cut(rest, '/', &rest, &tail) && tail.n)
			return complain(w, "an ssh:// address must end after the host");
	}
	if (span_cut_last(rest, '@', &w->user, &rest) && !w->user.n)
		return complain(w, "no user before the @");
	if (take_brackets(w, &rest))
		return !rest.n || (span_skip(&rest, ":") ? take_port(w, rest) : complain(w, "after [ADDRESS] comes :PORT"));
	w->names = rest;
	w->is_number = is_ipv6(rest);
	if (w->is_number || !cut_port(rest, &w->names, &port))
		return true;
	return take_port(w, port);
}

static bool check_user(struct word *w)
{
	char *user = xstrndup(w->user.p ? w->user.p : "", w->user.n);
	bool ok = !w->user.n || inventory_name_ok(user + (*user == '_'), "._-", 62);

	free(user);
	return ok || complain(w, "not a login name (letters, digits, . - _ are allowed)");
}

static struct said said_of(const struct word *w, const char *text)
{
	return (struct said){ SAID_TEXT, text, w->file ? w->file : "the command line", w->line };
}

static bool is_same(const struct draft_host *h, const char *variable, const char *text)
{
	const struct said *said = draft_get(&h->files, variable);

	return (!said && !text) || (said && text && !strcmp(said->text, text));
}

/*
 * What is typed is kept where nothing wins over it: beside host_vars/, under the last of the aliases.
 *
 * A name that was typed already stands for one host when user and port are the same. Another port is another host: it is
 * shown as "10.0.0.2-2222".
 */
static struct draft_host *word_host(struct word *w, const char *name, const char *port)
{
	struct draft_host *h;
	char *other;

	HASH_FIND_STR(w->d->hosts, name, h);
	if (h && (!h->is_word || is_same(h, "ansible_ssh_port", port)))
		return h;
	if (h && !port) {
		complain(w, "this host is given with and without a port: give the port both times");
		return NULL;
	}
	if (!h) {
		h = draft_host(w->d, name, NULL, w->file ? w->file : "the command line", w->line, w->err);
		if (h)
			h->is_word = true;
		return h;
	}
	other = xasprintf("%s-%s", name, port);
	h = word_host(w, other, port);
	free(other);
	if (h)
		draft_set(w->d, &h->files, "ansible_host", said_of(w, draft_keep(w->d, span_of(name))));
	return h;
}

static void one_name(void *ctx, const char *name)
{
	struct word *w = ctx;
	char shown[64], port[16];
	struct draft_host *h;

	if (!w->ok)
		return;
	if (w->is_number)
		ipv6_name(w->names, shown);
	if (!inventory_name_ok(w->is_number ? shown : name, NAME_ALSO, 63)) {
		complain(w, "not a host name (letters, digits, . - _ are allowed)");
		return;
	}
	snprintf(port, sizeof(port), "%u", w->port);
	h = word_host(w, w->is_number ? shown : name, w->port ? port : NULL);
	w->ok = h != NULL;
	if (!h)
		return;
	if (w->is_number)
		draft_set(w->d, &h->files, "ansible_host", said_of(w, draft_keep(w->d, w->names)));
	if (w->port)
		draft_set(w->d, &h->files, "ansible_ssh_port", said_of(w, draft_keep(w->d, span_of(port))));
	if (w->user.n) {
		const char *user = draft_keep(w->d, w->user);
		const struct said *before = draft_get(&h->files, "ansible_ssh_user");

		if (h->is_word && before && strcmp(before->text, user) != 0)
			complain(w, "this host is given with two users");
		else
			draft_set(w->d, &h->files, "ansible_ssh_user", said_of(w, user));
	}
}

static bool one_word(struct word *w)
{
	char *names;

	w->ok = true;
	w->user = (struct span){ 0 };
	w->port = 0;
	if (!take_apart(w) || !check_user(w))
		return false;
	if (w->is_number) {
		one_name(w, "");
		return w->ok;
	}
	if (!w->names.n || *w->names.p == '-')
		return complain(w, "not a host name (letters, digits, . - _ are allowed)");
	names = xstrndup(w->names.p, w->names.n);
	if (!range_expand(names, one_name, w, w->err))
		w->ok = false;
	free(names);
	return w->ok;
}

/* Cuts the next word off: blanks and commas end it, but for those within brackets. */
static bool next_word(struct span *rest, struct span *word)
{
	int depth = 0;
	size_t n = 0;

	while (rest->n && (isspace((unsigned char)*rest->p) || *rest->p == ','))
		rest->p++, rest->n--;
	for (; n < rest->n; n++) {
		depth += (rest->p[n] == '[') - (rest->p[n] == ']');
		if (depth <= 0 && (isspace((unsigned char)rest->p[n]) || rest->p[n] == ','))
			break;
	}
	*word = (struct span){ rest->p, n };
	*rest = (struct span){ rest->p + n, rest->n - n };
	return n > 0;
}

bool draft_words(struct draft *d, struct span words, const char *file, unsigned line, struct err *err)
{
	struct word w = { .d = d, .file = file, .line = line, .err = err };
	size_t n = 0;

	for (; next_word(&words, &w.whole); n++)
		if (!one_word(&w))
			return false;
	return n || file || err_set(err, "no host is given");
}

bool draft_read_list(struct draft *d, struct span text, const char *file, struct err *err)
{
	struct span line;

	for (unsigned n = 1; span_line(&text, &line); n++) {
		const char *comment = NULL;

		line = span_trim(line);
		for (size_t i = 0; i < line.n && !comment; i++)
			if (line.p[i] == '#' && (!i || isspace((unsigned char)line.p[i - 1])))
				comment = line.p + i;
		if (comment)
			line.n = (size_t)(comment - line.p);
		if (!draft_words(d, line, file, n, err))
			return false;
	}
	return true;
}

/* -- Ansible's host patterns -- */

static void one_match(void *ctx, const char *name)
{
	struct word *w = ctx;
	struct draft_host *h;
	char port[16];
	bool is_new;

	if (!w->ok)
		return;
	HASH_FIND_STR(w->d->hosts, name, h);
	is_new = !h;
	if (is_new && !is_ipv6(span_of(name)) && !inventory_name_ok(name, NAME_ALSO, 63)) {
		complain(w, "not a host name (letters, digits, . - _ are allowed)");
		return;
	}
	h = draft_host(w->d, name, w->g, w->file, w->line, w->err);
	if (h && is_new && w->port) {		/* a port after the name counts where the host is named first */
		snprintf(port, sizeof(port), "%u", w->port);
		draft_set(w->d, &h->own, "ansible_port", said_of(w, draft_keep(w->d, span_of(port))));
	}
	w->ok = h && w->one(w->ctx, h);
}

/* As parse_address() has it: "name:22", "[fe80::1]:22", "node[01:16:2]:22", an address. */
static bool pattern_apart(struct word *w)
{
	struct span rest = w->whole, port, inside;

	w->names = rest;
	w->is_number = is_ipv6(rest);
	if (w->is_number)
		return true;
	if (cut_port(rest, &w->names, &port)) {
		if (!take_port(w, port))
			return false;
		if (span_starts(w->names, "[") && w->names.p[w->names.n - 1] == ']') {
			inside = (struct span){ w->names.p + 1, w->names.n - 2 };
			w->is_number = is_ipv6(inside);
			w->names = w->is_number || !memchr(inside.p, ':', inside.n) ? inside : w->names;
		}
	}
	return true;
}

bool draft_pattern(struct draft *d, struct span pattern, const char *file, unsigned line, struct draft_group *g,
		   bool (*one)(void *ctx, struct draft_host *h), void *ctx, struct err *err)
{
	struct word w = { .d = d, .whole = pattern, .file = file, .line = line, .err = err, .g = g, .one = one, .ctx = ctx, .ok = true };
	struct err why;
	char *names;

	if (!pattern.n || !pattern_apart(&w))
		return pattern.n ? false : complain(&w, "a host name is required");
	names = xstrndup(w.names.p, w.names.n);
	if (w.is_number)
		one_match(&w, names);
	else if (!range_expand(names, one_match, &w, &why))
		complain(&w, why.text);
	free(names);
	return w.ok;
}
