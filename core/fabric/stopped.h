/*
 * The part of the time that a port may not send on a priority, because its peer pauses it. One figure, for the findings, the
 * pause trees, the list of ports, the overview and what is exported of them; with its window, and whose counter it is.
 */
#ifndef CORE_FABRIC_STOPPED_H
#define CORE_FABRIC_STOPPED_H

#include "core/model/model.h"

/* What a share stands on. Frames bound it from above only: one frame stops for 65535 quanta or for none. */
enum pause_basis { PAUSE_BY_NOTHING, PAUSE_BY_FRAMES, PAUSE_BY_TIME };

#define STOPPED_SAMPLES	3	/* the newest: that share is the mean of, and lasting the least */

struct stopped {
	enum pause_basis basis;		/* PAUSE_BY_NOTHING: it is not known, and share is 0 */
	double share;			/* 0 … 1; by frames: at most */
	double lasting;			/* 0 where there are fewer samples */
	double newest;			/* of the last sample alone */
	double frames_per_s;		/* NAN: not known */
	unsigned samples;		/* that there are, up to STOPPED_SAMPLES */
	int64_t window_us;		/* the time that they are of; 0: not known */
	const struct port *by;		/* whose counter says so: held, or its peer; NULL: by nothing */
	enum field field;		/* which: pfc.rx_us, pfc.rx or their mirrors pfc.tx_us, pfc.tx */
};

/*
 * held: the port that waits; holder: its peer, who sends the pause; either may be NULL (not read). Its own counter is taken
 * before the mirror at its peer, times before frames. False: neither end tells.
 */
bool stopped_of(const struct model *m, const struct port *held, const struct port *holder, unsigned prio, struct stopped *out);

/* In percent, as every surface writes it: "0", "<0.1", "4.2", "38". */
#define SHARE_TEXT 16
const char *share_text(char out[SHARE_TEXT], double share);

/* And in a sentence: "38 % of the last 3 s"; "38 % of the time" where the window is not known. */
#define STOPPED_TEXT 48
const char *stopped_text(char out[STOPPED_TEXT], double share, int64_t window_us);

#endif
