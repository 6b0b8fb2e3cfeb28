/*
 * How SONiC is changed: CONFIG_DB as a whole by a JSON patch, behind a checkpoint. Undoing prefers the inverse patch, which
 * touches only what ours touched and does nothing on a base that has moved; what stopped in the middle is brought back by
 * the checkpoint, which is all of CONFIG_DB as it was then: what somebody else changed meanwhile goes with it.
 *
 * Since 202211 the updater permits changes of WRED_PROFILE, BUFFER_* and PFC_WD by ASIC and release only; what it refuses
 * it refuses whole, in words.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/template.h"
#include "remote/platform/dialect.h"
#include "remote/platform/startup_config.h"
#include "remote/platform/whole.h"
#include "remote/sonic/edit.h"
#include "remote/sonic/patch.h"
#include "remote/sonic/settings.h"
#include "remote/sonic/sonic.h"

/* -- what is there -- */

static const struct reply *config_reply(const struct device *d)
{
	for (size_t i = 0; i < d->n_replies; i++)
		if (!strcmp(d->replies[i]->probe, "config-db"))
			return d->replies[i];
	return NULL;
}

static bool has_shape(const json_t *db, struct err *err)
{
	const char *table, *key;
	json_t *rows, *row;

	json_object_foreach((json_t *)db, table, rows) {
		if (!json_is_object(rows))
			return err_set(err, "CONFIG_DB: %.60s is not a table", table);
		json_object_foreach(rows, key, row)
			if (!json_is_object(row))
				return err_set(err, "CONFIG_DB: %.60s|%.60s is not a row", table, key);
	}
	json_object_foreach(json_object_get(db, "PORT"), key, row)
		if (!strncmp(key, "Ethernet-BP", 11))
			return err_set(err, "the switch has several ASICs, each with its own CONFIG_DB: read-only");
	return json_object_size(json_object_get(db, "PORT")) || err_set(err, "CONFIG_DB has no ports");
}

/* The last answer, too: setup reads its text. */
static bool is_whole(const struct device *d, int64_t since_us, struct err *err)
{
	const struct reply *r = config_reply(d);

	return whole_answer(d, "config-db", NULL, r && r->at_us > since_us ? r->at_us : since_us, err);
}

static bool setup(const struct model *m, const struct device *d, struct buf *out, struct err *err)
{
	const struct reply *r = config_reply(d);
	uint64_t is_saved;
	json_t *db;
	bool done;

	if (!r || !r->raw)
		return err_set(err, "%s: its CONFIG_DB has not been read yet", d->name);
	if (r->whole_us < r->at_us)
		return err_set(err, "%s: the last output of its CONFIG_DB was truncated", d->name);
	if (reply_is_stale(m, r))
		return err_set(err, "%s: its CONFIG_DB is stale", d->name);
	db = sonic_running((struct span){ r->raw, r->raw_n });
	if (!db)
		return err_set(err, "%s: its CONFIG_DB could not be parsed", d->name);
	done = has_shape(db, err);
	if (done && device_number(m, d, FIELD_CONFIG_SAVED, 0, &is_saved))
		startup_config_print(is_saved ? SAVED_YES : SAVED_NO, out);
	if (done)
		sonic_setup_write(db, out);
	json_decref(db);
	return done;
}

static void part(struct span text, const struct edit *edits, size_t n, struct buf *out)
{
	enum saved saved = startup_config_take(&text);
	json_t *db = sonic_setup_read(text, NULL), *some;

	if (db && startup_config_wants_only_saving(edits, n))
		startup_config_print(saved, out);
	if (!db)
		return;
	some = sonic_part(db, edits, n);
	sonic_setup_write(some, out);
	json_decref(some);
	json_decref(db);
}

/* -- editing -- */

/* unknown: why what it says is not known, or NULL. */
static bool says(const struct obs *o, const struct edit *e, const char **unknown)
{
	for (size_t i = 0; i < o->n; i++) {
		const struct obs_fact *f = &o->facts[i];

		if (f->port == OBS_DEVICE || f->field != e->field || f->index != e->index || strcmp(o->ports[f->port], e->port))
			continue;
		*unknown = f->value.is == VALUE_UNKNOWN ? f->value.text : NULL;
		return value_same(e->field, &f->value, &e->want);
	}
	return false;
}

