/*
 * The vocabulary of checks. An ask function reads facts with these, which cite what was read as evidence, and answers
 * with one verdict. Whatever could not be read makes the answer unknown, unless what was read is reason enough for a no:
 *
 *	if (!ask_port(c, p, FIELD_UP, 0, &up))
 *		return;
 *	if (up)
 *		return ask_ok(c);
 *	ask_no(c, "the link is down");
 */
#ifndef CORE_JUDGE_PREDICATE_H
#define CORE_JUDGE_PREDICATE_H

#include "core/judge/check.h"
#include "core/judge/judge_context.h"

/* Readies c for its next question; where it is asked (device, port, link, index) is set by the caller. */
void ask_begin(struct case_of *c);

/* True, and the value, when it is known and not old. Else the answer is unknown, and names it, until a verdict is given. */
bool ask_port(struct case_of *c, const struct port *p, enum field f, unsigned index, uint64_t *out);
bool ask_device(struct case_of *c, const struct device *d, enum field f, uint64_t *out);
/* As ask_port(), of p itself, whatever its bond says. */
bool ask_own(struct case_of *c, const struct port *p, enum field f, unsigned index, uint64_t *out);
/* The same, where a fact that nobody states means a default: index itself, or nothing. */
bool ask_or_index(struct case_of *c, const struct port *p, enum field f, unsigned index, uint64_t *out);
/* Whether anything is said of it, if only that it is unknown. */
bool ask_said(const struct port *p, enum field f, unsigned index);
/* Whether another member stands for this one: what stands at a bond is judged and counted once, at its first member. */
bool ask_is_counted(const struct port *p, enum field f);
/* Why it is not judged here, then. */
extern const char ask_counted_there[];
/* Notes one more fact in evidence. */
void ask_cite(struct case_of *c, const struct port *p, enum field f, unsigned index);
void ask_cite_device(struct case_of *c, const struct device *d, enum field f);

bool ask_is_switch(const struct case_of *c, const struct port *p);
/* What the policy wants there; false when it says nothing. */
bool ask_wants(const struct case_of *c, const struct port *p, enum field f, unsigned index, uint64_t *out);
/* The priorities that are to be lossless there. */
unsigned ask_lossless(const struct case_of *c, const struct port *p);
/* The far end of the link; NULL, and the answer is unknown, when it is not known. */
const struct port *ask_far(struct case_of *c);

/* Rates. False and unknown as above, also while there are no two samples of the counter. */
bool ask_rate(struct case_of *c, const struct port *p, enum field f, unsigned index, double *per_s);
bool ask_mean_over(struct case_of *c, const struct port *p, enum field f, unsigned index, int64_t window_us, struct mean *mean);
/* A no that told a mean rate tells over which time that was. */
void ask_tell_window(struct case_of *c, int64_t mean_us);
/* Over the last MEAN_US. */
bool ask_mean(struct case_of *c, const struct port *p, enum field f, unsigned index, double *per_s);

/* Verdicts. */
void ask_ok(struct case_of *c);
void ask_na(struct case_of *c, const char *why);
/* Not applicable, because nothing is said: does not clear what was found before. */
void ask_lost(struct case_of *c, const char *why);
/* Nothing is said of it either, and by that what was found before is over: the job has ended. */
void ask_gone(struct case_of *c, const char *why);
void ask_no(struct case_of *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A no that is less than the check's severity. */
void ask_no_at(struct case_of *c, enum verdict verdict, const char *format, ...) __attribute__((format(printf, 3, 4)));
void ask_unknown(struct case_of *c, enum lack lack, const struct device *lacking, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Whether something could not be read so far. */
bool ask_lacks(const struct case_of *c);
/* Ends a question made of several readings: unknown if one lacked, else yes. */
void ask_ok_unless_lacking(struct case_of *c);

/* "3,4" of a set of priorities; "none". Words is at least 24 bytes. */
const char *ask_set(unsigned set, char *words);
/* The word of an enum's value, for a message. Words is at least 24 bytes. */
const char *ask_word(enum field f, uint64_t value, char *words);

#endif
