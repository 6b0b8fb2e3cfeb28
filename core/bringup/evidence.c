/* The evidence of a test as a row of a recording, and back. */
#include <stdlib.h>
#include <string.h>

#include "core/bringup/tests.h"

#define NAME_MAX_BYTES	256
#define RUNS_MOST	1000000
#define TEXT_MAX_BYTES	(64u << 10)

static const struct { const char *key; size_t at; } counts[] = {
	{ "class_bytes", offsetof(struct bringup_seen, class_bytes) }, { "all_bytes", offsetof(struct bringup_seen, all_bytes) },
	{ "drops", offsetof(struct bringup_seen, drops) }, { "gaps", offsetof(struct bringup_seen, gaps) },
	{ "wire", offsetof(struct bringup_seen, wire) }, { "marks", offsetof(struct bringup_seen, marks) },
	{ "cnps", offsetof(struct bringup_seen, cnps) },
};

#define N_COUNTS (sizeof(counts) / sizeof(*counts))

/* -- writing -- */

/* What is not printable ASCII, a tab or a line end becomes "?". */
static json_t *text_json(const char *text)
{
	char *plain = text ? xstrdup(text) : NULL;
	json_t *out = plain ? NULL : json_null();

	for (char *p = plain; p && *p; p++)
		if ((*p < ' ' || *p > '~') && *p != '\n' && *p != '\t')
			*p = '?';
	if (plain)
		out = json_string(plain);
	free(plain);
	return out;
}

static json_t *place_json(const struct bringup_place *p)
{
	return json_pack("{s:o, s:o}", "host", text_json(p->host), "nic", text_json(p->nic));
}

static json_t *count_json(const struct bringup_count *c)
{
	return c->is_known ? json_integer((json_int_t)c->n) : json_null();
}

static json_t *seen_json(const struct bringup_seen *seen)
{
	json_t *out = json_object();

	for (size_t i = 0; i < N_COUNTS; i++) {
		const struct bringup_count *c = (const void *)((const char *)seen + counts[i].at);

		json_object_set_new(out, counts[i].key, count_json(c));
	}
	return out;
}

json_t *bringup_evidence_json(const struct bringup_evidence *e)
{
	json_t *out = json_object();

	json_object_set_new(out, "kind", json_string(bringup_kind_words[e->kind]));
	if (e->run)
		json_object_set_new(out, "run", json_integer(e->run));
	json_object_set_new(out, "from", place_json(&e->from));
	json_object_set_new(out, "to", place_json(&e->to));
	json_object_set_new(out, "began_us", json_integer(e->began_us));
	json_object_set_new(out, "ended_us", json_integer(e->ended_us));
	json_object_set_new(out, "tool", json_string(bringup_tool_name(e->tool)));
	json_object_set_new(out, "command", text_json(e->command));
	json_object_set_new(out, "status", json_integer(e->status));
	json_object_set_new(out, "text", text_json(e->text));
	json_object_set_new(out, "why", text_json(e->why));
	json_object_set_new(out, "tos", json_integer(e->class.tos));
	json_object_set_new(out, "priority", json_integer(e->class.priority));
	json_object_set_new(out, "line_bps", json_real(e->line_bps));
	json_object_set_new(out, "pcie_bps", json_real(e->pcie_bps));
	json_object_set_new(out, "mtu", json_integer((json_int_t)e->mtu));
	json_object_set_new(out, "soft", json_boolean(e->is_soft));
	json_object_set_new(out, "rail", text_json(e->rail));
	json_object_set_new(out, "hops", count_json(&e->hops));
	json_object_set_new(out, "pings", json_integer(e->pings));
	json_object_set_new(out, "cm_tos", count_json(&e->cm_tos));
	json_object_set_new(out, "sent", seen_json(&e->sent));
	json_object_set_new(out, "received", seen_json(&e->received));
	return out;
}

/* -- reading -- */

