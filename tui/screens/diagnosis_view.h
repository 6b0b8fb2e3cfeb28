/* What the Diagnose screen is about: a part of the fabric, a tree, and the answers of a person. */
#ifndef TUI_SCREENS_DIAGNOSIS_VIEW_H
#define TUI_SCREENS_DIAGNOSIS_VIEW_H

#include "core/diagnose/acquittal.h"
#include "tui/views/subject.h"

#define GIVEN_MAX 32

struct view_of;
struct views;

struct diagnose_view {
	struct diagnosis diagnosis;	/* made again when the model moves, */
	struct acquittal acquittal;	/* and of it whether the network is the cause */
	uint64_t serial;
	bool is_made;
	uint64_t last;			/* key of the list's last row; 0: not shown yet */
	char device[128], port[128];	/* what is asked about; empty: all */
	bool is_seed;			/* by the seed's tree, not the usual one */
	struct {
		char question[16];
		bool yes;
		char reason[120];
	} given[GIVEN_MAX];		/* oldest first */
	size_t n_given;
	char answering[16];		/* the question that an answer is being typed to */
};

struct diagnose_view *diagnosis_of(struct views *v);
/* As of now. */
const struct diagnosis *diagnose_now(const struct view_of *of, struct views *v);
/* Before the model goes away. */
void diagnose_forget(struct diagnose_view *d);

/* Asks about a link, a port or a device; about all where the subject is none of these, or is many. */
void diagnose_about(struct diagnose_view *d, const struct subject *s);
/* "yes, the switch was replaced": takes it as the answer; false when it is neither yes nor no. words: for the recording. */
bool diagnose_answer(struct diagnose_view *d, const char *line, struct buf *words);
/* Takes the last answer back; false when there is none. */
bool diagnose_undo(struct diagnose_view *d, struct buf *words);

#endif
