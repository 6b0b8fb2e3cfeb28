#include "core/roce/packet.h"

#include <stdio.h>
#include <stdlib.h>

#define TYPE_IPV4	0x0800
#define TYPE_IPV6	0x86dd
#define TYPE_V1		0x8915
#define TYPE_VLAN	0x8100
#define TYPE_CONTROL	0x8808
#define OPCODE_PAUSE	0x0001
#define OPCODE_PFC	0x0101
#define PROTO_UDP	17
#define PROTO_BTH	27	/* next header of a GRH */
#define ICRC_BYTES	4
#define CONTROL_BYTES	60	/* a MAC control frame without FCS */

#define P HAS_PAYLOAD
/* IBTA's names: of reliable (rc) and unreliable connections (uc), datagrams (ud), and the congestion notification. */
const struct opcode opcode_table[] = {
	{ 0x00, P, "rc-send-first" }, { 0x01, P, "rc-send-middle" }, { 0x02, P, "rc-send-last" },
	{ 0x03, HAS_IMM | P, "rc-send-last-imm" }, { 0x04, P, "rc-send-only" }, { 0x05, HAS_IMM | P, "rc-send-only-imm" },
	{ 0x06, HAS_RETH | P, "rc-write-first" }, { 0x07, P, "rc-write-middle" }, { 0x08, P, "rc-write-last" },
	{ 0x09, HAS_IMM | P, "rc-write-last-imm" }, { 0x0a, HAS_RETH | P, "rc-write-only" },
	{ 0x0b, HAS_RETH | HAS_IMM | P, "rc-write-only-imm" }, { 0x0c, HAS_RETH, "rc-read-request" },
	{ 0x0d, HAS_AETH | P, "rc-read-response-first" }, { 0x0e, P, "rc-read-response-middle" },
	{ 0x0f, HAS_AETH | P, "rc-read-response-last" }, { 0x10, HAS_AETH | P, "rc-read-response-only" },
	{ 0x11, HAS_AETH, "rc-ack" }, { 0x12, HAS_AETH | HAS_ATOMIC_ACK, "rc-atomic-ack" },
	{ 0x13, HAS_ATOMIC, "rc-compare-swap" }, { 0x14, HAS_ATOMIC, "rc-fetch-add" },
	{ 0x16, HAS_IETH | P, "rc-send-last-invalidate" }, { 0x17, HAS_IETH | P, "rc-send-only-invalidate" },
	{ 0x20, P, "uc-send-first" }, { 0x21, P, "uc-send-middle" }, { 0x22, P, "uc-send-last" },
	{ 0x23, HAS_IMM | P, "uc-send-last-imm" }, { 0x24, P, "uc-send-only" }, { 0x25, HAS_IMM | P, "uc-send-only-imm" },
	{ 0x26, HAS_RETH | P, "uc-write-first" }, { 0x27, P, "uc-write-middle" }, { 0x28, P, "uc-write-last" },
	{ 0x29, HAS_IMM | P, "uc-write-last-imm" }, { 0x2a, HAS_RETH | P, "uc-write-only" },
	{ 0x2b, HAS_RETH | HAS_IMM | P, "uc-write-only-imm" },
	{ 0x64, HAS_DETH | P, "ud-send-only" }, { 0x65, HAS_DETH | HAS_IMM | P, "ud-send-only-imm" },
	{ 0x81, HAS_CNP, "cnp" },
};
#undef P
const unsigned opcode_count = sizeof(opcode_table) / sizeof(*opcode_table);

const struct opcode *opcode_of(uint8_t code)
{
	for (unsigned i = 0; i < opcode_count; i++)
		if (opcode_table[i].code == code)
			return &opcode_table[i];
	return NULL;
}

void packet_init(struct packet *p, enum packet_is is)
{
	*p = (struct packet){
		.is = is, .has_ethernet = true, .tos = 106, .ttl = 64, .udp_from = 0xc000, .opcode = 0x04, .pkey = 0xffff,
	};
	if (is == PACKET_PFC || is == PACKET_PAUSE)
		memcpy(p->to, "\x01\x80\xc2\x00\x00\x01", 6);
}

/* -- bytes: each header is written down once, for both directions -- */

struct wire {
	uint8_t *p;
	size_t n, at;
	bool writes;
	bool is_short;		/* a header did not fit; what it said is zero */
};

static uint8_t *take(struct wire *w, size_t n)
{
	static uint8_t nothing[16];

	if (w->n - w->at < n) {
		w->is_short = true;
		w->at = w->n;
		memset(nothing, 0, sizeof(nothing));
		return nothing;
	}
	w->at += n;
	return w->p + w->at - n;
}

