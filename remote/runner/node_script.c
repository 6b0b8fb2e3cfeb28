#include "remote/runner/node_script.h"

#include <ctype.h>
#include <string.h>

static const char node_sh[] =
#include "node.inc"
	;

#define LIMIT_MOST_S	3600
#define PORT_MOST	65500

static bool is_allowed(const char *word)
{
	if (!*word || strlen(word) > 200)
		return false;
	for (; *word; word++)
		if (!isalnum((unsigned char)*word) && !strchr("._:/=@,+-", *word))
			return false;
	return true;
}

static bool is_usable(const struct node_test *t)
{
	if (!t->limit_s || t->limit_s > LIMIT_MOST_S || t->port > PORT_MOST || !t->words[0] || t->words[0][0] == '-')
		return false;
	for (const char *const *w = t->words; *w; w++)
		if (!is_allowed(*w))
			return false;
	if (t->own && (!t->device || !is_allowed(t->own)))
		return false;
	return !t->device || (is_allowed(t->device) && !strchr(t->device, '/'));
}

static void add_test(const struct node_test *t, struct buf *script)
{
	if (t->port && t->device)
		buf_printf(script, "rn_address %u %s %u\n", t->id, t->device, t->gid_index);
	if (t->port)
		buf_printf(script, "rn_serve %u %u %u", t->id, t->port, t->limit_s);
	else
		buf_printf(script, "rn_start %u %u", t->id, t->limit_s);
	for (const char *const *w = t->words; *w; w++)
		buf_printf(script, " %s", *w);
	if (t->own)
		buf_printf(script, " %s \"$(rn_address_of %s %u)\"", t->own, t->device, t->gid_index);
	buf_str(script, "\n");
}

bool node_script(const struct node_test *tests, size_t n, struct buf *script)
{
	for (size_t i = 0; i < n; i++)
		if (!is_usable(&tests[i]))
			return false;
	buf_printf(script, "set -u\n%srn_begin\n", node_sh);
	for (size_t i = 0; i < n; i++)
		add_test(&tests[i], script);
	buf_str(script, "rn_wait_all\n");
	return true;
}

static bool take(struct span *rest, unsigned long *n)
{
	uint64_t value;
	struct span word;

	if (!span_word(rest, &word) || !span_u64(word, &value) || value > UINT32_MAX)
		return false;
	*n = (unsigned long)value;
	return true;
}

bool node_line_read(struct span line, struct node_line *out)
{
	static const struct {
		const char *word;
		enum node_word is;
		bool has_id, has_n;
	} words[] = {
		{ "begin", NODE_BEGIN, false, false }, { "address", NODE_ADDRESS, true, false },
		{ "listening", NODE_LISTENING, true, true }, { "out", NODE_OUT, true, false },
		{ "ended", NODE_ENDED, true, true }, { "error", NODE_ERROR, false, false }, { "end", NODE_END, false, false },
	};
	struct span word;
	unsigned long id;

	*out = (struct node_line){ 0 };
	if (!span_skip(&line, "fabcon: ") || !span_word(&line, &word))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!span_is(word, words[i].word))
			continue;
		out->word = words[i].is;
		if (words[i].has_id && !take(&line, &id))
			return false;
		out->id = words[i].has_id ? (unsigned)id : 0;
		if (words[i].has_n && !take(&line, &out->n))
			return false;
		span_skip(&line, " ");
		out->text = line;
		return true;
	}
	return false;
}
