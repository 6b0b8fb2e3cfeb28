#include "remote/fixer/device_undo.h"

#include <ctype.h>
#include <stdio.h>

#include "core/base/template.h"
#include "remote/platforms.h"

static const char step_sh[] =
#include "device_undo_step.inc"
	;
static const char all_sh[] =
#include "device_undo.inc"
	;

#define ROOT_SHELL	"/bin/sh -s fabcon"

/* -- quoting -- */

/* Runs command with text on its standard input: a here-document whose end word does not occur in the text. */
static void here_document(struct buf *out, const char *command, struct span text)
{
	char end[32] = "FABCON_END";

	for (unsigned i = 1; text.n && span_find(text, end); i++)
		snprintf(end, sizeof(end), "FABCON_END_%u", i);
	buf_printf(out, "%s <<'%s'\n%.*s", command, end, (int)text.n, text.n ? text.p : "");
	buf_printf(out, "%s%s\n", text.n && text.p[text.n - 1] != '\n' ? "\n" : "", end);
}

/* A line of the plan as a script of its own: a syntax error stays inside it, and it cannot read our standard input. */
static void line_document(struct buf *out, const char *command, const char *line)
{
	struct buf text = { NULL };

	buf_printf(&text, "{\n%s\n} </dev/null\n", line);
	here_document(out, command, buf_span(&text));
	buf_done(&text);
}

/* The same of a line that its plan has, once more where its tool has misread what it did (dialect.h). */
static void plan_line_document(struct buf *out, const struct dialect *d, const char *command, const char *line)
{
	struct buf text = { NULL };

	if (!d || !d->misreading || !span_starts(span_of(line), d->misreading))
		return line_document(out, command, line);
	buf_printf(&text, "fc_said=$(%s 2>&1) || case $fc_said in *'%s'*) fc_said=$(%s 2>&1) ;; *) false ;; esac\nset -- $?\n"
		   "[ -z \"$fc_said\" ] || printf '%%s\\n' \"$fc_said\"\n(exit $1)", line, d->misread, line);
	line_document(out, command, text.text);
	buf_done(&text);
}

/* The owner goes into a lock, between bars and in single quotes: any other character becomes "_". */
static void add_owner(struct buf *out, const char *owner)
{
	for (size_t i = 0; owner && owner[i] && i < 100; i++) {
		char c = isalnum((unsigned char)owner[i]) || strchr(" @._:-", owner[i]) ? owner[i] : '_';

		buf_add(out, &c, 1);
	}
}

/* "17 2f1c0f2e-…", as the device compares it; it goes between single quotes. */
static void add_seen(struct buf *out, const struct device_undo_seen *seen)
{
	if (seen && seen->boot[0] && !seen->boot[strspn(seen->boot, "0123456789abcdefABCDEF-")])
		buf_printf(out, "%lu %s", seen->lock, seen->boot);
}

static void add_variables(struct buf *out, const struct fix_plan *p, size_t step, const struct device_undo_by *by, unsigned undo_s)
{
	char dir[64], name[64];

	fix_step_dir(p, step, dir);
	fix_step_name(p, step, name);
	buf_printf(out, "set -u\nunset CDPATH\nfc_plan=%.40s fc_step=%zu\nfc_place=%s fc_name=%s\nfc_undo_s=%u fc_owner='", p->id,
		   step + 1, dir, name, undo_s);
	add_owner(out, by->owner);
	buf_str(out, "'\nfc_seen='");
	add_seen(out, by->seen);
	buf_printf(out, "'\nfc_nosave=%d\n", by->must_not_save);
	if (by->run)
		buf_printf(out, "fc_for=%lu\n", by->run);
	else
		buf_str(out, "fc_for=\n");
}

/* Such a plan file cannot be loaded; this check keeps the id out of a shell in any case. */
static bool has_usable_names(const struct fix_plan *p, size_t step, struct buf *script)
{
	if (p->id && template_is_name(p->id) && step < p->n_steps && !strpbrk(p->id, "._"))
		return true;
	buf_str(script, "echo 'fabcon: begin'; echo 'fabcon: error the plan has no usable name'; "
			"echo 'fabcon: end'\n");
	return false;
}

/* One compound command: the shell parses all of it before it runs any, so no command can read the rest as its input. */
static void add_body(const struct fix_plan *p, size_t step, const struct device_undo_by *by, unsigned undo_s, const char *definitions,
		     const char *entry, struct buf *out)
{
	add_variables(out, p, step, by, undo_s);
	buf_printf(out, "{\n%s%s%s%s\n} </dev/null\n", step_sh, all_sh, definitions, entry);
}

