/* The operators on text. Those on JSON are in json_operators.c. */
#include "tests/mutants/mutant.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t draw_below(struct mutant *m, uint64_t below)
{
	m->draw ^= m->draw << 13;
	m->draw ^= m->draw >> 7;
	m->draw ^= m->draw << 17;
	return below ? (m->draw * UINT64_C(0x2545f4914f6cdd1d) >> 16) % below : 0;
}

static struct span original(const struct mutant *m)
{
	return (struct span){ m->of->text, m->of->n };
}

/* -- lines -- */

#define LINES_MAX 20000

struct lines {
	struct span *list; /* owned; with their ends */
	size_t n, cap;
};

static struct lines lines_of(struct span text)
{
	struct lines l = { NULL };

	while (text.n > 0 && l.n < LINES_MAX) {
		const char *end = memchr(text.p, '\n', text.n);
		size_t n = end ? (size_t)(end - text.p) + 1 : text.n;

		*GROW(l.list, l.n, l.cap) = (struct span){ text.p, n };
		l.n++;
		text.p += n;
		text.n -= n;
	}
	return l;
}

static void add_span(struct buf *b, struct span s)
{
	if (s.n)
		buf_add(b, s.p, s.n);
}

static void add_lines(struct mutant *m, struct lines *l)
{
	for (size_t i = 0; i < l->n; i++)
		add_span(&m->text, l->list[i]);
	free(l->list);
}

static struct span without_end(struct span line)
{
	while (line.n > 0 && (line.p[line.n - 1] == '\n' || line.p[line.n - 1] == '\r'))
		line.n--;
	return line;
}

static size_t indent_of(struct span line)
{
	size_t n = 0;

	while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
		n++;
	return n;
}

static bool crlf(struct mutant *m)
{
	struct lines l = lines_of(original(m));

	for (size_t i = 0; i < l.n; i++) {
		add_span(&m->text, without_end(l.list[i]));
		buf_str(&m->text, l.list[i].p[l.list[i].n - 1] == '\n' ? "\r\n" : "");
	}
	free(l.list);
	return true;
}

static bool trailing_blanks(struct mutant *m)
{
	struct lines l = lines_of(original(m));

	for (size_t i = 0; i < l.n; i++) {
		add_span(&m->text, without_end(l.list[i]));
		buf_str(&m->text, &"   "[draw_below(m, 4)]);
		buf_str(&m->text, l.list[i].p[l.list[i].n - 1] == '\n' ? "\n" : "");
	}
	free(l.list);
	return true;
}

static bool no_indent(struct mutant *m)
{
	struct lines l = lines_of(original(m));

	for (size_t i = 0; i < l.n; i++) {
		size_t indent = indent_of(l.list[i]);

		l.list[i].p += indent;
		l.list[i].n -= indent;
	}
	add_lines(m, &l);
	return true;
}

static bool tabs(struct mutant *m)
{
	struct lines l = lines_of(original(m));

	for (size_t i = 0; i < l.n; i++)
		for (size_t at = 0; at < l.list[i].n; at++) {
			bool is_gap = at + 1 < l.list[i].n && l.list[i].p[at] == ' ' && l.list[i].p[at + 1] == ' ';

			buf_add(&m->text, is_gap ? "\t" : l.list[i].p + at, 1);
			while (is_gap && at + 1 < l.list[i].n && l.list[i].p[at + 1] == ' ')
				at++;
		}
	free(l.list);
	return true;
}

/* Lines that stand between others without being part of what was asked. */
static const char *const foreign_lines[] = {
	"",
	"--More--",
	"/usr/local/lib/python3.9/dist-packages/ipaddress.py:1: DeprecationWarning: invalid escape sequence",
	"Warning: Permanently added '10.0.0.1' (ED25519) to the list of known hosts.",
	"<165>1 2026-03-04T10:11:12.000000+00:00 leaf1 dn_alm 812 - - Node.1-Unit.1:PRI [event], Dell (OS10) "
	"%IFM_OSTATE_UP",
	"% Info: Command accepted.",
	"[ 8123.456789] perf: interrupt took too long (2509 > 2500), lowering kernel.perf_event_max_sample_rate to "
	"79000",
	"     new_feature_errors_phy: 77",
	"New setting: enabled",
	" new-feature mode on",
	"netlink error: Operation would block",
};

