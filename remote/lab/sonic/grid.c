#include "remote/lab/sonic/grid.h"

#include <stdio.h>
#include <stdlib.h>

static void add(struct grid *g, const char *p, size_t n)
{
	char **cell = GROW(g->cells, g->n, g->cap);

	*cell = xstrndup(p, n);
	g->n++;
}

void grid_init(struct grid *g, const char *header, bool to_right)
{
	*g = (struct grid){ .to_right = to_right };
	for (;;) {
		size_t n = strcspn(header, "|");

		add(g, header, n);
		g->columns++;
		if (!header[n])
			return;
		header += n + 1;
	}
}

void grid_add(struct grid *g, const char *text)
{
	add(g, text, strlen(text));
}

void grid_number(struct grid *g, uint64_t n)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)n);
	grid_add(g, text);
}

void grid_text(char out[32], uint64_t n)
{
	char plain[24];
	size_t length = snprintf(plain, sizeof(plain), "%llu", (unsigned long long)n), at = 0;

	for (size_t i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = plain[i];
	}
	out[at] = '\0';
}

void grid_counter(struct grid *g, uint64_t n)
{
	char text[32];

	grid_text(text, n);
	grid_add(g, text);
}

static size_t width_of(const struct grid *g, unsigned column)
{
	/* tabulate leaves two blanks of room beside each header */
	size_t width = strlen(g->cells[column]) + 2;

	for (size_t i = column; i < g->n; i += g->columns)
		width = strlen(g->cells[i]) > width ? strlen(g->cells[i]) : width;
	return column == 0 && g->is_narrow && width > strlen(g->cells[0]) + 2 ? width - 1 : width;
}

/* A row without a text is an empty line. */
static bool is_blank(const struct grid *g, size_t row)
{
	for (unsigned k = 0; k < g->columns && row * g->columns + k < g->n; k++)
		if (*g->cells[row * g->columns + k])
			return false;
	return true;
}

static void print_row(const struct grid *g, size_t row, const size_t *width, struct buf *out)
{
	for (unsigned k = 0; k < g->columns && row * g->columns + k < g->n && !is_blank(g, row); k++) {
		bool is_last = k + 1 == g->columns;
		const char *text = g->cells[row * g->columns + k];

		if (g->to_right)
			buf_printf(out, "%*s%s", (int)width[k], text, is_last ? "" : "  ");
		else
			buf_printf(out, "%-*s%s", is_last ? 0 : (int)width[k], text, is_last ? "" : "  ");
	}
	buf_str(out, "\n");
}

void grid_done(struct grid *g)
{
	for (size_t i = 0; i < g->n; i++)
		free(g->cells[i]);
	free(g->cells);
	*g = (struct grid){ 0 };
}

void grid_print(struct grid *g, struct buf *out)
{
	size_t width[24];

	for (unsigned k = 0; k < g->columns; k++)
		width[k] = width_of(g, k);
	print_row(g, 0, width, out);
	for (unsigned k = 0; k < g->columns; k++) {
		for (size_t i = 0; i < width[k]; i++)
			buf_str(out, "-");
		buf_str(out, k + 1 < g->columns ? "  " : "\n");
	}
	for (size_t row = 1; row * g->columns < g->n; row++)
		print_row(g, row, width, out);
	grid_done(g);
}
