/*
 * A platform: what is asked of its devices, how often, the parser of each answer, and how their settings are changed. One
 * folder and one row of remote/platforms.c each. Parsers are pure: a reply's text in, facts out; they allocate nothing but
 * through the observation.
 */
#ifndef REMOTE_PLATFORM_PLATFORM_H
#define REMOTE_PLATFORM_PLATFORM_H

#include "core/model/obs.h"

enum cadence {
	CADENCE_ONCE,		/* at first contact, and again when the person asks */
	CADENCE_CONFIG,		/* settings: each 30 s */
	CADENCE_LIVE,		/* counters: each period, 1 s unless said */
	CADENCE_FILL,		/* when the person asks for it: fills the hosts' neighbor tables, and is no question */
	CADENCE_CHANGE,		/* once after a setting of the device has changed */
	CADENCE_NEVER,		/* never asked: a file's text is parsed when a person brings it */
};

/* Ways to talk to a device, as remote/talk/ways.c has them. */
#define WAY_SH	"sh"		/* a POSIX shell: one exec channel runs the collector */
#define WAY_CLI	"cli"		/* a switch's own command line on a PTY */

#define STATUS_NO_TOOL	127	/* the shell's */
#define STATUS_LATE	124	/* of timeout(1) */
#define STATUS_UNTRIED	125	/* of timeout(1): it could not begin, as for want of a process */
#define STATUS_SIGNAL	128	/* and the signal's number: what a shell says of a program that was killed */
#define SIGNAL_MAX	64

struct dialect;

/* What a parser gets. */
struct answer {
	struct span text;	/* the whole reply, as cut out; may be truncated, garbled, hostile, gigabytes short of sense */
	const char *port;	/* the port that was asked about, or NULL */
	int status;		/* exit status where the far end tells one, else -1 */
	bool is_partial;	/* cut short by a time-out, a signal, a size limit or a lost connection */
	bool is_refused;	/* the device does not know the command: it is not asked again in this session */
};

struct probe {
	const char *id;		/* "mlnx_qos" */
	/*
	 * As a person would type it. "{port}" stands for the port's name, "{unit}" for what follows its letters (1/1/4 of
	 * ethernet1/1/4). WAY_CLI: may be several lines; their answers come as one text, each but the first behind a
	 * line with its command.
	 */
	const char *command;
	const char *script;	/* WAY_SH: what the collector runs when that differs (uses "$port"); NULL: command */
	enum cadence cadence;
	unsigned rank;		/* lower is believed; 10 unless there is a reason */
	bool per_port;		/* asked for each port that ports_of says */
	const char *ports_of;	/* WAY_CLI per_port: ids of the probes that name the ports, those said to be down left out; WAY_SH: a sh test */
	int64_t refresh_us;	/* its counters are what the device read up to so long ago; 0: now */
	const char *proof;	/* "captures", "source": how sure the layout is; "unproven": facts are marked so */
	size_t (*parse)(const struct answer *a, struct obs *o);	/* facts added; 0 = not understood */
	const char *help;
	/*
	 * Of a reply that holds more than is asked for: whether a line is part of it. Another is not parsed, kept or recorded.
	 * NULL: each is.
	 */
	bool (*keeps)(struct span line);
};

/* How a switch's command line behaves. */
struct cli_manners {
	const char *pager_off;		/* "terminal length 0" */
	const char *error_prefix;	/* "% Error" */
};

struct platform {
	const char *id, *title;		/* "os10", "Dell SmartFabric OS10" */
	bool is_switch;
	const char *way;		/* WAY_SH, WAY_CLI; NULL: it is named and left alone */
	const struct probe *probes;
	size_t n_probes;
	const struct cli_manners *cli;
	const char *prelude;		/* WAY_SH: sh functions of its scripts and ports_of; more in collector.h */
	const char *banner;		/* in the text its SSH server sends before login; NULL: that tells nothing */
	/* Whether the text of its identification ("show version", /etc/os-release …, see talk.h) is this system's. */
	bool (*is_it)(struct span identification);
	const struct dialect *dialect;	/* how its settings are changed (dialect.h); NULL: it is only read */
	bool runs_tests;		/* the scripts of remote/runner are written for it */
};

/* By its exit status: the program was ended by a time limit or by a signal, and what it printed may end at any byte. */
bool status_is_cut(int status);

/* Whether it is talked to that way; p may be NULL. */
bool platform_speaks(const struct platform *p, const char *way);
const struct probe *platform_probe(const struct platform *p, const char *id);

/* Adds the probe's command with the port put in (port NULL: as written). */
void platform_command(const struct probe *probe, const char *port, struct buf *out);

/*
 * Fills o (probe, command with the port put in, rank, raw, is_partial, unproven marks) and runs the parser. Secrets are hidden
 * before anything else (remote/platform/mask.h). o is partial,
 * too, when the device was busy; of an answer that was cut short the parser does not see the half line at its end.
 */
size_t platform_parse(const struct platform *p, const struct probe *probe, const struct answer *a, struct obs *o);

#endif
