/* The kernel's DCB interface, one reply of IEEE_GET and one of GDCBX, in the form of dcb -j (iproute2). */
#include "remote/native/internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/dcbnl.h>
#include <netlink/attr.h>

#define PRIORITIES	8
#define APP_TRUST_TABLE	11	/* of kernels from 6.2 on; Debian 12's headers do not have it */
#define IEEE_MOST	12
#define SELECTOR_PCP	255

struct dcb_answer {
	struct nlattr *ieee[IEEE_MOST + 1];	/* NULL: not among them */
	int error;					/* errno; 0: there are some */
};

static void add_numbers(struct buf *out, const char *name, const uint8_t *of)
{
	buf_printf(out, "\"%s\":[", name);
	for (unsigned i = 0; i < PRIORITIES; i++)
		buf_printf(out, "%s%u", i ? "," : "", of[i]);
	buf_str(out, "]");
}

static const char *algorithm(uint8_t tsa)
{
	switch (tsa) {
	case IEEE_8021QAZ_TSA_STRICT:	 return "strict";
	case IEEE_8021QAZ_TSA_CB_SHAPER: return "cbs";
	case IEEE_8021QAZ_TSA_ETS:	 return "ets";
	case IEEE_8021QAZ_TSA_VENDOR:	 return "vendor";
	default:			 return "unknown";
	}
}

static void add_ets(const struct nlattr *a, struct buf *out)
{
	const struct ieee_ets *e = nla_data(a);

	buf_printf(out, "{\"willing\":%s,", e->willing ? "true" : "false");
	add_numbers(out, "prio_tc", e->prio_tc);
	buf_str(out, ",");
	add_numbers(out, "tc_bw", e->tc_tx_bw);
	buf_str(out, ",\"tc_tsa\":[");
	for (unsigned i = 0; i < PRIORITIES; i++)
		buf_printf(out, "%s\"%s\"", i ? "," : "", algorithm(e->tc_tsa[i]));
	buf_str(out, "]}\n");
}

static void add_pfc(const struct nlattr *a, struct buf *out)
{
	const struct ieee_pfc *p = nla_data(a);

	buf_str(out, "{\"prio_pfc\":[");
	for (unsigned i = 0; i < PRIORITIES; i++)
		buf_printf(out, "%s%s", i ? "," : "", p->pfc_en >> i & 1 ? "true" : "false");
	buf_str(out, "]}\n");
}

/* The rows of DSCPs alone: of the others no fact is made. */
static void add_app(const struct nlattr *a, struct buf *out)
{
	struct nlattr *row;
	int left;
	size_t n = 0;

	buf_str(out, "{");
	nla_for_each_nested(row, a, left) {
		const struct dcb_app *app = nla_data(row);

		if (nla_type(row) != DCB_ATTR_IEEE_APP || (size_t)nla_len(row) < sizeof(*app) || app->selector != IEEE_8021QAZ_APP_SEL_DSCP)
			continue;
		buf_printf(out, "%s[%u,%u]", n++ ? "," : "\"dscp_prio\":[", app->protocol, app->priority);
	}
	buf_str(out, n ? "]}\n" : "}\n");
}

static void add_buffer(const struct nlattr *a, struct buf *out)
{
	const struct dcbnl_buffer *b = nla_data(a);

	buf_str(out, "{");
	add_numbers(out, "prio_buffer", b->prio2buffer);
	buf_str(out, ",\"buffer_size\":[");
	for (unsigned i = 0; i < DCBX_MAX_BUFFERS; i++)
		buf_printf(out, "%s%u", i ? "," : "", b->buffer_size[i]);
	buf_str(out, "]}\n");
}