/* Runs the text as root, or by sudo without a password; the report says when neither works. */
static void add_as_root(const struct buf *text, bool is_line, struct buf *script)
{
	buf_str(script, "unset CDPATH\n"
			"fc_sudo() { \"$@\"; }\nfc_why='its shell ended early'\n"
			"if [ \"$(id -u)\" != 0 ]; then\n"
			"fc_sudo() { sudo -n \"$@\"; }\n"
			"fc_why='this login is not root, and sudo without a password does not allow: " ROOT_SHELL "'\n"
			"fi\n");
	here_document(script, "fc_sudo " ROOT_SHELL, buf_span(text));
	if (!is_line)
		buf_str(script, "[ $? = 0 ] || printf 'fabcon: %s\\n' begin \"error $fc_why\" end\n");
}

static void add_script_as_root(const struct fix_plan *p, size_t step, const struct device_undo_by *by, unsigned undo_s,
			       const char *definitions, const char *entry, struct buf *script)
{
	struct buf text = { NULL };

	add_body(p, step, by, undo_s, definitions, entry, &text);
	add_as_root(&text, false, script);
	buf_done(&text);
}

/* -- what is installed on the device -- */

/* fc_lines runs the undo lines in the shell, or through the dialect's access to its CLI. */
static void define_undo_lines(const struct fix_step *s, const struct dialect *d, struct buf *out)
{
	char command[32];

	buf_str(out, "fc_lines() {\n");
	if (d && d->undo_script) {
		struct buf text = { NULL };

		d->undo_script(&s->undo, &text);
		line_document(out, "fc_back all", text.text ? text.text : ":");
		buf_done(&text);
	}
	for (size_t i = 0; i < s->undo.n && !(d && d->undo_script); i++) {
		snprintf(command, sizeof(command), "fc_back %zu", i + 1);
		plan_line_document(out, d, command, s->undo.list[i]);
	}
	buf_str(out, ":\n}\n");
}

static void define_tidy(const struct fix_plan *p, size_t step, struct buf *out)
{
	const struct dialect *d = dialect_find(p->steps[step].platform);
	char dir[64], name[64];
	const struct dialect_place place = { p->steps[step].device, dir, name };
	struct buf text = { NULL };

	fix_step_dir(p, step, dir);
	fix_step_name(p, step, name);
	buf_str(out, "fc_tidy() {\n");
	if (d && d->tidy)
		d->tidy(&p->steps[step], &place, &text);
	if (text.n)
		line_document(out, "/bin/sh -s >/dev/null 2>&1", text.text);
	buf_str(out, ":\n}\n");
	buf_done(&text);
}

/* The script that the timer runs; it needs no other file. */
static void add_undo_file(const struct fix_plan *p, size_t step, const struct dialect *d, struct buf *out)
{
	buf_printf(out, "#!/bin/sh\n# %s: rolls the change back unless it was kept\n", p->id);
	add_variables(out, p, step, &(struct device_undo_by){ .owner = "" }, 0);
	buf_str(out, "fc_for=${1:-}\n");
	buf_str(out, step_sh);
	define_undo_lines(&p->steps[step], d, out);
	define_tidy(p, step, out);
	buf_str(out, "fc_clock\nfc_take_back\nexit 0\n");
}

static void add_file(const char *name, struct span text, struct buf *out)
{
	char command[96];

	snprintf(command, sizeof(command), "cat >\"$1\"/%s", name);
	here_document(out, command, text);
	buf_str(out, "[ $? = 0 ] || return 1\n");
}

static void define_files(const struct fix_plan *p, size_t step, const struct dialect *d, struct buf *out)
{
	const struct fix_step *s = &p->steps[step];
	struct buf text = { NULL };

	buf_str(out, "fc_files() {\n");
	add_undo_file(p, step, d, &text);
	add_file("undo", buf_span(&text), out);
	buf_done(&text);
	for (size_t i = 0; i < s->n_files; i++)
		if (template_is_name(s->files[i].name))
			add_file(s->files[i].name, span_of(s->files[i].text), out);
		else
			buf_str(out, "return 1\n");
	buf_str(out, "}\n");
}

