#include "remote/platform/mac_lists.h"

#include <ctype.h>
#include <stdlib.h>

#define MACS_MAX	16	/* of a port; a port with more is no host's own */
#define MAC_TEXT	17

bool is_mac_text(struct span s)
{
	if (s.n != MAC_TEXT)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (i % 3 == 2 ? s.p[i] != ':' : !isxdigit((unsigned char)s.p[i]))
			return false;
	return true;
}

struct list {
	char macs[MACS_MAX][MAC_TEXT + 1];
	size_t n;
	bool is_cut;
};

static void add(struct list *l, struct span mac)
{
	char text[MAC_TEXT + 1] = "";

	for (size_t i = 0; i < MAC_TEXT; i++)
		text[i] = (char)tolower((unsigned char)mac.p[i]);
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->macs[i], text))
			return;
	l->is_cut |= l->n == MACS_MAX;
	if (l->n < MACS_MAX)
		memcpy(l->macs[l->n++], text, sizeof(text));
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void tell(struct obs *o, uint16_t port, enum field f, struct list *l)
{
	char text[MACS_MAX * (MAC_TEXT + 1) + 2] = "";
	size_t n = 0;

	qsort(l->macs, l->n, sizeof(l->macs[0]), by_text);
	for (size_t i = 0; i < l->n; i++) {
		if (i)
			text[n++] = ' ';
		memcpy(text + n, l->macs[i], MAC_TEXT);
		n += MAC_TEXT;
	}
	if (l->is_cut) {
		memcpy(text + n, " +", 2);
		n += 2;
	}
	obs_text(o, port, f, (struct span){ text, n });
}

static void read_fabric(struct obs *o, struct span text, mac_row *row, uint16_t of, struct list *l)
{
	struct span line, mac;
	uint16_t port;

	while (span_line(&text, &line))
		if (row(o, line, &port, &mac) == MAC_ROW && port == of && is_mac_text(mac))
			add(l, mac);
}

static bool is_told(const struct obs *o, uint16_t port, enum field f)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->facts[i].port == port && o->facts[i].field == f)
			return true;
	return false;
}

/* A line with a MAC, be it grown together with what stands before it, that is no row and does matter: it may be of any port. */
static bool is_unread(struct obs *o, struct span line, mac_row *row)
{
	struct span mac, word;
	uint16_t port;
	bool has_mac = false;

	if (row(o, line, &port, &mac) != MAC_ROW_STRANGE)
		return false;
	while (span_word(&line, &word))
		has_mac |= word.n >= MAC_TEXT && is_mac_text((struct span){ word.p + word.n - MAC_TEXT, MAC_TEXT });
	return has_mac;
}

static bool has_unread(struct obs *o, struct span text, mac_row *row)
{
	struct span line;

	while (span_line(&text, &line))
		if (is_unread(o, line, row)) {
			obs_missed(o, line);
			return true;
		}
	return false;
}

size_t mac_lists(struct obs *o, struct span text, bool is_partial, enum field f, mac_row *row)
{
	struct span rest = text, line, mac;
	uint16_t port;
	bool unread;

	if (is_partial)		/* any list may lack some */
		return o->n;
	unread = has_unread(o, text, row);
	while (span_line(&rest, &line)) {
		struct list l = { .n = 0 };

		if (row(o, line, &port, &mac) != MAC_ROW || port == OBS_DEVICE || !is_mac_text(mac) || is_told(o, port, f))
			continue;
		obs_cite(o, line);
		if (unread) {
			obs_unknown(o, port, f, 0, "a row with a MAC could not be parsed: it may belong to this port");
			continue;
		}
		read_fabric(o, text, row, port, &l);
		tell(o, port, f, &l);
	}
	o->cite = CITE_NONE;
	return o->n;
}
