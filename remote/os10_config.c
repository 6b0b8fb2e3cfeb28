/*
 * The running configuration of OS10: where every QoS intent of a port is said. Objects first (class maps, policies,
 * trust and queue maps, WRED profiles), then where they are bound; only the whole text tells what a port does, so a
 * reply that was cut short tells nothing.
 *
 * A block goes from its first line to "!". Some published texts have lost their indentation, so blanks mean nothing
 * here; a policy map goes on behind the "!" that is printed before each of its classes.
 *
 * source	SWITCHES.md 2.3, 2.5, 2.8: user guides 10.4-10.6, published configurations of 10.3 to 10.5
 */
#include "remote/os10.h"

#include <stdio.h>
#include <stdlib.h>

#define MTU_DEFAULT	1532	/* bytes; not printed then */
#define KB		1000	/* OS10 counts WRED thresholds in KB */

struct said {			/* a setting, and the line that says it */
	struct span value, line;
};

struct class_map {
	struct span name;
	uint64_t queues, groups;	/* bit sets of what it matches */
};

struct policy_class {
	struct span policy, class_name, line;
	bool is_queuing;
	bool pauses, is_strict;
	uint64_t pfc_cos;
	struct said percent, wred;
};

struct map {				/* trust dscp-map: DSCP to group; qos-map traffic-class: group to queue */
	enum { MAP_DSCP, MAP_QUEUE } kind;
	struct span name;
	uint64_t known;
	uint8_t to[64];
};

struct wred {
	struct span name;
	struct said ecn, green;
	uint64_t min_kb, max_kb, drop_pct;
};

struct bindings {
	char port[64];			/* "" for system qos */
	struct span line;
	struct said trust_dscp, trust_dot1p, queue_map, pfc_policy, queuing_policy, pfc_mode, ets_mode;
	struct said flow_rx, flow_tx, mtu, description;
};

struct config {
	struct class_map *classes;
	struct policy_class *parts;
	struct map *maps;
	struct wred *wreds;
	struct bindings *ports, system;
	struct span *policies;
	size_t n_classes, cap_classes, n_parts, cap_parts, n_maps, cap_maps, n_wreds, cap_wreds;
	size_t n_ports, cap_ports, n_policies, cap_policies;

	enum { IN_NOTHING, IN_CLASS_MAP, IN_POLICY, IN_PART, IN_MAP, IN_WRED, IN_PORTS, IN_SYSTEM } in;
	size_t *block;			/* ports of the block being read: a range sets several at once */
	size_t n_block, cap_block;
	bool policy_is_queuing;
	struct said hostname;
	unsigned headers;		/* lines that begin a block: none means that this is no configuration */
};

static bool same(struct span a, struct span b)
{
	return a.n == b.n && a.n > 0 && memcmp(a.p, b.p, a.n) == 0;
}

static struct span word_of(struct span s)
{
	struct span word = { 0 };

	span_word(&s, &word);
	return word;
}

/* "0-2,5,7" as a bit set; false for what is no such list. */
static bool bit_list(struct span s, unsigned limit, uint64_t *set)
{
	uint64_t bits = 0, first, last;

	s = span_trim(s);
	do {
		if (!span_take_u64(&s, &first))
			return false;
		last = first;
		if (span_skip(&s, "-") && !span_take_u64(&s, &last))
			return false;
		if (last >= limit || first > last)
			return false;
		for (; first <= last; first++)
			bits |= UINT64_C(1) << first;
	} while (span_skip(&s, ","));
	if (s.n > 0)
		return false;
	*set = bits;
	return true;
}

/* Objects */

static struct class_map *find_class(const struct config *c, struct span name)
{
	for (size_t i = 0; i < c->n_classes; i++)
		if (same(c->classes[i].name, name))
			return &c->classes[i];
	return NULL;
}

static const struct map *find_map(const struct config *c, unsigned kind, struct span name)
{
	for (size_t i = 0; i < c->n_maps; i++)
		if (c->maps[i].kind == kind && same(c->maps[i].name, name))
			return &c->maps[i];
	return NULL;
}

