/* Files that a person names, read whole and within bounds; and where ours are kept. */
#ifndef TUI_TEXT_FILES_H
#define TUI_TEXT_FILES_H

#include "core/base/err.h"
#include "core/base/mem.h"

#define FILE_MAX_BYTES	(64u << 20)

/* "-" is standard input. err (or NULL) names the file and the reason. */
bool file_read(const char *path, struct buf *out, struct err *err);

/* A new file, 0600, with these bytes: never over one that is there, never through a link. Half a file is taken away. */
bool file_create(const char *path, struct span bytes, struct err *err);

/* $XDG_CONFIG_HOME/fabcon/NAME and the like; NULL when HOME is not set. Yours to free. */
char *config_path(const char *name);
char *data_path(const char *name);
char *state_path(const char *name);

/* The file's name of a fabric: letters, digits, dot and dash of it, and a number where others had to go. free() it. */
char *state_file_name(const char *fabric, bool is_replay);
/* Where something else of a live fabric is kept: "FABRIC.live.acks". NULL when HOME is not set. */
char *state_path_of(const char *fabric, const char *what);

/* A name as typed, "~/x" as a shell has it. Yours to free. */
char *typed_path(const char *name);

/* Every folder on the way to path, for us alone. */
void make_folders(const char *path);
/* Puts text in the place of a file at once: whoever reads meanwhile has the old one or the new. 0600 when it is new. */
bool file_replace(const char *path, struct span text, struct err *err);

#endif
