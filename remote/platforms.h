/* Every platform that is known. */
#ifndef REMOTE_PLATFORMS_H
#define REMOTE_PLATFORMS_H

#include "remote/platform/dialect.h"
#include "remote/platform/platform.h"

/* In the order in which they are asked whether a device is theirs: the particular before the general. */
extern const struct platform *const platform_table[];
extern const size_t platform_count;

const struct platform *platform_find(const char *id);
/* Whose banner stands in the text before login; NULL: that tells nothing. */
const struct platform *platform_of_banner(struct span banner);
/* The first row whose is_it() says yes, or NULL: unknown, to be left alone. */
const struct platform *platform_identify(struct span identification);

/*
 * How old the counters of a probe's answer may be, in µs; 0: they are of now. A recording has the probe's name alone; where
 * platforms share it, the longest counts.
 */
int64_t platforms_refresh_us(const char *probe);

/* How the settings of a platform's devices are changed; NULL: they never are. */
const struct dialect *dialect_find(const char *platform);
/* For fix_scene. */
bool dialect_can_set(const char *platform, enum field f, bool of_port);

#endif
