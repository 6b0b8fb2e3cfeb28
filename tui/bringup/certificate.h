/* The certificate of a bring-up (core/certificate/certificate.h), filled from a session: a recording's, or a live one's of today. */
#ifndef TUI_BRINGUP_CERTIFICATE_H
#define TUI_BRINGUP_CERTIFICATE_H

#include <jansson.h>

#include "core/bringup/rack.h"
#include "tui/bringup/record.h"

/*
 * rack: as the session stands at the end of the bring-up. record: judged; NULL: today's state of a rack, of which nothing was tested.
 * Sealed; yours. NULL, and why: what was read is not of the certificate's form.
 */
json_t *bringup_certificate(struct session *s, const struct bringup_rack *rack, const struct bringup_record *record, struct err *err);

/* The stages of a NIC, each with its state and why; also what fabcon bringup -o json has. */
json_t *bringup_stages_json(const struct bringup_unit *u, const struct findings *findings);

#endif
