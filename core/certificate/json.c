/* The object itself: sorted keys, a value a line, ASCII. Reading it back gives the same seal. */
#include "core/certificate/internal.h"

void certificate_json(const json_t *certificate, struct buf *out)
{
	certificate_canonical(certificate, 1, true, out);
	buf_str(out, "\n");
}
