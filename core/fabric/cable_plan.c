#include "core/fabric/cable_plan.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/hash.h"
#include "core/fabric/cable_plan_internal.h"

#define CABLES_MAX 262144

/* What a port is planned to face. */
struct facing {
	UT_hash_handle hh;
	char *to;
	unsigned line;
	char at[];
};

bool cable_plan_complain(struct cable_plan_reading *r, const char *what, const char *value)
{
	return err_set(r->err, "%s:%u: %s%s%.80s", r->file, r->line, what, *value ? ": " : "", value);
}

static struct facing *facing_of(struct cable_plan_reading *r, const char *device, const char *port)
{
	char *at = xasprintf("%s %s", device, port);
	struct facing *f;

	HASH_FIND_STR(r->ports, at, f);
	free(at);
	return f;
}

static void add_facing(struct cable_plan_reading *r, const char *device, const char *port, const char *peer,
		       const char *peer_port)
{
	struct facing *f = xcalloc(1, sizeof(*f) + strlen(device) + strlen(port) + 2);

	sprintf(f->at, "%s %s", device, port);
	f->to = xasprintf("%s %s", peer, peer_port);
	f->line = r->line;
	HASH_ADD_STR(r->ports, at, f);
}

/* Whether a port is planned already: to face the same (*again), or another, which is refused. */
static bool check_end(struct cable_plan_reading *r, const char *device, const char *port, const char *peer,
		      const char *peer_port, bool *again)
{
	const struct facing *f = facing_of(r, device, port);
	size_t n = strlen(peer);

	if (!f)
		return true;
	*again = !strncmp(f->to, peer, n) && f->to[n] == ' ' && !strcmp(f->to + n + 1, peer_port);
	return *again || err_set(r->err, "%s:%u: %s %s is planned to connect to %s %s, but to %s on line %u", r->file, r->line, device,
				 port, peer, peer_port, f->to, f->line);
}

bool cable_plan_cable(struct cable_plan_reading *r, const char *const ends[ENDS])
{
	bool again = false;
	struct err why;

	if (!check_end(r, ends[END_DEVICE], ends[END_PORT], ends[END_PEER], ends[END_PEER_PORT], &again) ||
	    !check_end(r, ends[END_PEER], ends[END_PEER_PORT], ends[END_DEVICE], ends[END_PORT], &again))
		return false;
	if (again)
		return true;
	if (r->inv->n_cables == CABLES_MAX)
		return cable_plan_complain(r, "too many cables in the plan", "");
	if (!inventory_add_cable(r->inv, ends, &why))
		return cable_plan_complain(r, why.text, "");
	add_facing(r, ends[END_DEVICE], ends[END_PORT], ends[END_PEER], ends[END_PEER_PORT]);
	add_facing(r, ends[END_PEER], ends[END_PEER_PORT], ends[END_DEVICE], ends[END_PORT]);
	return true;
}

static void reading_done(struct cable_plan_reading *r)
{
	struct facing *f, *next;

	HASH_ITER(hh, r->ports, f, next) {
		HASH_DELETE(hh, r->ports, f);
		free(f->to);
		free(f);
	}
}

/* "graph G {", "strict digraph {": at the beginning of a line, comments before it passed over. */
static bool is_dot(struct span text)
{
	struct span line, word;

	while (span_line(&text, &line)) {
		struct span words = span_trim(line);

		if (!words.n || *words.p == '#' || span_starts(words, "//") || span_starts(words, "/*") || *words.p == '*')
			continue;
		span_word(&words, &word);
		if (span_is_nocase(word, "strict"))
			span_word(&words, &word);
		return span_is_nocase(word, "graph") || span_is_nocase(word, "digraph") || span_starts_nocase(word, "graph{") ||
		       span_starts_nocase(word, "digraph{");
	}
	return false;
}

bool cable_plan_read(struct inventory *inv, struct span text, const char *file, struct err *err)
{
	struct cable_plan_reading r = { .inv = inv, .file = file, .err = err };
	struct span words;
	bool ok;

	span_skip(&text, "\xef\xbb\xbf");	/* as spreadsheets write it */
	words = span_trim(text);
	inv->n_cables = 0;
	if (words.n && *words.p == '{')
		ok = plan_read_lldp(&r, text);
	else if (is_dot(text))
		ok = plan_read_dot(&r, text);
	else
		ok = plan_read_csv(&r, text);
	reading_done(&r);
	return ok;
}

/* -- writing -- */

static void add_field(struct buf *out, struct span text, const char *end)
{
	bool quote = false;

	for (size_t i = 0; i < text.n; i++)
		quote |= strchr(",;\"\t# ", text.p[i]) != NULL;
	if (quote)
		buf_str(out, "\"");
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '"')
			buf_str(out, "\"");
		buf_add(out, text.p + i, 1);
	}
	buf_printf(out, "%s%s", quote ? "\"" : "", end);
}

void cable_plan_text(const struct inventory *inv, struct buf *out)
{
	buf_str(out, "device,port,peer,peer_port\n");
	for (size_t i = 0; i < inv->n_cables; i++) {
		const struct cable *c = &inv->cables[i];

		add_field(out, span_of(c->device), ",");
		add_field(out, span_of(c->port), ",");
		add_field(out, span_of(c->peer), ",");
		add_field(out, span_of(c->peer_port), "\n");
	}
}

size_t cable_plan_write(const struct links *links, struct buf *out)
{
	size_t n = 0;

	buf_str(out, "device,port,peer,peer_port\n");
	for (size_t i = 0; i < links->n; i++) {
		const struct link *l = &links->list[i];
		struct span peer, port;

		if (l->b) {
			peer = span_of(l->b->device->name);
			port = span_of(l->b->name);
		} else if (!l->seen_peer || !span_cut(span_of(l->seen_peer), ' ', &peer, &port)) {
			continue;
		}
		if (l->by == BY_PLAN)
			continue;
		add_field(out, span_of(l->a->device->name), ",");
		add_field(out, span_of(l->a->name), ",");
		add_field(out, peer, ",");
		add_field(out, port, "\n");
		n++;
	}
	return n;
}