/* What is wanted must be what the parser of the answers reads from it, or verifying would wait for ever. */
static bool is_as_wanted(const json_t *db, const struct edit *edits, size_t n, struct err *err)
{
	char *text = json_dumps(db, JSON_INDENT(1) | JSON_SORT_KEYS);
	const char *unknown = NULL;
	bool done = text != NULL;
	struct obs o;

	obs_init(&o, "after", "config-db");
	if (text)
		sonic_config(&(struct answer){ .text = span_of(text), .status = 0 }, &o);
	for (size_t i = 0; done && i < n; i++) {
		if (!edits[i].port || edits[i].field == FIELD_UP || says(&o, &edits[i], &unknown))
			continue;
		done = err_set(err, "%s of %s cannot be set with the commands of this switch%s%s",
			       field_table[edits[i].field].name, edits[i].port, unknown ? ": " : "", unknown ? unknown : "");
	}
	obs_done(&o);
	free(text);
	return done;
}

static bool edit(struct span text, const struct edit *edits, size_t n, struct buf *after, struct err *err)
{
	enum saved saved = startup_config_take(&text);
	json_t *db = sonic_setup_read(text, err);
	bool done = db && sonic_edit(db, edits, n, err) && is_as_wanted(db, edits, n, err);

	if (done && startup_config_wants_saving(edits, n)) {
		done = saved != SAVED_UNKNOWN || err_set(err, "whether the configuration is saved is not known");
		saved = SAVED_YES;
	}
	if (done)
		startup_config_print(saved, after);
	if (done)
		sonic_setup_write(db, after);
	json_decref(db);
	return done;
}

static bool restore(struct span text, struct span base, struct span after, struct buf *back, struct err *err)
{
	enum saved saved = startup_config_take(&text);
	json_t *db, *is, *was;
	bool done;

	startup_config_take(&base);	/* what was saved stays saved */
	startup_config_take(&after);
	db = sonic_setup_read(text, err);
	is = db ? sonic_setup_read(after, err) : NULL;
	was = is ? sonic_setup_read(base, err) : NULL;
	done = was != NULL;
	if (done) {
		startup_config_print(saved, back);
		sonic_restore(db, is, was);
		sonic_setup_write(db, back);
	}
	json_decref(db);
	json_decref(is);
	json_decref(was);
	return done;
}

/* -- commands -- */

static void add_line(struct fix_lines *lines, struct arena *arena, struct buf *text)
{
	const char **line = GROW(lines->list, lines->n, lines->cap);

	*line = arena_text(arena, text->text, text->n);
	lines->n++;
	buf_done(text);
	*text = (struct buf){ NULL };
}

static void add_file(struct fix_step *step, struct arena *arena, const char *name, struct buf *text)
{
	struct fix_file *file = GROW(step->files, step->n_files, step->cap_files);

	*file = (struct fix_file){ .name = name, .text = arena_text(arena, text->text ? text->text : "", text->n) };
	step->n_files++;
	buf_done(text);
	*text = (struct buf){ NULL };
}

static void add_files(const json_t *from, const json_t *to, struct arena *arena, struct fix_step *step)
{
	struct buf text = { NULL };

	sonic_patch(from, to, &text);
	add_file(step, arena, "patch.json", &text);
	sonic_patch(to, from, &text);
	add_file(step, arena, "undo.json", &text);
	sonic_patch_test(from, to, &text);
	add_file(step, arena, "base.json", &text);
}

/*
 * Undo asks first whether there is anything to take back (base.json holds tests alone), then tries the inverse patch, and
 * only then the checkpoint. The checkpoint goes when one of them has succeeded.
 */
static bool add_lines(const struct dialect_place *place, struct arena *arena, struct fix_step *step, struct err *err)
{
	struct buf line = { NULL };

	if (!template_fill(&line, err, "config apply-patch {dir}/patch.json", place->dir))
		return false;
	add_line(&step->lines, arena, &line);
	if (!template_fill(&line, err, "{ config apply-patch {dir}/base.json || config apply-patch {dir}/undo.json ||"
			   " config rollback {name}; } && { config delete-checkpoint {name} || :; }",
			   place->dir, place->dir, place->name, place->name))
		return false;
	add_line(&step->undo, arena, &line);
	return true;
}

/* Click's words for it, in any quotes: apply-patch, checkpoint and rollback came together. */
#define NO_CHECKPOINTS \
	"case $fc_out in *'No such command'*checkpoint*) echo 'this release of SONiC has neither checkpoints nor apply-patch: " \
	"release 202111 or later is needed';; esac; false;"

/* Under the lock, before the timer starts: undo may need it from the first moment on. */
static void prepare(const struct fix_step *step, const struct dialect_place *place, struct buf *sh)
{
	struct err err;

	if (step->n_files && !template_fill(sh, &err, "fc_out=$(config checkpoint {name} 2>&1) || { echo \"$fc_out\"\n" NO_CHECKPOINTS " }\n",
					    place->name))
		buf_str(sh, "echo 'the checkpoint has no usable name'; false\n");
}

