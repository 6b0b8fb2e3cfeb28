/* RDMA devices, by /sys/class/infiniband: which interface, state, GIDs, counters, forced marking. */
#include "remote/linux/linux.h"

#include <arpa/inet.h>
#include <stdio.h>

#include "remote/linux/rdma.h"
#include "remote/linux/rdma_map.h"
#include "remote/platform/tool_output.h"

/* How a counter goes with one of its field that the reply has said before. */
enum joins {
	JOINS_NONE,	/* there is one name for it */
	JOINS_FIRST,	/* the same as a port counter of the InfiniBand architecture: what is known first stands */
	JOINS_IPV4,	/* half of the sum of two IP versions, and not known as the whole */
	JOINS_IPV6,
};

/*
 * Names of hardware counters. mlx5 and rxe: kernel sources; bnxt_re, irdma and ionic: theirs. bnxt_re and ionic count
 * the CNPs that arrived, which are the ones they obey. Bytes: bnxt_re's are those of the statistics context that RDMA has
 * for its own; irdma's are those of its protocol engine. oos_drop_count are packets that the responder dropped for their
 * sequence. rx_roce_only_bytes and rx_roce_good_bytes are fewer, and no others' meaning.
 */
#define NAME(text) { text, sizeof(text) - 1 }
static const struct {
	struct span name;
	enum field field;
	unsigned bits;
	enum joins joins;
} counters[] = {
	{ NAME("np_cnp_sent"),		FIELD_CNP_SENT, 0 },
	{ NAME("rp_cnp_handled"),		FIELD_CNP_HANDLED, 0 },
	{ NAME("rp_cnp_ignored"),		FIELD_CNP_IGNORED, 0 },
	{ NAME("np_ecn_marked_roce_packets"),	FIELD_ECN_SEEN, 0 },
	{ NAME("out_of_sequence"),		FIELD_OOS, 0 },
	{ NAME("packet_seq_err"),		FIELD_SEQ_ERR, 0 },
	{ NAME("local_ack_timeout_err"),	FIELD_ACK_TIMEOUT, 0 },
	{ NAME("rnr_nak_retry_err"),		FIELD_RNR, 0 },
	{ NAME("out_of_buffer"),		FIELD_RX_NOBUF, 32 },
	{ NAME("roce_adp_retrans"),		FIELD_RETRANS, 0 },
	{ NAME("rx_icrc_encapsulated"),	FIELD_ICRC_ERR, 0 },
	{ NAME("tx_cnp_pkts"),		FIELD_CNP_SENT, 0 },
	{ NAME("rx_cnp_pkts"),		FIELD_CNP_HANDLED, 0 },
	{ NAME("rx_ecn_marked_pkts"),		FIELD_ECN_SEEN, 0 },
	{ NAME("rx_out_of_buffer"),		FIELD_RX_NOBUF, 0 },
	{ NAME("seq_err_naks_rcvd"),		FIELD_SEQ_ERR, 0 },
	{ NAME("to_retransmits"),		FIELD_RETRANS, 0 },
	{ NAME("rnr_naks_rcvd"),		FIELD_RNR, 0 },
	{ NAME("oos_drop_count"),		FIELD_OOS, 64 },
	{ NAME("rx_bytes"),			FIELD_RDMA_RX, 0, JOINS_FIRST },
	{ NAME("tx_bytes"),			FIELD_RDMA_TX, 0, JOINS_FIRST },
	{ NAME("ip4InOctets"),		FIELD_RDMA_RX, 0, JOINS_IPV4 },
	{ NAME("ip4OutOctets"),		FIELD_RDMA_TX, 0, JOINS_IPV4 },
	{ NAME("ip6InOctets"),		FIELD_RDMA_RX, 0, JOINS_IPV6 },
	{ NAME("ip6OutOctets"),		FIELD_RDMA_TX, 0, JOINS_IPV6 },
	{ NAME("cnpSent"),			FIELD_CNP_SENT, 0 },
	{ NAME("cnpHandled"),			FIELD_CNP_HANDLED, 0 },
	{ NAME("cnpIgnored"),			FIELD_CNP_IGNORED, 0 },
	{ NAME("RxECNMrkd"),			FIELD_ECN_SEEN, 0 },
	{ NAME("tx_rdma_cnp_pkts"),		FIELD_CNP_SENT, 0 },
	{ NAME("rx_rdma_cnp_pkts"),		FIELD_CNP_HANDLED, 0 },
	{ NAME("rx_rdma_ecn_pkts"),		FIELD_ECN_SEEN, 0 },
	{ NAME("resp_rx_outouf_seq"),		FIELD_OOS, 0 },		/* spelt so by the driver */
	{ NAME("req_rx_pkt_seq_err"),		FIELD_SEQ_ERR, 0 },
	{ NAME("tx_rdma_ack_timeout"),	FIELD_ACK_TIMEOUT, 0 },
	{ NAME("tx_rdma_retx_pkts"),		FIELD_RETRANS, 0 },
	{ NAME("resp_rx_outof_buf"),		FIELD_RX_NOBUF, 0 },
	{ NAME("req_rx_rnr_retry_err"),	FIELD_RNR, 0 },
	{ NAME("rcvd_seq_err"),		FIELD_SEQ_ERR, 0 },
	{ NAME("out_of_seq_request"),		FIELD_OOS, 0 },
	{ NAME("rcvd_rnr_err"),		FIELD_RNR, 0 },
};

