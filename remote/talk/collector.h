/*
 * The collector: a POSIX sh program made from a platform's probes, sent to "/bin/sh -s". It writes nothing on the host,
 * forks little, and ends with its connection: on the end of its input and on the first write that fails.
 *
 * Scripts of probes may use:
 *	$port		the port asked about (per_port): checked against an allowlist, always to be quoted
 *	$U		our numeric user id
 *	run TOOL …	the tool, with a time limit; status 127 and "TOOL: not found" when it is not installed
 *	ok NAME		whether a port's name is one we work with
 */
#ifndef REMOTE_TALK_COLLECTOR_H
#define REMOTE_TALK_COLLECTOR_H

#include "remote/platform/platform.h"

#define COLLECTOR_NOT_WHOLE	"incomplete output"	/* behind "uname: ", when it failed each time */

/* Asks what system this is; answered by a frame of the probe "identify". nonce: letters and digits. */
void collector_identify(const char *nonce, struct buf *out);

/*
 * The program. It says "hello", then reads a word a line (collector_word()), answers with the frames of that
 * cadence, and "round WORD". Words may be sent once it has said hello: before, the shell could take them for program.
 */
void collector_program(const struct platform *p, const char *nonce, struct buf *out);
/* names: ports that count though they have no hardware, "veth0 fab1", each as collector_may_name() wants it; or NULL. */
void collector_program_for(const struct platform *p, const char *nonce, const char *names, struct buf *out);
/* What a Linux interface may be called and a program may name. */
bool collector_may_name(const char *port);

/* "once", "config", "live", "fill", "change". */
const char *collector_word(enum cadence cadence);

#endif