static const struct wred *find_wred(const struct config *c, struct span name)
{
	for (size_t i = 0; i < c->n_wreds; i++)
		if (same(c->wreds[i].name, name))
			return &c->wreds[i];
	return NULL;
}

static bool has_policy(const struct config *c, struct span name)
{
	for (size_t i = 0; i < c->n_policies; i++)
		if (same(c->policies[i], name))
			return true;
	return false;
}

static bool class_line(struct config *c, struct span line)
{
	struct class_map *class = &c->classes[c->n_classes - 1];
	uint64_t set;

	if (span_skip(&line, "match queue ") && bit_list(line, 8, &set))
		class->queues |= set;
	else if (span_skip(&line, "match qos-group ") && bit_list(line, 8, &set))
		class->groups |= set;
	else
		return false;
	return true;
}

static bool part_line(struct config *c, struct span line)
{
	struct policy_class *part = &c->parts[c->n_parts - 1];
	struct span whole = line;
	uint64_t set;

	if (span_is(line, "pause") || span_starts(line, "pause "))
		part->pauses = true;
	else if (span_skip(&line, "pfc-cos ") && bit_list(line, 8, &set))
		part->pfc_cos |= set;
	else if (span_skip(&line, "bandwidth percent "))
		part->percent = (struct said){ word_of(line), whole };
	else if (span_is(line, "priority") || span_starts(line, "priority "))
		part->is_strict = true;
	else if (span_skip(&line, "random-detect "))
		part->wred = (struct said){ word_of(line), whole };
	else
		return span_starts(line, "queue-limit ") || span_starts(line, "set ") || span_starts(line, "shape ");
	return true;
}

/* "qos-group 3 dscp 24,26" of a trust map, "queue 3 qos-group 3 [type ucast]" of a queue map. */
static bool map_line(struct config *c, struct span line)
{
	struct map *map = &c->maps[c->n_maps - 1];
	bool is_dscp = map->kind == MAP_DSCP;
	struct span word, rest = line;
	uint64_t to, from;

	if (!span_skip(&rest, is_dscp ? "qos-group " : "queue ") || !span_word(&rest, &word) || !span_u64(word, &to) || to > 7)
		return false;
	if (!span_word(&rest, &word) || !span_is(word, is_dscp ? "dscp" : "qos-group"))
		return false;
	if (!span_word(&rest, &word) || !bit_list(word, is_dscp ? 64 : 8, &from))
		return false;
	if (span_find(rest, "type mcast"))	/* RoCE is unicast */
		return true;
	map->known |= from;
	for (unsigned i = 0; i < 64; i++)
		if (from >> i & 1)
			map->to[i] = (uint8_t)to;
	return true;
}

static bool take_setting(struct span *rest, const char *word, uint64_t *out)
{
	struct span number;

	return span_word(rest, &number) && span_is(number, word) && span_word(rest, &number) && span_u64(number, out);
}

static bool wred_line(struct config *c, struct span line)
{
	struct wred *wred = &c->wreds[c->n_wreds - 1];
	struct span rest = line;

	/* Inside a profile this switches ECN on; inside a queuing class it would name a profile called "ecn". */
	if (span_is(line, "random-detect ecn")) {
		wred->ecn = (struct said){ line, line };
		return true;
	}
	if (!span_skip(&rest, "random-detect color "))
		return span_starts(line, "random-detect weight ");
	if (!span_skip(&rest, "green "))	/* untouched traffic is green */
		return true;
	if (!take_setting(&rest, "minimum-threshold", &wred->min_kb) ||
	    !take_setting(&rest, "maximum-threshold", &wred->max_kb) ||
	    !take_setting(&rest, "drop-probability", &wred->drop_pct))
		return false;
	wred->green = (struct said){ line, line };
	return true;
}

/* Where they are bound */

static struct span unquoted(struct span s)
{
	if (s.n >= 2 && *s.p == '"' && s.p[s.n - 1] == '"')
		return (struct span){ s.p + 1, s.n - 2 };
	return s;
}

