#include "tests/lib/command_grammar.h"

#include <ctype.h>
#include <fnmatch.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/template.h"

#define FOLDER		"tests/fixtures/commands/"
#define WORDS_MAX	128
#define STATES_MAX	256
#define MODES_MAX	32
#define DEPTH_MAX	4	/* sh -c in sh -c */

/* -- what the tables hold -- */

struct words {
	char *list[WORDS_MAX];
	size_t n;
};

/* A pattern as an automaton: from state 0 to the last one; an edge without a token takes no word. */
struct net {
	struct edge {
		unsigned from, to;
		const char *token;
	} *edges;
	size_t n, cap;
	unsigned states, end;
};

struct option {
	struct words names;
	const char *value;		/* its token; NULL: a flag */
	bool is_required;
};

struct rule {
	bool is_tool;			/* options may stand anywhere behind words; else words in their order */
	const char *mode, *next;	/* of a line of a switch; NULL: it stays where it is */
	struct words words;		/* a tool's own, "show pfc priority" */
	struct words arguments;		/* pattern of what is neither */
	struct net net;
	struct option *options;
	size_t n_options, cap_options;
	struct words *apart;		/* each: names of options that exclude each other */
	size_t n_apart, cap_apart;
	struct words prints;		/* parts of what it prints, for the grep behind it */
	struct words others;		/* and parts that are none of what is looked for there */
	struct words root;		/* it wants root: always, or with these options; empty: never */
};

struct file {
	const char *path, *value;	/* value: the token of what can be written to it; NULL: it is only read */
};

struct grammar {
	bool asks_sudo;			/* what wants root must say so */
	struct rule *rules;
	size_t n_rules, cap_rules;
	struct file *files;
	size_t n_files, cap_files;
	struct {
		const char *name, *parent;
	} modes[MODES_MAX];
	size_t n_modes;
};

static char *last_of(const struct words *w)
{
	return w->n ? w->list[w->n - 1] : NULL;
}

static void add_word(struct words *w, char *word)
{
	if (w->n == WORDS_MAX)
		abort();
	w->list[w->n++] = word;
}

/* Splits text, which it changes, at blanks. */
static void split(char *text, struct words *w)
{
	char *rest = NULL;

	w->n = 0;
	for (char *word = strtok_r(text, " \t\r\n", &rest); word; word = strtok_r(NULL, " \t\r\n", &rest))
		add_word(w, word);
}

/* -- a token and a word: "ethernet<unit>", "<0-7>:<on|off>", "<8*0-1>" -- */

static bool path_fits(const struct grammar *g, const char *path, const char *written);
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

static bool token_fits(const struct grammar *g, const char *token, const char *word)
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
static bool path_fits(const struct grammar *g, const char *path, const char *written)
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

static void net_make(struct net *net, const struct words *pattern)
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
static bool net_fits(const struct grammar *g, const struct net *net, char *const *words, size_t n, size_t *taken)
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

/* -- options of a tool -- */

static bool has_name(const struct words *names, const char *name, size_t n)
{
	for (size_t i = 0; i < names->n; i++)
		if (strlen(names->list[i]) == n && !strncmp(names->list[i], name, n))
			return true;
	return false;
}

static const struct option *option_of(const struct rule *r, const char *name, size_t n)
{
	for (size_t i = 0; i < r->n_options; i++)
		if (has_name(&r->options[i].names, name, n))
			return &r->options[i];
	return NULL;
}

struct call {
	const struct grammar *g;
	const struct rule *rule;
	struct words used;		/* names of options, as they are typed */
	struct words rest;		/* arguments */
	struct err *err;
};

static bool value_fits(struct call *c, const struct option *o, const char *name, const char *value)
{
	if (!value)
		return err_set(c->err, "%s: %s needs a value", c->rule->words.list[0], name);
	return token_fits(c->g, o->value, value) ||
	       err_set(c->err, "%s %s: \"%s\" is not %s", c->rule->words.list[0], name, value, o->value);
}

