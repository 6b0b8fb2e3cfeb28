/* The links: what failed and what is not known, then each link and each stage. */
#include "core/certificate/html.h"

#include <stdlib.h>

/* -- failures -- */

/* link NULL: those that no link answers for. */
static void add_failed_tests(struct html *h, const json_t *link)
{
	const json_t *test;

	for (EACH(member(h->certificate, "tests"), test))
		if (link ? has_state(test, "fail") && certificate_is_of(test, link) : certificate_fails_alone(h->certificate, test))
			ADD(h, "<dt>Test</dt><dd>{} to {}, {}: {}</dd>", certificate_end(&h->arena, test, "from"),
			    certificate_end(&h->arena, test, "to"), certificate_test(&h->arena, test), text_of(test, "what"));
}

static void add_failure(struct html *h, const json_t *link)
{
	const char *stage = text_of(link, "stage");

	ADD(h, "<article class=\"failure\">\n<h3>{} <span>to {}: {}{}{}</span></h3>\n<dl>", certificate_link(&h->arena, link),
	    certificate_far(&h->arena, link), text_of(link, "state"), stage ? " at " : "", stage ? stage : "");
	ADD(h, "<dt>Seen</dt><dd>{}</dd>", text_of(link, "what"));
	if (text_of(link, "do"))
		ADD(h, "<dt>Do</dt><dd>{}</dd>", text_of(link, "do"));
	if (text_of(link, "because_of"))
		ADD(h, "<dt>Because of</dt><dd>{}</dd>", text_of(link, "because_of"));
	add_failed_tests(h, link);
	buf_str(h->out, "</dl>\n</article>\n");
}

static void add_failures(struct html *h)
{
	static const char *const states[] = { "fail", "suspect" };
	const json_t *link;

	bool has_lone = certificate_has_lone_failure(h->certificate);

	if (!(number_of(member(h->certificate, "summary"), "failed") > 0) && !has_lone)
		return;
	buf_str(h->out, "<section>\n<h2>Failures</h2>\n");
	for (size_t i = 0; i < 2; i++)
		for (EACH(member(h->certificate, "links"), link))
			if (has_state(link, states[i]))
				add_failure(h, link);
	if (has_lone) {
		buf_str(h->out, "<article class=\"failure\">\n<h3>Tests of no NIC that failed</h3>\n<dl>");
		add_failed_tests(h, NULL);
		buf_str(h->out, "</dl>\n</article>\n");
	}
	buf_str(h->out, "</section>\n");
}

static void add_unknown(struct html *h)
{
	const json_t *link;

	if (!(number_of(member(h->certificate, "summary"), "not_known") > 0))
		return;
	buf_str(h->out, "<section>\n<h2>Not known</h2>\n<table>\n<thead><tr><th>Link</th><th>Stage</th><th>Reason</th></tr></thead>\n<tbody>\n");
	for (EACH(member(h->certificate, "links"), link))
		if (has_state(link, "not known"))
			ADD(h, "<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", certificate_link(&h->arena, link), text_of(link, "stage"),
			    text_of(link, "what"));
	buf_str(h->out, "</tbody>\n</table>\n</section>\n");
}

/* -- the matrix -- */

/* The stages of all links, each once, in the order of its first link. To be freed; n of them. */
static const char **stages_of(const json_t *links, size_t *n)
{
	json_t *seen = json_object();
	const json_t *link, *stage;
	const char **stages = NULL;
	size_t cap = 0;

	*n = 0;
	for (EACH(links, link))
		for (EACH(member(link, "stages"), stage)) {
			const char *id = text_of(stage, "stage");

			if (json_object_get(seen, id))
				continue;
			json_object_set_new(seen, id, json_true());
			*GROW(stages, *n, cap) = id;
			++*n;
		}
	json_decref(seen);
	return stages;
}

static const json_t *stage_of(const json_t *link, const char *id)
{
	const json_t *stage;

	for (EACH(member(link, "stages"), stage))
		if (!strcmp(text_of(stage, "stage"), id))
			return stage;
	return NULL;
}

/* A degree sign: passed, though a check was passed over. */
static void add_stage(struct html *h, const json_t *stage)
{
	const char *what = stage ? text_of(stage, "what") : NULL;

	if (!stage)
		buf_str(h->out, "<td class=\"stage\">");
	else
		ADD(h, "<td class=\"stage {}\" title=\"{}{}{}\">", html_state(stage)->class, text_of(stage, "state"), what ? ": " : "",
		    what ? what : "");
	buf_str(h->out, stage ? html_state(stage)->sign : "");
	buf_str(h->out, stage && text_of(stage, "not_reported") ? "\u00b0</td>" : "</td>");
}

static void add_row(struct html *h, const json_t *link, const char *const *stages, size_t n)
{
	ADD(h, "<tr><td>{}</td><td>{}</td>", certificate_link(&h->arena, link), certificate_far(&h->arena, link));
	for (size_t i = 0; i < n; i++)
		add_stage(h, stage_of(link, stages[i]));
	ADD(h, "<td class=\"{}\">{}</td></tr>\n", html_state(link)->class, text_of(link, "state"));
}

/* The checks that were passed over, each once with the device that does not report its value. */
static void add_unreported(struct html *h)
{
	json_t *seen = json_object();
	const json_t *link, *stage;

	for (EACH(member(h->certificate, "links"), link))
		for (EACH(member(link, "stages"), stage)) {
			const char *check = text_of(stage, "not_reported"), *device = text_of(stage, "not_reported_by");
			const char *key = KEY(&h->arena, check, device);

			if (!check || json_object_get(seen, key))
				continue;
			buf_str(h->out, json_object_size(seen) ? ", " : "<p class=\"legend\">\u00b0 Not reported, and passed over: ");
			ADD(h, "{} by {}", check, device);
			json_object_set_new(seen, key, json_true());
		}
	buf_str(h->out, json_object_size(seen) ? ".</p>\n" : "");
	json_decref(seen);
}

static void add_matrix(struct html *h)
{
	const json_t *links = member(h->certificate, "links"), *link;
	size_t n;
	const char **stages = stages_of(links, &n);

	buf_str(h->out, "<section>\n<h2>Links</h2>\n<table class=\"matrix\">\n<thead><tr><th>Link</th><th>Far end</th>");
	for (size_t i = 0; i < n; i++)
		ADD(h, "<th class=\"stage\">{}</th>", stages[i]);
	buf_str(h->out, "<th>Verdict</th></tr></thead>\n<tbody>\n");
	for (EACH(links, link))
		add_row(h, link, stages, n);
	buf_str(h->out, "</tbody>\n</table>\n<p class=\"legend\"><span>\u2713 pass</span><span>\u2717 fail</span><span>? not known</span>"
			"<span>\u00b7 not yet: an earlier stage fails</span><span>\u2013 skipped</span></p>\n");
	add_unreported(h);
	buf_str(h->out, "</section>\n");
	free(stages);
}

void html_links(struct html *h)
{
	add_failures(h);
	add_unknown(h);
	add_matrix(h);
}
