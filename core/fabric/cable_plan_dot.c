/* Cable plans as Graphviz files: those of PTM and of network simulators, and what `fabcon map -o dot` writes. */
#include <ctype.h>
#include <stdlib.h>

#include "core/fabric/cable_plan_internal.h"

enum token_is { TOKEN_END, TOKEN_NAME, TOKEN_EDGE, TOKEN_SIGN };

struct token {
	enum token_is is;
	char sign;
	unsigned line;
	struct buf text;
};

struct dot {
	struct cable_plan_reading *r;
	struct span rest;
	unsigned line;
	struct token now;
};

/* One end of an edge. */
struct dot_end {
	char *node, *port;
	unsigned line;
};

static void skip(struct dot *d, size_t n)
{
	for (; n && d->rest.n; n--) {
		d->line += *d->rest.p == '\n';
		d->rest = (struct span){ d->rest.p + 1, d->rest.n - 1 };
	}
}

static void skip_to(struct dot *d, const char *end)
{
	const char *at = span_find(d->rest, end);

	skip(d, at ? (size_t)(at - d->rest.p) + strlen(end) : d->rest.n);
}

static void skip_blanks(struct dot *d)
{
	for (;;) {
		if (d->rest.n && isspace((unsigned char)*d->rest.p))
			skip(d, 1);
		else if (span_starts(d->rest, "//") || span_starts(d->rest, "#"))
			skip_to(d, "\n");
		else if (span_starts(d->rest, "/*"))
			skip_to(d, "*/");
		else
			return;
	}
}

static bool take_quoted(struct dot *d)
{
	for (skip(d, 1); d->rest.n; skip(d, 1)) {
		if (*d->rest.p == '"') {
			skip(d, 1);
			return true;
		}
		if (span_starts(d->rest, "\\\""))
			skip(d, 1);
		buf_add(&d->now.text, d->rest.p, 1);
	}
	d->r->line = d->now.line;
	return cable_plan_complain(d->r, "a quote is not closed", "");
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || (unsigned char)c >= 0x80;
}

/* The next token. */
static bool next(struct dot *d)
{
	skip_blanks(d);
	buf_clear(&d->now.text);
	buf_str(&d->now.text, "");
	d->now.line = d->line;
	d->now.is = d->rest.n ? TOKEN_SIGN : TOKEN_END;
	if (!d->rest.n)
		return true;
	d->now.sign = *d->rest.p;
	if (span_starts(d->rest, "--") || span_starts(d->rest, "->")) {
		d->now.is = TOKEN_EDGE;
		skip(d, 2);
	} else if (*d->rest.p == '"') {
		d->now.is = TOKEN_NAME;
		return take_quoted(d);
	} else if (is_name(*d->rest.p)) {
		d->now.is = TOKEN_NAME;
		while (d->rest.n && is_name(*d->rest.p)) {
			buf_add(&d->now.text, d->rest.p, 1);
			skip(d, 1);
		}
	} else {
		skip(d, 1);
	}
	return true;
}

static bool is_sign(const struct dot *d, char sign)
{
	return d->now.is == TOKEN_SIGN && d->now.sign == sign;
}

/* "leaf1", "leaf1":"swp1"; a compass point after it is nothing to us. */
static bool take_end(struct dot *d, struct dot_end *end)
{
	*end = (struct dot_end){ xstrdup(d->now.text.text), NULL, d->now.line };
	if (!next(d))
		return false;
	for (unsigned n = 0; is_sign(d, ':'); n++) {
		if (!next(d))
			return false;
		if (!n && d->now.is == TOKEN_NAME)
			end->port = xstrdup(d->now.text.text);
		if (!next(d))
			return false;
	}
	return true;
}

static void set(char **to, const char *text)
{
	free(*to);
	*to = xstrdup(text);
}

/* label="swp1 eth2", as `fabcon map` writes both ports. */
static void take_label(const char *text, char **tail, char **head)
{
	struct span rest = span_of(text), a, b, more;

	if (*tail || *head || !span_word(&rest, &a) || !span_word(&rest, &b) || span_word(&rest, &more))
		return;
	*tail = xstrndup(a.p, a.n);
	*head = xstrndup(b.p, b.n);
}

/* [taillabel="swp1", headlabel="eth2"]: the ports of an edge whose ends have none. */
static bool take_attributes(struct dot *d, char **tail, char **head)
{
	char *key = NULL;
	bool ok = true, is_value = false;

	for (ok = next(d); ok && d->now.is != TOKEN_END && !is_sign(d, ']'); ok = next(d)) {
		if (d->now.is == TOKEN_NAME && is_value && key) {
			if (!strcmp(key, "taillabel"))
				set(tail, d->now.text.text);
			if (!strcmp(key, "headlabel"))
				set(head, d->now.text.text);
			if (!strcmp(key, "label"))
				take_label(d->now.text.text, tail, head);
		} else if (d->now.is == TOKEN_NAME) {
			set(&key, d->now.text.text);
		}
		is_value = is_sign(d, '=');
	}
	free(key);
	return ok && next(d);
}

static bool add_edge(struct dot *d, const struct dot_end *a, const struct dot_end *b, const char *tail, const char *head)
{
	const char *ends[ENDS] = { a->node, a->port ? a->port : tail, b->node, b->port ? b->port : head };

	d->r->line = a->line;
	if (!ends[END_PORT] || !ends[END_PEER_PORT])
		return cable_plan_complain(d->r, "an edge names its ports: \"leaf1\":\"swp1\" -- \"node1\":\"eth2\"",
					   a->node);
	return cable_plan_cable(d->r, ends);
}

/* The ends of "a -- b -- c" and what follows in brackets. */
static bool take_statement(struct dot *d)
{
	struct dot_end ends[64] = { 0 };
	char *tail = NULL, *head = NULL;
	size_t n = 0;
	bool ok = take_end(d, &ends[n++]);

	while (ok && d->now.is == TOKEN_EDGE) {
		ok = next(d);
		if (ok && (d->now.is != TOKEN_NAME || n == 64 || !strcmp(d->now.text.text, "subgraph"))) {
			d->r->line = d->now.line;
			ok = cable_plan_complain(d->r, "an edge goes from a device to a device", "");
		}
		ok = ok && take_end(d, &ends[n++]);
	}
	while (ok && is_sign(d, '['))
		ok = take_attributes(d, &tail, &head);
	for (size_t i = 0; ok && i + 1 < n; i++)
		ok = add_edge(d, &ends[i], &ends[i + 1], tail, head);
	for (size_t i = 0; i < n; i++) {
		free(ends[i].node);
		free(ends[i].port);
	}
	free(tail);
	free(head);
	return ok;
}

bool plan_read_dot(struct cable_plan_reading *r, struct span text)
{
	struct dot d = { .r = r, .rest = text, .line = 1 };
	bool ok = next(&d);

	while (ok && d.now.is != TOKEN_END && !is_sign(&d, '{'))
		ok = next(&d);
	while (ok && d.now.is != TOKEN_END) {
		if (d.now.is == TOKEN_NAME)
			ok = take_statement(&d);
		else if (d.now.is == TOKEN_EDGE) {
			r->line = d.now.line;
			ok = cable_plan_complain(r, "an edge goes from a device to a device", "");
		} else
			ok = next(&d);
	}
	buf_done(&d.now.text);
	if (ok && !r->inv->n_cables)
		return err_set(r->err, "%s: no edges: expected \"leaf1\":\"swp1\" -- \"node1\":\"eth2\"", r->file);
	return ok;
}
