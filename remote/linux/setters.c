#include "remote/linux/setters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/template.h"

/* -- what the rows are made of -- */

/* Keeps a command that could be filled. */
static bool add_line(struct setting_job *j, bool is_filled, struct buf *line)
{
	if (is_filled)
		*GROW(j->lines->list, j->lines->n, j->lines->cap) = arena_text(j->arena, line->text, line->n);
	j->lines->n += is_filled;
	buf_done(line);
	return is_filled;
}

static bool value_of(const struct linux_setup *s, const char *port, enum field f, unsigned index, uint64_t *n)
{
	const struct value *v = linux_value(s, port, f, index);

	*n = v ? v->n : 0;
	return v != NULL;
}

/* Both are known, and not the same. */
static bool differs_at(const struct setting_job *j, enum field f, unsigned index)
{
	const struct value *from = linux_value(j->from, j->port, f, index), *to = linux_value(j->to, j->port, f, index);

	return from && to && !value_same(f, from, to);
}

static bool differs(const struct setting_job *j, enum field f)
{
	for (unsigned i = 0; i < field_table[f].width; i++)
		if (differs_at(j, f, i))
			return true;
	return false;
}

/* All eight, "0,0,0,1,0,0,0,0"; with form "%u:%u" each with its index, "0:0 1:0 …". */
static bool add_eight(struct setting_job *j, enum field f, const char *form, struct buf *out)
{
	for (unsigned i = 0; i < 8; i++) {
		uint64_t n;

		if (!value_of(j->to, j->port, f, i, &n))
			return err_set(j->err, "%s[%u] of %s is not known, but is written together with the others",
				       field_table[f].name, i, j->port);
		if (form)
			buf_printf(out, form, i, (unsigned)n);
		else
			buf_printf(out, "%s%llu", i ? "," : "", (unsigned long long)n);
	}
	return true;
}

static bool is_by_dcb(const struct setting_job *j)
{
	return linux_by(j->to, j->port, LINUX_BY_DCB);
}

/* -- the device -- */

static bool set_tcp_ecn(struct setting_job *j)
{
	struct buf line = { 0 };

	if (!differs(j, FIELD_TCP_ECN))
		return true;
	return add_line(j, template_fill(&line, j->err, "sysctl -w net.ipv4.tcp_ecn={number}",
					 linux_value(j->to, NULL, FIELD_TCP_ECN, 0)->n), &line);
}

/* The words of one list that are not in the other, each by its command. */
static bool for_each_missing(struct setting_job *j, const char *list, const char *other, const char *format)
{
	struct span rest = span_of(list), word;
	bool is_done = true;

	while (is_done && span_word(&rest, &word)) {
		const char *name = arena_text(j->arena, word.p, word.n);
		struct buf line = { 0 };

		if (!span_is_among(word, other))
			is_done = add_line(j, template_fill(&line, j->err, format, name, name), &line);
	}
	return is_done;
}

/* modprobe -r would take modules along that were there before: what was loaded for us is unloaded alone, if it is there. */
static bool set_modules(struct setting_job *j)
{
	const char *from = linux_text(j->from, NULL, FIELD_MODULES), *to = linux_text(j->to, NULL, FIELD_MODULES);

	if (!from || !to)
		return true;
	return for_each_missing(j, to, from, "modprobe {name}") &&
	       for_each_missing(j, from, to, "! grep -q \"^{name} \" /proc/modules || rmmod {name}");
}

/* -- the port -- */

static bool mtu_line(struct setting_job *j, const char *port, const struct value *mtu)
{
	struct buf line = { 0 };

	return add_line(j, template_fill(&line, j->err, "ip link set dev {port} mtu {number}", port, mtu->n), &line);
}

/* A bond hands its MTU down: after it come the members that are to have another. */
static bool mtu_and_members(struct setting_job *j)
{
	const struct value *mtu = linux_value(j->to, j->port, FIELD_MTU, 0);
	bool is_done = mtu_line(j, j->port, mtu);

	for (const char *port = linux_next_port(j->to, NULL); is_done && port; port = linux_next_port(j->to, port)) {
		const struct value *its = linux_is_member(j->to, port, j->port) ? linux_value(j->to, port, FIELD_MTU, 0) : NULL;

		if (its && its->n != mtu->n)
			is_done = mtu_line(j, port, its);
	}
	return is_done;
}

