/*
 * Processes of a simulated device: real ones of this machine in the device's own view of /sys, /proc, /etc and /run, with
 * the programs of the device (programs.h).
 */
#ifndef REMOTE_LAB_SERVER_SPAWN_H
#define REMOTE_LAB_SERVER_SPAWN_H

#include "remote/lab/server/server.h"

/* What the view needs of this machine; false, with the reason, when it is not there. From then on we are who orphans go to. */
bool spawn_ready(struct err *err);

/*
 * As uv_spawn(), with environment and directory filled in; the child leads a session of its own. exit_cb calls
 * spawn_ended() first.
 */
int spawn(struct server *s, const struct lab_device *d, const char *user, uv_process_t *process,
	  uv_process_options_t *options);
void spawn_ended(int pid);

/* Every process of the session, whatever group it made for itself. */
void spawn_kill_session(int leader);
/* What has left its session lives on: of that device (NULL: of any) under dir it ends here. */
void spawn_kill_left(const char *dir, const struct lab_device *d);
/* Processes of that device (NULL: of any), in a session or not. */
unsigned spawn_count(const char *dir, const struct lab_device *d);
/* Takes leave of those that have ended; to be called from time to time. */
void spawn_reap(void);

#endif
