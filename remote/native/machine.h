/*
 * What the native reader takes from the machine that it runs on, and nothing else does: files of /proc and /sys, and requests to the
 * kernel out of a fixed list, all of which only read. No process is started, and nothing is written.
 */
#ifndef REMOTE_NATIVE_MACHINE_H
#define REMOTE_NATIVE_MACHINE_H

#include "core/base/err.h"
#include "core/base/mem.h"

struct machine;
struct nlattr;

/* NULL, and why: the kernel gives no socket. */
struct machine *machine_open(struct err *err);
void machine_close(struct machine *m);

/* Adds a file's text, at most 64 KiB of it. False, and errno. */
bool machine_file(const char *path, struct buf *out);
/* Its first line, without the line's end. False: it cannot be read, or has none. */
bool machine_line(const char *path, char *out, size_t size);
bool machine_has(const char *path);
/* Microseconds since 1970. */
int64_t machine_now_us(void);

/*
 * SIOCETHTOOL of a port. request: as linux/ethtool.h has it; its first word is the command, of GDRVINFO, GPAUSEPARAM, GFECPARAM,
 * GSSET_INFO, GSTRINGS and GSTATS. Returns 0 or the errno; EPERM: another command.
 */
int machine_ethtool(const struct machine *m, const char *port, void *request);

/*
 * RTM_GETDCB of a port, DCB_CMD_IEEE_GET or DCB_CMD_GDCBX: its attributes by their number, DCB_ATTR_MAX + 1 of them, lent until the
 * next request. Returns 0 or the errno; EPERM: another command.
 */
int machine_dcb(struct machine *m, const char *port, uint8_t command, struct nlattr **attributes);

#endif
