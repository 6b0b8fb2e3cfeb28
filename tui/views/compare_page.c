/* A comparison as a page: two side by side, or of many what most say and who says otherwise. */
#include <stdio.h>

#include "tui/text/human.h"
#include "tui/views/compare.h"

#define LABEL 26

static const struct {
	const char *words;
	enum role role;
} groups[] = {
	[COMPARED_DIFFERS] = { "differ", ROLE_IS_WARN },
	[COMPARED_UNKNOWN] = { "are not known for every one", ROLE_IS_UNKNOWN },
	[COMPARED_NATURE]  = { "differ by nature", ROLE_IS_MUTED },
	[COMPARED_ALIKE]   = { "are alike", ROLE_IS_OK },
	[COMPARED_UNSAID]  = { "are not set by the policy", ROLE_IS_MUTED },
	[COMPARED_ALONE]   = { "exist in only one", ROLE_IS_MUTED },
};

static void add_half(struct buf *out, const struct told *t, int width)
{
	char age[HUMAN_MAX] = "";

	if (t && t->age_us >= 0)
		human_age(age, t->age_us);
	buf_printf(out, "%-*.*s %6s  ", width - 9, width - 9, !t ? "- not reported" : t->value ? t->value : "?", age);
}

static void add_two(struct page *p, const struct compared_row *row, int width)
{
	struct buf line = { 0 };
	char label[96];

	compare_label(row, label, sizeof(label));
	buf_printf(&line, "  %-*.*s", LABEL, LABEL - 1, label);
	for (size_t i = 0; i < 2; i++)
		add_half(&line, row->told[i], (width - LABEL - 2) / 2);
	page_add(p, groups[row->as].role, "%s", line.text);
	buf_done(&line);
}

/* "dscp (5 of 6)   node3:eth2 pcp; node4:eth2 ?" */
static void add_many(struct page *p, const struct comparison *c, const struct compared_row *row, int width)
{
	size_t n;
	const char *most = compare_majority(c, row, &n);
	struct buf others = { 0 };
	char label[96], head[160];

	compare_label(row, label, sizeof(label));
	snprintf(head, sizeof(head), "  %-*.*s%-14.40s %zu of %zu   ", LABEL, LABEL - 1, label, most ? most : "?", n, c->n);
	for (size_t i = 0; i < c->n; i++) {
		const char *value = row->told[i] ? row->told[i]->value : NULL;

		if (!value || strcmp(value, most ? most : ""))
			buf_printf(&others, "%s%s %s", others.n ? "; " : "", c->subjects[i].name, value ? value : "?");
	}
	page_wrap(p, groups[row->as].role, head, others.n ? others.text : "-", width);
	buf_done(&others);
}

/* What is alike, or not spoken of, by its names alone; of what only one has, the parts. */
static void add_folded(struct page *p, const struct comparison *c, enum compared_as as, int width)
{
	const char *part = NULL;
	struct buf names = { 0 };
	char label[96];

	for (size_t i = 0; i < c->n_rows; i++) {
		if (c->rows[i].as != as || (as == COMPARED_ALONE && part && !strcmp(part, c->rows[i].of->part)))
			continue;
		part = c->rows[i].of->part;
		compare_label(&c->rows[i], label, as == COMPARED_ALONE && *part ? strlen(part) + 1 : sizeof(label));
		buf_printf(&names, "%s%s", names.n ? ", " : "", label);
	}
	page_wrap(p, ROLE_IS_MUTED, "  ", names.text, width);
	buf_done(&names);
}

static size_t count(const struct comparison *c, enum compared_as as)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_rows; i++)
		n += c->rows[i].as == as;
	return n;
}

static void add_names(struct page *p, const struct comparison *c, int width)
{
	int half = (width - LABEL - 2) / 2;

	if (c->n == 2)
		page_add(p, ROLE_IS_TITLE, "  %*s%-*.*s  %s", LABEL, "", half - 2, half - 2, c->subjects[0].name,
			 c->subjects[1].name);
	for (size_t i = 0; c->n != 2 && i < c->n; i++)
		page_add(p, ROLE_IS_TITLE, "  %s", c->subjects[i].name);
}

void compare_page(struct page *p, const struct comparison *c, int width)
{
	page_begin(p, "Compare %zu: %zu facts differ, %zu alike", c->n, count(c, COMPARED_DIFFERS), count(c, COMPARED_ALIKE));
	add_names(p, c, width);
	for (unsigned as = 0; as < COMPARED_KINDS; as++) {
		if (!count(c, (enum compared_as)as) && as != COMPARED_DIFFERS)
			continue;
		page_add(p, ROLE_IS_TEXT, " ");
		page_add(p, ROLE_IS_TITLE, "%zu %s", count(c, (enum compared_as)as), groups[as].words);
		if (as >= COMPARED_ALIKE) {
			add_folded(p, c, (enum compared_as)as, width);
			continue;
		}
		for (size_t i = 0; i < c->n_rows; i++) {
			if (c->rows[i].as == (enum compared_as)as && c->n == 2)
				add_two(p, &c->rows[i], width);
			else if (c->rows[i].as == (enum compared_as)as)
				add_many(p, c, &c->rows[i], width);
		}
	}
}