/* "-iE": letters of flags; the last may have a value. */
static bool take_letters(struct call *c, const char *word, char *next, bool *took_next)
{
	for (const char *letter = word + 1; *letter; letter++) {
		char name[3] = { '-', *letter, '\0' };
		const struct option *o = option_of(c->rule, name, 2);

		if (!o)
			return err_set(c->err, "%s: no option %s in \"%s\"", c->rule->words.list[0], name, word);
		add_word(&c->used, o->names.list[0]);
		if (!o->value)
			continue;
		*took_next = !letter[1];
		return value_fits(c, o, name, letter[1] ? letter + 1 : next);
	}
	return true;
}

static bool take_option(struct call *c, char *word, char *next, bool *took_next)
{
	const char *equals = strchr(word, '=');
	size_t n = !strncmp(word, "--", 2) && equals ? (size_t)(equals - word) : strlen(word);
	const struct option *o = option_of(c->rule, word, n);

	*took_next = false;
	if (!o && strncmp(word, "--", 2) != 0)
		return take_letters(c, word, next, took_next);
	if (!o)
		return err_set(c->err, "%s: no option %.*s", c->rule->words.list[0], (int)n, word);
	add_word(&c->used, o->names.list[0]);
	if (word[n])
		return o->value ? value_fits(c, o, o->names.list[0], word + n + 1) :
				  err_set(c->err, "%s: %s takes no value", c->rule->words.list[0], o->names.list[0]);
	*took_next = o->value != NULL;
	return !o->value || value_fits(c, o, word, next);
}

static bool options_agree(struct call *c)
{
	for (size_t i = 0; i < c->rule->n_options; i++) {
		const struct option *o = &c->rule->options[i];
		const char *name = o->names.list[0];

		if (o->is_required && !has_name(&c->used, name, strlen(name)))
			return err_set(c->err, "%s: without %s", c->rule->words.list[0], last_of(&o->names));
	}
	for (size_t i = 0; i < c->rule->n_apart; i++) {
		const struct words *apart = &c->rule->apart[i];
		size_t n = 0;

		for (size_t k = 0; k < apart->n; k++)
			n += has_name(&c->used, apart->list[k], strlen(apart->list[k]));
		if (n > 1)
			return err_set(c->err, "%s: %s and another that excludes it", c->rule->words.list[0], apart->list[0]);
	}
	return true;
}

static bool tool_fits(const struct grammar *g, const struct rule *r, char *const *words, size_t n, struct err *err)
{
	struct call c = { .g = g, .rule = r, .err = err };
	bool is_rest = false;
	size_t taken = 0;

	for (size_t i = r->words.n; i < n; i++) {
		bool took_next;

		if (is_rest || *words[i] != '-' || !words[i][1]) {
			add_word(&c.rest, words[i]);
		} else if (!strcmp(words[i], "--")) {
			is_rest = true;
		} else {
			if (!take_option(&c, words[i], i + 1 < n ? words[i + 1] : NULL, &took_next))
				return false;
			i += took_next;
		}
	}
	if (!options_agree(&c))
		return false;
	if (net_fits(g, &r->net, c.rest.list, c.rest.n, &taken))
		return true;
	return taken < c.rest.n ? err_set(err, "%s: \"%s\" is not expected", r->words.list[0], c.rest.list[taken]) :
				  err_set(err, "%s: an argument is missing", r->words.list[0]);
}

/* -- a command of one tool -- */

static size_t leading(const struct rule *r, char *const *words, size_t n)
{
	size_t same = 0;

	while (same < n && same < r->words.n && token_fits(NULL, r->words.list[same], words[same]))
		same++;
	return same;
}

/* The rule that it fits, or NULL with what the nearest rule says. */
static const struct rule *rule_of(const struct grammar *g, char *const *words, size_t n, struct err *err)
{
	size_t best = 0;

	err_set(err, "\"%s\" is no command there", words[0]);
	for (size_t i = 0; i < g->n_rules; i++) {
		const struct rule *r = &g->rules[i];
		size_t taken = 0;
		struct err why = { "" };

		if (!r->is_tool && net_fits(g, &r->net, words, n, &taken))
			return r;
		if (r->is_tool && (taken = leading(r, words, n)) == r->words.n && tool_fits(g, r, words, n, &why))
			return r;
		if (taken <= best)
			continue;
		best = taken;
		if (r->is_tool && taken == r->words.n)
			*err = why;
		else if (taken < n)
			err_set(err, "%s: \"%s\" is not expected", words[0], words[taken]);
		else
			err_set(err, "%s: words are missing behind \"%s\"", words[0], words[n - 1]);
	}
	return NULL;
}