static const char octets_of_ipv4[] = "IPv4 bytes only", octets_of_ipv6[] = "IPv6 bytes only";

/* The fact of a port that the reply has told so far, or its end. */
static size_t told_before(const struct obs *o, uint16_t port, enum field f)
{
	for (size_t i = o->n; i-- > 0;)
		if (o->facts[i].port == port && o->facts[i].field == f)
			return i;
	return o->n;
}

static struct value joined(const struct value *before, const struct value *now, enum joins joins)
{
	const char *half = joins == JOINS_IPV4 ? octets_of_ipv4 : octets_of_ipv6;
	const char *other_half = joins == JOINS_IPV4 ? octets_of_ipv6 : octets_of_ipv4;
	struct value v = *now;

	if (before->is == VALUE_KNOWN)
		return *before;
	if (joins == JOINS_FIRST || v.is != VALUE_KNOWN)
		return v;
	if (before->text == other_half)
		v.n += before->n;
	else
		v = (struct value){ .is = VALUE_UNKNOWN, .n = v.n, .text = half };
	return v;
}

static void add_counter(struct obs *o, uint16_t port, size_t row, struct span value)
{
	enum joins joins = counters[row].joins;
	const struct value nothing = { .is = VALUE_UNKNOWN };
	size_t n = o->n, before = joins ? told_before(o, port, counters[row].field) : n;
	struct obs_fact *now;

	obs_counter(o, port, counters[row].field, 0, value, counters[row].bits);
	if (!joins || o->n == n)
		return;
	now = &o->facts[n];
	now->value = joined(before < n ? &o->facts[before].value : &nothing, &now->value, joins);
	if (before < n)
		o->facts[before] = o->facts[--o->n];
}

bool rdma_counter(struct obs *o, uint16_t port, struct span name, struct span value)
{
	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++)
		if (span_same(name, counters[i].name)) {
			add_counter(o, port, i, value);
			return true;
		}
	return false;
}

/* The port counters of the InfiniBand architecture count words of four bytes. */
static void word_counter(struct obs *o, uint16_t port, enum field f, struct span value)
{
	uint64_t words;

	if (span_u64(value, &words) && words == UINT32_MAX)
		obs_unknown(o, port, f, 0, "a 32-bit counter at its maximum");
	else if (span_u64(value, &words) && words <= UINT64_MAX / 4)
		obs_number(o, port, f, 0, words * 4);
	else if (span_find(value, "no PMA") && told_before(o, port, f) == o->n)
		obs_unknown(o, port, f, 0, "N/A (no PMA)");
	else if (!span_find(value, "no PMA"))
		obs_unknown(o, port, f, 0, "the device prints no value");
}

void rdma_state(struct obs *o, uint16_t port, struct span value)
{
	struct span number, word = value;

	span_cut(value, ':', &number, &word);
	word = span_trim(word);
	if (span_is_nocase(word, "ACTIVE"))
		obs_number(o, port, FIELD_RDMA_STATE, 0, RDMA_ACTIVE);
	else if (span_is_nocase(word, "DOWN"))
		obs_number(o, port, FIELD_RDMA_STATE, 0, RDMA_DOWN);
	else if (span_is_nocase(word, "INIT"))
		obs_number(o, port, FIELD_RDMA_STATE, 0, RDMA_INIT);
	else if (span_is_nocase(word, "ARMED"))
		obs_number(o, port, FIELD_RDMA_STATE, 0, RDMA_ARMED);
	else
		obs_unknown(o, port, FIELD_RDMA_STATE, 0, "a state other than down, init, armed, active");
}

void rdma_layer(struct obs *o, uint16_t port, struct span value)
{
	if (span_is(value, "Ethernet"))
		obs_number(o, port, FIELD_RDMA_LAYER, 0, LAYER_ETHERNET);
	else if (span_is(value, "InfiniBand"))
		obs_number(o, port, FIELD_RDMA_LAYER, 0, LAYER_INFINIBAND);
}

