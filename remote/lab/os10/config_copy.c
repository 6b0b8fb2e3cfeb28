/* A second configuration beside the running one: of a transaction, and of the next boot. */
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/os10/config.h"

static void add_line(struct dell_block *b, const char *line)
{
	char **place = GROW(b->lines, b->n, b->cap);

	*place = xstrdup(line);
	b->n++;
}

static struct dell_block *add_block(struct dell_config *c, const char *header, int parent)
{
	struct dell_block *b = GROW(c->blocks, c->n, c->cap);

	b->header = header ? xstrdup(header) : NULL;
	b->parent = parent;
	c->n++;
	return b;
}

/* Blocks keep their numbers: sessions stand in them. */
static void copy_blocks(struct dell_config *to, const struct dell_config *from)
{
	for (size_t i = 0; i < from->n; i++) {
		struct dell_block *b = add_block(to, from->blocks[i].header, from->blocks[i].parent);

		for (size_t k = 0; k < from->blocks[i].n; k++)
			add_line(b, from->blocks[i].lines[k]);
	}
}

struct dell_config *dell_config_copy(const struct dell_config *c)
{
	struct dell_config *copy = xcalloc(1, sizeof(*copy));

	copy_blocks(copy, c);
	buf_add(&copy->startup, c->startup.text, c->startup.n);
	memcpy(copy->changed, c->changed, sizeof(copy->changed));
	return copy;
}

static void print_whole(const struct dell_config *c, size_t at, struct buf *out)
{
	dell_config_print(c, c->blocks[at].header, out);
}

void dell_config_print_changed(const struct dell_config *c, const struct dell_config *old, struct buf *out)
{
	bool is_any = false;

	for (size_t i = 1; i < c->n; i++) {
		struct buf now = { NULL }, was = { NULL };

		if (!c->blocks[i].header || c->blocks[i].parent >= 0)
			continue;
		print_whole(c, i, &now);
		dell_config_print(old, c->blocks[i].header, &was);
		if (now.n != was.n || memcmp(now.text, was.text, now.n)) {
			buf_str(out, is_any ? "" : "!\n");
			buf_add(out, now.text, now.n);
			is_any = true;
		}
		buf_done(&now);
		buf_done(&was);
	}
}

static void drop_blocks(struct dell_config *c)
{
	for (size_t i = 0; i < c->n; i++) {
		for (size_t k = 0; k < c->blocks[i].n; k++)
			free(c->blocks[i].lines[k]);
		free(c->blocks[i].lines);
		free(c->blocks[i].header);
	}
	c->n = 0;
}

void dell_config_put(struct dell_config *c, const struct dell_config *from)
{
	size_t n = c->n;

	drop_blocks(c);
	copy_blocks(c, from);
	while (c->n < n)
		add_block(c, NULL, -1);
}

/* A line of the text that was saved, by its indentation: the first lines are of no block. */
static void load_line(struct dell_config *c, struct span line, int *block, int *class)
{
	char text[512];
	bool is_indented = span_starts(line, " "), is_deep = span_starts(line, "  ");
	struct span words = span_trim(line);

	snprintf(text, sizeof(text), "%.*s", (int)words.n, words.p);
	if (!is_indented && !strcmp(text, "!")) {
		*block = -1;
		return;
	}
	if (!strcmp(text, "!"))
		return;
	if (*block == 0 && !is_indented)
		add_line(&c->blocks[0], text);
	else if (!is_indented) {
		add_block(c, text, -1);
		*block = (int)c->n - 1;
		*class = -1;
	} else if (!is_deep && !strncmp(text, "class ", 6)) {
		add_block(c, text, *block);
		*class = (int)c->n - 1;
	} else if (*block >= 0) {
		add_line(&c->blocks[is_deep && *class >= 0 ? *class : *block], text);
	}
}

void dell_config_boot(struct dell_config *c)
{
	struct span rest = buf_span(&c->startup), line;
	int block = 0, class = -1;

	drop_blocks(c);
	add_block(c, "", -1);
	while (rest.n && span_line(&rest, &line))
		load_line(c, line, &block, &class);
}
