#include "tui/console/first_run.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/judge/judged.h"
#include "tui/screens/screens.h"
#include "tui/session/causes.h"
#include "tui/session/hosts.h"
#include "tui/session/ssh_files.h"
#include "tui/text/files.h"
#include "tui/text/progress.h"

#define ESC 27
#define CONTROL(c) ((c) & 0x1f)

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

/* -- what is faced -- */

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
	if (f->n_offers == FIRSTRUN_OFFERS_MAX)
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

/* -- keys -- */

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
	case 'P':
		return FIRSTRUN_FILLS;
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

void firstrun_found(struct firstrun *f)
{
	f->is = FIRSTRUN_FOUND;
	f->trouble[0] = '\0';
}

void firstrun_refuse(struct firstrun *f, const char *why)
{
	f->is = FIRSTRUN_FIELD;
	f->n_offers = f->cursor = 0;
	snprintf(f->trouble, sizeof(f->trouble), "%s", why);
	typing_begin(&f->field, TYPING_COMMAND, f->tried);
}

/* -- drawing -- */

static int say(const struct draw *d, int y, enum role role, const char *text)
{
	draw_text(d, y, 2, d->cols - 4, role, text);
	return y + 1;
}

/* In as many lines as it takes, but not below the last one. */
static int say_whole(const struct draw *d, int y, int end, enum role role, const char *text)
{
	struct page p = { .title = "" };

	page_begin(&p, "words");
	page_wrap(&p, role, "", text, d->cols > 14 ? d->cols - 4 : 10);
	for (size_t i = 0; i < p.n && y < end; i++)
		y = say(d, y, role, p.lines[i].text);
	page_done(&p);
	return y;
}

static void draw_field(struct firstrun *f, const struct draw *d)
{
	int y = 2;

	draw_rule(d, 0, 0, d->cols, "fabcon: first run");
	y = say_whole(d, y, d->rows, ROLE_IS_TEXT, "No inventory yet. Type the hosts to connect to over SSH. Access is read-only.");
	y = say(d, y + 1, ROLE_IS_MUTED, "hosts          spark1 root@10.0.0.2:2222 [fe80::1%eth0]");
	y = say(d, y, ROLE_IS_MUTED, "a range        node[01-16],leaf[1-2]");
	y = say(d, y, ROLE_IS_MUTED, "a file         ./hosts.yml  (Ansible, a list, CSV)");
	typing_draw(&f->field, d, y + 1, 2, d->cols - 4, "Hosts, range or file: ", "", false);
	y = say_whole(d, y + 3, d->rows, ROLE_IS_CRIT, f->trouble) + !*f->trouble;
	if (d->rows > y + 1)
		say(d, y + 1, ROLE_IS_TEXT, "Enter: connect (nothing is saved yet)   Esc: quit");
	if (d->rows > y + 2)
		say(d, y + 2, ROLE_IS_TEXT, "Enter on an empty line: continue without devices");
}

/* What was found, in sections that share the rows */

enum section { OF_DEVICES, OF_LINKS, OF_NOTES, OF_OFFERS, SECTIONS };

/* Rows that each has when there are too few; what is left goes to the first that wants it. */
static const size_t least[SECTIONS] = { [OF_DEVICES] = 3, [OF_LINKS] = 2, [OF_NOTES] = 1, [OF_OFFERS] = 2 };

#define EACH_MAX	12	/* devices; more are told by cause */
#define NOTES_MAX	4	/* lines of what is not followed */

static void share_rows(const size_t wanted[SECTIONS], size_t room, size_t rows[SECTIONS])
{
	for (unsigned i = 0; i < SECTIONS; i++) {
		rows[i] = wanted[i] < least[i] ? wanted[i] : least[i];
		rows[i] = rows[i] < room ? rows[i] : room;
		room -= rows[i];
	}
	for (unsigned i = 0; i < SECTIONS; i++) {
		size_t more = wanted[i] - rows[i] < room ? wanted[i] - rows[i] : room;

		rows[i] += more;
		room -= more;
	}
}

