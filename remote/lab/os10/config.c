#include "remote/lab/os10/config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define UNKNOWN_COMMAND	"% Error: Unrecognized command.\n"
#define ILLEGAL		"% Error: Illegal parameter.\n"
#define IN_USE		"% Error: Configuration mismatch.\n"
#define WORDS_MAX	24

enum block_kind { GLOBAL, IFACE, WRED, TRUST, QMAP, CMAP_Q, CMAP_NQ, PMAP_Q, PMAP_NQ, CLASS_Q, CLASS_NQ, SYSTEM_QOS };

/*
 * Blocks: how their header is spelt, and the prompt inside. "<name>" is any word. The interface's own prompt says which
 * (dell_prompt()).
 */
static const struct {
	const char *header;
	enum block_kind kind;
	const char *prompt;
} block_rows[] = {
	{ "interface <name>",			IFACE,		"conf-if-" },
	{ "wred <name>",			WRED,		"config-wred" },
	{ "trust dscp-map <name>",		TRUST,		"config-tmap-dscp-map" },
	{ "qos-map traffic-class <name>",	QMAP,		"config-qmap-tc" },
	{ "class-map type queuing <name>",	CMAP_Q,		"config-cmap-queuing" },
	{ "class-map type network-qos <name>",	CMAP_NQ,	"config-cmap-nqos" },
	{ "policy-map type queuing <name>",	PMAP_Q,		"config-pmap-queuing" },
	{ "policy-map type network-qos <name>",	PMAP_NQ,	"config-pmap-network-qos" },
	{ "system qos",				SYSTEM_QOS,	"config-sys-qos" },
};

/* Lines: in which block, how spelt, and how many words name the line that it replaces. */
static const struct {
	enum block_kind kind;
	const char *line;
	unsigned key_words;
} line_rows[] = {
	{ GLOBAL,	"hostname <name>",				1 },
	{ GLOBAL,	"username <name> password <rest>",		2 },
	{ GLOBAL,	"snmp-server community <name> ro|rw",		3 },
	{ GLOBAL,	"tacacs-server host <name> key <rest>",		3 },
	{ GLOBAL,	"lldp enable",					2 },
	{ GLOBAL,	"dcbx enable",					2 },
	{ IFACE,	"shutdown",					1 },
	{ IFACE,	"description <rest>",				1 },
	{ IFACE,	"switchport mode <name>",			2 },
	{ IFACE,	"switchport access vlan <1-4094>",		3 },
	{ IFACE,	"mtu <1312-9216>",				1 },
	{ IFACE,	"flowcontrol receive on|off",			2 },
	{ IFACE,	"flowcontrol transmit on|off",			2 },
	{ IFACE,	"trust-map dscp <name>",			2 },
	{ IFACE,	"qos-map traffic-class <name>",			2 },
	{ IFACE,	"service-policy input type network-qos <name>",	4 },
	{ IFACE,	"service-policy output type queuing <name>",	4 },
	{ IFACE,	"ets mode on|off",				2 },
	{ IFACE,	"priority-flow-control mode on|off",		2 },
	{ SYSTEM_QOS,	"trust-map dscp <name>",			2 },
	{ SYSTEM_QOS,	"qos-map traffic-class <name>",			2 },
	{ SYSTEM_QOS,	"ets mode on|off",				2 },
	{ SYSTEM_QOS,	"buffer-statistics-tracking",			1 },
	{ WRED,		"random-detect color green|yellow|red minimum-threshold <1-12480> maximum-threshold <1-12480> "
			"drop-probability <0-100>",			3 },
	{ WRED,		"random-detect ecn",				2 },
	{ TRUST,	"qos-group <0-7> dscp <list>",			3 },
	{ QMAP,		"queue <0-7> qos-group <list>",			3 },
	{ QMAP,		"queue <0-7> qos-group <list> type ucast|mcast", 3 },
	{ CMAP_Q,	"match queue <0-7>",				2 },
	{ CMAP_NQ,	"match qos-group <0-7>",			2 },
	{ CLASS_Q,	"bandwidth percent <1-100>",			2 },
	{ CLASS_Q,	"priority",					1 },
	{ CLASS_Q,	"random-detect <name>",				1 },
	{ CLASS_NQ,	"pause",					1 },
	{ CLASS_NQ,	"pause buffer-size <0-65535> pause-threshold <0-65535> resume-threshold <0-65535>", 1 },
	{ CLASS_NQ,	"pfc-cos <list>",				1 },
	{ CLASS_NQ,	"queue-limit thresh-mode static|dynamic <0-65535>", 1 },
};

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

