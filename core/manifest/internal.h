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

/*
 * The ports of a host that RoCE of the fabric is known to go over, up or not: what a manifest may name. Never the port that
 * our session comes in by, InfiniBand, or a port without RDMA; where cables are known, only ports with one to a device that
 * was read. Returns how many; 0: none, and err says why, or asks for the node of "emit KIND NODE".
 */
size_t manifest_fabric(const struct manifest_scene *s, const char *kind, const struct port *out[MANIFEST_PORTS], struct err *err);
/* Comment lines, "# Left out: eth0 (…)": a host's ports that are not among those. */
void manifest_left_out(const struct manifest_scene *s, struct buf *out);

/* The sh text that puts a host's settings right: all that differs on its fabric ports, nothing else. */
bool manifest_script(const struct manifest_scene *s, const char *kind, struct buf *out, struct err *err);

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
