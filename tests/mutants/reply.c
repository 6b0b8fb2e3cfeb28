#include "tests/mutants/reply.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/captured.h"
#include "tests/lib/text.h"

#define ROOT "tests/fixtures/"

static struct reply_text *add(struct replies *r, const char *platform, const char *probe, const char *path)
{
	struct reply_text *t = GROW(r->list, r->n, r->cap);
	const char *file = strrchr(path, '/') + 1;
	char *text;

	t->platform = platform_find(platform);
	t->probe = t->platform ? platform_probe(t->platform, probe) : NULL;
	text = file_text(path, &t->n);
	if (!t->probe || !text)
		fail_msg("%s: no probe %s of %s, or no such file", path, probe, platform);
	t->held = xmalloc(t->n + 2);
	t->text = t->held + 1;
	*t->held = '\n';
	memcpy(t->text, text, t->n + 1);
	free(text);
	t->name = xasprintf("%s/%s/%s", platform, probe, file);
	t->status = -1;
	r->n++;
	return t;
}

/* Texts that no device prints, made for a test of their own. */
static bool is_made_up(const char *path)
{
	return strstr(path, "every-name"); /* names of all drivers at once: many lines for one fact */
}

static void add_fixture(struct replies *r, const char *path)
{
	char platform[64], probe[64], facts[512], status[16], *head;
	struct reply_text *t;

	if (sscanf(path, ROOT "%63[^/]/%63[^/]/", platform, probe) != 2)
		fail_msg("%s: not PLATFORM/PROBE/CASE.raw", path);
	t = add(r, platform, probe, path);
	snprintf(facts, sizeof(facts), "%.*s.facts", (int)(strlen(path) - 4), path);
	head = file_text(facts, NULL);
	if (!head)
		fail_msg("%s: no facts beside it", path);
	fixture_word(head, "port", t->port, sizeof(t->port));
	if (fixture_word(head, "status", status, sizeof(status)))
		t->status = atoi(status);
	free(head);
}

struct adding {
	struct replies *replies;
	const struct captured *row;
};

static void add_capture(const char *path, void *user)
{
	struct adding *a = user;
	struct reply_text *t = add(a->replies, a->row->platform, a->row->probe, path);

	/* verbs name their devices by themselves; the one port would stand for the first of several */
	if ((!t->platform->is_switch || t->probe->per_port) && strcmp(a->row->probe, "ibv_devinfo") != 0)
		snprintf(t->port, sizeof(t->port), "p");
}

void replies_read(struct replies *r)
{
	glob_t found;

	*r = (struct replies){ .has_captures = captures_dir() };
	if (glob(ROOT "*/*/*.raw", 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			if (!is_made_up(found.gl_pathv[i]))
				add_fixture(r, found.gl_pathv[i]);
		globfree(&found);
	}
	for (size_t i = 0; i < captured_count; i++)
		captured_each(&captured_table[i], add_capture, &(struct adding){ r, &captured_table[i] });
}

void replies_done(struct replies *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->list[i].name);
		free(r->list[i].held);
	}
	free(r->list);
}
