/* The ask function of the check about addresses. */
#ifndef CORE_JUDGE_CHECKS_ADDRESS_H
#define CORE_JUDGE_CHECKS_ADDRESS_H

#include "core/judge/predicate.h"

void ask_address_made(struct case_of *c);

#endif
