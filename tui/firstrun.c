#include "tui/firstrun.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tui/causes.h"
#include "tui/files.h"
#include "tui/hosts.h"
#include "tui/progress.h"
#include "tui/screens.h"

#define ESC 27
#define CONTROL(c) ((c) & 0x1f)
#define OFFERS_MAX 256

void firstrun_begin(struct firstrun *f)
{
	f->is = FIRSTRUN_FIELD;
	typing_begin(&f->field, TYPING_COMMAND, "");
}

void firstrun_done(struct firstrun *f)
{
	typing_done(&f->field);
	free(f->offers);
	*f = (struct firstrun){ .is = FIRSTRUN_NONE };
}

/* What is faced */

static bool may_be_named(const char *name)
{
	size_t n = strlen(name);

	if (!n || n > 63 || !isalnum((unsigned char)*name))
		return false;
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
			return false;
	return true;
}

/* Under the name of the inventory, or the one it gives itself. */
static bool is_named(const struct view_of *of, const char *name)
{
	for (size_t i = 0; i < model_devices(of->model); i++) {
		const struct device *d = model_device(of->model, i);
		const char *own = device_text(d, FIELD_HOSTNAME);

		if (!strcasecmp(d->name, name) || (own && !strcasecmp(own, name)))
			return true;
	}
	return false;
}

static struct offer_row *offer_of(struct firstrun *f, const char *name)
{
	struct offer_row *o;

	for (size_t i = 0; i < f->n_offers; i++)
		if (!strcmp(f->offers[i].name, name))
			return &f->offers[i];
	if (f->n_offers == OFFERS_MAX)
		return NULL;
	o = GROW(f->offers, f->n_offers, f->cap_offers);
	f->n_offers++;
	snprintf(o->name, sizeof(o->name), "%s", name);
	return o;
}

static void add_face(struct offer_row *o, const struct port *p)
{
	size_t n = strlen(o->faces);

	o->n_faces++;
	if (n + 8 < sizeof(o->faces))
		snprintf(o->faces + n, sizeof(o->faces) - n, "%s%s:%s", n ? ", " : "", p->device->name, p->name);
}

void firstrun_look(struct firstrun *f, const struct view_of *of)
{
	f->n_refused = 0;
	for (size_t i = 0; i < f->n_offers; i++) {
		f->offers[i].faces[0] = '\0';
		f->offers[i].n_faces = 0;
	}
	for (size_t i = 0; i < model_ports(of->model); i++) {
		const struct port *p = model_port(of->model, i);
		const char *peer = port_text(p, FIELD_PEER_NAME);
		struct offer_row *o;

		if (!peer || is_named(of, peer))
			continue;
		o = may_be_named(peer) ? offer_of(f, peer) : NULL;
		if (o)
			add_face(o, p);
		else
			f->n_refused++;
	}
}

/* Keys */

static enum firstrun_wants field_key(struct firstrun *f, int code)
{
	struct span text;

	if (code == '\n' || code == '\r' || code == KEY_ENTER) {
		text = span_trim((struct span){ f->field.text, f->field.n });
		if (!text.n)
			return FIRSTRUN_LEAVES;
		snprintf(f->tried, sizeof(f->tried), "%.*s", (int)text.n, text.p);
		return FIRSTRUN_TRIES;
	}
	if (code == KEY_F(10))
		return FIRSTRUN_QUITS;
	if (code == ESC || code == CONTROL('c'))
		return f->field.n ? (typing_begin(&f->field, TYPING_COMMAND, ""), FIRSTRUN_STAYS) : FIRSTRUN_QUITS;
	f->trouble[0] = '\0';
	typing_key(&f->field, code);
	return FIRSTRUN_STAYS;
}

enum firstrun_wants firstrun_key(struct firstrun *f, int code)
{
	if (f->is == FIRSTRUN_FIELD)
		return field_key(f, code);
	switch (code) {
	case '\n':
	case '\r':
	case KEY_ENTER:
		return FIRSTRUN_KEEPS;
	case ESC:
	case CONTROL('c'):
		firstrun_refuse(f, "");
		break;
	case 'q':
	case KEY_F(10):
		return FIRSTRUN_QUITS;
	case 'j':
	case KEY_DOWN:
		f->cursor += f->cursor + 1 < f->n_offers;
		break;
	case 'k':
	case KEY_UP:
		f->cursor -= f->cursor > 0;
		break;
	case ' ':
		if (f->cursor < f->n_offers)
			f->offers[f->cursor].is_left_out = !f->offers[f->cursor].is_left_out;
		break;
	}
	return FIRSTRUN_STAYS;
}

void firstrun_refuse(struct firstrun *f, const char *why)
{
	f->is = FIRSTRUN_FIELD;
	f->n_offers = f->cursor = 0;
	snprintf(f->trouble, sizeof(f->trouble), "%s", why);
	typing_begin(&f->field, TYPING_COMMAND, f->tried);
}

/* Drawing */

static int say(const struct draw *d, int y, enum role role, const char *text)
{
	draw_text(d, y, 2, d->cols - 4, role, text);
	return y + 1;
}

