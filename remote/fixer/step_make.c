#include "remote/fixer/step_make.h"

#include <stdlib.h>

#include "core/fix/fix.h"
#include "core/fix/owner.h"

static const char *const warnings_say[STEP_WARNINGS] = {
	"lldpad is running and may overwrite it",
	"the NIC's firmware negotiates DCBX and may overwrite it",
	[STEP_ONE_END] = "only this end of the link changes, and the other end is not known to agree",
};

bool step_affects_no_traffic(enum field f)
{
	return f == FIELD_CONFIG_SAVED || f == FIELD_MODULES;
}

static const char *keep_text(struct arena *arena, const struct buf *text)
{
	return arena_text(arena, text->text ? text->text : "", text->n);
}

static const char *ports_of(struct arena *arena, const struct fix_step *s)
{
	struct buf names = { 0 };
	const char *kept;

	for (size_t i = 0; i < s->n_edits; i++) {
		const char *port = s->edits[i].port;

		if (port && (i == 0 || !s->edits[i - 1].port || strcmp(port, s->edits[i - 1].port)))
			buf_printf(&names, "%s%s", names.n ? " " : "", port);
	}
	kept = names.n ? keep_text(arena, &names) : NULL;
	buf_done(&names);
	return kept;
}

/* -- other agents -- */

static bool sets_field(const struct fix_step *s, enum field f)
{
	for (size_t i = 0; i < s->n_edits; i++)
		if (s->edits[i].field == f)
			return true;
	return false;
}

static bool is_firmware_dcbx(const struct model *m, const struct fix_step *s)
{
	uint64_t dcbx;

	for (size_t i = 0; i < s->n_edits; i++) {
		const struct port *p = s->edits[i].port ? model_find_port(m, s->device, s->edits[i].port) : NULL;

		if (p && port_number(m, p, FIELD_DCBX, 0, &dcbx) && dcbx == DCBX_FW)
			return !sets_field(s, FIELD_DCBX);
	}
	return false;
}

bool step_has_writer(const struct step_make *k, const struct fix_step *s, unsigned writer)
{
	const struct device *d = model_find_device(k->model, s->device);
	uint64_t runs;

	if (writer == 0)
		return d && device_number(k->model, d, FIELD_LLDPAD, 0, &runs) && runs;
	return is_firmware_dcbx(k->model, s);
}

const char *step_disturbs(struct arena *arena, const char *disturbs, unsigned warnings)
{
	struct buf all = { 0 };
	const char *kept;

	buf_str(&all, disturbs ? disturbs : "");
	for (unsigned i = 0; i < STEP_WARNINGS; i++)
		if (warnings >> i & 1)
			buf_printf(&all, "%s%s", all.n ? "; " : "", warnings_say[i]);
	kept = all.n ? keep_text(arena, &all) : NULL;
	buf_done(&all);
	return kept;
}

void step_note_owner(const struct step_make *k, struct fix_step *s)
{
	const struct device *d = model_find_device(k->model, s->device);
	struct buf words = { 0 };

	owner_words(k->model, d, s->edits, s->n_edits, k->plan->policy, s->save_note, &words);
	if (words.n)
		s->save_note = keep_text(k->arena, &words);
	buf_done(&words);
}

/* -- the step -- */

static char *take_text(struct buf *b)
{
	char *text = b->text ? b->text : xstrdup("");

	*b = (struct buf){ 0 };
	return text;
}

static const char *part_of(struct arena *arena, const struct dialect *dialect, const char *setup, const struct fix_step *s)
{
	struct buf part = { 0 };
	const char *kept;

	dialect->part(span_of(setup), s->edits, s->n_edits, &part);
	kept = keep_text(arena, &part);
	buf_done(&part);
	return kept;
}

bool step_make(const struct step_make *k, const struct dialect *dialect, size_t index, const char *before, struct fix_step *s,
	       char **after, struct err *err)
{
	char dir[64], name[64], *to;
	const struct dialect_place place = { s->device, dir, name };
	struct buf text = { 0 };
	struct err why;

	fix_step_dir(k->plan, index, dir);
	fix_step_name(k->plan, index, name);
	s->ports = ports_of(k->arena, s);
	if (!dialect->edit(span_of(before), s->edits, s->n_edits, &text, &why)) {
		buf_done(&text);
		return err_set(err, "%.60s: %.440s", s->device, why.text);
	}
	to = take_text(&text);
	s->base = part_of(k->arena, dialect, before, s);
	s->after = part_of(k->arena, dialect, to, s);
	if (!dialect->commands(span_of(before), span_of(to), &place, k->arena, s, &why)) {
		free(to);
		return err_set(err, "%.60s: %.440s", s->device, why.text);
	}
	*after = to;
	return true;
}

void step_done(struct fix_step *s)
{
	free(s->edits);
	free(s->lines.list);
	free(s->undo.list);
	free(s->save.list);
	free(s->files);
}