static int draw_section(const struct draw *d, int y, const struct page *p, size_t rows)
{
	for (size_t i = 0; i < p->n && i < rows; i++)
		if (i + 1 == rows && i + 1 < p->n)
			draw_printf(d, y++, 2, d->cols - 4, ROLE_IS_MUTED, "and %zu more lines", p->n - i);
		else
			y = say(d, y, p->lines[i].role, p->lines[i].text);
	return y;
}

static const struct {
	const char *words;
	enum role role;
} state_table[] = {
	[STATE_WAITING]	   = { "waits", ROLE_IS_MUTED },
	[STATE_CONNECTING] = { "is connecting", ROLE_IS_MUTED },
	[STATE_UP]	   = { "answers", ROLE_IS_OK },
	[STATE_RETRYING]   = { "not reached, trying again", ROLE_IS_WARN },
	[STATE_REFUSED]	   = { "not connected", ROLE_IS_WARN },
	[STATE_STOPPED]	   = { "stopped", ROLE_IS_WARN },
};

static bool is_up(const struct model *m, const struct device *d)
{
	uint64_t state;

	return d->heard_us && (!device_number(m, d, FIELD_STATE, 0, &state) || state == STATE_UP);
}

static size_t count_up(const struct model *m)
{
	size_t up = 0;

	for (size_t i = 0; i < model_devices(m); i++)
		up += is_up(m, model_device(m, i));
	return up;
}

static void add_up(struct page *p, const struct device *d)
{
	const char *platform = device_text(d, FIELD_PLATFORM), *version = device_text(d, FIELD_VERSION);

	page_add(p, ROLE_IS_OK, "%s answers: %s%s%s", d->name, platform ? platform : "not known yet", version ? ", " : "",
		 version ? version : "");
}

/* Waiting for a person has a reason; waiting for its turn has none. */
static void add_down(struct page *p, const struct device *d, uint64_t state, int width)
{
	const char *error = state == STATE_CONNECTING ? NULL : device_text(d, FIELD_ERROR);	/* of the time before */
	const char *why = error && *error ? cause_without_name(d->name, error) : NULL;
	bool is_for_person = state == STATE_WAITING && why && strncmp(why, "jump host", 9) != 0;
	struct buf text = { 0 };
	char label[80];

	snprintf(label, sizeof(label), "%s ", d->name);
	buf_str(&text, is_for_person ? "waiting for your answer" : state_table[state].words);
	if (why)
		buf_printf(&text, ": %s", why);
	if (why && state_table[state].role == ROLE_IS_WARN && cause_of(d->name, error) != &cause_table[cause_count - 1])
		buf_printf(&text, " (%s)", cause_of(d->name, error)->to_do);	/* more than to look at the error */
	page_wrap(p, state_table[state].role, strlen(label) < 24 ? label : "", text.text, width);
	buf_done(&text);
}

static void add_each(struct page *p, const struct model *m, int width)
{
	for (size_t i = 0; i < model_devices(m); i++) {
		const struct device *d = model_device(m, i);
		uint64_t state;

		if (!device_number(m, d, FIELD_STATE, 0, &state) || state > STATE_STOPPED)
			state = d->heard_us ? STATE_UP : STATE_WAITING;
		if (state == STATE_UP)
			add_up(p, d);
		else
			add_down(p, d, state, width);
	}
}

static void add_answering(struct page *p, const struct model *m)
{
	const char **names = xcalloc(model_devices(m) + 1, sizeof(*names));
	struct buf text = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < model_devices(m); i++) {
		const struct device *d = model_device(m, i);

		if (is_up(m, d))
			names[n++] = d->name;
	}
	range_fold(names, n, &text);
	if (n)
		page_add(p, ROLE_IS_OK, "%zu %s: %s", n, n == 1 ? "answers" : "answer", text.text);
	buf_done(&text);
	free(names);
}

