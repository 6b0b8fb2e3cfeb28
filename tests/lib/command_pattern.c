#include "tests/lib/command_internal.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/template.h"

/* -- a token and a word: "ethernet<unit>", "<0-7>:<on|off>", "<8*0-1>" -- */

static bool alternatives_fit(const struct grammar *g, struct span all, struct span word);

static bool number_in(struct span word, const char *range, size_t n)
{
	long long low, high, value;
	char text[32], *end;
	int used = 0;

	if (sscanf(range, "%lld-%lld%n", &low, &high, &used) != 2 || (size_t)used != n || !word.n || word.n >= sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)word.n, word.p);
	value = strtoll(text, &end, 10);
	return !*end && isdigit((unsigned char)end[-1]) && value >= low && value <= high;
}

/* "0-3,5", of numbers in the range. */
static bool set_in(struct span word, const char *range, size_t n)
{
	struct span one, low, high;
	bool is_more = true;

	while (is_more) {
		is_more = span_cut(word, ',', &one, &word);
		if (!is_more)
			one = word;
		if (span_cut(one, '-', &low, &high)) {
			if (!number_in(low, range, n) || !number_in(high, range, n) || strtoul(low.p, NULL, 10) >= strtoul(high.p, NULL, 10))
				return false;
		} else if (!number_in(one, range, n)) {
			return false;
		}
	}
	return true;
}

/* "1/1/1", "1/1/3:1" of OS10 */
static bool is_unit(struct span word)
{
	unsigned a, b, c, d;
	char text[32], rest;
	int n;

	if (word.n >= sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)word.n, word.p);
	n = sscanf(text, "%u/%u/%u%c%u", &a, &b, &c, &rest, &d);
	return n == 3 || (n == 5 && rest == ':');
}

static bool list_fits(const struct grammar *g, struct span each, struct span word, size_t wanted)
{
	size_t n = 0;
	struct span one;

	while (span_cut(word, ',', &one, &word)) {
		if (!alternatives_fit(g, each, one))
			return false;
		n++;
	}
	return alternatives_fit(g, each, word) && (!wanted || n + 1 == wanted);
}

static bool kind_fits(const struct grammar *g, struct span kind, struct span word)
{
	char text[512];

	if (word.n >= sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)word.n, word.p);
	if (span_is(kind, "text"))
		return true;
	if (span_is(kind, "port"))
		return template_is_port(text);
	if (span_is(kind, "name"))
		return template_is_name(text);
	if (span_is(kind, "number"))
		return word.n && strspn(text, "0123456789") == word.n;
	if (span_is(kind, "unit"))
		return is_unit(word);
	if (span_is(kind, "path"))
		return word.n && *text != '-' && path_fits(g, text, NULL);
	if (span_starts(kind, "set:"))
		return set_in(word, kind.p + 4, kind.n - 4);
	return number_in(word, kind.p, kind.n) || span_same(kind, word);
}

static bool alternatives_fit(const struct grammar *g, struct span all, struct span word)
{
	struct span one;

	if (span_skip(&all, "8*"))
		return list_fits(g, all, word, 8);
	if (span_skip(&all, ",*"))
		return list_fits(g, all, word, 0);
	while (span_cut(all, '|', &one, &all))
		if (kind_fits(g, one, word))
			return true;
	return kind_fits(g, all, word);
}

bool token_fits(const struct grammar *g, const char *token, const char *word)
{
	const char *end;

	for (; *token && *token != '<'; token++, word++)
		if (*token != *word)
			return false;
	if (!*token)
		return !*word;
	end = strchr(token, '>');
	for (size_t n = strlen(word); end && n > 0; n--)
		if (token_fits(g, end + 1, word + n) &&
		    alternatives_fit(g, (struct span){ token + 1, (size_t)(end - token - 1) }, (struct span){ word, n }))
			return true;
	return false;
}

/* -- files -- */

/* A component as it is typed, which may be a pattern of the shell, beside that of the table. */
static bool component_fits(const struct grammar *g, char *token, char *typed)
{
	if (!strpbrk(typed, "*?["))
		return token_fits(g, token, typed);
	return strchr(token, '<') || fnmatch(typed, token, 0) == 0;
}