/* -- words -- */

/* The numbers of "0-3,5" below 64 as a bit set; false for anything else. */
static bool list_bits(struct span list, uint64_t *out)
{
	uint64_t set = 0;

	while (list.n) {
		struct span item = list, rest = { NULL, 0 }, from, to;
		uint64_t first, last;

		if (span_cut(list, ',', &item, &rest) && !rest.n)
			return false;
		if (!span_cut(item, '-', &from, &to))
			from = to = item;
		if (!span_u64(from, &first) || !span_u64(to, &last) || first > last || last > 63)
			return false;
		for (uint64_t i = first; i <= last; i++)
			set |= UINT64_C(1) << i;
		list = rest;
	}
	*out = set;
	return set != 0;
}

static void print_bits(uint64_t set, struct buf *out)
{
	const char *comma = "";

	for (unsigned i = 0; i < 64; i++) {
		unsigned first = i;

		if (!(set >> i & 1))
			continue;
		while (i < 63 && set >> (i + 1) & 1)
			i++;
		buf_printf(out, i > first ? "%s%u-%u" : "%s%u", comma, first, i);
		comma = ",";
	}
}

/* Whether word is what form asks for: "<name>", "<list>", "<1-100>", "on|off", or the word itself. */
static bool word_fits(struct span word, struct span form)
{
	uint64_t n, low, high;
	struct span head, tail;

	if (*form.p != '<') {
		for (struct span rest = form; rest.n; rest = tail) {
			if (!span_cut(rest, '|', &head, &tail)) {
				head = rest;
				tail.n = 0;
			}
			if (head.n == word.n && !memcmp(head.p, word.p, word.n))
				return true;
		}
		return false;
	}
	if (span_is(form, "<name>"))
		return true;
	if (span_is(form, "<list>"))
		return list_bits(word, &n);
	form.p++;
	form.n -= 2;
	return span_cut(form, '-', &head, &tail) && span_u64(head, &low) && span_u64(tail, &high) &&
	       span_u64(word, &n) && n >= low && n <= high;
}

enum fit { FIT_NO, FIT_PARAMETER /* the words fit, a value does not */, FIT_YES };

static enum fit line_fits(const char *line, const char *form)
{
	struct span l = span_of(line), f = span_of(form), word, want;

	while (span_word(&f, &want)) {
		if (span_is(want, "<rest>"))
			return l.n ? FIT_YES : FIT_NO;
		if (!span_word(&l, &word))
			return FIT_NO;
		if (!word_fits(word, want))
			return *want.p == '<' ? FIT_PARAMETER : FIT_NO;
	}
	return span_word(&l, &word) ? FIT_NO : FIT_YES;
}

/* Whether a begins with the first n words of b (n 0: all of them). */
static bool same_words(const char *a, const char *b, unsigned n)
{
	struct span x = span_of(a), y = span_of(b), p, q;

	for (unsigned i = 0; (!n || i < n) && span_word(&y, &q); i++)
		if (!span_word(&x, &p) || p.n != q.n || memcmp(p.p, q.p, p.n))
			return false;
	return true;
}

