/* The home directory of the person at this machine. */
#ifndef REMOTE_SSH_HOME_H
#define REMOTE_SSH_HOME_H

/* "~/x" under $HOME, or the home of the password file when it is not set; other paths as they are. The caller frees it. */
char *home_path(const char *path);

#endif