/* Yours; NULL: there is none, or it is longer than one of ours. */
static char *text_in(const json_t *json, const char *key, size_t most)
{
	const char *text = json_string_value(json_object_get(json, key));

	return text && strlen(text) <= most ? xstrdup(text) : NULL;
}

static const char *kind_word(int i)
{
	return bringup_kind_words[i];
}

static const char *tool_word(int i)
{
	return bringup_tool_name((enum bringup_tool)i);
}

static int word_in(const json_t *json, const char *key, const char *(*word)(int i), int n)
{
	const char *text = json_string_value(json_object_get(json, key));

	for (int i = 0; text && i < n; i++)
		if (!strcmp(word(i), text))
			return i;
	return n;
}

static json_int_t number_in(const json_t *json, const char *key, json_int_t most)
{
	json_int_t n = json_integer_value(json_object_get(json, key));

	return n >= 0 && n <= most ? n : 0;
}

static double real_in(const json_t *json, const char *key)
{
	double x = json_number_value(json_object_get(json, key));

	return x >= 0 && x < 1e15 ? x : 0;
}

static struct bringup_count count_in(const json_t *json, const char *key)
{
	const json_t *n = json_object_get(json, key);
	bool is_known = json_is_integer(n) && json_integer_value(n) >= 0;

	return (struct bringup_count){ is_known, is_known ? (uint64_t)json_integer_value(n) : 0 };
}

static void seen_in(const json_t *json, struct bringup_seen *seen)
{
	for (size_t i = 0; i < N_COUNTS; i++)
		*(struct bringup_count *)(void *)((char *)seen + counts[i].at) = count_in(json, counts[i].key);
}

static void place_in(const json_t *json, const char *key, struct bringup_place *p)
{
	const json_t *place = json_object_get(json, key);

	p->host = text_in(place, "host", NAME_MAX_BYTES);
	p->nic = text_in(place, "nic", NAME_MAX_BYTES);
}

bool bringup_evidence_read(const json_t *json, struct bringup_evidence *out)
{
	struct bringup_evidence e = { .kind = (enum bringup_kind)word_in(json, "kind", kind_word, BRINGUP_KINDS),
				      .tool = (enum bringup_tool)word_in(json, "tool", tool_word, BRINGUP_TOOLS) };

	e.run = (unsigned)number_in(json, "run", RUNS_MOST);
	place_in(json, "from", &e.from);
	place_in(json, "to", &e.to);
	e.began_us = number_in(json, "began_us", INT64_MAX);
	e.ended_us = number_in(json, "ended_us", INT64_MAX);
	e.command = text_in(json, "command", TEXT_MAX_BYTES);
	e.status = (int)json_integer_value(json_object_get(json, "status"));
	e.text = text_in(json, "text", TEXT_MAX_BYTES);
	e.why = text_in(json, "why", TEXT_MAX_BYTES);
	e.class = (struct bringup_class){ (unsigned)number_in(json, "tos", 255), (unsigned)number_in(json, "priority", 7) };
	e.line_bps = real_in(json, "line_bps");
	e.pcie_bps = real_in(json, "pcie_bps");
	e.mtu = (unsigned long)number_in(json, "mtu", 1 << 20);
	e.is_soft = json_is_true(json_object_get(json, "soft"));
	e.rail = text_in(json, "rail", NAME_MAX_BYTES);
	e.hops = count_in(json, "hops");
	e.pings = (unsigned)number_in(json, "pings", 1 << 20);
	e.cm_tos = count_in(json, "cm_tos");
	seen_in(json_object_get(json, "sent"), &e.sent);
	seen_in(json_object_get(json, "received"), &e.received);
	if (e.kind == BRINGUP_KINDS || e.tool == BRINGUP_TOOLS || !e.from.host || !e.from.nic || !e.to.host || !e.to.nic) {
		bringup_evidence_done(&e);
		return false;
	}
	*out = e;
	return true;
}