/* -- a line of a shell -- */

struct shell {
	const struct grammar *g;
	const char *at;
	struct err *err;
};

struct command {
	struct words words;
	char *target;			/* of a redirection of its output, or NULL */
};

static void free_command(struct command *c)
{
	for (size_t i = 0; i < c->words.n; i++)
		free(c->words.list[i]);
	free(c->target);
	*c = (struct command){ .target = NULL };
}

static size_t take_quoted(const char *at, struct buf *word)
{
	size_t n = 1;

	while (at[n] && at[n] != *at) {
		if (*at == '"' && at[n] == '$') {	/* what it stands for is not known */
			n += at[n + 1] == '{' ? strcspn(at + n, "}\"") : 1 + strspn(at + n + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_");
			n += at[n] == '}';
			buf_str(word, "*");
			continue;
		}
		if (*at == '"' && at[n] == '\\' && at[n + 1])
			n++;
		buf_add(word, at + n++, 1);
	}
	return at[n] ? n + 1 : 0;
}

/* The next word; NULL with *op an operator, "" at the end. */
static char *take_word(struct shell *s, char op[3])
{
	struct buf word = { NULL };

	s->at += strspn(s->at, " \t");
	*op = '\0';
	if (*s->at && strchr("|&;()<>\n", *s->at)) {
		size_t n = (s->at[1] == *s->at && strchr("|&>", *s->at)) ? 2 : 1;

		snprintf(op, 3, "%.*s", (int)n, s->at);
		s->at += n;
		return NULL;
	}
	if (!*s->at)
		return NULL;
	buf_str(&word, "");
	while (*s->at && !strchr(" \t\n|&;()<>", *s->at)) {
		size_t n = 1;

		if (*s->at == '\'' || *s->at == '"') {
			n = take_quoted(s->at, &word);
			if (!n) {
				buf_done(&word);
				snprintf(op, 3, "'");
				return NULL;
			}
		} else {
			if (*s->at == '\\' && s->at[1])
				s->at++;
			buf_add(&word, s->at, 1);
		}
		s->at += n;
	}
	return word.text;
}

static bool is_keyword(const char *word)
{
	static const char *const words[] = { "!", "{", "}", "until", "while", "if", "then", "else", "do", "done", "fi" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

static bool shell_fits(const struct grammar *g, const char *text, unsigned depth, struct err *err);

static bool finds_any(const regex_t *re, const struct words *in)
{
	for (size_t i = 0; i < in->n; i++)
		if (regexec(re, in->list[i], 0, NULL, 0) == 0)
			return true;
	return false;
}

/* "X | grep A" where it is known what X prints: each alternative of A must find something. */
static bool grep_finds(const struct rule *before, const struct words *w, struct err *err)
{
	bool is_extended = false, ignores_case = false, is_found = true;
	char *pattern = NULL, *rest = NULL;
	const char *between;

	for (size_t i = 1; i < w->n && !pattern; i++)
		if (*w->list[i] == '-') {
			is_extended |= strchr(w->list[i], 'E') != NULL;
			ignores_case |= strchr(w->list[i], 'i') != NULL;
		} else {
			pattern = w->list[i];
		}
	if (!pattern || !before->prints.n)
		return true;
	pattern = xstrdup(pattern);
	between = is_extended ? "|" : "\n";
	for (char *one = strtok_r(pattern, between, &rest); one && is_found; one = strtok_r(NULL, between, &rest)) {
		regex_t re;

		if (regcomp(&re, one, REG_NOSUB | (is_extended ? REG_EXTENDED : 0) | (ignores_case ? REG_ICASE : 0)) != 0) {
			is_found = err_set(err, "grep: not a pattern: %s", one);
			break;
		}
		is_found = finds_any(&re, &before->prints) ||
			   err_set(err, "grep: no \"%s\" is printed by %s", one, before->words.list[0]);
		if (is_found && finds_any(&re, &before->others))
			is_found = err_set(err, "grep: \"%s\" finds other lines of %s, too", one, before->words.list[0]);
		regfree(&re);
	}
	free(pattern);
	return is_found;
}

/* Its output goes to a file: a shell's own, which is open before sudo has run. */
static bool redirection_fits(const struct grammar *g, const struct command *c, bool is_sudo, struct err *err)
{
	const char *written = last_of(&c->words);

	if (!c->target || !strcmp(c->target, "/dev/null"))
		return true;
	if (is_sudo)
		return err_set(err, "sudo: %s is opened by the shell, without sudo", c->target);
	if (strcmp(c->words.list[0], "echo") != 0 || c->words.n != 2)
		return err_set(err, "%s: its output goes to %s", c->words.list[0], c->target);
	return path_fits(g, c->target, written) || err_set(err, "%s: no file that takes %s", c->target, written);
}

static bool wants_root(const struct rule *r, char *const *words, size_t n)
{
	bool is_by_option = r->root.n && *r->root.list[0] == '-';

	for (size_t i = 1; i < n && is_by_option; i++)
		if (has_name(&r->root, words[i], strcspn(words[i], "=")))
			return true;
	return r->root.n && !is_by_option;
}

/* *before: the rule of the command that writes the pipe to this one, then this one's. */
static bool simple_fits(const struct grammar *g, struct command *c, const struct rule **before, unsigned depth, struct err *err)
{
	char **words = c->words.list;
	size_t n = c->words.n;
	const struct rule *r;
	bool is_sudo = false;
	struct words rest = { .n = 0 };

	while (n && is_keyword(*words))
		words++, n--;
	if (n && !strcmp(*words, "sudo")) {
		is_sudo = true;
		words++, n--;
		if (n && !strcmp(*words, "-n"))
			words++, n--;
	}
	if (n > 2 && !strcmp(words[0], "timeout") && token_fits(g, "<number>", words[1])) {
		words += 2;
		n -= 2;
	}
	if (!n)
		return c->words.n ? true : err_set(err, "an empty command");
	if (!strcmp(*words, ":") || !strcmp(*words, "["))
		return !strcmp(*words, ":") ? n == 1 : !strcmp(words[n - 1], "]");
	if (n == 3 && !strcmp(words[0], "sh") && !strcmp(words[1], "-c"))
		return shell_fits(g, words[2], depth + 1, err);
	r = rule_of(g, words, n, err);
	if (!r)
		return false;
	if (g->asks_sudo && !is_sudo && wants_root(r, words, n))
		return err_set(err, "%s: wants root, and \"sudo\" is not said", words[0]);
	for (size_t i = 0; i < n; i++)
		add_word(&rest, words[i]);
	if (*before && !strcmp(words[0], "grep") && !grep_finds(*before, &rest, err))
		return false;
	*before = r;
	return redirection_fits(g, c, is_sudo, err);
}

/* One command to its end; *op is what ended it. */
static bool take_command(struct shell *s, struct command *c, char op[3])
{
	for (;;) {
		char *word = take_word(s, op);

		if (word) {
			size_t n = strlen(word);

			if (n == 1 && isdigit((unsigned char)*word) && (*s->at == '>' || *s->at == '<')) {
				free(word);	/* the 2 of 2>/dev/null */
				continue;
			}
			add_word(&c->words, word);
			continue;
		}
		if (*op == '\'')
			return err_set(s->err, "a quote is not closed");
		if (*op != '>' && *op != '<' && *op != '(')
			return true;
		if (*op == '(') {
			if (c->words.n)
				return err_set(s->err, "\"(\" behind %s", last_of(&c->words));
			continue;
		}
		free(c->target);
		c->target = take_word(s, op);
		if (!c->target)
			return err_set(s->err, "a redirection to nothing");
	}
}

static bool shell_fits(const struct grammar *g, const char *text, unsigned depth, struct err *err)
{
	struct shell s = { g, text, err };
	const struct rule *before = NULL;
	bool fits = depth < DEPTH_MAX || err_set(err, "shells in shells");
	char op[3] = ";";

	while (fits && *op) {
		struct command c = { .target = NULL };
		bool may_be_empty = !strcmp(op, ")") || !strcmp(op, "\n");

		if (strcmp(op, "|") != 0)
			before = NULL;
		fits = take_command(&s, &c, op);
		if (fits && (c.words.n || !may_be_empty))
			fits = simple_fits(g, &c, &before, depth, err);
		free_command(&c);
	}
	return fits;
}

/* -- lines of a switch -- */

static int mode_of(const struct grammar *g, const char *name)
{
	for (size_t i = 0; i < g->n_modes; i++)
		if (!strcmp(g->modes[i].name, name))
			return (int)i;
	return -1;
}

static bool is_of_mode(const struct rule *r, const struct grammar *g, size_t mode)
{
	return r->mode && !strcmp(r->mode, g->modes[mode].name);
}

/* Where the line can lead to from the modes in from. */
static bool line_leads(const struct grammar *g, struct words *w, const bool *from, bool *to, struct err *err)
{
	bool is_any = false;
	size_t best = 0;

	err_set(err, "\"%s\" is no command there", w->list[0]);
	for (size_t mode = 0; mode < g->n_modes; mode++) {
		int parent = g->modes[mode].parent ? mode_of(g, g->modes[mode].parent) : -1;
		int exec = mode_of(g, "exec");

		if (!from[mode])
			continue;
		if (w->n == 1 && !strcmp(w->list[0], "exit") && parent >= 0)
			is_any = to[parent] = true;
		if (w->n == 1 && !strcmp(w->list[0], "end") && parent >= 0)
			is_any = to[exec] = true;
		for (size_t i = 0; i < g->n_rules; i++) {
			const struct rule *r = &g->rules[i];
			size_t taken = 0, skipped = parent >= 0 && !strcmp(w->list[0], "do") && is_of_mode(r, g, (size_t)exec);

			if (!is_of_mode(r, g, skipped ? (size_t)exec : mode))
				continue;
			if (net_fits(g, &r->net, w->list + skipped, w->n - skipped, &taken)) {
				is_any = true;
				to[r->next && !skipped ? (size_t)mode_of(g, r->next) : mode] = true;
			} else if (taken > best) {
				best = taken;
				err_set(err, taken + skipped < w->n ? "\"%s\" is not expected there" : "words are missing behind \"%s\"",
					w->list[taken + skipped < w->n ? taken + skipped : w->n - 1]);
			}
		}
	}
	return is_any;
}

/* " | grep X", which is taken off the line. */
static bool filters_fit(const struct grammar *g, char *line, struct err *err)
{
	for (char *bar; (bar = strrchr(line, '|')); *bar = '\0') {
		bool from[MODES_MAX] = { false }, to[MODES_MAX];
		struct words w = { .n = 0 };
		int filter = mode_of(g, "filter");

		split(bar + 1, &w);
		if (filter < 0 || !w.n)
			return err_set(err, "no filter behind \"|\"");
		from[filter] = true;
		if (!line_leads(g, &w, from, to, err))
			return false;
	}
	return true;
}

static bool switch_fits(const struct grammar *g, const char *command, struct err *err)
{
	bool at[MODES_MAX], fits = true;
	char *text = xstrdup(command), *rest = NULL;

	memset(at, true, sizeof(at));
	at[mode_of(g, "filter")] = false;
	for (char *line = strtok_r(text, "\n", &rest); line && fits; line = strtok_r(NULL, "\n", &rest)) {
		bool to[MODES_MAX] = { false };
		char *whole;
		struct words w;

		line += strspn(line, " \t");
		if (!*line || *line == '!')
			continue;
		whole = xstrdup(line);
		fits = filters_fit(g, line, err);
		split(line, &w);
		if (fits && !(w.n && line_leads(g, &w, at, to, err))) {
			struct err why = *err;

			fits = err_set(err, "\"%s\": %s", whole, why.text);
		}
		memcpy(at, to, sizeof(at));
		free(whole);
	}
	free(text);
	return fits;
}

/* -- reading the tables -- */

struct reader {
	struct grammar *g;
	const char *path;
	unsigned line;
	bool has_origin;
};

static void bad_row(const struct reader *in, const char *why)
{
	fprintf(stderr, "%s:%u: %s\n", in->path, in->line, why);
	abort();
}

static struct rule *last_rule(const struct reader *in)
{
	if (!in->g->n_rules)
		bad_row(in, "of no tool");
	return &in->g->rules[in->g->n_rules - 1];
}

/* "<port>..." is two words. */
static void move_words(struct words *to, const struct words *from, size_t first)
{
	for (size_t i = first; i < from->n; i++) {
		size_t n = strlen(from->list[i]);
		bool repeats = n > 3 && !strcmp(from->list[i] + n - 3, "...");

		add_word(to, xstrndup(from->list[i], repeats ? n - 3 : n));
		if (repeats)
			add_word(to, xstrdup("..."));
	}
}

/* "@config>interface interface ethernet <unit>" */
static void read_line(struct reader *in, struct words *w)
{
	struct rule *r = GROW(in->g->rules, in->g->n_rules, in->g->cap_rules);
	bool has_mode = w->n && *w->list[0] == '@';
	char *next = has_mode ? strchr(w->list[0], '>') : NULL;

	in->g->n_rules++;
	if (next)
		*next++ = '\0';
	r->mode = has_mode ? xstrdup(w->list[0] + 1) : NULL;
	r->next = next ? xstrdup(next) : NULL;
	if ((has_mode && mode_of(in->g, r->mode) < 0) || (next && mode_of(in->g, r->next) < 0))
		bad_row(in, "no such mode");
	move_words(&r->words, w, has_mode);
	net_make(&r->net, &r->words);
}

static void read_tool(struct reader *in, struct words *w)
{
	struct rule *r = GROW(in->g->rules, in->g->n_rules, in->g->cap_rules);

	in->g->n_rules++;
	r->is_tool = true;
	move_words(&r->words, w, 0);
	net_make(&r->net, &r->arguments);
}

/* "-i --interface <port> !" */
static void read_option(struct reader *in, struct words *w)
{
	struct rule *r = last_rule(in);
	struct option *o = GROW(r->options, r->n_options, r->cap_options);

	r->n_options++;
	for (size_t i = 0; i < w->n; i++)
		if (*w->list[i] == '-')
			add_word(&o->names, xstrdup(w->list[i]));
		else if (!strcmp(w->list[i], "!"))
			o->is_required = true;
		else
			o->value = xstrdup(w->list[i]);
	if (!o->names.n)
		bad_row(in, "an option without a name");
}

static void read_arguments(struct reader *in, struct words *w)
{
	struct rule *r = last_rule(in);

	move_words(&r->arguments, w, 0);
	free(r->net.edges);
	r->net = (struct net){ NULL };
	net_make(&r->net, &r->arguments);
}

static void read_file(struct reader *in, struct words *w)
{
	struct file *f = GROW(in->g->files, in->g->n_files, in->g->cap_files);

	in->g->n_files++;
	f->path = xstrdup(w->list[0]);
	f->value = w->n > 2 ? xstrdup(w->list[2]) : NULL;
	if (w->n != 1 && (w->n != 3 || strcmp(w->list[1], "=") != 0))
		bad_row(in, "not a file");
}

static void read_mode(struct reader *in, struct words *w)
{
	if (in->g->n_modes == MODES_MAX)
		bad_row(in, "too many modes");
	in->g->modes[in->g->n_modes].name = xstrdup(w->list[0]);
	in->g->modes[in->g->n_modes++].parent = w->n > 1 ? xstrdup(w->list[1]) : NULL;
}

/* Where it was published: repository, path, commit or version. */
static void read_origin(struct reader *in, struct words *w)
{
	if (w->n != 3)
		bad_row(in, "an origin is a repository, a path in it, and a commit or a version");
	in->has_origin = true;
}

static void read_apart(struct reader *in, struct words *w)
{
	struct rule *r = last_rule(in);
	struct words *apart = GROW(r->apart, r->n_apart, r->cap_apart);

	r->n_apart++;
	move_words(apart, w, 0);
}

static void read_others(struct reader *in, struct words *w)
{
	move_words(&last_rule(in)->others, w, 0);
}

static void read_root(struct reader *in, struct words *w)
{
	move_words(&last_rule(in)->root, w, 0);
}

static void read_prints(struct reader *in, struct words *w)
{
	move_words(&last_rule(in)->prints, w, 0);
}

static const struct {
	const char *word;
	void (*read)(struct reader *in, struct words *w);
	bool is_fact;			/* needs an origin */
} row_kinds[] = {
	{ "origin", read_origin, false }, { "mode", read_mode, false },	    { "line", read_line, true },
	{ "tool", read_tool, true },	  { "option", read_option, true },  { "arguments", read_arguments, true },
	{ "file", read_file, true },	  { "apart", read_apart, true },    { "prints", read_prints, true },
	{ "others", read_others, true },  { "root", read_root, true },
};
#define KINDS (sizeof(row_kinds) / sizeof(*row_kinds))

static void read_row(char *const *row, void *of)
{
	struct reader *in = of;
	struct words w = { .n = 0 };
	size_t k = 0;

	in->line++;
	split(row[1], &w);
	while (k < KINDS && strcmp(row_kinds[k].word, row[0]) != 0)
		k++;
	if (k == KINDS || !w.n)
		bad_row(in, row[0]);
	if (row_kinds[k].is_fact && !in->has_origin)
		bad_row(in, "a row without an origin");
	row_kinds[k].read(in, &w);
}

void command_table(const char *path, size_t columns, void (*each)(char *const *row, void *of), void *of)
{
	FILE *f = fopen(path, "r");
	char *line = NULL, *row[8];
	size_t size = 0;

	if (!f || columns > sizeof(row) / sizeof(*row)) {
		fprintf(stderr, "%s cannot be read\n", path);
		abort();
	}
	while (getline(&line, &size, f) > 0) {
		char *at = line + strspn(line, " \t");
		size_t n = 0;

		line[strcspn(line, "\n")] = '\0';
		if (!*at || *at == '#')
			continue;
		for (; n < columns; n++) {
			row[n] = at;
			if (n + 1 == columns)
				break;
			at += strcspn(at, " \t");
			if (*at)
				*at++ = '\0';
			at += strspn(at, " \t");
		}
		each(row, of);
	}
	free(line);
	fclose(f);
}

static void read_grammar(struct grammar *g, const char *tables)
{
	struct span rest = span_of(tables), name;

	while (span_word(&rest, &name)) {
		struct reader in = { .g = g };
		char path[128];

		snprintf(path, sizeof(path), FOLDER "%.*s.txt", (int)name.n, name.p);
		in.path = path;
		command_table(path, 2, read_row, &in);
	}
}

static struct {
	const char *system, *tables;
	struct grammar grammar;		/* read when it is first needed, and kept */
} systems[] = {
	{ "linux", "shell linux" }, { "linux/mlx5_core", "shell linux mlnx" }, { "sonic", "shell sonic" }, { "os10", "os10" },
};

static bool fits(const char *system, const char *command, bool asks_sudo, struct err *err)
{
	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++) {
		struct grammar *g = &systems[i].grammar;

		if (strcmp(systems[i].system, system) != 0)
			continue;
		if (!g->n_rules)
			read_grammar(g, systems[i].tables);
		g->asks_sudo = asks_sudo;
		return g->n_modes ? switch_fits(g, command, err) : shell_fits(g, command, 0, err);
	}
	return err_set(err, "%s: no table", system);
}

bool command_fits(const char *system, const char *command, struct err *err)
{
	return fits(system, command, false, err);
}

bool command_can_be_typed(const char *system, const char *command, struct err *err)
{
	return fits(system, command, true, err);
}
