/* The manifest of modules-load.d. */
#ifndef CORE_MANIFEST_MODPROBE_H
#define CORE_MANIFEST_MODPROBE_H

#include "core/manifest/manifest.h"

bool manifest_modprobe(const struct manifest_scene *s, struct buf *out, struct err *err);

#endif