static void bind_line(struct bindings *b, struct span line)
{
	const struct { const char *words; struct said *to; } rows[] = {
		{ "trust-map dscp ", &b->trust_dscp },
		{ "trust-map dot1p ", &b->trust_dot1p },
		{ "qos-map traffic-class ", &b->queue_map },
		{ "service-policy input type network-qos ", &b->pfc_policy },
		{ "service-policy output type queuing ", &b->queuing_policy },
		{ "priority-flow-control mode ", &b->pfc_mode },
		{ "ets mode ", &b->ets_mode },
		{ "flowcontrol receive ", &b->flow_rx },
		{ "flowcontrol transmit ", &b->flow_tx },
		{ "mtu ", &b->mtu },
	};
	struct span rest = line;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (span_skip(&rest, rows[i].words))
			*rows[i].to = (struct said){ word_of(rest), line };
	if (span_skip(&rest, "description "))
		b->description = (struct said){ unquoted(span_trim(rest)), line };
}

static size_t port_index(struct config *c, const char *name, struct span line)
{
	struct bindings *b;

	for (size_t i = 0; i < c->n_ports; i++)
		if (strcmp(c->ports[i].port, name) == 0)
			return i;
	b = GROW(c->ports, c->n_ports, c->cap_ports);
	snprintf(b->port, sizeof(b->port), "%s", name);
	b->line = line;
	return c->n_ports++;
}

static void add_to_block(struct config *c, struct span printed, struct span line)
{
	char name[64];

	if (!os10_port_name(printed, name))
		return;
	*GROW(c->block, c->n_block, c->cap_block) = port_index(c, name, line);
	c->n_block++;
}

/* "ethernet1/1/1-1/1/8": the last number counts up; both ends are in the same slot. */
static bool add_range(struct config *c, struct span from, struct span to, struct span line)
{
	struct span head, last, end_head, end_last;
	uint64_t first_n, last_n;
	char name[80];

	if (!span_cut_last(from, '/', &head, &last) || !span_u64(last, &first_n))
		return false;
	if (!span_cut_last(to, '/', &end_head, &end_last))
		end_last = to;
	if (!span_u64(end_last, &last_n) || last_n < first_n || last_n - first_n > 255)
		return false;
	for (; first_n <= last_n; first_n++) {
		int n = snprintf(name, sizeof(name), "%.*s/%u", (int)(head.n < 60 ? head.n : 60), head.p, (unsigned)first_n);

		add_to_block(c, (struct span){ name, (size_t)n }, line);
	}
	return true;
}

/* "ethernet1/1/1" or "range ethernet1/1/1-1/1/8,1/1/10". */
static void begin_ports(struct config *c, struct span what, struct span line)
{
	struct span part, more, from, to;
	char name[80];

	c->in = IN_PORTS;
	c->n_block = 0;
	if (!span_skip(&what, "range ")) {
		add_to_block(c, what, line);
		return;
	}
	for (more = span_trim(what); more.n > 0;) {
		if (!span_cut(more, ',', &part, &more)) {
			part = more;
			more.n = 0;
		}
		part = span_trim(part);
		if (part.n > 0 && *part.p >= '0' && *part.p <= '9') {
			int n = snprintf(name, sizeof(name), "ethernet%.*s", (int)(part.n < 60 ? part.n : 60), part.p);

			part = (struct span){ name, (size_t)n };
		}
		if (!span_cut(part, '-', &from, &to))
			add_to_block(c, part, line);
		else
			add_range(c, span_trim(from), span_trim(to), line);
	}
}

/* Blocks */

static void begin_map(struct config *c, unsigned kind, struct span name)
{
	struct map *map = GROW(c->maps, c->n_maps, c->cap_maps);

	map->kind = kind;
	map->name = word_of(name);
	c->n_maps++;
	c->in = IN_MAP;
}

static void begin_class_map(struct config *c, struct span rest)
{
	struct span type;

	c->in = IN_NOTHING;
	if (!span_word(&rest, &type) || (!span_is(type, "queuing") && !span_is(type, "network-qos")))
		return;
	GROW(c->classes, c->n_classes, c->cap_classes)->name = word_of(rest);
	c->n_classes++;
	c->in = IN_CLASS_MAP;
}