static bool foreign_line(struct mutant *m)
{
	struct lines l = lines_of(original(m));
	bool has_end = l.n && l.list[l.n - 1].p[l.list[l.n - 1].n - 1] == '\n';
	size_t at = draw_below(m, l.n + has_end);

	for (size_t i = 0; i <= l.n; i++) {
		if (i == at) {
			buf_str(&m->text, foreign_lines[draw_below(m, sizeof(foreign_lines) / sizeof(*foreign_lines))]);
			buf_str(&m->text, "\n");
		}
		if (i < l.n)
			add_span(&m->text, l.list[i]);
	}
	free(l.list);
	return true;
}

static bool duplicate_line(struct mutant *m)
{
	struct lines l = lines_of(original(m));
	size_t at = draw_below(m, l.n);

	for (size_t i = 0; i < l.n; i++) {
		add_span(&m->text, l.list[i]);
		if (i == at && l.list[i].p[l.list[i].n - 1] == '\n')
			add_span(&m->text, l.list[i]);
	}
	free(l.list);
	return l.n > 0;
}

static bool drop_line(struct mutant *m)
{
	struct lines l = lines_of(original(m));
	size_t at = draw_below(m, l.n);

	for (size_t i = 0; i < l.n; i++)
		if (i != at)
			add_span(&m->text, l.list[i]);
	free(l.list);
	return l.n > 1;
}

/* "/sys/…:value", a counter of ethtool -S, or a table's row: lines of one kind, each whole by itself. */
static int kind_of(struct span line, struct span before)
{
	struct span s = without_end(line), head, tail;
	const char *name = s.p;

	if (span_starts(s, "/sys/") || span_starts(s, "lldp.") || span_starts(s, "./"))
		return 1;
	if (indent_of(s) > 0 && span_cut_last(s, ':', &head, &tail) && span_trim(tail).n > 0 &&
	    isdigit((unsigned char)*span_trim(tail).p) && strchr("rtpofl", name[indent_of(s)]))
		return 2;
	if ((span_starts(s, "Ethernet") || span_starts(s, "Eth ")) &&
	    (span_starts(before, "Eth") || span_starts(before, "--")))
		return 3;
	return 0;
}

/* Two lines of one run change places. */
static bool reorder_lines(struct mutant *m)
{
	struct lines l = lines_of(original(m));
	size_t at = draw_below(m, l.n);
	bool done = false;

	/* keyvalue begins a neighbor with a line of its own */
	if (strstr(m->of->name, "/lldp/") && l.n && span_starts(*l.list, "lldp."))
		l.n = 0;
	for (size_t i = 1; i + 1 < l.n && !done; i++) {
		size_t k = 1 + (at + i) % (l.n - 1), to = k + 1;
		int kind = kind_of(l.list[k], l.list[k - 1]);
		struct span swap;

		while (to < l.n && kind && kind_of(l.list[to], l.list[to - 1]) == kind)
			to++;
		if (!kind || to - k < 2)
			continue;
		to = k + 1 + draw_below(m, to - k - 1);
		swap = l.list[k];
		l.list[k] = l.list[to];
		l.list[to] = swap;
		done = true;
	}
	add_lines(m, &l);
	return done;
}

/* Paragraphs end with an empty line or with "!". Two that begin with the same word change places. */
static bool reorder_blocks(struct mutant *m)
{
	struct lines l = lines_of(original(m)), p = { NULL };
	size_t at;
	bool done = false, is_new = true;

	for (size_t i = 0; i < l.n; i++) {
		struct span s = span_trim(l.list[i]);

		if (is_new) {
			*GROW(p.list, p.n, p.cap) = (struct span){ l.list[i].p, 0 };
			p.n++;
		}
		p.list[p.n - 1].n += l.list[i].n;
		is_new = s.n == 0 || span_is(s, "!");
	}
	at = draw_below(m, p.n);
	for (size_t i = 0; i < p.n && !done; i++) {
		size_t a = (at + i) % p.n, b = draw_below(m, p.n);
		struct span x = p.list[a], y = p.list[b], first, second, swap;

		if (a == b || !span_word(&x, &first) || !span_word(&y, &second) || !span_same(first, second) ||
		    *p.list[a].p == ' ')
			continue;
		if (span_is(first, "policy-map") || !memchr(p.list[a].p, '\n', p.list[a].n) ||
		    p.list[b].p[p.list[b].n - 1] != '\n' || p.list[a].p[p.list[a].n - 1] != '\n')
			continue;
		swap = p.list[a];
		p.list[a] = p.list[b];
		p.list[b] = swap;
		done = true;
	}
	free(l.list);
	add_lines(m, &p);
	return done;
}

