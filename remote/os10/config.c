/*
 * The grammar of OS10's running configuration.
 *
 * A block goes from its first line to "!". Some published texts have lost their indentation, so blanks mean nothing
 * here; a policy map goes on behind the "!" that is printed before each of its classes.
 *
 * source	Dell's OS10 user guides 10.4 to 10.6; published configurations of 10.3 to 10.5
 */
#include "remote/os10/config.h"

#include <stdio.h>
#include <stdlib.h>

bool os10_same(struct span a, struct span b)
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

/* -- objects -- */

static bool class_line(struct os10_config *c, struct span line)
{
	struct os10_class_map *class = &c->classes[c->n_classes - 1];
	uint64_t set;

	if (span_skip(&line, "match queue ") && bit_list(line, 8, &set))
		class->queues |= set;
	else if (span_skip(&line, "match qos-group ") && bit_list(line, 8, &set))
		class->groups |= set;
	else
		return false;
	return true;
}

static bool part_line(struct os10_config *c, struct span line)
{
	struct os10_class *part = &c->parts[c->n_parts - 1];
	struct span whole = line;
	uint64_t set;

	if (span_is(line, "pause") || span_starts(line, "pause "))
		part->pauses = true;
	else if (span_skip(&line, "pfc-cos ") && bit_list(line, 8, &set))
		part->pfc_cos |= set;
	else if (span_skip(&line, "bandwidth percent "))
		part->percent = (struct os10_said){ word_of(line), whole };
	else if (span_is(line, "priority") || span_starts(line, "priority "))
		part->is_strict = true;
	else if (span_skip(&line, "random-detect "))
		part->wred = (struct os10_said){ word_of(line), whole };
	else
		return span_starts(line, "queue-limit ") || span_starts(line, "set ") || span_starts(line, "shape ");
	return true;
}

