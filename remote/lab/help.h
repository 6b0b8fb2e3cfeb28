/* What fabcon-lab says of itself: its help and its manual page, from the same rows. */
#ifndef REMOTE_LAB_HELP_H
#define REMOTE_LAB_HELP_H

void lab_help(void);
void lab_man(void);
/* The names of the faults, a line each, for completions. */
void lab_list_faults(void);
/* What commands cost at the real pace, and how that is known: a line each. */
void lab_list_costs(void);

#endif
