/* Forms by which a secret is known without a name before it: crypt hashes, tokens of services, keys of programs, noise. */
#ifndef REMOTE_PLATFORM_MASK_FORMS_H
#define REMOTE_PLATFORM_MASK_FORMS_H

#include "core/base/span.h"

/* Hides them in one line, or in the text of one string. */
void mask_forms(char *p, size_t n);

/* Stars over what is no blank, from p up to end. */
void mask_hide(char *p, const char *end);

#endif
