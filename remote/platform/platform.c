#include "remote/platform/platform.h"

#include <stdio.h>
#include <string.h>

#include "remote/platform/mask.h"

#define BUSY_WINDOW	16384	/* an answer that says that the device is busy is short */

bool status_is_cut(int status)
{
	return status == STATUS_LATE || status == STATUS_UNTRIED || (status > STATUS_SIGNAL && status <= STATUS_SIGNAL + SIGNAL_MAX);
}

bool platform_speaks(const struct platform *p, const char *way)
{
	return p && p->way && strcmp(p->way, way) == 0;
}

const struct probe *platform_probe(const struct platform *p, const char *id)
{
	for (size_t i = 0; i < p->n_probes; i++)
		if (strcmp(p->probes[i].id, id) == 0)
			return &p->probes[i];
	return NULL;
}

/* "1/1/4" of "ethernet1/1/4": some command lines want the kind and the number apart. */
static const char *unit_of(const char *port)
{
	return port + strcspn(port, "0123456789");
}

void platform_command(const struct probe *probe, const char *port, struct buf *out)
{
	struct span rest = span_of(probe->command);

	while (rest.n > 0) {
		if (port && span_skip(&rest, "{port}"))
			buf_str(out, port);
		else if (port && span_skip(&rest, "{unit}"))
			buf_str(out, unit_of(port));
		else
			buf_add(out, rest.p, 1), rest.p++, rest.n--;
	}
}

static const char *command_for(const struct probe *probe, const char *port, struct obs *o)
{
	struct buf text = { 0 };
	const char *command;

	platform_command(probe, port, &text);
	command = arena_text(&o->arena, text.text, text.n);
	buf_done(&text);
	return command;
}

/* A copy of the reply without its secrets, kept by o: what is parsed, shown and recorded. */
static struct span masked(struct span text, struct obs *o)
{
	char *copy = (char *)arena_text(&o->arena, text.p, text.n);

	mask_secrets(copy, text.n);
	return (struct span){ copy, text.n };
}

static struct span kept(struct span text, bool (*keeps)(struct span line), struct obs *o)
{
	struct span rest = text, line, all;
	struct buf out = { 0 };

	while (span_line(&rest, &line))
		if (keeps(line))
			buf_add(&out, line.p, (size_t)((rest.n ? rest.p : text.p + text.n) - line.p));
	all = (struct span){ arena_text(&o->arena, out.n ? out.text : "", out.n), out.n };
	buf_done(&out);
	return all;
}

/* The kernel refused for the moment. A script of several tools may end well all the same: netlink's words count then. */
static bool is_busy(const struct answer *a)
{
	static const char *const words[] = { "Device or resource busy", "Resource temporarily unavailable" };
	struct span head = { a->text.p, a->text.n < BUSY_WINDOW ? a->text.n : BUSY_WINDOW };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		char line[80];

		snprintf(line, sizeof(line), "RTNETLINK answers: %s", words[i]);
		if (span_find(head, a->status > 0 ? words[i] : line))
			return true;
	}
	return false;
}

/* "rx_prio3_bytes: 12" may have been 12345. */
static struct span whole_lines(struct span text)
{
	while (text.n > 0 && text.p[text.n - 1] != '\n')
		text.n--;
	return text;
}

/*
 * Whether the last line is whole: it has its end, or is the end of JSON or XML. A file that a person brings may be cut at any
 * byte, and nothing else tells.
 */
static bool ends_itself(struct span text)
{
	char last = text.n > 0 ? text.p[text.n - 1] : '\n';

	return last == '\n' || last == '}' || last == ']' || last == '>';
}

size_t platform_parse(const struct platform *p, const struct probe *probe, const struct answer *a, struct obs *o)
{
	struct answer seen = *a;
	size_t n;

	(void)p;
	if (probe->keeps)
		seen.text = kept(a->text, probe->keeps, o);
	seen.text = masked(seen.text, o);
	o->probe = probe->id;
	o->subject = a->port;
	o->command = command_for(probe, a->port, o);
	o->rank = probe->rank ? probe->rank : 10;
	o->is_partial = a->is_partial || is_busy(a);
	o->raw = seen.text;
	if (a->is_partial || !ends_itself(seen.text))
		seen.text = whole_lines(seen.text);
	o->cite = CITE_NONE;
	n = probe->parse(&seen, o);
	if (probe->proof && strcmp(probe->proof, "unproven") == 0)
		for (size_t i = 0; i < o->n; i++)
			o->facts[i].value.is_unproven = true;
	return n;
}