/* The selectors in the order of trust, an octet each. */
static void add_trust(const struct nlattr *a, struct buf *out)
{
	static const struct { uint8_t selector; const char *name; } names[] = {
		{ IEEE_8021QAZ_APP_SEL_ETHERTYPE, "ethtype" }, { IEEE_8021QAZ_APP_SEL_STREAM, "stream-port" },
		{ IEEE_8021QAZ_APP_SEL_DGRAM, "dgram-port" }, { IEEE_8021QAZ_APP_SEL_ANY, "port" },
		{ IEEE_8021QAZ_APP_SEL_DSCP, "dscp" }, { SELECTOR_PCP, "pcp" },
	};
	struct nlattr *row;
	int left;
	size_t n = 0;

	buf_str(out, "{\"order\":[");
	nla_for_each_nested(row, a, left)
		for (size_t i = 0; nla_len(row) >= 1 && i < sizeof(names) / sizeof(*names); i++)
			if (nla_get_u8(row) == names[i].selector)
				buf_printf(out, "%s\"%s\"", n++ ? "," : "", names[i].name);
	buf_str(out, "]}\n");
}

static void add_dcbx(struct native *n, const char *port, struct buf *out)
{
	static const struct { uint8_t bit; const char *name; } flags[] = {
		{ DCB_CAP_DCBX_HOST, "host" }, { DCB_CAP_DCBX_LLD_MANAGED, "lld_managed" }, { DCB_CAP_DCBX_VER_CEE, "cee" },
		{ DCB_CAP_DCBX_VER_IEEE, "ieee" }, { DCB_CAP_DCBX_STATIC, "static" },
	};
	struct nlattr *attributes[DCB_ATTR_MAX + 1];
	int error = machine_dcb(n->machine, port, DCB_CMD_GDCBX, attributes);
	size_t told = 0;
	uint8_t set;

	if (!error && (!attributes[DCB_ATTR_DCBX] || nla_len(attributes[DCB_ATTR_DCBX]) < 1))
		error = ENOENT;
	if (error) {
		buf_printf(out, "Attribute read: %s\n", strerror(error));
		return;
	}
	set = nla_get_u8(attributes[DCB_ATTR_DCBX]);
	buf_str(out, "{");
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (set & flags[i].bit)
			buf_printf(out, "%s\"%s\":true", told++ ? "," : "", flags[i].name);
	buf_str(out, "}\n");
}

static void ask(struct native *n, const char *port, struct dcb_answer *d)
{
	struct nlattr *attributes[DCB_ATTR_MAX + 1];

	*d = (struct dcb_answer){ .error = machine_dcb(n->machine, port, DCB_CMD_IEEE_GET, attributes) };
	if (!d->error && !attributes[DCB_ATTR_IEEE])
		d->error = ENOENT;
	if (!d->error && nla_parse_nested(d->ieee, IEEE_MOST, attributes[DCB_ATTR_IEEE], NULL))
		d->error = EBADMSG;
}

int native_dcb(struct native *n, const char *port, struct buf *out)
{
	static const struct {
		const char *object;
		int attribute;
		size_t size;		/* that it has at least */
		void (*add)(const struct nlattr *a, struct buf *out);
	} objects[] = {
		{ "pfc", DCB_ATTR_IEEE_PFC, sizeof(struct ieee_pfc), add_pfc },
		{ "ets", DCB_ATTR_IEEE_ETS, sizeof(struct ieee_ets), add_ets },
		{ "app", DCB_ATTR_IEEE_APP_TABLE, 0, add_app },
		{ "buffer", DCB_ATTR_DCB_BUFFER, sizeof(struct dcbnl_buffer), add_buffer },
		{ "apptrust", APP_TRUST_TABLE, 0, add_trust },
	};
	struct dcb_answer d;
	char driver[64];

	native_driver_of(port, driver, sizeof(driver));
	buf_printf(out, "driver %s\n", driver);
	ask(n, port, &d);
	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
		const struct nlattr *a = d.error ? NULL : d.ieee[objects[i].attribute];

		buf_printf(out, "\ndcb %s\n", objects[i].object);
		if (a && (size_t)nla_len(a) >= objects[i].size)
			objects[i].add(a, out);
		else
			buf_printf(out, "Attribute read: %s\n", strerror(d.error ? d.error : a ? EBADMSG : EOPNOTSUPP));
	}
	buf_str(out, "\ndcb dcbx\n");
	add_dcbx(n, port, out);
	return 0;
}