static void add_by_cause(struct page *p, const struct model *m, int width)
{
	struct cause_group groups[CAUSES_MAX];
	size_t n = causes_of(m, false, groups);
	struct buf text = { 0 };

	add_answering(p, m);
	for (size_t i = 0; i < n; i++) {
		causes_text(&groups[i], 1, &text);
		buf_printf(&text, " (%s)", groups[i].cause->to_do);
		page_wrap(p, groups[i].error ? ROLE_IS_WARN : ROLE_IS_MUTED, "", text.text, width);
		buf_clear(&text);
	}
	buf_done(&text);
}

/* Of those that answered: why the others did not stands above. */
static void add_reasons(struct page *p, const char *what, struct judged *j, int width)
{
	struct buf text = { 0 };
	size_t kept = 0;

	for (size_t i = 0; i < j->n_list; i++)
		if (j->list[i].device->heard_us)
			j->list[kept++] = j->list[i];
	j->n_list = kept;
	buf_printf(&text, "%s%s", what, kept ? ": " : ".");
	judged_words(j, 2, &text);
	page_wrap(p, ROLE_IS_WARN, "", text.text, width);
	buf_done(&text);
}

/* Who is known to face whom, and whether anything can be judged: when all have answered or given up. */
static void add_links(struct page *p, const struct view_of *of, int width)
{
	struct judged j;

	if (of->answered < of->asked || !count_up(of->model))
		return;
	judged_make(&j, of->model, of->findings);
	if (judged_is_nothing(&j))
		add_reasons(p, "Nothing can be judged", &j, width);
	judged_done(&j);
	if (of->links->n) {
		page_add(p, ROLE_IS_TEXT, "%zu %s known.", of->links->n, of->links->n == 1 ? "link is" : "links are");
		return;
	}
	judged_neighbors(&j, of->model);
	add_reasons(p, "No link is known", &j, width);
	judged_done(&j);
	page_wrap(p, ROLE_IS_TEXT, "", "P finds neighbors: each host sends one IPv6 ping on each of its ports.", width);
}

/* Whole ones, the first in any case; the others are counted. */
static void add_notes(struct page *p, const struct inventory *inv, int width)
{
	struct buf notes = { 0 };
	struct span rest, line;
	size_t left_out = 0;

	ssh_files_notes(&inv->routes, &notes);
	for (size_t i = 0; i < inv->notes.n; i++)
		buf_printf(&notes, "%s\n", inv->notes.list[i]);
	for (rest = buf_span(&notes); span_line(&rest, &line);) {
		char *text = xasprintf("Not followed: %.*s", (int)line.n, line.p);
		size_t before = p->n;

		if (!left_out)
			page_wrap(p, ROLE_IS_WARN, "", text, width);
		if (left_out || (before && p->n > NOTES_MAX)) {
			p->n = before;
			left_out++;
		}
		free(text);
	}
	if (left_out)
		page_add(p, ROLE_IS_WARN, "... %zu more: fabcon -i HOSTS inventory list", left_out);
	buf_done(&notes);
}

static int draw_offers(struct firstrun *f, const struct draw *d, int y, size_t rows)
{
	size_t shown = rows - 1, first = shown && f->cursor >= shown ? f->cursor + 1 - shown : 0;

	if (!rows)
		return y;
	if (!f->n_offers)
		return say(d, y, ROLE_IS_MUTED, "LLDP has reported no other device yet.");
	y = say(d, y, ROLE_IS_TEXT, "Neighbors by LLDP; Enter adds those marked x (Space):");
	for (size_t i = first; i < f->n_offers && i < first + shown; i++) {
		const struct offer_row *o = &f->offers[i];

		draw_printf(d, y++, 2, d->cols - 4, o->is_left_out ? ROLE_IS_MUTED : ROLE_IS_TEXT, "%s[%s] %s connected to %s",
			    i == f->cursor ? "> " : "  ", o->is_left_out ? " " : "x", o->name, *o->faces ? o->faces : "no longer running");
	}
	return y;
}

/* All have been asked: how many answer now. */
static int draw_result(const struct draw *d, int y, const struct model *m)
{
	size_t n = model_devices(m), up = count_up(m);
	char text[120];

	snprintf(text, sizeof(text), "%zu of %zu device%s answer%s.", up, n, n == 1 ? "" : "s", up == 1 || n == 1 ? "s" : "");
	return say(d, y, ROLE_IS_TEXT, text);
}