/* -- cuts -- */

static bool cut_anywhere(struct mutant *m)
{
	static const int ends[] = { -1, 124, 137, 255 };

	buf_add(&m->text, m->of->text, draw_below(m, m->of->n));
	m->is_partial = true;
	m->status = ends[draw_below(m, 4)];
	return m->of->n > 1;
}

static bool cut_unmarked(struct mutant *m)
{
	buf_add(&m->text, m->of->text, draw_below(m, m->of->n));
	return m->of->n > 1;
}

/* -- words and numbers -- */

static bool is_delimiter(char c)
{
	return !c || strchr(" \t\r\n,:;=()[]{}<>\"'%|", c);
}

/* A word of the text that fits, at a drawn place or behind it. */
static bool draw_word(struct mutant *m, bool (*fits)(struct span word), struct span *out)
{
	struct span text = original(m);
	size_t from = draw_below(m, text.n ? text.n : 1);

	for (size_t turn = 0, at = from; turn < 2; turn++, at = 0) {
		while (at < text.n) {
			size_t n = 0;

			if (is_delimiter(text.p[at]) || (at > 0 && !is_delimiter(text.p[at - 1]))) {
				at++;
				continue;
			}
			while (at + n < text.n && !is_delimiter(text.p[at + n]))
				n++;
			*out = (struct span){ text.p + at, n };
			if (n < TOKEN_MAX / 2 && fits(*out))
				return true;
			at += n;
		}
	}
	return false;
}

/* A group of 1,234,567 is no number. */
static bool is_group(struct span word)
{
	return word.p[-1] == ',' ? word.n == 3
				 : word.p[word.n] == ',' && isdigit((unsigned char)word.p[word.n + 1]) &&
					   isdigit((unsigned char)word.p[word.n + 2]) &&
					   isdigit((unsigned char)word.p[word.n + 3]);
}

static bool is_number(struct span word)
{
	uint64_t n;

	return !is_group(word) && word.n < 19 && span_u64(word, &n) && (word.n == 1 || *word.p != '0');
}

static bool is_long_number(struct span word)
{
	return is_number(word) && word.n > 3;
}

static bool is_word(struct span word)
{
	bool has_letter = false;

	for (size_t i = 0; i < word.n; i++)
		has_letter |= isalpha((unsigned char)word.p[i]) != 0;
	return has_letter;
}

static void put(struct mutant *m, struct buf *out, struct span word, const char *new, size_t eat)
{
	const char *end = m->of->text + m->of->n;

	buf_add(out, m->of->text, (size_t)(word.p - m->of->text));
	buf_str(out, new);
	buf_add(out, word.p + word.n + eat, (size_t)(end - word.p - word.n - eat));
}

static void name_words(struct mutant *m, struct span word, const char *new)
{
	snprintf(m->old, sizeof(m->old), "%.*s", (int)word.n, word.p);
	snprintf(m->new, sizeof(m->new), "%s", new);
}

/* The number one beside it, in the same place. */
static void make_rival(struct mutant *m, struct span word)
{
	char text[32];

	span_u64(word, &m->old_number);
	m->rival_number = word.p[word.n - 1] == '9' ? m->old_number - 1 : m->old_number + 1;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)m->rival_number);
	put(m, &m->rival, word, text, 0);
}

