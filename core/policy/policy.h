/*
 * A policy: wanted facts with selectors, and the limits that live judgement uses. A file of lines:
 *
 *	# comment
 *	name roce-lossless
 *	* * dscp.prio[24,26] = 3		device selector, port selector, field[indices] = value
 *	switch * ecn.kmin[3] = 150 KB		device selector: *, host, switch, @group, or a name with * and ?
 *	limit pause.share.warn = 1 %
 *	read-only REASON			no console that holds this policy is armed: "change freeze until Monday"
 *
 * A later line wins over an earlier one. Selectors on ports: *, or a name with * and ?; of a firmware also the NIC's part or driver:
 *
 *	host part:MT_0000000838 firmware = "28.39.1002"
 *	host driver:bnxt_en firmware = "229.0.145.0/pkg 229.1.123.0"
 */
#ifndef CORE_POLICY_POLICY_H
#define CORE_POLICY_POLICY_H

#include "core/inventory/inventory.h"
#include "core/model/fact.h"

/* The limits by name; id, name, default, unit word, where the default comes from. */
#define LIMITS(X) \
X(PAUSE_LOOK,	"pause.share.look",	0.001,	"share", "fabcon default") \
X(PAUSE_WARN,	"pause.share.warn",	0.01,	"share", "fabcon default") \
X(PAUSE_BAD,	"pause.share.bad",	0.05,	"share", "fabcon default") \
X(PAUSE_STORM,	"pause.share.storm",	0.99,	"share", "SONiC pfcwd: > 99 % of the poll") \
X(CNP_CLOSED,	"cnp.handled.warn",	0.9,	"ratio", "fabcon default: CNPs handled of those sent; down to 0.93 was read where " \
							 "none is lost") \
X(OOS_WARN,	"oos.warn",		1e-6,	"ratio", "fabcon default: of packets") \
X(ECN_BALANCE,	"ecn.balance.look",	0.95,	"ratio", "fabcon default: 1 - paused / (paused + time with CNPs), of a minute") \
X(CLASS_BYTES,	"class.bytes.warn",	0.5,	"share", "fabcon default: RoCE bytes found in the lossless class") \
X(UPLINK_FULL,	"uplink.full.look",	0.9,	"share", "fabcon default: of the line rate") \
X(UPLINK_IDLE,	"uplink.idle.look",	0.3,	"share", "fabcon default: of the fullest uplink's load") \
X(BER,		"fec.ber.look",		1e-5,	"ratio", "fabcon default: corrected bits per bit on the wire") \
X(PCI_STALL,	"pci.stall.look",	0.1,	"share", "fabcon default: of the time that writes to memory stall") \
X(AI_RATE,	"cc.ai.look",		100,	"Mb/s",	"fabcon default: twenty times the vendor's, twice the DCQCN paper's") \
X(HAI_RATE,	"cc.hai.look",		1000,	"Mb/s",	"fabcon default: twenty times the vendor's, twice the DCQCN paper's") \
X(MIN_RATE,	"cc.min.look",		1000,	"Mb/s",	"fabcon default: the floor of a hundred flows fills a line of 100 Gb/s") \
X(TEST_SHARE,	"test.share.fail",	0.95,	"share", "OCI's bring-up passes at 96 % of the line, where MTU 4096 allows 98 %") \
X(TEST_LATENCY,	"test.latency.fail",	1.5,	"ratio", "fabcon default: of the median of its rail, over as many switches") \
X(KB_TOLERANCE,	"threshold.tolerance",	0.024,	"ratio", "KB against KiB")

enum limit {
#define X(id, ...) LIMIT_##id,
	LIMITS(X)
#undef X
	LIMIT_COUNT,
};

struct limit_info {
	const char *name;
	double normal;
	const char *unit, *source;
};
extern const struct limit_info limit_table[LIMIT_COUNT];

struct policy;

/* The shipped ones: "roce-lossless" (default), "roce-iscsi", "roce-two-class". NULL when there is none of that name. */
struct policy *policy_builtin(const char *name);
/* Names of the shipped ones, by index; NULL at the end. And the text of one, as its file would read. */
const char *policy_builtin_name(size_t i);
const char *policy_builtin_text(const char *name);

/* Reads a policy file's text; err says "file:line: what, and what is allowed". */
struct policy *policy_read(struct span text, const char *file, struct err *err);
void policy_free(struct policy *p);

const char *policy_name(const struct policy *p);
/* Why nobody who holds this policy may write: "the policy site is read-only: change freeze"; NULL: it does not say so. */
const char *policy_read_only(const struct policy *p);
double policy_limit(const struct policy *p, enum limit limit);

#define LIMIT_TEXT	24
/* As a policy's file has it, without an exponent: "0.000001". */
const char *limit_text(char out[LIMIT_TEXT], double limit);

/* Whom a selector may match. is_switch by platform; groups from the inventory (host may be NULL). */
struct policy_target {
	const char *device, *port;
	bool is_switch;
	const struct host *host;
	struct span part;	/* of a NIC: its board's id; empty: not known, or not of interest */
	const char *driver;
};

/*
 * True, and what is wanted, when a line matches; rule (if given) gets the line's text for evidence.
 * Relations (wanted thresholds within LIMIT_KB_TOLERANCE) are the checks' business.
 */
bool policy_wants(const struct policy *p, const struct policy_target *t, enum field f, unsigned index,
		  struct value *out, const char **rule);

/* The indices of a field that any line speaks of. */
uint64_t policy_indices(const struct policy *p, enum field f);

/* The priorities that the policy wants lossless, and the one for CNPs (8: none): from pfc.on and dscp.prio[48]. */
unsigned policy_lossless(const struct policy *p, bool is_switch);
unsigned policy_cnp_priority(const struct policy *p);

#endif
