/*
 * A device's own files: /sys, /proc, /etc and /run as its shell sees them, under DIR/nodes/NAME. Counters are rewritten
 * at each tick for devices that somebody is talking to; what is written to a setting's file takes effect.
 */
#ifndef REMOTE_LAB_SERVER_VIEW_H
#define REMOTE_LAB_SERVER_VIEW_H

#include <uv.h>

#include "remote/lab/world/fabric.h"

/* Makes the tree if it is not there yet, with the settings as they are now; the counters are those of now in any case. */
void view_write(struct fabric *f, struct lab_device *d, const char *dir);
/* Writes what has changed: settings (after a tool or a fault), counters and the state of links, or all of it. */
void view_settings(struct fabric *f, const struct lab_device *d, const char *dir);
void view_counters(struct fabric *f, struct lab_device *d, const char *dir);
void view_again(struct fabric *f, struct lab_device *d, const char *dir);
/* After a boot: /run is empty, and the boot id another. */
void view_boot(struct fabric *f, struct lab_device *d, const char *dir);
void view_clock(const struct fabric *f, const struct lab_device *d, const char *dir);
/* Takes over what was written to the files of d's settings; true when something has changed. */
bool view_read(struct fabric *f, struct lab_device *d, const char *dir);
/* Frees what is remembered of the device's files. */
void view_done(struct lab_device *d);

/* -- used by the systems to make their own files (struct lab_files) -- */

/* One file below the device's root, made with its directories. */
void view_put(const char *dir, const struct lab_device *d, const char *path, const char *text);
/* As view_put(), for a file that nobody else writes: the text that it has already is not written again. */
void view_put_new(const char *dir, const struct lab_device *d, const char *path, const char *text);
/* As view_put(), with a path that is made of parts. */
void view_putf(const struct lab_device *d, const char *dir, const char *text, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* A symbolic link there, if there is none. */
void view_link(const char *dir, const struct lab_device *d, const char *path, const char *target);
void view_remove(const char *dir, const struct lab_device *d, const char *path);

#endif
