/*
 * RoCE on the wire: Ethernet, IP and UDP (v2) or GRH (v1), BTH with its extended headers, ICRC; and PFC frames, which
 * stop what the others carry. Built from and taken apart into one struct; bytes as they stand on the wire, without FCS.
 */
#ifndef CORE_ROCE_PACKET_H
#define CORE_ROCE_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/mem.h"

#define PACKET_MOST	(9216 + 128)	/* bytes */
#define ROCE_PORT	4791		/* UDP */

enum packet_is { PACKET_ROCE_V1, PACKET_ROCE_V2, PACKET_PFC, PACKET_PAUSE };

/* Extended headers that an opcode brings, in this order. */
enum { HAS_DETH = 1, HAS_RETH = 2, HAS_ATOMIC = 4, HAS_AETH = 8, HAS_ATOMIC_ACK = 16, HAS_IMM = 32, HAS_IETH = 64,
	HAS_CNP = 128, HAS_PAYLOAD = 256 };

struct opcode {
	uint8_t code;
	unsigned has;
	const char *name;		/* "rc-write-only" */
};
extern const struct opcode opcode_table[];
extern const unsigned opcode_count;
/* NULL when there is none. */
const struct opcode *opcode_of(uint8_t code);

struct packet {
	enum packet_is is;
	bool has_ethernet;		/* false: from the IP header or GRH */
	uint8_t to[6], from[6];		/* MACs */
	bool has_vlan;
	uint16_t vlan;			/* TCI: PCP 3, DEI 1, VID 12 */

	bool is_ipv6;			/* v2; v1 always has IPv6's form */
	uint8_t tos, ttl;		/* traffic class, hop limit */
	uint16_t ip_id;
	bool may_fragment;
	uint32_t flow_label;
	uint8_t src[16], dst[16];	/* IPv4 in the first four */
	uint16_t udp_from, udp_sum;	/* sum 0: none */

	uint8_t opcode, pad, version;
	bool solicited, migrated, fecn, becn, ack_wanted;
	uint16_t pkey;
	uint8_t bth_reserved;		/* the six bits beside FECN and BECN */
	uint32_t qp, psn;
	uint32_t qkey, from_qp;		/* DETH */
	uint64_t va, swap, compare, old_value;	/* RETH and AtomicETH; AtomicAckETH */
	uint32_t rkey, length;
	uint8_t syndrome;		/* AETH */
	uint32_t msn;
	uint32_t immediate;		/* ImmDt, or the key of IETH */
	struct span payload;		/* without pad; lent */
	uint32_t icrc;			/* as it stands on the wire, first byte highest */
	uint32_t icrc_wanted;		/* as it should be; set by packet_read() */

	uint16_t pfc_enable;		/* class-enable vector */
	uint16_t quanta[8];		/* pause: the first */
};

/* A packet with the usual values of everything. */
void packet_init(struct packet *p, enum packet_is is);
/* Adds the bytes to out; with its ICRC worked out (p->icrc is not read), and lengths and checksums as they have to be. */
bool packet_write(const struct packet *p, struct buf *out, struct err *err);
/*
 * Takes bytes apart: a whole frame, or with without_ethernet from the IP header (v2) or GRH (v1). err names
 * the first thing that is no RoCE.
 * p->payload points into bytes.
 */
bool packet_read(struct packet *p, struct span bytes, bool without_ethernet, struct err *err);
/* "ACK, 12 credits", "NAK: remote access error". */
const char *syndrome_words(uint8_t syndrome, char out[64]);

/* A capture file of the old kind (pcap, either byte order, µs or ns): the next packet off *rest. */
struct capture {
	struct span rest;
	bool is_swapped;
	bool without_ethernet;
};
bool capture_open(struct capture *c, struct span file, struct err *err);
/* False at the end, and where the file is cut (err says so; else err->text is empty). */
bool capture_next(struct capture *c, struct span *bytes, struct err *err);
void capture_begin(struct buf *out, bool without_ethernet);
void capture_add(struct buf *out, struct span bytes);

#endif
