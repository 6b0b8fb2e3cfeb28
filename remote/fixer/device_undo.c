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

/* ---- texts in texts ---- */

/* command, with text on its standard input: by a here-document whose end word does not occur in it. */
static void here(struct buf *out, const char *command, struct span text)
{
	char end[32] = "FABCON_END";

	for (unsigned i = 1; text.n && span_find(text, end); i++)
		snprintf(end, sizeof(end), "FABCON_END_%u", i);
	buf_printf(out, "%s <<'%s'\n%.*s", command, end, (int)text.n, text.n ? text.p : "");
	buf_printf(out, "%s%s\n", text.n && text.p[text.n - 1] != '\n' ? "\n" : "", end);
}

/* A line of the plan as sh of its own: what is wrong with it stays its own, and it reads nothing of ours. */
static void line_here(struct buf *out, const char *command, const char *line)
{
	struct buf text = { NULL };

	buf_printf(&text, "{\n%s\n} </dev/null\n", line);
	here(out, command, buf_span(&text));
	buf_done(&text);
}

/* An owner's name is written into a lock between bars, in single quotes. */
static void owner_word(struct buf *out, const char *owner)
{
	for (size_t i = 0; owner && owner[i] && i < 100; i++) {
		char c = isalnum((unsigned char)owner[i]) || strchr(" @._:-", owner[i]) ? owner[i] : '_';

		buf_add(out, &c, 1);
	}
}

static void variables(struct buf *out, const struct fix_plan *p, size_t step, const char *owner, unsigned undo_s)
{
	char dir[64], name[64];

	fix_step_dir(p, step, dir);
	fix_step_name(p, step, name);
	buf_printf(out, "set -u\nunset CDPATH\nfc_plan=%.40s fc_step=%zu\nfc_dir=%s fc_name=%s\nfc_undo_s=%u fc_owner='", p->id,
		   step + 1, dir, name, undo_s);
	owner_word(out, owner);
	buf_str(out, "'\n");
}

/* Such a plan cannot be read from a file; it must not get near a shell all the same. */
static bool is_sane(const struct fix_plan *p, size_t step, struct buf *script)
{
	if (p->id && template_is_name(p->id) && step < p->n_steps && !strpbrk(p->id, "._"))
		return true;
	buf_str(script, "echo 'fabcon: begin'; echo 'fabcon: error the plan has no name that can be used'; "
			"echo 'fabcon: end'\n");
	return false;
}

/* Everything in one compound command: the shell has read it all before it begins, so that nothing eats the rest. */
static void body(const struct fix_plan *p, size_t step, const char *owner, unsigned undo_s, const char *own, const char *call,
		 struct buf *out)
{
	variables(out, p, step, owner, undo_s);
	buf_printf(out, "{\n%s%s%s%s\n} </dev/null\n", step_sh, all_sh, own, call);
}

/* As root, or by sudo without a question; where neither is to be had the answer says so. */
static void as_root(const struct buf *text, bool is_line, struct buf *script)
{
	buf_str(script, "unset CDPATH\n"
			"fc_sudo() { \"$@\"; }\nfc_why='its shell was ended before it had finished'\n"
			"if [ \"$(id -u)\" != 0 ]; then\n"
			"fc_sudo() { sudo -n \"$@\"; }\n"
			"fc_why='this login is not root, and sudo without a password does not allow: " ROOT_SHELL "'\n"
			"fi\n");
	here(script, "fc_sudo " ROOT_SHELL, buf_span(text));
	if (!is_line)
		buf_str(script, "[ $? = 0 ] || printf 'fabcon: %s\\n' begin \"error $fc_why\" end\n");
}

static void said_as_root(const struct fix_plan *p, size_t step, const char *owner, unsigned undo_s, const char *own,
			 const char *call, struct buf *script)
{
	struct buf text = { NULL };

	body(p, step, owner, undo_s, own, call, &text);
	as_root(&text, false, script);
	buf_done(&text);
}

/* ---- what is put on the device ---- */

/* fc_lines: the undo lines, by the shell itself or by the way that the dialect has into its command line. */
static void undo_lines(const struct fix_step *s, const struct dialect *d, struct buf *out)
{
	char command[32];

	buf_str(out, "fc_lines() {\n");
	if (d && d->undo_script) {
		struct buf text = { NULL };

		d->undo_script(&s->undo, &text);
		line_here(out, "fc_back all", text.text ? text.text : ":");
		buf_done(&text);
	}
	for (size_t i = 0; i < s->undo.n && !(d && d->undo_script); i++) {
		snprintf(command, sizeof(command), "fc_back %zu", i + 1);
		line_here(out, command, s->undo.list[i]);
	}
	buf_str(out, ":\n}\n");
}

/* The file that the timer runs: whole by itself. */
static void undo_file(const struct fix_plan *p, size_t step, const struct dialect *d, struct buf *out)
{
	buf_printf(out, "#!/bin/sh\n# %s: takes back what was changed, unless it was kept\n", p->id);
	variables(out, p, step, "", 0);
	buf_str(out, step_sh);
	undo_lines(&p->steps[step], d, out);
	buf_str(out, "fc_clock\nfc_take_back\nexit 0\n");
}

