/*
 * Fixtures: tests/fixtures/PLATFORM/PROBE/CASE.raw is a reply, CASE.facts what it says, in written form. A line
 * "# port: NAME" of the facts gives the port that was asked about. Other # lines say where the reply comes from.
 */
#ifndef TESTS_LIB_FIXTURE_H
#define TESTS_LIB_FIXTURE_H

#include "core/model/obs.h"

/* Parses every fixture of the platform and compares; fails with the first difference, or when there is none at all. */
void fixture_check(const char *platform);

/* Whether an observation holds this fact, in written form: "leaf1 Ethernet4 pfc.on[3] = yes". */
bool obs_says(const struct obs *o, const char *fact);

#endif
