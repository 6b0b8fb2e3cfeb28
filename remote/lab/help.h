/* What fabcon-lab says of itself: its help and its manual page, from the same rows. */
#ifndef REMOTE_LAB_HELP_H
#define REMOTE_LAB_HELP_H

#include <stdio.h>

void lab_help(void);
/* The forms of "fabcon-lab ctl" alone. */
void lab_ctl_help(FILE *out);
void lab_man(void);
/* The names of the faults, a line each, for completions. */
void lab_list_faults(void);
/* What commands cost at the real pace, and how that is known: a line each. */
void lab_list_costs(void);

#endif