static void define_prepare(const struct fix_plan *p, size_t step, const struct dialect *d, struct buf *out)
{
	char dir[64], name[64];
	const struct dialect_place place = { p->steps[step].device, dir, name };
	struct buf text = { NULL };

	fix_step_dir(p, step, dir);
	fix_step_name(p, step, name);
	buf_str(out, "fc_prepare() {\n");
	if (d && d->rehearse) {
		line_document(out, "/bin/sh -s", d->rehearse);
		buf_str(out, "[ $? = 0 ] || return 1\n");
	}
	if (d && d->prepare)
		d->prepare(&p->steps[step], &place, &text);
	if (text.n) {
		line_document(out, "/bin/sh -s", text.text);
		buf_str(out, "[ $? = 0 ] || return 1\n");
	}
	buf_str(out, ":\n}\n");
	buf_done(&text);
}

/* -- the scripts -- */

void device_undo_look(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script)
{
	struct buf text = { NULL };

	if (!has_usable_names(p, step, script))
		return;
	add_body(p, step, by, 0, "", "fc_look", &text);
	here_document(script, "/bin/sh -s fabcon", buf_span(&text));
	buf_done(&text);
}

void device_undo_set(const struct fix_plan *p, size_t step, const struct device_undo_by *by, unsigned undo_s, struct buf *script)
{
	const struct dialect *d = dialect_find(step < p->n_steps ? p->steps[step].platform : "");
	struct buf definitions = { NULL };

	if (!has_usable_names(p, step, script))
		return;
	if (d && d->lines_in_cli && !d->undo_script) {
		buf_str(script, "printf 'fabcon: %s\\n' begin 'error nothing on this system can enter the undo commands' end\n");
		return;
	}
	define_files(p, step, d, &definitions);
	define_prepare(p, step, d, &definitions);
	define_tidy(p, step, &definitions);
	add_script_as_root(p, step, by, undo_s, definitions.text, "fc_set", script);
	buf_done(&definitions);
}

/* Runs one line as root, where the entry lets it. */
static void add_line(const struct fix_plan *p, size_t step, const struct device_undo_by *by, const char *line, const char *entry,
		     struct buf *script)
{
	struct buf definitions = { NULL }, text = { NULL };

	if (!has_usable_names(p, step, script))
		return;
	buf_str(&definitions, "fc_line() {\n");
	plan_line_document(&definitions, dialect_find(p->steps[step].platform), "/bin/sh -s", line);
	buf_str(&definitions, "}\n");
	add_body(p, step, by, 0, definitions.text, entry, &text);
	add_as_root(&text, true, script);
	buf_done(&definitions);
	buf_done(&text);
}

void device_undo_line(const struct fix_plan *p, size_t step, const struct device_undo_by *by, const char *line, struct buf *script)
{
	add_line(p, step, by, line, "fc_do", script);
}

/* The last script of a step: also removes what prepare created. */
static void add_script_with_tidy(const struct fix_plan *p, size_t step, const struct device_undo_by *by, const char *entry,
				 struct buf *script)
{
	struct buf definitions = { NULL };

	if (!has_usable_names(p, step, script))
		return;
	define_tidy(p, step, &definitions);
	add_script_as_root(p, step, by, 0, definitions.text, entry, script);
	buf_done(&definitions);
}

void device_undo_keep(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script)
{
	add_script_with_tidy(p, step, by, "fc_keep", script);
}

void device_undo_keep_and_hold(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script)
{
	add_script_with_tidy(p, step, by, "fc_saves=1\nfc_keep", script);
}

void device_undo_cancel(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script)
{
	add_script_with_tidy(p, step, by, "fc_cancel", script);
}

void device_undo_undo(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script)
{
	if (has_usable_names(p, step, script))
		add_script_as_root(p, step, by, 0, "", "fc_undo", script);
}

void device_undo_save(const struct fix_plan *p, size_t step, const struct device_undo_by *by, const char *line, struct buf *script)
{
	add_line(p, step, by, line, "fc_save", script);
}

void device_undo_release(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script)
{
	add_script_with_tidy(p, step, by, "fc_release", script);
}

void device_undo_release_unsaved(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script)
{
	add_script_with_tidy(p, step, by, "fc_is_unsaved=1\nfc_release", script);
}

void device_undo_sudoers(const char *login, struct buf *out)
{
	buf_printf(out, "# Lets %s change settings and arm their undo by fabcon. A shell is all that root is: give it to a login of\n"
		   "# its own that is not used for reading.\n"
		   "%s ALL=(root) NOPASSWD: " ROOT_SHELL "\n", login, login);
}