static bool read_gid(struct span gid, struct in6_addr *out)
{
	char text[INET6_ADDRSTRLEN];

	if (gid.n >= sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)gid.n, gid.p);
	return inet_pton(AF_INET6, text, out) == 1;
}

bool gid_is_text(struct span gid)
{
	struct in6_addr a;

	return read_gid(gid, &a);
}

/*
 * IPv4 as "0000:0000:0000:0000:0000:ffff:0a6c:a424" or "::ffff:10.108.164.36", and IPv6 but for its link-local form: what
 * the driver makes of the MAC without any address being given. An empty place of the table is all zeros.
 */
bool gid_is_address(struct span gid)
{
	struct in6_addr a;

	return read_gid(gid, &a) && !IN6_IS_ADDR_LINKLOCAL(&a) && !IN6_IS_ADDR_UNSPECIFIED(&a) &&
	       !IN6_IS_ADDR_LOOPBACK(&a) && !IN6_IS_ADDR_MULTICAST(&a);
}

/* What NCCL and librdmacm tell apart: an IPv4 GID does not connect to an IPv6 one. */
static void take_gid_family(struct joint *j, struct span gid, unsigned index)
{
	struct in6_addr a;

	if (index >= 64 || !read_gid(gid, &a) || IN6_IS_ADDR_UNSPECIFIED(&a))
		return;
	j->families[IN6_IS_ADDR_V4MAPPED(&a) ? GID_IPV4 : IN6_IS_ADDR_LINKLOCAL(&a) ? GID_LINK_LOCAL : GID_IPV6] |= UINT64_C(1) << index;
}

static bool gid_index(struct span what, const char *prefix, unsigned *index)
{
	uint64_t n;

	if (!span_skip(&what, prefix) || !span_u64(what, &n) || n >= GIDS || (*what.p == '0' && what.n > 1))
		return false;
	*index = (unsigned)n;
	return true;
}

static void take_gid_type(struct rdma_map *m, const struct ib_line *l, unsigned index)
{
	struct joint *j = rdma_map_joint(m, l->device, l->port);

	if (!j)
		return;
	j->has_types = true;
	j->typed[index / 64] |= UINT64_C(1) << (index % 64);
	if (span_is(l->value, "RoCE v2"))
		j->v2[index / 64] |= UINT64_C(1) << (index % 64);
	else if (!span_is(l->value, "IB/RoCE v1") && !span_is(l->value, "RoCE v1"))
		j->has_strange_gid = true;
	else if (index < 64)
		j->v1 |= UINT64_C(1) << index;
}

/* A free place of the table, which has no type. */
static bool is_free_gid(struct span gid)
{
	for (size_t i = 0; i < gid.n; i++)
		if (gid.p[i] != '0' && gid.p[i] != ':')
			return false;
	return true;
}

static void take_gid(struct rdma_map *m, const struct ib_line *l, unsigned index, struct span line)
{
	struct joint *j = rdma_map_joint(m, l->device, l->port);

	if (j && !gid_is_text(l->value))
		j->has_strange_gid = true;
	if (j && !is_free_gid(l->value))
		j->read[index / 64] |= UINT64_C(1) << (index % 64);
	if (j)
		take_gid_family(j, l->value, index);
	if (!j || !(j->v2[index / 64] >> (index % 64) & 1) || !gid_is_address(l->value) || index >= j->best)
		return;
	j->best = index;
	j->best_line = line;
}

/* "Global tclass=106": one ToS for every connection. Empty: none is forced. */
static void forced_tos(struct obs *o, uint16_t port, struct span value)
{
	const char *at = span_find(value, "Global tclass=");
	uint64_t tos;

	if (!at)
		return;
	value = (struct span){ at + 14, (size_t)(value.p + value.n - at - 14) };
	if (span_u64(span_trim(value), &tos) && tos < 256)
		obs_number(o, port, FIELD_TOS_FORCE, 0, tos);
	else
		obs_unknown(o, port, FIELD_TOS_FORCE, 0, "traffic_class has no number");
}

static void default_tos(struct rdma_map *m, struct obs *o, const struct ib_line *l, uint16_t port)
{
	struct joint *j = rdma_map_joint(m, l->device, l->port);
	uint64_t tos;

	if (!span_u64(l->value, &tos) || tos > 255)
		return;
	if (j)
		j->has_tos_file = true;
	obs_number(o, port, FIELD_TOS_CMA, 0, tos);
}