static int draw_progress(const struct draw *d, int y, const struct view_of *of)
{
	struct buf text = { 0 };

	if (of->asked && of->answered >= of->asked)
		return draw_result(d, y, of->model);
	progress_words(&text, "devices done (answered or failed)", of->answered, of->asked, model_now(of->model) - of->began_us, 0);
	y = say(d, y, ROLE_IS_TEXT, text.text);
	buf_done(&text);
	return y;
}

static int draw_sections(struct firstrun *f, const struct draw *d, int y, int end, const struct view_of *of)
{
	size_t wanted[SECTIONS] = { 0 }, rows[SECTIONS];
	struct page pages[OF_OFFERS] = { 0 };
	int width = d->cols > 24 ? d->cols - 4 : 20;

	for (unsigned i = 0; i < OF_OFFERS; i++)
		page_begin(&pages[i], "found");
	if (model_devices(of->model) <= EACH_MAX)
		add_each(&pages[OF_DEVICES], of->model, width);
	else
		add_by_cause(&pages[OF_DEVICES], of->model, width);
	add_links(&pages[OF_LINKS], of, width);
	add_notes(&pages[OF_NOTES], of->inventory, width);
	for (unsigned i = 0; i < OF_OFFERS; i++)
		wanted[i] = pages[i].n;
	wanted[OF_OFFERS] = 1 + f->n_offers;
	share_rows(wanted, end > y ? (size_t)(end - y) : 0, rows);
	for (unsigned i = 0; i < OF_OFFERS; i++) {
		y = draw_section(d, y, &pages[i], rows[i]);
		page_done(&pages[i]);
	}
	return draw_offers(f, d, y, rows[OF_OFFERS]);
}

static void draw_found(struct firstrun *f, const struct draw *d, const struct view_of *of)
{
	int below = 1 + (*f->trouble ? 2 : 0) + (f->n_refused > 0), y;

	draw_rule(d, 0, 0, d->cols, "fabcon: first run");
	draw_printf(d, 1, 2, d->cols - 4, ROLE_IS_TITLE, "Reaching %s", f->tried);
	y = draw_progress(d, 2, of);
	y = draw_sections(f, d, y, d->rows - below, of);
	if (f->n_refused && y < d->rows - 1)
		draw_printf(d, y++, 2, d->cols - 4, ROLE_IS_WARN, "%zu %s a neighbor with a name that an inventory cannot hold: skipped.",
			    f->n_refused, f->n_refused == 1 ? "port has" : "ports have");
	if (*f->trouble)
		say_whole(d, y, d->rows - 1, ROLE_IS_CRIT, f->trouble);
	say(d, d->rows - 1, ROLE_IS_KEY, d->cols < 76 ? "Enter save   P ping   Esc type again   q quit" :
	    "Enter save as your inventory   P ping   Esc type again   q quit");
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

/* -- keeping -- */

static bool keep(const char *names, const struct offer_row *offers, size_t n, const char *path, struct err *err)
{
	struct buf text = { 0 };
	struct inventory inv;
	bool ok;

	inventory_init(&inv);
	ok = hosts_load(&inv, names, &text, err);
	for (size_t i = 0; ok && i < n; i++)
		if (!offers[i].is_left_out && offers[i].n_faces)
			ok = inventory_add_range(&inv, offers[i].name, err);
	ok = ok && hosts_keep(&inv, &text, err);
	if (ok) {
		make_folders(path);
		ok = file_create(path, buf_span(&text), err);
	}
	buf_done(&text);
	inventory_done(&inv);
	return ok;
}

bool firstrun_keep(const struct firstrun *f, const char *path, struct err *err)
{
	return keep(f->tried, f->offers, f->n_offers, path, err);
}

bool firstrun_keep_names(const char *names, const char *path, struct err *err)
{
	return keep(names, NULL, 0, path, err);
}