static bool set_mtu(struct setting_job *j)
{
	struct setting_job its_bond = *j;

	its_bond.port = linux_text(j->to, j->port, FIELD_BOND);
	if (!differs(j, FIELD_MTU) || (its_bond.port && differs(&its_bond, FIELD_MTU)))
		return true;	/* nothing to do; or the bond's turn sets it */
	return mtu_and_members(j);
}

static bool set_dcbx(struct setting_job *j, uint64_t mode)
{
	struct buf line = { 0 };
	uint64_t to;

	if (!differs(j, FIELD_DCBX) || !value_of(j->to, j->port, FIELD_DCBX, 0, &to) || to != mode)
		return true;
	return add_line(j, template_fill(&line, j->err, "mlnx_qos -i {port} --dcbx {word}", j->port,
					 to == DCBX_OS ? "os" : "fw"), &line);
}

/* What we set is ours to set once the system controls it; and the firmware gets it back when nothing else is to be set. */
static bool set_dcbx_os(struct setting_job *j)
{
	return set_dcbx(j, DCBX_OS);
}

static bool set_dcbx_fw(struct setting_job *j)
{
	return set_dcbx(j, DCBX_FW);
}

/* -- marking -- */

/* mlnx_qos and mlx5: a NIC that begins to trust DSCPs has each eight of them in a priority; one that stops forgets all. */
static uint64_t dscp_before(const struct setting_job *j, unsigned dscp, uint64_t unknown)
{
	uint64_t n;

	if (differs(j, FIELD_TRUST))
		return dscp >> 3;
	return value_of(j->from, j->port, FIELD_DSCP_PRIO, dscp, &n) ? n : unknown;
}

static bool set_map(struct setting_job *j)
{
	bool is_done = true;

	for (unsigned i = 0; is_done && i < 64; i++) {
		struct buf line = { 0 };
		uint64_t to;

		if (!value_of(j->to, j->port, FIELD_DSCP_PRIO, i, &to) || dscp_before(j, i, to) == to)
			continue;
		is_done = add_line(j, template_fill(&line, j->err, "mlnx_qos -i {port} --dscp2prio set,{number},{number}", j->port,
						    (uint64_t)i, to), &line);
	}
	return is_done;
}

/* Entries that differ, or all when it begins to trust DSCPs, in one command. */
static bool set_map_by_dcb(struct setting_job *j, bool all)
{
	struct buf line = { 0 };
	bool is_done = template_fill(&line, j->err, "dcb app replace dev {port} dscp-prio", j->port), is_any = false;

	for (unsigned i = 0; is_done && i < 64; i++) {
		uint64_t to;

		if (!value_of(j->to, j->port, FIELD_DSCP_PRIO, i, &to) || (!all && !differs_at(j, FIELD_DSCP_PRIO, i)))
			continue;
		is_any = true;
		is_done = template_fill(&line, j->err, " {number}:{number}", (uint64_t)i, to);
	}
	if (is_done && is_any)
		return add_line(j, true, &line);
	buf_done(&line);
	return is_done;
}

/* Trust first: with a map half made mlnx_qos would leave it at that. The two are refused in one call. */
static bool set_trust(struct setting_job *j)
{
	bool is_other = differs(j, FIELD_TRUST), is_dcb = is_by_dcb(j), is_done;
	struct buf line = { 0 };
	uint64_t trust;

	if (is_dcb && !is_other && !value_of(j->to, j->port, FIELD_TRUST, 0, &trust))
		return set_map_by_dcb(j, false);	/* a dcb without apptrust says nothing of trust; the map is its own */
	if (!value_of(j->to, j->port, FIELD_TRUST, 0, &trust) || (trust != TRUST_DSCP && trust != TRUST_PCP))
		return !is_other || err_set(j->err, "%s can only trust dscp or pcp", j->port);
	if (is_dcb && trust == TRUST_DSCP)
		return set_map_by_dcb(j, is_other);
	if (is_other) {
		is_done = is_dcb ? template_fill(&line, j->err, "dcb app flush dev {port} dscp-prio", j->port)
				 : template_fill(&line, j->err, "mlnx_qos -i {port} --trust {word}", j->port,
						 trust == TRUST_DSCP ? "dscp" : "pcp");
		if (!add_line(j, is_done, &line))
			return false;
	}
	return trust != TRUST_DSCP || set_map(j);
}

