/*
 * What each port of an OS10 switch is configured to do: bindings followed to the objects they name. Only the whole text
 * tells that, so a reply that was cut short tells nothing; what is bound but not printed is unknown.
 *
 * source	Dell's OS10 user guides 10.4 to 10.6, "Quality of service": trust is off by default; a trust map gives the qos-group,
 *		a traffic-class map the queue, a network-qos policy the PFC priority
 */
#include "remote/os10/config.h"

#include <stdio.h>

#define MTU_DEFAULT	1532	/* bytes; not printed then */
#define KB		1000	/* OS10 counts WRED thresholds in KB */

static const struct os10_class_map *class_map_of(const struct os10_config *c, const struct os10_class *part)
{
	for (size_t i = 0; i < c->n_classes; i++)
		if (c->classes[i].is_queuing == part->is_queuing && os10_same(c->classes[i].name, part->class_name))
			return &c->classes[i];
	return NULL;
}

static const struct os10_map *find_map(const struct os10_config *c, unsigned kind, struct span name)
{
	for (size_t i = 0; i < c->n_maps; i++)
		if (c->maps[i].kind == kind && os10_same(c->maps[i].name, name))
			return &c->maps[i];
	return NULL;
}

static const struct os10_wred *find_wred(const struct os10_config *c, struct span name)
{
	for (size_t i = 0; i < c->n_wreds; i++)
		if (os10_same(c->wreds[i].name, name))
			return &c->wreds[i];
	return NULL;
}

static bool has_policy(const struct os10_config *c, struct span name)
{
	for (size_t i = 0; i < c->n_policies; i++)
		if (os10_same(c->policies[i], name))
			return true;
	return false;
}

/* The port's own line wins over the one of system qos. */
static struct os10_said effective(struct os10_said own, struct os10_said of_system)
{
	return own.value.n > 0 ? own : of_system;
}

static void all_unknown(struct obs *o, uint16_t port, enum field f, const char *reason)
{
	for (unsigned i = 0; i < field_table[f].width; i++)
		obs_unknown(o, port, f, i, reason);
}

/* Bound, but not printed. */
static const char *missing(char reason[160], const char *what, struct span name)
{
	snprintf(reason, 160, "%s %.*s is not in the configuration", what, (int)(name.n < 64 ? name.n : 64), name.p);
	return reason;
}

static const char *line_reason(struct span line, char reason[160])
{
	snprintf(reason, 160, "a line could not be parsed: %.*s", (int)(line.n < 80 ? line.n : 80), line.p);
	return reason;
}

/* The line that may set what no line of the port says; n == 0: there is none, and the default is told. */
static struct span unread_of(const struct os10_config *c, const struct os10_bindings *b)
{
	return b->unread.n ? b->unread : c->system.unread.n ? c->system.unread : c->unread;
}

static bool is_on_off(struct os10_said said)
{
	return span_is(said.value, "on") || span_is(said.value, "off");
}

static void tell_pcp(const struct os10_config *c, struct os10_said bound, struct obs *o, uint16_t port)
{
	const struct os10_map *map = find_map(c, MAP_DOT1P, bound.value);
	char reason[160];

	obs_cite(o, bound.line);
	if (!map)
		all_unknown(o, port, FIELD_PCP_PRIO, missing(reason, "trust map", bound.value));
	for (unsigned i = 0; map && i < 8; i++)
		if (map->known >> i & 1)
			obs_number(o, port, FIELD_PCP_PRIO, i, map->to[i]);
}

static void tell_trust(const struct os10_config *c, const struct os10_bindings *b, struct obs *o, uint16_t port)
{
	struct os10_said dscp = effective(b->trust_dscp, c->system.trust_dscp);
	struct os10_said dot1p = effective(b->trust_dot1p, c->system.trust_dot1p);
	const struct os10_map *map = find_map(c, MAP_DSCP, dscp.value);
	bool by_dscp = dscp.value.n > 0, by_dot1p = dot1p.value.n > 0;
	struct span unread = unread_of(c, b);
	char reason[160];

	obs_cite(o, by_dscp ? dscp.line : by_dot1p ? dot1p.line : unread.n ? unread : b->line);
	if (unread.n && !by_dscp)
		obs_unknown(o, port, FIELD_TRUST, 0, line_reason(unread, reason));
	else
		obs_number(o, port, FIELD_TRUST, 0, by_dscp && by_dot1p ? TRUST_BOTH : by_dscp ? TRUST_DSCP :
						    by_dot1p ? TRUST_PCP : TRUST_NONE);
	if (by_dot1p)
		tell_pcp(c, dot1p, o, port);
	obs_cite(o, by_dscp ? dscp.line : by_dot1p ? dot1p.line : unread.n ? unread : b->line);
	if (by_dscp && !map)
		all_unknown(o, port, FIELD_DSCP_PRIO, missing(reason, "trust map", dscp.value));
	for (unsigned i = 0; i < 64; i++) {
		if (map && map->known >> i & 1)
			obs_number(o, port, FIELD_DSCP_PRIO, i, map->to[i]);
		else if (!by_dscp && !by_dot1p && !unread.n)
			obs_number(o, port, FIELD_DSCP_PRIO, i, 0);	/* untrusted is qos-group 0 */
	}
}

