#include "tui/console/clipboard_export.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tui/console/export.h"
#include "tui/text/files.h"
#include "tui/text/sheet.h"
#include "tui/views/report.h"
#include "tui/widgets/clip.h"

static void copy(struct stage *s, const struct view_of *of, bool as_json, int terminal, bool ascii)
{
	struct buf text = { 0 }, said = { 0 };
	struct err err = { .text = "" };
	char what[64];

	if (!export_view(s, of, true, as_json ? ROWS_JSON : ROWS_TEXT, ascii, &text, what, &err) ||
	    !clip_put(terminal, buf_span(&text), as_json ? "json" : "txt", &said, &err))
		stage_say(s, "Not copied: %s", err.text);
	else
		stage_say(s, "Copied %s%s, %zu bytes, %s.", what, as_json ? " as JSON" : "", text.n, said.text);
	buf_done(&text);
	buf_done(&said);
}

static bool write_document(const char *path, struct span text, bool may_replace, struct err *err)
{
	return may_replace ? file_replace(path, text, err) : file_create(path, text, err);
}

static void export_to(struct stage *s, const struct view_of *of, const char *name, bool may_replace, bool ascii)
{
	struct err err = { .text = "" };
	struct buf text = { 0 };
	char *path = typed_path(name);
	enum rows_as as;
	char what[64];

	if (!may_replace && access(path, F_OK) == 0)
		stage_ask_replace(s, INTENT_EXPORT, name);
	else if (!export_by_name(path, &as, &err) || !export_view(s, of, false, as, ascii, &text, what, &err) ||
		 !write_document(path, buf_span(&text), may_replace, &err))
		stage_say(s, "Not written: %s", err.text);
	else
		stage_say(s, "%s written to %s, %zu bytes.", what, path, text.n);
	buf_done(&text);
	free(path);
}

/* Without a name it goes to the clipboard. */
static void report_to(struct stage *s, const struct view_of *of, const char *name, bool may_replace, int terminal, bool ascii)
{
	json_t *report = report_json(of);
	struct buf text = { 0 }, said = { 0 };
	struct err err = { .text = "" };
	char *path = typed_path(name);
	enum rows_as as = ROWS_MARKDOWN;
	bool ok = !*name || export_by_name(name, &as, &err);

	if (as == ROWS_JSON)
		json_add(report, JSON_INDENT(1), &text);
	else
		report_markdown(report, ascii, &text);
	if (ok && !*name)
		ok = clip_put(terminal, buf_span(&text), "md", &said, &err);
	else if (ok && as != ROWS_JSON && as != ROWS_MARKDOWN)
		ok = err_set(&err, "%s: a report's name ends in .md or .json", name);
	else if (ok && !may_replace && access(path, F_OK) == 0)
		stage_ask_replace(s, INTENT_REPORT, name);
	else if (ok && (ok = write_document(path, buf_span(&text), may_replace, &err)))
		buf_printf(&said, "written to %s", path);
	if (!ok)
		stage_say(s, "No report: %s", err.text);
	else if (said.n)
		stage_say(s, "The report, %zu bytes: %s.", text.n, said.text);
	json_decref(report);
	buf_done(&text);
	buf_done(&said);
	free(path);
}

bool take(struct stage *s, const struct view_of *of, const struct intent *i, int terminal, bool ascii)
{
	switch (i->is) {
	case INTENT_COPY:	copy(s, of, i->by, terminal, ascii); break;
	case INTENT_EXPORT:	export_to(s, of, i->text, i->by, ascii); break;
	case INTENT_REPORT:	report_to(s, of, i->text, i->by, terminal, ascii); break;
	default:		return false;
	}
	return true;
}