/* -- classes -- */

static const char *algo_word(uint64_t algo)
{
	return algo == ETS_STRICT ? "strict" : algo == ETS_ETS ? "ets" : "vendor";
}

/* Schedulers and their shares, which mean something for ETS only; false where one is not known. */
static bool add_schedulers(struct setting_job *j, bool is_dcb, struct buf *algos, struct buf *shares, bool *has_ets)
{
	for (unsigned i = 0; i < 8; i++) {
		uint64_t algo, share = 0;

		if (!value_of(j->to, j->port, FIELD_ETS_ALGO, i, &algo) ||
		    (algo == ETS_ETS && !value_of(j->to, j->port, FIELD_ETS_SHARE, i, &share)))
			return err_set(j->err, "the scheduler of class %u of %s is not known, but all are written together", i, j->port);
		if (algo != ETS_ETS)
			share = 0;
		*has_ets |= algo == ETS_ETS;
		if (is_dcb) {
			buf_printf(algos, " %u:%s", i, algo_word(algo));
			buf_printf(shares, " %u:%llu", i, (unsigned long long)share);
		} else {
			buf_printf(algos, "%s%s", i ? "," : "", algo_word(algo));
			buf_printf(shares, "%s%llu", i ? "," : "", (unsigned long long)share);
		}
	}
	return true;
}

static bool set_ets(struct setting_job *j)
{
	struct buf line = { 0 }, classes = { 0 }, algos = { 0 }, shares = { 0 };
	bool is_dcb = is_by_dcb(j), has_ets = false, is_done;

	if (!differs(j, FIELD_PRIO_TC) && !differs(j, FIELD_ETS_ALGO) && !differs(j, FIELD_ETS_SHARE))
		return true;
	is_done = add_eight(j, FIELD_PRIO_TC, is_dcb ? " %u:%u" : NULL, &classes) &&
		  add_schedulers(j, is_dcb, &algos, &shares, &has_ets);
	if (is_done && is_dcb) {
		is_done = template_fill(&line, j->err, "dcb ets set dev {port} prio-tc", j->port);
		buf_printf(&line, "%s tc-tsa%s tc-bw%s", classes.text, algos.text, shares.text);
	} else if (is_done) {
		is_done = template_fill(&line, j->err, "mlnx_qos -i {port} --prio_tc {list} --tsa ", j->port, classes.text);
		buf_printf(&line, "%s%s%s", algos.text, has_ets ? " --tcbw " : "", has_ets ? shares.text : "");
	}
	buf_done(&classes);
	buf_done(&algos);
	buf_done(&shares);
	return add_line(j, is_done, &line);
}

/* One call: a call with both map and sizes sets only one of them in some versions. */
static bool buffer_line(struct setting_job *j, const char *format, const char *dcb_format, const struct buf *list)
{
	struct buf line = {0};
	bool is_dcb = is_by_dcb(j);
	bool is_done = is_dcb ? template_fill(&line, j->err, dcb_format, j->port)
			      : template_fill(&line, j->err, format, j->port, list->text);

	if (is_done && is_dcb)
		buf_str(&line, list->text);
	return add_line(j, is_done, &line);
}

static bool set_buffer_map(struct setting_job *j)
{
	struct buf list = {0};
	bool is_done =
		!differs(j, FIELD_PRIO_PG) || (add_eight(j, FIELD_PRIO_PG, is_by_dcb(j) ? " %u:%u" : NULL, &list) &&
					       buffer_line(j, "mlnx_qos -i {port} --prio2buffer {list}",
							   "dcb buffer set dev {port} prio-buffer", &list));

	buf_done(&list);
	return is_done;
}

static bool size_line(struct setting_job *j, const uint64_t size[8])
{
	struct buf list = {0};
	bool is_dcb = is_by_dcb(j), is_done;

	for (unsigned i = 0; i < 8; i++)
		if (is_dcb)
			buf_printf(&list, " %u:%llu", i, (unsigned long long)size[i]);
		else
			buf_printf(&list, "%s%llu", i ? "," : "", (unsigned long long)size[i]);
	is_done = buffer_line(j, "mlnx_qos -i {port} --buffer_size {list}", "dcb buffer set dev {port} buffer-size",
			      &list);
	buf_done(&list);
	return is_done;
}

