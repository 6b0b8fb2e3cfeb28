#include "tests/lib/command_internal.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX	4	/* sh -c in sh -c */

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

bool shell_fits(const struct grammar *g, const char *text, unsigned depth, struct err *err)
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