static bool port_line(struct rdma_map *m, struct obs *o, const struct ib_line *l, struct span line)
{
	struct span what = l->what;
	uint16_t port = rdma_map_port(m, o, l->device, l->port);
	unsigned index;

	if (port == OBS_DEVICE)
		return false;
	if (span_skip(&what, "hw_counters/"))
		rdma_counter(o, port, what, l->value);
	else if (span_is(what, "counters/port_rcv_data"))
		word_counter(o, port, FIELD_RDMA_RX, l->value);
	else if (span_is(what, "counters/port_xmit_data"))
		word_counter(o, port, FIELD_RDMA_TX, l->value);
	else if (span_is(what, "state"))
		rdma_state(o, port, l->value);
	else if (span_is(what, "link_layer"))
		rdma_layer(o, port, l->value);
	else if (span_is(what, "traffic_class"))
		forced_tos(o, port, l->value);
	else if (span_is(what, "default_roce_tos"))
		default_tos(m, o, l, port);
	else if (gid_index(what, "gids/", &index))
		take_gid(m, l, index, line);
	return true;
}

/* "4: RNIC" is iWARP; "1: CA" has RoCE or InfiniBand. Of another word nothing follows. */
static void node_type(struct rdma_map *m, struct obs *o, const struct ib_line *l)
{
	bool is_iwarp = span_find(l->value, "RNIC") != NULL, is_joined = false;

	if (!is_iwarp && !span_is(l->value, "1: CA"))
		return;
	for (size_t i = 0; i < m->n; i++) {
		struct joint *j = &m->joints[i];
		uint16_t port = span_same(j->device, l->device) && !joint_is_guess(m, j) ? obs_port(o, j->netdev) : OBS_DEVICE;

		if (port == OBS_DEVICE)
			continue;
		is_joined = true;
		j->is_iwarp = is_iwarp;
		j->is_ca = !is_iwarp;
		obs_bool(o, port, FIELD_RDMA_IWARP, 0, is_iwarp);
	}
	if (!is_joined && is_iwarp && rdma_map_port(m, o, l->device, 1) != OBS_DEVICE)
		obs_bool(o, rdma_map_port(m, o, l->device, 1), FIELD_RDMA_IWARP, 0, true);
}

static void say_joint(struct obs *o, const struct rdma_map *m, const struct joint *j)
{
	uint16_t port = obs_port(o, j->netdev);

	if (port == OBS_DEVICE)
		return;
	obs_cite(o, j->line);
	obs_text(o, port, FIELD_RDMA, j->device);
	/* What has a function of its own is hardware; that a parent is not named proves nothing: soft-iWARP names none. */
	if (joint_is_soft(m, j) || joint_has_function(m, j))
		obs_bool(o, port, FIELD_RDMA_SOFT, 0, joint_is_soft(m, j));
}

/* Each index that has a type has a GID, and the other way round: where one lacks, the reply was cut short. */
static bool has_all_gids(const struct joint *j)
{
	for (size_t i = 0; i < GIDS / 64; i++)
		if ((j->v2[i] & ~j->read[i]) | (j->read[i] & ~j->typed[i]))
			return false;
	return true;
}

/* No smaller index may be one: of each that is v2 the GID was read, of each GID the type, and none is strange. */
static bool is_least(const struct joint *j)
{
	for (unsigned i = 0; i < j->best; i++)
		if (((j->v2[i / 64] & ~j->read[i / 64]) | (j->read[i / 64] & ~j->typed[i / 64])) >> (i % 64) & 1)
			return false;
	return !j->has_strange_gid;
}

static bool has_v2_type(const struct joint *j)
{
	for (size_t i = 0; i < GIDS / 64; i++)
		if (j->v2[i])
			return true;
	return false;
}

static void say_gids(struct obs *o, const struct joint *j, bool is_partial)
{
	uint16_t port = obs_port(o, j->netdev);
	bool has_v2 = j->best < GIDS;

	if (port == OBS_DEVICE || !j->has_types || j->is_iwarp)
		return;
	o->cite = CITE_NONE;
	if (!j->is_ca && !has_v2_type(j))	/* iWARP's have the same word for their type as those of RoCE v1 */
		return obs_unknown(o, port, FIELD_GID_V2, 0, "the device's link layer was not read");
	if (has_v2 && is_least(j)) {
		obs_cite(o, j->best_line);
		obs_number(o, port, FIELD_GID_INDEX, 0, j->best);
	} else if (has_v2) {
		obs_unknown(o, port, FIELD_GID_INDEX, 0, "its GID table is incomplete");
	}
	if (has_v2 || (has_all_gids(j) && !is_partial && !j->has_strange_gid))
		obs_bool(o, port, FIELD_GID_V2, 0, has_v2);
	else
		obs_unknown(o, port, FIELD_GID_V2, 0, "its GID table is incomplete");
	o->cite = CITE_NONE;
	for (unsigned i = 0; i < field_table[FIELD_GID_TYPE].width; i++)
		if ((j->v1 | j->v2[0]) >> i & 1)
			obs_number(o, port, FIELD_GID_TYPE, i, j->v2[0] >> i & 1 ? GID_V2 : GID_V1);
	for (unsigned i = 0; i < field_table[FIELD_GID_FAMILY].width; i++)
		for (unsigned family = 0; family < GID_FAMILIES; family++)
			if ((j->families[family] & j->typed[0]) >> i & 1)	/* an entry has a GID and a type */
				obs_number(o, port, FIELD_GID_FAMILY, i, family);
}

