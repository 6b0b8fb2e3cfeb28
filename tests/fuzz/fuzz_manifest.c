/*
 * A manifest of any policy for any host: facts, a line "--", a policy; its length says which manifest. Nothing but text comes
 * out, and YAML where it is said.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <yaml.h>

#include "core/manifest/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void assert_text(const struct buf *out)
{
	for (size_t i = 0; i < out->n; i++)
		assert(out->text[i] == '\n' || out->text[i] == '\t' || (out->text[i] >= ' ' && out->text[i] < 0x7f));
}

static void assert_yaml(const struct buf *out)
{
	yaml_parser_t parser;
	yaml_document_t document;
	bool has_more = true;

	assert(yaml_parser_initialize(&parser));
	yaml_parser_set_input_string(&parser, (const unsigned char *)out->text, out->n);
	while (has_more) {
		assert(yaml_parser_load(&parser, &document));
		has_more = yaml_document_get_root_node(&document) != NULL;
		yaml_document_delete(&document);
	}
	yaml_parser_delete(&parser);
}

static void write_one(const struct manifest *kind, const struct manifest_scene *s)
{
	struct buf out = { NULL };
	struct err err;

	if (kind->write(s, &out, &err)) {
		assert_text(&out);
		if (span_starts(buf_span(&out), "apiVersion:") || span_find(buf_span(&out), "\napiVersion:"))
			assert_yaml(&out);
	}
	buf_done(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = { (const char *)data, size }, policy;
	const char *end = span_find(text, "\n--\n");
	struct manifest_scene s = { NULL };
	struct model *m;
	struct err err;
	struct obs o;

	if (!end)
		return 0;
	policy = (struct span){ end + 4, (size_t)(text.p + text.n - end) - 4 };
	s.policy = policy.n ? policy_read(policy, "p", &err) : policy_builtin("roce-lossless");
	if (!s.policy)
		return 0;
	m = model_new();
	obs_init(&o, "node1", "test");
	o.at_us = 1000000;
	obs_read(&o, (struct span){ text.p, (size_t)(end - text.p) }, &err);
	model_apply(m, &o);
	model_set_now(m, 1000000);
	s.model = m;
	s.device = model_find_device(m, "node1");
	write_one(&manifest_table[size % manifest_count], &s);
	obs_done(&o);
	model_free(m);
	policy_free((struct policy *)s.policy);
	return 0;
}
