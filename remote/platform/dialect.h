/*
 * How the settings of a platform's devices are changed. A dialect knows the device's configuration in a normal form, a text
 * of lines that can be compared byte for byte; how an edit changes that text; and which commands lead from one such text to
 * another. Doing and undoing are the same function with its two texts exchanged. Pure: no I/O, no clock.
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
	 * The whole configuration in normal form, from what the model has heard: its facts (linux), or the raw reply of a
	 * configuration probe (os10, sonic). False, with the reason, when it is not known whole.
	 */
	bool (*setup)(const struct model *m, const struct device *d, struct buf *out, struct err *err);
	/* The part of it that concerns these edits: what is read and written. */
	void (*part)(struct span setup, const struct edit *edits, size_t n, struct buf *out);
	/* The same text with the edits made. False, with the reason, when one cannot be (a VF, a bond, a range, …). */
	bool (*edit)(struct span setup, const struct edit *edits, size_t n, struct buf *after, struct err *err);
	/*
	 * Commands that lead from one whole text to the other, into step->lines, files and (undo) from any state that those
	 * commands may have stopped in back again; save, save_note and disturbs too. Texts live in arena. Every name and word
	 * that comes from a device goes through core/base/template.h.
	 */
	bool (*commands)(struct span from, struct span to, const struct dialect_place *place, struct arena *arena,
			 struct fix_step *step, struct err *err);
	/*
	 * The whole text, whose part is now after, with base in that part's place: what was kept is taken back to the byte.
	 * NULL: the edits the other way round do that.
	 */
	bool (*restore)(struct span setup, struct span base, struct span after, struct buf *back, struct err *err);
	bool lines_in_cli;		/* lines are typed at its command line, in configuration mode; else run by its shell */
	const char *const *enter;	/* lines_in_cli: before ("configure terminal") … */
	const char *const *leave;	/* … and after ("end"); NULL-terminated */
	/*
	 * lines_in_cli: the undo that is armed on the device has nobody to type it. undo_script adds sh that types the lines
	 * into the device's own command line, from enter to leave, and goes on after a line that is refused; its status is
	 * that of the whole. rehearse is sh that reads something harmless by the same way: a status other than 0 says that
	 * this device cannot be armed, and its output why. Both are run as root. NULL: undo lines are sh themselves.
	 */
	void (*undo_script)(const struct fix_lines *undo, struct buf *sh);
	const char *rehearse;
	/*
	 * Adds sh that is run as root after the files were written and before the timer starts: a checkpoint that undo needs.
	 * A status other than 0 ends the arming, with the last line it said as the reason. May be NULL.
	 */
	void (*prepare)(const struct fix_step *step, const struct dialect_place *place, struct buf *sh);
	/* Adds sh, run as root, that takes away what prepare made, when undo is needed no more; undo lines do it themselves. */
	void (*tidy)(const struct fix_step *step, const struct dialect_place *place, struct buf *sh);
	/*
	 * Whether every answer that setup stands on came whole since then (since_us 0: ever); err names the one that did not.
	 * NULL: setup alone decides.
	 */
	bool (*is_whole)(const struct device *d, int64_t since_us, struct err *err);
};

#endif
