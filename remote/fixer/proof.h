/*
 * A plan proves itself. Nothing that a plan file says about a device is trusted: before anything is armed, every step is made
 * again from its edits and the device as just read, and a plan that says anything else is refused. Pure: no I/O, no clock.
 *
 * Not proved, because nothing that is sent depends on it: id, made_us, fabric, policy, title, finding and each edit's why. What is
 * never set is judged by the loaded policy, whatever policy the plan names.
 */
#ifndef REMOTE_FIXER_PROOF_H
#define REMOTE_FIXER_PROOF_H

#include "core/fix/fix.h"
#include "core/fix/plan.h"

/* The devices as read: those of one batch are enough. policy NULL: what needs one is not judged. */
struct proof_scene {
	const struct model *model;
	const struct policy *policy;
	const struct inventory *inventory;
};

/*
 * The device is as before the step. What each edit says was there, base, after, lines, undo, save, files, disturbs, ports and
 * save_note must be what the planner makes now. err: the first difference, with what the plan says and what the device and the
 * edits give.
 *
 * A plan may differ from what is made now only where the device may have changed without an effect on the lines:
 *	it does not save (the device had unsaved changes when it was planned);
 *	it waits for a driver that is ready by now, or the other way round;
 *	it warns of another agent that no longer runs.
 */
bool proof_of_step(const struct proof_scene *s, const struct fix_plan *p, size_t step, struct err *err);

/* The device is as after the step: what is still sent to it is the save. */
bool proof_of_save(const struct proof_scene *s, const struct fix_plan *p, size_t step, struct err *err);

/*
 * Units and batches, as far as the plan and what was read can tell. From the plan alone: edits in order and none twice, one
 * kind of change in a unit, one step per device, switches before hosts, at most two ports (the ends of a link), a canary at the
 * start of each kind, batches that no more than double, no device twice in one batch. With the links that both ends' LLDP
 * shows: both ends of a link in one unit, and no two units of a batch that touch one device.
 */
bool proof_of_order(const struct proof_scene *s, const struct fix_plan *p, struct err *err);

/* The inverse of a step that was kept: the edits must lead from back, the configuration to be restored, to the step's after. */
bool proof_of_inverse(const struct fix_step *s, struct span back, struct err *err);

#endif