static void draw_field(struct firstrun *f, const struct draw *d)
{
	int y = 2;

	draw_rule(d, 0, 0, d->cols, "fabcon: first run");
	y = say(d, y, ROLE_IS_TEXT, "No inventory yet. Type the hosts to connect to over SSH; at first they are only read.");
	y = say(d, y + 1, ROLE_IS_MUTED, "hosts          spark1 root@10.0.0.2:2222 [fe80::1%eth0]");
	y = say(d, y, ROLE_IS_MUTED, "a range        node[01-16],leaf[1-2]");
	y = say(d, y, ROLE_IS_MUTED, "a file         ./hosts.yml   (Ansible YAML or INI, a list, CSV)");
	typing_draw(&f->field, d, y + 1, 2, d->cols - 4, "Hosts, range or file: ", "", false);
	if (*f->trouble)
		say(d, y + 3, ROLE_IS_CRIT, f->trouble);
	if (d->rows > y + 5)
		say(d, y + 5, ROLE_IS_TEXT, "Enter connects to them; nothing is saved yet.");
	if (d->rows > y + 6)
		say(d, y + 6, ROLE_IS_TEXT, "Enter on an empty line: continue without devices.   Esc: quit");
}

static int draw_answers(const struct draw *d, int y, const struct view_of *of)
{
	struct cause_group groups[CAUSES_MAX];
	size_t n = causes_of(of->model, false, groups);
	struct buf text = { 0 };

	progress_words(&text, "devices answered or gave up", of->answered, of->asked, model_now(of->model) - of->began_us, 0);
	y = say(d, y, ROLE_IS_TEXT, text.text);
	buf_clear(&text);
	for (size_t i = 0; i < n && y < d->rows - 6; i++) {
		causes_text(&groups[i], 1, &text);
		buf_printf(&text, " (%s)", groups[i].cause->to_do);
		y = say(d, y, of->answered < of->asked ? ROLE_IS_MUTED : ROLE_IS_WARN, text.text);
		buf_clear(&text);
	}
	buf_done(&text);
	return y;
}

static int draw_devices(const struct draw *d, int y, const struct view_of *of)
{
	for (size_t i = 0; i < model_devices(of->model) && y < d->rows - 5; i++) {
		const struct device *dev = model_device(of->model, i);
		const char *platform = device_text(dev, FIELD_PLATFORM), *version = device_text(dev, FIELD_VERSION);

		if (!dev->heard_us)
			continue;
		draw_printf(d, y++, 2, d->cols - 4, ROLE_IS_OK, "%s answers: %s%s%s", dev->name,
			    platform ? platform : "not known yet", version ? ", " : "", version ? version : "");
	}
	return y;
}

static int draw_offers(struct firstrun *f, const struct draw *d, int y)
{
	size_t first = f->cursor > 6 ? f->cursor - 6 : 0;

	if (!f->n_offers)
		return say(d, y, ROLE_IS_MUTED, "By LLDP they face no device that is not named, as far as they have told.");
	y = say(d, y, ROLE_IS_TEXT, "By LLDP they face these, which Enter takes along (Space leaves one out):");
	for (size_t i = first; i < f->n_offers && y < d->rows - 2; i++) {
		const struct offer_row *o = &f->offers[i];

		draw_printf(d, y, 2, d->cols - 4, o->is_left_out ? ROLE_IS_MUTED : ROLE_IS_TEXT, "%s[%s] %s faces %s",
			    i == f->cursor ? "> " : "  ", o->is_left_out ? " " : "x", o->name, *o->faces ? o->faces : "nobody any more");
		y++;
	}
	return y;
}

static void draw_found(struct firstrun *f, const struct draw *d, const struct view_of *of)
{
	int y = 2;

	draw_rule(d, 0, 0, d->cols, "fabcon: first run");
	draw_printf(d, 1, 2, d->cols - 4, ROLE_IS_TITLE, "Reaching %s", f->tried);
	y = draw_answers(d, y, of);
	y = draw_devices(d, y, of);
	y = draw_offers(f, d, y + 1);
	if (f->n_refused && y < d->rows - 1)
		draw_printf(d, y++, 2, d->cols - 4, ROLE_IS_WARN, "%zu ports face a name that no inventory can hold: left out.",
			    f->n_refused);
	if (*f->trouble && y < d->rows - 1)
		y = say(d, y, ROLE_IS_CRIT, f->trouble);
	say(d, d->rows - 1, ROLE_IS_KEY, "Enter keeps this as the usual inventory   Esc: type again   q: quit, nothing kept");
}

void firstrun_draw(struct firstrun *f, const struct draw *d, const struct view_of *of)
{
	if (!d->lines)
		werase(d->w);
	if (f->is == FIRSTRUN_FIELD) {
		draw_field(f, d);
		return;
	}
	firstrun_look(f, of);
	draw_found(f, d, of);
}

/* Keeping */

bool firstrun_keep(const struct firstrun *f, const char *path, struct err *err)
{
	struct buf text = { 0 };
	struct inventory inv;
	bool ok;

	inventory_init(&inv);
	ok = hosts_load(&inv, f->tried, &text, err);
	for (size_t i = 0; ok && i < f->n_offers; i++)
		if (!f->offers[i].is_left_out && f->offers[i].n_faces)
			ok = inventory_add_range(&inv, f->offers[i].name, err);
	ok = ok && hosts_keep(&inv, &text, err);
	if (ok) {
		make_folders(path);
		ok = file_create(path, buf_span(&text), err);
	}
	buf_done(&text);
	inventory_done(&inv);
	return ok;
}