/* The collector found none: "no RDMA device", and the ports it is true of. */
static bool no_rdma(const struct answer *a, struct obs *o)
{
	static const enum field fields[] = {
		FIELD_RDMA, FIELD_RDMA_STATE, FIELD_GID_V2, FIELD_ECN_SEEN, FIELD_CNP_SENT, FIELD_CNP_HANDLED,
	};
	struct span rest = a->text, name;

	if (!span_starts(rest, "no RDMA device\n"))
		return false;
	while (next_port_line(&rest, &name)) {
		uint16_t port = obs_port(o, name);

		for (size_t i = 0; port != OBS_DEVICE && i < sizeof(fields) / sizeof(*fields); i++)
			obs_unknown(o, port, fields[i], 0, "no RDMA device on this host");
	}
	return true;
}

static void say_tos(struct rdma_map *m, struct obs *o)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct joint *j = &m->joints[i];
		uint16_t port = obs_port(o, j->netdev);

		if (port != OBS_DEVICE && !j->has_tos_file && !joint_is_guess(m, j))
			obs_unknown(o, port, FIELD_TOS_CMA, 0, "rdma_cm has no configfs directory for it");
	}
}

static void take_gid_types(struct rdma_map *m, struct span rest)
{
	struct ib_line l;
	struct span line;
	unsigned index;

	if (!span_find(rest, "/gid_attrs/types/"))
		return;
	while (span_line(&rest, &line))
		if (cut_ib_line(line, &l) && gid_index(l.what, "gid_attrs/types/", &index))
			take_gid_type(m, &l, index);
}

static bool asked_for_tos(struct span text)
{
	struct span line;

	return span_line(&text, &line) && span_is(span_trim(line), "tos:");
}

/* The map stands first: where nothing follows it, it may lack its end, which is what is believed most. */
static bool is_of_map(const struct ib_line *l)
{
	return span_is(l->what, "parent") || span_is(l->what, "gid_attrs/ndevs/0") || span_starts(l->what, "device/net/");
}

/*
 * Lines of files under /sys/class/infiniband and the rdma_cm configfs, as "grep -H ." prints them, in any order.
 * Counters that are missing (InfiniBand, VFs, old firmware) are absent. A first line "tos:" says that the markings were
 * asked for, so that a missing default is unknown.
 */
size_t linux_rdma(const struct answer *a, struct obs *o)
{
	struct rdma_map m;
	struct span rest = a->text, line;
	bool asks_tos = asked_for_tos(a->text), has_more = false;

	if (no_rdma(a, o))
		return o->n;
	rdma_map_init(&m, a);
	take_gid_types(&m, rest);
	while (span_line(&rest, &line)) {
		struct ib_line l;

		obs_cite(o, line);
		if (a->port && span_starts(line, "Global tclass=")) {	/* the bare file */
			forced_tos(o, answer_port(a, o), line);
			continue;
		}
		if (cut_ib_line(line, &l)) {
			has_more |= !is_of_map(&l);
			if (l.port == 0 && span_is(l.what, "node_type"))
				node_type(&m, o, &l);
		}
		if (!cut_ib_line(line, &l) || (l.port > 0 && !port_line(&m, o, &l, line)))
			obs_missed(o, span_is(span_trim(line), "tos:") ? (struct span){ line.p, 0 } : line);
	}
	for (size_t i = 0; i < m.n && (has_more || !a->is_partial); i++)
		if (!joint_is_guess(&m, &m.joints[i])) {
			if (!asks_tos)
				say_joint(o, &m, &m.joints[i]);
			say_gids(o, &m.joints[i], a->is_partial);
		}
	o->cite = CITE_NONE;
	if (asks_tos && !a->is_partial)
		say_tos(&m, o);
	rdma_map_done(&m);
	return o->n;
}