/* When it is kept, saved or not: a checkpoint that nobody will go back to stays for ever otherwise. */
static void tidy(const struct fix_step *step, const struct dialect_place *place, struct buf *sh)
{
	struct err err;

	if (step->n_files)
		template_fill(sh, &err, "config delete-checkpoint {name}\n", place->name);
}

static void add_save(struct arena *arena, struct fix_step *step)
{
	struct buf line = { NULL };

	buf_str(&line, "config save -y");
	add_line(&step->save, arena, &line);
}

/* Saving is all there is to do: a line like others, and nothing takes it back. */
static bool add_saving(struct arena *arena, struct fix_step *step)
{
	struct buf line = { NULL };

	buf_str(&line, "config save -y");
	add_line(&step->lines, arena, &line);
	return true;
}

/* -- what it disturbs -- */

/* Ports whose row of PORT goes from up to down or back. */
static void tell_shut(const json_t *from, const json_t *to, struct buf *out)
{
	const char *port;
	json_t *row;

	json_object_foreach(json_object_get(to, "PORT"), port, row) {
		const json_t *now = json_object_get(row, "admin_status");
		const char *was = sonic_member(from, "PORT", port, "admin_status");

		if (json_is_string(now) && strcmp(was ? was : "down", json_string_value(now)) != 0)
			buf_printf(out, "%s%.63s goes %s", out->n ? "; " : "", port, json_string_value(now));
	}
}

static bool differs(const json_t *from, const json_t *to, const char *table, const char *field)
{
	const char *key;
	json_t *row;

	json_object_foreach(json_object_get(to, table), key, row) {
		const json_t *was = json_object_get(json_object_get(from, table), key);

		if (field ? json_object_get(row, field) && !json_equal(json_object_get(was, field), json_object_get(row, field)) :
			    !json_equal(was, row))
			return true;
	}
	return false;
}

static void tell_disturbed(const json_t *from, const json_t *to, struct arena *arena, struct fix_step *step)
{
	struct buf text = { NULL };

	tell_shut(from, to, &text);
	if (differs(from, to, "DSCP_TO_TC_MAP", NULL) || differs(from, to, "TC_TO_QUEUE_MAP", NULL) ||
	    differs(from, to, "PORT_QOS_MAP", "dscp_to_tc_map") || differs(from, to, "PORT_QOS_MAP", "tc_to_queue_map"))
		buf_printf(&text, "%spackets in flight may change queues and be reordered briefly", text.n ? "; " : "");
	if (differs(from, to, "PORT_QOS_MAP", "pfc_enable"))
		buf_printf(&text, "%sPFC applies to other priorities from then on: the far end must match", text.n ? "; " : "");
	buf_printf(&text, "%s" FIX_UNDO_DISTURBS "if its patch fails, config rollback also reverts changes that others make meanwhile",
		   text.n ? "; " : "");
	step->disturbs = arena_text(arena, text.text, text.n);
	buf_done(&text);
}

#define FIRST_WITH_PATCHES	202111	/* sonic-utilities: config apply-patch came with that branch */

/* "SONiC-OS-201911.5", "20191130.42": of another numbering nothing is known, and nothing said. */
static const char *lacks(const struct device *d)
{
	const char *version = device_text(d, FIELD_VERSION), *at = version ? strstr(version, "20") : NULL;
	unsigned branch;

	return at && strspn(at, "0123456789") >= 6 && sscanf(at, "%6u", &branch) == 1 && branch < FIRST_WITH_PATCHES && branch % 100 <= 12
		? "this release has no config apply-patch (SONiC 202111 and later have it)" : NULL;
}

static bool commands(struct span from, struct span to, const struct dialect_place *place, struct arena *arena,
		     struct fix_step *step, struct err *err)
{
	bool saves = startup_config_take(&from) == SAVED_NO;
	json_t *base, *after;
	bool differ, done;

	saves &= startup_config_take(&to) == SAVED_YES;
	base = sonic_setup_read(from, err);
	after = base ? sonic_setup_read(to, err) : NULL;
	differ = after && !json_equal(base, after);
	done = after != NULL;
	if (differ) {
		add_files(base, after, arena, step);
		tell_disturbed(base, after, arena, step);
		done = add_lines(place, arena, step, err);
	}
	if (done && saves && !differ)
		done = add_saving(arena, step);
	else if (done)
		add_save(arena, step);
	json_decref(base);
	json_decref(after);
	return done;
}

const struct dialect sonic_dialect = {
	.lacks = lacks,
	.can_set = sonic_can_set, .setup = setup, .is_whole = is_whole, .part = part, .edit = edit, .restore = restore,
	.commands = commands, .prepare = prepare, .tidy = tidy,
};
