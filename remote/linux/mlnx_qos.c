/*
 * mlnx_qos: trust, DSCP map, priority to class, PFC, ETS, receive buffers, DCBX. Layout from its source (mlnx-tools,
 * pretty_print) and published outputs. It prints its errors among the rest, on stdout. "driver bnxt_en" alone: a NIC of
 * another maker, which it is not asked of; dcb tells what there is, and why not.
 */
#include "remote/linux/linux.h"

#include <stdio.h>

#include "remote/platform/tool_output.h"

struct qos {
	struct obs *o;
	uint16_t port;
	uint64_t tc;		/* of the "priority:" lines that follow */
	bool has_tc;		/* such a class was named */
	bool in_pfc;		/* inside "PFC configuration:" */
	bool said_trust, said_pfc, said_tc, said_buffer;
};

/* "07,06,05," after "prio:3 dscp:" */
static bool dscp_line(struct qos *q, struct span line)
{
	struct span item;
	uint64_t prio, dscp;

	if (!span_skip(&line, "prio:") || !span_take_u64(&line, &prio) || !span_skip(&line, " dscp:") || prio > 7)
		return false;
	while (span_cut(line, ',', &item, &line))
		if (span_u64(item, &dscp) && dscp < 64)
			obs_number(q->o, q->port, FIELD_DSCP_PRIO, (unsigned)dscp, prio);
		else
			q->o->missed++;
	return true;
}

/* "a,b,c,d,e,f,g,h,max_buffer_size=N": the last is not in older ones. */
static void buffer_sizes(struct qos *q, struct span list)
{
	struct span item;
	uint64_t bytes;

	for (unsigned i = 0; i < 8 && list.n > 0; i++) {
		if (!span_cut(list, ',', &item, &list)) {
			item = list;
			list.n = 0;
		}
		if (span_u64(span_trim(item), &bytes))
			obs_number(q->o, q->port, FIELD_BUFFER_SIZE, i, bytes);
	}
	q->said_buffer = true;
}

/* Eight numbers under "priority 0 1 … 7". */
static void pfc_row(struct qos *q, struct span list, enum field f)
{
	struct span word, rest = list;
	uint64_t n;
	unsigned words = 0;

	while (span_word(&rest, &word))
		words++;
	if (words != 8) {	/* two have run together, or one is not there: whose the others are nobody can tell */
		q->o->missed++;
		return;
	}
	for (unsigned i = 0; i < 8 && span_word(&list, &word); i++)
		if (span_u64(word, &n) && n < 8 && (f != FIELD_PFC_ON || n < 2))
			obs_number(q->o, q->port, f, i, n);
		else
			q->o->missed++;
	if (f == FIELD_PFC_ON)
		q->said_pfc = true;
}

/* "3 ratelimit: unlimited, tsa: ets, bw: 60%" after "tc: " */
static void tc_line(struct qos *q, struct span rest)
{
	const char *tsa = span_find(rest, "tsa: ");
	struct span word, part;
	uint64_t share;

	q->has_tc = span_take_u64(&rest, &q->tc) && q->tc < 8 && (rest.n == 0 || *rest.p == ' ' || *rest.p == ',');
	if (!q->has_tc || !tsa)
		return;
	q->said_tc = true;
	part = (struct span){ tsa + 5, (size_t)(rest.p + rest.n - tsa - 5) };
	if (!span_cut(part, ',', &word, &part)) {
		word = span_trim(part);
		part.n = 0;
	}
	if (span_is(word, "unknown"))
		obs_unknown(q->o, q->port, FIELD_ETS_ALGO, (unsigned)q->tc, "mlnx_qos does not report it");
	else
		obs_word(q->o, q->port, FIELD_ETS_ALGO, (unsigned)q->tc, word);
	part = span_trim(part);
	if (span_is(word, "ets") && span_skip(&part, "bw: ") && span_take_u64(&part, &share) && span_is(part, "%"))
		obs_number(q->o, q->port, FIELD_ETS_SHARE, (unsigned)q->tc, share);
}

static void trust_word(struct qos *q, struct span word)
{
	q->said_trust = true;
	obs_word(q->o, q->port, FIELD_TRUST, 0, word);
}

static void cable_length(struct qos *q, struct span text)
{
	uint64_t metres;

	if (span_u64(text, &metres))
		obs_number(q->o, q->port, FIELD_CABLE, 0, metres);
}