static uint64_t number(struct wire *w, unsigned bytes, uint64_t v)
{
	uint8_t *p = take(w, bytes);
	uint64_t read = 0;

	for (unsigned i = 0; i < bytes; i++) {
		if (w->writes)
			p[i] = (uint8_t)(v >> 8 * (bytes - 1 - i));
		read = read << 8 | p[i];
	}
	return read;
}

#define NUMBER(w, bytes, field) ((field) = (typeof(field))number((w), (bytes), (field)))

static void octets(struct wire *w, uint8_t *field, size_t n)
{
	uint8_t *p = take(w, n);

	memcpy(w->writes ? p : field, w->writes ? field : p, n);
}

static uint16_t ether_type(const struct packet *p)
{
	switch (p->is) {
	case PACKET_ROCE_V1:	return TYPE_V1;
	case PACKET_ROCE_V2:	return p->is_ipv6 ? TYPE_IPV6 : TYPE_IPV4;
	default:		return TYPE_CONTROL;
	}
}

/* The type that follows. */
static uint16_t ethernet(struct wire *w, struct packet *p)
{
	uint16_t type = p->has_vlan ? TYPE_VLAN : ether_type(p);

	octets(w, p->to, sizeof(p->to));
	octets(w, p->from, sizeof(p->from));
	NUMBER(w, 2, type);
	if (type != TYPE_VLAN)
		return type;
	p->has_vlan = true;
	NUMBER(w, 2, p->vlan);
	type = ether_type(p);
	return NUMBER(w, 2, type);
}

