/* The tests, kind by kind, each with its rate as a bar of what its MTU and speed allow; and what they were measured by. */
#include "core/certificate/html.h"

static void add_bar(struct html *h, const json_t *test)
{
	double share = certificate_share(test), mark = certificate_mark(h->certificate);
	const char *percent = certificate_percent(&h->arena, share);

	buf_str(h->out, "<td>");
	if (!percent) {
		buf_str(h->out, "</td>");
		return;
	}
	ADD(h, "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">"
	       "<rect class=\"track\" width=\"100\" height=\"10\"/>", percent);
	ADD(h, "<rect class=\"{}\" width=\"{}\" height=\"10\"/>", html_state(test)->bar,
	    certificate_count(&h->arena, round(fmin(share, 1) * 1000) / 10));
	if (mark > 0 && mark < 1)
		ADD(h, "<rect class=\"mark\" x=\"{}\" width=\"0.5\" height=\"10\"/>", certificate_count(&h->arena, round(mark * 1000) / 10));
	buf_str(h->out, "</svg></td>");
}

/* What a test that passed says of itself is in its rate or its latency; what ECN did in an incast is not. */
static void add_test(struct html *h, const json_t *test, size_t number)
{
	bool has_why = !has_state(test, "pass") || certificate_is_incast(test);
	const char *measured = certificate_measured(&h->arena, test);
	const char *percent = certificate_percent(&h->arena, certificate_share(test));

	buf_str(h->out, has_why ? "<tr class=\"has-why\">" : "<tr>");
	ADD(h, "<td class=\"number quiet\">{}</td><td>{}</td><td>{}</td><td class=\"number\">{}</td>",
	    certificate_count(&h->arena, (double)number), certificate_end(&h->arena, test, "from"), certificate_end(&h->arena, test, "to"),
	    measured ? measured : "not measured");
	add_bar(h, test);
	ADD(h, "<td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"{}\">{}</td></tr>\n", percent ? percent : "\u2013",
	    certificate_count(&h->arena, number_of(test, "mtu")), html_state(test)->class, text_of(test, "state"));
	if (has_why)
		ADD(h, "<tr class=\"why\"><td></td><td colspan=\"7\">{}</td></tr>\n", text_of(test, "what"));
}

/* All tests of one kind by one tool stand together, under the name of the first. */
static void add_kind(struct html *h, const json_t *tests, const char *kind)
{
	const json_t *test;

	ADD(h, "<tr class=\"group\"><td colspan=\"8\">{}</td></tr>\n", kind);
	for (EACH(tests, test))
		if (!strcmp(certificate_test(&h->arena, test), kind))
			add_test(h, test, i_test + 1);
}

void html_tests(struct html *h)
{
	const json_t *tests = member(h->certificate, "tests"), *test;
	const char *mark = certificate_percent(&h->arena, certificate_mark(h->certificate));
	json_t *seen;

	if (!json_array_size(tests))
		return;
	seen = json_object();
	buf_str(h->out, "<section>\n<h2>Tests</h2>\n<table>\n<thead><tr><th class=\"number\">#</th><th>From</th><th>To</th>"
			"<th class=\"number\">Rate or latency</th><th>Of the ceiling</th><th></th><th class=\"number\">MTU</th><th>Verdict</th></tr></thead>\n"
			"<tbody>\n");
	for (EACH(tests, test)) {
		const char *kind = certificate_test(&h->arena, test);

		if (!json_object_get(seen, kind))
			add_kind(h, tests, kind);
		json_object_set_new(seen, kind, json_true());
	}
	buf_str(h->out, "</tbody>\n</table>\n<p class=\"legend\">The ceiling is what RDMA can carry at that MTU and line rate.");
	if (mark)
		ADD(h, " The line in each bar is the least that passes: {}.", mark);
	buf_str(h->out, "</p>\n</section>\n");
	json_decref(seen);
}

/* -- evidence -- */

static void add_counters(struct html *h, const json_t *test, const char *end)
{
	const json_t *grown = member(member(test, "counters"), end);

	ADD(h, "<td class=\"grown\">{} of {}<br/>", certificate_amount(&h->arena, number_of(grown, "class_bytes"), "B"),
	    certificate_amount(&h->arena, number_of(grown, "all_bytes"), "B"));
	ADD(h, "drops {}, gaps {}, wire {}</td>", certificate_count(&h->arena, number_of(grown, "drops")),
	    certificate_count(&h->arena, number_of(grown, "gaps")), certificate_count(&h->arena, number_of(grown, "wire")));
}

void html_evidence(struct html *h)
{
	const json_t *tests = member(h->certificate, "tests"), *test;

	if (!json_array_size(tests))
		return;
	buf_str(h->out, "<section>\n<h2>How the tests were measured</h2>\n<table>\n<thead><tr><th class=\"number\">#</th>"
			"<th class=\"time\">Began</th><th>Command</th><th>Sender, in class of all</th><th>Receiver, in class of all</th>"
			"</tr></thead>\n<tbody>\n");
	for (EACH(tests, test)) {
		ADD(h, "<tr><td class=\"number quiet\">{}</td><td>{}</td>", certificate_count(&h->arena, (double)i_test + 1),
		    certificate_time(&h->arena, text_of(test, "began")));
		ADD(h, "<td class=\"command\">{}</td>", text_of(test, "command"));
		add_counters(h, test, "from");
		add_counters(h, test, "to");
		buf_str(h->out, "</tr>\n");
	}
	buf_str(h->out, "</tbody>\n</table>\n<p class=\"legend\">Counters grew by this much during the test: bytes in the tested priority"
			" and in all, packets dropped, packets out of sequence, errors on the wire.</p>\n</section>\n");
}