static void dcbx_mode(struct qos *q, struct span mode)
{
	if (span_starts(mode, "OS"))
		obs_number(q->o, q->port, FIELD_DCBX, 0, DCBX_OS);
	else if (span_starts(mode, "Firmware"))
		obs_number(q->o, q->port, FIELD_DCBX, 0, DCBX_FW);
	else
		q->o->missed++;
}

static bool headed_line(struct qos *q, struct span line)
{
	if (span_skip(&line, "Priority trust state:"))
		trust_word(q, span_trim(line));
	else if (span_skip(&line, "DCBX mode:"))
		dcbx_mode(q, span_trim(line));
	else if (span_skip(&line, "Receive buffer size (bytes):"))
		buffer_sizes(q, span_trim(line));
	else if (span_skip(&line, "Cable len:"))
		cable_length(q, span_trim(line));
	else if (span_starts(line, "PFC configuration:"))
		q->in_pfc = true;
	else if (span_find(line, "lldpad service is running"))
		obs_bool(q->o, OBS_DEVICE, FIELD_LLDPAD, 0, true);
	else
		return span_starts(line, "dscp2prio mapping:") || span_starts(line, "default priority:") ||
		       span_find(line, "not supported on your system");
	return true;
}

static bool tc_or_pfc_line(struct qos *q, struct span line)
{
	uint64_t prio;

	if (span_skip(&line, "tc: ")) {
		q->in_pfc = false;
		tc_line(q, line);
	} else if (span_skip(&line, "priority:") && q->has_tc) {
		if (!span_u64(span_trim(line), &prio) || prio > 7)
			return false;
		obs_number(q->o, q->port, FIELD_PRIO_TC, (unsigned)prio, q->tc);
	} else if (q->in_pfc && (span_skip(&line, "enabled ") || span_skip(&line, "enabled\t"))) {
		pfc_row(q, line, FIELD_PFC_ON);
	} else if (q->in_pfc && (span_skip(&line, "buffer ") || span_skip(&line, "buffer\t"))) {
		pfc_row(q, line, FIELD_PRIO_PG);
	} else if ((q->in_pfc && span_starts(line, "priority")) || span_starts(line, "skprio:")) {
		return true;	/* "skprio: 2 (tos: 8)" stands under a class in OFED 2 and 3 */
	} else {
		q->has_tc &= line.n == 0;	/* it may have been the heading of another class */
		return false;
	}
	return true;
}

static void say_what_is_missing(const struct qos *q, const struct answer *a)
{
	char reason[REASON_MAX];

	if (a->is_partial || (q->said_trust && q->said_pfc && q->said_tc) || !refusal(a, "mlnx_qos", reason))
		return;
	if (span_find(a->text, "dcb: not found")) {
		snprintf(reason, sizeof(reason), "neither mlnx_qos nor dcb is installed");
		unknown_all(q->o, q->port, FIELD_PRIO_PG, reason);
		obs_unknown(q->o, q->port, FIELD_DCBX, 0, reason);
		obs_unknown(q->o, q->port, FIELD_DCBX_WILLING, 0, reason);
	}
	if (!q->said_trust)
		obs_unknown(q->o, q->port, FIELD_TRUST, 0, reason);
	if (!q->said_pfc)
		unknown_all(q->o, q->port, FIELD_PFC_ON, reason);
	if (!q->said_tc) {
		unknown_all(q->o, q->port, FIELD_PRIO_TC, reason);
		unknown_all(q->o, q->port, FIELD_ETS_ALGO, reason);
		unknown_all(q->o, q->port, FIELD_ETS_SHARE, reason);
	}
	if (!q->said_buffer)
		unknown_all(q->o, q->port, FIELD_BUFFER_SIZE, reason);
}

size_t linux_mlnx_qos(const struct answer *a, struct obs *o)
{
	struct qos q = { .o = o, .port = answer_port(a, o) };
	struct span rest = a->text, line;

	if (span_starts(rest, "driver ") && a->status == 0)
		return 0;
	while (span_line(&rest, &line)) {
		struct span text = span_trim(line);

		obs_cite(o, line);
		if (!headed_line(&q, text) && !dscp_line(&q, text) && !tc_or_pfc_line(&q, text))
			obs_missed(o, text);
	}
	o->cite = CITE_NONE;
	say_what_is_missing(&q, a);
	return o->n;
}