static bool widen(struct mutant *m, bool eats_blanks)
{
	struct span word;
	char text[48];
	size_t more = 1 + draw_below(m, 6), eat = 0;

	if (!draw_word(m, is_number, &word) || word.n + more > 18 || *word.p == '0')
		return false;
	while (eats_blanks && eat < more && word.p + word.n + eat < m->of->text + m->of->n &&
	       word.p[word.n + eat] == ' ')
		eat++;
	if (eats_blanks && !eat)
		return false;
	snprintf(text, sizeof(text), "%.*s%.*s", (int)word.n, word.p, (int)more, "731946");
	make_rival(m, word);
	span_u64(span_of(text), &m->new_number);
	name_words(m, word, text);
	put(m, &m->text, word, text, eat);
	return true;
}

static bool widen_pushing(struct mutant *m)
{
	return widen(m, false);
}

static bool widen_eating(struct mutant *m)
{
	return widen(m, true);
}

static bool no_number(struct mutant *m, struct span word, const char *text)
{
	make_rival(m, word);
	name_words(m, word, text);
	put(m, &m->text, word, text, 0);
	return true;
}

static bool not_a_number(struct mutant *m)
{
	static const char *const forms[] = { "N/A", "-", "n/a", "unknown", "*", "??" };
	struct span word;

	return draw_word(m, is_number, &word) && no_number(m, word, forms[draw_below(m, 6)]);
}

static bool number_with_tail(struct mutant *m)
{
	static const char *const tails[] = { "K", "M", "e", "+", "G", "?" };
	struct span word;
	char text[48];

	if (!draw_word(m, is_number, &word))
		return false;
	snprintf(text, sizeof(text), "%.*s%s", (int)word.n, word.p, tails[draw_below(m, 6)]);
	return no_number(m, word, text);
}

static bool number_negative(struct mutant *m)
{
	struct span word;
	char text[48];

	if (!draw_word(m, is_number, &word) || *word.p == '0')
		return false;
	snprintf(text, sizeof(text), "-%.*s", (int)word.n, word.p);
	return no_number(m, word, text);
}

static bool number_too_large(struct mutant *m)
{
	static const char *const forms[] = {"18446744073709551616", "99999999999999999999",
					    "340282366920938463463374607431768211456"};
	struct span word;

	return draw_word(m, is_number, &word) && no_number(m, word, forms[draw_below(m, 3)]);
}

/* Where a comma stands between numbers, it would be no part of one. */
static bool is_in_list(const struct mutant *m, struct span word)
{
	const char *from = word.p, *to = word.p + word.n, *end = m->of->text + m->of->n;

	while (from > m->of->text && from[-1] != '\n')
		from--;
	while (to < end && *to != '\n')
		to++;
	return memchr(from, ',', (size_t)(to - from)) || memchr(from, '[', (size_t)(to - from)) ||
	       memchr(from, '"', (size_t)(to - from)) || memchr(m->of->text, '{', m->of->n);
}

/* 1,234,567: the same number or none. */
static bool number_with_commas(struct mutant *m)
{
	struct span word;
	char text[48];
	size_t n = 0;

	if (!draw_word(m, is_long_number, &word) || is_in_list(m, word))
		return false;
	for (size_t i = 0; i < word.n; i++) {
		if (i && (word.n - i) % 3 == 0)
			text[n++] = ',';
		text[n++] = word.p[i];
	}
	text[n] = '\0';
	make_rival(m, word);
	m->new_number = m->old_number;
	name_words(m, word, text);
	put(m, &m->text, word, text, 0);
	return true;
}

static bool unknown_word(struct mutant *m)
{
	static const char *const tails[] = { "-new", "2", "x", ".v2", "_ext" };
	struct span word;
	char text[TOKEN_MAX];

	if (!draw_word(m, is_word, &word))
		return false;
	snprintf(text, sizeof(text), "%.*s%s", (int)word.n, word.p, tails[draw_below(m, 5)]);
	name_words(m, word, text);
	put(m, &m->text, word, text, 0);
	return true;
}

static bool long_word(struct mutant *m)
{
	struct span word;
	char text[TOKEN_MAX];

	if (!draw_word(m, is_word, &word))
		return false;
	snprintf(text, sizeof(text), "%.*s-rack12-row3-datacenter-west-2", (int)word.n, word.p);
	name_words(m, word, text);
	put(m, &m->text, word, text, 0);
	return true;
}

static bool other_word(struct mutant *m)
{
	struct span word;
	char text[TOKEN_MAX];

	if (!draw_word(m, is_word, &word))
		return false;
	snprintf(text, sizeof(text), "zq%u", (unsigned)draw_below(m, 90) + 10);
	name_words(m, word, text);
	put(m, &m->text, word, text, 0);
	return true;
}

