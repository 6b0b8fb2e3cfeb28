#include "core/plan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include <uthash.h>

#define COLUMNS_MAX 64
#define CABLES_MAX 262144

enum end { END_DEVICE, END_PORT, END_PEER, END_PEER_PORT, ENDS };

/* Spellings in lower case, with _ for blanks, dots and dashes. */
static const struct spelling {
	const char *name, *also;
} spellings[ENDS] = {
	[END_DEVICE]	= { "device", "host hostname node server from source local a_device device_a from_device source_device "
			    "local_device side_a_device a_end" },
	[END_PORT]	= { "port", "interface nic a_port port_a from_port source_port local_port local_interface nic_port "
			    "host_port node_port server_port device_port side_a_name" },
	[END_PEER]	= { "peer", "switch leaf neighbor neighbour to destination remote b_device device_b to_device "
			    "destination_device dest_device remote_device peer_device side_b_device b_end" },
	[END_PEER_PORT] = { "peer_port", "switch_port leaf_port neighbor_port neighbour_port b_port port_b to_port "
			    "destination_port dest_port remote_port remote_interface peer_interface side_b_name" },
};

/* What a port is planned to face. */
struct facing {
	UT_hash_handle hh;
	char *to;
	unsigned line;
	char at[];
};

struct reading {
	struct inventory *inv;
	const char *file;
	struct err *err;
	unsigned line;
	char separator;
	int column[ENDS];
	struct facing *ports;
	struct buf fields[COLUMNS_MAX];
	size_t n_fields;
};

static bool complain(struct reading *r, const char *what, const char *value)
{
	return err_set(r->err, "%s:%u: %s%s%.80s", r->file, r->line, what, *value ? ": " : "", value);
}

/* Fields */

/* What stands between double quotes; a doubled one stands for itself. */
static bool take_quoted(struct span *rest, struct buf *out)
{
	for (size_t i = 1; i < rest->n; i++) {
		if (rest->p[i] != '"') {
			buf_add(out, rest->p + i, 1);
		} else if (i + 1 < rest->n && rest->p[i + 1] == '"') {
			buf_add(out, "\"", 1);
			i++;
		} else {
			*rest = (struct span){ rest->p + i + 1, rest->n - i - 1 };
			return true;
		}
	}
	return false;
}

static bool take_field(struct reading *r, struct span *rest, struct buf *out)
{
	const char *end;
	struct span field;

	buf_clear(out);
	while (rest->n && (*rest->p == ' ' || (*rest->p == '\t' && r->separator != '\t')))
		rest->p++, rest->n--;
	if (rest->n && *rest->p == '"' && !take_quoted(rest, out))
		return complain(r, "a quote is not closed on its line", "");
	end = rest->n ? memchr(rest->p, r->separator, rest->n) : NULL;
	field = span_trim((struct span){ rest->p, end ? (size_t)(end - rest->p) : rest->n });
	buf_add(out, field.p, field.n);
	buf_str(out, "");
	*rest = end ? (struct span){ end + 1, rest->n - (size_t)(end + 1 - rest->p) } : (struct span){ NULL, 0 };
	return true;
}

static bool take_fields(struct reading *r, struct span line)
{
	r->n_fields = 0;
	do {
		if (r->n_fields == COLUMNS_MAX)
			return complain(r, "more columns than any plan has", "");
		if (!take_field(r, &line, &r->fields[r->n_fields]))
			return false;
		r->n_fields++;
	} while (line.p);
	return true;
}

static const char *field_of(const struct reading *r, enum end end)
{
	size_t column = (size_t)r->column[end];

	return column < r->n_fields && r->fields[column].text ? r->fields[column].text : "";
}

/* The heading */

static char divider_of(struct span line)
{
	static const char signs[] = ",;\t";

	for (size_t i = 0; i < sizeof(signs) - 1; i++)
		if (memchr(line.p, signs[i], line.n))
			return signs[i];
	return ',';
}

static bool is_spelling(const struct spelling *s, const char *title)
{
	struct span rest = span_of(s->also), word;
	char name[64];
	size_t n = 0;

	for (; *title && n < sizeof(name) - 1; title++)
		name[n++] = (char)(strchr(" .-", *title) ? '_' : tolower((unsigned char)*title));
	name[n] = '\0';
	if (!strcmp(name, s->name))
		return true;
	while (span_word(&rest, &word))
		if (span_is(word, name))
			return true;
	return false;
}

