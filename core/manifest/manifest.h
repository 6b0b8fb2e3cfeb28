/*
 * Manifests: what owns a setting over reboots and beside other owners, as a text to be reviewed and applied by whoever runs
 * the host, the cluster or the switch. Nothing here is sent anywhere. Values are the policy's; names of ports and RDMA
 * devices are the target's, where one is given and known. What sets a host's ports names them: without a target it is refused.
 */
#ifndef CORE_MANIFEST_MANIFEST_H
#define CORE_MANIFEST_MANIFEST_H

#include "core/fabric/link.h"
#include "core/model/model.h"
#include "core/policy/policy.h"

struct manifest_scene {
	const struct policy *policy;
	const struct model *model;	/* NULL: nothing was read */
	const struct device *device;	/* of the model; NULL: no one in particular */
	const struct links *links;	/* NULL: no cable is known */
};

struct manifest {
	const char *kind;		/* "systemd" */
	const char *title;		/* what it is */
	const char *owns;		/* which settings */
	const char *applied;		/* by which command, with {fabcon} and {node}; "-" is this text */
	bool is_of_switch;
	bool (*write)(const struct manifest_scene *s, struct buf *out, struct err *err);
};

extern const struct manifest manifest_table[];
extern const size_t manifest_count;
const struct manifest *manifest_find(const char *kind);
/* Adds how it is applied: fabcon as it is called here, and the host's name; node NULL: "NODE". */
void manifest_applied(const struct manifest *m, const char *fabcon, const char *node, struct buf *out);

#endif