static bool other_case(struct mutant *m)
{
	struct span word;
	char text[TOKEN_MAX] = "";

	if (!draw_word(m, is_word, &word))
		return false;
	for (size_t i = 0; i < word.n; i++)
		text[i] = (char)(isupper((unsigned char)word.p[i]) ? tolower((unsigned char)word.p[i])
								   : toupper((unsigned char)word.p[i]));
	name_words(m, word, text);
	put(m, &m->text, word, text, 0);
	return true;
}

/* Words in German, as a localised tool or a translated page has them. */
static bool other_language(struct mutant *m)
{
	static const char *const words[][2] = {
		{ "yes", "ja" },
		{ "no", "nein" },
		{ "on", "ein" },
		{ "off", "aus" },
		{ "up", "aktiv" },
		{ "down", "inaktiv" },
		{ "Up", "Aktiv" },
		{ "Down", "Inaktiv" },
		{ "true", "wahr" },
		{ "false", "falsch" },
		{ "enabled", "aktiviert" },
		{ "Speed", "Geschwindigkeit" },
		{ "Link", "Verbindung" },
		{ "state", "Zustand" },
		{ "status", "Status" },
		{ "priority", "Priorität" },
		{ "Priority", "Priorität" },
		{ "discarded", "verworfen" },
		{ "ACTIVE", "AKTIV" },
		{ "Interface", "Schnittstelle" },
		{ "interface", "schnittstelle" },
		{ "Status", "Zustand" },
		{ "N/A", "k. A." },
	};
	struct span text = original(m);
	unsigned from = (unsigned)draw_below(m, 3);
	bool done = false;

	for (size_t at = 0; at < text.n;) {
		size_t n = 0;

		while (at + n < text.n && !is_delimiter(text.p[at + n]))
			n++;
		if (!n) {
			buf_add(&m->text, text.p + at++, 1);
			continue;
		}
		for (size_t i = from; i < sizeof(words) / sizeof(*words); i++)
			if (span_is((struct span){ text.p + at, n }, words[i][0])) {
				buf_str(&m->text, words[i][1]);
				done = true;
				goto next;
			}
		buf_add(&m->text, text.p + at, n);
	next:
		at += n;
	}
	return done;
}

/* -- tables -- */

/* A table's column made wider, header, dashes and rows alike, as a longer cell in it makes it. */
static bool wider_column(struct mutant *m)
{
	struct lines l = lines_of(original(m));
	size_t dashes = 0, end, at = 0, n = 0, more = 1 + draw_below(m, 9);

	while (dashes < l.n &&
	       !(span_starts(l.list[dashes], "---") && memmem(l.list[dashes].p, l.list[dashes].n, "-  -", 4)))
		dashes++;
	if (dashes == 0 || dashes >= l.n) {
		free(l.list);
		return false;
	}
	for (size_t i = 1; i < l.list[dashes].n; i++)
		if (l.list[dashes].p[i] != '-' && l.list[dashes].p[i - 1] == '-' && draw_below(m, ++n) == 0)
			at = i;
	end = dashes + 1;
	while (end < l.n && span_trim(l.list[end]).n > 0)
		end++;
	for (size_t i = 0; i < l.n; i++) {
		struct span s = without_end(l.list[i]);

		if (i + 1 < dashes || i >= end || s.n < at) {
			add_span(&m->text, l.list[i]);
			continue;
		}
		buf_add(&m->text, s.p, at);
		for (size_t k = 0; k < more; k++)
			buf_str(&m->text, i == dashes ? "-" : " ");
		add_span(&m->text, (struct span){ s.p + at, l.list[i].n - at });
	}
	free(l.list);
	return true;
}

/* -- names -- */

