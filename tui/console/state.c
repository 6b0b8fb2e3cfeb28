#include "tui/console/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tui/text/files.h"

#define ZEROS_MAX 200000

void state_init(struct state *s, const char *fabric, bool is_replay)
{
	char *name = fabric && *fabric ? state_file_name(fabric, is_replay) : NULL;

	memset(s, 0, sizeof(*s));
	s->path = name ? state_path(name) : NULL;
	s->has_zeros = !is_replay;
	free(name);
}

void state_done(struct state *s)
{
	free(s->path);
	free(s->zeros);
	arena_done(&s->texts);
	buf_done(&s->last);
	memset(s, 0, sizeof(*s));
}

/* -- writing -- */

static void write_boot(const struct device *d, struct buf *out)
{
	const struct cell *c = device_cell(d, FIELD_BOOT, 0);
	struct fact boot = { .device = d->name, .field = FIELD_BOOT };

	if (!c || c->value.is != VALUE_KNOWN)
		return;
	boot.value = c->value;
	buf_str(out, "boot ");
	fact_print(&boot, out);
	buf_str(out, "\n");
}

static void write_zero(const struct kept_zero *z, struct buf *out)
{
	struct fact fact = { .device = z->device, .port = z->port, .field = z->field, .index = z->index,
			     .value = { .is = VALUE_KNOWN, .n = z->value } };

	buf_str(out, "zero ");
	fact_print(&fact, out);
	buf_str(out, "\n");
}

static void write_port_zeros(const struct port *p, const struct device **last, struct buf *out)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++) {
		bool counts = p->series[f] && field_table[f].kind == KIND_COUNTER;

		for (unsigned i = 0; counts && i < field_table[f].width; i++) {
			struct kept_zero z = { p->device->name, p->name, NULL, (enum field)f, i, p->series[f][i].zero };

			if (!z.value)
				continue;
			if (*last != p->device)
				write_boot(p->device, out);
			*last = p->device;
			write_zero(&z, out);
		}
	}
}

/* Those that still wait are kept on: their device may be away today and back tomorrow. */
static void write_waiting_zeros(const struct state *s, struct buf *out)
{
	for (size_t i = 0; i < s->n_zeros; i++) {
		const struct kept_zero *z = &s->zeros[i];

		if (z->boot && (!i || strcmp(z[-1].device, z->device))) {
			struct fact boot = { .device = z->device, .field = FIELD_BOOT,
					     .value = { .is = VALUE_KNOWN, .text = z->boot } };

			buf_str(out, "boot ");
			fact_print(&boot, out);
			buf_str(out, "\n");
		}
		write_zero(z, out);
	}
}

static void write_zeros(const struct state *s, const struct model *m, struct buf *out)
{
	const struct device *last = NULL;

	if (!s->has_zeros)
		return;
	write_waiting_zeros(s, out);
	for (size_t i = 0; i < model_devices(m); i++) {
		const struct device *d = model_device(m, i);

		for (size_t k = 0; k < d->n_ports; k++)
			write_port_zeros(d->ports[k], &last, out);
	}
}

static void write_list(const struct state *s, const struct stage *stage, const struct view_of *of, enum screen_id id,
		       struct buf *out)
{
	/* The lists are ordered for writing as they are for drawing. */
	struct views *views = (struct views *)&stage->views;
	uint64_t cursor = s->cursors[id] ? s->cursors[id] : views->tables[id].cursor_key;
	const char *title = screen_names[id].title;
	struct buf line = { 0 };

	screens_save(id, of, views, &line);
	if (line.n)
		buf_printf(out, "list %s %s\n", title, line.text);
	if (cursor)
		buf_printf(out, "cursor %s %llx\n", title, (unsigned long long)cursor);
	if (views->without_pane[id])
		buf_printf(out, "unpaned %s\n", title);
	buf_done(&line);
}

