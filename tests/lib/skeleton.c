#include "tests/lib/skeleton.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 64

bool skeleton_rule_init(struct skeleton_rule *r, const char *pattern, const char *kind)
{
	r->kind = xstrdup(kind);
	return regcomp(&r->pattern, pattern, REG_EXTENDED) == 0;
}

void skeleton_rule_done(struct skeleton_rule *r)
{
	regfree(&r->pattern);
	free(r->kind);
}

/* -- the kind of a line -- */

/* kind, in which "\1" is what stood in the first group, and "\n" makes a line of its own of what follows. */
static void put_kind(struct buf *out, const char *text, const regmatch_t *match, const char *kind)
{
	for (; *kind; kind++)
		if (kind[0] == '\\' && isdigit((unsigned char)kind[1])) {
			const regmatch_t *m = &match[*++kind - '0'];

			if (m->rm_so >= 0)
				buf_add(out, text + m->rm_so, (size_t)(m->rm_eo - m->rm_so));
		} else if (kind[0] == '\\' && kind[1] == 'n') {
			buf_str(out, "\n");
			kind++;
		} else {
			buf_add(out, kind, 1);
		}
}

/* The numbers of a line; the first when it is small. */
struct numbers {
	long first;
	unsigned n;
};

static void note_number(struct numbers *numbers, struct span text)
{
	uint64_t value;

	if (!numbers->n++)
		numbers->first = text.n < 3 && span_u64(text, &value) ? (long)value : -1;
}

static void replace(struct buf *line, const struct skeleton_rule *r, struct numbers *numbers)
{
	struct buf out = { 0 };
	const char *text = line->text;
	regmatch_t match[10];
	int flags = 0;

	while (*text && regexec(&r->pattern, text, 10, match, flags) == 0 && match->rm_eo > 0) {
		if (!strcmp(r->kind, "N"))
			note_number(numbers, (struct span){ text + match->rm_so, (size_t)(match->rm_eo - match->rm_so) });
		buf_add(&out, text, (size_t)match->rm_so);
		put_kind(&out, text, match, r->kind);
		text += match->rm_eo;
		flags = REG_NOTBOL;
	}
	buf_str(&out, text);
	buf_done(line);
	*line = out;
}

char *skeleton_replace(const char *text, const struct skeleton_rule *r)
{
	struct numbers numbers = { .first = -1 };
	struct buf out = { 0 };

	buf_str(&out, text);
	replace(&out, r, &numbers);
	return out.text;
}

/* Runs of spaces are one space, but for indentation; tabs show as '~'. */
static void squeeze(struct buf *line)
{
	struct buf out = { 0 };
	const char *p = line->text;
	size_t n = strlen(p);

	while (n && isspace((unsigned char)p[n - 1]))
		n--;
	for (size_t i = 0; i < n; i++) {
		bool is_inner = i && p[i] == ' ' && p[i - 1] == ' ' && strspn(p, " ") < i;

		if (p[i] == '\t')
			buf_str(&out, "~");
		else if (!is_inner)
			buf_add(&out, p + i, 1);
	}
	buf_add(&out, "", 0);
	buf_done(line);
	*line = out;
}

static char *kind_and_numbers(struct span text, const struct skeleton_rule *const *rules, struct numbers *numbers)
{
	struct buf line = { 0 };

	*numbers = (struct numbers){ .first = -1 };
	buf_add(&line, text.p, text.n);
	buf_str(&line, "");
	squeeze(&line);
	for (; *rules; rules++)
		replace(&line, *rules, numbers);
	return line.text;
}

static char *kind_of(struct span text, const struct skeleton_rule *const *rules)
{
	struct numbers numbers;

	return kind_and_numbers(text, rules, &numbers);
}

static long place_of(const struct skeleton *s, const char *kind)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->kinds[i], kind))
			return (long)i;
	return -1;
}

bool skeleton_has(const struct skeleton *s, const char *kind)
{
	return place_of(s, kind) >= 0;
}

const struct repeats *skeleton_repeats(const struct skeleton *s, const char *kind)
{
	long place = place_of(s, kind);

	return place < 0 ? NULL : &s->repeats[place];
}

/* "|RX_OK >" is the answer to "|RX_OK <", and says nothing beside a column whose cells are all as wide as it. */
bool skeleton_lacks(const struct skeleton *s, const char *kind)
{
	size_t n = strlen(kind);
	char *other;
	bool is_told;

	if (skeleton_has(s, kind))
		return false;
	if (*kind != '|' || n < 2 || !strchr("<>", kind[n - 1]) || kind[n - 2] != ' ')
		return true;
	other = xstrdup(kind);
	other[n - 1] = kind[n - 1] == '<' ? '>' : '<';
	is_told = skeleton_has(s, other);
	free(other);
	return is_told;
}