static bool port_form(struct mutant *m)
{
	static const char *const forms[] = { "ethernet ", "Ethernet ", "Eth ", "eth", "Ethernet" };
	struct span text = original(m);
	const char *form = forms[draw_below(m, 5)];
	bool done = false;

	if (strcmp(m->of->platform->id, "os10") != 0)
		return false;
	snprintf(m->new, sizeof(m->new), "%s", form); /* in texts, too */
	while (text.n > 0) {
		static const char *const olds[] = { "ethernet", "Ethernet ", "Eth " };
		bool replaced = false;

		for (size_t i = 0; i < 3 && !replaced; i++) {
			struct span rest = text;

			if (span_skip(&rest, olds[i]) && rest.n && isdigit((unsigned char)*rest.p) &&
			    (text.p == m->of->text || isspace((unsigned char)text.p[-1]))) {
				buf_str(&m->text, form);
				text = rest;
				replaced = done = true;
			}
		}
		if (!replaced) {
			buf_add(&m->text, text.p, 1);
			text.p++;
			text.n--;
		}
	}
	return done;
}

/* -- two at one port -- */

static bool is_value_char(char c)
{
	return c && !strchr(" \t\r\n", c);
}

/* The block again, with another name in each of its values but the local port's. */
static void add_other(struct buf *out, struct span block, const char *const *keys)
{
	struct span line;

	while (span_line(&block, &line)) {
		bool is_changed = false;

		for (size_t i = 0; keys[i]; i++)
			is_changed |= span_find(line, keys[i]) != NULL;
		line = span_trim(line);
		add_span(out, line);
		buf_str(out, is_changed && line.n && is_value_char(line.p[line.n - 1]) ? "9z\n" : "\n");
	}
}

/* Blocks that begin with a line that holds this. */
static bool two_blocks(struct mutant *m, const char *begin, const char *const *keys)
{
	struct lines l = lines_of(original(m));
	size_t starts = 0, from = 0, to = 0;
	bool own_first = draw_below(m, 2);
	struct span block;

	for (size_t i = 0; i < l.n; i++)
		if (span_find(l.list[i], begin) && draw_below(m, ++starts) == 0)
			from = i;
	for (to = from + 1; to < l.n && !span_find(l.list[to], begin); to++)
		;
	if (!starts || l.list[to - 1].p[l.list[to - 1].n - 1] != '\n') {
		free(l.list);
		return false;
	}
	block = (struct span){ l.list[from].p, (size_t)(l.list[to - 1].p + l.list[to - 1].n - l.list[from].p) };
	for (size_t i = 0; i < l.n; i++) {
		if (i == from) {
			if (own_first)
				add_span(&m->text, block);
			add_other(&m->text, block, keys);
			if (!own_first)
				add_span(&m->text, block);
			add_other(&m->rival, block, keys);
		}
		if (i < from || i >= to) {
			add_span(&m->text, l.list[i]);
			add_span(&m->rival, l.list[i]);
		}
	}
	free(l.list);
	return true;
}

static bool two_neighbors(struct mutant *m)
{
	static const char *const os10[] = {
		"Remote Chassis ID:", "Remote Port ID:", "Remote Port Description:", "Remote System Name:", NULL};
	static const char *const keyvalue[] = { ".chassis.", ".port.", NULL };
	static const char *const row[] = { "Ethernet", NULL };

	if (strcmp(m->of->probe->id, "lldp") != 0)
		return false;
	if (strcmp(m->of->platform->id, "os10") == 0)
		return two_blocks(m, "Remote Chassis ID Subtype", os10);
	if (strcmp(m->of->platform->id, "sonic") == 0)
		return two_blocks(m, "Ethernet", row);
	return span_starts(original(m), "lldp.") && two_blocks(m, ".rid=", keyvalue);
}