void state_write(const struct state *s, const struct stage *stage, const struct view_of *of, struct buf *out)
{
	const struct port *subject = stage->views.subject;

	buf_printf(out, "fabcon-state 1\nscreen %s\n", screen_names[stage->screen].title);
	if (*s->theme)
		buf_printf(out, "theme %s\n", s->theme);
	if (*s->device)
		buf_printf(out, "subject %s %s\n", s->device, s->port);
	else if (subject)
		buf_printf(out, "subject %s %s\n", subject->device->name, subject->name);
	for (unsigned id = 0; id < SCREEN_COUNT; id++)
		write_list(s, stage, of, (enum screen_id)id, out);
	write_zeros(s, of->model, out);
}

/* -- reading -- */

struct reading {
	struct state *state;
	struct stage *stage;
	const struct view_of *of;
	const char *boot_of, *boot;	/* of the zeros that follow */
};

static bool take_screen(struct span *rest, enum screen_id *id)
{
	struct span title;

	return span_word(rest, &title) && screen_named(title, id);
}

static bool copy_word(struct span *rest, char *out, size_t size)
{
	struct span word;

	if (!span_word(rest, &word) || word.n >= size)
		return false;
	memcpy(out, word.p, word.n);
	out[word.n] = '\0';
	return true;
}

static bool read_screen(struct reading *r, struct span rest)
{
	return take_screen(&rest, &r->stage->screen);
}

static bool read_theme(struct reading *r, struct span rest)
{
	return copy_word(&rest, r->state->theme, sizeof(r->state->theme));
}

static bool read_subject(struct reading *r, struct span rest)
{
	char device[sizeof(r->state->device)], port[sizeof(r->state->port)];

	if (!copy_word(&rest, device, sizeof(device)) || !copy_word(&rest, port, sizeof(port)))
		return false;
	strcpy(r->state->device, device);
	strcpy(r->state->port, port);
	return true;
}

static bool read_list(struct reading *r, struct span rest)
{
	enum screen_id id;

	if (!take_screen(&rest, &id))
		return false;
	screens_restore(id, r->of, &r->stage->views, rest);
	return true;
}

static bool read_cursor(struct reading *r, struct span rest)
{
	enum screen_id id;
	struct span word;

	return take_screen(&rest, &id) && span_word(&rest, &word) && span_hex(word, &r->state->cursors[id]);
}

static bool read_unpaned(struct reading *r, struct span rest)
{
	enum screen_id id;

	if (!take_screen(&rest, &id))
		return false;
	r->stage->views.without_pane[id] = true;
	return true;
}

static bool read_boot(struct reading *r, struct span rest)
{
	struct fact fact;

	if (!fact_parse(rest, &r->state->texts, &fact, NULL) || fact.field != FIELD_BOOT || fact.value.is != VALUE_KNOWN)
		return false;
	r->boot_of = fact.device;
	r->boot = fact.value.text;
	return true;
}

static bool read_zero(struct reading *r, struct span rest)
{
	struct state *s = r->state;
	struct kept_zero *z;
	struct fact fact;

	if (s->n_zeros == ZEROS_MAX || !fact_parse(rest, &s->texts, &fact, NULL) || !fact.port ||
	    fact.value.is != VALUE_KNOWN || field_table[fact.field].kind != KIND_COUNTER)
		return false;
	z = GROW(s->zeros, s->n_zeros, s->cap_zeros);
	*z = (struct kept_zero){ fact.device, fact.port, NULL, fact.field, fact.index, fact.value.n };
	if (r->boot_of && !strcmp(r->boot_of, fact.device))
		z->boot = r->boot;
	s->n_zeros++;
	return true;
}

static const struct {
	const char *word;
	bool (*read)(struct reading *r, struct span rest);
} line_table[] = {
	{ "screen", read_screen },	{ "theme", read_theme },	{ "subject", read_subject },
	{ "list", read_list },		{ "cursor", read_cursor },	{ "unpaned", read_unpaned },
	{ "boot", read_boot },		{ "zero", read_zero },
};

