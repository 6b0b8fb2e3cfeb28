/*
 * For CI: a test case for each stage of each link, for each traffic test, and for each NIC without one. What is not known, and what was
 * skipped or not asked, is <skipped>: never passed.
 */
#include "core/certificate/internal.h"

struct junit {
	const json_t *certificate;
	struct arena arena;
	struct buf cases;
	size_t n, n_failed, n_skipped;
};

/* state: of the certificate's words; NULL for message is the state alone. */
static void add_case(struct junit *j, const char *class, const char *name, const char *state, const char *message)
{
	bool is_failed = !strcmp(state, "fail"), is_passed = !strcmp(state, "pass");

	FILL(&j->cases, certificate_xml, "  <testcase classname=\"{}\" name=\"{}\"", class, name);
	j->n++;
	j->n_failed += is_failed;
	j->n_skipped += !is_failed && !is_passed;
	if (is_passed)
		buf_str(&j->cases, "/>\n");
	else if (is_failed)
		FILL(&j->cases, certificate_xml, "><failure message=\"{}\"/></testcase>\n", message ? message : state);
	else
		FILL(&j->cases, certificate_xml, "><skipped message=\"{}{}{}\"/></testcase>\n", state, message ? ": " : "", message ? message : "");
}

/* A link whose state none of its stages shows, such as a suspect, has a case of its own. */
static void add_link(struct junit *j, const json_t *link)
{
	const char *name = certificate_link(&j->arena, link);
	bool is_shown = has_state(link, "pass") && json_array_size(member(link, "stages")) > 0;
	const json_t *stage;

	for (EACH(member(link, "stages"), stage)) {
		add_case(j, name, text_of(stage, "stage"), text_of(stage, "state"), text_of(stage, "what"));
		is_shown |= has_state(stage, text_of(link, "state"));
	}
	if (!is_shown)
		add_case(j, name, "link", text_of(link, "state"), text_of(link, "what"));
}

static void add_test(struct junit *j, const json_t *test)
{
	struct buf name = { 0 };

	buf_printf(&name, "%s to %s", certificate_test(&j->arena, test), certificate_end(&j->arena, test, "to"));
	add_case(j, certificate_end(&j->arena, test, "from"), name.text, text_of(test, "state"), text_of(test, "what"));
	buf_done(&name);
}

static void add_cases(struct junit *j)
{
	const json_t *row;

	for (EACH(member(j->certificate, "links"), row))
		add_link(j, row);
	for (EACH(member(j->certificate, "tests"), row))
		add_test(j, row);
	for (EACH(member(j->certificate, "not_tested"), row))
		add_case(j, certificate_link(&j->arena, row), "traffic", "not tested", text_of(row, "why"));
}

void certificate_junit(const json_t *certificate, struct buf *out)
{
	struct junit j = { .certificate = certificate };
	const char *rack = text_of(certificate, "rack");

	add_cases(&j);
	buf_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
	FILL(out, certificate_xml, " <testsuite name=\"fabcon bring-up{}{}\" timestamp=\"{}\"", rack ? " of rack " : "", rack ? rack : "",
	     text_of(certificate, "signed"));
	buf_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n", j.n, j.n_failed, j.n_skipped);
	FILL(out, certificate_xml, "  <properties><property name=\"sha256\" value=\"{}\"/></properties>\n", text_of(certificate, "sha256"));
	buf_add(out, j.cases.text, j.cases.n);
	buf_str(out, " </testsuite>\n</testsuites>\n");
	buf_done(&j.cases);
	arena_done(&j.arena);
}
