/* All that a device is set to: taken, compared, put back, and printed in a form of the fabric's own. */
#ifndef REMOTE_LAB_WORLD_SETTINGS_H
#define REMOTE_LAB_WORLD_SETTINGS_H

#include "remote/lab/world/fabric.h"

struct setup;

struct setup *setup_take(const struct fabric *f, const struct lab_device *d);
struct setup *setup_copy(const struct setup *s);
void setup_free(struct setup *s);
bool setup_same(const struct setup *a, const struct setup *b);
/* The same in all that a tool can show or set. */
bool setup_reads_same(const struct setup *a, const struct setup *b);
void setup_put(struct fabric *f, struct lab_device *d, const struct setup *s);
/* What differs from was to now is made so in boot too, unless the device keeps a startup configuration of its own. */
void setup_merge(struct setup *boot, const struct setup *was, const struct setup *now);
/* The device comes up: with its own startup configuration, or else with boot. */
void setup_boot(struct fabric *f, struct lab_device *d, const struct setup *boot);

/* In order, the same text for the same settings. is_saved: its startup configuration, where it has one. */
void setup_print(const struct fabric *f, const struct lab_device *d, bool is_saved, struct buf *out);

#endif