static void tell_queues(const struct os10_config *c, const struct os10_bindings *b, struct obs *o, uint16_t port)
{
	struct os10_said bound = effective(b->queue_map, c->system.queue_map);
	const struct os10_map *map = find_map(c, MAP_QUEUE, bound.value);
	char reason[160];

	obs_cite(o, bound.value.n ? bound.line : b->line);
	if (bound.value.n == 0)
		all_unknown(o, port, FIELD_TC_QUEUE,
			    "no qos-map traffic-class is bound, and the default map is not printed");
	else if (!map)
		all_unknown(o, port, FIELD_TC_QUEUE, missing(reason, "qos-map", bound.value));
	for (unsigned i = 0; map && i < 8; i++)
		if (map->known >> i & 1)
			obs_number(o, port, FIELD_TC_QUEUE, i, map->to[i]);
}

/* What a class that pauses says: a qos-group sends pause by its own number. */
static void pausing_class(const struct os10_config *c, const struct os10_class *part, uint64_t *paused, uint64_t *lost)
{
	const struct os10_class_map *map = class_map_of(c, part);

	if (map && map->groups)
		*paused |= part->pfc_cos & map->groups;
	if (!map || !map->groups || map->unread.n)
		*lost |= part->pfc_cos;
	if (!part->pfc_cos)
		*lost = 0xff;		/* it pauses, and does not say what */
}

static void tell_pfc(const struct os10_config *c, const struct os10_bindings *b, struct obs *o, uint16_t port)
{
	struct os10_said mode = effective(b->pfc_mode, c->system.pfc_mode);
	struct os10_said policy = effective(b->pfc_policy, c->system.pfc_policy);
	char reason[160];
	uint64_t paused = 0, lost = 0;
	struct span unread = unread_of(c, b);

	obs_cite(o, mode.value.n ? mode.line : b->line);
	if (mode.value.n && !is_on_off(mode))
		unread = mode.line;
	if (span_is(mode.value, "on") ? !policy.value.n && unread.n : unread.n && !span_is(mode.value, "off")) {
		all_unknown(o, port, FIELD_PFC_ON, line_reason(unread, reason));
		return;
	}
	if (span_is(mode.value, "on") && policy.value.n > 0 && !has_policy(c, policy.value)) {
		all_unknown(o, port, FIELD_PFC_ON, missing(reason, "network-qos policy", policy.value));
		return;
	}
	for (size_t i = 0; span_is(mode.value, "on") && i < c->n_parts; i++)
		if (!c->parts[i].is_queuing && os10_same(c->parts[i].policy, policy.value)) {
			if (c->parts[i].pauses)
				pausing_class(c, &c->parts[i], &paused, &lost);
			lost |= c->parts[i].unread.n ? 0xff : 0;
		}
	for (unsigned i = 0; i < 8; i++)
		if (lost & ~paused & 1u << i)
			obs_unknown(o, port, FIELD_PFC_ON, i, "the match of its network-qos class could not be parsed, or is not in "
							      "the configuration");
		else
			obs_bool(o, port, FIELD_PFC_ON, i, paused >> i & 1);
}

/* The class of the bound queuing policy that serves a queue, or NULL. */
static const struct os10_class *class_of_queue(const struct os10_config *c, struct span policy, unsigned queue)
{
	for (size_t i = 0; i < c->n_parts; i++) {
		const struct os10_class *part = &c->parts[i];
		const struct os10_class_map *map = class_map_of(c, part);

		if (part->is_queuing && os10_same(part->policy, policy) && map && map->queues >> queue & 1)
			return part;
	}
	return NULL;
}