static bool read_heading(struct reading *r, struct span line)
{
	r->separator = divider_of(line);
	if (!take_fields(r, line))
		return false;
	for (unsigned end = 0; end < ENDS; end++) {
		r->column[end] = -1;
		for (size_t i = 0; i < r->n_fields && r->column[end] < 0; i++)
			if (r->fields[i].text && is_spelling(&spellings[end], r->fields[i].text))
				r->column[end] = (int)i;
		if (r->column[end] < 0)
			return complain(r, "the heading names no column for this (device,port,peer,peer_port are wanted)",
					spellings[end].name);
	}
	return true;
}

/* Cables */

static struct facing *facing_of(struct reading *r, const char *device, const char *port)
{
	char *at = xasprintf("%s %s", device, port);
	struct facing *f;

	HASH_FIND_STR(r->ports, at, f);
	free(at);
	return f;
}

static void add_facing(struct reading *r, const char *device, const char *port, const char *peer, const char *peer_port)
{
	struct facing *f = xcalloc(1, sizeof(*f) + strlen(device) + strlen(port) + 2);

	sprintf(f->at, "%s %s", device, port);
	f->to = xasprintf("%s %s", peer, peer_port);
	f->line = r->line;
	HASH_ADD_STR(r->ports, at, f);
}

/* Whether a port is planned already: to face the same (*again), or another, which is refused. */
static bool check_end(struct reading *r, const char *device, const char *port, const char *peer, const char *peer_port, bool *again)
{
	const struct facing *f = facing_of(r, device, port);
	size_t n = strlen(peer);

	if (!f)
		return true;
	*again = !strncmp(f->to, peer, n) && f->to[n] == ' ' && !strcmp(f->to + n + 1, peer_port);
	return *again || err_set(r->err, "%s:%u: %s %s is planned to face %s %s, and %s on line %u", r->file, r->line, device,
				 port, peer, peer_port, f->to, f->line);
}

static bool read_row(struct reading *r, struct span line)
{
	const char *ends[ENDS];
	size_t empty = 0;
	bool again = false;
	struct err why;

	if (!take_fields(r, line))
		return false;
	for (unsigned end = 0; end < ENDS; end++) {
		ends[end] = field_of(r, (enum end)end);
		empty += !*ends[end];
	}
	if (empty == ENDS)
		return true;
	for (unsigned end = 0; end < ENDS; end++)
		if (!*ends[end])
			return complain(r, "this column is empty", spellings[end].name);
	if (!check_end(r, ends[END_DEVICE], ends[END_PORT], ends[END_PEER], ends[END_PEER_PORT], &again) ||
	    !check_end(r, ends[END_PEER], ends[END_PEER_PORT], ends[END_DEVICE], ends[END_PORT], &again))
		return false;
	if (again)
		return true;
	if (r->inv->n_cables == CABLES_MAX)
		return complain(r, "more cables than a plan may have", "");
	if (!inventory_add_cable(r->inv, ends, &why))
		return complain(r, why.text, "");
	add_facing(r, ends[END_DEVICE], ends[END_PORT], ends[END_PEER], ends[END_PEER_PORT]);
	add_facing(r, ends[END_PEER], ends[END_PEER_PORT], ends[END_DEVICE], ends[END_PORT]);
	return true;
}

static void reading_done(struct reading *r)
{
	struct facing *f, *next;

	HASH_ITER(hh, r->ports, f, next) {
		HASH_DELETE(hh, r->ports, f);
		free(f->to);
		free(f);
	}
	for (size_t i = 0; i < COLUMNS_MAX; i++)
		buf_done(&r->fields[i]);
}

bool plan_read(struct inventory *inv, struct span text, const char *file, struct err *err)
{
	struct reading r = { .inv = inv, .file = file, .err = err };
	bool has_heading = false, ok = true;
	struct span line;

	span_skip(&text, "\xef\xbb\xbf");	/* as spreadsheets write it */
	inv->n_cables = 0;
	while (ok && span_line(&text, &line)) {
		struct span words = span_trim(line);

		r.line++;
		if (!words.n || *words.p == '#')
			continue;
		ok = has_heading ? read_row(&r, line) : read_heading(&r, line);
		has_heading = true;
	}
	reading_done(&r);
	if (ok && !has_heading)
		return err_set(err, "%s: no heading: device,port,peer,peer_port", file);
	return ok;
}

/* Writing */

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

size_t plan_write(const struct links *links, struct buf *out)
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
