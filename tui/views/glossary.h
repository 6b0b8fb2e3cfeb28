/* What names mean: checks, fields and limits, from their tables; for fabcon explain, :explain and the help. */
#ifndef TUI_VIEWS_GLOSSARY_H
#define TUI_VIEWS_GLOSSARY_H

#include "core/base/mem.h"
#include "core/model/field.h"

/* All there is to say of one, in lines; false when nothing has that name. */
bool glossary_tell(const char *id, struct buf *out);

/* The name that id is nearest to, of all that glossary_tell() knows; NULL: none is near. */
const char *glossary_near(const char *id);

/* Each name with its kind ("check", "field", "limit") and what it is in a line. */
void glossary_each(void (*each)(void *ctx, const char *id, const char *kind, const char *help), void *ctx);

/* A field's kind in words: "counter". */
const char *glossary_kind(enum kind k);

/* Limits by name, one blank between: each with its number and where that comes from. */
void glossary_limits(const char *names, struct buf *out);

#endif
