/* Parses what the scripts of device_undo.c print: lines "fabcon: WORD ...", from "begin" to "end". Other output is skipped. */
#include <stdio.h>

#include "remote/fixer/device_undo.h"

/* Printable ASCII only: the text will be shown. */
static void take_text(struct span s, char *out, size_t size)
{
	size_t n = 0;

	for (; n < s.n && n < size - 1; n++)
		out[n] = s.p[n] >= ' ' && s.p[n] < 0x7f ? s.p[n] : '?';
	out[n] = '\0';
}

static void read_lock(struct span rest, struct device_undo_report *r)
{
	struct span whose;

	if (!span_word(&rest, &whose))
		return;
	r->is_locked = true;
	r->is_ours = span_is(whose, "ours");
	r->is_held_by_inverse = span_is(whose, "back");
	take_text(span_trim(rest), r->holder, sizeof(r->holder));
}

static void read_timer(struct span rest, struct device_undo_report *r)
{
	struct span how, left;
	uint64_t left_s;

	if (!span_word(&rest, &how))
		return;
	r->timer = span_is(how, "systemd") ? UNDO_BY_SYSTEMD : span_is(how, "shell") ? UNDO_BY_SHELL : UNDO_BY_NOTHING;
	if (r->timer != UNDO_BY_NOTHING && span_word(&rest, &left) && span_u64(left, &left_s) && left_s < INT32_MAX)
		r->left_s = left_s;
}

static void read_decided(struct span rest, struct device_undo_report *r)
{
	rest = span_trim(rest);
	r->is_kept = span_is(rest, "keep");
	r->is_undone = r->is_undone && !r->is_kept;
	r->is_undoing = span_is(rest, "undo") && !r->is_undone;
}

static void read_undone(struct span rest, struct device_undo_report *r)
{
	uint64_t failed;

	r->failed = span_u64(span_trim(rest), &failed) && failed < UINT32_MAX ? (unsigned long)failed : 0;
	r->is_undone = !r->is_kept;
	r->is_undoing = false;
}

static void read_run(struct span rest, struct device_undo_report *r)
{
	uint64_t run;

	r->run = span_u64(span_trim(rest), &run) && run < UINT32_MAX ? (unsigned long)run : 0;
}

static void read_now(struct span rest, struct device_undo_report *r)
{
	uint64_t lock;

	rest = span_trim(rest);
	if (!span_take_u64(&rest, &lock) || lock >= UINT32_MAX)
		return;
	r->seen.lock = (unsigned long)lock;
	take_text(span_trim(rest), r->seen.boot, sizeof(r->seen.boot));
}

static void read_unsaved(struct span rest, struct device_undo_report *r)
{
	(void)rest;
	r->is_unsaved = r->is_kept;
}

static void read_nosave(struct span rest, struct device_undo_report *r)
{
	(void)rest;
	r->must_not_save = true;
}

static void read_unarmed(struct span rest, struct device_undo_report *r)
{
	(void)rest;
	r->is_unarmed = true;
}

static void read_port(struct span rest, struct device_undo_report *r)
{
	take_text(span_trim(rest), r->session_port, sizeof(r->session_port));
}

/* The first error is the root cause of the others. */
static void read_error(struct span rest, struct device_undo_report *r)
{
	if (!*r->error)
		take_text(span_trim(rest), r->error, sizeof(r->error));
}

static void read_begin(struct span rest, struct device_undo_report *r)
{
	bool was_cut_off = r->has_begun && !r->is_understood;

	(void)rest;
	*r = (struct device_undo_report){ .has_begun = true, .was_cut_off = was_cut_off };
}

static void read_end(struct span rest, struct device_undo_report *r)
{
	(void)rest;
	r->is_understood = !r->was_cut_off;
}

static const struct {
	const char *word;
	void (*read)(struct span rest, struct device_undo_report *r);
} words[] = {
	{ "begin", read_begin }, { "lock", read_lock }, { "timer", read_timer }, { "decided", read_decided },
	{ "undone", read_undone }, { "run", read_run }, { "now", read_now }, { "unsaved", read_unsaved }, { "unarmed", read_unarmed },
	{ "nosave", read_nosave },
	{ "port", read_port }, { "error", read_error }, { "end", read_end },
};

void device_undo_read(struct span output, struct device_undo_report *r)
{
	struct span line, word;

	*r = (struct device_undo_report){ .is_understood = false };
	while (span_line(&output, &line)) {
		if (!span_skip(&line, "fabcon: ") || !span_word(&line, &word))
			continue;
		bool counts = r->has_begun || span_is(word, "begin");
		for (size_t i = 0; counts && i < sizeof(words) / sizeof(*words); i++)
			if (span_is(word, words[i].word))
				words[i].read(line, r);
	}
}
