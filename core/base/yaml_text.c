#include "core/base/yaml_text.h"

#include <assert.h>
#include <stdio.h>
#include <strings.h>
#include <yaml.h>

static void put(yaml_emitter_t *e, yaml_event_t *event)
{
	if (!yaml_emitter_emit(e, event))
		assert(e->error == YAML_NO_ERROR);
}

static void scalar(yaml_emitter_t *e, const char *text, yaml_scalar_style_t style)
{
	yaml_event_t event;

	yaml_scalar_event_initialize(&event, NULL, NULL, (yaml_char_t *)text, (int)strlen(text), 1, 1, style);
	put(e, &event);
}

/* What YAML 1.1 reads as something else than a text: 101d is one to some, 1e5 and yes to all. */
static bool could_be_other(const char *text)
{
	static const char *const words[] = { "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcasecmp(text, words[i]))
			return true;
	return (*text >= '0' && *text <= '9') || strchr("+-.=<", *text);
}

static void text_of(yaml_emitter_t *e, const char *text)
{
	yaml_scalar_style_t style = could_be_other(text) ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_ANY_SCALAR_STYLE;

	scalar(e, text, strchr(text, '\n') ? YAML_LITERAL_SCALAR_STYLE : style);
}

static void node(yaml_emitter_t *e, const json_t *tree);

static void mapping(yaml_emitter_t *e, const json_t *tree)
{
	yaml_event_t event;
	const char *key;
	json_t *value;

	yaml_mapping_start_event_initialize(&event, NULL, NULL, 1,
					    json_object_size(tree) ? YAML_BLOCK_MAPPING_STYLE : YAML_FLOW_MAPPING_STYLE);
	put(e, &event);
	json_object_foreach((json_t *)tree, key, value) {
		text_of(e, key);
		node(e, value);
	}
	yaml_mapping_end_event_initialize(&event);
	put(e, &event);
}

static void sequence(yaml_emitter_t *e, const json_t *tree)
{
	yaml_event_t event;
	json_t *value;
	size_t i;

	yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE);
	put(e, &event);
	json_array_foreach(tree, i, value)
		node(e, value);
	yaml_sequence_end_event_initialize(&event);
	put(e, &event);
}

static void node(yaml_emitter_t *e, const json_t *tree)
{
	char number[32];

	switch (json_typeof(tree)) {
	case JSON_OBJECT:
		mapping(e, tree);
		return;
	case JSON_ARRAY:
		sequence(e, tree);
		return;
	case JSON_STRING:
		text_of(e, json_string_value(tree));
		return;
	case JSON_INTEGER:
		snprintf(number, sizeof(number), "%lld", (long long)json_integer_value(tree));
		scalar(e, number, YAML_PLAIN_SCALAR_STYLE);
		return;
	default:
		scalar(e, json_is_true(tree) ? "true" : json_is_false(tree) ? "false" : "null", YAML_PLAIN_SCALAR_STYLE);
	}
}

static int on_bytes(void *ctx, unsigned char *bytes, size_t n)
{
	buf_add(ctx, bytes, n);
	return 1;
}

void yaml_text(const json_t *tree, struct buf *out)
{
	yaml_emitter_t e;
	yaml_event_t event;

	yaml_emitter_initialize(&e);
	yaml_emitter_set_output(&e, on_bytes, out);
	yaml_emitter_set_width(&e, -1);
	yaml_emitter_set_unicode(&e, 1);
	yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING);
	put(&e, &event);
	yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1);
	put(&e, &event);
	node(&e, tree);
	yaml_document_end_event_initialize(&event, 1);
	put(&e, &event);
	yaml_stream_end_event_initialize(&event);
	put(&e, &event);
	yaml_emitter_delete(&e);
}
