/* One page of Markdown (GitHub's): failures first, then every link and test, then what they were judged by. */
#include "core/certificate/internal.h"

#include <stdlib.h>

struct page {
	const json_t *certificate;
	struct buf *out;
	struct arena arena;
};

/* A backslash before whatever Markdown, or a link that GitHub makes by itself, could begin with. Values never begin a line. */
static void escape(struct buf *out, const char *text)
{
	const char *start = text;
	char safe[SAFE_MAX];

	while (*text) {
		const char *at = text;
		size_t n = certificate_safe(&text, safe);
		bool is_in_word = *at == '_' && at > start && at[-1] > ' ' && *text > ' ';	/* mlx5_0: never emphasis */
		bool is_link = !strncmp(at, "://", 3) || (*at == '.' && at - start >= 3 && !strncasecmp(at - 3, "www", 3));

		if (is_link || (n == 1 && strchr("\\`*_[]<>|~&", *safe) && !is_in_word))
			buf_str(out, "\\");
		buf_add(out, safe, n);
	}
}

#define ADD(page, ...)	FILL((page)->out, escape, __VA_ARGS__)

/* -- the head -- */

static void add_hash(struct page *p, const char *title, const json_t *file)
{
	if (file)
		ADD(p, "| {} | `{}` |\n", title, text_of(file, "sha256"));
}

static void add_head(struct page *p)
{
	const json_t *c = p->certificate, *policy = member(c, "policy");
	const char *rack = text_of(c, "rack");

	ADD(p, "# Bring-up certificate{}{}\n\n**{}**: {}.\n\n", rack ? ": rack " : "", rack ? rack : "",
	    certificate_verdict(c), certificate_headline(&p->arena, c));
	ADD(p, "| | |\n|---|---|\n| Fabric | {} |\n| Began | {} |\n", text_of(c, "fabric"), certificate_time(&p->arena, text_of(c, "began")));
	ADD(p, "| Written | {} by {} |\n", certificate_time(&p->arena, text_of(c, "signed")), text_of(c, "by"));
	if (text_of(c, "reason"))
		ADD(p, "| Reason | {} |\n", text_of(c, "reason"));
	ADD(p, "| Program | {} |\n| Policy | {}, `{}` |\n", text_of(c, "program"), text_of(policy, "title"), text_of(policy, "sha256"));
	add_hash(p, "Inventory", json_is_null(member(c, "inventory")) ? NULL : member(c, "inventory"));
	add_hash(p, "Cable plan", json_is_null(member(c, "cable_plan")) ? NULL : member(c, "cable_plan"));
}

/* -- failures -- */

/* link NULL: those that no link answers for. */
static void add_failed_tests(struct page *p, const json_t *link)
{
	const json_t *test;

	for (EACH(member(p->certificate, "tests"), test))
		if (link ? has_state(test, "fail") && certificate_is_of(test, link) : certificate_fails_alone(p->certificate, test))
			ADD(p, "- Test of {}, {} to {}: {}\n", certificate_test(&p->arena, test), certificate_end(&p->arena, test, "from"),
			    certificate_end(&p->arena, test, "to"), text_of(test, "what"));
}

static void add_failure(struct page *p, const json_t *link)
{
	const char *stage = text_of(link, "stage");

	ADD(p, "\n### {} to {}: {}{}{}\n\n", certificate_link(&p->arena, link), certificate_far(&p->arena, link), text_of(link, "state"),
	    stage ? " at " : "", stage ? stage : "");
	ADD(p, "- Seen: {}\n", text_of(link, "what"));
	if (text_of(link, "do"))
		ADD(p, "- Do: {}\n", text_of(link, "do"));
	if (text_of(link, "because_of"))
		ADD(p, "- Because of: {}\n", text_of(link, "because_of"));
	add_failed_tests(p, link);
}

static void add_failures(struct page *p, const char *state)
{
	const json_t *link;

	for (EACH(member(p->certificate, "links"), link))
		if (has_state(link, state))
			add_failure(p, link);
}

/* -- tables -- */

