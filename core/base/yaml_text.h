/* A JSON tree as YAML: keys in the order they were set, texts of several lines as blocks, and quotes where a text could be
 * taken for a number, a boolean or nothing. */
#ifndef CORE_BASE_YAML_TEXT_H
#define CORE_BASE_YAML_TEXT_H

#include <jansson.h>

#include "core/base/mem.h"

void yaml_text(const json_t *tree, struct buf *out);

#endif
