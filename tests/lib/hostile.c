#include "tests/lib/hostile.h"

#include <ctype.h>
#include <stdio.h>

#include "db/record/recorder.h"
#include "tests/lib/say.h"

#define AT_US	(INT64_C(1790000000) * SECOND)

const char *const hostile_texts[] = {
	"hostile\033[31;1337mcolour",			/* CSI */
	"hostile\033[2J\033[31337;1Hrepaint",
	"hostile\033[21t title report",			/* CVE-2003-0063 */
	"hostile\033]0;owned\007title",
	"hostile\033]52;c;aG9zdGlsZQ==\007clipboard",
	"hostile\033]50;i$(touch /tmp/x)\007font",	/* CVE-2022-45063 */
	"hostile\033P$q\"p\033\\status",			/* DCS */
	"hostile\033_apc\033\\ \033^pm\033\\",
	"hostile\033[6n\033[c\033[5n answers itself",
	"hostile\302\233" "31;1337m C1 in UTF-8",
	"hostile\23331;1337m C1 as a byte",
	"hostile\302\235" "52;c;aG9z\302\234 OSC in C1",
	"hostile\220$q\234 DCS as bytes",
	"hostile\342\200\256lanimret\342\200\254 bidi",	/* U+202E … U+202C */
	"hostile\342\201\246isolate\342\201\251",		/* U+2066 … U+2069 */
	"hostile\342\200\213zero\357\273\277width\342\201\240",
	"hostile\342\200\250line\342\200\251separators",
	"hostile\na line of its own",
	"hostile\rover the line",
	"hostile\tcolumns\013\014",
	"hostile\007\007bell\010\010\177",
	"hostile \377\376\300\200\355\240\200\370\210 no UTF-8",
	"hostile\314\201\314\201\314\201 combining",
	"hostile\363\240\201\201 tag",			/* U+E0041 */
	"=HYPERLINK(\"http://hostile\",\"x\")",
	"+hostile+cmd|' /C calc'!A0",
	"-hostile\"; DROP TABLE fact; --",
	"@hostile(1)",
	"hostile\016shifted\017 \033(0lines\033)0",
	"hostile\033c\033#8\033[?1049l\033[?25h",
};
const size_t hostile_count = sizeof(hostile_texts) / sizeof(*hostile_texts);

/* Names that a recording may hold; the plain ones say what they are, so that they are judged. */
static const char *const names[] = { "node", "hostile\23331m", "hostile\342\200\256x", "hostile\302\2332J", "leaf" };
static const char *const platforms[] = { "linux", NULL, NULL, NULL, "os10" };
#define NAMES (sizeof(names) / sizeof(*names))

static void say_port(struct obs *o, const char *name, size_t at)
{
	uint16_t port = obs_port(o, span_of(name));
	static const enum field texts[] = { FIELD_ALIAS, FIELD_PEER_NAME, FIELD_PEER_PORT, FIELD_PEER_MAC, FIELD_PEER_CHASSIS,
					    FIELD_MAC, FIELD_DRIVER, FIELD_FIRMWARE, FIELD_FEC, FIELD_RDMA };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		obs_text(o, port, texts[i], span_of(hostile_texts[(at + i) % hostile_count]));
	obs_bool(o, port, FIELD_UP, 0, true);
	obs_bool(o, port, FIELD_PFC_ON, 3, at % 2);
	obs_number(o, port, FIELD_TRUST, 0, at % 2 ? TRUST_PCP : TRUST_DSCP);
	obs_unknown(o, port, FIELD_MTU, 0, hostile_texts[(at + 11) % hostile_count]);
	obs_unknown(o, port, FIELD_SPEED, 0, hostile_texts[(at + 12) % hostile_count]);
	obs_number(o, port, FIELD_PFC_RX, 3, 1000 + at);
}

static void say_device(struct model *m, struct recorder *r, const char *name, size_t at, int64_t at_us)
{
	static const enum field texts[] = { FIELD_MODEL, FIELD_VERSION, FIELD_HOSTNAME, FIELD_BOOT, FIELD_ERROR,
					    FIELD_AUTH, FIELD_HOSTKEY, FIELD_MODULES };
	struct buf raw = { 0 };
	struct obs o;

	obs_init(&o, name, hostile_texts[at % hostile_count]);
	o.subject = at % 3 ? NULL : hostile_texts[(at + 1) % hostile_count];
	o.command = hostile_texts[(at + 2) % hostile_count];
	o.rank = 10;
	o.at_us = at_us;
	o.period_us = SECOND;
	for (size_t i = 0; i < hostile_count; i++)
		buf_printf(&raw, "%s\n", hostile_texts[i]);
	o.raw = buf_span(&raw);
	obs_cite(&o, o.raw);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		obs_text(&o, OBS_DEVICE, texts[i], span_of(hostile_texts[(at + i) % hostile_count]));
	obs_text(&o, OBS_DEVICE, FIELD_PLATFORM,
		 span_of(platforms[at % NAMES] ? platforms[at % NAMES] : hostile_texts[at % hostile_count]));
	obs_number(&o, OBS_DEVICE, FIELD_STATE, 0, at % 2 ? STATE_UP : STATE_RETRYING);
	say_port(&o, "eth0", at);
	say_port(&o, "`$(hostile)`;x", at + 7);
	model_apply(m, &o);
	model_set_now(m, at_us);
	recorder_take(r, &o);
	obs_done(&o);
	buf_done(&raw);
}

