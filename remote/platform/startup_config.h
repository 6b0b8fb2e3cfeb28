/*
 * Whether a switch's next boot reads what runs now: the first line of a whole configuration in normal form, where the
 * switch has told it, since nothing of what runs says so. It is of the part only when saving is all that is to be done;
 * else saving comes after what was done is verified.
 */
#ifndef REMOTE_PLATFORM_STARTUP_CONFIG_H
#define REMOTE_PLATFORM_STARTUP_CONFIG_H

#include "core/fix/edit.h"

enum saved { SAVED_UNKNOWN = -1, SAVED_NO, SAVED_YES };

/* Takes the line off the front of a text. */
enum saved startup_config_take(struct span *text);
/* Nothing for SAVED_UNKNOWN. */
void startup_config_print(enum saved saved, struct buf *out);
bool startup_config_wants_saving(const struct edit *edits, size_t n);
bool startup_config_wants_only_saving(const struct edit *edits, size_t n);

/* Why a step is not saved: to save is to save everything, and what somebody else has not saved yet is not ours to keep. */
extern const char startup_config_is_not_ours[];

#endif