static void add_links(struct page *p)
{
	const json_t *link;

	buf_str(p->out, "\n## Links\n\n| Link | Far end | State | First stage not passed | Reason |\n|---|---|---|---|---|\n");
	for (EACH(member(p->certificate, "links"), link)) {
		const char *stage = text_of(link, "stage"), *what = text_of(link, "what");

		ADD(p, "| {} | {} | {} | {} | {} |\n", certificate_link(&p->arena, link), certificate_far(&p->arena, link),
		    text_of(link, "state"), stage ? stage : "-", what ? what : "-");
	}
}

static void add_tests(struct page *p)
{
	const json_t *tests = member(p->certificate, "tests"), *test;

	if (!json_array_size(tests))
		return;
	buf_str(p->out, "\n## Tests\n\n| # | Test | From | To | State | Rate or latency | Of ceiling | Result |\n"
			"|---|---|---|---|---|--:|--:|---|\n");
	for (EACH(tests, test)) {
		buf_printf(p->out, "| %zu ", i_test + 1);
		ADD(p, "| {} | {} | {} | {} | {} | {} | {} |\n", certificate_test(&p->arena, test), certificate_end(&p->arena, test, "from"),
		    certificate_end(&p->arena, test, "to"), text_of(test, "state"), certificate_measured(&p->arena, test),
		    certificate_measures_rate(test) ? certificate_percent(&p->arena, certificate_share(test)) : "-", text_of(test, "what"));
	}
}

/* Each list below has a heading only where it has rows. */
static const json_t *list_of(struct page *p, const char *key, const char *heading)
{
	const json_t *list = member(p->certificate, key);

	if (json_array_size(list))
		buf_printf(p->out, "\n## %s\n\n", heading);
	return list;
}

static void add_undone(struct page *p)
{
	const json_t *list = list_of(p, "not_tested", "Not tested"), *row;

	for (EACH(list, row))
		ADD(p, "- {}: {}\n", certificate_link(&p->arena, row), text_of(row, "why"));
	list = list_of(p, "skips", "Skipped");
	for (EACH(list, row))
		ADD(p, "- {}, {}: {} (by {}, {})\n", certificate_link(&p->arena, row), text_of(row, "stage"), text_of(row, "reason"),
		    text_of(row, "by"), certificate_time(&p->arena, text_of(row, "at")));
}

static void add_notes_and_limits(struct page *p)
{
	const json_t *list = list_of(p, "notes", "Notes"), *row;

	for (EACH(list, row))
		ADD(p, "- {}, {}: {}\n", certificate_time(&p->arena, text_of(row, "at")), text_of(row, "by"), text_of(row, "text"));
	list = list_of(p, "limits", "Limits");
	for (EACH(list, row))
		ADD(p, "- {}: {} ({})\n", text_of(row, "id"), certificate_value(&p->arena, row), text_of(row, "source"));
}

static void add_device(struct page *p, const json_t *device)
{
	const json_t *facts = member(device, "facts");
	const char **names = certificate_keys(facts);

	ADD(p, "- {} ({}, {})", text_of(device, "name"), text_of(device, "kind"), text_of(device, "platform"));
	for (const char **name = names; *name; name++)
		ADD(p, ", {} {}", *name, text_of(facts, *name));
	buf_str(p->out, "\n");
	free(names);
}

static void add_devices_and_commands(struct page *p)
{
	const json_t *list = list_of(p, "devices", "Devices"), *row;

	for (EACH(list, row))
		add_device(p, row);
	list = list_of(p, "tests", "Commands of the tests");
	for (EACH(list, row)) {
		buf_printf(p->out, "- Test %zu: ", i_row + 1);
		ADD(p, "{}\n", text_of(row, "command"));
	}
}

void certificate_markdown(const json_t *certificate, struct buf *out)
{
	struct page page = { .certificate = certificate, .out = out }, *p = &page;

	add_head(p);
	if (number_of(member(certificate, "summary"), "failed") > 0 || certificate_has_lone_failure(certificate))
		buf_str(out, "\n## Failures\n");
	add_failures(p, "fail");
	add_failures(p, "suspect");
	if (certificate_has_lone_failure(certificate)) {
		buf_str(out, "\n### Tests of no NIC that failed\n\n");
		add_failed_tests(p, NULL);
	}
	add_links(p);
	add_tests(p);
	add_undone(p);
	add_notes_and_limits(p);
	add_devices_and_commands(p);
	ADD(p, "\n## Seal\n\nSHA-256 `{}`\n", text_of(certificate, "sha256"));
	arena_done(&p->arena);
}