/* "qos-group 3 dscp 24,26" or "qos-group 3 dot1p 3" of a trust map, "queue 3 qos-group 3 [type ucast]" of a queue map. */
static bool map_line(struct os10_config *c, struct span line)
{
	static const struct { const char *to, *from; unsigned n; } forms[] = {
		[MAP_DSCP] = { "qos-group ", "dscp", 64 }, [MAP_DOT1P] = { "qos-group ", "dot1p", 8 },
		[MAP_QUEUE] = { "queue ", "qos-group", 8 },
	};
	struct os10_map *map = &c->maps[c->n_maps - 1];
	struct span word, rest = line;
	uint64_t to, from;

	if (!span_skip(&rest, forms[map->kind].to) || !span_word(&rest, &word))
		return false;
	if (!span_u64(word, &to) || to > 7)
		return false;
	if (!span_word(&rest, &word) || !span_is(word, forms[map->kind].from))
		return false;
	if (!span_word(&rest, &word) || !bit_list(word, forms[map->kind].n, &from))
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

static bool wred_line(struct os10_config *c, struct span line)
{
	struct os10_wred *wred = &c->wreds[c->n_wreds - 1];
	struct span rest = line;

	/* Inside a profile this switches ECN on; inside a queuing class it would name a profile called "ecn". */
	if (span_is(line, "random-detect ecn")) {
		wred->ecn = (struct os10_said){ line, line };
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
	wred->green = (struct os10_said){ line, line };
	return true;
}

/* -- where they are bound -- */

static struct span unquoted(struct span s)
{
	if (s.n >= 2 && *s.p == '"' && s.p[s.n - 1] == '"')
		return (struct span){ s.p + 1, s.n - 2 };
	return s;
}

static void note(struct span *unread, struct span line)
{
	if (!unread->n)
		*unread = line;
}

static bool begins_with_one(struct span line, const char *const *words)
{
	struct span first = word_of(line);

	for (size_t i = 0; words[i]; i++)
		if (span_is(first, words[i]))
			return true;
	return false;
}

/* What stands in an interface or under "system qos" and binds nothing. */
static bool does_not_matter(struct span line)
{
	static const char *const words[] = {
		"no", "shutdown", "switchport", "ip", "ipv6", "channel-group", "lacp", "spanning-tree", "lldp", "speed", "duplex",
		"negotiation", "autonegotiation", "fec", "mode", "vrrp", "vrrp-group", "vlt-port-channel", "vlt", "storm-control", "bfd", "mac",
		"arp", "vrf", "dcbx", "iscsi", "fcoe", "sflow", "udld", "default", "beacon", "errdisable", "load-interval", "loopback",
		"port-group", "eee", "rate-interval", "wavelength", "vfabric", "tunnel", "dot1x", "access-group", "ospf", "isis", "pim",
		"igmp", "mld", "uplink-state-group", "downstream", "upstream", "virtual-network", "vlan", "queue", "buffer", "pfc-shared-buffer-size",
		"pfc-max-buffer-size", "pfc-shared-headroom-buffer-size", "scale-profile", "media-type", "enable", "port-mode", "breakout",
		"member", "proxy-arp", "host-description", "forward-error-correction", "unidirectional", "remark", "dhcp", "service",
		"description", "qos-rate-adjust", "hardware", NULL,
	};
	/* policies of the type qos classify by access lists */
	return line.n == 0 || *line.p == '!' || begins_with_one(line, words) || span_starts(line, "service-policy input type qos ");
}

static void bind_line(struct os10_bindings *b, struct span line)
{
	const struct { const char *words; struct os10_said *to; } rows[] = {
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
		if (span_skip(&rest, rows[i].words)) {
			*rows[i].to = (struct os10_said){ word_of(rest), line };
			return;
		}
	if (span_skip(&rest, "description "))
		b->description = (struct os10_said){ unquoted(span_trim(rest)), line };
	else if (!does_not_matter(line))
		note(&b->unread, line);
}

static bool begins_so(struct span line, const char *const *starts)
{
	for (size_t i = 0; starts[i]; i++)
		if (span_starts(line, starts[i]))
			return true;
	return false;
}

/* What binds: where it stands in a block that cannot hold it, nobody can tell whose it is. */
static bool binds(struct span line)
{
	static const char *const starts[] = {
		"trust-map ", "service-policy input type network-qos ", "service-policy output type queuing ", "priority-flow-control ",
		"ets mode ", "flowcontrol ", NULL,
	};

	return begins_so(line, starts);
}

/* What is of a class, a policy or a profile: the same, in a block that is not known. */
static bool is_of_object(struct span line)
{
	static const char *const starts[] = {
		"match queue ", "match qos-group ", "pfc-cos ", "bandwidth percent ", "random-detect ", NULL,
	};

	return begins_so(line, starts) || span_is(line, "pause");
}

static size_t port_index(struct os10_config *c, const char *name, struct span line)
{
	struct os10_bindings *b;

	for (size_t i = 0; i < c->n_ports; i++)
		if (strcmp(c->ports[i].port, name) == 0)
			return i;
	b = GROW(c->ports, c->n_ports, c->cap_ports);
	snprintf(b->port, sizeof(b->port), "%s", name);
	b->line = line;
	return c->n_ports++;
}

/* A real switch has some hundred ports and a dozen objects; hostile text must not cost more than it is long. */
static bool is_absurd(const struct os10_config *c)
{
	return c->n_ports > 1024 || c->n_block > 1024 || c->work > 1000000 || c->n_classes > 128 || c->n_parts > 128 ||
	       c->n_maps > 128 || c->n_wreds > 128 || c->n_policies > 128;
}

static void add_to_block(struct os10_config *c, struct span printed, struct span line)
{
	char name[64];

	c->work += c->n_ports;
	if (is_absurd(c) || !os10_port_name(printed, name))
		return;
	*GROW(c->block, c->n_block, c->cap_block) = port_index(c, name, line);
	c->n_block++;
}

/* "ethernet1/1/1-1/1/8": the last number counts up; both ends are in the same slot. */
static bool add_range(struct os10_config *c, struct span from, struct span to, struct span line)
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
		int n = snprintf(name, sizeof(name), "%.*s/%u", (int)(head.n < 60 ? head.n : 60), head.p,
				 (unsigned)first_n);

		add_to_block(c, (struct span){ name, (size_t)n }, line);
	}
	return true;
}

/* "ethernet1/1/1" or "range ethernet1/1/1-1/1/8,1/1/10". */
static void begin_ports(struct os10_config *c, struct span what, struct span line)
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

/* -- blocks -- */

static void begin_map(struct os10_config *c, unsigned kind, struct span name)
{
	struct os10_map *map = GROW(c->maps, c->n_maps, c->cap_maps);

	map->kind = kind;
	map->name = word_of(name);
	c->n_maps++;
	c->in = IN_MAP;
}

static void begin_class_map(struct os10_config *c, struct span rest)
{
	struct span type;

	c->in = IN_OTHER;
	if (!span_word(&rest, &type) || (!span_is(type, "queuing") && !span_is(type, "network-qos")))
		return;
	c->in = IN_CLASS_MAP;
	if (c->n_classes && c->classes[c->n_classes - 1].is_queuing == span_is(type, "queuing") &&
	    os10_same(c->classes[c->n_classes - 1].name, word_of(rest)))
		return;		/* the same again */
	*GROW(c->classes, c->n_classes, c->cap_classes) =
		(struct os10_class_map){ .name = word_of(rest), .is_queuing = span_is(type, "queuing") };
	c->n_classes++;
}

static void begin_policy(struct os10_config *c, struct span rest)
{
	struct span type;

	c->in = IN_OTHER;
	if (!span_word(&rest, &type) || (!span_is(type, "queuing") && !span_is(type, "network-qos")))
		return;
	*GROW(c->policies, c->n_policies, c->cap_policies) = word_of(rest);
	c->n_policies++;
	c->policy_is_queuing = span_is(type, "queuing");
	c->in = IN_POLICY;
}

static void begin_part(struct os10_config *c, struct span rest, struct span line)
{
	struct os10_class *part = c->n_parts ? &c->parts[c->n_parts - 1] : NULL;

	if (part && c->in == IN_PART && os10_same(part->class_name, word_of(rest)))
		return;		/* the same again */
	part = GROW(c->parts, c->n_parts, c->cap_parts);
	*part = (struct os10_class){
		.policy = c->policies[c->n_policies - 1],
		.class_name = word_of(rest),
		.line = line,
		.is_queuing = c->policy_is_queuing,
	};
	c->n_parts++;
	c->in = IN_PART;
}

/* In a policy, what is no class that is understood may be one, of any queue or group. */
static void begin_unread_part(struct os10_config *c, struct span line)
{
	begin_part(c, SPAN(""), line);
	c->parts[c->n_parts - 1].unread = line;
}

static bool adds_nothing(struct span line)
{
	return *line.p == '!' || span_starts(line, "description ");
}

/* The first line of a block; false when it is none. */
static bool begins_block(struct os10_config *c, struct span line)
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
	} else if (span_skip(&rest, "trust dot1p-map ")) {
		begin_map(c, MAP_DOT1P, rest);
	} else if (span_is(line, "control-plane")) {
		c->in = IN_OTHER;
	} else if (c->in != IN_PORTS && c->in != IN_SYSTEM && span_skip(&rest, "qos-map traffic-class ")) {
		begin_map(c, MAP_QUEUE, rest);	/* inside those two the same words bind it */
	} else if (span_skip(&rest, "wred ")) {
		if (!c->n_wreds || !os10_same(c->wreds[c->n_wreds - 1].name, word_of(rest))) {
			GROW(c->wreds, c->n_wreds, c->cap_wreds)->name = word_of(rest);
			c->n_wreds++;
		}
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

static void end_block(struct os10_config *c)
{
	bool in_policy = c->in == IN_POLICY || c->in == IN_PART;

	c->in = in_policy ? IN_POLICY : IN_NOTHING;
}

/* A line of a map, a class or a profile. One that is not known is kept with it: what it says otherwise is not the whole. */
static bool in_object(struct os10_config *c, struct span line)
{
	bool known;

	switch (c->in) {
	case IN_CLASS_MAP:
		known = class_line(c, line);
		if (!known)
			note(&c->classes[c->n_classes - 1].unread, line);
		return known;
	case IN_POLICY:
		known = adds_nothing(line);
		if (!known)
			begin_unread_part(c, line);
		return known;
	case IN_PART:
		known = part_line(c, line);
		if (!known)
			note(&c->parts[c->n_parts - 1].unread, line);
		return known;
	case IN_WRED:
		known = wred_line(c, line);
		if (!known)
			note(&c->wreds[c->n_wreds - 1].unread, line);
		return known;
	default:
		return map_line(c, line);
	}
}

/* False: it is of a kind that is not known. */
static bool in_block(struct os10_config *c, struct span line)
{
	struct span rest = line;

	switch (c->in) {
	case IN_CLASS_MAP:
	case IN_POLICY:
	case IN_PART:
	case IN_MAP:
	case IN_WRED:
		return in_object(c, line);
	case IN_OTHER:
		return true;
	case IN_SYSTEM:
		bind_line(&c->system, line);
		return true;
	case IN_PORTS:
		c->work += c->n_block;
		for (size_t i = 0; i < c->n_block; i++)
			bind_line(&c->ports[c->block[i]], line);
		return true;
	default:
		if (span_skip(&rest, "hostname "))
			c->hostname = (struct os10_said){ word_of(rest), line };
		else if (span_skip(&rest, "default mtu "))
			c->default_mtu = (struct os10_said){ word_of(rest), line };
		else if (binds(line) || is_of_object(line))
			note(&c->unread, line);
		return true;
	}
}

static void read_line(struct os10_config *c, struct span line, struct obs *o)
{
	struct span rest = line;

	if (line.n == 0)
		return;
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
	if (in_block(c, line))
		return;
	if (binds(line))
		note(&c->unread, line);
	obs_missed(o, line);
}

void os10_config_read(struct os10_config *c, struct span text, struct obs *o)
{
	struct span line;

	while (!c->is_absurd && span_line(&text, &line)) {
		read_line(c, span_trim(line), o);
		c->is_absurd = is_absurd(c);
	}
}

void os10_config_done(struct os10_config *c)
{
	free(c->classes);
	free(c->parts);
	free(c->maps);
	free(c->wreds);
	free(c->ports);
	free(c->policies);
	free(c->block);
}
