/*
 * The running configuration of OS10 as objects and bindings, not yet as what a port does (os10_intent.c).
 *
 * All spans are slices of the text that was read.
 */
#ifndef REMOTE_OS10_CONFIG_H
#define REMOTE_OS10_CONFIG_H

#include "remote/os10/os10.h"

struct os10_said {			/* a setting, and the line that says it */
	struct span value, line;
};

struct os10_class_map {
	struct span name;
	bool is_queuing;		/* else network-qos: names are unique within a type */
	uint64_t queues, groups;	/* bit sets of what it matches */
	struct span unread;		/* here and below: the first line of it that was not understood */
};

struct os10_class {
	struct span policy, class_name, line;
	bool is_queuing;
	bool pauses, is_strict;
	uint64_t pfc_cos;
	struct os10_said percent, wred;
	struct span unread;
};

struct os10_map {		/* trust dscp-map: DSCP to group; trust dot1p-map: PCP to group; qos-map traffic-class: group to queue */
	enum { MAP_DSCP, MAP_DOT1P, MAP_QUEUE } kind;
	struct span name;
	uint64_t known;
	uint8_t to[64];
};

struct os10_wred {
	struct span name;
	struct os10_said ecn, green;
	uint64_t min_kb, max_kb, drop_pct;
	struct span unread;
};

struct os10_bindings {
	char port[64];			/* "" for system qos */
	struct span line;
	struct os10_said trust_dscp, trust_dot1p, queue_map, pfc_policy, queuing_policy, pfc_mode, ets_mode;
	struct os10_said flow_rx, flow_tx, mtu, description;
	struct span unread;
};

struct os10_config {
	struct os10_class_map *classes;
	struct os10_class *parts;
	struct os10_map *maps;
	struct os10_wred *wreds;
	struct os10_bindings *ports, system;
	struct span *policies;
	size_t n_classes, cap_classes, n_parts, cap_parts, n_maps, cap_maps, n_wreds, cap_wreds;
	size_t n_ports, cap_ports, n_policies, cap_policies;

	enum { IN_NOTHING, IN_CLASS_MAP, IN_POLICY, IN_PART, IN_MAP, IN_WRED, IN_PORTS, IN_SYSTEM, IN_OTHER } in;
	size_t *block;			/* ports of the block being read: a range sets several at once */
	size_t n_block, cap_block;
	bool policy_is_queuing;
	struct os10_said hostname, default_mtu;	/* of ports without a line of their own */
	struct span unread;		/* a line of quality of service in a block that is not known: it may be of any port */
	unsigned headers;		/* lines that begin a block: none means that this is no configuration */
	size_t work;
	bool is_absurd;			/* more of it than any switch has: nothing of it is to be believed */
};

/* Reads a whole text into *c (zeroed before); lines of a QoS block that are not understood count as missed in o. */
void os10_config_read(struct os10_config *c, struct span text, struct obs *o);
void os10_config_done(struct os10_config *c);

/* The same words, and there are some. */
bool os10_same(struct span a, struct span b);

#endif
