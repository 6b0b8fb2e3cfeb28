/*
 * What is hidden of a device's words, and what is not: secrets by their names and forms, facts as they are. The captures of real
 * devices say the same masked and unmasked; bytes of no sense do no harm. Forms of secrets by the hundred are in test_canaries.c.
 */
#include "remote/platform/mask.h"

#include <ctype.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "remote/platforms.h"
#include "tests/lib/text.h"

static char *masked(const char *text, size_t n)
{
	char *copy = malloc(n + 1);

	memcpy(copy, text, n);
	copy[n] = '\0';
	mask_secrets(copy, n);
	return copy;
}

/* -- lines -- */

static const struct {
	const char *text, *seen;
} lines[] = {
	/* A value goes, and what stands beside it stays. */
	{ "mtu=9000 password=hunter2 port=swp1", "mtu=9000 password=******* port=swp1" },
	{ "https://admin:hunter2@10.0.0.1:8443/x?token=abc123&port=3", "https://admin:*******@10.0.0.1:8443/x?token=******&port=3" },
	{ "{ mtu: 9000, psk: hunter2, port: swp1 }", "{ mtu: 9000, psk: *******, port: swp1 }" },
	{ "{\"mtu\": 9000, \"bind_pw\": \"hun\\\"ter\", \"pin\": 1234, \"up\": true}",
	  "{\"mtu\": 9000, \"bind_pw\": \"********\", \"pin\": 1234, \"up\": true}" },
	{ "<port>swp1</port><password>hunter2</password><mtu>9000</mtu>", "<port>swp1</port><password>*******</password><mtu>9000</mtu>" },
	{ "[ 12.3] mlx5_core 0000:1a:00.0: $6$salt$hashhash Link down", "[ 12.3] mlx5_core 0000:1a:00.0: **************** Link down" },
	{ "password:\n  - hunter2\n  - |\n    more\nmtu: 9000", "password:\n  * *******\n  * *\n    ****\nmtu: 9000" },
	{ "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----\nup",
	  "-----BEGIN RSA PRIVATE KEY-----\n******\n-----END RSA PRIVATE KEY-----\nup" },
	{ "{\"SNMP_COMMUNITY\":{\"hunter2\":{\"TYPE\":\"RO\"}},\"PORT\":{\"mtu\":\"9100\"}}",
	  "{\"SNMP_COMMUNITY\":{\"*******\":{\"****\":\"**\"}},\"PORT\":{\"mtu\":\"9100\"}}" },
	{ "authentication-type simple hunter2", "authentication-type simple *******" },
	/* A blank of any kind ends a word: a vertical tab, and one that does not break. */
	{ "enable secret\vhunter2", "enable secret\v*******" },
	{ "enable secret\xc2\xa0hunter2", "enable secret*********" },
	/* Names that sound like a secret's, and values that are none. */
	{ "key_mgmt=WPA-PSK pairwise=CCMP", NULL },
	{ "  key-management: psk", NULL },
	{ "NCCL_IB_PKEY=3 NCCL_IB_HCA==roceP2p1s0f1:1", NULL },
	{ "        Actor Key: 17", NULL },
	{ "ad_actor_key 9 keyboard monkey bypass 3", NULL },
	{ "public-key 5f password-policy min 8", NULL },
	{ "\"password_authentication\": \"true\",", NULL },
	{ "     rx_macsec_bad_key_pkts: 17", NULL },
	{ "aaa authentication login default group tacacs+ local", NULL },
	{ " ip ospf authentication message-digest", NULL },
	{ " authentication-mode hwtacacs local", NULL },
	{ "PCIE_CREDIT_TOKEN_TIMEOUT           0", NULL },
	{ "help: login <password> <port>\nmtu 9000", NULL },
	/* Identities that facts hold. */
	{ "gid fe80:0000:0000:0000:0ac0:ebff:fe4a:1234 fe80::1 00000000:0000:0000", NULL },
	{ "28.39.1002 (MT_0000000838) MT2116X12345 0c42:a103:0065:2b4e", NULL },
	{ "4f6b1d5e-8c6b-4d6e-9a55-0b9b3c1f2a77 0123456789abcdef0123456789abcdef01234567", NULL },
	{ "100000baseLR2_ER2_FR2/Full enP2p1s0f0np0v12 SONiC-OS-202311.1-8b4f1d0c1", NULL },
};

