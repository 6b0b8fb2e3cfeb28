/* What fabcon-lab says of itself: its help and its manual page, from the same rows. */
#ifndef REMOTE_LAB_HELP_H
#define REMOTE_LAB_HELP_H

void lab_help(void);
void lab_man(void);
/* The names of the faults, a line each, for completions. */
void lab_list_faults(void);

#endif
