/*
 * DCQCN settings of mlx5: the vendor driver's /sys/class/net/IF/ecn, or the upstream driver's debugfs cc_params, which
 * has other names for the same and no switch per priority.
 */
#include "remote/linux/linux.h"

#include <stdio.h>

#include "remote/platform/tool_output.h"

/* "PATH:VALUE" or, as people's scripts print it, "… PATH = VALUE": what is after "/ecn/", and whose it is. */
static bool ecn_line(struct span line, struct span *name, struct span *what, struct span *value)
{
	const char *at = span_find(line, "/sys/class/net/");
	struct span path;

	if (!at)
		return false;
	path = (struct span){ at + 15, (size_t)(line.p + line.n - at - 15) };
	if (!span_cut(path, '/', name, what) || !span_skip(what, "ecn/"))
		return false;
	path = *what;
	if (!span_cut(path, ':', what, value) && !span_cut(path, '=', what, value))
		return false;
	*what = span_trim(*what);
	*value = span_trim(*value);
	return true;
}

/* "roce_np/enable/3" */
static bool enable_file(struct span what, const char *prefix, unsigned *prio)
{
	uint64_t n;

	if (!span_skip(&what, prefix) || !span_u64(what, &n) || n > 7)
		return false;
	*prio = (unsigned)n;
	return true;
}

/* The field of a parameter: "cc." and its name in the vendor driver's spelling. */
static bool parameter(struct span name, enum field *f)
{
	char text[64];

	if (span_is(name, "cnp_dscp"))
		return *f = FIELD_CNP_DSCP, true;
	if (span_is(name, "cnp_802p_prio") || span_is(name, "cnp_prio"))
		return *f = FIELD_CNP_PRIO, true;
	if (span_is(name, "clamp_tgt_rate_ati"))
		return *f = FIELD_CC_CLAMP_TIME, true;
	snprintf(text, sizeof(text), "cc.%.*s", (int)(name.n < 56 ? name.n : 56), name.p);
	if (field_find(span_of(text), f))
		return true;
	snprintf(text, sizeof(text), "cc.rpg_%.*s", (int)(name.n < 50 ? name.n : 50), name.p);
	return field_find(span_of(text), f);
}

static void add_parameter(struct obs *o, uint16_t port, struct span name, struct span value)
{
	enum field f;
	uint64_t n;

	if (!parameter(name, &f))
		return;
	if (span_u64(value, &n))
		obs_number(o, port, f, 0, n);
	else
		obs_unknown(o, port, f, 0, "the device prints no value");
}

static void take_ecn(struct obs *o, uint16_t port, struct span what, struct span value)
{
	bool is_switch = span_is(value, "0") || span_is(value, "1");
	unsigned prio;

	if (enable_file(what, "roce_np/enable/", &prio) && is_switch)
		obs_bool(o, port, FIELD_ECN_NP, prio, *value.p == '1');
	else if (enable_file(what, "roce_rp/enable/", &prio) && is_switch)
		obs_bool(o, port, FIELD_ECN_RP, prio, *value.p == '1');
	else if (span_skip(&what, "roce_np/") || span_skip(&what, "roce_rp/"))
		add_parameter(o, port, what, value);
}

/* "np_cnp_dscp:48", "rp_time_reset:300" */
static bool take_cc_param(struct obs *o, uint16_t port, struct span line)
{
	struct span name, value;

	span_skip(&line, "./");
	if (!span_cut(line, ':', &name, &value) || (!span_skip(&name, "np_") && !span_skip(&name, "rp_")))
		return false;
	add_parameter(o, port, name, span_trim(value));
	return true;
}

static void ecn_unknown(struct obs *o, uint16_t port, const char *reason)
{
	unknown_all(o, port, FIELD_ECN_NP, reason);
	unknown_all(o, port, FIELD_ECN_RP, reason);
}

size_t linux_ecn(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, name, what, value;
	uint16_t port = answer_port(a, o);
	bool has_cc = false;
	char reason[REASON_MAX];

	while (span_line(&rest, &line)) {
		obs_cite(o, line);
		if (ecn_line(line, &name, &what, &value) && obs_port(o, name) != OBS_DEVICE)
			take_ecn(o, obs_port(o, name), what, value);
		else if (take_cc_param(o, port, line))
			has_cc = true;
		else if (a->status <= 0)
			obs_missed(o, line);
	}
	o->cite = CITE_NONE;
	if (has_cc)
		ecn_unknown(o, port, "the upstream driver does not expose it");
	else if (o->n == 0 && span_starts(a->text, "no DCQCN settings"))
		ecn_unknown(o, port, "the driver does not expose DCQCN settings");
	else if (o->n == 0 && refusal(a, "DCQCN settings in debugfs", reason))
		ecn_unknown(o, port, reason);
	return o->n;
}
