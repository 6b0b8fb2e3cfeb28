/*
 * Secrets in hundreds of forms, planted in a reply of every probe of every platform: none is in what is kept of it, parsed or
 * shown. Where the program writes and shows it is in tests/tui/test_canary_files.c.
 */
#include "tests/lib/canary.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/platforms.h"
#include "tests/lib/say.h"

static unsigned planted, probes, leaks;

static void look(const char *probe, const char *form, struct span seen, const char *where)
{
	const char *how = canary_in(seen);

	if (!how)
		return;
	if (leaks++ < 40)
		printf("%s: %s, %s: %s", probe, where, how, form);
}

static void parse(const struct platform *p, const struct probe *probe, struct span text, const char *form)
{
	const struct answer a = { .text = text, .port = probe->per_port ? "p" : NULL, .status = -1 };
	struct buf facts = { 0 };
	struct obs o;

	obs_init(&o, "d", probe->id);
	platform_parse(p, probe, &a, &o);
	obs_print(&o, &facts);
	look(probe->id, form, o.raw, "raw");
	look(probe->id, form, buf_span(&facts), "facts");
	assert_true(probe->keeps || o.raw.n == text.n);
	buf_done(&facts);
	obs_done(&o);
	planted++;
}

static bool is_member(const struct canary *c)
{
	return *c->text == '"' && c->text[strlen(c->text) - 1] == ',';
}

/* At its beginning, after its first half's last line, and at its end; within the object, where both are JSON. */
static void plant(const struct canary *c, struct span form, struct span reply, struct buf *out)
{
	struct span text = span_trim(reply);
	const char *line = reply.n ? memchr(reply.p + reply.n / 2, '\n', reply.n - reply.n / 2) : NULL;
	bool is_json = text.n && *text.p == '{';
	size_t middle = is_json && is_member(c) ? (size_t)(text.p + 1 - reply.p) : line && !is_json ? (size_t)(line + 1 - reply.p) : 0;

	if (!is_json)
		buf_add(out, form.p, form.n);
	buf_add(out, reply.p, middle);
	if (middle)
		buf_add(out, form.p, form.n);
	buf_add(out, reply.p + middle, reply.n - middle);
	if (reply.n && reply.p[reply.n - 1] != '\n')
		buf_str(out, "\n");
	buf_add(out, form.p, form.n);
}

static void each_form(const struct platform *p, const struct probe *probe, struct span reply)
{
	size_t n;
	const struct canary *forms = canary_forms(&n);

	for (size_t i = 0; i < n; i++)
		for (unsigned style = 0; style < CANARY_STYLES; style++) {
			struct buf form = { 0 }, text = { 0 };

			if (canary_put(&forms[i], style, &form)) {
				plant(&forms[i], buf_span(&form), reply, &text);
				parse(p, probe, buf_span(&text), form.text);
			}
			buf_done(&form);
			buf_done(&text);
		}
}

/* The shortest of its fixtures: each has some. */
static char *reply_of(const struct platform *p, const struct probe *probe, size_t *n)
{
	char pattern[256], *shortest = NULL;
	glob_t found;

	snprintf(pattern, sizeof(pattern), "tests/fixtures/%s/%s/*.raw", p->id, probe->id);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		size_t size;
		char *text = file_text(found.gl_pathv[i], &size);

		if (shortest && size >= *n) {
			free(text);
			continue;
		}
		free(shortest);
		shortest = text;
		*n = size;
	}
	globfree(&found);
	return shortest;
}

static void no_form_is_left_in_any_probes_reply(void **state)
{
	size_t n_forms;

	(void)state;
	canary_forms(&n_forms);
	for (size_t p = 0; p < platform_count; p++)
		for (size_t i = 0; i < platform_table[p]->n_probes; i++, probes++) {
			const struct probe *probe = &platform_table[p]->probes[i];
			size_t n;
			char *text = reply_of(platform_table[p], probe, &n);

			each_form(platform_table[p], probe, (struct span){ text, n });
			free(text);
		}
	printf("%zu forms x %u probes, %u replies: %u found\n", n_forms, probes, planted, leaks);
	assert_true(n_forms >= 200);
	assert_int_equal(leaks, 0);
}

/* The search finds what it is for: in each encoding. */
static void the_search_finds_a_canary(void **state)
{
	(void)state;
	assert_string_equal(canary_in(SPAN("x" CANARY "y")), "as it is");
	assert_string_equal(canary_in(SPAN("005A713763416e347279ff")), "in hex");
	assert_string_equal(canary_in(SPAN("%5a%71%37%63%41%6e%34%72%79")), "as in a URL");
	assert_string_equal(canary_in(SPAN("WnE3Y0FuNHJ5")), "in base64");
	assert_string_equal(canary_in(SPAN("eFpxN2NBbjRyeQ==")), "in base64");
	assert_null(canary_in(SPAN("Zq7cAn4r yZq7")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_search_finds_a_canary),
		cmocka_unit_test(no_form_is_left_in_any_probes_reply),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