static void begin_policy(struct config *c, struct span rest)
{
	struct span type;

	c->in = IN_NOTHING;
	if (!span_word(&rest, &type) || (!span_is(type, "queuing") && !span_is(type, "network-qos")))
		return;
	*GROW(c->policies, c->n_policies, c->cap_policies) = word_of(rest);
	c->n_policies++;
	c->policy_is_queuing = span_is(type, "queuing");
	c->in = IN_POLICY;
}

static void begin_part(struct config *c, struct span rest, struct span line)
{
	struct policy_class *part = GROW(c->parts, c->n_parts, c->cap_parts);

	*part = (struct policy_class){
		.policy = c->policies[c->n_policies - 1],
		.class_name = word_of(rest),
		.line = line,
		.is_queuing = c->policy_is_queuing,
	};
	c->n_parts++;
	c->in = IN_PART;
}

/* The first line of a block; false when it is none. */
static bool begins_block(struct config *c, struct span line)
{
	struct span rest = line;

	if (span_skip(&rest, "interface ") && !span_starts(rest, "breakout ")) {
		begin_ports(c, rest, line);
	} else if (span_skip(&rest, "class-map type ")) {
		begin_class_map(c, rest);
	} else if (span_skip(&rest, "policy-map type ")) {
		begin_policy(c, rest);
	} else if (span_skip(&rest, "trust dscp-map ")) {
		begin_map(c, MAP_DSCP, rest);
	} else if (span_starts(line, "trust dot1p-map ")) {
		c->in = IN_NOTHING;
	} else if (c->in != IN_PORTS && c->in != IN_SYSTEM && span_skip(&rest, "qos-map traffic-class ")) {
		begin_map(c, MAP_QUEUE, rest);	/* inside those two the same words bind it */
	} else if (span_skip(&rest, "wred ")) {
		GROW(c->wreds, c->n_wreds, c->cap_wreds)->name = word_of(rest);
		c->n_wreds++;
		c->in = IN_WRED;
	} else if (span_is(line, "system qos")) {
		c->in = IN_SYSTEM;
		c->system.line = line;
	} else {
		return false;
	}
	c->headers++;
	return true;
}

static void end_block(struct config *c)
{
	bool in_policy = c->in == IN_POLICY || c->in == IN_PART;

	c->in = in_policy ? IN_POLICY : IN_NOTHING;
}

static void read_line(struct config *c, struct span line, struct obs *o)
{
	struct span rest = line;
	bool known = true;

	if (span_is(line, "!")) {
		end_block(c);
		return;
	}
	if (begins_block(c, line))
		return;
	if ((c->in == IN_POLICY || c->in == IN_PART) && span_skip(&rest, "class ")) {
		begin_part(c, rest, line);
		return;
	}
	switch (c->in) {
	case IN_CLASS_MAP:
		known = class_line(c, line);
		break;
	case IN_PART:
		known = part_line(c, line);
		break;
	case IN_MAP:
		known = map_line(c, line);
		break;
	case IN_WRED:
		known = wred_line(c, line);
		break;
	case IN_SYSTEM:
		bind_line(&c->system, line);
		break;
	case IN_PORTS:
		for (size_t i = 0; i < c->n_block; i++)
			bind_line(&c->ports[c->block[i]], line);
		break;
	default:
		if (span_skip(&rest, "hostname "))
			c->hostname = (struct said){ word_of(rest), line };
	}
	if (!known)
		obs_missed(o, line);
}

static void config_done(struct config *c)
{
	free(c->classes);
	free(c->parts);
	free(c->maps);
	free(c->wreds);
	free(c->ports);
	free(c->policies);
	free(c->block);
}

/* What a port does */

/* The port's own line wins over the one of system qos. */
static struct said effective(struct said own, struct said of_system)
{
	return own.value.n > 0 ? own : of_system;
}

