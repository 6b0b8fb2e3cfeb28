/* What gather() began, kept going: for recording. */
#ifndef TUI_GATHER_H
#define TUI_GATHER_H

#include <stdint.h>

/* Runs the open fabric for that long, or until Ctrl-C when for_us is 0. */
void gather_run(int64_t for_us);

#endif
