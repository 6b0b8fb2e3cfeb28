/*
 * Whether the lab prints what real devices print: each command's text beside every capture of it (fidelity.txt), by the kinds
 * of their lines (tests/lib/skeleton.h). A difference has a reason in the table, or is a failure; so is a reason for a
 * difference that is gone. The captures stay where they are; without them this says so and is done.
 */
#include <fnmatch.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "remote/lab/server/tools.h"
#include "remote/lab/systems.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/skeleton.h"

#define TABLE		"tests/remote/fidelity.txt"
#define RULES_MAX	64
#define PLANTS_MAX	8
#define KINDS_MAX	4096

/* Kinds that the one has and the other has not, in another place, more or less often; cells elsewhere under their heading. */
enum differ { LACKS, ADDS, MOVES, REPEATS, SHIFTS, DIFFERS_N };
static const char *const differ_names[] = {
	[LACKS] = "lacks", [ADDS] = "adds", [MOVES] = "moves", [REPEATS] = "repeats", [SHIFTS] = "shifts",
};

struct reason {
	enum differ differ;
	char *glob, *text;
	char *first;		/* of the kinds that it stands for; owned */
	size_t n;		/* how many in this command */
	size_t total;
};

struct reasons {
	struct reason *rows;
	size_t n, cap;
};

/* "node3 $ COMMAND" by exec, "leaf1 # COMMAND" at the terminal. */
struct said {
	char *device, *command;
	bool is_typed;
};

struct row {
	struct said said[16];
	char *captures[24];
	char *unproven;
	struct skeleton_rule rules[RULES_MAX], plants[PLANTS_MAX];
	struct reasons reasons;
	char *replies[16];		/* to said */
	size_t n_said, n_captures, n_rules, n_plants;
};

static struct {
	struct row *rows;
	size_t n, cap;
	struct skeleton_rule rules[RULES_MAX];
	size_t n_rules;
	struct reasons reasons;			/* of every command */
	struct reasons elsewhere;		/* captures, by their paths */
	char *words;				/* of fabcon-lab */
} table;

static struct lab lab;
static size_t failures;
static bool is_quiet;		/* a planted mistake: counted, and neither printed nor a use of a reason */

/* -- the table -- */

static char *dup_span(struct span s)
{
	return xstrndup(s.p, s.n);
}

/* "A SEP B" */
static void split(struct span text, const char *sep, char **a, char **b)
{
	const char *at = span_find(text, sep);

	if (!at)
		fail_msg("%s: no \"%s\" in: %.*s", TABLE, sep, (int)text.n, text.p);
	*a = dup_span(span_trim((struct span){ text.p, (size_t)(at - text.p) }));
	at += strlen(sep);
	*b = dup_span(span_trim((struct span){ at, (size_t)(text.p + text.n - at) }));
}

static void add_reason(struct reasons *list, enum differ differ, struct span text)
{
	struct reason *r = GROW(list->rows, list->n, list->cap);

	list->n++;
	r->differ = differ;
	split(text, " because ", &r->glob, &r->text);
}

static void add_rule(struct skeleton_rule *rules, size_t *n, struct span text)
{
	char *pattern, *kind;

	assert_true(*n < RULES_MAX);
	split(text, " =>", &pattern, &kind);
	if (!skeleton_rule_init(&rules[(*n)++], pattern, kind))
		fail_msg("%s: %s is no pattern", TABLE, pattern);
	free(pattern);
	free(kind);
}

/* A pattern in which "\n" is the end of a line. */
static void add_plant(struct row *row, struct span text)
{
	struct buf lines = { 0 };

	assert_true(row->n_plants < PLANTS_MAX);
	for (size_t i = 0; i < text.n; i++) {
		bool is_end = i + 1 < text.n && text.p[i] == '\\' && text.p[i + 1] == 'n';

		buf_add(&lines, is_end ? "\n" : text.p + i, 1);
		i += is_end;
	}
	add_rule(row->plants, &row->n_plants, buf_span(&lines));
	buf_done(&lines);
}

static bool add_said(struct row *row, struct span text)
{
	bool is_typed = !span_find(text, " $ ");
	struct said *said = &row->said[row->n_said++];

	assert_true(row->n_said <= sizeof(row->said) / sizeof(*row->said));
	split(text, is_typed ? " # " : " $ ", &said->device, &said->command);
	said->is_typed = is_typed;
	return true;
}

