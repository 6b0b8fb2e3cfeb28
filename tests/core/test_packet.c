/* RoCE frames against vectors that others captured or worked out, against hostile bytes, and against tshark. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/roce/packet.h"
#include "tests/lib/say.h"

static size_t from_hex(const char *hex, uint8_t *out)
{
	size_t n = 0;

	for (; hex[0] && hex[1]; hex += 2, n++) {
		char digits[3] = { hex[0], hex[1], 0 };

		out[n] = (uint8_t)strtoul(digits, NULL, 16);
	}
	return n;
}

/* From the IP header or GRH; the last four bytes are the ICRC as on the wire. Two from the suite of a packet library, one
 * captured from a ConnectX-4 Lx, two of RoCE v1, and one of our own. */
static const char *const vectors[] = {
	"45010040047840004011b4d5c0a80007c0a80007c00012b7002caca22460ffff000000d300cf17104630818be28935d90e9a95505401be885e500000"
	"78f353f3",
	"6e21face002c11ff2022000000000000000000000000102320230000000000000000000000001024c00012b7002ce7c52460ffff000000d300cf1710"
	"4630818be28935d90e9a95505401be885e500000" "3e5b743b",
	"45c2003c718c4000401191610a0011010a001201000012b7002800008100ffff400001180000000000000000000000000000000000000000"
	"82fd002a",
	"6020000000281b4000000000000000000000ffff0f00000200000000000000000000ffff0f0000020a70ffff0000010a80a788bc000055d4c0726000"
	"000047b3000000050000000001000000" "e3d856bb",
	"6020000000141b4000000000000000000000ffff0f00000200000000000000000000ffff0f0000021140ffff0000010900a788c000000005"
	"25f0c038",
	"456a00441234400040114c080a0064010a006402c12312b7003000000a70ffff000012348000abcd00007f0011223340000012340000000568656c6c"
	"6f000000" "eb949636",
};
#define VECTORS (sizeof(vectors) / sizeof(*vectors))

static void every_published_icrc_is_ours(void **state)
{
	(void)state;
	for (size_t i = 0; i < VECTORS; i++) {
		uint8_t bytes[256];
		size_t n = from_hex(vectors[i], bytes);
		struct packet p;
		struct err err;

		if (!packet_read(&p, (struct span){ (char *)bytes, n }, true, &err))
			fail_msg("vector %zu: %s", i, err.text);
		assert_int_equal(p.icrc, p.icrc_wanted);
	}
}

static void what_is_read_is_written_again_to_the_byte(void **state)
{
	(void)state;
	for (size_t i = 0; i < VECTORS; i++) {
		uint8_t bytes[256];
		size_t n = from_hex(vectors[i], bytes);
		struct buf out = { 0 };
		struct packet p;
		struct err err;

		assert_true(packet_read(&p, (struct span){ (char *)bytes, n }, true, &err));
		assert_true(packet_write(&p, &out, &err));
		assert_int_equal(out.n, n);
		assert_memory_equal(out.text, bytes, n);
		buf_done(&out);
	}
}

static void marks_and_hops_leave_the_icrc_valid_and_data_does_not(void **state)
{
	uint8_t bytes[256];
	size_t n = from_hex(vectors[5], bytes);
	struct packet p;
	struct err err;

	(void)state;
	bytes[1] |= 3;			/* CE */
	bytes[8]--;			/* a hop */
	bytes[10] ^= 0x55;		/* its checksum */
	bytes[28 + 4] |= 0x80;		/* FECN */
	assert_true(packet_read(&p, (struct span){ (char *)bytes, n }, true, &err));
	assert_int_equal(p.icrc, p.icrc_wanted);
	assert_int_equal(p.tos, 107);
	assert_true(p.fecn);
	bytes[n - 8] ^= 1;
	assert_true(packet_read(&p, (struct span){ (char *)bytes, n }, true, &err));
	assert_int_not_equal(p.icrc, p.icrc_wanted);
}

static void a_captured_cnp_says_whom_it_slows(void **state)
{
	uint8_t bytes[256];
	size_t n = from_hex(vectors[2], bytes);
	struct packet p;
	struct err err;

	(void)state;
	assert_true(packet_read(&p, (struct span){ (char *)bytes, n }, true, &err));
	assert_string_equal(opcode_of(p.opcode)->name, "cnp");
	assert_true(p.becn);
	assert_int_equal(p.tos >> 2, 48);
	assert_int_equal(p.qp, 0x118);
	assert_int_equal(p.payload.n, 0);
}

static void a_pfc_frame_stops_the_priorities_it_names(void **state)
{
	uint8_t wanted[60] = { 0 };
	struct buf out = { 0 };
	struct packet p, back;
	struct err err;

	(void)state;
	from_hex("0180c200000102000000000188080101000800000000000" "0ffff", wanted);
	packet_init(&p, PACKET_PFC);
	memcpy(p.from, "\x02\0\0\0\0\x01", 6);
	p.pfc_enable = 1 << 3;
	p.quanta[3] = 0xffff;
	assert_true(packet_write(&p, &out, &err));
	assert_int_equal(out.n, sizeof(wanted));
	assert_memory_equal(out.text, wanted, sizeof(wanted));
	assert_true(packet_read(&back, buf_span(&out), false, &err));
	assert_int_equal(back.is, PACKET_PFC);
	assert_int_equal(back.pfc_enable, 8);
	assert_int_equal(back.quanta[3], 0xffff);
	buf_done(&out);
}