/* "ethernet 1/1/1", "eth 1/1/1" and "eth1/1/1" become one word. */
static void glue_interface(char *text)
{
	static const char *const kinds[] = { "ethernet", "eth" };

	for (size_t i = 0; i < COUNT(kinds); i++) {
		size_t n = strlen(kinds[i]);
		char *at = strstr(text, kinds[i]);
		char *tail = at ? at + n + (at[n] == ' ') : NULL;

		if (!at || (at > text && at[-1] != ' ') || !isdigit((unsigned char)*tail))
			continue;
		char rest[256];

		snprintf(rest, sizeof(rest), "%s", tail);
		sprintf(at, "ethernet%s", rest);
		return;
	}
}

bool dell_words(struct span line, char *out, size_t size)
{
	struct span word;
	size_t n = 0;

	*out = '\0';
	if (line.n > 200)
		return false;
	while (span_word(&line, &word)) {
		if (n + word.n + 12 > size)
			return false;
		n += sprintf(out + n, "%s%.*s", n ? " " : "", (int)word.n, word.p);
	}
	glue_interface(out);
	return true;
}

/* -- blocks -- */

static int block_find(const struct dell_config *c, const char *header, int parent)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->blocks[i].parent == parent && c->blocks[i].header && !strcmp(c->blocks[i].header, header))
			return i;
	return -1;
}

static int block_need(struct dell_config *c, const char *header, int parent)
{
	int at = block_find(c, header, parent);
	struct dell_block *b;

	if (at >= 0)
		return at;
	b = GROW(c->blocks, c->n, c->cap);
	b->header = xstrdup(header);
	b->parent = parent;
	return c->n++;
}

/* A block's place stays, so that no number in anybody's hand dangles; it has no header any more. */
static void block_drop(struct dell_config *c, int at)
{
	struct dell_block *b = &c->blocks[at];

	for (size_t i = 0; i < b->n; i++)
		free(b->lines[i]);
	free(b->lines);
	free(b->header);
	*b = (struct dell_block){ .parent = b->parent };
	for (size_t i = 0; i < c->n; i++)
		if (c->blocks[i].header && c->blocks[i].parent == at)
			block_drop(c, i);
}

static void block_add(struct dell_block *b, const char *line)
{
	char **place = GROW(b->lines, b->n, b->cap);

	*place = xstrdup(line);
	b->n++;
}

/* Takes away the lines that begin with these words; returns how many. */
static size_t block_remove(struct dell_block *b, const char *words, unsigned n_words)
{
	size_t kept = 0, n = b->n;

	for (size_t i = 0; i < n; i++) {
		if (same_words(b->lines[i], words, n_words))
			free(b->lines[i]);
		else
			b->lines[kept++] = b->lines[i];
	}
	b->n = kept;
	return n - kept;
}

/* Puts line in the place of the one with the same first words, or at the end. */
static void block_set(struct dell_block *b, const char *line, unsigned key_words)
{
	for (size_t i = 0; i < b->n; i++) {
		if (!same_words(b->lines[i], line, key_words))
			continue;
		free(b->lines[i]);
		b->lines[i] = xstrdup(line);
		return;
	}
	block_add(b, line);
}

static enum block_kind block_kind(const struct dell_config *c, int at)
{
	const struct dell_block *b = &c->blocks[at];

	if (b->parent >= 0)
		return block_kind(c, b->parent) == PMAP_Q ? CLASS_Q : CLASS_NQ;
	for (size_t i = 0; i < COUNT(block_rows); i++)
		if (b->header && line_fits(b->header, block_rows[i].header) == FIT_YES)
			return block_rows[i].kind;
	return GLOBAL;
}

void dell_prompt(const struct dell_config *c, int at, struct buf *out)
{
	enum block_kind kind = block_kind(c, at);

	if (kind == IFACE) {
		struct span name = span_of(c->blocks[at].header);

		span_skip(&name, "interface ");
		if (span_skip(&name, "ethernet"))
			buf_printf(out, "conf-if-eth%.*s", (int)name.n, name.p);
		else
			buf_printf(out, "conf-if-%.*s", (int)name.n, name.p);
		return;
	}
	if (kind == CLASS_Q || kind == CLASS_NQ)
		return buf_str(out, kind == CLASS_Q ? "config-pmap-c-que" : "config-pmap-c-nqos");
	for (size_t i = 0; i < COUNT(block_rows); i++)
		if (block_rows[i].kind == kind)
			return buf_str(out, block_rows[i].prompt);
	buf_str(out, "config");
}