static uint16_t ip_sum(const uint8_t *header)
{
	uint32_t sum = 0;

	for (int i = 0; i < 20; i += 2)
		sum += (uint32_t)(header[i] << 8 | header[i + 1]);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

/* length: of everything after the header. */
static void ipv4(struct wire *w, struct packet *p, uint16_t *length)
{
	size_t begin = w->at;
	uint16_t total = (uint16_t)(*length + 20), fragment = p->may_fragment ? 0 : 0x4000, sum = 0;
	uint8_t first = 0x45, protocol = PROTO_UDP;

	NUMBER(w, 1, first);
	NUMBER(w, 1, p->tos);
	NUMBER(w, 2, total);
	NUMBER(w, 2, p->ip_id);
	NUMBER(w, 2, fragment);
	NUMBER(w, 1, p->ttl);
	NUMBER(w, 1, protocol);
	NUMBER(w, 2, sum);
	octets(w, p->src, 4);
	octets(w, p->dst, 4);
	p->may_fragment = !(fragment & 0x4000);
	*length = total >= 20 ? (uint16_t)(total - 20) : 0;
	if (first != 0x45 || fragment & 0x3fff || protocol != PROTO_UDP)
		w->is_short = true;	/* options, a fragment, no UDP: no RoCE */
	if (!w->writes || w->is_short)
		return;
	sum = ip_sum(w->p + begin);
	w->p[begin + 10] = (uint8_t)(sum >> 8);
	w->p[begin + 11] = (uint8_t)sum;
}

/* IPv6, and the GRH of version 1, which has its form. */
static void ipv6(struct wire *w, struct packet *p, uint8_t next, uint16_t *length)
{
	uint32_t first = 6u << 28 | (uint32_t)p->tos << 20 | (p->flow_label & 0xfffff);
	uint8_t seen = next;

	NUMBER(w, 4, first);
	NUMBER(w, 2, *length);
	NUMBER(w, 1, seen);
	NUMBER(w, 1, p->ttl);
	octets(w, p->src, 16);
	octets(w, p->dst, 16);
	p->tos = (uint8_t)(first >> 20);
	p->flow_label = first & 0xfffff;
	if (first >> 28 != 6 || seen != next)
		w->is_short = true;
}

static void udp(struct wire *w, struct packet *p, uint16_t length)
{
	uint16_t to = ROCE_PORT;

	NUMBER(w, 2, p->udp_from);
	NUMBER(w, 2, to);
	NUMBER(w, 2, length);
	NUMBER(w, 2, p->udp_sum);
	if (to != ROCE_PORT)
		w->is_short = true;
}

static void bth(struct wire *w, struct packet *p)
{
	uint8_t flags = (uint8_t)(p->solicited << 7 | p->migrated << 6 | (p->pad & 3) << 4 | (p->version & 15));
	uint8_t ecn = (uint8_t)(p->fecn << 7 | p->becn << 6 | (p->bth_reserved & 63)), ack = (uint8_t)(p->ack_wanted << 7);

	NUMBER(w, 1, p->opcode);
	NUMBER(w, 1, flags);
	NUMBER(w, 2, p->pkey);
	NUMBER(w, 1, ecn);
	NUMBER(w, 3, p->qp);
	NUMBER(w, 1, ack);
	NUMBER(w, 3, p->psn);
	p->solicited = flags >> 7;
	p->migrated = flags >> 6 & 1;
	p->pad = flags >> 4 & 3;
	p->version = flags & 15;
	p->fecn = ecn >> 7;
	p->becn = ecn >> 6 & 1;
	p->bth_reserved = ecn & 63;
	p->ack_wanted = ack >> 7;
}

static void extended(struct wire *w, struct packet *p, unsigned has)
{
	uint64_t zero = 0;

	if (has & HAS_DETH) {
		NUMBER(w, 4, p->qkey);
		NUMBER(w, 4, p->from_qp);
	}
	if (has & (HAS_RETH | HAS_ATOMIC)) {
		NUMBER(w, 8, p->va);
		NUMBER(w, 4, p->rkey);
	}
	if (has & HAS_RETH)
		NUMBER(w, 4, p->length);
	if (has & HAS_ATOMIC) {
		NUMBER(w, 8, p->swap);
		NUMBER(w, 8, p->compare);
	}
	if (has & HAS_AETH) {
		NUMBER(w, 1, p->syndrome);
		NUMBER(w, 3, p->msn);
	}
	if (has & HAS_ATOMIC_ACK)
		NUMBER(w, 8, p->old_value);
	if (has & (HAS_IMM | HAS_IETH))
		NUMBER(w, 4, p->immediate);
	for (unsigned i = 0; has & HAS_CNP && i < 2; i++)
		NUMBER(w, 8, zero);
}

static void control(struct wire *w, struct packet *p)
{
	uint16_t opcode = p->is == PACKET_PFC ? OPCODE_PFC : OPCODE_PAUSE;

	NUMBER(w, 2, opcode);
	p->is = opcode == OPCODE_PFC ? PACKET_PFC : PACKET_PAUSE;
	if (opcode != OPCODE_PFC && opcode != OPCODE_PAUSE)
		w->is_short = true;
	if (opcode == OPCODE_PFC)
		NUMBER(w, 2, p->pfc_enable);
	for (unsigned i = 0; i < (opcode == OPCODE_PFC ? 8 : 1); i++)
		NUMBER(w, 2, p->quanta[i]);
}

/* -- the invariant CRC -- */

/* CRC-32 of Ethernet, a nibble at a time: sixteen words are all it needs here. */
static uint32_t crc32_more(uint32_t crc, const uint8_t *bytes, size_t n)
{
	static const uint32_t nibbles[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
		0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};

	for (size_t i = 0; i < n; i++) {
		crc = nibbles[(crc ^ bytes[i]) & 15] ^ crc >> 4;
		crc = nibbles[(crc ^ bytes[i] >> 4) & 15] ^ crc >> 4;
	}
	return crc;
}

/* l3: from the IP header or GRH to the end of the pad. What routers may change counts as ones, as the LRH it lacks. */
static uint32_t icrc(const struct packet *p, const uint8_t *l3, size_t n, size_t bth_at)
{
	uint8_t head[40 + 8 + 12];
	size_t n_head = bth_at + 12;
	uint32_t crc = crc32_more(0xffffffff, (const uint8_t *)"\xff\xff\xff\xff\xff\xff\xff\xff", 8);

	memcpy(head, l3, n_head);
	if (p->is == PACKET_ROCE_V2 && !p->is_ipv6) {
		head[1] = head[8] = head[10] = head[11] = 0xff;
	} else {
		head[0] |= 0x0f;
		head[1] = head[2] = head[3] = head[7] = 0xff;
	}
	if (p->is == PACKET_ROCE_V2)
		head[bth_at - 2] = head[bth_at - 1] = 0xff;
	head[bth_at + 4] = 0xff;
	crc = crc32_more(crc, head, n_head);
	return __builtin_bswap32(~crc32_more(crc, l3 + n_head, n - n_head));
}

/* -- whole packets -- */

static void network(struct wire *w, struct packet *p, uint16_t *length)
{
	if (p->is == PACKET_ROCE_V1)
		ipv6(w, p, PROTO_BTH, length);
	else if (p->is_ipv6)
		ipv6(w, p, PROTO_UDP, length);
	else
		ipv4(w, p, length);
	if (p->is == PACKET_ROCE_V2)
		udp(w, p, *length);
}

static uint16_t bytes_after_network(const struct packet *p, unsigned has)
{
	static const struct { unsigned has, bytes; } sizes[] = {
		{ HAS_DETH, 8 }, { HAS_RETH, 16 }, { HAS_ATOMIC, 28 }, { HAS_AETH, 4 }, { HAS_ATOMIC_ACK, 8 }, { HAS_IMM, 4 },
		{ HAS_IETH, 4 }, { HAS_CNP, 16 },
	};
	size_t n = (p->is == PACKET_ROCE_V2 ? 8 : 0) + 12 + p->payload.n + p->pad + ICRC_BYTES;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		if (has & sizes[i].has)
			n += sizes[i].bytes;
	return (uint16_t)n;
}

static void write_control(struct packet *p, struct buf *out)
{
	uint8_t bytes[CONTROL_BYTES] = { 0 };
	struct wire w = { .p = bytes, .n = sizeof(bytes), .writes = true };

	ethernet(&w, p);
	control(&w, p);
	buf_add(out, bytes, sizeof(bytes));
}

static void write_roce(struct packet *p, unsigned has, struct buf *out)
{
	uint8_t bytes[PACKET_MOST];
	struct wire w = { .p = bytes, .n = sizeof(bytes), .writes = true };
	uint16_t length = bytes_after_network(p, has);
	size_t l3, bth_at;

	if (p->has_ethernet)
		ethernet(&w, p);
	l3 = w.at;
	network(&w, p, &length);
	bth_at = w.at - l3;
	bth(&w, p);
	extended(&w, p, has);
	if (p->payload.n)
		memcpy(take(&w, p->payload.n), p->payload.p, p->payload.n);
	memset(take(&w, p->pad), 0, p->pad);
	number(&w, ICRC_BYTES, icrc(p, bytes + l3, w.at - l3, bth_at));
	buf_add(out, bytes, w.at);
}

bool packet_write(const struct packet *packet, struct buf *out, struct err *err)
{
	struct packet p = *packet;
	const struct opcode *opcode = opcode_of(p.opcode);

	if (p.is == PACKET_PFC || p.is == PACKET_PAUSE) {
		write_control(&p, out);
		return true;
	}
	if (!opcode)
		return err_set(err, "0x%02x is not an opcode", p.opcode);
	if (p.payload.n && !(opcode->has & HAS_PAYLOAD))
		return err_set(err, "%s carries no payload", opcode->name);
	if (p.payload.n > PACKET_MOST - 256)
		return err_set(err, "a payload of %zu bytes does not fit a frame", p.payload.n);
	p.pad = (uint8_t)(-p.payload.n & 3);
	write_roce(&p, opcode->has, out);
	return true;
}

static bool read_roce(struct packet *p, struct wire *w, struct err *err)
{
	uint16_t length = 0;
	size_t l3 = w->at, bth_at, end;
	const struct opcode *opcode;

	network(w, p, &length);
	if (w->is_short)
		return err_set(err, "not RoCE: neither an unfragmented UDP packet to port 4791 nor a GRH with a BTH");
	bth_at = w->at - l3;
	end = l3 + bth_at + length - (p->is == PACKET_ROCE_V2 ? 8 : 0);
	if (length < bytes_after_network(&(struct packet){ .is = p->is }, 0) || end > w->n)
		return err_set(err, "truncated: %u bytes by the headers, %zu present", length, w->n - l3);
	w->n = end - ICRC_BYTES;
	bth(w, p);
	opcode = opcode_of(p->opcode);
	extended(w, p, opcode ? opcode->has : HAS_PAYLOAD);
	if (w->is_short || w->n - w->at < p->pad)
		return err_set(err, "too short for a %s", opcode ? opcode->name : "packet with this pad");
	p->payload = (struct span){ (const char *)w->p + w->at, w->n - w->at - p->pad };
	p->icrc_wanted = icrc(p, w->p + l3, w->n - l3, bth_at);
	w->at = w->n;
	w->n += ICRC_BYTES;
	NUMBER(w, ICRC_BYTES, p->icrc);
	return true;
}

static bool read_behind(struct packet *p, struct wire *w, uint16_t type, struct err *err)
{
	switch (type) {
	case TYPE_IPV4:
	case TYPE_IPV6:
	case TYPE_V1:
		p->is = type == TYPE_V1 ? PACKET_ROCE_V1 : PACKET_ROCE_V2;
		p->is_ipv6 = type == TYPE_IPV6;
		return read_roce(p, w, err);
	case TYPE_CONTROL:
		control(w, p);
		return !w->is_short || err_set(err, "a MAC control frame, but neither pause nor PFC");
	default:
		return err_set(err, "Ethernet type 0x%04x is neither IP, RoCE v1 nor MAC control", type);
	}
}

bool packet_read(struct packet *p, struct span bytes, bool without_ethernet, struct err *err)
{
	/* Nothing is written: the walk takes its direction from w.writes. */
	struct wire w = { .p = (uint8_t *)(uintptr_t)bytes.p, .n = bytes.n };
	uint16_t type;

	memset(p, 0, sizeof(*p));
	if (!without_ethernet) {
		p->has_ethernet = true;
		type = ethernet(&w, p);
		return w.is_short ? err_set(err, "%zu bytes are not an Ethernet frame", bytes.n) : read_behind(p, &w, type, err);
	}
	if (bytes.n < 7)
		return err_set(err, "%zu bytes are not a packet", bytes.n);
	type = (w.p[0] >> 4) == 4 ? TYPE_IPV4 : w.p[6] == PROTO_BTH ? TYPE_V1 : TYPE_IPV6;
	return read_behind(p, &w, type, err);
}

const char *syndrome_words(uint8_t syndrome, char out[64])
{
	static const char *const naks[] = { "sequence error", "invalid request", "remote access error", "remote operation error",
					    "invalid RD request" };
	unsigned value = syndrome & 31;

	switch (syndrome >> 5) {
	case 0:
		if (value == 31)
			return "ACK, unlimited credits";
		snprintf(out, 64, "ACK, credit code %u", value);
		break;
	case 1:
		snprintf(out, 64, "RNR NAK: receiver not ready, timer code %u", value);
		break;
	case 3:
		snprintf(out, 64, "NAK: %s", value < sizeof(naks) / sizeof(*naks) ? naks[value] : "reserved");
		break;
	default:
		return "reserved";
	}
	return out;
}

/* -- capture files -- */

/* One header and a few words a packet: less than what a library for it would bring with it. */
#define PCAP_MAGIC	0xa1b2c3d4u	/* µs */
#define PCAP_MAGIC_NS	0xa1b23c4du
#define PCAPNG_MAGIC	0x0a0d0d0au
#define LINK_ETHERNET	1
#define LINK_RAW	101

static uint32_t word(const struct capture *c, const char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return c->is_swapped ? __builtin_bswap32(v) : v;
}

bool capture_open(struct capture *c, struct span file, struct err *err)
{
	uint32_t magic, link;

	*c = (struct capture){ 0 };
	if (file.n < 24)
		return err_set(err, "not a pcap file: it has %zu bytes, and a pcap header alone has 24", file.n);
	magic = word(c, file.p);
	if (magic == PCAPNG_MAGIC)
		return err_set(err, "this is pcapng: convert it with editcap -F pcap");
	c->is_swapped = magic == __builtin_bswap32(PCAP_MAGIC) || magic == __builtin_bswap32(PCAP_MAGIC_NS);
	if (!c->is_swapped && magic != PCAP_MAGIC && magic != PCAP_MAGIC_NS)
		return err_set(err, "not a pcap file: it begins with 0x%08x", magic);
	link = word(c, file.p + 20);
	if (link != LINK_ETHERNET && link != LINK_RAW)
		return err_set(err, "link type %u is neither Ethernet (1) nor raw IP (101)", link);
	c->without_ethernet = link == LINK_RAW;
	c->rest = (struct span){ file.p + 24, file.n - 24 };
	return true;
}

bool capture_next(struct capture *c, struct span *bytes, struct err *err)
{
	uint32_t n;

	err->text[0] = '\0';
	if (!c->rest.n)
		return false;
	n = c->rest.n >= 16 ? word(c, c->rest.p + 8) : UINT32_MAX;
	if (n > c->rest.n - (c->rest.n >= 16 ? 16 : 0))
		return err_set(err, "the capture file is truncated");
	*bytes = (struct span){ c->rest.p + 16, n };
	c->rest = (struct span){ c->rest.p + 16 + n, c->rest.n - 16 - n };
	return true;
}

void capture_begin(struct buf *out, bool without_ethernet)
{
	const uint32_t words[] = { PCAP_MAGIC, 2 | 4 << 16, 0, 0, 262144, without_ethernet ? LINK_RAW : LINK_ETHERNET };

	buf_add(out, words, sizeof(words));
}

void capture_add(struct buf *out, struct span bytes)
{
	const uint32_t words[] = { 0, 0, (uint32_t)bytes.n, (uint32_t)bytes.n };

	buf_add(out, words, sizeof(words));
	buf_add(out, bytes.p, bytes.n);
}