static void every_opcode_goes_there_and_back(void **state)
{
	(void)state;
	for (unsigned i = 0; i < opcode_count * 3; i++) {
		const struct opcode *opcode = &opcode_table[i / 3];
		struct buf out = { 0 };
		struct packet p, back;
		struct err err;

		packet_init(&p, i % 3 ? PACKET_ROCE_V2 : PACKET_ROCE_V1);
		p.is_ipv6 = i % 3 == 2;
		p.has_vlan = i & 1;
		p.vlan = 0x6001;
		p.opcode = opcode->code;
		p.va = 0x1122334455667788;
		p.msn = p.psn = p.qp = 0xabcdef;
		p.immediate = p.rkey = p.qkey = 0xdeadbeef;
		p.syndrome = 0x62;
		if (opcode->has & HAS_PAYLOAD)
			p.payload = SPAN("hello");
		assert_true(packet_write(&p, &out, &err));
		assert_true(packet_read(&back, buf_span(&out), false, &err));
		assert_int_equal(back.icrc, back.icrc_wanted);
		assert_true(span_same(back.payload, p.payload));
		assert_int_equal(back.opcode, p.opcode);
		assert_int_equal(back.psn, p.psn);
		assert_int_equal(back.vlan, p.has_vlan ? 0x6001 : 0);
		buf_done(&out);
	}
}

static void no_cut_and_no_damage_breaks_the_reader(void **state)
{
	(void)state;
	srand(7);
	for (size_t i = 0; i < VECTORS; i++) {
		uint8_t bytes[256];
		size_t n = from_hex(vectors[i], bytes);

		for (int k = 0; k < 20000; k++) {
			size_t cut = k % 3 ? n : (size_t)rand() % (n + 1);
			uint8_t *copy = malloc(cut + 1);	/* its own piece: a read past it is caught */
			struct packet p;
			struct err err;

			memcpy(copy, bytes, cut);
			for (int j = 0; cut && j < k % 4; j++)
				copy[(size_t)rand() % cut] = (uint8_t)rand();
			packet_read(&p, (struct span){ (char *)copy, cut }, k & 1, &err);
			free(copy);
		}
	}
}

static void captures_are_written_and_read_in_both_byte_orders(void **state)
{
	uint8_t bytes[256];
	size_t n = from_hex(vectors[0], bytes);
	struct buf file = { 0 };
	struct capture c;
	struct span back;
	struct err err;

	(void)state;
	capture_begin(&file, true);
	capture_add(&file, (struct span){ (char *)bytes, n });
	assert_true(capture_open(&c, buf_span(&file), &err));
	assert_true(c.without_ethernet);
	assert_true(capture_next(&c, &back, &err));
	assert_true(span_same(back, (struct span){ (char *)bytes, n }));
	assert_false(capture_next(&c, &back, &err));
	assert_string_equal(err.text, "");

	for (size_t at = 0; at < 40; at += 4) {
		uint32_t v;

		memcpy(&v, file.text + at, 4);
		v = __builtin_bswap32(v);
		memcpy(file.text + at, &v, 4);
	}
	assert_true(capture_open(&c, buf_span(&file), &err));
	assert_true(capture_next(&c, &back, &err));
	file.n -= 5;
	assert_true(capture_open(&c, buf_span(&file), &err));
	assert_false(capture_next(&c, &back, &err));
	assert_non_null(strstr(err.text, "truncated"));
	buf_done(&file);
}

/* A second witness, where it is installed. */
static void tshark_reads_what_we_wrote_and_finds_nothing_wrong(void **state)
{
	char path[] = "/tmp/fabcon-frame-XXXXXX", command[256], line[512];
	struct buf file = { 0 }, one = { 0 };
	struct packet p;
	struct err err;
	FILE *pipe;
	int fd;

	(void)state;
	if (system("command -v tshark >/dev/null 2>&1")) {
		printf("skip: tshark is not installed\n");
		return;
	}
	packet_init(&p, PACKET_ROCE_V2);
	memcpy(p.src, "\x0a\0\0\1", 4);
	memcpy(p.dst, "\x0a\0\0\2", 4);
	p.opcode = 0x0a;
	p.qp = 0x1234;
	p.psn = 0xabcd;
	p.payload = SPAN("hello");
	p.length = 5;
	assert_true(packet_write(&p, &one, &err));
	capture_begin(&file, false);
	capture_add(&file, buf_span(&one));
	fd = mkstemp(path);
	assert_int_equal(write(fd, file.text, file.n), file.n);
	close(fd);
	snprintf(command, sizeof(command), "tshark -r %s -T fields -e infiniband.bth.opcode -e infiniband.bth.destqp "
		 "-e infiniband.bth.psn -e ip.dsfield.dscp -e _ws.malformed 2>/dev/null", path);
	pipe = popen(command, "r");
	assert_non_null(fgets(line, sizeof(line), pipe));
	pclose(pipe);
	unlink(path);
	assert_string_equal(line, "10\t0x001234\t43981\t26\t\n");
	buf_done(&file);
	buf_done(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_published_icrc_is_ours),
		cmocka_unit_test(what_is_read_is_written_again_to_the_byte),
		cmocka_unit_test(marks_and_hops_leave_the_icrc_valid_and_data_does_not),
		cmocka_unit_test(a_captured_cnp_says_whom_it_slows),
		cmocka_unit_test(a_pfc_frame_stops_the_priorities_it_names),
		cmocka_unit_test(every_opcode_goes_there_and_back),
		cmocka_unit_test(no_cut_and_no_damage_breaks_the_reader),
		cmocka_unit_test(captures_are_written_and_read_in_both_byte_orders),
		cmocka_unit_test(tshark_reads_what_we_wrote_and_finds_nothing_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