/* -- typed lines -- */

/* "qos-group 3 dscp 24,26", "queue 3 qos-group 3 type ucast": what is before the list, the list, what is behind it. */
static bool cut_list(const char *line, struct span *head, uint64_t *bits, struct span *tail)
{
	struct span rest = span_of(line), list = { NULL, 0 };

	for (unsigned i = 0; i < 4; i++)
		if (!span_word(&rest, &list))
			return false;
	*head = (struct span){ line, list.p - line };
	*tail = (struct span){ list.p + list.n, strlen(list.p + list.n) };
	return list_bits(list, bits);
}

/* A code point has one qos-group, a qos-group one queue of each type: it leaves the others' lines. */
static void set_list(struct dell_block *b, const char *line)
{
	struct span own, head, tail, type;
	uint64_t moved, bits;

	if (!cut_list(line, &own, &moved, &type))
		return;
	for (size_t i = b->n; i-- > 0;) {
		struct buf text = { NULL };
		bool is_own;

		if (!cut_list(b->lines[i], &head, &bits, &tail) || !span_same(tail, type))
			continue;
		is_own = span_same(head, own);
		if (!is_own && !(bits & moved))
			continue;
		buf_add(&text, head.p, head.n);
		print_bits(bits & ~moved, &text);
		buf_add(&text, tail.p, tail.n);
		free(b->lines[i]);
		if (bits & ~moved && !is_own)
			b->lines[i] = text.text;
		else {
			buf_done(&text);
			memmove(&b->lines[i], &b->lines[i + 1], (--b->n - i) * sizeof(*b->lines));
		}
	}
	block_add(b, line);
}

static bool has_interface(const struct dell_config *c, const char *header)
{
	return block_find(c, header, -1) >= 0;
}

/* Whether any line names that object as its last word. */
static bool is_used(const struct dell_config *c, const char *header)
{
	const char *name = strrchr(header, ' ');

	for (size_t i = 1; name && i < c->n; i++) {
		if (c->blocks[i].header && c->blocks[i].parent >= 0 && !strncmp(c->blocks[i].header, "class ", 6) &&
		    !strncmp(header, "class-map", 9) && !strcmp(strrchr(c->blocks[i].header, ' '), name))
			return true;
		for (size_t k = 0; k < c->blocks[i].n; k++) {
			const char *last = strrchr(c->blocks[i].lines[k], ' ');

			if (last && !strcmp(last, name))
				return true;
		}
	}
	return false;
}

static int open_block(struct dell_config *c, const char *line, struct buf *answer)
{
	for (size_t i = 0; i < COUNT(block_rows); i++) {
		if (line_fits(line, block_rows[i].header) != FIT_YES)
			continue;
		if (block_rows[i].kind == IFACE && !has_interface(c, line)) {
			buf_str(answer, ILLEGAL);
			return DELL_REFUSED;
		}
		return block_need(c, line, -1);
	}
	return DELL_REFUSED;
}

static int drop_block(struct dell_config *c, const char *line, struct buf *answer)
{
	int at = block_find(c, line, -1);
	bool is_block = false;

	for (size_t i = 0; i < COUNT(block_rows); i++)
		is_block = is_block || line_fits(line, block_rows[i].header) == FIT_YES;
	if (!is_block)
		return DELL_REFUSED;
	if (at < 0 || block_kind(c, at) == IFACE)
		buf_str(answer, ILLEGAL);
	else if (is_used(c, line))
		buf_str(answer, IN_USE);
	else
		block_drop(c, at);
	return 0;
}