static void tell_unknown(struct obs *o, uint16_t port, enum field f, const char *format, struct span name)
{
	char reason[160];

	snprintf(reason, sizeof(reason), format, (int)(name.n < 64 ? name.n : 64), name.p);
	for (unsigned i = 0; i < field_table[f].width; i++)
		obs_unknown(o, port, f, i, reason);
}

static void tell_trust(const struct config *c, const struct bindings *b, struct obs *o, uint16_t port)
{
	struct said dscp = effective(b->trust_dscp, c->system.trust_dscp);
	struct said dot1p = effective(b->trust_dot1p, c->system.trust_dot1p);
	const struct map *map = find_map(c, MAP_DSCP, dscp.value);
	bool by_dscp = dscp.value.n > 0, by_dot1p = dot1p.value.n > 0;

	obs_cite(o, by_dscp ? dscp.line : by_dot1p ? dot1p.line : b->line);
	obs_number(o, port, FIELD_TRUST, 0, by_dscp && by_dot1p ? TRUST_BOTH : by_dscp ? TRUST_DSCP :
					    by_dot1p ? TRUST_PCP : TRUST_NONE);
	if (by_dscp && !map)
		tell_unknown(o, port, FIELD_DSCP_PRIO, "trust map %.*s is not in the configuration", dscp.value);
	for (unsigned i = 0; i < 64; i++) {
		if (map && map->known >> i & 1)
			obs_number(o, port, FIELD_DSCP_PRIO, i, map->to[i]);
		else if (!by_dscp && !by_dot1p)
			obs_number(o, port, FIELD_DSCP_PRIO, i, 0);	/* untrusted: qos-group 0, says the user guide */
	}
}

static void tell_queues(const struct config *c, const struct bindings *b, struct obs *o, uint16_t port)
{
	struct said bound = effective(b->queue_map, c->system.queue_map);
	const struct map *map = find_map(c, MAP_QUEUE, bound.value);

	obs_cite(o, bound.value.n ? bound.line : b->line);
	if (bound.value.n == 0)
		tell_unknown(o, port, FIELD_TC_QUEUE, "no qos-map traffic-class is bound, and the default map is not printed%.*s",
			     SPAN(""));
	else if (!map)
		tell_unknown(o, port, FIELD_TC_QUEUE, "qos-map %.*s is not in the configuration", bound.value);
	for (unsigned i = 0; map && i < 8; i++)
		if (map->known >> i & 1)
			obs_number(o, port, FIELD_TC_QUEUE, i, map->to[i]);
}

static void tell_pfc(const struct config *c, const struct bindings *b, struct obs *o, uint16_t port)
{
	struct said mode = effective(b->pfc_mode, c->system.pfc_mode);
	struct said policy = effective(b->pfc_policy, c->system.pfc_policy);
	uint64_t paused = 0;

	obs_cite(o, mode.value.n ? mode.line : b->line);
	if (span_is(mode.value, "on") && policy.value.n > 0 && !has_policy(c, policy.value)) {
		tell_unknown(o, port, FIELD_PFC_ON, "network-qos policy %.*s is not in the configuration", policy.value);
		return;
	}
	for (size_t i = 0; span_is(mode.value, "on") && i < c->n_parts; i++)
		if (!c->parts[i].is_queuing && same(c->parts[i].policy, policy.value) && c->parts[i].pauses)
			paused |= c->parts[i].pfc_cos;
	for (unsigned i = 0; i < 8; i++)
		obs_bool(o, port, FIELD_PFC_ON, i, paused >> i & 1);
}

/* The class of the bound queuing policy that serves a queue, or NULL. */
static const struct policy_class *class_of_queue(const struct config *c, struct span policy, unsigned queue)
{
	for (size_t i = 0; i < c->n_parts; i++) {
		const struct class_map *class = find_class(c, c->parts[i].class_name);

		if (c->parts[i].is_queuing && same(c->parts[i].policy, policy) && class && class->queues >> queue & 1)
			return &c->parts[i];
	}
	return NULL;
}

