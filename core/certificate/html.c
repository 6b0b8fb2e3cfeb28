/*
 * One page that needs nothing else: no script, no other file. It is well-formed XML too. Each state has a sign and a word beside its
 * color, so that it prints in black and white.
 */
#include "core/certificate/html.h"

static const char style[] =
#include "page.inc"
;

/* -- the head -- */

static void add_start(struct html *h)
{
	const char *rack = text_of(h->certificate, "rack");

	buf_str(h->out, "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\"/>\n"
			"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
	ADD(h, "<title>Bring-up certificate{}{}</title>\n<style>\n", rack ? ": rack " : "", rack ? rack : "");
	buf_str(h->out, style);
	buf_str(h->out, "</style>\n</head>\n<body>\n");
}

static void add_verdict(struct html *h)
{
	const json_t *c = h->certificate;
	const char *rack = text_of(c, "rack");

	ADD(h, "<header>\n<p class=\"over\">Bring-up certificate</p>\n<h1>{}{}</h1>\n", rack ? "Rack " : "", rack ? rack : "Hosts");
	ADD(h, "<p class=\"verdict\"><span class=\"badge {}\">{}</span> <span>{}</span></p>\n", html_state(c)->class,
	    certificate_verdict(c), certificate_headline(&h->arena, c));
}

static void add_tally(struct html *h, const char *noun, const char *const keys[4], const char *const words[4], size_t n)
{
	static const char *const classes[] = { "is-pass", "is-fail", "is-open", "is-none" };
	const json_t *summary = member(h->certificate, "summary");

	ADD(h, "<div><span class=\"quiet\">{}</span>", noun);
	for (size_t i = 0; i < n; i++) {
		double count = number_of(summary, keys[i]);

		ADD(h, " <span class=\"{}\"><b>{}</b> {}</span>", count > 0 ? classes[i] : "is-none", certificate_count(&h->arena, count), words[i]);
	}
	buf_str(h->out, "</div>\n");
}

static void add_tallies(struct html *h)
{
	static const char *const words[] = { "passed", "failed", "not known", "skipped" };
	static const char *const test_words[] = { "passed", "failed", "not known", "not judged" };

	buf_str(h->out, "<div class=\"tally\">\n");
	add_tally(h, "NICs", (const char *[]){ "passed", "failed", "not_known", "skipped" }, words, 4);
	add_tally(h, "Tests", (const char *[]){ "tests_passed", "tests_failed", "tests_not_known", "tests_not_judged" }, test_words, 4);
	buf_str(h->out, "</div>\n");
}

static void add_fact(struct html *h, const char *title, const char *value)
{
	ADD(h, "<div><dt>{}</dt><dd>{}</dd></div>\n", title, value);
}

static void add_file(struct html *h, const char *title, const char *name, const char *key)
{
	const char *hash = text_of(member(h->certificate, key), "sha256");

	if (hash)
		ADD(h, "<div><dt>{}</dt><dd>{}<br/><code>{}</code></dd></div>\n", title, name, hash);
	else
		ADD(h, "<div><dt>{}</dt><dd>none</dd></div>\n", title);
}

static void add_identity(struct html *h)
{
	const json_t *c = h->certificate;

	buf_str(h->out, "<dl class=\"identity\">\n");
	add_fact(h, "Fabric", text_of(c, "fabric"));
	add_fact(h, "Began", certificate_time(&h->arena, text_of(c, "began")));
	add_fact(h, "Written", certificate_time(&h->arena, text_of(c, "signed")));
	add_fact(h, "By", text_of(c, "by"));
	if (text_of(c, "reason"))
		add_fact(h, "Reason", text_of(c, "reason"));
	add_fact(h, "Program", text_of(c, "program"));
	add_file(h, "Policy", text_of(member(c, "policy"), "title"), "policy");
	add_file(h, "Inventory", "SHA-256", "inventory");
	add_file(h, "Cable plan", "SHA-256", "cable_plan");
	buf_str(h->out, "</dl>\n</header>\n");
}

/* -- the foot -- */

static void add_seal(struct html *h)
{
	ADD(h, "<p class=\"seal\">SHA-256 of this certificate (" CERTIFICATE_SCHEMA ", as RFC 8785 writes it): <code>{}</code></p>\n",
	    text_of(h->certificate, "sha256"));
	buf_str(h->out, "<div class=\"hands\"><p>For the installer: name, date, signature</p>"
			"<p>For the owner: name, date, signature</p></div>\n</body>\n</html>\n");
}

void certificate_html(const json_t *certificate, struct buf *out)
{
	struct html h = { .certificate = certificate, .out = out };

	add_start(&h);
	add_verdict(&h);
	add_tallies(&h);
	add_identity(&h);
	html_links(&h);
	html_tests(&h);
	html_lists(&h);
	html_evidence(&h);
	add_seal(&h);
	arena_done(&h.arena);
}
