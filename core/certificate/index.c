#include "core/certificate/internal.h"

#include <stdlib.h>

const char *certificate_key(struct arena *a, size_t n, const char *const *texts)
{
	struct buf key = { 0 };
	const char *kept;

	for (size_t i = 0; i < n; i++) {
		if (texts[i])
			buf_printf(&key, "%zu:%s;", strlen(texts[i]), texts[i]);
		else
			buf_str(&key, "-;");
	}
	kept = arena_text(a, key.text, key.n);
	buf_done(&key);
	return kept;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **certificate_keys(const json_t *object)
{
	const char **keys = xcalloc(json_object_size(object) + 1, sizeof(*keys)), *key;
	json_t *value;
	size_t n = 0;

	json_object_foreach((json_t *)object, key, value)
		keys[n++] = key;
	qsort(keys, n, sizeof(*keys), by_text);
	return keys;
}
