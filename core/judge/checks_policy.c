/*
 * What a policy requires of settings that have no check of their own. Those that have one are judged there as far as it goes: ECN, NP
 * and RP of the lossless priorities, a watchdog that is required on, the bandwidth of classes that are served by share.
 */
#include "core/judge/checks.h"

#include <string.h>

#include "core/judge/predicate.h"

/* Judged by checks of their own, which know what the value does. */
static const enum field elsewhere[] = {
	FIELD_MTU, FIELD_TRUST, FIELD_DSCP_PRIO, FIELD_PRIO_TC, FIELD_TC_QUEUE, FIELD_PFC_ON, FIELD_PAUSE_RX, FIELD_PAUSE_TX,
	FIELD_PFC_WATCHDOG, FIELD_ETS_SHARE, FIELD_ECN_ON, FIELD_ECN_KMIN, FIELD_ECN_KMAX, FIELD_ECN_PMAX, FIELD_ECN_NP, FIELD_ECN_RP,
	FIELD_CNP_DSCP, FIELD_CNP_PRIO, FIELD_TOS_CMA, FIELD_FIRMWARE,
};

static bool is_judged_here(const struct case_of *c, enum field f)
{
	if (!policy_indices(c->policy, f) || (field_table[f].scope == SCOPE_PORT) != (c->port != NULL))
		return false;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
		if (elsewhere[i] == f)
			return false;
	return true;
}

static bool read_fact(struct case_of *c, enum field f, unsigned index, uint64_t *is)
{
	return c->port ? ask_port(c, c->port, f, index, is) : ask_device(c, c->device, f, is);
}

/* Adds "cc.rpg_ai_rate is 5, expected 7". */
static void add_wrong(enum field f, unsigned index, const struct value *is, const struct value *wanted, struct buf *wrong)
{
	buf_str(wrong, wrong->n ? "; " : "");
	buf_str(wrong, field_table[f].name);
	if (field_table[f].width > 1)
		buf_printf(wrong, "[%u]", index);
	buf_str(wrong, " is ");
	value_print(f, is, wrong);
	buf_str(wrong, ", expected ");
	value_print(f, wanted, wrong);
}

static void judge_field(struct case_of *c, const struct policy_target *t, enum field f, unsigned *n_rules, struct buf *wrong)
{
	for (uint64_t set = policy_indices(c->policy, f); set; set &= set - 1) {
		unsigned i = (unsigned)__builtin_ctzll(set);
		struct value wanted;
		uint64_t is;

		if (!policy_wants(c->policy, t, f, i, &wanted, NULL))
			continue;
		++*n_rules;
		if (read_fact(c, f, i, &is)) {
			const struct cell *cell = c->port ? port_cell(port_source(c->port, f, i), f, i) : device_cell(c->device, f, i);

			if (!value_same(f, &cell->value, &wanted))
				add_wrong(f, i, &cell->value, &wanted, wrong);
		}
	}
}

void ask_rest_wanted(struct case_of *c)
{
	const struct device *d = c->port ? c->port->device : c->device;
	const struct party *party = &c->context->parties[d->id];
	const struct policy_target t = { d->name, c->port ? c->port->name : NULL, party->is_switch, party->host };
	struct buf wrong = { NULL };
	unsigned n_rules = 0;

	for (int f = 0; f < FIELD_COUNT; f++)
		if (is_judged_here(c, (enum field)f))
			judge_field(c, &t, (enum field)f, &n_rules, &wrong);
	if (wrong.n)
		ask_no(c, "%s", wrong.text);
	else if (!n_rules)
		ask_na(c, "the policy sets nothing else here");
	else
		ask_ok_unless_lacking(c);
	buf_done(&wrong);
}

/* ethtool adds the board's id to a version, and a policy need not. */
void ask_firmware_wanted(struct case_of *c)
{
	const struct party *party = &c->context->parties[c->port->device->id];
	const struct policy_target t = { .device = c->port->device->name, .port = c->port->name, .is_switch = party->is_switch,
					 .host = party->host, .part = nic_board(c->port), .driver = port_text(c->port, FIELD_DRIVER) };
	const char *is = port_text(c->port, FIELD_FIRMWARE);
	struct value wanted;
	uint64_t n;

	if (!policy_indices(c->policy, FIELD_FIRMWARE))
		return ask_na(c, "the policy requires no firmware");
	if (!is && ask_said(c->port, FIELD_FIRMWARE, 0) && !ask_port(c, c->port, FIELD_FIRMWARE, 0, &n))
		return;	/* of which part it is stands beside it */
	if (!policy_wants(c->policy, &t, FIELD_FIRMWARE, 0, &wanted, NULL))
		return ask_na(c, "the policy requires no firmware of this NIC");
	if (!ask_port(c, c->port, FIELD_FIRMWARE, 0, &n))
		return;
	if (strcmp(is, wanted.text) == 0 || span_is(firmware_version(is), wanted.text))
		return ask_ok(c);
	ask_no(c, "firmware is %.70s, expected %.70s", is, wanted.text);
}