/* A row of a command, or, before any, of all. */
static bool read_property(struct row *row, struct span word, struct span rest)
{
	struct reasons *reasons = row ? &row->reasons : &table.reasons;

	for (enum differ i = 0; i < DIFFERS_N; i++)
		if (span_is(word, differ_names[i]))
			return add_reason(reasons, i, rest), true;
	if (span_is(word, "as") && row)
		return add_rule(row->rules, &row->n_rules, rest), true;
	if (span_is(word, "as"))
		return add_rule(table.rules, &table.n_rules, rest), true;
	if (span_is(word, "elsewhere"))
		return add_reason(&table.elsewhere, LACKS, rest), true;
	if (span_is(word, "lab"))
		return table.words = dup_span(rest), true;
	if (row && span_is(word, "beside"))
		return row->captures[row->n_captures++] = dup_span(rest), true;
	if (row && span_is(word, "also"))
		return add_said(row, rest);
	if (row && span_is(word, "plant"))
		return add_plant(row, rest), true;
	if (row && span_is(word, "unproven"))
		return row->unproven = dup_span(rest), true;
	return false;
}

static void read_line(struct span line)
{
	struct row *row = table.n ? &table.rows[table.n - 1] : NULL;
	struct span rest = line, word;

	if (!span_trim(line).n || *line.p == '#')
		return;
	if (*line.p != '\t' && !span_starts(line, "elsewhere") && (span_find(line, " $ ") || span_find(line, " # "))) {
		row = GROW(table.rows, table.n, table.cap);
		table.n++;
		add_said(row, line);
	} else if (!span_word(&rest, &word) || !read_property(row, word, span_trim(rest))) {
		fail_msg("%s: could not be parsed: %.*s", TABLE, (int)line.n, line.p);
	}
}

static void read_table(void)
{
	size_t n;
	char *text = file_text(TABLE, &n);
	struct span rest = { text, n }, line;

	assert_non_null(text);
	while (span_line(&rest, &line))
		read_line(line);
	free(text);
}

/* -- what was said -- */

/* What stands between the echo of a command and the next prompt. */
static struct span answer_of(const struct said *said, const char *screen)
{
	char *echo = xasprintf("\n%s# %s\r\n", said->device, said->command), *prompt = xasprintf("\n%s# ", said->device);
	const char *begin = strstr(screen, echo), *end;
	struct span answer = { "", 0 };

	if (begin) {
		begin += strlen(echo);
		end = strstr(begin - 1, prompt);
		answer = (struct span){ begin, end && end >= begin ? (size_t)(end + 1 - begin) : end ? 0 : strlen(begin) };
	}
	free(echo);
	free(prompt);
	return answer;
}

static struct span say(const struct said *said)
{
	char *words;
	const char *text;

	if (said->is_typed) {
		words = xasprintf("terminal length 0\n%s\nexit\n", said->command);
		text = lab_type(&lab, said->device, words);
		free(words);
		return answer_of(said, text);
	}
	words = xasprintf("exec 2>&1\n%s\n", said->command);
	text = lab_tell(&lab, said->device, words);
	free(words);
	return span_of(text);
}

/* -- differences -- */

static struct reason *find_reason(struct reasons *list, enum differ differ, const char *kind)
{
	kind += strspn(kind, " ");
	for (size_t i = 0; i < list->n; i++)
		if (list->rows[i].differ == differ && !fnmatch(list->rows[i].glob, kind, FNM_NOESCAPE))
			return &list->rows[i];
	return NULL;
}

static bool is_new(const char *const *kinds, size_t n, const char *kind)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(kinds[i], kind))
			return false;
	return true;
}

/* more: in what they differ, "": in that. */
static void judge(struct row *row, enum differ differ, const char *kind, const char *more)
{
	struct reason *r = find_reason(&row->reasons, differ, kind);

	r = r ? r : find_reason(&table.reasons, differ, kind);
	if (!r) {
		if (!is_quiet)
			print_message("    NO REASON\t%s\t%s%s%s\n", differ_names[differ], kind, *more ? "\t" : "", more);
		failures++;
		return;
	}
	if (is_quiet)
		return;
	if (!r->n)
		free(r->first), r->first = xstrdup(kind + strspn(kind, " "));
	r->n++;
	r->total++;
}