/* A line of the policy that may be about a queue that no class of it serves; n == 0: none. */
static struct span unread_of_policy(const struct os10_config *c, struct span policy)
{
	for (size_t i = 0; i < c->n_parts; i++) {
		const struct os10_class *part = &c->parts[i];
		const struct os10_class_map *map = class_map_of(c, part);

		if (!part->is_queuing || !os10_same(part->policy, policy))
			continue;
		if (!map || !map->queues || map->unread.n)
			return map && map->unread.n ? map->unread : part->line;
	}
	return SPAN("");
}

/* unread: the line that may switch it on where nothing that was understood does */
static void tell_ecn(const struct os10_config *c, const struct os10_class *part, struct span unread, struct obs *o, uint16_t port,
		     unsigned queue)
{
	const struct os10_wred *wred = part ? find_wred(c, part->wred.value) : NULL;
	char reason[160];

	if (part && part->wred.value.n > 0 && !wred) {
		obs_cite(o, part->wred.line);
		obs_unknown(o, port, FIELD_ECN_ON, queue, missing(reason, "WRED profile", part->wred.value));
		return;
	}
	if (wred && wred->unread.n)
		unread = wred->unread;
	else if (part && part->unread.n)
		unread = part->unread;
	if ((!wred || !wred->ecn.line.n) && unread.n) {
		obs_cite(o, unread);
		obs_unknown(o, port, FIELD_ECN_ON, queue, line_reason(unread, reason));
		return;
	}
	if (!wred || !wred->ecn.line.n) {
		obs_bool(o, port, FIELD_ECN_ON, queue, false);
		return;
	}
	obs_cite(o, wred->ecn.line);
	obs_bool(o, port, FIELD_ECN_ON, queue, true);
	if (!wred->green.line.n || wred->max_kb > UINT32_MAX || wred->min_kb > UINT32_MAX)
		return;
	obs_cite(o, wred->green.line);
	obs_number(o, port, FIELD_ECN_KMIN, queue, wred->min_kb * KB);
	obs_number(o, port, FIELD_ECN_KMAX, queue, wred->max_kb * KB);
	obs_number(o, port, FIELD_ECN_PMAX, queue, wred->drop_pct);
}

/* Shares are bound to queues here; each traffic class is told by the number of its queue. */
static void tell_scheduler(const struct os10_config *c, const struct os10_bindings *b, struct obs *o, uint16_t port)
{
	struct os10_said policy = effective(b->queuing_policy, c->system.queuing_policy);
	struct os10_said ets = effective(b->ets_mode, c->system.ets_mode);
	struct span unread = unread_of(c, b), of_policy = unread_of_policy(c, policy.value);
	char reason[160];
	uint64_t share;

	obs_cite(o, ets.value.n ? ets.line : b->line);
	if (ets.value.n ? !is_on_off(ets) : unread.n)
		obs_unknown(o, port, FIELD_ETS_ON, 0, line_reason(ets.value.n ? ets.line : unread, reason));
	else
		obs_bool(o, port, FIELD_ETS_ON, 0, span_is(ets.value, "on"));
	if (policy.value.n > 0 && !has_policy(c, policy.value)) {
		obs_cite(o, policy.line);
		missing(reason, "queuing policy", policy.value);
		all_unknown(o, port, FIELD_ECN_ON, reason);
		all_unknown(o, port, FIELD_ETS_SHARE, reason);
		return;
	}
	for (unsigned queue = 0; queue < 8; queue++) {
		const struct os10_class *part = class_of_queue(c, policy.value, queue);

		obs_cite(o, part ? part->line : policy.value.n ? policy.line : b->line);
		if (part && part->is_strict) {
			obs_number(o, port, FIELD_ETS_ALGO, queue, ETS_STRICT);
		} else if (part && span_u64(part->percent.value, &share)) {
			obs_cite(o, part->percent.line);
			obs_number(o, port, FIELD_ETS_ALGO, queue, ETS_ETS);
			obs_number(o, port, FIELD_ETS_SHARE, queue, share);
		}
		tell_ecn(c, part, part ? SPAN("") : policy.value.n ? of_policy : unread, o, port, queue);
	}
}

static void tell_flow(struct os10_said said, struct obs *o, uint16_t port, enum field f)
{
	if (said.value.n == 0)	/* the default differs between releases; "show interface" tells */
		return;
	obs_cite(o, said.line);
	if (is_on_off(said))
		obs_bool(o, port, f, 0, span_is(said.value, "on"));
	else
		obs_unknown(o, port, f, 0, "neither on nor off");
}

