/*
 * Commands that change something, a row each, for checks whose settings the fix engine does not write. Sources: iproute2's ip(8) and
 * rdma(8); systemctl(1); modprobe(8); NCCL's environment variables; sonic-utilities' Command-Reference; Dell's OS10 user guides.
 */
#include "core/remedy/remedy.h"

#define THE_JOBS_OWNER		"the job's owner"
#define OF_THE_JOB		"holds for jobs started with it; change /etc/nccl.conf and ~/.nccl.conf where they set it, too"
#define AFTER_SONIC_SAVE	"survives a reboot after sudo config save -y"

const struct remedy_change change_table[] = {
/* The host and its job */
{ "lldpad-off", "linux", "sudo systemctl disable --now lldpad.socket lldpad.service",
  .disturbs = "DCB settings of FCoE and iSCSI ports are no longer maintained", .persists = "survives a reboot" },
{ "app-gpu-direct", "linux", "sudo modprobe nvidia_peermem", .persists = "lost at reboot unless /etc/modules-load.d lists it" },
{ "app-uses-ib", "linux", "unset NCCL_NET NCCL_IB_DISABLE", .persists = OF_THE_JOB, .who = THE_JOBS_OWNER },
{ "app-uses-all-hcas", "linux", "unset NCCL_IB_HCA", .disturbs = "NCCL then also uses storage and management NICs",
  .persists = OF_THE_JOB, .who = THE_JOBS_OWNER },
{ "app-gid-is-v2 app-gid-alike", "linux", "unset NCCL_IB_GID_INDEX", .persists = OF_THE_JOB "; NCCL 2.21 and later select the GID",
  .who = THE_JOBS_OWNER },
{ "app-tos-as-wanted", "linux", "export NCCL_IB_TC={tos}", .persists = OF_THE_JOB, .who = THE_JOBS_OWNER },

/* The port */
{ "rdma-hardware", "linux", "sudo rdma link delete {rdma}", .disturbs = "programs that use the Soft-RoCE device lose it",
  .persists = "survives a reboot unless a boot-time file adds the link again" },
{ "counters-move", "sonic", "sudo counterpoll port enable\nsudo counterpoll queue enable", .persists = AFTER_SONIC_SAVE },
};
const size_t change_count = sizeof(change_table) / sizeof(*change_table);
