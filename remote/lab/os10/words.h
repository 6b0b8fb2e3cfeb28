/*
 * Words that are begun: "sh ver" is "show version", as long as no other command begins so. Commands that the lab has not are
 * in the table too where the real one has them, so that what is ambiguous there is so here.
 */
#ifndef REMOTE_LAB_OS10_WORDS_H
#define REMOTE_LAB_OS10_WORDS_H

#include "core/base/span.h"

/* words: normalised; in place, size bytes of room. False: a word of it could be several. */
bool dell_complete(char *words, size_t size, bool in_configuration);

#endif