/* Lines of a word that we do not know are a newer version's. */
static bool read_line(struct reading *r, struct span line)
{
	struct span word;

	if (!span_word(&line, &word))
		return true;
	for (size_t i = 0; i < sizeof(line_table) / sizeof(*line_table); i++)
		if (span_is(word, line_table[i].word))
			return line_table[i].read(r, span_trim(line));
	return true;
}

bool state_read(struct state *s, struct stage *stage, const struct view_of *of, struct span text, struct err *err)
{
	struct reading r = { s, stage, of, NULL, NULL };
	unsigned number = 1;
	struct span line;
	bool ok = true;

	if (!span_line(&text, &line) || !span_is(line, "fabcon-state 1"))
		return err_set(err, "the state of the last session could not be parsed; starting fresh");
	while (span_line(&text, &line)) {
		number++;
		if (!read_line(&r, line) && ok)
			ok = err_set(err, "the state of the last session is damaged at line %u; the rest was restored", number);
	}
	return ok;
}

/* -- the file -- */

bool state_load(struct state *s, struct stage *stage, const struct view_of *of, struct err *err)
{
	struct buf text = { 0 };
	struct stat st;
	bool ok;

	if (!s->path || lstat(s->path, &st) != 0)
		return true;
	if (!S_ISREG(st.st_mode) || st.st_size > STATE_MAX_BYTES) {
		err_set(err, "%s: not written by fabcon; no state is kept", s->path);
		free(s->path);
		s->path = NULL;
		return false;
	}
	ok = file_read(s->path, &text, err) && state_read(s, stage, of, buf_span(&text), err);
	buf_done(&text);
	return ok;
}

bool state_keep(struct state *s, const struct stage *stage, const struct view_of *of, struct err *err)
{
	struct buf text = { 0 };
	bool ok = true;

	if (!s->path)
		return true;
	state_write(s, stage, of, &text);
	if (text.n != s->last.n || memcmp(text.text, s->last.text, text.n) != 0)
		ok = file_replace(s->path, buf_span(&text), err);
	buf_done(&s->last);
	s->last = text;
	return ok;
}

/* -- taking up -- */

enum answer { NOT_YET, TAKEN, LOST };

static enum answer take_zero(const struct kept_zero *z, const struct model *m,
			     bool (*zero)(void *ctx, const struct port *p, enum field f, unsigned index, uint64_t value),
			     void *ctx)
{
	const struct port *p = model_find_port(m, z->device, z->port);
	const struct series *series = p ? port_series(p, z->field, z->index) : NULL;
	const struct cell *boot = p ? device_cell(p->device, FIELD_BOOT, 0) : NULL;

	if (!series || !series->last_us || (z->boot && (!boot || boot->value.is != VALUE_KNOWN)))
		return NOT_YET;
	if (z->boot && strcmp(z->boot, boot->value.text))
		return LOST;
	return zero(ctx, p, z->field, z->index, z->value) ? TAKEN : LOST;
}

void state_take_up(struct state *s, struct stage *stage, const struct view_of *of, bool is_touched,
		   bool (*zero)(void *ctx, const struct port *p, enum field f, unsigned index, uint64_t value), void *ctx)
{
	const struct port *subject;
	size_t left = 0;

	for (size_t i = 0; s->has_zeros && i < s->n_zeros; i++) {
		enum answer answer = take_zero(&s->zeros[i], of->model, zero, ctx);

		s->n_lost += answer == LOST;
		if (answer == NOT_YET)
			s->zeros[left++] = s->zeros[i];
	}
	s->n_zeros = s->has_zeros ? left : 0;
	if (is_touched) {
		memset(s->cursors, 0, sizeof(s->cursors));
		s->device[0] = '\0';
	}
	subject = *s->device ? model_find_port(of->model, s->device, s->port) : NULL;
	if (subject)
		stage->views.subject = subject;	/* though Detail has shown another meanwhile, for want of it */
	for (unsigned id = 0; id < SCREEN_COUNT; id++) {
		struct table *t = &stage->views.tables[id];

		if (!s->cursors[id] || t->cursor_key == s->cursors[id])
			continue;
		t->cursor_key = s->cursors[id];
		t->is_ordered = false;
	}
}
