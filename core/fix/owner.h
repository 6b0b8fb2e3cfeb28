/*
 * Who else sets a host's settings, at boot or repeatedly, as far as the host itself shows it: our own enabled unit, or an
 * operator's pod running there. Not seeing an owner does not prove that there is none.
 */
#ifndef CORE_FIX_OWNER_H
#define CORE_FIX_OWNER_H

#include "core/fix/edit.h"
#include "core/model/model.h"

/* The beginning of a dialect's note that reports this. */
#define OWNER_FORGETS "lost at reboot"

/*
 * Adds what a boot or a reconcile does to these edits of a host, and which manifest makes the fix persistent.
 *
 * policy	the policy that the edits are made from
 * otherwise	text for settings without a visible owner; may be NULL
 */
void owner_words(const struct model *m, const struct device *d, const struct edit *edits, size_t n, const char *policy,
		 const char *otherwise, struct buf *out);

/* Which manifest persists such a setting on that host: "systemd", "machineconfig", "daemonset". */
const char *owner_manifest(const struct device *d);

#endif
