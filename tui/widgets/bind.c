#include "tui/widgets/bind.h"

#include <assert.h>
#include <curses.h>
#include <stdio.h>

#define ESC 27
#define CTRL(c) ((c) & 0x1f)

/* Terminals differ in what a key sends: Enter and Backspace are several codes each, kept together. */
static const struct {
	const char *word, *show;
	int code;
} word_table[] = {
	{ "Space",	"Space",	' ' },
	{ "Enter",	"Enter",	'\r' },
	{ "Esc",	"Esc",		ESC },
	{ "Tab",	"Tab",		'\t' },
	{ "S-Tab",	"S-Tab",	KEY_BTAB },
	{ "Up",		"Up",		KEY_UP },
	{ "Down",	"Down",		KEY_DOWN },
	{ "Left",	"Left",		KEY_LEFT },
	{ "Right",	"Right",	KEY_RIGHT },
	{ "PgUp",	"PgUp",		KEY_PPAGE },
	{ "PgDn",	"PgDn",		KEY_NPAGE },
	{ "Home",	"Home",		KEY_HOME },
	{ "End",	"End",		KEY_END },
	{ "Ins",	"Ins",		KEY_IC },
	{ "Del",	"Del",		KEY_DC },
	{ "Backspace",	"Backspace",	KEY_BACKSPACE },
};

/* Without these a person could be stuck, or could not find the way out. */
static const enum command needed[] = { DO_HELP, DO_CANCEL, DO_BACK, DO_PROMPT, DO_INTERRUPT };

static struct bindings in_use;

static bool read_control(struct span word, int *code, char show[12])
{
	char c;

	if (!(span_skip(&word, "^") || span_skip(&word, "ctrl-") || span_skip(&word, "Ctrl-")) || word.n != 1)
		return false;
	c = (char)(*word.p >= 'a' && *word.p <= 'z' ? *word.p - 32 : *word.p);
	if (c < 'A' || c > 'Z')
		return false;
	*code = CTRL(c);
	snprintf(show, 12, "^%c", c);
	return true;
}

static bool read_function(struct span word, int *code, char show[12])
{
	uint64_t n;

	if (!(span_skip(&word, "F") || span_skip(&word, "f")) || !span_u64(word, &n) || n < 1 || n > 12)
		return false;
	*code = KEY_F((int)n);
	snprintf(show, 12, "F%d", (int)n);
	return true;
}

bool key_of_word(struct span word, int *code, char show[12])
{
	if (word.n == 1 && *word.p > ' ' && *word.p < 127) {
		*code = *word.p;
		snprintf(show, 12, "%c", *word.p);
		return true;
	}
	for (size_t i = 0; i < sizeof(word_table) / sizeof(*word_table); i++) {
		if (span_is_nocase(word, word_table[i].word)) {
			*code = word_table[i].code;
			snprintf(show, 12, "%s", word_table[i].show);
			return true;
		}
	}
	return read_control(word, code, show) || read_function(word, code, show);
}

bool bindings_set(struct bindings *b, struct span command, const struct span *words, size_t n, const char *from,
		  struct err *err)
{
	const struct key *k = key_named(command);
	struct binding set = { .is_set = true };
	size_t used = 0;
	char show[12];

	if (!k)
		return err_set(err, "%s: no command \"%.*s\" has keys; ? in the console lists them", from,
			       (int)(command.n < 40 ? command.n : 40), command.p);
	if (n > KEY_CODES)
		return err_set(err, "%s: %s can have %d keys, not %zu", from, k->name, KEY_CODES, n);
	for (size_t i = 0; i < n; i++) {
		if (!key_of_word(words[i], &set.codes[i], show))
			return err_set(err, "%s: \"%.*s\" is not a key; keys are x ctrl-x F5 Space Enter Esc Tab S-Tab Up Down "
				       "Left Right PgUp PgDn Home End Ins Del Backspace", from,
				       (int)(words[i].n < 40 ? words[i].n : 40), words[i].p);
		used += (size_t)snprintf(set.show + used, sizeof(set.show) - used, "%s%s", i ? " " : "", show);
	}
	if (!n)
		snprintf(set.show, sizeof(set.show), ":%s", k->name);
	snprintf(set.from, sizeof(set.from), "%s", from);
	b->rows[k - key_table] = set;
	return true;
}

static const int *codes_of(const struct bindings *b, size_t row)
{
	return b->rows[row].is_set ? b->rows[row].codes : key_table[row].codes;
}

/* Two codes that one key sends. */
static bool same_key(int a, int b)
{
	bool a_enters = a == '\n' || a == '\r' || a == KEY_ENTER, b_enters = b == '\n' || b == '\r' || b == KEY_ENTER;
	bool a_erases = a == KEY_BACKSPACE || a == 127 || a == 8, b_erases = b == KEY_BACKSPACE || b == 127 || b == 8;

	return a && (a == b || (a_enters && b_enters) || (a_erases && b_erases));
}

static bool holds(const int *codes, int code)
{
	for (size_t i = 0; i < KEY_CODES; i++)
		if (same_key(codes[i], code))
			return true;
	return false;
}

/* A key that two commands share on a screen where both mean something, or 0. */
static bool share_key(const struct bindings *b, size_t one, size_t other)
{
	for (size_t i = 0; key_table[one].screens & key_table[other].screens && i < KEY_CODES; i++)
		if (holds(codes_of(b, one), codes_of(b, other)[i]))
			return true;
	return false;
}

static bool say_clash(const struct bindings *b, size_t one, size_t other, struct err *err)
{
	const struct binding *set = b->rows[one].is_set ? &b->rows[one] : &b->rows[other];
	const struct key *a = &key_table[one], *c = &key_table[other];

	return err_set(err, "%s: %s (%s) and %s (%s) would have a key in common; give one of them another under keys:",
		       set->from, a->name, b->rows[one].is_set ? b->rows[one].show : a->show, c->name,
		       b->rows[other].is_set ? b->rows[other].show : c->show);
}

bool bindings_check(const struct bindings *b, struct err *err)
{
	for (size_t i = 0; i < key_count; i++) {
		for (size_t j = i + 1; j < key_count; j++)
			if ((b->rows[i].is_set || b->rows[j].is_set) && share_key(b, i, j))
				return say_clash(b, i, j, err);
		for (size_t n = 0; n < sizeof(needed) / sizeof(*needed); n++)
			if (key_table[i].command == needed[n] && !codes_of(b, i)[0])
				return err_set(err, "%s: %s must have a key", b->rows[i].from, key_table[i].name);
	}
	return true;
}

void bindings_use(const struct bindings *b)
{
	static const struct bindings none;

	assert(key_count <= KEYS_MAX);
	in_use = b ? *b : none;
}

bool key_has(const struct key *k, int code)
{
	return code && holds(codes_of(&in_use, (size_t)(k - key_table)), code);
}

const char *key_show(const struct key *k)
{
	const struct binding *b = &in_use.rows[k - key_table];

	return b->is_set ? b->show : k->show;
}

struct span key_brief(const struct key *k)
{
	return (struct span){ key_show(k), strcspn(key_show(k), " ") };
}

void key_text(struct buf *out, const char *text)
{
	const char *open, *close;

	for (; (open = strchr(text, '{')) && (close = strchr(open, '}')); text = close + 1) {
		const struct key *k = key_named((struct span){ open + 1, (size_t)(close - open) - 1 });
		struct span shown = k ? key_brief(k) : (struct span){ open, (size_t)(close - open) + 1 };

		buf_add(out, text, (size_t)(open - text));
		buf_add(out, shown.p, shown.n);
	}
	buf_str(out, text);
}