/* Its place among the kinds. Takes it. */
static size_t add_kind(struct skeleton *s, char *kind)
{
	long place = place_of(s, kind);

	if (place >= 0) {
		free(kind);
		return (size_t)place;
	}
	*GROW(s->kinds, s->n, s->cap) = kind;
	(void)GROW(s->repeats, s->n, s->cap_repeats);
	return s->n++;
}

/* Takes kind; each of its lines is one, and the numbers are the first's. */
static void add_counted(struct skeleton *s, char *kind, struct numbers numbers)
{
	struct span rest = span_of(kind), line;

	for (; span_line(&rest, &line); numbers = (struct numbers){ .first = -1 }) {
		struct span text = span_trim(line);
		size_t place = add_kind(s, xstrndup(line.p, (size_t)(text.p + text.n - line.p)));

		if (s->first == SIZE_MAX)
			s->first = place;
		else if (s->first == place)
			s->n_blocks++;
		repeats_add(&s->repeats[place], (struct repeat){ s->n_blocks, numbers.first, numbers.n });
	}
	free(kind);
}

static void add(struct skeleton *s, char *kind)
{
	add_counted(s, kind, (struct numbers){ .first = -1 });
}

static void add_text(struct skeleton *s, struct span text, const struct skeleton_rule *const *rules)
{
	struct numbers numbers;
	char *kind = kind_and_numbers(text, rules, &numbers);

	add_counted(s, kind, numbers);
}

/* -- tables -- */

struct column {
	size_t begin, end;
	char *name;
};

struct table {
	struct column columns[COLUMNS_MAX];
	size_t n;
	bool is_titled;		/* a title above, "Profile: X", and a second line of dashes at its end: no heading */
	bool had_blank, is_dashed;
};

/* "-----  ---  ----": two columns at least, of nothing but dashes. */
static size_t read_dashes(struct span line, struct column *columns)
{
	size_t n = 0, i = 0;

	while (i < line.n && n < COLUMNS_MAX) {
		size_t begin = i;

		while (i < line.n && line.p[i] == '-')
			i++;
		if (i > begin)
			columns[n++] = (struct column){ .begin = begin, .end = i };
		else if (line.p[i++] != ' ')
			return 0;
	}
	return n > 1 ? n : 0;
}

static bool is_rule(struct span line)
{
	struct span text = span_trim(line);
	size_t n = 0;

	while (n < text.n && text.p[n] == '-')
		n++;
	return n == text.n && n > 3;
}

static struct span cell_of(struct span line, const struct column *c, bool is_last)
{
	size_t begin = c->begin < line.n ? c->begin : line.n, end = is_last || c->end > line.n ? line.n : c->end;

	return (struct span){ line.p + begin, end - begin };
}

/* Whether nothing stands between the columns. */
static bool fits(const struct table *t, struct span line)
{
	for (size_t i = 0; i + 1 < t->n; i++)
		for (size_t k = t->columns[i].end; k < t->columns[i + 1].begin && k < line.n; k++)
			if (line.p[k] != ' ')
				return false;
	return true;
}

/* "PFC3": its number counts. */
static void add_column(struct skeleton *s, struct span name, const struct skeleton_rule *const *rules)
{
	struct numbers numbers;
	char *kind = kind_and_numbers(name, rules, &numbers);

	if (numbers.n)
		add_counted(s, xasprintf("heading %s", kind), numbers);
	free(kind);
}

static void table_begin(struct skeleton *s, struct table *t, struct span heading, const struct skeleton_rule *const *rules)
{
	struct buf names = { 0 };

	t->is_titled = memchr(heading.p, ':', heading.n) || !fits(t, heading);
	t->had_blank = false;
	for (size_t i = 0; i < t->n; i++) {
		struct span name = span_trim(cell_of(heading, &t->columns[i], i + 1 == t->n));

		t->columns[i].name = t->is_titled ? xasprintf("%zu", i + 1) : kind_of(name, rules);
		buf_printf(&names, "%s%s", i ? " | " : "", t->columns[i].name);
	}
	if (t->is_titled)
		add_text(s, heading, rules);
	add(s, names.text);
	for (size_t i = 0; i < t->n && !t->is_titled; i++)
		add_column(s, span_trim(cell_of(heading, &t->columns[i], i + 1 == t->n)), rules);
}