static void tell_ecn(const struct config *c, const struct policy_class *part, struct obs *o, uint16_t port, unsigned queue)
{
	const struct wred *wred = part ? find_wred(c, part->wred.value) : NULL;
	char reason[160];

	if (part && part->wred.value.n > 0 && !wred) {
		obs_cite(o, part->wred.line);
		snprintf(reason, sizeof(reason), "WRED profile %.*s is not in the configuration",
			 (int)(part->wred.value.n < 64 ? part->wred.value.n : 64), part->wred.value.p);
		obs_unknown(o, port, FIELD_ECN_ON, queue, reason);
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
static void tell_scheduler(const struct config *c, const struct bindings *b, struct obs *o, uint16_t port)
{
	struct said policy = effective(b->queuing_policy, c->system.queuing_policy);
	struct said ets = effective(b->ets_mode, c->system.ets_mode);
	uint64_t share;

	obs_cite(o, ets.value.n ? ets.line : b->line);
	obs_bool(o, port, FIELD_ETS_ON, 0, span_is(ets.value, "on"));
	if (policy.value.n > 0 && !has_policy(c, policy.value)) {
		obs_cite(o, policy.line);
		tell_unknown(o, port, FIELD_ECN_ON, "queuing policy %.*s is not in the configuration", policy.value);
		tell_unknown(o, port, FIELD_ETS_SHARE, "queuing policy %.*s is not in the configuration", policy.value);
		return;
	}
	for (unsigned queue = 0; queue < 8; queue++) {
		const struct policy_class *part = class_of_queue(c, policy.value, queue);

		obs_cite(o, part ? part->line : policy.value.n ? policy.line : b->line);
		if (part && part->is_strict) {
			obs_number(o, port, FIELD_ETS_ALGO, queue, ETS_STRICT);
		} else if (part && span_u64(part->percent.value, &share)) {
			obs_cite(o, part->percent.line);
			obs_number(o, port, FIELD_ETS_ALGO, queue, ETS_ETS);
			obs_number(o, port, FIELD_ETS_SHARE, queue, share);
		}
		tell_ecn(c, part, o, port, queue);
	}
}

static void tell_flow(struct said said, struct obs *o, uint16_t port, enum field f)
{
	if (said.value.n == 0)	/* the default differs between releases; "show interface" tells */
		return;
	obs_cite(o, said.line);
	obs_bool(o, port, f, 0, span_is(said.value, "on"));
}

static void tell_port(const struct config *c, const struct bindings *b, struct obs *o)
{
	uint16_t port = obs_port(o, span_of(b->port));
	uint64_t mtu = MTU_DEFAULT;

	obs_cite(o, b->mtu.value.n ? b->mtu.line : b->line);
	if (b->mtu.value.n == 0 || span_u64(b->mtu.value, &mtu))
		obs_number(o, port, FIELD_MTU, 0, mtu);
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

/* Saved or not */

/* The next line that is part of the configuration: not its date, not its version. */
static bool config_line(struct span *rest, struct span *line)
{
	while (span_line(rest, line)) {
		*line = span_trim(*line);
		if (line->n > 0 && !span_starts(*line, "! Version") && !span_starts(*line, "! Last configuration change"))
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
		if (!same(x, y))
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
	struct config c = { 0 };
	struct span running, startup, rest, line;
	bool has_startup = split_reply(a->text, &running, &startup);
	char reason[128];

	if (a->is_partial)
		return 0;
	if (os10_refused(running, reason))
		obs_unknown(o, OBS_DEVICE, FIELD_CONFIG_SAVED, 0, reason);
	for (rest = running; span_line(&rest, &line);)
		read_line(&c, span_trim(line), o);
	if (c.hostname.value.n > 0) {
		obs_cite(o, c.hostname.line);
		obs_text(o, OBS_DEVICE, FIELD_HOSTNAME, c.hostname.value);
	}
	for (size_t i = 0; i < c.n_ports; i++)
		tell_port(&c, &c.ports[i], o);
	if (has_startup && c.headers > 0)
		tell_saved(running, startup, o);
	config_done(&c);
	return o->n;
}
