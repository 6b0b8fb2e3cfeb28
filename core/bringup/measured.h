/*
 * What the tools that test a link have printed: a number, or why there is none. Texts of perftest 4.5 (Debian 12) and later, of
 * librdmacm's rping, of ibv_rc_pingpong and of iperf3 3.12 (Debian 12); fixtures and their origin in
 * tests/core/test_bringup_measured.c. Pure.
 */
#ifndef CORE_BRINGUP_MEASURED_H
#define CORE_BRINGUP_MEASURED_H

#include <stdbool.h>

#include "core/base/span.h"

enum bringup_tool {
	BRINGUP_WRITE_BW,	/* ib_write_bw */
	BRINGUP_READ_BW,	/* ib_read_bw */
	BRINGUP_WRITE_LAT,	/* ib_write_lat */
	BRINGUP_RPING,		/* rping */
	BRINGUP_PINGPONG,	/* ibv_rc_pingpong */
	BRINGUP_COUNTERS,	/* none: counters tell of what others sent */
	BRINGUP_STREAM,		/* iperf3: UDP of the kernel's, all that it can */
	BRINGUP_TOOLS,
};

/* Why a test has no result. */
enum measured_fault {
	MEASURED_WELL,		/* it has one */
	MEASURED_CUT,		/* it ended, or its text does, before the result */
	MEASURED_NO_TOOL,	/* the command is not installed */
	MEASURED_NO_DEVICE,	/* no such RDMA device, or it cannot be opened */
	MEASURED_NO_GID,	/* the GID index has no address */
	MEASURED_PORT_TAKEN,	/* the TCP port of the test is in use: another port is to be taken */
	MEASURED_NO_PARTNER,	/* the other end does not answer over TCP */
	MEASURED_NO_PATH,	/* TCP reaches it, and RDMA does not */
	MEASURED_RETRIES,	/* packets were lost until the retries were used up */
	MEASURED_RECEIVER,	/* the receiver was not ready, or refused the access */
	MEASURED_TIME,		/* its time limit ended it */
	MEASURED_REFUSED,	/* an option it does not know: an old version */
	MEASURED_CLOCK,		/* it cannot tell the time: its rate is 0, whatever was sent */
	MEASURED_NO_CM,		/* the connection manager of its kernel cannot be opened */
	MEASURED_NOTHING,	/* it ran to its end, and nothing was completed while it measured */
	MEASURED_FAULTS,
};

struct measured {
	enum measured_fault fault;
	char words[160];	/* the tool's own last words on that fault; printable ASCII */
	double bps;		/* mean, bits per second, one direction; 0: not measured */
	double typical_us, p99_us;	/* latency, half a round trip; 0: not measured */
	unsigned long sent, received;	/* pings and their answers; datagrams, and those that arrived */
	unsigned long mtu;	/* of RDMA, bytes; 0: not printed */
};

/* What the faults are called in a sentence: "the port of the test is in use". */
const char *measured_fault_words(enum measured_fault fault);

/* text: what the tool printed, standard error with it. status: its exit status; 124 and 137 are the time limit's. */
void measured_read(enum bringup_tool tool, struct span text, int status, struct measured *m);

#endif