/* A priority is in this buffer, as far as the map of s is known. */
static bool is_buffer_used(const struct linux_setup *s, const char *port, unsigned buffer)
{
	uint64_t pg;

	for (unsigned i = 0; i < 8; i++)
		if (value_of(s, port, FIELD_PRIO_PG, i, &pg) && pg == buffer)
			return true;
	return false;
}

/* The sizes wanted, but no buffer is emptied that a priority is in until the map has moved it. True: that holds one
 * back. */
static bool early_sizes(const struct setting_job *j, uint64_t size[8])
{
	bool holds_back = false;

	for (unsigned i = 0; i < 8; i++) {
		uint64_t from, to;

		value_of(j->from, j->port, FIELD_BUFFER_SIZE, i, &from);
		value_of(j->to, j->port, FIELD_BUFFER_SIZE, i, &to);
		bool is_emptied = from && !to && is_buffer_used(j->from, j->port, i);
		size[i] = is_emptied ? from : to;
		holds_back |= is_emptied;
	}
	return holds_back;
}

/* A priority is to be in a buffer that has no bytes yet. */
static bool fills_empty_buffer(const struct setting_job *j)
{
	uint64_t from;

	for (unsigned i = 0; i < 8; i++)
		if (value_of(j->from, j->port, FIELD_BUFFER_SIZE, i, &from) && !from &&
		    is_buffer_used(j->to, j->port, i))
			return true;
	return false;
}

/*
 * No priority is ever in a buffer of 0 bytes. Sizes come first, then the map; where a buffer is emptied, the map comes
 * first; where one is filled and another emptied, both have their bytes while the map changes.
 */
static bool set_buffers(struct setting_job *j)
{
	struct buf all = {0};
	uint64_t early[8], late[8];

	if (!differs(j, FIELD_BUFFER_SIZE))
		return set_buffer_map(j);
	if (!add_eight(j, FIELD_BUFFER_SIZE, NULL, &all))
		return buf_done(&all), false;
	buf_done(&all);
	for (unsigned i = 0; i < 8; i++)
		value_of(j->to, j->port, FIELD_BUFFER_SIZE, i, &late[i]);
	if (!differs(j, FIELD_PRIO_PG) || !early_sizes(j, early))
		return size_line(j, late) && set_buffer_map(j);
	return (!fills_empty_buffer(j) || size_line(j, early)) && set_buffer_map(j) && size_line(j, late);
}

/* -- pause -- */

static unsigned pfc_set(const struct linux_setup *s, const char *port)
{
	unsigned set = 0;
	uint64_t n;

	for (unsigned i = 0; i < 8; i++)
		if (value_of(s, port, FIELD_PFC_ON, i, &n) && n)
			set |= 1u << i;
	return set;
}

static void add_pfc(unsigned set, bool is_dcb, struct buf *list)
{
	for (unsigned i = 0; i < 8; i++) {
		bool is_on = set >> i & 1;

		if (is_dcb)
			buf_printf(list, " %u:%s", i, is_on ? "on" : "off");
		else
			buf_printf(list, "%s%u", i ? "," : "", is_on);
	}
}

static bool pfc_line(struct setting_job *j, unsigned set, bool with_cable)
{
	struct buf line = { 0 }, list = { 0 };
	bool is_dcb = is_by_dcb(j), is_done = add_eight(j, FIELD_PFC_ON, NULL, &list);
	uint64_t cable_m;

	buf_clear(&list);
	add_pfc(set, is_dcb, &list);
	if (is_done && is_dcb) {
		is_done = template_fill(&line, j->err, "dcb pfc set dev {port} prio-pfc", j->port);
		buf_str(&line, list.text);
	} else if (is_done) {
		is_done = template_fill(&line, j->err, "mlnx_qos -i {port} --pfc {list}", j->port, list.text);
		/* alone, --cable_len turns PFC off in some versions */
		if (is_done && with_cable && value_of(j->to, j->port, FIELD_CABLE, 0, &cable_m))
			is_done = template_fill(&line, j->err, " --cable_len {number}", cable_m);
	}
	buf_done(&list);
	return add_line(j, is_done, &line);
}

static bool has_pause(const struct linux_setup *s, const char *port)
{
	uint64_t rx, tx;

	value_of(s, port, FIELD_PAUSE_RX, 0, &rx);
	value_of(s, port, FIELD_PAUSE_TX, 0, &tx);
	return rx || tx;
}