/* By the port's own line, or by "default mtu 9216" of the whole switch. */
static void tell_mtu(const struct os10_config *c, const struct os10_bindings *b, struct obs *o, uint16_t port)
{
	struct os10_said said = b->mtu.value.n ? b->mtu : c->default_mtu;
	uint64_t mtu = MTU_DEFAULT;
	char reason[160];

	obs_cite(o, said.value.n ? said.line : b->line);
	if (!b->mtu.value.n && b->unread.n)
		obs_unknown(o, port, FIELD_MTU, 0, line_reason(b->unread, reason));
	else if (said.value.n && !span_u64(said.value, &mtu))
		obs_unknown(o, port, FIELD_MTU, 0, line_reason(said.line, reason));
	else
		obs_number(o, port, FIELD_MTU, 0, mtu);
}

static void tell_port(const struct os10_config *c, const struct os10_bindings *b, struct obs *o)
{
	uint16_t port = obs_port(o, span_of(b->port));

	tell_mtu(c, b, o, port);
	if (b->description.value.n > 0) {
		obs_cite(o, b->description.line);
		obs_text(o, port, FIELD_ALIAS, b->description.value);
	}
	tell_flow(b->flow_rx, o, port, FIELD_PAUSE_RX);
	tell_flow(b->flow_tx, o, port, FIELD_PAUSE_TX);
	tell_trust(c, b, o, port);
	tell_queues(c, b, o, port);
	tell_pfc(c, b, o, port);
	tell_scheduler(c, b, o, port);
}

/* -- saved or not -- */

static bool is_heading(struct span line)
{
	return span_starts(line, "! Version") || span_starts(line, "! Last configuration change");
}

/* The next line that is part of the configuration: not its date, not its version. */
static bool config_line(struct span *rest, struct span *line)
{
	while (span_line(rest, line)) {
		*line = span_trim(*line);
		if (line->n > 0 && !is_heading(*line))
			return true;
	}
	return false;
}

static bool same_config(struct span a, struct span b)
{
	struct span x, y;

	for (;;) {
		bool more = config_line(&a, &x);

		if (more != config_line(&b, &y))
			return false;
		if (!more)
			return true;
		if (!os10_same(x, y))
			return false;
	}
}

static void tell_saved(struct span running, struct span startup, struct obs *o)
{
	struct span rest = startup, line;
	char reason[128];

	o->cite = CITE_NONE;
	if (os10_refused(startup, reason))
		obs_unknown(o, OBS_DEVICE, FIELD_CONFIG_SAVED, 0, reason);
	else if (!config_line(&rest, &line))
		obs_unknown(o, OBS_DEVICE, FIELD_CONFIG_SAVED, 0, "the startup configuration was printed empty");
	else
		obs_bool(o, OBS_DEVICE, FIELD_CONFIG_SAVED, 0, same_config(running, startup));
}

/* Cuts the reply where the second command stands alone on a line. */
static bool split_reply(struct span text, struct span *running, struct span *startup)
{
	struct span rest = text, line;

	while (span_line(&rest, &line)) {
		if (!span_is(span_trim(line), OS10_STARTUP))
			continue;
		*running = (struct span){ text.p, (size_t)(line.p - text.p) };
		*startup = rest;
		return true;
	}
	*running = text;
	return false;
}

size_t os10_running_config(const struct answer *a, struct obs *o)
{
	struct os10_config c = { 0 };
	struct span running, startup;
	bool has_startup = split_reply(a->text, &running, &startup);
	char reason[128];

	if (a->is_partial)
		return 0;
	if (os10_refused(running, reason))
		obs_unknown(o, OBS_DEVICE, FIELD_CONFIG_SAVED, 0, reason);
	os10_config_read(&c, running, o);
	if (c.hostname.value.n > 0 && !c.is_absurd) {
		obs_cite(o, c.hostname.line);
		obs_text(o, OBS_DEVICE, FIELD_HOSTNAME, c.hostname.value);
	}
	for (size_t i = 0; i < c.n_ports && !c.is_absurd; i++)
		tell_port(&c, &c.ports[i], o);
	if (has_startup && c.headers > 0 && !c.is_absurd)
		tell_saved(running, startup, o);
	os10_config_done(&c);
	return o->n;
}
