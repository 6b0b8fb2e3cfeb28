#include "tests/lib/command_internal.h"

#include <string.h>

/* -- options of a tool -- */

bool has_name(const struct words *names, const char *name, size_t n)
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
const struct rule *rule_of(const struct grammar *g, char *const *words, size_t n, struct err *err)
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
