/* What parsers of tools' outputs share: why a tool refused, lines of "path:value", JSON after noise. */
#ifndef REMOTE_PLATFORM_TOOL_OUTPUT_H
#define REMOTE_PLATFORM_TOOL_OUTPUT_H

#include <jansson.h>

#include "remote/platform/platform.h"

#define REASON_MAX 128

/*
 * Why the tool did not say what it was asked, as its status or its text tells; NULL when nothing says it refused.
 * Written to reason, in words and printable.
 */
const char *refusal(const struct answer *a, const char *tool, char reason[REASON_MAX]);

/* The port of a per-port answer; OBS_DEVICE when it was not given. */
uint16_t answer_port(const struct answer *a, struct obs *o);

/* Every index of the field is unknown, for that reason. */
void unknown_all(struct obs *o, uint16_t port, enum field f, const char *reason);

/* "port NAME" lines, which the collector puts ahead of a whole-host tool: takes the next one's name off *rest. */
bool next_port_line(struct span *rest, struct span *name);

/* Whether one of the facts added last (a few dozens are looked at) says this field of this port. */
bool says_lately(const struct obs *o, uint16_t port, enum field f, unsigned index);

/* "a: b" cut at the first ": " or ":", both trimmed. */
bool key_value(struct span line, struct span *key, struct span *value);

/* The next JSON object or array in *rest, after anything else; NULL when there is none. Yours to json_decref(). */
json_t *next_json(struct span *rest);
struct span json_span(const json_t *string);

#endif
