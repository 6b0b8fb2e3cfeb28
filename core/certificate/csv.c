/*
 * One flat table by RFC 4180: a row for each link and for each test, told apart by the column "row". What is not known is empty; a text
 * that a spreadsheet would run as a formula gets a quote in front.
 */
#include "core/certificate/internal.h"

static const char heading[] =
	"row,rack,host,nic,peer,peer_port,state,stage,what,do,because_of,kind,to_host,to_nic,layer,rate_bps,ceiling_bps,share_pct,mtu_bytes,"
	"command,began,ended,from_class_bytes,from_all_bytes,from_drops,from_gaps,from_wire,from_marks,from_cnps,to_class_bytes,"
	"to_all_bytes,to_drops,to_gaps,to_wire,to_marks,to_cnps,tool,latency_us,certificate_sha256\r\n";

static const char *const counters[] = { "class_bytes", "all_bytes", "drops", "gaps", "wire", "marks", "cnps" };
#define N_COUNTERS	(sizeof(counters) / sizeof(*counters))

static void add_quoted(struct buf *out, const char *text)
{
	struct buf safe = { 0 };

	buf_str(&safe, "");
	certificate_plain(&safe, text);
	buf_str(out, "\"");
	if (strspn(safe.text + strspn(safe.text, " "), "=+-@"))
		buf_str(out, "'");
	for (const char *c = safe.text; *c; c++) {
		buf_add(out, c, 1);
		if (*c == '"')
			buf_str(out, "\"");
	}
	buf_str(out, "\"");
	buf_done(&safe);
}

static void add_text(struct buf *out, const char *text)
{
	if (text)
		add_quoted(out, text);
	buf_str(out, ",");
}

static void add_number(struct buf *out, double x)
{
	certificate_number(out, x);
	buf_str(out, ",");
}

static void add_empty(struct buf *out, size_t n)
{
	while (n--)
		buf_str(out, ",");
}

static void end_row(struct buf *out, const json_t *certificate)
{
	buf_printf(out, "%s\r\n", text_of(certificate, "sha256"));
}

static void add_link(struct buf *out, const json_t *certificate, const json_t *link)
{
	static const char *const texts[] = { "host", "nic", "peer", "peer_port", "state", "stage", "what", "do", "because_of" };

	buf_str(out, "link,");
	add_text(out, text_of(certificate, "rack"));
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		add_text(out, text_of(link, texts[i]));
	add_empty(out, 13 + 2 * N_COUNTERS);
	end_row(out, certificate);
}

static void add_counters(struct buf *out, const json_t *test, const char *end)
{
	const json_t *grown = member(member(test, "counters"), end);

	for (size_t i = 0; i < N_COUNTERS; i++)
		add_number(out, number_of(grown, counters[i]));
}

static void add_test(struct buf *out, const json_t *certificate, const json_t *test)
{
	const json_t *from = member(test, "from"), *to = member(test, "to");

	buf_str(out, "test,");
	add_text(out, text_of(certificate, "rack"));
	add_text(out, text_of(from, "host"));
	add_text(out, text_of(from, "nic"));
	add_empty(out, 2);
	add_text(out, text_of(test, "state"));
	add_empty(out, 1);
	add_text(out, text_of(test, "what"));
	add_empty(out, 2);
	add_text(out, text_of(test, "kind"));
	add_text(out, text_of(to, "host"));
	add_text(out, text_of(to, "nic"));
	add_text(out, text_of(test, "layer"));
	add_number(out, number_of(test, "rate_bps"));
	add_number(out, number_of(test, "ceiling_bps"));
	add_number(out, round(certificate_share(test) * 1000) / 10);
	add_number(out, number_of(test, "mtu"));
	add_text(out, text_of(test, "command"));
	add_text(out, text_of(test, "began"));
	add_text(out, text_of(test, "ended"));
	add_counters(out, test, "from");
	add_counters(out, test, "to");
	add_text(out, certificate_tool(test));
	add_number(out, number_of(test, "latency_us"));
	end_row(out, certificate);
}

void certificate_csv(const json_t *certificate, struct buf *out)
{
	const json_t *row;

	buf_str(out, heading);
	for (EACH(member(certificate, "links"), row))
		add_link(out, certificate, row);
	for (EACH(member(certificate, "tests"), row))
		add_test(out, certificate, row);
}
