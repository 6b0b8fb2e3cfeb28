/* The causes that are named, beside the findings. */
#include "tests/states/statements.h"

#include "core/diagnose/cause_ranking.h"

static bool has_sign(const struct known_cause *cause, const struct finding *f)
{
	for (size_t i = 0; i < SIGNS_MAX && cause->signs[i].check; i++)
		if (strcmp(cause->signs[i].check, f->check->id) == 0)
			return true;
	return false;
}

/* Each cause that is named stands on a finding that is open, on an answer of the tree, or on a log. */
void causes_stand_on_findings(struct judged_state *j, size_t *n)
{
	struct diagnosis d = { 0 };
	struct asking a;

	judged_state_diagnose(j, &d, NULL, NULL);
	for (size_t i = 0; i < d.n_suspects; i++) {
		const struct suspect *s = &d.suspects[i];
		bool stands = false;

		for (size_t k = 0; k < s->n_notes; k++) {
			const struct note *note = &s->notes[k];

			++*n;
			stands |= note->is == NOTE_FOR && note->finding && has_sign(s->cause, note->finding);
			stands |= note->is == NOTE_FOR && !note->finding && note->n_evidence;
			if (note->finding && !note->finding->is_open)
				tally_broken("causes: %s stands on %s, which is closed", s->cause->id, note->finding->check->id);
		}
		if (s->is_named && s->cause->asked.question) {
			question_ask(&a, &d, question_find(d.of.tree, s->cause->asked.question));
			stands |= a.answer == s->cause->asked.answer;
		}
		if (s->is_named && !stands)
			tally_broken("causes: %s is named and stands on nothing", s->cause->id);
	}
	diagnosis_done(&d);
}

/* That a finding of this check shows the cause, whatever else is so. */
static bool is_shown_by(const struct known_cause *cause, const struct finding *f)
{
	for (size_t i = 0; i < SIGNS_MAX && cause->signs[i].check; i++)
		if (strcmp(cause->signs[i].check, f->check->id) == 0 && !cause->signs[i].fits)
			return true;
	return false;
}

static bool is_noted(const struct diagnosis *d, const struct finding *f)
{
	for (size_t i = 0; i < d->n_suspects; i++)
		for (size_t k = 0; k < d->suspects[i].n_notes; k++)
			if (d->suspects[i].is_named && d->suspects[i].notes[k].finding == f)
				return true;
	return false;
}

/* A finding that nothing explains, and that shows a cause by itself, has that cause named. */
void causes_are_named(struct judged_state *j, size_t *n)
{
	struct diagnosis d = { 0 };

	judged_state_diagnose(j, &d, NULL, NULL);
	for (size_t i = 0; i < j->n_open; i++)
		for (size_t k = 0; k < known_cause_count && j->open[i]->verdict >= VERDICT_LOOK && !j->open[i]->cause; k++) {
			if (!is_shown_by(&known_causes[k], j->open[i]))
				continue;
			++*n;
			if (!is_noted(&d, j->open[i]))
				tally_broken("causes: none is named for %s, a sign of %s", j->open[i]->check->id, known_causes[k].id);
		}
	diagnosis_done(&d);
}
