/* Between the files of core/manifest*.c. */
#ifndef CORE_MANIFEST_INTERNAL_H
#define CORE_MANIFEST_INTERNAL_H

#include <jansson.h>

#include "core/manifest/manifest.h"

#define MANIFEST_SCRIPT	"/etc/fabcon/roce.sh"

/* What the policy wants of a host (or switch), or -1: it says nothing. */
int64_t manifest_want(const struct manifest_scene *s, bool of_switch, enum field f, unsigned index);
/* "24:3 26:3": each index that something is wanted of. */
void manifest_pairs(const struct manifest_scene *s, bool of_switch, enum field f, struct buf *out);

/* The ports of the device that RoCE goes over: physical functions of a host, front ports of a switch that are up. */
size_t manifest_ports(const struct manifest_scene *s, const struct port *out[], size_t most);
#define MANIFEST_PORTS	64

/* The sh text that puts a host's settings right: all that differs, nothing else. */
void manifest_script(const struct manifest_scene *s, struct buf *out);

bool manifest_systemd(const struct manifest_scene *s, struct buf *out, struct err *err);
bool manifest_udev(const struct manifest_scene *s, struct buf *out, struct err *err);
bool manifest_networkmanager(const struct manifest_scene *s, struct buf *out, struct err *err);
bool manifest_nccl_env(const struct manifest_scene *s, struct buf *out, struct err *err);
bool manifest_machineconfig(const struct manifest_scene *s, struct buf *out, struct err *err);
bool manifest_daemonset(const struct manifest_scene *s, struct buf *out, struct err *err);
bool manifest_nicconfigurationtemplate(const struct manifest_scene *s, struct buf *out, struct err *err);
bool manifest_sriovnetworknodepolicy(const struct manifest_scene *s, struct buf *out, struct err *err);
bool manifest_networkattachmentdefinition(const struct manifest_scene *s, struct buf *out, struct err *err);
bool manifest_os10(const struct manifest_scene *s, struct buf *out, struct err *err);
bool manifest_sonic(const struct manifest_scene *s, struct buf *out, struct err *err);

/* For systemd and MachineConfig alike. */
extern const char manifest_modules[], manifest_service[], manifest_drift[], manifest_timer[];

#endif