static bool pause_differs(const struct setting_job *j)
{
	return differs(j, FIELD_PAUSE_RX) || differs(j, FIELD_PAUSE_TX);
}

static bool pause_line(struct setting_job *j)
{
	struct buf line = { 0 };
	uint64_t rx, tx;

	if (!value_of(j->to, j->port, FIELD_PAUSE_RX, 0, &rx) || !value_of(j->to, j->port, FIELD_PAUSE_TX, 0, &tx))
		return err_set(j->err, "pause.rx and pause.tx of %s are not both known", j->port);
	return add_line(j, template_fill(&line, j->err, "ethtool -A {port} rx {word} tx {word}", j->port, rx ? "on" : "off",
					 tx ? "on" : "off"), &line);
}

/* 802.3x pause and PFC exclude each other: what is on keeps the other from being set. */
static bool set_pause_off(struct setting_job *j)
{
	return !pause_differs(j) || has_pause(j->to, j->port) || pause_line(j);
}

/* Turning pause on has turned PFC off. */
static bool set_pause_on(struct setting_job *j)
{
	unsigned set = pfc_set(j->to, j->port);

	if (!pause_differs(j) || !has_pause(j->to, j->port))
		return true;
	return pause_line(j) && (!set || pfc_line(j, set, false));
}

/* A buffer may only shrink when no PFC needs its room any more. */
static unsigned pfc_early(const struct setting_job *j)
{
	unsigned from = pfc_set(j->from, j->port), to = pfc_set(j->to, j->port);

	return differs(j, FIELD_PRIO_PG) || differs(j, FIELD_BUFFER_SIZE) ? from & to : from;
}

static bool set_pfc_less(struct setting_job *j)
{
	return pfc_early(j) == pfc_set(j->from, j->port) || pfc_line(j, pfc_early(j), false);
}

static bool set_pfc(struct setting_job *j)
{
	bool is_cable = differs(j, FIELD_CABLE);

	if (!is_cable && (!differs(j, FIELD_PFC_ON) || pfc_early(j) == pfc_set(j->to, j->port)))
		return true;
	return pfc_line(j, pfc_set(j->to, j->port), is_cable);
}

/* -- DCQCN -- */

static const struct {
	enum field field;
	const char *file;	/* of the vendor's driver, under /sys/class/net/PORT/ecn */
	const char *param;	/* of the upstream driver, under cc_params in debugfs; NULL: it has none */
} dcqcn[] = {
	{ FIELD_ECN_NP,		"roce_np/enable/",				NULL },
	{ FIELD_ECN_RP,		"roce_rp/enable/",				NULL },
	{ FIELD_CNP_DSCP,	"roce_np/cnp_dscp",				"np_cnp_dscp" },
	{ FIELD_CNP_PRIO,	"roce_np/cnp_802p_prio",			"np_cnp_prio" },
	{ FIELD_CC_CNP_GAP,	"roce_np/min_time_between_cnps",		"np_min_time_between_cnps" },
	{ FIELD_CC_CLAMP,	"roce_rp/clamp_tgt_rate",			"rp_clamp_tgt_rate" },
	{ FIELD_CC_CLAMP_TIME,	"roce_rp/clamp_tgt_rate_after_time_inc",	"rp_clamp_tgt_rate_ati" },
	{ FIELD_CC_TIME_RESET,	"roce_rp/rpg_time_reset",			"rp_time_reset" },
	{ FIELD_CC_BYTE_RESET,	"roce_rp/rpg_byte_reset",			"rp_byte_reset" },
	{ FIELD_CC_THRESHOLD,	"roce_rp/rpg_threshold",			"rp_threshold" },
	{ FIELD_CC_MAX_RATE,	"roce_rp/rpg_max_rate",				"rp_max_rate" },
	{ FIELD_CC_AI_RATE,	"roce_rp/rpg_ai_rate",				"rp_ai_rate" },
	{ FIELD_CC_HAI_RATE,	"roce_rp/rpg_hai_rate",				"rp_hai_rate" },
	{ FIELD_CC_GD,		"roce_rp/rpg_gd",				"rp_gd" },
	{ FIELD_CC_MIN_DEC,	"roce_rp/rpg_min_dec_fac",			"rp_min_dec_fac" },
	{ FIELD_CC_MIN_RATE,	"roce_rp/rpg_min_rate",				"rp_min_rate" },
	{ FIELD_CC_FIRST_CNP,	"roce_rp/rate_to_set_on_first_cnp",		"rp_rate_to_set_on_first_cnp" },
	{ FIELD_CC_G,		"roce_rp/dce_tcp_g",				"rp_dce_tcp_g" },
	{ FIELD_CC_RTT,		"roce_rp/dce_tcp_rtt",				"rp_dce_tcp_rtt" },
	{ FIELD_CC_REDUCE,	"roce_rp/rate_reduce_monitor_period",		"rp_rate_reduce_monitor_period" },
	{ FIELD_CC_ALPHA,	"roce_rp/initial_alpha_value",			"rp_initial_alpha_value" },
};
#define N_DCQCN	(sizeof(dcqcn) / sizeof(*dcqcn))