const struct operator operator_table[] = {
	{ "crlf",                 crlf,                   RULE_LESS,      0, "captures: OS10 10.3 display-xml; a PTY's output" },
	{ "trailing-blanks",      trailing_blanks,        RULE_LESS,      0, "captures: tabulate pads its last column; OS10 10.4 configurations" },
	{ "no-indent",            no_indent,              RULE_LESS,      0, "captures: S4112F configurations, vendor-guide examples" },
	{ "tabs",                 tabs,                   RULE_LESS,      0, "captures: ethtool-a/tabs-no-negotiated" },
	{ "foreign-line",         foreign_line,           RULE_LESS,      2,
	  "captures: pfcwd's polling line, netlink error before ethtool's answer" },
	{ "duplicate-line",       duplicate_line,         RULE_LESS,      2, "captures: mlnx_qos ratelimit lines; a console's repeated row" },
	{ "drop-line",            drop_line,              RULE_GONE_LINE, 2, "captures: older releases lack lines of newer ones" },
	{ "reorder-lines",        reorder_lines,          RULE_LESS,      2, "readdir order of sysfs; ethtool counters by driver version" },
	{ "reorder-blocks",       reorder_blocks,         RULE_LESS,      1, "interfaces by name or by number, by release" },
	{ "cut",                  cut_anywhere,           RULE_LESS,      6, "time-outs, signals, size limits, lost connections" },
	{ "cut-unmarked",         cut_unmarked,           RULE_LESS,      2, "a person's file: the terminal's buffer was too short" },
	{ "widen-pushing",        widen_pushing,          RULE_NUMBER,    3, "printf's %-10s: what is longer pushes the rest" },
	{ "widen-eating",         widen_eating,           RULE_NUMBER,    3, "cells that run together: OS10's queuing statistics" },
	{ "wider-column",         wider_column,           RULE_LESS,      1, "tabulate: columns are as wide as their longest cell" },
	{ "not-a-number",         not_a_number,           RULE_NO_NUMBER, 2, "captures: SONiC N/A, ethtool Unknown!" },
	{ "number-tail",          number_with_tail,       RULE_NO_NUMBER, 2, "captures: rounded counters, 1.5K" },
	{ "number-negative",      number_negative,        RULE_NO_NUMBER, 1, "sysfs speed -1, NCCL_IB_TC=-1" },
	{ "number-too-large",     number_too_large,       RULE_NO_NUMBER, 1, "counters beyond 64 bits" },
	{ "number-commas",        number_with_commas,     RULE_NUMBER,    1, "captures: SONiC show interfaces counters" },
	{ "unknown-word",         unknown_word,           RULE_WORD,      4, "newer releases: names and values with something behind" },
	{ "other-word",           other_word,             RULE_WORD,      4, "newer releases: another name or value" },
	{ "long-word",            long_word,              RULE_WORD,      1, "captures: long host names and descriptions" },
	{ "other-case",           other_case,             RULE_WORD,      1, "captures: old-MAC-form; Up and UP" },
	{ "other-language",       other_language,         RULE_LESS,      0, "localised tools" },
	{ "port-form",            port_form,              RULE_WORD,      0, "captures: ethernet1/1/1, Ethernet 1/1/1, Eth 1/1/1" },
	{ "two-neighbors",        two_neighbors,          RULE_EITHER,    2, "a NIC's agent beside its host; changed cables, for a TTL" },
	{ "json-keys-reversed",   json_keys_reversed,     RULE_LESS,      0, "sonic-cfggen sorts, dict order does not" },
	{ "json-compact",         json_compact,           RULE_LESS,      0, "ip -j without -p" },
	{ "json-lists-reversed",  json_lists_reversed,    RULE_LESS,      0, "order of interfaces" },
	{ "json-member-added",    json_member_added,      RULE_LESS,      1, "newer releases" },
	{ "json-member-null",     json_member_null,       RULE_LESS,      2, "jansson, json-c: null for what is not known" },
	{ "json-member-dropped",  json_member_dropped,    RULE_GONE_LINE, 1, "older releases" },
	{ "json-key-renamed",     json_key_renamed,       RULE_WORD,      2, "newer releases: keys of another form" },
	{ "json-type-changed",    json_type_changed,      RULE_LESS,      2, "numbers as texts and the other way round" },
	{ "json-rows-split",      json_rows_split,        RULE_LESS,      0, "CONFIG_DB: Ethernet0|3-4 is Ethernet0|3 and Ethernet0|4" },
	{ "json-rows-of-host",    json_rows_of_host,      RULE_LESS,      0, "CONFIG_DB of a VOQ chassis: host|asic0|Ethernet0|3" },
	{ "json-references",      json_references,        RULE_LESS,      0, "CONFIG_DB before 202012: [TABLE|NAME]" },
	{ "json-two-neighbors",   json_two_neighbors,     RULE_EITHER,    1, "lldpcli: two on one interface" },
};

const size_t operator_count = sizeof(operator_table) / sizeof(*operator_table);