struct texts {
	struct skeleton each[16], all;
	size_t n;
};

/* A kind is in another place when it is so in each text of the lab that has it. */
static size_t judge_order(struct row *row, const struct skeleton *capture, const struct texts *ours)
{
	static const char *moved[16][KINDS_MAX];
	size_t n[16], total = 0;

	for (size_t i = 0; i < ours->n; i++)
		n[i] = skeleton_moved(capture, &ours->each[i], moved[i]);
	for (size_t k = 0; k < capture->n; k++) {
		bool is_moved = false, is_kept = false;

		for (size_t i = 0; i < ours->n; i++) {
			bool is_here = !is_new(moved[i], n[i], capture->kinds[k]);

			is_moved |= is_here;
			is_kept |= !is_here && skeleton_has(&ours->each[i], capture->kinds[k]);
		}
		if (is_moved && !is_kept) {
			judge(row, MOVES, capture->kinds[k], "");
			total++;
		}
	}
	return total;
}

/* The kinds of from that to has not. */
static size_t missing(const struct skeleton *from, const struct skeleton *to, const char **found, size_t n)
{
	for (size_t i = 0; i < from->n; i++)
		if (skeleton_lacks(to, from->kinds[i]) && is_new(found, n, from->kinds[i]) && n < KINDS_MAX)
			found[n++] = from->kinds[i];
	return n;
}

/* Laws of the captures, of the kinds that both have. */
static void judge_laws(struct row *row, const struct skeleton *captures, const struct skeleton *ours)
{
	for (size_t i = 0; i < captures->n; i++) {
		const struct repeats *r = skeleton_repeats(ours, captures->kinds[i]);
		char *differ = NULL;

		if (r && *captures->kinds[i] != '(')
			differ = repeats_differ(&captures->repeats[i], r, *captures->kinds[i] == '|');
		if (differ)
			judge(row, REPEATS, captures->kinds[i], differ);
		free(differ);
	}
	for (size_t i = 0; i < captures->headings.n; i++) {
		const struct heading *h = &captures->headings.rows[i];

		if (headings_differ(h, &ours->headings))
			judge(row, SHIFTS, h->word, h->kind);
	}
}

static void tell_reasons(struct reasons *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct reason *r = &list->rows[i];

		if (r->n == 1)
			print_message("    %s \"%s\": %s\n", differ_names[r->differ], r->first, r->text);
		else if (r->n)
			print_message("    %s %zu kinds, as \"%s\": %s\n", differ_names[r->differ], r->n, r->first, r->text);
		r->n = 0;
	}
}

static void no_reason_is_left_over(const struct reasons *list, const char *of)
{
	for (size_t i = 0; i < list->n; i++)
		if (!list->rows[i].total) {
			print_message("    LEFT OVER\t%s: %s %s\n", of, differ_names[list->rows[i].differ], list->rows[i].glob);
			failures++;
		}
}

static void use_rules(const struct row *row, const struct skeleton_rule **rules)
{
	size_t n = 0;

	for (size_t i = 0; i < row->n_rules; i++)
		rules[n++] = &row->rules[i];
	for (size_t i = 0; i < table.n_rules; i++)
		rules[n++] = &table.rules[i];
	rules[n] = NULL;
}

static bool read_capture(const char *path, struct skeleton *s, const struct skeleton_rule *const *rules)
{
	char *name = xasprintf("%s/%s", captures_dir(), path);
	size_t n = 0;
	char *text = file_text(name, &n);

	if (text)
		skeleton_add(s, (struct span){ text, n }, rules);
	else
		print_message("    NOT THERE\t%s\n", name);
	failures += !text;
	free(name);
	free(text);
	return text != NULL;
}

