/* What the bring-up of a session reads: its fabric, and what its tests are judged against. Lent by the session. */
#ifndef TUI_BRINGUP_FABRIC_OF_H
#define TUI_BRINGUP_FABRIC_OF_H

#include "core/bringup/rack.h"
#include "core/bringup/tests.h"
#include "tui/session/session.h"

static inline struct bringup_fabric bringup_fabric_of(const struct session *s)
{
	return (struct bringup_fabric){ session_model(s), session_links(s), session_inventory(s), session_findings(s) };
}

static inline struct bringup_marks bringup_marks_of(const struct session *s)
{
	return (struct bringup_marks){ session_policy(s), session_inventory(s) };
}

#endif
