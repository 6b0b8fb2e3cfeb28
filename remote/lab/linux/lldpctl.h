/* lldpd's text of neighbors, on hosts and on switches that run lldpd. */
#ifndef REMOTE_LAB_LINUX_LLDPCTL_H
#define REMOTE_LAB_LINUX_LLDPCTL_H

#include "core/base/mem.h"
#include "remote/lab/world/neighbor.h"

#define LLDPCTL_RULE "-------------------------------------------------------------------------------\n"
#define LLDPCTL_HEAD LLDPCTL_RULE "LLDP neighbors:\n" LLDPCTL_RULE

/* "0 day, 12:21:21" */
void lldpctl_age(int64_t age_us, char out[24]);
void lldpctl_print(const char *interface, unsigned rid, const char *age, const struct neighbor *n, unsigned ttl_s, struct buf *out);

#endif