static void table_end(struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->columns[i].name);
	*t = (struct table){ .n = 0 };
}

static void add_cell(struct skeleton *s, const struct column *c, struct span cell, size_t width, const struct skeleton_rule *const *rules)
{
	struct span text = span_trim(cell);
	struct numbers numbers;
	char *kind = kind_and_numbers(text, rules, &numbers);

	add_counted(s, xasprintf("|%s: %s", c->name, kind), numbers);
	if (text.n && text.n < width && cell.n == width && text.p + text.n == cell.p + width)
		add(s, xasprintf("|%s >", c->name));
	else if (text.n && text.n < width && text.p == cell.p)
		add(s, xasprintf("|%s <", c->name));
	free(kind);
}

static void add_row(struct skeleton *s, const struct table *t, struct span line, const struct skeleton_rule *const *rules)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct column *c = &t->columns[i];

		add_cell(s, c, cell_of(line, c, i + 1 == t->n), c->end - c->begin, rules);
	}
}

/* -- JSON: the rules are for each key and value, and then for the whole path with it -- */

static void add_json(struct skeleton *s, const json_t *value, const char *path, const struct skeleton_rule *const *rules)
{
	const char *key;
	json_t *child;
	size_t i;

	if (json_is_object(value)) {
		json_object_foreach((json_t *)value, key, child) {
			char *kind = kind_of(span_of(key), rules), *longer = xasprintf("%s.%s", path, kind);

			add_json(s, child, longer, rules);
			free(kind);
			free(longer);
		}
	} else if (json_is_array(value)) {
		char *longer = xasprintf("%s[]", path);

		json_array_foreach(value, i, child)
			add_json(s, child, longer, rules);
		free(longer);
	} else if (json_is_string(value)) {
		char *kind = kind_of(span_of(json_string_value(value)), rules), *line = xasprintf("%s: \"%s\"", path, kind);

		add(s, kind_of(span_of(line), rules));
		free(kind);
		free(line);
	} else {
		add(s, xasprintf("%s: %s", path, json_is_number(value) ? "N" : json_is_boolean(value) ? "BOOL" : "null"));
	}
}

static bool add_if_json(struct skeleton *s, struct span text, const struct skeleton_rule *const *rules)
{
	struct span body = span_trim(text);
	json_t *value;

	if (!body.n || (*body.p != '{' && *body.p != '['))
		return false;
	value = json_loadb(body.p, body.n, 0, NULL);
	if (!value)
		return false;
	add_json(s, value, "", rules);
	json_decref(value);
	return true;
}

/* -- a text -- */

/* after: the next line, which tells a heading. */
static void add_line(struct skeleton *s, struct table *t, struct span line, struct span after, const struct skeleton_rule *const *rules)
{
	struct column columns[COLUMNS_MAX];
	bool is_heading = !t->is_titled && read_dashes(after, columns);

	if (read_dashes(line, columns)) {
		t->is_dashed = !t->is_dashed;
		if (t->is_titled && !t->is_dashed)
			table_end(t);
	} else if (!span_trim(line).n) {
		t->had_blank = true;
		add(s, xstrdup("(blank)"));
	} else if (is_rule(line)) {
		table_end(t);
		add(s, xstrdup("(rule)"));
	} else if (is_heading) {
		table_end(t);
		t->n = read_dashes(after, t->columns);
		table_begin(s, t, line, rules);
	} else if (t->n && (!t->had_blank || fits(t, line))) {
		add_row(s, t, line, rules);
	} else {
		table_end(t);
		add_text(s, line, rules);
	}
}

static void add_ends(struct skeleton *s, struct span text)
{
	bool has_lf = false, has_crlf = false;

	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] == '\n')
			*(i && text.p[i - 1] == '\r' ? &has_crlf : &has_lf) = true;
	if (has_crlf)
		add(s, xstrdup("(CRLF)"));
	if (has_lf)
		add(s, xstrdup("(LF)"));
}

/* As span_line, but of several CRs none stays. */
static bool next_line(struct span *rest, struct span *line)
{
	if (!span_line(rest, line))
		return false;
	while (line->n && line->p[line->n - 1] == '\r')
		line->n--;
	return true;
}

/* -- headings of tables without dashes -- */

struct line {
	char *text, *kind;	/* owned */
	bool is_dashes, may_head;
};