static void a_secret_goes_and_what_stands_beside_it_stays(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		char *seen = masked(lines[i].text, strlen(lines[i].text));

		assert_string_equal(seen, lines[i].seen ? lines[i].seen : lines[i].text);
		free(seen);
	}
}

/* -- facts -- */

static struct {
	unsigned replies, parses, differ;
	size_t facts;
} same;

/* As platform_parse() does it, but for the mask. */
static void parse(const struct probe *probe, const char *text, size_t n, struct buf *facts, struct obs *o)
{
	struct answer a = { .text = { text, n }, .port = probe->per_port ? "p" : NULL, .status = -1 };
	struct span rest = a.text, line;
	struct buf of = { 0 };

	while (probe->keeps && span_line(&rest, &line))
		if (probe->keeps(line))
			buf_printf(&of, "%.*s\n", (int)line.n, line.p);
	if (probe->keeps)
		a.text = of.n ? buf_span(&of) : SPAN("");
	obs_init(o, "d", probe->id);
	o->raw = a.text;
	o->cite = CITE_NONE;
	probe->parse(&a, o);
	obs_print(o, facts);
	buf_done(&of);
}

/* Why something is unknown may be told in the reply's own words, a secret's among them: facts are compared, not reasons. */
static void cut_reasons(struct buf *facts)
{
	struct buf out = { 0 };
	struct span rest = buf_span(facts), line;

	while (facts->n && span_line(&rest, &line)) {
		const char *reason = span_find(line, " = unknown \"");

		buf_printf(&out, "%.*s\n", reason ? (int)(reason + 10 - line.p) : (int)line.n, line.p);
	}
	buf_done(facts);
	*facts = out;
}

static void compare(const char *path, const struct probe *probe, const char *text, const char *hidden, size_t n)
{
	struct buf plain = { 0 }, behind = { 0 };
	struct obs o, m;

	parse(probe, text, n, &plain, &o);
	parse(probe, hidden, n, &behind, &m);
	cut_reasons(&plain);
	cut_reasons(&behind);
	same.parses++;
	same.facts += o.n;
	if (plain.n != behind.n || (plain.n && memcmp(plain.text, behind.text, plain.n) != 0)) {
		same.differ++;
		printf("%s by %s\n-- plain\n%s-- masked\n%s", path, probe->id, plain.n ? plain.text : "", behind.n ? behind.text : "");
	}
	buf_done(&plain);
	buf_done(&behind);
	obs_done(&o);
	obs_done(&m);
}

static int each_file(const char *path, const struct stat *st, int type, struct FTW *at)
{
	char *text, *hidden;
	size_t n;

	(void)st;
	(void)at;
	if (type != FTW_F || !(text = file_text(path, &n)))
		return 0;
	hidden = masked(text, n);
	same.replies++;
	for (size_t p = 0; p < platform_count; p++)
		for (size_t i = 0; i < platform_table[p]->n_probes; i++)
			compare(path, &platform_table[p]->probes[i], text, hidden, n);
	free(hidden);
	free(text);
	return 0;
}

/* Every file by every probe: what one says is a reply of another's, too. */
static void every_reply_says_the_same_masked_and_unmasked(void **state)
{
	(void)state;
	assert_int_equal(nftw("tests/fixtures", each_file, 16, FTW_PHYS), 0);
	if (captures_dir())
		assert_int_equal(nftw(captures_dir(), each_file, 16, FTW_PHYS), 0);
	else
		printf("skip: no captures of real devices beside this tree\n");
	printf("%u files, %u parses, %zu facts: %u differ\n", same.replies, same.parses, same.facts, same.differ);
	assert_true(same.facts > 1000);
	assert_int_equal(same.differ, 0);
}