static void lay_beside(struct row *row, const struct texts *texts, const struct skeleton_rule *const *rules)
{
	static const char *found[KINDS_MAX];
	const struct skeleton *ours = &texts->all;
	struct skeleton all = { 0 };
	size_t moves = 0, lacks, n;

	for (size_t i = 0; i < row->n_captures; i++) {
		struct skeleton one = { 0 };

		read_capture(row->captures[i], &one, rules);
		read_capture(row->captures[i], &all, rules);
		moves += judge_order(row, &one, texts);
		skeleton_done(&one);
	}
	judge_laws(row, &all, ours);
	n = missing(&all, ours, found, 0);
	for (size_t i = 0; i < n; i++)
		judge(row, LACKS, found[i], "");
	lacks = n;
	n = missing(ours, &all, found, 0);
	for (size_t i = 0; i < n; i++)
		judge(row, ADDS, found[i], "");
	if (!is_quiet)
		print_message("    %zu captures, %zu kinds of theirs, %zu of the lab's; the lab lacks %zu, adds %zu, moves %zu\n",
			      row->n_captures, all.n, ours->n, lacks, n, moves);
	skeleton_done(&all);
}

/* Keeps what the lab says to the row's commands. */
static void ask(struct row *row)
{
	for (size_t i = 0; i < row->n_said; i++) {
		const struct said *said = &row->said[i];

		print_message("%s%s %c %s\n", i ? "  also " : "", said->device, said->is_typed ? '#' : '$', said->command);
		row->replies[i] = dup_span(say(said));
	}
}

/* plant: a mistake in the first reply, or NULL. */
static struct texts texts_of(const struct row *row, const struct skeleton_rule *const *rules, const struct skeleton_rule *plant)
{
	struct texts texts = { .n = row->n_said };

	for (size_t i = 0; i < row->n_said; i++) {
		char *text = plant && !i ? skeleton_replace(row->replies[i], plant) : xstrdup(row->replies[i]);

		if (plant && !i && !strcmp(text, row->replies[i]))
			fail_msg("\"%s\" is not in the reply to %s", plant->kind, row->said[i].command);
		skeleton_add(&texts.each[i], span_of(text), rules);
		skeleton_add(&texts.all, span_of(text), rules);
		free(text);
	}
	return texts;
}

static void texts_done(struct texts *texts)
{
	for (size_t i = 0; i < texts->n; i++)
		skeleton_done(&texts->each[i]);
	skeleton_done(&texts->all);
}

static void compare(struct row *row)
{
	const struct skeleton_rule *rules[2 * RULES_MAX + 1];
	struct texts ours;

	use_rules(row, rules);
	ask(row);
	ours = texts_of(row, rules, NULL);
	if (row->n_captures)
		lay_beside(row, &ours, rules);
	else
		print_message("    unproven: %s\n", row->unproven ? row->unproven : "no capture of it is at hand");
	for (size_t i = 0; getenv("SKELETON") && i < ours.all.n; i++)
		print_message("    = %s\n", ours.all.kinds[i]);
	tell_reasons(&row->reasons);
	tell_reasons(&table.reasons);
	no_reason_is_left_over(&row->reasons, row->said[0].command);
	texts_done(&ours);
}

static void each_text_differs_from_captures_for_a_reason_alone(void **state)
{
	(void)state;
	for (size_t i = 0; i < table.n; i++)
		if (!getenv("SAY") || strstr(table.rows[i].said[0].command, getenv("SAY")))
			compare(&table.rows[i]);
	if (!getenv("SAY"))
		no_reason_is_left_over(&table.reasons, "every command");
	if (failures)
		fail_msg("%zu differences without a reason, or reasons without a difference", failures);
}

/* -- whether a mistake would be seen -- */

/* Differences without a reason, with the mistake in the reply. */
static size_t differences_with(struct row *row, const struct skeleton_rule *plant)
{
	const struct skeleton_rule *rules[2 * RULES_MAX + 1];
	struct texts ours;
	size_t before = failures, n;

	use_rules(row, rules);
	ours = texts_of(row, rules, plant);
	is_quiet = true;
	lay_beside(row, &ours, rules);
	is_quiet = false;
	n = failures - before;
	failures = before;
	texts_done(&ours);
	return n;
}

static void each_planted_mistake_is_seen(void **state)
{
	size_t planted = 0, unseen = 0;

	(void)state;
	for (size_t i = 0; i < table.n; i++)
		for (size_t k = 0; k < table.rows[i].n_plants && table.rows[i].replies[0]; k++, planted++) {
			size_t n = differences_with(&table.rows[i], &table.rows[i].plants[k]);

			print_message("%s, mistake %zu: %zu differences\n", table.rows[i].said[0].command, k + 1, n);
			unseen += !n;
		}
	assert_true(getenv("SAY") || planted >= 5);
	assert_int_equal(unseen, 0);
}