static bool dcqcn_line(struct setting_job *j, size_t row, unsigned index)
{
	enum field f = dcqcn[row].field;
	uint64_t n = linux_value(j->to, j->port, f, index)->n;
	struct buf line = { 0 };

	if (linux_by(j->to, j->port, LINUX_BY_CC_PARAMS)) {
		if (!dcqcn[row].param)
			return err_set(j->err, "the upstream driver of %s does not support %s", j->port, field_table[f].name);
		return add_line(j, template_fill(&line, j->err, "( cd -P /sys/class/net/{port}/device && echo {number} > "
						 "\"/sys/kernel/debug/mlx5/${PWD##*/}/cc_params/{name}\" )",
						 j->port, n, dcqcn[row].param), &line);
	}
	if (!template_fill(&line, j->err, "echo {number} > /sys/class/net/{port}/ecn/", n, j->port))
		return add_line(j, false, &line);
	buf_str(&line, dcqcn[row].file);
	if (field_table[f].width > 1)
		buf_printf(&line, "%u", index);
	return add_line(j, true, &line);
}

static bool set_dcqcn(struct setting_job *j)
{
	for (size_t row = 0; row < N_DCQCN; row++)
		for (unsigned i = 0; i < field_table[dcqcn[row].field].width; i++)
			if (differs_at(j, dcqcn[row].field, i) && !dcqcn_line(j, row, i))
				return false;
	return true;
}

/* -- marking of connections -- */

static bool rdma_cm_line(struct setting_job *j, const char *format, uint64_t n)
{
	const char *rdma = linux_text(j->to, j->port, FIELD_RDMA);
	struct buf line = { 0 };
	bool has_number = strstr(format, "{number}");
	bool is_done = has_number ? template_fill(&line, j->err, format, n, rdma) : template_fill(&line, j->err, format, rdma, rdma);

	return add_line(j, is_done, &line);
}

/*
 * Without a folder nobody can say what the kernel's default is, for it keeps what was written to a folder that is gone. The way back
 * leaves the kernel's own default, 0, and no folder; it may run from any place, so the folder may not be there.
 */
static bool set_tos_cma(struct setting_job *j)
{
	const struct value *from = linux_value(j->from, j->port, FIELD_TOS_CMA, 0), *to = linux_value(j->to, j->port, FIELD_TOS_CMA, 0);

	if (!from == !to && (!from || from->n == to->n))
		return true;
	if (!to)
		return rdma_cm_line(j, "[ ! -d /sys/kernel/config/rdma_cm/{name} ] || "
				       "echo 0 > /sys/kernel/config/rdma_cm/{name}/ports/1/default_roce_tos", 0) &&
		       rdma_cm_line(j, "[ ! -d /sys/kernel/config/rdma_cm/{name} ] || rmdir /sys/kernel/config/rdma_cm/{name}", 0);
	if (!from && !rdma_cm_line(j, "[ -d /sys/kernel/config/rdma_cm/{name} ] || mkdir /sys/kernel/config/rdma_cm/{name}", 0))
		return false;
	return rdma_cm_line(j, "echo {number} > /sys/kernel/config/rdma_cm/{name}/ports/1/default_roce_tos", to->n);
}

