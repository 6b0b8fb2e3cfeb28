/*
 * Who sets a host's settings besides us: at its boot, or again and again. What can be seen of that from the host itself: our
 * own unit that is enabled, an operator's pod that runs there. Nobody seen is not nobody.
 */
#ifndef CORE_FIX_OWNER_H
#define CORE_FIX_OWNER_H

#include "core/fix/edit.h"
#include "core/model/model.h"

/* How a dialect's note begins that says so. */
#define OWNER_FORGETS "lost at reboot"

/*
 * Adds what becomes of these edits of a host after a boot or a reconcile, and which manifest is the fix that stays.
 *
 * policy	that the edits are made from
 * otherwise	what is said of settings that nobody is seen to keep; may be NULL
 */
void owner_words(const struct model *m, const struct device *d, const struct edit *edits, size_t n, const char *policy,
		 const char *otherwise, struct buf *out);

/* Which manifest keeps such a setting on that host: "systemd", "machineconfig", "daemonset". */
const char *owner_manifest(const struct device *d);

#endif
