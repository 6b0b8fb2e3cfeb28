/* What an ansible.cfg says of how hosts are reached: used below every variable, as Ansible does. */
#include "core/inventory/draft.h"

#include <stdlib.h>

/* What is not followed stops the reading (refused) or is told (noted). */
static const struct setting {
	const char *section, *key, *variable, *refused, *noted;
} settings[] = {
	{ "defaults",	    "remote_user",	 "ansible_user" },
	{ "defaults",	    "remote_port",	 "ansible_port" },
	{ "defaults",	    "private_key_file",	 "ansible_private_key_file" },
	{ "defaults",	    "transport",	 "ansible_connection" },
	{ "ssh_connection", "ssh_args",		 "ansible_ssh_args" },
	{ "ssh_connection", "ssh_common_args",	 "ansible_ssh_common_args" },
	{ "ssh_connection", "ssh_extra_args",	 "ansible_ssh_extra_args" },
	{ "defaults",	    "host_key_checking", .noted = "not followed: host keys are checked (--host-key)" },
	{ "ssh_connection", "host_key_checking", .noted = "not followed: host keys are checked (--host-key)" },
	{ "defaults",	    "precedence",	 .refused = "changes which variable wins" },
	{ "inventory",	    "ignore_patterns",	 .refused = "changes which files are read" },
	{ "inventory",	    "ignore_extensions", .refused = "changes which files are read" },
	{ "defaults",	    "inventory_ignore_extensions", .refused = "changes which files are read" },
	{ "defaults",	    "inventory_ignore_patterns", .refused = "changes which files are read" },
};

static bool is_no(struct span value)
{
	return span_is_nocase(value, "false") || span_is_nocase(value, "no") || span_is_nocase(value, "off") || span_is(value, "0");
}

static bool take(struct draft *d, const struct setting *s, struct span value, const char *file, unsigned line, struct err *err)
{
	struct said said = { SAID_TEXT, draft_keep(d, value), file, line };

	if (s->refused && d->is_listed)
		return true;
	if (s->refused) {
		d->wants_ansible = true;
		return err_set(err, "%s:%u: %s %s; ansible-inventory follows it: fabcon --allow ansible-inventory -i %s", file, line,
			       s->key, s->refused, d->source);
	}
	if (s->variable && value.n)
		draft_set(d, &d->defaults, s->variable, said);
	if (s->noted && is_no(value))
		inventory_note(d->inv, "%s:%u: %s = %s: %s", file, line, s->key, said.text, s->noted);
	return true;
}

static const struct setting *setting_of(struct span section, struct span key)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		if (span_is(section, settings[i].section) && span_is_nocase(key, settings[i].key))
			return &settings[i];
	return NULL;
}

/* A ; after a blank begins a comment. */
static struct span without_comment(struct span value)
{
	for (size_t i = 1; i < value.n; i++)
		if (value.p[i] == ';' && (value.p[i - 1] == ' ' || value.p[i - 1] == '\t'))
			value.n = i;
	return span_trim(value);
}

static bool cut_setting(struct span line, struct span *key, struct span *value)
{
	for (size_t i = 0; i < line.n; i++) {
		if (line.p[i] != '=' && line.p[i] != ':')
			continue;
		*key = span_trim((struct span){ line.p, i });
		*value = without_comment(span_trim((struct span){ line.p + i + 1, line.n - i - 1 }));
		return true;
	}
	return false;
}

/* Lines that begin with a blank go on with the value before. */
static struct span with_more(struct span value, struct span *rest, unsigned *line, struct buf *whole)
{
	struct span next = *rest, more;

	buf_clear(whole);
	buf_add(whole, value.p, value.n);
	while (span_line(&next, &more) && more.n && (*more.p == ' ' || *more.p == '\t') && span_trim(more).n) {
		more = without_comment(span_trim(more));
		if (*more.p != '#' && *more.p != ';')
			buf_printf(whole, " %.*s", (int)more.n, more.p);
		*rest = next;
		++*line;
	}
	return buf_span(whole);
}

bool draft_cfg(struct draft *d, struct span text, const char *file, struct err *err)
{
	struct span line, section = { 0 }, key, value;
	struct buf whole = { 0 };
	unsigned n = 0;
	bool ok = true;

	file = draft_keep(d, span_of(file));
	while (ok && span_line(&text, &line)) {
		const struct setting *s;
		unsigned at = ++n;

		line = span_trim(line);
		if (!line.n || *line.p == '#' || *line.p == ';')
			continue;
		if (*line.p == '[') {
			span_cut((struct span){ line.p + 1, line.n - 1 }, ']', &section, &value);
		} else if (cut_setting(line, &key, &value)) {
			value = with_more(value, &text, &n, &whole);
			s = setting_of(section, key);
			ok = !s || take(d, s, value, file, at, err);
		}
	}
	buf_done(&whole);
	return ok;
}
