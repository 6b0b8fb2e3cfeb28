/*
 * "show interface … | display-xml" of OS10: one whole XML document per interface, one after the other, so an XML
 * parser stops after the first and begins again at each "<?xml". Only imported: a whole switch is 700 KB.
 *
 * An element is known by its own name and its parent's: the documents repeat short names in many places.
 *
 * source	published documents of 10.3 and 10.4
 */
#include "remote/os10/os10.h"

#include <expat.h>

#define DEPTH_MAX	64
#define TEXT_MAX	256

struct reader {
	XML_Parser xml;
	struct obs *o;
	struct span document;
	uint16_t port;
	char path[DEPTH_MAX][48];	/* names of the open elements, cut to their buffer */
	unsigned depth;
	char text[TEXT_MAX];		/* of the innermost element */
	size_t text_n, text_at;		/* text_at: where in the document it begins */
	bool text_is_cut;
	size_t line_at, seen;		/* where the last line begins of what was looked through, and how far that is */
};

static const struct leaf {
	const char *parent, *name;
	enum field field;
} leaves[] = {
	{ "interface", "mtu", FIELD_MTU },
	{ "interface", "speed", FIELD_SPEED },		/* bit/s; "AUTO" where it is a setting */
	{ "interface", "current-phys-address", FIELD_MAC },
	{ "statistics", "ether-crc-align-errors", FIELD_PHY_ERR },
	{ "statistics", "in-octets", FIELD_RX_TOTAL },
	{ "statistics", "out-octets", FIELD_TX_TOTAL },
	{ "statistics", "in-discards", FIELD_RX_DISCARD },
	{ "statistics", "out-discards", FIELD_TX_DISCARD },
	{ "statistics", "pause-rx-pkts", FIELD_PAUSE_RX_FRAMES },
	{ "statistics", "pause-tx-pkts", FIELD_PAUSE_TX_FRAMES },
};

static const struct flag {
	const char *parent, *name, *yes, *no;
	enum field field;
} flags[] = {
	{ "interface", "oper-status", "up", "down", FIELD_UP },
	{ "qos-if-params", "flow-control-rx", "true", "false", FIELD_PAUSE_RX },
	{ "qos-if-params", "flow-control-tx", "true", "false", FIELD_PAUSE_TX },
	{ "qos-if-params", "ets-mode", "true", "false", FIELD_ETS_ON },
};

static const char *parent_of(const struct reader *r)
{
	return r->depth >= 2 ? r->path[r->depth - 2] : "";
}

static void open_element(void *user, const XML_Char *name, const XML_Char **attributes)
{
	struct reader *r = user;

	(void)attributes;
	if (r->depth == DEPTH_MAX) {
		XML_StopParser(r->xml, XML_FALSE);
		return;
	}
	strncpy(r->path[r->depth], name, sizeof(r->path[0]) - 1);
	r->path[r->depth++][sizeof(r->path[0]) - 1] = '\0';
	r->text_n = 0;
	r->text_is_cut = false;
}

static void add_text(void *user, const XML_Char *text, int n)
{
	struct reader *r = user;

	if (!span_trim((struct span){ r->text, r->text_n }).n)
		r->text_at = (size_t)XML_GetCurrentByteIndex(r->xml);
	if (r->text_n + (size_t)n > TEXT_MAX) {
		r->text_is_cut = true;
		return;
	}
	memcpy(r->text + r->text_n, text, (size_t)n);
	r->text_n += (size_t)n;
}

static void tell(struct reader *r, const char *name, struct span text)
{
	const char *parent = parent_of(r);
	uint64_t n;

	for (size_t i = 0; i < sizeof(leaves) / sizeof(*leaves); i++) {
		const struct leaf *leaf = &leaves[i];

		if (strcmp(parent, leaf->parent) != 0 || strcmp(name, leaf->name) != 0)
			continue;
		if (field_table[leaf->field].kind == KIND_COUNTER)
			obs_counter(r->o, r->port, leaf->field, 0, text, 0);
		else if (field_table[leaf->field].kind == KIND_TEXT)
			obs_text(r->o, r->port, leaf->field, text);
		else if (span_u64(text, &n) && n > 0)
			obs_number(r->o, r->port, leaf->field, 0, n);
	}
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		const struct flag *flag = &flags[i];

		if (strcmp(parent, flag->parent) != 0 || strcmp(name, flag->name) != 0)
			continue;
		if (span_is(text, flag->yes) || span_is(text, flag->no))
			obs_bool(r->o, r->port, flag->field, 0, span_is(text, flag->yes));
		else
			r->o->missed++;
	}
}

/* Texts come in the order of the document: it is looked through once. */
static void cite(struct reader *r)
{
	for (; r->seen < r->text_at; r->seen++)
		if (r->document.p[r->seen] == '\n')
			r->line_at = r->seen + 1;
	obs_cite(r->o, (struct span){ r->document.p + r->line_at, 0 });
}

static void close_element(void *user, const XML_Char *name)
{
	struct reader *r = user;
	struct span text = span_trim((struct span){ r->text, r->text_n });

	if (text.n > 0 && !r->text_is_cut && r->text_at < r->document.n) {
		cite(r);
		if (strcmp(name, "name") == 0 && strcmp(parent_of(r), "interface") == 0)
			r->port = os10_port(r->o, text);
		else if (r->port != OBS_DEVICE)
			tell(r, name, text);
	}
	r->text_n = 0;
	r->depth--;
}

/* A document may declare entities that unfold without end; none of ours declares any. */
static void refuse_declarations(void *user, const XML_Char *name, const XML_Char *system_id, const XML_Char *public_id,
				int has_subset)
{
	(void)name, (void)system_id, (void)public_id, (void)has_subset;
	XML_StopParser(((struct reader *)user)->xml, XML_FALSE);
}

static void read_document(struct span document, struct obs *o)
{
	struct reader r = { .o = o, .document = document, .port = OBS_DEVICE };

	r.xml = XML_ParserCreate(NULL);
	if (!r.xml)
		return;
	XML_SetUserData(r.xml, &r);
	XML_SetElementHandler(r.xml, open_element, close_element);
	XML_SetCharacterDataHandler(r.xml, add_text);
	XML_SetStartDoctypeDeclHandler(r.xml, refuse_declarations);
	if (XML_Parse(r.xml, document.p, (int)document.n, 1) != XML_STATUS_OK)
		o->missed++;
	XML_ParserFree(r.xml);
}

size_t os10_xml(const struct answer *a, struct obs *o)
{
	static const char begin[] = "<?xml";
	struct span rest = a->text;
	const char *at = span_find(rest, begin);

	while (at) {
		struct span from = { at, (size_t)(rest.p + rest.n - at) };
		struct span behind = { at + 1, from.n - 1 };
		const char *next = span_find(behind, begin);

		from.n = next ? (size_t)(next - at) : from.n;
		if (from.n <= 16u << 20)
			read_document(from, o);
		rest = behind;
		at = next;
	}
	return o->n;
}