/* Words alone, the same wherever it is printed: no rule finds a value in it. Or the numbers of columns. */
static bool may_head(struct span line, const char *kind)
{
	struct buf squeezed = { 0 };
	bool is_so;

	buf_add(&squeezed, line.p, line.n);
	buf_str(&squeezed, "");
	squeeze(&squeezed);
	is_so = *kind && !strchr(kind, ':') && (!strcmp(squeezed.text, kind) || strstr(squeezed.text, " 0 1 2 3 "));
	buf_done(&squeezed);
	return is_so;
}

/* With spaces for tabs. */
static char *untabbed(struct span line)
{
	struct buf out = { 0 };

	for (size_t i = 0; i < line.n; i++)
		if (line.p[i] == '\t')
			buf_printf(&out, "%*s", (int)(8 - out.n % 8), "");
		else
			buf_add(&out, line.p + i, 1);
	buf_str(&out, "");
	return out.text;
}

/* heading, and from below on lines of one kind; a rule may be between. */
static void add_heading(struct skeleton *s, const struct line *heading, const struct line *below, const struct line *end)
{
	const char *kind;

	if (below < end && is_rule(span_of(below->text)))
		below++;
	if (below >= end || !heading->may_head || !strcmp(below->kind, heading->kind))
		return;
	for (kind = below->kind; below < end && *kind && !below->is_dashes && !strcmp(below->kind, kind); below++)
		headings_add(&s->headings, heading->kind, span_of(heading->text), span_of(below->text));
}

static void add_headings(struct skeleton *s, struct span text, const struct skeleton_rule *const *rules)
{
	struct span rest = text, line;
	struct line *lines = NULL;
	struct column columns[COLUMNS_MAX];
	size_t n = 0, cap = 0;

	while (next_line(&rest, &line)) {
		struct line *l = GROW(lines, n, cap);

		*l = (struct line){ untabbed(line), kind_of(line, rules), .is_dashes = read_dashes(line, columns) > 0 };
		l->may_head = !l->is_dashes && !is_rule(line) && may_head(line, l->kind);
		n++;
	}
	for (size_t i = 0; i < n; i++)
		add_heading(s, &lines[i], &lines[i + 1], lines + n);
	for (size_t i = 0; i < n; i++) {
		free(lines[i].text);
		free(lines[i].kind);
	}
	free(lines);
}

void skeleton_add(struct skeleton *s, struct span text, const struct skeleton_rule *const *rules)
{
	struct span rest = text, line;
	struct table t = { .n = 0 };

	s->first = SIZE_MAX;
	s->n_blocks++;
	if (add_if_json(s, text, rules))
		return;
	add_headings(s, text, rules);
	while (next_line(&rest, &line)) {
		struct span further = rest, after = { "", 0 };

		next_line(&further, &after);
		add_line(s, &t, line, after, rules);
	}
	table_end(&t);
	add_ends(s, text);
}

struct skeleton skeleton_of(struct span text, const struct skeleton_rule *const *rules)
{
	struct skeleton s = { 0 };

	skeleton_add(&s, text, rules);
	return s;
}

/* -- order -- */

/* length[i] of the longest rising run that ends at i, whose element before is at before[i]; the last of the longest. */
static long longest_rise(const long *place, size_t n, long *before)
{
	size_t *length = xcalloc(n + 1, sizeof(*length));
	long best = -1;

	for (size_t i = 0; i < n; i++) {
		before[i] = -1;
		if (place[i] < 0)
			continue;
		length[i] = 1;
		for (size_t k = 0; k < i; k++)
			if (place[k] >= 0 && place[k] < place[i] && length[k] + 1 > length[i])
				length[i] = length[k] + 1, before[i] = (long)k;
		if (best < 0 || length[i] > length[best])
			best = (long)i;
	}
	free(length);
	return best;
}

size_t skeleton_moved(const struct skeleton *a, const struct skeleton *b, const char **moved)
{
	long *place = xcalloc(a->n + 1, sizeof(*place)), *before = xcalloc(a->n + 1, sizeof(*before));
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++)
		place[i] = strchr("(|", *a->kinds[i]) ? -1 : place_of(b, a->kinds[i]);
	for (long at = longest_rise(place, a->n, before); at >= 0; at = before[at])
		place[at] = -1;
	for (size_t i = 0; i < a->n; i++)
		if (place[i] >= 0)
			moved[n++] = a->kinds[i];
	free(place);
	free(before);
	return n;
}

void skeleton_done(struct skeleton *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->kinds[i]);
		repeats_done(&s->repeats[i]);
	}
	free(s->kinds);
	free(s->repeats);
	headings_done(&s->headings);
	*s = (struct skeleton){ 0 };
}
