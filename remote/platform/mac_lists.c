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

/* The next line; of a reply that was cut, the last one may lack its end. */
static bool whole_line(struct span *rest, bool is_partial, struct span *line)
{
	return span_line(rest, line) && (rest->n > 0 || !is_partial);
}

static void read_fabric(struct obs *o, struct span text, bool is_partial, mac_row *row, uint16_t of, struct list *l)
{
	struct span line, mac;
	uint16_t port;

	while (whole_line(&text, is_partial, &line))
		if (row(o, line, &port, &mac) && port == of && is_mac_text(mac))
			add(l, mac);
}

static bool is_told(const struct obs *o, uint16_t port, enum field f)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->facts[i].port == port && o->facts[i].field == f)
			return true;
	return false;
}

size_t mac_lists(struct obs *o, struct span text, bool is_partial, enum field f, mac_row *row)
{
	struct span rest = text, line, mac;
	uint16_t port;

	while (whole_line(&rest, is_partial, &line)) {
		struct list l = { .n = 0 };

		if (!row(o, line, &port, &mac) || port == OBS_DEVICE || !is_mac_text(mac) || is_told(o, port, f))
			continue;
		obs_cite(o, line);
		read_fabric(o, text, is_partial, row, port, &l);
		tell(o, port, f, &l);
	}
	o->cite = CITE_NONE;
	return o->n;
}