static int remove_line(struct dell_config *c, int at, const char *words, struct buf *answer)
{
	struct dell_block *b = &c->blocks[at];
	enum block_kind kind = block_kind(c, at);
	bool is_known = false;

	for (size_t i = 0; i < COUNT(line_rows); i++)
		is_known = is_known || (line_rows[i].kind == kind &&
					same_words(line_rows[i].line, words, line_rows[i].key_words == 1 ? 1 : 2));
	if (kind == IFACE && (same_words(words, "priority-flow-control", 0) || same_words(words, "ets", 0)))
		is_known = true;
	if (!block_remove(b, words, 0) && !is_known) {
		buf_str(answer, UNKNOWN_COMMAND);
		return DELL_REFUSED;
	}
	/* What the switch prints when it is not told otherwise. */
	if (kind == IFACE && same_words(words, "flowcontrol receive", 0))
		block_set(b, "flowcontrol receive on", 2);
	return at;
}

static int set_line(struct dell_config *c, int at, const char *line, struct buf *answer)
{
	enum block_kind kind = block_kind(c, at);
	bool is_close = false;

	for (size_t i = 0; i < COUNT(line_rows); i++) {
		enum fit fit = line_rows[i].kind == kind ? line_fits(line, line_rows[i].line) : FIT_NO;

		is_close = is_close || fit == FIT_PARAMETER;
		if (fit != FIT_YES)
			continue;
		if (kind == TRUST || kind == QMAP)
			set_list(&c->blocks[at], line);
		else
			block_set(&c->blocks[at], line, line_rows[i].key_words);
		return at;
	}
	buf_str(answer, is_close ? ILLEGAL : UNKNOWN_COMMAND);
	return DELL_REFUSED;
}

int dell_config_line(struct dell_config *c, int at, const char *line, struct buf *answer)
{
	struct span rest = span_of(line);
	int opened;

	if (!strcmp(line, "exit"))
		return c->blocks[at].parent >= 0 ? c->blocks[at].parent : at ? 0 : DELL_LEAVE;
	if (!strcmp(line, "end"))
		return DELL_LEAVE;
	if (!strcmp(line, "no shutdown") && block_kind(c, at) == IFACE) {
		block_remove(&c->blocks[at], "shutdown", 0);
		return at;
	}
	if (span_skip(&rest, "no ")) {
		opened = block_kind(c, at) == IFACE ? DELL_REFUSED : drop_block(c, rest.p, answer);
		return opened != DELL_REFUSED ? at : remove_line(c, at, rest.p, answer);
	}
	if ((block_kind(c, at) == PMAP_Q || block_kind(c, at) == PMAP_NQ) && line_fits(line, "class <name>") == FIT_YES)
		return block_need(c, line, at);
	for (size_t i = 0; i < COUNT(line_rows); i++)
		if (line_rows[i].kind == block_kind(c, at) && line_fits(line, line_rows[i].line) == FIT_YES)
			return set_line(c, at, line, answer);
	opened = open_block(c, line, answer);
	if (opened != DELL_REFUSED || answer->n)
		return opened;
	return set_line(c, at, line, answer);
}

/* -- text -- */

static size_t line_rank(enum block_kind kind, const char *line)
{
	for (size_t i = 0; i < COUNT(line_rows); i++)
		if (line_rows[i].kind == kind && line_fits(line, line_rows[i].line) == FIT_YES)
			return i;
	return COUNT(line_rows);
}

/* As the switch does: in the grammar's order, whatever was typed first. */
static void print_lines(const struct dell_config *c, size_t at, const char *indent, struct buf *out)
{
	const struct dell_block *b = &c->blocks[at];
	enum block_kind kind = block_kind(c, (int)at);
	const char **sorted = xcalloc(b->n + 1, sizeof(*sorted));

	for (size_t i = 0; i < b->n; i++) {
		size_t rank = line_rank(kind, b->lines[i]), k = i;

		for (; k > 0 && kind != GLOBAL; k--) {
			size_t before = line_rank(kind, sorted[k - 1]);

			if (before < rank || (before == rank && strcmp(sorted[k - 1], b->lines[i]) <= 0))
				break;
			sorted[k] = sorted[k - 1];
		}
		sorted[k] = b->lines[i];
	}
	for (size_t i = 0; i < b->n; i++)
		buf_printf(out, "%s%s\n", indent, sorted[i]);
	free(sorted);
}

