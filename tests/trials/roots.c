/* Roots of pause, found from counters of a second: precision and recall of each kind. roots [TRIALS OF EACH [SEED]]. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/say.h"
#include "tests/lib/trial.h"

#define BAR	0.95

int main(int argc, char **argv)
{
	struct trial_score scores[TRIAL_KINDS] = { 0 };
	unsigned trials = argc > 1 ? (unsigned)atoi(argv[1]) : 40;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct buf words = { 0 };
	bool good = true;

	for (unsigned k = 0; k < TRIAL_KINDS; k++)
		for (unsigned i = 0; i < trials; i++)
			trial_run((enum trial_kind)k, seed + i, scores, &words);
	if (words.n)
		printf("%s\n", words.text);
	printf("%-14s %7s %7s %7s %7s %8s %10s %7s\n", "KIND", "TRIALS", "WANTED", "FOUND", "NAMED", "UNKNOWN", "PRECISION", "RECALL");
	for (unsigned k = 0; k < TRIAL_KINDS; k++) {
		const struct trial_score *s = &scores[k];

		printf("%-14s %7u %7u %7u %7u %8u %9.1f%% %6.1f%%\n", trial_names[k], s->trials, s->wanted, s->found, s->named, s->unknown,
		       trial_precision(s) * 100, trial_recall(s) * 100);
		good &= trial_precision(s) >= BAR && trial_recall(s) >= BAR;
	}
	buf_done(&words);
	return good ? 0 : 1;
}
