/* No verdict improves when a cell is taken away. */
#include "tests/states/exceptions.h"
#include "tests/states/statements.h"

#define TAKEN_EACH	8	/* cells taken away, one after the other */

static bool improves(enum verdict_class before, enum verdict_class after)
{
	return before >= CLASS_UNKNOWN && after <= CLASS_NA;
}

/* Of the fabric as a whole the ledger lists what is wrong alone: whether that is cleared shows in the one that goes on. */
static bool is_compared(const struct check *check, size_t ledger, enum verdict_class was)
{
	return check->of != OF_FABRIC || (ledger == 1 && was == CLASS_BAD);
}

static void compare_place(const struct judged_state *j, const struct verdicts *before, const struct verdicts *after, size_t place,
			  const struct evidence *cell, enum taken how)
{
	for (size_t row = 0; row < check_count; row++)
		for (size_t ledger = 0; ledger < 2; ledger++) {
			enum verdict_class was = (enum verdict_class)before->classes[ledger][place * check_count + row];
			enum verdict_class is = (enum verdict_class)after->classes[ledger][place * check_count + row];
			const struct check *check = &check_table[row];

			if ((was == CLASS_NA && is == CLASS_NA) || !is_compared(check, ledger, was))
				continue;
			tally.verdicts++;
			if (improves(was, is) && !exceptions_allow_better(j, check, cell, how, was))
				tally_broken("monotone%s: %s from %s to %s without %s%s", ledger ? " (going ledger)" : "", check->id,
					     verdicts_class_name(was), verdicts_class_name(is), field_table[cell->field].name,
					     how == TAKEN_UNKNOWN ? " (unknown)" : "");
			if (how == TAKEN_UNKNOWN && was != CLASS_BAD && is == CLASS_BAD && !exceptions_allow_worse(check, cell->field))
				tally_broken("monotone%s: %s is wrong because %s is unknown", ledger ? " (going ledger)" : "", check->id,
					     field_table[cell->field].name);
		}
}

static void compare_verdicts(const struct judged_state *j, const struct verdicts *before, const struct verdicts *after,
			     const struct evidence *cell, enum taken how)
{
	bool is_same = true;

	for (size_t i = 0; i < before->n_ports; i++) {
		bool is_alike = verdicts_are_of_the_same(before, after, i);

		is_same &= is_alike;
		if (is_alike)
			compare_place(j, before, after, i, cell, how);
		else if (!exceptions_allow_another(cell->field))
			tally_broken("monotone: without %s another thing is judged", field_table[cell->field].name);
	}
	for (size_t i = before->n_ports; is_same && i <= before->n_ports + before->n_devices; i++)
		compare_place(j, before, after, i, cell, how);
}

/* One that a finding, or what is not known, stands on; else any. */
static bool choose_cell(struct judged_state *j, struct evidence *out)
{
	const struct finding *f = j->n_open ? j->open[states_below(&j->s, j->n_open)] : NULL;

	if (f && f->n_evidence && states_below(&j->s, 3) > 0) {
		*out = f->evidence[states_below(&j->s, f->n_evidence)];
		return true;
	}
	return states_any_cell(&j->s, f && states_below(&j->s, 2) ? f->device : NULL, out);
}

void monotone_compare(struct judged_state *j)
{
	struct acquitted acquitted, less;
	struct verdicts before, after;
	struct evidence cell;

	verdicts_of(j, &before);
	acquittal_of(j, &acquitted);
	for (unsigned i = 0; i < TAKEN_EACH; i++) {
		enum taken how = (enum taken)states_below(&j->s, TAKEN_WAYS);

		if (!choose_cell(j, &cell) || field_table[cell.field].flags & FIELD_SHY || !states_take(&j->s, &cell, how))
			continue;
		tally.cells++;
		judged_state_anew(j);
		judged_state_go_on(j);
		verdicts_of(j, &after);
		compare_verdicts(j, &before, &after, &cell, how);
		verdicts_done(&before);
		before = after;
		acquittal_of(j, &less);
		acquittal_compare(j, &acquitted, &less, &cell, how);
		acquitted = less;
	}
	verdicts_done(&before);
}
