/* Frames: built from words, taken apart into rows. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/roce/packet.h"
#include "tui/args/name_value_args.h"
#include "tui/commands/commands.h"
#include "tui/text/files.h"

/* -- build -- */

static struct name_value words[] = {
	{ "src", "10.0.0.1", "IPv4 or IPv6 (v1: IPv6 form or IPv4)" },
	{ "dst", "10.0.0.2", "the same" },
	{ "from", "02:00:00:00:00:01", "MAC" },
	{ "to", "02:00:00:00:00:02", "MAC" },
	{ "vlan", NULL, "TCI: PCP << 13 | VID; without it, untagged" },
	{ "version", "2", "RoCE version, 1 or 2" },
	{ "tos", NULL, "ToS byte or traffic class (106; CNPs: 194)" },
	{ "ttl", "64", "or hop limit" },
	{ "id", "0", "of the IPv4 header" },
	{ "sport", "49152", "UDP source port: the flow's entropy" },
	{ "qp", "0x12", "destination queue pair" },
	{ "psn", "0", "packet sequence number" },
	{ "pkey", "0xffff", "partition" },
	{ "ack", "0", "1: requests an ACK" },
	{ "va", "0", "virtual address (writes, reads, atomics)" },
	{ "rkey", "0", "remote key" },
	{ "length", NULL, "of the whole write or read; else that of the payload" },
	{ "syndrome", "0x1f", "of an ACK: 0x60 sequence, 0x62 remote access, 0x20-0x3f receiver not ready" },
	{ "msn", "0", "message sequence number" },
	{ "imm", "0", "immediate data, or the key to invalidate" },
	{ "qkey", "0", "of a datagram" },
	{ "fromqp", "0", "of a datagram" },
	{ "payload", "", "hex" },
	{ "priority", "3", "PFC: the priorities, \"3\" or \"3,4\"" },
	{ "quanta", "65535", "pause and PFC: 0 resumes" },
	{ 0 },
};

static bool whole_number(const char *name, uint64_t most, uint64_t *out, struct err *err)
{
	struct span s = span_of(name_value_text(words, name));

	if (span_starts(s, "0x") ? !span_hex(s, out) : !span_u64(s, out))
		return err_set(err, "%s= needs a whole number, not \"%.40s\"", name, s.p);
	return *out <= most || err_set(err, "%s= is at most %llu", name, (unsigned long long)most);
}

static bool mac(const char *name, uint8_t out[6], struct err *err)
{
	unsigned b[6];
	char end;

	if (sscanf(name_value_text(words, name), "%2x:%2x:%2x:%2x:%2x:%2x%c", b, b + 1, b + 2, b + 3, b + 4, b + 5,
		   &end) != 6)
		return err_set(err, "%s= needs a MAC address such as 02:00:00:00:00:01", name);
	for (int i = 0; i < 6; i++)
		out[i] = (uint8_t)b[i];
	return true;
}