static bool components_fit(const struct grammar *g, const char *of_table, const char *typed)
{
	char *a = xstrdup(of_table), *b = xstrdup(typed), *rest_a = NULL, *rest_b = NULL;
	char *x = strtok_r(a, "/", &rest_a), *y = strtok_r(b, "/", &rest_b);

	while (x && y && component_fits(g, x, y)) {
		x = strtok_r(NULL, "/", &rest_a);
		y = strtok_r(NULL, "/", &rest_b);
	}
	free(a);
	free(b);
	return !x && !y;
}

/* Files of the system must be in the table; any other name is the user's own. written: what is to be written there, or NULL. */
bool path_fits(const struct grammar *g, const char *path, const char *written)
{
	if (*path != '/' || !strcmp(path, "/dev/null"))
		return !written || *path == '/';
	for (size_t i = 0; i < g->n_files; i++)
		if (components_fit(g, g->files[i].path, path) &&
		    (!written || (g->files[i].value && token_fits(g, g->files[i].value, written))))
			return true;
	return false;
}

/* -- patterns -- */

static void add_edge(struct net *net, unsigned from, unsigned to, const char *token)
{
	struct edge *e = GROW(net->edges, net->n, net->cap);

	*e = (struct edge){ from, to, token };
	net->n++;
}

static unsigned new_state(struct net *net)
{
	if (net->states == STATES_MAX)
		abort();
	return net->states++;
}

static unsigned add_sequence(struct net *net, const struct words *w, size_t *at, unsigned from);

/* One word, or "[ … ]", or "( … | … )". */
static unsigned add_element(struct net *net, const struct words *w, size_t *at, unsigned from)
{
	const char *token = w->list[(*at)++];
	unsigned end = new_state(net);

	if (strcmp(token, "[") != 0 && strcmp(token, "(") != 0) {
		add_edge(net, from, end, token);
		return end;
	}
	if (*token == '[')
		add_edge(net, from, end, NULL);
	do {
		add_edge(net, add_sequence(net, w, at, from), end, NULL);
	} while (*at < w->n && !strcmp(w->list[(*at)++], "|"));
	return end;
}

static unsigned add_sequence(struct net *net, const struct words *w, size_t *at, unsigned from)
{
	while (*at < w->n && strcmp(w->list[*at], "]") != 0 && strcmp(w->list[*at], ")") != 0 && strcmp(w->list[*at], "|") != 0) {
		unsigned begin = new_state(net), end;

		add_edge(net, from, begin, NULL);
		end = add_element(net, w, at, begin);
		if (*at < w->n && !strcmp(w->list[*at], "...")) {
			add_edge(net, end, begin, NULL);
			++*at;
		}
		from = end;
	}
	return from;
}

void net_make(struct net *net, const struct words *pattern)
{
	size_t at = 0;

	net->states = 1;
	net->end = add_sequence(net, pattern, &at, 0);
}

static void follow_empty(const struct net *net, bool *is_at)
{
	for (bool is_more = true; is_more;) {
		is_more = false;
		for (size_t i = 0; i < net->n; i++)
			if (!net->edges[i].token && is_at[net->edges[i].from] && !is_at[net->edges[i].to])
				is_more = is_at[net->edges[i].to] = true;
	}
}

/* *taken: words that can be followed from the beginning, for the message. */
bool net_fits(const struct grammar *g, const struct net *net, char *const *words, size_t n, size_t *taken)
{
	bool is_at[STATES_MAX] = { true };

	follow_empty(net, is_at);
	for (size_t i = 0; i < n; i++) {
		bool next[STATES_MAX] = { false }, is_any = false;

		for (size_t k = 0; k < net->n; k++)
			if (net->edges[k].token && is_at[net->edges[k].from] && token_fits(g, net->edges[k].token, words[i]))
				is_any = next[net->edges[k].to] = true;
		if (!is_any)
			return false;
		memcpy(is_at, next, sizeof(next));
		follow_empty(net, is_at);
		if (*taken < i + 1)
			*taken = i + 1;
	}
	return is_at[net->end];
}
