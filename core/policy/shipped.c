/*
 * The shipped policies, as their files would read. The numbers are those of the lossless RoCE profile this project began
 * with: DSCP 24 and 26 in priority 3, lossless with ECN from 150 KB to 1500 KB; CNPs by DSCP 48 in priority 6; the rest
 * in class 0; packets up to 9000 bytes on hosts and 9216 on switches.
 */
#include "core/policy/shipped.h"

#include <stddef.h>

#define MARKING \
	"* * trust = dscp\n" \
	"* * dscp.prio[24,26] = 3\n" \
	"* * dscp.prio[48] = 6\n" \
	"* * prio.tc[3] = 3\n" \
	"* * prio.tc[6] = 6\n" \
	"switch * tc.queue[3] = 3\n" \
	"switch * tc.queue[6] = 6\n" \
	"host * tos.cma = 106\n"

#define LOSSLESS_3 \
	"* * pfc.on[0-2,4-7] = no\n" \
	"* * pfc.on[3] = yes\n" \
	"* * pause.rx = no\n" \
	"* * pause.tx = no\n" \
	"switch * pfc.watchdog = yes\n"

#define CONGESTION \
	"switch * ecn.on[3] = yes\n" \
	"switch * ecn.kmin[3] = 150 KB\n" \
	"switch * ecn.kmax[3] = 1500 KB\n" \
	"switch * ecn.pmax[3] = 100 %\n" \
	"host * ecn.np[3] = yes\n" \
	"host * ecn.rp[3] = yes\n" \
	"host * cnp.dscp = 48\n" \
	"host * cnp.prio = 6\n"

#define SIZES \
	"host * mtu = 9000\n" \
	"switch * mtu = 9216\n"

#define FOUR_CLASSES \
	"* * ets.share[0] = 20\n" \
	"* * ets.share[3] = 60\n" \
	"* * ets.share[4] = 10\n" \
	"* * ets.share[6] = 10\n"

const struct shipped_policy shipped_policies[] = {
	{ "roce-lossless",
	  "# RoCE in priority 3, lossless, with ECN; CNPs in priority 6; everything else in class 0.\n"
	  "name roce-lossless\n"
	  MARKING LOSSLESS_3 CONGESTION FOUR_CLASSES SIZES },
	{ "roce-iscsi",
	  "# Like roce-lossless, plus iSCSI (DSCP 4) in priority 4, also lossless.\n"
	  "name roce-iscsi\n"
	  MARKING
	  "* * dscp.prio[4] = 4\n"
	  "* * prio.tc[4] = 4\n"
	  "switch * tc.queue[4] = 4\n"
	  LOSSLESS_3
	  "* * pfc.on[4] = yes\n"
	  CONGESTION FOUR_CLASSES SIZES },
	{ "roce-two-class",
	  "# RoCE in priority 3 and everything else, with 70 % and 30 % of the bandwidth; CNPs in a strict-priority class.\n"
	  "name roce-two-class\n"
	  MARKING LOSSLESS_3 CONGESTION
	  "* * ets.share[0] = 30\n"
	  "* * ets.share[3] = 70\n"
	  "* * ets.algo[6] = strict\n"
	  SIZES },
	{ NULL, NULL },
};