/* IPv4 in an address of 16 bytes is written as RoCE v1 maps it. */
static bool address(struct packet *p, const char *name, uint8_t out[16], struct err *err)
{
	const char *text = name_value_text(words, name);

	if (inet_pton(AF_INET6, text, out) == 1) {
		p->is_ipv6 = true;
		return true;
	}
	if (inet_pton(AF_INET, text, out) != 1)
		return err_set(err, "%s= needs an IPv4 or IPv6 address, not \"%.60s\"", name, text);
	if (p->is == PACKET_ROCE_V1) {
		memcpy(out + 12, out, 4);
		memcpy(out, "\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);
	}
	return true;
}

/* Digits in pairs, blanks and colons between them; false for anything else. */
static bool read_hex(struct span s, struct buf *out)
{
	for (size_t i = 0; i < s.n;) {
		uint64_t byte;

		if (strchr(" \t\r\n:", s.p[i])) {
			i++;
			continue;
		}
		if (i + 1 >= s.n || !span_hex((struct span){ s.p + i, 2 }, &byte))
			return false;
		buf_add(out, &(uint8_t){ (uint8_t)byte }, 1);
		i += 2;
	}
	return true;
}

static bool pause_of_words(struct packet *p, struct err *err)
{
	uint64_t quanta;

	if (!mac("from", p->from, err) || !whole_number("quanta", 65535, &quanta, err))
		return false;
	p->quanta[0] = (uint16_t)quanta;
	if (p->is == PACKET_PAUSE)
		return true;
	p->quanta[0] = 0;
	for (const char *c = name_value_text(words, "priority"); *c; c++) {
		if (*c == ',')
			continue;
		if (*c < '0' || *c > '7')
			return err_set(err, "priority= takes 0-7, or several: 3,4");
		p->pfc_enable |= (uint16_t)(1 << (*c - '0'));
		p->quanta[*c - '0'] = (uint16_t)quanta;
	}
	return true;
}

/* Names, the most each may be, and where it goes. */
static bool numbers_of_words(struct packet *p, struct err *err)
{
	uint64_t n[14];
	static const struct { const char *name; uint64_t most; } rows[14] = {
		{ "ttl", 255 }, { "id", 65535 }, { "sport", 65535 }, { "qp", 0xffffff }, { "psn", 0xffffff }, { "pkey", 65535 },
		{ "ack", 1 }, { "va", UINT64_MAX }, { "rkey", UINT32_MAX }, { "syndrome", 255 }, { "msn", 0xffffff },
		{ "imm", UINT32_MAX }, { "qkey", UINT32_MAX }, { "fromqp", 0xffffff },
	};

	for (size_t i = 0; i < 14; i++)
		if (!whole_number(rows[i].name, rows[i].most, &n[i], err))
			return false;
	p->ttl = (uint8_t)n[0];
	p->ip_id = (uint16_t)n[1];
	p->udp_from = (uint16_t)n[2];
	p->qp = (uint32_t)n[3];
	p->psn = (uint32_t)n[4];
	p->pkey = (uint16_t)n[5];
	p->ack_wanted = n[6];
	p->va = n[7];
	p->rkey = (uint32_t)n[8];
	p->syndrome = (uint8_t)n[9];
	p->msn = (uint32_t)n[10];
	p->immediate = (uint32_t)n[11];
	p->qkey = (uint32_t)n[12];
	p->from_qp = (uint32_t)n[13];
	return true;
}

static bool roce_of_words(struct packet *p, struct buf *payload, struct err *err)
{
	uint64_t n;

	if (!mac("from", p->from, err) || !mac("to", p->to, err) || !address(p, "src", p->src, err) ||
	    !address(p, "dst", p->dst, err) || !numbers_of_words(p, err))
		return false;
	if (name_value_text(words, "vlan")) {
		if (!whole_number("vlan", 65535, &n, err))
			return false;
		p->has_vlan = true;
		p->vlan = (uint16_t)n;
	}
	p->tos = p->opcode == 0x81 ? 194 : 106;
	p->becn = p->opcode == 0x81;
	if (name_value_text(words, "tos")) {
		if (!whole_number("tos", 255, &n, err))
			return false;
		p->tos = (uint8_t)n;
	}
	if (!read_hex(span_of(name_value_text(words, "payload")), payload))
		return err_set(err, "payload= needs pairs of hex digits");
	p->payload = buf_span(payload);
	n = p->payload.n;
	if (name_value_text(words, "length") && !whole_number("length", UINT32_MAX, &n, err))
		return false;
	p->length = (uint32_t)n;
	return true;
}

static bool kind_of(const char *kind, struct packet *p, struct err *err)
{
	bool is_v1 = !strcmp(name_value_text(words, "version"), "1");

	if (!strcmp(kind, "pfc") || !strcmp(kind, "pause")) {
		packet_init(p, strcmp(kind, "pfc") ? PACKET_PAUSE : PACKET_PFC);
		return true;
	}
	packet_init(p, is_v1 ? PACKET_ROCE_V1 : PACKET_ROCE_V2);
	for (unsigned i = 0; i < opcode_count; i++) {
		if (!strcmp(opcode_table[i].name, kind)) {
			p->opcode = opcode_table[i].code;
			return true;
		}
	}
	return err_set(err, "no frame kind \"%.40s\" (fabcon frame list)", kind);
}

static int give_frame(struct cli *cli, const struct buf *frame)
{
	struct buf file = { 0 };
	struct err err;
	int code = EXIT_DONE;

	if (!cli->out) {
		for (size_t i = 0; i < frame->n; i++)
			printf("%02x", (unsigned char)frame->text[i]);
		putchar('\n');
		return EXIT_DONE;
	}
	capture_begin(&file, false);
	capture_add(&file, buf_span(frame));
	if (!file_create(cli->out, buf_span(&file), &err))
		code = complain(EXIT_USAGE, "%s", err.text);
	buf_done(&file);
	return code;
}

static int build(struct cli *cli)
{
	struct buf payload = { 0 }, frame = { 0 };
	struct packet p;
	struct err err;
	bool ok;
	int code;

	if (cli->n_args < 2)
		return complain(EXIT_USAGE, "usage: fabcon frame build KIND [NAME=VALUE…] (fabcon frame list)");
	ok = name_value_read(words, cli->args + 2, cli->n_args - 2, &err) && kind_of(cli->args[1], &p, &err) &&
	     (p.is == PACKET_PFC || p.is == PACKET_PAUSE ? pause_of_words(&p, &err) : roce_of_words(&p, &payload, &err)) &&
	     packet_write(&p, &frame, &err);
	code = ok ? give_frame(cli, &frame) : complain(EXIT_USAGE, "%s", err.text);
	buf_done(&payload);
	buf_done(&frame);
	return code;
}

/* -- decode -- */

struct telling {
	struct sheet *sheet;
	unsigned frame;
};

static void tell(struct telling *t, const char *header, const char *field, json_t *value, const char *text)
{
	sheet_row(t->sheet);
	sheet_number(t->sheet, t->frame);
	sheet_text(t->sheet, header);
	sheet_text(t->sheet, field);
	sheet_cell(t->sheet, value, text);
}

static void tell_number(struct telling *t, const char *header, const char *field, uint64_t n, const char *note)
{
	char text[160];

	snprintf(text, sizeof(text), "%llu (0x%llx)%s%s", (unsigned long long)n, (unsigned long long)n, note ? " " : "", note ? note : "");
	tell(t, header, field, json_integer((json_int_t)n), text);
}

static void tell_text(struct telling *t, const char *header, const char *field, const char *text)
{
	tell(t, header, field, json_string(text), NULL);
}

static void tell_ethernet(struct telling *t, const struct packet *p)
{
	const uint8_t *ends[] = { p->to, p->from };

	if (!p->has_ethernet)
		return;
	for (int i = 0; i < 2; i++) {
		char text[18];

		snprintf(text, sizeof(text), "%02x:%02x:%02x:%02x:%02x:%02x", ends[i][0], ends[i][1], ends[i][2], ends[i][3], ends[i][4],
			 ends[i][5]);
		tell_text(t, "ethernet", i ? "from" : "to", text);
	}
	if (p->has_vlan) {
		tell_number(t, "vlan", "pcp", p->vlan >> 13, NULL);
		tell_number(t, "vlan", "vid", p->vlan & 0xfff, NULL);
	}
}

static void tell_network(struct telling *t, const struct packet *p)
{
	static const char *const ecn[] = { "Not-ECT", "ECT(1)", "ECT(0)", "CE" };
	const char *header = p->is == PACKET_ROCE_V1 ? "grh" : p->is_ipv6 ? "ipv6" : "ipv4";
	int family = p->is == PACKET_ROCE_V2 && !p->is_ipv6 ? AF_INET : AF_INET6;
	char text[INET6_ADDRSTRLEN];

	tell_text(t, header, "src", inet_ntop(family, p->src, text, sizeof(text)));
	tell_text(t, header, "dst", inet_ntop(family, p->dst, text, sizeof(text)));
	tell_number(t, header, "tos", p->tos, NULL);
	tell_number(t, header, "dscp", p->tos >> 2, NULL);
	tell_text(t, header, "ecn", ecn[p->tos & 3]);
	tell_number(t, header, "ttl", p->ttl, NULL);
	if (p->is != PACKET_ROCE_V2)
		return;
	tell_number(t, "udp", "source_port", p->udp_from, NULL);
	tell_number(t, "udp", "checksum", p->udp_sum, p->udp_sum ? NULL : "none, as RoCE may");
}

static void tell_bth(struct telling *t, const struct packet *p, const struct opcode *opcode)
{
	tell_number(t, "bth", "opcode", p->opcode, opcode ? opcode->name : "reserved");
	tell_number(t, "bth", "dest_qp", p->qp, opcode && opcode->has & HAS_CNP ? "the sender's QP, which must slow down" : NULL);
	tell_number(t, "bth", "psn", p->psn, NULL);
	tell_number(t, "bth", "pkey", p->pkey, NULL);
	tell(t, "bth", "ack_wanted", json_boolean(p->ack_wanted), NULL);
	tell(t, "bth", "fecn", json_boolean(p->fecn), NULL);
	tell(t, "bth", "becn", json_boolean(p->becn), NULL);
	tell_number(t, "bth", "pad", p->pad, NULL);
}

static void tell_extended(struct telling *t, const struct packet *p, unsigned has)
{
	char text[64];

	if (has & HAS_DETH) {
		tell_number(t, "deth", "qkey", p->qkey, NULL);
		tell_number(t, "deth", "source_qp", p->from_qp, NULL);
	}
	if (has & (HAS_RETH | HAS_ATOMIC)) {
		tell_number(t, has & HAS_RETH ? "reth" : "atomic", "va", p->va, NULL);
		tell_number(t, has & HAS_RETH ? "reth" : "atomic", "rkey", p->rkey, NULL);
	}
	if (has & HAS_RETH)
		tell_number(t, "reth", "length", p->length, "bytes");
	if (has & HAS_ATOMIC) {
		tell_number(t, "atomic", "swap_or_add", p->swap, NULL);
		tell_number(t, "atomic", "compare", p->compare, NULL);
	}
	if (has & HAS_AETH) {
		tell_number(t, "aeth", "syndrome", p->syndrome, syndrome_words(p->syndrome, text));
		tell_number(t, "aeth", "msn", p->msn, NULL);
	}
	if (has & HAS_ATOMIC_ACK)
		tell_number(t, "atomic", "old_value", p->old_value, NULL);
	if (has & (HAS_IMM | HAS_IETH))
		tell_number(t, has & HAS_IMM ? "immdt" : "ieth", has & HAS_IMM ? "immediate" : "rkey", p->immediate, NULL);
}

static void tell_pause(struct telling *t, const struct packet *p)
{
	tell_text(t, "mac_control", "opcode", p->is == PACKET_PFC ? "PFC (802.1Qbb)" : "pause (802.3x)");
	for (unsigned i = 0; i < 8; i++) {
		char field[16];

		if (p->is == PACKET_PFC ? !(p->pfc_enable >> i & 1) : i > 0)
			continue;
		snprintf(field, sizeof(field), p->is == PACKET_PFC ? "time[%u]" : "time", i);
		tell_number(t, "mac_control", field, p->quanta[i], p->quanta[i] ? "quanta: stop" : "quanta: go on");
	}
}

/* True when it is whole and, where it has one, its ICRC is right. */
static bool tell_packet(struct telling *t, const struct packet *p)
{
	const struct opcode *opcode = opcode_of(p->opcode);
	char text[96];

	tell_ethernet(t, p);
	if (p->is == PACKET_PFC || p->is == PACKET_PAUSE) {
		tell_pause(t, p);
		return true;
	}
	tell_network(t, p);
	tell_bth(t, p, opcode);
	if (opcode)
		tell_extended(t, p, opcode->has);
	tell_number(t, "payload", "length", p->payload.n, "bytes");
	snprintf(text, sizeof(text), p->icrc == p->icrc_wanted ? "right" : "WRONG, should be 0x%08x", p->icrc_wanted);
	tell_number(t, "icrc", "icrc", p->icrc, text);
	return p->icrc == p->icrc_wanted;
}

static bool tell_bytes(struct telling *t, struct span bytes, bool without_ethernet)
{
	struct packet p;
	struct err err;

	t->frame++;
	if (packet_read(&p, bytes, without_ethernet, &err))
		return tell_packet(t, &p);
	tell_text(t, "-", "could not be parsed", err.text);
	return false;
}

static bool tell_capture(struct telling *t, struct span file, struct err *err)
{
	struct capture c;
	struct span bytes;
	bool right = true;

	if (!capture_open(&c, file, err))
		return false;
	while (capture_next(&c, &bytes, err))
		right &= tell_bytes(t, bytes, c.without_ethernet);
	if (err->text[0])
		return false;
	return right || err_set(err, "not every frame is RoCE with a correct ICRC, or pause");
}

/* Hex digits may begin at the Ethernet or at the IP header: what can be read decides. */
static bool tell_hex(struct telling *t, struct span bytes, struct err *err)
{
	struct packet p;
	bool without_ethernet = !packet_read(&p, bytes, false, NULL);

	return tell_bytes(t, bytes, without_ethernet) || err_set(err, "not RoCE or pause, or wrong ICRC");
}

static int decode(struct cli *cli)
{
	struct telling t = { .sheet = sheet_new("fabcon.frame/1", "frame header field value") };
	struct buf file = { 0 }, bytes = { 0 };
	struct span text;
	struct err err = { .text = "" };
	bool ok, is_file;

	if (cli->n_args < 2)
		return sheet_free(t.sheet), complain(EXIT_USAGE, "usage: fabcon frame decode HEX|FILE|-");
	is_file = !strcmp(cli->args[1], "-") || access(cli->args[1], R_OK) == 0;
	ok = !is_file || file_read(cli->args[1], &file, &err);
	text = is_file ? buf_span(&file) : span_of(cli->args[1]);
	if (ok && read_hex(text, &bytes) && bytes.n)
		ok = tell_hex(&t, buf_span(&bytes), &err);
	else if (ok)
		ok = tell_capture(&t, text, &err);
	if (sheet_rows(t.sheet))
		sheet_write(t.sheet, cli->format, stdout);
	sheet_free(t.sheet);
	buf_done(&file);
	buf_done(&bytes);
	return ok ? EXIT_DONE : complain(t.frame ? EXIT_FINDINGS : EXIT_USAGE, "%s", err.text);
}

static int list_kinds(void)
{
	struct buf help = { 0 };

	name_value_help(words, &help);
	printf("fabcon frame build KIND [NAME=VALUE…]\n%s\nKinds: pfc pause", help.text);
	for (unsigned i = 0; i < opcode_count; i++)
		printf("%s%s", i % 5 ? " " : "\n  ", opcode_table[i].name);
	putchar('\n');
	buf_done(&help);
	return EXIT_DONE;
}

int cmd_frame(struct cli *cli)
{
	if (!strcmp(cli->args[0], "build"))
		return build(cli);
	if (!strcmp(cli->args[0], "decode"))
		return decode(cli);
	if (!strcmp(cli->args[0], "list"))
		return list_kinds();
	return complain(EXIT_USAGE, "usage: fabcon frame build KIND… | decode HEX|FILE|- | list");
}
