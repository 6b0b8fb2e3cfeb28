#include "tui/screens/fix_manifest.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/fix/fix.h"
#include "core/manifest/manifest.h"
#include "tui/fixing/fix_view.h"
#include "tui/text/call.h"

/* As the fix's row says; of a plan that mends no finding, what usually owns the settings of such a device. */
static const char *kinds_of(const struct fix_plan *p, const char *platform)
{
	struct span rest = span_of(p->finding ? p->finding : ""), word;
	const struct fix *fix = NULL;

	if (span_word(&rest, &word)) {
		char *check = xstrndup(word.p, word.n);

		fix = fix_find(check);
		free(check);
	}
	return fix && fix->emit ? fix->emit : !strcmp(platform, "linux") ? "systemd" : platform;
}

/* Of a host what hosts have; of a switch its own system's. */
static bool fits(const struct manifest *m, const char *platform)
{
	return m && (m->is_of_switch ? !strcmp(m->kind, platform) : !strcmp(platform, "linux"));
}

static void add_text(struct page *page, struct span text)
{
	struct span line;

	while (span_line(&text, &line))
		page_add(page, ROLE_IS_TEXT, "%.*s", (int)(line.n < 4000 ? line.n : 4000), line.n ? line.p : " ");
}

static bool write_page(const struct view_of *of, const struct manifest *m, const char *device, struct page *page, int width,
		       struct err *err)
{
	struct manifest_scene scene = { .policy = of->policy, .model = of->model, .device = model_find_device(of->model, device),
					.links = of->links };
	struct buf text = { 0 }, applied = { NULL };
	bool done = m->write(&scene, &text, err);

	if (done) {
		page_begin(page, "%s emit %s %.80s", call_words(), m->kind, device);
		page_wrap(page, ROLE_IS_TITLE, "", m->title, width);
		page_wrap(page, ROLE_IS_TEXT, "owns     ", m->owns, width);
		manifest_applied(m, call_words(), device, &applied);
		page_wrap(page, ROLE_IS_TEXT, "applied  ", applied.text, width);
		buf_done(&applied);
		add_text(page, buf_span(&text));
	}
	buf_done(&text);
	return done;
}

bool fixmanifest_page(const struct view_of *of, size_t step, struct page *page, int width, struct err *err)
{
	const struct fix_step *s = &of->fix->plan->steps[step];
	struct span rest = span_of(kinds_of(of->fix->plan, s->platform)), word;
	bool is_shown = false;

	err_set(err, "no manifest covers this change");
	while (span_word(&rest, &word)) {
		char *kind = xstrndup(word.p, word.n);
		const struct manifest *m = manifest_find(kind);

		if (fits(m, s->platform) && is_shown)
			page_add(page, ROLE_IS_MUTED, "also: %s emit %s %.80s: %s", call_words(), kind, s->device, m->title);
		else if (fits(m, s->platform))
			is_shown = write_page(of, m, s->device, page, width, err);
		free(kind);
	}
	return is_shown;
}