void hostile_recording(const char *path)
{
	struct model *m = model_new();
	struct recorder_options options = { .fabric = hostile_texts[0], .policy = "roce-lossless", .model = m };
	struct err err;
	struct recorder *r = recorder_open(path, &options, &err);
	char name[64];

	if (!r)
		fail_msg("%s", err.text);
	for (unsigned second = 0; second < 3; second++)
		for (size_t i = 0; i < hostile_count; i++) {
			snprintf(name, sizeof(name), "%s%zu", names[i % NAMES], i);
			say_device(m, r, name, i, AT_US + second * SECOND);
		}
	for (size_t i = 0; i < hostile_count; i++) {
		recorder_note(r, AT_US + SECOND, hostile_texts[i], hostile_texts[(i + 1) % hostile_count]);
		recorder_command(r, AT_US + SECOND, name, hostile_texts[i], hostile_texts[(i + 1) % hostile_count]);
	}
	recorder_close(r);
	model_free(m);
}

/* One character of UTF-8 off the front; 0 when that is none. */
static size_t take_character(struct span s, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = (unsigned char)*s.p;
	size_t n = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;

	if (!n || n > s.n)
		return 0;
	*c = n == 1 ? first : first & (0xffu >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if (((unsigned char)s.p[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | ((unsigned char)s.p[i] & 0x3f);
	}
	return *c >= least[n] && *c <= 0x10ffff && (*c < 0xd800 || *c > 0xdfff) ? n : 0;
}

static bool is_invisible(uint32_t c)
{
	static const struct { uint32_t from, to; } never[] = {
		{ 0x00, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x300, 0x36f }, { 0x61c, 0x61c }, { 0x200b, 0x200f },
		{ 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb },
		{ 0xe0000, 0xe0fff },
	};

	for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
		if (c >= never[i].from && c <= never[i].to)
			return true;
	return false;
}

static const char *complaint(const char *what, struct span all, size_t at)
{
	static char text[256];
	int n = snprintf(text, sizeof(text), "%s at byte %zu:", what, at);

	for (size_t i = at < 20 ? 0 : at - 20; i < all.n && i < at + 20; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n, (unsigned char)(all.p[i] - 32) < 95 ? "%c" : "<%02x>",
			      (unsigned char)all.p[i]);
	return text;
}

const char *hostile_in_text(struct span bytes)
{
	uint32_t c = 0;

	for (size_t i = 0, n; i < bytes.n; i += n) {
		n = take_character((struct span){ bytes.p + i, bytes.n - i }, &c);
		if (!n)
			return complaint("no UTF-8", bytes, i);
		if (c != '\n' && is_invisible(c))
			return complaint("a character that acts or does not show", bytes, i);
	}
	return NULL;
}

/* Bytes of a copy to the clipboard, ESC taken: nothing but base64 is in it. */
static size_t clipboard_sequence(struct span s)
{
	size_t n = strlen("]52;c;");

	if (!span_starts(s, "]52;c;"))
		return 0;
	while (n < s.n && (isalnum((unsigned char)s.p[n]) || strchr("+/=", s.p[n])))
		n++;
	if (span_starts(s, "]52;c;aG9zdGlsZQ==\a"))	/* a device's own, as hostile_texts has it: never what a person copied */
		return 0;
	return n < s.n && s.p[n] == '\a' ? n + 1 : 0;
}

/* Bytes of a sequence that curses sends to an xterm, ESC taken; 0 for any other. */
static size_t curses_sequence(struct span s)
{
	static const char *const whole[] = { "[22;0;0t", "[23;0;0t", "(B", "(0", "=", ">", "7", "8", "M" };
	size_t n = 1;

	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		if (span_starts(s, whole[i]))
			return strlen(whole[i]);
	if (s.n < 2 || *s.p != '[')
		return clipboard_sequence(s);
	n += s.p[n] == '?';
	for (; n < s.n && ((s.p[n] >= '0' && s.p[n] <= '9') || s.p[n] == ';'); n++)
		;
	return n < s.n && strchr("mHJKABCDGdhlrXPLMSTb@", s.p[n]) ? n + 1 : 0;
}

const char *hostile_in_terminal(struct span bytes)
{
	uint32_t c = 0;

	for (size_t i = 0, n; i < bytes.n; i += n) {
		n = take_character((struct span){ bytes.p + i, bytes.n - i }, &c);
		if (!n)
			return complaint("no UTF-8", bytes, i);
		if (c == '\033') {
			n = curses_sequence((struct span){ bytes.p + i + 1, bytes.n - i - 1 });
			if (!n || span_find((struct span){ bytes.p + i, n + 1 }, "1337"))
				return complaint("a sequence that curses does not send", bytes, i);
			n++;
		} else if (!strchr("\r\n\b", (int)c) && is_invisible(c)) {
			return complaint("a character that acts or does not show", bytes, i);
		}
	}
	return NULL;
}
