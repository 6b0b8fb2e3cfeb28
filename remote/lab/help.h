/* What fabcon-lab says of itself: its help and its manual page, from the same rows. */
#ifndef REMOTE_LAB_HELP_H
#define REMOTE_LAB_HELP_H

void lab_help(void);
void lab_man(void);

#endif
