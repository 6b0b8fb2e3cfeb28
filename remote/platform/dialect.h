/*
 * How the settings of a platform's devices are changed. A dialect knows the device's configuration in a normal form (lines of
 * text that can be compared byte for byte), how an edit changes that text, and which commands turn one such text into
 * another. Apply and rollback are the same function with the two texts exchanged. Pure: no I/O, no clock.
 */
#ifndef REMOTE_PLATFORM_DIALECT_H
#define REMOTE_PLATFORM_DIALECT_H

#include "core/fix/plan.h"
#include "core/model/model.h"

/* Where commands will be run; lent. */
struct dialect_place {
	const char *device;
	const char *dir;		/* fix_step_dir() */
	const char *name;		/* fix_step_name() */
};

struct dialect {
	/* Whether it can set the field on a port, or on the device. */
	bool (*can_set)(enum field f, bool of_port);
	/*
	 * The whole configuration in normal form, from the model: its facts (linux), or the raw reply of a configuration probe
	 * (os10, sonic). False, with the reason, when it is not completely known.
	 */
	bool (*setup)(const struct model *m, const struct device *d, struct buf *out, struct err *err);
	/* The part of it that these edits read and write. */
	void (*part)(struct span setup, const struct edit *edits, size_t n, struct buf *out);
	/* The same text with the edits applied. False, with the reason, when one is impossible (a VF, a bond, a range, …). */
	bool (*edit)(struct span setup, const struct edit *edits, size_t n, struct buf *after, struct err *err);
	/*
	 * Commands that turn the first text into the second, in step->lines and files; and back, in undo, from any point at which
	 * the lines may have stopped. Also sets save, save_note and disturbs. Texts live in arena. Every name and word from a
	 * device goes through core/base/template.h.
	 */
	bool (*commands)(struct span from, struct span to, const struct dialect_place *place, struct arena *arena,
			 struct fix_step *step, struct err *err);
	/*
	 * The whole text, whose part is now after, with that part replaced by base: rolls a kept change back byte for byte.
	 * NULL: the reversed edits do that.
	 */
	bool (*restore)(struct span setup, struct span base, struct span after, struct buf *back, struct err *err);
	/* Why the commands cannot be typed at this device: its release lacks one. NULL: they can. May be NULL. */
	const char *(*lacks)(const struct device *d);
	/* A first line that only waits: lines may begin with it or not, depending on the moment. NULL: there is none. */
	const char *waits;
	/*
	 * Lines that begin so are run a second time where their output has these words: their tool then reports a failure of what it
	 * has done. Running them twice changes nothing more. NULL: there are none.
	 */
	const char *misreading, *misread;
	bool lines_in_cli;		/* lines are typed at its command line, in configuration mode; otherwise its shell runs them */
	const char *const *enter;	/* lines_in_cli: before ("configure terminal") … */
	const char *const *leave;	/* … and after ("end"); NULL-terminated */
	/*
	 * lines_in_cli: nobody is there to type the undo armed on the device. undo_script adds sh that types the lines into the
	 * device's own command line, from enter to leave, and continues after a rejected line; its status is that of the whole.
	 * rehearse is sh that reads something harmless the same way: a status other than 0 means that this device cannot be
	 * armed, and the output gives the reason. Both run as root. NULL: undo lines are sh themselves.
	 */
	void (*undo_script)(const struct fix_lines *undo, struct buf *sh);
	const char *rehearse;
	/*
	 * Adds sh that runs as root after the files are written and before the timer starts: a checkpoint that undo needs.
	 * A status other than 0 ends the arming, with its last line of output as the reason. May be NULL.
	 */
	void (*prepare)(const struct fix_step *step, const struct dialect_place *place, struct buf *sh);
	/* Adds sh, run as root, that removes what prepare created once undo is no longer needed; undo lines do so themselves. */
	void (*tidy)(const struct fix_step *step, const struct dialect_place *place, struct buf *sh);
	/*
	 * Whether every reply that setup uses was complete since then (since_us 0: ever); err names the one that was not.
	 * NULL: setup alone decides.
	 */
	bool (*is_whole)(const struct device *d, int64_t since_us, struct err *err);
};

#endif