/* -- what is not compared -- */

static bool is_named(const char *path)
{
	for (size_t i = 0; i < table.n; i++)
		for (size_t k = 0; k < table.rows[i].n_captures; k++)
			if (!strcmp(table.rows[i].captures[k], path))
				return true;
	return false;
}

static int look(const char *path, const struct stat *st, int type)
{
	const char *name = path + strlen(captures_dir()) + 1;
	struct reason *r;

	(void)st;
	if (type != FTW_F || strstr(name, "INDEX") || is_named(name))
		return 0;
	r = find_reason(&table.elsewhere, LACKS, name);
	if (r)
		r->n++, r->total++;
	else
		print_message("    %s: not yet judged\n", name);
	return 0;
}

static void captures_that_the_lab_does_not_print_are_told(void **state)
{
	(void)state;
	print_message("Captures of what the lab does not print:\n");
	ftw(captures_dir(), look, 16);
	for (size_t i = 0; i < table.elsewhere.n; i++)
		print_message("    %3zu %s: %s\n", table.elsewhere.rows[i].n, table.elsewhere.rows[i].glob, table.elsewhere.rows[i].text);
}

static bool is_said(const char *program)
{
	for (size_t i = 0; i < table.n; i++)
		for (size_t k = 0; k < table.rows[i].n_said; k++) {
			struct span command = span_of(table.rows[i].said[k].command), word;

			if (span_word(&command, &word) && span_is(word, program))
				return true;
		}
	return false;
}

/* Each stand-in has a row, if only to say that nothing proves it. */
static void every_program_of_the_lab_is_in_the_table(void **state)
{
	(void)state;
	for (const struct lab_system *const *s = lab_systems; *s; s++)
		for (const struct tool *t = (*s)->tools; t && t->name; t++)
			if (!is_said(t->name))
				fail_msg("%s of %s has no row in %s", t->name, (*s)->name, TABLE);
}

/* -- the lab -- */

static int start_lab(void **state)
{
	const char *args[48];
	char *words, *at = NULL;
	size_t n = 0;

	(void)state;
	read_table();
	words = xstrdup(table.words);
	for (char *word = strtok_r(words, " ", &at); word && n < 47; word = strtok_r(NULL, " ", &at))
		args[n++] = word;
	args[n] = NULL;
	assert_true(lab_start(&lab, args));
	free(words);
	return 0;
}

static void free_reasons(struct reasons *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->rows[i].glob);
		free(list->rows[i].text);
		free(list->rows[i].first);
	}
	free(list->rows);
}

static void free_row(struct row *row)
{
	for (size_t i = 0; i < row->n_said; i++) {
		free(row->said[i].device);
		free(row->said[i].command);
		free(row->replies[i]);
	}
	for (size_t i = 0; i < row->n_captures; i++)
		free(row->captures[i]);
	for (size_t i = 0; i < row->n_rules; i++)
		skeleton_rule_done(&row->rules[i]);
	for (size_t i = 0; i < row->n_plants; i++)
		skeleton_rule_done(&row->plants[i]);
	free(row->unproven);
	free_reasons(&row->reasons);
}

static int stop_lab(void **state)
{
	(void)state;
	lab_stop(&lab);
	for (size_t i = 0; i < table.n; i++)
		free_row(&table.rows[i]);
	free(table.rows);
	for (size_t i = 0; i < table.n_rules; i++)
		skeleton_rule_done(&table.rules[i]);
	free_reasons(&table.reasons);
	free_reasons(&table.elsewhere);
	free(table.words);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_program_of_the_lab_is_in_the_table),
		cmocka_unit_test(each_text_differs_from_captures_for_a_reason_alone),
		cmocka_unit_test(each_planted_mistake_is_seen),
		cmocka_unit_test(captures_that_the_lab_does_not_print_are_told),
	};

	if (!captures_dir()) {
		printf("skip: no captures of real devices beside this tree\n");
		return 0;
	}
	return cmocka_run_group_tests(tests, start_lab, stop_lab);
}