static void print_block(const struct dell_config *c, size_t at, struct buf *out)
{
	const struct dell_block *b = &c->blocks[at];

	if (*b->header)
		buf_printf(out, "%s\n", b->header);
	print_lines(c, at, *b->header ? " " : "", out);
	for (size_t i = 0; i < c->n; i++) {
		if (c->blocks[i].parent != (int)at || !c->blocks[i].header)
			continue;
		buf_printf(out, " !\n %s\n", c->blocks[i].header);
		print_lines(c, i, "  ", out);
	}
	buf_str(out, "!\n");
}

/* Objects before what names them, each kind by name; what is of no kind here comes first, as it was. */
static unsigned print_rank(enum block_kind kind)
{
	static const enum block_kind order[] = { WRED, TRUST, QMAP, CMAP_Q, PMAP_Q, CMAP_NQ, PMAP_NQ, SYSTEM_QOS, IFACE };

	for (unsigned i = 0; i < COUNT(order); i++)
		if (order[i] == kind)
			return i + 1;
	return 0;
}

static bool prints_before(const struct dell_config *c, size_t a, size_t b)
{
	unsigned x = print_rank(block_kind(c, (int)a)), y = print_rank(block_kind(c, (int)b));

	return x != y ? x < y : x && strverscmp(c->blocks[a].header, c->blocks[b].header) < 0;
}

void dell_config_print(const struct dell_config *c, const char *section, struct buf *out)
{
	size_t *sorted = xcalloc(c->n + 1, sizeof(*sorted)), n = 0;

	for (size_t i = 0; i < c->n; i++) {
		const char *header = c->blocks[i].header;
		size_t at = n;

		if (!header || c->blocks[i].parent >= 0 || strncmp(header, section, strlen(section)) || (!*header && *section))
			continue;
		for (; at > 0 && prints_before(c, i, sorted[at - 1]); at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = i;
		n++;
	}
	for (size_t i = 0; i < n; i++)
		print_block(c, sorted[i], out);
	free(sorted);
}

void dell_config_save(struct dell_config *c)
{
	buf_clear(&c->startup);
	dell_config_print(c, "", &c->startup);
}

bool dell_config_is_saved(const struct dell_config *c)
{
	struct buf now = { NULL };
	bool is_same;

	dell_config_print(c, "", &now);
	is_same = now.n == c->startup.n && !memcmp(now.text, c->startup.text, now.n);
	buf_done(&now);
	return is_same;
}

void dell_put(struct dell_config *c, const char *header, const char *class, const char *key, const char *line)
{
	int at = block_need(c, header, -1);
	struct dell_block *b;

	if (class)
		at = block_need(c, class, at);
	b = &c->blocks[at];
	if (!line) {
		block_remove(b, key, 0);
		return;
	}
	for (size_t i = 0; i < b->n; i++)
		if (same_words(b->lines[i], key, 0)) {
			free(b->lines[i]);
			b->lines[i] = xstrdup(line);
			return;
		}
	block_add(b, line);
}

void dell_remove(struct dell_config *c, const char *header)
{
	int at = block_find(c, header, -1);

	if (at > 0)
		block_drop(c, at);
}

void dell_config_free(struct dell_config *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n; i++) {
		for (size_t k = 0; k < c->blocks[i].n; k++)
			free(c->blocks[i].lines[k]);
		free(c->blocks[i].lines);
		free(c->blocks[i].header);
	}
	free(c->blocks);
	buf_done(&c->startup);
	free(c);
}

/* -- the recipe a lossless OS10 fabric is set up by -- */