static void put_file(const char *name, struct span text, struct buf *out)
{
	char command[96];

	snprintf(command, sizeof(command), "cat >\"$1\"/%s", name);
	here(out, command, text);
	buf_str(out, "[ $? = 0 ] || return 1\n");
}

static void files(const struct fix_plan *p, size_t step, const struct dialect *d, struct buf *out)
{
	const struct fix_step *s = &p->steps[step];
	struct buf text = { NULL };

	buf_str(out, "fc_files() {\n");
	undo_file(p, step, d, &text);
	put_file("undo", buf_span(&text), out);
	buf_done(&text);
	for (size_t i = 0; i < s->n_files; i++)
		if (template_is_name(s->files[i].name))
			put_file(s->files[i].name, span_of(s->files[i].text), out);
		else
			buf_str(out, "return 1\n");
	buf_str(out, "}\n");
}

static void prepare(const struct fix_plan *p, size_t step, const struct dialect *d, struct buf *out)
{
	char dir[64], name[64];
	const struct dialect_place place = { p->steps[step].device, dir, name };
	struct buf text = { NULL };

	fix_step_dir(p, step, dir);
	fix_step_name(p, step, name);
	buf_str(out, "fc_prepare() {\n");
	if (d && d->rehearse) {
		line_here(out, "/bin/sh -s", d->rehearse);
		buf_str(out, "[ $? = 0 ] || return 1\n");
	}
	if (d && d->prepare)
		d->prepare(&p->steps[step], &place, &text);
	if (text.n) {
		line_here(out, "/bin/sh -s", text.text);
		buf_str(out, "[ $? = 0 ] || return 1\n");
	}
	buf_str(out, ":\n}\n");
	buf_done(&text);
}

static void tidy(const struct fix_plan *p, size_t step, struct buf *out)
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
		line_here(out, "/bin/sh -s >/dev/null 2>&1", text.text);
	buf_str(out, ":\n}\n");
	buf_done(&text);
}

/* ---- what is said ---- */

void device_undo_look(const struct fix_plan *p, size_t step, const char *owner, struct buf *script)
{
	struct buf text = { NULL };

	if (!is_sane(p, step, script))
		return;
	body(p, step, owner, 0, "", "fc_look", &text);
	here(script, "/bin/sh -s fabcon", buf_span(&text));
	buf_done(&text);
}

void device_undo_set(const struct fix_plan *p, size_t step, const char *owner, unsigned undo_s, struct buf *script)
{
	const struct dialect *d = dialect_find(step < p->n_steps ? p->steps[step].platform : "");
	struct buf own = { NULL };

	if (!is_sane(p, step, script))
		return;
	if (d && d->lines_in_cli && !d->undo_script) {
		buf_str(script, "printf 'fabcon: %s\\n' begin 'error nothing on this system can type the way back' end\n");
		return;
	}
	files(p, step, d, &own);
	prepare(p, step, d, &own);
	tidy(p, step, &own);
	said_as_root(p, step, owner, undo_s, own.text, "fc_set", script);
	buf_done(&own);
}

void device_undo_line(const struct fix_plan *p, size_t step, const char *line, struct buf *script)
{
	struct buf own = { NULL }, text = { NULL };

	if (!is_sane(p, step, script))
		return;
	buf_str(&own, "fc_line() {\n");
	line_here(&own, "/bin/sh -s", line);
	buf_str(&own, "}\n");
	body(p, step, "", 0, own.text, "fc_do", &text);
	as_root(&text, true, script);
	buf_done(&own);
	buf_done(&text);
}

/* Its end, after which nothing of prepare's is needed. */
static void said_with_tidy(const struct fix_plan *p, size_t step, const char *owner, const char *call, struct buf *script)
{
	struct buf own = { NULL };

	if (!is_sane(p, step, script))
		return;
	tidy(p, step, &own);
	said_as_root(p, step, owner, 0, own.text, call, script);
	buf_done(&own);
}

void device_undo_keep(const struct fix_plan *p, size_t step, const char *owner, struct buf *script)
{
	said_with_tidy(p, step, owner, "fc_keep", script);
}

void device_undo_undo(const struct fix_plan *p, size_t step, const char *owner, struct buf *script)
{
	if (is_sane(p, step, script))
		said_as_root(p, step, owner, 0, "", "fc_undo", script);
}

void device_undo_save(const struct fix_plan *p, size_t step, const char *line, struct buf *script)
{
	struct buf text = { NULL };

	if (!is_sane(p, step, script))
		return;
	line_here(&text, "/bin/sh -s", line);
	as_root(&text, true, script);
	buf_done(&text);
}

void device_undo_release(const struct fix_plan *p, size_t step, const char *owner, struct buf *script)
{
	said_with_tidy(p, step, owner, "fc_release", script);
}

void device_undo_sudoers(const char *login, struct buf *out)
{
	buf_printf(out, "# Lets %s change settings and arm their undo by fabcon. A shell is all that root is: give it to a login of\n"
		   "# its own, that nobody uses for reading.\n"
		   "%s ALL=(root) NOPASSWD: " ROOT_SHELL "\n", login, login);
}