/* Nothing forced is a state of its own: -1 brings it back. */
static bool set_tos_force(struct setting_job *j)
{
	const struct value *from = linux_value(j->from, j->port, FIELD_TOS_FORCE, 0);
	const struct value *to = linux_value(j->to, j->port, FIELD_TOS_FORCE, 0);
	const char *rdma = linux_text(j->to, j->port, FIELD_RDMA);
	struct buf line = { 0 };
	bool is_done;

	if (!from == !to && (!from || from->n == to->n))
		return true;
	is_done = to ? template_fill(&line, j->err, "echo {number} > /sys/class/infiniband/{name}/tc/1/traffic_class", to->n, rdma)
		     : template_fill(&line, j->err, "echo -1 > /sys/class/infiniband/{name}/tc/1/traffic_class", rdma);
	return add_line(j, is_done, &line);
}

/* -- the table -- */

#define BY_UNIT		"fabcon emit systemd %s"
#define BY_SYSCTL	"a file in /etc/sysctl.d"
#define BY_MODULES	"a file in /etc/modules-load.d"
#define BY_NETWORK	"the network configuration (NetworkManager, netplan, ifupdown)"
#define FLAPS		"the link of %s goes down for several seconds on mlx5, and may on other NICs"
#define MOVES		"packets of %s in flight change queues and may be reordered"

const struct linux_setter linux_setters[] = {
	{ { FIELD_MODULES },	false, set_modules,	NULL,	BY_MODULES, false, false },
	{ { FIELD_TCP_ECN },	false, set_tcp_ecn,	NULL,	BY_SYSCTL, false, false },
	{ { FIELD_MTU },	false, set_mtu,		"%s stops while its channels are re-created", BY_NETWORK, false, false },
	{ { FIELD_DCBX },	false, set_dcbx_os,	NULL,	BY_UNIT, true, false },
	{ { FIELD_PAUSE_RX, FIELD_PAUSE_TX, FIELD_PFC_ON }, true, set_pause_off, "the link of %s may go down for a moment", BY_UNIT,
	  true, false },
	{ { FIELD_PFC_ON, FIELD_CABLE, FIELD_PAUSE_RX, FIELD_PAUSE_TX }, true, set_pfc_less, FLAPS, BY_UNIT, true, false },
	{ { FIELD_TRUST, FIELD_DSCP_PRIO }, true, set_trust, MOVES, BY_UNIT, true, false },
	{ { FIELD_PRIO_TC, FIELD_ETS_ALGO, FIELD_ETS_SHARE }, true, set_ets, MOVES, BY_UNIT, true, false },
	{ { FIELD_PRIO_PG, FIELD_BUFFER_SIZE }, false, set_buffers, "the buffers of %s are reconfigured: packets may be lost", BY_UNIT,
	  true, false },
	{ { FIELD_ECN_NP, FIELD_ECN_RP }, false, set_dcqcn, NULL, BY_UNIT, true, false },
	{ { FIELD_TOS_CMA },	false, set_tos_cma,	NULL,	BY_UNIT, false, true },
	{ { FIELD_TOS_FORCE },	false, set_tos_force,	"open connections of %s change traffic class", BY_UNIT, false, true },
	{ { FIELD_PFC_ON, FIELD_CABLE, FIELD_PAUSE_RX, FIELD_PAUSE_TX }, true, set_pfc, FLAPS, BY_UNIT, true, false },
	{ { FIELD_PAUSE_RX, FIELD_PAUSE_TX, FIELD_PFC_ON }, true, set_pause_on, "the link of %s may go down for a moment", BY_UNIT,
	  true, false },
	{ { FIELD_DCBX },	false, set_dcbx_fw,	"the firmware may take settings from the peer of %s", BY_UNIT, true, false },
};
const size_t linux_setter_count = sizeof(linux_setters) / sizeof(*linux_setters);

static bool writes(const struct linux_setter *s, enum field f)
{
	for (size_t i = 0; i < sizeof(s->fields) / sizeof(*s->fields) && s->fields[i]; i++)
		if (s->fields[i] == f)
			return true;
	for (size_t i = 0; s->commands == set_dcqcn && i < N_DCQCN; i++)
		if (dcqcn[i].field == f)
			return true;
	return false;
}

const struct linux_setter *linux_setter_of(enum field f)
{
	for (size_t i = 0; i < linux_setter_count; i++)
		if (writes(&linux_setters[i], f))
			return &linux_setters[i];
	return NULL;
}

bool linux_set_together(enum field f, enum field other)
{
	if (f == other)
		return true;
	for (size_t i = 0; i < linux_setter_count; i++)
		if (linux_setters[i].is_together && writes(&linux_setters[i], f) && writes(&linux_setters[i], other))
			return true;
	return false;
}
