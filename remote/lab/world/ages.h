/*
 * How long something has been as it is on a device: since its boot, since its counters began, since its link changed. All of
 * it by the devices' clock. A device whose counters are weeks old has been up for those weeks.
 */
#ifndef REMOTE_LAB_WORLD_AGES_H
#define REMOTE_LAB_WORLD_AGES_H

#include "remote/lab/world/fabric.h"

#define LLDP_TTL_S	120

int64_t device_up_us(const struct fabric *f, const struct lab_device *d);
int64_t counters_age_us(const struct fabric *f, const struct lab_port *p);
/* Since its link went up or down, or its cable to another port. */
int64_t link_age_us(const struct fabric *f, const struct lab_port *p);
/* Seconds until p forgets its neighbor, who says who it is as the link comes up and each 30 s. */
unsigned lldp_valid_s(const struct fabric *f, const struct lab_port *p, unsigned ttl_s);

/* Called whenever links may have changed: a port's link_peer and link_us. */
void ages_look(struct fabric *f);

#endif