/* -- bytes of no sense -- */

#define ROUNDS	60000
#define LONGEST	400

static unsigned long seed = 15;

static unsigned draw(unsigned below)
{
	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned)(seed >> 33) % below;
}

/* Pieces that the mask looks for, in any order, and any byte between them. */
static size_t nonsense(char *out)
{
	static const char *const pieces[] = { "password", "\"", "{\"", "\": ", "[", "]", "}", "\\", "\\\"", "\n", "\r\n", ":", "=", "<secret>",
		"</secret>", "<key ", "/>", "-----BEGIN RSA PRIVATE KEY-----", "-----END", "$6$", "://", "@", "eyJ", "key", " - ", "  ", "\t",
		"snmp-server", "authentication simple ", "curl -u ", "name: DB_PASSWORD", "value: ", "1 M ", " 5) ", "Bearer ", "AKIA", "|", "{}" };
	size_t n = 0;

	while (n < LONGEST - 40 && draw(30)) {
		const char *piece = pieces[draw(sizeof(pieces) / sizeof(*pieces))];

		if (draw(4)) {
			memcpy(out + n, piece, strlen(piece));
			n += strlen(piece);
		} else {
			out[n++] = (char)draw(256);
		}
	}
	return n;
}

static void bytes_of_no_sense_keep_their_length_and_their_lines(void **state)
{
	char text[LONGEST];

	(void)state;
	for (unsigned round = 0; round < ROUNDS; round++) {
		size_t n = nonsense(text);
		char *copy = malloc(n + !n);	/* of its own, so that a byte beyond it is seen */

		memcpy(copy, text, n);
		mask_secrets(copy, n);
		for (size_t i = 0; i < n; i++)
			if (copy[i] != text[i] && copy[i] != '*' && (copy[i] != '0' || !isdigit((unsigned char)text[i])))
				fail_msg("round %u: byte %zu, %d, became %d", round, i, text[i], copy[i]);
			else if (text[i] == '\n')
				assert_int_equal(copy[i], '\n');
		free(copy);
	}
}

/* -- a line as long as a reply -- */

#define LONG_LINE	(1u << 20)
#define LONG_S		20	/* of CPU; about 0.3 is needed, and hours where the line is read again for each of its words */

/* A device decides how long its lines are, and what stands in them. */
static void a_line_of_a_megabyte_is_not_read_again_for_each_word(void **state)
{
	static const char *const units[] = { "key=x ", "\"key\":\"x\" ", "<key>", "<key></x>", "<key>\n", "://", "://a:b", "-----BEGIN ",
		"-----BEGIN PRIVATE KEY-----\n", "{\"key\":\n", "{\"a\":\"", "[[", "$1$a ", "auth simple", "curl -u ", "eyJ-", "key:\n",
		"name: password\n", "key ", "key=\\\"", "key(", "1 M " };
	char *text = malloc(LONG_LINE);

	(void)state;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t n = strlen(units[i]);
		clock_t began;

		for (size_t at = 0; at < LONG_LINE; at++)
			text[at] = units[i][at % n];
		began = clock();
		mask_secrets(text, LONG_LINE);
		if (clock() - began > LONG_S * CLOCKS_PER_SEC)
			fail_msg("\"%s\" takes %ld s", units[i], (long)((clock() - began) / CLOCKS_PER_SEC));
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_secret_goes_and_what_stands_beside_it_stays),
		cmocka_unit_test(every_reply_says_the_same_masked_and_unmasked),
		cmocka_unit_test(bytes_of_no_sense_keep_their_length_and_their_lines),
		cmocka_unit_test(a_line_of_a_megabyte_is_not_read_again_for_each_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