static const char lossless_objects[] =
	"wred rdma-ecn\n"
	"random-detect color green minimum-threshold 150 maximum-threshold 1500 drop-probability 100\n"
	"random-detect ecn\n"
	"exit\n"
	"trust dscp-map rdma-dscp\n"
	"qos-group 0 dscp 0-23,25,27-47,49-63\n"
	"qos-group 3 dscp 24,26\n"
	"qos-group 6 dscp 48\n"
	"exit\n"
	"qos-map traffic-class rdma-queues\n"
	"queue 0 qos-group 0-2,5,7\n"
	"queue 3 qos-group 3\n"
	"queue 4 qos-group 4\n"
	"queue 6 qos-group 6\n"
	"exit\n"
	"class-map type queuing Q0\n"
	"match queue 0\n"
	"exit\n"
	"class-map type queuing Q3\n"
	"match queue 3\n"
	"exit\n"
	"class-map type queuing Q4\n"
	"match queue 4\n"
	"exit\n"
	"class-map type queuing Q6\n"
	"match queue 6\n"
	"exit\n"
	"policy-map type queuing rdma-ets\n"
	"class Q0\n"
	"bandwidth percent 20\n"
	"exit\n"
	"class Q3\n"
	"bandwidth percent 60\n"
	"random-detect rdma-ecn\n"
	"exit\n"
	"class Q4\n"
	"bandwidth percent 10\n"
	"exit\n"
	"class Q6\n"
	"bandwidth percent 10\n"
	"exit\n"
	"exit\n"
	"class-map type network-qos NQ3\n"
	"match qos-group 3\n"
	"exit\n"
	"policy-map type network-qos rdma-pfc\n"
	"class NQ3\n"
	"pause\n"
	"pfc-cos 3\n"
	"exit\n"
	"exit\n";

/* What every switch has, and the console must not keep: tests look for LAB_SECRET. */
static const char *const secrets[] = {
	"username admin password $6$rounds=656000$" LAB_SECRET "1 role sysadmin priv-lvl 15",
	"snmp-server community " LAB_SECRET "2 ro", "tacacs-server host 10.0.0.9 key 9 " LAB_SECRET "3",
};

static const char *const lossless_port[] = {
	"mtu 9216", "flowcontrol receive off", "flowcontrol transmit off", "trust-map dscp rdma-dscp",
	"qos-map traffic-class rdma-queues", "service-policy input type network-qos rdma-pfc",
	"service-policy output type queuing rdma-ets", "ets mode on", "priority-flow-control mode on",
};

struct dell_config *dell_config_without_ports(const char *hostname)
{
	struct dell_config *c = xcalloc(1, sizeof(*c));
	struct span rest = span_of(lossless_objects), line;
	struct buf answer = { NULL };
	char text[160];
	int at = 0;

	block_need(c, "", -1);
	snprintf(text, sizeof(text), "hostname %s", hostname);
	block_add(&c->blocks[0], text);
	for (size_t i = 0; i < COUNT(secrets); i++)
		block_add(&c->blocks[0], secrets[i]);
	block_need(c, "class-map type application class-iscsi", -1);
	block_need(c, "policy-map type application policy-iscsi", -1);
	while (span_line(&rest, &line)) {
		snprintf(text, sizeof(text), "%.*s", (int)line.n, line.p);
		at = dell_config_line(c, at, text, &answer);
	}
	buf_done(&answer);
	return c;
}

void dell_config_add_port(struct dell_config *c, const char *port)
{
	char header[64];
	int at;

	snprintf(header, sizeof(header), "interface %s", port);
	at = block_need(c, header, -1);
	for (size_t k = 0; k < COUNT(lossless_port); k++)
		block_add(&c->blocks[at], lossless_port[k]);
}

void dell_config_add_line(struct dell_config *c, const char *line)
{
	block_add(&c->blocks[0], line);
}

struct dell_config *dell_config_lossless(const char *hostname, unsigned ports)
{
	struct dell_config *c = dell_config_without_ports(hostname);
	char port[32];

	for (unsigned i = 1; i <= ports; i++) {
		snprintf(port, sizeof(port), "ethernet1/1/%u", i);
		dell_config_add_port(c, port);
	}
	dell_config_save(c);
	return c;
}
