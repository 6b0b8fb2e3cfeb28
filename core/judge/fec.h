/* Which code mends the bits of a line: systems name the same one in their own words, "RS", "cl91-rs", "BaseR", "cl74-fc". */
#ifndef CORE_JUDGE_FEC_H
#define CORE_JUDGE_FEC_H

#include "core/model/model.h"

enum fec { FEC_OTHER, FEC_OFF, FEC_FIRE, FEC_RS };

/* FEC_OTHER: nothing is said, or in words that are not known. */
enum fec fec_of(const struct cell *c);

#endif
